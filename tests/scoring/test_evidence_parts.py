"""Evidence of a text compared in parts equals that of the text compared as a whole."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import evalign
from evalign.results.codec import system_json
from evalign.scoring.evidence_part import gather_evidence
from evalign.scoring.evidence_sum import EvidenceLimits, EvidenceSum
from evalign.text import Text
from strategies import two_cuts, two_texts
from treebanks import broken_pairs, treebank_pairs
from trees import documents, lines, resegmented, restructured, retagged, retokenised

pytestmark = pytest.mark.once

SEVERAL = [0, 1, 3, 6, 12, 2000, None]


def read(text, format="conllu", **options):
    return evalign.read(Text(text), format=format, **options)


def find_cuts(gold, system):
    """Pairs of sentences behind which gold and system, of the same characters, can both be cut."""
    ends = [document.sentence_cuts.tolist() for document in (gold, system)]
    return [
        (k, ends[1].index(end)) for k, end in enumerate(ends[0]) if end in ends[1] and ends[0].index(end) == k
    ]


class Run:
    """A pair of texts scored in one piece, and in parts."""

    def __init__(self, pairs, format, **options):
        """`pairs` are the texts of the parts, of gold and system."""
        self.options = {"gold_format": format, "system_format": format, **options}
        whole = ["".join(side) for side in zip(*pairs, strict=True)]
        self.whole = self._score(whole)
        self.options["metrics"] = list(self.whole.systems[0].scores)
        self.parts, above = [], [0, 0]
        for pair in pairs:
            # Empty lines, so that every line has the number that it has in the whole.
            self.parts.append(self._score(["\n" * n + text for n, text in zip(above, pair, strict=True)]))
            above = [n + text.count("\n") for n, text in zip(above, pair, strict=True)]

    def _score(self, pair):
        return evalign.score(*map(Text, pair), **self.options)

    def split_by(self, *by):
        """As if it had been asked for, which a text is refused that has no such comment."""
        for result in (self.whole, *self.parts):
            [system] = result.systems
            vars(result)["systems"] = (replace(system, evidence=system.evidence._replace(by=by)),)

    @property
    def is_aligned_alike(self):
        """Whether the parts are aligned as they are in the whole."""
        found = [[], []]
        begins = np.zeros(4, int)
        for part in self.parts:
            alignment = part.systems[0].evidence.comparison.alignment
            blocks, groups = alignment.blocks, alignment.groups
            for rows, cuts, first in ((found[0], blocks, begins[:2]), (found[1], groups, begins[2:])):
                rows += zip((cuts.gold + first[0]).tolist(), (cuts.system + first[1]).tolist(), strict=True)
            begins += [blocks.gold[-1], blocks.system[-1], groups.gold[-1], groups.system[-1]]
        alignment = self.whole.systems[0].evidence.comparison.alignment
        wholes = alignment.blocks, alignment.groups
        return all(
            list(dict.fromkeys(rows)) == list(zip(cuts.gold.tolist(), cuts.system.tolist(), strict=True))
            for rows, cuts in zip(found, wholes, strict=True)
        )

    def join(self, passages, *, filled=frozenset(), hinted=True, number=lambda units: units, **limits):
        """The parts joined; `number` gives units of the whole other numbers."""
        joiner = EvidenceSum(EvidenceLimits(**limits))
        whole = self.whole.systems[0]
        offset = n_tokens = 0
        for part in self.parts:
            system = part.systems[0]
            comparison = replace(system.evidence.comparison, filled=filled)
            system = replace(system, evidence=system.evidence._replace(comparison=comparison))
            hint = joiner.hint if hinted else None
            evidence = gather_evidence(system, offset=offset, passages=passages, hint=hint)
            tokens = whole.evidence.comparison.units.tokens
            units = np.searchsorted(tokens, comparison.units.tokens + n_tokens, side="right") - 1
            joiner.add(pickle.loads(pickle.dumps(evidence)), number(units))
            offset += len(comparison.alignment.gold.original.line)
            n_tokens += comparison.gold.n_tokens
        return joiner

    def check(self, passages=2000, *, hinted=True):
        """What is joined is what the whole has, key by key in the same order."""
        whole = self.whole.systems[0]
        joiner = self.join(passages, hinted=hinted)
        if joiner.wrongly_empty:
            joiner = self.join(passages, filled=joiner.columns, hinted=hinted)
        assert not joiner.wrongly_empty
        joined = replace(whole, evidence=joiner.result())
        assert shown(joined, passages) == shown(whole, passages)
        return joined


def shown(system, passages=2000):
    saved = system_json(system, whole=True, passages=passages)
    return {key: json.dumps(value, ensure_ascii=False, indent=1) for key, value in saved.items()}


def cut(draw, gold, system, cuts):
    """The sentences of both sides as texts of parts, cut in some of the places where both can be."""
    bounds = sorted({(0, 0), *(at for at in cuts if draw(st.booleans())), (len(gold), len(system))})
    parts = [("".join(gold[a:b]), "".join(system[c:d])) for (a, c), (b, d) in pairwise(bounds)]
    return parts or [("", "")]


def conllu(text):
    return [f"{sentence}\n\n" for sentence in text.split("\n\n") if sentence]


def plain(sentences):
    return [" ".join(sentence) + "\n" for sentence in sentences]


COMMENTS = [
    "",
    "",
    "# newdoc id = a\n",
    "# genre = x\n",
    "# meta::genre = y\n",
    "# speaker = A\n",
    "# speaker =\n",
]


@st.composite
def commented(draw, sentences):
    return [
        "".join(draw(st.lists(st.sampled_from(COMMENTS), max_size=2))) + sentence for sentence in sentences
    ]


@pytest.mark.slow
@given(st.data())
def test_parts_of_treebanks_join_to_the_whole(data):
    pair = data.draw(st.one_of(treebank_pairs(16), broken_pairs(16)))
    gold, system = conllu(pair.gold), conllu(pair.system)
    cuts = find_cuts(read(pair.gold), read(pair.system))
    gold = data.draw(commented(gold))
    by = data.draw(st.sampled_from([(), ("speaker",), ("genre", "length", "speaker")]))
    average = data.draw(st.sampled_from(["micro", "micro", "sentence"]))
    run = Run(cut(data.draw, gold, system, cuts), "conllu", average=average)
    run.split_by(*by)
    run.check(data.draw(st.sampled_from(SEVERAL)), hinted=data.draw(st.booleans()))


@given(two_cuts(48), st.data())
def test_parts_of_plain_text_join_to_the_whole(pair, data):
    gold, system = plain(pair.gold), plain(pair.system)
    cuts = find_cuts(read("".join(gold), "plain"), read("".join(system), "plain"))
    run = Run(
        cut(data.draw, gold, system, cuts),
        "plain",
        match=data.draw(st.sampled_from(["default", "text", "place"])),
    )
    run.check(data.draw(st.sampled_from(SEVERAL)))


# Texts that differ are cut in the middle of equal text.
MARGIN = [["yes", ",", "yes"], ["no", "."]]


@given(st.lists(two_texts(), min_size=1, max_size=3), st.sampled_from(SEVERAL))
def test_parts_of_texts_that_differ_join_to_the_whole(pairs, passages):
    texts = [["".join(plain(MARGIN + side + MARGIN)) for side in (pair.gold, pair.system)] for pair in pairs]
    run = Run(texts, "plain")
    assume(run.is_aligned_alike)
    run.check(passages)


@given(st.data())
def test_parts_of_trees_join_to_the_whole(data):
    gold = data.draw(documents())
    system = [data.draw(restructured(tree)) for tree in data.draw(resegmented(gold))]
    system = [data.draw(retagged(data.draw(retokenised(tree)))) for tree in system]
    texts = [lines([tree]) for tree in gold], [lines([tree]) for tree in system]
    cuts = find_cuts(*(read(lines(side), "trees") for side in (gold, system)))
    run = Run(cut(data.draw, *texts, cuts), "trees")
    run.check(data.draw(st.sampled_from(SEVERAL)))


def make_words(rows, upos="X", head="0", comments=()):
    """Sentences of CoNLL-U, one for each list of (form, lemma, xpos)."""
    above = comments or [""] * len(rows)
    return [
        comment
        + "".join(
            f"{k}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t{head}\troot\t_\t_\n"
            for k, (form, lemma, xpos) in enumerate(words, 1)
        )
        + "\n"
        for comment, words in zip(above, rows, strict=True)
    ]


def pair_up(gold, system, size):
    """Sentences of both sides as parts of so many each."""
    return [("".join(gold[k : k + size]), "".join(system[k : k + size])) for k in range(0, len(gold), size)]


def test_an_error_has_the_words_of_parts_before_and_behind():
    gold = make_words([[(f"w{k}", "a", "N")] for k in range(20)])
    system = make_words([[(f"w{k}", "b" if k == 10 else "a", "N")] for k in range(20)])
    [error] = Run(pair_up(gold, system, 1), "conllu").check().errors("lemmas")
    assert error.before == "w4 w5 w6 w7 w8 w9"
    assert error.after == "w11 w12 w13 w14 w15 w16"
    # Characters of w0 to w9.
    assert (error.start, error.gold_place.lineno) == (20, 21)


def test_a_part_is_told_of_columns_that_it_has_nothing_in():
    gold = make_words([[("a", "a", "_")], [("b", "b", "N")]])
    system = make_words([[("a", "a", "V")], [("b", "b", "N")]])
    run = Run(pair_up(gold, system, 1), "conllu")
    joiner = run.join(2000)
    assert joiner.wrongly_empty == {"xpos"}
    assert "xpos" in joiner.columns
    assert run.check().evidence.kinds("xpos") == {"confused": 1}


def test_a_part_without_words_of_one_side_is_no_mistake():
    """It lacks nothing, and knows nothing of what the text has not."""
    gold = make_words([[("abc", "a", "N")], [("def", "b", "N")]])
    system = ["", make_words([[("def", "b", "_")]], upos="_", head="_")[0]]
    run = Run(list(zip(gold, system, strict=True)), "conllu")
    first = gather_evidence(run.parts[0].systems[0], offset=0, passages=2000)
    assert {"uas", "las"} <= first.cells.keys()
    assert first.charges is not None
    [passage] = first.passages.candidates
    assert {"gold_heads", "gold_tags"} <= passage["tree"].keys()
    joined = run.check()
    assert {"xpos", "relation"}.isdisjoint(joined.evidence.breakdown_kinds())
    assert "tree" not in joined.evidence.passages([])["list"][0]


# What stands above each of four sentences, of which two make a part, and by which comments they are grouped then.
@pytest.mark.parametrize(
    ("comments", "kept"),
    [
        (["# x = 1\n", "", "# x = 2\n", ""], ["x"]),
        (["# newdoc\n# x = 1\n", "", "# newdoc\n# x = 2\n", ""], []),
        (["# newdoc\n# x = 1\n", "# x = 3\n", "# newdoc\n# x = 2\n", ""], ["x"]),
        # Above the first sentence of a part, in the middle of a document.
        (["# newdoc\n# x = 1\n", "", "# x = 2\n", ""], ["x"]),
        # Above the first sentence of the text, where a document begins in any case.
        (["# x = 1\n", "", "# newdoc\n# x = 2\n", ""], []),
        (["# x = 1\n", "", "", "# newdoc\n# x = 2\n"], []),
        (["", "", "# meta::x = 2\n", ""], ["meta::x"]),
        (["# meta::x = 2\n", "", "", "# x =\n"], ["x"]),
        (["# newdoc\n# x = 1\n", "", "", "# meta::x = 2\n"], ["meta::x"]),
    ],
)
def test_comments_of_sentences_are_told_from_those_of_documents(comments, kept):
    words = make_words([[("a", "a", "N")]] * 4, comments=comments)
    run = Run(pair_up(words, words, 2), "conllu")
    run.split_by("x")
    assert list(run.check().evidence.grouped_kept()) == ["length", *kept]


def test_units_are_merged_on_the_way_or_in_the_end():
    gold = make_words([[(f"w{k}", "a", "N")] * (1 + k % 7) for k in range(12)])
    system = make_words([[(f"w{k}", "b", "N")] * (1 + k % 7) for k in range(12)])
    run = Run(pair_up(gold, system, 5), "conllu")
    evidence = run.whole.systems[0].evidence
    comparison = evidence.comparison
    merged = replace(comparison.units, tokens=comparison.units.tokens[::2])
    whole = replace(
        run.whole.systems[0], evidence=evidence._replace(comparison=comparison.with_units(merged))
    )
    last = run.join(2000).result(np.arange(12) // 2)
    first = run.join(2000)
    first.merge_units(2)
    for joined in (last, first.result()):
        assert shown(replace(whole, evidence=joined)) == shown(whole)


def test_labels_are_not_counted_by_unit_where_there_are_too_many_of_them():
    gold = make_words([[("a", "a", "N")], [("a", "b", "N")], [("a", "c", "V")]])
    system = make_words([[("a", "a", "N")], [("a", "b", "V")], [("a", "c", "V")]])
    run = Run(pair_up(gold, system, 1), "conllu")
    joiner = run.join(2000, number=lambda units: units * 5000)
    assert not joiner.hint.by_unit
    joined, whole = joiner.result(), run.whole.systems[0].evidence
    assert joined.breakdown_kinds() == whole.breakdown_kinds()
    for kind in joined.breakdown_kinds():
        assert joined.breakdown(kind) == whole.breakdown(kind), kind
        with pytest.raises(evalign.EvalignError, match="not kept unit by unit"):
            joined.breakdown_units(kind)
    assert joined.grouped("length").units.tolist() == [0, 5000, 10000]


def test_of_very_many_confusions_those_are_told_apart_that_come_first():
    rows = [*range(8), 0, 7, 0]
    gold = make_words([[("a", f"g{k}", "N")] for k in rows])
    system = make_words([[("a", f"s{k}", "N")] for k in rows])
    joined = Run(pair_up(gold, system, 4), "conllu", metrics=["lemmas"]).join(2000, cells=5).result()
    found = joined.groups("lemmas", 0)
    assert [group.gold for group in found] == [("g0",), ("g1",), ("g2",), ("g3",), ("g4",)]
    assert (found[0].count, found[0].gold_words) == (3, 3)
    assert joined.kinds("lemmas") == {"confused": len(rows)}


def test_a_confusion_of_a_label_that_comes_after_very_many_is_left_out():
    gold = make_words([[("a", f"g{k}", "N")] for k in (0, 1, 2, 3, 2, 3)])
    system = make_words([[("a", f"s{k}", "N")] for k in (0, 1, 2, 3, 2, 3)])
    joined = Run(pair_up(gold, system, 2), "conllu", metrics=["lemmas"]).join(2000, labels=3).result()
    assert [(group.gold, group.count, group.gold_words) for group in joined.groups("lemmas", 0)] == [
        (("g2",), 2, 2),
        (("g0",), 1, 1),
        (("g1",), 1, 1),
    ]
    assert joined.kinds("lemmas") == {"confused": 6}


def test_there_are_no_frequencies_where_there_are_too_many_forms():
    words = make_words([[(f"w{k}", "a", "N")] for k in (0, 1, 0, 2, 3)])
    run = Run(pair_up(words, words, 2), "conllu")
    joined = run.join(2000, form_rows=4).result()
    assert joined.breakdown("frequency") == run.whole.breakdown("frequency")
    assert "frequency" not in joined.tables.breakdowns
    assert "tag" in joined.tables.breakdowns
    assert "frequency" not in run.join(2000, form_rows=4, forms=3).result().breakdown_kinds()


def test_of_very_many_errors_marks_say_how_many_there_are_in_slots():
    """Those of parts with fewer of them as well."""
    for sizes, width in (((25, 5), 4), ((25, 5, 20), 8)):
        run = Run([("a a\n" * size, "aa\n" * size) for size in sizes], "plain", metrics=["tokens"])
        found = run.join(10, marks=20).result().marks(["tokens"])["tokens"]["merge"]
        length = 2 * sum(sizes)
        whole = [[place, width // 2] for place in range(0, length - width + 1, width)]
        assert found == [
            *whole,
            *([[length - length % width, length % width // 2]] if length % width else []),
        ]


def test_errors_of_words_are_kept_of_parts_without_multiword_tokens_if_others_have_some():
    """Where no part has, they are those of tokens, and nobody wants them twice."""
    plain = make_words([[("ab", "a", "N"), ("c", "c", "N")]])[0]
    split = make_words([[("a", "a", "N"), ("b", "b", "N"), ("c", "c", "N")]])[0]
    multiword = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n" + make_words([[("de", "de", "P"), ("le", "le", "D")]])[0]
    for second, expected in ((multiword, {"tokens", "words"}), (plain, {"tokens"})):
        joined = Run([(plain, split), (second, second)], "conllu").check()
        [passage] = joined.evidence.passages([])["list"]
        assert {error["metric"] for error in passage["errors"]} == expected
        assert ("words" in joined.evidence.marks([*joined.scores])) == ("words" in expected)


def test_passages_of_small_parts_are_thinned_as_those_of_large_ones():
    run = Run([("a a\n" * size, "aa\n" * size) for size in (50, 5, 3)], "plain", metrics=["tokens"])
    for hinted in (False, True):
        joined = run.check(10, hinted=hinted)
        found = joined.evidence.passages([])["list"]
        assert [passage["start"] for passage in found] == [*range(0, 116, 16)]


def test_passages_need_not_be_written_that_would_not_be_kept():
    run = Run([("a a\n" * 50, "aa\n" * 50)] * 3, "plain", metrics=["tokens"])
    joiner = run.join(10)
    assert joiner.hint.width == 32
    assert joiner.hint.complete == frozenset()
    part = gather_evidence(run.parts[0].systems[0], offset=0, passages=10, hint=joiner.hint)
    assert [passage["start"] for passage in part.passages.candidates] == [0, 32, 64, 96]
    run.check(10)


def test_no_more_errors_are_looked_for_than_are_kept():
    run = Run([("a a\n" * 150, "aa\n" * 150)] * 3, "plain", metrics=["tokens"])
    joiner = run.join(10)
    assert joiner.hint.complete == {"tokens"}
    part = gather_evidence(run.parts[0].systems[0], offset=0, passages=10, hint=joiner.hint)
    assert part.errors["tokens"].first == []
    assert run.check(10).evidence.kinds("tokens") == {"merge": 450}


def test_evidence_is_gathered_from_a_fresh_result(tmp_path):
    evalign.score([["a"]], [["a"]]).save(tmp_path / "run.json")
    [system] = evalign.Result.load(tmp_path / "run.json").systems
    with pytest.raises(TypeError, match="fresh"):
        gather_evidence(system, offset=0, passages=None)


def test_what_is_joined_is_saved_and_comes_back(tmp_path):
    gold, system = "a b .\nc .\n", "ab .\nc .\n"
    run = Run([(gold, system)] * 4, "plain")
    joined = run.check()
    replace(run.whole, systems=(joined,)).save(tmp_path / "joined.json")
    run.whole.save(tmp_path / "whole.json")
    assert (tmp_path / "joined.json").read_text() == (tmp_path / "whole.json").read_text()
    again = evalign.Result.load(tmp_path / "joined.json")
    assert again.split("length")["1-5"]["tokens"].counts == run.whole.split("length")["1-5"]["tokens"].counts
