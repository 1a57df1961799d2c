"""Tables of parts: a row per part, both averages by name, failures with their reasons, in every format."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import evalign
from evalign.reports.html.breakdowns import make_parts_section
from evalign.reports.parts import MACRO_AVERAGE, MICRO_AVERAGE, render_parts
from evalign.reports.significance import Assessed, assess_all
from evalign.results.result import Parts, Result
from evalign.results.system_result import NoEvidence, Score, SystemResult
from evalign.significance.parts import cover_alike
from evalign.significance.values import Resampling
from evalign.wording import width_of
from runs import DE, EN, EN_WRONG, write

GOLD = [["a", "b"], ["c"], ["d", "e", "f"], ["g"]]
SYSTEMS = ([["a", "b"], ["c"], ["de", "f"], ["g"]], [["a", "b", "c"], ["d", "e", "f"], ["g"]])


def make_parts(failed="", failures="skip"):
    first = evalign.score(GOLD, *SYSTEMS, metrics=["tokens", "pk"])
    second = evalign.score(GOLD[:2], SYSTEMS[0][:2], SYSTEMS[1][:1], metrics=["tokens", "pk"])
    if failed:
        lost = second.systems[1]
        scores = {
            name: Score(score.metric, np.zeros_like(score.units), score.average, available=False)
            for name, score in lost.scores.items()
        }
        broken = SystemResult(lost.name, scores, lost.ledger, lost.signature, NoEvidence(), failed)
        second = replace(second, systems=(second.systems[0], broken))
    results = {}
    for name, result in (("long", first), ("short", second)):
        systems = tuple(replace(s, name=n) for s, n in zip(result.systems, ("one", "two"), strict=True))
        results[name] = replace(result, systems=systems)
    return Parts("treebank", results, failures=failures)


def verdict_on(parts, n_systems, **options):
    systems = {
        name: replace(result, systems=(*result.systems, *result.systems[:1])[:n_systems])
        for name, result in parts.results.items()
    }
    parts = replace(parts, results=systems)
    assessed = assess_all(parts, Resampling(resamples=50), intervals=True, paired=True)
    text = render_parts(parts, assessed=replace(assessed, **options))
    return [" ".join(line.split()) for line in text.split("\n\n") if line.startswith("By")]


def test_tests_open_with_the_verdict_by_macro_average():
    told = "By macro average: two is ahead in tokens. one is ahead in Pk. Not beyond chance: in tokens against one."
    assert verdict_on(make_parts(), 2) == [f"{told} Not tested: in Pk against two."]
    assert verdict_on(make_parts(), 2, paired=False) == []


def test_a_verdict_on_averages_says_which_pairs_were_not_tested():
    [told] = verdict_on(make_parts(), 3)
    assert "Not beyond chance: in tokens against" in told
    assert "Not tested: in tokens against" in told


def test_several_systems_have_a_table_for_each_metric():
    lines = render_parts(make_parts()).splitlines()
    # Sizes of gold are in the first table alone.
    at = lines.index("tokens         units  gold sentences  gold tokens     one     two")
    assert [line.split() for line in lines[at + 1 : at + 5]] == [
        ["long", "3", "4", "7", "76.92", "100.00"],
        ["short", "1", "2", "3", "100.00", "100.00"],
        [*MACRO_AVERAGE.split(), "88.46", "100.00"],
        [*MICRO_AVERAGE.split(), "4", "6", "10", "84.21", "100.00"],
    ]
    assert any(line.startswith("Pk ↓           units   one") for line in lines)


def test_sizes_of_gold_have_a_table_of_their_own_on_a_narrow_terminal():
    lines = render_parts(make_parts(), columns=60).splitlines()
    assert lines.index("treebank       units  gold sentences  gold tokens") + 6 == lines.index(
        "tokens         units     one     two"
    )


@pytest.mark.issue(18)
@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_no_title_of_sizes_is_cut_and_they_stand_beside_numbers_where_these_fit(columns):
    result = evalign.score(GOLD, SYSTEMS[0])
    for name in ("en", "UD_English-EWT", "UD_English-EWT/en_ewt-ud-test.of-a-parser"):
        lines = render_parts(Parts("treebank", {name: result}), columns=columns).splitlines()
        assert max(map(width_of, [line for line in lines if not line.startswith("signature")])) <= columns
        [title] = [line for line in lines if "gold sentences  gold tokens" in line]
        assert title.endswith("gold tokens") == (columns == 60 and name != "en")


def test_sizes_of_gold_are_in_every_table_for_paper_and_on_the_page():
    for format in ("markdown", "latex", "typst"):
        tables = render_parts(make_parts(), format).count("gold sentences")
        assert tables == 2, format
    assessed = assess_all(make_parts(), Resampling(resamples=20), intervals=True, paired=True)
    found = make_parts_section(make_parts(), assessed)
    assert found.sizes == ("gold sentences", "gold tokens")
    assert [line.size for line in found.tables[0].lines] == [("4", "7"), ("2", "3"), ("", ""), ("6", "10")]


def test_runs_saved_before_sizes_were_kept_have_none():
    parts = make_parts()
    older = replace(parts, results={name: replace(part, size=None) for name, part in parts.results.items()})
    assert "gold sentences" not in render_parts(older)
    some = replace(parts, results={**parts.results, "short": older["short"]})
    assert ["short", "1", "100.00", "100.00"] in [line.split() for line in render_parts(some).splitlines()]


def test_a_failure_is_a_word_and_a_line():
    text = render_parts(make_parts("no such file"), metrics=["tokens"])
    assert ["short", "1", "2", "3", "100.00", "failed"] in [line.split() for line in text.splitlines()]
    assert "two failed on short: no such file\n" in text
    assert "it is left out\n" in text
    assert "it counts as 0, or as 1 where less is better\n" in render_parts(
        make_parts("no such file", "zero")
    )


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex", "typst"])
def test_every_format_has_every_part_and_average(format):
    parts = make_parts()
    assessed = assess_all(parts, Resampling(resamples=50), intervals=True, paired=True)
    text = render_parts(parts, format, assessed=assessed)
    for word in ("long", "short", "macro", "micro", "one", "two"):
        assert word in text


def test_csv_is_one_table_with_numbers_from_0_to_1():
    parts = make_parts("lost")
    rows = list(csv.DictReader(io.StringIO(render_parts(parts, "csv"))))
    assert list(rows[0]) == ["by", "part", "system", "metric", "measure", "value", "status"]
    found = {(r["by"], r["part"], r["system"], r["metric"], r["measure"]): r["value"] for r in rows}
    assert float(found["treebank", "long", "one", "tokens", "f1"]) == parts["long"]["tokens"].f1
    assert float(found[MACRO_AVERAGE, "", "one", "tokens", "f1"]) == parts.macro(0, "tokens")["f1"]
    assert float(found[MICRO_AVERAGE, "", "one", "tokens", "f1"]) == parts.micro()["tokens"].f1
    assert found["treebank", "short", "two", "tokens", "f1"] == ""


def test_json_has_what_resampling_found():
    parts = make_parts()
    assessed = assess_all(parts, Resampling(resamples=50), intervals=True, paired=False)
    saved = json.loads(render_parts(parts, "json", assessed=assessed))
    assert set(saved["significance"]["parts"]) == {"long", "short"}
    assert saved["averages"][0]["macro"]["tokens"]["f1"] == parts.macro(0, "tokens")["f1"]


@pytest.mark.parametrize("columns", [80, 120])
def test_wide_tables_are_broken_up(columns):
    gold, names = [["a", "b"], ["c"]], [f"a rather long name of system number {k}" for k in range(9)]
    result = evalign.score(gold, *[gold] * 9)
    systems = tuple(replace(s, name=n) for s, n in zip(result.systems, names, strict=True))
    whole = Result(result.gold, systems, result.unit_kind, result.unit_names)
    parts = Parts("treebank", {f"a treebank with a long name {k}": whole for k in range(3)})
    text = render_parts(parts, columns=columns, assessed=assess_all(
        parts, Resampling(resamples=20), intervals=True, paired=True
    ))  # fmt: skip
    lines = [line for line in text.splitlines() if not line.startswith("signature")]
    assert max(map(width_of, lines)) <= columns


def test_one_system_has_a_column_for_each_metric():
    result = evalign.score(GOLD, SYSTEMS[0], metrics=["tokens", "words"])
    text = render_parts(Parts("genre", {"news": result, "chat": result}, "told by names"))
    assert text.startswith(
        "by genre: 2 parts, told by names\n\ngenre          units  gold sentences  gold tokens  tokens  words\n"
    )


WORDS = [f"{k}\tA\ta\tX\t_\t_\t{min(k - 1, 1)}\tx\t_\t_\n" for k in range(1, 7)]
DOCUMENTS = "".join(
    f"# newdoc id = {genre}{k}\n# genre = {genre}\n{WORDS[0]}\n{''.join(WORDS)}\n"
    for genre in ("chat", "news")
    for k in range(3)
)
STRATIFIED = "the micro average's interval is not that of the whole"


@pytest.mark.parametrize(("by", "is_within"), [("genre", True), ("length", False)])
def test_why_the_micro_average_has_another_interval_than_the_whole(by, is_within):
    """Documents have one genre but sentences of all lengths: these are drawn for all parts at once."""
    text = evalign.Text(DOCUMENTS)
    parts = evalign.score(text, text, metrics=["tokens"]).split(by)
    for intervals in (True, False):
        assessed = assess_all(parts, Resampling(resamples=50), intervals=intervals, paired=not intervals)
        notes = " ".join(render_parts(parts, assessed=assessed).split())
        assert (STRATIFIED in notes) == (is_within and intervals)


@pytest.fixture
def zero(tmp_path):
    """Two systems have everything; one fails on de, and one leaves its heads out there."""
    headless = re.sub(r"\t\d\t(root|dep)\t", "\t_\t_\t", DE)
    gold = write(tmp_path / "gold", en=EN, de=DE)
    systems = [
        write(tmp_path / "one", en=EN, de=DE),
        write(tmp_path / "two", en=EN_WRONG, de=DE),
        write(tmp_path / "broken", en=EN),
        write(tmp_path / "lazy", en=EN, de=headless),
    ]
    return evalign.score_collection(gold, *systems, metrics=["pk", "las"], failures="zero")


def test_failures_are_marked_whatever_the_averages_take_them_for(zero):
    tables = render_parts(zero, "markdown").replace("**", "").split("\n\n")
    assert "| de | 1 | 1 | 2 | 0.00 | 0.00 | failed | 0.00 |" in tables[0]
    assert "| macro average |  |  |  | 0.00 | 0.00 | 50.00 | 0.00 |" in tables[0]
    assert "| micro average | 3 | 3 | 7 | 0.00 | 0.00 | - | 0.00 |" in tables[0]
    assert "| de | 1 | 1 | 2 | 100.00 | 100.00 | failed | failed |" in tables[1]
    csv = render_parts(zero, "csv")
    assert "treebank,de,broken,pk,error,1.0,failed\n" in csv
    assert "treebank,de,lazy,las,precision,0.0,failed\n" in csv
    saved = json.loads(render_parts(zero, "json"))["parts"]["de"]["systems"]
    assert [system["scores"]["pk"]["error"] for system in saved] == [0.0, 0.0, 1.0, 0.0]
    shown = re.sub("<[^>]+>", " ", zero._repr_html_())
    assert "de broken failed failed" in " ".join(shown.split())
    # Who has no micro average of pk keeps nobody else from being the best.
    assert cover_alike(zero, "pk", "micro")
    assert not cover_alike(replace(zero, failures="skip"), "pk", "micro")


@pytest.mark.issue(15)
@pytest.mark.parametrize("failures", ["zero", "skip"])
def test_csv_has_systems_and_metrics_of_every_part_in_the_same_order(zero, failures):
    rows = list(csv.DictReader(io.StringIO(render_parts(replace(zero, failures=failures), "csv"))))
    orders = [
        list(dict.fromkeys((row["system"], row["metric"]) for row in rows if row["part"] == part))
        for part in ("en", "de")
    ]
    assert orders[0] == orders[1]
    assert list(dict.fromkeys(system for system, _ in orders[1])) == ["one", "two", "broken", "lazy"]


def test_failures_of_single_metrics_are_named(zero):
    text = " ".join(render_parts(zero).split())
    assert "lazy has no LAS on de, where gold has: counts as the worst there is" in text
    assert "no micro average of Pk for broken: failures in it have no counts" in text
    # With the counts of no output at all it would have a better one than by writing wrong arcs.
    assert "no micro average of LAS for lazy: failures in it have no counts" in text
    # broken: 5 of 7 gold words, 5 of its own; 10 of 12.
    assert "| micro average | 3 | 3 | 7 | 100.00 | 100.00 | 83.33 | - |" in render_parts(
        zero, "markdown"
    ).replace("**", "")
    assert "it counts as 0, or as 1 where less is better" in text
    assert "averages are of" not in text
    skip = " ".join(render_parts(replace(zero, failures="skip")).split())
    assert "where gold has" not in skip
    assert "no micro average" not in skip


def test_units_of_several_kinds_are_named(tmp_path):
    gold = write(tmp_path / "gold", a="# newdoc id = x\n" + EN + "# newdoc id = y\n" + DE, b=EN + DE)
    parts = evalign.score_collection(gold, write(tmp_path / "one", a=EN + DE, b=EN + DE), metrics=["tokens"])
    text = render_parts(parts)
    assert text.splitlines()[2].split() == [
        "treebank",
        "units",
        "gold",
        "sentences",
        "gold",
        "tokens",
        "tokens",
    ]
    assert "|unit:document(2)/stretch(3)|" in parts.micro().signature
    assert "unit(" not in text.replace("unit:", "")


def add_total_failure(parts, number):
    """The same parts with a system "none" at place `number` that failed on each."""
    results = {}
    for name, result in parts.results.items():
        model = result.systems[0]
        scores = {
            metric: Score(score.metric, np.zeros_like(score.units), score.average, available=False)
            for metric, score in model.scores.items()
        }
        failed = SystemResult("none", scores, model.ledger, model.signature, NoEvidence(), "no such file")
        systems = [*result.systems]
        systems.insert(number, failed)
        results[name] = replace(result, systems=tuple(systems))
    return replace(parts, results=results)


def opening(parts, **options):
    """What is said before the tables, and all of the report."""
    assessed = assess_all(parts, Resampling(resamples=50), intervals=False, paired=True)
    text = render_parts(parts, assessed=assessed, **options)
    return [" ".join(each.split()) for each in text.split("\n\nby treebank")[0].split("\n\n")], text


FAILED_EVERYWHERE = "none failed on all 2 treebanks: it is in no test and no verdict."


@pytest.mark.issue(28)
@pytest.mark.parametrize("failures", ["skip", "zero"])
@pytest.mark.parametrize("number", [1, 2])
def test_a_system_that_failed_on_all_parts_is_said_to_and_is_in_no_verdict(failures, number):
    whole = make_parts(failures=failures)
    [verdict], _ = opening(whole)
    said, text = opening(add_total_failure(whole, number))
    assert said == [FAILED_EVERYWHERE, verdict]
    notes = " ".join(text.split())
    assert "treebanks, and do not say which system is better" not in notes
    assert "is one unit" not in notes
    assert "compared with" not in notes


@pytest.mark.issue(28)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_where_the_first_system_failed_on_all_parts_nothing_is_tested_and_that_is_said(failures):
    said, text = opening(add_total_failure(make_parts(failures=failures), 0))
    advice = "none is the first system, which the others are tested against: put another first."
    assert said[0] == f"{FAILED_EVERYWHERE} {advice}"
    assert said[1] == (
        "By macro average: two is ahead in tokens. one is ahead in Pk. Whether that is chance was not tested."
    )
    assert "no test against the first system" in text
    assert "p cannot be" not in text


@pytest.mark.issue(28)
@pytest.mark.parametrize("failures", ["skip", "zero"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_system_has_no_rival_where_all_others_failed(failures, number):
    parts = make_parts(failures=failures)
    alone = {name: replace(result, systems=result.systems[:1]) for name, result in parts.results.items()}
    said, text = opening(add_total_failure(replace(parts, results=alone), number))
    assert said == [
        f"{FAILED_EVERYWHERE} one is the only system with scores, so that there is nothing to compare it with."
    ]
    assert "chance" not in text
    assert "tests: " not in text


@pytest.mark.issue(28)
def test_a_single_score_is_not_said_to_be_the_same_as_that_of_a_system_that_failed():
    result = add_total_failure(make_parts(), 1)["long"]
    result = replace(result, systems=result.systems[:2])
    assessed = Assessed(evalign.assess(result), intervals=False, paired=True)
    assert assessed.verdict(result, ["one", "none"]) == ""


@pytest.mark.issue(28)
def test_the_page_says_who_failed_on_all_parts():
    parts = add_total_failure(make_parts(failures="zero"), 2)
    assessed = assess_all(parts, Resampling(resamples=50), intervals=True, paired=True)
    section = make_parts_section(parts, assessed)
    assert FAILED_EVERYWHERE in section.notes
    averages = [line.cells[2] for table in section.tables for line in table.lines if line.is_average]
    assert not any(cell.p or cell.standing or cell.gain for cell in averages)


@pytest.mark.issue(28)
def test_a_part_that_a_system_failed_on_is_said_to_be_one_unit_of_a_test():
    _, text = opening(make_parts("no such file", failures="zero"))
    assert "in tests a treebank that a system failed on is one unit, however large it is" in text
    assert "p says little" not in text
