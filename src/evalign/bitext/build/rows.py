"""What stages of a build share: their context, the sizes of pieces of work, and the files that they hand on.

Rows are lines of fields with tabs between them; the text comes last. No sentence in the inputs contains a tab
or a line end.
"""

from __future__ import annotations

import io
import mmap
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TextIO, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import Config
from evalign.engines.base import Engine, SerialEngine
from evalign.engines.checkpoints import FinishedStage
from evalign.progress import Progress

Numbers: TypeAlias = npt.NDArray[np.int64]
Hashes: TypeAlias = npt.NDArray[np.uint64]

PAIRS = "pairs"
"""The key of counts of pairs; the other keys are language codes."""
# A stage reports progress once in this many sentences or pairs.
PROGRESS_EVERY = 10_000


@dataclass(frozen=True)
class BuildSizes:
    """How a build is cut into pieces, and which work is too small for workers.

    The data set does not depend on it.
    """

    bytes_per_span: int = 1 << 20
    """How many bytes are filtered at a time: some 10,000 sentences, a quarter of a second."""
    smallest_bytes: int = 1 << 22
    """From how many bytes of a file workers filter it."""
    pairs_per_batch: int = 256
    """How many pairs a worker searches for at a time: a quarter of a second among 100,000 sentences."""
    smallest_pairs: int = 2_000
    """From how many pairs workers search for slots."""
    large_input: int = 1 << 28
    """From how many bytes an input is not read again if its time of change is the same.

    A dump takes minutes to read.
    """


BUILD_SIZES = BuildSizes()


class StageContext(NamedTuple):
    """Everything that a stage is given to work with."""

    config: Config
    folder: Path
    """The folder that the stage writes to."""
    finished: Mapping[str, FinishedStage]
    """The stages before this one, by name."""
    progress: Progress
    engine: Engine = SerialEngine()
    """The engine that does work which can be cut into pieces."""
    sizes: BuildSizes = BUILD_SIZES

    def folder_of(self, stage: str) -> Path:
        """Return the folder of an earlier stage."""
        return self.finished[stage].folder


class SentenceRow(NamedTuple):
    """A native sentence, as stages hand it on."""

    document: int
    """Number of its document, from 0."""
    position: int
    """The position of the sentence in the document as it was read, from 1."""
    source: int
    """Index of the input path of its language that it was read from."""
    length: int
    rewritten: int
    """1 if its typography was changed."""
    text: str

    def line(self) -> str:
        """Return the row as a line of its file, with the line end."""
        document, position, source, length, rewritten, text = self
        return f"{document}\t{position}\t{source}\t{length}\t{rewritten}\t{text}\n"


def parse_sentence(line: str) -> SentenceRow:
    """Parse what `SentenceRow.line` returned, without its line end."""
    document, position, source, length, rewritten, text = line.split("\t", 5)
    return SentenceRow(int(document), int(position), int(source), int(length), int(rewritten), text)


class PairRow(NamedTuple):
    """A sentence and its translation, as stages hand them on."""

    source: int
    """Index of the parallel input that the pair was read from."""
    name: str
    document: str
    lengths: tuple[int, int]
    rewritten: tuple[int, int]
    texts: tuple[str, str]

    def line(self) -> str:
        """Return the row as a line of its file, with the line end."""
        numbers = "\t".join(map(str, (*self.lengths, *self.rewritten)))
        return f"{self.source}\t{self.name}\t{self.document}\t{numbers}\t{self.texts[0]}\t{self.texts[1]}\n"


def parse_pair(line: str) -> PairRow:
    """Parse what `PairRow.line` returned, without its line end."""
    source, name, document, one, two, first, second, *texts = line.split("\t", 8)
    return PairRow(
        int(source), name, document, (int(one), int(two)), (int(first), int(second)), (texts[0], texts[1])
    )


class DocumentEntry(NamedTuple):
    """A document, as stages hand it on; its number is the index of its line, from 0."""

    name: str
    genre: str


def open_to_write(path: Path) -> TextIO:
    """Open a file for writing rows in UTF-8.

    Rows may contain names of files, and these may contain surrogates, which cannot be encoded: they are
    written as escapes.
    """
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")


def read_rows(path: Path) -> Iterator[str]:
    """Yield the lines of a file of rows, without their line ends."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line[:-1]


def read_document_entries(folder: Path, code: str) -> list[DocumentEntry]:
    """Read all documents of a language, in the order of their numbers."""
    return [DocumentEntry(*line.split("\t")) for line in read_rows(folder / f"{code}.documents")]


def read_link_rows(folder: Path) -> list[tuple[int, int]]:
    """Read links between documents, as pairs of document numbers."""
    return [(int(first), int(second)) for first, second in map(str.split, read_rows(folder / "links"))]


def documents_of(folder: Path, code: str, split: int) -> Numbers:
    """Return the numbers of the documents in a split.

    `split` is the index of the split, `folder` that of the stage "split".
    """
    splits: Numbers = np.load(folder / f"{code}.splits.npy")
    return np.flatnonzero(splits == split)


class SentenceTable(NamedTuple):
    """Facts about the sentences of a language, known without reading them.

    Every field is an array with a value per sentence, in the order of their file.
    """

    documents: Numbers
    """Number of each sentence's document."""
    starts: Numbers
    """Offset in the file, in bytes, where the line of each sentence begins."""
    ends: Numbers
    """Offset where the line ends."""
    hashes: Hashes
    """Hash of each text."""
    folded: Hashes
    """Hash of each text after `fold_copy`, by which copies are found."""

    def take(self, which: npt.NDArray[np.bool_] | Numbers) -> SentenceTable:
        """Return the rows of some sentences."""
        documents, starts, ends, hashes, folded = self
        return SentenceTable(documents[which], starts[which], ends[which], hashes[which], folded[which])


def write_sentences(
    folder: Path, code: str, source: Path, table: SentenceTable, n_documents: int
) -> SentenceTable:
    """Copy the lines of `table` from `source` to a file of a stage, and save the table beside it.

    The lines are ordered by document. Returns the table with offsets in the new file.
    """
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
    """Load the number of sentences of each document of a language."""
    counts: Numbers = np.load(folder / f"{code}.counts.npy")
    return counts


def load_sentences(folder: Path, code: str) -> SentenceTable:
    """Load the table of the sentences that a stage has written."""
    counts = load_sizes(folder, code)
    lines = np.load(folder / f"{code}.lines.npy")
    hashes, folded = np.load(folder / f"{code}.hashes.npy"), np.load(folder / f"{code}.folded.npy")
    return SentenceTable(np.repeat(np.arange(len(counts)), counts), lines[:-1], lines[1:], hashes, folded)


def read_sentences(folder: Path, code: str, documents: npt.NDArray[np.int64]) -> Iterator[SentenceRow]:
    """Yield the sentences of some documents, in the order of `documents`."""
    starts = np.load(folder / f"{code}.starts.npy")
    with (folder / f"{code}.sentences").open("rb") as file:
        for document in documents.tolist():
            start, end = int(starts[document]), int(starts[document + 1])
            file.seek(start)
            for line in io.StringIO(file.read(end - start).decode("utf-8"), newline="\n"):
                yield parse_sentence(line[:-1])


class WholeDocuments:
    """Documents of a language as they were read, before any sentence was left out; may be read repeatedly.

    Pieces of a document may be anywhere in the input, and are put together.
    """

    def __init__(self, folder: Path, code: str, documents: Numbers) -> None:
        """Take the folder of the stage "read", a language, and the numbers of the documents, ascending."""
        self._path = folder / f"{code}.sentences"
        self._names = [entry.name for entry in read_document_entries(folder, code)]
        self._documents = documents

    def __iter__(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the name and the sentences of each document."""
        numbers, ends = array("q"), array("q")
        with self._path.open("rb") as file:
            for line in file:
                numbers.append(int(line[: line.index(b"\t")]))
                ends.append(len(line) + (ends[-1] if ends else 0))
        order = np.argsort(np.frombuffer(numbers, np.int64), kind="stable")
        firsts = np.searchsorted(np.frombuffer(numbers, np.int64), self._documents, sorter=order)
        lasts = np.searchsorted(np.frombuffer(numbers, np.int64), self._documents, "right", sorter=order)
        with self._path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for document, first, last in zip(
                self._documents.tolist(), firsts.tolist(), lasts.tolist(), strict=True
            ):
                lines = order[first:last].tolist()
                rows = (data[ends[k - 1] if k else 0 : ends[k] - 1].decode("utf-8") for k in lines)
                yield self._names[document], [row.split("\t", 3)[3] for row in rows]


def hash_text(text: str) -> int:
    """Hash a sentence to 64 bits.

    Two sentences share a hash in about one of 3,000 data sets of a hundred million sentences.
    """
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Slot(NamedTuple):
    """A place for a planted sentence: directly behind a native one, which the search found."""

    number: int
    """Number of the native sentence, counted through all documents of its split."""
    score: float


Slots: TypeAlias = Sequence[Slot]
"""All slots of one sentence, free or not, the best first."""


class Planted(NamedTuple):
    """A pair that was planted, with its slot in each language."""

    places: tuple[Slot, Slot]
    pair: PairRow

    def line(self) -> str:
        """Return the row as a line of its file, with the line end."""
        first, second = self.places
        return f"{first.number}\t{first.score:.4f}\t{second.number}\t{second.score:.4f}\t{self.pair.line()}"


def parse_planted(line: str) -> Planted:
    """Parse what `Planted.line` returned, without its line end."""
    one, first, two, second, pair = line.split("\t", 4)
    return Planted((Slot(int(one), float(first)), Slot(int(two), float(second))), parse_pair(pair))


NO_PAIR = -1


class MergedRow(NamedTuple):
    """A sentence, native or planted, in its final order and with its origin."""

    planted: int
    """Index of its pair among the planted pairs of the split; `NO_PAIR` if it is native."""
    document: str
    source: str
    name: str
    pair_document: str
    score: str
    text: str

    def line(self) -> str:
        """Return the row as a line of its file, with the line end."""
        return "\t".join((str(self.planted), *self[1:])) + "\n"


def parse_merged(line: str) -> MergedRow:
    """Parse what `MergedRow.line` returned, without its line end."""
    planted, *fields = line.split("\t", 6)
    return MergedRow(int(planted), *fields)
