"""A build that is stopped resumes there and gives the same bytes; tests/engines/test_checkpoints.py kills it."""

import errno
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import STAGES, build_dataset
from evalign.engines.checkpoints import RECORD, record_file
from evalign.errors import CommandError, InputError

pytestmark = pytest.mark.slow

NAMES = [stage.name for stage in STAGES]


@pytest.fixture
def config(fixed):
    return fixed


def check_resumed(config, folder, whole, finished):
    assert not (folder / "dataset.json").exists()
    told = []
    built = build_dataset(config, folder, progress=told.append)
    assert built.kept == tuple(NAMES[:finished])
    assert [f"{name}: kept" for name in NAMES[:finished]] == [
        each for each in told if each.endswith(": kept")
    ]
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


@pytest.mark.parametrize("change", ["0", "}"])
def test_a_damaged_stage_is_never_used(config, whole, tmp_path, change):
    """Neither one with a record that can still be read, with ten times the sentences."""
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        build_dataset(config, folder, progress=stop_at("write: begins", KeyboardInterrupt))
    path = folder / ".build" / "03-desynchronise" / RECORD
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'sentences": \d+', rf"\g<0>{change}", text, count=1), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    check_resumed(config, folder, whole, NAMES.index("desynchronise"))


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
def test_a_data_set_that_is_replaced_takes_no_file_elsewhere_with_it(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("mine")
    config = write_inputs(tmp_path / "in")
    (tmp_path / "out").mkdir()
    files = {"../kept.txt": record_file(kept)}
    (tmp_path / "out" / "dataset.json").write_text(json.dumps({"key": "x", "files": files}))
    build_dataset(config, tmp_path / "out", overwrite=True)
    assert kept.read_text() == "mine"
