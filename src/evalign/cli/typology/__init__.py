"""`evalign typology`: treebanks side by side; each of its commands is a module here."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser
from evalign.cli.subcommands import group_parser, run_inner

COMMANDS = {
    "profile": "size, crossing arcs, shares of relations, STTR, entropy of words",
    "weights": "make the file of weights that WLAS needs",
    "compare": "scores of many treebanks: correlations and variance",
    "select": "choose treebanks to compare",
    "judge": "agreement of scores with human judgements",
    "cascades": "errors that come from other errors",
    "study": "all tables and figures of a folder of treebanks at once",
}


def make_parser() -> Parser:
    """Arguments of the command: another command, and what is for that one."""
    return group_parser(
        "typology",
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu",
        "Look at treebanks side by side, and at what that does to scores (Callin, A typological perspective on "
        "evaluation for Universal Dependencies).",
        COMMANDS,
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was named."""
    return run_inner("typology", arguments)
