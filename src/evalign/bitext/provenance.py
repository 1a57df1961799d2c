"""Where every sentence of a data set came from: a table beside the data, so that it can be audited.

`provenance.tsv` has a header and a line per sentence, first language before second, each split in turn, by id.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evalign.errors import InputError, Place, quote

PROVENANCE_FILE = "provenance.tsv"
NATIVE, PLANTED = "native", "planted"


class SentenceOrigin(NamedTuple):
    """Where one sentence came from. No field has a tab or a line end in it."""

    id: str
    split: str
    kind: str
    """native or planted."""
    document: str
    """The document that the sentence stands in; of a planted one that of the sentence it was put after."""
    source: str
    """The input that it was read from, as the configuration names it."""
    name: str
    """Native: its number in the document as it was read, from 1. Planted: the name of its pair."""
    pair_document: str = ""
    """Planted: the document that the pair comes from."""
    translation: str = ""
    """Planted: the id of its translation."""
    after: str = ""
    """Planted: the id of the sentence that was found for it, and that it stands behind."""
    similarity: str = ""
    """Planted: the score of that sentence in the search."""

    @property
    def is_planted(self) -> bool:
        """Whether it was put there."""
        return self.kind == PLANTED


PROVENANCE_HEADER = "\t".join(SentenceOrigin._fields)


def read_provenance(folder: Path) -> Iterator[SentenceOrigin]:
    """All lines of the table; raises `InputError` where it is none."""
    path = folder / PROVENANCE_FILE
    place = Place(str(path))
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            if file.readline().rstrip("\n") != PROVENANCE_HEADER:
                raise InputError(place, "another header", PROVENANCE_HEADER, "build the data set again")
            for lineno, line in enumerate(file, 2):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != len(SentenceOrigin._fields):
                    found = f"columns: {len(fields)}"
                    raise InputError(Place(str(path), lineno), found, str(len(SentenceOrigin._fields)))
                origin = SentenceOrigin(*fields)
                if origin.kind not in (NATIVE, PLANTED):
                    found = f"a sentence of kind {quote(origin.kind)}"
                    raise InputError(Place(str(path), lineno), found, f"{NATIVE} or {PLANTED}")
                yield origin
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(place, f"cannot be read ({error})", "the table that a build writes") from None
