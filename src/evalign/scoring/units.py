"""What counts are kept by (documents, stretches, sentences), and what comments of gold say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from evalign.alignment import Alignment
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.metrics import Units
from evalign.scoring.request import MOST_UNITS, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment import RawMap


def find_units(
    gold: Document, alignments: Sequence[Alignment], settings: Settings, raw: RawMap | None = None
) -> Units:
    """What counts are kept by: gold documents, else raw files, else stretches that gold and every system share."""
    if settings.strategy == "printed":
        return Units("whole", np.zeros(1, np.int32), [gold.name])
    if settings.average == "sentence":
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
    if settings.average == "document":
        return Units("document", np.zeros(1, np.int32), [gold.name])
    return _stretches(gold, alignments, settings.most_units)


def find_documents(gold: Document, raw: RawMap | None) -> Breaks:
    """Gold's documents; where it names none, the raw files."""
    return gold.documents if len(gold.documents) or raw is None else raw.breaks or gold.documents


def _stretches(gold: Document, alignments: Sequence[Alignment], most: int) -> Units:
    starts = find_stretches(gold, alignments)
    merged = count_merged(len(starts), most)
    starts = starts[::merged]
    return Units("stretch", gold.sentences[starts], name_stretches(starts), merged)


def find_stretches(gold: Document, alignments: Sequence[Alignment]) -> IntArray:
    """The gold sentences at which gold and every system have a boundary in common, from 0."""
    shared: IntArray = alignments[0].blocks.gold
    for alignment in alignments[1:]:
        shared = np.intersect1d(shared, alignment.blocks.gold)
    return distinct(np.append(0, shared[shared < gold.n_sentences]))


def count_merged(stretches: int, most: int = MOST_UNITS) -> int:
    """How many stretches make one unit, so that there are at most so many.

    >>> count_merged(7), count_merged(MOST_UNITS + 1), count_merged(5 * MOST_UNITS)
    (1, 2, 8)
    """
    merged = 1
    while stretches > merged * most:
        merged *= 2
    return merged


def name_stretches(starts: IntArray) -> list[str]:
    """Names of stretches by their first sentences, counted from 0."""
    return [f"from sentence {k + 1}" for k in starts.tolist()]


NAME = "newdoc id"


class UnitFields(Mapping[str, Sequence[str]]):
    """What comments say of the units: looked for when it is asked for.

    Where units are sentences, each has what its document has, and its document's name as `newdoc id`.
    """

    def __init__(self, gold: Document, documents: Breaks, units: Units) -> None:
        self._gold, self._documents, self._units = gold, documents, units

    def __reduce__(self) -> tuple[type, tuple[dict[str, list[str]]]]:
        """What is sent elsewhere is what was found, without the text."""
        return dict, (self._values,)

    def __getitem__(self, key: str) -> Sequence[str]:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @cached_property
    def _found(self) -> dict[str, list[str]]:
        # Most runs never ask, and all of them make one of these.
        from evalign.metrics.errors import LONGEST_VALUE, MOST_FIELDS, document_fields

        gold, units = self._gold, self._units
        if units.kind not in ("document", "sentence") or not len(self._documents):
            return {}
        firsts = self._documents.sentences
        sentences = np.searchsorted(gold.sentences, units.tokens)
        # The document that each unit is in or is; before the first one there may be sentences of none.
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
