"""Fifth stage: search each side for the sentence that is most like a planted one, and plant it there (section 2.2.2).

A pair is planted whole or not at all, every place is used once, and no sentence is planted that is there already: so
every sentence of a gold pair occurs exactly once in its language. Pairs are read one by one and forgotten; what is kept
is a length and a mark for every sentence, and the text of what was planted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evalign.bitext.build.config import Planting
from evalign.bitext.build.filtering import is_fitting
from evalign.bitext.build.work import (
    PAIRS,
    TOLD_EVERY,
    Hashes,
    Numbers,
    Pair,
    Work,
    hash_text,
    open_to_write,
    parse_pair,
    read_lines,
    read_sentences,
)
from evalign.bitext.build.workspace import Counts
from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import index_terms, make_query
from evalign.bitext.search import Engine, Index
from evalign.bitext.search.embedded import TantivyEngine
from evalign.progress import Progress, Step

KINDS = ("offered", "fitting", "untranslated", "known", "first found", "second found", "planted")
"""What becomes of pairs, counted for each split."""


class Place(NamedTuple):
    """A sentence that another can be planted behind."""

    number: int
    """Of the sentence, counted through the documents of a split."""
    score: float


class Planted(NamedTuple):
    """A pair that was planted."""

    places: tuple[Place, Place]
    pair: Pair

    def line(self) -> str:
        """As it is written."""
        first, second = self.places
        return f"{first.number}\t{first.score:.4f}\t{second.number}\t{second.score:.4f}\t{self.pair.line()}"


def parse_planted(line: str) -> Planted:
    """A row, without its line end."""
    one, first, two, second, pair = line.split("\t", 4)
    return Planted((Place(int(one), float(first)), Place(int(two), float(second))), parse_pair(pair))


class Known:
    """Sentences of a language that are in the data set, by their hashes."""

    def __init__(self, native: Hashes) -> None:
        self._native = np.sort(native)
        self._planted: set[int] = set()

    def __contains__(self, found: int) -> bool:
        at = int(np.searchsorted(self._native, np.uint64(found)))
        return found in self._planted or (at < len(self._native) and int(self._native[at]) == found)

    def add(self, found: int) -> None:
        """A sentence was planted."""
        self._planted.add(found)


class Side:
    """The sentences of one language and split, and which of them still have nothing behind them."""

    def __init__(self, language: Language, index: Index, lengths: Numbers, planting: Planting) -> None:
        self._language = language
        self._index = index
        self._lengths = lengths
        self._planting = planting
        self._used = bytearray(len(lengths))

    def find(self, text: str, length: int) -> Place | None:
        """The best place for a sentence that is free and about as long; None where there is none."""
        query = make_query(self._language, text)
        if query is None:
            return None
        for hit in self._index.search(query, self._planting.candidates):
            ratio = length / int(self._lengths[hit.number])
            in_range = self._planting.shortest_ratio <= ratio <= self._planting.longest_ratio
            if in_range and not self._used[hit.number]:
                return Place(hit.number, hit.score)
        return None

    def use(self, place: Place) -> None:
        """Something is planted there."""
        self._used[place.number] = 1


def check_engine() -> None:
    """Raise `CommandError` where the search engine is not installed, before hours of reading."""
    TantivyEngine()


def run_plant(work: Work) -> Counts:
    """Plant the pairs of every split; write which, and where."""
    return plant_splits(work, TantivyEngine())


def plant_splits(work: Work, engine: Engine) -> Counts:
    """The same with any search engine."""
    config = work.config
    known = _load_known(work, 0), _load_known(work, 1)
    counts: Counts = {}
    for number, split in enumerate(config.shares):
        with open_to_write(work.folder / f"{split}.planted") as file:
            sides = _index_side(work, 0, number, engine), _index_side(work, 1, number, engine)
            total = work.before["split"].counts[PAIRS][f"{split} pairs"]
            found = dict.fromkeys(KINDS, 0)
            pairs = _tell(_read_pairs(work, split), f"planting in {split}", total, work.progress)
            for planted in plant_pairs(pairs, config.languages, sides, known, found):
                file.write(planted.line())
        counts[split] = found
    counts[PAIRS] = {kind: sum(found[kind] for found in counts.values()) for kind in KINDS}
    return counts


def _read_pairs(work: Work, split: str) -> Iterator[Pair]:
    return map(parse_pair, read_lines(work.of("split") / f"{split}.pairs"))


def _tell(pairs: Iterator[Pair], stage: str, total: int, progress: Progress) -> Iterator[Pair]:
    for number, pair in enumerate(pairs):
        if number % (TOLD_EVERY // 10) == 0:
            progress(Step(stage, number, total))
        yield pair


def _load_known(work: Work, side: int) -> Known:
    """All native sentences of a language that are in any split."""
    code = work.config.codes[side]
    hashes: Hashes = np.load(work.of("filter") / f"{code}.hashes.npy")
    sizes = np.load(work.of("filter") / f"{code}.counts.npy")
    splits = np.load(work.of("split") / f"{code}.splits.npy")
    return Known(hashes[np.repeat(splits >= 0, sizes)])


def documents_of(work: Work, code: str, split: int) -> Numbers:
    """The documents of a split, by number."""
    splits: Numbers = np.load(work.of("split") / f"{code}.splits.npy")
    return np.flatnonzero(splits == split)


def _index_side(work: Work, side: int, split: int, engine: Engine) -> Side:
    """Index the sentences of a language in a split."""
    language = work.config.languages[side]
    name = list(work.config.shares)[split]
    documents = documents_of(work, language.code, split)
    total = work.before["split"].counts[language.code][f"{name} sentences"]
    lengths = array("q")

    def terms() -> Iterator[list[str]]:
        for sentence in read_sentences(work.of("filter"), language.code, documents):
            if len(lengths) % TOLD_EVERY == 0:
                work.progress(Step(f"indexing {language.code} in {name}", len(lengths), total))
            lengths.append(sentence.length)
            yield index_terms(language, sentence.text)

    index = engine.index(terms())
    return Side(language, index, np.array(lengths, np.int64), work.config.planting)


def plant_pairs(
    pairs: Iterator[Pair],
    languages: tuple[Language, Language],
    sides: tuple[Side, Side],
    known: tuple[Known, Known],
    counts: dict[str, int],
) -> Iterator[Planted]:
    """The pairs that can be planted, each with its places; counts what becomes of all."""
    for pair in pairs:
        counts["offered"] += 1
        if not all(map(is_fitting, languages, pair.lengths)):
            continue
        counts["fitting"] += 1
        if pair.texts[0] == pair.texts[1]:
            counts["untranslated"] += 1
            continue
        first, second = map(hash_text, pair.texts)
        if first in known[0] or second in known[1]:
            counts["known"] += 1
            continue
        one = sides[0].find(pair.texts[0], pair.lengths[0])
        two = sides[1].find(pair.texts[1], pair.lengths[1])
        counts["first found"] += one is not None
        counts["second found"] += two is not None
        if one is None or two is None:
            continue
        counts["planted"] += 1
        for side, place, sentences, found in zip(sides, (one, two), known, (first, second), strict=True):
            side.use(place)
            sentences.add(found)
        yield Planted((one, two), pair)
