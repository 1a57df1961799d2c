"""Results made from rows of counts, for tests of resampling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from evalign.metrics.registry import METRICS
from evalign.results.ledger import Ledger
from evalign.results.result import Result
from evalign.results.system_result import NoEvidence, Score, SystemResult


def make_score(rows, metric="tokens", average="micro", available=True):
    entry = METRICS[metric]
    return Score(entry, np.array(rows, np.int64).reshape(-1, len(entry.fields)), average, available)


def make_result(*systems, kind="document"):
    """Return a result of systems, each given as its scores by metric."""
    rows = next(iter(systems[0].values())).units
    return Result(
        "gold",
        tuple(
            SystemResult(f"system {k}", scores, Ledger(1, 0, 0, 0), "evalign:0", NoEvidence())
            for k, scores in enumerate(systems)
        ),
        kind,
        [f"unit {k}" for k in range(len(rows))],
    )


def tokens(*systems, average="micro", kind="document"):
    """Return a result of systems that are given as rows of (correct, gold, system)."""
    return make_result(
        *({"tokens": make_score([(*row, row[0], row[0]) for row in rows], average=average)} for rows in systems),
        kind=kind,
    )  # fmt: skip


@st.composite
def rows(draw: st.DrawFn, golds) -> list[tuple[int, int, int]]:
    """Draw counts of a system for units whose numbers of gold spans are `golds`."""
    counts = []
    for gold in golds:
        correct = draw(st.integers(0, gold))
        counts.append((correct, gold, correct + draw(st.integers(0, 4))))
    return counts


@st.composite
def systems(draw: st.DrawFn, n_systems: int, most_units: int = 9) -> list[list[tuple[int, int, int]]]:
    """Draw rows of several systems over the same units; units and whole systems may be empty."""
    golds = draw(st.lists(st.integers(0, 6), min_size=2, max_size=most_units))
    return [draw(rows(golds)) for _ in range(n_systems)]


def random_rows(seed, n_units, right=0.9):
    """Return counts of a system that gets a share `right` of the spans right.

    The units are the same for all seeds.
    """
    golds = np.random.default_rng(0).integers(5, 40, n_units)
    generator = np.random.default_rng(seed)
    correct = generator.binomial(golds, right)
    spurious = generator.binomial(golds, 1 - right)
    return np.stack([correct, golds, correct + spurious], axis=1).tolist()


def near(found, expected):
    """Assert that a number is as expected but for its last digits, or both are nothing."""
    if found is None or expected is None:
        assert found is expected
    else:
        assert found == pytest.approx(expected, rel=0, abs=1e-12)
