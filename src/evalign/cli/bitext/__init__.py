"""`evalign bitext`: parallel sentences in corpora of two languages; each of its commands is a module here."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser
from evalign.cli.subcommands import group_parser, run_inner

COMMANDS = {
    "build": "hide translations in corpora of two languages: a data set with gold",
    "stats": "what a data set is like, and how well its translations are hidden",
    "show": "planted sentences among those around them, in both languages",
    "score": "score pairs of sentences that systems extracted",
    "mine": "extract pairs by a baseline",
}


def make_parser() -> Parser:
    """Arguments of the command: another command, and what is for that one."""
    return group_parser(
        "bitext",
        "evalign bitext build examples/bitext/config.toml -o fr-en",
        "Build data sets of parallel sentences hidden in comparable corpora, score systems that find them, mine them "
        "with a baseline (Zweigenbaum et al. 2018, the BUCC shared tasks).",
        COMMANDS,
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was named."""
    return run_inner("bitext", arguments)
