"""Docstrings for the API reference: examples are code, which Markdown would take for quotations."""

from __future__ import annotations

import griffe

PROMPT = ">>> "


class Examples(griffe.Extension):
    """Puts every doctest into a block of code."""

    def on_object(self, *, obj: griffe.Object, **_kwargs: object) -> None:
        """Called for every module, class, function and attribute that is read."""
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    r"""Text with fences around its doctests, each from its first prompt to the next empty line.

    >>> fence_doctests("Adds.\n\n>>> 1 + 1\n2\n").splitlines()
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    lines: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line.startswith(PROMPT) and not is_inside:
            lines += ["```pycon", line]
            is_inside = True
            continue
        if is_inside and not line.strip():
            lines.append("```")
            is_inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if is_inside else lines)
