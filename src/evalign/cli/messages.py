"""Messages for standard error: wrapped to the width of a terminal, and in colours."""

from __future__ import annotations

import re

from evalign.reports import CYAN, RED, YELLOW, painter
from evalign.wording import printable, width_of

_TINTS = {"error": RED, "warning": YELLOW}
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
    paint = painter(color=color)
    lines = []
    for number, line in enumerate(text.split("\n")):
        tint = CYAN if number else _TINTS.get(kind, "")
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
