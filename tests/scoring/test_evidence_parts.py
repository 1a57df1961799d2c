"""Evidence of a text that is scored sentence by sentence equals that of the whole; what is kept is limited."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign import Text
from evalign.scoring import evidence_sum
from evalign.scoring.evidence_part import gather_evidence
from evalign.scoring.evidence_sum import EvidenceLimits, EvidenceSum
from sameresult import assert_same
from strategies import two_cuts
from treebanks import broken_pairs, treebank_pairs

pytestmark = pytest.mark.once

SEVERAL = [0, 1, 3, 6, 12, 60, 2000, None]


def score_parts(gold, system, format="conllu", **options):
    """The evidence from parts of one sentence, where a sentence ends on both sides; all is as in the whole."""
    texts = Text(gold, "gold"), Text(system, "system")
    options = {"gold_format": format, "system_format": format, **options}
    parts = evalign.score(*texts, stream=1, **options)
    assert_same(parts, evalign.score(*texts, **options), options.get("passages", 300))
    return parts.systems[0].evidence


COMMENTS = [
    "",
    "",
    "# newdoc id = a\n",
    "# genre = x\n",
    "# meta::genre = y\n",
    "# speaker = A\n",
    "# speaker =\n",
]


@pytest.mark.slow
@given(st.data())
def test_parts_of_treebanks_join_to_the_whole(data):
    pair = data.draw(st.one_of(treebank_pairs(16), broken_pairs(16)))
    comments = st.lists(st.sampled_from(COMMENTS), max_size=2).map("".join)
    gold = "".join(f"{data.draw(comments)}{each}\n\n" for each in pair.gold.split("\n\n") if each)
    whole = evalign.score(Text(gold), Text(pair.system), gold_format="conllu", system_format="conllu")
    fields = {*whole.unit_fields, *whole.systems[0].evidence.grouped_fields(), "length"}
    by = [name for name in ("genre", "length", "speaker") if fields & {name, f"meta::{name}"}]
    by = data.draw(st.sampled_from([(), by]))
    score_parts(gold, pair.system, by=by, passages=data.draw(st.sampled_from(SEVERAL)))


@given(two_cuts(48), st.sampled_from(["default", "text", "place"]), st.sampled_from(SEVERAL))
def test_parts_of_plain_text_join_to_the_whole(pair, match, passages):
    gold, system = ("".join(" ".join(each) + "\n" for each in side) for side in (pair.gold, pair.system))
    score_parts(gold, system, "plain", match=match, passages=passages)


def make_words(rows, upos="X", head="0", comments=()):
    """Sentences of CoNLL-U, one for each list of (form, lemma, xpos)."""
    above = comments or [""] * len(rows)
    return "".join(
        comment
        + "".join(
            f"{k}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t{head}\troot\t_\t_\n"
            for k, (form, lemma, xpos) in enumerate(words, 1)
        )
        + "\n"
        for comment, words in zip(above, rows, strict=True)
    )


def make_lemmas(side, numbers):
    """Sentences of one word, whose lemma is the name of the side and a number."""
    return make_words([[("a", f"{side}{k}", "N")] for k in numbers])


@pytest.fixture
def limited(monkeypatch):
    """Score in parts, with limits; the whole has others."""

    def score(gold, system, format="conllu", *, metrics=(), **limits):
        monkeypatch.setattr(EvidenceSum.__init__, "__defaults__", (EvidenceLimits(**limits),))
        texts = Text(gold), Text(system)
        formats = {"gold_format": format, "system_format": format}
        return evalign.score(*texts, stream=1, metrics=metrics, **formats).systems[0].evidence

    return score


def test_an_error_has_its_place_in_the_whole_and_the_words_of_its_part():
    gold = make_words([[(f"w{k}{c}", "a", "N") for c in "abc"] for k in range(20)])
    [error] = score_parts(gold, gold.replace("w10b\ta", "w10b\tb")).mismatches("lemmas")
    assert (error.before, error.after) == ("w10a", "w10c")
    # Three words of three characters in ten sentences, and one of four.
    assert (error.start, error.gold_place.lineno) == (94, 42)


def test_a_part_is_told_of_columns_that_it_has_nothing_in():
    gold = make_words([[("a", "a", "_")], [("b", "b", "N")]])
    system = make_words([[("a", "a", "V")], [("b", "b", "N")]])
    assert score_parts(gold, system).kinds("xpos") == {"confused": 1}


def test_a_part_without_words_of_one_side_is_no_mistake():
    """It lacks nothing, and knows nothing of what the text has not."""
    total = EvidenceSum()
    for number, (form, system) in enumerate([("abc", ""), ("def", "1\tdef" + "\t_" * 8 + "\n\n")]):
        gold = make_words([[(form, "a", "N")]])
        result = evalign.score(Text(gold), Text(system), gold_format="conllu", system_format="conllu")
        live = result.systems[0].evidence
        part = gather_evidence(live.comparison, live.metrics, offset=3 * number, passages=None)
        if not system:
            assert {"uas", "las"} <= {thing.of for thing in part.counts if thing.what == "cells"}
            assert part.charges is not None
            assert {"gold_heads", "gold_tags"} <= part.passages.passages[0]["tree"].keys()
        total.add(part, np.array([number]))
    assert not total.wrongly_empty
    joined = total.result()
    assert joined.breakdown_kinds() == ["feature", "feature-value", "frequency"]
    assert joined.losses() is None
    assert "tree" not in joined.passages([])["list"][0]


# What stands above each of four sentences, and by which comments they are grouped then.
@pytest.mark.parametrize(
    ("comments", "kept"),
    [
        (["# x = 1\n", "", "# x = 2\n", ""], ["x"]),
        (["# newdoc\n# x = 1\n", "", "# newdoc\n# x = 2\n", ""], []),
        (["# newdoc\n# x = 1\n", "# x = 3\n", "# newdoc\n# x = 2\n", ""], ["x"]),
        # Above the first sentence of a part, in the middle of a document.
        (["# newdoc\n# x = 1\n", "", "# x = 2\n", ""], ["x"]),
        (["", "", "# meta::x = 2\n", ""], ["meta::x"]),
        (["# meta::x = 2\n", "", "", "# x =\n"], ["x"]),
        (["# newdoc\n# x = 1\n", "", "", "# meta::x = 2\n"], ["meta::x"]),
    ],
)
def test_comments_of_sentences_are_told_from_those_of_documents(comments, kept):
    words = make_words([[("a", "a", "N")]] * 4, comments=comments)
    assert list(score_parts(words, words, by=["x"]).grouped_kept()) == ["length", *kept]


def test_a_comment_above_the_first_sentence_is_of_a_document_if_others_begin_later():
    words = make_words([[("a", "a", "N")]] * 3, comments=["# x = 1\n", "", "# newdoc\n# x = 2\n"])
    assert score_parts(words, words).grouped_fields() == []
    for stream in (False, 1):
        with pytest.raises(evalign.EvalignError, match="no comment of this name"):
            evalign.score(Text(words), Text(words), by=["x"], stream=stream)


def test_labels_are_not_counted_by_unit_where_there_are_too_many_of_them(monkeypatch):
    gold = make_words([[("a", "a", "N")], [("a", "b", "N")], [("a", "c", "V")]])
    system = make_words([[("a", "a", "N")], [("a", "b", "V")], [("a", "c", "V")]])
    whole = score_parts(gold, system)
    monkeypatch.setattr(evidence_sum, "MOST_LABELLED_UNITS", 2)
    joined = evalign.score(Text(gold), Text(system), stream=1).systems[0].evidence
    assert joined.breakdown_kinds() == whole.breakdown_kinds()
    for kind in joined.breakdown_kinds():
        assert joined.breakdown(kind) == whole.breakdown(kind), kind
        with pytest.raises(evalign.EvalignError, match="not kept unit by unit"):
            joined.breakdown_units(kind)
    assert joined.grouped("length").units.tolist() == [0, 1, 2]


def test_of_very_many_confusions_those_are_told_apart_that_come_first(limited):
    numbers = [*range(8), 0, 7, 0]
    joined = limited(make_lemmas("g", numbers), make_lemmas("s", numbers), metrics=["lemmas"], cells=5)
    groups = joined.groups("lemmas", 0)
    assert [group.gold for group in groups] == [("g0",), ("g1",), ("g2",), ("g3",), ("g4",)]
    assert (groups[0].count, groups[0].gold_words) == (3, 3)
    assert joined.kinds("lemmas") == {"confused": len(numbers)}


def test_a_confusion_of_a_label_that_comes_after_very_many_is_left_out(limited):
    numbers = [0, 1, 2, 3, 2, 3]
    joined = limited(make_lemmas("g", numbers), make_lemmas("s", numbers), metrics=["lemmas"], labels=3)
    assert [(group.gold, group.count, group.gold_words) for group in joined.groups("lemmas", 0)] == [
        (("g2",), 2, 2),
        (("g0",), 1, 1),
        (("g1",), 1, 1),
    ]
    assert joined.kinds("lemmas") == {"confused": 6}


def test_there_are_no_frequencies_where_there_are_too_many_forms(limited):
    words = make_words([[(f"w{k}", "a", "N")] for k in (0, 1, 0, 2, 3)])
    whole, joined = score_parts(words, words), limited(words, words, form_rows=4)
    assert joined.breakdown("frequency") == whole.breakdown("frequency")
    assert "frequency" not in joined.tables.breakdowns
    assert "tag" in joined.tables.breakdowns
    assert "frequency" not in limited(words, words, form_rows=4, forms=3).breakdown_kinds()


@pytest.mark.parametrize(("size", "width"), [(30, 4), (50, 8)])
def test_of_very_many_errors_marks_say_how_many_there_are_in_slots(size, width, limited):
    joined = limited("a a\n" * size, "aa\n" * size, "plain", marks=20)
    length = 2 * size
    expected = [[place, width // 2] for place in range(0, length - width + 1, width)]
    if length % width:
        expected.append([length - length % width, length % width // 2])
    assert joined.marks(["tokens"])["tokens"]["merge"] == expected


def test_errors_of_words_are_kept_of_parts_without_multiword_tokens_if_others_have_some():
    """Where no part has, they are those of tokens, and nobody wants them twice."""
    plain = make_words([[("ab", "a", "N"), ("c", "c", "N")]])
    split = make_words([[("a", "a", "N"), ("b", "b", "N"), ("c", "c", "N")]])
    multiword = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n" + make_words([[("de", "de", "P"), ("le", "le", "D")]])
    for second, expected in ((multiword, {"tokens", "words"}), (plain, {"tokens"})):
        joined = score_parts(plain + second, split + second)
        [passage] = joined.passages([])["list"]
        assert {error["metric"] for error in passage["errors"]} == expected
        assert ("words" in joined.marks(["tokens", "words"])) == ("words" in expected)


def test_passages_of_small_parts_are_thinned_as_those_of_large_ones():
    joined = score_parts("a a\n" * 58, "aa\n" * 58, "plain", passages=10)
    assert [passage["start"] for passage in joined.passages([])["list"]] == [*range(0, 116, 16)]


def test_what_is_joined_is_saved_and_comes_back(tmp_path):
    texts = Text("a b .\nc .\n" * 4), Text("ab .\nc .\n" * 4)
    evalign.score(*texts, stream=1).save(tmp_path / "joined.json")
    again, whole = evalign.Result.load(tmp_path / "joined.json"), evalign.score(*texts)
    assert again.split("length")["1-5"]["tokens"].counts == whole.split("length")["1-5"]["tokens"].counts
