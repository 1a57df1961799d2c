"""A Dask cluster: the same results as processes give, and workers that are killed."""

import itertools
import logging
import os
import signal
import threading
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

import workpieces

pytest.importorskip("distributed")


from evalign.engines.base import open_engine, run_ordered
from evalign.engines.dask_engine import (
    DaskEngine,
    WorkerVersions,
    check_versions,
    own_versions,
    silence_dask_logs,
)
from evalign.errors import CommandError, EngineError, InputError, Place


@pytest.fixture(scope="module")
def engine(cluster):
    """Two workers."""
    with open_engine(cluster.scheduler.address) as engine:
        yield engine


def test_results_have_the_numbers_of_the_items(engine):
    assert (engine.name, engine.n_workers) == (f"cluster {engine.address}", 2)
    assert sorted(engine.run(workpieces.double, range(9))) == [(k, 2 * k) for k in range(9)]
    assert list(run_ordered(engine, workpieces.double, "abc")) == ["aa", "bb", "cc"]
    assert list(engine.run(workpieces.double, [])) == []


def test_items_are_worked_on_by_all_workers(engine, tmp_path):
    (tmp_path / "go").touch()
    list(engine.run(workpieces.work_until_told, [(k, tmp_path) for k in range(20)]))
    assert len(workpieces.find_workers(tmp_path)) == 2
    assert os.getpid() not in workpieces.find_workers(tmp_path)


def test_items_may_be_endless(engine):
    drawn = []
    found = engine.run(workpieces.double, (drawn.append(k) or k for k in itertools.count()))
    assert len(list(itertools.islice(found, 12))) == 12
    found.close()
    # Those that were finished already, those under way, and the one that was drawn before there was room for it.
    assert len(drawn) <= 12 + 2 * 2 * engine.n_workers + 1


def test_what_a_function_raises_is_raised_as_itself(engine):
    with pytest.raises(InputError) as raised:
        list(engine.run(workpieces.refuse, range(20)))
    assert raised.value.place == Place("third.conllu", 7)
    assert raised.value.advice == "write it"
    with pytest.raises(TypeError, match="has no len"):
        list(engine.run(len, [1]))


def test_a_file_that_a_worker_does_not_find_is_said_with_the_worker(engine, tmp_path):
    with pytest.raises(
        InputError, match=r"(?s)none.conllu: no such file.*worker tcp://127.0.0.1:\d+ looked for it"
    ):
        list(engine.run(workpieces.read_file, [str(tmp_path / "none.conllu")]))


def test_large_items_raise_no_warning(engine):
    large = "x" * 12_000_000
    assert [len(found) for _, found in engine.run(workpieces.double, [large])] == [2 * len(large)]


def test_a_client_that_is_given_stays_open(engine, cluster):
    with open_engine(cluster) as lent:
        assert isinstance(lent, DaskEngine)
        assert lent.name == engine.name
        assert list(run_ordered(lent, workpieces.double, range(3))) == [0, 2, 4]
    assert cluster.status == "running"
    assert cluster.submit(workpieces.double, 1).result() == 2


def test_a_worker_that_is_killed_loses_nothing(engine, tmp_path):
    def kill():
        pids = workpieces.wait_until(lambda: len(found := workpieces.find_workers(tmp_path)) == 2 and found)
        os.kill(pids[0], signal.SIGKILL)
        (tmp_path / "go").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    items = [(k, str(tmp_path)) for k in range(6)]
    assert list(run_ordered(engine, workpieces.work_until_told, items)) == list(range(6))
    killer.join()


@pytest.mark.slow
def test_an_item_that_kills_all_its_workers_is_named(engine):
    with pytest.raises(
        EngineError, match=r'(?s)item 1, "poison.conllu": the worker died 3 times.*out of memory\?'
    ):
        list(engine.run(workpieces.die, ["poison.conllu"]))
    assert list(run_ordered(engine, workpieces.double, range(3))) == [0, 2, 4]


class WithVersions:
    """A client whose workers run these versions."""

    status = "running"
    asynchronous = False
    scheduler = SimpleNamespace(address="tcp://a:1")
    submit = None

    def __init__(self, versions=()):
        self._versions = dict(versions)

    def run(self, _function, _expression, *, on_error):
        assert on_error == "return"
        return {address: each.evalign or ImportError() for address, each in self._versions.items()}

    def get_versions(self):
        said = {
            address: {"host": {"python": f"{each.python}.final.0"}, "packages": {"numpy": each.numpy or None}}
            for address, each in self._versions.items()
        }
        return {"workers": said}

    def scheduler_info(self):
        return {}


@pytest.mark.parametrize(("allowed", "n_times"), [(0, 3), (1, 2), (3, 1)])
def test_how_often_an_item_is_given_anew_depends_on_how_often_the_scheduler_did(allowed, n_times):
    from distributed import KilledWorker

    class Worker:
        address = "tcp://10.0.0.1:40000"

    class Killed:
        status = "error"

        def result(self):
            raise KilledWorker("task", Worker(), allowed)

        def add_done_callback(self, done):
            done(self)

    class Client(WithVersions):
        submitted = 0

        def submit(self, *_arguments, pure):
            self.submitted += 1
            assert not pure
            return Killed()

        def gather(self, _futures):
            return []

        def cancel(self, _futures):
            pass

        def nthreads(self):
            return {Worker.address: 1}

    client = Client()
    with (
        open_engine(client) as engine,
        pytest.raises(EngineError, match=r"item 1, .*the last was tcp://10.0.0.1"),
    ):
        list(engine.run(workpieces.double, ["a"]))
    assert client.submitted == n_times


@pytest.mark.parametrize(
    ("theirs", "found", "advice"),
    [
        (
            {"evalign": "0.0.1"},
            "another version of evalign: tcp://b:1 has 0.0.1",
            f"install evalign {own_versions().evalign} on each worker",
        ),
        (
            {"evalign": ""},
            "another version of evalign: tcp://b:1 has none",
            f"install evalign {own_versions().evalign} on each worker",
        ),
        ({"python": "3.9.1"}, "another version of Python: tcp://b:1 has 3.9.1", "the same environment"),
        ({"numpy": "0.9.1"}, "another version of numpy: tcp://b:1 has 0.9.1", "the same environment"),
        ({"numpy": ""}, "another version of numpy: tcp://b:1 has none", "the same environment"),
    ],
)
def test_workers_with_other_versions_are_refused(theirs, found, advice):
    other = own_versions()._replace(**theirs)
    client = WithVersions({"tcp://a:1": own_versions(), "tcp://b:1": other})
    with pytest.raises(EngineError, match=f"(?s)workers with {found}.*{advice}"):
        open_engine(client)


def test_what_does_not_matter_is_not_refused():
    own = WorkerVersions("0.1.0", "3.11.7", "2.4.6")
    check_versions({"a": own, "b": WorkerVersions("0.1.0", "3.11.9", "2.0.0")}, own)


def test_many_workers_with_other_versions_are_counted():
    others = {f"tcp://{k}:1": own_versions()._replace(evalign="9") for k in range(9)}
    with pytest.raises(EngineError, match="tcp://2:1 has 9 and 6 more"):
        check_versions(others)


def test_a_worker_that_came_later_is_asked_too(cluster):
    own = own_versions().evalign.encode()

    class Newer:
        """Asks as an evalign of another version would."""

        def __getattr__(self, name):
            return getattr(cluster, name)

        def submit(self, function, job, *, pure):
            assert own in job
            return cluster.submit(function, job.replace(own, b"9" * len(own)), pure=pure)

    with pytest.raises(EngineError, match=r"another version of evalign: worker tcp://127.0.0.1:\d+ has"):
        list(open_engine(Newer()).run(workpieces.double, [1]))


@pytest.mark.parametrize(
    ("asynchronous", "status", "found"),
    [(True, "running", "asynchronous"), (False, "closed", "that is closed")],
)
def test_a_client_that_cannot_be_used_is_refused(asynchronous, status, found):
    client = WithVersions()
    client.asynchronous, client.status = asynchronous, status
    with pytest.raises(CommandError, match=found):
        open_engine(client)


@pytest.mark.slow
def test_only_what_dask_writes_to_standard_error_is_silenced(capsys):
    import distributed  # noqa: F401 - it sets up its log when it is first imported

    logger = logging.getLogger("distributed")
    kept, own = [], logging.Handler()
    own.emit = kept.append
    stream = logging.StreamHandler()
    logger.addHandler(stream), logger.addHandler(own)
    try:
        with ExitStack() as stack:
            silence_dask_logs(stack)
            logger.error("first")
        logger.error("second")
    finally:
        logger.removeHandler(stream), logger.removeHandler(own)
    assert len(kept) == 2
    assert capsys.readouterr().err.count("first") == 0
