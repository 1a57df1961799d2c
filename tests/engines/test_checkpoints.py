"""Records and stages are whole, of their key and unchanged, or absent; a run may be killed at any time."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from hashlib import sha256

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import build_dataset
from evalign.engines.checkpoints import (
    RECORD,
    Checkpoints,
    is_unchanged,
    make_record,
    read_record,
    record_file,
)
from evalign.errors import CommandError
from runs import DE, EN, EN_WRONG, write

pytestmark = pytest.mark.once
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals, pipes and links of POSIX systems")
KEY = "5e"
COUNTS = {"fr": {"sentences": 3}}
SHAPE = dict[str, list[int]]
BODY = {"counts": [1, 2]}


def shorten(data):
    return data[:-1]


def halve(data):
    return data[: len(data) // 2]


def flip(data):
    """Change a digit of a count."""
    return data[:-5] + bytes([data[-5] ^ 1]) + data[-4:]


def with_head(change):
    def edit(data):
        head, _, rest = data.partition(b"\n")
        return json.dumps(change(json.loads(head))).encode() + b"\n" + rest

    return edit


def forge(body):
    """Make a record whose digest and key are right, whatever is in it."""
    head = {"key": KEY, "sha256": sha256(body).hexdigest()}
    return lambda _data: json.dumps(head).encode() + b"\n" + body + b"\n"


DAMAGES = {
    "shortened": shorten,
    "empty": lambda _data: b"",
    "another digit": flip,
    "halved": halve,
    "no head": lambda data: data.partition(b"\n")[2],
    "another key": with_head(lambda head: head | {"key": "0"}),
    "no digest": with_head(lambda head: {"key": head["key"]}),
    "a list for a head": with_head(lambda _head: [1, 2]),
    "a deep head": lambda _data: b'{"key":' * 100_000 + b"\n",
    "nothing": forge(b""),
    "a number": forge(b"3"),
    "deep lists": forge(b"[" * 100_000),
    "deep objects": forge(b'{"a":' * 100_000),
    "deep and closed": forge(b"[" * 100_000 + b"]" * 100_000),
    "many digits": forge(b'{"counts": [1' + b"0" * 5000 + b"]}"),
    "a large number": forge(b'{"counts": [%d]}' % 2**63),
    "a key twice": forge(b'{"counts": [1], "counts": []}'),
    "not UTF-8": forge(b'{"\xff": []}'),
    "not a number": forge(b'{"counts": [NaN]}'),
    "text for a list": forge(b'{"counts": "3"}'),
    "crashing marshal": forge(b"\xe3" + bytes([255, 255, 255, 127]) * 8),
}


@pytest.mark.issue(15)
@pytest.mark.parametrize("how", DAMAGES)
def test_a_record_that_is_damaged_or_made_to_look_right_is_absent(tmp_path, how):
    path = tmp_path / "en"
    whole = make_record(KEY, BODY)
    path.write_bytes(whole)
    assert read_record(path, KEY, SHAPE) == BODY
    path.write_bytes(DAMAGES[how](whole))
    assert path.read_bytes() != whole
    assert read_record(path, KEY, SHAPE) is None


@POSIX
@pytest.mark.issue(15)
def test_what_is_no_file_is_neither_read_nor_written_to(tmp_path):
    store = Checkpoints(tmp_path / "kept")
    store.make()
    (tmp_path / "mine").write_text("mine")
    os.mkfifo(store.path / "pipe")
    (store.path / "link").symlink_to(tmp_path / "mine")
    (store.path / "device").symlink_to("/dev/zero")
    for name in ("pipe", "link", "device"):
        assert read_record(store.path / name, KEY, SHAPE) is None
        store.put(name, make_record(KEY, BODY))
        assert read_record(store.path / name, KEY, SHAPE) == BODY
        assert not (store.path / name).is_symlink()
    assert (tmp_path / "mine").read_text() == "mine"
    assert len([*store.path.iterdir()]) == 3


def finish(store, name, **files):
    with store.begin(name) as part:
        for file, text in files.items():
            (part / file).write_text(text)
        return store.finish(part, KEY, COUNTS)


@pytest.fixture
def store(tmp_path):
    """A store that has the stage `read` with the files `a` and `b`."""
    store = Checkpoints(tmp_path / "new" / "kept", durable=True)
    store.make()
    finish(store, "read", a="one two", b="three")
    return store


def test_a_stage_is_there_when_it_is_finished(store):
    stage = store.find("read", KEY)
    assert (stage.folder, stage.counts, stage.files) == (store.path / "read", COUNTS, ("a", "b"))
    assert store.find("read", "0") is store.find("filter", KEY) is None
    with pytest.raises(OSError, match=r"directory|denied"), store.begin("filter") as part:
        part.write_text("half")
    assert [path.name for path in store.path.iterdir()] == ["read"]
    (store.path / "read" / ".DS_Store").write_bytes(b"of a file manager")
    assert store.find("read", KEY) == stage
    assert finish(store, "read", c="four").files == ("c",)
    assert sorted(contents(store.path / "read")) == ["c", RECORD]


@pytest.mark.parametrize("name", ["a", RECORD])
@pytest.mark.parametrize("damage", [shorten, halve, flip, None])
def test_a_stage_with_a_file_that_was_changed_is_absent(store, name, damage):
    path = store.path / "read" / name
    if damage:
        path.write_bytes(damage(path.read_bytes()))
    else:
        path.unlink()
    assert store.find("read", KEY) is None


@pytest.mark.issue(15)
@pytest.mark.parametrize("name", ["../mine", "/etc/hosts", "..", "a/b", "C:x", "a\\b", "a\0", "", "."])
def test_a_record_names_files_of_its_own_folder_alone(store, name):
    (store.path / "mine").write_text("mine")
    record = record_file(store.path / "mine")
    assert is_unchanged(store.path, "mine", record)
    assert not is_unchanged(store.path / "read", name, record)


def test_one_process_holds_a_folder_and_leaves_nothing_of_an_empty_one(store):
    refusal = CommandError("held", "later")
    with store.hold(refusal):
        with pytest.raises(CommandError, match="held"), Checkpoints(store.path).hold(refusal):
            raise AssertionError
        (store.path / "mine.txt").write_text("mine")
        store.clear("r.*")
    assert [path.name for path in store.path.iterdir()] == ["mine.txt"]
    (store.path / "mine.txt").unlink()
    with store.hold(refusal):
        assert store.path.exists()
    assert not store.path.parent.exists()


# Real runs that kill themselves before any change to a file of `out`, wherever that is.

KILLED = """
import os, signal, sys
from evalign.cli import main

number, *words = sys.argv[1:]
changes = 0

def watch(event, arguments):
    global changes
    if event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir") or (event == "open" and arguments[2] & 3):
        changes += f"{os.sep}out{os.sep}" in os.path.abspath(str(arguments[0]))
        if changes == int(number):
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
status = main(words)
print(changes)
sys.exit(status)
"""
TREEBANKS = {f"t{k}": text for k, text in enumerate([EN, DE, EN + DE, DE + EN, EN + EN])}


def score(folder):
    """Prepare a run over folders; return its words."""
    write(folder / "gold", **TREEBANKS)
    write(folder / "alpha", **(TREEBANKS | {"t0": EN_WRONG}))
    return ["score", "gold", "alpha", "--keep", "out/kept", "-o", "out/run.json", "-q"]


def build(folder):
    """Prepare a build; return its words."""
    write_inputs(folder)
    return ["bitext", "build", "config.toml", "-o", "out", "-q"]


def build_over_another(folder):
    """Prepare a build that replaces a data set."""
    build_dataset(write_inputs(folder / "other", pairs=30), folder / "out")
    return [*build(folder), "--overwrite"]


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("prepare", [score, build, build_over_another])
def test_a_run_that_is_killed_at_any_time_goes_on_to_the_same_bytes(tmp_path, prepare):
    out, begun = tmp_path / "out", tmp_path / "begun"
    out.mkdir()
    words = prepare(tmp_path)
    shutil.copytree(out, begun)

    def run(number):
        """Run until before the change `number`; return what is printed, and the files that are left."""
        command = [sys.executable, "-c", KILLED, str(number), *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        left = contents(out)
        return done.stdout, {name: left[name] for name in left if not name.startswith(".build/")}

    printed, whole = run(0)
    changes = int(printed.split()[-1])
    rng = random.Random(7)
    for _ in range(10):
        shutil.rmtree(out)
        shutil.copytree(begun, out)
        for number in (rng.randint(1, changes), rng.randint(1, changes)):
            _, left = run(number)
            assert "dataset.json" not in left or left in (contents(begun), whole)
        run(0)
        after = contents(out)
        scratch = ("kept/.evalign-", ".evalign-") if prepare is score else ()
        assert {name: after[name] for name in after if not name.startswith(scratch)} == whole
