"""Fifth stage of a build: plant each pair behind the native sentences that resemble it most.

In each language, the sentences of a split are indexed and searched for slots: native sentences that a planted
sentence can stand behind.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import DROP, Planting
from evalign.bitext.build.rows import (
    PAIRS,
    PROGRESS_EVERY,
    Hashes,
    Numbers,
    PairRow,
    Planted,
    Slot,
    Slots,
    StageContext,
    documents_of,
    hash_text,
    load_sentences,
    open_to_write,
    parse_pair,
    read_rows,
    read_sentences,
)
from evalign.bitext.languages import Language, index_terms
from evalign.bitext.search.query import SearchIndex, make_query
from evalign.bitext.search.tantivy_engine import TantivyEngine
from evalign.bitext.sentence_checks import fold_copy
from evalign.bitext.workers import check_folder_visible, closing_results, is_inline, share_folder
from evalign.engines.base import run_ordered
from evalign.engines.checkpoints import StageCounts
from evalign.progress import Progress, Step, no_progress

# Search: each side of a split is indexed, and searched for slots.
#
# The slots found for a sentence do not depend on what was planted before, so that any number of workers can
# search: an index is written by one of them and opened by all. `plant_pairs` decides pair by pair which slot
# is taken.

_INDEX = "index"
_LENGTHS = "lengths.npy"


class SplitSource(NamedTuple):
    """Where the sentences of a split are read from."""

    folder: Path
    """Folder of the stage `split`."""
    name: str
    number: int
    """Index of the split."""


class SplitIndex:
    """A search index of the sentences of one language and split, with their lengths."""

    def __init__(self, language: Language, index: SearchIndex, lengths: Numbers, planting: Planting) -> None:
        self._language = language
        self._index = index
        self._lengths = lengths
        self._planting = planting

    def find(self, text: str, length: int) -> list[Slot]:
        """Return the best slots for a sentence, among native sentences of about its length."""
        query = make_query(self._language, text)
        if query is None:
            return []
        least, most = self._planting.shortest_ratio, self._planting.longest_ratio
        hits = self._index.search(query, self._planting.candidates)
        return [Slot(*hit) for hit in hits if least <= length / int(self._lengths[hit.number]) <= most]


def index_side(
    sides: SplitSource,
    language: Language,
    planting: Planting,
    engine: TantivyEngine,
    *,
    total: int = 0,
    progress: Progress = no_progress,
) -> SplitIndex:
    """Index the sentences of a language in a split, in this process and in memory."""
    lengths = array("q")
    terms = _read_terms(sides, language, lengths)
    stage = f"indexing {language.code} in {sides.name}"
    index = engine.index(_report_indexed(terms, stage, total, progress))
    return SplitIndex(language, index, np.array(lengths, np.int64), planting)


def _read_terms(sides: SplitSource, language: Language, lengths: array[int]) -> Iterator[list[str]]:
    """Yield the terms of every sentence; append its length to `lengths`."""
    documents = documents_of(sides.folder, language.code, sides.number)
    for sentence in read_sentences(sides.folder, language.code, documents):
        lengths.append(sentence.length)
        yield index_terms(language, sentence.text)


def _report_indexed(
    sentences: Iterator[list[str]], stage: str, total: int, progress: Progress
) -> Iterator[list[str]]:
    for number, terms in enumerate(sentences):
        if number % PROGRESS_EVERY == 0:
            progress(Step(stage, number, total))
        yield terms


class IndexJob(NamedTuple):
    """A side of a split that a worker is to index."""

    name: str
    shared: Path
    sides: SplitSource
    language: Language


def save_side(saving: IndexJob) -> str:
    """Index a side of a split for all workers; return its name.

    The index is written under another name and then renamed, so it is either complete or absent. This holds
    even if two workers write it, because the engine believed that one of them had died.
    """
    check_folder_visible(saving.shared)
    folder = saving.shared / saving.name
    scratch = saving.shared / f"{saving.name}.{uuid4().hex}"
    scratch.mkdir()
    lengths = array("q")
    TantivyEngine().save(_read_terms(saving.sides, saving.language, lengths), scratch / _INDEX)
    np.save(scratch / _LENGTHS, np.array(lengths, np.int64))
    try:
        scratch.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
    return saving.name


def name_side(language: Language, split: str) -> str:
    """Return the name of the folder of an index."""
    return f"{split}.{language.code}"


class SearchJob(NamedTuple):
    """Pairs that a worker is to find slots for."""

    name: str
    """Name of the split."""
    shared: Path
    languages: tuple[Language, Language]
    planting: Planting
    texts: Sequence[tuple[str, str]]
    lengths: Sequence[tuple[int, int]]


class SearchResult(NamedTuple):
    """Slots for the sentences of some pairs in one language, as arrays.

    `sizes` is how many slots each sentence has; `numbers` and `scores` are the fields of all slots,
    concatenated.
    """

    sizes: Numbers
    numbers: Numbers
    scores: npt.NDArray[np.float64]

    def places(self) -> Iterator[Slots]:
        """Yield for each sentence the list of its candidate slots: numbers of places, with scores."""
        start = 0
        numbers, scores = self.numbers.tolist(), self.scores.tolist()
        for size in self.sizes.tolist():
            end = start + size
            yield [*map(Slot, numbers[start:end], scores[start:end])]
            start = end


def search_pairs(search: SearchJob) -> tuple[SearchResult, SearchResult]:
    """Find slots for some pairs, in a worker; return those of the first and of the second language."""
    check_folder_visible(search.shared)
    return _search_side(search, 0), _search_side(search, 1)


def _search_side(search: SearchJob, side: int) -> SearchResult:
    language = search.languages[side]
    index, lengths = _open_side(search.shared / name_side(language, search.name))
    opened = SplitIndex(language, index, lengths, search.planting)
    slots_by_sentence = [
        opened.find(texts[side], sizes[side])
        for texts, sizes in zip(search.texts, search.lengths, strict=True)
    ]
    flat = [place for places in slots_by_sentence for place in places]
    return SearchResult(
        np.array([*map(len, slots_by_sentence)], np.int64),
        np.array([place.number for place in flat], np.int64),
        np.array([place.score for place in flat], np.float64),
    )


@lru_cache(maxsize=2)
def _open_side(folder: Path) -> tuple[SearchIndex, Numbers]:
    """Open an index and the lengths of its sentences; a worker caches both sides of a split."""
    return TantivyEngine().open(folder / _INDEX), np.load(folder / _LENGTHS)


# Planting (section 2.2.2).
#
# A pair is planted whole or not at all, every slot is used once, and no sentence is planted that is in the
# data set already: so every sentence of a gold pair occurs exactly once in its language. Pairs are read one
# by one and forgotten; what is kept in memory is a length and a mark for every sentence, and the hashes of
# what was planted.
#
# Workers search for slots, some pairs at a time, and this process plants the pairs one after the other in
# their order: what is planted does not depend on the number of workers.
#
# If copies across languages are left out, a pair is not planted either if one of its sentences, but for case,
# digits and punctuation, is in the data set in either language: that copy and the translation would be a pair
# that gold lacks.

PLANTING_KINDS = ("offered", "fitting", "untranslated", "known", "first found", "second found", "planted")
"""Keys of the counts of what becomes of pairs, for each split."""
# At most this many slots come back from a worker at a time, about 30 MB.
_MOST_PLACES = 1_000_000


class HashSet:
    """A set of hashes of sentences: many from the start, in an array, and some that are added."""

    def __init__(self, native: Hashes) -> None:
        self._native = np.sort(native)
        self._planted: set[int] = set()

    def __contains__(self, value: int) -> bool:
        if value in self._planted:
            return True
        at = int(np.searchsorted(self._native, np.uint64(value)))
        return at < len(self._native) and int(self._native[at]) == value

    def add(self, value: int) -> None:
        """Add the hash of a planted sentence."""
        self._planted.add(value)


class Offer(NamedTuple):
    """A pair to be planted if there are slots for it."""

    number: int
    """How many pairs come before it."""
    pair: PairRow
    hashes: tuple[int, int]
    folded: tuple[int, int]
    """Hashes of its sentences after `fold_copy`."""


def make_offer(number: int, pair: PairRow) -> Offer:
    """Make the offer of a pair, with the hashes of its sentences."""
    first, second = pair.texts
    folded = hash_text(fold_copy(first)), hash_text(fold_copy(second))
    return Offer(number, pair, (hash_text(first), hash_text(second)), folded)


class KnownSentences:
    """The sentences of a data set: native ones of both languages, and those planted so far."""

    def __init__(self, native: tuple[Hashes, Hashes], folded: Hashes | None) -> None:
        """Take the hashes of native sentences by language.

        `folded` are the hashes after `fold_copy` in both languages; None if copies may stay.
        """
        self._sides = HashSet(native[0]), HashSet(native[1])
        self._folded = None if folded is None else HashSet(folded)

    def has(self, offer: Offer) -> bool:
        """Return whether one of the sentences of a pair is in the data set already."""
        if offer.hashes[0] in self._sides[0] or offer.hashes[1] in self._sides[1]:
            return True
        return self._folded is not None and any(each in self._folded for each in offer.folded)

    def is_translated(self, offer: Offer) -> bool:
        """Return whether the two sentences of a pair are different."""
        texts = offer.pair.texts
        return texts[0] != texts[1] and (self._folded is None or offer.folded[0] != offer.folded[1])

    def add(self, offer: Offer) -> None:
        """Add the sentences of a pair that was planted."""
        for side, each in zip(self._sides, offer.hashes, strict=True):
            side.add(each)
        if self._folded is not None:
            for each in offer.folded:
                self._folded.add(each)


class FreeSlots:
    """The slots of one language and split that nothing is planted in yet."""

    def __init__(self, n_sentences: int) -> None:
        self._used = bytearray(n_sentences)

    def choose(self, places: Slots) -> Slot | None:
        """Return the best slot that is free; None if there is none."""
        return next((place for place in places if not self._used[place.number]), None)

    def use(self, place: Slot) -> None:
        """Mark a slot as used."""
        self._used[place.number] = 1


OfferWithSlots: TypeAlias = tuple[Offer, tuple[Slots, Slots]]
"""An offer, and its slots in each language."""


def check_engine() -> None:
    """Raise `CommandError` if the search engine is not installed: better now than after hours of reading."""
    TantivyEngine()


def run_plant(work: StageContext) -> StageCounts:
    """Plant the pairs of every split; write which, and where."""
    sentences = _load_known(work)
    is_small = work.finished["filter"].counts[PAIRS]["fitting"] < work.sizes.smallest_pairs
    if is_small or is_inline(work.engine):
        return _plant_splits(work, sentences, _InlineSearcher(work, TantivyEngine()))
    with share_folder(work.folder.parent) as shared:
        return _plant_splits(work, sentences, _WorkerSearcher(work, shared))


def _plant_splits(
    work: StageContext, sentences: KnownSentences, searcher: _InlineSearcher | _WorkerSearcher
) -> StageCounts:
    config = work.config
    counts: StageCounts = {}
    for number, split in enumerate(config.shares):
        split_counts = counts[split] = dict.fromkeys(PLANTING_KINDS, 0)
        total = work.finished["split"].counts[PAIRS][f"{split} pairs"]
        sizes = [work.finished["split"].counts[code][f"{split} sentences"] for code in config.codes]
        free = FreeSlots(sizes[0]), FreeSlots(sizes[1])
        with open_to_write(work.folder / f"{split}.planted") as file:
            pairs = map(parse_pair, read_rows(work.folder_of("split") / f"{split}.pairs"))
            offers = sift_pairs(pairs, config.languages, sentences, split_counts)
            with closing_results(searcher.search(split, number, offers)) as searched:
                reported = _report_searched(searched, f"planting in {split}", total, work.progress)
                for planted in plant_pairs(reported, free, sentences, split_counts):
                    file.write(planted.line())
    counts[PAIRS] = {
        kind: sum(split_counts[kind] for split_counts in counts.values()) for kind in PLANTING_KINDS
    }
    return counts


def _report_searched(
    searched: Iterable[OfferWithSlots], stage: str, total: int, progress: Progress
) -> Iterator[OfferWithSlots]:
    due = 0
    for offer, places in searched:
        if offer.number >= due:
            progress(Step(stage, offer.number, total))
            due = offer.number + PROGRESS_EVERY // 10
        yield offer, places


def _load_known(work: StageContext) -> KnownSentences:
    """Load the hashes of all native sentences that are in any split."""
    first, second = (load_sentences(work.folder_of("split"), code) for code in work.config.codes)
    folded = np.concatenate([first.folded, second.folded]) if work.config.filter.identical == DROP else None
    return KnownSentences((first.hashes, second.hashes), folded)


def sift_pairs(
    pairs: Iterable[PairRow],
    languages: tuple[Language, Language],
    sentences: KnownSentences,
    counts: dict[str, int],
) -> Iterator[Offer]:
    """Yield the pairs that are worth a search; count in `counts` what becomes of the others."""
    for number, pair in enumerate(pairs):
        counts["offered"] += 1
        if not all(map(Language.fits, languages, pair.lengths)):
            continue
        counts["fitting"] += 1
        offer = make_offer(number, pair)
        if not sentences.is_translated(offer):
            counts["untranslated"] += 1
        elif sentences.has(offer):
            counts["known"] += 1
        else:
            yield offer


def plant_pairs(
    searched: Iterable[OfferWithSlots],
    free: tuple[FreeSlots, FreeSlots],
    sentences: KnownSentences,
    counts: dict[str, int],
) -> Iterator[Planted]:
    """Yield the pairs that can be planted, with their slots; count in `counts` what becomes of all."""
    for offer, places in searched:
        # A pair with the same text may have been planted since this one was sifted.
        if sentences.has(offer):
            counts["known"] += 1
            continue
        one, two = map(FreeSlots.choose, free, places)
        counts["first found"] += one is not None
        counts["second found"] += two is not None
        if one is None or two is None:
            continue
        counts["planted"] += 1
        free[0].use(one)
        free[1].use(two)
        sentences.add(offer)
        yield Planted((one, two), offer.pair)


def _sides_of(work: StageContext, split: str, number: int) -> SplitSource:
    return SplitSource(work.folder_of("split").resolve(), split, number)


class _InlineSearcher:
    """Finds the places where translations can be planted, in this process, with indexes in memory."""

    def __init__(self, work: StageContext, engine: TantivyEngine) -> None:
        self._work, self._engine = work, engine

    def search(self, split: str, number: int, offers: Iterable[Offer]) -> Iterator[OfferWithSlots]:
        """Yield each pair of sentences to plant in `split` with its candidate slots in both languages.

        `number` is the index of the split. A pair without a slot is yielded with an empty list.
        """
        first, second = self._index(split, number, 0), self._index(split, number, 1)
        for offer in offers:
            texts, lengths = offer.pair.texts, offer.pair.lengths
            yield offer, (first.find(texts[0], lengths[0]), second.find(texts[1], lengths[1]))

    def _index(self, split: str, number: int, side: int) -> SplitIndex:
        config = self._work.config
        language = config.languages[side]
        return index_side(
            _sides_of(self._work, split, number),
            language,
            config.planting,
            self._engine,
            total=self._work.finished["split"].counts[language.code][f"{split} sentences"],
            progress=self._work.progress,
        )


class _WorkerSearcher:
    """Lets workers search for slots, with indexes in a folder that all of them see."""

    def __init__(self, work: StageContext, shared: Path) -> None:
        self._work, self._shared = work, shared
        planting = work.config.planting
        self._batch = max(1, min(work.sizes.pairs_per_batch, _MOST_PLACES // (2 * planting.candidates)))
        self._index()

    def _index(self) -> None:
        """Index both sides of all splits."""
        config = self._work.config
        savings = [
            IndexJob(name_side(language, split), self._shared, _sides_of(self._work, split, number), language)
            for number, split in enumerate(config.shares)
            for language in config.languages
        ]
        self._work.progress(Step("indexing", 0, len(savings)))
        with closing_results(self._work.engine.run(save_side, savings)) as saved:
            for done, _ in enumerate(saved, 1):
                self._work.progress(Step("indexing", done, len(savings)))

    def search(self, split: str, _number: int, offers: Iterable[Offer]) -> Iterator[OfferWithSlots]:
        """Yield each offer with its slots, in order."""
        # Batches that were sent to workers and are not yielded yet.
        under_way: deque[list[Offer]] = deque()

        def searches() -> Iterator[SearchJob]:
            while batch := [*islice(iterator, self._batch)]:
                under_way.append(batch)
                yield self._search(split, batch)

        iterator = iter(offers)
        with closing_results(run_ordered(self._work.engine, search_pairs, searches())) as results:
            for first, second in results:
                yield from zip(
                    under_way.popleft(), zip(first.places(), second.places(), strict=True), strict=True
                )

    def _search(self, split: str, batch: list[Offer]) -> SearchJob:
        config = self._work.config
        pairs = [offer.pair for offer in batch]
        texts, lengths = [pair.texts for pair in pairs], [pair.lengths for pair in pairs]
        return SearchJob(split, self._shared, config.languages, config.planting, texts, lengths)
