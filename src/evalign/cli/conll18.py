"""`evalign conll18` and `evalign udeval`: the CoNLL 2018 script and that of the UD tools, with their output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from evalign.cli.command import Command, CommandParser, Option, check_standard_input
from evalign.wording import printable_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.compat.treebank import Script


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign conll18`: evaluate as the script does, print its table."""
    from evalign.compat.treebank import Script

    return run_script(Script("conll18"), arguments)


def run_script(script: Script, arguments: argparse.Namespace) -> int:
    """Evaluate as `script` does and print its table; return the exit status.

    If the script would refuse a file, its error message is written to standard error and the status is 1.
    """
    from evalign.compat.evaluation import evaluate_treebanks, print_scores
    from evalign.compat.treebank import read_pair
    from evalign.readers.official_errors import OfficialError

    check_standard_input(arguments.gold, arguments.system)
    try:
        gold, system = read_pair(arguments.gold, arguments.system, script)
        scores = evaluate_treebanks(gold, system, script.dialect)
    except OfficialError as error:
        # Written like the last line of a traceback: with the module, unless that is the script itself or
        # Python.
        module = "udtools.udeval." if (script.dialect, error.raised) == ("udtools", "UDError") else ""
        message = f"{module}{error.raised}: {error.said}\n"
        sys.stderr.write(printable_lines(message) if sys.stderr.isatty() else message)
        return 1
    sys.stdout.write(print_scores(scores, verbose=arguments.verbose, counts=arguments.counts))
    return 0


# Options that the scripts behind `conll18` and `udeval` share. Long ones may be abbreviated, as in the scripts.
SCRIPT_OPTIONS = (
    Option("gold", "CoNLL-U taken as right; - is standard input", "GOLD"),
    Option("system", "CoNLL-U to be scored", "SYSTEM"),
    Option("-v --verbose", "print all metrics"),
    Option("-c --counts", "print counts instead of precision, recall and F1"),
)
CONLL18 = Command(
    "conll18",
    ("evalign conll18 -v gold.conllu system.conllu",),
    "Print what the evaluation script of the CoNLL 2018 shared task prints, byte for byte, and refuse what it refuses, in "
    "its words and with its exit status.",
    SCRIPT_OPTIONS,
    run,
    "evalign score gives the same numbers, and others where the script refuses.",
    allow_abbrev=True,
)


# udeval: the script of the UD tools.

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


def run_udeval(arguments: argparse.Namespace) -> int:
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


UDEVAL = Command(
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
    run_udeval,
    "Its known defects are reproduced (docs/deviations.md); evalign score has elas and eulas without them.",
    allow_abbrev=True,
    parser=_Parser,
)
