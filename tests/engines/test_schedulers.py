"""Schedulers that are missing, are something else, have no workers or other ones, or disappear.

All on loopback.
"""

import socket
import threading

import pytest

import workpieces
from clusters import start_scheduler, start_worker

pytest.importorskip("distributed")


from evalign.engines.base import open_engine, run_ordered
from evalign.engines.dask_engine import DaskEngine
from evalign.errors import EngineError


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def address_of(listener):
    return f"tcp://127.0.0.1:{listener.getsockname()[1]}"


def test_an_address_nobody_listens_at(listener, capfd):
    address = address_of(listener)
    listener.close()
    with pytest.raises(EngineError) as raised:
        DaskEngine(address, timeout=1.0)
    assert str(raised.value) == (
        f"no answer from {address} (waited 1 seconds)\n  expected a Dask scheduler that is running\n"
        "  to start one: dask scheduler"
    )
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"220\r\n"])
def test_somebody_else_listens_at_the_address(listener, said):
    def speak():
        connection, _ = listener.accept()
        with connection:
            connection.sendall(said)
            connection.recv(1)  # until the other side has had enough

    speaker = threading.Thread(target=speak)
    speaker.start()
    with pytest.raises(EngineError, match=f"{address_of(listener)} is not a Dask scheduler"):
        DaskEngine(address_of(listener), timeout=1.0)
    speaker.join()


@pytest.mark.parametrize("address", ["foo://127.0.0.1:8786", "tls://127.0.0.1:8786"])
def test_an_address_that_dask_cannot_use(address):
    with pytest.raises(EngineError, match=f"{address} cannot be connected to"):
        open_engine(address)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """A folder with an evalign that is another one."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "evalign").mkdir()
    (folder / "evalign/__init__.py").write_text('__version__ = "9.9"\n', encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def none(tmp_path_factory):
    """A folder with an evalign that cannot be imported, which is as good as none."""
    folder = tmp_path_factory.mktemp("none")
    (folder / "evalign.py").write_text("raise ModuleNotFoundError(name='evalign')\n", encoding="utf-8")
    return str(folder)


@pytest.mark.slow
def test_a_scheduler_without_workers():
    told = []
    with (
        start_scheduler() as (_, address),
        pytest.raises(EngineError, match=f"no workers.*\n.*\n.*dask worker {address}"),
    ):
        DaskEngine(address, progress=told.append, patience=1.0)
    assert set(told) == {f"waiting for workers of cluster {address}"}


@pytest.mark.slow
def test_the_scheduler_need_not_have_evalign(none, tmp_path):
    with (
        start_scheduler(path=none) as (_, address),
        start_worker(address, tmp_path),
        open_engine(address) as engine,
    ):
        assert engine.name == f"cluster {address}"
        assert list(run_ordered(engine, workpieces.double, range(5))) == [0, 2, 4, 6, 8]


@pytest.mark.slow
def test_workers_must_have_the_same_evalign(other, none, tmp_path):
    with start_scheduler() as (_, address):
        with (
            start_worker(address, tmp_path, path=other) as (_, worker),
            pytest.raises(EngineError, match=f"another version of evalign: {worker} has 9.9"),
        ):
            open_engine(address)
        with (
            start_worker(address, tmp_path, path=none) as (_, worker),
            pytest.raises(EngineError, match=f"{worker} has none"),
        ):
            open_engine(address)


@pytest.mark.slow
def test_a_worker_that_comes_later_must_have_it_too(none, tmp_path):
    with start_scheduler() as (_, address):
        with start_worker(address, tmp_path) as (process, _):
            engine = open_engine(address)
            process.kill()
        with (
            engine,
            start_worker(address, tmp_path, path=none),
            pytest.raises(EngineError, match="a worker that has come later has none"),
        ):
            list(engine.run(workpieces.double, [1]))


@pytest.mark.slow
def test_all_workers_going_away_is_said(tmp_path):
    with (
        start_scheduler() as (_, address),
        start_worker(address, tmp_path) as (process, _),
        DaskEngine(address, patience=2.0) as engine,
    ):
        ending = when_working(tmp_path, process.kill)
        with pytest.raises(EngineError, match="no workers, and none came"):
            list(engine.run(workpieces.work_for_long, [str(tmp_path)]))
        ending.join()


@pytest.mark.slow
def test_a_scheduler_that_goes_away_in_the_middle_is_said(tmp_path, capfd):
    with (
        start_scheduler() as (process, address),
        start_worker(address, tmp_path),
        open_engine(address) as engine,
    ):
        ending = when_working(tmp_path, process.kill)
        with pytest.raises(EngineError, match=f"cluster {address}: the connection was lost in the middle"):
            list(engine.run(workpieces.work_for_long, [str(tmp_path)] * 3))
        ending.join()
        with pytest.raises(EngineError, match="the connection was lost"):
            list(engine.run(workpieces.double, [1]))
    assert capfd.readouterr().err == ""


def when_working(folder, end):
    """End somebody as soon as there is a worker in the middle of its work."""

    def wait():
        workpieces.wait_until(lambda: workpieces.find_workers(folder))
        end()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread
