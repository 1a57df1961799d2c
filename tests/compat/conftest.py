"""A fixture that runs the commands that replace the official scripts, in this process."""

import pytest

from commands import make_runner


@pytest.fixture
def evalign(capfd, monkeypatch):
    """A function that runs a command, with optional bytes on standard input."""

    return make_runner(capfd, monkeypatch)
