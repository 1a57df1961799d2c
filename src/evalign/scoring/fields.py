"""What comments of gold say of the units of a result: what it can be split by without counting again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from evalign.document import Breaks, Document
from evalign.metrics import Units

NAME = "newdoc id"


class UnitFields(Mapping[str, Sequence[str]]):
    """What comments say of the units: looked for when it is asked for.

    Where units are sentences, each has what its document has, and its document's name as `newdoc id`.
    """

    def __init__(self, gold: Document, documents: Breaks, units: Units) -> None:
        self._gold, self._documents, self._units = gold, documents, units

    def __reduce__(self) -> tuple[type, tuple[dict[str, list[str]]]]:
        """What is sent elsewhere is what was found, without the text."""
        return dict, (self._found,)

    def __getitem__(self, key: str) -> Sequence[str]:
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

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
        found = {}
        if units.kind == "sentence":
            found[NAME] = [self._documents.names[owner] if owner >= 0 else "" for owner in owners]
        for key in document_fields(gold, firsts.tolist())[:MOST_FIELDS]:
            values = gold.comments.values(key) if gold.comments is not None else {}
            if all(len(value) <= LONGEST_VALUE for value in values.values()):
                found[key] = [values.get(begin, "") for begin in begins]
        return found
