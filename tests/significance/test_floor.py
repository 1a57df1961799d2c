"""The number of resamples of a test, and the smallest p-value that it can give."""

from __future__ import annotations

import math
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import oracles.resampling as oracle
from evalign.cli.run import load_command
from evalign.metrics.registry import METRICS
from evalign.results.result import Parts
from evalign.significance.assessment import assess
from evalign.significance.parts import assess_parts
from evalign.significance.values import MOST_RESAMPLES, TESTS, BlockSizes, Resampling
from resampled import make_result, make_score, random_rows, systems, tokens

pytestmark = pytest.mark.issue(15)
LAYER = METRICS["tokens"]


def apart(n_systems, n_units=30):
    """Systems of which each is clearly better than the one before it, in every unit."""
    return tokens(*([(10 + 5 * k, 100, 100)] * n_units for k in range(n_systems)))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("n_systems", [2, 3, 6])
def test_clear_differences_of_many_systems_reach_0_001(n_systems, test):
    found = assess(apart(n_systems), Resampling(test=test))
    n_pairs = math.comb(n_systems, 2)
    assert found.test_resamples == 1000 * n_pairs
    least = n_pairs / (1000 * n_pairs + 1)
    for i, j in combinations(range(n_systems), 2):
        assert found.matrix["tokens"][i][j].adjusted == pytest.approx(least)
    assert found.floors["tokens"].matrix == pytest.approx(least)
    assert least < 0.001


def test_a_number_that_is_given_is_used_for_intervals_and_tests():
    found = assess(apart(4), Resampling(resamples=50))
    assert found.test_resamples == 50
    assert found.floors["tokens"][:2] == (pytest.approx(3 / 51), pytest.approx(6 / 51))
    assert found.matrix["tokens"][0][1].adjusted == pytest.approx(6 / 51)
    assert "|resamples:50|" in found.describe(paired=True)


def test_the_signature_says_how_many_resamples_there_were():
    found = assess(apart(3))
    assert "|resamples:auto(3000)|" in found.describe(paired=True)
    assert "|resamples:auto(1000)|" in found.describe(paired=False)
    saved = found.to_dict(["a", "b", "c"])["resampling"]
    assert (saved["resamples"], saved["test_resamples"], saved["auto"]) == (1000, 3000, True)
    alone = assess(apart(3), paired=False)
    assert alone.to_dict(["a", "b", "c"])["resampling"]["test_resamples"] is None
    assert alone.floors == {}


@pytest.mark.parametrize("test", TESTS)
def test_intervals_are_the_same_however_many_systems_are_tested(test):
    rows = [random_rows(seed, 40) for seed in range(4)]
    many, two = (assess(tokens(*rows[:n]), Resampling(test=test)) for n in (4, 2))
    assert many.intervals[:2] == two.intervals
    assert many.against_first["tokens"][1].interval == two.against_first["tokens"][1].interval


@pytest.mark.parametrize("test", TESTS)
def test_p_is_that_of_so_many_resamples_asked_for(test):
    """And of the slow oracle's, which draws as many from the same stream."""
    rows = [random_rows(seed, 12) for seed in range(3)]
    result = tokens(*rows)
    found = assess(result, Resampling(test=test))
    asked = assess(result, Resampling(test=test, resamples=3000))
    assert [one.p for one in found.matrix["tokens"][2][:2]] == [
        one.p for one in asked.matrix["tokens"][2][:2]
    ]
    tables = [system.scores["tokens"].units.tolist() for system in result.systems]
    observed = found.against_first["tokens"][2].difference
    if test == "randomization":
        trials = oracle.exchanged_ratios(LAYER, tables[0], tables[2], "micro", 12345, 3000)
        differences = [own["f1"] - first["f1"] for own, first in trials]
        expected = oracle.randomization_p(observed, differences, tables[0], tables[2])
    else:
        first, own = (
            oracle.resampled_ratios(LAYER, table, "micro", 12345, 3000) for table in (tables[0], tables[2])
        )
        expected = oracle.bootstrap_p(observed, [b["f1"] - a["f1"] for a, b in zip(first, own, strict=True)])
    assert found.against_first["tokens"][2].p == expected


@settings(max_examples=25, deadline=None)
@given(systems(2, most_units=8), st.sampled_from(["micro", "document"]))
def test_no_p_is_below_the_floor_and_sampled_ones_are_near_the_exact_one(rows, average):
    result = tokens(*rows, average=average)
    found = assess(result)
    pair, floor = found.against_first["tokens"][1], found.floors["tokens"]
    assert (pair.p is None) == (floor is None)
    if floor is None:
        return
    first, second = (system.scores["tokens"].units.tolist() for system in result.systems)
    exact = oracle.exact_randomization_p(LAYER, second, first, average, pair.difference)
    assert exact >= floor.against_first - 1e-12 or exact >= 1 / 1001
    assert pair.adjusted >= floor.against_first
    assert exact >= 2.0 ** (1 - max(1, floor.differing)) - 1e-12
    # Six standard errors of 1,000 trials.
    assert abs(pair.p - exact) <= 6 * math.sqrt(exact * (1 - exact) / 1000) + 2 / 1001


def test_few_units_set_the_floor_of_randomization_but_not_of_the_bootstrap():
    found = assess(apart(3, 8))
    assert found.floors["tokens"] == (2 * 2 / 2**8, 3 * 2 / 2**8, 8)
    assert found.matrix["tokens"][0][1].adjusted >= 3 * 2 / 2**8
    assert found.matrix["tokens"][0][1].adjusted == pytest.approx(3 * 2 / 2**8, rel=0.5)
    bootstrap = assess(apart(3, 8), Resampling(test="bootstrap"))
    assert bootstrap.floors["tokens"].matrix == bootstrap.matrix["tokens"][0][1].adjusted < 0.001


def test_units_in_which_two_systems_agree_do_not_lower_the_floor():
    one = [(10, 100, 100)] * 300
    two = [(90, 100, 100)] * 4 + one[4:]
    found = assess(tokens(one, two))
    assert found.floors["tokens"] == (2 / 2**4, 2 / 2**4, 4)
    same = assess(tokens(one, one, one))
    assert same.floors["tokens"] == (1, 1, 0)


@pytest.mark.parametrize("test", TESTS)
def test_averages_over_parts_follow_the_tests_against_the_first(test):
    parts = Parts("treebank", {"a": apart(4, 9), "b": apart(4, 3)})
    found = assess_parts(parts, Resampling(test=test))
    assert found.test_resamples == 3000
    assert "|resamples:auto(3000)|" in found.describe(paired=True)
    expected = 3 / 3001 if test == "bootstrap" else 3 * 2 / 2**12
    assert found.floors["tokens"].against_first == pytest.approx(expected)
    assert found.floors["tokens"].differing == 12
    asked = assess_parts(parts, Resampling(test=test, resamples=3000))
    for auto, same in zip(found.against_first["tokens"][1:], asked.against_first["tokens"][1:], strict=True):
        assert (auto.p, auto.adjusted) == (same.p, same.adjusted)
    assert found.macro == assess_parts(parts, Resampling(test=test, resamples=1000)).macro
    saved = found.to_dict("abcd")["tests"]["tokens"]["floor"]
    assert saved == {"against_first": found.floors["tokens"].against_first, "differing": 12}


@pytest.mark.parametrize("test", TESTS)
def test_blocks_of_resamples_change_nothing(test):
    rows = [random_rows(seed, 20) for seed in range(3)]
    parts = Parts("treebank", {"a": tokens(*rows), "b": tokens(*(row[:7] for row in rows))})
    whole = assess(tokens(*rows), Resampling(test=test)), assess_parts(parts, Resampling(test=test))
    small = BlockSizes(sums=1, held=1)
    blocks = (
        assess(tokens(*rows), Resampling(test=test), blocks=small),
        assess_parts(parts, Resampling(test=test), blocks=small),
    )
    for one, other in zip(whole, blocks, strict=True):
        assert one.against_first == other.against_first
    assert whole[0].intervals == blocks[0].intervals


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_memory_holds_a_block_of_resamples_at_a_time(test):
    """28 pairs of three metrics: the sums of all 28,000 resamples would take 27 MB, all differences 19."""
    generator = np.random.default_rng(1)
    metrics = ("tokens", "words", "sentences")
    result = make_result(
        *({metric: make_score(generator.integers(1, 30, (50, len(METRICS[metric].fields))), metric) for metric in metrics}
          for _ in range(8))
    )  # fmt: skip
    tracemalloc.start()
    found = assess(result, Resampling(test=test), blocks=BlockSizes(sums=2**16))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.test_resamples == 28_000
    assert peak < 8e6


def test_a_long_test_tells_how_far_it_is():
    steps = []
    assess(apart(6), progress=steps.append)
    tested = [step for step in steps if step.startswith("testing")]
    assert tested[0] == "testing 15 differences"
    assert (tested[0].done, tested[0].total) == (0, 15_000)


def test_the_command_line_allows_as_many_resamples_as_there_can_be_of_themselves():
    assert Resampling().for_tests(10**6) == MOST_RESAMPLES
    parser = load_command("score").make_parser()
    asked = ["gold.txt", "one.txt", "--confidence", "--resamples"]
    assert parser.parse_args([*asked, str(MOST_RESAMPLES)]).resamples == MOST_RESAMPLES
    with pytest.raises(SystemExit):
        parser.parse_args([*asked, str(MOST_RESAMPLES + 1)])
