"""Columns that documents must have before their words can be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.document import Document
from evalign.errors import CommandError
from evalign.layers.census import Census, has_something, take_census
from evalign.layers.comparison import Comparison


def has_column(document: Document | Census, name: str) -> bool:
    """Whether any word of a document has something in a column; one without words lacks nothing.

    Of FEATS, `_` says that a word has no features: a file has them or not, and in either case they can be judged.
    """
    return has_something(take_census(document), name)


def find_lacking(document: Document | Census, needs: Sequence[str]) -> list[str]:
    """Which of some columns a document has not."""
    census = take_census(document)
    return [name for name in needs if not has_something(census, name)]


def has_columns(comparison: Comparison, needs: Sequence[str]) -> bool:
    """Whether words of both sides have something in all these columns."""
    wanted = [name for name in needs if name not in comparison.filled]
    return not any(find_lacking(side, wanted) for side in (comparison.gold, comparison.system))


def check_columns(comparison: Comparison, needs: Sequence[str], wanted: str) -> None:
    """Raise `CommandError` with the columns that are missing, and from which file."""
    for side in (comparison.gold, comparison.system):
        lacking = find_lacking(side, [name for name in needs if name not in comparison.filled])
        if lacking:
            message = f"{wanted} not available: no word of {side.name} has {name_columns(lacking, 'or')}"
            raise CommandError(message, f"{name_columns(needs)} in gold and system")


def name_columns(needs: Sequence[str], joint: str = "and") -> str:
    """Columns by the names that CoNLL-U has for them.

    >>> name_columns(["head", "deprel"])
    'HEAD and DEPREL'
    """
    told = {"trees": "a tree", "labels": "a bracket or stand-off span", "tokens": "tokens of its own"}
    *others, last = (told.get(name, name.upper()) for name in needs)
    return f"{', '.join(others)} {joint} {last}" if others else last
