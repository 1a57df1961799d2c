"""Columns that both sides must have before their words can be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.errors import CommandError
from evalign.layers.comparison import Comparison
from evalign.layers.judgement import has_column


def has_columns(comparison: Comparison, needs: Sequence[str]) -> bool:
    """Whether words of both sides have something in all these columns."""
    return all(has_column(side, name) for side in (comparison.gold, comparison.system) for name in needs)


def check_columns(comparison: Comparison, needs: Sequence[str], wanted: str) -> None:
    """Raise `CommandError` with the columns that are missing, and from which file."""
    for side in (comparison.gold, comparison.system):
        lacking = [name for name in needs if not has_column(side, name)]
        if lacking:
            message = f"{wanted} not available: no word of {side.name} has {name_columns(lacking)}"
            raise CommandError(message, f"{name_columns(needs)} in gold and system")


def name_columns(needs: Sequence[str]) -> str:
    """Columns by the names that CoNLL-U has for them.

    >>> name_columns(["head", "deprel"])
    'HEAD and DEPREL'
    """
    return " and ".join(name.upper() for name in needs)
