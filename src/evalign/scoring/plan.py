"""A pair of files, or gold and several systems, cut into parts at sentence boundaries that all of them share.

Where the lines are equal, a cut is where all sides have come to the same number of characters at the end of a sentence;
no text is looked at for that. Where they differ, the texts are aligned first and cut where nothing that was decided
before looked behind the cut (`alignment.cut_points`). So parts can be scored one by one, in any place and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from evalign.alignment import Cuts, Rule, choose_rules, find_cuts, normalize_document
from evalign.document import Document, IntArray
from evalign.errors import InputError, Place
from evalign.readers import Chunk, ChunkReader, read_chunk
from evalign.scoring.evidence_part import EvidenceHint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring.request import ReadKeywords

# Without a cut in so many times as much text as a part should have, lines that were thought equal are looked at.
_PATIENCE = 4
# Cuts that are looked at, from the last one back.
_MOST_TRIED = 1000
# How many windows of text are aligned at a time.
_REACH = 4


class Assumptions(NamedTuple):
    """What is assumed of the whole text. If a part contradicts it, the run begins again with what is right."""

    differing: tuple[bool, ...]
    """Of each system whether its line differs from gold's."""
    has_documents: bool = False
    """Whether gold has documents, which counts are then kept by."""
    filled: tuple[frozenset[str], ...] = ()
    """Of each system the columns that it and gold have something in, where a part was compared without."""


class AssumptionBroken(NamedTuple):
    """What was assumed of the whole is wrong; this is right."""

    assumed: Assumptions


class Part(NamedTuple):
    """Sentences of gold and of every system that stand for each other."""

    gold: Chunk
    systems: tuple[Chunk, ...]
    offset: int
    """Characters on gold's line before it."""
    swaps: tuple[bool | None, ...] = ()
    """Per system which line comes first, where lines differ (`alignment.PartContext`)."""
    hints: tuple[EvidenceHint, ...] = ()
    """Per system what of its errors is still wanted, as far as it is known."""
    is_lost: bool = False
    """Whether it ends where nothing of the other text was found within the window."""


class ReadOptions(NamedTuple):
    """How texts are read and aligned, as far as cutting needs it."""

    keywords: ReadKeywords
    normalize: tuple[str, ...] = ()
    exceptions: Mapping[str, str] = {}
    window: int | None = None
    """How far away displaced text is looked for, in characters."""

    def read(self, part: Chunk) -> Document:
        """A slice, as it is read everywhere."""
        keywords = self.keywords
        return read_chunk(
            part,
            strict=keywords["strict"],
            collapse=keywords["collapse_empty_nodes"],
            empty=keywords["empty"],
            split_spaces=keywords["split_spaces"],
        )


def cut_parts(
    feeds: Sequence[ChunkReader], assumed: Assumptions, reading: ReadOptions
) -> Iterator[Part | AssumptionBroken]:
    """The parts of gold, fed first, and of the systems; ends where an assumption is broken."""
    return (
        _cut_differing(feeds, assumed, reading)
        if any(assumed.differing)
        else _cut_equal(feeds, assumed, reading)
    )


def _cut_equal(
    feeds: Sequence[ChunkReader], assumed: Assumptions, reading: ReadOptions
) -> Iterator[Part | AssumptionBroken]:
    gold, *systems = feeds
    offset = 0
    tried = patience = _PATIENCE
    while True:
        _read_on(feeds)
        if all(feed.at_end for feed in feeds):
            break
        sizes = _last_safe(feeds, _list_common([feed.sentence_ends for feed in feeds]))
        if sizes is not None:
            brought = int(gold.sentence_ends[sizes[0] - 1])
            yield Part(gold.take_chunk(sizes[0]), _take(systems, sizes[1:]), offset)
            offset += brought
            tried = patience = _PATIENCE
            continue
        patience -= 1
        if not patience:
            differing = _find_differing(feeds, reading)
            if any(differing):
                yield AssumptionBroken(assumed._replace(differing=differing))
                return
            # The lines are equal: gold and a system have no boundary in common for very long.
            tried = patience = 2 * tried
    sizes = [len(feed.sentence_ends) for feed in feeds]
    yield Part(gold.take_chunk(sizes[0]), _take(systems, sizes[1:]), offset)


def _take(feeds: Sequence[ChunkReader], sizes: Sequence[int]) -> tuple[Chunk, ...]:
    return tuple(feed.take_chunk(size) for feed, size in zip(feeds, sizes, strict=True))


def _read_on(feeds: Sequence[ChunkReader]) -> None:
    """Read on in gold, and in every system up to where gold is."""
    gold, *systems = feeds
    gold.read_more()
    reached = gold.sentence_ends[-1] if len(gold.sentence_ends) else 0
    for feed in systems:
        feed.read_more()
        while not feed.at_end and (
            not len(feed.sentence_ends) or (feed.sentence_ends[-1] < reached and not gold.at_end)
        ):
            feed.read_more()


def _list_common(ends: Sequence[IntArray]) -> Iterator[list[int]]:
    """Sentences up to each end that all sides have, between sentences with characters; the last comes first."""
    usable = [_between(side) for side in ends]
    positions = [side[rows] for side, rows in zip(ends, usable, strict=True)]
    shared = positions[0]
    for other in positions[1:]:
        shared = np.intersect1d(shared, other, assume_unique=True)
    for end in shared[::-1]:
        yield [
            int(rows[np.searchsorted(there, end)]) + 1 for rows, there in zip(usable, positions, strict=True)
        ]


def _last_safe(feeds: Sequence[ChunkReader], cuts: Iterator[list[int]]) -> list[int] | None:
    """The last cut at which pairs of words stand too; None if there is none among the last ones.

    A multiword token that begins right behind a cut may be compared with words before it that have no partner, as the
    CoNLL 2018 evaluation does.
    """
    for sizes in islice(cuts, _MOST_TRIED):
        if not any(feed.begins_with_multiword(size) for feed, size in zip(feeds, sizes, strict=True)):
            return sizes
    return None


def _between(ends: IntArray) -> IntArray:
    """Which ends are between two sentences that both have characters."""
    grows = np.diff(ends, prepend=0) > 0
    return np.flatnonzero(grows[:-1] & grows[1:])


def _find_differing(feeds: Sequence[ChunkReader], reading: ReadOptions) -> tuple[bool, ...]:
    """Of each system whether its line, as far as it was read, differs from gold's."""
    gold, *systems = (_buffered(feed, reading).line for feed in feeds)
    return tuple(
        gold[: min(len(gold), len(system))] != system[: min(len(gold), len(system))] for system in systems
    )


def _buffered(feed: ChunkReader, reading: ReadOptions, reach: int | None = None) -> Document:
    """What was read and not taken yet, up to about so many characters."""
    return reading.read(feed.peek_chunk(_count_within(feed, reach)))


def _count_within(feed: ChunkReader, reach: int | None) -> int:
    """Sentences that were read, up to about so many characters."""
    ends = feed.sentence_ends
    return len(ends) if reach is None else min(len(ends), int(np.searchsorted(ends, reach)) + 1)


def _cut_differing(
    feeds: Sequence[ChunkReader], assumed: Assumptions, reading: ReadOptions
) -> Iterator[Part]:
    gold, *systems = feeds
    rules = choose_rules(reading.normalize)
    swaps: list[bool | None] = [None] * len(systems)
    # Little more than the window is looked at, so that text in which nothing is found costs no more than any other.
    nearest = None if reading.window is None else _REACH * reading.window
    offset, rounds, reach = 0, 1, nearest
    while True:
        while rounds and any(_wants_more(feed, reach) for feed in feeds):
            _read_on(feeds)
            rounds -= 1
        is_over = not any(_wants_more(feed, None) for feed in feeds)
        if is_over and reading.window is None:
            break
        system_cuts = _find_cuts(feeds, assumed, reading, rules, swaps, reach)
        swaps = [cuts.swap for cuts in system_cuts]
        is_all = all(_count_within(feed, reach) == len(feed.sentence_ends) for feed in feeds)
        sizes = _choose(feeds, system_cuts, reading, is_over=is_over and is_all)
        if sizes is not None:
            brought = int(gold.sentence_ends[sizes[0] - 1])
            is_lost = any(cuts.lost is not None for cuts in system_cuts)
            chunks = _take(systems, sizes[1:])
            yield Part(gold.take_chunk(sizes[0]), chunks, offset, tuple(swaps), is_lost=is_lost)
            offset, rounds, reach = offset + brought, 1, nearest
        elif is_over and is_all:
            break
        else:
            # What was aligned in vain is aligned again: twice as much text each time.
            rounds, reach = 2 * max(rounds, 1), None if reach is None else 2 * reach
    sizes = [len(feed.sentence_ends) for feed in feeds]
    yield Part(gold.take_chunk(sizes[0]), _take(systems, sizes[1:]), offset, tuple(swaps))


def _wants_more(feed: ChunkReader, reach: int | None) -> bool:
    """Whether there is more to read, and what was read does not reach so far."""
    return not feed.at_end and (
        reach is None or not len(feed.sentence_ends) or int(feed.sentence_ends[-1]) < reach
    )


def _find_cuts(
    feeds: Sequence[ChunkReader],
    assumed: Assumptions,
    reading: ReadOptions,
    rules: Sequence[Rule],
    swaps: Sequence[bool | None],
    reach: int | None,
) -> list[Cuts]:
    """Of each system where it and gold can be cut: by their texts, or by their ends where the lines are equal."""
    first = feeds[0]
    gold = normalize_document(_buffered(first, reading, reach), rules)
    system_cuts = []
    for feed, swap, is_differing in zip(feeds[1:], swaps, assumed.differing, strict=True):
        if not is_differing:
            system_cuts.append(_common_ends(first.sentence_ends, feed.sentence_ends))
            continue
        system = normalize_document(_buffered(feed, reading, reach), rules)
        ended = [
            side.at_end and document.n_sentences == len(side.sentence_ends)
            for side, document in ((first, gold), (feed, system))
        ]
        system_cuts.append(
            find_cuts(gold, system, window=reading.window, swap=swap, ended=(ended[0], ended[1]))
        )
    return system_cuts


def _common_ends(gold: IntArray, system: IntArray) -> Cuts:
    ours, theirs = _between(gold), _between(system)
    _, rows, others = np.intersect1d(gold[ours], system[theirs], assume_unique=True, return_indices=True)
    return Cuts(ours[rows] + 1, theirs[others] + 1, None)


def _choose(
    feeds: Sequence[ChunkReader], system_cuts: Sequence[Cuts], reading: ReadOptions, *, is_over: bool
) -> list[int] | None:
    """Sentences of gold and systems up to the last cut, or to behind what has nothing in common; None if more is needed.

    Of what is left in the end, only the latter is cut off.
    """
    lost = next((number for number, cuts in enumerate(system_cuts) if cuts.lost is not None), None)
    if lost is not None:
        if len(system_cuts) > 1:
            raise _lost(feeds[0], feeds[lost + 1], reading)
        sizes = list(system_cuts[0].lost or ())
        is_rest = any(
            feed.at_end and size == len(feed.sentence_ends) for feed, size in zip(feeds, sizes, strict=True)
        )
        return None if is_rest else sizes
    if is_over:
        return None
    shared = system_cuts[0].gold
    for cuts in system_cuts[1:]:
        shared = np.intersect1d(shared, cuts.gold, assume_unique=True)
    return _last_safe(
        feeds,
        (
            [size, *(int(cuts.system[np.searchsorted(cuts.gold, size)]) for cuts in system_cuts)]
            for size in shared[::-1].tolist()
        ),
    )


def _lost(gold: ChunkReader, system: ChunkReader, reading: ReadOptions) -> InputError:
    problem = f"nothing of {gold.name} within {reading.window:,} characters, and other systems go on with it"
    advice = f"score it by itself, or with a larger window: `window={16 * (reading.window or 1)}`"
    return InputError(
        Place(system.name), problem, "text that is not displaced further than the window", advice
    )
