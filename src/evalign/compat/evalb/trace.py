"""How evalb reads a line, step by step: what `-D` prints of it, and where the text of each bracket is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

CLOSED_TOO_OFTEN = b"Bracketing unbalance (too many close bracket)"

_BRACKETS = b"()"
_SPACES = b" \t\n\v\f\r"


class Trace:
    """The steps, and of each bracket that is no preterminal where its label ends and where it is closed."""

    def __init__(self) -> None:
        self.steps: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int | None] = []
        self.open: list[int] = []
        self.depth = 0
        self.n_words = 0

    def places(self) -> list[slice]:
        """Where in the line each bracket goes on behind its label; one that is never closed does so to the end."""
        return [slice(start, end) for start, end in zip(self.starts, self.ends, strict=True)]

    def open_bracket(self, at: int) -> None:
        """A bracket whose label ends at `at`."""
        self.open.append(len(self.starts))
        self.starts.append(at)
        self.ends.append(None)
        self.depth += 1

    def close_bracket(self, at: int) -> None:
        """Close what was opened last."""
        if self.depth < 0:
            self.steps.append(CLOSED_TOO_OFTEN)
        if self.open:
            self.ends[self.open.pop()] = at
        self.depth -= 1


def trace_line(line: bytes, deleted: Collection[bytes]) -> Trace:
    """Go through a line up to its end, or to where it cannot be read."""
    trace = Trace()
    at = 0
    while at < len(line) and line[at] != 0:
        byte = line[at : at + 1]
        if byte == b"(":
            at = _trace_bracket(trace, line, at + 1, deleted)
        elif byte == b")":
            trace.close_bracket(at)
            at += 1
        elif byte in _SPACES:
            at += 1
        else:
            break
    return trace


def _trace_bracket(trace: Trace, line: bytes, start: int, deleted: Collection[bytes]) -> int:
    """Read label and word of a bracket; returns where to go on."""
    label_end = _text_end(line, start)
    word = label_end
    while word < len(line) and line[word] in _SPACES:
        word += 1
    end = _text_end(line, word)
    if word == label_end and label_end < len(line):
        trace.open_bracket(label_end)
        return label_end
    label = line[start:label_end].partition(b"\0")[0]
    trace.steps.append(
        b"label=%s, word=%s, wid=%d\n" % (label, line[word:end].partition(b"\0")[0], trace.n_words)
    )
    if line[end : end + 1] == b")":
        trace.n_words += label not in deleted
        return end + 1
    if end > word:
        return len(line)  # another element: it cannot be read
    trace.open_bracket(label_end)
    return end


def _text_end(line: bytes, at: int) -> int:
    while at < len(line) and line[at] not in _BRACKETS and line[at] not in _SPACES:
        at += 1
    return at
