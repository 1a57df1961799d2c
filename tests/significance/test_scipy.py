"""Comparison with scipy, which draws other random numbers: equal within the precision of the resamples."""

import numpy as np
import pytest

from evalign.significance.assessment import assess
from evalign.significance.values import Resampling
from resampled import random_rows, tokens

stats = pytest.importorskip("scipy.stats")
MANY = 4000


def f1(correct, gold, system, axis=-1):
    return 2 * correct.sum(axis=axis) / (gold.sum(axis=axis) + system.sum(axis=axis))


def difference(correct, gold, system, other_correct, other_gold, other_system, axis=-1):
    """Of two systems whose columns come one after the other."""
    return f1(other_correct, other_gold, other_system, axis) - f1(correct, gold, system, axis)


def columns(*systems):
    return tuple(column.astype(float) for rows in systems for column in np.array(rows).T)


def scipy_interval(data, statistic, confidence):
    found = stats.bootstrap(
        data, statistic, paired=True, vectorized=True, n_resamples=MANY, batch=200, method="percentile",
        confidence_level=confidence, rng=np.random.default_rng(5),
    )  # fmt: skip
    return tuple(found.confidence_interval), found.standard_error


@pytest.mark.slow
@pytest.mark.parametrize(("n_units", "confidence"), [(12, 0.9), (300, 0.95), (2000, 0.8)])
def test_intervals_agree(n_units, confidence):
    rows = random_rows(1, n_units, 0.8)
    found = assess(tokens(rows), Resampling(resamples=MANY, confidence=confidence))
    interval, error = scipy_interval(columns(rows), f1, confidence)
    # Of 4,000 draws the 2.5 % quantile varies by 0.04 standard deviations, the difference of two by 0.06.
    assert found.interval(0, "tokens", "f1") == pytest.approx(interval, abs=0.2 * error)


@pytest.mark.slow
@pytest.mark.parametrize("n_units", [12, 300])
def test_intervals_of_differences_agree(n_units):
    one, two = random_rows(1, n_units, 0.8), random_rows(2, n_units, 0.82)
    found = assess(tokens(one, two), Resampling(resamples=MANY)).against_first["tokens"][1]
    interval, error = scipy_interval(columns(one, two), difference, 0.95)
    assert found.interval == pytest.approx(interval, abs=0.2 * error)


@pytest.mark.slow
def test_intervals_of_means_over_units_agree():
    rows = random_rows(1, 100, 0.8)
    found = assess(tokens(rows, average="document"), Resampling(resamples=MANY))
    correct, gold, system = columns(rows)
    interval, error = scipy_interval((2 * correct / (gold + system),), np.mean, 0.95)
    assert found.interval(0, "tokens", "f1") == pytest.approx(interval, abs=0.2 * error)


def permutation_p(one, two, statistic, resamples):
    """Scipy's p-value of exchanging units; unit numbers are exchanged, as it knows no rows of several columns."""
    both = np.array([one, two], float)
    units = np.arange(len(one))

    def pick(first, second, axis=-1):
        chosen = [
            both[side.astype(int) // len(units), side.astype(int) % len(units)] for side in (first, second)
        ]
        return statistic(*np.moveaxis(chosen[0], -1, 0), *np.moveaxis(chosen[1], -1, 0), axis=axis)

    return stats.permutation_test(
        (units.astype(float), (units + len(units)).astype(float)), pick, permutation_type="samples",
        vectorized=True, n_resamples=resamples, batch=200, alternative="two-sided", rng=np.random.default_rng(5),
    ).pvalue  # fmt: skip


@pytest.mark.parametrize("right", [0.8, 0.85, 0.9, 0.95])
def test_randomization_agrees_with_all_exchanges_of_few_units(right):
    one, two = random_rows(1, 9, 0.8), random_rows(2, 9, right)
    found = assess(tokens(one, two), Resampling(resamples=MANY, test="randomization"))
    exact = permutation_p(one, two, difference, np.inf)
    # Standard error of a share of 4,000, three times.
    error = 3 * np.sqrt(exact * (1 - exact) / MANY) + 1 / MANY
    assert found.against_first["tokens"][1].p == pytest.approx(exact, abs=error)


@pytest.mark.slow
@pytest.mark.parametrize("right", [0.8, 0.805, 0.81])
def test_randomization_agrees_with_scipys(right):
    one, two = random_rows(1, 200, 0.8), random_rows(2, 200, right)
    found = assess(tokens(one, two), Resampling(resamples=MANY, test="randomization"))
    theirs = permutation_p(one, two, difference, MANY)
    error = 3 * np.sqrt(2 * theirs * (1 - theirs) / MANY) + 1 / MANY
    assert found.against_first["tokens"][1].p == pytest.approx(theirs, abs=error)


@pytest.mark.slow
def test_both_tests_find_nothing_in_noise_as_often_as_they_should():
    """Two systems that are equally good differ at p < 0.1 in about one run of ten."""
    for test in ("bootstrap", "randomization"):
        found = [
            assess(
                tokens(random_rows(2 * k + 1, 60), random_rows(2 * k + 2, 60)),
                Resampling(resamples=200, test=test),
            )
            for k in range(400)
        ]
        share = np.mean([one.against_first["tokens"][1].p < 0.1 for one in found])
        # Standard error 0.015; the bootstrap is a little too bold with few units.
        assert 0.05 < share < 0.16
