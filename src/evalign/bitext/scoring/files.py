"""Files of pairs that are compared: all of the same two languages."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.bitext.pairs import IdPairs, read_pairs
from evalign.errors import InputError
from evalign.progress import Progress, counted
from evalign.readers import Source


def read_comparable(
    gold: Source, systems: Sequence[Source], wanted: str, progress: Progress
) -> list[IdPairs]:
    """Gold and systems; raises `InputError` for gold without a pair, `wanted` for something, and for other languages."""
    sources = [gold, *systems]
    read = [read_pairs(source) for _, source in counted(sources, progress, lambda s: f"reading {s}")]
    if not len(read[0]):
        raise InputError(read[0].start, "no pair", wanted)
    for pairs in read[1:]:
        check_languages(pairs, read[0])
    return read


def check_languages(pairs: IdPairs, others: IdPairs) -> None:
    """Raise `InputError` for pairs of other languages than those they are compared with; where none is, none is other."""
    if not len(pairs) or pairs.languages == others.languages:
        return
    found, wanted = (" and ".join(each.languages) for each in (pairs, others))
    swapped = "its columns are swapped" if pairs.languages == others.languages[::-1] else ""
    raise InputError(pairs.start, f"ids of {found}", f"of {wanted}, as in {others.name}", swapped)
