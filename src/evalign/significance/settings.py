"""How to resample: everything that could move an interval or a p-value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


DEFAULT = Resampling()
"""What is used where nothing is said."""
