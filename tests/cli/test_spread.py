"""One pair of files in parts, in several processes or on a cluster: the same JSON, and what is refused."""

import gzip
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from evalign import CommandError, InputError, load_saved, score
from evalign.scoring import request as requests, run as spreading
from sameresult import assert_same
from written import distort, invent, write_conllu, write_plain

pytestmark = pytest.mark.once


@pytest.fixture
def pair(tmp_path):
    """Gold and a system's output with the same text, large enough for some parts of a few KB."""
    rng = random.Random(1)
    sentences = invent(rng, 300)
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(write_conllu(rng, sentences, documents=True), encoding="utf-8")
    system.write_text(write_conllu(rng, sentences), encoding="utf-8")
    return gold, system


@pytest.fixture
def differing(tmp_path):
    """The same in plain text, whose lines differ."""
    rng = random.Random(2)
    sentences = invent(rng, 300)
    gold, system = tmp_path / "gold.txt", tmp_path / "system.txt"
    gold.write_text(write_plain(rng, sentences), encoding="utf-8")
    system.write_text(write_plain(rng, distort(rng, sentences, 0.05)), encoding="utf-8")
    return gold, system


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(spreading, "CHUNK", 10_000)
    monkeypatch.setattr(spreading, "SMALLEST_CHUNK", 10_000)
    monkeypatch.setattr(requests, "SMALL", 0)


SPREADS = [
    ["--stream"],
    ["--stream", "--jobs", "2"],
    pytest.param(["--jobs", "2"], marks=pytest.mark.slow),
    pytest.param(["--window", "20000"], marks=pytest.mark.slow),
    pytest.param(["--cluster"], marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.parametrize("spread", SPREADS, indirect=True, ids=" ".join)
@pytest.mark.parametrize("files", ["pair", "differing"])
def test_json_is_the_same(files, spread, request, evalign):
    files = request.getfixturevalue(files)
    alone = evalign("score", *files, "--format", "json")
    apart = evalign("score", *files, "--format", "json", *spread)
    assert json.loads(apart.out) == json.loads(alone.out)
    assert apart.err == alone.err
    assert apart.out == alone.out


@pytest.mark.slow
def test_searches_that_end_at_a_window_are_told_and_signed(evalign, differing):
    alone = json.loads(evalign("score", *differing, "--format", "json").out)
    apart = json.loads(evalign("score", *differing, "--format", "json", "--window", "5000").out)
    [told] = [warning for warning in apart["warnings"] if warning not in alone["warnings"]]
    assert told.startswith("searches that ended at the window of 5,000 characters: ")
    [one], [other] = alone["systems"], apart["systems"]
    assert other["signature"] == one["signature"] + "|window:5000"
    assert other["scores"] == one["scores"]


@pytest.mark.slow
@pytest.mark.parametrize("spread", SPREADS, indirect=True, ids=" ".join)
def test_saved_results_and_breakdowns_are_the_same(pair, spread, evalign, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    asked = ["--by", "genre", "--per", "relation", "--passages", "7"]
    alone = evalign("score", *pair, *asked, "-o", first)
    apart = evalign("score", *pair, *asked, "-o", second, *spread)
    assert (apart.status, apart.out, apart.err) == (alone.status, alone.out, alone.err)
    assert_same(load_saved(second), load_saved(first), 7)


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        (["--jobs", "2", "--cluster", "tcp://host:1"], 2, "--jobs together with --cluster"),
        (["--window", "3"], 2, "a number of characters from 64 up"),
        (["--window", "-3"], 2, "is not a number of characters"),
        (["--stream", "--metrics", "pk"], 2, "--stream: pk takes its window from a whole document"),
        (["--stream", "--average", "sentence"], 2, "--stream: --average sentence"),
        (["--stream", "--strategy", "printed"], 2, "--stream: --strategy printed"),
        (["--cluster", "nowhere"], 2, "which is not an address"),
        (["--cluster", "local:2"], 2, "to work in N processes on this machine: --jobs N"),
    ],
)
def test_what_cannot_be_done_is_refused(pair, options, status, told, evalign):
    found = evalign("score", *pair, *options)
    assert (found.status, found.out) == (status, "")
    assert told in found.err


@pytest.mark.slow
def test_an_address_that_nobody_listens_at(pair, evalign):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        found = evalign("score", *pair, "--cluster", address)
    assert found.status == 1
    assert address in found.err
    assert "Traceback" not in found.err


def test_a_metric_that_needs_the_whole_is_scored_in_one_process(pair, evalign):
    asked = ["--metrics", "pk,tokens", "--format", "json"]
    assert evalign("score", *pair, *asked, "--jobs", "2").out == evalign("score", *pair, *asked).out


def test_a_line_that_cannot_be_read_is_told_by_its_number_in_the_file(pair, evalign):
    gold, system = pair
    lines = system.read_text(encoding="utf-8").split("\n")
    row = next(k for k in range(1500, len(lines)) if lines[k].startswith("2\t"))
    lines[row] = lines[row].replace("\t", " ")
    system.write_text("\n".join(lines), encoding="utf-8")
    alone = evalign("score", gold, system)
    for spread in (["--stream"], ["--jobs", "2"]):
        found = evalign("score", gold, system, *spread)
        assert found.status == 1
        assert f"{system}:{row + 1}: " in found.err
        assert found.err.split(";")[0] == alone.err.split(";")[0]


def test_standard_input_is_streamed(pair, evalign):
    gold, system = pair
    alone = evalign("score", gold, system, "--format", "csv")
    streamed = evalign("score", gold, "-", "--format", "csv", "--stream", stdin=system.read_bytes())
    assert streamed.out.replace("<stdin>", system.name) == alone.out


@pytest.mark.slow
@pytest.mark.parametrize("spread", SPREADS, indirect=True, ids=" ".join)
def test_compressed_files_are_the_same(pair, spread, evalign):
    gold, system = pair
    packed = gold.with_name("packed")
    packed.write_bytes(gzip.compress(system.read_bytes()))
    alone = evalign("score", gold, packed, "--format", "json")
    assert evalign("score", gold, packed, "--format", "json", *spread).out == alone.out


def is_gone(group):
    """Whether all processes of a group end, however long it takes them."""
    for _ in range(300):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
@pytest.mark.slow
@pytest.mark.parametrize(
    "spread", [["--stream"], ["--jobs", "2"], ["--cluster"]], indirect=True, ids=" ".join
)
def test_interrupted_nothing_is_written(spread, tmp_path):
    """Ctrl-C in the middle of a large pair."""
    rng = random.Random(3)
    text = write_conllu(rng, invent(rng, 2000))
    for name in ("gold", "system"):
        (tmp_path / f"{name}.conllu").write_text(text * 100, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "evalign",
        "score",
        "gold.conllu",
        "system.conllu",
        "-o",
        "run.json",
        *spread,
    ]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as process:
        threading.Timer(6, os.killpg, (process.pid, signal.SIGINT)).start()
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("evalign: interrupted\n")
    assert "Traceback" not in err
    assert {path.name for path in tmp_path.iterdir()} == {"gold.conllu", "system.conllu"}
    assert is_gone(process.pid)


def test_a_small_pair_is_scored_here_without_further_ado(pair):
    """Nothing of what spreads work out is even imported."""
    code = (
        "import sys, evalign; evalign.score(*sys.argv[1:], engine=2); "
        "print([name for name in sys.modules if name.startswith(('evalign.engines', 'evalign.readers.chunks', 'evalign.alignment.cut'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, pair)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_no_number_of_processes_is_refused_whatever_the_size(pair):
    with pytest.raises(CommandError, match="from 1 to"):
        score(*pair, engine=0)


@pytest.mark.parametrize("spread", SPREADS, indirect=True, ids=" ".join)
def test_strict_refuses_lines_that_differ(differing, spread, evalign):
    alone = evalign("score", *differing, "--strict")
    found = evalign("score", *differing, "--strict", *spread)
    assert (found.status, found.out) == (1, "")
    assert found.err == alone.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_is_read_once_and_kept(pair, evalign, tmp_path):
    gold, system = pair
    alone = evalign("score", gold, system, "--format", "csv")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(system.read_bytes(),))
    writer.start()
    piped = evalign("score", gold, pipe, "--format", "csv", "--stream")
    writer.join()
    assert piped.out.replace("pipe,", f"{system.name},") == alone.out


def test_a_file_that_is_written_to_meanwhile_is_refused(pair):
    with pytest.raises(InputError, match=r"system.conllu: was written to while it was read"):
        score(*pair, stream=10_000, progress=lambda _stage: os.utime(pair[1], ns=(0, 0)))


def test_text_beyond_the_window_is_reported(evalign, tmp_path):
    rng = random.Random(4)
    words = [["".join(rng.choices("abcdefgh", k=6)) for _ in range(8)] for _ in range(200)]
    others = [["".join(rng.choices("stuvwxyz", k=6)) for _ in range(8)] for _ in range(200)]
    same = invent(rng, 30)
    for name, texts in (("gold", same + words), ("system", same + others)):
        (tmp_path / f"{name}.txt").write_text(write_plain(rng, texts), encoding="utf-8")
    found = evalign("score", tmp_path / "gold.txt", tmp_path / "system.txt", "--stream", "--window", "1024")
    assert found.status == 0
    assert "ended at the window of 1,024 characters" in found.err
    assert "|window:1024|hash:" in found.out.splitlines()[-1]
