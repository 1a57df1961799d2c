"""The commands that stand in for the scripts, run in this process."""

import io
from dataclasses import dataclass

import pytest

from evalign.cli import main


@dataclass
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def evalign(capfd, monkeypatch):
    """A function that runs a command, with bytes on standard input if there are any."""

    def run(*arguments, stdin=b""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(list(map(str, arguments)))
        return Done(status, *capfd.readouterr())

    return run
