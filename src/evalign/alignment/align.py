"""Two documents aligned: at once where their lines are equal, else character by character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalign.alignment.alignment import Alignment, PlacedDocument, count_equal_line
from evalign.alignment.places import equal_places
from evalign.document import Document


class PartContext(NamedTuple):
    """What the whole of two differing texts says of its parts."""

    window: int | None = None
    """How far away text that was displaced is looked for, in characters."""
    swap: bool | None = None
    """Which line comes first (`character_alignment.comes_later`); None: as the part itself says."""


def align_documents(
    gold: Document,
    system: Document,
    *,
    normalize: Sequence[str] = (),
    exceptions: Mapping[str, str] | None = None,
    differing: PartContext | None = None,
) -> Alignment:
    """Bring two documents into shared places, doing no more than their lines need.

    Documents that are parts of two whose lines differ are told so: notation is then made equal in all parts.
    """
    equal = differing is None and gold.line == system.line
    if normalize or not equal:
        # Most of the package is for lines that differ, and is loaded only for them.
        from evalign.alignment.normalize import choose_rules

        rules = choose_rules(normalize)
    if not equal:
        from evalign.alignment.align_differing import align_differing

        return align_differing(
            gold, system, rules, exceptions or {}, **(differing or PartContext())._asdict()
        )
    sides = (
        PlacedDocument(gold, gold, equal_places(gold)),
        PlacedDocument(system, system, equal_places(system)),
    )
    return Alignment(*sides, len(gold.line), count_equal_line(gold.line))
