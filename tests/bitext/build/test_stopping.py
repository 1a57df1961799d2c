"""A build that is stopped at any point resumes there and gives the same bytes."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import STAGES, build_dataset
from evalign.bitext.build.workspace import read_records, record_file, save_records
from evalign.errors import CommandError, InputError

pytestmark = pytest.mark.slow

NAMES = [stage.name for stage in STAGES]

# Builds, and kills itself at the message number N of those that begin with a text.
KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from evalign.bitext.build.build import build_dataset

    config, folder, begin, number = sys.argv[1:]
    seen = []

    def progress(stage):
        if stage == begin or seen:
            seen.append(stage)
        if len(seen) == int(number):
            os.kill(os.getpid(), signal.SIGKILL)

    build_dataset(config, folder, progress=progress)
    """
)


@pytest.fixture
def config(fixed):
    return fixed


def kill(config, folder, begin, number):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(config), str(folder), begin, str(number)],
        check=False, capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def check_resumed(config, folder, whole, finished):
    assert not (folder / "dataset.json").exists()
    told = []
    built = build_dataset(config, folder, progress=told.append)
    assert built.kept == tuple(NAMES[:finished])
    assert [f"{name}: kept" for name in NAMES[:finished]] == [
        each for each in told if each.endswith(": kept")
    ]
    assert contents(folder) == whole


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("name", ["filter", "plant"])
def test_going_on_after_being_killed(config, whole, tmp_path, name):
    folder = tmp_path / "out"
    kill(config, folder, f"{name}: begins", 2)
    assert (folder / ".build" / f"{NAMES.index(name) + 1:02d}-{name}.part").is_dir()
    check_resumed(config, folder, whole, NAMES.index(name))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_going_on_after_being_killed_in_every_stage(config, whole, tmp_path, name, number):
    folder = tmp_path / "out"
    kill(config, folder, f"{name}: begins", number)
    finished = len([each for each in (folder / ".build").iterdir() if each.name in _finished()])
    assert finished in (NAMES.index(name), NAMES.index(name) + 1)
    check_resumed(config, folder, whole, finished)


def _finished():
    return {f"{number:02d}-{name}" for number, name in enumerate(NAMES, 1)}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("number", range(1, 14))
def test_going_on_after_being_killed_while_files_are_put_in_place(config, whole, tmp_path, number):
    folder = tmp_path / "out"
    kill(config, folder, "publishing fr-en.sample.en", number)
    check_resumed(config, folder, whole, len(NAMES))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_being_killed_when_all_is_done(config, whole, tmp_path):
    folder = tmp_path / "out"
    kill(config, folder, "clearing up", 1)
    assert (folder / ".build").exists()
    assert build_dataset(config, folder).was_finished
    assert contents(folder) == whole


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_data_set_that_was_to_be_replaced_is_whole_until_it_is(config, whole, tmp_path):
    """Killed before its files are touched it is what it was; killed later, it is not taken for finished."""
    folder = tmp_path / "out"
    other = write_inputs(tmp_path / "other", pairs=30)
    build_dataset(other, folder)
    before = contents(folder)
    script = KILLED.replace("progress=progress)", "progress=progress, overwrite=True)")
    for begin, is_touched in (("write: begins", False), ("publishing fr-en.test.fr", True)):
        subprocess.run(
            [sys.executable, "-c", script, str(config), str(folder), begin, "1"], check=False, timeout=120
        )
        assert (folder / "dataset.json").exists() != is_touched
        if not is_touched:
            assert {name: data for name, data in contents(folder).items() if ".build" not in name} == before
            with pytest.raises(CommandError, match="`overwrite=True`"):
                build_dataset(config, folder)
    build_dataset(config, folder)
    assert contents(folder) == whole


def stop_at(stage, error):
    def progress(told):
        if told == stage:
            raise error

    return progress


@pytest.mark.parametrize("name", NAMES)
def test_what_is_raised_leaves_only_finished_stages(config, whole, tmp_path, name):
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, folder, progress=stop_at(f"{name}: begins", KeyboardInterrupt))
    left = {path.name for path in folder.glob(".build/*")}
    assert left == {f"{k:02d}-{each}" for k, each in enumerate(NAMES[: NAMES.index(name)], 1)}
    check_resumed(config, folder, whole, NAMES.index(name))


def test_a_full_disk_is_said_and_nothing_is_lost(config, whole, tmp_path):
    folder = tmp_path / "out"
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "sample.planted")
    with pytest.raises(InputError, match="No space left on device") as raised:
        build_dataset(config, folder, progress=stop_at("planting in sample", full))
    assert "sample.planted" in str(raised.value)
    assert "run the same command again" in str(raised.value)
    check_resumed(config, folder, whole, NAMES.index("plant"))


LIMITED = textwrap.dedent(
    """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
    from evalign.cli import main
    sys.exit(main(["bitext", "build", sys.argv[2], "-o", sys.argv[3]]))
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of the size of files")
@pytest.mark.parametrize("limit", [100, 5_000, 9_000])
def test_files_that_may_not_grow_are_said(config, whole, tmp_path, limit):
    folder = tmp_path / "out"
    # -B: compiled modules may not grow either, and would be left cut off.
    done = subprocess.run(
        [sys.executable, "-B", "-c", LIMITED, str(limit), str(config), str(folder)],
        check=False, capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    told = done.stderr.decode()
    assert "cannot be written (File too large)" in told
    assert "Traceback" not in told
    assert not [path for path in folder.rglob("*.part")]
    build_dataset(config, folder)
    assert contents(folder) == whole


def shorten(path):
    path.write_bytes(path.read_bytes()[:-1])


def halve(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def change_count(path):
    """A record that can still be read, with one more sentence than there was."""
    text = path.read_text(encoding="utf-8")
    path.write_text(
        re.sub(r'"sentences": (\d+)', lambda n: f'"sentences": {int(n[1]) + 1}', text, count=1), "utf-8"
    )


DAMAGES = [
    # the file of a stage, what is done to it, which stage it is of
    ("02-filter/fr.starts.npy", flip, "filter"),
    ("02-filter/en.sentences", shorten, "filter"),
    ("04-split/fr.splits.npy", Path.unlink, "split"),
    ("05-plant/test.planted", flip, "plant"),
    ("01-read/stage.json", change_count, "read"),
    ("03-desynchronise/stage.json", halve, "desynchronise"),
    ("06-merge/stage.json", Path.unlink, "merge"),
]


@pytest.mark.parametrize(("name", "damage", "stage"), DAMAGES, ids=[row[0] for row in DAMAGES])
def test_a_damaged_stage_is_never_used(config, whole, tmp_path, name, damage, stage):
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, folder, progress=stop_at("write: begins", KeyboardInterrupt))
    path = folder / ".build" / name
    before = path.read_bytes()
    damage(path)
    assert not path.exists() or path.read_bytes() != before
    check_resumed(config, folder, whole, NAMES.index(stage))


def test_what_is_not_of_a_stage_is_not_of_the_data_set(config, whole, tmp_path):
    """Such as what a file manager leaves in folders that it has shown."""
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, folder, progress=stop_at("publishing links.tsv", KeyboardInterrupt))
    (folder / ".build" / "07-write" / ".DS_Store").write_bytes(b"mine")
    check_resumed(config, folder, whole, len(NAMES))


def test_changed_inputs_are_read_again(config, tmp_path):
    folder, other = tmp_path / "out", write_inputs(tmp_path / "in")
    with pytest.raises(KeyboardInterrupt):
        build_dataset(other, folder, progress=stop_at("plant: begins", KeyboardInterrupt))
    path = other.parent / "pairs.tsv"
    path.write_text(path.read_text("utf-8").replace("p1\t", "q1\t"), encoding="utf-8")
    built = build_dataset(other, folder)
    assert built.kept == ()
    build_dataset(other, tmp_path / "again")
    assert contents(folder) == contents(tmp_path / "again")


def test_two_builds_do_not_mix(config, tmp_path):
    folder = tmp_path / "out"

    def progress(told):
        if told == "plant: begins":
            build_dataset(config, folder)

    with pytest.raises(CommandError, match="another build works in"):
        build_dataset(config, folder, progress=progress)
    build_dataset(config, folder)


def test_nothing_is_left_of_a_build_that_could_not_begin(config, tmp_path):
    folder = tmp_path / "deep" / "out"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, folder, progress=stop_at("looking at fr.tsv", KeyboardInterrupt))
    assert not (tmp_path / "deep").exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="everything may be written to")
def test_a_folder_that_cannot_be_written_to(config, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir(mode=0o500)
    with pytest.raises(InputError, match="cannot be written"):
        build_dataset(config, folder)


def test_other_files_in_the_folder_of_stages_stay(config, tmp_path):
    folder = tmp_path / "out"
    (folder / ".build").mkdir(parents=True)
    mine = folder / ".build" / "notes"
    mine.write_text("mine", encoding="utf-8")
    build_dataset(config, folder)
    assert [path.name for path in Path(folder / ".build").iterdir()] == ["notes"]
    assert mine.read_text(encoding="utf-8") == "mine"


@pytest.mark.issue(15)
@pytest.mark.parametrize("name", ["../kept.txt", "/etc/hosts", "..", "a/b", "C:x", "a\\b", ""])
def test_a_record_names_files_of_its_own_folder_alone(name):
    record = {"bytes": 1, "sha256": "0"}
    assert read_records({"a.txt": record}) is not None
    assert read_records({"a.txt": record, name: record}) is None


@pytest.mark.issue(15)
def test_a_data_set_that_is_replaced_takes_no_file_elsewhere_with_it(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("mine")
    config = write_inputs(tmp_path / "in")
    (tmp_path / "out").mkdir()
    files = save_records({"../kept.txt": record_file(kept)})
    (tmp_path / "out" / "dataset.json").write_text(json.dumps({"key": "x", "files": files}))
    build_dataset(config, tmp_path / "out", overwrite=True)
    assert kept.read_text() == "mine"
