"""Second stage: one typography for all text, sentences neither too short nor too long, none twice (section 2.2.3).

Typography comes first, so that what is compared, counted, searched and written is the same text.
"""

from __future__ import annotations

import json
import mmap
from array import array
from collections import Counter
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from evalign.bitext.build.work import (
    PAIRS,
    TOLD_EVERY,
    Hashes,
    Numbers,
    Pair,
    Sentence,
    Work,
    hash_text,
    open_to_write,
    read_document_rows,
    read_lines,
)
from evalign.bitext.build.workspace import Counts
from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import count_units
from evalign.bitext.typography import normalize
from evalign.progress import Step

LENGTHS = "lengths.json"


class _Candidates(NamedTuple):
    """Sentences of the right length, in the order in which they were read."""

    documents: Numbers
    ends: Numbers
    """Where their lines end in the file."""
    hashes: Hashes


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
    shortest, longest, code = language.shortest, language.longest, language.code
    total = work.before["read"].counts[code]["sentences"]
    with path.open("wb") as file:
        for number, line in enumerate(read_lines(work.of("read") / f"{code}.sentences")):
            if number % TOLD_EVERY == 0:
                work.progress(Step(f"filtering {code}", number, total))
            document, position, source, text = line.split("\t", 3)
            normal = normalize(text)
            length = count_units(language, normal)
            lengths[length] += 1
            is_rewritten = normal != text
            n_rewritten += is_rewritten
            if shortest <= length <= longest:
                row = Sentence(int(document), int(position), int(source), length, int(is_rewritten), normal)
                documents.append(row.document)
                sizes.append(file.write(row.line().encode("utf-8")))
                hashes.append(hash_text(normal))
    found = _Candidates(
        np.frombuffer(documents, np.int64) if documents else np.empty(0, np.int64),
        np.cumsum(np.frombuffer(sizes, np.int64)) if sizes else np.empty(0, np.int64),
        np.frombuffer(hashes, np.uint64) if hashes else np.empty(0, np.uint64),
    )
    return found, lengths, n_rewritten


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
    first, second = work.config.languages
    counts = {"pairs": 0, "rewritten": 0, "fitting": 0}
    total = work.before["read"].counts[PAIRS]["pairs"]
    with open_to_write(work.folder / PAIRS) as file:
        for line in read_lines(work.of("read") / PAIRS):
            if counts["pairs"] % TOLD_EVERY == 0:
                work.progress(Step("filtering pairs", counts["pairs"], total))
            source, name, document, *texts = line.split("\t", 4)
            one, two = map(normalize, texts)
            lengths = count_units(first, one), count_units(second, two)
            rewritten = int(one != texts[0]), int(two != texts[1])
            file.write(Pair(int(source), name, document, lengths, rewritten, (one, two)).line())
            counts["pairs"] += 1
            counts["rewritten"] += any(rewritten)
            counts["fitting"] += is_fitting(first, lengths[0]) and is_fitting(second, lengths[1])
    return counts


def is_fitting(language: Language, length: int) -> bool:
    """Whether a sentence is neither too short nor too long."""
    return language.shortest <= length <= language.longest
