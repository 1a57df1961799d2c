"""Progress of a long run, reported to a callback that gets the name of each stage.

Counted work reports a `Step`: a string that also says how much is done, so that a callback can draw a bar or
estimate the time left, while one that only prints names works too. Steps of one piece of work have the same
total and never decrease; a step with a smaller count or another total begins a new piece of work. With
several workers, a step counts finished items, and its name is that of the item finished last. If an earlier
run had finished some, the first step counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar, final

Progress: TypeAlias = Callable[[str], None]
Unit: TypeAlias = Literal["", "bytes"]
Item = TypeVar("Item")


@final
class Step(str):
    """The name of a stage of counted work, with how much of the work is done.

    >>> step = Step("reading third.conllu", 2, 6)
    >>> step, step.done, step.total
    ('reading third.conllu', 2, 6)
    """

    __slots__ = ("done", "total", "unit")
    done: int
    """How many items, or bytes, are done."""
    total: int
    """How many items, or bytes, there are in all; 0 if unknown."""
    unit: Unit
    """What is counted: "bytes", or "" for items."""

    def __new__(cls, stage: str, done: int, total: int, unit: Unit = "") -> Step:
        """Make a step named `stage`."""
        step = super().__new__(cls, stage)
        step.done, step.total, step.unit = done, total, unit
        return step

    def __getnewargs__(self) -> tuple[str, int, int, Unit]:  # type: ignore[override]
        """Return the arguments that copy and pickle give to `__new__`."""
        return str(self), self.done, self.total, self.unit


def no_progress(_stage: str) -> None:
    """Ignore progress."""


def counted(
    items: Sequence[Item], progress: Progress, stage: Callable[[Item], str] = str
) -> Iterator[tuple[int, Item]]:
    """Yield `items` with their indices, and report each to `progress` before it is yielded.

    `stage` gives the name of an item.

    >>> [number for number, _ in counted(["da", "de"], print)]
    da
    de
    [0, 1]
    """
    for number, item in enumerate(items):
        progress(Step(stage(item), number, len(items)))
        yield number, item


def count_done(items: Iterable[Item], sizes: Sequence[int], progress: Progress, stage: str) -> Iterator[Item]:
    """Yield `items`, and report before each one how much of the total of `sizes` is done.

    `sizes` has one size per item, in order. `stage` is the name of all steps.

    >>> [item for item in count_done("ab", [10, 5], lambda step: print(step, step.done, step.total), "drawing")]
    drawing 0 15
    drawing 10 15
    ['a', 'b']
    """
    waiting, done, total = iter(items), 0, sum(sizes)
    for size in sizes:
        progress(Step(stage, done, total))
        yield next(waiting)
        done += size
