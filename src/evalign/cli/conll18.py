"""`evalign conll18`: the CoNLL 2018 evaluation script, with its numbers and its output."""

from __future__ import annotations

import argparse
import sys

from evalign.cli.command import Command, Option, check_standard_input
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
COMMAND = Command(
    "conll18",
    ("evalign conll18 -v gold.conllu system.conllu",),
    "Print what the evaluation script of the CoNLL 2018 shared task prints, byte for byte, and refuse what it refuses, in "
    "its words and with its exit status.",
    SCRIPT_OPTIONS,
    run,
    "evalign score gives the same numbers, and others where the script refuses.",
    allow_abbrev=True,
)
