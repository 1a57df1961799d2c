"""Run one command by name.

`main` calls `run_command`. Errors become a message and an exit status. A command is refused if a file that it
would write is one that it reads.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import TextIO, cast

from evalign.cli.command import Command, Option
from evalign.cli.commands import COMMANDS, GROUPS, MODULES, WITH_THREADS
from evalign.cli.output import spell_flags, write_error
from evalign.cli.streams import Messages, drop_output
from evalign.errors import CommandError, EvalignError, InputError, quote, spell_with, suggest
from evalign.wording import printable

# Arguments that name files to write, with their options.
WRITTEN = {"output": "-o", "report": "--report", "review": "--review"}
# Variables by which OpenBLAS, which numpy comes with, is told how many threads to start; the first decides.
THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


def load_command(name: str) -> Command:
    """Import a command by its name as it is typed, such as "score" or "typology profile"."""
    words = name.split()
    module = import_module(f"evalign.cli.{MODULES.get(words[0], words[0])}")
    command: Command = getattr(module, words[-1].upper())
    return command


def make_group(name: str, example: str, description: str) -> Command:
    """Make the command of a group, which runs one of its commands on all further words."""
    options = (
        Option("command", "one of these", "COMMAND", choices=tuple(GROUPS[name])),
        Option("rest", "the arguments of that command", "...", nargs=argparse.REMAINDER),
    )

    def run_inner(arguments: argparse.Namespace) -> int:
        return _run_command(f"{name} {arguments.command}", arguments.rest)

    epilog = f"evalign {name} COMMAND --help says more"
    return Command(name, (example,), description, options, run_inner, epilog, reads_files=False)


def run_command(name: str, arguments: list[str]) -> int:
    """Run a command by name and return its exit status; errors become messages on standard error."""
    _use_utf8()
    messages = sys.stderr
    # A message that cannot be written must not stop a run: its results may go to a file.
    sys.stderr = cast("TextIO", Messages(messages))
    spell = spell_with(spell_flags)
    try:
        return _run_safely(name, arguments)
    finally:
        spell_with(spell)
        sys.stderr = messages


def _run_safely(name: str, arguments: list[str]) -> int:
    try:
        status = _run_command(name, arguments) if name in COMMANDS else _refuse(name)
        sys.stdout.flush()
    except EvalignError as error:
        place = str(error.place) if isinstance(error, InputError) else ""
        write_error(str(error), place=place)
        return error.exit_status
    except MemoryError:
        write_error("not enough memory\n  to read files part by part: evalign score --stream")
        return 1
    except KeyboardInterrupt:
        write_error("interrupted")
        return 130
    except BrokenPipeError:
        # The reader went away (evalign ... | head).
        drop_output(sys.stdout)
        return 0
    except OSError as error:
        if error.filename is not None:  # a file, not standard output
            path = printable(os.fsdecode(error.filename))
            problem = f"{path}: {error.strerror or error}"
            write_error(f"{problem}\n  expected a file or folder that can be used", place=path)
            return 1
        drop_output(sys.stdout)
        write_error(
            f"standard output cannot be written ({error.strerror})\n"
            "  expected room for it\n"
            "  to write to a file: -o FILE"
        )
        return 1
    return status


def _run_command(name: str, arguments: list[str]) -> int:
    """Load a command, or a group of commands, and run it."""
    if name not in (*GROUPS, *WITH_THREADS):
        _spare_threads()
    command = load_command(name)
    try:
        parsed = command.make_parser().parse_args(arguments)
    except SystemExit as done:  # --help, or a wrong argument
        return int(done.code or 0)
    return _run_parsed(command, parsed)


def _spare_threads() -> None:
    """Have numpy start no threads for matrix products: starting them takes longer than to score a small file.

    The workers that this process starts do the same. What the user has set stays, and so does a numpy that is
    loaded already.
    """
    if "numpy" not in sys.modules and not any(name in os.environ for name in THREADS):
        os.environ[THREADS[0]] = "1"


def _run_parsed(command: Command, parsed: argparse.Namespace) -> int:
    """Run a command on parsed arguments; return its exit status.

    With --fail-on-warning, status 0 becomes 1 if the command warned of anything.
    """
    _check_outputs(parsed)
    status = _run_limited(command, parsed)
    n_warnings = getattr(parsed, "n_warnings", 0)
    if status or not n_warnings or not getattr(parsed, "fail_on_warning", False):
        return status
    sys.stdout.flush()
    counted = f"{n_warnings:,} warning{'s' * (n_warnings > 1)}"
    hint = "\n  to read what is wrong, leave out --quiet" if parsed.quiet else ""
    write_error(f"{counted}, and --fail-on-warning makes that exit status 1{hint}")
    return 1


def _run_limited(command: Command, parsed: argparse.Namespace) -> int:
    """Run a command, refusing to read whole any file larger than --max-input."""
    max_input = getattr(parsed, "max_input", None)
    if max_input is None:
        return command.run(parsed)
    from evalign.readers.limits import InputLimit

    with InputLimit(max_input):
        return command.run(parsed)


# An output must not overwrite an input: a result in place of gold would be an unexpected loss.


def _check_outputs(arguments: object) -> None:
    """Raise `CommandError` if an output is also an input or another output. Symbolic links are followed."""
    options = vars(arguments)
    written = {name: options[name] for name in WRITTEN if isinstance(options.get(name), str)}
    written = {name: path for name, path in written.items() if path not in ("", "-")}
    if len(set(map(os.path.realpath, written.values()))) < len(written):
        message = f"{' and '.join(WRITTEN[name] for name in written)} are the same file"
        raise CommandError(message, "a file for each")
    for name, path in written.items():
        # Writing to /dev/null, a pipe and the like replaces nothing.
        if not os.path.isfile(path):  # noqa: PTH113
            continue
        if any(os.path.exists(read) and os.path.samefile(path, read) for read in _file_names(options)):  # noqa: PTH110, PTH121
            message = f'{WRITTEN[name]} "{path}" would replace a file that is read'
            raise CommandError(message, "another file to write to")


def _file_names(options: dict[str, object]) -> Iterator[str]:
    """Yield all argument values that may be names of input files."""
    for name, value in options.items():
        if name in WRITTEN:
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and each and "\0" not in each:
                yield each


def check_outside(folder: str, *paths: str | None) -> None:
    """Raise `CommandError` if one of `paths` would replace a file of the data set in `folder`."""
    from pathlib import Path

    inside = Path(folder).resolve()
    for path in paths:
        if path and path != "-" and Path(path).is_file() and Path(path).resolve().parent == inside:
            message = f'"{path}" is a file of the data set'
            raise CommandError(message, "another file to write to")


def _refuse(name: str) -> int:
    advice = "to list them: evalign --help"
    error = CommandError(
        f"unknown command {quote(name)}", *suggest(name, COMMANDS, advice, show="evalign {}".format)
    )
    write_error(str(error))
    return error.exit_status


def _use_utf8() -> None:
    """Switch standard output and standard error to UTF-8, whatever the locale.

    Characters that cannot be encoded are written as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
