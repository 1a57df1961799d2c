"""Third stage: no two documents of the same thing, one in each language (section 2.2.4).

Documents that are linked, directly or by way of others, are one group. All of its documents in one language go, in
that language which evens out what both have lost; groups come in an order drawn by the seed. Where both may stay,
in different splits, the next stage sees to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import DROP
from evalign.bitext.build.work import PAIRS, Numbers, StageContext, load_sizes, read_document_rows, read_link_rows
from evalign.bitext.build.workspace import StageCounts
from evalign.bitext.sampling import draw

Kept = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
Link = tuple[int, int]


def run_desync(work: StageContext) -> StageCounts:
    """Decide which documents stay; write it for every document."""
    work.progress("desynchronising documents")
    codes = work.config.codes
    filtered = work.folder_of("filter")
    sizes = load_sizes(filtered, codes[0]), load_sizes(filtered, codes[1])
    links = [
        link
        for link in read_link_rows(work.folder_of("read"))
        # A document of which nothing is left is none.
        if sizes[0][link[0]] and sizes[1][link[1]]
    ]
    kept: Kept = (sizes[0] > 0, sizes[1] > 0)
    if work.config.desync == DROP:
        documents = [read_document_rows(work.folder_of("read"), code) for code in codes]
        names = [[row.name for row in rows] for rows in documents]
        drop_linked(kept, sizes, links, names, work.config.seed)
    counts: StageCounts = {}
    for code, side, size in zip(codes, kept, sizes, strict=True):
        np.save(work.folder / f"{code}.kept.npy", side)
        counts[code] = {
            "dropped documents": int((size > 0).sum() - side.sum()),
            "dropped sentences": int(size.sum() - size[side].sum()),
            "kept documents": int(side.sum()),
            "kept sentences": int(size[side].sum()),
        }
    counts[PAIRS] = {"links": len(links)}
    return counts


def drop_linked(
    kept: Kept,
    sizes: tuple[Numbers, Numbers],
    links: Sequence[Link],
    names: Sequence[Sequence[str]],
    seed: int,
) -> None:
    """Of each group of linked documents, keep those of one language only."""
    groups = group_linked(links)
    order = sorted(groups, key=lambda group: (_draw(group, names, seed), min(group[0])))
    lost = 0  # by the first language, more than by the second
    for firsts, seconds in order:
        first, second = int(sizes[0][list(firsts)].sum()), int(sizes[1][list(seconds)].sum())
        without = abs(lost + first), abs(lost - second)
        if without[0] == without[1]:
            side = int(draw(seed, "desync", "side", names[0][min(firsts)]) < 0.5)
        else:
            side = int(without[1] < without[0])
        lost += -second if side else first
        kept[side][list((firsts, seconds)[side])] = False


def _draw(group: tuple[set[int], set[int]], names: Sequence[Sequence[str]], seed: int) -> float:
    return draw(seed, "desync", min(names[0][number] for number in group[0]))


def group_linked(links: Sequence[Link]) -> list[tuple[set[int], set[int]]]:
    """Documents that hang together, those of the first language and those of the second.

    >>> group_linked([(0, 0), (1, 0), (1, 2), (3, 3)])
    [({0, 1}, {0, 2}), ({3}, {3})]
    """
    neighbours = (neighbours_of(links, 0), neighbours_of(links, 1))
    seen: set[int] = set()
    groups = []
    for start in neighbours[0]:
        if start in seen:
            continue
        group: tuple[set[int], set[int]] = ({start}, set())
        todo = [(0, start)]
        while todo:
            side, number = todo.pop()
            other = 1 - side
            new = [each for each in neighbours[side][number] if each not in group[other]]
            group[other].update(new)
            todo.extend((other, each) for each in new)
        seen |= group[0]
        groups.append(group)
    return groups


def neighbours_of(links: Iterable[Link], side: int) -> Mapping[int, list[int]]:
    """The documents that each document of one side is linked with."""
    found: dict[int, list[int]] = {}
    for link in links:
        found.setdefault(link[side], []).append(link[1 - side])
    return found
