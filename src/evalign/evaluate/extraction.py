"""Triples: all that a document says of its text as labelled spans (Dridan and Oepen 2013, Figure 2).

    SENT  TOK  POS:tag  constituents by their labels  dependencies by theirs, with the span of the head

Positions lie between characters: of the raw text where that is given, else of the line, which has no white space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Literal, NamedTuple

import numpy as np

from evalign.alignment.places import NOWHERE
from evalign.alignment.raw import RawMap, RawSpans, map_raw
from evalign.document import PART, ROOT, Column, Document, IntArray, Trees
from evalign.errors import CommandError
from evalign.labels import UNFILLED
from evalign.readers import read_source
from evalign.readers.raw import RawInput, read_raws

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.evaluate import Input

Kind = Literal["tag", "token", "constituent", "dependency", "sentence"]
SENTENCE, TOKEN, TAG = "SENT", "TOK", "POS:"
# Sentences that are made into triples at a time.
_AT_A_TIME = 2_048


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
    document = read_source(
        source, format, empty="keep", raws=() if raw is None else (texts := read_raws(raw))
    )
    if document.spans is not None:
        message = f"{document.name} is a stand-off table"
        raise CommandError(message, "trees, CoNLL-U or plain text", "a table of spans has its triples in it")
    return Extraction(document, None if raw is None else map_raw(document, texts))


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
        """Names of the raw files, as short as they can be told apart; nothing if there is one, or none."""
        if self.raw is None or len(self.raw.raw.files) < 2:
            return ()
        names = self.raw.raw.files.names
        short = [PurePath(name).name for name in names]
        return short if len(set(short)) == len(short) else names

    @cached_property
    def tags(self) -> Column | None:
        """The tags: XPOS, which is what trees have, or else UPOS."""
        columns = self.document.columns
        if columns is None:
            return None
        found = columns.xpos if columns.xpos.is_filled else columns.upos
        return found if found.is_filled else None

    @property
    def longest(self) -> int:
        """The last position there is."""
        return len(self.document.line) if self.raw is None else int(self.raw.raw.files.lengths.max())

    @property
    def labels(self) -> Iterator[str]:
        """The labels there are, each once or more."""
        yield from (SENTENCE, TOKEN)
        if self.tags is not None:
            yield from (TAG + label for label in self.tags.labels)
        if self._trees is not None:
            yield from self._trees.labels.labels
        if self.document.columns is not None and self.has_heads:
            yield from self.document.columns.deprel.labels

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was tolerated, and what is not there."""
        document, raw, columns = self.document, self.raw, self.document.columns
        messages = [str(remark) for remark in (*document.remarks, *(raw.remarks if raw else ()))]
        if columns is not None and self.has_heads:
            messages += map(str, columns.tree_remarks)
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
            messages.append(f"{raw.raw.name}: left out, having no place in it: {counted} of {document.name}")
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
        for first in range(0, self.document.n_sentences, _AT_A_TIME):
            yield from self._make(first, min(first + _AT_A_TIME, self.document.n_sentences))

    def _make(self, first: int, last: int) -> Iterator[Triple]:
        """The triples of the sentences from `first` up to `last`."""
        cuts = self.document.sentences[first : last + 1]
        of_tokens = self._make_tokens(cuts)
        of_brackets, of_arcs = self._make_brackets(cuts), self._make_arcs(cuts)
        for sentence in _part(self._sentences, first, last):
            for rows in (of_tokens, of_brackets, of_arcs):
                yield from next(rows)
            yield from self._placed([(sentence, SENTENCE, "sentence")])

    def _placed(self, rows: Sequence[tuple[_Row, str, Kind]]) -> Iterator[Triple]:
        """Triples of the rows that have a place."""
        files = self.files
        for (start, end, file), label, kind in rows:
            if start != NOWHERE:
                yield Triple(start, end, label, None, None, files[file] if files else "", kind)

    def _make_tokens(self, cuts: IntArray) -> Iterator[Iterator[Triple]]:
        """Per sentence its tokens, each after its tags."""
        first, last = int(cuts[0]), int(cuts[-1])
        spans = _part(self._tokens, first, last)
        tags = self._tag_tokens(first, last)
        for a, b in _pairs(cuts - first):
            rows: list[tuple[_Row, str, Kind]] = []
            for span, tagged in zip(spans[a:b], tags[a:b], strict=True):
                rows += [(span, tag, "tag") for tag in tagged]
                rows.append((span, TOKEN, "token"))
            yield self._placed(rows)

    def _tag_tokens(self, first: int, last: int) -> list[list[str]]:
        """Per token the tags of its words, as labels."""
        if self.tags is None:
            return [[]] * (last - first)
        labels = [TAG + label if label != UNFILLED else "" for label in self.tags.labels]
        cuts = self.document.word_cuts(np.arange(first, last + 1))
        ids = self.tags.ids[cuts[0] : cuts[-1]].tolist()
        return [[labels[k] for k in ids[a:b] if labels[k]] for a, b in _pairs(cuts - cuts[0])]

    def _make_brackets(self, cuts: IntArray) -> Iterator[Iterator[Triple]]:
        """Per sentence its brackets, as they open."""
        trees = self._trees
        if trees is None:
            yield from (iter(()) for _ in cuts[1:])
            return
        rows = np.searchsorted(trees.firsts, cuts)
        first, last = int(rows[0]), int(rows[-1])
        spans, names = _part(self._brackets, first, last), trees.labels.labels
        ids = trees.labels.ids[first:last].tolist()
        for a, b in _pairs(rows - first):
            yield self._placed([(spans[k], names[ids[k]], "constituent") for k in range(a, b)])

    def _make_arcs(self, cuts: IntArray) -> Iterator[Iterator[Triple]]:
        """Per sentence its dependencies, by dependents. A word without a head has none."""
        columns = self.document.columns
        if columns is None or not self.has_heads:
            yield from (iter(()) for _ in cuts[1:])
            return
        bounds = self.document.word_cuts(cuts)
        first, last = int(bounds[0]), int(bounds[-1])
        words = self.document.words
        tokens = np.arange(first, last) if words is None else words.tokens[first:last]
        spans = _rows(*(column[tokens] for column in self._tokens))
        heads, names = columns.parents[first:last].tolist(), columns.deprel.labels
        ids = columns.deprel.ids[first:last].tolist()
        for a, b in _pairs(bounds - first):
            yield self._hang([(spans[k], names[ids[k]], heads[k]) for k in range(a, b)], spans, first)

    def _hang(
        self, rows: Sequence[tuple[_Row, str, int]], spans: Sequence[_Row], first: int
    ) -> Iterator[Triple]:
        """Dependencies whose dependent and head have places in one file."""
        for (start, end, file), label, head in rows:
            if start == NOWHERE or head < ROOT:
                continue
            document = self.files[file] if self.files else ""
            if head == ROOT:
                yield Triple(start, end, label, None, None, document, "dependency")
                continue
            head_start, head_end, head_file = spans[head - first]
            if head_start != NOWHERE and head_file == file:
                yield Triple(start, end, label, head_start, head_end, document, "dependency")


_Row = tuple[int, int, int]


def _on_line(starts: IntArray, ends: IntArray) -> RawSpans:
    return RawSpans(starts, ends, np.zeros(len(starts), np.int32))


def _part(spans: RawSpans, first: int, last: int) -> list[_Row]:
    return _rows(*(column[first:last] for column in spans))


def _rows(starts: IntArray, ends: IntArray, files: IntArray) -> list[_Row]:
    return list(zip(starts.tolist(), ends.tolist(), files.tolist(), strict=True))


def _pairs(cuts: IntArray) -> Iterator[tuple[int, int]]:
    return zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
