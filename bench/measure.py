"""Time and peak memory of a command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass

# Kilobytes on Linux, bytes on macOS (getrusage).
_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, and megabytes at the peak."""

    seconds: float
    megabytes: float


def measure(command: list[str], repeat: int = 1) -> Cost:
    """The best of several runs; a command that fails ends the benchmark."""
    best: Cost | None = None
    for _ in range(repeat):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        stderr = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.stderr:
            process.stderr.close()
        if status:
            sys.exit(f"{' '.join(command)} failed: {stderr.decode()[-500:]}")
        cost = Cost(time.perf_counter() - start, usage.ru_maxrss * _UNIT / 2**20)
        if best is None or cost.seconds < best.seconds:
            best = cost
    assert best is not None
    return best
