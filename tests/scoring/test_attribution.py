"""Losses by stage: that they add up, mixed runs, and what is refused."""

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError
from evalign.metrics.counts import Counts
from evalign.reports.attribution import render_attribution
from evalign.scoring.attribution import make_attribution_runs

GOLD = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ runs))))\n(TOP (S (VP (VB go))))\n"
ONE = "(TOP (S (NP (NN thedog)) (XP (VBZ runs) (S (VP (VB go))))))\n"
TWO = "(TOP (S (XP (NN thedog)) (XP (VBZ runs))))\n(TOP (S (VP (VB go))))\n"
THREE = GOLD.replace("VP (VBZ", "XP (NNS")
FOUR = GOLD.replace("VP (VBZ", "XP (VBZ")


def text(trees, name):
    return evalign.Text(trees, name)


def attribute(system, **runs):
    runs = {name: text(trees, f"{name}.mrg") for name, trees in runs.items()}
    return evalign.attribute(text(GOLD, "gold.mrg"), text(system, "system.mrg"), **runs)


def test_one_output():
    """By hand: brackets of gold S NP VP S VP, of the system S NP XP S VP; the last two and NP are in place."""
    found = attribute(ONE)
    assert (found.items, found.metric, found.counts) == ("brackets", "brackets", Counts(3, 5, 5))
    assert [(row.stage, row.missed, row.spurious, row.points) for row in found.rows] == [
        ("failed parses", 0, 0, 0),
        ("sentences", 2, 2, 40),
        ("tokens", 0, 0, 0),
        ("tags", 0, 0, 0),
        ("structure", 0, 0, 0),
    ]
    assert found.total == ("total", 2, 2, 40)
    assert found["sentences"].points == 40
    assert found.f1 == 0.6
    assert len(found.runs) == 1


def test_mixed_runs_are_differences_between_neighbours():
    """By hand: F1 60, 60, 80, 80; nothing is left to tags, as the third is wrong in the same bracket."""
    found = attribute(ONE, gold_sentences=TWO, gold_tokens=THREE, gold_tags=FOUR)
    assert [run.counts.f1 for run in found.runs] == [0.6, 0.6, 0.8, 0.8]
    assert [run.stages for run in found.runs] == [("sentences",), ("tokens",), ("tags",), ("structure",)]
    assert [run.points for run in found.runs] == pytest.approx([0, 20, 0, 20])
    assert [run.input for run in found.runs] == ["automatic", "gold sentences", "gold tokens", "gold tags"]


CLAIMS = [
    # run, trees, what is said of them
    ("gold_sentences", ONE, "1 of 1 sentences are not gold's, though this is given as the output for gold sentences"),
    ("gold_sentences", TWO, ""),
    ("gold_tokens", TWO, "1 of 3 tokens are not gold's, though this is given as the output for gold tokens"),
    ("gold_tokens", THREE, ""),
    ("gold_tags", ONE, "1 of 1 sentences and 1 of 3 tokens and 1 of 3 tags are not gold's, though"),
    ("gold_tags", THREE, "1 of 4 tags are not gold's, though this is given as the output for gold tags"),
    ("gold_tags", FOUR, ""),
    ("gold_tags", FOUR.splitlines()[0] + "\n(())\n", ""),  # a failed parse says nothing of the input
]  # fmt: skip


@pytest.mark.parametrize(("run", "trees", "said"), CLAIMS)
def test_a_run_without_the_gold_input_it_is_said_to_have_is_warned_of(run, trees, said):
    told = [warning for warning in attribute(GOLD, **{run: trees}).warnings if "are not gold's" in warning]
    assert len(told) == bool(said)
    assert all(warning.startswith(f"{run}.mrg: {said}") for warning in told)


def test_runs_of_dependencies_are_looked_at_too():
    row = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    other = text(row.replace("VERB", "NOUN"), "c")
    found = evalign.attribute(text(row, "a"), text(row, "b"), gold_tags=other)
    assert "c: 1 of 1 tags are not gold's" in found.warnings[-1]


def test_each_run_has_its_signature():
    found = attribute(GOLD, gold_tokens=GOLD.replace("dog", "cow"))
    assert found.signature == found.runs[0].signature != found.runs[1].signature
    shown = render_attribution(found).splitlines()
    assert shown[-2].startswith("signature  evalign:")
    assert "|charged-by:sentences+tokens+xpos|hash:" in shown[-2]
    assert shown[-1] == "           gold tokens: lines:differ"
    assert len(render_attribution(attribute(GOLD, gold_tags=FOUR)).split("evalign:")) == 2
    assert [run["signature"] for run in found.to_dict()["runs"]] == [run.signature for run in found.runs]


def test_a_table_of_spans_is_refused_by_name():
    table = evalign.Text("0\t3\tperson\n", "s.tsv")
    for pair in ((table, text(GOLD, "a")), (text(GOLD, "a"), table)):
        with pytest.raises(CommandError, match=r"s\.tsv is a stand-off table\n  expected trees in all files"):
            evalign.attribute(*pair, raw=evalign.Text("Ada", "raw"))


@pytest.mark.parametrize(
    ("runs", "stages"),
    [
        ({"gold_sentences": TWO}, [("sentences",), ("tokens", "tags", "structure")]),
        ({"gold_tokens": THREE}, [("sentences", "tokens"), ("tags", "structure")]),
        ({"gold_tags": FOUR}, [("sentences", "tokens", "tags"), ("structure",)]),
        ({"gold_sentences": TWO, "gold_tags": FOUR}, [("sentences",), ("tokens", "tags"), ("structure",)]),
    ],
)
def test_stages_come_together_where_a_run_is_missing(runs, stages):
    found = attribute(ONE, **runs)
    assert [run.stages for run in found.runs] == stages
    assert sum(run.points for run in found.runs) == pytest.approx(found.total.points)


def test_a_gain_is_a_loss_below_nothing():
    assert [run.points for run in attribute(GOLD, gold_tokens=FOUR).runs] == pytest.approx([-20, 20])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=4),
       st.sets(st.integers(1, 3)))  # fmt: skip
def test_runs_add_up_to_what_is_missing_from_100(rows, chosen):
    counts = [Counts(min(row), row[0] + 1, row[1] + 1) for row in rows]
    runs = make_attribution_runs({k: (str(k), counts[k]) for k in (0, *sorted(chosen))})
    assert sum(run.points for run in runs) == pytest.approx(100 * (1 - counts[0].f1))
    assert [stage for run in runs for stage in run.stages] == ["sentences", "tokens", "tags", "structure"]


def test_nothing_has_no_points():
    words = "(TOP (NN a))\n"
    found = evalign.attribute(text(words, "a.mrg"), text(words, "b.mrg"), gold_tags=text(words, "c.mrg"))
    assert (found.f1, found.total.points, [run.points for run in found.runs]) == (None, None, [None, None])


def test_the_signature_says_what_moves_the_numbers():
    found = evalign.attribute(text(GOLD, "gold.mrg"), text(ONE, "system.mrg"), preset="document-parsing")
    assert "preset:document-parsing" in found.signature
    assert found.signature.endswith("charged-by:sentences+tokens+xpos")


def test_dependencies():
    row = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    found = evalign.attribute(text(row, "a"), text(row.replace("root", "dep"), "b"))
    assert (found.items, found.metric, found["structure"].missed) == ("dependencies", "las", 1)
    assert found.total.points == 100


def test_what_has_nothing_to_charge():
    plain = [["the", "dog"]]
    with pytest.raises(CommandError, match="has no brackets or dependencies"):
        evalign.attribute(plain, plain)
    with pytest.raises(CommandError, match=r"system\.mrg has no dependencies|gold\.mrg has no dependencies"):
        evalign.attribute(text(GOLD, "gold.mrg"), text(ONE, "system.mrg"), items="dependencies")
    row = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(CommandError, match=r"gold\.mrg has brackets and b has dependencies"):
        evalign.attribute(text(GOLD, "gold.mrg"), text(row, "b"))
    with pytest.raises(CommandError, match='unknown value "arcs" for items'):
        evalign.attribute(text(GOLD, "gold.mrg"), text(ONE, "system.mrg"), items="arcs")
    with pytest.raises(CommandError, match='unknown stage "words"'):
        attribute(ONE)["words"]


def test_json_says_all_of_it():
    found = attribute(ONE, gold_tokens=THREE).to_dict()
    assert found["stages"]["sentences"] == {"missed": 2, "spurious": 2, "points": 40}
    assert found["total"]["points"] == 40
    assert [run["stages"] for run in found["runs"]] == [["sentences", "tokens"], ["tags", "structure"]]
    assert found["unanalysed"] == {"sentences": 0, "missed": 0}
    assert attribute(ONE).to_dict()["runs"] == []


@pytest.mark.large
def test_what_is_charged_is_what_score_says_is_lost(data):
    gum = data / "constituency" / "gum"
    for name in ("sys_perturbed", "sys_retokenised", "sys_resegmented"):
        found = evalign.attribute(gum / "gold.mrg", gum / f"{name}.mrg")
        scored = evalign.score(gum / "gold.mrg", gum / f"{name}.mrg", metrics=["brackets"])["brackets"]
        assert (found.counts.correct, found.f1) == (scored.correct, scored.f1)
        assert sum(row.points for row in found.rows) == pytest.approx(100 * (1 - scored.f1))
