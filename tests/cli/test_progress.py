"""Progress: on a terminal, after a while, never wider than that, and gone at the end."""

import io
import os
import sys
import time

import pytest

from evalign.cli import progress as module
from evalign.cli.progress import Progress, draw
from evalign.progress import Step, counted
from evalign.reports.width import width_of


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _terminal_that_can_move(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")


def on_terminal(monkeypatch, patience):
    stream = Terminal()
    monkeypatch.setattr(module.sys, "stderr", stream)
    monkeypatch.setattr(module, "PATIENCE", patience)
    monkeypatch.setattr(module, "PAUSE", 0)
    return stream


def test_stages_replace_each_other_and_leave_nothing(monkeypatch):
    terminal = on_terminal(monkeypatch, 0)
    progress = Progress(quiet=False)
    progress("reading gold\x1b")
    progress("counting")
    progress.clear()
    assert terminal.getvalue() == "\rreading gold\\x1b\rcounting        \r        \r"


def test_counted_work_has_a_bar(monkeypatch):
    terminal = on_terminal(monkeypatch, 0)
    with Progress(quiet=False) as progress:
        for _ in counted(["da.conllu", "de.conllu"], progress, "scoring {}".format):
            pass
    first, second, gone = terminal.getvalue().split("\r")[1:4]
    assert first == "scoring da.conllu  [░░░░░░░░░░░░░░░░░░░░░░░░]  0 / 2"
    assert second == "scoring de.conllu  [████████████░░░░░░░░░░░░]  1 / 2"
    assert not gone.strip()


def test_a_callback_that_knows_no_steps_gets_names():
    told = []
    assert [number for number, _ in counted(["a", "b"], told.append)] == [0, 1]
    assert told == ["a", "b"]


@pytest.mark.parametrize(("quiet", "patience"), [(True, 0), (False, 60)])
def test_nothing_is_said_of_short_or_quiet_runs(monkeypatch, quiet, patience):
    terminal = on_terminal(monkeypatch, patience)
    progress = Progress(quiet=quiet)
    progress("reading gold")
    progress.clear()
    assert terminal.getvalue() == ""


def test_a_stage_that_takes_long_is_shown_though_no_other_begins(monkeypatch):
    terminal = on_terminal(monkeypatch, 0.01)
    progress = Progress(quiet=False)
    progress("reading gold")
    for _ in range(500):
        if terminal.getvalue():
            break
        time.sleep(0.01)
    assert terminal.getvalue() == "\rreading gold"
    progress.clear()
    assert terminal.getvalue().endswith("\r")


def test_nothing_is_said_where_there_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(module, "PATIENCE", 0)
    Progress(quiet=False)("reading gold")
    assert capsys.readouterr().err == ""


def test_nothing_is_said_on_a_terminal_that_cannot_go_back(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    terminal = on_terminal(monkeypatch, 0)
    Progress(quiet=False)("reading gold")
    assert terminal.getvalue() == ""


def test_of_one_thing_there_is_no_bar():
    assert draw(Step("reading system 1 of 1", 0, 1), 60) == "reading system 1 of 1"
    assert draw(Step("reading system 1 of 2", 0, 2), 60).endswith("0 / 2")


@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("stage", ["short", "reading 北京/" * 9, "\x1b[31m" * 9])
@pytest.mark.parametrize("done", [0, 7, 1234, 2000])
def test_a_line_is_never_wider_than_the_terminal(stage, done, blocks):
    for columns in range(1, 120):
        line = draw(Step(stage, done, 1234), columns, blocks=blocks)
        assert width_of(line) <= columns
        assert line.isprintable()
        assert blocks or "█" not in line


@pytest.mark.skipif(os.name == "nt", reason="a terminal is made as on POSIX systems")
def test_on_a_real_terminal_nothing_stays():
    """A real terminal of 30 columns, read from its other side."""
    import fcntl
    import pty
    import struct
    import subprocess
    import termios

    program = (
        "from evalign.cli import progress as module\n"
        "from evalign.progress import Step\n"
        "module.PATIENCE = module.PAUSE = 0\n"
        "with module.Progress(quiet=False) as progress:\n"
        "    progress('reading a file with a long name')\n"
        "    progress(Step('scoring', 1, 2))\n"
    )
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 30, 0, 0))
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", program], stderr=theirs, stdout=subprocess.PIPE, env=environment, check=True
    )
    os.close(theirs)
    written = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.stdout == b""
    first, second, gone, end = written.split("\r")[1:]
    assert first == "reading …ile with a long name"
    assert second.rstrip() == "scoring  [█████░░░░░░]  1 / 2"
    assert gone == " " * len(second.rstrip())
    assert end == ""
