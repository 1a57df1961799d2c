"""Pk and WindowDiff: a window slides over the gold tokens of a document.

    $ evalign score gold.conllu system.txt --metrics pk,windowdiff

Between each two tokens of a gold document is a gap, and a boundary is in it or not. Every window holds k
gaps. Pk (Beeferman et al. 1999) asks whether both sides have a boundary in it or neither has, WindowDiff
(Pevzner and Hearst 2002) whether they have as many. A system boundary inside a gold token is moved to its
end; where the lines differ, one behind a token that gold does not have is moved before it.

    variant     k, for n tokens in s sentences, halves to even
    pk          n / 2s, at least 1
    pk-nltk     (n - 1) / 2(s - 1), as nltk.metrics.segmentation.pk; 0 asks nothing
    pk-segeval  n / 2s, at least 2

A document has n - k windows, and none if that is less. Its row is counted in the unit it starts in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment import NOWHERE
from evalign.metrics.boundaries import Mask, document_cuts
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer

Sizes: TypeAlias = npt.NDArray[np.int64]
Window: TypeAlias = Callable[[Sizes, Sizes], Sizes]
"""Tokens and sentences of each document to its window."""


def round_half_even(part: Sizes, whole: Sizes) -> Sizes:
    """The whole number nearest to a fraction, the even one of two.

    >>> round_half_even(np.array([3, 5, 7]), np.array([2, 2, 4])).tolist()
    [2, 2, 2]
    """
    quotient, rest = np.divmod(part, whole)
    up = (2 * rest > whole) | ((2 * rest == whole) & (quotient % 2 == 1))
    rounded: Sizes = quotient + up
    return rounded


def window(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Half the mean gold sentence length, at least 1."""
    return np.maximum(1, round_half_even(tokens, 2 * sentences))


def window_nltk(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Half of the gaps per boundary, as nltk has it; may be 0."""
    return round_half_even(tokens - 1, 2 * np.maximum(1, sentences - 1))


def window_segeval(tokens: Sizes, sentences: Sizes) -> Sizes:
    """Half the mean gold sentence length, at least 2, as segeval has it."""
    return np.maximum(2, round_half_even(tokens, 2 * sentences))


def _gold_gaps(comparison: Comparison) -> Mask:
    """Per gold token: whether a gold sentence ends with it."""
    gaps = np.zeros(comparison.gold.n_tokens, bool)
    gaps[comparison.gold.sentences[1:] - 1] = True
    return gaps


def _system_gaps(comparison: Comparison) -> Mask:
    """Per gold token: whether a system sentence ends in it or right after it."""
    alignment = comparison.alignment
    reach = np.maximum.accumulate(alignment.gold.places.token_reach)
    ends = alignment.system.sentence_reach
    ends = ends[(ends != NOWHERE) & (ends > 0)]
    gaps = np.zeros(comparison.gold.n_tokens, bool)
    tokens = np.searchsorted(reach, ends)
    # Behind the token that gets there gold may have some that the system lost, such as a full stop: then the gap
    # is where the gold sentence ends.
    last = comparison.gold.sentences[1:] - 1
    sentences = np.searchsorted(reach[last], ends)
    known = sentences < len(last)
    there = last[sentences[known]]
    tokens[known] = np.where(reach[there] == ends[known], there, tokens[known])
    gaps[tokens[tokens < len(gaps)]] = True
    return gaps


def count_windows(
    comparison: Comparison, choose: Window, differ: Callable[[Sizes, Sizes], Mask]
) -> CountTable:
    """Windows in which gold and system differ, and all windows, per unit."""
    comparison = comparison.on_lines
    gold = comparison.gold
    documents = document_cuts(gold)
    bounds = gold.sentences[documents].astype(np.int64)
    firsts, tokens = bounds[:-1], np.diff(bounds)
    sizes = choose(tokens, np.diff(documents).astype(np.int64))
    windows = np.maximum(0, tokens - sizes)
    cuts = np.append(0, np.cumsum(windows))
    starts = np.arange(cuts[-1]) + np.repeat(firsts - cuts[:-1], windows)
    ends = starts + np.repeat(sizes, windows)
    held = []
    for gaps in (_gold_gaps(comparison), _system_gaps(comparison)):
        total = np.append(0, np.cumsum(gaps))
        held.append(total[ends] - total[starts])
    wrong = np.append(0, np.cumsum(differ(held[0], held[1])))
    table = np.zeros((len(comparison.units), 2), np.int64)
    units = np.searchsorted(comparison.units.tokens, firsts, side="right") - 1
    np.add.at(table, units, np.stack([np.diff(wrong[cuts]), windows], axis=1))
    return table


def _one_alone(gold: Sizes, system: Sizes) -> Mask:
    differ: Mask = (gold > 0) != (system > 0)
    return differ


def _not_as_many(gold: Sizes, system: Sizes) -> Mask:
    differ: Mask = gold != system
    return differ


def window_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Share of windows that differ."""
    return {"error": ratio(counts["errors"], counts["windows"])}


def _layer(name: str, choose: Window, differ: Callable[[Sizes, Sizes], Mask]) -> Layer:
    def count(comparison: Comparison) -> CountTable:
        return count_windows(comparison, choose, differ)

    return Layer(
        name,
        count,
        ("errors", "windows"),
        window_ratios,
        "error",
        lower_is_better=("error",),
        reach="document",
    )


PK = _layer("pk", window, _one_alone)
PK_NLTK = _layer("pk-nltk", window_nltk, _one_alone)
PK_SEGEVAL = _layer("pk-segeval", window_segeval, _one_alone)
WINDOWDIFF = _layer("windowdiff", window, _not_as_many)
WINDOWDIFF_NLTK = _layer("windowdiff-nltk", window_nltk, _not_as_many)
WINDOWDIFF_SEGEVAL = _layer("windowdiff-segeval", window_segeval, _not_as_many)
