"""Engines: a function mapped over items in this process, in several, or on a cluster; the results are the same."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.addresses import MOST_WORKERS as MOST_WORKERS
    from evalign.engines.dask import Client as Client
    from evalign.engines.engine import Engine as Engine
    from evalign.engines.here import Here as Here
    from evalign.engines.processes import Processes as Processes
    from evalign.engines.run import (
        count_cores as count_cores,
        open_engine as open_engine,
        run_ordered as run_ordered,
    )
    from evalign.engines.workers import can_fork as can_fork

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".addresses": "MOST_WORKERS",
        ".dask": "Client",
        ".engine": "Engine",
        ".here": "Here",
        ".processes": "Processes",
        ".run": "count_cores open_engine run_ordered",
        ".workers": "can_fork",
    },
)
