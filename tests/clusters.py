"""Dask's own programs for tests: a cluster on this machine, or a scheduler and workers one by one."""

import contextlib
import logging
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest


@contextlib.contextmanager
def start_cluster():
    """A client of a scheduler and two workers, each a process; workers that die are started again."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"allowed_failures": 2},
            silence_logs=logging.CRITICAL + 1,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextlib.contextmanager
def start(*arguments, path=""):
    """A program of Dask's, and the address it says."""
    paths = [path, str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )  # fmt: skip
    with process:
        try:
            address = next(
                found[1] for line in process.stderr if (found := re.search(r"at: +(t(?:cp|ls)://\S+)", line))
            )
            reader = threading.Thread(target=process.stderr.read)
            reader.start()
            yield process, address
        finally:
            process.kill()
            reader.join()


def start_scheduler(path="", options=()):
    return start(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
        "--dashboard-address", "127.0.0.1:0", *options, path=path,
    )  # fmt: skip


def start_worker(scheduler, folder, path="", options=()):
    return start(
        "distributed.cli.dask_worker", scheduler, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
        "--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--local-directory", str(folder), *options, path=path,
    )  # fmt: skip
