"""How long counted work will take, from how long it took so far; and how figures of it are written."""

from __future__ import annotations

from typing import final

from evalign.progress import Step

# No estimate before so many seconds of a piece of work, and before two steps of it or this share of it are done.
LEAST_SECONDS = 5.0
LEAST_STEPS = 2
LEAST_SHARE = 0.05
# What is done within the first moment was mostly done before: results kept by an earlier run come at once.
MOMENT = 0.5
# Speed is an average in which a second counts half after so many seconds, or after half the time worked if that is
# longer: it follows a change, and one long treebank among short ones does not turn it over.
HALF_LIFE = 60.0
# Steps that follow each other within this share of the usual time are one.
TOGETHER = 0.25

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_SIZES = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


@final
class Pace:
    """The speed of the piece of work that a run is at, and what it leaves to do."""

    def __init__(self) -> None:
        self._step: Step | None = None
        self._begun = self._last = 0.0
        self._first = 0
        self._forget()

    def _forget(self) -> None:
        """No speed is known: neither weighted work and seconds nor steps."""
        self._work = self._seconds = 0.0
        self._steps = 0

    def tell(self, stage: str, now: float) -> None:
        """A stage begins; one that is not counted changes nothing."""
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
        """Whether a step belongs to the last: several workers that began together end together."""
        return self._steps > 0 and now - self._last < TOGETHER * (self._last - self._begun) / self._steps

    def left(self, now: float) -> float | None:
        """Seconds from now until the work is done, None where there is not enough to tell from.

        Within a step, time runs on as if the step were one of the average; a step that takes longer slows the speed.
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
        """How much a step does."""
        step = self._step
        return (step.done - self._first) / self._steps if step else 0.0

    def _weigh(self, done: float, now: float) -> tuple[float, float]:
        """Work and its seconds, with so much more that was done since the last step."""
        passed = now - self._last
        kept = 0.5 ** (passed / max(HALF_LIFE, (now - self._begun) / 2))
        return self._work * kept + done, self._seconds * kept + passed


def _goes_on(before: Step, step: Step) -> bool:
    """Whether both are of the same piece of work."""
    return (before.total, before.unit) == (step.total, step.unit) and before.done <= step.done


def say_left(seconds: float) -> str:
    """What is left, for a person who waits.

    >>> [say_left(seconds) for seconds in (0.2, 7.7, 41, 100, 5000, 200_000)]
    ['about 1 s left', 'about 8 s left', 'about 40 s left', 'about 2 min left', 'about 1 h left', 'about 2 days left']
    """
    if (rounded := round(_round(seconds))) < _MINUTE:
        return f"about {rounded} s left"
    for size, unit, most in ((_MINUTE, "min", 60), (_HOUR, "h", 48)):
        # What is rounded up to a whole one of the next unit is said in that.
        if (number := max(1, round(seconds / size))) < most:
            return f"about {number} {unit} left"
    return f"about {round(seconds / _DAY)} days left"


def say_clock(seconds: float) -> str:
    """Seconds as a clock counts them.

    >>> [say_clock(seconds) for seconds in (0, 34.9, 100, 4000)]
    ['0:00', '0:34', '1:40', '1:06:40']
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def say_left_by_clock(seconds: float) -> str:
    """What is left, in the form of the time that has passed.

    >>> [say_left_by_clock(seconds) for seconds in (7.7, 101, 4013)]
    ['about 0:08 left', 'about 1:40 left', 'about 1:07:00 left']
    """
    return f"about {say_clock(_round(seconds))} left"


def _round(seconds: float) -> float:
    """An estimate with no more figures than it is worth, and never nothing."""
    steps = ((10, 1), (_MINUTE, 5), (10 * _MINUTE, 10), (_DAY, _MINUTE))
    step = next((step for most, step in steps if seconds < most), _HOUR)
    return max(1.0, round(seconds / step) * step)


def say_figures(step: Step) -> tuple[str, str, str]:
    """How much is done, of how much, and the unit with a space before it; no total where there is none to speak of.

    >>> say_figures(Step("scoring", 3, 12)), say_figures(Step("reading", 1_234_000_000, 10**10, "bytes"))
    ((' 3', '12', ''), (' 1.2', '10.0', ' GB'))
    >>> say_figures(Step("reading", 1_234_000_000, 0, "bytes")), say_figures(Step("scoring", 0, 1))
    (('1.2', '', ' GB'), ('', '', ''))
    """
    total = max(step.total, 0)
    done = min(step.done, total) if total else step.done
    if not step.unit:
        if total == 1 or not (total or done):  # of one thing, nothing is done until all is
            return "", "", ""
        return (f"{done:>{len(str(total))}}", str(total), "") if total else (str(done), "", "")
    size, unit = next((each for each in _SIZES if max(total, done) >= each[0]), (1, "bytes"))
    places = 1 if size > 1 else 0
    whole = f"{total / size:.{places}f}" if total else ""
    return f"{done / size:>{len(whole)}.{places}f}", whole, f" {unit}"
