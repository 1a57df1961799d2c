"""Run one command: its errors to standard error, its exit status back."""

from __future__ import annotations

import argparse
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Protocol, TextIO, cast

from evalign.cli.commands import COMMANDS
from evalign.cli.parser import Parser
from evalign.cli.streams import Messages
from evalign.errors import EvalignError
from evalign.reports.escape import printable, printable_lines


class Command(Protocol):
    """What a module of a command has."""

    def make_parser(self) -> Parser:
        """Its arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; returns the exit status."""


def run_command(name: str, arguments: list[str]) -> int:
    """Run a command by name; what it raises becomes a message and an exit status."""
    _use_utf8()
    messages = sys.stderr
    # What cannot be said does not stop a run: its results may go to a file.
    sys.stderr = cast("TextIO", Messages(messages))
    try:
        return _run_safely(name, arguments)
    finally:
        sys.stderr = messages


def _run_safely(name: str, arguments: list[str]) -> int:
    try:
        status = _run(name, arguments)
        sys.stdout.flush()
    except EvalignError as error:
        sys.stderr.write(f"evalign: {printable_lines(str(error))}\n")
        return error.exit_status
    except MemoryError:
        sys.stderr.write("evalign: not enough memory\n  evalign score reads files part by part: --stream\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("evalign: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader went away (evalign ... | head).
        _drop_output()
        return 0
    except OSError as error:
        if error.filename is not None:  # a file, not standard output
            found = f"{os.fsdecode(error.filename)}: {error.strerror or error}"
            sys.stderr.write(
                f"evalign: {printable_lines(found)}\n  expected a file or folder that can be used\n"
            )
            return 1
        _drop_output()
        sys.stderr.write(
            f"evalign: standard output cannot be written ({error.strerror})\n"
            "  expected room for it\n"
            "  to write to a file: -o FILE\n"
        )
        return 1
    return status


def _run(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        return _refuse(name)
    command = cast("Command", import_module(f"evalign.cli.{name}"))
    try:
        parsed = command.make_parser().parse_args(arguments)
    except SystemExit as done:  # --help, or a wrong argument
        return int(done.code or 0)
    return run_parsed(command, parsed)


def run_parsed(command: Command, parsed: argparse.Namespace) -> int:
    """Run a command whose arguments are read; with --fail-on-warning, status 0 becomes 1 where it warned of anything."""
    check_written(parsed)
    status = _run_limited(command, parsed)
    n_warnings = getattr(parsed, "n_warnings", 0)
    if status or not n_warnings or not getattr(parsed, "fail_on_warning", False):
        return status
    sys.stdout.flush()
    shown = "; leave out --quiet to read them" if parsed.quiet else ""
    sys.stderr.write(
        f"evalign: warnings: {n_warnings:,}, and --fail-on-warning makes that exit status 1{shown}\n"
    )
    return 1


def _run_limited(command: Command, parsed: argparse.Namespace) -> int:
    """Run a command, reading no file whole that is larger than --max-input says."""
    max_input = getattr(parsed, "max_input", None)
    if max_input is None:
        return command.run(parsed)
    from evalign.readers.limits import InputLimit

    with InputLimit(max_input):
        return command.run(parsed)


def check_written(parsed: object) -> None:
    """Raise `CommandError` where a file to write is one to read."""
    if any(getattr(parsed, name, None) for name in ("output", "report", "review")):
        from evalign.cli.outputs import check_outputs

        check_outputs(parsed)


def _refuse(name: str) -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, 1)
    told = f'did you mean "evalign {near[0]}"?' if near else "evalign --help lists them"
    sys.stderr.write(
        f'evalign: unknown command "{printable(name)}"\n  expected one of {", ".join(COMMANDS)}\n  {told}\n'
    )
    return 2


def _use_utf8() -> None:
    """UTF-8 out, whatever the locale; what cannot be encoded is shown escaped rather than raised."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """What is still to be written goes nowhere, so that Python does not complain of it at exit."""
    with suppress(OSError, ValueError):  # it may have been closed from the first
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
