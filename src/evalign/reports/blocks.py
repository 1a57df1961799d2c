"""Aligned blocks as Figures 2 to 4 of Jo et al. 2024 show them.

A block is the smallest stretch of text where both sides have a sentence boundary at each end. "~~~" stands
between merged parts, TP below correct tokens. `evalign align` prints the blocks, or the system's sentences
cut as gold's are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evalign.alignment.alignment import Alignment
from evalign.metrics.comparison import Comparison
from evalign.reports.diff import fit_places
from evalign.reports.formats import json_text
from evalign.wording import printable, width_of

MERGED = "~~~"


@dataclass(frozen=True, slots=True)
class Group:
    """Gold and system tokens that stand for each other."""

    gold: list[str]
    system: list[str]
    correct: bool


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block as shown: its sentences, groups of tokens, and whether it is one correct sentence."""

    gold: list[list[str]]
    system: list[list[str]]
    groups: list[Group]
    correct: bool
    gold_place: str
    system_place: str
    gold_cuts: list[int]
    """Numbers of gold tokens after which a gold sentence ends inside the block."""
    system_cuts: list[int]
    """Numbers of system tokens after which a system sentence ends inside the block."""

    @property
    def kind(self) -> str:
        """Number of gold and of system sentences, such as "2:1"."""
        return f"{len(self.gold)}:{len(self.system)}"


def view_blocks(comparison: Comparison) -> Iterator[BlockView]:
    """Yield the blocks of a comparison in the order of the text."""
    alignment = comparison.alignment
    gold, system = alignment.gold.original, alignment.system.original
    groups = alignment.groups
    by_place = comparison.options.match_by == "place"
    token_right = comparison.token_partners >= 0 if by_place else comparison.token_same
    sentence_right = comparison.sentences_right
    in_block = _groups_by_block(alignment)
    for (gold_range, system_range), numbers in zip(alignment.blocks, in_block, strict=True):
        block_groups = []
        for at in numbers:
            g0, g1 = int(groups.gold[at]), int(groups.gold[at + 1])
            s0, s1 = int(groups.system[at]), int(groups.system[at + 1])
            right = g1 - g0 == s1 - s0 == 1 and bool(token_right[g0])
            block_groups.append(Group(gold.tokens(g0, g1), system.tokens(s0, s1), right))
        yield BlockView(
            [gold.sentence(k) for k in gold_range],
            [system.sentence(k) for k in system_range],
            block_groups,
            len(gold_range) == len(system_range) == 1 and bool(sentence_right[gold_range.start]),
            str(gold.place_of(int(gold.sentences[gold_range.start]))) if gold_range else "",
            str(system.place_of(int(system.sentences[system_range.start]))) if system_range else "",
            np.cumsum([len(gold.sentence(k)) for k in gold_range])[:-1].tolist(),
            np.cumsum([len(system.sentence(k)) for k in system_range])[:-1].tolist(),
        )


def _groups_by_block(alignment: Alignment) -> list[list[int]]:
    """Return the numbers of the groups in each block."""
    owners = alignment.group_blocks
    order = np.argsort(owners, kind="stable")
    cuts = np.searchsorted(owners[order], np.arange(len(alignment.blocks) + 1)).tolist()
    return [order[a:b].tolist() for a, b in pairwise(cuts)]


def render_blocks_jsonl(blocks: Iterator[BlockView]) -> Iterator[str]:
    """Yield a JSON object per block, one to a line."""
    for block in blocks:
        yield (
            json_text(
                {
                    "kind": block.kind,
                    "correct": block.correct,
                    "gold": block.gold,
                    "system": block.system,
                    "gold_place": block.gold_place or None,
                    "system_place": block.system_place or None,
                    "groups": [
                        {"gold": g.gold, "system": g.system, "correct": g.correct} for g in block.groups
                    ],
                }
            )
            + "\n"
        )


def render_sentences(sentences: Iterable[list[str]], format: str = "table") -> Iterator[str]:
    """Yield a line per sentence: its tokens joined by spaces or, for "jsonl", as a JSON list."""
    for sentence in sentences:
        yield (json_text(sentence) if format == "jsonl" else " ".join(sentence)) + "\n"


def render_blocks(blocks: Iterator[BlockView], columns: int = 100) -> Iterator[str]:
    """Yield blocks as text for a terminal: gold above system, corresponding groups below each other."""
    for block in blocks:
        head = f"{block.kind}  {'TP  ' if block.correct else ''}"
        places = [("gold", block.gold_place), ("system", block.system_place)]
        shown = [(side, printable(place)) for side, place in places if place]
        yield f"{head}{fit_places(shown, columns - len(head))}\n"
        yield from _render_cells(_cells(block), columns)
        yield "\n"


def _cells(block: BlockView) -> list[tuple[str, str, str]]:
    """Return columns of gold, system and mark, with one for each sentence boundary inside the block."""
    cells: list[tuple[str, str, str]] = []
    done_gold = done_system = 0
    for group in block.groups:
        gold, system = (f" {MERGED} ".join(map(printable, side)) for side in (group.gold, group.system))
        cells.append((gold, system, "TP" if group.correct else ""))
        done_gold += len(group.gold)
        done_system += len(group.system)
        ends = [
            done_gold in block.gold_cuts and bool(group.gold),
            done_system in block.system_cuts and bool(group.system),
        ]
        if any(ends):
            cells.append((MERGED if ends[0] else "", MERGED if ends[1] else "", ""))
    return cells


def _render_cells(cells: list[tuple[str, str, str]], columns: int) -> Iterator[str]:
    """Yield gold, system and mark lines, wrapped together; mark lines only where something is correct."""
    labels = ("gold    ", "system  ", "        ")
    lines, used = list(labels), len(labels[0])
    for cell in cells:
        width = max(map(width_of, cell))
        if used + width > columns and used > len(labels[0]):
            yield from _finish(lines)
            lines, used = list(labels), len(labels[0])
        lines = [
            line + text + " " * (width - width_of(text) + 2) for line, text in zip(lines, cell, strict=True)
        ]
        used += width + 2
    yield from _finish(lines)


def _finish(lines: list[str]) -> list[str]:
    gold, system, marks = (line.rstrip() + "\n" for line in lines)
    return [gold, system, marks] if marks.strip() else [gold, system]
