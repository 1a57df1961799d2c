"""Run one command: its errors to standard error, its exit status back."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Protocol, cast

from evalign.cli import COMMANDS
from evalign.cli.parser import Parser
from evalign.errors import EvalignError


class Command(Protocol):
    """What a module of a command has."""

    def make_parser(self) -> Parser:
        """Its arguments."""

    def run(self, arguments: object) -> int:
        """Do it; returns the exit status."""


def run_command(name: str, arguments: list[str]) -> int:
    """Run a command by name."""
    _use_utf8()
    if name not in COMMANDS:
        from difflib import get_close_matches

        near = get_close_matches(name, COMMANDS, 1)
        told = f'did you mean "evalign {near[0]}"?' if near else "evalign --help lists them"
        sys.stderr.write(
            f'evalign: unknown command "{name}"\n  expected one of {", ".join(COMMANDS)}\n  {told}\n'
        )
        return 2
    command = cast("Command", import_module(f"evalign.cli.{name}"))
    try:
        status = command.run(command.make_parser().parse_args(arguments))
        sys.stdout.flush()
    except EvalignError as error:
        sys.stderr.write(f"evalign: {error}\n")
        return error.exit_status
    except KeyboardInterrupt:
        sys.stderr.write("evalign: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader went away (evalign ... | head): no message, and none from Python at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _use_utf8() -> None:
    """UTF-8 out, whatever the locale; what cannot be encoded is shown escaped rather than raised."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
