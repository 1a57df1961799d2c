"""Ledgers of parts as those of the whole: the same numbers, the same first places, in the same order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from evalign.alignment import DIFFERENCES, MOST_PLACES, Firing
from evalign.results import add_written
from evalign.scoring.ledgers import LedgerFacts
from evalign.scoring.reordering import join_orders

# As `alignment.differences` tells them.
ORDER = (*DIFFERENCES, "substituted", "gold-only", "unrelated-gold", "system-only", "unrelated-system")


def join_ledger_facts(parts: Sequence[LedgerFacts]) -> LedgerFacts:
    """What the parts of a text tolerated together."""
    rules = next((part.rules for part in parts if part.rules), ())
    blocks: Counter[str] = Counter()
    for part in parts:
        blocks.update(part.blocks)
    sentences, tokens = zip(*(part.other_text for part in parts), strict=True)
    return LedgerFacts(
        max(part.lines for part in parts),
        sum(part.equal for part in parts),
        sum(part.rewritten for part in parts),
        sum(part.gold_only for part in parts),
        sum(part.system_only for part in parts),
        _join_firings((part.gold_rules for part in parts), rules),
        _join_firings((part.differences for part in parts), ORDER),
        _join_firings((part.system_rules for part in parts), rules),
        blocks,
        add_written(part.written for part in parts),
        (sum(sentences), sum(tokens)),
        sum(part.refused_sentences for part in parts),
        join_orders([part.order for part in parts]),
        rules,
    )


def _join_firings(parts: Iterable[Sequence[Firing]], order: Sequence[str]) -> tuple[Firing, ...]:
    """Rules with the first places of all parts, in the order in which a whole has them."""
    found: dict[str, Firing] = {}
    for firings in parts:
        for firing in firings:
            before = found.get(firing.rule)
            if before is not None:
                places = (*before.places, *firing.places)[:MOST_PLACES]
                firing = Firing(firing.rule, before.count + firing.count, places, firing.side)
            found[firing.rule] = firing
    return tuple(sorted(found.values(), key=lambda firing: order.index(firing.rule)))
