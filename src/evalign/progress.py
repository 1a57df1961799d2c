"""How a long run tells what it is doing: a callback that gets the name of each stage it comes to.

A stage that is counted is a `Step`: a name that also says how much is done, so that whoever can draw a bar or say how
long it will take does, and a callback that only prints names works as before. Steps of one piece of work have the same
total and do not go back: one that does, or has another total, begins another. With several workers, what is counted
is what they have finished, and the name is that of the last; where something was finished before, by an earlier run,
the first step says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar, final

Progress: TypeAlias = Callable[[str], None]
Unit: TypeAlias = Literal["", "bytes"]
Item = TypeVar("Item")


@final
class Step(str):
    """A stage of counted work.

    >>> step = Step("reading third.conllu", 2, 6)
    >>> step, step.done, step.total
    ('reading third.conllu', 2, 6)
    """

    __slots__ = ("done", "total", "unit")
    done: int
    """How many are done already."""
    total: int
    """Of how many; 0 where nobody knows."""
    unit: Unit
    """What is counted: things, or bytes."""

    def __new__(cls, stage: str, done: int, total: int, unit: Unit = "") -> Step:
        """A name with how much is done, and of how much."""
        step = super().__new__(cls, stage)
        step.done, step.total, step.unit = done, total, unit
        return step

    def __getnewargs__(self) -> tuple[str, int, int, Unit]:  # type: ignore[override]
        """What a copy is made of, in this process or another."""
        return str(self), self.done, self.total, self.unit


def no_progress(_stage: str) -> None:
    """Nobody is told."""


def counted(
    items: Sequence[Item], progress: Progress, stage: Callable[[Item], str] = str
) -> Iterator[tuple[int, Item]]:
    """Items with their numbers from 0, each told of before it comes.

    >>> [number for number, _ in counted(["da", "de"], print)]
    da
    de
    [0, 1]
    """
    for number, item in enumerate(items):
        progress(Step(stage(item), number, len(items)))
        yield number, item


def count_done(items: Iterable[Item], sizes: Sequence[int], progress: Progress, stage: str) -> Iterator[Item]:
    """Items that are so large each, told of before each is made: how much is done of the sizes of all.

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
