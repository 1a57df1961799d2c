"""Errors as values: one error (`Mismatch`), groups of equal errors, and the errors of a label metric by cell.

`span_errors`, `label_errors` and `bracket_errors` make them; reports and results show and save them. A cell
is one combination of gold label and system label in a table of confusions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalign.document import CYCLIC, MISSING, OUTSIDE, ROOT, Document, IntArray
from evalign.errors import Place
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import ratio
from evalign.metrics.metric import KINDS
from evalign.metrics.registry import LABEL_METRICS, show_metric
from evalign.ud_labels import UNFILLED
from evalign.wording import printable, shorten, width_of

# Single features: those of a cell of FEATS, and those in which two cells differ.

Label = tuple[str, ...]
NO_FEATURES = ("-",)


def differing_features(gold: str, system: str) -> tuple[Label, Label]:
    """Return the features of each side that the other side lacks or has with another value.

    A side without any gets `NO_FEATURES`.

    >>> differing_features("Case=Nom|Number=Sing", "Number=Plur|Case=Nom")
    (('Number=Sing',), ('Number=Plur',))
    >>> differing_features("Number=Sing", "_")
    (('Number=Sing',), ('-',))
    """
    sides = [Counter(split_features(feats)) for feats in (gold, system)]
    differing = [tuple(sorted((side - other).elements())) for side, other in (sides, sides[::-1])]
    return differing[0] or NO_FEATURES, differing[1] or NO_FEATURES


def split_features(feats: str) -> list[str]:
    """Split a cell of FEATS into its features; `_` has none."""
    return [feature for feature in feats.split("|") if feature and feature != UNFILLED]


# Single errors, and groups of equal errors.

# Number of tokens or words of context on each side.
CONTEXT = 6
# Shown for a token without characters.
NO_TEXT = "(empty)"
# Notes behind a token that both sides have, but at different places of the raw text, or not in it at all.
ELSEWHERE, NOT_IN_RAW = " (elsewhere in the raw text)", " (not in the raw text)"
# Shown between several tokens or sentences of one side, and in place of a side that has none.
BOUNDARY, NOTHING = " ¦ ", "(nothing)"
# Shown for a head that is not a word. Forms contain no spaces, so no form equals one of these.
NO_HEAD = {ROOT: "the root", MISSING: "no head", OUTSIDE: "outside the sentence", CYCLIC: "a cycle"}
# Most columns for what one side has, and the least for one of its tokens or sentences.
LONGEST_SIDE, SHORTEST_SPAN = 60, 9


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One error: what gold has, what the system has instead, and where."""

    metric: str
    kind: str
    gold: tuple[str, ...]
    """The texts of the gold spans, or the gold label, or the gold features that differ."""
    system: tuple[str, ...]
    gold_place: Place | None
    system_place: Place | None
    start: int | None
    """Position on the gold line where the error begins.

    With raw text it is counted in characters of that text, and None if the raw text lacks it.
    """
    before: str
    after: str
    trigger: str = ""
    word: str = ""
    """The word, or the text of the bracket, that is labelled wrongly; empty for errors of spans."""
    gold_head: str = ""
    """The head of the gold word, if heads were judged: a word, or one of the values of `NO_HEAD`."""
    system_head: str = ""
    raw_file: str = ""
    """The file of raw text that `start` refers to; empty without raw text."""

    def __str__(self) -> str:
        """One line: place, metric, kind, and what gold and the system have."""
        place = self.gold_place or self.system_place
        where = f"{place}: " if place else ""
        word = f"[{shorten(printable(self.word), LONGEST_SIDE)}] " if self.word else ""
        gold, system = mismatch_sides(self, LONGEST_SIDE)
        about = f"{show_metric(self.metric)} {_name_kind(self.kind, self.trigger)}".rstrip()
        return f"{printable(where)}{about}: {word}{gold} -> {system}"


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Errors of the same kind and the same texts, or for sentences of the same kind and trigger."""

    kind: str
    trigger: str
    gold: tuple[str, ...]
    system: tuple[str, ...]
    count: int
    examples: tuple[Mismatch, ...]
    """The first errors of the group; in a saved result, only errors that it kept."""
    gold_words: int = 0
    """Number of gold words, or brackets, that have the gold label of the group; 0 for spans."""

    @property
    def share(self) -> float | None:
        """Share of the gold words, or brackets, with this label that have this error.

        None if there are no such words or brackets.
        """
        return ratio(self.count, self.gold_words)

    @property
    def first_place(self) -> Place | None:
        """Place of the first example; None without examples."""
        first = self.examples[0] if self.examples else None
        return (first.gold_place or first.system_place) if first else None

    def __str__(self) -> str:
        """One line: count, kind, what gold and the system have, share of gold's words, and first place."""
        kind = _name_kind(self.kind, self.trigger)
        sides = group_sides(self, LONGEST_SIDE)
        about = ": ".join(filter(None, (kind, " -> ".join(filter(None, sides)))))
        share = "" if self.share is None else f"{100 * self.share:.1f}% of {self.gold_words:,}"
        place = f"first at {printable(str(self.first_place))}" if self.first_place else ""
        return ", ".join(filter(None, (f"{self.count:,}x {about}", share, place)))


def _name_kind(kind: str, trigger: str) -> str:
    """Name a kind of error, with its trigger in brackets: "merge (no end mark)".

    A trigger is what probably led to the error: an abbreviation, a missing end mark. The kind
    "confused" is not named, as its metrics have no other.
    """
    named = "" if kind == "confused" else kind
    return f"{named} ({printable(trigger)})" if trigger else named


def mismatch_sides(mismatch: Mismatch, longest: int) -> tuple[str, str]:
    """Return what gold and the system have, each in at most `longest` columns.

    They are labels with heads for a metric of labels, else tokens or sentences as they are written.
    """
    if mismatch.metric in LABEL_METRICS:
        gold, system = show_labels(mismatch)
        return shorten(gold, longest), shorten(system, longest)
    return _join_spans(mismatch.gold, longest), _join_spans(mismatch.system, longest)


def group_sides(group: ErrorGroup, longest: int) -> tuple[str, str]:
    """Return what gold and the system have in the errors of a group, each in at most `longest` columns.

    Both are empty for sentences, whose texts differ within a group.
    """
    if group.gold_words or (group.examples and group.examples[0].metric in LABEL_METRICS):
        gold, system = (printable(join_label(label)) for label in (group.gold, group.system))
        return shorten(gold, longest), shorten(system, longest)
    if not group.gold and not group.system:
        return "", ""
    return _join_spans(group.gold, longest), _join_spans(group.system, longest)


def _join_spans(spans: Sequence[str], longest: int) -> str:
    """Join tokens or sentences with `BOUNDARY`, each shortened so that the boundaries stay visible."""
    shown = [printable(span) for span in spans]
    if width_of(BOUNDARY.join(shown)) > longest:
        room = max(SHORTEST_SPAN, longest // len(shown) - len(BOUNDARY))
        shown = [shorten(span, room) for span in shown]
    return shorten(BOUNDARY.join(shown), longest) or NOTHING


def join_label(parts: Sequence[str]) -> str:
    """Join the parts of a label; features are separated as in FEATS."""
    return ("|".join(parts) or NO_TEXT) if parts else NOTHING


def show_labels(mismatch: Mismatch) -> tuple[str, str]:
    """Return the labels of gold and of the system as they are printed, with heads if heads were judged."""
    gold = _show_label(mismatch.metric, mismatch.gold, mismatch.gold_head)
    return gold, _show_label(mismatch.metric, mismatch.system, mismatch.system_head)


def _show_label(metric: str, parts: Sequence[str], head: str) -> str:
    label = printable(join_label(parts))
    if metric == "las":
        return f"{label}, head {name_head(head)}"
    if metric == "uas":
        return f"head {name_head(head)}" + ("" if head in NO_HEAD.values() else f", {label}")
    return "no such feature" if metric in ("ufeats", "allfeats") and parts == NO_FEATURES else label


def name_head(head: str, longest: int | None = None) -> str:
    """Quote a head, in at most `longest` columns; the values of `NO_HEAD` are returned unquoted."""
    if head in NO_HEAD.values():
        return head
    shown = printable(head)
    return f'"{shown if longest is None else shorten(shown, longest)}"'


def group_mismatches(mismatches: Iterable[Mismatch], examples: int = 3) -> list[ErrorGroup]:
    """Group errors, most frequent first; each group keeps its first errors, at most `examples` of them."""
    firsts: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[Mismatch]] = {}
    counts: Counter[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = Counter()
    for mismatch in mismatches:
        is_sentence = mismatch.metric == "sentences"
        written = ((), ()) if is_sentence else (mismatch.gold, mismatch.system)
        key = (mismatch.kind, mismatch.trigger, *written)
        counts[key] += 1
        group = firsts.setdefault(key, [])
        if len(group) < examples:
            group.append(mismatch)
    ranked = sorted(counts, key=lambda key: (-counts[key], key))
    return [ErrorGroup(*key, counts[key], tuple(firsts[key])) for key in ranked]


def find_context(document: Document, first: int, last: int) -> tuple[str, str]:
    """Return the last `CONTEXT` tokens before token `first`, and as many from `last` on."""
    before, after = document.tokens(max(0, first - CONTEXT), first), document.tokens(last, last + CONTEXT)
    return " ".join(before), " ".join(after)


def find_blocks(document: Document, cuts: IntArray, tokens: IntArray) -> IntArray:
    """Return the block of each of `tokens`, which are tokens of `document`.

    `cuts` has the first sentence of each block, and the number of sentences at the end.
    """
    return np.searchsorted(document.sentences[cuts[1:]], tokens, side="right")


def find_start(comparison: Comparison, position: int) -> tuple[int | None, str]:
    """Return `position`, which is on the gold line, and an empty file name.

    With raw text, return the position there and the file instead, or None and an empty name if the raw text
    lacks it.
    """
    if comparison.raw is None:
        return position, ""
    place = comparison.raw.place(position)
    return (place.offset, place.file) if place else (None, "")


# Errors in the cells of a table: labels of gold against labels of the system, each with its kind.

# Most cells that are kept apart: those that come first in the text. Errors in other cells are only counted by
# kind.
MOST_CONFUSIONS = 50_000


class ErrorCell(NamedTuple):
    """A kind of error, a gold label and a system label.

    A label is empty if its side has no item.
    """

    kind: str
    gold: Label
    system: Label


class PairCounts(NamedTuple):
    """How many words or brackets have a partner, and how many words of each side have none."""

    pairs: int
    gold_only: int
    system_only: int
    noun: str = "word"


@dataclass(frozen=True, eq=False)
class ErrorCells(ABC):
    """The errors of a metric of labels, each assigned to a cell."""

    comparison: Comparison
    metric: str
    rows: IntArray
    """The wrong items, in the order of the text; subclasses say what the numbers are."""
    numbers: IntArray
    """The cell of each error, as an index into `cells`."""
    cells: Sequence[ErrorCell]
    gold_words: Sequence[int]
    """The number of gold items that could be in each cell."""
    totals: Mapping[str, int]
    """The number of gold items that could be wrong, by gold label."""

    def kinds(self) -> dict[str, int]:
        """Count the errors of each kind."""
        counts: Counter[str] = Counter()
        for cell, count in zip(self.cells, self.counts(), strict=True):
            counts[cell.kind] += count
        return {kind: counts[kind] for kind in KINDS if kind in counts}

    def mismatches(self) -> Iterator[Mismatch]:
        """Yield the errors in the order of the text."""
        for row, number in zip(self.rows.tolist(), self.numbers.tolist(), strict=True):
            yield self._mismatch(row, self.cells[number])

    def groups(self, examples: int = 3) -> list[ErrorGroup]:
        """Return the cells as groups, largest first.

        Each group keeps its first errors, at most `examples` of them. If there are more than
        `MOST_CONFUSIONS` cells, only those that come first in the text are returned.
        """
        counts = self.counts()
        order = np.argsort(self.numbers, kind="stable")
        starts = np.cumsum([0, *counts]).tolist()
        ranked = []
        for number in sorted(
            self.in_text_order()[:MOST_CONFUSIONS], key=lambda n: (-counts[n], self.cells[n])
        ):
            cell, start = self.cells[number], starts[number]
            rows = order[start : min(start + examples, starts[number + 1])]
            shown = tuple(self._mismatch(row, cell) for row in self.rows[rows].tolist())
            ranked.append(
                ErrorGroup(
                    cell.kind, "", cell.gold, cell.system, counts[number], shown, self.gold_words[number]
                )
            )
        return ranked

    def in_text_order(self) -> list[int]:
        """Return the indices of the cells, ordered by their first error in the text."""
        firsts = np.zeros(len(self.cells), np.int64)
        firsts[self.numbers[::-1]] = np.arange(len(self.numbers))[::-1]
        order: list[int] = np.argsort(firsts, kind="stable").tolist()
        return order

    def counts(self) -> list[int]:
        """Count the errors in each cell."""
        counts: list[int] = np.bincount(self.numbers, minlength=len(self.cells)).tolist()
        return counts

    @abstractmethod
    def _mismatch(self, row: int, cell: ErrorCell) -> Mismatch:
        """Make the error `row` of `cell`, with its places and its context."""
