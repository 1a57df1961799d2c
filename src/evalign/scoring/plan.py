"""Cut gold and the systems into parts, at sentence boundaries that all sides (gold and every system) share.

`run` calls `cut_parts` while it reads the files, and hands each part to `count`. The line of a text is its
characters without white space. Where the lines are equal, a cut is where a sentence ends on all sides after
the same number of characters; no text has to be compared for that. Where they differ, the texts are aligned
first and cut where no earlier decision of the alignment looked beyond the cut (`alignment.cut_points`). Each
part is then aligned as it is within the whole text, so parts can be scored one by one, in any place and
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from evalign.alignment.align_differing import normalize_document
from evalign.alignment.cut_points import Cuts, find_cuts
from evalign.alignment.normalize import Rule, choose_rules
from evalign.document import Document, IntArray
from evalign.errors import InputError, Place, option
from evalign.options import ScoreOptions
from evalign.readers.chunks import Chunk, ChunkReader, read_chunk
from evalign.scoring.evidence_part import EvidenceHint

# Chunks read without finding a cut before lines that were assumed to be equal are compared.
_PATIENCE = 4
# Number of cuts that are tried, from the last one back.
_MOST_TRIED = 1000
# Text that is aligned at a time to find a cut, as a multiple of the window.
_REACH = 4


class Assumptions(NamedTuple):
    """Properties of the whole text that must be known before its first part is counted.

    They are assumed, at first that all lines are equal and that gold has no documents. A part that
    contradicts them gives an `AssumptionBroken`, and the run starts again with the corrected assumptions.
    """

    differing: tuple[bool, ...]
    """Per system, whether its line differs from gold's anywhere in the text."""
    has_documents: bool = False
    """True if gold has documents (`# newdoc`); counts are then kept by document."""
    filled: tuple[frozenset[str], ...] = ()
    """Per system, the columns that both it and gold fill somewhere in the text: parts are compared by them
    even where they are empty. Empty until some part was wrongly compared without such a column."""


class AssumptionBroken(NamedTuple):
    """The message that an assumption about the whole text is wrong; it stops the run."""

    assumed: Assumptions
    """Corrected assumptions to start again with."""


class Part(NamedTuple):
    """One part of the text: the sentences of gold and of every system between two cuts.

    The chunks are slices of the inputs, as bytes or as a place in a file, and are read by whoever counts the
    part.
    """

    gold: Chunk
    systems: tuple[Chunk, ...]
    offset: int
    """Characters of gold's line before this part."""
    swaps: tuple[bool | None, ...] = ()
    """Per system, which line is aligned first where lines differ (`alignment.PartContext.swap`)."""
    hints: tuple[EvidenceHint, ...] = ()
    """Per system, a hint about evidence that is no longer needed; empty until a part was counted."""
    n_bounded: int = 0
    """Number of searches for displaced text that ended at the window."""


class PartsRequest(NamedTuple):
    """What all parts of a text are cut and counted with."""

    options: ScoreOptions
    by: tuple[str, ...]
    """Names that the result will be split by."""
    most_units: int
    """Above this many stretches, neighbours are merged into one unit."""
    assumed: Assumptions
    window: int | None = None
    """How far away displaced text is searched for, in characters; None for no limit."""
    passages: int | None = 0
    """Most passages (blocks of sentences with errors) to keep for a system; None for all."""
    has_evidence: bool = False
    """True if errors and breakdowns are kept."""


def cut_parts(feeds: Sequence[ChunkReader], request: PartsRequest) -> Iterator[Part | AssumptionBroken]:
    """Yield the parts of `feeds` (gold, then the systems) in text order, reading on as parts are requested.

    If lines that are assumed to be equal turn out to differ, yield an `AssumptionBroken` and stop.
    """
    cut = _cut_differing if any(request.assumed.differing) else _cut_equal
    return cut(feeds, request)


def _cut_equal(feeds: Sequence[ChunkReader], request: PartsRequest) -> Iterator[Part | AssumptionBroken]:
    """Cut lines that are assumed to be equal, by comparing only numbers of characters."""
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
            differing = _find_differing(feeds, request)
            if any(differing):
                yield AssumptionBroken(request.assumed._replace(differing=differing))
                return
            # The lines are equal, but share no sentence end for a long stretch: wait twice as long.
            tried = patience = 2 * tried
    sizes = [len(feed.sentence_ends) for feed in feeds]
    yield Part(gold.take_chunk(sizes[0]), _take(systems, sizes[1:]), offset)


def _take(feeds: Sequence[ChunkReader], sizes: Sequence[int]) -> tuple[Chunk, ...]:
    return tuple(feed.take_chunk(size) for feed, size in zip(feeds, sizes, strict=True))


def _read_on(feeds: Sequence[ChunkReader]) -> None:
    """Read another chunk of gold, and every system at least as far as gold has been read."""
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
    """Yield the cuts that all sides share, from last to first.

    A cut is a list with the number of sentences that come before it on each side.

    `ends` has, per side, the characters up to the end of each sentence. A cut lies between two sentences that
    both have characters.
    """
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
    """Return the first of `cuts` without a multiword token right after it; at most `_MOST_TRIED` are tried.

    Returns None if there is no such cut. `cuts` go from last to first. A multiword token right after a cut
    may be compared with words before the cut that have no partner, as the CoNLL 2018 evaluation does.
    """
    for sizes in islice(cuts, _MOST_TRIED):
        if not any(feed.begins_with_multiword(size) for feed, size in zip(feeds, sizes, strict=True)):
            return sizes
    return None


def _between(ends: IntArray) -> IntArray:
    """Return the indices of the ends that lie between two sentences with characters."""
    grows = np.diff(ends, prepend=0) > 0
    return np.flatnonzero(grows[:-1] & grows[1:])


def _find_differing(feeds: Sequence[ChunkReader], request: PartsRequest) -> tuple[bool, ...]:
    """Return per system whether its line differs from gold's in the text that both `feeds` hold."""
    gold, *systems = (_buffered(feed, request).line for feed in feeds)
    return tuple(
        gold[: min(len(gold), len(system))] != system[: min(len(gold), len(system))] for system in systems
    )


def _buffered(feed: ChunkReader, request: PartsRequest, reach: int | None = None) -> Document:
    """Read the sentences that `feed` holds into a document: up to about `reach` characters, None for all."""
    return read_chunk(feed.peek_chunk(_count_within(feed, reach)), request.options)


def _count_within(feed: ChunkReader, reach: int | None) -> int:
    """Count the sentences that `feed` holds, up to the first ending at `reach` characters; None for all."""
    ends = feed.sentence_ends
    return len(ends) if reach is None else min(len(ends), int(np.searchsorted(ends, reach)) + 1)


def _cut_differing(feeds: Sequence[ChunkReader], request: PartsRequest) -> Iterator[Part]:
    """Cut texts of which at least one line differs from gold's, by aligning what has been read."""
    gold, *systems = feeds
    rules = choose_rules(request.options.normalize)
    swaps: list[bool | None] = [None] * len(systems)
    # Align little more than the window, so that a stretch where nothing matches costs no more than any other.
    nearest = None if request.window is None else _REACH * request.window
    offset, rounds, reach = 0, 1, nearest
    n_bounded = 0
    while True:
        while rounds and any(_wants_more(feed, reach) for feed in feeds):
            _read_on(feeds)
            rounds -= 1
        is_over = not any(_wants_more(feed, None) for feed in feeds)
        if is_over and request.window is None:
            break
        system_cuts = _find_cuts(feeds, request, rules, swaps, reach)
        swaps = [cuts.swap for cuts in system_cuts]
        is_all = all(_count_within(feed, reach) == len(feed.sentence_ends) for feed in feeds)
        sizes = _choose(feeds, system_cuts, request, is_over=is_over and is_all)
        if sizes is not None:
            brought = int(gold.sentence_ends[sizes[0] - 1])
            n_bounded = sum(int((cuts.bounded < sizes[0]).sum()) for cuts in system_cuts)
            chunks = _take(systems, sizes[1:])
            yield Part(gold.take_chunk(sizes[0]), chunks, offset, tuple(swaps), n_bounded=n_bounded)
            offset, rounds, reach, n_bounded = offset + brought, 1, nearest, 0
        elif is_over and is_all:
            n_bounded = sum(len(cuts.bounded) for cuts in system_cuts)
            break
        else:
            # Text without a cut is aligned again together with what follows: twice as much text each time.
            rounds, reach = 2 * max(rounds, 1), None if reach is None else 2 * reach
    sizes = [len(feed.sentence_ends) for feed in feeds]
    yield Part(
        gold.take_chunk(sizes[0]), _take(systems, sizes[1:]), offset, tuple(swaps), n_bounded=n_bounded
    )


def _wants_more(feed: ChunkReader, reach: int | None) -> bool:
    """Return whether `feed` has more to read and holds fewer than `reach` characters (None: no limit)."""
    return not feed.at_end and (
        reach is None or not len(feed.sentence_ends) or int(feed.sentence_ends[-1]) < reach
    )


def _find_cuts(
    feeds: Sequence[ChunkReader],
    request: PartsRequest,
    rules: Sequence[Rule],
    swaps: Sequence[bool | None],
    reach: int | None,
) -> list[Cuts]:
    """Find per system where it and gold can be cut: by alignment, or by sentence ends if lines are equal."""
    first = feeds[0]
    gold = normalize_document(_buffered(first, request, reach), rules)
    system_cuts = []
    for feed, swap, is_differing in zip(feeds[1:], swaps, request.assumed.differing, strict=True):
        if not is_differing:
            system_cuts.append(_common_ends(first.sentence_ends, feed.sentence_ends))
            continue
        system = normalize_document(_buffered(feed, request, reach), rules)
        ended = [
            side.at_end and document.n_sentences == len(side.sentence_ends)
            for side, document in ((first, gold), (feed, system))
        ]
        system_cuts.append(
            find_cuts(gold, system, window=request.window, swap=swap, ended=(ended[0], ended[1]))
        )
    return system_cuts


def _common_ends(gold: IntArray, system: IntArray) -> Cuts:
    ours, theirs = _between(gold), _between(system)
    _, rows, others = np.intersect1d(gold[ours], system[theirs], assume_unique=True, return_indices=True)
    return Cuts(ours[rows] + 1, theirs[others] + 1, None)


def _choose(
    feeds: Sequence[ChunkReader], system_cuts: Sequence[Cuts], request: PartsRequest, *, is_over: bool
) -> list[int] | None:
    """Choose a cut; return how many sentences of each side come before it, or None if there is no cut.

    Usually this is the last cut that all systems share; None means that more text is needed. At the end of
    the text (`is_over`) there is no cut, as the rest is one part. If a stretch has no matching text within
    the window, the cut is at its end, unless a side ends there.
    """
    lost = next((number for number, cuts in enumerate(system_cuts) if cuts.lost is not None), None)
    if lost is not None:
        if len(system_cuts) > 1:
            raise _make_window_error(feeds[0], feeds[lost + 1], request)
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


def _make_window_error(gold: ChunkReader, system: ChunkReader, request: PartsRequest) -> InputError:
    problem = f"no text in common with {gold.name} within {request.window:,} characters, where other systems have some"
    advice = "score it by itself, or with a larger window: " + option("window", 16 * (request.window or 1))
    return InputError(
        Place(system.name), problem, "text that is not displaced further than the window", advice
    )
