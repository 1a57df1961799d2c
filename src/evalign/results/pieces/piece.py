"""What a part of a text brings along of its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from evalign.document import IntArray
from evalign.metrics import CountTable, Mismatch
from evalign.metrics.errors import NO_SLOTS, Cell, Charges, Grouped, MetricMarks, Passage


class Wanted(NamedTuple):
    """What a joiner still has use for: a part need not bring more. It never has use for more than it had."""

    width: int = NO_SLOTS
    """Passages are chosen in slots of this width at least."""
    by_unit: bool = True
    """Whether labels are counted by unit."""
    complete: frozenset[str] = frozenset()
    """Metrics of which all errors that are kept have been found."""


class Edges(NamedTuple):
    """The first and the last tokens, or words, of a part: context of errors in its neighbours."""

    first: Sequence[str]
    last: Sequence[str]


class KeptError(NamedTuple):
    """An error, the row of tokens or words it stands in, and how many of these its context lacks before and behind."""

    mismatch: Mismatch
    row: str
    """"gold", "system", or "words" of gold."""
    lacking: tuple[int, int]


class MetricErrors(NamedTuple):
    """The errors of a metric: how many of each kind, and the first ones."""

    kinds: Mapping[str, int]
    first: Sequence[KeptError]


class HashedTotals(NamedTuple):
    """How often there is each label, by its hash, in the order in which labels first appear."""

    hashes: IntArray
    counts: IntArray


class MetricCells(NamedTuple):
    """The cells of a metric, in the order in which they first appear, and how many gold words have each label."""

    cells: Sequence[Cell]
    counts: Sequence[int]
    totals: HashedTotals | Mapping[str, int]
    """Of features by the whole of FEATS, for words are counted that have some of them; of all else by hash."""


class FormRows(NamedTuple):
    """Tokens by unit and hash of their form: correct, gold, system."""

    units: IntArray
    hashes: IntArray
    rows: CountTable


class CommentRows(NamedTuple):
    """Sentences by what a comment says of them, and whether it stands above some that begin no document."""

    grouped: Grouped
    is_inside: bool
    """Above one that is not the first of the part."""
    is_first: bool
    """Above the first of the part, which begins no document, unless it begins the text."""


class SentencePiece(NamedTuple):
    """Sentences by length and by comments that were asked for."""

    length: Grouped | None
    comments: Mapping[str, CommentRows]
    """Of those that were asked for, the ones that the part has."""
    ungrouped: Grouped | None
    """All sentences without a value, where there may be a comment that the part has not."""
    asked: tuple[str, ...]
    has_documents: bool
    """Whether units are documents, or a document begins here."""
    are_documents: bool
    """Whether units are documents."""


class PassagePiece(NamedTuple):
    """How many passages there are, and those that may be among the `most` chosen of the whole, by slots of a width."""

    total: int
    width: int
    most: int | None
    candidates: Sequence[Passage]


class PieceColumns(NamedTuple):
    """Which columns were taken for there, and which are: whether words of a side have something in them."""

    taken: frozenset[str]
    gold: frozenset[str] | None
    """None where there is no word."""
    system: frozenset[str] | None


@dataclass(frozen=True, slots=True, eq=False)
class EvidencePiece:
    """Evidence of a part of a text; units count from its beginning, positions from the beginning of the text."""

    columns: PieceColumns
    edges: Mapping[str, Edges]
    errors: Mapping[str, MetricErrors]
    cells: Mapping[str, MetricCells]
    labels: Mapping[str, Grouped]
    """By kind of breakdown, frequencies aside."""
    forms: FormRows | None
    are_by_unit: bool
    """Whether labels and forms were counted by unit; else all are in unit 0."""
    groups: SentencePiece
    passages: PassagePiece
    marks: Mapping[str, MetricMarks]
    charges: tuple[str, Charges] | None
    has_multiword: bool
    """Whether words are not simply the tokens; else those errors of words are left out that tokens have too."""


def hash_texts(texts: Sequence[str]) -> IntArray:
    """A number for each of some texts, the same in every process.

    Of a million different texts two have the same with a chance of one in forty million.
    """
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(digests, np.dtype("<i8")).astype(np.int64)
