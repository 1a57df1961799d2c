"""Which sentences the system has in another order than gold.

A sentence is in another order if

    each side has its text exactly once (a frequent "Yes ." that was lost here and doubled there has not moved),
    it is credited on neither side, and less than half of it is shared where it stands,
    and a credited pair of sentences stands before it on one side and behind it on the other.

All of this can be added up over the parts of a text: each part keeps a hash of the text of every sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment import Side
from evalign.metrics import Comparison

Hashes = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# In place of a rank: the other side has the sentence where it stands, or several sentences have its text.
FOUND, REPEATED = -1, -2
# Texts kept of each side, so that memory is bounded: those with the smallest hashes, which is a sample that does not
# depend on how the text was cut into parts.
MOST_TEXTS = 1 << 20


class SentenceTexts(NamedTuple):
    """The distinct texts of one side's sentences, and how far into the text each stands."""

    hashes: Hashes
    """Ascending."""
    ranks: Ranks
    """Per text how many credited pairs come before its sentence; or FOUND, or REPEATED."""


class Order(NamedTuple):
    """What tells whether sentences of a text, or of a part of one, are in another order."""

    gold: SentenceTexts
    system: SentenceTexts
    n_credited: int
    """Credited pairs of sentences."""


def no_order() -> Order:
    """The order of texts in which nothing has moved."""
    nothing = SentenceTexts(np.zeros(0, np.uint64), np.zeros(0, np.int64))
    return Order(nothing, nothing, 0)


def find_order(comparison: Comparison, *, is_part: bool) -> Order:
    """Texts and ranks of all sentences; of a whole text only if both sides have sentences that are not credited."""
    gold, system = comparison.alignment.gold, comparison.alignment.system
    partners = comparison.sentence_partners
    credited = partners >= 0
    credited_there = np.zeros(comparison.system.n_sentences, bool)
    credited_there[partners[credited]] = True
    if not is_part and (credited.all() or credited_there.all()):
        return no_order()
    return Order(_find_texts(gold, credited), _find_texts(system, credited_there), int(credited.sum()))


def _find_texts(side: Side, credited: Mask) -> SentenceTexts:
    from hashlib import blake2b

    document = side.document
    lengths, shared = side.count_shared((document.sentences[:-1], document.sentences[1:]))
    before: Ranks = np.cumsum(credited) - credited
    ranks = np.where(credited | (2 * shared >= lengths), FOUND, before)
    rows = np.flatnonzero(lengths > 0)
    cuts = document.sentence_cuts.tolist()
    texts = (document.line[cuts[k] : cuts[k + 1]].encode("utf-8", "surrogatepass") for k in rows.tolist())
    hashes = np.frombuffer(b"".join(blake2b(text, digest_size=8).digest() for text in texts), "<u8")
    return _collect(hashes, ranks[rows])


def _collect(hashes: Hashes, ranks: Ranks) -> SentenceTexts:
    """Merge equal texts, and mark them as repeated."""
    distinct, firsts, times = np.unique(hashes, return_index=True, return_counts=True)
    found = np.where(times > 1, REPEATED, ranks[firsts])
    return SentenceTexts(distinct[:MOST_TEXTS], found[:MOST_TEXTS])


def join_orders(parts: Sequence[Order]) -> Order:
    """Merge the orders of consecutive parts. Associative."""
    before = np.cumsum([0, *(part.n_credited for part in parts)]).tolist()
    gold = _join_texts([part.gold for part in parts], before)
    system = _join_texts([part.system for part in parts], before)
    return Order(gold, system, before[-1])


def _join_texts(parts: Sequence[SentenceTexts], before: Sequence[int]) -> SentenceTexts:
    """Merge the texts of parts, given how many pairs were credited before each part."""
    ranks = [
        np.where(texts.ranks >= 0, texts.ranks + credited, texts.ranks)
        for texts, credited in zip(parts, before, strict=False)
    ]
    return _collect(np.concatenate([texts.hashes for texts in parts]), np.concatenate(ranks))


def count_reordered(order: Order) -> int:
    """How many sentences are in another order."""
    _, gold, system = np.intersect1d(
        order.gold.hashes, order.system.hashes, assume_unique=True, return_indices=True
    )
    ranks, other_ranks = order.gold.ranks[gold], order.system.ranks[system]
    return int(((ranks >= 0) & (other_ranks >= 0) & (ranks != other_ranks)).sum())
