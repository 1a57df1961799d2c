"""Exception lists are applied only where gold and system do not agree without them."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, strategies as st

import evalign
from evalign import Text
from evalign.alignment.align import align_documents
from evalign.alignment.normalize import load_exceptions
from evalign.alignment.rewriting import agreed_tokens, agreed_words
from sameresult import assert_same

pytestmark = pytest.mark.issue(15)
ENGLISH = load_exceptions("en")
MINE = {
    "&": "and",
    "u": "you",
    "na": "to",
    "ta": "to",
    "to": "ta",
    "gon": "going",
    "a": "b",
    "b": "a",
    "wanna": "wantto",
}


def conllu(sentences):
    """Sentences as CoNLL-U; a token is a text, or a pair of a text and the words inside it."""
    written = []
    for sentence in sentences:
        number, rows = 0, []
        for token in sentence:
            text, words = token if isinstance(token, tuple) else (token, [token])
            if isinstance(token, tuple):
                rows.append(f"{number + 1}-{number + len(words)}\t{text}" + "\t_" * 8)
            for word in words:
                number += 1
                rows.append(f"{number}\t{word}\t_\t_\t_\t_\t{int(number > 1)}\tdep\t_\t_")
        written.append("\n".join(rows) + "\n\n")
    return "".join(written)


GONNA = [["I", "'m", ("gonna", ["gon", "na"]), "go", "."]]
SPLIT = [["I", "'m", "gon", "na", "go", ".", '"']]


@pytest.mark.parametrize("sides", [(GONNA, SPLIT), (SPLIT, GONNA)])
def test_what_both_sides_write_alike_is_left_alone(sides):
    gold, system = (Text(conllu(side), name) for side, name in zip(sides, ("gold", "system"), strict=True))
    plain, listed = evalign.score(gold, system), evalign.score(gold, system, exceptions="en")
    assert [plain[metric].counts for metric in ("sentences", "tokens", "words")] == [
        listed[metric].counts for metric in ("sentences", "tokens", "words")
    ]
    assert plain["words"].correct == 6
    assert not listed.ledger.rules["exceptions"].gold if "exceptions" in listed.ledger.rules else True


@pytest.mark.parametrize(
    ("gold", "system", "rewritten"),
    [
        ("You can not go .", "You ca n't go !", [(set(), {1, 2})]),
        ("We wo n't .", "We will not ?", [({1, 2}, set())]),
        ("I ca not .", "I can n't ?", [({1}, {2})]),
        ("Do n't , he said , I ca n't", "Do n't , he said : I can not", [({7, 8}, set())]),
        ("they 'll gonna", "they 'll gon na !", [(set(), set())]),
        ("I 'm here", "I am here !", [({1}, set())]),
        ("ca n't x", "could n't y", [(set(), set())]),
    ],
)
def test_only_what_becomes_equal_is_rewritten(gold, system, rewritten):
    documents = [evalign.read(Text(text + "\n", "x")) for text in (gold, system)]
    alignment = align_documents(*documents, exceptions=ENGLISH)
    assert (set(alignment.gold.excepted.tokens), set(alignment.system.excepted.tokens)) == rewritten[0]
    rule_uses = [
        f.count
        for side in (alignment.gold, alignment.system)
        for f in side.rule_uses
        if f.rule == "exceptions"
    ]
    assert sum(rule_uses) == sum(map(len, rewritten[0]))


MEANT = [["I", ("can't", ["can", "not"]), "go", "."]]
WRITTEN = [["I", ("can't", ["ca", "n't"]), "go", "."]]


@pytest.mark.parametrize("match", ["default", "place"])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("inside", "plain"), [(MEANT, "I ca n't go . x\n"), (WRITTEN, "I can not go . x\n")])
def test_a_list_pairs_plain_words_with_those_inside_a_multiword_token(inside, plain, swapped, match):
    """Whichever of the two writes what is meant, and whether or not their lines agree."""
    sides = [Text(conllu(inside), "inside"), Text(plain, "plain")]
    gold, system = reversed(sides) if swapped else sides
    assert evalign.score(gold, system, match=match)["words"].correct == 3
    listed = evalign.score(gold, system, match=match, exceptions="en", credit_exceptions=True)
    assert listed["words"].correct == 5
    assert listed["tokens"].correct == 3
    rule = listed.ledger.rules["exceptions"]
    assert rule.gold + rule.system == 2
    assert evalign.score(gold, system, exceptions="en")["words"].correct == 3


def test_a_plain_word_that_pairs_with_no_word_inside_is_not_rewritten():
    documents = [
        evalign.read(Text(text, "x"))
        for text in (conllu([["I", ("can't", ["could", "never"]), "go", "."]]), "I ca n't go . x\n")
    ]
    alignment = align_documents(*documents, exceptions=ENGLISH)
    assert not alignment.system.excepted.words
    assert not alignment.system.excepted.tokens


FORMS = st.sampled_from(
    ["ca", "n't", "can", "not", "gon", "na", "going", "to", "ta", "a", "b", "&", "and", "u", "you", ".", "x"]
)
TOKENS = FORMS | st.lists(FORMS, min_size=1, max_size=3).flatmap(
    lambda words: st.tuples(st.sampled_from(["".join(words), "wanna", "gonna"]), st.just(words))
)
DOCUMENTS = st.lists(st.lists(TOKENS, min_size=1, max_size=5), min_size=1, max_size=3)


def check_law(gold, system, exceptions):
    documents = [evalign.read(Text(conllu(side), "x")) for side in (gold, system)]
    before = align_documents(*documents)
    after = align_documents(*documents, exceptions=exceptions)
    for side, number in ((after.gold, 0), (after.system, 1)):
        if side.excepted is None:
            continue
        tokens, words = (
            {pair[number] for pair in enumerate(found.tolist()) if pair[1] >= 0}
            for found in (agreed_tokens(before), agreed_words(before))
        )
        assert not tokens & side.excepted.tokens
        assert not words & side.excepted.words
        fired = sum(firing.count for firing in side.rule_uses if firing.rule == "exceptions")
        assert fired == len(side.excepted.tokens) + len(side.excepted.words)


def check_scores(gold, system, folder, match):
    folder.joinpath("mine.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in MINE.items()), encoding="utf-8")
    texts = [Text(conllu(side), name) for side, name in ((gold, "gold"), (system, "system"))]
    plain = evalign.score(*texts, match=match)
    for name in ("en", str(folder / "mine.tsv")):
        for credit in (False, True):
            listed = evalign.score(*texts, match=match, exceptions=name, credit_exceptions=credit)
            for metric in ("sentences", "tokens", "words"):
                assert listed[metric].correct >= plain[metric].correct, (metric, name, credit)


@given(DOCUMENTS, DOCUMENTS, st.sampled_from(["default", "place", "text"]))
@example(GONNA, SPLIT, "default")
@example([[("x", ["to", "na"])]], [[("x", ["ta", "to"]), "."]], "default")
@example([["&", "x", "b", "b"]], [["and", "."], ["b", "b"]], "default")
def test_a_list_costs_no_sentence_token_or_word(tmp_path_factory, gold, system, match):
    check_scores(gold, system, tmp_path_factory.getbasetemp(), match)


@given(DOCUMENTS, DOCUMENTS, st.sampled_from([ENGLISH, MINE]))
def test_what_agrees_without_a_list_is_not_rewritten(gold, system, exceptions):
    check_law(gold, system, exceptions)


@st.composite
def alike(draw):
    """Two documents that differ here and there, as those of two tokenisers do."""
    gold = draw(DOCUMENTS)
    seed = draw(st.integers(0, 2**16))
    generator = random.Random(seed)
    swaps = {"ca": "can", "n't": "not", "gon": "going", "na": "to", "&": "and", "u": "you"}
    system = [
        [
            swaps.get(t, t) if isinstance(t, str) and generator.random() < 0.5 else t
            for t in sentence
            if generator.random() < 0.95
        ]
        for sentence in gold
    ]
    return gold, [sentence for sentence in system if sentence] or [["x"]]


@given(alike(), st.sampled_from(["default", "place"]))
def test_a_list_costs_nothing_between_outputs_that_are_alike(tmp_path_factory, pair, match):
    check_scores(*pair, tmp_path_factory.getbasetemp(), match)


@pytest.mark.once  # the plain kernels take a minute
@pytest.mark.parametrize("chunk", [30, 150, 1000])
def test_parts_are_rewritten_as_the_whole_is(chunk):
    """The same rewrites wherever text is cut; what agrees stays in all of them."""
    generator = random.Random(chunk)
    words = [f"w{k}" for k in range(60)]
    gold = [
        [
            *generator.sample(words, 6),
            *generator.choice([["ca", "n't"], ["gon", "na"], [("gonna", ["gon", "na"])]]),
            ".",
        ]
        for _ in range(80)
    ]
    system = [
        ["can" if t == "ca" else "not" if t == "n't" else t for t in sentence] if k % 3 else [*sentence, '"']
        for k, sentence in enumerate(gold)
    ]
    texts = [Text(conllu(side), name) for side, name in ((gold, "gold"), (system, "system"))]
    whole = evalign.score(*texts, exceptions="en", window=1024)
    parts = evalign.score(*texts, exceptions="en", window=1024, stream=chunk)
    assert_same(parts, whole)
    assert whole.ledger.rules["exceptions"].gold > 0


def test_stretches_that_a_list_does_not_touch_stay_as_they_were():
    """Else what a part of the text says of them would depend on what is rewritten elsewhere."""
    gold = [["wjfjmvnfkqvtzhxepjhskpig"], ["é", "aa", "字字"], ["ω"], ["vehihvwqdfkmrojgstdfnlxo"]]
    system = [gold[0], ["b"], gold[3]]
    alone, behind = (
        align_documents(
            evalign.read([*before, *gold]), evalign.read([*after, *system]), exceptions={"ab": "b"}
        )
        for before, after in (([], []), ([["ab"]], [["b"]]))
    )
    assert behind.gold.excepted.tokens
    assert ("aa", "", 1) in alone.tolerated.substitutions
    assert behind.tolerated.substitutions == alone.tolerated.substitutions
