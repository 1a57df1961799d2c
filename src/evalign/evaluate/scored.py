"""What `score` was told: what is scored and how, and how the work is spread out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalign.evaluate.settings import Settings
from evalign.layers.kinds import MOST_PASSAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.engines import Engine
    from evalign.readers.raw import RawInput


class Scored(NamedTuple):
    """What is scored, and how."""

    sources: tuple[object, ...]
    """Gold, then the systems."""
    formats: tuple[str, str]
    settings: Settings
    """Without metrics: which there are, the documents say."""
    names: Sequence[str]
    """Of metrics, `default` where none was asked for."""
    asked: Sequence[str]
    layer: str
    raw: RawInput | None


class Spread(NamedTuple):
    """How the work is spread out."""

    engine: Engine | Client | int | str | None = None
    """What `open_engine` takes."""
    stream: bool = False
    """Whether memory is to be bounded."""
    window: int | None = None
    """How far away text that was displaced is looked for, in characters."""
    has_evidence: bool = True
    """Whether parts keep errors and breakdowns, and how many passages."""
    passages: int | None = MOST_PASSAGES

    @property
    def is_asked(self) -> bool:
        """Whether anything but this process and its memory is."""
        return self.stream or self.window is not None or self.engine not in (None, 1)
