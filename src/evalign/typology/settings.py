"""Choices that the paper leaves open, each with a name, and the line that says which were made."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

from evalign._version import __version__
from evalign.errors import CommandError, quote, suggest
from evalign.metrics import MISSING, RelationLabels

Case = Literal["keep", "lower"]
Vocabulary = Literal["treebank", "relation"]
LastChunk = Literal["drop", "keep"]
SttrWithout = Literal["upos", "relation", "nothing"]
ShareOf = Literal["all", "no-punct", "classes"]

CHOICES: dict[str, tuple[str, ...]] = {
    "case": ("keep", "lower"),
    "vocabulary": ("treebank", "relation"),
    "last_chunk": ("drop", "keep"),
    "sttr_without": ("upos", "relation", "nothing"),
    "share_of": ("all", "no-punct", "classes"),
    "relations": ("auto", "v1", "v2"),
}


class Settings(NamedTuple):
    """How a treebank is looked at; docs/typology.md says why these are the defaults."""

    case: Case = "keep"
    """Whether forms that differ in case are different words."""
    vocabulary: Vocabulary = "treebank"
    """Whose number of word forms bounds the entropy of a relation."""
    missing: float = MISSING
    """What a relation counts in the average where a treebank has it not."""
    chunk: int = 1000
    """Words per chunk of STTR."""
    last_chunk: LastChunk = "drop"
    """Whether a last chunk that is not full counts."""
    sttr_without: SttrWithout = "upos"
    """What STTR leaves out: words whose UPOS is PUNCT, words whose relation is punct, or nothing."""
    share_of: ShareOf = "all"
    """What content and function are shares of: all relations, all but punct, or those of the two classes."""
    relations: RelationLabels = "auto"
    """Whose classes are used: those of UD version 1, of version 2, or of the version that the labels show."""

    def signature(self, versions: Iterable[str] = ()) -> str:
        """Everything that could move a number, on one line.

        >>> Settings(case="lower").signature(["v2"])
        'evalign:...|case:lower|vocabulary:treebank|missing:0.5|chunk:1000|last-chunk:drop|sttr-without:upos|share-of:all|relations:v2'
        """
        found = "+".join(sorted(set(versions))) or self.relations
        parts = {"evalign": __version__, **self._asdict(), "relations": found}
        return "|".join(f"{key.replace('_', '-')}:{value}" for key, value in parts.items())


def check_settings(settings: Settings) -> Settings:
    """The settings, if they are ones."""
    for name, known in CHOICES.items():
        value = getattr(settings, name)
        if value not in known:
            message = f"unknown value {quote(value)} for {name}"
            raise CommandError(message, *suggest(value, known))
    if settings.chunk < 1:
        message = f"chunks of {settings.chunk} words"
        raise CommandError(message, "1 word or more")
    if not (math.isfinite(settings.missing) and 0 <= settings.missing <= 1):
        message = f"a missing relation counts {settings.missing}"
        raise CommandError(message, "a number from 0 to 1")
    return settings
