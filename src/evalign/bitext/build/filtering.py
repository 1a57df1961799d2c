"""Second stage: one typography for all text, sentences neither too short nor too long, none twice (section 2.2.3).

Typography comes first, so that what is compared, counted, searched and written is the same text.
"""

from __future__ import annotations

import json
import mmap
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import numpy as np

from evalign.bitext.build.work import (
    PAIRS,
    Hashes,
    Numbers,
    Pair,
    Sentence,
    Work,
    hash_text,
    open_to_write,
    read_document_rows,
)
from evalign.bitext.build.workspace import Counts
from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import count_units
from evalign.bitext.sharing import Span, check_seen, cut_file, ending, is_elsewhere, share_folder
from evalign.bitext.typography import normalize
from evalign.engines import run_ordered
from evalign.engines.here import Here
from evalign.progress import Step

LENGTHS = "lengths.json"
# Bytes that are filtered at a time: some 10,000 sentences, a quarter of a second.
SPAN = 1 << 20
# Files with fewer bytes are filtered before workers have begun.
LEAST_BYTES = 1 << 22


class _Candidates(NamedTuple):
    """Sentences of the right length, in the order in which they were read."""

    documents: Numbers
    ends: Numbers
    """Where their lines end in the file."""
    hashes: Hashes


class Lines(NamedTuple):
    """Lines that are to be filtered, wherever that is."""

    span: Span
    shared: Path | None = None
    """A folder that a worker must see."""

    def read(self) -> list[str]:
        """What is in them."""
        if self.shared:
            check_seen(self.shared)
        return self.span.read()


@dataclass
class _Filtered:
    """What is left of some lines, and what was counted of all."""

    lengths: Counter[int]
    rows: bytes = b""
    documents: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """Of the rows, in bytes."""
    hashes: list[int] = field(default_factory=list)
    n_rewritten: int = 0

    @property
    def n_lines(self) -> int:
        """How many lines there were."""
        return self.lengths.total()


class _FilteredPairs(NamedTuple):
    """Pairs as they are written, and what was counted of them."""

    rows: str
    n_lines: int
    n_rewritten: int
    n_fitting: int


_Some = TypeVar("_Some", _Filtered, _FilteredPairs)


def run_filter(work: Work) -> Counts:
    """Keep what can be used of documents; of pairs only note how long they are."""
    counts: Counts = {}
    lengths: dict[str, dict[str, int]] = {}
    for language in work.config.languages:
        counts[language.code], before = _filter_side(work, language)
        lengths[language.code] = {str(length): before[length] for length in sorted(before)}
    counts[PAIRS] = _filter_pairs(work)
    (work.folder / LENGTHS).write_text(json.dumps(lengths), encoding="utf-8")
    return counts


def read_lengths(folder: Path) -> dict[str, dict[int, int]]:
    """How many sentences of each length there were before any was left out, by language."""
    found = json.loads((folder / LENGTHS).read_text(encoding="utf-8"))
    return {code: {int(length): n for length, n in lengths.items()} for code, lengths in found.items()}


def _spread(
    work: Work, filter: Callable[[Lines], _Some], path: Path, stage: str, total: int
) -> Iterator[_Some]:
    """What is left of the lines of a file, in their order, filtered where that is quickest."""
    goes = is_elsewhere(work.engine) and path.stat().st_size >= LEAST_BYTES
    done = 0
    work.progress(Step(stage, 0, total))
    with ExitStack() as stack:
        shared = stack.enter_context(share_folder(work.folder.parent)) if goes else None
        items = (Lines(span, shared) for span in cut_file(path.resolve(), SPAN))
        found = run_ordered(work.engine if goes else Here(), filter, items)
        for some in stack.enter_context(ending(found)):
            yield some
            done += some.n_lines
            work.progress(Step(stage, done, total))


def _filter_side(work: Work, language: Language) -> tuple[dict[str, int], Counter[int]]:
    code = language.code
    scratch = work.folder / f"{code}.candidates"
    candidates, before, rewritten = _write_candidates(work, language, scratch)
    n_documents = len(read_document_rows(work.of("read"), code))
    _write_kept(work.folder, code, scratch, candidates, n_documents)
    scratch.unlink()
    kept = np.load(work.folder / f"{code}.counts.npy")
    fitting = len(candidates.hashes)
    counts = {
        "sentences": before.total(),
        "rewritten": rewritten,
        "too short": sum(n for length, n in before.items() if length < language.shortest),
        "too long": sum(n for length, n in before.items() if length > language.longest),
        "duplicates": fitting - int(kept.sum()),
        "kept sentences": int(kept.sum()),
        "kept documents": int((kept > 0).sum()),
    }
    return counts, before


def _write_candidates(work: Work, language: Language, path: Path) -> tuple[_Candidates, Counter[int], int]:
    """Write all sentences of the right length, and count how long all are, and how many were rewritten."""
    documents, sizes, hashes = array("q"), array("q"), array("Q")
    lengths: Counter[int] = Counter()
    n_rewritten = 0
    code = language.code
    total = work.before["read"].counts[code]["sentences"]
    read = work.of("read") / f"{code}.sentences"
    filtered = _spread(work, partial(filter_sentences, language), read, f"filtering {code}", total)
    with path.open("wb") as file, ending(filtered):
        for some in filtered:
            documents.extend(some.documents)
            sizes.extend(some.sizes)
            hashes.extend(some.hashes)
            lengths.update(some.lengths)
            n_rewritten += some.n_rewritten
            file.write(some.rows)
    found = _Candidates(
        np.frombuffer(documents, np.int64) if documents else np.empty(0, np.int64),
        np.cumsum(np.frombuffer(sizes, np.int64)) if sizes else np.empty(0, np.int64),
        np.frombuffer(hashes, np.uint64) if hashes else np.empty(0, np.uint64),
    )
    return found, lengths, n_rewritten


def filter_sentences(language: Language, lines: Lines) -> _Filtered:
    """The sentences of some lines that are of the right length."""
    found = _Filtered(lengths=Counter())
    rows: list[bytes] = []
    for line in lines.read():
        document, position, source, text = line.split("\t", 3)
        normal = normalize(text)
        length = count_units(language, normal)
        found.lengths[length] += 1
        is_rewritten = normal != text
        found.n_rewritten += is_rewritten
        if is_fitting(language, length):
            row = Sentence(int(document), int(position), int(source), length, int(is_rewritten), normal)
            rows.append(row.line().encode("utf-8"))
            found.documents.append(row.document)
            found.sizes.append(len(rows[-1]))
            found.hashes.append(hash_text(normal))
    found.rows = b"".join(rows)
    return found


def _write_kept(folder: Path, code: str, scratch: Path, found: _Candidates, n_documents: int) -> None:
    """Write every sentence once, documents one after the other, and where each begins."""
    _, first = np.unique(found.hashes, return_index=True)
    kept = np.sort(first)
    # Pieces of a document may be anywhere in the input; within it, sentences stay in their order.
    kept = kept[np.argsort(found.documents[kept], kind="stable")]
    begins = np.concatenate(([0], found.ends))[:-1] if len(found.ends) else found.ends
    with (folder / f"{code}.sentences").open("wb") as file:
        _copy_lines(scratch, file, begins[kept], found.ends[kept])
    counts = np.bincount(found.documents[kept], minlength=n_documents).astype(np.int64)
    behind = np.concatenate(([0], np.cumsum(found.ends[kept] - begins[kept])))
    starts = behind[np.concatenate(([0], np.cumsum(counts)))].astype(np.int64)
    np.save(folder / f"{code}.starts.npy", starts)
    np.save(folder / f"{code}.counts.npy", counts)
    np.save(folder / f"{code}.hashes.npy", found.hashes[kept])


def _copy_lines(path: Path, target: BinaryIO, starts: Numbers, ends: Numbers) -> None:
    if not len(starts):
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        target.writelines(data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))


def _filter_pairs(work: Work) -> dict[str, int]:
    """Give pairs the same typography, and note how long both sides are."""
    counts = {"pairs": 0, "rewritten": 0, "fitting": 0}
    total = work.before["read"].counts[PAIRS]["pairs"]
    filter = partial(filter_pairs, work.config.languages)
    filtered = _spread(work, filter, work.of("read") / PAIRS, "filtering pairs", total)
    with open_to_write(work.folder / PAIRS) as file, ending(filtered):
        for some in filtered:
            file.write(some.rows)
            counts["pairs"] += some.n_lines
            counts["rewritten"] += some.n_rewritten
            counts["fitting"] += some.n_fitting
    return counts


def filter_pairs(languages: tuple[Language, Language], lines: Lines) -> _FilteredPairs:
    """The pairs of some lines, all of them."""
    first, second = languages
    rows: list[str] = []
    n_rewritten = n_fitting = 0
    for line in lines.read():
        source, name, document, *texts = line.split("\t", 4)
        one, two = map(normalize, texts)
        lengths = count_units(first, one), count_units(second, two)
        rewritten = int(one != texts[0]), int(two != texts[1])
        rows.append(Pair(int(source), name, document, lengths, rewritten, (one, two)).line())
        n_rewritten += any(rewritten)
        n_fitting += is_fitting(first, lengths[0]) and is_fitting(second, lengths[1])
    return _FilteredPairs("".join(rows), len(rows), n_rewritten, n_fitting)


def is_fitting(language: Language, length: int) -> bool:
    """Whether a sentence is neither too short nor too long."""
    return language.shortest <= length <= language.longest
