"""A data set has the same bytes whichever engine filtered and searched its sentences."""

import os
import signal
import subprocess
import sys
import textwrap

import psutil
import pytest

from bitext.standins import Shuffled
from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import build_dataset
from evalign.bitext.build.plant_stage import IndexJob, save_side
from evalign.bitext.build.rows import BuildSizes
from evalign.engines.base import open_engine
from evalign.errors import EngineError

pytestmark = pytest.mark.slow

N_FINISHED = 4
"""Stages before the planting."""


@pytest.fixture
def config(fixed):
    return fixed


@pytest.fixture
def workers():
    """The processes that were started here, by their numbers; other tests may have left a helper of theirs."""
    before = _children()
    return lambda: _children() - before


def _children():
    return {child.pid for child in psutil.Process().children()}


def small(batch=7, span=500):
    """Sizes that cut even small inputs into pieces for workers: so many pairs, so many bytes."""
    return BuildSizes(bytes_per_span=span, smallest_bytes=0, pairs_per_batch=batch, smallest_pairs=0)


@pytest.mark.parametrize("batch", [1, 7, 1000])
@pytest.mark.parametrize("span", [1, 300, 1 << 20])
def test_pieces_of_any_size_give_the_same_data_set(config, whole, tmp_path, batch, span):
    engine = Shuffled(batch + span)
    build_dataset(config, tmp_path / "out", engine=engine, sizes=small(batch, span))
    assert contents(tmp_path / "out") == whole
    # Two sides of three splits, three files, and three splits with pairs at the least.
    assert engine.n_items >= 6 + 3 + 3


def test_few_candidates_of_many_find_the_same_places(tmp_path):
    """Where most places are taken, the choice among what is left must be that of one process."""
    config = write_inputs(tmp_path / "in", pairs=400)
    with config.open("a", encoding="utf-8") as file:
        file.write("[planting]\ncandidates = 40\n")
    build_dataset(config, tmp_path / "here")
    build_dataset(config, tmp_path / "there", engine=Shuffled(), sizes=small(11))
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert len((tmp_path / "here" / "fr-en.test.gold").read_text("utf-8").splitlines()) > 5


def test_pairs_that_come_again_and_again_are_planted_once(tmp_path):
    """In one batch and in others: what was planted is known only once it was planted."""
    config = write_inputs(tmp_path / "in")
    path = config.parent / "pairs.tsv"
    path.write_bytes(path.read_bytes() * 3)
    built = build_dataset(config, tmp_path / "here")
    there = build_dataset(config, tmp_path / "there", engine=Shuffled(), sizes=small(5))
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert there.counts == built.counts
    assert there.counts["plant"]["pairs"]["known"] > 0


def test_small_inputs_are_not_sent_anywhere(config, whole, tmp_path):
    engine = Shuffled()
    build_dataset(config, tmp_path / "out", engine=engine)
    assert engine.n_items == 0
    assert contents(tmp_path / "out") == whole


def test_two_processes_build_the_same(config, whole, tmp_path, workers):
    told = []
    build_dataset(config, tmp_path / "out", engine=2, sizes=small(), progress=told.append)
    assert contents(tmp_path / "out") == whole
    steps = [(step.done, step.total) for step in told if step == "indexing"]
    assert steps == [(done, 6) for done in range(7)]
    assert not workers()


@pytest.mark.slow
def test_a_cluster_builds_the_same(config, whole, tmp_path, cluster):
    build_dataset(config, tmp_path / "out", engine=cluster, sizes=small())
    assert contents(tmp_path / "out") == whole


def at_step(stage, do):
    """Progress that does something when a stage is first told of."""
    seen = set()

    def progress(told):
        if told == stage and told not in seen:
            seen.add(str(told))
            do()

    return progress


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("stage", ["filtering en", "indexing", "planting in training"])
def test_a_worker_that_is_killed_changes_nothing(config, whole, tmp_path, workers, stage):
    killed = set()

    def kill():
        killed.add(min(workers()))
        os.kill(min(workers()), signal.SIGKILL)

    with open_engine(2) as engine:
        list(engine.run(abs, range(4)))  # so that there are workers to kill from the first stage on
        build_dataset(config, tmp_path / "out", engine=engine, sizes=small(2), progress=at_step(stage, kill))
        assert len(workers()) == 2
        assert len(killed - workers()) == 1
    assert contents(tmp_path / "out") == whole


def left_in(folder):
    return {path.name for path in folder.glob(".build/*")}


def finished(n):
    names = ("read", "filter", "desynchronise", "split", "plant", "merge", "write", "statistics")
    return {f"{k:02d}-{name}" for k, name in enumerate(names[:n], 1)}


@pytest.mark.parametrize("change", ["IndexJob", "SearchJob"])
def test_a_worker_that_does_not_see_the_folder(config, whole, tmp_path, change):
    nowhere = tmp_path / "nowhere" / "shared.part"

    def hide(item):
        return item._replace(shared=nowhere) if type(item).__name__ == change else item

    with pytest.raises(EngineError, match="does not see the folder") as raised:
        build_dataset(config, tmp_path / "out", engine=Shuffled(change=hide), sizes=small())
    assert str(nowhere.parent) in str(raised.value)
    assert "a file system that all workers share" in str(raised.value)
    assert left_in(tmp_path / "out") == finished(N_FINISHED)
    build_dataset(config, tmp_path / "out", engine=2)
    assert contents(tmp_path / "out") == whole


def test_lines_that_a_worker_does_not_see(config, tmp_path):

    def hide(item):
        return item._replace(shared=tmp_path / "nowhere" / "shared.part")

    with pytest.raises(EngineError, match="does not see the folder"):
        build_dataset(config, tmp_path / "out", engine=Shuffled(change=hide), sizes=small())
    assert left_in(tmp_path / "out") == finished(1)


def test_an_index_that_another_worker_has_written_meanwhile(config, tmp_path):
    """An item may be run twice at the same time, where a worker was taken for dead."""
    done = []

    def twice(item):
        if isinstance(item, IndexJob):
            save_side(item)
            done.append(item.name)
        return item

    build_dataset(config, tmp_path / "out", engine=Shuffled(change=twice), sizes=small())
    build_dataset(config, tmp_path / "here")
    assert len(done) == 6
    assert contents(tmp_path / "out") == contents(tmp_path / "here")


@pytest.mark.parametrize(("stage", "n"), [("filtering fr", 1), ("indexing", 4), ("planting in test", 4)])
def test_what_is_raised_leaves_only_finished_stages(config, whole, tmp_path, workers, stage, n):

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, tmp_path / "out", engine=2, sizes=small(), progress=at_step(stage, stop))
    assert left_in(tmp_path / "out") == finished(n)
    assert not workers()
    built = build_dataset(config, tmp_path / "out")
    assert len(built.kept) == n
    assert contents(tmp_path / "out") == whole


STOPPED = textwrap.dedent(
    """
    import os, signal, sys
    from evalign.bitext.build.rows import BuildSizes
    from evalign.bitext.build.build import build_dataset

    config, folder, how = sys.argv[1:]

    def progress(step):
        if step == "planting in training":
            os.kill(os.getpid(), getattr(signal, how))

    try:
        sizes = BuildSizes(smallest_pairs=0, pairs_per_batch=1)
        build_dataset(config, folder, engine=2, sizes=sizes, progress=progress)
    except KeyboardInterrupt:
        sys.exit(130)
    """
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_build_of_two_processes_that_is_stopped_goes_on(config, whole, tmp_path, how):
    folder = tmp_path / "out"
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, str(config), str(folder), how],
        check=False, capture_output=True, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr.decode()
    if how == "SIGKILL":
        assert done.returncode == -signal.SIGKILL
        assert [path for path in (folder / ".build").glob("shared-*.part")]
    else:
        assert done.returncode == 130
        assert left_in(folder) == finished(N_FINISHED)
    built = build_dataset(config, folder)
    assert len(built.kept) == N_FINISHED
    assert contents(folder) == whole
