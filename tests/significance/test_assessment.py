import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import evalign
from evalign.metrics.registry import METRICS
from evalign.significance.assessment import assess
from evalign.significance.values import BlockSizes, Difference, Interval, Resampling
from oracles import resampling as oracle
from resampled import make_result, make_score, near, random_rows, systems, tokens

AVERAGES = ("micro", "document")
FEW = Resampling(seed=7, resamples=25, confidence=0.9, test="bootstrap")
SHUFFLED = Resampling(seed=7, resamples=25, confidence=0.9, test="randomization")


def headlines(score, seed, resamples):
    found = oracle.resampled_ratios(score.metric, score.units.tolist(), score.average, seed, resamples)
    return [row[score.metric.headline] for row in found]


# What it finds, unit by unit


@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=20)
@given(st.data())
def test_intervals_are_those_of_the_oracle(average, data):
    result = tokens(*data.draw(systems(2, 6)), average=average)
    found = assess(result, FEW, paired=False)
    assert not found.against_first
    assert not found.matrix
    for system, intervals in zip(result.systems, found.intervals, strict=True):
        score = system["tokens"]
        expected = oracle.resampled_ratios(
            score.metric, score.units.tolist(), average, FEW.seed, FEW.resamples
        )
        for name, interval in intervals["tokens"].items():
            wanted = oracle.interval([row[name] for row in expected], FEW.confidence)
            if not oracle.is_enough(score.units.tolist()):
                assert interval is None
            elif average == "micro":
                assert interval == wanted
            else:
                near(interval, wanted)


@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=20)
@given(st.data())
def test_paired_bootstrap_is_that_of_the_oracle(average, data):
    result = tokens(*data.draw(systems(2, 6)), average=average)
    found = assess(result, FEW).against_first["tokens"][1]
    first, second = (system["tokens"] for system in result.systems)
    if first.value is None or second.value is None:
        assert found == Difference(None, None, None, None)
        return
    near(found.difference, second.value - first.value)
    if not oracle.is_enough(first.units.tolist(), second.units.tolist()):
        assert found[1:] == (None, None, None)
        return
    before, after = (headlines(score, FEW.seed, FEW.resamples) for score in (first, second))
    spread = [oracle.subtract(own, other) for own, other in zip(after, before, strict=True)]
    near(found.interval, oracle.interval(spread, FEW.confidence))
    assert found.p == found.adjusted == oracle.bootstrap_p(second.value - first.value, spread)


@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=20)
@given(st.data())
def test_paired_randomization_is_that_of_the_oracle(average, data):
    result = tokens(*data.draw(systems(2, 6)), average=average)
    found = assess(result, SHUFFLED).against_first["tokens"][1]
    bootstrap = assess(result, FEW).against_first["tokens"][1]
    first, second = (system["tokens"] for system in result.systems)
    assert found[:2] == bootstrap[:2]
    if first.value is None or second.value is None:
        return
    if not oracle.is_enough(first.units.tolist(), second.units.tolist()):
        assert (found.p, bootstrap.p) == (None, None)
        return
    trials = oracle.exchanged_ratios(
        first.metric, first.units.tolist(), second.units.tolist(), average, 7, SHUFFLED.resamples
    )
    differences = [oracle.subtract(theirs["f1"], mine["f1"]) for mine, theirs in trials]
    tables = first.units.tolist(), second.units.tolist()
    assert found.p == oracle.randomization_p(second.value - first.value, differences, *tables)


def test_more_units_than_bits_of_a_raw_number_and_more_resamples_than_are_drawn_at_once():
    blocks = BlockSizes(weights=1000, fewest_rows=9)
    resampling = Resampling(seed=3, resamples=20, test="randomization")
    one, two = random_rows(1, 201), random_rows(2, 201, 0.89)
    found = assess(tokens(one, two), resampling, blocks=blocks)
    score = tokens(one)["tokens"]
    assert found.interval(0, "tokens", "f1") == oracle.interval(headlines(score, 3, 20), 0.95)
    tables = score.units.tolist(), tokens(two)["tokens"].units.tolist()
    trials = oracle.exchanged_ratios(score.metric, *tables, "micro", 3, 20)
    differences = [theirs["f1"] - mine["f1"] for mine, theirs in trials]
    difference = found.against_first["tokens"][1]
    assert difference.p == oracle.randomization_p(difference.difference, differences, *tables)


def test_sums_that_floating_point_would_round_are_exact():
    """As those of wlas, whose weights are in billionths: 2^54 + 1 is no floating-point number."""
    weights = [(2**54 + k, 2**54 + 2 * k, 2**54 + 3 * k, 2**54 + k) for k in range(1, 6)]
    score = make_score(weights, "wlas")
    found = assess(make_result({"wlas": score}), FEW)
    assert found.interval(0, "wlas", "f1") == oracle.interval(headlines(score, 7, 25), 0.9)


# Laws


@settings(max_examples=20)
@given(systems(1), st.sampled_from(["bootstrap", "randomization"]), st.sampled_from(AVERAGES))
def test_a_system_against_itself(rows, test, average):
    found = assess(tokens(rows[0], rows[0], average=average), Resampling(resamples=20, test=test))
    difference = found.against_first["tokens"][1]
    if difference.difference is not None:
        tested = Interval(0, 0), 1, 1
        assert difference == (0, *(tested if oracle.is_enough(rows[0]) else (None, None, None)))


@settings(max_examples=20)
@given(systems(2, 6), st.sampled_from(["bootstrap", "randomization"]))
def test_p_does_not_depend_on_which_system_comes_first(rows, test):
    resampling = Resampling(resamples=20, test=test)
    there = assess(tokens(*rows), resampling)
    back = assess(tokens(*rows[::-1]), resampling)
    one, other = there.against_first["tokens"][1], back.against_first["tokens"][1]
    assert (one.p, one.adjusted) == (other.p, other.adjusted)
    near(one.difference, None if other.difference is None else -other.difference)
    assert there.intervals == back.intervals[::-1]


@settings(max_examples=20)
@given(systems(3, 6), st.sampled_from(["bootstrap", "randomization"]))
def test_nothing_depends_on_what_else_is_assessed(rows, test):
    resampling = Resampling(resamples=20, test=test)
    scores = [
        {
            "tokens": make_score([(*row, 0, 0) for row in own]),
            "pk": make_score([row[:2] for row in own], "pk"),
        }
        for own in rows
    ]
    every = assess(make_result(*scores), resampling)
    alone = assess(make_result(*scores[:2]), resampling, metrics=["tokens"])
    assert every.intervals[1]["tokens"] == alone.intervals[1]["tokens"]
    assert every.against_first["tokens"][1][:3] == alone.against_first["tokens"][1][:3]
    assert list(alone.intervals[0]) == list(alone.against_first) == ["tokens"]


@settings(max_examples=20)
@given(systems(3, 6), st.sampled_from(["bootstrap", "randomization"]))
def test_the_matrix_has_every_pair_both_ways(rows, test):
    found = assess(tokens(*rows), Resampling(resamples=20, test=test))
    matrix, first = found.matrix["tokens"], found.against_first["tokens"]
    assert [row[k] for k, row in enumerate(matrix)] == [None] * 3
    assert first[0] is None
    for k in (1, 2):
        assert matrix[k][0][:3] == first[k][:3]
    pairs = [(0, 1), (0, 2), (1, 2)]
    for i, j in pairs:
        assert (matrix[i][j].p, matrix[i][j].adjusted) == (matrix[j][i].p, matrix[j][i].adjusted)
        if matrix[i][j].interval is not None:
            low, high = matrix[j][i].interval
            assert matrix[i][j].interval == (-high, -low)
    known = [matrix[i][j] for i, j in pairs if matrix[i][j].p is not None]
    assert [found.adjusted for found in known] == oracle.holm([found.p for found in known])


@settings(max_examples=20)
@given(systems(2, 6))
def test_p_is_at_least_what_so_many_resamples_can_show(rows):
    for test in ("bootstrap", "randomization"):
        p = assess(tokens(*rows), Resampling(resamples=19, test=test)).against_first["tokens"][1].p
        assert p is None or 1 / 20 <= p <= 1


def test_the_same_seed_draws_the_same_and_another_does_not():
    result = tokens(random_rows(1, 50), random_rows(2, 50))
    one, same = (assess(result, Resampling(seed=1)) for _ in range(2))
    other = assess(result, Resampling(seed=2))
    assert one.intervals == same.intervals
    assert one.matrix == same.matrix
    assert one.intervals != other.intervals


def test_numbers_of_a_seed_stay_what_they_are():
    """Found with numpy 2.4 on Linux: no version and no platform may change them."""
    one = [(5 + k % 3, 8, 7 + k % 4) for k in range(30)]
    other = [(5 + k % 7 // 3, 8, 7 + k % 5) for k in range(30)]
    result = tokens(one, other)
    found = assess(result, Resampling(seed=12345, resamples=100, test="bootstrap")).against_first["tokens"][1]
    assert found == NUMBERS_OF_A_SEED


NUMBERS_OF_A_SEED = Difference(
    -0.06355645706558488, Interval(-0.11927215009770012, -0.008549944822489988), 4 / 101, 4 / 101
)


# What cannot be had


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("document", "one document: nothing to resample"),
        ("stretch", "one unit: nothing to resample"),
        ("whole", "counted as a whole: nothing to resample"),
    ],
)
def test_one_unit_has_differences_and_no_intervals(kind, reason):
    found = assess(tokens([(3, 4, 4)], [(4, 4, 4)], kind=kind))
    assert found.reason == reason
    assert found.n_units == 1
    assert found.intervals == ({"tokens": {"precision": None, "recall": None, "f1": None}},) * 2
    assert found.against_first["tokens"] == (None, Difference(0.25, None, None, None))
    assert found.matrix["tokens"][0][1] == Difference(-0.25, None, None, None)


def test_resamples_without_anything_to_judge_are_left_out():
    found = assess(tokens([(0, 0, 0), (1, 1, 2), (1, 1, 2)]), FEW)
    assert found.interval(0, "tokens", "f1") == (2 / 3, 2 / 3)


def test_nothing_to_judge_at_all():
    found = assess(tokens([(0, 0, 0)] * 3, [(0, 0, 0), (0, 0, 1), (0, 0, 1)]), FEW)
    assert found.interval(0, "tokens", "f1") is None
    assert found.interval(1, "tokens", "precision") == (0, 0)
    assert found.against_first["tokens"][1] == Difference(None, None, None, None)
    assert not found.reason
    assert not found.reasons


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("metric", [name for name, entry in METRICS.items() if entry.reach == "document"])
def test_windows_over_all_of_gold_are_one_unit_of_many(metric, test):
    """All are in the first row: drawing it never, once or twice says nothing of other texts."""
    gold = [["a"] * 4] * 12
    result = evalign.score(gold, gold, [*gold[:9], ["a"] * 12], metrics=["tokens", metric])
    found = assess(result, Resampling(resamples=20, test=test))
    assert (found.n_units, found.unit_kind, found.reason) == (10, "stretch", "")
    assert found.reasons == {metric: "counted over all of gold as one document: nothing to resample"}
    assert found.intervals[0][metric] == found.intervals[1][metric] == {"error": None}
    difference = found.against_first[metric][1]
    assert difference.difference > 0
    assert difference[1:] == found.matrix[metric][1][0][1:] == (None, None, None)
    assert found.interval(0, "tokens", "f1") == (1, 1)
    assert found.to_dict(["one", "two"])["reasons"] == found.reasons
    alone = assess(result, Resampling(resamples=20, test=test), metrics=[metric])
    assert alone.reason == found.reasons[metric]


@pytest.mark.parametrize("average", ["micro", "sentence"])
def test_windows_over_documents_are_resampled_by_document(examples, average):
    corpus = examples / "corpus"
    result = evalign.score(corpus / "gold.conllu", corpus / "second.conllu", metrics=["pk"], average=average)
    found = assess(result, Resampling(resamples=20))
    assert not found.reasons
    assert found.interval(0, "pk", "error").low < found.interval(0, "pk", "error").high


def test_a_label_of_one_document_has_no_interval_and_no_test():
    found = assess(tokens([(0, 0, 0), (1, 2, 2)], [(0, 0, 0), (2, 2, 2)]), FEW)
    assert found.reason == found.reasons["tokens"] == "in one document only: nothing to resample"
    assert found.intervals[1]["tokens"]["f1"] is None
    assert found.against_first["tokens"][1] == Difference(0.5, None, None, None)


def test_a_score_that_is_not_available_has_no_interval_and_no_test():
    rows = [(1, 2, 2, 1, 1), (2, 2, 2, 2, 2)]
    result = make_result(
        {"tokens": make_score(rows), "words": make_score(rows)},
        {"tokens": make_score(rows), "words": make_score(rows, available=False)},
    )
    found = assess(result, FEW)
    assert found.intervals[1]["words"] == {"precision": None, "recall": None, "f1": None}
    assert found.intervals[0]["words"]["f1"] is not None
    assert found.against_first["words"] == (None, Difference(None, None, None, None))
    assert found.against_first["tokens"][1].p == 1


def test_gold_without_a_sentence():
    found = evalign.assess(evalign.score(evalign.Text("", "gold"), evalign.Text("a b\n", "system")))
    assert found.reason.endswith("nothing to resample")


def test_a_metric_that_was_not_scored():
    with pytest.raises(evalign.CommandError, match='"las" was not scored\n  expected tokens'):
        assess(tokens([(1, 1, 1)]), metrics=["las"])


def test_one_system_has_intervals_and_nothing_to_compare():
    found = assess(tokens(random_rows(1, 20)))
    assert found.against_first == {"tokens": (None,)}
    assert found.matrix == {"tokens": ((None,),)}


def test_every_metric_of_a_result_has_intervals(examples):
    metrics = [name for name in METRICS if name not in ("oov", "wlas")]
    corpus = examples / "corpus"
    result = evalign.score(corpus / "gold.conllu", corpus / "second.conllu", metrics=metrics)
    found = assess(result, Resampling(resamples=20))
    assert (found.n_units, found.reasons) == (24, {})
    for metric, score in result.systems[0].scores.items():
        assert list(found.intervals[0][metric]) == list(score.ratios)
        for name, value in score.ratios.items():
            interval = found.interval(0, metric, name)
            if value is None:
                assert interval is None
            else:
                assert interval.low < interval.high or interval == (value, value)


# What it looks like


def test_json_has_it_all():
    result = tokens(random_rows(1, 20), random_rows(2, 20))
    found = assess(result, FEW)
    saved = json.loads(json.dumps(found.to_dict(["one", "two"]), allow_nan=False))
    assert saved["resampling"] == {
        "seed": 7, "resamples": 25, "auto": False, "test_resamples": 25,
        "confidence": 0.9, "test": "paired-bootstrap", "correction": "holm",
        "unit": "document", "units": 20, "reason": None,
    }  # fmt: skip
    assert [row["name"] for row in saved["intervals"]] == ["one", "two"]
    assert saved["intervals"][0]["scores"]["tokens"]["f1"] == list(found.interval(0, "tokens", "f1"))
    difference = found.against_first["tokens"][1]
    assert saved["tests"]["tokens"]["against_first"] == [
        None,
        {"difference": difference.difference, "interval": list(difference.interval),
         "p": difference.p, "adjusted": difference.adjusted},
    ]  # fmt: skip
    assert saved["tests"]["tokens"]["matrix"][0][0] is None


def test_few_units_call_for_caution():
    few, enough = (assess(tokens(random_rows(1, n_units))) for n_units in (19, 20))
    assert few.caution == "19 units are few: intervals are too narrow, and only randomization tests fairly"
    assert not enough.caution
    assert not assess(tokens([(1, 1, 1)])).caution


def test_memory_does_not_hold_all_resamples_at_once():
    import tracemalloc

    result = make_result({"tokens": make_score(np.ones((100_000, 5)))})
    tracemalloc.start()
    assess(result, Resampling(resamples=60))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 60 resamples at once would be 48 MB of weights and as much again for their indices.
    assert peak < 40e6
