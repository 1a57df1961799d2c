"""What a long run is doing, on standard error.

On a terminal it is one line that is drawn over and over, after a second, with a bar where the work is counted and an
estimate of what is left; nothing of it stays, and it has no colours. Anywhere else (a log, a pipe, a terminal that
cannot go back to the start of a line) it is a plain line every few seconds, from ten seconds on.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import final

from evalign.cli.pace import Pace, say_clock, say_figures, say_left, say_left_by_clock
from evalign.progress import Step, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.progress import Progress as Callback

# On a terminal: runs shorter than this say nothing; seconds between two drawings of steps that are told of more
# often; seconds after which the estimate is drawn again though nothing was told.
PATIENCE = 1.0
PAUSE = 0.1
REFRESH = 1.0
# In a log: seconds to the first line, between two lines, and between two lines of a run older than that.
LOG_PATIENCE = 10.0
LOG_PAUSE = 5.0
LOG_OLD = 120.0
LOG_OLD_PAUSE = 30.0

LONGEST_BAR = 24
SHORTEST_BAR = 6
SHORTEST_NAME = 16
# Columns that stay free: some terminals break a line as soon as it is filled, and Ctrl-C shows as two characters.
MARGIN = 3
ECHO = 2

# Who shows something holds it. No process is forked meanwhile: of what the thread is doing then (importing, writing), a
# copy would never come to an end.
_showing = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_showing.acquire, after_in_parent=_showing.release, after_in_child=_showing.release
    )


@final
class Progress:
    """Tells where a run is; a thread tells it where the run itself has no time for that.

    It belongs to the process that made it: in others, forked or sent to, it says nothing.
    """

    def __init__(self, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage = ""
        self._pace = Pace()
        self._place: _Terminal | _Log | None = None if quiet else _find_place(clock())
        self._process = os.getpid()
        self._ticker: Ticker | None = None

    def __reduce__(self) -> tuple[Callable[[], Callback], tuple[()]]:
        return _say_nothing, ()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.clear()

    def __call__(self, stage: str) -> None:
        """A stage begins."""
        if self._place is None or os.getpid() != self._process:
            return
        now = self._clock()
        with _showing:
            self._stage = stage
            self._pace.tell(stage, now)
            self._begin(now)
        if self._ticker is None:
            self._ticker = Ticker(self.tick)

    def tick(self) -> float:
        """Show what has been due; the seconds until the next time."""
        now = self._clock()
        with _showing:
            place = self._place
            if place is None:
                return REFRESH
            if now >= place.due:
                self._show(place, now)
            return place.due - now

    def clear(self) -> None:
        """Nothing of it stays on the terminal, no thread runs; it may begin again."""
        if os.getpid() != self._process:
            return
        ticker, self._ticker = self._ticker, None
        if ticker:
            ticker.stop()
        if self._place:
            self._try(self._place.clear)

    def _begin(self, now: float) -> None:
        # Asked again: the thread may have found that nobody reads it any more.
        if self._place and self._place.wants(self._stage, now):
            self._show(self._place, now)

    def _show(self, place: _Terminal | _Log, now: float) -> None:
        left = self._pace.left(now) if isinstance(self._stage, Step) else None
        self._try(lambda: place.show(self._stage, left, now))

    def _try(self, write: Callable[[], None]) -> None:
        """A run does not fail because nobody reads what it is doing."""
        try:
            write()
        except (OSError, ValueError):  # the other end is gone, or the stream is closed
            self._place = None


def _find_place(now: float) -> _Terminal | _Log:
    is_drawn_over = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return _Terminal(now) if is_drawn_over else _Log(now)


def _say_nothing() -> Callback:
    return no_progress


@final
class Ticker:
    """A thread that does something again and again, each time after as many seconds as the last time gave."""

    def __init__(self, tick: Callable[[], float]) -> None:
        self._over = threading.Event()
        self._tick = tick
        # Workers are forked beside threads whose names begin so.
        self._thread = threading.Thread(target=self._run, name="evalign progress", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pause = self._tick()
        while not self._over.wait(pause):
            pause = self._tick()

    def stop(self) -> None:
        """It does so no more."""
        self._over.set()
        self._thread.join()


@final
class _Terminal:
    """One line that is drawn over."""

    def __init__(self, now: float) -> None:
        self.due = now + PATIENCE
        self._may = now + PATIENCE
        self._pause_over = now
        self._shown = ""
        self._width = 0

    def wants(self, stage: str, now: float) -> bool:
        """Whether a stage that has just begun is to be shown at once: steps are not, if they come thick and fast."""
        return now >= self._may and (now >= self._pause_over or not isinstance(stage, Step))

    def show(self, stage: str, left: float | None, now: float) -> None:
        """Draw the stage over what was drawn."""
        self.due, self._pause_over = now + REFRESH, now + PAUSE
        stream = sys.stderr
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):  # a terminal that knows no width
            columns = 80
        blocks = "utf" in (stream.encoding or "").lower()
        text = draw(stage, columns - MARGIN, left=left, blocks=blocks)
        if text != self._shown:
            self._write(text)

    def clear(self) -> None:
        """Wipe it out, with what the terminal wrote behind it of a key."""
        if self._width:
            self._width += ECHO
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        from evalign.wording import width_of

        width, before = width_of(text), self._width
        # Interrupted on the way, it still knows of all that may stand there.
        self._shown, self._width = text, max(width, before)
        sys.stderr.write("\r" + text + " " * (before - width))
        sys.stderr.flush()
        self._width = width


@final
class _Log:
    """Whole lines, and few of them."""

    def __init__(self, now: float) -> None:
        self._start = now
        self.due = now + LOG_PATIENCE

    def wants(self, _stage: str, now: float) -> bool:
        """Whether it is time for a line."""
        return now >= self.due

    def show(self, stage: str, left: float | None, now: float) -> None:
        """Write a line."""
        passed = now - self._start
        self.due = now + (LOG_PAUSE if passed < LOG_OLD else LOG_OLD_PAUSE)
        sys.stderr.write(f"evalign: {say(stage, passed, left)}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """What is in a log stays."""


def say(stage: str, passed: float, left: float | None = None) -> str:
    """A stage as a line of a log, with the seconds that have passed and those that are left.

    >>> say(Step("scoring da", 3, 12), 34.2, 101)
    'scoring da: 3 of 12, 0:34 so far, about 1:40 left'
    >>> say("reading gold", 12)
    'reading gold, 0:12 so far'
    """
    from evalign.wording import printable

    text = printable(str(stage))
    if isinstance(stage, Step):
        done, total, unit = say_figures(stage)
        figure = done.strip() + (f" of {total}" if total else "") + unit
        text += f": {figure}" if done else ""
    text += f", {say_clock(passed)} so far"
    return text if left is None else f"{text}, {say_left_by_clock(left)}"


def draw(stage: str, columns: int, *, left: float | None = None, blocks: bool = True) -> str:
    """A stage as one line of at most so many columns, with a bar if it is counted and there is room.

    >>> draw(Step("scoring da", 3, 12), 40, blocks=False)
    'scoring da  [####-------------]   3 / 12'
    >>> draw(Step("scoring da", 3, 12), 52, left=100, blocks=False)
    'scoring da  [##---------]   3 / 12, about 2 min left'
    >>> draw(Step("scoring treebanks/da.conllu", 3, 12), 28)
    'scoring …/da.conllu   3 / 12'
    >>> draw("reading gold", 40)
    'reading gold'
    """
    from evalign.wording import head, printable, width_of

    text = printable(str(stage))
    done, total, unit = say_figures(stage) if isinstance(stage, Step) else ("", "", "")
    if not isinstance(stage, Step) or not done:
        return _fit(text, max(columns, 1))
    figure = f"{done} / {total}{unit}" if total else done + unit
    if left is not None and columns - len(longer := f"{figure}, {say_left(left)}") >= SHORTEST_NAME:
        figure = longer
    if columns < len(figure) + 4:
        return head(figure, max(columns, 1))
    room = columns - len(figure) - 2
    bar = min(LONGEST_BAR, room - min(width_of(text), max(LONGEST_BAR, room // 2)) - 4)
    if bar < SHORTEST_BAR or not total:
        return f"{_fit(text, room)}  {figure}"
    full = bar * min(stage.done, stage.total) // stage.total
    on, off = ("█", "░") if blocks else ("#", "-")
    return f"{_fit(text, room - bar - 4)}  [{on * full}{off * (bar - full)}]  {figure}"


def _fit(stage: str, most: int) -> str:
    """A stage in so many columns: what is done, and the end of what it is done to, where names of files differ.

    >>> _fit("scoring treebanks/da.conllu", 20), _fit("da: counting systems/da.conllu", 24)
    ('scoring …s/da.conllu', 'da: counting …/da.conllu')
    """
    from evalign.wording import head, tail, width_of

    if width_of(stage) <= most:
        return stage
    done, _, what = stage.partition(" ")
    verb, _, rest = what.partition(" ")
    # Of a treebank among others, its name comes first.
    for kept, end in ((f"{done} {verb}", rest if done.endswith(":") else ""), (done, what)):
        if end and (room := most - width_of(kept) - 1) >= SHORTEST_BAR:
            return f"{kept} {tail(end, room)}"
    return head(stage, most)
