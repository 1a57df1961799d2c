"""How to resample: everything that could move an interval or a p-value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evalign.errors import CommandError

Test = Literal["randomization", "bootstrap"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap")


@dataclass(frozen=True, slots=True)
class Resampling:
    """A seed, how many resamples, the level of the intervals, and the test of differences.

    >>> Resampling(resamples=0)
    Traceback (most recent call last):
        ...
    evalign.errors.CommandError: 0 resamples
      expected a whole number from 1 on
    """

    seed: int = 12345
    resamples: int = 1000
    confidence: float = 0.95
    test: Test = "randomization"
    """Randomization stays fair where units are few; the bootstrap finds too much there (docs/significance.md)."""

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            message = f"the seed {self.seed!r}"
            raise CommandError(message, "a whole number from 0 on")
        if not _is_whole(self.resamples) or self.resamples < 1:
            message = f"{self.resamples!r} resamples"
            raise CommandError(message, "a whole number from 1 on")
        if not _is_number(self.confidence) or not 0 < self.confidence < 1:
            message = f"the confidence level {self.confidence!r}"
            raise CommandError(message, "a number between 0 and 1, as 0.95")
        if self.test not in TESTS:
            message = f"the test {self.test!r}"
            raise CommandError(message, f"one of {', '.join(TESTS)}")

    def describe(self, *, paired: bool) -> str:
        """What a signature says of it, with the test if there is one.

        >>> Resampling().describe(paired=False)
        'seed:12345|resamples:1000|confidence:0.95'
        >>> Resampling(seed=1, test="randomization").describe(paired=True)
        'seed:1|resamples:1000|confidence:0.95|test:paired-randomization|correction:holm'
        """
        intervals = f"seed:{self.seed}|resamples:{self.resamples}|confidence:{self.confidence!r}"
        return f"{intervals}|test:paired-{self.test}|correction:holm" if paired else intervals


def _is_whole(value: object) -> bool:
    """Whether a value is an integer, and no truth value, which Python takes for one."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


DEFAULT = Resampling()
"""What is used where nothing is said."""
