import json
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

import evalign
from evalign import CommandError
from evalign.metrics.registry import METRICS
from evalign.results.result import Parts
from evalign.significance.assessment import assess
from evalign.significance.parts import assess_parts
from evalign.significance.values import Difference, Interval, Resampling
from oracles import resampling as oracle
from resampled import make_result, make_score, near, random_rows, systems, tokens

LAYER = METRICS["tokens"]
FEW = Resampling(seed=7, resamples=20, confidence=0.9, test="bootstrap")
SHUFFLED = replace(FEW, test="randomization")


def two_parts(draw, average="micro"):
    return {name: tokens(*draw(systems(2, 5)), average=average) for name in ("one", "two")}


def rows_of(result, system):
    return result.systems[system]["tokens"].units.tolist()


def headlines_of(parts, system, key_of=lambda number: (number,)):
    """Of each part in each resample; the same in all where one unit has everything."""
    found = []
    for number, result in enumerate(parts.results.values()):
        rows, average = rows_of(result, system), result["tokens"].average
        if oracle.is_enough(rows):
            drawn = oracle.resampled_ratios(LAYER, rows, average, 7, 20, *key_of(number))
        else:
            drawn = [oracle.ratios(LAYER, rows, average)] * 20
        found.append([row["f1"] for row in drawn])
    return list(zip(*found, strict=True))


def mean_over_parts(parts, system, key_of=lambda number: (number,)):
    """Of the macro average in each resample."""
    return [oracle.mean(values) for values in headlines_of(parts, system, key_of)]


def mean_difference(own, first):
    """Over the parts that both have a value for."""
    return oracle.mean([oracle.subtract(one, other) for one, other in zip(own, first, strict=True)])


def observed(parts):
    values = [[result.systems[k]["tokens"].f1 for result in parts.results.values()] for k in (1, 0)]
    return mean_difference(*values)


def vary(parts, *systems):
    return any(oracle.is_enough(rows_of(result, k)) for result in parts.results.values() for k in systems)


@pytest.mark.parametrize("average", ["micro", "document"])
@settings(max_examples=20)
@given(st.data())
def test_macro_averages_are_those_of_the_oracle(average, data):
    parts = Parts("treebank", two_parts(data.draw, average))
    found = assess_parts(parts, FEW)
    for system in (0, 1):
        expected = oracle.interval(mean_over_parts(parts, system), 0.9) if vary(parts, system) else None
        near(found.macro[system]["tokens"]["f1"], expected)
    difference = found.against_first["tokens"][1]
    near(difference.difference, observed(parts))
    common = [
        result
        for result in parts.results.values()
        if result.systems[0]["tokens"].f1 is not None and result.systems[1]["tokens"].f1 is not None
    ]
    assert found.compared["tokens"][1] == len(common)
    if not any(oracle.is_enough(rows_of(result, k)) for result in common for k in (0, 1)):
        assert difference[1:] == (None, None, None)
        return
    drawn = [headlines_of(parts, system) for system in (1, 0)]
    spread = [mean_difference(own, first) for own, first in zip(*drawn, strict=True)]
    near(difference.interval, oracle.interval(spread, 0.9))
    assert difference.p == difference.adjusted == oracle.bootstrap_p(observed(parts), spread)


@settings(max_examples=20)
@given(st.data())
def test_micro_averages_are_those_of_the_oracle(data):
    parts = Parts("treebank", two_parts(data.draw))
    found = assess_parts(parts, FEW, paired=False)
    assert not found.against_first
    for system in (0, 1):
        drawn = [
            [[rows[unit] for unit in units] for units in oracle.resamples(7, len(rows), 20, number)]
            if oracle.is_enough(rows)
            else [rows] * 20
            for number, rows in enumerate(rows_of(result, system) for result in parts.results.values())
        ]
        values = [oracle.ratios(LAYER, one + two, "micro")["f1"] for one, two in zip(*drawn, strict=True)]
        expected = oracle.interval(values, 0.9) if vary(parts, system) else None
        assert found.micro[system]["tokens"]["f1"] == expected


@settings(max_examples=20)
@given(st.data())
def test_randomization_is_that_of_the_oracle(data):
    parts = Parts("treebank", two_parts(data.draw))
    found = assess_parts(parts, SHUFFLED).against_first["tokens"][1]
    bootstrap = assess_parts(parts, FEW).against_first["tokens"][1]
    assert found[:2] == bootstrap[:2]
    if bootstrap.p is None:
        assert found.p is None
        return
    trials = [
        list(oracle.exchanged_ratios(LAYER, rows_of(result, 1), rows_of(result, 0), "micro", 7, 20, number))
        for number, result in enumerate(parts.results.values())
    ]
    differences = [
        mean_difference(*([part[side]["f1"] for part in together] for side in (0, 1)))
        for together in zip(*trials, strict=True)
    ]
    tables = ([row for result in parts.results.values() for row in rows_of(result, k)] for k in (1, 0))
    assert found.p == oracle.randomization_p(observed(parts), differences, *tables)


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
    # One more unit: the part that is exchanged as a whole.
    mine, theirs = ([*rows_of(result, k), k] for k in (1, 0))
    assert found.p == oracle.randomization_p(found.difference, differences, mine, theirs)


def test_averages_are_compared_over_the_treebanks_that_both_have():
    """The first system is better where both were scored; the second looks better as it failed on the hard one."""
    easy = tokens(random_rows(1, 20, 0.95), random_rows(2, 20, 0.9))
    hard = with_failure("skip")["broken"]
    parts = Parts("treebank", {"easy": easy, "hard": replace(hard, systems=(
        replace(hard.systems[0], scores=tokens(random_rows(3, 20, 0.5)).systems[0].scores), hard.systems[1]
    ))})  # fmt: skip
    assert parts.macro(1, "tokens")["f1"] > parts.macro(0, "tokens")["f1"]
    alone = Parts("treebank", {"easy": easy})
    for resampling in (FEW, SHUFFLED):
        found = assess_parts(parts, resampling)
        assert found.against_first == assess_parts(alone, resampling).against_first
        assert found.against_first["tokens"][1].difference < 0
        assert found.compared == {"tokens": (2, 1)}
        assert found.to_dict(["a", "b"])["tests"]["tokens"]["parts"] == [2, 1]


def without(result, system):
    """The same result, of which a system could not be read."""
    lost = result.systems[system]
    scores = {"tokens": replace(lost["tokens"], available=False)}
    systems = [*result.systems]
    systems[system] = replace(lost, scores=scores, failure="no such file")
    return replace(result, systems=tuple(systems))


@pytest.mark.parametrize("resampling", [FEW, SHUFFLED], ids=["bootstrap", "randomization"])
@pytest.mark.parametrize("lacking", [[0], [1], [0, 1]], ids=["first", "second", "both"])
def test_parts_that_only_one_of_two_systems_has_are_in_no_difference(lacking, resampling):
    """Whichever of the two lacks them: each is bad at the treebank that it alone has."""
    shared = {
        "one": tokens(random_rows(1, 20, 0.9), random_rows(2, 20, 0.8)),
        "two": tokens(random_rows(3, 20, 0.7), random_rows(4, 20, 0.8)),
    }
    only = tokens(random_rows(5, 20, 0.2), random_rows(6, 20, 0.3))
    parts = Parts("treebank", shared | {f"{system} lacks": without(only, system) for system in lacking})
    found = assess_parts(parts, resampling)
    expected = assess_parts(Parts("treebank", shared), resampling)
    assert found.against_first == expected.against_first
    assert found.against_first["tokens"][1].p is not None
    assert found.compared == {"tokens": (len(parts.covered(0, "tokens")), 2)}
    for system in (0, 1):
        own = set(parts.covered(system, "tokens"))
        assert own == set(parts.results) - {f"{system} lacks"}
        is_lower = (
            parts.macro(system, "tokens")["f1"] < Parts("treebank", shared).macro(system, "tokens")["f1"]
        )
        assert is_lower == (1 - system in lacking)


@pytest.mark.parametrize("lacking", [0, 1], ids=["first", "second"])
def test_a_part_that_only_one_of_two_systems_has_counts_in_a_difference_where_failures_are_zero(lacking):
    """Both have a value for it then, so that it is compared."""
    whole = tokens(random_rows(1, 20), random_rows(2, 20))
    parts = Parts("treebank", {"whole": whole, "lacks": without(whole, lacking)}, failures="zero")
    for resampling in (FEW, SHUFFLED):
        found = assess_parts(parts, resampling)
        assert found.compared == {"tokens": (2, 2)}
        near(
            found.against_first["tokens"][1].difference,
            parts.macro(1, "tokens")["f1"] - parts.macro(0, "tokens")["f1"],
        )


def test_systems_without_a_treebank_in_common_are_not_compared():
    one, other = with_failure("skip")["broken"], with_failure("skip")["broken"]
    parts = Parts("treebank", {"one": one, "two": replace(other, systems=other.systems[::-1])})
    for resampling in (FEW, SHUFFLED):
        found = assess_parts(parts, resampling)
        assert found.against_first["tokens"] == (None, Difference(None, None, None, None))
        assert found.compared["tokens"] == (1, 0)
        assert found.macro[1]["tokens"]["f1"] is not None


@pytest.mark.parametrize("failures", ["skip", "zero"])
@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_gold_that_could_not_be_read_counts_for_no_one(test, failures):
    whole = with_failure(failures)
    lost = tuple(replace(system, scores={}, failure="gold") for system in whole["whole"].systems)
    parts = Parts(
        "treebank",
        {**whole.results, "lost": replace(whole["whole"], systems=lost, unit_kind="whole", unit_names=[])},
        failures=failures,
    )
    found, expected = (assess_parts(each, replace(FEW, test=test)) for each in (parts, whole))
    assert found.against_first == expected.against_first
    assert found.macro == expected.macro
    assert (found.n_units, found.fixed) == (40, ())


def with_windows(units, *first_rows):
    """Systems whose windows are all in the row of the first unit, as where gold has no documents."""
    rows = random_rows(1, units)
    return make_result(
        *(
            {
                "tokens": make_score([(*row, 0, 0) for row in rows]),
                "pk": make_score([first, *[(0, 0)] * (units - 1)], "pk"),
            }
            for first in first_rows
        ),
        kind="stretch",
    )


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_treebanks_that_are_one_document_do_not_vary_in_windows(test):
    resampling = replace(FEW, test=test)
    one, two = with_windows(9, (1, 10), (5, 10)), with_windows(9, (3, 10), (3, 10))
    found = assess_parts(Parts("treebank", {"one": one, "two": two}), resampling)
    assert not found.reason
    assert found.reasons == {"pk": "counted over each treebank as one document: nothing to resample"}
    assert found.macro[0]["pk"] == found.micro[0]["pk"] == {"error": None}
    assert found.against_first["pk"][1] == Difference(pytest.approx(0.2), None, None, None)
    assert found.to_dict(["a", "b"])["reasons"] == found.reasons
    assert found.against_first["tokens"][1].p == 1
    scores = [
        {"tokens": make_score([(3, 4, 4, 0, 0)] * 9), "pk": make_score([(k % 3, 10) for k in range(9)], "pk")}
    ] * 2
    varying = make_result(*scores)
    found = assess_parts(Parts("treebank", {"one": one, "varying": varying}), resampling)
    assert not found.reasons
    low, high = found.macro[0]["pk"]["error"]
    own, _ = oracle.interval(
        [row["error"] for row in oracle.resampled_ratios(
            METRICS["pk"], varying["pk"].units.tolist(), "micro", 7, 20, 1
        )], 0.9,
    )  # fmt: skip
    assert low == pytest.approx((0.1 + own) / 2)
    assert low < high


def test_units_that_have_a_share_in_several_parts_are_drawn_once():
    """As documents whose sentences are grouped by length."""
    short = tokens(random_rows(1, 20))
    long = tokens(random_rows(2, 20))
    both = make_result({"tokens": make_score(short["tokens"].units + long["tokens"].units)})
    units = dict.fromkeys(("short", "long"), range(20))
    parts = Parts("length", {"short": short, "long": long}, whole=both, units=units)
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

    units = {"short": [0, 2, 3, 5], "long": [1, 2, 4]}
    shares = {name: part(numbers) for name, numbers in units.items()}
    parts = Parts("length", shares, whole=whole, units=units)
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
    units = {"a": range(3), "b": range(3, 6)}
    halves = {
        name: make_result({"tokens": make_score(whole["tokens"].units[numbers])})
        for name, numbers in units.items()
    }
    assert (
        assess_parts(Parts("genre", halves, whole=whole, units=units), FEW).macro
        == assess_parts(Parts("genre", halves), FEW).macro
    )


NAMELESS = """\
# newdoc
1\tA\ta\tX\t_\t_\t0\troot\t_\t_

1\tb\tb\tX\t_\t_\t0\troot\t_\t_
2\tb\tb\tX\t_\t_\t1\tx\t_\t_
3\tb\tb\tX\t_\t_\t1\tx\t_\t_
4\tb\tb\tX\t_\t_\t1\tx\t_\t_
5\tb\tb\tX\t_\t_\t1\tx\t_\t_
6\tb\tb\tX\t_\t_\t1\tx\t_\t_

"""


@pytest.mark.parametrize("newdoc", ["# newdoc", "# newdoc id = the same"])
def test_documents_without_names_of_their_own_are_drawn_as_one_unit_each(newdoc):
    text = evalign.Text(NAMELESS.replace("# newdoc", newdoc) * 4)
    result = evalign.score(text, text)
    parts = result.split("length")
    assert [len(part.unit_names) for part in parts.results.values()] == [4, 4]
    assert assess_parts(parts, FEW).n_units == len(result.unit_names) == 4


def test_a_split_is_not_saved_without_its_whole(tmp_path):
    text = evalign.Text(NAMELESS * 4)
    with pytest.raises(CommandError, match="parts of one result, by length"):
        evalign.score(text, text).split("length").save(tmp_path / "run.json")
    assert not (tmp_path / "run.json").exists()


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
    with pytest.raises(CommandError, match='"las" was not scored\n  expected tokens'):
        assess_parts(parts, metrics=["las"])


def test_json_has_it_all():
    parts = Parts(
        "treebank", {"one": tokens([(3, 4, 4)] * 2, [(4, 4, 4)] * 2), "two": tokens([(3, 4, 4)], [(4, 4, 4)])}
    )
    saved = json.loads(json.dumps(assess_parts(parts, FEW).to_dict(["a", "b"]), allow_nan=False))
    assert saved["fixed"] == ["two"]
    assert saved["macro"][1] == {
        "name": "b", "scores": {"tokens": {"precision": [1, 1], "recall": [1, 1], "f1": [1, 1]}},
    }  # fmt: skip
    assert saved["micro"][0]["scores"]["tokens"]["f1"] == [0.75, 0.75]
    assert saved["tests"]["tokens"]["against_first"][1]["difference"] == 0.25
    assert saved["resampling"]["units"] == 3


def with_total_failure(result, number):
    """The same result with one more system, which failed, at place `number`."""
    failed = without(result, 0).systems[0]
    systems = [*result.systems]
    systems.insert(number, replace(failed, name="none"))
    return replace(result, systems=tuple(systems))


@pytest.mark.issue(28)
@pytest.mark.parametrize("failures", ["skip", "zero"])
@pytest.mark.parametrize("resampling", [FEW, SHUFFLED], ids=["bootstrap", "randomization"])
def test_a_system_that_failed_on_all_parts_is_in_no_test_and_changes_no_other(failures, resampling):
    results = {
        "one": tokens(random_rows(1, 20, 0.9), random_rows(2, 20, 0.8)),
        "two": tokens(random_rows(3, 20, 0.7), random_rows(4, 20, 0.8)),
    }
    alone = assess_parts(Parts("treebank", results, failures=failures), resampling)
    more = {name: with_total_failure(result, 2) for name, result in results.items()}
    parts = Parts("treebank", more, failures=failures)
    found = assess_parts(parts, resampling)
    assert found.against_first["tokens"] == (
        *alone.against_first["tokens"],
        Difference(None, None, None, None),
    )
    assert found.compared["tokens"] == (2, 2, 0)
    assert parts.fails_everywhere(2, "tokens")
    assert not parts.fails_everywhere(1, "tokens")
    first = {name: with_total_failure(result, 0) for name, result in results.items()}
    found = assess_parts(Parts("treebank", first, failures=failures), resampling)
    assert all(each is None or each.p is None for each in found.against_first["tokens"])


@pytest.mark.issue(28)
def test_a_system_that_failed_on_a_part_is_in_no_test_of_that_part():
    """It has the counts of an empty output, and Holm's correction would count its tests."""
    result = tokens(random_rows(1, 20, 0.9), random_rows(2, 20, 0.8))
    alone = assess(result, SHUFFLED)
    failed = replace(result.systems[0], name="none", failure="no such file")
    found = assess(replace(result, systems=(*result.systems, failed)), SHUFFLED)
    assert found.against_first["tokens"][:2] == alone.against_first["tokens"]
    assert found.against_first["tokens"][2] == Difference(None, None, None, None)
    assert found.matrix["tokens"][0][1] == alone.matrix["tokens"][0][1]
    assert found.intervals[2]["tokens"]["f1"] is None
    assert found.intervals[:2] == alone.intervals
