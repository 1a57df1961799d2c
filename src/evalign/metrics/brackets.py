"""Metrics of trees on any segmentation: tags, brackets, and the other numbers of evalb.

    evalign.score("gold.mrg", "system.mrg", metrics=["brackets", "crossing"])

A bracket is its beginning, its end and its label; equal brackets match one to one (Black et al. 1991; Dridan
and Oepen 2013).
"""

from __future__ import annotations

import numpy as np

from evalign.document import IntArray
from evalign.kernels.match_cy import pair_spans
from evalign.metrics.comparison import Comparison, CountTable, count_matches, count_pairs, count_rows
from evalign.metrics.constituents import Mask, narrow
from evalign.metrics.keys import find_unpaired
from evalign.metrics.metric import MATCHED, WORD_FIELDS
from evalign.metrics.spans import count_sentences, count_tokens


def same_tags(comparison: Comparison, partners: IntArray) -> Mask:
    """Return for each gold word whether it and its partner have the same tag and count under the preset."""
    gold, system = comparison.constituents.counted_words
    tags = comparison.constituents.tags
    rows = np.flatnonzero((partners >= 0) & gold)
    others = partners[rows]
    right = np.zeros(len(partners), bool)
    right[rows] = system[others] & (tags.gold[rows] == tags.system[others])
    return right


def count_tags(comparison: Comparison) -> CountTable:
    """Count tags of the words that count under the preset, by unit, in the columns `WORD_FIELDS`.

    Words are paired as in the metric words.
    """
    gold, system = comparison.constituents.counted_words
    gold_cuts, system_cuts = comparison.word_cuts
    partners = comparison.word_partners
    aligned = (partners >= 0) & gold
    aligned[aligned] = system[partners[aligned]]
    totals = count_rows(gold, gold_cuts), count_rows(system, system_cuts), count_rows(aligned, gold_cuts)
    return count_pairs(
        comparison, lambda partners: count_rows(same_tags(comparison, partners), gold_cuts), *totals
    )


def count_brackets(comparison: Comparison) -> CountTable:
    """Count brackets by unit, in the columns `MATCHED`.

    Matching brackets have the same place and the same label and share enough text.
    """
    return _count_brackets(comparison, comparison.constituents.in_place)


def count_unlabelled(comparison: Comparison) -> CountTable:
    """Count brackets by unit, whatever their labels, in the columns `MATCHED`.

    Matching brackets have the same place and share enough text.
    """
    return _count_brackets(comparison, comparison.constituents.in_place_unlabelled)


def _count_brackets(comparison: Comparison, in_place: IntArray) -> CountTable:
    constituents = comparison.constituents
    shared = constituents.keep_sharing(in_place)
    same = constituents.same_text(shared)
    return count_matches(comparison, in_place >= 0, same, comparison.bracket_cuts, default=shared >= 0)


def count_triples(comparison: Comparison) -> CountTable:
    """Count sentences, tokens, tags and brackets together by unit, in the columns `MATCHED`."""
    tags = count_tags(comparison)[:, [WORD_FIELDS.index(name) for name in MATCHED]]
    return count_sentences(comparison) + count_tokens(comparison) + tags + count_brackets(comparison)


def count_crossing(comparison: Comparison) -> CountTable:
    """Count crossing system brackets and uncrossed gold sentences by unit.

    The columns are: crossing system brackets, all system brackets, all gold sentences, those without a
    crossing bracket, those with at most two. A system bracket crosses if it partly overlaps a gold bracket.
    It belongs to the last gold sentence that begins at or before its start, so one that begins before a gold
    sentence has ended belongs to that sentence. A crossing bracket always has a place.
    """
    constituents, gold = comparison.constituents, comparison.gold
    crossing = constituents.crossing
    starts = constituents.sides[1].starts[crossing]
    reach = np.append(0, comparison.alignment.gold.places.token_progress)[gold.sentences[:-1]]
    owners = np.maximum(np.searchsorted(reach, starts, side="right") - 1, 0)
    per_sentence = np.bincount(owners, minlength=gold.n_sentences) if gold.n_sentences else np.zeros(0, int)
    cuts = comparison.sentence_cuts[0]
    sums = np.diff(np.concatenate([[0], np.cumsum(per_sentence)])[cuts])
    columns = [
        sums,
        np.diff(comparison.bracket_cuts[1]),
        np.diff(cuts),
        count_rows(per_sentence == 0, cuts),
        count_rows(per_sentence <= 2, cuts),
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def count_complete(comparison: Comparison) -> CountTable:
    """Count, by unit, gold sentences that are completely right, and all gold sentences.

    A sentence is completely right if its system sentence has exactly the same brackets; with `match="text"`
    it must also have the same text.
    """
    constituents, by_text = comparison.constituents, comparison.options.match_by == "text"
    gold, system = constituents.sides
    right = constituents.right
    spurious = find_unpaired(constituents.partners[right], len(system))
    wrong = [
        np.bincount(
            np.searchsorted(document.sentences, side.firsts[mask], side="right") - 1,
            minlength=document.n_sentences,
        )
        for document, side, mask in (
            (comparison.gold, gold, ~right),
            (comparison.system, system, spurious),
        )
    ]
    partners = _pair_sentences(comparison)
    complete = (partners >= 0) & (wrong[0][: len(partners)] == 0)
    complete[complete] = wrong[1][partners[complete]] == 0
    if by_text:
        complete &= comparison.sentence_same
    cuts = comparison.sentence_cuts[0]
    return np.stack([count_rows(complete, cuts), np.diff(cuts)], axis=1).astype(np.int64)


def _pair_sentences(comparison: Comparison) -> IntArray:
    """Return for each gold sentence the system sentence it is credited with, or -1.

    As in evalb, a sentence that has words that count runs from the first of them to the last.
    """
    aligned = comparison.alignment
    stretches = []
    for side, kept in zip((aligned.gold, aligned.system), comparison.constituents.counted_words, strict=True):
        cuts = side.document.sentences
        stretches.append(narrow(cuts[:-1], cuts[1:], kept)[:2])
    spans = [
        (side.places.token_starts[firsts], side.places.token_ends[lasts - 1])
        for side, (firsts, lasts) in zip((aligned.gold, aligned.system), stretches, strict=True)
    ]
    partners = np.empty(comparison.gold.n_sentences, np.int32)
    pair_spans(*spans[0], *spans[1], partners)
    by_place = comparison.options.match_by == "place"
    return partners if by_place else aligned.keep_sharing(partners, *stretches)
