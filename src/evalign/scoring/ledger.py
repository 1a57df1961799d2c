"""Count what a comparison tolerated (`LedgerFacts`), add that up over parts, and make a `Ledger` of the sum.

A ledger says how two texts differed: characters that were rewritten or are on one side only, by rule and with
first places; shapes of blocks (the smallest stretches with a sentence boundary of both sides at each end);
sentences in another order. A sentence is credited if it is paired with a sentence of the other side
(`Comparison.sentence_partners`). `count` calls this for each system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import MOST_PLACES, Alignment, AsRead, PlacedDocument, RuleUse
from evalign.alignment.differences import DIFFERENCES, MOST_SUBSTITUTIONS
from evalign.metrics.census import Census
from evalign.metrics.comparison import Comparison
from evalign.metrics.keys import hash_texts
from evalign.results.ledger import Ledger, LedgerRule, add_as_read, add_written

# Sentences that the system has in another order than gold. A sentence is in another order if
#
#     each side has its text exactly once (a "Yes ." that was lost here and doubled there has not moved),
#     it is credited on neither side, and less than half of it is shared where it stands,
#     and some credited pair of sentences stands before it on one side and after it on the other.
#
# This can be added up over the parts of a text: each part keeps a hash of the text of every sentence, and its
# rank, which is how many credited pairs come before it.

Hashes = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Instead of a rank: the other side has the sentence in the same place, or several sentences have this text.
FOUND_IN_PLACE, REPEATED_TEXT = -1, -2
# Texts kept of each side, so that memory is bounded: those with the smallest hashes, a sample that does not
# depend on how the text was cut into parts.
MOST_TEXTS = 1 << 20


class SentenceRanks(NamedTuple):
    """The distinct texts of one side's sentences, in a text or a part of one, and where they stand."""

    hashes: Hashes
    """Hashes of the texts, ascending."""
    ranks: Ranks
    """Per text, how many credited pairs of sentences come before it; or FOUND_IN_PLACE, or REPEATED_TEXT."""
    n_credited: int
    """Number of credited pairs of sentences."""


SentenceOrder: TypeAlias = tuple[SentenceRanks, SentenceRanks]
"""The sentences of gold and of the system, from which `count_reordered` counts."""


def find_order(comparison: Comparison, *, is_part: bool) -> SentenceOrder | None:
    """Hash and rank the sentences of both sides.

    Returns None for a whole text of which all sentences of a side are credited: then none can have moved.
    """
    gold, system = comparison.alignment.gold, comparison.alignment.system
    partners = comparison.sentence_partners
    credited = partners >= 0
    credited_there = np.zeros(comparison.system.n_sentences, bool)
    credited_there[partners[credited]] = True
    if not is_part and (credited.all() or credited_there.all()):
        return None
    return _rank_texts(gold, credited), _rank_texts(system, credited_there)


def _rank_texts(side: PlacedDocument, credited: Mask) -> SentenceRanks:
    """Hash and rank the sentences of one side that have characters; `credited` is a flag per sentence."""
    document = side.document
    lengths, shared = side.count_shared((document.sentences[:-1], document.sentences[1:]))
    before: Ranks = np.cumsum(credited) - credited
    ranks = np.where(credited | (2 * shared >= lengths), FOUND_IN_PLACE, before)
    rows = np.flatnonzero(lengths > 0)
    cuts = document.sentence_cuts.tolist()
    hashes = hash_texts(document.line[cuts[k] : cuts[k + 1]] for k in rows.tolist()).view(np.uint64)
    return _collect(hashes, ranks[rows], int(credited.sum()))


def _collect(hashes: Hashes, ranks: Ranks, n_credited: int, limit: int = MOST_TEXTS) -> SentenceRanks:
    """Merge equal hashes, marking their texts as repeated, and keep the `limit` smallest hashes."""
    distinct, firsts, times = np.unique(hashes, return_index=True, return_counts=True)
    merged = np.where(times > 1, REPEATED_TEXT, ranks[firsts])
    return SentenceRanks(distinct[:limit], merged[:limit], n_credited)


def join_ranks(parts: Sequence[SentenceRanks], *, limit: int = MOST_TEXTS) -> SentenceRanks:
    """Merge the texts of one side in consecutive parts, at most `limit` of them. Associative."""
    before = np.cumsum([0, *(part.n_credited for part in parts)]).tolist()
    ranks = [
        np.where(texts.ranks >= 0, texts.ranks + credited, texts.ranks)
        for texts, credited in zip(parts, before, strict=False)
    ]
    hashes = np.concatenate([texts.hashes for texts in parts])
    return _collect(hashes, np.concatenate(ranks), before[-1], limit)


def count_reordered(order: SentenceOrder) -> int:
    """Count the sentences that both sides have exactly once but in a different order."""
    sides = order[0].hashes, order[1].hashes
    _, gold, system = np.intersect1d(*sides, assume_unique=True, return_indices=True)
    ranks, other_ranks = order[0].ranks[gold], order[1].ranks[system]
    return int(((ranks >= 0) & (other_ranks >= 0) & (ranks != other_ranks)).sum())


# How much two lines differ: not at all; only until notation is normalised; or still then, so that they are
# aligned.
LINES_EQUAL, LINES_NORMALISED, LINES_DIFFERING = range(3)
FAILED = ("failed-parse", "broken-tree")


def find_lines(alignment: Alignment) -> int:
    """Return how much two lines differ: LINES_EQUAL, LINES_NORMALISED or LINES_DIFFERING."""
    if alignment.gold.original.line == alignment.system.original.line:
        return LINES_EQUAL
    return LINES_NORMALISED if alignment.lines_equal else LINES_DIFFERING


class LedgerFacts(NamedTuple):
    """Everything that one comparison tolerated, as counts and first places that add up over parts."""

    lines: int
    """LINES_EQUAL, LINES_NORMALISED or LINES_DIFFERING."""
    equal: int
    """Characters that are the same on both sides; the next three are characters, too."""
    rewritten: int
    gold_only: int
    system_only: int
    as_read: AsRead
    """Gold's characters before any was normalised."""
    gold_rules: tuple[RuleUse, ...]
    """Uses of rules of notation in gold, in the order in which the rules are applied."""
    differences: tuple[RuleUse, ...]
    """Kinds of differences between the lines, such as another case, with counts."""
    system_rules: tuple[RuleUse, ...]
    """Uses of rules of notation in the system, in the order in which the rules are applied."""
    blocks: Mapping[str, int]
    """Number of blocks by shape, such as "1:2" for one gold sentence against two."""
    written: Mapping[tuple[str, str], int]
    """Substitutions: pairs of what gold and the system wrote, in order of first appearance, with counts."""
    other_text: tuple[int, int]
    """Sentences and tokens in the same place with another text."""
    refused_sentences: int
    """Sentences in the same place that share too little text to be credited."""
    order: SentenceOrder | None
    """Hashes and ranks of sentences, to count those in another order; None if none can have moved."""
    rules: tuple[str, ...] = ()
    """Names of all rules of notation in the order in which they are applied; empty unless this is a differing
    part."""


def find_ledger(comparison: Comparison, *, differing: Sequence[str] | None = None) -> LedgerFacts:
    """Count what a comparison tolerated.

    `differing` is given for a part of texts whose lines differ somewhere: the names of all rules of notation,
    in the order in which they are applied.
    """
    alignment, tolerated = comparison.alignment, comparison.alignment.tolerated
    lines = find_lines(alignment)
    # In a part of differing texts everything is counted, as only all parts together show what matters. Among
    # several systems there may be one that differs from gold nowhere: it was not normalised (`excepted` is
    # None).
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
        tolerated.as_read,
        alignment.gold.rule_uses,
        tolerated.rules,
        alignment.system.rule_uses,
        _count_blocks(comparison),
        {(gold, system): times for gold, system, times in tolerated.substitutions},
        other_text,
        int(refused.sum()),
        find_order(comparison, is_part=is_part) if is_part or lines == LINES_DIFFERING else None,
        tuple(differing or ()) if is_part else (),
    )


def _count_blocks(comparison: Comparison) -> Counter[str]:
    """Count blocks by shape, "m:n" for m gold and n system sentences.

    The alignment puts sentences without characters into blocks of their own, 1:0 and 0:1. Where two of them
    are in the same place, and so partners, they are counted as one 1:1 block here.
    """
    sizes = comparison.alignment.blocks.sizes()
    if "1:0" in sizes and "0:1" in sizes:
        bare = np.diff(comparison.gold.sentence_cuts) == 0
        if bare.any():
            pairs = int((bare & (comparison.alignment.sentences_in_place >= 0)).sum())
            sizes.update({"1:1": pairs, "1:0": -pairs, "0:1": -pairs})
    return +sizes


def make_ledger(facts: LedgerFacts, gold: Census, system: Census) -> Ledger:
    """Make the ledger of one system from its facts and the censuses of both sides."""
    rules: dict[str, LedgerRule] = {}
    uses = [(use, use.side or "gold") for use in (*facts.gold_rules, *facts.differences)]
    uses += [(use, "system") for use in facts.system_rules]
    for use, side in uses:
        before = rules.get(use.rule, LedgerRule())
        places = (*before.places, *map(str, use.places))
        in_gold = before.gold + use.count * (side == "gold")
        in_system = before.system + use.count * (side == "system")
        rules[use.rule] = LedgerRule(in_gold, in_system, places)
    is_differing = facts.lines == LINES_DIFFERING
    return Ledger(
        facts.equal,
        facts.rewritten,
        facts.gold_only,
        facts.system_only,
        rules,
        dict(sorted(facts.blocks.items(), key=lambda item: (-item[1], item[0]))),
        tuple((*pair, times) for pair, times in Counter(facts.written).most_common(MOST_SUBSTITUTIONS)),
        dict(zip(("sentences", "tokens"), facts.other_text, strict=True)) if is_differing else {},
        count_reordered(facts.order) if is_differing and facts.order is not None else 0,
        _count_failed(gold, system),
        refused_sentences=facts.refused_sentences,
        as_read=facts.as_read,
    )


def _count_failed(gold: Census, system: Census) -> LedgerRule | None:
    """Count failed trees: without a word, or unreadable.

    None unless both sides have trees or some tree failed.
    """
    failed = [[remark for remark in census.remarks if remark.kind in FAILED] for census in (gold, system)]
    counts = [sum(remark.times for remark in remarks) for remarks in failed]
    have_trees = all(census.has_trees and census.n_sentences for census in (gold, system))
    if not have_trees and not any(counts):
        return None
    places = tuple(str(place) for remarks in failed for remark in remarks for place in remark.places)
    return LedgerRule(counts[0], counts[1], places)


# Kinds of differences in the order in which `alignment.differences` reports them.
ORDER = (*DIFFERENCES, "substituted", "gold-only", "unrelated-gold", "system-only", "unrelated-system")


def join_ledger_facts(parts: Sequence[LedgerFacts]) -> LedgerFacts:
    """Merge the ledger facts of consecutive parts."""
    rules = next((part.rules for part in parts if part.rules), ())
    blocks: Counter[str] = Counter()
    for part in parts:
        blocks.update(part.blocks)
    sentences, tokens = zip(*(part.other_text for part in parts), strict=True)
    orders = [part.order for part in parts if part.order is not None]
    gold, system = ([order[side] for order in orders] for side in (0, 1))
    return LedgerFacts(
        max(part.lines for part in parts),
        sum(part.equal for part in parts),
        sum(part.rewritten for part in parts),
        sum(part.gold_only for part in parts),
        sum(part.system_only for part in parts),
        add_as_read(part.as_read for part in parts),
        _join_uses((part.gold_rules for part in parts), rules),
        _join_uses((part.differences for part in parts), ORDER),
        _join_uses((part.system_rules for part in parts), rules),
        blocks,
        add_written(part.written for part in parts),
        (sum(sentences), sum(tokens)),
        sum(part.refused_sentences for part in parts),
        (join_ranks(gold), join_ranks(system)) if orders else None,
        rules,
    )


def _join_uses(parts: Iterable[Sequence[RuleUse]], order: Sequence[str]) -> tuple[RuleUse, ...]:
    """Add up the uses of each rule; keep the first places of the text, and sort rules as in `order`."""
    by_rule: dict[str, RuleUse] = {}
    for rule_uses in parts:
        for use in rule_uses:
            before = by_rule.get(use.rule)
            if before is not None:
                places = (*before.places, *use.places)[:MOST_PLACES]
                use = RuleUse(use.rule, before.count + use.count, places, use.side)
            by_rule[use.rule] = use
    return tuple(sorted(by_rule.values(), key=lambda use: order.index(use.rule)))
