"""What had to be tolerated to bring two lines together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evalign.errors import Place

# Places kept per rule and side; the count is always whole.
MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Firing:
    """How often a rule rewrote a token of one side, and where first."""

    rule: str
    count: int
    places: tuple[Place, ...]
    side: str = ""
    """"system" where it concerns the system alone; a rule of notation takes the side it is found on."""


class Tolerated(NamedTuple):
    """Characters of the gold line that are equal, rewritten or in gold alone; of the system line, in system alone.

    Counted on the lines as normalised: `equal + rewritten + gold_only` is the length of the gold one.
    """

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: tuple[Firing, ...]
    substitutions: tuple[tuple[str, str, int], ...] = ()
    """(gold, system, how often): what was written otherwise, in the order of the text."""


def count_equal_line(line: str) -> Tolerated:
    """Nothing: the lines are equal."""
    return Tolerated(len(line), 0, 0, 0, ())
