"""How near documents with translations are to the native documents that they are planted in.

After Zweigenbaum, Sharoff and Rapp (2018, section 2.2.1) and Sharoff (2013, Measuring the distance between
comparable corpora between languages). Every document is a vector of its keywords. For each document with
translations we take the cosine with the nearest native one of the same language, and of all these cosines the
interdecile range. The paper's own figure, [0.971, 0.980], is of vectors that it does not describe. So our
figures cannot be compared with it, but with the cosines among native documents, which are given beside them.
How near the two languages are to each other cannot be measured in this way without a lexicon.

Pairs that name no document are compared with nothing, because sentences put together at random have no
keywords.

Memory is that of the documents compared: on each side a sample, by the seed, of at most `MOST_DOCUMENTS`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from evalign.bitext.dataset import PROVENANCE_FILE, DataSet, SentenceOrigin, read_provenance
from evalign.bitext.languages import Language, index_terms
from evalign.bitext.pairs import parse_id
from evalign.bitext.sampling import BoundedSample
from evalign.bitext.statistics.schema import SavedComparability, SavedSimilarity, rounded
from evalign.errors import InputError, Place, quote
from evalign.significance import quantile

# Keywords of documents: terms that are more frequent in a document than in all the others together.
#
# The log-likelihood ratio says how far the difference is beyond chance (Dunning 1993, Computational
# Linguistics 19(1); for keywords Rayson and Garside 2000, Comparing corpora using frequency profiling). The
# weight of a keyword is the square root of the ratio, which is distributed like a standard score, so that one
# word does not dominate the vector.


Vector: TypeAlias = Mapping[str, float]
"""Weights of keywords. Their squares add up to 1."""

MOST_KEYWORDS = 100
# Chi-square with one degree of freedom: chance gives this value or more one time in twenty.
LEAST_LIKELIHOOD = 3.84


def log_likelihood(here: int, elsewhere: int, n_here: int, n_elsewhere: int) -> float:
    """Compute the log-likelihood ratio of the frequencies of a term here and elsewhere.

    `n_here` and `n_elsewhere` are the sizes of both texts in terms. The ratio is 0 if the relative
    frequencies are equal.

    >>> round(log_likelihood(10, 10, 100, 1000), 2), abs(log_likelihood(1, 10, 100, 1000)) < 1e-9
    (22.14, True)
    """
    share = (here + elsewhere) / (n_here + n_elsewhere)
    parts = ((here, n_here), (elsewhere, n_elsewhere))
    return 2 * math.fsum(n * math.log(n / (size * share)) for n, size in parts if n)


def find_keywords(terms: Mapping[str, int], everywhere: Mapping[str, int], n_everywhere: int) -> Vector:
    """Find the keywords of a document among all documents, with their weights.

    `terms` counts the terms of the document, `everywhere` those of all documents (this one included), and
    `n_everywhere` is the sum of the counts in `everywhere`. Returns an empty vector if the document is the
    only one.

    >>> find_keywords({"the": 5, "soup": 5}, {"the": 100, "soup": 5}, 105)
    {'soup': 1.0}
    """
    n_here = sum(terms.values())
    n_elsewhere = n_everywhere - n_here
    candidates = []
    for term, here in terms.items():
        elsewhere = everywhere[term] - here
        if here * n_elsewhere > elsewhere * n_here:
            likelihood = log_likelihood(here, elsewhere, n_here, n_elsewhere)
            if likelihood >= LEAST_LIKELIHOOD:
                candidates.append((-likelihood, term))
    best = sorted(candidates)[:MOST_KEYWORDS]
    length = math.sqrt(math.fsum(-negative for negative, _ in best))
    return {term: math.sqrt(-negative) / length for negative, term in best}


Document: TypeAlias = tuple[str, Iterable[str]]
"""Name and sentences of a document or a piece of one. Pieces of the same name belong together.

Sentences under an empty name belong to no document.
"""

MOST_DOCUMENTS = 500


class DocumentSources(NamedTuple):
    """Documents of one language: those with translations, and native ones. Each iterable is read once."""

    parallel: Iterable[Document]
    native: Iterable[Document]


class _Side:
    """Documents of one kind: the terms of the sampled ones, and the number of all."""

    def __init__(self, language: Language, kind: str, *, seed: int, most: int) -> None:
        self._language = language
        self._sample = BoundedSample[Counter[str]](most, seed, "comparability", language.code, kind)
        self._names: set[str] = set()
        self.n_nameless = 0
        """Number of sentences that belong to no document."""

    def add(self, name: str, sentences: Iterable[str]) -> None:
        """Add a document or a piece of one."""
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
        """Return the counted terms of each sampled document."""
        return [terms for _, terms in self._sample.items()]


class DocumentComparison:
    """Collects documents of one language as they arrive, then computes how near they are."""

    def __init__(self, language: Language, *, seed: int, most: int = MOST_DOCUMENTS) -> None:
        self._most = most
        self.parallel = _Side(language, "parallel", seed=seed, most=most)
        self.native = _Side(language, "native", seed=seed, most=most)

    def finish(self) -> SavedComparability | None:
        """Compare the collected documents.

        None if there is no native document, or neither a parallel document nor a planted sentence without
        one.
        """
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
    language: Language, sources: DocumentSources, *, seed: int, most: int = MOST_DOCUMENTS
) -> SavedComparability | None:
    """Measure how near documents with translations are to native ones; None if either kind is missing."""
    comparison = DocumentComparison(language, seed=seed, most=most)
    for side, documents in ((comparison.parallel, sources.parallel), (comparison.native, sources.native)):
        for name, sentences in documents:
            side.add(name, sentences)
    return comparison.finish()


_Index: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]


def _index(vectors: Sequence[Vector]) -> _Index:
    """Map each keyword to the vectors that have it, as (index, weight).

    So only vectors with a common keyword are compared.
    """
    postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for k, vector in enumerate(vectors):
        for term, weight in vector.items():
            postings[term].append((k, weight))
    return postings


def _nearest(vector: Vector, index: _Index, itself: int = -1) -> float:
    """Return the largest cosine of `vector` with another vector; 0 if none has a common keyword.

    `itself` is the index of `vector`, if it is in the index.
    """
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


# Comparability of a finished data set, whose provenance table says which sentences belong to one document.


def compare_by_provenance(
    dataset: DataSet, languages: Mapping[str, Language], *, seed: int
) -> dict[str, SavedComparability | None]:
    """Measure, by language, how near planted sentences of one document are to native documents."""
    comparisons = {code: DocumentComparison(language, seed=seed) for code, language in languages.items()}
    for language, origin, text in _trace(dataset):
        comparison = comparisons[language]
        if origin.is_planted:
            comparison.parallel.add(origin.pair_document, (text,))
        else:
            comparison.native.add(origin.document, (text,))
    return {code: comparison.finish() for code, comparison in comparisons.items()}


def _trace(dataset: DataSet) -> Iterator[tuple[str, SentenceOrigin, str]]:
    """Yield all sentences of a data set with their language and origin.

    One corpus is in memory at a time, because the provenance table has the corpora one after the other.
    """
    held: tuple[str, str] | None = None
    texts: dict[int, str] = {}
    for lineno, origin in enumerate(read_provenance(dataset.folder), 2):
        parsed_id = parse_id(origin.id)
        language, number = parsed_id or ("", 0)
        is_in_dataset = language in (dataset.first, dataset.second) and origin.split in dataset.splits
        if is_in_dataset and held != (origin.split, language):
            corpus = dataset.corpus(origin.split, language)
            texts = dict(zip(corpus.numbers, corpus.texts, strict=True))
            held = origin.split, language
        if not is_in_dataset or number not in texts:
            place = Place(str(dataset.folder / PROVENANCE_FILE), lineno)
            shown = (
                f"{quote(origin.id)} of split {quote(origin.split)}, which is not a sentence of the data set"
            )
            raise InputError(place, shown, "every sentence of the corpora")
        yield language, origin, texts[number]
