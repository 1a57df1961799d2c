"""Seventh stage: number all sentences, write corpora, gold, and where everything came from.

Ids are numbered from 1 through each language over the whole data set, sample before training before test before splits of
other names: an id is never of two sentences, whichever files are read together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.merging import NO_PAIR, parse_merged
from evalign.bitext.build.work import (
    PAIRS,
    StageContext,
    open_to_write,
    read_document_rows,
    read_rows,
    read_link_rows,
)
from evalign.bitext.build.workspace import StageCounts
from evalign.bitext.corpora import GOLD
from evalign.bitext.ids import LARGEST_ID, format_id
from evalign.bitext.provenance import PROVENANCE_FILE
from evalign.bitext.provenance import PROVENANCE_HEADER, SentenceOrigin
from evalign.bitext.provenance import NATIVE
from evalign.bitext.provenance import PLANTED
from evalign.errors import InputError
from evalign.progress import Step

LINKS = "links.tsv"
"""Names of documents that are linked, at least one of which is in the data set: to audit that not both are."""
LINKS_HEADER = "first\tsecond"

Ids = npt.NDArray[np.int64]


def run_write(work: StageContext) -> StageCounts:
    """Write the files of the data set, all but its statistics."""
    config = work.config
    counts: StageCounts = {code: {"sentences": 0} for code in config.codes}
    counts[PAIRS] = {"gold": 0, "links": _write_links(work)}
    planted: dict[str, list[Ids]] = {}
    for split in config.shares:
        planted[split] = [_write_corpus(work, split, code, counts[code]) for code in config.codes]
        counts[PAIRS][GOLD] += _write_gold(work, split, *planted[split])
    with open_to_write(work.folder / PROVENANCE_FILE) as file:
        file.write(f"{PROVENANCE_HEADER}\n")
        for side in range(len(config.codes)):
            number = 0
            for split in config.shares:
                for origin in _trace(work, split, side, number, planted[split]):
                    file.write("\t".join(origin) + "\n")
                    number += 1
    return counts


def _write_corpus(work: StageContext, split: str, code: str, counts: dict[str, int]) -> Ids:
    """Write the sentences of a split in one language; the number of each planted one, by pair."""
    found: dict[int, int] = {}
    lines = read_rows(work.folder_of("typography") / f"{split}.{code}")
    work.progress(Step(f"writing {split} {code}", 0, 1))
    with open_to_write(work.folder / f"{work.config.pair}.{split}.{code}") as file:
        for line in map(parse_merged, lines):
            counts["sentences"] += 1
            number = counts["sentences"]
            if number > LARGEST_ID:
                message = f"more than {LARGEST_ID:,} sentences of {code}"
                raise InputError(work.config.place, message, "as many as ids have digits for")
            file.write(f"{format_id(code, number)}\t{line.text}\n")
            if line.planted != NO_PAIR:
                found[line.planted] = number
    return np.array([found[pair] for pair in range(len(found))], np.int64)


def _write_gold(work: StageContext, split: str, first: Ids, second: Ids) -> int:
    one, two = work.config.codes
    with open_to_write(work.folder / f"{work.config.pair}.{split}.{GOLD}") as file:
        for number in np.argsort(first).tolist():
            file.write(f"{format_id(one, int(first[number]))}\t{format_id(two, int(second[number]))}\n")
    return len(first)


def _trace(work: StageContext, split: str, side: int, before: int, planted: list[Ids]) -> Iterator[SentenceOrigin]:
    """Where the sentences of a split in one language came from, numbered on from those before."""
    code, other = work.config.codes[side], work.config.codes[1 - side]
    lines = read_rows(work.folder_of("typography") / f"{split}.{code}")
    for number, line in enumerate(map(parse_merged, lines), before + 1):
        id = format_id(code, number)
        if line.planted == NO_PAIR:
            yield SentenceOrigin(id, split, NATIVE, line.document, line.source, line.name)
        else:
            yield SentenceOrigin(
                id,
                split,
                PLANTED,
                line.document,
                line.source,
                line.name,
                line.pair_document,
                format_id(other, int(planted[1 - side][line.planted])),
                format_id(code, number - 1),
                line.score,
            )


def _write_links(work: StageContext) -> int:
    """Write the links of documents that are in the data set; how many there are."""
    names, used = [], []
    for code in work.config.codes:
        names.append([row.name for row in read_document_rows(work.folder_of("read"), code)])
        used.append(np.load(work.folder_of("split") / f"{code}.splits.npy") >= 0)
    written = 0
    with open_to_write(work.folder / LINKS) as file:
        file.write(f"{LINKS_HEADER}\n")
        for first, second in read_link_rows(work.folder_of("read")):
            if used[0][first] or used[1][second]:
                file.write(f"{names[0][first]}\t{names[1][second]}\n")
                written += 1
    return written
