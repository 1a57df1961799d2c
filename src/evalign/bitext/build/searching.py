"""Places for sentences: each side of a split is indexed, and searched for what a sentence can be planted behind.

What is found for a sentence depends on nothing that was planted before, so that any number of workers can search: an
index is written by one of them and opened by all. Which of the places is taken is decided by `planting`, pair by pair.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.config import Planting
from evalign.bitext.build.work import PROGRESS_EVERY, Numbers, documents_of, read_sentences
from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import index_terms, make_query
from evalign.bitext.search import SearchEngine, SearchIndex
from evalign.bitext.search.embedded import TantivyEngine
from evalign.bitext.sharing import check_folder_visible
from evalign.progress import Progress, Step, no_progress

_INDEX = "index"
_LENGTHS = "lengths.npy"


class Slot(NamedTuple):
    """A sentence that another can be planted behind."""

    number: int
    """Of the sentence, counted through the documents of a split."""
    score: float


Slots: TypeAlias = Sequence[Slot]
"""Those of one sentence, the best first, free or not."""


class SplitSource(NamedTuple):
    """What the sentences of a split are read from."""

    folder: Path
    """Of the stage `split`."""
    name: str
    number: int
    """Of the split."""


class SplitIndex:
    """The sentences of one language and split."""

    def __init__(self, language: Language, index: SearchIndex, lengths: Numbers, planting: Planting) -> None:
        self._language = language
        self._index = index
        self._lengths = lengths
        self._planting = planting

    def find(self, text: str, length: int) -> list[Slot]:
        """The best places for a sentence that are about as long."""
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
    engine: SearchEngine,
    *,
    total: int = 0,
    progress: Progress = no_progress,
) -> SplitIndex:
    """Index the sentences of a language in a split, here and in memory."""
    lengths = array("q")
    terms = _read_terms(sides, language, lengths)
    stage = f"indexing {language.code} in {sides.name}"
    index = engine.index(_tell(terms, stage, total, progress))
    return SplitIndex(language, index, np.array(lengths, np.int64), planting)


def _read_terms(sides: SplitSource, language: Language, lengths: array[int]) -> Iterator[list[str]]:
    """The terms of every sentence; notes how long each is."""
    documents = documents_of(sides.folder, language.code, sides.number)
    for sentence in read_sentences(sides.folder, language.code, documents):
        lengths.append(sentence.length)
        yield index_terms(language, sentence.text)


def _tell(sentences: Iterator[list[str]], stage: str, total: int, progress: Progress) -> Iterator[list[str]]:
    for number, terms in enumerate(sentences):
        if number % PROGRESS_EVERY == 0:
            progress(Step(stage, number, total))
        yield terms


class IndexJob(NamedTuple):
    """A side that a worker is to index."""

    name: str
    shared: Path
    sides: SplitSource
    language: Language


def save_side(saving: IndexJob) -> str:
    """Index a side for all workers; its name.

    It is written under another name and then renamed: there is all of it or nothing, also where two workers do the
    same because one of them was taken for dead.
    """
    check_folder_visible(saving.shared)
    folder = saving.shared / saving.name
    scratch = saving.shared / f"{saving.name}.{_make_name()}"
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


def _make_name() -> str:
    from uuid import uuid4

    return uuid4().hex


def name_side(language: Language, split: str) -> str:
    """What the folder of an index is called."""
    return f"{split}.{language.code}"


class SearchJob(NamedTuple):
    """Pairs for which places are to be found."""

    name: str
    """Of the split."""
    shared: Path
    languages: tuple[Language, Language]
    planting: Planting
    texts: Sequence[tuple[str, str]]
    lengths: Sequence[tuple[int, int]]


class SearchResult(NamedTuple):
    """Places for the sentences of some pairs in one language, one behind the other."""

    sizes: Numbers
    numbers: Numbers
    scores: npt.NDArray[np.float64]

    def places(self) -> Iterator[Slots]:
        """Those of each sentence."""
        start = 0
        numbers, scores = self.numbers.tolist(), self.scores.tolist()
        for size in self.sizes.tolist():
            end = start + size
            yield [*map(Slot, numbers[start:end], scores[start:end])]
            start = end


def search_pairs(search: SearchJob) -> tuple[SearchResult, SearchResult]:
    """Places for some pairs, as a worker finds them."""
    check_folder_visible(search.shared)
    return _search_side(search, 0), _search_side(search, 1)


def _search_side(search: SearchJob, side: int) -> SearchResult:
    language = search.languages[side]
    index, lengths = _open_side(search.shared / name_side(language, search.name))
    opened = SplitIndex(language, index, lengths, search.planting)
    found = [
        opened.find(texts[side], sizes[side])
        for texts, sizes in zip(search.texts, search.lengths, strict=True)
    ]
    flat = [place for places in found for place in places]
    return SearchResult(
        np.array([*map(len, found)], np.int64),
        np.array([place.number for place in flat], np.int64),
        np.array([place.score for place in flat], np.float64),
    )


@lru_cache(maxsize=2)
def _open_side(folder: Path) -> tuple[SearchIndex, Numbers]:
    """An index and how long its sentences are; a worker keeps both sides of a split."""
    return TantivyEngine().open(folder / _INDEX), np.load(folder / _LENGTHS)
