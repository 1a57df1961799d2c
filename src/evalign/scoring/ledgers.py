"""What a ledger is made of: numbers and first places that add up over the parts of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evalign.alignment import Firing
from evalign.metrics import Census, Comparison
from evalign.results import Ledger, LedgerRule
from evalign.scoring.reordering import Order, count_reordered, find_order, no_order

# How much two lines differ: not at all, not once notation is normalised, or so that characters are aligned.
EQUAL, NORMALISED, DIFFERING = range(3)
FAILED = ("failed-parse", "broken-tree")


class LedgerFacts(NamedTuple):
    """What one comparison tolerated."""

    lines: int
    """EQUAL, NORMALISED or DIFFERING."""
    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    gold_rules: tuple[Firing, ...]
    """Rules of notation, in the order in which they are applied."""
    differences: tuple[Firing, ...]
    """Why characters are not the same."""
    system_rules: tuple[Firing, ...]
    blocks: Mapping[str, int]
    written: Mapping[tuple[str, str], int]
    """What gold and the system wrote, in the order in which it first appears."""
    other_text: tuple[int, int]
    """Sentences and tokens in the same place with another text."""
    refused_sentences: int
    """Sentences in the same place that share too little text to be credited."""
    order: Order
    """Where the sentences stand that one side has in another place."""
    rules: tuple[str, ...] = ()
    """All rules of notation, in the order in which they are applied; nothing where none was needed."""


def find_ledger(comparison: Comparison, *, differing: Sequence[str] | None = None) -> LedgerFacts:
    """What a comparison tolerated. To parts of texts whose lines differ, `differing` tells all rules of notation in order."""
    alignment, tolerated = comparison.alignment, comparison.alignment.tolerated
    lines = EQUAL
    if alignment.gold.original.line != alignment.system.original.line:
        lines = NORMALISED if alignment.lines_equal else DIFFERING
    # In a part of differing texts, what matters may be known only when all parts are. Of several systems one may differ
    # from gold nowhere, and was not normalised then.
    is_part = differing is not None and alignment.gold.excepted is not None
    other_text = 0, 0
    if is_part or comparison.gold.line != comparison.system.line:
        other_text = (
            int(((alignment.sentences_in_place >= 0) & ~comparison.sentence_same).sum()),
            int(((comparison.token_partners >= 0) & ~comparison.token_same).sum()),
        )
    refused = (alignment.sentences_in_place >= 0) & (comparison.sentence_partners < 0)
    return LedgerFacts(
        lines,
        *tolerated[:4],
        alignment.gold.firings,
        tolerated.rules,
        alignment.system.firings,
        _count_blocks(comparison),
        {(gold, system): times for gold, system, times in tolerated.substitutions},
        other_text,
        int(refused.sum()),
        find_order(comparison, is_part=is_part) if is_part or lines == DIFFERING else no_order(),
        tuple(differing or ()) if is_part else (),
    )


def _count_blocks(comparison: Comparison) -> Counter[str]:
    """How many m:n blocks there are. Sentences without characters end no stretch, but some are partners all the same."""
    sizes = comparison.alignment.blocks.sizes()
    if "1:0" in sizes and "0:1" in sizes:
        bare = np.diff(comparison.gold.sentence_cuts) == 0
        if bare.any():
            pairs = int((bare & (comparison.alignment.sentences_in_place >= 0)).sum())
            sizes.update({"1:1": pairs, "1:0": -pairs, "0:1": -pairs})
    return +sizes


def make_ledger(facts: LedgerFacts, gold: Census, system: Census) -> Ledger:
    """The ledger of one comparison."""
    rules: dict[str, LedgerRule] = {}
    found = [(firing, firing.side or "gold") for firing in (*facts.gold_rules, *facts.differences)]
    found += [(firing, "system") for firing in facts.system_rules]
    for firing, side in found:
        before = rules.get(firing.rule, LedgerRule())
        places = (*before.places, *map(str, firing.places))
        in_gold = before.gold + firing.count * (side == "gold")
        in_system = before.system + firing.count * (side == "system")
        rules[firing.rule] = LedgerRule(in_gold, in_system, places)
    is_differing = facts.lines == DIFFERING
    return Ledger(
        facts.equal,
        facts.rewritten,
        facts.gold_only,
        facts.system_only,
        rules,
        dict(sorted(facts.blocks.items(), key=lambda item: (-item[1], item[0]))),
        _choose_commonest(facts.written),
        dict(zip(("sentences", "tokens"), facts.other_text, strict=True)) if is_differing else {},
        count_reordered(facts.order) if is_differing else 0,
        _count_failed(gold, system),
        refused_sentences=facts.refused_sentences,
    )


def _choose_commonest(written: Mapping[tuple[str, str], int]) -> tuple[tuple[str, str, int], ...]:
    """The commonest, of those that are as common the ones that appear first."""
    if not written:
        return ()
    from evalign.alignment import MOST_SUBSTITUTIONS

    return tuple((*pair, times) for pair, times in Counter(written).most_common(MOST_SUBSTITUTIONS))


def _count_failed(gold: Census, system: Census) -> LedgerRule | None:
    """Trees that say nothing: without a word, or that could not be read; None where that is no question."""
    failed = [[remark for remark in census.remarks if remark.kind in FAILED] for census in (gold, system)]
    counts = [sum(remark.times for remark in remarks) for remarks in failed]
    have_trees = all(census.has_trees and census.n_sentences for census in (gold, system))
    if not have_trees and not any(counts):
        return None
    places = tuple(str(place) for remarks in failed for remark in remarks for place in remark.places)
    return LedgerRule(counts[0], counts[1], places)
