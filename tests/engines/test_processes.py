"""Several real processes on this machine: their results, and what happens when they are killed."""

import itertools
import os
import signal
import sys
import threading

import psutil
import pytest

import workpieces
from evalign.engines.base import run_ordered
from evalign.engines.processes import ProcessEngine, can_fork
from evalign.errors import EngineError, InputError, Place

STARTS = [
    pytest.param(
        True, id="forked", marks=pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux alone")
    ),
    pytest.param(False, id="new"),
]


@pytest.fixture(params=STARTS)
def engine(request):
    """Two workers; none of them is left behind."""
    before = {child.pid for child in psutil.Process().children()}
    with ProcessEngine(2, fork=request.param) as engine:
        yield engine
    assert {child.pid for child in psutil.Process().children()} == before


def test_results_have_the_numbers_of_the_items(engine):
    assert sorted(engine.run(workpieces.double, range(9))) == [(k, 2 * k) for k in range(9)]
    assert list(run_ordered(engine, workpieces.double, "abc")) == ["aa", "bb", "cc"]
    assert list(engine.run(workpieces.double, [])) == []


def test_one_item_is_worked_on_here(engine):
    assert list(engine.run(workpieces.find_pid, [0])) == [(0, os.getpid())]


def test_several_items_are_worked_on_elsewhere_and_the_workers_are_kept(engine):
    first = {pid for _, pid in engine.run(workpieces.find_pid, range(20))}
    second = {pid for _, pid in engine.run(workpieces.find_pid, range(20))}
    assert os.getpid() not in first
    assert len(first) <= 2
    assert len(first | second) <= 2


def test_no_more_workers_are_started_than_there_are_items():
    before = len(psutil.Process().children())
    with ProcessEngine(8) as engine:
        list(engine.run(workpieces.find_pid, range(2)))
        assert len(psutil.Process().children()) <= before + 2


def test_items_may_be_endless(engine):
    found = engine.run(workpieces.double, itertools.count())
    assert len(list(itertools.islice(found, 50))) == 50
    found.close()


def test_what_is_under_way_does_not_grow_with_the_items(engine):
    most = 0
    drawn = []
    for k, _ in enumerate(engine.run(workpieces.double, (drawn.append(n) or n for n in range(200)))):
        most = max(most, len(drawn) - k)
    assert len(drawn) == 200
    assert most <= 2 * engine.n_workers + 1


def test_what_a_function_raises_is_raised_as_itself(engine):
    with pytest.raises(InputError) as raised:
        list(engine.run(workpieces.refuse, range(100)))
    assert raised.value.place == Place("third.conllu", 7)
    assert (raised.value.found, raised.value.expected, raised.value.advice) == (
        "nothing",
        "something",
        "write it",
    )
    assert list(run_ordered(engine, workpieces.double, range(5))) == [0, 2, 4, 6, 8]


def test_what_the_items_raise_is_raised(engine):
    def items():
        yield from range(5)
        raise InputError(Place("a"), "the end", "more")

    with pytest.raises(InputError, match="the end"):
        list(engine.run(workpieces.double, items()))


def test_what_cannot_be_sent_is_said(engine):
    with pytest.raises((AttributeError, TypeError)):
        list(engine.run(len, [threading.Lock(), threading.Lock()]))


def test_large_items_and_results(engine):
    large = "x" * 3_000_000
    assert list(run_ordered(engine, workpieces.double, [large] * 5)) == [2 * large] * 5


def test_a_worker_that_is_killed_by_its_number_loses_nothing(engine, tmp_path):
    def kill():
        pids = workpieces.wait_until(lambda: len(found := workpieces.find_workers(tmp_path)) == 2 and found)
        os.kill(pids[0], signal.SIGKILL)
        # Another takes its place and says so.
        workpieces.wait_until(lambda: len(workpieces.find_workers(tmp_path)) == 3)
        (tmp_path / "go").touch()

    killer = threading.Thread(target=kill, name="evalign test")
    killer.start()
    items = [(k, tmp_path) for k in range(6)]
    assert list(run_ordered(engine, workpieces.work_until_told, items)) == list(range(6))
    killer.join()


def test_all_workers_killed_at_once_lose_nothing(engine, tmp_path):
    items = [(k, tmp_path / f"mark{k}" if k < 2 else None) for k in range(8)]
    assert list(run_ordered(engine, workpieces.die_once, items)) == list(range(8))


def test_a_worker_that_is_killed_between_two_runs_is_replaced(engine):
    pids = {pid for _, pid in engine.run(workpieces.find_pid, range(20))}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    assert list(run_ordered(engine, workpieces.double, range(5))) == [0, 2, 4, 6, 8]


def test_an_item_that_kills_all_its_workers_is_named(engine):
    with pytest.raises(EngineError) as raised:
        list(engine.run(workpieces.die, ["good.conllu", "poison.conllu", "fine.conllu"]))
    first, _, advice = str(raised.value).split("\n")
    assert first == 'item 2, "poison.conllu": the worker died 3 times (by signal 9, SIGKILL)'
    assert advice.startswith("  out of memory?")
    assert raised.value.exit_status == 1


def test_a_run_that_is_left_stops_in_the_middle_of_its_items(engine, tmp_path):
    short, long = tmp_path / "short", tmp_path / "long"
    short.mkdir(), long.mkdir()

    def items():
        yield 0, short
        yield from ((k, long) for k in (1, 2))
        (short / "go").touch()
        yield from ((k, long) for k in itertools.count(3))

    found = engine.run(workpieces.work_until_told, items())
    assert next(found) == (0, 0)
    workpieces.wait_until(lambda: workpieces.find_workers(long))
    found.close()
    assert not any(map(workpieces.is_alive, workpieces.find_workers(long)))


def test_an_engine_closed_in_the_middle_says_so(engine):
    found = engine.run(workpieces.double, itertools.count())
    next(found)
    engine.close()
    with pytest.raises(EngineError, match="closed in the middle"):
        list(found)
    assert list(run_ordered(engine, workpieces.double, range(3))) == [0, 2, 4]


def test_two_runs_at_the_same_time(engine):
    first, second = (engine.run(workpieces.double, range(20)) for _ in range(2))
    found = list(zip(first, second, strict=True))
    assert sorted(one for one, _ in found) == sorted(other for _, other in found)
    list(first), list(second)


def test_what_workers_print_is_no_result(engine, capfd):
    assert list(run_ordered(engine, workpieces.speak, range(4))) == [0, 1, 2, 3]
    assert capfd.readouterr().out == ""


def test_no_process_to_be_had_is_said(monkeypatch):
    def refuse(*_arguments, **_options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", refuse)
    with pytest.raises(EngineError, match=r"no worker process can be started \(Resource temporarily"):
        list(ProcessEngine(2, fork=False).run(workpieces.double, range(3)))


@pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux alone")
def test_no_process_is_copied_while_others_threads_run():
    over = threading.Event()
    try:
        for name, is_safe in (("evalign worker 1", can_fork()), ("somebody's", False)):
            thread = threading.Thread(target=over.wait, name=name)
            thread.start()
            assert can_fork() is is_safe
    finally:
        over.set()
