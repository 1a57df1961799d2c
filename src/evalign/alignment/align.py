"""The entry to alignment: at once where two lines are equal, otherwise character by character.

`align_documents` is called by scoring and by the map to raw text. It is a module of its own so that equal
lines load little of the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalign.alignment.alignment import Alignment, PlacedDocument, count_equal_line
from evalign.alignment.places import equal_places
from evalign.document import Document


class PartContext(NamedTuple):
    """Settings that the parts of two texts share if the lines of the whole texts differ."""

    window: int | None = None
    """How far away displaced text is searched for, in characters; None: everywhere."""
    swap: bool | None = None
    """True if the system line comes first (`character_alignment.comes_later`); None: the part itself
    decides."""


def align_documents(
    gold: Document,
    system: Document,
    *,
    normalize: Sequence[str] = (),
    exceptions: Mapping[str, str] | None = None,
    differing: PartContext | None = None,
) -> Alignment:
    """Align two documents and return where each stands in shared places.

    Lines that are equal need no work; otherwise notation is normalised, and characters are aligned if that
    does not make the lines equal. `normalize` names rules as in `choose_rules`. `exceptions` maps tokens to
    the words they stand for. `differing` is given for parts of two texts whose lines differ: notation is then
    normalised in every part, even where the lines of the part are equal.
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
