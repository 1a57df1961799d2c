"""Warnings about columns: gold that has fewer than its systems may have been mistaken for one of them."""

import pytest

import evalign
from runs import EN

pytestmark = [pytest.mark.issue(15), pytest.mark.once]

PLAIN = evalign.Text("A b c\nD e\n", "plain.txt")
PARSED = evalign.Text(EN, "parsed.conllu")
BARE = evalign.Text(
    "".join(f"{k}\t{form}" + "\t_" * 8 + "\n" for k, form in enumerate("Abc", 1)) + "\n", "bare.conllu"
)
TAGGED = evalign.Text("1\tAbc\t_\tNOUN" + "\t_" * 6 + "\n\n", "tagged.conllu")
TREES = evalign.Text("(S (N A) (N b) (V c))\n(S (N D) (V e))\n", "trees.mrg")
NOTHING = evalign.Text("", "nothing.txt")


def ask(result):
    """The warnings that ask whether files are swapped."""
    return [warning for warning in result.warnings if "swapped" in warning]


@pytest.mark.parametrize(
    "how", [{}, {"stream": True}, {"metrics": ["default", "pk"], "stream": False}], ids=str
)
@pytest.mark.parametrize(
    ("gold", "systems", "told"),
    [
        (PLAIN, [PARSED], "plain.txt: taken as gold, and has no annotation; parsed.conllu has UPOS, LEMMA, HEAD and DEPREL"),
        (PLAIN, [TREES], "plain.txt: taken as gold, and has no annotation; trees.mrg has a tree"),
        (BARE, [PARSED, TREES], "bare.conllu: taken as gold, and has no annotation; parsed.conllu has UPOS, LEMMA, HEAD and DEPREL"),
        (PLAIN, [PLAIN, TAGGED], "plain.txt: taken as gold, and has no annotation; tagged.conllu has UPOS"),
        (BARE, [TAGGED], "bare.conllu: taken as gold, and has no annotation; tagged.conllu has UPOS"),
    ],
)  # fmt: skip
def test_gold_without_annotation_is_asked_about(gold, systems, told, how):
    assert ask(evalign.score(gold, *systems, **how)) == [f"{told} (are they swapped? gold comes first)"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("gold", "systems"),
    [
        (PARSED, [PLAIN]),
        (PARSED, [PARSED]),
        (TAGGED, [PARSED]),
        (TREES, [PLAIN]),
        (TREES, [PARSED]),
        (PLAIN, [PLAIN]),
        (PLAIN, [BARE]),
        (PLAIN, [PLAIN, NOTHING]),
        (PLAIN, [NOTHING]),
    ],
)
def test_gold_that_has_as_much_is_not(gold, systems, stream):
    assert not ask(evalign.score(gold, *systems, stream=stream))


@pytest.mark.parametrize(
    ("metrics", "asks"),
    [
        (["tokens"], False),
        (["sentences", "words", "pk"], False),
        (["all"], True),
        (["default"], True),
        (["tokens", "las"], True),
        (["upos"], True),
    ],
)
def test_who_names_metrics_of_segmentation_has_plain_gold_on_purpose(metrics, asks):
    assert bool(ask(evalign.score(PLAIN, PARSED, metrics=metrics))) == asks


def test_raw_text_scorers_and_folders(tmp_path):
    assert not ask(evalign.score(PLAIN, PARSED, raw=evalign.Text("A b c D e\n", "raw.txt")))
    scorer = evalign.Scorer()
    scorer.update(PLAIN, PARSED)
    assert ask(scorer.result())
    for name, text in (("gold/one.txt", PLAIN.text), ("system/one.conllu", PARSED.text)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert ask(evalign.score_collection(tmp_path / "gold", tmp_path / "system")["one"])
