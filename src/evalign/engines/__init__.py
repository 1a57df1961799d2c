"""Engines map a function over items: in this process, in several processes, or on a Dask cluster.

`open_engine` chooses one. All engines give the same results. `scoring` and `bitext` use them for work that
falls into independent items, such as treebanks.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.base import (
        MOST_WORKERS as MOST_WORKERS,
        Engine as Engine,
        EngineInput as EngineInput,
        SerialEngine as SerialEngine,
        find_listener as find_listener,
        parse_cluster as parse_cluster,
    )
    from evalign.engines.dask_connection import (
        Client as Client,
        Timeouts as Timeouts,
        WorkerVersions as WorkerVersions,
        check_versions as check_versions,
        own_versions as own_versions,
        silence_dask_logs as silence_dask_logs,
    )
    from evalign.engines.dask_engine import DaskEngine as DaskEngine
    from evalign.engines.processes import ProcessEngine as ProcessEngine, can_fork as can_fork
    from evalign.engines.run import (
        count_cores as count_cores,
        open_engine as open_engine,
        run_ordered as run_ordered,
    )
    from evalign.engines.worker import (
        WorkerTraceback as WorkerTraceback,
        answer_packed as answer_packed,
        describe_item as describe_item,
        open_answer as open_answer,
        pack_value as pack_value,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".base": "Engine EngineInput MOST_WORKERS SerialEngine find_listener parse_cluster",
        ".dask_connection": "Client Timeouts WorkerVersions check_versions own_versions silence_dask_logs",
        ".dask_engine": "DaskEngine",
        ".processes": "ProcessEngine can_fork",
        ".run": "count_cores open_engine run_ordered",
        ".worker": "WorkerTraceback answer_packed describe_item open_answer pack_value",
    },
)
