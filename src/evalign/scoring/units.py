"""Units: the stretches of gold that each row of counts is kept for, and the values of comments on them.

Units are documents, raw files, stretches of sentences between boundaries that all sides share, or single
sentences. `api` finds them for a whole text, `count` for a part. Rows of counts by unit are what significance
tests resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from evalign.alignment.alignment import Alignment
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.metrics.comparison import Units
from evalign.options import ScoreOptions
from evalign.scoring.request import MOST_UNITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap


def find_units(
    gold: Document,
    alignments: Sequence[Alignment],
    options: ScoreOptions,
    raw: RawMap | None = None,
    *,
    most: int = MOST_UNITS,
) -> Units:
    """Find the units of a whole text: gold's documents, else raw files, else stretches that all sides share.

    With `average="sentence"` they are gold's sentences; the printed algorithm has one unit. Neighbours among
    more than `most` stretches are merged.
    """
    if options.strategy == "printed":
        return Units("whole", np.zeros(1, np.int32), [gold.name])
    if options.average == "sentence":
        ids = gold.sentence_ids or [str(k + 1) for k in range(gold.n_sentences)]
        return Units("sentence", gold.sentences[:-1] if gold.n_sentences else np.zeros(1, np.int32), ids)
    documents = find_documents(gold, raw)
    if len(documents):
        firsts, index = np.unique(documents.sentences, return_index=True)
        names: Sequence[str] = documents.names
        if len(firsts) < len(names):
            names = [names[k] for k in index.tolist()]
        if firsts[0]:
            firsts, names = np.append(0, firsts), ["", *names]
        return Units("document", gold.sentences[firsts], names)
    if options.average == "document":
        return Units("document", np.zeros(1, np.int32), [gold.name])
    return _stretches(gold, alignments, most)


def find_documents(gold: Document, raw: RawMap | None) -> Breaks:
    """Return where gold's documents begin, and their names; if gold marks none, those of the raw files."""
    return gold.documents if len(gold.documents) or raw is None else raw.breaks or gold.documents


def _stretches(gold: Document, alignments: Sequence[Alignment], most: int) -> Units:
    starts = find_stretches(gold, alignments)
    merged = count_merged(len(starts), most)
    starts = starts[::merged]
    return Units("stretch", gold.sentences[starts], name_stretches(starts), merged)


def find_stretches(gold: Document, alignments: Sequence[Alignment]) -> IntArray:
    """Return the gold sentences that begin at a sentence boundary of every system too, counted from 0.

    The first is always 0.
    """
    shared: IntArray = alignments[0].blocks.gold
    for alignment in alignments[1:]:
        shared = np.intersect1d(shared, alignment.blocks.gold)
    return distinct(np.append(0, shared[shared < gold.n_sentences]))


def count_merged(stretches: int, most: int = MOST_UNITS) -> int:
    """Return how many stretches make one unit: the smallest power of 2 that gives at most `most` units.

    >>> count_merged(7), count_merged(MOST_UNITS + 1), count_merged(5 * MOST_UNITS)
    (1, 2, 8)
    """
    merged = 1
    while stretches > merged * most:
        merged *= 2
    return merged


def name_stretches(starts: IntArray) -> list[str]:
    """Name stretches by their first sentences; `starts` counts sentences from 0, names count from 1."""
    return [f"from sentence {k + 1}" for k in starts.tolist()]


NAME = "newdoc id"


class UnitFields(Mapping[str, Sequence[str]]):
    """The values that comments of gold give for each unit, by key; looked up on first access.

    They are the comments above the first sentences of documents. Where units are sentences, each has the
    values of its document, and the document's name as `newdoc id`.
    """

    def __init__(self, gold: Document, documents: Breaks, units: Units) -> None:
        self._gold, self._documents, self._units = gold, documents, units

    def __reduce__(self) -> tuple[type, tuple[dict[str, list[str]]]]:
        """Pickle the values as a dict, without the document."""
        return dict, (self._values,)

    def __getitem__(self, key: str) -> Sequence[str]:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        # Imported late: every run makes this object, but few use its values.
        from evalign.metrics.errors.sentence_groups import LONGEST_VALUE, MOST_FIELDS, document_fields

        gold, units = self._gold, self._units
        if units.kind not in ("document", "sentence") or not len(self._documents):
            return {}
        firsts = self._documents.sentences
        sentences = np.searchsorted(gold.sentences, units.tokens)
        # Per unit the document that it is or is in; -1 for sentences before the first document.
        owners = (np.searchsorted(firsts, sentences, side="right") - 1).tolist()
        begins = [int(firsts[owner]) if owner >= 0 else 0 for owner in owners]
        fields = {}
        if units.kind == "sentence":
            fields[NAME] = [self._documents.names[owner] if owner >= 0 else "" for owner in owners]
        for key in document_fields(gold, firsts.tolist())[:MOST_FIELDS]:
            values = gold.comments.values(key) if gold.comments is not None else {}
            if all(len(value) <= LONGEST_VALUE for value in values.values()):
                fields[key] = [values.get(begin, "") for begin in begins]
        return fields
