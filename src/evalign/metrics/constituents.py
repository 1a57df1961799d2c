"""`Constituents`: the brackets and tags of both sides that count under a preset, and which of them match.

`Comparison.constituents` makes one; metrics, errors and breakdowns of brackets share it. A bracket runs from
its first to its last word that counts, in shared places; a bracket without such a word does not count. A
bracket with gaps matches only one with the same gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import Alignment, PlacedDocument, share_enough
from evalign.alignment.places import NOWHERE
from evalign.document import Column, Document, IntArray, Runs, Trees, distinct
from evalign.errors import CommandError
from evalign.kernels.match_cy import mark_crossing, match_brackets
from evalign.metrics.keys import SharedLabels, number_labels
from evalign.options import ROOT_LABELS, Preset, ScoreOptions

# Gaps of discontinuous brackets, among the words that count, in shared places.
#
# Two brackets with the same start and end are in the same place if their gaps are. A gap without a word that
# counts, or without a word that the other text has, is no gap.


def narrow_runs(brackets: Mapping[int, Runs], kept: npt.NDArray[np.bool_]) -> dict[int, Runs]:
    """Cut the runs of `brackets` to the words that count, which `kept` marks.

    Runs with no such word between them are joined; a bracket may have no run left.
    """
    if kept.all():
        return dict(brackets)
    rank = np.concatenate([[0], np.cumsum(kept)])
    tokens = np.flatnonzero(kept)
    narrowed = {}
    for bracket, runs in brackets.items():
        joined: list[tuple[int, int]] = []
        for first, last in runs:
            a, b = int(rank[first]), int(rank[last])
            if joined and joined[-1][1] == a:
                joined[-1] = joined[-1][0], b
            elif a < b:
                joined.append((a, b))
        narrowed[bracket] = tuple((int(tokens[a]), int(tokens[b - 1]) + 1) for a, b in joined)
    return narrowed


# The gap number of brackets over only empty elements at the beginning of a sentence. Their place is that of
# brackets at the end of the sentence before; the number keeps the two apart.
LEADING = 1


def number_gaps(numbers: dict[Hashable, int], runs: Runs, places: tuple[IntArray, IntArray]) -> int:
    """Return the number of the gaps between `runs`, given the places at which tokens start and end.

    `numbers` has the gaps of both sides so far. Gaps that begin or end at no place get a number that no other
    bracket has.
    """
    starts, ends = places
    gaps = [(int(ends[a - 1]), int(starts[b])) for (_, a), (b, _) in pairwise(runs)]
    key: Hashable = tuple(gap for gap in gaps if gap[0] != gap[1])
    if any(NOWHERE in gap for gap in gaps):
        key = object()
    return numbers.setdefault(key, len(numbers))


def with_gaps(
    labels: Sequence[IntArray], gaps: Sequence[IntArray], n_labels: int
) -> tuple[Sequence[IntArray], int]:
    """Number labels and gaps together: equal numbers mean equal label and equal gaps.

    Takes and returns one column for each side; also returns an upper bound for the numbers. Without gaps the
    labels are returned unchanged, with `n_labels`.
    """
    gapped = [np.flatnonzero(column) for column in gaps]
    if not any(map(len, gapped)):
        return labels, n_labels
    pairs = list(zip(labels, gaps, gapped, strict=True))
    codes = [gap[rows].astype(np.int64) * n_labels + label[rows] for label, gap, rows in pairs]
    distinct_codes = distinct(np.sort(np.concatenate(codes)))
    numbers = [label.copy() for label in labels]
    for column, rows, code in zip(numbers, gapped, codes, strict=True):
        column[rows] = n_labels + np.searchsorted(distinct_codes, code)
    return numbers, n_labels + len(distinct_codes)


Mask = npt.NDArray[np.bool_]
# Words that evalb treats as quotes, whose tags may differ.
QUOTES = frozenset({"'", '"', "/"})


class BracketSide(NamedTuple):
    """The brackets of one document that count, in opening order."""

    rows: IntArray
    """Indices of the brackets in the document."""
    firsts: IntArray
    """The first token of each bracket that counts."""
    lasts: IntArray
    """The last token of each bracket that counts, plus one."""
    labels: IntArray
    """Numbers of the labels, shared by both sides."""
    starts: IntArray
    """The place where each bracket begins, or NOWHERE."""
    ends: IntArray
    gaps: IntArray
    """Numbers of the gaps (`number_gaps`), shared by both sides; 0 without gaps."""
    runs: Mapping[int, Runs]
    """The runs of words that count of each row with gaps between such words, by row."""

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, rows: IntArray) -> BracketSide:
        """Return the brackets `rows`, without their runs."""
        spans = self.firsts[rows], self.lasts[rows], self.labels[rows], self.starts[rows], self.ends[rows]
        return BracketSide(self.rows[rows], *spans, self.gaps[rows], {})

    def tokens(self, row: int) -> Runs:
        """Return the runs of tokens of the bracket `row`: one run if it has no gaps."""
        return self.runs.get(row) or ((int(self.firsts[row]), int(self.lasts[row])),)


def delete_tags(tags: Column, preset: Preset) -> Mask:
    """Return for each word whether it counts: the preset does not delete its exact tag."""
    kept = np.array([label not in preset.delete for label in tags.labels], bool)
    return kept[tags.ids] if len(kept) else np.ones(len(tags.ids), bool)


def narrow(firsts: IntArray, lasts: IntArray, kept: Mask) -> tuple[IntArray, IntArray, Mask]:
    """Cut stretches of tokens to the first and last token that counts, which `kept` marks.

    Returns first tokens, last tokens plus one, and whether each stretch has a token that counts; a stretch
    without one is returned unchanged.
    """
    if kept.all():
        return firsts, lasts, np.ones(len(firsts), bool)
    rank = np.concatenate([[0], np.cumsum(kept)])
    tokens = np.append(np.flatnonzero(kept), 0).astype(np.int32)
    a, b = rank[firsts], rank[lasts]
    filled = a < b
    return np.where(filled, tokens[a], firsts), np.where(filled, tokens[b - 1] + 1, lasts), filled


@dataclass(frozen=True, eq=False)
class Constituents:
    """The brackets and tags of two aligned tree documents, as the preset of the options counts them."""

    alignment: Alignment
    options: ScoreOptions
    find_pairs: Callable[[], IntArray]
    """Returns for each gold word the index of the system word in the same place, or -1.

    Called only where the tag of one word decides whether its partner counts.
    """

    @property
    def _documents(self) -> tuple[Document, Document]:
        return self.alignment.gold.document, self.alignment.system.document

    @property
    def _trees(self) -> tuple[Trees, Trees]:
        documents = self._documents
        gold, system = (document.trees for document in documents)
        if gold is None or system is None:
            lacking = documents[0 if gold is None else 1].name
            message = f"no brackets to compare: {lacking} has no trees"
            raise CommandError(message, "trees on both sides")
        return gold, system

    @cached_property
    def counted_words(self) -> tuple[Mask, Mask]:
        """Whether each gold word counts, and whether each system word does."""
        preset = self.options.bracket_rules
        masks = [delete_tags(_tags(side), preset) for side in self._documents]
        if preset.quotes:
            self._restore_quotes(*masks)
        if self.options.punctuation == "gold":
            partners = self.find_pairs()
            paired = partners >= 0
            masks[1][partners[paired]] = masks[0][paired]
        return masks[0], masks[1]

    def _restore_quotes(self, gold: Mask, system: Mask) -> None:
        """Count a quote on both sides where its tags differ and only one side deleted it.

        Changes the masks `gold` and `system` of the words that count.
        """
        quotes = self.options.bracket_rules.quotes
        sides = self.alignment.gold.original, self.alignment.system.original
        partners = self.find_pairs()
        paired = np.flatnonzero(partners >= 0)
        differing = paired[gold[paired] != system[partners[paired]]]
        for row in differing.tolist():
            words = row, int(partners[row])
            if all(
                _tag(side, word) in quotes and side.word(word) in QUOTES
                for side, word in zip(sides, words, strict=True)
            ):
                gold[words[0]] = system[words[1]] = True

    @cached_property
    def tags(self) -> SharedLabels:
        """The tags of both sides, including those of words that do not count.

        They are never cut; tags that the preset equates get one number.
        """
        gold, system = map(_tags, self._documents)
        classes = self.options.bracket_rules.classes()
        return number_labels(gold, system, lambda tag: classes.get(tag, tag))

    @cached_property
    def labels(self) -> SharedLabels:
        """The labels of all brackets of both sides, cut and equated as the preset says."""
        preset, classes = self.options.bracket_rules, self.options.bracket_rules.classes()
        gold, system = (
            trees.labels._replace(labels=[preset.cut_label(label) for label in trees.labels.labels])
            for trees in self._trees
        )
        return number_labels(gold, system, lambda label: classes.get(label, label))

    @cached_property
    def sides(self) -> tuple[BracketSide, BracketSide]:
        """The brackets of gold and of the system that count."""
        gold, system = self._trees
        kept = self.counted_words
        alignment, labels = self.alignment, self.labels
        gap_numbers: dict[Hashable, int] = {(): 0, "leading": LEADING}
        return (
            self._side(gold, kept[0], labels.gold, alignment.gold, gap_numbers),
            self._side(system, kept[1], labels.system, alignment.system, gap_numbers),
        )

    def _side(
        self,
        trees: Trees,
        kept: Mask,
        numbers: IntArray,
        aligned: PlacedDocument,
        gap_numbers: dict[Hashable, int],
    ) -> BracketSide:
        preset = self.options.bracket_rules
        counts = self._is_counted[numbers]
        if preset.drops_root:
            named = np.array([label in ROOT_LABELS for label in trees.labels.labels], bool)
            counts &= ~(trees.outermost & named[trees.labels.ids])
        firsts, lasts, filled = narrow(trees.firsts, trees.lasts, kept)
        gapped = narrow_runs(trees.runs, kept)
        if gapped:
            firsts, lasts = firsts.copy(), lasts.copy()
        for bracket, runs in gapped.items():
            filled[bracket] = bool(runs)
            if runs:
                firsts[bracket], lasts[bracket] = runs[0][0], runs[-1][1]
        rows = np.flatnonzero(counts & filled)
        if gapped:  # without its first word a bracket may open later
            rows = rows[np.lexsort((-lasts[rows], firsts[rows]))]
        firsts, lasts = firsts[rows], lasts[rows]
        places, leading = aligned.places.spans, aligned.leading
        starts, ends = places[0][firsts], places[1][lasts - 1]
        brackets = enumerate(rows.tolist() if gapped else ())
        runs_by_row = {row: gapped[bracket] for row, bracket in brackets if len(gapped.get(bracket, ())) > 1}
        gaps = np.zeros(len(rows), np.int32)
        for row, runs in runs_by_row.items():
            gaps[row] = number_gaps(gap_numbers, runs, places)
        if leading is not None:
            gaps[leading[lasts - 1]] = LEADING
        return BracketSide(rows, firsts, lasts, numbers[rows], starts, ends, gaps, runs_by_row)

    @cached_property
    def _is_counted(self) -> Mask:
        """Whether brackets count, by the number of their label.

        Labels that the preset equates with a deleted label are deleted too.
        """
        preset, classes = self.options.bracket_rules, self.options.bracket_rules.classes()
        deleted = {classes.get(label, label) for label in preset.delete}
        return np.array([label not in deleted for label in self.labels.labels], bool)

    @cached_property
    def in_place(self) -> IntArray:
        """The system bracket with the same place and label as each counted gold bracket; -1 if there is none.

        Labels are not compared if the preset is unlabelled.
        """
        return _match(*self.sides, len(self.labels.labels), labelled=self.options.bracket_rules.labelled)

    @cached_property
    def in_place_unlabelled(self) -> IntArray:
        """The system bracket with the same place as each counted gold bracket; -1 if there is none."""
        return _match(*self.sides, len(self.labels.labels), labelled=False)

    @cached_property
    def partners(self) -> IntArray:
        """The system bracket that each counted gold bracket is credited with; -1 if there is none.

        Partners must share enough text, unless `match="place"`; their texts may differ.
        """
        return self.in_place if self.options.match_by == "place" else self.keep_sharing(self.in_place)

    @cached_property
    def right(self) -> Mask:
        """Whether each counted gold bracket has a partner; with `match="text"`, one with the same text."""
        return self.same_text(self.partners) if self.options.match_by == "text" else self.partners >= 0

    def keep_sharing(self, partners: IntArray) -> IntArray:
        """Return `partners` without the pairs that share too little text.

        A single token may be a single letter, so two brackets over one token each are judged by their
        sentence instead: the pair is dropped only if too little of the sentence's text is shared.
        """
        alignment, (gold, system) = self.alignment, self.sides
        if alignment.lines_equal:
            return partners
        kept = alignment.keep_sharing(partners, (gold.firsts, gold.lasts), (system.firsts, system.lasts))
        rows = np.flatnonzero(partners >= 0)
        single, single_there = (side.lasts - side.firsts == 1 for side in (gold, system))
        rows = rows[single[rows] & single_there[partners[rows]]]
        sentences = np.searchsorted(alignment.gold.document.sentences, gold.firsts[rows], side="right") - 1
        kept[rows] = np.where(alignment.refused_sentences[sentences], -1, partners[rows])
        for row in gold.runs:
            other = int(partners[row])
            if other >= 0:
                kept[row] = other if self._runs_share_enough(row, other) else -1
        return kept

    def _runs_share_enough(self, gold_row: int, system_row: int) -> bool:
        """Return whether two discontinuous brackets share enough text, gaps aside.

        Enough is a third of their mean length in characters, as for any span (`share_enough`).
        """
        counted = []
        for side, aligned, row in zip(
            self.sides, (self.alignment.gold, self.alignment.system), (gold_row, system_row), strict=True
        ):
            firsts, lasts = np.array(side.tokens(row)).T
            counted.append([column.sum() for column in aligned.count_shared((firsts, lasts))])
        (length, shared), (other_length, _) = counted
        return bool(share_enough(shared, length, other_length))

    def match_rows(self, gold_rows: IntArray, system_rows: IntArray) -> IntArray:
        """Pair some gold brackets with some system brackets in the same place, whatever the labels.

        Returns for each of `gold_rows` an index into `system_rows`, or -1.
        """
        gold, system = self.sides
        chosen = gold.select(gold_rows), system.select(system_rows)
        return _match(*chosen, len(self.labels.labels), labelled=False)

    @cached_property
    def crossing(self) -> Mask:
        """Whether each counted system bracket partly overlaps a gold bracket.

        Brackets with gaps, on either side, are left out.
        """
        whole = [np.flatnonzero(side.gaps == 0) for side in self.sides]
        chosen = [side.select(rows) for side, rows in zip(self.sides, whole, strict=True)]
        gold, system = (_place(side, side.labels) for side in chosen)
        n_places = self.alignment.n_places + 1
        inner_starts, inner_ends = np.empty(n_places, np.int32), np.empty(n_places, np.int32)
        stack = np.empty(len(gold.rows), np.int32)
        crossing = np.zeros(len(system.rows), np.uint8)
        mark_crossing(
            gold.starts, gold.ends, system.starts, system.ends, inner_starts, inner_ends, stack, crossing
        )
        mask = np.zeros(len(self.sides[1]), bool)
        mask[whole[1][system.rows[crossing.view(bool)]]] = True
        return mask

    def same_text(self, partners: IntArray) -> Mask:
        """Return for each counted gold bracket whether it has a partner with the same text."""
        gold, system = self._documents
        has_partner = partners >= 0
        if gold.line == system.line and not self.alignment.is_on_raw:
            return has_partner
        rows = np.flatnonzero(has_partner)
        mine, theirs = self.sides
        ends = (
            gold.cuts[mine.firsts[rows]],
            gold.cuts[mine.lasts[rows]],
            system.cuts[theirs.firsts[partners[rows]]],
            system.cuts[theirs.lasts[partners[rows]]],
        )
        same = np.zeros(len(partners), bool)
        same[rows] = [
            gold.line[a:b] == system.line[c:d] for a, b, c, d in zip(*(e.tolist() for e in ends), strict=True)
        ]
        if mine.runs or theirs.runs:
            for row, other in zip(rows.tolist(), partners[rows].tolist(), strict=True):
                if row in mine.runs or other in theirs.runs:
                    same[row] = _text(gold, mine.tokens(row)) == _text(system, theirs.tokens(other))
        return same


def _text(document: Document, runs: Runs) -> str:
    return "".join(document.line[document.cuts[first] : document.cuts[last]] for first, last in runs)


class _Placed(NamedTuple):
    """The brackets of a side that have a place, in the order that the kernels require."""

    rows: IntArray
    starts: IntArray
    ends: IntArray
    labels: IntArray


def _place(side: BracketSide, labels: IntArray) -> _Placed:
    rows = np.flatnonzero((side.starts != NOWHERE) & (side.ends != NOWHERE))
    starts, ends = side.starts[rows], side.ends[rows]
    # Rows are in opening order already, unless a bracket over only empty elements stands before its sister.
    if ((starts[1:] < starts[:-1]) | ((starts[1:] == starts[:-1]) & (ends[1:] > ends[:-1]))).any():
        order = np.lexsort((-ends.astype(np.int64), starts))
        rows, starts, ends = rows[order], starts[order], ends[order]
    columns = starts, ends, labels[rows]
    return _Placed(rows, *(np.ascontiguousarray(column, np.int32) for column in columns))


def _match(gold_side: BracketSide, system_side: BracketSide, n_labels: int, *, labelled: bool) -> IntArray:
    """Return for each gold bracket the index of the system bracket with the same place and gaps, or -1.

    If `labelled`, the two must have the same label too.
    """
    sides = gold_side, system_side
    labels = [side.labels if labelled else np.zeros(len(side), np.int32) for side in sides]
    numbers, n_labels = with_gaps(labels, [side.gaps for side in sides], n_labels)
    gold, system = (_place(side, column) for side, column in zip(sides, numbers, strict=True))
    placed_partners = np.empty(len(gold.rows), np.int32)
    heads = np.full(n_labels + 1, -1, np.int32)
    following = np.empty(len(system.rows), np.int32)
    match_brackets(*gold[1:], *system[1:], heads, following, placed_partners)
    partners = np.full(len(gold_side), -1, np.int32)
    paired = placed_partners >= 0
    partners[gold.rows[paired]] = system.rows[placed_partners[paired]]
    return partners


def _tags(document: Document) -> Column:
    if document.columns is None:
        message = f"{document.name} has no tags"
        raise CommandError(message, "trees, or CoNLL-U")
    return document.columns.xpos


def _tag(document: Document, word: int) -> str:
    tags = _tags(document)
    return tags.labels[int(tags.ids[word])]
