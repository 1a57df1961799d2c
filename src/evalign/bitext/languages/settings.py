"""What is set for a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["words", "characters"]


@dataclass(frozen=True)
class Language:
    """Settings of one language; the defaults are those of the BUCC data sets for languages with spaces (section 2.2)."""

    code: str
    unit: Unit = "words"
    """What lengths are counted in, and what is indexed: words, or bigrams of characters."""
    shortest: int = 10
    longest: int = 20
    query: int = 5
    """How many words or characters of a sentence are searched for: the first ones."""
    minimum_should_match: int = 70
    """Percent of the terms of a query that a sentence must have, rounded down, and at least one."""
    phrase_slop: int = 5
    pair_slop: int = 5
    stop_words: frozenset[str] = frozenset()
    """Words that are not searched for, as `terms` folds them; of characters, stop expressions."""
    locution: int = 0
    """Characters of the longest locution before a comma that is left out of a query; 0 for none."""
    commas: str = ",，"
    """What may stand behind a locution."""
    scripts: tuple[str, ...] = ()
    """Scripts that it is written in, as Unicode calls them; none where nobody has said."""

    def fits(self, length: int) -> bool:
        """Whether a sentence of this length is neither too short nor too long."""
        return self.shortest <= length <= self.longest
