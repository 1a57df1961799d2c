"""Parts cut, counted by an engine, and joined; begun again where what was assumed of the whole turns out wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import NamedTuple

from evalign.engines import Engine, run_ordered
from evalign.evaluate.parts.counting import Asked, Piece, count_part
from evalign.evaluate.parts.cutting import Part, Refuted, Told, cut_parts
from evalign.evaluate.parts.joining import Joiner
from evalign.progress import Progress, Step, no_progress
from evalign.readers.feed import Feed
from evalign.readers.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.result import Result


class Sources(NamedTuple):
    """What is scored: gold first, then the systems."""

    sources: tuple[Source, ...]
    formats: tuple[str, ...]
    chunk: int
    """Bytes of a part, about."""

    def open(self, asked: Asked, stack: ExitStack) -> list[Feed]:
        """Feeds from the beginning, closed with the stack."""
        reading = asked.manner.reading
        return [
            stack.enter_context(
                Feed(source, format, chunk=self.chunk, strict=reading["strict"], empty=reading["empty"])
            )
            for source, format in zip(self.sources, self.formats, strict=True)
        ]


def run_parts(sources: Sources, asked: Asked, engine: Engine, progress: Progress = no_progress) -> Result:
    """The result of gold and systems."""
    while True:
        joiner = Joiner(asked)
        with ExitStack() as stack:
            cutting: _Cutting = (
                _Planned(sources, asked, engine) if engine.is_remote else _Cutting(sources, asked, stack)
            )
            pieces = stack.enter_context(
                closing(run_ordered(engine, partial(count_part, asked), _told(cutting, progress)))
            )
            refuted = _join(joiner, pieces, asked.told) or cutting.refuted
        if refuted is None:
            return joiner.result()
        progress("beginning again: the texts are not as they seemed at first")
        asked = asked._replace(told=refuted)


class _Cutting:
    """Parts, one after the other, as long as nothing is refuted."""

    def __init__(self, sources: Sources, asked: Asked, stack: ExitStack) -> None:
        feeds = sources.open(asked, stack)
        self.name, self.total = feeds[0].name, sum(feed.size for feed in feeds)
        self.refuted: Told | None = None
        self._parts: Iterable[Part | Refuted] = cut_parts(feeds, asked.told, asked.manner)

    def __iter__(self) -> Iterator[Part]:
        for part in self._parts:
            if isinstance(part, Refuted):
                self.refuted = part.told
                return
            yield part


class _Planned(_Cutting):
    """The same, cut by a worker, which alone may see the data."""

    def __init__(self, sources: Sources, asked: Asked, engine: Engine) -> None:
        (_, plan), *_ = engine.run(partial(plan_parts, asked), [sources])
        self.name, self.total, self.refuted = plan.name, plan.total, plan.refuted
        # Nothing is counted that would be thrown away.
        self._parts = [] if plan.refuted else plan.parts


class Plan(NamedTuple):
    """All parts, and what was refuted while they were cut."""

    name: str
    total: int
    parts: list[Part]
    refuted: Told | None


def plan_parts(asked: Asked, sources: Sources) -> Plan:
    """Cut all parts, where the data is."""
    with ExitStack() as stack:
        cutting = _Cutting(sources, asked, stack)
        parts = list(cutting)
        return Plan(cutting.name, cutting.total, parts, cutting.refuted)


def _told(cutting: _Cutting, progress: Progress) -> Iterator[Part]:
    """Parts with how much of the data is under way."""
    for part in cutting:
        done = sum(each.end for each in (part.gold, *part.systems))
        progress(Step(f"scoring {cutting.name}", min(done, cutting.total), cutting.total, "bytes"))
        yield part


def _join(joiner: Joiner, pieces: Iterator[Piece | Refuted], told: Told) -> Told | None:
    """Join what is counted until something is refuted; what is still under way is given up then."""
    for piece in pieces:
        if isinstance(piece, Refuted):
            return piece.told
        joiner.add(piece)
        if joiner.mistaken:
            return told._replace(filled=joiner.mistaken)
    return None
