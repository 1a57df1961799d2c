"""Third and fourth stage of a build: drop linked documents, and assign documents and pairs to splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set as AbstractSet
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import DROP, SPLIT
from evalign.bitext.build.filter_stage import REASONS
from evalign.bitext.build.rows import (
    PAIRS,
    PROGRESS_EVERY,
    Hashes,
    Numbers,
    StageContext,
    load_sentences,
    load_sizes,
    open_to_write,
    parse_pair,
    read_document_entries,
    read_link_rows,
    read_rows,
    write_sentences,
)
from evalign.bitext.sampling import choose, draw
from evalign.engines.checkpoints import StageCounts
from evalign.progress import Step

# Third stage, desynchronisation: no two documents about the same thing, one in each language (section 2.2.4).
#
# Documents that are linked, directly or through others, form a group. From each group, all documents of one
# language are dropped: of that language which keeps the losses of both languages even. Groups come in an
# order drawn by the seed. If the configuration lets linked documents stay in different splits, the next stage
# sees to that.

Kept = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
Link = tuple[int, int]


def run_desync(work: StageContext) -> StageCounts:
    """Decide which documents stay; write a flag for every document."""
    work.progress("desynchronising documents")
    codes = work.config.codes
    filtered = work.folder_of("filter")
    sizes = load_sizes(filtered, codes[0]), load_sizes(filtered, codes[1])
    links = [
        link
        for link in read_link_rows(work.folder_of("read"))
        # Documents without sentences left do not count.
        if sizes[0][link[0]] and sizes[1][link[1]]
    ]
    kept: Kept = (sizes[0] > 0, sizes[1] > 0)
    if work.config.desync == DROP:
        documents = [read_document_entries(work.folder_of("read"), code) for code in codes]
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
    """Keep only one language of each group of linked documents.

    Clears the flags in `kept` of the documents that are dropped. `names` only serve to draw the order of the
    groups.
    """
    groups = group_linked(links)
    order = sorted(groups, key=lambda group: (_draw(group, names, seed), min(group[0])))
    lost = 0  # sentences that the first language has lost, minus those of the second
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
    """Group documents that are linked directly or through others.

    Returns for each group the documents of the first and those of the second language.

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
    """Return the documents that each document of one side is linked with."""
    neighbours: dict[int, list[int]] = {}
    for link in links:
        neighbours.setdefault(link[side], []).append(link[1 - side])
    return neighbours


# Fourth stage: assign documents and pairs to splits, before anything is planted (section 2.2.5).
#
# Documents come in an order drawn by the seed. Each goes to a random split among those with room for it, more
# likely to one with more room, so the shares of sentences come out near the configured ones. The split of a
# pair depends on its text alone, so a repeated pair is in one split only.
#
# Sentences that stand on both sides of a split, being copies but for case, digits and punctuation, are
# translations of each other that nobody planted: they are left out of both sides (section 2.2.4 does so with
# linked documents only). The remaining sentences are written by this stage, and are what the later stages
# read.

NO_SPLIT = -1
Splits = npt.NDArray[np.int64]
Forbidden = Callable[[int], AbstractSet[int]]


class SplitDocuments(NamedTuple):
    """The documents of a language, to be assigned to splits."""

    code: str
    names: Sequence[str]
    sizes: Numbers
    kept: npt.NDArray[np.bool_]


IDENTICAL = "identical on both sides"
"""The key that sentences left out on both sides are counted under."""


def run_split(work: StageContext) -> StageCounts:
    """Give every document and every pair a split; write the splits, and the sentences that remain."""
    work.progress("splitting documents")
    config = work.config
    links = read_link_rows(work.folder_of("read")) if config.desync == SPLIT else []
    sides: list[SplitDocuments] = []
    splits: list[Splits] = []
    for side, code in enumerate(config.codes):
        rows = read_document_entries(work.folder_of("read"), code)
        documents = SplitDocuments(
            code,
            [row.name for row in rows],
            load_sizes(work.folder_of("filter"), code),
            np.load(work.folder_of("desynchronise") / f"{code}.kept.npy"),
        )
        # Documents of the first language may go anywhere; those of the second not to a split with a linked
        # document.
        forbidden = forbid_linked(links, splits[0]) if side else lambda _document: frozenset()
        sides.append(documents)
        splits.append(split_documents(documents, config.shares, config.seed, forbidden))
    counts = _write_sides(work, sides, splits)
    counts[PAIRS] = _split_pairs(work)
    return counts


def _write_sides(
    work: StageContext, sides: Sequence[SplitDocuments], document_splits: Sequence[Splits]
) -> StageCounts:
    """Write the sentences that are in splits, and the split of each document."""
    work.progress("looking for sentences that stand on both sides")
    counts: StageCounts = {}
    tables = [load_sentences(work.folder_of("filter"), documents.code) for documents in sides]
    sentence_splits = [each[table.documents] for each, table in zip(document_splits, tables, strict=True)]
    if work.config.filter.identical == DROP:
        copies = find_copies((tables[0].folded, sentence_splits[0]), (tables[1].folded, sentence_splits[1]))
    else:
        copies = np.zeros(len(sentence_splits[0]), bool), np.zeros(len(sentence_splits[1]), bool)
    for documents, table, of_sentence, of_document, is_copy in zip(
        sides, tables, sentence_splits, document_splits, copies, strict=True
    ):
        code = documents.code
        kept = table.take((of_sentence != NO_SPLIT) & ~is_copy)
        source = work.folder_of("filter") / f"{code}.sentences"
        write_sentences(work.folder, code, source, kept, len(documents.names))
        sizes = load_sizes(work.folder, code)
        # A document without sentences left is in no split.
        placed = np.where(sizes > 0, of_document, NO_SPLIT)
        np.save(work.folder / f"{code}.splits.npy", placed)
        left_out = documents.kept & (of_document == NO_SPLIT)
        counts[code] = {
            **_count(sizes, placed, list(work.config.shares)),
            "left out documents": int(left_out.sum()),
            "left out sentences": int(documents.sizes[left_out].sum()),
            IDENTICAL: int(is_copy.sum()),
            "kept sentences": int(sizes.sum()),
        }
    return counts


def find_copies(
    first: tuple[Hashes, Splits], second: tuple[Hashes, Splits]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Find sentences that the other language has in the same split too.

    `first` and `second` are the hashes and the splits of all sentences of each language. Returns a mask for
    each.
    """
    (one, one_splits), (two, two_splits) = first, second
    copies = np.zeros(len(one), bool), np.zeros(len(two), bool)
    for split in np.intersect1d(one_splits, two_splits).tolist():
        if split != NO_SPLIT:
            here, there = np.flatnonzero(one_splits == split), np.flatnonzero(two_splits == split)
            copies[0][here] = np.isin(one[here], two[there])
            copies[1][there] = np.isin(two[there], one[here])
    return copies


def forbid_linked(links: Sequence[Link], first: Splits) -> Forbidden:
    """Return a function from a document of the second language to the splits of documents linked with it.

    `first` are the splits of the documents of the first language.
    """
    neighbours = neighbours_of(links, 1)
    return lambda document: {int(first[each]) for each in neighbours.get(document, ())} - {NO_SPLIT}


def split_documents(
    documents: SplitDocuments, shares: Mapping[str, float], seed: int, forbidden: Forbidden
) -> Splits:
    """Assign documents to splits at random by `seed`, in proportion to `shares` of the sentences.

    Returns the index of each document's split; `NO_SPLIT` if the document was dropped, or every split is
    forbidden to it.
    """
    splits = np.full(len(documents.names), NO_SPLIT, np.int64)
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
        # A document that fits nowhere goes where it changes least, to a large split.
        fitting = fitting or {str(split): float(weights[split]) for split in allowed}
        drawn = draw(seed, "split", documents.code, documents.names[k])
        splits[k] = int(choose(fitting, drawn))
        room[splits[k]] -= size
    _fill_empty(documents, splits, order, len(weights), forbidden)
    return splits


def _fill_empty(
    documents: SplitDocuments, splits: Splits, order: Sequence[int], n_splits: int, forbidden: Forbidden
) -> None:
    """Give a split without documents the smallest document that another split can do without."""
    for split in range(n_splits):
        if (splits == split).any():
            continue
        sizes = np.bincount(splits[splits != NO_SPLIT], minlength=n_splits)
        spare = [
            k for k in order if splits[k] != NO_SPLIT and sizes[splits[k]] > 1 and split not in forbidden(k)
        ]
        if spare:
            splits[min(spare, key=lambda k: int(documents.sizes[k]))] = split


def _count(sizes: Numbers, splits: Splits, names: Sequence[str]) -> dict[str, int]:
    counts = {}
    for number, split in enumerate(names):
        counts[f"{split} documents"] = int((splits == number).sum())
        counts[f"{split} sentences"] = int(sizes[splits == number].sum())
    return counts


def _split_pairs(work: StageContext) -> dict[str, int]:
    shares, seed = work.config.shares, work.config.seed
    counts = {f"{split} pairs": 0 for split in shares}
    filtered = work.finished["filter"].counts[PAIRS]
    total = filtered["pairs"] - sum(filtered.get(reason, 0) for reason in REASONS)
    with ExitStack() as stack:
        files = {
            split: stack.enter_context(open_to_write(work.folder / f"{split}.pairs")) for split in shares
        }
        for number, line in enumerate(read_rows(work.folder_of("filter") / PAIRS)):
            if number % PROGRESS_EVERY == 0:
                work.progress(Step("splitting pairs", number, total))
            split = choose(shares, draw(seed, "pair", *parse_pair(line).texts))
            files[split].write(f"{line}\n")
            counts[f"{split} pairs"] += 1
    return counts
