"""The commands that stand in for the scripts, run in this process."""

import pytest

from commands import make_runner


@pytest.fixture
def evalign(capfd, monkeypatch):
    """A function that runs a command, with bytes on standard input if there are any."""

    return make_runner(capfd, monkeypatch)
