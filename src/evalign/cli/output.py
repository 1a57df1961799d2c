"""Where text goes: results to standard output or a file, messages to standard error, as wide and in colours as suits.

Every command prints by `emit` or `show_report`, and warns by `warn`. It loads next to nothing: the parser needs it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from evalign.errors import CommandError, InputError, Place
from evalign.wording import printable, printable_lines, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports import Report

ENDINGS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".typ": "typst",
    ".html": "html",
    ".pdf": "pdf",
    ".txt": "table",
}
# Columns of the narrowest terminal that anything is laid out for.
NARROWEST = 20
# Before the second line of a sentence that is too long for one.
_INDENT = "    "
# What is never broken: a command to the end of its line, an option with its value, a suggestion, a text in quotes.
_WHOLE = re.compile(
    r"(?:(?<=: )|^)(?:evalign|pip|python3?|make) .*"
    r"|did you mean .*"
    r"|--?[a-z][-a-z]* [A-Z][A-Z_|,.]*\S*"
    r'|"[^"]*"\S*'
    r"|\S+"
)


def output_format(arguments: argparse.Namespace, formats: Sequence[str]) -> str:
    """The format asked for: by name, else by the ending of the output file, else the first."""
    check_writable(arguments.output)
    if arguments.format:
        return str(arguments.format)
    if not arguments.output:
        return formats[0]
    from pathlib import PurePath

    ending = PurePath(arguments.output).suffix.lower()
    format = ENDINGS.get(ending, formats[0])
    if format not in formats:
        msg = f'"{arguments.output}" asks for {format}, which this command does not write'
        advice = f"to write something else under this name: --format {formats[0]}"
        raise CommandError(msg, f"one of {', '.join(formats)}", advice)
    return format


def check_writable(path: str | None) -> None:
    """No work is begun whose result could not be written."""
    if path is None or path == "-":
        return
    if not path:
        msg = "-o without a name"
        raise CommandError(msg, "the path of a file to write")
    from pathlib import Path

    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL
        problem = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise InputError(Place(path), problem, "the path of a file to write") from None
    if Path(path).is_dir():
        raise InputError(Place(path), "cannot be written: it is a directory", "the path of a file to write")
    if not Path(path).parent.is_dir():
        problem = f"cannot be written: there is no folder {Path(path).parent}"
        raise InputError(Place(path), problem, "a file in a folder that exists")


def emit(pieces: Iterable[str], arguments: argparse.Namespace, *, is_data: bool = False) -> None:
    """Text to standard output, or whole to the file that was named.

    Data are for programs and stay as they are; on a terminal their control characters are shown, not obeyed.
    """
    if arguments.output is not None and arguments.output != "-":
        from evalign.files import write_whole

        write_whole(arguments.output, "".join(pieces))
    else:
        on_terminal = is_data and _is_terminal()
        sys.stdout.writelines(map(printable_lines, pieces) if on_terminal else pieces)


def show_report(report: Report, arguments: argparse.Namespace, format: str) -> None:
    """Print a report, or write it to the file that was named."""
    from evalign.reports import render_report

    text = render_report(report, format, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")


def columns() -> int:
    """How wide the output may be: COLUMNS, else the terminal, else 100 (shutil says the same, but loads slowly)."""
    return _measure_width(sys.__stdout__) or 100


def _measure_width(stream: TextIO | None) -> int:
    """COLUMNS, else how wide the terminal is that a stream goes to; 0 if it is none."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(int(columns), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, NARROWEST)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 0


def use_color(arguments: argparse.Namespace) -> bool:
    """Say whether results are shown in colours: on a terminal, not in a file."""
    return not arguments.output and _allows_color(is_terminal=_is_terminal())


def _allows_color(*, is_terminal: bool) -> bool:
    """Say whether colours are wanted: on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    # The older consoles of Windows show the codes; Windows Terminal and the shells that set TERM obey them.
    is_able = os.name != "nt" or "WT_SESSION" in os.environ or "TERM" in os.environ
    return is_terminal and is_able and os.environ.get("TERM") != "dumb"


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def warn(messages: Sequence[str], arguments: argparse.Namespace) -> None:
    """Warnings to standard error, unless only results are wanted; how many there were decides --fail-on-warning."""
    arguments.n_warnings = getattr(arguments, "n_warnings", 0) + len(messages)
    if not arguments.quiet:
        for message in messages:
            _write_message("warning: ", printable(message), "warning")


def tell(message: str, arguments: argparse.Namespace) -> None:
    """A remark to standard error, unless only results are wanted."""
    if not arguments.quiet:
        _write_message("", printable(message))


def write_error(message: str, program: str = "evalign", place: str = "") -> None:
    """Write an error to standard error; hints are lines of their own, `place` the path it begins with, if any."""
    _write_message(f"{program}: ", message, "error", place)


def _write_message(head: str, text: str, kind: str = "", place: str = "") -> None:
    """Write a message to standard error, as wide as its terminal; where there is none, lines stay whole."""
    from evalign.cli.flags import write_flags

    color = _allows_color(is_terminal=sys.stderr.isatty())
    width = _measure_width(sys.stderr)
    sys.stderr.write(
        shape_message(head, write_flags(text), kind=kind, columns=width, color=color, place=place)
    )


def shape_message(
    head: str, text: str, *, kind: str = "", columns: int = 0, color: bool = False, place: str = ""
) -> str:
    r"""A message ready to be written: what is wrong on the first line, then a line for each hint.

    `head` stands before the first line. Lines wider than `columns` (0: any width) are continued further in, but paths,
    commands and texts in quotes stay whole; `place` is a path at the beginning that may have spaces in it. With `color`
    the first line has the colour of its `kind`, error or warning, and hints are cyan.

    >>> print(shape_message("evalign: ", "no metric\n  expected one of sentences, tokens", columns=28), end="")
    evalign: no metric
      expected one of sentences,
        tokens
    """
    from evalign.reports import CYAN, RED, YELLOW, painter

    tints = {"error": RED, "warning": YELLOW}
    paint = painter(color=color)
    lines = []
    for number, line in enumerate(text.split("\n")):
        tint = CYAN if number else tints.get(kind, "")
        indent = line[: len(line) - len(line.lstrip())] if number else head
        shown = _wrap(indent, printable(line.strip()), columns, "" if number else printable(place))
        lines += [paint(each, tint) if tint else each for each in shown]
    return "".join(f"{line}\n" for line in lines)


def _wrap(indent: str, text: str, columns: int, place: str) -> list[str]:
    """Lines of a text, the first behind `indent`; `place` is what the text begins with."""
    if not columns or width_of(indent) + width_of(text) <= columns:
        return [indent + text]
    start = place if place and text.startswith(place) else ""
    units = _WHOLE.findall(text[len(start) :]) or [""]
    if start:
        units[:1] = [start + "".join(units[:1])]
    lines, line = [], indent + units[0]
    for unit in units[1:]:
        if width_of(line) + 1 + width_of(unit) > columns:
            lines.append(line)
            line = _INDENT + unit
        else:
            line = f"{line} {unit}"
    return [*lines, line]
