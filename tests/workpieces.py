"""What workers do in tests: functions that they can import, too."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from evalign.errors import InputError, Place

# Nothing takes that long: a test that waits longer has failed.
PATIENCE = 60


def double(number):
    return 2 * number


def find_pid(_item):
    return os.getpid()


def refuse(number):
    """The third item is no good."""
    if number == 2:
        raise InputError(Place("third.conllu", 7), "nothing", "something", "write it")
    return number


def read_file(path):
    from evalign.scoring import read

    return len(read(path).line)


class OddError(Exception):
    """Can be pickled, but not made again."""

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
    """Some items kill whoever works on them."""
    if item == "poison.conllu":
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def die_once(item):
    """The first to come to a marked item dies of it; whoever comes later finds the mark."""
    number, mark = item
    if mark and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def work_until_told(item):
    """Say who works, and wait for a file."""
    number, folder = item
    Path(folder, f"{os.getpid()}.pid").touch()
    wait_until(Path(folder, "go").exists)
    return number


def work_for_long(folder):
    """Say who works, and be in the middle of it for a minute."""
    Path(folder, f"{os.getpid()}.pid").touch()
    time.sleep(PATIENCE)


def find_workers(folder):
    """Who said that they work."""
    return [int(path.stem) for path in Path(folder).glob("*.pid")]


def wait_until(is_so):
    """Wait for something to be so."""
    deadline = time.monotonic() + PATIENCE
    while not (result := is_so()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return result


def is_alive(pid):
    """Whether a process runs: one that has ended and is not waited for does not."""
    import psutil

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
