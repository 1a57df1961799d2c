"""The entry to alignment: at once where two lines are equal, otherwise character by character.

`align_documents` is called by scoring and by the map to raw text. It is a module of its own so that equal
lines load little of the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalign.alignment.alignment import Alignment, PlacedDocument, count_equal_line
from evalign.alignment.places import equal_places
from evalign.document import Document


def align_documents(
    gold: Document,
    system: Document,
    *,
    normalize: Sequence[str] = (),
    exceptions: Mapping[str, str] | None = None,
    differs: bool = False,
    window: int | None = None,
    swap: bool | None = None,
) -> Alignment:
    """Align two documents and return where each stands in shared places.

    Lines that are equal need no work; otherwise notation is normalised, and characters are aligned if that
    does not make the lines equal. `normalize` names rules as in `choose_rules`. `exceptions` maps tokens to
    the words they stand for. `differs` is true for parts of two texts whose lines differ: notation is then
    normalised in every part, even where the lines of the part are equal. `window` and `swap` are those of
    `align_characters`.
    """
    equal = not differs and gold.line == system.line
    if normalize or not equal:
        # Most of the package is for lines that differ, and is loaded only for them.
        from evalign.alignment.normalize import choose_rules

        rules = choose_rules(normalize)
    if not equal:
        from evalign.alignment.align_differing import align_differing

        return align_differing(gold, system, rules, exceptions or {}, window=window, swap=swap)
    sides = (
        PlacedDocument(gold, gold, equal_places(gold)),
        PlacedDocument(system, system, equal_places(system)),
    )
    return Alignment(*sides, len(gold.line), count_equal_line(gold.line))
