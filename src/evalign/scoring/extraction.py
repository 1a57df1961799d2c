"""Triples (start, end, label): the annotation of a document as labelled spans.

After Dridan and Oepen 2013, Figure 2. The labels are SENT for sentences, TOK for tokens and POS:tag for tags;
constituents and dependencies have their own labels. Triples of dependencies also have the span of the head.
Positions count characters of the raw text if it is given, else of the line, which has no white space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Literal, NamedTuple

import numpy as np

from evalign.alignment.places import NOWHERE
from evalign.alignment.raw_map import RawMap, RawSpans, map_raw
from evalign.document import PART, ROOT, Column, Document, IntArray, Trees
from evalign.errors import CommandError, rename_remarks
from evalign.options import ScoreOptions
from evalign.readers.display_names import name_inputs, rename
from evalign.readers.formats import read_source
from evalign.readers.raw_files import RawInput, read_raws
from evalign.scoring.reading import Input
from evalign.scoring.warnings import describe_missing
from evalign.ud_labels import UNFILLED

Kind = Literal["tag", "token", "constituent", "dependency", "sentence"]
SENTENCE, TOKEN, TAG = "SENT", "TOK", "POS:"
# Sentences whose triples are made at a time.
SENTENCES_AT_A_TIME = 2_048


class Triple(NamedTuple):
    """A labelled span; for a dependency, also the span of its head."""

    start: int
    end: int
    label: str
    head_start: int | None = None
    """Start of a dependency's head; None for the root and for other kinds."""
    head_end: int | None = None
    document: str = ""
    """Name of the raw file; empty unless there are several."""
    kind: Kind = "constituent"


class TripleLabels(NamedTuple):
    """The labels of a document by number; a label of two kinds has two numbers."""

    names: Sequence[str]
    """Per number, the label."""
    kinds: Sequence[Kind]
    """Per number, the kind of its triples."""
    bases: Mapping[Kind, int]
    """The first number of each kind."""


class Batch(NamedTuple):
    """Triples as columns: entry k of each array belongs to triple k."""

    starts: IntArray
    ends: IntArray
    labels: IntArray
    """Numbers of labels, as in `TripleLabels`."""
    head_starts: IntArray
    """Starts of heads; NOWHERE for triples without a head."""
    head_ends: IntArray
    files: IntArray
    """Numbers of the raw files."""


class Triples(list[Triple]):
    """A list of triples in text order, with the unit of their positions and with warnings."""

    positions: str
    """A phrase that names the unit of positions, such as "characters of raw.txt"."""
    warnings: tuple[str, ...]

    def __init__(self, extraction: Extraction) -> None:
        super().__init__(extraction)
        self.positions, self.warnings = extraction.positions, extraction.warnings


def triples(source: Input, *, raw: RawInput | None = None, format: str = "auto") -> Triples:
    """Return all triples of a file, an open file, a `Text` or a document, sentence by sentence.

    A sentence has, for each token, its tags and the token; then brackets in the order in which they open,
    dependencies in the order of the words, and the sentence itself. Spans without a place in the raw text are
    left out, and counted in `warnings`.

    >>> from evalign.text import Text
    >>> [triple[:3] for triple in triples([["Go", "on"]], raw=Text("Go  on"))]
    [(0, 2, 'TOK'), (4, 6, 'TOK'), (0, 6, 'SENT')]
    """
    return Triples(extract(source, raw=raw, format=format))


def extract(source: Input, *, raw: RawInput | None = None, format: str = "auto") -> Extraction:
    """Read a document and return its triples as an `Extraction`, which makes them when iterated over."""
    texts = () if raw is None else read_raws(raw)
    document = read_source(source, format, ScoreOptions(empty="keep"), raws=texts)
    if document.spans is not None:
        message = f"{document.name} is a stand-off table"
        raise CommandError(message, "trees, CoNLL-U or plain text", "a table of spans has its triples in it")
    name, *names = name_inputs([document], texts)
    document = rename(document, name)
    return Extraction(document, map_raw(document, texts.renamed(names)) if texts else None)


@dataclass(frozen=True, eq=False)
class Extraction:
    """The triples of a document, made one by one (iteration) or in batches (`batches`), and never kept."""

    document: Document
    raw: RawMap | None

    @property
    def positions(self) -> str:
        """A phrase that names the unit of positions, such as "characters of raw.txt"."""
        return "characters, white space aside" if self.raw is None else f"characters of {self.raw.raw.name}"

    @property
    def has_heads(self) -> bool:
        """True if any word has a head, so that there are dependencies."""
        columns = self.document.columns
        return columns is not None and bool((columns.parents >= ROOT).any())

    @cached_property
    def files(self) -> Sequence[str]:
        """Names of the raw files; empty unless there are at least two."""
        return () if self.raw is None or len(self.raw.raw.files) < 2 else self.raw.raw.files.names

    @cached_property
    def tags(self) -> Column | None:
        """The column of tags: XPOS (which trees fill too) if it is filled, else UPOS, else None."""
        columns = self.document.columns
        if columns is None:
            return None
        column = columns.xpos if columns.xpos.is_filled else columns.upos
        return column if column.is_filled else None

    @property
    def longest(self) -> int:
        """The largest position that a triple can have."""
        return len(self.document.line) if self.raw is None else int(self.raw.raw.files.lengths.max())

    @cached_property
    def labels(self) -> TripleLabels:
        """All labels that the triples may have, by number."""
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
        """Remarks of readers, and messages about spans that were left out or replaced.

        Reported are spans without a place in the raw text, UPOS used as tags, brackets that were split, and
        characters of the raw text that are in no token.
        """
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
        """Brackets, with discontinuous ones split into runs, as the span of a triple has no gaps."""
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
        """Yield all triples in text order."""
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
        """Yield all triples as columns, `size` sentences at a time, without an object for each triple."""
        for first in range(0, self.document.n_sentences, size):
            yield self._make(first, min(first + size, self.document.n_sentences))

    def _make(self, first: int, last: int) -> Batch:
        """Make the triples of sentences `first` to `last` (exclusive).

        They are ordered by sentence, then by kind, with tags before their token.
        """
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
        # The sort is stable: triples of equal rank stay in order, tags before their token.
        order = np.argsort(ranks, kind="stable")
        order = order[batch.starts[order] != NOWHERE]
        return Batch(*(column[order] for column in batch))

    def _place(self, spans: RawSpans, rows: IntArray, kind: Kind, ids: IntArray) -> Batch:
        """Make triples without heads from the `rows` of `spans`; `ids` are label numbers within the kind."""
        nowhere = np.full(len(rows), NOWHERE)
        starts, ends, files = (column[rows] for column in spans)
        return Batch(starts, ends, ids.astype(np.int64) + self.labels.bases[kind], nowhere, nowhere, files)

    def _make_tokens(self, cuts: IntArray) -> Iterator[_Part]:
        """Make the triples of tags and of tokens."""
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
        """Make the triples of brackets, in the order in which they open."""
        trees = self._trees
        if trees is None:
            return
        bounds = np.searchsorted(trees.firsts, cuts)
        rows = np.arange(int(bounds[0]), int(bounds[-1]))
        batch = self._place(self._brackets, rows, "constituent", trees.labels.ids[rows])
        yield _Part(batch, _rank(np.repeat(np.arange(len(cuts) - 1), np.diff(bounds)), 1, cuts))

    def _make_arcs(self, cuts: IntArray) -> Iterator[_Part]:
        """Make the triples of dependencies, in the order of the dependents.

        Left out are words without a head, and those whose head has no place in the same raw file.
        """
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
    """Triples of one kind, with the ranks by which the triples of all kinds are sorted."""

    batch: Batch
    ranks: IntArray


def _rank(sentences: IntArray, place: int, cuts: IntArray) -> IntArray:
    """Return ranks that sort by sentence, then by `place` (the order of kinds).

    Ranks are far enough apart to add the index of a token.
    """
    return (4 * sentences.astype(np.int64) + place) * (int(cuts[-1] - cuts[0]) + 1)


def _on_line(starts: IntArray, ends: IntArray) -> RawSpans:
    return RawSpans(starts, ends, np.zeros(len(starts), np.int32))
