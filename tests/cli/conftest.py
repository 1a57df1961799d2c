"""Fixtures: a folder with small files, and the command line run in it in this process."""

import pytest

from commands import make_runner

GOLD = "Soup for six\nChop two onions .\nYou can't rush it .\n"
ONE = "Soup for six Chop two onions .\nYou can 't rush it .\n"
TWO = "Soup for six\nChop two onions .\nYou ca n't rush it .\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with gold and two systems."""
    for name, text in (("gold.txt", GOLD), ("one.txt", ONE), ("two.txt", TWO), ("empty.txt", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def spread(request):
    """Options that say where the work is done: those of the parameter, with an address after --cluster."""
    options = request.param
    return (
        [*options, request.getfixturevalue("cluster").scheduler.address]
        if "--cluster" in options
        else options
    )


@pytest.fixture
def evalign(folder, capsys, monkeypatch):
    """A function that runs a command in that folder, with optional text on standard input."""

    return make_runner(capsys, monkeypatch)
