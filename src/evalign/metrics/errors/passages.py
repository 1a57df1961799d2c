"""Passages: blocks of sentences with an error in them, whole, ready to be drawn without the documents.

A passage has the text of both sides, how their tokens stand for each other, and the trees over them; all numbers of
tokens and words count from its beginning. It is a plain dictionary, for it is written into saved results as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from evalign.alignment import Blocks
from evalign.document import MISSING, OUTSIDE, ROOT, Column, Columns, IntArray
from evalign.metrics.census import has_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.positions import (
    NO_SLOTS,
    LocatedErrors,
    choose_candidates,
    choose_rows,
    locate_errors,
)
from evalign.metrics.errors.span_errors import find_trigger
from evalign.metrics.metric import MOST_PASSAGES


class PassageError(TypedDict, total=False):
    """One error: what it is of, its kind, and the tokens of both sides, or words, from and to."""

    metric: str
    kind: str
    trigger: str
    gold: list[int]
    system: list[int]
    labels: list[str]


class PassageWords(TypedDict):
    """Words of both sides, the token each belongs to, and per gold word the system word it is judged with, or -1."""

    gold: list[str]
    system: list[str]
    gold_tokens: list[int]
    system_tokens: list[int]
    pairs: list[int]


class PassageTree(TypedDict, total=False):
    """Heads, relations and tags; a head is a word of the passage, -1 the root, -2 none, -3 outside."""

    gold_heads: list[int]
    system_heads: list[int]
    gold_relations: list[str]
    system_relations: list[str]
    gold_tags: list[str]
    system_tags: list[str]


STATES = ("right", "wrong", "crossing")
# First token, one past the last, label, and whether it is right, wrong or crossing.
PassageBracket: TypeAlias = list[int | str]


class PassageBrackets(TypedDict):
    """The brackets that count, in opening order."""

    gold: list[PassageBracket]
    system: list[PassageBracket]


class _Metrics(TypedDict, total=False):
    words: PassageWords
    tree: PassageTree
    brackets: PassageBrackets


class Passage(_Metrics):
    """A block of sentences with an error in it."""

    unit: int
    start: int
    gold_place: str | None
    system_place: str | None
    gold: list[str]
    """Sentences: their tokens joined by one space, which none of them has in it."""
    system: list[str]
    groups: list[int | list[int]]
    """A number: so many tokens that are right, one to one. Two: gold tokens that stand for system tokens, wrong."""
    errors: list[PassageError]


class Passages(TypedDict):
    """Passages that were kept, chosen over the kinds of errors and spread over the text, of how many there are."""

    total: int
    kept: int
    list: list[Passage]


def find_passages(
    comparison: Comparison, metrics: Sequence[str], most: int | None = MOST_PASSAGES
) -> Passages:
    """At most `most` blocks with an error of the `metrics`: of every kind of error the first in each slot (`positions`)."""
    located = locate_errors(comparison, metrics)
    blocks, starts, kinds = _find_wrong_blocks(comparison, located)
    chosen = blocks[choose_rows(starts, kinds, most)]
    passages = list(_Writer(comparison, located).write(chosen)) if len(chosen) else []
    return Passages(total=len(blocks), kept=len(passages), list=passages)


def find_candidates(
    comparison: Comparison, located: Sequence[LocatedErrors], most: int | None, *, offset: int, width: int
) -> tuple[int, list[Passage], int]:
    """The passages of a part of a text that may be among the `most` chosen of the whole.

    Gives how many blocks have an error, the passages, and the width of the slots they are the first in: at least
    `width`, and slots of a line that has `offset` characters before this part.
    """
    blocks, starts, kinds = _find_wrong_blocks(comparison, located, offset)
    rows, width = choose_candidates(starts, kinds, most, width)
    passages = list(_Writer(comparison, located).write(blocks[rows], offset)) if len(rows) else []
    return len(blocks), passages, width


def thin_passages(passages: Passages, most: int | None) -> Passages:
    """At most `most` of some passages, as if these had been chosen at once."""
    chosen = choose_again(passages["list"], most)
    return Passages(total=passages["total"], kept=len(chosen), list=chosen)


def choose_again(passages: Sequence[Passage], most: int | None, width: int = NO_SLOTS) -> list[Passage]:
    """At most `most` of passages in the order of the text, which may be the candidates of slots of a `width`."""
    rows = choose_rows(*_starts_and_kinds(passages), most, width)
    return [passages[row] for row in rows.tolist()]


def keep_candidates(passages: Sequence[Passage], most: int | None, width: int) -> tuple[list[Passage], int]:
    """Those of the candidates of several parts that are candidates of all of them, and the width of their slots."""
    rows, width = choose_candidates(*_starts_and_kinds(passages), most, width)
    return [passages[row] for row in rows.tolist()], width


def _name_kind(metric: str, kind: str) -> tuple[str, str]:
    """The kind of an error that passages are chosen over.

    Errors of words count as those of tokens: whether words are more than the tokens is only known of a whole text.
    """
    return ("tokens" if metric == "words" else metric), kind


def _find_wrong_blocks(
    comparison: Comparison, located: Sequence[LocatedErrors], offset: int = 0
) -> tuple[IntArray, IntArray, list[IntArray]]:
    """The blocks with an error, where each begins on the line, and per kind of error the rows of those that have it."""
    alignment = comparison.alignment
    by_kind: dict[tuple[str, str], npt.NDArray[np.bool_]] = {}
    for errors in located:
        for kind, rows in errors.rows_by_kind().items():
            key = _name_kind(errors.metric, kind)
            by_kind.setdefault(key, np.zeros(len(alignment.blocks), bool))[errors.blocks[rows]] = True
    has_error = np.zeros(len(alignment.blocks), bool)
    for has_kind in by_kind.values():
        has_error |= has_kind
    blocks = np.flatnonzero(has_error)
    gold = alignment.gold.original
    starts = gold.cuts[gold.sentences[alignment.blocks.gold[blocks]]] + np.int64(offset)
    return blocks, starts, [np.flatnonzero(has_kind[blocks]) for has_kind in by_kind.values()]


def _starts_and_kinds(passages: Sequence[Passage]) -> tuple[IntArray, list[IntArray]]:
    """Where passages begin on the line, and per kind of error the rows of those that have it."""
    rows: dict[tuple[str, str], list[int]] = {}
    for row, passage in enumerate(passages):
        for key in {_name_kind(error["metric"], error["kind"]) for error in passage["errors"]}:
            rows.setdefault(key, []).append(row)
    starts = np.array([passage["start"] for passage in passages], np.int64)
    return starts, [np.array(kind_rows, np.int64) for kind_rows in rows.values()]


class _Writer:
    """What all passages of a comparison are written from."""

    def __init__(self, comparison: Comparison, located: Sequence[LocatedErrors]) -> None:
        alignment = comparison.alignment
        self.comparison = comparison
        self.gold, self.system = alignment.gold.original, alignment.system.original
        self.blocks: Blocks = alignment.blocks
        self.has_words = self.gold.columns is not None and self.system.columns is not None
        self.has_words = self.has_words and self.gold.trees is None
        self.has_tree = self.has_words and has_columns(comparison, ("head", "deprel"))
        self.has_tags = self.has_words and has_columns(comparison, ("upos",))
        self.has_brackets = self.gold.trees is not None and self.system.trees is not None
        # Cuts of the blocks in tokens and in words, and the unit each is in.
        sides = (self.gold, self.blocks.gold), (self.system, self.blocks.system)
        self.token_cuts = [side.sentences[cuts] for side, cuts in sides]
        self.word_cuts = [
            side.word_cuts(cuts) for (side, _), cuts in zip(sides, self.token_cuts, strict=True)
        ]
        self.units = np.searchsorted(comparison.units.tokens, self.token_cuts[0], side="right") - 1
        self.located = located
        # Errors and groups by block: their order, and where each block's begin in it.
        self.errors = [_by_block(errors.blocks, len(self.blocks)) for errors in located]
        self.groups = _by_block(alignment.group_blocks, len(self.blocks))
        by_place = comparison.options.match == "place"
        self.right_tokens = comparison.token_partners >= 0 if by_place else comparison.token_same
        self.bracket_states = _bracket_states(comparison) if self.has_brackets else ()

    def write(self, blocks: IntArray, offset: int = 0) -> Iterator[Passage]:
        """The passages of some blocks; there may be characters of a text before this one."""
        for block in blocks.tolist():
            yield self._passage(block, offset)

    def _passage(self, block: int, offset: int) -> Passage:
        gold, system = self.gold, self.system
        sentences = _range(self.blocks.gold, block), _range(self.blocks.system, block)
        tokens = [_range(cuts, block) for cuts in self.token_cuts]
        words = [_range(cuts, block) for cuts in self.word_cuts]
        passage = Passage(
            unit=max(0, int(self.units[block])),
            start=int(gold.cuts[tokens[0].start]) + offset,
            gold_place=str(gold.place_of(tokens[0].start)) if tokens[0] else None,
            system_place=str(system.place_of(tokens[1].start)) if tokens[1] else None,
            gold=[" ".join(gold.sentence(k)) for k in sentences[0]],
            system=[" ".join(system.sentence(k)) for k in sentences[1]],
            groups=self._groups(block),
            errors=list(self._errors(block, tokens, words)),
        )
        if self.has_words:
            passage["words"] = self._words(tokens, words)
        if self.has_tree or self.has_tags:
            passage["tree"] = self._tree(words)
        if self.has_brackets:
            passage["brackets"] = self._brackets(tokens)
        return passage

    def _groups(self, block: int) -> list[int | list[int]]:
        """Groups of tokens; runs of right ones as how many they are."""
        order, starts = self.groups
        cuts = self.comparison.alignment.groups
        groups: list[int | list[int]] = []
        for at in order[starts[block] : starts[block + 1]].tolist():
            g0, g1 = int(cuts.gold[at]), int(cuts.gold[at + 1])
            sizes = [g1 - g0, int(cuts.system[at + 1] - cuts.system[at])]
            if sizes != [1, 1] or not self.right_tokens[g0]:
                groups.append(sizes)
            elif groups and isinstance(groups[-1], int):
                groups[-1] += 1
            else:
                groups.append(1)
        return groups

    def _errors(self, block: int, tokens: Sequence[range], words: Sequence[range]) -> Iterator[PassageError]:
        for errors, (order, starts) in zip(self.located, self.errors, strict=True):
            of_words = bool(errors.labels) and errors.metric != "brackets"
            begin = [rows.start for rows in (words if of_words else tokens)]
            for row in order[starts[block] : starts[block + 1]].tolist():
                cell = int(errors.cells[row])
                error = PassageError(metric=errors.metric, kind=errors.kinds[cell])
                for side, ends, first in (
                    ("gold", errors.gold, begin[0]),
                    ("system", errors.system, begin[1]),
                ):
                    start, end = int(ends[0][row]) - first, int(ends[1][row]) - first
                    error[side] = [start, end] if end > start >= 0 else [0, 0]  # type: ignore[literal-required]
                if errors.labels:
                    error["labels"] = list(errors.labels[cell])
                if errors.metric == "sentences" and error["kind"] in ("split", "merge", "shifted"):
                    error["trigger"] = self._trigger(block)
                yield error

    def _trigger(self, block: int) -> str:
        gold, system = _range(self.blocks.gold, block), _range(self.blocks.system, block)
        return find_trigger(self.comparison, gold.start if len(gold) > 1 else None, system.start)

    def _words(self, tokens: Sequence[range], words: Sequence[range]) -> PassageWords:
        partners = self.comparison.word_partners[words[0].start : words[0].stop].tolist()
        return PassageWords(
            gold=[self.gold.word(k) for k in words[0]],
            system=[self.system.word(k) for k in words[1]],
            gold_tokens=[self.gold.word_token(k) - tokens[0].start for k in words[0]],
            system_tokens=[self.system.word_token(k) - tokens[1].start for k in words[1]],
            pairs=[partner - words[1].start if partner in words[1] else -1 for partner in partners],
        )

    def _tree(self, words: Sequence[range]) -> PassageTree:
        tree = PassageTree()
        sides = (("gold", self.gold, words[0]), ("system", self.system, words[1]))
        for side, document, rows in sides:
            columns = document.columns
            if columns is None:
                continue
            if self.has_tree:
                tree[f"{side}_heads"] = _heads(columns, rows)  # type: ignore[literal-required]
                tree[f"{side}_relations"] = _labels(columns.deprel, rows)  # type: ignore[literal-required]
            if self.has_tags:
                tree[f"{side}_tags"] = _labels(columns.upos, rows)  # type: ignore[literal-required]
        return tree

    def _brackets(self, tokens: Sequence[range]) -> PassageBrackets:
        constituents = self.comparison.constituents
        names = constituents.labels.labels
        brackets = []
        for side, state, rows in zip(constituents.sides, self.bracket_states, tokens, strict=True):
            a, b = np.searchsorted(side.firsts, [rows.start, rows.stop]).tolist()
            brackets.append(
                [
                    [first - rows.start, last - rows.start, names[label], STATES[how]]
                    for first, last, label, how in zip(
                        side.firsts[a:b].tolist(),
                        side.lasts[a:b].tolist(),
                        side.labels[a:b].tolist(),
                        state[a:b].tolist(),
                        strict=True,
                    )
                ]
            )
        return PassageBrackets(gold=brackets[0], system=brackets[1])


def _bracket_states(comparison: Comparison) -> tuple[IntArray, IntArray]:
    """Per bracket of gold and of the system which of `STATES` it is in."""
    constituents = comparison.constituents
    right = constituents.right
    is_credited = np.zeros(len(constituents.sides[1]), bool)
    is_credited[constituents.partners[right]] = True
    return np.where(right, 0, 1), np.where(is_credited, 0, np.where(constituents.crossing, 2, 1))


def _by_block(blocks: IntArray, n_blocks: int) -> tuple[IntArray, list[int]]:
    order = np.argsort(blocks, kind="stable")
    return order, np.searchsorted(blocks[order], np.arange(n_blocks + 1)).tolist()


def _range(cuts: IntArray, block: int) -> range:
    return range(int(cuts[block]), int(cuts[block + 1]))


def _labels(column: Column, rows: range) -> list[str]:
    ids = column.ids[rows.start : rows.stop].tolist()
    return [column.labels[number] for number in ids]


def _heads(columns: Columns, words: range) -> list[int]:
    """Heads as words of the passage."""
    heads = []
    for parent in columns.parents[words.start : words.stop].tolist():
        if parent in (ROOT, OUTSIDE):
            heads.append(parent)
        elif parent < 0:  # none, or a cycle
            heads.append(MISSING)
        else:
            heads.append(parent - words.start if parent in words else OUTSIDE)
    return heads
