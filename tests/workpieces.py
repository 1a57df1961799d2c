"""Functions for workers in tests, in a module that workers can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from evalign.errors import InputError, Place

# Seconds. Nothing takes that long: a test that waits longer has failed.
PATIENCE = 60


def double(number):
    return 2 * number


def find_pid(_item):
    return os.getpid()


def refuse(number):
    """Raise InputError for item 2, the third one."""
    if number == 2:
        raise InputError(Place("third.conllu", 7), "nothing", "something", "write it")
    return number


def read_file(path):
    from evalign.scoring.api import read

    return len(read(path).line)


class OddError(Exception):
    """An error that can be pickled but not unpickled."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


def be_odd(number):
    raise OddError(number, number)


def make_function(_item):
    return lambda: None


def speak(number):
    print("said by a worker")
    return number


def die(item):
    """Kill the worker if the item is "poison.conllu"."""
    if item == "poison.conllu":
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def die_once(item):
    """Kill the first worker that gets a marked item; the mark it leaves spares later ones."""
    number, mark = item
    if mark and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def work_until_told(item):
    """Record the worker's process id, and wait for the file "go"."""
    number, folder = item
    Path(folder, f"{os.getpid()}.pid").touch()
    wait_until(Path(folder, "go").exists)
    return number


def work_for_long(folder):
    """Record the worker's process id, and stay busy for a minute."""
    Path(folder, f"{os.getpid()}.pid").touch()
    time.sleep(PATIENCE)


def find_workers(folder):
    """Return the recorded process ids of workers."""
    return [int(path.stem) for path in Path(folder).glob("*.pid")]


def wait_until(is_so):
    """Wait until `is_so` returns something true, and return it."""
    deadline = time.monotonic() + PATIENCE
    while not (result := is_so()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return result


def is_alive(pid):
    """Return whether a process runs; one that has ended but is not yet reaped does not."""
    import psutil

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
