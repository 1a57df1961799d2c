"""Triples: all that a document says of its text as labelled spans (Dridan and Oepen 2013, Figure 2).

    SENT  TOK  POS:tag  constituents by their labels  dependencies by theirs, with the span of the head

Positions lie between characters: of the raw text where that is given, else of the line, which has no white space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Literal, NamedTuple

import numpy as np

from evalign.alignment import NOWHERE, RawMap, RawSpans, map_raw
from evalign.document import PART, ROOT, Column, Document, IntArray, Trees
from evalign.errors import CommandError, rename_remarks
from evalign.readers import RawInput, name_inputs, read_raws, read_source, rename
from evalign.scoring.warnings import describe_missing
from evalign.ud_labels import UNFILLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring.api import Input

Kind = Literal["tag", "token", "constituent", "dependency", "sentence"]
SENTENCE, TOKEN, TAG = "SENT", "TOK", "POS:"
# Sentences that are made into triples at a time.
SENTENCES_AT_A_TIME = 2_048


class Triple(NamedTuple):
    """A span and what it is."""

    start: int
    end: int
    label: str
    head_start: int | None = None
    """Of a dependency the span of the head; the root has none."""
    head_end: int | None = None
    document: str = ""
    """The raw file, where there are several."""
    kind: Kind = "constituent"


class TripleLabels(NamedTuple):
    """All labels of a document, numbered; a label of two kinds has two numbers."""

    names: Sequence[str]
    kinds: Sequence[Kind]
    bases: Mapping[Kind, int]
    """The number that each kind begins with."""


class Batch(NamedTuple):
    """Triples in columns."""

    starts: IntArray
    ends: IntArray
    labels: IntArray
    """Numbers of `TripleLabels`."""
    head_starts: IntArray
    """NOWHERE where there is no head."""
    head_ends: IntArray
    files: IntArray


class Triples(list[Triple]):
    """Triples in the order of the text, and what to know of them."""

    positions: str
    """What positions count."""
    warnings: tuple[str, ...]

    def __init__(self, extraction: Extraction) -> None:
        super().__init__(extraction)
        self.positions, self.warnings = extraction.positions, extraction.warnings


def triples(source: Input, *, raw: RawInput | None = None, format: str = "auto") -> Triples:
    """All triples of a file, an open file, a `Text` or a document, sentence by sentence.

    In a sentence: for each token its tags and itself, then brackets in the order in which they open, dependencies in
    the order of the words, and the sentence. What has no place in the raw text is left out, and counted in `warnings`.

    >>> from evalign.text import Text
    >>> [triple[:3] for triple in triples([["Go", "on"]], raw=Text("Go  on"))]
    [(0, 2, 'TOK'), (4, 6, 'TOK'), (0, 6, 'SENT')]
    """
    return Triples(extract(source, raw=raw, format=format))


def extract(source: Input, *, raw: RawInput | None = None, format: str = "auto") -> Extraction:
    """The same, one after the other: nothing is kept."""
    texts = () if raw is None else read_raws(raw)
    document = read_source(source, format, empty="keep", raws=texts)
    if document.spans is not None:
        message = f"{document.name} is a stand-off table"
        raise CommandError(message, "trees, CoNLL-U or plain text", "a table of spans has its triples in it")
    name, *names = name_inputs([document], texts)
    document = rename(document, name)
    return Extraction(document, map_raw(document, texts.renamed(names)) if texts else None)


@dataclass(frozen=True, eq=False)
class Extraction:
    """A document and its raw text, if there is one, to make triples of."""

    document: Document
    raw: RawMap | None

    @property
    def positions(self) -> str:
        """What positions count, in words."""
        return "characters, white space aside" if self.raw is None else f"characters of {self.raw.raw.name}"

    @property
    def has_heads(self) -> bool:
        """Whether there are dependencies."""
        columns = self.document.columns
        return columns is not None and bool((columns.parents >= ROOT).any())

    @cached_property
    def files(self) -> Sequence[str]:
        """Names of the raw files; nothing if there is one, or none."""
        return () if self.raw is None or len(self.raw.raw.files) < 2 else self.raw.raw.files.names

    @cached_property
    def tags(self) -> Column | None:
        """The tags: XPOS, which is what trees have, or else UPOS."""
        columns = self.document.columns
        if columns is None:
            return None
        column = columns.xpos if columns.xpos.is_filled else columns.upos
        return column if column.is_filled else None

    @property
    def longest(self) -> int:
        """The last position there is."""
        return len(self.document.line) if self.raw is None else int(self.raw.raw.files.lengths.max())

    @cached_property
    def labels(self) -> TripleLabels:
        """All labels there may be, by the numbers that batches have for them."""
        names = [SENTENCE, TOKEN]
        kinds: list[Kind] = ["sentence", "token"]
        bases: dict[Kind, int] = {"sentence": 0, "token": 1}
        columns, trees = self.document.columns, self._trees
        parts: list[tuple[Kind, Sequence[str]]] = [
            ("tag", [TAG + label for label in self.tags.labels] if self.tags else ()),
            ("constituent", trees.labels.labels if trees else ()),
            ("dependency", columns.deprel.labels if columns is not None and self.has_heads else ()),
        ]
        for kind, labels in parts:
            bases[kind] = len(names)
            names += labels
            kinds += [kind] * len(labels)
        return TripleLabels(names, kinds, bases)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was tolerated, and what is not there."""
        document, raw, columns = self.document, self.raw, self.document.columns
        messages = [str(remark) for remark in (*document.remarks, *(raw.remarks if raw else ()))]
        if columns is not None and self.has_heads:
            messages += map(str, rename_remarks(columns.tree_remarks, document.name))
        if columns is not None and self.tags is not None and not columns.xpos.is_filled:
            messages.append(f"{document.name}: no word has XPOS: tags are UPOS")
        if document.trees is not None and document.trees.runs:
            counted = f"discontinuous brackets: {len(document.trees.runs):,}"
            messages.append(
                f"{document.name}: {counted}, a triple for each of their runs, with {PART} behind the label"
            )
        if raw is None:
            return tuple(messages)
        spans = (self._tokens, self._sentences, self._brackets)
        lost = [int((part.starts == NOWHERE).sum()) for part in spans]
        if any(lost):
            counted = f"tokens {lost[0]:,}, sentences {lost[1]:,}, brackets {lost[2]:,}"
            first = (
                document.place_of(int(np.flatnonzero(self._tokens.starts == NOWHERE)[0])) if lost[0] else ""
            )
            where = f", the first at {first}" if first else ""
            messages.append(
                f"{raw.raw.name}: left out, having no place in it: {counted} of {document.name}{where}"
            )
        messages += describe_missing(document, raw)
        if raw.n_extra:
            whole = len(raw.raw.line)
            messages.append(
                f"{raw.raw.name}: {raw.n_extra:,} of {whole:,} characters are in no token of {document.name}"
            )
        return tuple(messages)

    @cached_property
    def _tokens(self) -> RawSpans:
        cuts = self.document.cuts
        return _on_line(cuts[:-1], cuts[1:]) if self.raw is None else self.raw.token_spans

    @cached_property
    def _sentences(self) -> RawSpans:
        cuts = self.document.sentence_cuts
        return _on_line(cuts[:-1], cuts[1:]) if self.raw is None else self.raw.sentence_spans

    @cached_property
    def _trees(self) -> Trees | None:
        """Brackets, of a discontinuous one its runs: a triple is one stretch."""
        return self.document.trees and self.document.trees.split()

    @cached_property
    def _brackets(self) -> RawSpans:
        trees, cuts = self._trees, self.document.cuts
        if trees is None:
            return _on_line(cuts[:0], cuts[:0])
        if self.raw is None:
            return _on_line(cuts[trees.firsts], cuts[trees.lasts])
        return self.raw.spans_over(trees.firsts, trees.lasts)

    def __iter__(self) -> Iterator[Triple]:
        """All triples."""
        names, kinds, _ = self.labels
        files = self.files
        for batch in self.batches():
            heads = [
                [None if place == NOWHERE else place for place in column.tolist()]
                for column in (batch.head_starts, batch.head_ends)
            ]
            labels = batch.labels.tolist()
            documents = [files[k] for k in batch.files.tolist()] if files else repeat("")
            yield from map(
                Triple,
                batch.starts.tolist(),
                batch.ends.tolist(),
                map(names.__getitem__, labels),
                *heads,
                documents,
                map(kinds.__getitem__, labels),
            )

    def batches(self, size: int = SENTENCES_AT_A_TIME) -> Iterator[Batch]:
        """All triples, `size` sentences at a time: for who does not want each as an object."""
        for first in range(0, self.document.n_sentences, size):
            yield self._make(first, min(first + size, self.document.n_sentences))

    def _make(self, first: int, last: int) -> Batch:
        """The triples of the sentences from `first` up to `last`: sentence by sentence, kind by kind, tags with tokens."""
        cuts = self.document.sentences[first : last + 1]
        sentences = np.arange(first, last)
        whole = self._place(self._sentences, sentences, "sentence", np.zeros(last - first, np.int32))
        parts = [
            *self._make_tokens(cuts),
            *self._make_brackets(cuts),
            *self._make_arcs(cuts),
            _Part(whole, _rank(sentences - first, 3, cuts)),
        ]
        ranks = np.concatenate([part.ranks for part in parts])
        columns = zip(*(part.batch for part in parts), strict=True)
        batch = Batch(*map(np.concatenate, columns))
        # Stable: what has one rank stays as it came, tags before their token.
        order = np.argsort(ranks, kind="stable")
        order = order[batch.starts[order] != NOWHERE]
        return Batch(*(column[order] for column in batch))

    def _place(self, spans: RawSpans, rows: IntArray, kind: Kind, ids: IntArray) -> Batch:
        """Triples without a head: some of the spans with the labels that a column has for them."""
        nowhere = np.full(len(rows), NOWHERE)
        starts, ends, files = (column[rows] for column in spans)
        return Batch(starts, ends, ids.astype(np.int64) + self.labels.bases[kind], nowhere, nowhere, files)

    def _make_tokens(self, cuts: IntArray) -> Iterator[_Part]:
        """Tags of words, and tokens."""
        first, last = int(cuts[0]), int(cuts[-1])
        tokens = np.arange(first, last)
        sentence_of = np.repeat(np.arange(len(cuts) - 1), np.diff(cuts))
        if self.tags is not None:
            bounds = self.document.word_cuts(np.arange(first, last + 1))
            ids = self.tags.ids[bounds[0] : bounds[-1]]
            filled = np.array([label != UNFILLED for label in self.tags.labels], bool)[ids]
            owners = np.repeat(tokens, np.diff(bounds))[filled]
            tags = self._place(self._tokens, owners, "tag", ids[filled])
            yield _Part(tags, _rank(sentence_of[owners - first], 0, cuts) + owners - first)
        batch = self._place(self._tokens, tokens, "token", np.zeros(last - first, np.int32))
        yield _Part(batch, _rank(sentence_of, 0, cuts) + tokens - first)

    def _make_brackets(self, cuts: IntArray) -> Iterator[_Part]:
        """Brackets, as they open."""
        trees = self._trees
        if trees is None:
            return
        bounds = np.searchsorted(trees.firsts, cuts)
        rows = np.arange(int(bounds[0]), int(bounds[-1]))
        batch = self._place(self._brackets, rows, "constituent", trees.labels.ids[rows])
        yield _Part(batch, _rank(np.repeat(np.arange(len(cuts) - 1), np.diff(bounds)), 1, cuts))

    def _make_arcs(self, cuts: IntArray) -> Iterator[_Part]:
        """Dependencies, by dependents: those whose head has a place in the same file. A word without a head has none."""
        columns, words = self.document.columns, self.document.words
        if columns is None or not self.has_heads:
            return
        bounds = self.document.word_cuts(cuts)
        dependents = np.arange(int(bounds[0]), int(bounds[-1]))
        heads = columns.parents[dependents]
        tokens, above = (rows if words is None else words.tokens[rows] for rows in (dependents, heads))
        batch = self._place(self._tokens, tokens, "dependency", columns.deprel.ids[dependents])
        of_heads = self._place(self._tokens, above, "dependency", columns.deprel.ids[dependents])
        hangs = (heads > ROOT) & (of_heads.starts != NOWHERE) & (of_heads.files == batch.files)
        batch = batch._replace(
            head_starts=np.where(hangs, of_heads.starts, NOWHERE),
            head_ends=np.where(hangs, of_heads.ends, NOWHERE),
        )
        kept = np.flatnonzero(hangs | (heads == ROOT))
        sentence_of = np.repeat(np.arange(len(cuts) - 1), np.diff(bounds))
        yield _Part(Batch(*(column[kept] for column in batch)), _rank(sentence_of[kept], 2, cuts))


class _Part(NamedTuple):
    """Triples of one kind, and their ranks among all."""

    batch: Batch
    ranks: IntArray


def _rank(sentences: IntArray, place: int, cuts: IntArray) -> IntArray:
    """Ranks by sentence and then by the place of a kind, with room for the tokens in between."""
    return (4 * sentences.astype(np.int64) + place) * (int(cuts[-1] - cuts[0]) + 1)


def _on_line(starts: IntArray, ends: IntArray) -> RawSpans:
    return RawSpans(starts, ends, np.zeros(len(starts), np.int32))
