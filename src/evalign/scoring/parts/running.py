"""Parts cut, counted by an engine, and joined; begun again where what was assumed of the whole turns out wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import NamedTuple, TypeVar

from evalign.engines import Engine, SerialEngine, run_ordered
from evalign.progress import Progress, Step, no_progress
from evalign.readers import ChunkReader, Source
from evalign.scoring.parts.counting import Asked, Piece, count_part
from evalign.scoring.parts.cutting import Part, Refuted, Told, cut_parts
from evalign.scoring.parts.joining import Joiner
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Result


Found = TypeVar("Found")


class Sources(NamedTuple):
    """What is scored: gold first, then the systems."""

    sources: tuple[Source, ...]
    names: tuple[str, ...]
    """What they are called; nothing: as they are named."""
    formats: tuple[str, ...]
    chunk: int
    """Bytes of a part, about."""

    def open(self, asked: Asked, stack: ExitStack) -> list[ChunkReader]:
        """Feeds from the beginning, closed with the stack."""
        reading = asked.manner.reading
        return [
            stack.enter_context(
                ChunkReader(
                    source,
                    format,
                    chunk=self.chunk,
                    strict=reading["strict"],
                    empty=reading["empty"],
                    name=name,
                )
            )
            for source, name, format in zip(self.sources, self.names, self.formats, strict=True)
        ]


def run_parts(sources: Sources, asked: Asked, engine: Engine, progress: Progress = no_progress) -> Result:
    """The result of gold and systems."""
    while True:
        joiner = Joiner(asked)
        with ExitStack() as stack:
            if engine.is_remote:
                progress("one worker cuts the files into parts")
                plan = _ask(engine, partial(plan_parts, asked), sources)
                if plan is None:
                    progress("one worker alone can read the files, as they are compressed")
                    return _ask(engine, partial(run_alone, asked), sources)
                cutting = Cutting(plan.name, plan.total, plan.parts)
            else:
                cutting = cut_feeds(sources.open(asked, stack), asked)
            counting = run_ordered(engine, partial(count_part, asked), _told(cutting, joiner, progress))
            refuted = _join(joiner, stack.enter_context(closing(counting)), asked.told) or cutting.refuted
        if refuted is None:
            return joiner.result()
        progress("beginning again: the texts are not as they seemed at first")
        asked = asked._replace(told=refuted)


def _ask(engine: Engine, function: Callable[[Sources], Found], sources: Sources) -> Found:
    """What one worker finds out."""
    ((_, found),) = engine.run(function, [sources])
    return found


class Cutting:
    """Parts, one after the other, as long as nothing is refuted."""

    def __init__(self, name: str, total: int, parts: Iterable[Part | Refuted]) -> None:
        self.name, self.total = name, total
        """What is scored, and how many bytes of it there are."""
        self.refuted: Told | None = None
        self._parts = parts

    def __iter__(self) -> Iterator[Part]:
        for part in self._parts:
            if isinstance(part, Refuted):
                self.refuted = part.told
                return
            yield part


def cut_feeds(feeds: Sequence[ChunkReader], asked: Asked) -> Cutting:
    """Parts as they are cut."""
    sizes = [feed.size for feed in feeds]
    total = sum(sizes) if all(sizes) else 0
    return Cutting(feeds[0].name, total, cut_parts(feeds, asked.told, asked.manner))


class Plan(NamedTuple):
    """All parts there are, as far as nothing is refuted."""

    name: str
    total: int
    parts: list[Part | Refuted]


def plan_parts(asked: Asked, sources: Sources) -> Plan | None:
    """Cut all parts where the data is; None where no two workers can read them: compressed files have no middle."""
    with ExitStack() as stack:
        feeds = sources.open(asked, stack)
        kinds = zip(feeds, sources.sources, strict=True)
        if not all(feed.can_seek or isinstance(source, Text) for feed, source in kinds):
            return None
        cutting = cut_feeds(feeds, asked)
        parts: list[Part | Refuted] = list(cutting)
        if cutting.refuted is not None:
            # Nothing is counted that would be thrown away.
            parts = [Refuted(cutting.refuted)]
        return Plan(cutting.name, cutting.total, parts)


def run_alone(asked: Asked, sources: Sources) -> Result:
    """The result, by one worker alone."""
    return run_parts(sources, asked, SerialEngine())


def _told(cutting: Cutting, joiner: Joiner, progress: Progress) -> Iterator[Part]:
    """Parts as they are given out, with what is still wanted of them; says how much of the data is under way."""
    for part in cutting:
        done = sum(each.end for each in (part.gold, *part.systems))
        progress(Step(f"scoring {cutting.name}", min(done, cutting.total or done), cutting.total, "bytes"))
        yield part._replace(hints=joiner.hints)


def _join(joiner: Joiner, pieces: Iterator[Piece | Refuted], told: Told) -> Told | None:
    """Join what is counted until something is refuted; what is still under way is given up then."""
    for piece in pieces:
        if isinstance(piece, Refuted):
            return piece.told
        joiner.add(piece)
        if joiner.wrongly_empty:
            return told._replace(filled=joiner.wrongly_empty)
    return None
