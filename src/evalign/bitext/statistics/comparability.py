"""How near documents with translations are to the native documents they are planted in.

After Zweigenbaum, Sharoff and Rapp (2018, section 2.2.1) and Sharoff (2013, Measuring the distance between comparable
corpora between languages). Every document is a vector of its keywords; of each document with translations we take the
cosine with the nearest native one of the same language, and of all these the interdecile range. The paper's own
figure, [0.971, 0.980], is of vectors that it does not describe, so ours are not to be held against it, but against
what native documents have among themselves: that is given beside them. How near the two languages are to each other
cannot be had so, without a lexicon.

Pairs that do not say their document are compared with nothing: sentences taken together at random have no keywords.

Memory is that of the documents looked at: a sample by the seed of at most so many on each side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import index_terms
from evalign.bitext.statistics.keywords import Vector, find_keywords
from evalign.bitext.statistics.sampling import Sample
from evalign.bitext.statistics.shapes import SavedComparability, SavedSimilarity, rounded
from evalign.significance import quantile

Document: TypeAlias = tuple[str, Iterable[str]]
"""A name and sentences. Pieces of one name belong together; what has no name belongs to no document."""

MOST_DOCUMENTS = 500


class Sources(NamedTuple):
    """Documents of one language, each read once."""

    parallel: Iterable[Document]
    native: Iterable[Document]


class _Side:
    """Documents of one kind: terms of the sampled ones, and how many there are in all."""

    def __init__(self, language: Language, kind: str, *, seed: int, most: int) -> None:
        self._language = language
        self._sample = Sample[Counter[str]](most, seed, "comparability", language.code, kind)
        self._names: set[str] = set()
        self.n_nameless = 0
        """Sentences of no document."""

    def add(self, name: str, sentences: Iterable[str]) -> None:
        """A document or a piece of one."""
        if name:
            self._count(name, sentences)
        else:
            self.n_nameless += sum(1 for _ in sentences)

    def _count(self, name: str, sentences: Iterable[str]) -> None:
        self._names.add(name)
        terms = self._sample.add(name, Counter)
        if terms is not None:
            stops = self._language.stop_words
            for sentence in sentences:
                terms.update(term for term in index_terms(self._language, sentence) if term not in stops)

    @property
    def n_documents(self) -> int:
        return len(self._names)

    def documents(self) -> list[Counter[str]]:
        """Terms of the sampled documents."""
        return [terms for _, terms in self._sample.items()]


class Comparison:
    """Documents of one language as they come, then how near they are."""

    def __init__(self, language: Language, *, seed: int, most: int = MOST_DOCUMENTS) -> None:
        self._most = most
        self.parallel = _Side(language, "parallel", seed=seed, most=most)
        self.native = _Side(language, "native", seed=seed, most=most)

    def finish(self) -> SavedComparability | None:
        """What was found; None where one of the two has no sentence of a document, and none of no document."""
        has_parallel = self.parallel.n_documents or self.parallel.n_nameless
        if not has_parallel or not self.native.n_documents:
            return None
        sides = [self.parallel.documents(), self.native.documents()]
        everywhere: Counter[str] = Counter()
        for terms in (*sides[0], *sides[1]):
            everywhere.update(terms)
        n_everywhere = everywhere.total()
        parallel, native = (
            [vector for terms in side if (vector := find_keywords(terms, everywhere, n_everywhere))]
            for side in sides
        )
        index = _index(native)
        return SavedComparability(
            parallel_documents=self.parallel.n_documents,
            native_documents=self.native.n_documents,
            most_documents=self._most,
            without_document=self.parallel.n_nameless,
            parallel=_summarize([_nearest(vector, index) for vector in parallel] if native else []),
            native=_summarize(
                [_nearest(vector, index, k) for k, vector in enumerate(native)] if len(native) > 1 else []
            ),
        )


def compare_documents(
    language: Language, sources: Sources, *, seed: int, most: int = MOST_DOCUMENTS
) -> SavedComparability | None:
    """How near documents with translations are to native ones; None where there is none of either."""
    comparison = Comparison(language, seed=seed, most=most)
    for side, documents in ((comparison.parallel, sources.parallel), (comparison.native, sources.native)):
        for name, sentences in documents:
            side.add(name, sentences)
    return comparison.finish()


_Index: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]


def _index(vectors: Sequence[Vector]) -> _Index:
    """Which vectors have a keyword, so that only those with a common one are compared."""
    found: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for k, vector in enumerate(vectors):
        for term, weight in vector.items():
            found[term].append((k, weight))
    return found


def _nearest(vector: Vector, index: _Index, itself: int = -1) -> float:
    """The largest cosine with another vector; 0 where none has a common keyword."""
    products: defaultdict[int, float] = defaultdict(float)
    for term, weight in vector.items():
        for k, other in index.get(term, ()):
            products[k] += weight * other
    return min(1.0, max((product for k, product in products.items() if k != itself), default=0.0))


def _summarize(cosines: Sequence[float]) -> SavedSimilarity | None:
    if not cosines:
        return None
    ordered = sorted(cosines)
    low, median, high = (rounded(quantile(ordered, share)) for share in (0.1, 0.5, 0.9))
    return SavedSimilarity(documents=len(ordered), p10=low, median=median, p90=high)
