"""Docstrings for the API reference: doctests become code blocks.

Markdown would read the `>>>` of a doctest as quotations.
"""

from __future__ import annotations

import griffe

PROMPT = ">>> "


class Examples(griffe.Extension):
    """Puts every doctest into a code block (an extension of griffe)."""

    def on_object(self, *, obj: griffe.Object, **_kwargs: object) -> None:
        """Fence the doctests of one module, class, function or attribute.

        Griffe calls this for each of them.
        """
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    r"""Return `text` with a fence around each doctest, from its first prompt to the next empty line.

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
