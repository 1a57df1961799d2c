"""Fourth stage: documents and pairs to splits, before anything is planted (section 2.2.5).

Documents come in an order drawn by the seed, and each goes to a split that has room for it, drawn by how much room
that is; so shares of sentences come out near what was asked for. Of pairs the text alone decides, so that one that
comes twice is in one split only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import SPLIT
from evalign.bitext.build.desynchronizing import Link, neighbours_of
from evalign.bitext.build.work import (
    PAIRS,
    TOLD_EVERY,
    Numbers,
    Work,
    open_to_write,
    parse_pair,
    read_document_rows,
    read_lines,
    read_links,
)
from evalign.bitext.build.workspace import Counts
from evalign.bitext.draws import choose, draw
from evalign.progress import Step

NOWHERE = -1
Splits = npt.NDArray[np.int64]
Forbidden = Callable[[int], AbstractSet[int]]


class Documents(NamedTuple):
    """The documents of a language that are to be split."""

    code: str
    names: Sequence[str]
    sizes: Numbers
    kept: npt.NDArray[np.bool_]


def run_split(work: Work) -> Counts:
    """Give every document and every pair a split; write which."""
    work.progress("splitting documents")
    config = work.config
    links = read_links(work.of("read")) if config.desync == SPLIT else []
    counts: Counts = {}
    found: list[Splits] = []
    for side, code in enumerate(config.codes):
        rows = read_document_rows(work.of("read"), code)
        documents = Documents(
            code,
            [row.name for row in rows],
            np.load(work.of("filter") / f"{code}.counts.npy"),
            np.load(work.of("desynchronise") / f"{code}.kept.npy"),
        )
        # Documents of the first language are free; those of the second keep out of the splits of the first.
        forbidden = forbid_linked(links, found[0]) if side else _forbid_nothing
        found.append(split_documents(documents, config.shares, config.seed, forbidden))
        np.save(work.folder / f"{code}.splits.npy", found[side])
        counts[code] = _count(documents, found[side], list(config.shares))
    counts[PAIRS] = _split_pairs(work)
    return counts


def _forbid_nothing(_document: int) -> AbstractSet[int]:
    return frozenset()


def forbid_linked(links: Sequence[Link], first: Splits) -> Forbidden:
    """For documents of the second language: the splits of documents they are linked with."""
    neighbours = neighbours_of(links, 1)
    return lambda document: {int(first[each]) for each in neighbours.get(document, ())} - {NOWHERE}


def split_documents(
    documents: Documents, shares: Mapping[str, float], seed: int, forbidden: Forbidden
) -> Splits:
    """The number of the split of every document; `NOWHERE` for those that are not kept or have no split left."""
    found = np.full(len(documents.names), NOWHERE, np.int64)
    which = np.flatnonzero(documents.kept).tolist()
    order = sorted(which, key=lambda k: (draw(seed, "order", documents.code, documents.names[k]), k))
    weights = np.array(list(shares.values()))
    room = weights / weights.sum() * int(documents.sizes[which].sum())
    for k in order:
        size = int(documents.sizes[k])
        allowed = [split for split in range(len(weights)) if split not in forbidden(k)]
        if not allowed:
            continue
        fitting = {str(split): float(room[split]) for split in allowed if room[split] >= size}
        # Where it fits nowhere it goes where one more document changes least: to the large splits.
        fitting = fitting or {str(split): float(weights[split]) for split in allowed}
        drawn = draw(seed, "split", documents.code, documents.names[k])
        found[k] = int(choose(fitting, drawn))
        room[found[k]] -= size
    _fill_empty(documents, found, order, len(weights), forbidden)
    return found


def _fill_empty(
    documents: Documents, found: Splits, order: Sequence[int], n_splits: int, forbidden: Forbidden
) -> None:
    """Give a split that got no document the smallest one that another split can do without."""
    for split in range(n_splits):
        if (found == split).any():
            continue
        sizes = np.bincount(found[found != NOWHERE], minlength=n_splits)
        spare = [
            k for k in order if found[k] != NOWHERE and sizes[found[k]] > 1 and split not in forbidden(k)
        ]
        if spare:
            found[min(spare, key=lambda k: int(documents.sizes[k]))] = split


def _count(documents: Documents, found: Splits, splits: Sequence[str]) -> dict[str, int]:
    counts = {}
    for number, split in enumerate(splits):
        counts[f"{split} documents"] = int((found == number).sum())
        counts[f"{split} sentences"] = int(documents.sizes[found == number].sum())
    left_out = documents.kept & (found == NOWHERE)
    counts["left out documents"] = int(left_out.sum())
    counts["left out sentences"] = int(documents.sizes[left_out].sum())
    counts["kept sentences"] = int(documents.sizes[found != NOWHERE].sum())
    return counts


def _split_pairs(work: Work) -> dict[str, int]:
    shares, seed = work.config.shares, work.config.seed
    counts = {f"{split} pairs": 0 for split in shares}
    total = work.before["filter"].counts[PAIRS]["pairs"]
    with ExitStack() as stack:
        files = {
            split: stack.enter_context(open_to_write(work.folder / f"{split}.pairs")) for split in shares
        }
        for number, line in enumerate(read_lines(work.of("filter") / PAIRS)):
            if number % TOLD_EVERY == 0:
                work.progress(Step("splitting pairs", number, total))
            split = choose(shares, draw(seed, "pair", *parse_pair(line).texts))
            files[split].write(f"{line}\n")
            counts[f"{split} pairs"] += 1
    return counts
