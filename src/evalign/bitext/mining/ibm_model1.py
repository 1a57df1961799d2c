"""IBM model 1: how probable a word is as the translation of another, learnt from pairs of sentences.

Brown et al. 1993, "The Mathematics of Statistical Machine Translation", section 4.1. Every word of a target
sentence comes from one word of its source sentence or from none. Which one is not observed; expectation
maximisation finds the probabilities under which the targets are most probable. The likelihood has a single
maximum, so the start matters little: all probabilities begin equal.

Words are numbers here. A cell is a source word and a target word that occur in one pair of sentences; an
entry is one occurrence of a cell. All entries of a block are computed at once. Memory: four bytes per entry
(a word of a source sentence times a word of its translation), and some forty bytes per cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.int32]
Shares: TypeAlias = npt.NDArray[np.float64]

# How many entries are numbered at a time; more if a single pair of sentences has more.
ENTRIES_PER_BLOCK = 1 << 22


class PackedSentences(NamedTuple):
    """Sentences of one language, concatenated."""

    words: Words
    """Numbers of the words, from 1.

    0 is the empty word, which generates target words that no source word explains.
    """
    sizes: npt.NDArray[np.int64]
    """How many words each sentence has."""


class TranslationTable(NamedTuple):
    """Probabilities of target words given source words, ordered by source and then by target."""

    sources: Words
    targets: Words
    probabilities: Shares


class _Entries(NamedTuple):
    """Entries of some pairs of sentences: for each target word, one per source word it may come from."""

    cells: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]
    """How many entries each target word has."""


class _LocalEntries(NamedTuple):
    """Entries whose cells are numbered within their block only."""

    keys: npt.NDArray[np.int64]
    """A sorted key per cell, which identifies the cell across blocks."""
    cells: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]

    def renumber(self, keys: npt.NDArray[np.int64]) -> _Entries:
        """Number the cells by their position in `keys`, the sorted keys of all blocks."""
        return _Entries(np.searchsorted(keys, self.keys).astype(np.int32)[self.cells], self.sizes)


def pack_sentences(sentences: Sequence[Sequence[int]]) -> PackedSentences:
    """Return sentences of word numbers as arrays."""
    sizes = np.fromiter(map(len, sentences), np.int64, len(sentences))
    total = int(sizes.sum())
    return PackedSentences(np.fromiter((word for each in sentences for word in each), np.int32, total), sizes)


def estimate_model(
    sources: PackedSentences, targets: PackedSentences, iterations: int, *, most: int = ENTRIES_PER_BLOCK
) -> TranslationTable:
    """Estimate translation probabilities by `iterations` of expectation maximisation.

    The empty word is part of the model, but not of the result. At most `most` entries are numbered at a time,
    or those of one pair of sentences if it has more.
    """
    width = int(targets.words.max(initial=0)) + 1
    with_none = _add_none(sources)
    spans = [*_cut(with_none.sizes, targets.sizes, most)]
    numbered = [_number_cells(with_none, targets, span, width) for span in spans]
    cells = np.unique(np.concatenate([each.keys for each in numbered])) if numbered else np.empty(0, np.int64)
    blocks = [each.renumber(cells) for each in numbered]
    del numbered
    of_sources, of_targets = (cells // width).astype(np.int32), (cells % width).astype(np.int32)
    shares = _maximize(blocks, of_sources, iterations)
    kept = of_sources > 0
    return TranslationTable(of_sources[kept], of_targets[kept], shares[kept])


def _maximize(blocks: Sequence[_Entries], sources: Words, iterations: int) -> Shares:
    # All target words that a source word occurs with begin equally probable.
    shares = 1 / np.bincount(sources)[sources] if len(sources) else np.empty(0)
    for _ in range(iterations):
        counts = np.zeros(len(sources))
        for block in blocks:
            expected = shares[block.cells]
            sums = np.add.reduceat(expected, np.cumsum(block.sizes) - block.sizes)
            expected /= np.repeat(sums, block.sizes)
            counts += np.bincount(block.cells, expected, len(sources))
        shares = counts / np.bincount(sources, counts)[sources]
    return shares


def _add_none(sentences: PackedSentences) -> PackedSentences:
    """Put the empty word in front of every sentence."""
    starts = np.cumsum(sentences.sizes) - sentences.sizes
    return PackedSentences(np.insert(sentences.words, starts, 0), sentences.sizes + 1)


def _cut(sources: npt.NDArray[np.int64], targets: npt.NDArray[np.int64], most: int) -> Iterator[slice]:
    """Cut pairs of sentences into slices of at most `most` entries; slices without entries are left out."""
    entries = np.cumsum(sources * targets)
    start = 0
    while start < len(entries):
        before = int(entries[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(entries, before + most, "right")))
        if int(entries[end - 1]) > before:
            yield slice(start, end)
        start = end


def _number_cells(
    sources: PackedSentences, targets: PackedSentences, span: slice, width: int
) -> _LocalEntries:
    """List the entries of a slice of pairs, and number their cells."""
    source_starts = np.cumsum(sources.sizes) - sources.sizes
    begin = int(targets.sizes[: span.start].sum())
    words = targets.words[begin : begin + int(targets.sizes[span].sum())]
    sizes = np.repeat(sources.sizes[span], targets.sizes[span])
    starts = np.repeat(source_starts[span], targets.sizes[span])
    places = np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    entries = sources.words[places].astype(np.int64) * width + np.repeat(words, sizes)
    keys, cells = np.unique(entries, return_inverse=True)
    return _LocalEntries(keys, cells.astype(np.int32), sizes)
