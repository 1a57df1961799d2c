"""One error, groups of equal errors, and the errors of a metric of labels, each in a cell of gold's label against the system's.

What finds errors (`span_errors`, `label_errors`, `bracket_errors`) makes these; reports and results show and save them.
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
from evalign.metrics.metric import KINDS, LABEL_METRICS, show_metric
from evalign.ud_labels import UNFILLED
from evalign.wording import printable, shorten, width_of

# Features one by one: those of a cell of FEATS, and those in which two cells differ.

Label = tuple[str, ...]
NO_FEATURES = ("-",)


def differing_features(gold: str, system: str) -> tuple[Label, Label]:
    """The features that only one side has, or has with another value.

    >>> differing_features("Case=Nom|Number=Sing", "Number=Plur|Case=Nom")
    (('Number=Sing',), ('Number=Plur',))
    >>> differing_features("Number=Sing", "_")
    (('Number=Sing',), ('-',))
    """
    sides = [Counter(split_features(feats)) for feats in (gold, system)]
    differing = [tuple(sorted((side - other).elements())) for side, other in (sides, sides[::-1])]
    return differing[0] or NO_FEATURES, differing[1] or NO_FEATURES


def split_features(feats: str) -> list[str]:
    """The features of a cell of FEATS; `_` has none."""
    return [feature for feature in feats.split("|") if feature and feature != UNFILLED]


# Errors one by one, and groups of those that say the same.

# Tokens, or words, of context on each side.
CONTEXT = 6
# What stands for a token without characters.
NO_TEXT = "(empty)"
# What stands behind a token that the other side has too, but in another place of the raw text, or with no character in it.
ELSEWHERE, NOT_IN_RAW = " (elsewhere in the raw text)", " (not in the raw text)"
# What stands between tokens or sentences of which the other side has one, and for a side that has none.
BOUNDARY, NOTHING = " ¦ ", "(nothing)"
# What stands for the head where it is no word. No form has a space in it, so none is taken for one of these.
NO_HEAD = {ROOT: "the root", MISSING: "no head", OUTSIDE: "outside the sentence", CYCLIC: "a cycle"}
# Columns that a side gets in a line, and one of its tokens or sentences at least.
LONGEST_SIDE, SHORTEST_SPAN = 60, 9


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One error: what gold has, what the system has instead, and where."""

    metric: str
    kind: str
    gold: tuple[str, ...]
    """Spans: what gold wrote. Pairs of words: gold's label, or the features that differ."""
    system: tuple[str, ...]
    gold_place: Place | None
    system_place: Place | None
    start: int | None
    """Where it begins on the gold line; with raw text, in characters of that, None where that lacks it."""
    before: str
    after: str
    trigger: str = ""
    word: str = ""
    """The gold word that is labelled otherwise; no error of spans has one."""
    gold_head: str = ""
    """What the word hangs on, where that is what was judged: a word, ROOT, none, outside or cycle."""
    system_head: str = ""
    raw_file: str = ""
    """The raw text that `start` is a place in; nothing without raw text."""

    def __str__(self) -> str:
        """One line: place, metric, kind, and what gold and the system have."""
        place = self.gold_place or self.system_place
        where = f"{place}: " if place else ""
        word = f"[{shorten(printable(self.word), LONGEST_SIDE)}] " if self.word else ""
        gold, system = mismatch_sides(self, LONGEST_SIDE)
        about = f"{show_metric(self.metric)} {_name_kind(self.kind, self.trigger)}".rstrip()
        return f"{printable(where)}{about}: {word}{gold} -> {system}"


class Surroundings(NamedTuple):
    """The row of tokens, or of words, that an error stands in, and where: its context is what comes before and behind."""

    document: Document
    first: int
    last: int
    of_words: bool = False

    def before(self) -> str:
        """The last ones before it."""
        return self._join(max(0, self.first - CONTEXT), self.first)

    def after(self) -> str:
        """The first ones behind it."""
        return self._join(self.last, min(self.last + CONTEXT, self._size()))

    def lacking(self) -> tuple[int, int]:
        """How many it would have more before and behind, were there more text."""
        return max(0, CONTEXT - self.first), max(0, CONTEXT - (self._size() - self.last))

    def _size(self) -> int:
        return self.document.n_words if self.of_words else self.document.n_tokens

    def _join(self, first: int, last: int) -> str:
        if self.of_words:
            return " ".join(map(self.document.word, range(first, last)))
        return " ".join(self.document.tokens(first, last))


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Errors that are the same in kind and in what was written; of sentences, in kind and trigger."""

    kind: str
    trigger: str
    gold: tuple[str, ...]
    system: tuple[str, ...]
    count: int
    examples: tuple[Mismatch, ...]
    """The first ones; those of a saved result are among the errors it kept."""
    gold_words: int = 0
    """How many gold words that have a partner are labelled as these are; 0 of spans."""

    @property
    def share(self) -> float | None:
        """Which part of the gold words with this label is labelled so; None where that means nothing."""
        return ratio(self.count, self.gold_words)

    @property
    def first_place(self) -> Place | None:
        """Where the first example is; None without one."""
        first = self.examples[0] if self.examples else None
        return (first.gold_place or first.system_place) if first else None

    def __str__(self) -> str:
        """One line: how many, kind, what gold and the system have, the share of gold's words, and the first place."""
        kind = _name_kind(self.kind, self.trigger)
        sides = group_sides(self, LONGEST_SIDE)
        about = ": ".join(filter(None, (kind, " -> ".join(filter(None, sides)))))
        share = "" if self.share is None else f"{100 * self.share:.1f}% of {self.gold_words:,}"
        place = f"first at {printable(str(self.first_place))}" if self.first_place else ""
        return ", ".join(filter(None, (f"{self.count:,}x {about}", share, place)))


def _name_kind(kind: str, trigger: str) -> str:
    """The kind of an error and what triggered it; a label that is confused with another is of no other kind."""
    named = "" if kind == "confused" else kind
    return f"{named} ({printable(trigger)})" if trigger else named


def mismatch_sides(mismatch: Mismatch, longest: int) -> tuple[str, str]:
    """What gold and the system have, each in at most `longest` columns.

    Those are labels with heads, or tokens or sentences as they are written.
    """
    if mismatch.metric in LABEL_METRICS:
        gold, system = show_labels(mismatch)
        return shorten(gold, longest), shorten(system, longest)
    return _join_spans(mismatch.gold, longest), _join_spans(mismatch.system, longest)


def group_sides(group: ErrorGroup, longest: int) -> tuple[str, str]:
    """The same of a group; nothing of sentences, of which each has its own."""
    if group.gold_words or (group.examples and group.examples[0].metric in LABEL_METRICS):
        gold, system = (printable(join_label(label)) for label in (group.gold, group.system))
        return shorten(gold, longest), shorten(system, longest)
    if not group.gold and not group.system:
        return "", ""
    return _join_spans(group.gold, longest), _join_spans(group.system, longest)


def _join_spans(spans: Sequence[str], longest: int) -> str:
    """Tokens or sentences with marks between them, each shortened so that the marks can be seen."""
    shown = [printable(span) for span in spans]
    if width_of(BOUNDARY.join(shown)) > longest:
        room = max(SHORTEST_SPAN, longest // len(shown) - len(BOUNDARY))
        shown = [shorten(span, room) for span in shown]
    return shorten(BOUNDARY.join(shown), longest) or NOTHING


def join_label(parts: Sequence[str]) -> str:
    """A label; features as FEATS has them."""
    return ("|".join(parts) or NO_TEXT) if parts else NOTHING


def show_labels(mismatch: Mismatch) -> tuple[str, str]:
    """What gold and the system say of a word."""
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
    """A head in quotes, in at most `longest` columns; what is no word as it is."""
    if head in NO_HEAD.values():
        return head
    shown = printable(head)
    return f'"{shown if longest is None else shorten(shown, longest)}"'


def group_mismatches(mismatches: Iterable[Mismatch], examples: int = 3) -> list[ErrorGroup]:
    """Errors grouped, commonest first, each group with a few examples."""
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


def find_blocks(document: Document, cuts: IntArray, tokens: IntArray) -> IntArray:
    """The block of sentences that each of some tokens of a side is in, given the side's cuts of blocks."""
    return np.searchsorted(document.sentences[cuts[1:]], tokens, side="right")


def find_start(comparison: Comparison, position: int) -> tuple[int | None, str]:
    """A position on the gold line and no file, or, where there is raw text, in its characters, and which file."""
    if comparison.raw is None:
        return position, ""
    place = comparison.raw.place(position)
    return (place.offset, place.file) if place else (None, "")


# Errors in the cells of a table: gold's labels against the system's, each with its kind.

# Cells that are told apart: those that come first in the text. Errors in others are counted by kind alone.
MOST_CONFUSIONS = 50_000


class ErrorCell(NamedTuple):
    """Which label was taken for which; an empty one where a side has none."""

    kind: str
    gold: Label
    system: Label


class PairCounts(NamedTuple):
    """How many words, or brackets, have a partner, and how many words of either side have none."""

    pairs: int
    gold_only: int
    system_only: int
    noun: str = "word"


@dataclass(frozen=True, eq=False)
class ErrorCells(ABC):
    """The errors of a metric, each in a cell."""

    comparison: Comparison
    metric: str
    rows: IntArray
    """What is wrong, in the order of the text."""
    numbers: IntArray
    """Which of the cells each is in."""
    cells: Sequence[ErrorCell]
    gold_words: Sequence[int]
    """Per cell: how many there are in gold that could be in it."""
    totals: Mapping[str, int]
    """How many there are in gold that could be in any, by label."""

    def kinds(self) -> dict[str, int]:
        """How many there are of each kind."""
        counts: Counter[str] = Counter()
        for cell, count in zip(self.cells, self.counts(), strict=True):
            counts[cell.kind] += count
        return {kind: counts[kind] for kind in KINDS if kind in counts}

    def mismatches(self) -> Iterator[Mismatch]:
        """Each of them, in the order of the text."""
        for mismatch, _ in self.surrounded():
            yield mismatch

    def surrounded(self) -> Iterator[tuple[Mismatch, Surroundings]]:
        """The same, with what each stands in."""
        for row, number in zip(self.rows.tolist(), self.numbers.tolist(), strict=True):
            yield self._mismatch(row, self.cells[number]), self._around(row)

    def groups(self, examples: int = 3) -> list[ErrorGroup]:
        """The cells, fullest first, each with its first examples; of very many those that come first in the text."""
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
        """Numbers of the cells, those first that have the first error in the text."""
        firsts = np.zeros(len(self.cells), np.int64)
        firsts[self.numbers[::-1]] = np.arange(len(self.numbers))[::-1]
        order: list[int] = np.argsort(firsts, kind="stable").tolist()
        return order

    def counts(self) -> list[int]:
        """How many errors are in each cell."""
        counts: list[int] = np.bincount(self.numbers, minlength=len(self.cells)).tolist()
        return counts

    @abstractmethod
    def _around(self, row: int) -> Surroundings:
        """What one of them stands in."""

    @abstractmethod
    def _mismatch(self, row: int, cell: ErrorCell) -> Mismatch:
        """One of them, with its places and the text around it."""
