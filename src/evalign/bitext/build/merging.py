"""Sixth stage: planted sentences among the native ones, none of them conspicuous (section 2.2.3).

Documents of a split come in an order drawn by the seed, sentences of a document in their own, planted ones behind what
was found for them. The second stage has given all text one typography, planted and native alike, before anything was
compared or searched, and left out whatever is too short or too long; here it is counted of how many sentences the
typography was changed. Lengths and places are checked of the files, in the last stage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evalign.bitext.build.planting import Planted, parse_planted
from evalign.bitext.build.work import (
    PROGRESS_EVERY,
    SentenceRow,
    StageContext,
    documents_of,
    load_sizes,
    open_to_write,
    read_document_rows,
    read_rows,
    read_sentences,
)
from evalign.bitext.build.workspace import StageCounts
from evalign.bitext.sampling import draw
from evalign.bitext.inputs.cleaning import clean_text
from evalign.progress import Step

NO_PAIR = -1


class MergedRow(NamedTuple):
    """A sentence as it will be written, and where it came from."""

    planted: int
    """Which of the planted pairs of the split it is of; `NO_PAIR` for none."""
    document: str
    source: str
    name: str
    pair_document: str
    score: str
    text: str

    def line(self) -> str:
        """As it is written."""
        return "\t".join((str(self.planted), *self[1:])) + "\n"


def parse_merged(line: str) -> MergedRow:
    """A row, without its line end."""
    planted, *fields = line.split("\t", 6)
    return MergedRow(int(planted), *fields)


def run_merge(work: StageContext) -> StageCounts:
    """Write the sentences of every split and language in their order."""
    counts: StageCounts = {}
    for side, code in enumerate(work.config.codes):
        found = dict.fromkeys(("native", "planted", "rewritten native", "rewritten planted"), 0)
        for number, split in enumerate(work.config.shares):
            with open_to_write(work.folder / f"{split}.{code}") as file:
                file.writelines(line.line() for line in _merge(work, side, number, found))
        counts[code] = found
    return counts


def read_planted(work: StageContext, split: str) -> list[Planted]:
    """All pairs that were planted in a split."""
    return [parse_planted(line) for line in read_rows(work.folder_of("plant") / f"{split}.planted")]


def _merge(work: StageContext, side: int, split: int, counts: dict[str, int]) -> Iterator[MergedRow]:
    """The sentences of a split in one language, planted ones behind what was found for them."""
    code = work.config.codes[side]
    names = [row.name for row in read_document_rows(work.folder_of("read"), code)]
    pairs = read_planted(work, list(work.config.shares)[split])
    behind = {pair.places[side].number: number for number, pair in enumerate(pairs)}
    # A path may hold a tab or a line end, a row may not.
    sources = [clean_text(path) for path in work.config.documents[side].path]
    total = work.finished["split"].counts[code]["kept sentences"]
    for place, sentence in _place(work, code, split, names):
        document = names[sentence.document]
        if counts["native"] % PROGRESS_EVERY == 0:
            work.progress(Step(f"merging {code}", counts["native"], total))
        counts["native"] += 1
        counts["rewritten native"] += sentence.rewritten
        yield MergedRow(NO_PAIR, document, sources[sentence.source], str(sentence.position), "", "", sentence.text)
        number = behind.get(place)
        if number is not None:
            pair = pairs[number].pair
            counts["planted"] += 1
            counts["rewritten planted"] += pair.rewritten[side]
            source = clean_text(work.config.parallel[pair.source].name)
            score = f"{pairs[number].places[side].score:.4f}"
            yield MergedRow(number, document, source, pair.name, pair.document, score, pair.texts[side])


def _place(work: StageContext, code: str, split: int, names: list[str]) -> Iterator[tuple[int, SentenceRow]]:
    """Native sentences of a split, documents in the order they are drawn in, each with its number in the index."""
    documents = documents_of(work.folder_of("split"), code, split)
    sizes = load_sizes(work.folder_of("split"), code)
    firsts = dict(
        zip(documents.tolist(), (np.cumsum(sizes[documents]) - sizes[documents]).tolist(), strict=True)
    )
    seed = work.config.seed
    order = sorted(firsts, key=lambda k: (draw(seed, "shuffle", code, names[k]), k))
    before, place = -1, 0
    for sentence in read_sentences(work.folder_of("split"), code, np.array(order, np.int64)):
        if sentence.document != before:
            before, place = sentence.document, firsts[sentence.document]
        yield place, sentence
        place += 1
