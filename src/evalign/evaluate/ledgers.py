"""What a ledger is made of: numbers and first places that add up over the parts of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment import Firing
from evalign.document import Document
from evalign.layers import Comparison
from evalign.layers.census import Census
from evalign.result import Ledger, LedgerRule

Hashes: TypeAlias = npt.NDArray[np.uint64]

# How much two lines differ: not at all, not once notation is normalised, or so that characters are aligned.
EQUAL, NORMALISED, DIFFERING = range(3)
FAILED = ("failed-parse", "broken-tree")


class Lone(NamedTuple):
    """Sentences without a partner, as hashes of their text, and how many there are of each."""

    hashes: Hashes
    times: npt.NDArray[np.int64]


def no_lone() -> Lone:
    """No sentence."""
    return Lone(np.zeros(0, np.uint64), np.zeros(0, np.int64))


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
    gold_lone: Lone
    system_lone: Lone
    order: tuple[str, ...] = ()
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
            int(((comparison.sentence_partners >= 0) & ~comparison.sentence_same).sum()),
            int(((comparison.token_partners >= 0) & ~comparison.token_same).sum()),
        )
    has_lone = is_part or (tolerated.gold_only and tolerated.system_only)
    gold_lone, system_lone = _find_lone(comparison) if has_lone else (no_lone(), no_lone())
    return LedgerFacts(
        lines,
        *tolerated[:4],
        alignment.gold.firings,
        tolerated.rules,
        alignment.system.firings,
        _count_blocks(comparison),
        {(gold, system): times for gold, system, times in tolerated.substitutions},
        other_text,
        gold_lone,
        system_lone,
        tuple(differing or ()) if is_part else (),
    )


def _count_blocks(comparison: Comparison) -> Counter[str]:
    """How many m:n blocks there are. Sentences without characters end no stretch, but some are partners all the same."""
    sizes = comparison.alignment.blocks.sizes()
    if "1:0" in sizes and "0:1" in sizes:
        bare = np.diff(comparison.gold.sentence_cuts) == 0
        if bare.any():
            pairs = int((bare & (comparison.sentence_partners >= 0)).sum())
            sizes.update({"1:1": pairs, "1:0": -pairs, "0:1": -pairs})
    return +sizes


def _find_lone(comparison: Comparison) -> tuple[Lone, Lone]:
    """The sentences of gold and of the system that have no partner."""
    partners = comparison.sentence_partners
    alone = np.ones(comparison.system.n_sentences, bool)
    alone[partners[partners >= 0]] = False
    return (
        _hash_sentences(comparison.gold, np.flatnonzero(partners < 0).tolist()),
        _hash_sentences(comparison.system, np.flatnonzero(alone).tolist()),
    )


def _hash_sentences(document: Document, sentences: Sequence[int]) -> Lone:
    if not sentences:
        return no_lone()
    from hashlib import blake2b

    cuts = document.sentence_cuts.tolist()
    texts = (document.line[cuts[k] : cuts[k + 1]].encode("utf-8", "surrogatepass") for k in sentences)
    hashes = np.frombuffer(b"".join(blake2b(text, digest_size=8).digest() for text in texts), "<u8")
    return Lone(*np.unique(hashes, return_counts=True))


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
        _count_reordered(facts),
        _count_failed(gold, system),
    )


def _choose_commonest(written: Mapping[tuple[str, str], int]) -> tuple[tuple[str, str, int], ...]:
    """The commonest, of those that are as common the ones that appear first."""
    if not written:
        return ()
    from evalign.alignment.differences import MOST_SUBSTITUTIONS

    return tuple((*pair, times) for pair, times in Counter(written).most_common(MOST_SUBSTITUTIONS))


def _count_reordered(facts: LedgerFacts) -> int:
    """Sentences without a partner that the other side has, without a partner, somewhere else."""
    if not (facts.gold_only and facts.system_only):
        return 0
    return int(facts.system_lone.times[np.isin(facts.system_lone.hashes, facts.gold_lone.hashes)].sum())


def _count_failed(gold: Census, system: Census) -> LedgerRule | None:
    """Trees that say nothing: without a word, or that could not be read; None where that is no question."""
    failed = [[remark for remark in census.remarks if remark.kind in FAILED] for census in (gold, system)]
    counts = [sum(remark.times for remark in remarks) for remarks in failed]
    have_trees = all(census.has_trees and census.n_sentences for census in (gold, system))
    if not have_trees and not any(counts):
        return None
    places = tuple(str(place) for remarks in failed for remark in remarks for place in remark.places)
    return LedgerRule(counts[0], counts[1], places)
