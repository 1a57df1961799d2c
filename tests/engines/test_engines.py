"""Common behaviour of all engines, and the choice of an engine."""

import itertools
import os
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from evalign.engines.base import SerialEngine, count_cores, open_engine, run_ordered
from evalign.engines.dask_engine import find_listener
from evalign.engines.processes import ProcessEngine
from evalign.errors import CommandError
from workpieces import double


class Shuffling:
    """An engine that finishes items in the order it is told, and not before so many are under way."""

    name = "shuffled"
    n_workers = 4

    def __init__(self, turns):
        self.turns = turns
        self.is_open = True

    def run(self, function, items):
        under_way = []
        turns = iter(self.turns)
        for numbered in enumerate(items):
            under_way.append(numbered)
            if len(under_way) == self.n_workers:
                yield self._finish(function, under_way, next(turns))
        while under_way:
            yield self._finish(function, under_way, next(turns))

    def _finish(self, function, under_way, turn):
        number, item = under_way.pop(turn % len(under_way))
        return number, function(item)

    def close(self):
        self.is_open = False

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()


@given(st.lists(st.integers(), max_size=30), st.data())
def test_results_come_in_the_order_of_the_items_however_they_finish(items, data):
    turns = data.draw(st.lists(st.integers(0, 99), min_size=len(items), max_size=len(items)))
    assert list(run_ordered(Shuffling(turns), double, items)) == [2 * item for item in items]


def test_a_result_comes_as_soon_as_all_before_it_have():
    drawn = []
    found = run_ordered(SerialEngine(), double, (drawn.append(k) or k for k in itertools.count()))
    assert list(itertools.islice(found, 3)) == [0, 2, 4]
    assert drawn == [0, 1, 2]


def test_this_process_gives_numbers_and_raises_what_is_raised():
    assert list(SerialEngine().run(double, "ab")) == [(0, "aa"), (1, "bb")]
    with pytest.raises(TypeError):
        list(SerialEngine().run(len, [1]))


@pytest.mark.parametrize("number", [None, 1])
def test_nothing_and_one_are_this_process(number):
    with open_engine(number) as engine:
        assert isinstance(engine, SerialEngine)
        assert (engine.name, engine.n_workers) == ("this process", 1)


def test_a_number_is_so_many_processes():
    with open_engine(3) as engine:
        assert isinstance(engine, ProcessEngine)
        assert (engine.name, engine.n_workers) == ("3 processes", 3)


@pytest.mark.parametrize("number", [0, -1, 100_000])
def test_there_are_not_that_many_processes(number):
    with pytest.raises(CommandError, match=f"{number} processes.*\n.*a number from 1 to"):
        open_engine(number)


def test_an_engine_that_is_given_stays_open():
    mine = Shuffling([0, 0])
    with open_engine(mine) as engine:
        assert list(engine.run(double, [1, 2])) == [(0, 2), (1, 4)]
        assert (engine.name, engine.n_workers) == ("shuffled", 4)
    assert mine.is_open
    here = SerialEngine()
    assert open_engine(here) is here


@pytest.mark.parametrize(
    "text", ["", "foo", "127.0.0.1", "tcp://", "tcp://host", "host:0", "host:99999", "a b:1", "host:1:2", "4"]
)
def test_what_is_no_address(text):
    with pytest.raises(
        CommandError,
        match=r"which is not an address\n  expected tcp://HOST:PORT\n  a scheduler says its address",
    ):
        open_engine(text)


@pytest.mark.parametrize("text", ["local:2", "local:", "local:x"])
def test_workers_on_this_machine_are_processes_and_no_cluster(text):
    advice = "to work in N processes on this machine: `engine=N`"
    with pytest.raises(CommandError, match=f'a cluster "{text}".*\n  expected tcp://HOST:PORT\n  {advice}'):
        open_engine(text)


@pytest.mark.parametrize(
    ("text", "listener"),
    [
        ("tcp://10.0.0.1:8786", ("10.0.0.1", 8786)),
        ("node7.cluster:8786", ("node7.cluster", 8786)),
        ("tcp://[fe80::1]:8786", ("fe80::1", 8786)),
        ("tls://node7:8786", None),
        ("ucx://node7:8786", None),
    ],
)
def test_addresses(text, listener):
    assert find_listener(text) == listener


def test_a_cluster_without_the_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CommandError, match="pip install dask distributed"):
        open_engine("tcp://host:1")


def test_cores_are_those_this_process_may_use():
    assert 1 <= count_cores() <= (os.cpu_count() or 1)


def test_engines_cost_nothing_until_they_are_used():
    program = (
        "import sys; from evalign.engines.base import open_engine; open_engine(None); open_engine(1)\n"
        "print(*(name for name in ('distributed', 'subprocess', 'numpy', 'evalign.engines.processes', 'pickle')"
        " if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
