"""Engines: a function mapped over items in this process, in several, or on a cluster; the results are the same."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.base import MOST_WORKERS as MOST_WORKERS, Engine as Engine, Here as Here
    from evalign.engines.dask_connection import Client as Client
    from evalign.engines.processes import Processes as Processes, can_fork as can_fork
    from evalign.engines.run import (
        count_cores as count_cores,
        open_engine as open_engine,
        run_ordered as run_ordered,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".base": "Engine Here MOST_WORKERS",
        ".dask_connection": "Client",
        ".processes": "Processes can_fork",
        ".run": "count_cores open_engine run_ordered",
    },
)
