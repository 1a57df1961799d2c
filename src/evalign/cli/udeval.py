"""`evalign udeval`: the evaluation script of the UD tools, with its numbers and its output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.command import Command, CommandParser, Option
from evalign.cli.conll18 import SCRIPT_OPTIONS, run_script

_FLAG = "--no-empty-nodes"


class _Parser(CommandParser):
    """A parser with an option whose value may be left out, even before GOLD and SYSTEM.

    The script's --no-empty-nodes wants a value, and any value but an empty one means yes. Without a value,
    the option would swallow GOLD. So it is first read as a flag, and is given a value only if that leaves one
    file too many.
    """

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, reading --no-empty-nodes as a flag first."""
        args = list(args or ())
        flagged = [f"{_FLAG}=1" if _is_flag(word) else word for word in args]
        parsed, left = super().parse_known_args(flagged, namespace)
        if flagged != args and len(left) == 1 and _is_file(left[0]):
            return super().parse_known_args(args, namespace)
        return parsed, left


def _is_flag(word: str) -> bool:
    """Return whether `word` is --no-empty-nodes, possibly abbreviated.

    An abbreviation must be so long that no other option begins like it.
    """
    return len(word) > len("--no-e") and _FLAG.startswith(word)


def _is_file(word: str) -> bool:
    return word == "-" or not word.startswith("-")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign udeval`: evaluate as the script does, print its table."""
    from evalign.compat.treebank import Script

    script = Script(
        "udtools",
        enhanced=not arguments.no_enhanced,
        enhancements=arguments.enhancements,
        multiple_roots_okay=arguments.multiple_roots_okay,
        no_empty_nodes=bool(arguments.no_empty_nodes),
    )
    return run_script(script, arguments)


COMMAND = Command(
    "udeval",
    ("evalign udeval -v gold.conllu system.conllu",),
    "Print what the evaluation script of the UD tools prints, byte for byte, with enhanced dependencies, and refuse what "
    "it refuses, in its words and with its exit status.",
    (
        *SCRIPT_OPTIONS,
        Option("--no-enhanced", "leave enhanced dependencies out"),
        Option(
            "--enhancements",
            "enhancements that gold lacks: 1 gapping, 2 shared parents, 3 shared dependents, 4 control, 5 external "
            "arguments, 6 lemmas in labels; 12 for 1 and 2; 0 for none (default)",
            "DIGITS",
            default="0",
        ),
        Option(
            _FLAG,
            "empty nodes have been collapsed: refuse a file that has some (the script wants a value here, of any kind; "
            "it may be left out)",
            "ANY",
            default="",
            nargs="?",
            const="1",
        ),
        Option("--multiple-roots-okay", "accept sentences with several roots"),
    ),
    run,
    "Its known defects are reproduced (docs/deviations.md); evalign score has elas and eulas without them.",
    allow_abbrev=True,
    parser=_Parser,
)
