"""Text of an input made safe for where it goes: a terminal, JSON, CSV, Markdown, LaTeX, Typst."""

from __future__ import annotations

import re

from evalign.wording import printable

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    # Quotes that TeX would bend or join, signs that old fonts have others for.
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    # Behind the end of a row these would be options of it.
    "[": "{[}", "*": "{*}",
    # In a header: of this measure less is better.
    "↓": r"\textdownarrow{}",
}  # fmt: skip
_MARKDOWN = "\\`*_{}[]<>|#~&$!"
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that is safe on a terminal too: what is no printable character is escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def csv_cell(text: str) -> str:
    """For CSV: quoted where needed; a cell that a spreadsheet would run as a formula is text."""
    if text.startswith(_FORMULA):
        text = "'" + text
    # Where numbers have a comma, a spreadsheet takes the semicolon for the end of a cell, and what follows for a formula.
    if any(c in text for c in ',;"\n\r\t'):
        return '"' + text.replace('"', '""') + '"'
    return text


def markdown_cell(text: str) -> str:
    """For a Markdown table: nothing in it is markup, not even an address."""
    text = "".join(f"\\{c}" if c in _MARKDOWN else c for c in printable(text))
    return re.sub(r"(?i)(?=://)|(?<=www)(?=\.)|(?=@)", r"\\", text)


def latex_cell(text: str) -> str:
    """For LaTeX: nothing in it is a command, and quotes and dashes are set as they are."""
    text = "".join(_LATEX.get(c, c) for c in printable(text))
    return re.sub("-(?=-)", "-{}", text)


def typst_cell(text: str) -> str:
    r"""For Typst: a string, in which nothing is markup or code.

    >>> print(typst_cell('#read("x")'))
    "#read(\"x\")"
    """
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
