"""`evalign completion`: a script that lets a shell complete commands, options, names and files.

The script holds all it needs: at each Tab the shell looks into it and starts nothing.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Protocol, cast

from evalign.cli.parser import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalign.cli.completion.model import Completed

SHELLS = ("bash", "zsh", "fish")


class Shell(Protocol):
    """What a module of a shell has."""

    def render(self, commands: Sequence[Completed]) -> str:
        """The script for these commands."""


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "completion",
        "evalign completion bash > ~/.local/share/bash-completion/completions/evalign\n"
        'evalign completion zsh > "${fpath[1]}/_evalign"\n'
        "evalign completion fish > ~/.config/fish/completions/evalign.fish",
        "Print a script for a shell: with it, Tab completes commands, options, metrics and files. "
        "Write it again after an update of evalign.",
        'To try it in the shell at hand: eval "$(evalign completion bash)".',
        reads_files=False,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Look at all commands, write the script."""
    from evalign.cli.completion.model import describe_commands

    shell = cast("Shell", import_module(f"evalign.cli.completion.{arguments.shell}"))
    sys.stdout.write(shell.render(describe_commands()))
    return 0
