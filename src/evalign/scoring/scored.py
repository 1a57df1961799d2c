"""What `score` was told: what is scored and how, and how the work is spread out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from evalign.metrics import MOST_PASSAGES
from evalign.scoring.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.engines import Engine
    from evalign.readers import RawInput

# Below so many bytes in all files, several processes are no faster than one.
SMALL = 1 << 23


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
    system_names: Sequence[str] = ()
    """What the systems are called; nothing where that is left to their files."""


class Spread(NamedTuple):
    """How the work is spread out."""

    engine: Engine | Client | int | str | None = None
    """What `open_engine` takes."""
    stream: bool | int = False
    """Whether memory is to be bounded; a number is how many bytes of each file are read at a time."""
    window: int | None = None
    """How far away text that was displaced is looked for, in characters."""
    has_evidence: bool = True
    """Whether parts keep errors and breakdowns, and how many passages."""
    passages: int | None = MOST_PASSAGES

    def is_asked(self, sources: Sequence[object]) -> bool:
        """Whether anything but this process and its memory is, and the files are large enough for more processes."""
        if self.stream or self.window is not None or not isinstance(self.engine, int):
            return bool(self.stream) or self.window is not None or self.engine is not None
        return self.engine < 1 or (self.engine > 1 and sum(map(find_size, sources)) >= SMALL)


def find_size(source: object) -> int:
    """Bytes of a file; what is no file is taken for a small one, what is elsewhere for a large one."""
    if isinstance(source, str) and "://" in source:
        return SMALL
    try:
        return os.stat(source).st_size if isinstance(source, (str, os.PathLike)) else 0  # noqa: PTH116
    except (OSError, ValueError):
        return 0
