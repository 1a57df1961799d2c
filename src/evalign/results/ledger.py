"""What a score tolerated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class LedgerRule(NamedTuple):
    """How often something was tolerated on each side, and where first."""

    gold: int = 0
    system: int = 0
    places: tuple[str, ...] = ()


class PairLedger(NamedTuple):
    """What was tolerated where pairs of sentence ids were compared: no pair is one too many for being there twice."""

    repeated: LedgerRule
    """Lines that say again what was said before; each pair is counted once."""
    first: LedgerRule
    """First ids that are in several pairs."""
    second: LedgerRule
    """Second ids that are in several pairs."""


class Ledger(NamedTuple):
    """What a score tolerated: never in silence.

    Characters are counted on the lines as normalised; `rules` names what was normalised, rewritten or one-sided.
    """

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: Mapping[str, LedgerRule] = {}
    blocks: Mapping[str, int] = {}
    substitutions: tuple[tuple[str, str, int], ...] = ()
    same_place_other_text: Mapping[str, int] = {}
    reordered: int = 0
    """Sentences that each side has once, in another order."""
    failed_parses: LedgerRule | None = None
    """Trees without a word, or that could not be read; None unless both sides have trees, or one has such a tree."""
    pairs: PairLedger | None = None
    """What there was of pairs of sentence ids; None where no such were compared."""
    refused_sentences: int = 0
    """Sentences in the same place that are not credited, as less than a third of their text is shared."""

    @property
    def lines_equal(self) -> bool:
        """Whether gold and system have the same characters as they are."""
        return not (self.rewritten or self.gold_only or self.system_only or self.rules)

    @property
    def gold_characters(self) -> int:
        """How many characters gold has."""
        return self.equal + self.rewritten + self.gold_only

    @property
    def found(self) -> int:
        """Gold characters that the system has: equal, or in another case, with other accents or as a variant.

        Not those that stand opposite something else: whatever is aligned, unrelated text too, leaves such.
        """
        return self.equal + self.rewritten - self.rules.get("substituted", LedgerRule()).gold
