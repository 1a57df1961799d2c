"""Options of resampling (`Resampling`), its results (`Significance`, `PartsSignificance`), and their JSON.

Loads no numpy, so that the command line can check options quickly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Literal, NamedTuple, TypeAlias

from evalign.errors import CommandError, suggest

Test = Literal["randomization", "bootstrap"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap")

FOR_INTERVALS = 1000
"""Default number of resamples for intervals."""
FOR_EACH_TEST = 1000
"""Default number of resamples of a single test; each of m tests that are corrected together has m times this.

Holm's correction then still lets p reach 0.001.
"""
MOST_RESAMPLES = 1_000_000
TELLING = 0.001
"""P-value that tests can normally reach; reports show the floor if few units or resamples keep it higher."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """Options of resampling: seed, number of resamples, confidence level of intervals, test of differences.

    If `resamples` is None, intervals have 1,000 resamples, and each of m tests that are corrected together
    has 1,000 m.

    >>> Resampling(resamples=0)
    Traceback (most recent call last):
        ...
    evalign.errors.CommandError: 0 resamples
      expected a whole number from 1 on
    """

    seed: int = 12345
    resamples: int | None = None
    confidence: float = 0.95
    test: Test = "randomization"
    """Randomization is fair with few units; the bootstrap finds too many differences.

    docs/significance.md has the figures.
    """

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            message = f"the seed {self.seed!r}"
            raise CommandError(message, "a whole number from 0 on")
        if self.resamples is not None and (not _is_whole(self.resamples) or self.resamples < 1):
            message = f"{self.resamples!r} resamples"
            raise CommandError(message, "a whole number from 1 on")
        if not _is_number(self.confidence) or not 0 < self.confidence < 1:
            message = f"the confidence level {self.confidence!r}"
            raise CommandError(message, "a number between 0 and 1, as 0.95")
        if self.test not in TESTS:
            message = f"unknown test {self.test!r}"
            raise CommandError(message, *suggest(str(self.test), TESTS))

    @property
    def alpha(self) -> float:
        """The level of significance; rounded, as 1 - 0.95 is a little more than 0.05."""
        return round(1 - self.confidence, 12)

    @property
    def for_intervals(self) -> int:
        """Number of resamples for intervals."""
        return FOR_INTERVALS if self.resamples is None else self.resamples

    def for_tests(self, tests: int) -> int:
        """Return the number of resamples for each of `tests` tests that are corrected together.

        >>> Resampling().for_tests(1), Resampling().for_tests(55), Resampling(resamples=200).for_tests(55)
        (1000, 55000, 200)
        """
        if self.resamples is not None:
            return self.resamples
        return min(FOR_EACH_TEST * max(1, tests), MOST_RESAMPLES)

    def describe(self, *, paired: bool, tests: int = 1) -> str:
        """Return the fields of a signature that describe the options.

        `paired` adds the test, one of `tests` that are corrected together.

        >>> Resampling().describe(paired=False)
        'seed:12345|resamples:auto(1000)|confidence:0.95'
        >>> Resampling(seed=1, resamples=500).describe(paired=True, tests=55)
        'seed:1|resamples:500|confidence:0.95|test:paired-randomization|correction:holm'
        >>> Resampling().describe(paired=True, tests=55).split("|")[1]
        'resamples:auto(55000)'
        """
        resamples = self.for_tests(tests) if paired else self.for_intervals
        shown = f"auto({resamples})" if self.resamples is None else str(resamples)
        intervals = f"seed:{self.seed}|resamples:{shown}|confidence:{self.confidence!r}"
        return f"{intervals}|test:paired-{self.test}|correction:holm" if paired else intervals


def _is_whole(value: object) -> bool:
    """Return whether `value` is an integer and not a bool, which Python counts as an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


DEFAULT_RESAMPLING = Resampling()
"""Default options of `assess` and `assess_parts`."""


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """Limits of what is held in memory at a time; no result depends on them."""

    weights: int = 2**19
    """Weights of units in a block of resamples, within `fewest_rows` and `most_rows`.

    The lower limit keeps a table of many units from being read too often.
    """
    fewest_rows: int = 16
    most_rows: int = 64
    """Most resamples in a block, however few units there are."""
    sums: int = 2**20
    """Sums in a block: few enough for memory, enough for numpy to do most of the work."""
    held: int = 2**24
    """Sums kept for all resamples, 128 MB: those of 16,000 columns at the default 1,000 resamples."""


DEFAULT_BLOCKS = BlockSizes()


class Interval(NamedTuple):
    """Confidence interval: the bounds of the central share of the resamples."""

    low: float
    high: float


class Difference(NamedTuple):
    """Headline ratio of one system minus another's, with interval and p-values; None where undefined."""

    difference: float | None
    interval: Interval | None
    p: float | None
    """Two-sided, before correction."""
    adjusted: float | None
    """After Holm's correction for several tests."""


FEW_UNITS = 20
FEW = "intervals are too narrow, and only randomization tests fairly"
"""Caution for results with fewer than `FEW_UNITS` units, for which the bootstrap is unreliable.

docs/significance.md has the figures.
"""


class Floor(NamedTuple):
    """Lowest adjusted p-values that tests of a metric can reach, given numbers of resamples and units."""

    against_first: float
    """For the tests against the first system."""
    matrix: float
    """For the tests of all pairs of systems."""
    differing: int
    """The largest number of units in which any two systems differ."""


NOTHING = Difference(None, None, None, None)
"""The difference if one of the two systems has no score."""

Intervals: TypeAlias = Mapping[str, Mapping[str, Interval | None]]
"""Intervals of one system by metric and ratio."""


@dataclass(frozen=True, eq=False)
class Significance:
    """Intervals of all scores of a result, and tests of the differences between its systems."""

    resampling: Resampling
    unit_kind: str
    n_units: int
    reason: str
    """Why there are no intervals and p-values, in words; empty if there are."""
    intervals: tuple[Intervals, ...]
    """Per system, by metric and ratio."""
    against_first: Mapping[str, tuple[Difference | None, ...]]
    """Per metric: every system minus the first, None for the first itself; adjusted over the systems."""
    matrix: Mapping[str, tuple[tuple[Difference | None, ...], ...]]
    """Per metric: system i minus system j, None for a system itself; adjusted over all pairs."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By metric: why it has neither intervals nor p-values, as all its counts are in one unit."""
    test_resamples: int = 0
    """Number of resamples for each test; 0 without tests."""
    floors: Mapping[str, Floor | None] = field(default_factory=dict)
    """Per metric: how low adjusted p-values can be; None if there is no test."""

    @property
    def caution(self) -> str:
        """Warning that there are few units; empty if there are enough."""
        return _caution(self)

    def describe(self, *, paired: bool) -> str:
        """Return the fields of a signature that describe resampling and, if `paired`, tests."""
        return self.resampling.describe(paired=paired, tests=comb(len(self.intervals), 2))

    def interval(self, system: int, metric: str, ratio: str) -> Interval | None:
        """Return the interval of a ratio of system number `system`; None if it has none."""
        return self.intervals[system].get(metric, {}).get(ratio)

    def to_dict(self, names: Sequence[str]) -> dict[str, object]:
        """Return the JSON form; `names` are the names of the systems."""
        return {
            "resampling": _resampling_json(self),
            "reasons": dict(self.reasons),
            "intervals": _intervals_json(names, self.intervals),
            "tests": {
                metric: {
                    "against_first": [_difference_json(difference) for difference in row],
                    "floor": _floor_json(self.floors.get(metric)),
                    "matrix": [
                        [_difference_json(difference) for difference in line] for line in self.matrix[metric]
                    ],
                }
                for metric, row in self.against_first.items()
            },
        }


@dataclass(frozen=True, eq=False)
class PartsSignificance:
    """Intervals of averages over the parts of a run, and tests of macro averages against the first system."""

    resampling: Resampling
    unit_kind: str
    n_units: int
    """Units in all parts together."""
    reason: str
    """Why there are no intervals and p-values, in words; empty if there are."""
    fixed: tuple[str, ...]
    """Parts with a single unit: they cannot be resampled and do not vary."""
    macro: tuple[Intervals, ...]
    """Per system: intervals of the mean over the parts."""
    micro: tuple[Intervals, ...]
    """Per system: intervals of the ratios of the summed counts."""
    against_first: Mapping[str, tuple[Difference | None, ...]]
    """Per metric: every system's macro average minus the first one's, adjusted over the systems.

    Both averages are over the parts that both systems have a value for.
    """
    compared: Mapping[str, tuple[int, ...]]
    """Per metric: how many parts every system has in common with the first."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By metric: why it has neither intervals nor p-values: all its counts in each part are in one unit."""
    test_resamples: int = 0
    """Number of resamples for each test of averages; 0 without tests."""
    floors: Mapping[str, Floor | None] = field(default_factory=dict)
    """Per metric: how low adjusted p-values of the averages can be; None if there is no test."""

    def describe(self, *, paired: bool) -> str:
        """Return the fields of a signature that describe resampling and, if `paired`, tests."""
        return self.resampling.describe(paired=paired, tests=len(self.macro) - 1)

    @property
    def caution(self) -> str:
        """Warning that there are few units; empty if there are enough."""
        return _caution(self)

    def to_dict(self, names: Sequence[str]) -> dict[str, object]:
        """Return the JSON form; `names` are the names of the systems."""
        return {
            "resampling": _resampling_json(self),
            "reasons": dict(self.reasons),
            "fixed": list(self.fixed),
            "macro": _intervals_json(names, self.macro),
            "micro": _intervals_json(names, self.micro),
            "tests": {
                metric: {
                    "against_first": [_difference_json(difference) for difference in row],
                    "parts": list(self.compared[metric]),
                    "floor": _floor_json(self.floors.get(metric), pairs=False),
                }
                for metric, row in self.against_first.items()
            },
        }


def _caution(significance: Significance | PartsSignificance) -> str:
    if significance.reason or significance.n_units >= FEW_UNITS:
        return ""
    return f"{significance.n_units} units are few: {FEW}"


def _resampling_json(significance: Significance | PartsSignificance) -> dict[str, object]:
    resampling = significance.resampling
    return {
        "seed": resampling.seed,
        # Of intervals; each test has its own number, null without tests.
        "resamples": resampling.for_intervals,
        "auto": resampling.resamples is None,
        "test_resamples": significance.test_resamples or None,
        "confidence": resampling.confidence,
        "test": f"paired-{resampling.test}",
        "correction": "holm",
        "unit": significance.unit_kind,
        "units": significance.n_units,
        "reason": significance.reason or None,
    }


def _intervals_json(names: Sequence[str], systems: Sequence[Intervals]) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "scores": {
                metric: {ratio: list(interval) if interval else None for ratio, interval in ratios.items()}
                for metric, ratios in intervals.items()
            },
        }
        for name, intervals in zip(names, systems, strict=True)
    ]


def _floor_json(floor: Floor | None, *, pairs: bool = True) -> dict[str, object] | None:
    if floor is None:
        return None
    saved: dict[str, object] = {"against_first": floor.against_first, "differing": floor.differing}
    return {**saved, "matrix": floor.matrix} if pairs else saved


def _difference_json(difference: Difference | None) -> dict[str, object] | None:
    if difference is None:
        return None
    return {**difference._asdict(), "interval": list(difference.interval) if difference.interval else None}
