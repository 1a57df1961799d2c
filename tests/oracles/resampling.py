"""Resampling by definition, one unit at a time, in plain loops.

The raw random numbers are those that evalign draws.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

BOOTSTRAP, RANDOMIZATION = 0, 1


def raw_stream(seed, *key):
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))


def resamples(seed, n_units, n_resamples, *key):
    """Yield the unit numbers of each bootstrap resample."""
    stream = raw_stream(seed, BOOTSTRAP, *key)
    for _ in range(n_resamples):
        drawn = []
        while len(drawn) < n_units:
            raw = int(stream.random_raw())
            for half in (raw % 2**32, raw // 2**32):
                drawn.append(half * n_units // 2**32)
        yield drawn[:n_units]


def swaps(seed, n_units, n_trials, *key):
    """Yield, for each trial, whether each unit is exchanged."""
    stream = raw_stream(seed, RANDOMIZATION, *key)
    for _ in range(n_trials):
        bits = []
        while len(bits) < n_units:
            raw = int(stream.random_raw())
            bits += [raw >> place & 1 for place in range(64)]
        yield bits[:n_units]


def ratios(metric, rows, average):
    """Return the ratios of `rows` taken together, as `Score.ratios` does."""
    if average == "micro":
        sums = [sum(column) for column in zip(*rows, strict=True)]
        return metric.ratios(dict(zip(metric.fields, sums, strict=True)))
    by_unit = [metric.ratios(dict(zip(metric.fields, row, strict=True))) for row in rows]
    return {name: mean([row[name] for row in by_unit]) for name in by_unit[0]}


def mean(values):
    present = [value for value in values if value is not None]
    return math.fsum(present) / len(present) if present else None


def quantile(values, share):
    """Interpolate linearly between neighbouring values; `values` must be sorted."""
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = math.ceil(place)
    return values[below] + (values[above] - values[below]) * (place - below)


def interval(values, confidence):
    present = sorted(value for value in values if value is not None)
    if not present:
        return None
    outside = (1 - confidence) / 2
    return quantile(present, outside), quantile(present, 1 - outside)


def is_enough(*tables):
    """Return whether at least two units have any count in one of `tables`, which all have the same units."""
    return sum(any(any(row) for row in rows) for rows in zip(*tables, strict=True)) > 1


def resampled_ratios(metric, rows, average, seed, n_resamples, *key):
    """Return the ratios of each resample."""
    return [
        ratios(metric, [rows[unit] for unit in drawn], average)
        for drawn in resamples(seed, len(rows), n_resamples, *key)
    ]


def exchanged_ratios(metric, rows, others, average, seed, n_trials, *key):
    """Yield the ratios of both systems in each trial."""
    for bits in swaps(seed, len(rows), n_trials, *key):
        mine = [other if bit else row for bit, row, other in zip(bits, rows, others, strict=True)]
        theirs = [row if bit else other for bit, row, other in zip(bits, rows, others, strict=True)]
        yield ratios(metric, mine, average), ratios(metric, theirs, average)


def subtract(one, other):
    return None if one is None or other is None else one - other


def bootstrap_p(observed, differences):
    present = [value for value in differences if value is not None]
    if not present:
        return None
    centre = math.fsum(present) / len(present)
    return (1 + sum(abs(value - centre) > abs(observed) - 1e-12 for value in present)) / (1 + len(present))


def randomization_p(observed, differences, rows, others):
    """Return the p-value by counting trials.

    It is at least the share of the two exchanges that always count: of all units, and of none.
    """
    present = [value for value in differences if value is not None]
    if not present:
        return None
    counted = (1 + sum(abs(value) > abs(observed) - 1e-12 for value in present)) / (1 + len(present))
    differing = sum(row != other for row, other in zip(rows, others, strict=True))
    return max(counted, 2 / max(2, 2**differing))


def holm(values):
    """Adjust p-values step by step, as Holm wrote it: each p against the number of those that are left."""
    left = sorted(range(len(values)), key=lambda number: values[number])
    adjusted, before = [0.0] * len(values), 0.0
    while left:
        before = adjusted[left[0]] = max(before, min(1.0, len(left) * values[left[0]]))
        del left[0]
    return adjusted


def exact_randomization_p(metric, rows, others, average, observed):
    """Return the exact p-value, by trying all 2^n ways to exchange units.

    It is the share of exchanges whose difference is at least as large as `observed`.
    """
    large = total = 0
    for bits in itertools.product((0, 1), repeat=len(rows)):
        mine = [other if bit else row for bit, row, other in zip(bits, rows, others, strict=True)]
        theirs = [row if bit else other for bit, row, other in zip(bits, rows, others, strict=True)]
        difference = subtract(
            ratios(metric, mine, average)[metric.headline], ratios(metric, theirs, average)[metric.headline]
        )
        if difference is not None:
            total += 1
            large += abs(difference) > abs(observed) - 1e-12
    return large / total
