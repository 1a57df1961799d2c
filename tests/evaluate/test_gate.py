"""Gates: limits met exactly hold, worsening is told from bettering, other units are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalign
from evalign.evaluate.gate import _holds


def tokens(*lines):
    return [line.split() for line in lines]


GOLD = tokens("a b c", "d e", "f")
WORSE = tokens("ab c", "d e", "f")


@pytest.fixture(scope="module")
def results():
    return evalign.score(GOLD, GOLD, metrics=["tokens", "pk"]), evalign.score(
        GOLD, WORSE, metrics=["tokens", "pk"]
    )


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_drop_in_hundredths_of_a_point_is_held_to_its_limit_exactly(before, after):
    limit = max(0, before - after) / 100
    value, baseline = after / 10_000, before / 10_000
    assert _holds("max-drop", value, baseline, limit, is_share=True, lower=False)
    if before > after:
        assert not _holds("max-drop", value, baseline, limit - 0.01, is_share=True, lower=False)
    assert _holds("max-drop", baseline, value, limit, is_share=True, lower=True)
    assert _holds("fail-under", value, None, after / 100, is_share=True, lower=False)
    assert not _holds("fail-under", value, None, after / 100 + 0.01, is_share=True, lower=False)


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
    assert found.to_json()["passed"] is False


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "without a condition"),
        ({"max_drop": {"tokens": 1}}, "without a baseline"),
        ({"fail_under": {"tokens": float("nan")}}, "from 0 up"),
        ({"fail_under": {"tokens": -1}}, "from 0 up"),
        ({"fail_under": {"pk": 1}}, "less is better"),
        ({"fail_under": {"nothing": 1}}, "unknown metric"),
        ({"fail_under": {"tokens": 1}, "system": "other"}, "no system is called"),
    ],
)
def test_what_cannot_be_asked(results, asked, told):
    with pytest.raises(evalign.CommandError, match=told):
        evalign.gate(results[0], **asked)


def test_a_metric_of_one_result_alone_has_failed_with_a_reason(results):
    other = evalign.score(GOLD, GOLD, metrics=["sentences"])
    [check] = evalign.gate(results[0], other, max_drop={"tokens": 1}).checks
    assert (check.passed, check.reason) == (False, "tokens was not scored in the baseline")
    [check] = evalign.gate(other, results[0], max_drop={"tokens": 1}).checks
    assert (check.passed, check.reason) == (False, "tokens was not scored")


def test_a_metric_that_is_not_available_has_failed():
    result = evalign.score(GOLD, GOLD, metrics=["tokens", "las"])
    [check] = evalign.gate(result, fail_under={"las": 1}).checks
    assert check.reason.startswith("las is not available")


def test_the_system_of_the_same_name_is_the_baseline():
    result = evalign.score(
        evalign.Text("a b\n", "gold"), evalign.Text("a b\n", "runs/one"), evalign.Text("ab\n", "runs/two")
    )
    found = evalign.gate(result, result, max_drop={"tokens": 0}, system="two")
    assert (found.system.name, found.baseline.name, found.passed) == ("runs/two", "runs/two", True)
    assert not evalign.gate(result, result, max_drop={"tokens": 0}, system="two", baseline_system="one")


def test_one_unit_is_no_reason_to_pass():
    gold = tokens("a b c")
    old, new = evalign.score(gold, gold), evalign.score(gold, tokens("ab c"))
    [check] = evalign.gate(new, old, max_drop={"tokens": 1}, significant=evalign.Resampling()).checks
    assert not check.passed
    assert check.reason.startswith("no test: one stretch")


def test_other_units_are_refused_in_a_test(results):
    longer = evalign.score([*GOLD, ["g"]], [*WORSE, ["g"]], metrics=["tokens"])
    with pytest.raises(evalign.InputError, match="which are not the same"):
        evalign.gate(longer, results[0], max_drop={"tokens": 0}, significant=evalign.Resampling())
