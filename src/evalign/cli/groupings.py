"""What scores are broken down by, as `score`, `convert` and `report` are asked: --by and --per."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from evalign.cli.parser import Parser, names
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Parts, Result


class Groupings(NamedTuple):
    """What a result is broken down by: labels, and what else it is split by."""

    per: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def resolve(self, result: Result) -> Groupings:
        """The same of a result: labels that are asked for with --by have the tables that --per has."""
        if not self.by:
            return self
        from evalign.metrics.errors import BREAKDOWNS
        from evalign.results import LABEL_BREAKDOWNS

        kinds = {kind for system in result.systems for kind in system.evidence.breakdown_kinds()}
        first = next((kind for kind in LABEL_BREAKDOWNS if kind in kinds), LABEL_BREAKDOWNS[0])
        labels = [first if name == "label" else name for name in self.by if name in (*BREAKDOWNS, "label")]
        others = [name for name in self.by if name not in (*BREAKDOWNS, "label")]
        return Groupings(tuple(dict.fromkeys((*self.per, *labels))), tuple(others))

    def split(self, result: Result, done: Sequence[Parts] = ()) -> list[Parts]:
        """The parts that the page has, labels as any others; what has been split is taken as it is."""
        found = {parts.by: parts for parts in done}
        asked = self.resolve(result)
        return [found.get(by) or result.split(by) for by in dict.fromkeys((*asked.by, *asked.per))]

    def refuse_parts(self, parts: Parts) -> None:
        """Raise `CommandError` where a run of several treebanks is to be broken down."""
        if self != Groupings():
            msg = f"--{'by' if self.by else 'per'} of a run of several {parts.by}s"
            raise CommandError(msg, f"the run as it is: it has a row for each {parts.by}")


def add_groupings(parser: Parser) -> None:
    """What scores are broken down by."""
    parser.add_argument(
        "--by",
        metavar="NAME,...",
        action="append",
        default=[],
        help="also show scores by genre, document, length (of gold's sentences), frequency (of forms), label, relation or any "
        "kind that --per takes, the name of a comment in gold, or what a regular expression finds in names of documents",
    )
    parser.add_argument(
        "--per",
        metavar="KIND,...",
        default="",
        help="also show precision, recall and F1 per relation, subtype (relation with subtype), tag, xpos, feature, "
        "feature-value, label (of brackets or stand-off spans)",
    )


def read_groupings(arguments: argparse.Namespace) -> Groupings:
    """The groupings asked for, before anything is read; raises `CommandError` for one there is none of."""
    per = names(arguments.per)
    if per:
        from evalign.metrics.errors import check_kind

        for kind in per:
            check_kind(kind)
    if not arguments.by:
        return Groupings(per)
    from evalign.results import split_names

    by = [name for text in arguments.by for name in split_names(text)]
    if not by:
        msg = "--by without a name"
        raise CommandError(msg, "genre, document, length, a comment of gold: --by genre")
    return Groupings(per, tuple(dict.fromkeys(by)))
