"""Progress: on a terminal, after a while, and gone at the end."""

import io

import pytest

from evalign.cli import progress as module
from evalign.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_terminal(monkeypatch, patience):
    stream = Terminal()
    monkeypatch.setattr(module.sys, "stderr", stream)
    monkeypatch.setattr(module, "PATIENCE", patience)
    return stream


def test_stages_replace_each_other_and_leave_nothing(monkeypatch):
    terminal = on_terminal(monkeypatch, 0)
    progress = Progress(quiet=False)
    progress("reading gold\x1b")
    progress("counting")
    progress.clear()
    assert terminal.getvalue() == "\rreading gold\\x1b\rcounting        \r        \r"


@pytest.mark.parametrize(("quiet", "patience"), [(True, 0), (False, 60)])
def test_nothing_is_said_of_short_or_quiet_runs(monkeypatch, quiet, patience):
    terminal = on_terminal(monkeypatch, patience)
    progress = Progress(quiet=quiet)
    progress("reading gold")
    progress.clear()
    assert terminal.getvalue() == ""


def test_nothing_is_said_where_there_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(module, "PATIENCE", 0)
    Progress(quiet=False)("reading gold")
    assert capsys.readouterr().err == ""
