"""How near documents with translations are to the native documents that they are planted in.

After Zweigenbaum, Sharoff and Rapp (2018, section 2.2.1) and Sharoff (2013, Measuring the distance between
comparable corpora between languages). Every document is the vector of the keywords of its whole text. For
each document with translations we take the cosine with the nearest of all native ones of the same language,
and of all these cosines the interdecile range. The paper's own figure, [0.971, 0.980], is of vectors that it
does not describe. So our figures cannot be compared with it, but with the cosines among native documents,
which are given beside them. A short text has few keywords and is near to none, so of a longer native document
only as many words are taken as documents with translations have. How near the two languages are to each other
cannot be measured in this way without a lexicon.

Pairs that name no document are compared with nothing, because sentences put together at random have no
keywords.

Native documents are read twice, one by one. In memory are the counts of all terms, and at most
`MOST_DOCUMENTS` documents of each kind, a sample by the seed, for which the nearest one is looked for.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from evalign.bitext.languages import Language, index_terms
from evalign.bitext.sampling import BoundedSample, draw
from evalign.bitext.statistics.schema import SavedComparability, SavedSimilarity, rounded
from evalign.significance.inference import quantile

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
"""Name and sentences of a document."""

MOST_DOCUMENTS = 1000


class DocumentSources(NamedTuple):
    """Whole documents of one language: those with translations, and native ones."""

    parallel: Iterable[Document]
    """May come in pieces: those of the same name belong together. Sentences under an empty name belong to no
    document.
    """
    native: Iterable[Document]
    """Each comes once, whole. They are read twice."""


class _Query(NamedTuple):
    """A document whose nearest native one is looked for."""

    name: str | None
    """Name of a native document, which is not compared with itself; None for one with translations."""
    keywords: Vector


def compare_documents(
    language: Language, sources: DocumentSources, *, seed: int, most: int = MOST_DOCUMENTS
) -> SavedComparability | None:
    """Measure how near documents with translations are to native ones.

    Looks for the nearest native document of at most `most` documents of each kind. None if there is no native
    document, or no pair at all.
    """

    def cut_terms(sentences: Iterable[str]) -> list[str]:
        terms = (term for sentence in sentences for term in index_terms(language, sentence))
        return [term for term in terms if term not in language.stop_words]

    key = "comparability", language.code
    parallel = BoundedSample[Counter[str]](most, seed, *key, "parallel")
    native = BoundedSample[Counter[str]](most, seed, *key, "native")
    everywhere: Counter[str] = Counter()
    names: set[str] = set()
    n_nameless = n_native = 0
    for name, sentences in sources.parallel:
        if not name:
            n_nameless += sum(1 for _ in sentences)
            continue
        names.add(name)
        terms = cut_terms(sentences)
        everywhere.update(terms)
        if (counts := parallel.add(name, Counter)) is not None:
            counts.update(terms)
    sizes = sorted(counts.total() for _, counts in parallel.items())
    for name, sentences in sources.native:
        n_native += 1
        terms = cut_terms(sentences)
        everywhere.update(terms)
        size = sizes[int(draw(seed, *key, "size", name) * len(sizes))] if sizes else None
        native.add(name, partial(Counter, terms[:size]))
    if not n_native or not (names or n_nameless):
        return None
    n_everywhere = everywhere.total()
    queries = [
        _Query(name if sample is native else None, keywords)
        for sample in (parallel, native)
        for name, counts in sample.items()
        if (keywords := find_keywords(counts, everywhere, n_everywhere))
    ]
    vectors = (
        (name, find_keywords(Counter(cut_terms(sentences)), everywhere, n_everywhere))
        for name, sentences in sources.native
    )
    nearest = _find_nearest(queries, vectors)
    return SavedComparability(
        whole_texts=True,
        parallel_documents=len(names),
        native_documents=n_native,
        most_documents=most,
        without_document=n_nameless,
        parallel=_summarize([cosine for query, cosine in nearest if query.name is None]),
        native=_summarize([cosine for query, cosine in nearest if query.name is not None]),
    )


def _find_nearest(
    queries: Sequence[_Query], native: Iterable[tuple[str, Vector]]
) -> list[tuple[_Query, float]]:
    """Find for each query the largest cosine with a native document of another name.

    It is 0 if none has a common keyword. A query is left out if no other native document has any keyword.
    """
    # Each keyword with the queries that have it, as (index, weight): only documents that share one are compared.
    postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for k, query in enumerate(queries):
        for term, weight in query.keywords.items():
            postings[term].append((k, weight))
    best = [0.0] * len(queries)
    names: list[str] = []
    for name, vector in native:
        products: defaultdict[int, float] = defaultdict(float)
        for term, weight in vector.items():
            for k, other in postings.get(term, ()):
                products[k] += weight * other
        for k, product in products.items():
            if queries[k].name != name:
                best[k] = max(best[k], min(1.0, product))
        if vector and len(names) < 2:
            names.append(name)
    return [
        (query, cosine)
        for query, cosine in zip(queries, best, strict=True)
        if any(name != query.name for name in names)
    ]


def _summarize(cosines: Sequence[float]) -> SavedSimilarity | None:
    if not cosines:
        return None
    ordered = sorted(cosines)
    low, median, high = (rounded(quantile(ordered, share)) for share in (0.1, 0.5, 0.9))
    return SavedSimilarity(documents=len(ordered), p10=low, median=median, p90=high)
