"""Text of an input made safe for where it goes: a terminal, CSV, Markdown, LaTeX."""

from __future__ import annotations

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def printable(text: str) -> str:
    """For a terminal: control and format characters are shown, not obeyed."""
    return "".join(c if c.isprintable() else _shown(c) for c in text)


def _shown(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def csv_cell(text: str) -> str:
    """For CSV: quoted where needed; a cell that a spreadsheet would run as a formula is text."""
    if text[:1] in ("=", "+", "-", "@", "\t", "\r"):
        text = "'" + text
    if any(c in text for c in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def markdown_cell(text: str) -> str:
    """For a Markdown table: nothing in it is markup."""
    text = printable(text)
    for mark in "\\`*_{}[]<>|#~":
        text = text.replace(mark, "\\" + mark)
    return text


def latex_cell(text: str) -> str:
    """For LaTeX: nothing in it is a command."""
    return "".join(_LATEX.get(c, c) for c in printable(text))
