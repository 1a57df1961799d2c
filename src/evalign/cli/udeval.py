"""`evalign udeval`: the evaluation script of the UD tools, its numbers and its output."""

from __future__ import annotations

import argparse

from evalign.cli.conll18 import add_script_arguments, run_script
from evalign.cli.parser import Parser


def make_parser() -> Parser:
    """Arguments of the command: those of the script."""
    parser = Parser(
        "udeval",
        "evalign udeval -v gold.conllu system.conllu",
        "Print what the evaluation script of the UD tools prints, byte for byte, with enhanced dependencies, "
        "and refuse what it refuses, in its words and with its exit status.",
        "Its known defects are reproduced (docs/deviations.md); evalign score has elas and eulas without them.",
    )
    add_script_arguments(parser)
    parser.add_argument("--no-enhanced", action="store_true", help="leave enhanced dependencies out")
    parser.add_argument(
        "--enhancements",
        metavar="DIGITS",
        default="0",
        help="enhancements that gold lacks: 1 gapping, 2 shared parents, 3 shared dependents, 4 control, "
        "5 external arguments, 6 lemmas in labels; 12 for 1 and 2; 0 for none (default)",
    )
    parser.add_argument(
        "--no-empty-nodes",
        metavar="ANY",
        nargs="?",
        const="1",
        default="",
        help="empty nodes have been collapsed: refuse an edge from one (the script wants a value, of any kind)",
    )
    parser.add_argument(
        "--multiple-roots-okay", action="store_true", help="accept sentences with several roots"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Evaluate, print."""
    from evalign.compat.treebank import Script

    script = Script(
        "udtools",
        not arguments.no_enhanced,
        arguments.multiple_roots_okay,
        bool(arguments.no_empty_nodes),
    )
    return run_script(script, arguments)
