"""Second stage of a build: normalise typography, and filter sentences and pairs (section 2.2.3).

Left out are sentences that are too short or too long, repetitions, sentences in the wrong language, those
with unpaired quotes or brackets, and Chinese ones in a script that hardly any native sentence has; each counts
under the first reason that applies. Typography comes first, so that what is compared, counted, searched and
written is the same text.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from evalign.bitext.build.config import DROP, Filter
from evalign.bitext.build.rows import (
    PAIRS,
    Numbers,
    PairRow,
    SentenceRow,
    SentenceTable,
    StageContext,
    hash_text,
    open_to_write,
    read_document_entries,
    write_sentences,
)
from evalign.bitext.languages import Language, count_units
from evalign.bitext.sentence_checks import (
    CHINESE_SCRIPTS,
    WrongLanguage,
    find_chinese_script,
    find_rare_script,
    fold_copy,
    has_unpaired_brackets,
    has_unpaired_quotes,
)
from evalign.bitext.typography import normalize_typography
from evalign.bitext.workers import (
    FileSpan,
    closing_results,
    cut_file,
    is_inline,
    share_folder,
)
from evalign.engines.base import SerialEngine, run_ordered
from evalign.engines.checkpoints import StageCounts
from evalign.progress import Step

LENGTHS = "lengths.json"


WRONG_LANGUAGE, UNPAIRED = "wrong language", "unpaired marks"
REASONS = (WRONG_LANGUAGE, UNPAIRED, *CHINESE_SCRIPTS)
"""Why sentences and pairs of the right length are left out; also keys of counts.

Only the script that is rare in a Chinese side is a key of its counts, and of those of pairs.
"""


class SentenceFilter(NamedTuple):
    """The requirements for sentences of one language, apart from their length."""

    language: Language
    wrong_language: WrongLanguage | None
    """None if sentences in the wrong language are kept."""
    drops_unpaired: bool
    drops_rare_script: bool
    rare_script: str = ""
    """The one of `CHINESE_SCRIPTS` to leave out; empty before native sentences are counted, or for none."""

    def find_reason(self, sentence: str) -> str:
        """Return the reason to leave a sentence out, one of `REASONS`; "" if there is none."""
        if self.wrong_language is not None and self.wrong_language.holds_for(sentence):
            return WRONG_LANGUAGE
        if self.drops_unpaired and (has_unpaired_quotes(sentence) or has_unpaired_brackets(sentence)):
            return UNPAIRED
        if self.rare_script and find_chinese_script(sentence) == self.rare_script:
            return self.rare_script
        return ""


def make_filters(
    languages: tuple[Language, Language], options: Filter
) -> tuple[SentenceFilter, SentenceFilter]:
    """Make the filters for both languages."""
    first, second = languages
    thresholds = options.least_own_script, options.least_foreign_words, options.least_foreign_share
    one, two = (
        SentenceFilter(
            own,
            WrongLanguage(own, other, *thresholds) if options.wrong_language == DROP else None,
            options.unpaired == DROP,
            options.script == DROP and own.is_chinese,
        )
        for own, other in ((first, second), (second, first))
    )
    return one, two


@dataclass
class _Filtered:
    """The sentences that remain of some lines after filtering, and counts of all these lines."""

    lengths: Counter[int]
    rows: bytes = b""
    documents: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """Bytes of each row."""
    hashes: list[int] = field(default_factory=list)
    folded: list[int] = field(default_factory=list)
    scripts: list[int] = field(default_factory=list)
    """Script of each sentence, if it matters: 1 and 2 for `CHINESE_SCRIPTS`, 0 for neither."""
    dropped: Counter[str] = field(default_factory=Counter)
    """How many sentences were left out, by reason."""
    n_rewritten: int = 0

    @property
    def n_lines(self) -> int:
        return self.lengths.total()


class _FilteredPairs(NamedTuple):
    """Rows of the pairs that remain of some lines after filtering, and counts of all these lines."""

    rows: str
    n_lines: int
    n_rewritten: int
    n_fitting: int
    dropped: Counter[str]


_Some = TypeVar("_Some", _Filtered, _FilteredPairs)


def run_filter(work: StageContext) -> StageCounts:
    """Filter the sentences of documents, and pairs; write those that remain, with their lengths."""
    counts: StageCounts = {}
    lengths: dict[str, dict[str, int]] = {}
    filters: list[SentenceFilter] = []
    for each in make_filters(work.config.languages, work.config.filter):
        code = each.language.code
        counts[code], before = _filter_side(work, each)
        lengths[code] = {str(length): before[length] for length in sorted(before)}
        filters.append(each._replace(rare_script=rare_script_of(counts[code])))
    counts[PAIRS] = _filter_pairs(work, (filters[0], filters[1]))
    (work.folder / LENGTHS).write_text(json.dumps(lengths), encoding="utf-8")
    return counts


def read_lengths(folder: Path) -> dict[str, dict[int, int]]:
    """Read how many sentences of each length there were before any was left out, by language and length."""
    content = json.loads((folder / LENGTHS).read_text(encoding="utf-8"))
    return {code: {int(length): n for length, n in lengths.items()} for code, lengths in content.items()}


def rare_script_of(counts: Mapping[str, int]) -> str:
    """Return the script that was left out of a language, from the counts of this stage; "" if none was."""
    return next((script for script in CHINESE_SCRIPTS if script in counts), "")


def _filter_lines(
    work: StageContext, filter: Callable[[FileSpan], _Some], path: Path, stage: str, total: int
) -> Iterator[_Some]:
    """Filter the lines of a file in pieces, by workers if it is large; yield results in order."""
    use_workers = not is_inline(work.engine) and path.stat().st_size >= work.sizes.smallest_bytes
    done = 0
    work.progress(Step(stage, 0, total))
    with ExitStack() as stack:
        shared = stack.enter_context(share_folder(work.folder.parent)) if use_workers else None
        items = cut_file(path.resolve(), work.sizes.bytes_per_span, shared)
        results = run_ordered(work.engine if use_workers else SerialEngine(), filter, items)
        for some in stack.enter_context(closing_results(results)):
            yield some
            done += some.n_lines
            work.progress(Step(stage, done, total))


def _filter_side(work: StageContext, filter: SentenceFilter) -> tuple[dict[str, int], Counter[int]]:
    language = filter.language
    code = language.code
    scratch = work.folder / f"{code}.candidates"
    candidates, filtered = _write_candidates(work, filter, scratch)
    n_documents = len(read_document_entries(work.folder_of("read"), code))
    kept = _find_kept(candidates)
    dropped = {reason: filtered.dropped[reason] for reason in (WRONG_LANGUAGE, UNPAIRED)}
    n_rare = 0
    if filter.drops_rare_script:
        scripts = np.array(filtered.scripts, np.int8)
        n_of = np.bincount(scripts[kept], minlength=3).tolist()
        if rare := find_rare_script(n_of[1], n_of[2], len(kept)):
            is_rare = scripts == 1 + CHINESE_SCRIPTS.index(rare)
            dropped[rare] = n_rare = int(is_rare.sum())
            kept = kept[~is_rare[kept]]
    write_sentences(work.folder, code, scratch, candidates.take(kept), n_documents)
    scratch.unlink()
    before = filtered.lengths
    counts = {
        "sentences": before.total(),
        "rewritten": filtered.n_rewritten,
        "too short": sum(n for length, n in before.items() if length < language.shortest),
        "too long": sum(n for length, n in before.items() if length > language.longest),
        **dropped,
        "duplicates": len(candidates.hashes) - n_rare - len(kept),
        "kept sentences": len(kept),
        "kept documents": len(np.unique(candidates.documents[kept])),
    }
    return counts, before


def _write_candidates(
    work: StageContext, filter: SentenceFilter, path: Path
) -> tuple[SentenceTable, _Filtered]:
    """Write all usable sentences, with repetitions; return their table, and counts of all sentences."""
    documents, sizes, hashes, folded = array("q"), array("q"), array("Q"), array("Q")
    total = _Filtered(Counter())
    code = filter.language.code
    n_sentences = work.finished["read"].counts[code]["sentences"]
    read = work.folder_of("read") / f"{code}.sentences"
    filtered = _filter_lines(work, partial(filter_sentences, filter), read, f"filtering {code}", n_sentences)
    with path.open("wb") as file, closing_results(filtered):
        for some in filtered:
            documents.extend(some.documents)
            sizes.extend(some.sizes)
            hashes.extend(some.hashes)
            folded.extend(some.folded)
            total.lengths.update(some.lengths)
            total.dropped.update(some.dropped)
            total.n_rewritten += some.n_rewritten
            total.scripts.extend(some.scripts)
            file.write(some.rows)
    ends = np.cumsum(np.array(sizes, np.int64))
    table = SentenceTable(
        np.array(documents, np.int64),
        ends - np.array(sizes, np.int64),
        ends,
        np.array(hashes, np.uint64),
        np.array(folded, np.uint64),
    )
    return table, total


def filter_sentences(filter: SentenceFilter, lines: FileSpan) -> _Filtered:
    """Filter sentences of documents: leave out those with the wrong length, language or marks."""
    language = filter.language
    filtered = _Filtered(lengths=Counter())
    rows: list[bytes] = []
    for line in lines.read():
        document, position, source, text = line.split("\t", 3)
        normal = normalize_typography(text)
        length = count_units(language, normal)
        filtered.lengths[length] += 1
        is_rewritten = normal != text
        filtered.n_rewritten += is_rewritten
        if not language.fits(length):
            continue
        reason = filter.find_reason(normal)
        if reason:
            filtered.dropped[reason] += 1
            continue
        row = SentenceRow(int(document), int(position), int(source), length, int(is_rewritten), normal)
        rows.append(row.line().encode("utf-8"))
        filtered.documents.append(row.document)
        filtered.sizes.append(len(rows[-1]))
        filtered.hashes.append(hash_text(normal))
        filtered.folded.append(hash_text(fold_copy(normal)))
        if filter.drops_rare_script:
            script = find_chinese_script(normal)
            filtered.scripts.append(1 + CHINESE_SCRIPTS.index(script) if script else 0)
    filtered.rows = b"".join(rows)
    return filtered


def _find_kept(candidates: SentenceTable) -> Numbers:
    """Return the indices of the first occurrence of every sentence, ordered by document."""
    _, first = np.unique(candidates.hashes, return_index=True)
    kept: Numbers = np.sort(first)
    # Pieces of a document may be anywhere in the input; the stable sort keeps the order of its sentences.
    return kept[np.argsort(candidates.documents[kept], kind="stable")]


def _filter_pairs(work: StageContext, filters: tuple[SentenceFilter, SentenceFilter]) -> dict[str, int]:
    """Normalise the typography of pairs, note their lengths, and leave out those that cannot be used."""
    reasons = dict.fromkeys((WRONG_LANGUAGE, UNPAIRED, *filter(None, (each.rare_script for each in filters))))
    counts = {"pairs": 0, "rewritten": 0, **dict.fromkeys(reasons, 0), "fitting": 0}
    total = work.finished["read"].counts[PAIRS]["pairs"]
    filtered = _filter_lines(
        work, partial(filter_pairs, filters), work.folder_of("read") / PAIRS, "filtering pairs", total
    )
    with open_to_write(work.folder / PAIRS) as file, closing_results(filtered):
        for some in filtered:
            file.write(some.rows)
            counts["pairs"] += some.n_lines
            counts["rewritten"] += some.n_rewritten
            counts["fitting"] += some.n_fitting
            for reason in reasons:
                counts[reason] += some.dropped[reason]
    return counts


def filter_pairs(filters: tuple[SentenceFilter, SentenceFilter], lines: FileSpan) -> _FilteredPairs:
    """Filter pairs: leave out those that fit in length, but are in the wrong language or have unpaired marks.

    Pairs of other lengths stay: the stage "plant" counts them.
    """
    first, second = filters
    rows: list[str] = []
    dropped: Counter[str] = Counter()
    n_lines = n_rewritten = n_fitting = 0
    for line in lines.read():
        source, name, document, *texts = line.split("\t", 4)
        one, two = map(normalize_typography, texts)
        lengths = count_units(first.language, one), count_units(second.language, two)
        rewritten = int(one != texts[0]), int(two != texts[1])
        n_lines += 1
        n_rewritten += any(rewritten)
        if first.language.fits(lengths[0]) and second.language.fits(lengths[1]):
            reason = first.find_reason(one) or second.find_reason(two)
            if reason:
                dropped[reason] += 1
                continue
            n_fitting += 1
        rows.append(PairRow(int(source), name, document, lengths, rewritten, (one, two)).line())
    return _FilteredPairs("".join(rows), n_lines, n_rewritten, n_fitting, dropped)
