"""Dask on a terminal: what it would log there, evalign says itself, once and in words."""

from __future__ import annotations

import logging
from collections.abc import Callable

_ABOVE_ALL = logging.CRITICAL + 1


def silence_logs() -> Callable[[], None]:
    """Keep Dask from writing to standard error; what is returned lets it again.

    Only what Dask itself has set up is silenced: a program that has a log of its own gets everything there.
    """
    handlers = {
        handler
        for name in list(logging.root.manager.loggerDict)
        if name.partition(".")[0] in ("distributed", "tornado")
        for handler in logging.getLogger(name).handlers
        if isinstance(handler, logging.StreamHandler)
    }
    levels = [(handler, handler.level) for handler in handlers]
    for handler in handlers:
        handler.setLevel(_ABOVE_ALL)

    def restore() -> None:
        for handler, level in levels:
            handler.setLevel(level)

    return restore
