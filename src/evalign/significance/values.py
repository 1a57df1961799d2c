"""What resampling finds: intervals, differences, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from evalign.errors import CommandError, suggest

Test = Literal["randomization", "bootstrap"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap")

FOR_INTERVALS = 1000
"""How many resamples intervals are made of where no number is given."""
FOR_EACH_TEST = 1000
"""So many times the number of tests are the resamples of each: Holm's correction still lets p reach 0.001."""
MOST_RESAMPLES = 1_000_000
TELLING = 0.001
"""What p can fall to unless units or a given number of resamples are too few; then reports say how far it can."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """A seed, how many resamples, the level of the intervals, and the test of differences.

    Without a number of resamples intervals are made of 1,000, and each of m tests that are corrected together of 1,000 m.

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
    """Randomization stays fair where units are few; the bootstrap finds too much there (docs/significance.md)."""

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
    def for_intervals(self) -> int:
        """How many resamples intervals are made of."""
        return FOR_INTERVALS if self.resamples is None else self.resamples

    def for_tests(self, tests: int) -> int:
        """How many resamples each of some tests is made of that are corrected together.

        >>> Resampling().for_tests(1), Resampling().for_tests(55), Resampling(resamples=200).for_tests(55)
        (1000, 55000, 200)
        """
        if self.resamples is not None:
            return self.resamples
        return min(FOR_EACH_TEST * max(1, tests), MOST_RESAMPLES)

    def describe(self, *, paired: bool, tests: int = 1) -> str:
        """What a signature says of it, with the test if there is one, one of so many that are corrected together.

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
    """Whether a value is an integer, and no truth value, which Python takes for one."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


DEFAULT_RESAMPLING = Resampling()
"""What is used where nothing is said."""


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """How much is held in memory at a time. No number that is found depends on it."""

    weights: int = 2**19
    """Weights of units; but a table of many units should not be read too often."""
    fewest_rows: int = 16
    most_rows: int = 64
    """Resamples, however many units there are."""
    sums: int = 2**20
    """Sums: few enough for memory, enough that the work on each block is numpy's."""
    held: int = 2**24
    """Sums that are kept, 128 MB: those of 16,000 columns where nobody asks for more than 1,000 resamples."""


DEFAULT_BLOCKS = BlockSizes()


class Interval(NamedTuple):
    """Where a value lies in the middle share of the resamples."""

    low: float
    high: float


class Difference(NamedTuple):
    """The headline ratio of one system minus that of another; None where undefined."""

    difference: float | None
    interval: Interval | None
    p: float | None
    """Two-sided, before correction."""
    adjusted: float | None
    """After Holm's correction for several tests."""


FEW_UNITS = 20
FEW = "intervals are too narrow, and only randomization tests fairly"
"""With fewer units the bootstrap is not to be relied on (docs/significance.md has the figures)."""


class Floor(NamedTuple):
    """How low adjusted p-values of a metric can be, however clear the differences: resamples and units set it."""

    against_first: float
    """Of the tests against the first system."""
    matrix: float
    """Of the tests of all pairs."""
    differing: int
    """The most units in which any two systems differ."""


NOTHING = Difference(None, None, None, None)
"""The difference where one of the two has no score."""

Intervals: TypeAlias = Mapping[str, Mapping[str, Interval | None]]
"""By metric and ratio."""


class SavedResampling(TypedDict):
    """How it was done."""

    seed: int
    resamples: int
    """That intervals are made of."""
    auto: bool
    """Whether nobody said how many."""
    test_resamples: int | None
    """That each test is made of; null without tests."""
    confidence: float
    test: str
    correction: str
    unit: str
    units: int
    reason: str | None


class SavedIntervals(TypedDict):
    """Intervals of one system, by metric and ratio."""

    name: str
    scores: dict[str, dict[str, list[float] | None]]


class SavedDifference(TypedDict):
    """A system against another."""

    difference: float | None
    interval: list[float] | None
    p: float | None
    adjusted: float | None


class SavedFloor(TypedDict, total=False):
    """How low adjusted p-values can be, and the most units in which any two systems differ."""

    against_first: float
    matrix: float
    differing: int


class SavedTests(TypedDict, total=False):
    """Tests of one metric: per system against the first one (null for itself), and all against all.

    Of averages `parts` is the number of parts that both have, which are those compared.
    """

    against_first: list[SavedDifference | None]
    parts: list[int]
    floor: SavedFloor | None
    matrix: list[list[SavedDifference | None]]


class SavedSignificance(TypedDict):
    """What a result's JSON says of its resamples."""

    resampling: SavedResampling
    reasons: dict[str, str]
    intervals: list[SavedIntervals]
    tests: dict[str, SavedTests]


class SavedPartsSignificance(TypedDict):
    """The same of averages over parts; `fixed` names the parts of one unit, which do not vary."""

    resampling: SavedResampling
    reasons: dict[str, str]
    fixed: list[str]
    macro: list[SavedIntervals]
    micro: list[SavedIntervals]
    tests: dict[str, SavedTests]


@dataclass(frozen=True, eq=False)
class Significance:
    """Intervals of all scores of a result, and tests of the differences between its systems."""

    resampling: Resampling
    unit_kind: str
    n_units: int
    reason: str
    """Why there is nothing, in words; empty where there is something."""
    intervals: tuple[Intervals, ...]
    """Per system."""
    against_first: Mapping[str, tuple[Difference | None, ...]]
    """Per metric: every system minus the first, None for the first itself; adjusted over the systems."""
    matrix: Mapping[str, tuple[tuple[Difference | None, ...], ...]]
    """Per metric: system i minus system j, None for a system itself; adjusted over all pairs."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Metrics that have neither intervals nor p-values, as one unit has all of them, and why in words."""
    test_resamples: int = 0
    """How many resamples each test is made of; 0 without tests."""
    floors: Mapping[str, Floor | None] = field(default_factory=dict)
    """Per metric: how low adjusted p-values can be; None where there is no test."""

    @property
    def caution(self) -> str:
        """What to beware of where units are few, in words; else empty."""
        return _caution(self)

    def describe(self, *, paired: bool) -> str:
        """What a signature says of it."""
        return self.resampling.describe(paired=paired, tests=comb(len(self.intervals), 2))

    def interval(self, system: int, metric: str, ratio: str) -> Interval | None:
        """The interval of a ratio; None where there is none."""
        return self.intervals[system].get(metric, {}).get(ratio)

    def to_dict(self, names: Sequence[str]) -> SavedSignificance:
        """All of it, given the names of the systems."""
        return SavedSignificance(
            resampling=_resampling_json(self),
            reasons=dict(self.reasons),
            intervals=_intervals_json(names, self.intervals),
            tests={
                metric: SavedTests(
                    against_first=[_difference_json(difference) for difference in row],
                    floor=_floor_json(self.floors.get(metric)),
                    matrix=[
                        [_difference_json(difference) for difference in line] for line in self.matrix[metric]
                    ],
                )
                for metric, row in self.against_first.items()
            },
        )


@dataclass(frozen=True, eq=False)
class PartsSignificance:
    """Intervals of averages over the parts of a run, and tests of the macro averages against the first system's."""

    resampling: Resampling
    unit_kind: str
    n_units: int
    """In all parts together."""
    reason: str
    """Why there is nothing, in words; empty where there is something."""
    fixed: tuple[str, ...]
    """Parts of one unit: there is nothing to resample in them, so that they do not vary."""
    macro: tuple[Intervals, ...]
    """Per system: of the mean over the parts."""
    micro: tuple[Intervals, ...]
    """Per system: of the ratios of all counts together."""
    against_first: Mapping[str, tuple[Difference | None, ...]]
    """Per metric: every system's macro average minus the first one's, both over the parts that both have a value for;
    adjusted over the systems."""
    compared: Mapping[str, tuple[int, ...]]
    """Per metric: how many parts every system has in common with the first."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Metrics that have neither intervals nor p-values, as one unit of each part has all of them, and why in words."""
    test_resamples: int = 0
    """How many resamples each test of averages is made of; 0 without tests."""
    floors: Mapping[str, Floor | None] = field(default_factory=dict)
    """Per metric: how low adjusted p-values of the averages can be; None where there is no test."""

    def describe(self, *, paired: bool) -> str:
        """What a signature says of it."""
        return self.resampling.describe(paired=paired, tests=len(self.macro) - 1)

    @property
    def caution(self) -> str:
        """What to beware of where units are few, in words; else empty."""
        return _caution(self)

    def to_dict(self, names: Sequence[str]) -> SavedPartsSignificance:
        """All of it, given the names of the systems."""
        return SavedPartsSignificance(
            resampling=_resampling_json(self),
            reasons=dict(self.reasons),
            fixed=list(self.fixed),
            macro=_intervals_json(names, self.macro),
            micro=_intervals_json(names, self.micro),
            tests={
                metric: SavedTests(
                    against_first=[_difference_json(difference) for difference in row],
                    parts=list(self.compared[metric]),
                    floor=_floor_json(self.floors.get(metric), pairs=False),
                )
                for metric, row in self.against_first.items()
            },
        )


def _caution(significance: Significance | PartsSignificance) -> str:
    if significance.reason or significance.n_units >= FEW_UNITS:
        return ""
    return f"{significance.n_units} units are few: {FEW}"


def _resampling_json(significance: Significance | PartsSignificance) -> SavedResampling:
    resampling = significance.resampling
    return SavedResampling(
        seed=resampling.seed,
        resamples=resampling.for_intervals,
        auto=resampling.resamples is None,
        test_resamples=significance.test_resamples or None,
        confidence=resampling.confidence,
        test=f"paired-{resampling.test}",
        correction="holm",
        unit=significance.unit_kind,
        units=significance.n_units,
        reason=significance.reason or None,
    )


def _intervals_json(names: Sequence[str], systems: Sequence[Intervals]) -> list[SavedIntervals]:
    return [
        SavedIntervals(
            name=name,
            scores={
                metric: {ratio: list(interval) if interval else None for ratio, interval in ratios.items()}
                for metric, ratios in intervals.items()
            },
        )
        for name, intervals in zip(names, systems, strict=True)
    ]


def _floor_json(floor: Floor | None, *, pairs: bool = True) -> SavedFloor | None:
    if floor is None:
        return None
    saved = SavedFloor(against_first=floor.against_first, differing=floor.differing)
    return SavedFloor(**saved, matrix=floor.matrix) if pairs else saved


def _difference_json(difference: Difference | None) -> SavedDifference | None:
    if difference is None:
        return None
    interval = list(difference.interval) if difference.interval else None
    return SavedDifference(
        difference=difference.difference, interval=interval, p=difference.p, adjusted=difference.adjusted
    )
