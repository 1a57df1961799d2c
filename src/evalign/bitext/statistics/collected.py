"""All statistics of a data set, from its files and from what its build has counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

from evalign._version import __version__
from evalign.bitext.corpora import Corpus, DataSet
from evalign.bitext.ids import format_id
from evalign.bitext.languages import Language, find_language
from evalign.bitext.languages.terms import count_units
from evalign.bitext.provenance import FILE as PROVENANCE
from evalign.bitext.statistics.comparability import Sources, compare_documents
from evalign.bitext.statistics.detectability import FEWEST_SENTENCES, MOST_SENTENCES, detect
from evalign.bitext.statistics.genres import GenreCounts, share_genres
from evalign.bitext.statistics.lengths import summarize_lengths
from evalign.bitext.statistics.planted import find_planted, read_gold
from evalign.bitext.statistics.sampling import Sample
from evalign.bitext.statistics.shapes import (
    KIND,
    SCHEMA,
    SEED,
    LanguageLengths,
    PlantingCounts,
    SavedComparability,
    SavedDetectability,
    SavedGenre,
    SplitCounts,
    Statistics,
)  # fmt: skip
from evalign.bitext.statistics.traced import compare_traced
from evalign.errors import CommandError
from evalign.progress import Progress, no_progress

Histogram: TypeAlias = Mapping[int, int]
Stages: TypeAlias = Mapping[str, Mapping[str, Mapping[str, int]]]

NOT_BUILT = "only the build knows; this folder has no statistics.json"
UNTOLD = "the build has not said"


class _Tally:
    """What is counted of the sentences of one language, split by split."""

    def __init__(self, language: Language, seed: int) -> None:
        self.language = language
        self.lengths: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
        key = ("detectability", language.code)
        self._samples = {kind: Sample[str](MOST_SENTENCES, seed, *key) for kind in (True, False)}

    def add(self, corpus: Corpus, is_planted: list[bool]) -> None:
        """Sentences of a split, and of each whether it is planted."""
        for number, text, kind in zip(corpus.numbers, corpus.texts, is_planted, strict=True):
            self.lengths[kind][count_units(self.language, text)] += 1
            # As many of the native ones are wanted in the end as there are planted ones, and these are few.
            self._samples[kind].add(format_id(corpus.language, number), partial(str, text))

    def detect(self) -> SavedDetectability | None:
        """How well planted sentences are told from native ones."""
        planted, native = ([text for _, text in self._samples[kind].items()] for kind in (True, False))
        return detect(self.language, planted, native)


def collect_statistics(
    dataset: DataSet,
    stages: Stages | None = None,
    *,
    planting: Mapping[str, PlantingCounts] | None = None,
    lengths_before: Mapping[str, Histogram] | None = None,
    genres: Mapping[str, Mapping[str, GenreCounts]] | None = None,
    sources: Mapping[str, Sources] | None = None,
    languages: Mapping[str, Language] | None = None,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> Statistics:
    """Statistics of a data set whose files are written.

    What its build has counted is given: numbers by stage, then by language or "pairs"; planting by split; lengths of
    all sentences as they were read, and genres, by language. `sources` are documents to compare, by language; without
    them the provenance table says which sentences belong together. `languages` are settings other than the known ones.
    """
    codes = (dataset.first, dataset.second)
    known = {code: (languages or {}).get(code) or _find_settings(code) for code in codes}
    missing: dict[str, str] = {}
    tallies = {code: _Tally(known[code], seed) for code in codes}
    splits = {split: _count_split(dataset, split, tallies, missing, progress) for split in dataset.splits}
    told = NOT_BUILT if stages is None else UNTOLD
    given = {"stages": stages, "planting": planting, "lengths before": lengths_before}
    missing |= {name: told for name, value in given.items() if not value}
    progress("comparing documents")
    comparability = _compare(dataset, known, sources, missing, seed)
    progress("telling planted from native sentences")
    return Statistics(
        schema=SCHEMA,
        kind=KIND,
        version=__version__,
        pair=dataset.pair,
        seed=seed,
        splits=splits,
        stages={
            stage: {of: dict(counts) for of, counts in by.items()} for stage, by in (stages or {}).items()
        },
        planting={split: planting[split] for split in dataset.splits if split in planting}
        if planting
        else None,
        lengths={code: _lengths(tally, lengths_before) for code, tally in tallies.items()},
        comparability=comparability,
        genres=_share(genres, missing),
        detectability={code: _detect(tally, missing) for code, tally in tallies.items()},
        missing=missing,
    )


def _find_settings(code: str) -> Language:
    """Settings of a language; of one that is not known, those of languages with spaces."""
    try:
        return find_language(code)
    except CommandError:
        return Language(code)


def _count_split(
    dataset: DataSet,
    split: str,
    tallies: Mapping[str, _Tally],
    missing: dict[str, str],
    progress: Progress,
) -> SplitCounts:
    gold = read_gold(dataset, split)
    sentences: dict[str, int] = {}
    planted: dict[str, int] = {}
    for code in tallies:
        progress(f"counting {dataset.corpus_path(split, code).name}")
        corpus = dataset.corpus(split, code)
        sentences[code] = len(corpus)
        if gold is not None:
            is_planted = find_planted(corpus, gold, gold.first if code == dataset.first else gold.second)
            planted[code] = int(is_planted.sum())
            tallies[code].add(corpus, is_planted.tolist())
    if gold is None:
        name = dataset.gold_path(split).name
        missing[f"gold of {split}"] = f"there is no {name}, so no sentence is known to be planted or native"
        return SplitCounts(sentences=sentences, gold=None, planted=None)
    return SplitCounts(sentences=sentences, gold=len(gold), planted=planted)


def _lengths(tally: _Tally, before: Mapping[str, Histogram] | None) -> LanguageLengths:
    return LanguageLengths(
        unit=tally.language.unit,
        before=summarize_lengths((before or {}).get(tally.language.code, {})),
        native=summarize_lengths(tally.lengths[False]),
        planted=summarize_lengths(tally.lengths[True]),
    )


def _compare(
    dataset: DataSet,
    known: Mapping[str, Language],
    sources: Mapping[str, Sources] | None,
    missing: dict[str, str],
    seed: int,
) -> dict[str, SavedComparability] | None:
    if sources is not None:
        found = {code: compare_documents(known[code], each, seed=seed) for code, each in sources.items()}
    elif (dataset.folder / PROVENANCE).is_file():
        found = compare_traced(dataset, known, seed=seed)
    else:
        found = {}
        missing["comparability"] = f"nothing says which document a sentence is of; there is no {PROVENANCE}"
    kept = {code: each for code, each in found.items() if each is not None}
    if not kept:
        missing.setdefault("comparability", "there are no documents to compare")
    return kept or None


def _share(
    genres: Mapping[str, Mapping[str, GenreCounts]] | None, missing: dict[str, str]
) -> dict[str, list[SavedGenre]] | None:
    found = {code: shared for code, counts in (genres or {}).items() if (shared := share_genres(counts))}
    if not found:
        missing["genres"] = "no document is known to carry one"
    return found or None


def _detect(tally: _Tally, missing: dict[str, str]) -> SavedDetectability | None:
    found = tally.detect()
    if found is None:
        counts = {kind: sum(tally.lengths[kind].values()) for kind in (True, False)}
        missing[f"detectability of {tally.language.code}"] = (
            f"{counts[True]} planted and {counts[False]} native sentences; "
            f"it takes {FEWEST_SENTENCES} of each"
        )
    return found
