import math
from dataclasses import replace

import numpy as np
import pytest

from evalign.metrics.registry import METRICS
from evalign.significance.inference import find_interval, ratios_of_rows


def one_by_one(metric, rows):
    found = [metric.ratios(dict(zip(metric.fields, row, strict=True))) for row in rows.tolist()]
    return {name: [row[name] for row in found] for name in found[0]}


def same(found, expected):
    assert list(found) == list(expected)
    for name, values in found.items():
        assert [None if math.isnan(value) else value for value in values.tolist()] == expected[name]


@pytest.mark.parametrize("metric", METRICS)
def test_columns_at_once_are_rows_one_by_one(metric):
    entry = METRICS[metric]
    rows = np.random.default_rng(1).integers(0, 4, (300, len(entry.fields)))
    same(ratios_of_rows(entry, rows), one_by_one(entry, rows))


@pytest.mark.parametrize(
    "ratios",
    [
        lambda counts: {"a": min(counts["correct"], counts["gold"]) / 2},
        lambda counts: {"a": 1.0 if counts["correct"] == counts["gold"] else None},
        lambda counts: {"a": counts["correct"] / (counts["gold"] or 1)},
        lambda counts: {"a": 0.5, "b": None},
        lambda counts: {"a": (1 - 1 / (2 + counts["gold"])) * 2 + (3 - counts["correct"])},
        lambda counts: {"a": counts["correct"] / counts["gold"] if counts["gold"] else 0.0},
    ],
    ids=["compares", "equals", "or", "constant", "arithmetic", "zero"],
)
def test_a_layer_may_do_more_than_divide(ratios):
    metric = replace(METRICS["tokens"], ratios=ratios)
    rows = np.random.default_rng(1).integers(0, 3, (50, 5))
    same(ratios_of_rows(metric, rows), one_by_one(metric, rows))


def test_no_rows():
    assert {
        name: len(values) for name, values in ratios_of_rows(METRICS["pk"], np.zeros((0, 2), int)).items()
    } == {"error": 0}


@pytest.mark.parametrize("size", [1, 2, 3, 40, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_intervals_are_linear_quantiles(size, confidence):
    values = np.random.default_rng(size).normal(size=size)
    expected = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    assert find_interval(np.append(values, np.nan), confidence) == pytest.approx(expected.tolist())


def test_no_interval_of_nothing():
    assert find_interval(np.array([np.nan, np.nan]), 0.9) is None
