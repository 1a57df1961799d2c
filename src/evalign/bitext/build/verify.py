"""Eighth stage of a build: check all promises of the data set from its files alone, then write statistics.

`verify_dataset` can also check a data set that was built before.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evalign.bitext.build.config import DROP, Filter
from evalign.bitext.build.filter_stage import SentenceFilter, make_filters, rare_script_of, read_lengths
from evalign.bitext.build.rows import (
    PAIRS,
    Hashes,
    StageContext,
    WholeDocuments,
    hash_text,
    load_sizes,
    read_document_entries,
    read_rows,
)
from evalign.bitext.build.write_stages import LINKS, LINKS_HEADER
from evalign.bitext.dataset import Corpus, DataSet, SentenceOrigin, dump_json, open_dataset, read_provenance
from evalign.bitext.languages import Language, count_units
from evalign.bitext.pairs import format_id
from evalign.bitext.sentence_checks import fold_copy
from evalign.bitext.statistics.comparability import DocumentSources
from evalign.bitext.statistics.dataset_statistics import GenreCounts, collect_statistics
from evalign.bitext.statistics.schema import STATISTICS_FILE, PlantingCounts
from evalign.engines.checkpoints import StageCounts
from evalign.errors import InputError, Place

_MOST_SHOWN = 3

_USUAL_FILTER = Filter()


class PromiseCheck(NamedTuple):
    """A promise, how many things it was checked for, and those that break it."""

    promise: str
    checked: int
    failed: int
    examples: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True if nothing breaks the promise."""
        return not self.failed

    def __str__(self) -> str:
        """Say how many things break the promise, with examples."""
        more = ", ..." if self.failed > len(self.examples) else ""
        return f"{self.promise}: {self.failed:,} of {self.checked:,} do not hold ({', '.join(self.examples)}{more})"


class _Promise:
    """A promise while it is being checked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.checked = self.failed = 0
        self.examples: list[str] = []

    def check(self, checked: int, failed: Collection[str]) -> None:
        """Count `checked` more things, of which `failed` break the promise."""
        self.checked += checked
        self.failed += len(failed)
        self.examples += list(failed)[: _MOST_SHOWN - len(self.examples)]

    def done(self) -> PromiseCheck:
        """Return the finished check."""
        return PromiseCheck(self.text, self.checked, self.failed, tuple(self.examples))


class _Side:
    """Data gathered about one language."""

    def __init__(self, filter: SentenceFilter) -> None:
        self.filter = filter
        self.language = filter.language
        self.splits: dict[str, str] = {}
        """The split of every document."""
        self.hashes = array("Q")
        self.folded: dict[str, Hashes] = {}
        """By split: hashes of the sentences after `fold_copy`."""


def verify_dataset(
    dataset: DataSet,
    languages: Mapping[str, Language],
    *,
    desync: str = "drop",
    ratios: tuple[float, float] = (0.8, 1.2),
    filter: Filter = _USUAL_FILTER,
    rare_scripts: Mapping[str, str] = {},
) -> tuple[PromiseCheck, ...]:
    """Check everything that a build promises of its files; return a check for each promise.

    Needs `provenance.tsv` and `links.tsv`, which a build writes. Lengths are compared with the settings in
    `languages`; `ratios` are the smallest and the largest ratio of the length of a planted sentence to that
    of the one before it. With `desync="split"` linked documents may both be there, in different splits.
    `filter` says what else is left out, `rare_scripts` by language which script of Chinese.
    """
    return _Verifier(dataset, languages, desync, ratios, filter, rare_scripts).run()


class _Verifier:
    """Goes through a data set, one corpus at a time."""

    def __init__(
        self,
        dataset: DataSet,
        languages: Mapping[str, Language],
        desync: str,
        ratios: tuple[float, float],
        options: Filter,
        rare_scripts: Mapping[str, str],
    ) -> None:
        self._dataset = dataset
        codes = dataset.first, dataset.second
        filters = make_filters((languages[codes[0]], languages[codes[1]]), options)
        self._sides = {
            code: _Side(each._replace(rare_script=rare_scripts.get(code, "")))
            for code, each in zip(codes, filters, strict=True)
        }
        self._filter = options
        self._desync = desync
        self._range = ratios
        self._ids = _Promise("ids are numbered through each language")
        self._lengths = _Promise("no sentence is too short or too long")
        self._once = _Promise("no sentence occurs twice in its language")
        self._usable = _Promise("no sentence is in the wrong language or script or has unpaired marks")
        self._copies = _Promise("no sentence stands on both sides of a split")
        self._apart = _Promise("no document is in two splits")
        self._traced = _Promise("provenance has every sentence in its place")
        self._behind = _Promise("planted sentences stand behind what was found for them")
        self._ratios = _Promise("planted sentences are about as long as what they stand behind")
        self._gold = _Promise("gold has every planted sentence once, with its translation")
        where = "the data set" if desync == "drop" else "one split"
        self._links = _Promise(f"no two linked documents are in {where}")

    def run(self) -> tuple[PromiseCheck, ...]:
        """Run all checks."""
        origins = read_provenance(self._dataset.folder)
        planted: dict[str, list[dict[int, str]]] = {split: [] for split in self._dataset.splits}
        for code in self._sides:
            for split in self._dataset.splits:
                planted[split].append(self._check_corpus(split, code, origins))
            self._check_texts(code)
        self._check_copies()
        self._traced.check(0, [f"{origin.id} is not in any corpus" for origin in origins])
        for split, translations in planted.items():
            self._check_gold(split, translations)
        self._check_links()
        promises = (
            self._ids, self._lengths, self._usable, self._once, self._copies, self._apart, self._traced, self._behind, self._ratios, self._gold,
            self._links,
        )  # fmt: skip
        return tuple(promise.done() for promise in promises)

    def _check_corpus(self, split: str, code: str, origins: Iterator[SentenceOrigin]) -> dict[int, str]:
        """Check the sentences of a split with their origins.

        Returns the id of the translation of each planted sentence, by its number.
        """
        corpus = self._dataset.corpus(split, code)
        lengths = self._check_sentences(split, corpus)
        traced = list(islice(origins, len(corpus)))
        ids = [format_id(code, number) for number in corpus.numbers]
        recorded = [(origin.id, origin.split) for origin in traced] + [("", "")] * (len(ids) - len(traced))
        self._traced.check(
            len(ids), [id for id, entry in zip(ids, recorded, strict=True) if entry != (id, split)]
        )
        self._check_origins(traced, code, lengths)
        return {
            number: origin.translation
            for number, origin in zip(corpus.numbers, traced, strict=False)
            if origin.is_planted
        }

    def _check_sentences(self, split: str, corpus: Corpus) -> Sequence[int]:
        """Check ids, lengths and filters of sentences, and store their hashes; return their lengths."""
        side, code = self._sides[corpus.language], corpus.language
        first = len(side.hashes) + 1
        wrong = [k for n, k in enumerate(corpus.numbers, first) if n != k]
        self._ids.check(len(corpus), [format_id(code, k) for k in wrong])
        lengths = array("q", (count_units(side.language, text) for text in corpus.texts))
        outside = [k for k, n in zip(corpus.numbers, lengths, strict=True) if not side.language.fits(n)]
        self._lengths.check(len(corpus), [format_id(code, k) for k in outside])
        reasons = zip(corpus.numbers, map(side.filter.find_reason, corpus.texts), strict=True)
        unusable = [f"{format_id(code, k)} ({reason})" for k, reason in reasons if reason]
        self._usable.check(len(corpus), unusable)
        side.hashes.extend(map(hash_text, corpus.texts))
        side.folded[split] = np.fromiter((hash_text(fold_copy(text)) for text in corpus.texts), np.uint64)
        return lengths

    def _check_origins(self, origins: Sequence[SentenceOrigin], code: str, lengths: Sequence[int]) -> None:
        """Add to the checks what the origins of a split's sentences in language `code` show.

        No document may be in two splits, and a planted sentence must follow its anchor, at a ratio of `lengths` (of
        the sentences, in words or characters) that the configuration allows. Faults are collected, not raised.
        """
        splits = self._sides[code].splits
        documents = dict.fromkeys((origin.document, origin.split) for origin in origins)
        both = [f"{name} in {splits[name]} and {split}" for name, split in documents if name in splits]
        self._apart.check(len(documents), both)
        splits.update(iter(documents))
        planted = [k for k, origin in enumerate(origins) if origin.is_planted]
        self._behind.check(len(planted), [origins[k].id for k in planted if not _is_behind(origins, k)])
        least, most = self._range
        alike = [k for k in planted if k and least <= lengths[k] / max(1, lengths[k - 1]) <= most]
        self._ratios.check(len(planted), [origins[k].id for k in sorted({*planted} - {*alike})])

    def _check_texts(self, code: str) -> None:
        hashes = np.array(self._sides[code].hashes, np.uint64)
        _, first, counts = np.unique(hashes, return_index=True, return_counts=True)
        again = np.sort(first[counts > 1])
        self._once.check(len(hashes), [format_id(code, k + 1) for k in again.tolist()])

    def _check_copies(self) -> None:
        """Check that no sentence has a copy on the other side of its split.

        Copies may differ in case, digits and punctuation.
        """
        if self._filter.identical != DROP:
            return
        first, second = (side.folded for side in self._sides.values())
        number = 0
        for split, hashes in first.items():
            places = np.flatnonzero(np.isin(hashes, second[split])) + number + 1
            self._copies.check(len(hashes), [format_id(self._dataset.first, k) for k in places.tolist()])
            number += len(hashes)

    def _check_gold(self, split: str, planted: Sequence[Mapping[int, str]]) -> None:
        """Check that gold and provenance agree on every planted sentence, in both directions."""
        gold = self._dataset.gold(split)
        codes = self._dataset.first, self._dataset.second
        pairs = [
            (format_id(codes[0], first), format_id(codes[1], second))
            for first, second in zip(gold.first.tolist(), gold.second.tolist(), strict=True)
        ]
        forward = {(format_id(codes[0], number), other) for number, other in planted[0].items()}
        backward = {(other, format_id(codes[1], number)) for number, other in planted[1].items()}
        # Provenance names a single translation per sentence, so a sentence in two gold pairs is wrong in one
        # of them.
        wrong = [pair for pair in pairs if pair not in forward or pair not in backward]
        missing = sorted((forward | backward) - set(pairs))
        self._gold.check(len(pairs), [" and ".join(pair) for pair in wrong + missing])

    def _check_links(self) -> None:
        first, second = (side.splits for side in self._sides.values())
        linked = list(read_linked(self._dataset.folder))
        there = [(one, two) for one, two in linked if one in first and two in second]
        wrong = [pair for pair in there if self._desync == "drop" or first[pair[0]] == second[pair[1]]]
        self._links.check(len(linked), [" and ".join(pair) for pair in wrong])


def _is_behind(origins: Sequence[SentenceOrigin], k: int) -> bool:
    """Return whether a planted sentence directly follows the native one it names, in the same document."""
    before, planted = origins[k - 1], origins[k]
    return (
        k > 0 and not before.is_planted and (before.id, before.document) == (planted.after, planted.document)
    )


def read_linked(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of linked documents from `links.tsv`; raise `InputError` if it is malformed."""
    path = folder / LINKS
    try:
        lines = read_rows(path)
        header = next(lines, "")
        for lineno, line in enumerate(lines, 2):
            first, tab, second = line.partition("\t")
            if header != LINKS_HEADER or not tab:
                raise InputError(Place(str(path), lineno), "no link", "the names of two documents")
            yield first, second
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            Place(str(path)), f"cannot be read ({error})", "the table that a build writes"
        ) from None


def run_statistics(work: StageContext) -> StageCounts:
    """Check the data set and write its statistics; raise `InputError` if it breaks a promise."""
    config = work.config
    dataset = open_dataset(work.folder_of("write"), config.pair)
    languages = {language.code: language for language in config.languages}
    work.progress("checking the data set")
    ratios = config.planting.shortest_ratio, config.planting.longest_ratio
    checks = verify_dataset(
        dataset,
        languages,
        desync=config.desync,
        ratios=ratios,
        filter=config.filter,
        rare_scripts={code: rare_script_of(work.finished["filter"].counts[code]) for code in config.codes},
    )
    broken = [check for check in checks if not check.holds]
    if broken:
        message = "; ".join(map(str, broken))
        raise InputError(
            Place(str(work.folder_of("write"))), message, "a data set for which every check holds"
        )
    stages = {name: stage.counts for name, stage in work.finished.items()}
    plant = stages["plant"]
    stages["plant"] = {PAIRS: plant[PAIRS]}
    statistics = collect_statistics(
        dataset,
        stages,
        planting={split: _planting(plant[split]) for split in config.shares},
        lengths_before=read_lengths(work.folder_of("filter")),
        genres={code: _count_genres(work, code) for code in config.codes},
        sources={code: _find_sources(work, side) for side, code in enumerate(config.codes)},
        languages=languages,
        seed=config.seed,
        progress=work.progress,
    )
    (work.folder / STATISTICS_FILE).write_bytes(dump_json({**statistics}))
    return {}


def _planting(counts: Mapping[str, int]) -> PlantingCounts:
    return PlantingCounts(
        offered=counts["offered"],
        fitting=counts["fitting"],
        untranslated=counts["untranslated"],
        known=counts["known"],
        first_found=counts["first found"],
        second_found=counts["second found"],
        planted=counts["planted"],
    )


def _find_sources(work: StageContext, side: int) -> DocumentSources:
    """Return the whole documents of a language: those of the pairs, and native ones that are in the data set."""
    code, folder = work.config.codes[side], work.folder_of("read")
    splits = np.load(work.folder_of("split") / f"{code}.splits.npy")
    return DocumentSources(
        _read_pair_texts(folder, side), WholeDocuments(folder, code, np.flatnonzero(splits >= 0))
    )


def _read_pair_texts(folder: Path, side: int) -> Iterator[tuple[str, tuple[str]]]:
    """Yield one side of every pair that was read, with its input and document as name; "" without a document."""
    for line in read_rows(folder / PAIRS):
        source, _, document, *texts = line.split("\t", 4)
        yield f"{source}\t{document}" if document else "", (texts[side],)


def _count_genres(work: StageContext, code: str) -> dict[str, GenreCounts]:
    """Count the documents and sentences of each genre in the data set."""
    sizes = load_sizes(work.folder_of("split"), code).tolist()
    splits = np.load(work.folder_of("split") / f"{code}.splits.npy").tolist()
    counts: dict[str, GenreCounts] = {}
    for row, size, split in zip(
        read_document_entries(work.folder_of("read"), code), sizes, splits, strict=True
    ):
        if split >= 0:
            documents, sentences = counts.get(row.genre, (0, 0))
            counts[row.genre] = GenreCounts(documents + 1, sentences + size)
    return counts
