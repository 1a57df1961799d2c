"""Gold and system compared on the raw text; characters that the raw text lacks get a place of length zero."""

import pytest
from hypothesis import assume, given, strategies as st

import evalign
from evalign import Text
from evalign.alignment.raw_map import map_raw
from evalign.metrics.errors.all_errors import find_mismatches
from evalign.options import ScoreOptions
from evalign.readers.raw_files import read_raws
from evalign.scoring.count import compare_documents
from strategies import segmentations, two_cuts

# Words that repeat one another's letters: what is missing may be looked for in many places.
WORDS = st.sampled_from(["the", "cat", "sat", ".", "He", "U.S.", "ab", "``", "Then", ",", "no", "."])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=4)
METRICS = [
    "sentences",
    "tokens",
    "words",
    "boundaries",
    "token-boundaries",
    "bio",
    "disambiguation",
    "pk",
    "windowdiff",
]


def tree(sentence):
    """A sentence as a flat tree with a bracket around each token but the last."""
    inner = "".join(f"(NP (X {token}))" for token in sentence[:-1])
    return f"(S {inner}(. {sentence[-1]}))\n"


def join(sentences):
    return " ".join(" ".join(sentence) for sentence in sentences)


@st.composite
def with_lacking_text(draw):
    """Sentences, and a raw text that lacks some of their tokens and has some besides."""
    sentences = draw(SENTENCES)
    raw = []
    for token in (token for sentence in sentences for token in sentence):
        raw += draw(st.sampled_from([[token], [token], [token], [], [token, "x"]]))
    return sentences, " ".join(raw) or "x"


@given(with_lacking_text())
def test_a_document_against_itself_is_perfect(drawn):
    sentences, raw = drawn
    result = evalign.score(
        sentences, sentences, raw=Text(raw), metrics=[*METRICS, "edit-distance", "sentence-accuracy"]
    )
    for score in result.systems[0]:
        for name, ratio in score.ratios.items():
            if ratio is not None and name not in score.metric.lower_is_better:
                assert ratio == 1, (score.name, name)
            elif ratio is not None:
                assert ratio == 0, (score.name, name)


@given(with_lacking_text())
def test_trees_against_themselves_are_perfect(drawn):
    sentences, raw = drawn
    text = Text("".join(map(tree, sentences)), "t.mrg")
    result = evalign.score(text, text, raw=Text(raw), system_format="trees", gold_format="trees")
    for score in result.systems[0]:
        assert score.value in (None, 1.0) or (score.name == "crossing" and score.value == 0), score.name


@given(two_cuts(), st.data())
def test_swapping_sides_swaps_precision_and_recall(cuts, data):
    gold, system = cuts.gold, cuts.system
    assume(any(gold))
    line = "".join(token for sentence in gold for token in sentence)
    raw = "".join(data.draw(st.sampled_from([c, c, c, ""])) for c in line) or "x"
    metrics = ["sentences", "tokens"]
    one = evalign.score(gold, system, raw=Text(raw), metrics=metrics)
    other = evalign.score(system, gold, raw=Text(raw), metrics=metrics)
    for metric in metrics:
        assert one[metric].correct == other[metric].correct
        assert one[metric].correct <= min(one[metric].gold, one[metric].system)


@given(two_cuts())
def test_a_raw_text_that_has_it_all_changes_nothing(cuts):
    assume(any(cuts.gold))
    raw = " ".join(token for sentence in cuts.gold for token in sentence)
    plain, on_raw = (
        evalign.score(cuts.gold, cuts.system, metrics=METRICS, raw=each) for each in (None, Text(raw))
    )
    for score in plain.systems[0]:
        assert on_raw[score.name].to_dict() == score.to_dict()


@given(segmentations())
def test_a_raw_text_of_something_else_is_survived(document):
    assume(any(document))
    result = evalign.score(document, document, raw=Text("Ω Ψ"), metrics=["sentences", "tokens"])
    assert (result["sentences"].f1, result["tokens"].f1) == (1, 1)


def test_the_second_period_of_an_abbreviation_has_no_length():
    spans = [
        tuple(triple[:3])
        for triple in evalign.triples(Text("(S (NP (NNP U.S.)) (. .))", "a.mrg"), raw=Text("U.S."))
    ]
    assert spans == [
        (0, 4, "POS:NNP"), (0, 4, "TOK"), (4, 4, "POS:."), (4, 4, "TOK"), (0, 4, "S"), (0, 4, "NP"), (0, 4, "SENT"),
    ]  # fmt: skip


def test_what_stands_there_too_is_matched():
    gold = Text("(S (NP (NNP U.S.)) (. .))", "g.mrg")
    raw = Text("U.S.")
    with_period = evalign.score(gold, Text("(S (NP (NNP U.S)) (. .) (. .))", "s.mrg"), raw=raw)
    # The system's U.S is [0, 3), its first period [3, 4), its second [4, 4) as gold's.
    assert (with_period["tokens"].correct, with_period["sentences"].correct) == (1, 1)
    without = Text("(S (NP (NNP U.S.)))", "s.mrg")
    on_raw, on_line = evalign.score(gold, without, raw=raw), evalign.score(gold, without)
    assert [on_raw[metric].correct for metric in ("sentences", "tokens", "brackets")] == [1, 1, 2]
    assert [on_line[metric].correct for metric in ("sentences", "tokens", "brackets")] == [1, 0, 1]
    assert "|raw:" in on_raw.signature
    assert "|raw:" not in on_line.signature


def test_another_period_in_the_same_place_is_matched_by_place_alone():
    gold, system = [["U.S.", "."]], [["U.S.", ","]]
    for match, correct in (("default", 1), ("place", 2)):
        result = evalign.score(gold, system, raw=Text("U.S."), match=match, metrics=["tokens"])
        assert result["tokens"].correct == correct


def test_warnings_name_the_tokens_that_the_raw_text_lacks():
    result = evalign.score(
        Text("a b\nc d\n", "g.txt"), Text("a b\nc d\n", "s.txt"), raw=Text("a b c", "r.txt")
    )
    lacking = "g.txt:2: r.txt has no character of this token, so the token has no length there"
    assert result.warnings == (lacking,)
    told = evalign.triples(Text("a b\nc d\n", "g.txt"), raw=Text("a b c", "r.txt"))
    assert [triple[:3] for triple in told][-3:] == [(4, 5, "TOK"), (5, 5, "TOK"), (4, 5, "SENT")]
    assert told.warnings == (lacking,)


def test_characters_inside_tokens_that_the_raw_text_lacks_are_counted_too():
    result = evalign.score([["ab", "cd"]], [["ab", "cd"]], raw=Text("ab c", "r.txt"))
    assert result.warnings == ("r.txt: 1 of 4 characters of <tokens> are not in it",)


def test_several_raw_texts_are_not_listed_in_every_warning():
    gold, raws = Text("a b\nc d\n", "g.txt"), [Text("a b", "one.txt"), Text("c", "two.txt")]
    result = evalign.score(gold, gold, raw=raws)
    assert result.warnings == (
        "g.txt:2: no raw text has a character of this token, so the token has no length there",
    )
    gold, raws = [["ab", "c"], ["de", "fgh"]], [Text("ab c", "one.txt"), Text("de fg", "two.txt")]
    result = evalign.score(gold, gold, raw=raws)
    assert result.warnings[0] == "raw texts: 1 of 8 characters of <tokens> are in none of them"


@st.composite
def in_files(draw):
    """Sentences in several raw files; some have tokens at their end that no file has."""
    files, gold = [], []
    for _ in range(draw(st.integers(2, 4))):
        sentences = draw(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=2))
        files.append(join(sentences))
        gold += [[*sentence, *draw(st.lists(WORDS, max_size=2))] for sentence in sentences]
    return gold, files


@given(in_files())
def test_no_token_goes_to_the_next_file(drawn):
    gold, files = drawn
    document = evalign.read(gold)
    found = map_raw(document, read_raws([Text(text, f"{k}.txt") for k, text in enumerate(files)]))
    spans = found.token_spans
    owners = [
        {file for file in spans.files[first:last].tolist() if file >= 0}
        for first, last in zip(document.sentences[:-1], document.sentences[1:], strict=True)
    ]
    for sentence, files_of in enumerate(owners):
        # All that the raw text goes on with may be one sentence over two files; else it is in one.
        if len(files_of) > 1:
            tokens = range(document.sentences[sentence], document.sentences[sentence + 1])
            assert not set(tokens) & set(found.missing_tokens.tolist())
    starts, ends = found.line_places.spans
    assert (starts[1:] >= starts[:-1]).all()
    assert (ends >= starts).all()


@pytest.mark.parametrize(
    ("gold", "files", "wanted"),
    [
        # By hand: the token that no file has stands behind the one before it, though the next file begins so.
        ([["no", "ab"], ["ab", ","]], ["no", "ab ,"], [(0, 2, 0), (2, 2, 0), (0, 2, 1), (3, 4, 1)]),
        ([["the", "cat"], ["cat", "He"], ["no"]], ["the", "cat no"], [(0, 3, 0), (3, 3, 0), (0, 3, 1), (3, 3, 1), (4, 6, 1)]),
        ([["Hi", "."], [".", "x"]], ["Hi", ".x"], [(0, 2, 0), (2, 2, 0), (0, 1, 1), (1, 2, 1)]),
        # A file that begins inside a sentence.
        ([["one", "two"], ["six"]], ["one", "two six"], [(0, 3, 0), (0, 3, 1), (4, 7, 1)]),
    ],
)  # fmt: skip
def test_tokens_at_the_end_of_a_file(gold, files, wanted):
    found = map_raw(evalign.read(gold), read_raws([Text(text, f"{k}.txt") for k, text in enumerate(files)]))
    assert list(zip(*(column.tolist() for column in found.token_spans), strict=True)) == wanted


def test_document_parsing_compares_places_alone():
    gold, system = Text("(S (NP (N a)) (VP (V b)))", "g.mrg"), Text("(S (NP (N a)) (VP (V c)))", "s.mrg")
    result = evalign.score(gold, system, preset="document-parsing")
    assert "|match:place|" in result.signature
    assert result["tokens"].correct == 2
    assert evalign.score(gold, system, preset="document-parsing", match="text")["tokens"].correct == 1
    assert evalign.score(gold, system, preset="evalb-collins")["tokens"].correct == 1


def test_a_failed_parse_is_one_on_the_raw_text_too():
    gold = "(S (NP (N a)) (VP (V b)))\n(S (VP (V c)))\n(S (VP (V d)))\n"
    system = gold.replace("(S (VP (V c)))", "(())")
    found = evalign.attribute(Text(gold, "g.mrg"), Text(system, "s.mrg"), raw=Text("a b c d"))
    assert (found["failed parses"].missed, found.total.missed) == (2, 2)
    result = evalign.score(Text(gold, "g.mrg"), Text(system, "s.mrg"), raw=Text("a b x c d"))
    assert result.ledger.blocks == {"1:1": 2, "1:0": 1}


@pytest.mark.parametrize(
    ("gold", "system", "raw", "shown"),
    [
        ("U.S. .", "U.S .", "U.S.", ". (not in the raw text) -> ."),
        ("U.S .", "U.S. .", "U.S.", ". -> . (not in the raw text)"),
        ("b b .", "b", "b b", "b -> b (elsewhere in the raw text)"),
    ],
)
def test_a_token_that_only_its_place_makes_wrong_says_so(gold, system, raw, shown):
    comparison, _ = compare_documents([gold.split()], [system.split()], ScoreOptions(), Text(raw, "raw"))
    found = [str(mismatch) for mismatch in find_mismatches(comparison, "tokens")]
    assert any(line.endswith(f"rewritten: {shown}") for line in found), found
    assert all(mismatch.gold != mismatch.system for mismatch in find_mismatches(comparison, "tokens"))
