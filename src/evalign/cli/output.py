"""Where the text of commands goes, how wide it is and whether it has colours.

Results go to standard output or a file, messages to standard error. Most commands print by `emit` or
`show_report`; all warn by `warn`. The parser uses this module too, so it loads next to nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from evalign.errors import Call, CommandError, InputError, Parameter, Place, quote_word
from evalign.wording import printable, printable_lines, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.formats import Report

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
# Fewest columns that output is laid out for, however narrow the terminal.
NARROWEST = 20
# Indent of the continuation lines of a message.
_INDENT = "    "
# What a line break never splits: a command to the end of its line, an option with its value, a suggestion, a
# text in quotes.
_WHOLE = re.compile(
    r"(?:(?<=: )|^)(?:evalign|pip|python3?|make) .*"
    r"|did you mean .*"
    r"|--?[a-z][-a-z]* [A-Z][A-Z_|,.]*\S*"
    r'|"[^"]*"\S*'
    r"|\S+"
)


def output_format(arguments: argparse.Namespace, formats: Sequence[str]) -> str:
    """Choose one of `formats`: that of --format, else the one that the output file ends in, else the first.

    Raises `CommandError` for an ending whose format is not one of `formats`.
    """
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
    """Raise an error if the file `path` cannot be written. To be called before the work begins.

    None and "-" (standard output) are always accepted. Raises `CommandError` for an empty name, `InputError`
    for any other problem.
    """
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
    except (OSError, ValueError) as error:  # a name that is too long or contains NUL
        problem = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise InputError(Place(path), problem, "the path of a file to write") from None
    if Path(path).is_dir():
        raise InputError(Place(path), "cannot be written: it is a directory", "the path of a file to write")
    if not Path(path).parent.is_dir():
        problem = f"cannot be written: there is no folder {Path(path).parent}"
        raise InputError(Place(path), problem, "a file in a folder that exists")


def emit(pieces: Iterable[str], arguments: argparse.Namespace, *, is_data: bool = False) -> None:
    """Write `pieces` to standard output, or to the file that --output names, whole or not at all.

    `is_data` marks formats for programs, such as CSV, whose control characters are kept: a terminal gets them
    as visible escapes instead. Other text is written as it is everywhere.
    """
    if arguments.output is not None and arguments.output != "-":
        from evalign.files import write_whole

        write_whole(arguments.output, "".join(pieces))
    else:
        on_terminal = is_data and _is_terminal()
        sys.stdout.writelines(map(printable_lines, pieces) if on_terminal else pieces)


def show_report(report: Report, arguments: argparse.Namespace, format: str) -> None:
    """Render `report` in `format`; print it or write it to the file that --output names."""
    from evalign.reports.formats import render_report

    text = render_report(report, format, columns=columns(), color=use_color(arguments))
    emit([text], arguments, is_data=format == "csv")


def columns() -> int:
    """Return how many columns output may have: COLUMNS, else the width of the terminal, else 100.

    `shutil.get_terminal_size` would do too, but `shutil` loads slowly.
    """
    return _measure_width(sys.__stdout__) or 100


def _measure_width(stream: TextIO | None) -> int:
    """Return COLUMNS, else the width of the terminal that `stream` writes to, but at least `NARROWEST`.

    Returns 0 if COLUMNS is not a number and `stream` is no terminal.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(int(columns), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, NARROWEST)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 0


def use_color(arguments: argparse.Namespace) -> bool:
    """Return whether results are shown in colours: on a terminal, but not in a file."""
    return not arguments.output and _allows_color(is_terminal=_is_terminal())


def _allows_color(*, is_terminal: bool) -> bool:
    """Return whether colours are allowed: on a terminal, or with FORCE_COLOR, but never with NO_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    # Older consoles of Windows print the colour codes; Windows Terminal and shells that set TERM obey them.
    is_able = os.name != "nt" or "WT_SESSION" in os.environ or "TERM" in os.environ
    return is_terminal and is_able and os.environ.get("TERM") != "dumb"


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def warn(messages: Sequence[str], arguments: argparse.Namespace) -> None:
    """Write warnings to standard error, except with --quiet.

    Adds their number to `arguments.n_warnings`, which --fail-on-warning looks at.
    """
    arguments.n_warnings = getattr(arguments, "n_warnings", 0) + len(messages)
    if not arguments.quiet:
        for message in messages:
            _write_message("warning: ", printable(message), "warning")


def tell(message: str, arguments: argparse.Namespace) -> None:
    """Write a remark to standard error, except with --quiet."""
    if not arguments.quiet:
        _write_message("", printable(message))


def write_error(message: str, program: str = "evalign", place: str = "") -> None:
    """Write an error to standard error. Hints stand on lines of their own in `message`.

    `place` is the path that `message` begins with, if any.
    """
    _write_message(f"{program}: ", message, "error", place)


def _write_message(head: str, text: str, kind: str = "", place: str = "") -> None:
    """Write a message to standard error, wrapped at the width of its terminal.

    Where standard error is no terminal, lines stay whole.
    """
    color = _allows_color(is_terminal=sys.stderr.isatty())
    width = _measure_width(sys.stderr)
    sys.stderr.write(shape_message(head, text, kind=kind, columns=width, color=color, place=place))


def flag_of(parameter: str) -> str:
    """Return the option of the command line for a parameter: --gold-format for gold_format."""
    return f"--{parameter.replace('_', '-')}"


def spell_flags(piece: Parameter | Call) -> str:
    """Write an option or a call of a message as what to type.

    >>> from evalign.errors import Call, Parameter
    >>> spell_flags(Parameter("gold_format", "plain")), spell_flags(Parameter("stream", value=True))
    ('--gold-format plain', '--stream')
    >>> spell_flags(Call("evalign.triples('<b>', raw=TEXT)", "evalign triples <> <raw> TEXT", "'<b>'"))
    "evalign triples '<b>' --raw TEXT"
    """
    if isinstance(piece, Call):
        return re.sub(r"<(\w*)>", lambda match: flag_of(match[1]) if match[1] else piece.data, piece.command)
    name, value, placeholder = piece
    flag = flag_of(name)
    word = placeholder if value is None or value is True else quote_word(str(value))
    return f"{flag} {word}" if word else flag


def shape_message(
    head: str, text: str, *, kind: str = "", columns: int = 0, color: bool = False, place: str = ""
) -> str:
    r"""Lay out a message: what is wrong on the first line, then a line for each hint.

    `head` stands before the first line. Lines wider than `columns` (0: any width) are wrapped and indented,
    but paths, commands and texts in quotes stay whole; `place` is a path at the beginning that may contain
    spaces. With `color` the first line has the colour of its `kind`, error or warning, and hints are cyan.

    >>> print(shape_message("evalign: ", "no metric\n  expected one of sentences, tokens", columns=28), end="")
    evalign: no metric
      expected one of sentences,
        tokens
    """
    from evalign.reports.formats import CYAN, RED, YELLOW, painter

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
    """Wrap `text` at `columns`, with `indent` before its first line.

    `place` is the path that `text` begins with, if any; it is not split at its spaces.
    """
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
