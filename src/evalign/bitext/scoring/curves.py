"""Precision and recall of scored pairs at every threshold, and the best thresholds.

A threshold keeps the pairs with its score or a higher one, so pairs of equal score are kept together or not
at all. Scores are equal if the written decimals are, whatever the nearest floats are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import IdPairs, Numbers, Scores, WrittenScores, check_languages, read_comparable
from evalign.errors import CommandError, InputError
from evalign.metrics.counts import Counts
from evalign.progress import Progress
from evalign.results.pairing import CurvePoint, Threshold
from evalign.text import Source

# How many points of a curve are kept; no picture shows more.
MOST_POINTS = 500
# Exact quotients may be equal, or in the other order, if their floats differ by no more than this.
_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class Curve:
    """Counts of pairs at every threshold, which are the distinct scores, best first."""

    gold: int
    """Number of gold pairs."""
    thresholds: Scores
    """The distinct scores, falling."""
    system: Numbers
    """For each threshold, how many pairs of the system score as much or more."""
    correct: Numbers
    """For each threshold, how many of these are in gold."""
    written: WrittenScores | None = None
    """The thresholds as the file writes them, if they were read from one."""

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def average_precision(self) -> float | None:
        """The mean over gold pairs of the precision at their score; 0 for a gold pair that is not found.

        >>> Curve(4, np.array([0.9, 0.5]), np.array([1, 4]), np.array([1, 2])).average_precision
        0.375
        """
        if not self.gold:
            return None
        gained = np.diff(self.correct, prepend=0)
        return float((gained * (self.correct / self.system)).sum() / self.gold)

    def find_best(self) -> int | None:
        """Return the index of the threshold with the best F1; None if there is no pair.

        Of equal ones it is the highest threshold.
        """
        if not len(self):
            return None
        shares = self.correct / (self.gold + self.system)
        near = np.flatnonzero(shares >= shares.max() * (1 - _NEAR)).tolist()
        best = near[0]
        for point in near[1:]:
            # The fractions are equal or differ by less than floats can tell, so they are compared as whole
            # numbers.
            one, two = ((int(self.correct[k]), self.gold + int(self.system[k])) for k in (best, point))
            if two[0] * one[1] > one[0] * two[1]:
                best = point
        return int(best)

    def describe(self, point: int, chosen_on: str) -> Threshold:
        """Return the threshold at a point with its counts and F1.

        `chosen_on` names the gold it was chosen on.
        """
        counts = Counts(int(self.correct[point]), self.gold, int(self.system[point]))
        threshold = Threshold(
            threshold=float(self.thresholds[point]),
            chosen_on=chosen_on,
            correct=counts.correct,
            gold=counts.gold,
            system=counts.system,
            f1=counts.f1,
        )
        written = self.show_exact(point)
        if written:
            threshold["written"] = written
        return threshold

    def show_exact(self, point: int) -> str:
        """Return a threshold as it is written if its float has another value; otherwise ""."""
        return self.written.show_exact(point, float(self.thresholds[point])) if self.written else ""

    def points(self, most: int = MOST_POINTS) -> list[CurvePoint]:
        """Return at most `most` points of the curve, at equal steps of the number of pairs.

        The first, the best and the last point are always among them.
        """
        if len(self) <= most:
            return [self._point(k) for k in range(len(self))]
        steps = np.linspace(0, int(self.system[-1]), most - 2)
        kept = {0, len(self) - 1, self.find_best() or 0, *np.searchsorted(self.system, steps).tolist()}
        return [self._point(k) for k in sorted(kept)]

    def _point(self, k: int) -> CurvePoint:
        counts = Counts(int(self.correct[k]), self.gold, int(self.system[k]))
        return CurvePoint(
            threshold=float(self.thresholds[k]),
            correct=counts.correct,
            system=counts.system,
            precision=counts.precision or 0.0,
            recall=counts.recall,
        )


def make_curve(pairs: IdPairs, is_correct: npt.NDArray[np.bool_], gold: int) -> Curve:
    """Make the curve of scored pairs; `gold` is the number of gold pairs."""
    scores = np.zeros(len(pairs)) if pairs.scores is None else pairs.scores
    order = np.argsort(-pairs.levels, kind="stable")
    ranked = pairs.levels[order]
    # The last pair of each score: up to it, all pairs with that score are counted.
    lasts = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)])
    correct = np.cumsum(is_correct[order], dtype=np.int64)
    lowest = order[lasts]
    return Curve(
        gold, scores[lowest], lasts + 1, correct[lasts], pairs.written.take(lowest) if pairs.written else None
    )


def are_gold(system: IdPairs, gold: IdPairs) -> npt.NDArray[np.bool_]:
    """Return for each pair of a system whether gold has it."""
    if not len(gold):
        return np.zeros(len(system), bool)
    keys, gold_keys = system.keys, gold.keys
    at = np.minimum(np.searchsorted(gold_keys, keys), len(gold_keys) - 1)
    is_gold: npt.NDArray[np.bool_] = gold_keys[at] == keys
    return is_gold


# Thresholds that are best on the training split, and are applied to another split.


def find_thresholds(
    training: Sequence[Source],
    scored: IdPairs,
    systems: Sequence[Source],
    names: Sequence[str],
    progress: Progress,
) -> Sequence[Threshold | None]:
    """Return the best threshold of each system on the training split.

    None for each if there is no `training`.

    `training` is gold of the training split, then a file of each system. `scored` is the gold that the
    thresholds will be applied to: it must be of the same languages. The first of `names`, if any, is the name
    of the training gold in results.
    """
    if not training:
        return [None] * len(systems)
    if len(training) != len(systems) + 1:
        message = f"training files: {len(training)}, systems: {len(systems)}"
        expected = "gold of the training split, then a file of each system for it, in their order"
        raise CommandError(message, expected)
    gold, *read = read_comparable(training[0], training[1:], "gold pairs to choose a threshold by", progress)
    check_languages(gold, scored)
    thresholds = [_find_threshold(gold, pairs) for pairs in read]
    name = "".join(names[:1]) or gold.name
    for threshold in thresholds:
        threshold["chosen_on"] = name
    return thresholds


def _find_threshold(gold: IdPairs, pairs: IdPairs) -> Threshold:
    if pairs.scores is None:
        wanted = "a third column with a score, to choose a threshold by"
        raise InputError(pairs.start, "pairs without scores" if len(pairs) else "no pair", wanted)
    curve = make_curve(pairs, are_gold(pairs, gold), len(gold))
    best = curve.find_best()
    if best is None or not curve.correct[-1]:
        raise InputError(
            pairs.start, f"none of its pairs is in {gold.name}", "some, to choose a threshold by"
        )
    return curve.describe(best, gold.name)
