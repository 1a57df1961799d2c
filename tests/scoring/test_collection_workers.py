"""Shared-task runs in several processes and on a cluster: the same as in one process, to the last byte."""

import io
import json
import sys

import pytest

import evalign
from evalign.engines.base import SerialEngine
from evalign.engines.processes import ProcessEngine
from evalign.errors import InputError
from evalign.scoring.collection import Collection, Treebank, match_folders
from evalign.scoring.collection_run import TREEBANK_COSTS, CollectionJob, find_file, finish_treebank
from evalign.scoring.portable_inputs import ReadInput, RunOrigin, make_portable, read_input, size_of
from evalign.scoring.request import resolve
from runs import BROKEN, DE, EN, EN_WRONG, words, write

pytestmark = pytest.mark.once

FORKED = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux alone")


@pytest.fixture(
    scope="module", params=[pytest.param(True, marks=FORKED, id="forked"), pytest.param(False, id="new")]
)
def processes(request):
    """Two processes, which runs of any size are worth."""
    with ProcessEngine(2, fork=request.param, least_work=0) as engine:
        yield engine


@pytest.fixture
def run(tmp_path):
    """Six treebanks of different sizes; a system that has them all, and one with all that can be wrong."""
    texts = {f"t{k}": EN * (1 + 7 * k % 5) + DE for k in range(6)}
    wrong = texts | {"t1": EN_WRONG, "t2": BROKEN, "t3": words("Q", "z"), "extra": EN}
    del wrong["t4"]
    return (
        write(tmp_path / "gold", **texts, t6=BROKEN),
        write(tmp_path / "alpha", **texts),
        write(tmp_path / "beta", **wrong),
    )


def saved(parts):
    return json.dumps(parts.to_dict(whole=True))


ASKED = [
    {"evidence": "keep"},
    {"evidence": "drop", "failures": "zero"},
    {"strict": True, "failures": "zero", "passages": 1},
    {"average": "sentence", "metrics": ["all"], "vocabulary": ["A", "b"], "weights": {"root": 0.5}},
]


@pytest.mark.parametrize(
    "asked", [ASKED[0], *(pytest.param(each, marks=pytest.mark.slow) for each in ASKED[1:])]
)
def test_processes_give_the_same(run, processes, asked, tmp_path):
    here = saved(evalign.score_collection(*run, **asked))
    assert saved(evalign.score_collection(*run, **asked, engine=processes)) == here
    for _ in range(2):
        kept = evalign.score_collection(*run, **asked, engine=processes, keep=tmp_path / "kept")
        assert saved(kept) == here
    assert saved(evalign.score_collection(*run, **asked, keep=tmp_path / "kept")) == here


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED)
def test_a_cluster_gives_the_same(run, cluster, asked, tmp_path):
    here = saved(evalign.score_collection(*run, **asked))
    assert saved(evalign.score_collection(*run, **asked, engine=cluster.scheduler.address)) == here
    for _ in range(2):
        kept = evalign.score_collection(*run, **asked, engine=cluster, keep=tmp_path / "kept")
        assert saved(kept) == here
    assert saved(evalign.score_collection(*run, **asked, keep=tmp_path / "kept")) == here


@pytest.mark.slow
def test_a_cluster_finds_paths_as_they_are_seen_from_here(run, cluster, tmp_path, monkeypatch):
    """The workers were started in another folder, and names stay what they are."""
    monkeypatch.chdir(tmp_path)
    here = saved(evalign.score_collection("gold", "alpha", "beta"))
    assert '"gold": "gold/t0.conllu"' in here
    away = evalign.score_collection("gold", "alpha", "beta", engine=cluster)
    for number in (0, 1):
        assert list(away.failed(number)) == list(evalign.score_collection(*run).failed(number))
    assert away["t0"].gold == "gold/t0.conllu"


@pytest.mark.slow
@pytest.mark.large
def test_real_treebanks_are_the_same_everywhere(data, cluster, tmp_path):
    folder = data / "systems" / "udpipe"
    gold, system = tmp_path / "gold", tmp_path / "udpipe"
    for path in sorted(folder.glob("*.gold.conllu")):
        for there, source in ((gold, path), (system, path.with_name(path.name.replace(".gold", "")))):
            there.mkdir(exist_ok=True)
            (there / source.name).symlink_to(source)
    here = saved(evalign.score_collection(gold, system))
    for engine in (2, cluster):
        assert saved(evalign.score_collection(gold, system, engine=engine, keep=tmp_path / "kept")) == here
        assert saved(evalign.score_collection(gold, system, engine=engine, keep=tmp_path / "kept")) == here


class Watched:
    """An engine that says what it is given, and finishes the last first."""

    name, n_workers = "watched", 3

    def __init__(self):
        self.items = []

    def run(self, function, items):
        self.items = list(items)
        for number in reversed(range(len(self.items))):
            yield number, function(self.items[number])

    def close(self):
        raise AssertionError("it is its owner's to close")

    __enter__ = __exit__ = close


def test_results_are_in_order_and_the_largest_comes_first(run):
    engine = Watched()
    stages = []
    parts = evalign.score_collection(*run, engine=engine, progress=stages.append)
    assert list(parts.results) == [f"t{k}" for k in range(7)]
    assert saved(parts) == saved(evalign.score_collection(*run))
    sizes = [size_of(treebank) for treebank in engine.items]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
    assert [stage.done for stage in stages] == [0] * 7 + [1, 2, 3, 4, 5, 6]
    assert {stage.total for stage in stages} == {7}
    first = ", ".join(treebank.name for treebank in engine.items[:3])
    assert (str(stages[2]), str(stages[6])) == (f"scoring {first}",) * 2
    assert str(stages[-1]) == f"scoring {engine.items[0].name}"


class Counted(ProcessEngine):
    """Processes that say when they are used, and are this one."""

    used = ()

    def run(self, function, items):
        self.used = (*self.used, self.name)
        return SerialEngine().run(function, items)


def test_little_is_done_in_this_process(run):
    """As long as it takes less than other processes need to begin."""
    engine = Counted(2)
    evalign.score_collection(*run, engine=engine, evidence="drop")
    assert engine.used == ()
    cost = {each: TREEBANK_COSTS[each].of(match_folders(*run).treebanks) for each in ("keep", "drop")}
    assert 0 < cost["drop"] < cost["keep"]
    engine = Counted(2, least_work=cost["keep"])
    evalign.score_collection(*run, engine=engine)
    assert engine.used == ("2 processes",)
    evalign.score_collection(*run, engine=engine, evidence="drop")
    assert engine.used == ("2 processes",)
    one = Collection(
        ("one",), (Treebank("x", str(run[0] / "t0.conllu"), (str(run[1] / "t0.conllu"),)),), ("",)
    )
    evalign.score_collection(one, engine=engine)
    assert engine.used == ("2 processes",)


def test_what_only_this_process_has_is_read_before_it_is_sent(run, processes, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(EN.encode())))
    with (run[0] / "t0.conllu").open("rb") as binary, (run[0] / "t1.conllu").open(encoding="utf-8") as text:
        treebanks = (
            Treebank("stdin", evalign.Text(EN, "en.conllu"), ("-",)),
            Treebank("binary", run[0] / "t0.conllu", (binary,)),
            Treebank("text", text, (str(run[0] / "t1.conllu"),), evalign.Text("A b c D e " * 3 + "X y")),
            Treebank("live", [["a", "b"]], ([["a"], ["b"]],)),
            Treebank("document", evalign.read([["a", "b"]]), (evalign.read([["a", "b"]]),)),
            Treebank("gone", evalign.Text(EN), (str(tmp_path / "gone.conllu"),)),
        )
        parts = evalign.score_collection(Collection(("one",), treebanks, ("none",)), engine=processes)
    assert list(parts.results) == [treebank.name for treebank in treebanks]
    assert [result["tokens"].f1 for result in list(parts.results.values())[:5]] == [1.0] * 5
    assert parts["live"]["sentences"].f1 == 0.0
    assert parts["stdin"].systems[0]["las"].f1 == 1.0
    assert "no such file" in parts.failed(0)["gone"]


def test_an_input_that_was_read_can_be_read_again_and_sent(tmp_path):
    (tmp_path / "a.txt").write_text("a b\n", encoding="utf-8")
    held = read_input(str(tmp_path / "a.txt"))
    assert (held.read(), held.read(), held.name) == (b"a b\n", b"a b\n", str(tmp_path / "a.txt"))
    pieces = iter(lambda: held.read(3), b"")
    assert (b"".join(pieces), held.read(2)) == (b"a b\n", b"a ")
    gone = read_input(tmp_path / "gone.txt")
    for _ in range(2):
        with pytest.raises(InputError, match=r"gone.txt: no such file"):
            gone.read()
    packed = make_portable(Treebank("x", io.BytesIO(b"a b\n"), ("a.txt", None), raw="b.txt"))
    assert isinstance(packed.gold, ReadInput)
    assert (packed.systems, packed.raw) == (("a.txt", None), ["b.txt"])
    own = make_portable(Treebank("x", "memory://nobody.conllu", ()))
    assert isinstance(own.gold, ReadInput)


def test_another_machine_is_named_where_it_does_not_find_a_file(run, tmp_path, monkeypatch):
    """There paths are as seen from the folder of who asks, and names stay what they were."""
    monkeypatch.chdir(tmp_path)
    here = RunOrigin("client", str(tmp_path))
    (tmp_path / "worker").mkdir()
    monkeypatch.chdir(tmp_path / "worker")
    monkeypatch.setattr("socket.gethostname", lambda: "node7")
    asked = CollectionJob(("alpha", "beta"), ("", ""), resolve(), "skip", "keep", None, here)
    treebank = Treebank("t0", "gold/t0.conllu", ("alpha/t0.conllu", "beta/none.conllu"), "raw")
    write(tmp_path / "raw", a__txt=" ".join(["A", "b", "c", "D", "e"] * 1 + ["X", "y"]))
    result = finish_treebank(asked, "", treebank).result
    assert result.gold == "gold/t0.conllu"
    assert result.systems[0]["tokens"].f1 == 1.0
    failure = result.systems[1].failure
    assert failure.startswith("none.conllu: no such file")
    assert str(tmp_path) not in failure
    assert failure.endswith("node7 looked for it: every worker must find it under that name")
    lost = finish_treebank(asked, "x", Treebank("t", "gold/none.conllu", (None, None)))
    assert (lost.result.gold, lost.file) == ("none.conllu", None)
    assert "node7" in lost.result.systems[0].failure


def test_a_key_is_the_same_wherever_it_is_found(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = CollectionJob(
        ("alpha",), ("",), resolve(), "skip", "keep", None, RunOrigin("client", str(tmp_path))
    )
    treebank = Treebank("t0", "gold/t0.conllu", ("alpha/t0.conllu",))
    monkeypatch.setattr("socket.gethostname", lambda: "client")
    here = find_file(asked, "x", treebank)
    assert finish_treebank(asked, "x", treebank).file.name == here
    (tmp_path / "worker").mkdir()
    monkeypatch.chdir(tmp_path / "worker")
    monkeypatch.setattr("socket.gethostname", lambda: "node7")
    assert find_file(asked, "x", treebank) == here
    assert finish_treebank(asked, "x", treebank).file.name == here


def test_passwords_of_urls_are_in_no_result():
    url = "nothing://user:secret@host/gold.conllu"
    asked = CollectionJob(("one",), ("none",), resolve(), "skip", "keep", None)
    result = finish_treebank(asked, "x", Treebank("t", url, (None,))).result
    assert "secret" not in saved_result(result)
    assert result.gold == "gold.conllu"


def saved_result(result):
    return json.dumps(result.to_dict(whole=True))
