"""`evalign report`: from a saved result to a page, and what is refused."""

import json

import pytest


@pytest.fixture
def saved(evalign, folder):
    """A saved result in the folder where commands run."""
    assert evalign("score", "gold.txt", "one.txt", "two.txt", "-o", "run.json").status == 0
    return folder / "run.json"


def test_the_page_is_named_like_the_result(evalign, saved):
    done = evalign("report", "run.json")
    assert (done.status, done.out) == (0, "")
    assert done.err == "the report is in run.html\n"
    assert saved.with_suffix(".html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_page_goes_where_it_is_told(evalign, saved, folder):
    assert evalign("report", "run.json", "-o", "page.html", "-q", "--title", "A < B").err == ""
    assert "<title>A &lt; B · evalign</title>" in (folder / "page.html").read_text(encoding="utf-8")
    assert evalign("report", "run.json", "-o", "-").out.startswith("<!DOCTYPE html>")


def test_the_same_command_writes_the_same_bytes(evalign, saved):
    pages = [
        evalign("report", "run.json", "-o", "-", "--seed", "7", "--resamples", "20").out for _ in range(2)
    ]
    assert pages[0] == pages[1]
    assert "20 resamples" in pages[0]


def test_help_opens_with_an_example(evalign):
    assert evalign("report", "--help").out.startswith("evalign report run.json -o report.html\n")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"hello": 1}', "no units"),
        ("[]", "no saved result"),
        ("not json", "no saved result"),
        ('{"schema": 99, "unit": {}}', "schema 99"),
    ],
)
def test_foreign_files_are_refused(evalign, folder, content, found):
    (folder / "other.json").write_text(content, encoding="utf-8")
    done = evalign("report", "other.json")
    assert done.status == 1
    assert done.err.startswith("evalign: other.json: ")
    assert found in done.err
    assert "evalign score ... -o run.json" in done.err
    assert not (folder / "other.html").exists()


def test_what_format_json_prints_is_no_saved_result(evalign, folder):
    printed = evalign("score", "gold.txt", "one.txt", "--format", "json").out
    assert json.loads(printed)
    (folder / "printed.json").write_text(printed, encoding="utf-8")
    done = evalign("report", "printed.json")
    assert (done.status, "no units" in done.err) == (1, True)


def test_what_cannot_be_written_is_said_first(evalign, saved):
    assert "directory" in evalign("report", "run.json", "-o", ".").err
    assert "no folder" in evalign("report", "run.json", "-o", "nowhere/page.html").err
    done = evalign("report", "run.json", "-o", "run.json")
    assert (done.status, "the result itself" in done.err) == (2, True)
    assert evalign("report", "run.json", "-o", "").status == 2


def test_a_directory_or_nothing_is_no_result(evalign, folder):
    assert "cannot be read" in evalign("report", ".", "-o", "page.html").err
    assert "cannot be read" in evalign("report", "missing.json").err
