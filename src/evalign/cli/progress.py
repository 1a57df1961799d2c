"""Progress of a long run, shown on standard error.

On a terminal it is a single line that appears after one second and is redrawn: the stage, a bar if the steps
are counted, and an estimate of the time left. The line has no colours and is wiped in the end. Anywhere else
(a log, a pipe, a terminal that cannot return to the start of a line) a plain line is written every few
seconds, the first after ten seconds.

Commands make a `ProgressLine` and pass it down as the `progress` callback.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple, TextIO, final

from evalign.progress import Progress, Step, no_progress
from evalign.wording import head, printable, tail, width_of

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
# Speed is a decaying average: the weight of a second halves after this many seconds, or after half the time
# worked if that is longer. So it follows a change, and one long treebank among short ones does not upset it.
HALF_LIFE = 60.0
# Steps that follow each other within this share of the average time count as one.
TOGETHER = 0.25

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_SIZES = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))

# Held while something is shown, and while a process is forked: a child forked while the thread imports or
# writes would inherit locks that nobody releases.
_showing = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_showing.acquire, after_in_parent=_showing.release, after_in_child=_showing.release
    )


class ProgressRhythm(NamedTuple):
    """How often progress is shown, in seconds."""

    patience: float = 1.0
    """Time before anything is drawn on a terminal."""
    pause: float = 0.1
    """Least time between two drawings of steps."""
    refresh: float = 1.0
    """Time after which the line is drawn again, with a new estimate, though no step was made."""
    log_patience: float = 10.0
    """Time before the first line of a log."""
    log_pause: float = 5.0
    """Time between two lines of a log."""
    log_old: float = 120.0
    """Age of a run from which its log has fewer lines."""
    log_old_pause: float = 30.0
    """Time between two lines of the log of such a run."""


_RHYTHM = ProgressRhythm()


@final
class ProgressLine:
    """Progress callback that shows the current stage on `stream` (default: standard error).

    A thread redraws the line while the run itself is busy. With `ticks=False` there is no thread, and the
    caller calls `tick`. Only the process that made the object shows anything: a forked copy is silent, and
    pickling gives a callback that does nothing.
    """

    def __init__(
        self,
        *,
        quiet: bool,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        rhythm: ProgressRhythm = _RHYTHM,
        ticks: bool = True,
    ) -> None:
        self._clock = clock
        self._refresh = rhythm.refresh
        self._ticks = ticks
        self._stage = ""
        self._pace = Pace()
        self._place = None if quiet else _find_place(stream, rhythm, clock())
        self._process = os.getpid()
        self._ticker: _Ticker | None = None

    def __reduce__(self) -> tuple[Callable[[], Progress], tuple[()]]:
        return _say_nothing, ()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.clear()

    def __call__(self, stage: str) -> None:
        """Begin a stage."""
        if self._place is None or os.getpid() != self._process:
            return
        now = self._clock()
        with _showing:
            self._stage = stage
            self._pace.tell(stage, now)
            self._begin(now)
        if self._ticker is None and self._ticks:
            self._ticker = _Ticker(self.tick)

    def tick(self) -> float:
        """Show the stage if it is due; return the seconds until it is due again."""
        now = self._clock()
        with _showing:
            place = self._place
            if place is None:
                return self._refresh
            if now >= place.due:
                self._show(place, now)
            return place.due - now

    def clear(self) -> None:
        """Wipe the line and stop the thread. Showing may begin again afterwards."""
        if os.getpid() != self._process:
            return
        ticker, self._ticker = self._ticker, None
        if ticker:
            ticker.stop()
        if self._place:
            self._try(self._place.clear)

    def _begin(self, now: float) -> None:
        # Looked at again under the lock: the thread may have found the stream closed.
        if self._place and self._place.wants(self._stage, now):
            self._show(self._place, now)

    def _show(self, place: _Terminal | _Log, now: float) -> None:
        left = self._pace.left(now) if isinstance(self._stage, Step) else None
        self._try(lambda: place.show(self._stage, left, now))

    def _try(self, write: Callable[[], None]) -> None:
        """Call `write`; if the stream cannot be written, show nothing more.

        A run must not fail because nobody reads its progress.
        """
        try:
            write()
        except (OSError, ValueError):  # the reader is gone, or the stream is closed
            self._place = None


def _find_place(stream: TextIO | None, rhythm: ProgressRhythm, now: float) -> _Terminal | _Log:
    is_drawn_over = (stream or sys.stderr).isatty() and os.environ.get("TERM") != "dumb"
    return (_Terminal if is_drawn_over else _Log)(stream, rhythm, now)


def _say_nothing() -> Progress:
    return no_progress


@final
class _Ticker:
    """Thread that calls `tick` again and again, after as many seconds as the last call returned."""

    def __init__(self, tick: Callable[[], float]) -> None:
        self._over = threading.Event()
        self._tick = tick
        # The engines allow forking beside threads whose names begin with "evalign".
        self._thread = threading.Thread(target=self._run, name="evalign progress", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pause = self._tick()
        while not self._over.wait(pause):
            pause = self._tick()

    def stop(self) -> None:
        """Stop the thread and wait for its end."""
        self._over.set()
        self._thread.join()


@final
class _Terminal:
    """Shows progress on a terminal, as one line that is drawn again and again."""

    def __init__(self, stream: TextIO | None, rhythm: ProgressRhythm, now: float) -> None:
        self._stream = stream
        self._rhythm = rhythm
        self.due = now + rhythm.patience
        self._may = now + rhythm.patience
        self._pause_over = now
        self._shown = ""
        self._width = 0

    def wants(self, stage: str, now: float) -> bool:
        """Return whether a stage that has just begun is to be drawn at once.

        A step that follows another one quickly is not.
        """
        return now >= self._may and (now >= self._pause_over or not isinstance(stage, Step))

    def show(self, stage: str, left: float | None, now: float) -> None:
        """Draw `stage` over the line, with the seconds `left` if they are known."""
        self.due, self._pause_over = now + self._rhythm.refresh, now + self._rhythm.pause
        stream = self._stream or sys.stderr
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):  # a terminal without a known width
            columns = 80
        blocks = "utf" in (stream.encoding or "").lower()
        text = draw_stage(stage, columns - MARGIN, left=left, blocks=blocks)
        if text != self._shown:
            self._write(text)

    def clear(self) -> None:
        """Wipe the line, and the two characters (^C) that a terminal shows behind it for Ctrl-C."""
        if self._width:
            self._width += ECHO
            self._write("")
            stream = self._stream or sys.stderr
            stream.write("\r")
            stream.flush()

    def _write(self, text: str) -> None:

        width, before = width_of(text), self._width
        # If the write is interrupted, `_width` still covers all that may stand on the line.
        self._shown, self._width = text, max(width, before)
        stream = self._stream or sys.stderr
        stream.write("\r" + text + " " * (before - width))
        stream.flush()
        self._width = width


@final
class _Log:
    """Shows progress in a log, as a whole line every few seconds."""

    def __init__(self, stream: TextIO | None, rhythm: ProgressRhythm, now: float) -> None:
        self._stream = stream
        self._rhythm = rhythm
        self._start = now
        self.due = now + rhythm.log_patience

    def wants(self, _stage: str, now: float) -> bool:
        """Return whether the next line is due."""
        return now >= self.due

    def show(self, stage: str, left: float | None, now: float) -> None:
        """Write a line about `stage`."""
        passed = now - self._start
        rhythm, stream = self._rhythm, self._stream or sys.stderr
        self.due = now + (rhythm.log_pause if passed < rhythm.log_old else rhythm.log_old_pause)
        stream.write(f"evalign: {describe_stage(stage, passed, left)}\n")
        stream.flush()

    def clear(self) -> None:
        """Do nothing: lines of a log stay."""


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
    return text if left is None else f"{text}, {_say_left_by_clock(left)}"


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


def _say_left_by_clock(seconds: float) -> str:
    """Describe an estimate of seconds in the form of a clock, for a log.

    >>> [_say_left_by_clock(seconds) for seconds in (7.7, 101, 4013)]
    ['about 0:08 left', 'about 1:40 left', 'about 1:07:00 left']
    """
    return f"about {_say_clock(_round(seconds))} left"


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
    """Speed of the current piece of work, and the estimate of the time that it still takes.

    A piece of work is a series of steps with the same total and unit. The speed is an average in which
    older steps weigh less: the weight halves after `HALF_LIFE` seconds, or after half the time worked if that
    is longer.
    """

    def __init__(self) -> None:
        self._step: Step | None = None
        self._begun = self._last = 0.0
        self._first = 0
        self._forget()

    def _forget(self) -> None:
        """Reset the speed: weighted work, weighted seconds and the number of steps."""
        self._work = self._seconds = 0.0
        self._steps = 0

    def tell(self, stage: str, now: float) -> None:
        """Note that `stage` begins at time `now`; a stage that is not counted changes nothing."""
        if not isinstance(stage, Step):
            return
        before, self._step = self._step, stage
        if before is None or not _goes_on(before, stage):
            self._begun, before = now, stage
        if now - self._begun < MOMENT:
            self._last, self._first = now, stage.done
            self._forget()
        elif stage.done > before.done:
            self._steps += not self._is_together(now)
            self._work, self._seconds = self._weigh(stage.done - before.done, now)
            self._last = now

    def _is_together(self, now: float) -> bool:
        """Return whether a step noted at `now` counts as one with the last step.

        Workers that began at the same time end their steps at nearly the same time.
        """
        return self._steps > 0 and now - self._last < TOGETHER * (self._last - self._begun) / self._steps

    def left(self, now: float) -> float | None:
        """Return the seconds from `now` until the work is done, or None if it is too early for an estimate.

        Within a step, time runs on as if the step were an average one. A step that takes longer lowers the
        speed.
        """
        step = self._step
        if step is None or not self._is_known(step, now):
            return None
        speed = self._work / self._seconds
        due = min(self._average(), step.total - step.done)
        passed = now - self._last
        if passed * speed <= due:
            return max(0.0, (step.total - step.done) / speed - passed)
        work, seconds = self._weigh(due, now)
        return (step.total - step.done - due) * seconds / work or None

    def _is_known(self, step: Step, now: float) -> bool:
        done = step.done - self._first
        enough = self._steps >= LEAST_STEPS or done >= LEAST_SHARE * step.total
        return self._steps > 0 and enough and now - self._begun >= LEAST_SECONDS and step.done < step.total

    def _average(self) -> float:
        """Return the average work of a step."""
        step = self._step
        return (step.done - self._first) / self._steps if step else 0.0

    def _weigh(self, done: float, now: float) -> tuple[float, float]:
        """Return weighted work and weighted seconds at `now`, with `done` more work since the last step."""
        passed = now - self._last
        kept = 0.5 ** (passed / max(HALF_LIFE, (now - self._begun) / 2))
        return self._work * kept + done, self._seconds * kept + passed


def _goes_on(before: Step, step: Step) -> bool:
    """Return whether both steps belong to the same piece of work."""
    return (before.total, before.unit) == (step.total, step.unit) and before.done <= step.done
