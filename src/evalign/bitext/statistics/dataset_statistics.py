"""All statistics of a data set: those that its build has saved, else those that its files allow.

`collect_statistics` computes them (a build calls it last); `bitext_statistics` returns those of a folder.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast, overload

from evalign._version import __version__
from evalign.bitext.dataset import (
    BUILD_FOLDER,
    DATASET_FILE,
    Corpus,
    DataSet,
    find_planted,
    open_dataset,
    read_gold,
)
from evalign.bitext.languages import Language, count_units, find_language
from evalign.bitext.pairs import format_id
from evalign.bitext.sampling import SEED, BoundedSample
from evalign.bitext.statistics.comparability import DocumentSources, compare_documents
from evalign.bitext.statistics.detectability import (
    FEWEST_SENTENCES,
    SENTENCES_TO_CLASSIFY,
    SentenceInContext,
    detect_planted,
)
from evalign.bitext.statistics.schema import (
    STATISTICS_FILE,
    STATISTICS_KIND,
    STATISTICS_SCHEMA,
    LanguageLengths,
    PlantingCounts,
    SavedComparability,
    SavedDetectability,
    SavedGenre,
    SavedLengths,
    SplitCounts,
    Statistics,
    rounded,
)
from evalign.errors import CommandError, InputError, Place
from evalign.progress import Progress, counted, no_progress
from evalign.readers.content import load
from evalign.results.shapes import ShapeError, check_shape, describe_kind
from evalign.significance.inference import quantile

# Lengths of sentences: a histogram with mean, median and deciles.


DECILES = tuple(share / 10 for share in range(1, 10))
_NEARLY_ALL = (0.01, 0.99)


class _Ordered(Sequence[float]):
    """All lengths in ascending order, as a sequence.

    Items are looked up in the histogram and not stored, because there may be millions.
    """

    def __init__(self, histogram: Mapping[int, int]) -> None:
        self._lengths = sorted(histogram)
        self._behind = list(accumulate(histogram[length] for length in self._lengths))

    def __len__(self) -> int:
        return self._behind[-1]

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[float]: ...
    def __getitem__(self, place: int | slice) -> float | Sequence[float]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        return self._lengths[bisect_right(self._behind, place)]


def summarize_lengths(histogram: Mapping[int, int]) -> SavedLengths | None:
    """Summarize a histogram (number of sentences by length); None if there is no sentence.

    >>> summary = summarize_lengths({10: 3, 20: 1})
    >>> summary["mean"], summary["median"], summary["deciles"][-1]
    (12.5, 10.0, 17.0)
    """
    counts = {length: n for length, n in sorted(histogram.items()) if n}
    if not counts:
        return None
    ordered = _Ordered(counts)
    return SavedLengths(
        sentences=len(ordered),
        mean=rounded(sum(length * n for length, n in counts.items()) / len(ordered)),
        median=rounded(quantile(ordered, 0.5)),
        deciles=[rounded(quantile(ordered, share)) for share in DECILES],
        percentiles=[rounded(quantile(ordered, share)) for share in _NEARLY_ALL],
        histogram={str(length): n for length, n in counts.items()},
    )


# Genres of documents, as in Table 1 of Zweigenbaum, Sharoff and Rapp (2018). They are given, not guessed.


class GenreCounts(NamedTuple):
    """Number of documents and sentences of a genre."""

    documents: int
    sentences: int


def share_genres(counts: Mapping[str, GenreCounts]) -> list[SavedGenre]:
    """Compute the shares of genres, most frequent first; empty if no document has a genre.

    >>> [(row["genre"], row["document_share"]) for row in share_genres({"news": GenreCounts(1, 9), "": GenreCounts(3, 4)})]
    [('', 0.75), ('news', 0.25)]
    """
    if not any(counts):
        return []
    n_documents = sum(size.documents for size in counts.values())
    n_sentences = sum(size.sentences for size in counts.values())
    return [
        SavedGenre(
            genre=genre,
            documents=size.documents,
            sentences=size.sentences,
            document_share=rounded(size.documents / n_documents) if n_documents else 0.0,
            sentence_share=rounded(size.sentences / n_sentences) if n_sentences else 0.0,
        )
        for genre, size in sorted(counts.items(), key=lambda item: (-item[1].documents, item[0]))
    ]


# All statistics of a data set, from its files and from the counts of its build.


Histogram: TypeAlias = Mapping[int, int]
Stages: TypeAlias = Mapping[str, Mapping[str, Mapping[str, int]]]

NOT_BUILT = "known only to the build, and this folder has no statistics.json"
UNTOLD = "not recorded by the build"
NO_WHOLE_TEXTS = "it compares whole texts, of which a data set has only some sentences; a build has them all"


class _Tally:
    """Counts and samples of the sentences of one language, added split by split."""

    def __init__(self, language: Language, seed: int) -> None:
        self.language = language
        self.lengths: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
        key = ("detectability", language.code)
        self._samples = {
            kind: BoundedSample[SentenceInContext](SENTENCES_TO_CLASSIFY, seed, *key)
            for kind in (True, False)
        }

    def add(self, corpus: Corpus, is_planted: list[bool]) -> None:
        """Add the sentences of a split; `is_planted` says of each whether it is planted."""
        before = ""
        for number, text, kind in zip(corpus.numbers, corpus.texts, is_planted, strict=True):
            self.lengths[kind][count_units(self.language, text)] += 1
            # Both samples have the same limit. In the end only as many native sentences are used as there are
            # planted ones, and these are few.
            sentence = partial(SentenceInContext, text, before)
            self._samples[kind].add(format_id(corpus.language, number), sentence)
            before = text

    def detect(self) -> SavedDetectability | None:
        """Measure how well planted sentences can be told from native ones; None if there are too few."""
        planted, native = ([each for _, each in self._samples[kind].items()] for kind in (True, False))
        return detect_planted(self.language, planted, native)


def collect_statistics(
    dataset: DataSet,
    stages: Stages | None = None,
    *,
    planting: Mapping[str, PlantingCounts] | None = None,
    lengths_before: Mapping[str, Histogram] | None = None,
    genres: Mapping[str, Mapping[str, GenreCounts]] | None = None,
    sources: Mapping[str, DocumentSources] | None = None,
    languages: Mapping[str, Language] | None = None,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> Statistics:
    """Compute the statistics of a data set whose files are written.

    The counts of its build are given: `stages` by stage, then by language or "pairs"; `planting` by split;
    `lengths_before` (of all sentences as they were read) and `genres` by language. `sources` are the whole
    documents to compare, by language, of which the files have only some sentences. `languages` are settings
    that replace the built-in ones.
    """
    codes = (dataset.first, dataset.second)
    settings = {code: (languages or {}).get(code) or _find_settings(code) for code in codes}
    missing: dict[str, str] = {}
    tallies = {code: _Tally(settings[code], seed) for code in codes}
    splits = {split: _count_split(dataset, split, tallies, missing, progress) for split in dataset.splits}
    reason = NOT_BUILT if stages is None else UNTOLD
    given = {"stages": stages, "planting": planting, "lengths before": lengths_before}
    missing |= {name: reason for name, value in given.items() if not value}
    comparability = _compare(settings, sources, missing, seed, progress)
    progress("telling planted from native sentences")
    return Statistics(
        schema=STATISTICS_SCHEMA,
        kind=STATISTICS_KIND,
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
    """Return the settings of a language; an unknown one is treated as a language with spaces."""
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
    settings: Mapping[str, Language],
    sources: Mapping[str, DocumentSources] | None,
    missing: dict[str, str],
    seed: int,
    progress: Progress,
) -> dict[str, SavedComparability] | None:
    if sources is None:
        missing["comparability"] = NO_WHOLE_TEXTS
        return None
    kept: dict[str, SavedComparability] = {}
    for _, code in counted(tuple(sources), progress, "comparing documents: {}".format):
        comparability = compare_documents(settings[code], sources[code], seed=seed)
        if comparability is not None:
            kept[code] = comparability
    if not kept:
        missing.setdefault("comparability", "there are no documents to compare")
    return kept or None


def _share(
    genres: Mapping[str, Mapping[str, GenreCounts]] | None, missing: dict[str, str]
) -> dict[str, list[SavedGenre]] | None:
    shares = {code: shared for code, counts in (genres or {}).items() if (shared := share_genres(counts))}
    if not shares:
        missing["genres"] = "no document is known to carry one"
    return shares or None


def _detect(tally: _Tally, missing: dict[str, str]) -> SavedDetectability | None:
    detectability = tally.detect()
    if detectability is None:
        counts = {kind: sum(tally.lengths[kind].values()) for kind in (True, False)}
        missing[f"detectability of {tally.language.code}"] = (
            f"{counts[True]} planted and {counts[False]} native sentences; "
            f"it takes {FEWEST_SENTENCES} of each"
        )
    return detectability


# Statistics of a folder: those that its build has saved, else those that its files allow.


_EXPECTED = "what a build has saved, or none"
_ADVICE = "without this file the data set is counted as it is"


def bitext_statistics(
    folder: str | os.PathLike[str], pair: str = "", *, seed: int = SEED, progress: Progress = no_progress
) -> Statistics:
    """Return the statistics of the data set in a folder.

    They are those that its build has saved, else those that its files allow. `pair` chooses a data set (such
    as "fr-en") if there are several. `seed` draws the samples, where statistics are computed.
    """
    path = Path(folder)
    if (path / BUILD_FOLDER).is_dir() and not (path / DATASET_FILE).is_file():
        problem = f"a build that is not finished: {BUILD_FOLDER} without {DATASET_FILE}"
        raise InputError(
            Place(os.fspath(folder)), problem, "a whole data set", "run the build again: it goes on"
        )
    dataset = open_dataset(folder, pair)
    if (path / STATISTICS_FILE).is_file():
        saved = read_statistics(path / STATISTICS_FILE)
        # A folder may have several data sets, and the build made only one of them.
        if saved["pair"] == dataset.pair:
            return saved
    return collect_statistics(dataset, seed=seed, progress=progress)


def read_statistics(path: str | os.PathLike[str]) -> Statistics:
    """Read saved statistics. Raises `InputError` if they are damaged or of another version."""
    content = load(path)
    place = Place(content.name)
    try:
        saved = json.loads(content.data)
    except json.JSONDecodeError as error:
        raise InputError(place, f"damaged: not JSON at line {error.lineno}", _EXPECTED, _ADVICE) from None
    except (ValueError, RecursionError):  # an integer with too many digits, or brackets nested too deeply
        raise InputError(place, "damaged: JSON that evalign never writes", _EXPECTED, _ADVICE) from None
    if not isinstance(saved, dict) or saved.get("kind") != STATISTICS_KIND:
        problem = f"JSON of something else: {describe_kind(saved)}"
        raise InputError(place, problem, f"an object of kind {STATISTICS_KIND}", _ADVICE)
    if saved.get("schema") != STATISTICS_SCHEMA:
        problem = f"schema {json.dumps(saved.get('schema'))[:20]}"
        raise InputError(place, problem, f"schema {STATISTICS_SCHEMA}", "a newer evalign may have written it")
    try:
        check_shape(saved, Statistics)
    except ShapeError as error:
        raise InputError(place, f"damaged: {error}", _EXPECTED, _ADVICE) from None
    return cast("Statistics", saved)
