"""Time and peak memory of a command, and of all the processes that it starts.

The kernel records the peak of a single process (getrusage). Nothing records the joint peak of several, so
their memory is sampled and the largest sum is taken. A page that several processes hold counts once, divided
among them (PSS, Linux only).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import final

# Kilobytes on Linux, bytes on macOS (getrusage).
_UNIT = 1 if sys.platform == "darwin" else 1024
# Seconds between two samples of memory, or REST times the duration of a sample if that is longer: sampling
# makes a process wait.
PAUSE = 0.05
REST = 20


@dataclass(frozen=True, slots=True)
class Cost:
    """Time in seconds, and peak memory in megabytes."""

    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class SharedCost:
    """The joint cost of a command and the processes it starts.

    `processor` is seconds of processor time. `megabytes` is the peak of all processes together, `largest`
    that of the largest one. `printed` is a hash of what was printed, to compare outputs.
    """

    seconds: float
    processor: float
    megabytes: float
    largest: float
    printed: str


def measure(command: list[str], repeat: int = 1) -> Cost:
    """Return the best of several runs; a command that fails ends the benchmark."""
    best: Cost | None = None
    for _ in range(repeat):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        usage = _wait(process, command)
        cost = Cost(time.perf_counter() - start, usage.ru_maxrss * _UNIT / 2**20)
        if best is None or cost.seconds < best.seconds:
            best = cost
    assert best is not None
    return best


def measure_in_turn(
    commands: Mapping[str, list[str]], repeat: int = 1, written: Path | None = None
) -> dict[str, SharedCost]:
    """Return the best of several runs of each command, with all its processes.

    The commands take turns, so that all of them meet the same conditions. The folder `written`, where they
    write, is removed before each run.
    """
    best: dict[str, SharedCost] = {}
    for _ in range(repeat):
        for name, command in commands.items():
            if written:
                shutil.rmtree(written, ignore_errors=True)
            cost = measure_all(command)
            if name not in best or cost.seconds < best[name].seconds:
                best[name] = cost
    return best


def measure_all(command: list[str]) -> SharedCost:
    """Measure one run with all its processes, which are those of a session of their own."""
    with tempfile.TemporaryFile() as printed:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.PIPE, start_new_session=True)
        try:
            with _Watch(process.pid) as watch:
                usage = _wait(process, command)
        except BaseException:  # processes that it has left behind are ended too
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
        seconds = time.perf_counter() - start
        printed.seek(0)
        digest = hashlib.sha256(printed.read()).hexdigest()
    largest = usage.ru_maxrss * _UNIT / 2**20
    # Sampling may miss the peak of a single process; the kernel does not.
    together = max(watch.peak / 2**20, largest)
    return SharedCost(seconds, usage.ru_utime + usage.ru_stime, together, largest, digest)


def _wait(process: subprocess.Popen[bytes], command: list[str]) -> os.struct_rusage:  # type: ignore[name-defined]
    """Wait until a process ends; return its resource usage."""
    stderr = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stderr:
        process.stderr.close()
    if status:
        sys.exit(f"{' '.join(command)} failed: {stderr.decode()[-500:]}")
    return usage


@final
class _Watch:
    """Samples the memory of all processes of a session.

    `peak` is the largest sum in bytes; 0 where memory cannot be read.
    """

    def __init__(self, session: int) -> None:
        self.peak = 0
        self._session = session
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        pause = 0.0
        while not self._over.wait(pause):
            start = time.perf_counter()
            self.peak = max(self.peak, sum(map(_memory_of, _processes_of(self._session))))
            pause = max(PAUSE, REST * (time.perf_counter() - start))


def _processes_of(session: int) -> list[Path]:
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name before the last bracket may hold anything; then come state, parent, group, session.
            fields = (
                (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            )
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            processes.append(folder)
    return processes


def _memory_of(process: Path) -> int:
    try:
        lines = (process / "smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
