"""What a long run is doing: one line on the terminal, with a bar where the work is counted.

It is drawn on standard error if that is a terminal that can go back to the start of a line, after a second, and
nothing of it stays. It has no colours.
"""

from __future__ import annotations

import os
import sys
import time
from typing import final

from evalign.progress import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event, Thread

# Runs shorter than this say nothing.
PATIENCE = 1.0
# Seconds between two drawings of work that is told of more often.
PAUSE = 0.1
LONGEST_BAR = 24
SHORTEST_BAR = 6


@final
class Progress:
    """Writes the stage a run has come to over the last one.

    A thread draws what the run itself has no time for: the first stage of all may take longer than a second.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._start = time.monotonic()
        self._wanted = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._stage = ""
        self._shown = ""
        self._drawn = 0.0
        self._waker: tuple[Thread, Event] | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.clear()

    def __call__(self, stage: str) -> None:
        """A stage begins."""
        if not self._wanted:
            return
        self._stage = stage
        now = time.monotonic()
        if now - self._start < PATIENCE:
            self._wake_later()
            return
        self._rest()
        if now - self._drawn >= PAUSE or not isinstance(stage, Step):
            self._draw()

    def clear(self) -> None:
        """Nothing of it stays on the terminal; it may begin again."""
        self._rest()
        if self._shown:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _wake_later(self) -> None:
        if self._waker:
            return
        from threading import Event, Thread

        over = Event()

        def wake() -> None:
            if not over.wait(max(0.0, self._start + PATIENCE - time.monotonic())):
                self._draw()

        thread = Thread(target=wake, daemon=True)
        self._waker = thread, over
        thread.start()

    def _rest(self) -> None:
        """The thread is done: only one at a time draws."""
        if self._waker:
            thread, over = self._waker
            over.set()
            thread.join()
            self._waker = None

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        stream = sys.stderr
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):  # a terminal that knows no width
            columns = 80
        # The last column stays free: some terminals break the line as soon as it is filled.
        text = draw(self._stage, columns - 1, blocks="utf" in (stream.encoding or "").lower())
        if text != self._shown:
            self._write(text)

    def _write(self, text: str) -> None:
        from evalign.reports.width import width_of

        sys.stderr.write("\r" + text + " " * max(0, width_of(self._shown) - width_of(text)))
        sys.stderr.flush()
        self._shown = text


def draw(stage: str, columns: int, *, blocks: bool = True) -> str:
    """A stage as one line of at most so many columns, with a bar if it is counted and there is room.

    >>> draw(Step("scoring da", 3, 12), 40, blocks=False)
    'scoring da  [####-------------]   3 / 12'
    >>> draw(Step("scoring treebanks/da.conllu", 3, 12), 28)
    'scoring …/da.conllu   3 / 12'
    >>> draw("reading gold", 40)
    'reading gold'
    """
    from evalign.reports.escape import printable
    from evalign.reports.width import head, width_of

    text = printable(str(stage))
    if not isinstance(stage, Step) or stage.total < 2:  # of one thing, nothing is done until all is
        return _fit(text, max(columns, 1))
    done = min(stage.done, stage.total)
    figure = f"{done:>{len(str(stage.total))}} / {stage.total}"
    if columns < len(figure) + 4:
        return head(figure, max(columns, 1))
    room = columns - len(figure) - 2
    bar = min(LONGEST_BAR, room - min(width_of(text), max(LONGEST_BAR, room // 2)) - 4)
    if bar < SHORTEST_BAR:
        return f"{_fit(text, room)}  {figure}"
    full = bar * done // stage.total
    on, off = ("█", "░") if blocks else ("#", "-")
    return f"{_fit(text, room - bar - 4)}  [{on * full}{off * (bar - full)}]  {figure}"


def _fit(stage: str, most: int) -> str:
    """A stage in so many columns: what is done, and the end of what it is done to, where names of files differ."""
    from evalign.reports.width import head, tail, width_of

    done, _, what = stage.partition(" ")
    room = most - width_of(done) - 1
    if width_of(stage) <= most or room < SHORTEST_BAR:
        return head(stage, most)
    return f"{done} {tail(what, room)}"
