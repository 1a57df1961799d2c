import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalign import CommandError
from evalign.layers import LAYERS
from evalign.result.parts import Parts
from evalign.significance import Difference, Interval, Resampling, assess_parts
from oracles import resampling as oracle
from resampled import make_result, make_score, random_rows, systems, tokens

LAYER = LAYERS["tokens"]
FEW = Resampling(seed=7, resamples=20, confidence=0.9, test="bootstrap")
SHUFFLED = replace(FEW, test="randomization")


def near(found, expected):
    if found is None or expected is None:
        assert found is expected
    else:
        assert found == pytest.approx(expected, rel=0, abs=1e-12)


def two_parts(draw, average="micro"):
    return {name: tokens(*draw(systems(2, 5)), average=average) for name in ("one", "two")}


def rows_of(result, system):
    return result.systems[system]["tokens"].units.tolist()


def mean_over_parts(parts, system, key_of=lambda number: (number,)):
    """Of the macro average in each resample."""
    drawn = [
        oracle.resampled_ratios(
            LAYER, rows_of(result, system), result["tokens"].average, 7, 20, *key_of(number)
        )
        for number, result in enumerate(parts.results.values())
    ]
    return [oracle.mean([row["f1"] for row in together]) for together in zip(*drawn, strict=True)]


@pytest.mark.parametrize("average", ["micro", "document"])
@settings(max_examples=20)
@given(st.data())
def test_macro_averages_are_those_of_the_oracle(average, data):
    parts = Parts("treebank", two_parts(data.draw, average))
    found = assess_parts(parts, FEW)
    means = [mean_over_parts(parts, system) for system in (0, 1)]
    for system in (0, 1):
        near(found.macro[system]["tokens"]["f1"], oracle.interval(means[system], 0.9))
    first, second = (parts.macro(system, "tokens")["f1"] for system in (0, 1))
    difference = found.against_first["tokens"][1]
    if first is None or second is None:
        assert difference == Difference(None, None, None, None)
        return
    spread = [oracle.subtract(own, other) for own, other in zip(means[1], means[0], strict=True)]
    near(difference.interval, oracle.interval(spread, 0.9))
    assert difference.p == difference.adjusted == oracle.bootstrap_p(second - first, spread)


@settings(max_examples=20)
@given(st.data())
def test_micro_averages_are_those_of_the_oracle(data):
    parts = Parts("treebank", two_parts(data.draw))
    found = assess_parts(parts, FEW, paired=False)
    assert not found.against_first
    for system in (0, 1):
        drawn = [
            [[rows[unit] for unit in units] for units in oracle.resamples(7, len(rows), 20, number)]
            for number, rows in enumerate(rows_of(result, system) for result in parts.results.values())
        ]
        values = [oracle.ratios(LAYER, one + two, "micro")["f1"] for one, two in zip(*drawn, strict=True)]
        assert found.micro[system]["tokens"]["f1"] == oracle.interval(values, 0.9)


@settings(max_examples=20)
@given(st.data())
def test_randomization_is_that_of_the_oracle(data):
    parts = Parts("treebank", two_parts(data.draw))
    found = assess_parts(parts, SHUFFLED).against_first["tokens"][1]
    first, second = (parts.macro(system, "tokens")["f1"] for system in (0, 1))
    if first is None or second is None:
        return
    trials = [
        list(oracle.exchanged_ratios(LAYER, rows_of(result, 1), rows_of(result, 0), "micro", 7, 20, number))
        for number, result in enumerate(parts.results.values())
    ]
    differences = [
        oracle.subtract(*(oracle.mean([part[side]["f1"] for part in together]) for side in (0, 1)))
        for together in zip(*trials, strict=True)
    ]
    assert found.p == oracle.randomization_p(second - first, differences)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_a_system_against_itself(test):
    rows = random_rows(1, 20)
    parts = Parts("treebank", {"one": tokens(rows, rows), "two": tokens(rows[:9], rows[:9])})
    found = assess_parts(parts, Resampling(test=test))
    assert found.against_first["tokens"][1] == Difference(0, Interval(0, 0), 1, 1)


def with_failure(failures):
    """The second system failed on the second treebank."""
    whole = tokens(random_rows(1, 20), random_rows(2, 20, 0.95))
    broken = tokens(random_rows(3, 20), [(0, row[1], 0) for row in random_rows(3, 20)])
    failed = replace(
        broken.systems[1],
        failure="no such file",
        scores={"tokens": replace(broken.systems[1]["tokens"], available=False)},
    )
    broken = replace(broken, systems=(broken.systems[0], failed))
    return Parts("treebank", {"whole": whole, "broken": broken}, failures=failures)


def test_a_failure_that_counts_as_nothing_halves_the_macro_average():
    parts = with_failure("zero")
    found = assess_parts(parts, FEW)
    skipped = assess_parts(with_failure("skip"), FEW)
    low, high = skipped.macro[1]["tokens"]["f1"]
    assert found.macro[1]["tokens"]["f1"] == pytest.approx((low / 2, high / 2))
    assert low < parts.results["whole"].systems[1]["tokens"].f1 < high
    assert found.macro[0]["tokens"] == skipped.macro[0]["tokens"]
    assert found.against_first["tokens"][1].p == 1 / 21


def test_a_part_that_one_system_failed_on_is_exchanged_as_a_whole():
    parts = with_failure("zero")
    found = assess_parts(parts, SHUFFLED).against_first["tokens"][1]
    result = parts.results["whole"]
    trials = oracle.exchanged_ratios(LAYER, rows_of(result, 1), rows_of(result, 0), "micro", 7, 20, 0)
    first = parts.results["broken"]["tokens"].f1
    differences = [
        (mine["f1"] - theirs["f1"]) / 2 + (first if bits[0] else -first) / 2
        for (mine, theirs), bits in zip(trials, oracle.swaps(7, 20, 20, 1), strict=True)
    ]
    assert found.p == oracle.randomization_p(found.difference, differences)


def test_units_that_have_a_share_in_several_parts_are_drawn_once():
    """As documents whose sentences are grouped by length."""
    short = tokens(random_rows(1, 20))
    long = tokens(random_rows(2, 20))
    both = make_result({"tokens": make_score(short["tokens"].units + long["tokens"].units)})
    parts = Parts("length", {"short": short, "long": long}, whole=both)
    found = assess_parts(parts, FEW)
    assert found.n_units == 20
    assert found.macro[0]["tokens"]["f1"] == pytest.approx(
        oracle.interval(mean_over_parts(parts, 0, lambda _: ()), 0.9), abs=1e-12
    )
    values = oracle.resampled_ratios(LAYER, rows_of(both, 0), "micro", 7, 20)
    assert found.micro[0]["tokens"]["f1"] == oracle.interval([row["f1"] for row in values], 0.9)


def test_units_of_the_whole_that_a_part_has_not_count_nothing_in_it():
    whole = tokens(random_rows(1, 6))
    rows = whole["tokens"].units

    def part(numbers):
        found = make_result({"tokens": make_score(rows[numbers])})
        return replace(found, unit_names=[whole.unit_names[k] for k in numbers])

    parts = Parts("length", {"short": part([0, 2, 3, 5]), "long": part([1, 2, 4])}, whole=whole)
    found = assess_parts(parts, FEW)
    assert found.n_units == 6
    drawn = list(oracle.resamples(7, 6, 20))
    values = [
        oracle.mean(
            [
                oracle.ratios(LAYER, [rows[k].tolist() for k in units if k in own] or [[0] * 5], "micro")[
                    "f1"
                ]
                for own in ([0, 2, 3, 5], [1, 2, 4])
            ]
        )
        for units in drawn
    ]
    near(found.macro[0]["tokens"]["f1"], oracle.interval(values, 0.9))


def test_genres_of_a_result_are_resampled_within_each():
    whole = tokens(random_rows(1, 6))
    halves = {
        name: replace(
            make_result({"tokens": make_score(rows_of(whole, 0)[part])}), unit_names=whole.unit_names[part]
        )
        for name, part in (("a", slice(0, 3)), ("b", slice(3, 6)))
    }
    assert (
        assess_parts(Parts("genre", halves, whole=whole), FEW).macro
        == assess_parts(Parts("genre", halves), FEW).macro
    )


def test_parts_of_one_unit_do_not_vary():
    parts = Parts("treebank", {"one": tokens([(3, 4, 4)]), "two": tokens(random_rows(1, 9))})
    found = assess_parts(parts, FEW)
    assert found.fixed == ("one",)
    assert not found.reason
    assert found.macro[0]["tokens"]["f1"] is not None


def test_nothing_but_parts_of_one_unit():
    parts = Parts("treebank", {name: tokens([(3, 4, 4)], [(4, 4, 4)]) for name in ("one", "two")})
    found = assess_parts(parts, FEW)
    assert found.reason == "one document in each treebank: nothing to resample"
    assert (
        found.macro[1]["tokens"] == found.micro[1]["tokens"] == dict.fromkeys(("precision", "recall", "f1"))
    )
    assert found.against_first["tokens"] == (None, Difference(0.25, None, None, None))


def test_a_metric_that_one_part_lacks():
    one = tokens(random_rows(1, 9))
    scores = {**one.systems[0].scores, "pk": make_score([(1, 3)] * 9, "pk")}
    parts = Parts("treebank", {"one": make_result(scores), "two": tokens(random_rows(2, 9))})
    found = assess_parts(parts, FEW)
    assert found.macro[0]["pk"] == found.micro[0]["pk"] == {"error": pytest.approx((1 / 3, 1 / 3))}


def test_a_metric_that_was_not_scored():
    parts = Parts("treebank", {"one": tokens(random_rows(1, 9))})
    with pytest.raises(CommandError, match='"las" was not scored\n  expected one of tokens'):
        assess_parts(parts, metrics=["las"])


def test_json_has_it_all():
    parts = Parts(
        "treebank", {"one": tokens([(3, 4, 4)] * 2, [(4, 4, 4)] * 2), "two": tokens([(3, 4, 4)], [(4, 4, 4)])}
    )
    saved = json.loads(json.dumps(assess_parts(parts, FEW).to_json(["a", "b"]), allow_nan=False))
    assert saved["fixed"] == ["two"]
    assert saved["macro"][1] == {
        "name": "b", "scores": {"tokens": {"precision": [1, 1], "recall": [1, 1], "f1": [1, 1]}},
    }  # fmt: skip
    assert saved["micro"][0]["scores"]["tokens"]["f1"] == [0.75, 0.75]
    assert saved["tests"]["tokens"]["against_first"][1]["difference"] == 0.25
    assert saved["resampling"]["units"] == 3
