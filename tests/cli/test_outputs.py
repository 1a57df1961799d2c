"""Input files are never overwritten."""

import json

import pytest

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "gold.txt", "one.txt", "-o", "gold.txt"],
        ["score", "gold.txt", "one.txt", "-o", "./one.txt"],
        ["score", "gold.txt", "one.txt", "-o", "link.json"],
        ["score", "gold.txt", "one.txt", "--report", "one.txt"],
        ["score", "gold.txt", "one.txt", "--raw", "gold.txt", "-o", "gold.txt"],
        ["align", "gold.txt", "one.txt", "-o", "gold.txt"],
        ["convert", "run.json", "-o", "run.json"],
        ["gate", "run.json", "--baseline", "run.json", "--max-drop", "tokens=1", "-o", "run.json"],
    ],
)
def test_what_is_read_is_not_replaced(evalign, folder, arguments):
    assert evalign("score", "gold.txt", "one.txt", "-o", "run.json").status == 0
    link = folder / "link.json"
    link.symlink_to(folder / "one.txt")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = evalign(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "would replace a file that is read\n  expected another file to write to" in done.err
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_two_outputs_are_two_files(evalign):
    done = evalign("score", "gold.txt", "one.txt", "-o", "x.json", "--report", "./x.json")
    assert done.status == 2
    assert "-o and --report are the same file" in done.err


def test_a_result_may_be_replaced_by_a_newer_one(evalign, folder):
    for _ in range(2):
        assert evalign("score", "gold.txt", "one.txt", "-o", "run.json").status == 0
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["schema"] == 1


@pytest.mark.parametrize(("name", "asked"), [("x.html", "html"), ("x.pdf", "pdf")])
def test_an_ending_that_is_not_written_is_refused(evalign, name, asked):
    done = evalign("score", "gold.txt", "one.txt", "-o", name)
    assert done.status == 2
    assert f'"{name}" asks for {asked}, which this command does not write' in done.err
