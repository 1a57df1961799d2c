"""Ctrl-C, and the sudden end of the process that asked for work: all workers stop without a word."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import workpieces

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX systems")

PROGRAM = """
import sys
from evalign.engines.processes import ProcessEngine
from workpieces import work_for_long

kind, folder = sys.argv[1:]
try:
    with ProcessEngine(2, fork=kind == "forked") as engine:
        for _ in engine.run(work_for_long, [folder] * 5):
            pass
except KeyboardInterrupt:
    sys.stderr.write("interrupted\\n")
    sys.exit(130)
"""
KINDS = [
    pytest.param("forked", marks=pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux alone")),
    "new",
]


@pytest.fixture(params=KINDS)
def program(request, tmp_path):
    """A program with two workers in the middle of their work, in a group of its own, and its workers."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    paths = [str(Path(workpieces.__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    process = subprocess.Popen(
        [sys.executable, script, request.param, tmp_path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True,
    )  # fmt: skip
    pids = workpieces.wait_until(lambda: len(found := workpieces.find_workers(tmp_path)) == 2 and found)
    with process:
        yield process, pids
        process.kill()


def test_an_interrupted_run_ends_all_its_workers(program):
    process, pids = program
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: it reaches the workers too
    out, err = process.communicate(timeout=workpieces.PATIENCE / 2)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert not any(map(workpieces.is_alive, pids))


def test_workers_do_not_mind_an_interrupt_of_their_own(program):
    process, pids = program
    for pid in pids:
        os.kill(pid, signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    assert all(map(workpieces.is_alive, pids))
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=workpieces.PATIENCE / 2)
    assert err == "interrupted\n"


def test_workers_whose_program_is_killed_end_by_themselves(program):
    process, pids = program
    process.kill()
    workpieces.wait_until(lambda: not any(map(workpieces.is_alive, pids)))
    _, err = process.communicate(timeout=workpieces.PATIENCE / 2)
    assert "Traceback" not in err
