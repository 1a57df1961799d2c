"""Commands that are several: `evalign typology profile`, `evalign bitext build`; each has a module in a package of its name."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from typing import cast

from evalign.cli.parser import Parser
from evalign.cli.run import Command, run_parsed

GROUPS = ("typology", "bitext")
"""The commands that are several."""


def inner_commands(name: str) -> Mapping[str, str]:
    """The commands of a group, each with what it does."""
    commands: Mapping[str, str] = import_module(f"evalign.cli.{name}").COMMANDS
    return commands


def group_parser(name: str, example: str, description: str, commands: Mapping[str, str]) -> Parser:
    """Arguments of a group: another command, and what is for that one."""
    parser = Parser(name, example, description, f"evalign {name} COMMAND --help says more", reads_files=False)
    width = max(map(len, commands))
    listed = [f"  {inner:{width}}  {summary}" for inner, summary in commands.items()]
    parser.description = "\n".join([parser.description or "", "", "commands", *listed])
    parser.add_argument("command", metavar="COMMAND", choices=commands, help="one of these")
    parser.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="the arguments of that command")
    return parser


def run_inner(name: str, arguments: argparse.Namespace) -> int:
    """Run the command that was named."""
    command = cast("Command", import_module(f"evalign.cli.{name}.{arguments.command}"))
    try:
        parsed = command.make_parser().parse_args(arguments.rest)
    except SystemExit as done:  # --help, or a wrong argument
        return int(done.code or 0)
    return run_parsed(command, parsed)
