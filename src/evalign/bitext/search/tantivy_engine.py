"""The default search engine: tantivy, in this process, with indexes in memory or in files.

Scores are BM25 (k1 = 1.2, b = 0.75) of the terms, and of phrases as if each were a term.

>>> index = TantivyEngine().index([["the", "cat", "sat"], ["a", "cat", "and", "a", "dog"], ["no", "dog"]])
>>> [hit.number for hit in index.search(Query(("cat", "dog")), 10)]
[1, 2, 0]
>>> [hit.number for hit in index.search(Query(("cat", "dog"), minimum=2), 10)]
[1]

The same sentences give the same hits on every run: a single thread writes them, so they are numbered as they
come, and one segment holds all of them, up to some millions. tantivy adds 32-bit numbers in an order that
depends on their position in its lists, so equal sentences may differ in the last bit of their scores: scores
that near count as equal.

Two neighbours make a phrase if one of them is moved by no more than the slop: `cat sat` is 1 away from `cat
then sat`, and 2 from `sat cat`. For longer phrases tantivy adds up how far each term is from where the first
one wants it: `a - b - c` is 3 away from `a b c`, where Lucene counts 2.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count, pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from evalign.bitext.search.query import Hit, Query
from evalign.errors import CommandError, InputError, Place, advise_install

if TYPE_CHECKING:
    import tantivy

_TERMS = "terms"
_NUMBER = "number"

# How many bytes tantivy gathers before it writes a segment, allocated as needed: enough for ten million
# sentences. With more sentences it makes several segments, and merges them when it has time.
_HEAP = 2_000_000_000
_SMALLEST_HEAP = 15_000_000

# Scores this near (relatively) count as equal: 32-bit floats have 24 bits, and a sum of some hundred loses a
# few more.
_NEAR = 1e-5
# How many hits beyond those asked for are fetched to see where equal scores end; then four times as many, up
# to the second number.
_BEYOND = 16
_MOST_BEYOND = 1 << 14


class TantivyEngine:
    """A factory of indexes that tantivy searches.

    Indexes are in memory, or in files below `folder`, which are removed once their index is no longer used.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, heap: int = _HEAP) -> None:
        try:
            import tantivy
        except ImportError:
            message = "tantivy, the search engine, is not installed"
            raise CommandError(message, advice=advise_install("bitext")) from None
        if not hasattr(tantivy.Searcher, "fast_field_values"):
            message = "the tantivy that is installed is too old"
            raise CommandError(message, "0.26 or later", advise_install("bitext"))
        self._folder = folder
        self._heap = max(heap, _SMALLEST_HEAP)
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(_TERMS, stored=False, tokenizer_name="whitespace", index_option="position")
        builder.add_integer_field(_NUMBER, fast=True)
        self._schema = builder.build()

    def index(self, sentences: Iterable[Sequence[str]]) -> TantivyIndex:
        """Index `sentences`, each given as its terms.

        Raises `ValueError` for a term that is empty or contains white space.
        """
        if self._folder is None:
            return self._fill(sentences, None)
        try:
            files = tempfile.TemporaryDirectory(prefix="index-", dir=self._folder, ignore_cleanup_errors=True)
        except OSError as error:
            problem = f"no index can be made here ({error.strerror or error})"
            raise InputError(Place(os.fspath(self._folder)), problem, "a folder to write to") from None
        try:
            index = self._fill(sentences, files.name)
        except BaseException:
            files.cleanup()
            raise
        weakref.finalize(index, files.cleanup)
        return index

    def save(self, sentences: Iterable[Sequence[str]], folder: str | os.PathLike[str]) -> None:
        """Write an index to a new folder, where it stays for other processes to open."""
        path = Path(folder)
        path.mkdir()
        self._fill(sentences, str(path))

    def open(self, folder: str | os.PathLike[str]) -> TantivyIndex:
        """Open a saved index.

        Its files are mapped into memory as they are read, once for all processes of a machine.
        """
        import tantivy

        try:
            index = tantivy.Index.open(os.fspath(folder))
            # The files do not change, so no thread needs to watch them.
            index.config_reader("manual")
        except ValueError as error:
            problem = f"the index cannot be read ({error})"
            raise InputError(Place(os.fspath(folder)), problem, "an index as it was saved") from None
        return TantivyIndex(tantivy.Query, tantivy.Occur, self._schema, index.searcher())

    def _fill(self, sentences: Iterable[Sequence[str]], folder: str | None) -> TantivyIndex:
        import tantivy

        index = tantivy.Index(self._schema, path=folder)
        writer = index.writer(self._heap, num_threads=1)
        try:
            for number, text in enumerate(map(_join_terms, count(), sentences)):
                document = tantivy.Document(terms=text, number=number)
                # An error in a thread of tantivy is raised by whichever call comes next.
                try:
                    writer.add_document(document)
                except ValueError as error:
                    raise _refuse(error, folder) from None
            try:
                writer.commit()
            except ValueError as error:
                raise _refuse(error, folder) from None
        finally:
            # Also after an error: no thread must go on writing files.
            with suppress(ValueError):
                writer.wait_merging_threads()
        index.reload()
        return TantivyIndex(tantivy.Query, tantivy.Occur, self._schema, index.searcher())


class TantivyIndex:
    """An index of sentences that tantivy searches."""

    def __init__(
        self,
        queries: type[tantivy.Query],
        occur: type[tantivy.Occur],
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
    ) -> None:
        self._queries, self._schema, self._searcher = queries, schema, searcher
        self._must, self._should = occur.Must, occur.Should
        self.n_segments = searcher.num_segments

    def __len__(self) -> int:
        return self._searcher.num_docs

    def search(self, query: Query, most: int) -> list[Hit]:
        """Return the best sentences, `most` at most, by falling score and then by number.

        A term that is repeated in the query counts once towards the minimum; its weights are added.
        """
        if most < 1 or not query.terms:
            return []
        composed = self._compose(query)
        if composed is None:
            return []
        beyond = _BEYOND
        while True:
            hits = self._searcher.search(composed, most + beyond, count=False).hits
            kept = _count_kept([score for score, _ in hits], most)
            if kept < most + beyond or beyond >= _MOST_BEYOND:
                return self._order(hits[:kept])[:most]
            beyond *= 4

    def _order(self, hits: Sequence[tuple[float, tantivy.DocAddress]]) -> list[Hit]:
        """Make hits: give near scores the same value, and order equal ones by number."""
        numbers = self._numbers([address for _, address in hits])
        groups: list[tuple[float, int]] = []
        group = last = 0.0
        for (score, _), number in zip(hits, numbers, strict=True):
            if not groups or score < last - _NEAR * abs(last):
                group = score
            last = score
            groups.append((-group, number))
        groups.sort()
        return [Hit(number, -score) for score, number in groups]

    def _numbers(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        if self.n_segments == 1:
            # One thread wrote the segment in order, so addresses are numbers. Skipping the look-up saves a
            # fifth of a search.
            return [address.doc for address in addresses]
        return [int(number or 0) for number in self._searcher.fast_field_values(_NUMBER, addresses)]

    def _compose(self, query: Query) -> tantivy.Query | None:
        """Compose a tantivy query that works as Solr's edismax.

        `minimum` of the terms are required; the phrase of all terms, and the phrases of every two neighbours,
        add to the score.
        """
        weights = _add_weights(query)
        terms = list(weights)
        if query.minimum > len(terms):
            return None
        some = [(self._should, self._term(term, weight)) for term, weight in weights.items()]
        asked = self._queries.boolean_query(some, max(1, query.minimum))
        phrases: list[tuple[Sequence[str], int]] = []
        if len(terms) > 1 and query.phrase_slop is not None:
            phrases.append((terms, query.phrase_slop))
        if query.pair_slop is not None:
            phrases += [(pair, query.pair_slop) for pair in pairwise(terms)]
        if not phrases:
            return asked
        worth = [
            (self._should, self._queries.phrase_query(self._schema, _TERMS, list(words), slop))
            for words, slop in phrases
        ]
        return self._queries.boolean_query([(self._must, asked), *worth])

    def _term(self, term: str, weight: float) -> tantivy.Query:
        query = self._queries.term_query(self._schema, _TERMS, term, "freq")
        return query if weight == 1 else self._queries.boost_query(query, weight)


def _refuse(error: ValueError, folder: str | None) -> InputError:
    where = Place("<memory>" if folder is None else os.fspath(Path(folder).parent))
    return InputError(where, f"the index cannot be written ({error})", "space for it")


def _count_kept(scores: Sequence[float], most: int) -> int:
    """Return how many of the first hits to keep: `most`, and all whose score equals the last of these."""
    if len(scores) <= most:
        return len(scores)
    least = scores[most - 1] - _NEAR * abs(scores[most - 1])
    return next((place for place in range(most, len(scores)) if scores[place] < least), len(scores))


def _add_weights(query: Query) -> dict[str, float]:
    """Return the weight of every distinct term, in order of appearance."""
    weights: dict[str, float] = {}
    for term, weight in zip(query.terms, query.weights or repeat(1.0, len(query.terms)), strict=True):
        weights[term] = weights.get(term, 0.0) + weight
    return weights


def _join_terms(number: int, terms: Sequence[str]) -> str:
    """Join the terms of a sentence with spaces, at which tantivy will cut them."""
    text = " ".join(terms)
    if len(text.split()) != len(terms):
        wrong = next(term for term in terms if term.split() != [term])
        msg = f"sentence {number} has the term {wrong!r}: a term has no white space, and is not empty"
        raise ValueError(msg)
    return text
