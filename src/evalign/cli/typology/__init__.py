"""`evalign typology`: treebanks side by side; each of its commands is a module here."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import cast

from evalign.cli.parser import Parser
from evalign.cli.run import Command

COMMANDS = {
    "profile": "size, crossing arcs, shares of relations, STTR, entropy of words",
    "weights": "make the file of weights that WLAS needs",
    "compare": "scores of many treebanks: correlations and variance",
    "select": "choose treebanks to compare",
    "judge": "agreement of scores with human judgements",
    "cascades": "errors that come from other errors",
}


def make_parser() -> Parser:
    """Arguments of the command: another command, and what is for that one."""
    parser = Parser(
        "typology",
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu",
        "Look at treebanks side by side, and at what that does to scores (Callin, A typological perspective on "
        "evaluation for Universal Dependencies).",
        "evalign typology COMMAND --help says more",
    )
    width = max(map(len, COMMANDS))
    listed = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    parser.description = "\n".join([parser.description or "", "", "commands", *listed])
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help="one of these")
    parser.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="what is for that command")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was named."""
    command = cast("Command", import_module(f"evalign.cli.typology.{arguments.command}"))
    try:
        parsed = command.make_parser().parse_args(arguments.rest)
    except SystemExit as done:  # --help, or a wrong argument
        return int(done.code or 0)
    return command.run(parsed)
