"""What a stage is given to work with, and the files that stages hand on.

Rows are lines with tabs between their fields; the text comes last. No input has a tab or a line end in a sentence.
"""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TextIO, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import Config
from evalign.bitext.build.workspace import FinishedStage
from evalign.engines import Engine, SerialEngine
from evalign.progress import Progress

Numbers: TypeAlias = npt.NDArray[np.int64]
Hashes: TypeAlias = npt.NDArray[np.uint64]

PAIRS = "pairs"
"""What counts of pairs stand under, beside those of the languages."""
# A stage tells of every so many sentences or pairs.
PROGRESS_EVERY = 10_000


@dataclass(frozen=True)
class BuildSizes:
    """How a build is cut into pieces, and what is too small to be sent to workers. The data set is the same whatever it is."""

    bytes_per_span: int = 1 << 20
    """How many bytes are filtered at a time: some 10,000 sentences, a quarter of a second."""
    smallest_bytes: int = 1 << 22
    """From how many bytes of a file on workers filter it."""
    pairs_per_batch: int = 256
    """How many pairs a worker searches for at a time: a quarter of a second's work among 100,000 sentences."""
    smallest_pairs: int = 2_000
    """From how many pairs on workers search for their places."""
    large_input: int = 1 << 28
    """From how many bytes on an input is not read again where its time of change is the same: a dump takes minutes."""


BUILD_SIZES = BuildSizes()


class StageContext(NamedTuple):
    """A stage's surroundings."""

    config: Config
    folder: Path
    """Where it writes."""
    finished: Mapping[str, FinishedStage]
    """The stages before it, by name."""
    progress: Progress
    engine: Engine = SerialEngine()
    """Where the work is done that can be cut into pieces."""
    sizes: BuildSizes = BUILD_SIZES

    def folder_of(self, stage: str) -> Path:
        """Where a stage before it wrote."""
        return self.finished[stage].folder


class SentenceRow(NamedTuple):
    """A native sentence between the stages."""

    document: int
    """The number of its document, from 0."""
    position: int
    """Its number in the document as it was read, from 1."""
    source: int
    """Which of the paths of its language it was read from."""
    length: int
    rewritten: int
    """1 if its typography was changed."""
    text: str

    def line(self) -> str:
        """As it is written."""
        document, position, source, length, rewritten, text = self
        return f"{document}\t{position}\t{source}\t{length}\t{rewritten}\t{text}\n"


def parse_sentence(line: str) -> SentenceRow:
    """A row, without its line end."""
    document, position, source, length, rewritten, text = line.split("\t", 5)
    return SentenceRow(int(document), int(position), int(source), int(length), int(rewritten), text)


class PairRow(NamedTuple):
    """A sentence and its translation between the stages."""

    source: int
    """Which of the parallel inputs it was read from."""
    name: str
    document: str
    lengths: tuple[int, int]
    rewritten: tuple[int, int]
    texts: tuple[str, str]

    def line(self) -> str:
        """As it is written."""
        numbers = "\t".join(map(str, (*self.lengths, *self.rewritten)))
        return f"{self.source}\t{self.name}\t{self.document}\t{numbers}\t{self.texts[0]}\t{self.texts[1]}\n"


def parse_pair(line: str) -> PairRow:
    """A row, without its line end."""
    source, name, document, one, two, first, second, *texts = line.split("\t", 8)
    return PairRow(
        int(source), name, document, (int(one), int(two)), (int(first), int(second)), (texts[0], texts[1])
    )


class DocumentEntry(NamedTuple):
    """A document between the stages; its number is that of its line, from 0."""

    name: str
    genre: str


def open_to_write(path: Path) -> TextIO:
    """A file for rows. Names of files may hold what is no text: it is written escaped."""
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")


def read_rows(path: Path) -> Iterator[str]:
    """Lines of a file of rows, without their ends."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line[:-1]


def read_document_entries(folder: Path, code: str) -> list[DocumentEntry]:
    """All documents of a language, by number."""
    return [DocumentEntry(*line.split("\t")) for line in read_rows(folder / f"{code}.documents")]


def read_link_rows(folder: Path) -> list[tuple[int, int]]:
    """Links between documents, by their numbers."""
    return [(int(first), int(second)) for first, second in map(str.split, read_rows(folder / "links"))]


def documents_of(folder: Path, code: str, split: int) -> Numbers:
    """The documents of a split, by number, from the folder of the stage that splits."""
    splits: Numbers = np.load(folder / f"{code}.splits.npy")
    return np.flatnonzero(splits == split)


class SentenceTable(NamedTuple):
    """What is known of the sentences of a language without reading them: a value of each, in the order of their file."""

    documents: Numbers
    """The number of the document of each."""
    starts: Numbers
    """Where its line begins in the file."""
    ends: Numbers
    hashes: Hashes
    """Of its text."""
    folded: Hashes
    """Of its text as copies of it are compared."""

    def take(self, which: npt.NDArray[np.bool_] | Numbers) -> SentenceTable:
        """Some of the sentences."""
        documents, starts, ends, hashes, folded = self
        return SentenceTable(documents[which], starts[which], ends[which], hashes[which], folded[which])


def write_sentences(
    folder: Path, code: str, source: Path, table: SentenceTable, n_documents: int
) -> SentenceTable:
    """Copy lines of a file of sentences, which are ordered by document; what is known of them goes beside."""
    with (folder / f"{code}.sentences").open("wb") as file:
        if len(table.starts):
            with source.open("rb") as lines, mmap.mmap(lines.fileno(), 0, access=mmap.ACCESS_READ) as data:
                spans = zip(table.starts.tolist(), table.ends.tolist(), strict=True)
                file.writelines(data[start:end] for start, end in spans)
    counts = np.bincount(table.documents, minlength=n_documents).astype(np.int64)
    behind = np.concatenate(([0], np.cumsum(table.ends - table.starts))).astype(np.int64)
    np.save(folder / f"{code}.counts.npy", counts)
    np.save(folder / f"{code}.starts.npy", behind[np.concatenate(([0], np.cumsum(counts)))])
    np.save(folder / f"{code}.lines.npy", behind)
    np.save(folder / f"{code}.hashes.npy", table.hashes)
    np.save(folder / f"{code}.folded.npy", table.folded)
    return table._replace(starts=behind[:-1], ends=behind[1:])


def load_sizes(folder: Path, code: str) -> Numbers:
    """How many sentences each document of a language has."""
    counts: Numbers = np.load(folder / f"{code}.counts.npy")
    return counts


def load_sentences(folder: Path, code: str) -> SentenceTable:
    """What is known of the sentences that a stage has written."""
    counts = load_sizes(folder, code)
    lines = np.load(folder / f"{code}.lines.npy")
    hashes, folded = np.load(folder / f"{code}.hashes.npy"), np.load(folder / f"{code}.folded.npy")
    return SentenceTable(np.repeat(np.arange(len(counts)), counts), lines[:-1], lines[1:], hashes, folded)


def read_sentences(folder: Path, code: str, documents: npt.NDArray[np.int64]) -> Iterator[SentenceRow]:
    """The sentences of some documents, in the order of these."""
    starts = np.load(folder / f"{code}.starts.npy")
    with (folder / f"{code}.sentences").open("rb") as file:
        for document in documents.tolist():
            start, end = int(starts[document]), int(starts[document + 1])
            file.seek(start)
            for line in io.StringIO(file.read(end - start).decode("utf-8"), newline="\n"):
                yield parse_sentence(line[:-1])


def hash_text(text: str) -> int:
    """A number of 64 bits for a sentence: two in a hundred million sentences are the same once in 3,000 data sets."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Slot(NamedTuple):
    """A sentence that another can be planted behind."""

    number: int
    """Of the sentence, counted through the documents of a split."""
    score: float


Slots: TypeAlias = Sequence[Slot]
"""Those of one sentence, the best first, free or not."""


class Planted(NamedTuple):
    """A pair that was planted."""

    places: tuple[Slot, Slot]
    pair: PairRow

    def line(self) -> str:
        """As it is written."""
        first, second = self.places
        return f"{first.number}\t{first.score:.4f}\t{second.number}\t{second.score:.4f}\t{self.pair.line()}"


def parse_planted(line: str) -> Planted:
    """A row, without its line end."""
    one, first, two, second, pair = line.split("\t", 4)
    return Planted((Slot(int(one), float(first)), Slot(int(two), float(second))), parse_pair(pair))


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
