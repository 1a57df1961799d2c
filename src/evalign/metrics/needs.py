"""Columns that documents must have before their words can be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.document import Document
from evalign.errors import CommandError
from evalign.metrics.census import Census, has_something, take_census
from evalign.metrics.comparison import Comparison


def has_column(document: Document | Census, name: str) -> bool:
    """Whether any word of a document has something in a column; one without words lacks nothing.

    Of FEATS, `_` says that a word has no features: a file has them or not, and in either case they can be judged.
    """
    return has_something(take_census(document), name)


# The CoNLL 2018 script counts these whatever they hold: an empty column is one of `_`.
COUNTED_EMPTY = ("lemma", "upos", "xpos", "feats", "deprel")


def find_lacking(document: Document | Census, needs: Sequence[str]) -> list[str]:
    """Which of some columns a document has not."""
    census = take_census(document)
    return [name for name in needs if not has_something(census, name)]


def find_lacking_of_both(
    gold: Document | Census, system: Document | Census, needs: Sequence[str], *, strict: bool
) -> tuple[list[str], list[str]]:
    """Which of some columns gold and a system have not.

    If `strict`, a column that one side alone leaves empty is not lacking, as the CoNLL 2018 script counts it.
    """
    sides = take_census(gold), take_census(system)
    ours, theirs = (find_lacking(side, needs) for side in sides)
    if not strict or not all(side.has_columns and not side.has_trees for side in sides):
        return ours, theirs
    counted = {name for name in {*ours} ^ {*theirs} if name in COUNTED_EMPTY}
    ours, theirs = ([name for name in lacking if name not in counted] for lacking in (ours, theirs))
    return ours, theirs


def has_columns(comparison: Comparison, needs: Sequence[str]) -> bool:
    """Whether words of both sides have something in all these columns."""
    return not any(_find_lacking_of(comparison, needs))


def check_columns(comparison: Comparison, needs: Sequence[str], wanted: str) -> None:
    """Raise `CommandError` with the columns that are missing, and from which file."""
    sides = comparison.gold, comparison.system
    for side, lacking in zip(sides, _find_lacking_of(comparison, needs), strict=True):
        if lacking:
            message = f"{wanted} not available: no word of {side.name} has {name_columns(lacking, 'or')}"
            raise CommandError(message, f"{name_columns(needs)} in gold and system")


def _find_lacking_of(comparison: Comparison, needs: Sequence[str]) -> tuple[list[str], list[str]]:
    wanted = [name for name in needs if name not in comparison.filled]
    return find_lacking_of_both(comparison.gold, comparison.system, wanted, strict=comparison.strict)


def name_columns(needs: Sequence[str], joint: str = "and") -> str:
    """Columns by the names that CoNLL-U has for them.

    >>> name_columns(["head", "deprel"])
    'HEAD and DEPREL'
    """
    told = {"trees": "a tree", "labels": "a bracket or stand-off span", "tokens": "tokens of its own"}
    *others, last = (told.get(name, name.upper()) for name in needs)
    return f"{', '.join(others)} {joint} {last}" if others else last
