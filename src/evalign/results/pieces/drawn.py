"""What a page draws of parts, joined: passages, chosen as of the whole text, and marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import cast

import numpy as np

from evalign.document import IntArray
from evalign.metrics.errors import (
    MOST_MARKS,
    NO_SLOTS,
    Marks,
    MetricMarks,
    Passage,
    Passages,
    PassageTree,
    Ticks,
    choose_again,
    keep_candidates,
)
from evalign.results.pieces.piece import PassagePiece

WORDS = "words"
# What the tree of a passage has of either side, and the columns of the text it has it for.
_TREE_NEEDS = {"heads": ("head", "deprel"), "relations": ("head", "deprel"), "tags": ("upos",)}


class JoinedPassages:
    """Passages, in the order of the text."""

    def __init__(self) -> None:
        self.width = NO_SLOTS
        self._total = 0
        self._most: int | None = None
        self._candidates: list[Passage] = []

    def add(self, found: PassagePiece, units: IntArray) -> None:
        """Add those of the next part, given the number that each of its units has in the whole."""
        self._total += found.total
        self._most = found.most
        self.width = max(self.width, found.width)
        for passage in found.candidates:
            numbered = passage.copy()
            numbered["unit"] = int(units[passage["unit"]])
            self._candidates.append(numbered)
        self._candidates, self.width = keep_candidates(self._candidates, self._most, self.width)

    def change_units(self, change: Callable[[IntArray], IntArray]) -> None:
        """Other numbers of units."""
        units = change(np.array([passage["unit"] for passage in self._candidates], np.int64))
        for passage, unit in zip(self._candidates, units.tolist(), strict=True):
            passage["unit"] = unit

    def passages(self, columns: frozenset[str], *, with_words: bool) -> Passages:
        """Those that are kept, given the columns of the text; without errors of words, where these are those of tokens."""
        chosen = choose_again(self._candidates, self._most, self.width)
        for passage in chosen:
            if not with_words:
                passage["errors"] = [error for error in passage["errors"] if error["metric"] != WORDS]
            if "tree" in passage:
                _fit_tree(passage, columns)
        return Passages(total=self._total, kept=len(chosen), list=chosen)


def _fit_tree(passage: Passage, columns: frozenset[str]) -> None:
    """Leave out what only a part has: one that a side has no word of lacks nothing."""
    lacking = {kind for kind, needs in _TREE_NEEDS.items() if not columns.issuperset(needs)}
    left = {key: value for key, value in passage["tree"].items() if key.partition("_")[2] not in lacking}
    if left:
        passage["tree"] = cast("PassageTree", left)
    else:
        del passage["tree"]


class JoinedMarks:
    """Positions of all errors by metric and kind."""

    def __init__(self) -> None:
        self._marks: dict[str, MetricMarks] | None = None
        self._waiting: list[Mapping[str, MetricMarks]] = []
        self._n_waiting = 0

    def add(self, found: Mapping[str, MetricMarks]) -> None:
        """Add those of the next part."""
        self._waiting.append(found)
        self._n_waiting += sum(
            len(ticks.positions) for marks in found.values() for ticks in marks.kinds.values()
        )
        if self._n_waiting > MOST_MARKS:
            self._settle()

    def marks(self, *, with_words: bool) -> Marks:
        """Those that are kept; without words, where these are tokens."""
        self._settle()
        found = (self._marks or {}).items()
        return {metric: marks.to_dict() for metric, marks in found if with_words or metric != WORDS}

    def _settle(self) -> None:
        if not self._waiting:
            return
        parts = [*([] if self._marks is None else [self._marks]), *self._waiting]
        # What a part has not the whole has not.
        metrics = [metric for metric in parts[0] if all(metric in part for part in parts)]
        self._marks = {metric: _join([part[metric] for part in parts]) for metric in metrics}
        self._waiting, self._n_waiting = [], 0


def _join(parts: list[MetricMarks]) -> MetricMarks:
    """The marks of a metric in parts that follow one another."""
    kinds = dict.fromkeys(chain.from_iterable(part.kinds for part in parts))
    found = {
        kind: Ticks(
            *map(np.concatenate, zip(*(p.kinds[kind] for p in parts if kind in p.kinds), strict=True))
        )
        for kind in kinds
    }
    return MetricMarks(found, max(part.width for part in parts)).thinned()
