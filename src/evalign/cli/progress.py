"""Progress of a long run, shown on standard error.

On a terminal it is a single line that appears after one second and is drawn again as the run goes on: the
stage, a bar if the steps are counted, and an estimate of the time left. The line has no colours and is wiped
in the end. Anywhere else (a log, a pipe, a terminal that cannot return to the start of a line) a plain line is
written every few seconds, the first after ten seconds. A line comes with the first stage or step after it is
due: nothing is written while a stage runs without a step.

Commands make a `ProgressLine` and pass it down as the `progress` callback.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO, final

from evalign.progress import Progress, Step, no_progress
from evalign.wording import head, printable, tail, width_of

# Seconds before anything is drawn on a terminal, and between two drawings of steps.
PATIENCE = 1.0
PAUSE = 0.1
# Seconds before the first line of a log, and between two lines: fewer once the run is old.
LOG_PATIENCE = 10.0
LOG_PAUSE = 5.0
LOG_OLD = 120.0
LOG_OLD_PAUSE = 30.0

LONGEST_BAR = 24
SHORTEST_BAR = 6
SHORTEST_NAME = 16
# Columns that stay free: some terminals break a line as soon as it is full, and Ctrl-C shows as two
# characters (`ECHO`).
MARGIN = 3
ECHO = 2

# An estimate needs this many seconds of a piece of work, and this many steps or this share of it done.
LEAST_SECONDS = 5.0
LEAST_STEPS = 2
LEAST_SHARE = 0.05
# Work that is done within the first moment was mostly kept by an earlier run, and says nothing about the
# speed.
MOMENT = 0.5

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_SIZES = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


@final
class ProgressLine:
    """Progress callback that shows the current stage on `stream` (default: standard error).

    Only the process that made the object shows anything: a forked copy is silent, and pickling gives a
    callback that does nothing.
    """

    def __init__(
        self, *, quiet: bool, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._process = None if quiet else os.getpid()
        self._is_terminal = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._start = clock()
        self._due = self._start + (PATIENCE if self._is_terminal else LOG_PATIENCE)
        self._drawn = self._start
        self._width = 0
        self._pace = Pace()

    def __reduce__(self) -> tuple[Callable[[], Progress], tuple[()]]:
        return _say_nothing, ()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.clear()

    def __call__(self, stage: str) -> None:
        """Begin a stage; show it if a line is due."""
        if os.getpid() != self._process:
            return
        now = self._clock()
        left = self._pace.measure(stage, now)
        if now < self._due:
            return
        if not self._is_terminal:
            passed = now - self._start
            self._due = now + (LOG_PAUSE if passed < LOG_OLD else LOG_OLD_PAUSE)
            self._write(f"evalign: {describe_stage(stage, passed, left)}\n")
        elif now >= self._drawn + PAUSE or not isinstance(stage, Step):
            self._drawn = now
            self._draw(stage, left)

    def clear(self) -> None:
        """Wipe the line, and the two characters (^C) that a terminal shows behind it for Ctrl-C.

        Showing may begin again afterwards.
        """
        if self._width and os.getpid() == self._process:
            self._write("\r" + " " * (self._width + ECHO) + "\r")
            self._width = 0

    def _draw(self, stage: str, left: float | None) -> None:
        """Draw `stage` over the line, with the seconds `left` if they are known."""
        try:
            columns = os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):  # a terminal without a known width
            columns = 80
        blocks = "utf" in (self._stream.encoding or "").lower()
        text = draw_stage(stage, columns - MARGIN, left=left, blocks=blocks)
        width, before = width_of(text), self._width
        # If the write is interrupted, `_width` still covers all that may stand on the line.
        self._width = max(width, before)
        self._write("\r" + text + " " * (before - width))
        self._width = width

    def _write(self, text: str) -> None:
        """Write `text`; if the stream cannot be written, show nothing more.

        A run must not fail because nobody reads its progress.
        """
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the reader is gone, or the stream is closed
            self._process = None


def _say_nothing() -> Progress:
    return no_progress


# A stage as a line of a log and as a line of a terminal.


def describe_stage(stage: str, passed: float, left: float | None = None) -> str:
    """Describe `stage` for a line of a log, with the seconds `passed` and, if known, `left`.

    >>> describe_stage(Step("scoring da", 3, 12), 34.2, 101)
    'scoring da: 3 of 12, 0:34 so far, about 1:40 left'
    >>> describe_stage("reading gold", 12)
    'reading gold, 0:12 so far'
    """
    text = printable(str(stage))
    if isinstance(stage, Step):
        done, total, unit = _say_figures(stage)
        figure = done.strip() + (f" of {total}" if total else "") + unit
        text += f": {figure}" if done else ""
    text += f", {_say_clock(passed)} so far"
    return text if left is None else f"{text}, about {_say_clock(_round(left))} left"


def draw_stage(stage: str, columns: int, *, left: float | None = None, blocks: bool = True) -> str:
    """Draw `stage` in at most `columns` columns, with a bar if its steps are counted and there is room.

    `left` is the estimate of seconds left, and `blocks` draws the bar with block characters.

    >>> draw_stage(Step("scoring da", 3, 12), 40, blocks=False)
    'scoring da  [####-------------]   3 / 12'
    >>> draw_stage(Step("scoring da", 3, 12), 52, left=100, blocks=False)
    'scoring da  [##---------]   3 / 12, about 2 min left'
    >>> draw_stage(Step("scoring treebanks/da.conllu", 3, 12), 28)
    'scoring …/da.conllu   3 / 12'
    >>> draw_stage("reading gold", 40)
    'reading gold'
    """
    text = printable(str(stage))
    done, total, unit = _say_figures(stage) if isinstance(stage, Step) else ("", "", "")
    if not isinstance(stage, Step) or not done:
        return _fit(text, max(columns, 1))
    figure = f"{done} / {total}{unit}" if total else done + unit
    if left is not None and columns - len(longer := f"{figure}, {_say_left(left)}") >= SHORTEST_NAME:
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
    """Shorten the name of a stage to `most` columns.

    Keeps the verb and the end of its object, because the ends of file names differ.

    >>> _fit("scoring treebanks/da.conllu", 20), _fit("da: counting systems/da.conllu", 24)
    ('scoring …s/da.conllu', 'da: counting …/da.conllu')
    """
    if width_of(stage) <= most:
        return stage
    done, _, what = stage.partition(" ")
    verb, _, rest = what.partition(" ")
    # In a run over treebanks, the name of the treebank comes before the verb.
    for kept, end in ((f"{done} {verb}", rest if done.endswith(":") else ""), (done, what)):
        if end and (room := most - width_of(kept) - 1) >= SHORTEST_BAR:
            return f"{kept} {tail(end, room)}"
    return head(stage, most)


def _say_left(seconds: float) -> str:
    """Describe an estimate of seconds in words, for a terminal.

    >>> [_say_left(seconds) for seconds in (0.2, 7.7, 41, 100, 5000, 200_000)]
    ['about 1 s left', 'about 8 s left', 'about 40 s left', 'about 2 min left', 'about 1 h left', 'about 2 days left']
    """
    if (rounded := round(_round(seconds))) < _MINUTE:
        return f"about {rounded} s left"
    for size, unit, most in ((_MINUTE, "min", 60), (_HOUR, "h", 48)):
        # A value that is rounded up to the next unit is written in that unit.
        if (number := max(1, round(seconds / size))) < most:
            return f"about {number} {unit} left"
    return f"about {round(seconds / _DAY)} days left"


def _say_clock(seconds: float) -> str:
    """Write seconds as m:ss or h:mm:ss.

    >>> [_say_clock(seconds) for seconds in (0, 34.9, 100, 4000)]
    ['0:00', '0:34', '1:40', '1:06:40']
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _round(seconds: float) -> float:
    """Round an estimate of seconds to its precision: to 1, 5, 10, 60 or 3600 s, but never to 0."""
    steps = ((10, 1), (_MINUTE, 5), (10 * _MINUTE, 10), (_DAY, _MINUTE))
    step = next((step for most, step in steps if seconds < most), _HOUR)
    return max(1.0, round(seconds / step) * step)


def _say_figures(step: Step) -> tuple[str, str, str]:
    """Return the figures of a step as strings: done, total and unit (with a space before it).

    An unknown figure is "", and all three are "" if no count is worth showing.

    >>> _say_figures(Step("scoring", 3, 12)), _say_figures(Step("reading", 1_234_000_000, 10**10, "bytes"))
    ((' 3', '12', ''), (' 1.2', '10.0', ' GB'))
    >>> _say_figures(Step("reading", 1_234_000_000, 0, "bytes")), _say_figures(Step("scoring", 0, 1))
    (('1.2', '', ' GB'), ('', '', ''))
    """
    total = max(step.total, 0)
    done = min(step.done, total) if total else step.done
    if not step.unit:
        if total == 1 or not (total or done):  # a single item is not counted
            return "", "", ""
        return (f"{done:>{len(str(total))}}", str(total), "") if total else (str(done), "", "")
    size, unit = next((each for each in _SIZES if max(total, done) >= each[0]), (1, "bytes"))
    places = 1 if size > 1 else 0
    whole = f"{total / size:.{places}f}" if total else ""
    return f"{done / size:>{len(whole)}.{places}f}", whole, f" {unit}"


@final
class Pace:
    """Estimate of the time that the current piece of work still takes, at its speed so far.

    A piece of work is a series of steps with the same total and unit.
    """

    def __init__(self) -> None:
        self._step: Step | None = None
        self._begun = 0.0
        self._first = self._steps = 0

    def measure(self, stage: str, now: float) -> float | None:
        """Return the seconds left of the work of which `stage` is a step that begins at time `now`.

        None if it is too early for an estimate, or if the stage is not counted.
        """
        if not isinstance(stage, Step):
            return None
        before, self._step = self._step, stage
        kind = stage.total, stage.unit
        if before is None or (before.total, before.unit) != kind or before.done > stage.done:
            before, self._begun = stage, now
        passed = now - self._begun
        if passed < MOMENT:
            self._first, self._steps = stage.done, 0
        self._steps += stage.done > before.done and passed >= MOMENT
        done, rest = stage.done - self._first, stage.total - stage.done
        is_enough = self._steps >= LEAST_STEPS or done >= LEAST_SHARE * stage.total
        return passed * rest / done if passed >= LEAST_SECONDS and done and is_enough and rest > 0 else None
