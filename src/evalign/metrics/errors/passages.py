"""Passages: blocks of sentences that contain an error, with everything needed to draw them.

`results` keeps passages and `reports` draws them, both without the documents. A passage has the text of both
sides, the groups of tokens that correspond, and the trees over them. All numbers of tokens and words count
from the beginning of the passage. Passages are plain dictionaries, because they are written into saved
results as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from evalign.alignment.places import Blocks
from evalign.document import MISSING, OUTSIDE, ROOT, Column, Columns, IntArray
from evalign.metrics.census import has_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.errors.positions import (
    LOCATED_METRICS,
    NO_SLOTS,
    LocatedErrors,
    choose_candidates,
    choose_rows,
    locate_errors,
)
from evalign.metrics.errors.span_errors import find_trigger
from evalign.metrics.keys import find_unpaired
from evalign.metrics.metric import MOST_PASSAGES
from evalign.metrics.registry import METRICS


class PassageError(TypedDict, total=False):
    """One error: metric, kind, and its range of tokens or words on each side."""

    metric: str
    kind: str
    trigger: str
    gold: list[int]
    system: list[int]
    labels: list[str]


class PassageWords(TypedDict):
    """Words of both sides, the token of each, and the pairs of words.

    `pairs` has for each gold word the system word it is judged with, or -1.
    """

    gold: list[str]
    system: list[str]
    gold_tokens: list[int]
    system_tokens: list[int]
    pairs: list[int]


class PassageTree(TypedDict, total=False):
    """Heads, relations and tags of the words.

    A head is a word of the passage, -1 for the root, -2 for none, or -3 for a word outside.
    """

    gold_heads: list[int]
    system_heads: list[int]
    gold_relations: list[str]
    system_relations: list[str]
    gold_tags: list[str]
    system_tags: list[str]


STATES = ("right", "wrong", "crossing")
# First token, last token plus one, label, and one of `STATES`.
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
    """The sentences of gold. Tokens are joined by one space, which no token contains."""
    system: list[str]
    groups: list[int | list[int]]
    """Groups of tokens that correspond.

    A number n stands for n right tokens, matched one to one; [m, n] stands for m gold tokens that do not
    match n system tokens.
    """
    errors: list[PassageError]


class Passages(TypedDict):
    """The passages kept for reports, and the number of all blocks with an error.

    A passage is a block with an error: gold's sentences and the system's in the same place. Those kept have errors
    of all kinds and are spread over the text.
    """

    total: int
    kept: int
    list: list[Passage]


def find_passages(
    comparison: Comparison, metrics: Sequence[str], most: int | None = MOST_PASSAGES
) -> Passages:
    """Return at most `most` blocks with an error of `metrics`.

    The text is divided into slots (see `positions`), and the first block with each kind of error is taken
    from each slot.
    """
    return find_candidates(comparison, locate_errors(comparison, metrics), most).choose()


class Candidates(NamedTuple):
    """The passages of a part of a text, or of several, that may be among those chosen from the whole."""

    total: int
    """Number of blocks with an error."""
    passages: Sequence[Passage]
    most: int | None
    """How many passages are kept of the whole text; None for all."""
    width: int = NO_SLOTS
    """Width of the slots of gold's line in which the candidates are the first, in characters."""

    def joined(self, other: Candidates) -> Candidates:
        """Add the candidates of the text behind, and thin them out."""
        passages, width = [*self.passages, *other.passages], max(self.width, other.width)
        rows, width = choose_candidates(*_starts_and_kinds(passages), other.most, width)
        passages = [passages[row] for row in rows.tolist()]
        return Candidates(self.total + other.total, passages, other.most, width)

    def numbered(self, units: IntArray) -> Candidates:
        """Return copies whose units have other numbers: number k becomes `units[k]`."""
        passages = [passage.copy() for passage in self.passages]
        for passage in passages:
            passage["unit"] = int(units[passage["unit"]])
        return self._replace(passages=passages)

    def choose(self) -> Passages:
        """Choose the passages that are kept."""
        rows = choose_rows(*_starts_and_kinds(self.passages), self.most, self.width)
        chosen = [self.passages[row] for row in rows.tolist()]
        return Passages(total=self.total, kept=len(chosen), list=chosen)


def find_candidates(
    comparison: Comparison, located: Sequence[LocatedErrors], most: int | None, offset: int = 0
) -> Candidates:
    """Find the passages of a part of a text that may be among the `most` passages chosen from the whole.

    The line has `offset` characters before this part.
    """
    blocks, starts, kinds = _find_wrong_blocks(comparison, located, offset)
    rows, width = choose_candidates(starts, kinds, most)
    passages = []
    if len(rows):
        passages = list(map(_Writer(comparison, located, offset).write, blocks[rows].tolist()))
    return Candidates(len(blocks), passages, most, width)


def thin_passages(passages: Passages, most: int | None) -> Passages:
    """Return at most `most` of some passages: those that would have been chosen from the text directly."""
    return Candidates(passages["total"], passages["list"], most).choose()


# The kinds of errors that passages are chosen by, as metric and kind. Errors of words count as errors of tokens,
# because only the whole text shows whether it has multiword tokens.
_CHOSEN_BY = [(name, kind) for name in LOCATED_METRICS if name != "words" for kind in METRICS[name].kinds]


def _name_kind(metric: str, kind: str) -> tuple[str, str]:
    return ("tokens" if metric == "words" else metric), kind


def _find_wrong_blocks(
    comparison: Comparison, located: Sequence[LocatedErrors], offset: int
) -> tuple[IntArray, IntArray, list[IntArray]]:
    """Find the blocks with an error.

    Returns the blocks, where each begins on the line, and for each kind of error which of these blocks have
    it. The line has `offset` characters before this part.
    """
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
    none = np.zeros(len(alignment.blocks), bool)
    return blocks, starts, [np.flatnonzero(by_kind.get(key, none)[blocks]) for key in _CHOSEN_BY]


def _starts_and_kinds(passages: Sequence[Passage]) -> tuple[IntArray, list[IntArray]]:
    """Return where passages begin on the line, and for each kind of error which passages have it."""
    rows: dict[tuple[str, str], list[int]] = {key: [] for key in _CHOSEN_BY}
    for row, passage in enumerate(passages):
        for key in {_name_kind(error["metric"], error["kind"]) for error in passage["errors"]}:
            rows[key].append(row)
    starts = np.array([passage["start"] for passage in passages], np.int64)
    return starts, [np.array(kind_rows, np.int64) for kind_rows in rows.values()]


class _Writer:
    """Writes passages of a comparison; the line has `offset` characters before this part."""

    def __init__(self, comparison: Comparison, located: Sequence[LocatedErrors], offset: int) -> None:
        alignment = comparison.alignment
        self.offset = offset
        self.comparison = comparison
        self.gold, self.system = alignment.gold.original, alignment.system.original
        self.blocks: Blocks = alignment.blocks
        self.has_words = self.gold.columns is not None and self.system.columns is not None
        self.has_words = self.has_words and self.gold.trees is None
        self.has_tree = self.has_words and has_columns(comparison, ("head", "deprel"))
        self.has_tags = self.has_words and has_columns(comparison, ("upos",))
        self.has_brackets = self.gold.trees is not None and self.system.trees is not None
        # Where blocks begin in tokens and in words, and the unit of each block.
        sides = (self.gold, self.blocks.gold), (self.system, self.blocks.system)
        self.token_cuts = [side.sentences[cuts] for side, cuts in sides]
        self.word_cuts = [
            side.word_cuts(cuts) for (side, _), cuts in zip(sides, self.token_cuts, strict=True)
        ]
        self.units = np.searchsorted(comparison.units.tokens, self.token_cuts[0], side="right") - 1
        self.located = located
        # Errors and groups sorted by block: their order, and where each block begins in it.
        self.errors = [_by_block(errors.blocks, len(self.blocks)) for errors in located]
        self.groups = _by_block(alignment.group_blocks, len(self.blocks))
        self.right_tokens = comparison.tokens_right
        self.bracket_states = _bracket_states(comparison) if self.has_brackets else ()

    def write(self, block: int) -> Passage:
        """Return the passage of a block."""
        gold, system = self.gold, self.system
        sentences = _range(self.blocks.gold, block), _range(self.blocks.system, block)
        tokens = [_range(cuts, block) for cuts in self.token_cuts]
        words = [_range(cuts, block) for cuts in self.word_cuts]
        passage = Passage(
            unit=max(0, int(self.units[block])),
            start=int(gold.cuts[tokens[0].start]) + self.offset,
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
        """Return the groups of tokens of a block, as described at `Passage.groups`."""
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
    """Return for each bracket of gold and of the system its state, an index into `STATES`."""
    constituents = comparison.constituents
    right = constituents.right
    is_wrong = find_unpaired(constituents.partners[right], len(constituents.sides[1]))
    return np.where(right, 0, 1), np.where(is_wrong, np.where(constituents.crossing, 2, 1), 0)


def _by_block(blocks: IntArray, n_blocks: int) -> tuple[IntArray, list[int]]:
    order = np.argsort(blocks, kind="stable")
    return order, np.searchsorted(blocks[order], np.arange(n_blocks + 1)).tolist()


def _range(cuts: IntArray, block: int) -> range:
    return range(int(cuts[block]), int(cuts[block + 1]))


def _labels(column: Column, rows: range) -> list[str]:
    ids = column.ids[rows.start : rows.stop].tolist()
    return [column.labels[number] for number in ids]


def _heads(columns: Columns, words: range) -> list[int]:
    """Return the head of each word, as described at `PassageTree`."""
    heads = []
    for parent in columns.parents[words.start : words.stop].tolist():
        if parent in (ROOT, OUTSIDE):
            heads.append(parent)
        elif parent < 0:  # no head, or a cycle
            heads.append(MISSING)
        else:
            heads.append(parent - words.start if parent in words else OUTSIDE)
    return heads
