"""Gates: limits met exactly pass, worsening differs from improvement, other units are refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.metrics.registry import METRICS
from evalign.results.ledger import Ledger
from evalign.results.result import Parts, Result
from evalign.results.system_result import NoEvidence, Score, SystemResult

pytestmark = pytest.mark.once


def tokens(*lines):
    return [line.split() for line in lines]


GOLD = tokens("a b c", "d e", "f")
WORSE = tokens("ab c", "d e", "f")


@pytest.fixture(scope="module")
def results():
    return evalign.score(GOLD, GOLD, metrics=["tokens", "pk"]), evalign.score(
        GOLD, WORSE, metrics=["tokens", "pk"]
    )


def make_shares(hundredths):
    """A result in which so many hundredths of a percent are right, and as many wrong in windows."""
    rows = {"tokens": [hundredths, 10_000, 10_000, hundredths, hundredths], "pk": [hundredths, 10_000]}
    scores = {name: Score(METRICS[name], np.array([row])) for name, row in rows.items()}
    system = SystemResult("one", scores, Ledger(0, 0, 0, 0), "evalign:0", NoEvidence())
    return Result("gold", (system,), "whole", ["gold"])


@given(st.integers(101, 9_999), st.integers(101, 9_999))
def test_a_drop_in_hundredths_of_a_point_is_held_to_its_limit_exactly(before, after):
    limit = max(0, before - after) / 100
    new, old = make_shares(after), make_shares(before)
    assert evalign.gate(new, old, max_drop={"tokens": limit})
    if before > after:
        assert not evalign.gate(new, old, max_drop={"tokens": limit - 0.01})
    assert evalign.gate(old, new, max_drop={"pk": limit})
    assert evalign.gate(new, fail_under={"tokens": after / 100})
    assert not evalign.gate(new, fail_under={"tokens": after / 100 + 0.01})


def test_a_gate_is_true_or_false(results):
    good, bad = results
    assert evalign.gate(good, bad, max_drop={"tokens": 0})
    found = evalign.gate(bad, good, max_drop={"tokens": 0.1}, fail_under={"tokens.recall": 50})
    assert not found
    assert [(check.metric, check.measure, check.passed) for check in found.checks] == [
        ("tokens", "f1", False),
        ("tokens", "recall", True),
    ]
    assert found.checks[0].change == pytest.approx(8 / 11 - 1)
    assert found.to_dict()["passed"] is False


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            {"fail_under": {"tokens": 0.95}},
            "fail-under tokens=0.95: limits are percentages.*\n  expected tokens=95\n",
        ),
        ({"fail_under": {"tokens.recall": 1}}, "expected tokens.recall=100\n"),
        ({"fail_under": "tokens.recall=0.999"}, "expected tokens.recall=99.9\n"),
        ({"fail_under": {"las": 0.9}}, "expected las=90\n"),
        ({"fail_under": {"tokens": 0}}, "nothing would ever fail"),
        ({"fail_under": {"tokens": 100.5}}, "nothing is above 100"),
        ({"fail_over": {"pk": 0.1}}, "expected pk=10\n"),
        ({"fail_over": {"pk": 101}}, "nothing is above 100"),
        ({"fail_under": {"tokens": float("inf")}}, "from 0 up"),
        ({"fail_under": {"tokens": "high"}}, "from 0 up"),
        ({"fail_under": {"tokens": None}}, "from 0 up"),
        ({"fail_under": {"tokens": -1}}, "from 0 up"),
    ],
)
def test_a_limit_that_is_no_percentage_is_refused(asked, told):
    result = evalign.score(GOLD, GOLD, metrics=["tokens", "pk"])
    with pytest.raises(evalign.CommandError, match=told):
        evalign.gate(result, **asked)


@pytest.mark.issue(28)
@pytest.mark.parametrize(
    "limits",
    [
        {"tokens": 50, "pk.error": "90%"},
        "tokens=50,pk.error=90%",
        " tokens = 50 , pk.error = 90% ",
        ["tokens=50", "pk.error=90%"],
        ("tokens=50,pk.error=90%",),
        iter(["tokens=99", "tokens=50", "pk.error=90%"]),  # of a metric the last counts, as in the command
    ],
)
def test_limits_are_given_as_the_command_takes_them(results, limits):
    checks = evalign.gate(*results, max_drop=limits).checks
    assert [(check.metric, check.measure, check.limit) for check in checks] == [
        ("tokens", "f1", 50.0), ("pk", "error", 90.0),
    ]  # fmt: skip


@pytest.mark.issue(28)
@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({}, "without a condition"),
        ({"fail_under": {"tokens": float("nan")}}, "from 0 up"),
        ({"fail_under": {"pk": 1}}, "less is better"),
        ({"fail_under": {"nothing": 1}}, "unknown metric"),
        ({"fail_under": {"tokens": 1}, "system": "other"}, "no system is called"),
        ({"fail_under": 95}, "`fail_under=` is of type int"),
        ({"fail_under": [95]}, "an item of `fail_under=` is of type int"),
        ({"fail_under": [("tokens", 95)]}, "an item of `fail_under=` is of type tuple"),
        ({"fail_under": {1: 95}}, "a metric of `fail_under=` is of type int"),
        ({"fail_under": {"tokens": [95]}}, "fail-under tokens of type list"),
        ({"fail_under": {"tokens": 10**400}}, "fail-under tokens of type int"),
        ({"fail_under": "tokens"}, "fail-under tokens=\n"),
        ({"fail_under": "=50"}, "fail-under =50\n"),
        ({"fail_under": ""}, "fail-under =\n"),
        ({"fail_under": []}, "a gate without a condition"),
        ({"max_drop": "tokens=1"}, "a largest drop without a baseline"),
        ({"max_drop": "tokens=1", "baseline": "old.json"}, "`baseline=` is of type str"),
        ({"fail_under": "tokens=95", "significant": True}, "`significant=` is of type bool"),
        ({"fail_under": "tokens=95", "system": 1}, "`system=` is of type int"),
    ],
)
def test_what_cannot_be_asked(results, asked, problem):
    with pytest.raises(evalign.CommandError, match=problem):
        evalign.gate(results[0], **asked)


@pytest.mark.issue(28)
def test_a_file_is_no_result_yet():
    with pytest.raises(
        evalign.CommandError, match=r"is of type str\n  expected a result, `evalign.load_saved"
    ):
        evalign.gate("run.json", fail_under="tokens=95")


@pytest.mark.issue(15)
def test_a_run_of_treebanks_takes_percentages_too():
    run = make_run(20, 10)
    for part in ("", "a"):
        with pytest.raises(evalign.CommandError, match="expected tokens=95\n"):
            evalign.gate(run, fail_under={"tokens": 0.95}, part=part)
    assert evalign.gate(run, run, max_drop={"tokens": 0.5})


@pytest.mark.issue(15)
def test_what_is_no_percentage_has_any_limit():
    trees = evalign.Text("(S (NP (D the) (N cat)) (V sat))\n", "gold.mrg")
    result = evalign.score(trees, trees, metrics=["crossing", "edit-distance"])
    assert evalign.gate(result, fail_over={"crossing.average": 0.5})
    assert evalign.gate(result, fail_over={"crossing.average": 1})
    assert evalign.gate(result, fail_over={"edit-distance": 150})
    assert evalign.gate(result, fail_over={"edit-distance.boundary_rate": "0.5%"})


def test_a_metric_of_one_result_alone_has_failed_with_a_reason(results):
    other = evalign.score(GOLD, GOLD, metrics=["sentences"])
    [check] = evalign.gate(results[0], other, max_drop={"tokens": 1}).checks
    assert (check.passed, check.reason) == (False, "tokens was not scored in the baseline")
    [check] = evalign.gate(other, results[0], max_drop={"tokens": 1}).checks
    assert (check.passed, check.reason) == (False, "tokens was not scored")


def test_a_metric_that_is_not_available_has_failed():
    result = evalign.score(GOLD, GOLD, metrics=["tokens", "las"])
    [check] = evalign.gate(result, fail_under={"las": 2}).checks
    assert check.reason.startswith("las is not available")


def test_the_system_of_the_same_name_is_the_baseline():
    result = evalign.score(
        evalign.Text("a b\n", "gold"), evalign.Text("a b\n", "runs/one"), evalign.Text("ab\n", "runs/two")
    )
    found = evalign.gate(result, result, max_drop={"tokens": 0}, system="two")
    assert (found.system.name, found.baseline.name, found.passed) == ("runs/two", "runs/two", True)
    assert not evalign.gate(result, result, max_drop={"tokens": 0}, system="two", baseline_system="one")


def make_result(*names):
    """A result of systems that get as many of 10 tokens right as their place says, the first 1, the second 2."""
    systems = [
        SystemResult(
            name,
            {"tokens": Score(METRICS["tokens"], np.array([[k, 10, 10, k, k]]), "micro")},
            Ledger(0, 0, 0, 0),
            "evalign:0",
            NoEvidence(),
        )
        for k, name in enumerate(names, 1)
    ]
    return Result("gold.txt", tuple(systems), "document", ["d"])


def compared(new, old, **asked):
    found = evalign.gate(new, old, max_drop={"tokens": 100}, **asked)
    return found.system.name, found.baseline.name, found.checks[0].value, found.checks[0].baseline


@pytest.mark.parametrize("name", ["new/big.two.txt", "big.two.txt", "big.two", "two"])
def test_a_system_is_found_by_what_tables_show(name):
    new = make_result("new/big.one.txt", "new/big.two.txt")
    old = make_result("old/v1/big.zero.txt", "old/v1/big.one.txt", "old/v1/big.two.txt")
    assert compared(new, old, system=name) == ("new/big.two.txt", "old/v1/big.two.txt", 0.2, 0.3)
    other = name.replace("new", "v1")
    assert compared(new, old, baseline_system=other) == ("new/big.one.txt", "old/v1/big.two.txt", 0.1, 0.3)


def test_a_baseline_of_several_systems_and_none_alike_is_refused():
    new, old = make_result("new/three.txt"), make_result("old/one.txt", "old/two.txt")
    expected = (
        'no system of the baseline is called "new/three.txt"\n'
        "  expected one of old/one.txt, old/two.txt\n"
        "  name one: `baseline_system=NAME`"
    )
    with pytest.raises(evalign.CommandError) as error:
        evalign.gate(new, old, max_drop={"tokens": 0})
    assert str(error.value) == expected
    assert compared(new, old, baseline_system="two")[1] == "old/two.txt"
    with pytest.raises(evalign.CommandError, match='no system of the baseline is called "four"'):
        evalign.gate(new, old, max_drop={"tokens": 0}, baseline_system="four")


def test_the_only_system_of_a_baseline_may_have_any_name():
    assert compared(make_result("b", "c"), make_result("a")) == ("b", "a", 0.1, 0.1)


def test_files_of_one_name_in_several_folders_are_told_apart_or_refused():
    old = make_result("old/a/out.txt", "old/b/out.txt")
    new = make_result("new/a/out.txt", "new/b/out.txt")
    assert compared(new, old, system="b/out")[1] == "old/b/out.txt"
    with pytest.raises(evalign.CommandError, match=r'several systems of the baseline are called "c/out.txt"'):
        evalign.gate(make_result("c/out.txt"), old, max_drop={"tokens": 0})
    with pytest.raises(evalign.CommandError, match=r'several systems are called "out.txt"'):
        evalign.gate(new, fail_under={"tokens": 0}, system="out.txt")


def test_one_unit_is_no_reason_to_pass():
    gold = tokens("a b c")
    old, new = evalign.score(gold, gold), evalign.score(gold, tokens("ab c"))
    [check] = evalign.gate(new, old, max_drop={"tokens": 1}, significant=evalign.Resampling()).checks
    assert not check.passed
    assert check.reason.startswith("no test: one unit")


def test_other_units_are_refused_in_a_test(results):
    longer = evalign.score([*GOLD, ["g"]], [*WORSE, ["g"]], metrics=["tokens"])
    with pytest.raises(evalign.InputError, match="which are not the same"):
        evalign.gate(longer, results[0], max_drop={"tokens": 0}, significant=evalign.Resampling())


def test_windows_that_are_all_in_one_unit_are_no_reason_to_pass():
    """Without documents all windows are one unit: exchanging it gives p = 1 for any difference."""
    gold = tokens(*["a b c d"] * 12)
    old, new = (evalign.score(gold, system, metrics=["pk"]) for system in (gold, [*gold[:4], *gold[4:]]))
    worse = evalign.score(gold, [*gold[:11], ["a", "b"], ["c", "d"]], metrics=["pk"])
    assert list(old.unit_names) == list(worse.unit_names)
    [check] = evalign.gate(worse, old, max_drop={"pk": 0.1}, significant=evalign.Resampling()).checks
    assert not check.passed
    assert check.reason == "no test: counted over all of gold as one document: nothing to resample"
    assert evalign.gate(new, old, max_drop={"pk": 0.1}, significant=evalign.Resampling())


# Runs of several treebanks


def make_run(*parts, failures="skip"):
    """Treebanks a, b, c, by how many of their 20 documents of four tokens are right; None where the system failed."""
    results = {}
    for name, right in zip("abc", parts, strict=False):
        rows = [[4, 4, 4, 4, 4] if k < (right or 0) else [0, 4, 4, 0, 0] for k in range(20)]
        score = Score(METRICS["tokens"], np.array(rows), "micro", right is not None)
        failure = "" if right is not None else "cannot be read"
        system = SystemResult(
            "one", {"tokens": score}, Ledger(0, 0, 0, 0), "evalign:0", NoEvidence(), failure
        )
        results[name] = Result(f"{name}.conllu", (system,), "document", [f"d{k}" for k in range(20)])
    return Parts("treebank", results, failures=failures)


def test_macro_averages_of_a_run_are_checked():
    old, new = make_run(20, 10), make_run(19, 10)
    found = evalign.gate(new, old, max_drop={"tokens": 2.5}, fail_under={"tokens": 72.5})
    assert found
    assert found.of == "macro average over 2 treebanks"
    assert "|average:macro|" in found.to_dict()["signature"]
    assert [check.value for check in found.checks] == [pytest.approx(0.725)] * 2
    assert [check.parts for check in found.checks] == [2, 2]
    assert not evalign.gate(new, old, max_drop={"tokens": 2.4})
    assert not evalign.gate(new, fail_under={"tokens": 72.6})


def test_one_treebank_of_a_run_is_checked():
    old, new = make_run(20, 10), make_run(18, 14)
    assert evalign.gate(new, old, max_drop={"tokens": 0})
    found = evalign.gate(new, old, max_drop={"tokens": 0}, part="a")
    assert (found.passed, found.of, found.checks[0].parts) == (False, "treebank a", None)
    assert evalign.gate(new, old["a"], max_drop={"tokens": 10}, part="a")
    with pytest.raises(evalign.CommandError, match='no treebank is called "z"\n  expected one of a, b'):
        evalign.gate(new, old, max_drop={"tokens": 0}, part="z")
    with pytest.raises(evalign.CommandError, match='the part "a" of a single result'):
        evalign.gate(new["a"], old["a"], max_drop={"tokens": 0}, part="a")
    with pytest.raises(evalign.CommandError, match="a run of 2 treebanks against a single result"):
        evalign.gate(new, old["a"], max_drop={"tokens": 0})


@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_new_failure_fails_the_gate_with_its_reason(failures):
    """Left out, the hard treebank makes the average look better."""
    old, new = make_run(20, 10, failures=failures), make_run(20, None, failures=failures)
    found = evalign.gate(new, old, max_drop={"tokens": 100})
    assert (found.passed, found.failures) == (False, {"b": "cannot be read"})
    assert found.checks[0].passed
    assert found.to_dict()["failures"] == {"b": "cannot be read"}
    assert found.checks[0].parts == (1 if failures == "skip" else 2)


def test_a_treebank_that_is_gone_fails_the_gate():
    found = evalign.gate(make_run(20), make_run(20, 10), max_drop={"tokens": 0})
    assert (found.passed, found.failures) == (False, {"b": "it is not in this run"})


def test_a_treebank_that_has_lost_a_metric_fails_the_gate():
    """Averages over what both runs have do not show it."""
    old, new = make_run(20, 10), make_run(20, None)
    results = {
        name: replace(result, systems=(replace(result.systems[0], failure=""),))
        for name, result in new.results.items()
    }
    found = evalign.gate(replace(new, results=results), old, max_drop={"tokens": 0})
    assert (found.passed, found.failures) == (False, {"b": "it has no tokens any more"})
    assert found.checks[0].passed


def test_a_column_that_is_empty_now_is_no_chance():
    """With failures that count, the treebank has a value: the worst there is."""
    old, new = make_run(20, 10, failures="zero"), make_run(20, None, failures="zero")
    missing = {
        name: replace(result, systems=(replace(result.systems[0], failure="", missed=missed),))
        for (name, result), missed in zip(new.results.items(), [(), ("tokens",)], strict=True)
    }
    found = evalign.gate(
        replace(new, results=missing), old, max_drop={"tokens": 1}, significant=evalign.Resampling()
    )
    assert (found.passed, found.failures) == (False, {"b": "it has no tokens any more"})
    assert (found.checks[0].passed, found.checks[0].p) == (False, None)


def test_p_at_the_level_is_not_below_it():
    """1 - 0.95 is more than 0.05 for a computer; 1 of 20 is the smallest p of 19 trials."""
    old, new = make_run(20), make_run(10)
    [check] = evalign.gate(
        new["a"], old["a"], max_drop={"tokens": 1}, significant=evalign.Resampling(resamples=19)
    ).checks
    assert (check.p, check.passed, check.reason) == (0.05, True, "not significant")


@pytest.mark.issue(15)
def test_a_test_that_cannot_find_anything_is_warned_of():
    old, new = make_run(20), make_run(10)
    found = evalign.gate(
        new["a"], old["a"], max_drop={"tokens": 1}, significant=evalign.Resampling(resamples=19)
    )
    assert found.warnings == (
        "tokens: no drop could have been significant, as p cannot be below 0.0500 with 19 resamples and 10 units that differ",
    )
    assert not evalign.gate(
        new["a"], old["a"], max_drop={"tokens": 1}, significant=evalign.Resampling()
    ).warnings


def test_a_failure_that_was_there_before_is_a_warning():
    found = evalign.gate(make_run(20, None), make_run(20, None), max_drop={"tokens": 0})
    assert found
    assert found.warnings == ("b: one failed on it in the baseline too: cannot be read",)
    assert evalign.gate(make_run(20, None), fail_under={"tokens": 99}).warnings == (
        "one failed on b: cannot be read",
    )


def test_a_treebank_that_comes_to_a_run_is_no_drop():
    """It failed before and is hard: the average over all falls, what both runs have does not."""
    old, new = make_run(20, None, 20), make_run(20, 2, 20)
    found = evalign.gate(new, old, max_drop={"tokens": 0}, fail_under={"tokens": 70})
    assert found
    assert [check.value for check in found.checks] == [1, pytest.approx(0.7)]
    assert [check.scope for check in found.checks] == ["over 2 of 3 treebanks", ""]
    assert evalign.gate(make_run(20, 2), make_run(20), max_drop={"tokens": 0}).warnings == (
        "b is not in the baseline: no drop is computed for it",
    )


def test_runs_without_a_treebank_in_common_have_failed():
    [check] = evalign.gate(make_run(20, None), make_run(None, 20), max_drop={"tokens": 0}).checks
    assert (check.passed, check.reason) == (False, "no treebank has tokens in both runs")


def test_a_drop_of_averages_is_tested_within_treebanks():
    old, slight, large = make_run(20, 18), make_run(19, 18), make_run(5, 3)
    resampling = evalign.Resampling(resamples=200)
    [check] = evalign.gate(slight, old, max_drop={"tokens": 0}, significant=resampling).checks
    assert (check.passed, check.reason, check.p) == (True, "not significant", 1)
    [check] = evalign.gate(large, old, max_drop={"tokens": 0}, significant=resampling).checks
    assert (check.passed, check.p) == (False, pytest.approx(1 / 201))
    other = make_run(20, 18)
    other.results["b"] = replace(other["b"], unit_names=["x"] * 20)
    with pytest.raises(evalign.InputError, match=r"^b.conllu: tokens is counted by 20 units"):
        evalign.gate(other, make_run(20, 20), max_drop={"tokens": 0}, significant=resampling)


def test_other_gold_of_a_treebank_is_warned_of():
    other = make_run(20, 18)
    score = other["b"]["tokens"]
    more = replace(score, units=score.units + np.array([0, 1, 0, 0, 0]))
    other.results["b"] = replace(
        other["b"], systems=(replace(other["b"].systems[0], scores={"tokens": more}),)
    )
    found = evalign.gate(other, make_run(20, 18, failures="zero"), max_drop={"tokens": 50})
    assert found.warnings == (
        "not the same `failures=`: zero in the baseline, skip now",
        "b: not the same gold: tokens has 80 in gold in the baseline, 100 now",
    )


def test_a_gate_prints_a_line_for_each_check_and_is_a_table_in_a_notebook():
    old = evalign.score([["a", "b"], ["c"]], [["a", "b"], ["c"]], metrics=["sentences", "tokens", "pk"])
    new = evalign.score([["a", "b"], ["c"]], [["a", "bc"]], metrics=["sentences", "tokens", "pk"])
    found = evalign.gate(new, old, max_drop={"tokens": 1}, fail_under={"las": 50}, fail_over={"pk": 100})
    assert str(found).splitlines() == [
        "tokens F1 40.00, -60.00 from 100.00, may drop by 1: FAILED",
        "LAS F1 -, at least 50: FAILED (las was not scored)",
        "Pk error rate ↓ 50.00, +50.00 from 0.00, at most 100: ok",
        "2 of 3 conditions failed",
    ]
    assert [str(check) for check in found.checks] == str(found).splitlines()[:3]
    shown = found._repr_html_()
    assert shown.count("<tr>") == 4
    assert '<td style="text-align: left">FAILED</td>' in shown
    assert "<small>2 of 3 conditions failed<br>LAS F1: las was not scored</small>" in shown


def test_a_gate_prints_new_failures_and_warnings():
    system = evalign.score([["a"]], [["a"]]).systems[0]
    found = evalign.Gate(system, None, (), ("other \x1btext",), failures={"de": "cannot be read"})
    assert str(found).splitlines() == [
        "failed on de, but not in the baseline: cannot be read",
        "warning: other \\x1btext",
        "0 conditions, all hold, 1 new failure",
    ]


def test_metrics_and_measures_of_limits_are_found_in_any_case():
    result = evalign.score([["a", "b"]], [["a", "b"]], metrics=["tokens"])
    found = evalign.gate(result, fail_under={"Tokens.F1": 50, "LAS": 50})
    assert [(check.metric, check.measure, check.passed) for check in found.checks] == [
        ("tokens", "f1", True),
        ("las", "f1", False),
    ]
