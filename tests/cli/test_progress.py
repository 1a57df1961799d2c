"""Progress: on a terminal after a while, never too wide, removed at the end.

Elsewhere a line now and then.
"""

import copy
import io
import os
import pickle
import signal
import sys
import threading
import time

import pytest

from commands import run_on_terminal
from evalign.cli.progress import ProgressLine, describe_stage, draw_stage
from evalign.progress import Step, counted, no_progress
from evalign.wording import width_of

pytestmark = pytest.mark.once

posix = pytest.mark.skipif(os.name == "nt", reason="a terminal is made as on POSIX systems")


class Stream(io.StringIO):
    """Standard error of a test."""

    encoding = "utf-8"

    def __init__(self, *, terminal):
        super().__init__()
        self._terminal = terminal

    def isatty(self):
        return self._terminal


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _terminal_that_can_move(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def terminal():
    return Stream(terminal=True)


@pytest.fixture
def log():
    return Stream(terminal=False)


@pytest.fixture
def clock():
    return Clock()


def line_on(stream, clock, *, quiet=False):
    """Progress by a clock that goes when the test says so."""
    return ProgressLine(quiet=quiet, stream=stream, clock=clock)


def lines_of(terminal):
    """What was drawn, one after the other."""
    return [line.rstrip() for line in terminal.getvalue().split("\r")[1:]]


def test_stages_replace_each_other_and_leave_nothing(terminal, clock):
    progress = line_on(terminal, clock)
    clock.now += 1
    progress("reading gold\x1b")
    progress("counting")
    progress.clear()
    # Two more than were drawn: Ctrl-C shows on a terminal.
    assert terminal.getvalue() == "\rreading gold\\x1b\rcounting        \r          \r"
    progress.clear()
    assert terminal.getvalue().endswith("\r          \r")


def test_counted_work_has_a_bar(terminal, clock):
    with line_on(terminal, clock) as progress:
        clock.now += 1
        for _ in counted(["da.conllu", "de.conllu"], progress, "scoring {}".format):
            clock.now += 1
    first, second, gone, end = lines_of(terminal)
    assert first == "scoring da.conllu  [░░░░░░░░░░░░░░░░░░░░░░░░]  0 / 2"
    assert second == "scoring de.conllu  [████████████░░░░░░░░░░░░]  1 / 2"
    assert gone == end == ""


def test_steps_that_come_thick_and_fast_are_not_all_drawn(terminal, clock):
    progress = line_on(terminal, clock)
    clock.now += 1
    for done in range(1000):
        progress(Step("encoding", done, 1000))
        clock.now += 0.01
    assert 90 < len(lines_of(terminal)) < 102


def test_work_that_is_counted_gets_an_estimate_that_goes_down(terminal, clock):
    progress = line_on(terminal, clock)
    for done in range(4):
        progress(Step(f"scoring {done}", done, 18))
        clock.now += 4
    progress(Step("French-GSD: reading gold", 5, 18))
    told = [line.replace("█", "").replace("░", "") for line in lines_of(terminal)]
    assert told == [
        "scoring 1  []   1 / 18",
        "scoring 2  []   2 / 18, about 1 min left",
        "scoring 3  []   3 / 18, about 1 min left",
        "French-GSD: reading gold  []   5 / 18, about 40 s left",
    ]
    progress("making the page")  # not counted: what was known of other work is not said of it
    assert lines_of(terminal)[-1] == "making the page"


def test_a_callback_that_knows_no_steps_gets_names():
    told = []
    assert [number for number, _ in counted(["a", "b"], told.append)] == [0, 1]
    assert told == ["a", "b"]


def test_a_step_survives_copying_and_other_processes():
    step = Step("reading", 5, 10, "bytes")
    for again in (pickle.loads(pickle.dumps(step)), copy.deepcopy(step)):
        assert type(again) is Step
        assert (again, again.done, again.total, again.unit) == ("reading", 5, 10, "bytes")


def test_progress_that_is_sent_to_another_process_says_nothing_there(log, clock):
    sent = pickle.loads(pickle.dumps(line_on(log, clock)))
    assert sent is no_progress


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@posix
def test_progress_in_a_forked_process_says_nothing_and_wipes_nothing(terminal, clock):
    progress = line_on(terminal, clock)
    clock.now += 10
    progress("reading gold")
    child = os.fork()
    if not child:
        progress("counting")
        progress.clear()
        others = Stream(terminal=True)
        other = line_on(others, clock)
        clock.now += 10
        other("counting")  # its own may be shown
        is_right = (terminal.getvalue(), others.getvalue()) == ("\rreading gold", "\rcounting")
        os._exit(0 if is_right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize(("quiet", "passed"), [(True, 100.0), (False, 0.9)])
def test_nothing_is_said_of_short_or_quiet_runs(terminal, clock, quiet, passed):
    progress = line_on(terminal, clock, quiet=quiet)
    progress("reading gold")
    clock.now += passed
    progress("counting")
    progress.clear()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_line_comes_with_the_first_step_after_it_is_due(clock, is_terminal):
    stream = Stream(terminal=is_terminal)
    progress = line_on(stream, clock)
    progress("reading gold")
    clock.now += 100
    assert stream.getvalue() == ""
    progress("reading system")
    progress.clear()
    written = stream.getvalue()
    assert "reading system" in written
    assert written.endswith("\r" if is_terminal else "evalign: reading system, 1:40 so far\n")
    # It may begin again, as a page is made after scoring.
    clock.now += 100
    progress("making the page")
    assert "making the page" in stream.getvalue()


def test_a_log_gets_a_line_now_and_then(log, clock):
    progress = line_on(log, clock)
    for second in range(301):
        progress(Step(f"scoring {second // 15}", second // 15, 40))
        clock.now += 1
    progress.clear()
    lines = log.getvalue().splitlines()
    assert lines[:5] == [
        "evalign: scoring 0: 0 of 40, 0:10 so far",
        "evalign: scoring 1: 1 of 40, 0:15 so far",
        "evalign: scoring 1: 1 of 40, 0:20 so far",
        "evalign: scoring 1: 1 of 40, 0:25 so far",
        "evalign: scoring 2: 2 of 40, 0:30 so far, about 9:30 left",
    ]
    assert [line.partition(" so far")[0][-4:] for line in lines] == [
        *(f"{second // 60}:{second % 60:02}" for second in range(10, 125, 5)),
        *("2:30", "3:00", "3:30", "4:00", "4:30", "5:00"),
    ]
    assert log.getvalue().endswith("\n")
    assert "\r" not in log.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_a_log_of_a_short_or_quiet_run_stays_empty(log, clock, quiet):
    with line_on(log, clock, quiet=quiet) as progress:
        for _ in range(100 if quiet else 10):
            progress("reading gold")
            clock.now += 1
    assert log.getvalue() == ""


def test_a_terminal_that_cannot_go_back_is_a_log(terminal, clock, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    progress = line_on(terminal, clock)
    clock.now += 2
    progress("reading gold")
    assert terminal.getvalue() == ""
    clock.now += 8
    progress("reading a\nb")
    assert terminal.getvalue() == "evalign: reading a\\nb, 0:10 so far\n"


@pytest.mark.parametrize("error", [BrokenPipeError, ValueError])
def test_a_run_goes_on_though_nobody_reads_what_it_is_doing(log, clock, monkeypatch, error):
    progress = line_on(log, clock)
    clock.now += 100

    def fail(_text):
        raise error

    monkeypatch.setattr(log, "write", fail)
    progress("reading gold")
    monkeypatch.undo()
    clock.now += 100
    progress("counting")
    progress.clear()
    assert log.getvalue() == ""


def test_bytes_are_told_with_their_unit():
    step = Step("scoring it.conllu", 1_234_000_000, 10_000_000_000, "bytes")
    line = draw_stage(step, 70, left=130, blocks=False)
    assert line == "scoring it.conllu  [#--------------]   1.2 / 10.0 GB, about 2 min left"
    assert describe_stage(step, 34, 130) == "scoring it.conllu: 1.2 of 10.0 GB, 0:34 so far, about 2:10 left"
    unknown = Step("scoring -", 1_234_000_000, 0, "bytes")
    assert draw_stage(unknown, 70) == "scoring -  1.2 GB"
    assert describe_stage(unknown, 34) == "scoring -: 1.2 GB, 0:34 so far"


def test_of_one_thing_there_is_no_bar():
    assert draw_stage(Step("reading system 1 of 1", 0, 1), 60) == "reading system 1 of 1"
    assert draw_stage(Step("reading system 1 of 2", 0, 2), 60).endswith("0 / 2")
    assert describe_stage(Step("reading system 1 of 1", 0, 1), 34) == "reading system 1 of 1, 0:34 so far"


@pytest.mark.parametrize("left", [None, 130])
@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("stage", ["short", "reading 北京/" * 9, "\x1b[31m" * 9])
@pytest.mark.parametrize(("done", "unit"), [(0, ""), (7, ""), (1234, ""), (2000, ""), (7, "bytes")])
def test_a_line_is_never_wider_than_the_terminal(stage, done, unit, blocks, left):
    for columns in range(1, 120):
        for total in (0, 1234):
            line = draw_stage(Step(stage, done, total, unit), columns, left=left, blocks=blocks)
            assert width_of(line) <= columns
            assert line.isprintable()
            assert blocks or "█" not in line


def run_program(program, columns, until=None):
    """Run a program of Python on a terminal; one that is started in the background ignores Ctrl-C."""
    ask_for_keys = (
        "import fcntl, signal, sys, termios; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "fcntl.ioctl(sys.stderr, termios.TIOCSCTTY, 0)\n"
    )
    return run_on_terminal(
        [sys.executable, "-c", ask_for_keys + program], columns, until, PYTHONIOENCODING="utf-8"
    )


def shown_on(written):
    """The lines that stand on a terminal in the end; it has columns enough."""
    lines = [""]
    at = 0
    for character in written.replace("\r\n", "\n"):
        if character == "\r":
            at = 0
        elif character == "\n":
            lines.append("")
            at = 0
        else:
            lines[-1] = lines[-1][:at] + character + lines[-1][at + 1 :]
            at += 1
    return [line.rstrip() for line in lines]


WHERE = "scoring treebanks/UD_English-EWT/en_ewt-ud-test.conllu"
DRAWN = f"""
from evalign.cli.progress import ProgressLine
from evalign.progress import Step
class Clock:
    now = 0
    def __call__(self):
        return self.now
clock = Clock()
with ProgressLine(quiet=False, clock=clock) as progress:
    clock.now += 60
    progress('reading a file with a long name')
    for done in range(9):
        clock.now += 60
        progress(Step({WHERE!r}, done, 40))
"""


@posix
@pytest.mark.parametrize(
    ("columns", "last"),
    [
        (30, "scoring …st.conllu   8 / 40"),
        (80, f"scoring …-ud-test.conllu  [{'█' * 4 + '░' * 17}]   8 / 40, about 32 min left"),
        (120, f"{WHERE}  [{'█' * 4 + '░' * 20}]   8 / 40, about 32 min left"),
    ],
)
def test_on_a_real_terminal_nothing_stays(columns, last):
    written, printed, status = run_program(DRAWN, columns)
    assert (printed, status) == ("", 0)
    lines = [line.rstrip() for line in written.split("\r")[1:]]
    assert lines[0] == ("reading …e with a long name" if columns == 30 else "reading a file with a long name")
    assert lines[-3:] == [last, "", ""]
    assert all(width_of(line) < columns for line in written.split("\r"))
    assert shown_on(written) == [""]


@posix
def test_ctrl_c_wipes_the_line_before_it_is_told(tmp_path):
    """Typed at a terminal, which shows it behind the line, while nothing comes from a pipe."""
    gold, system = tmp_path / "gold.txt", tmp_path / "system.txt"
    os.mkfifo(gold)
    os.mkfifo(system)

    def write_gold_after_a_second():
        with gold.open("w") as file:  # waits for the reader
            time.sleep(1.1)
            file.write("A b.\n")

    threading.Thread(target=write_gold_after_a_second, daemon=True).start()
    program = (
        f"from evalign.cli import main; raise SystemExit(main(['score', {str(gold)!r}, {str(system)!r}]))"
    )
    written, printed, status = run_program(program, 80, until=b"reading system")
    assert (printed, status) == ("", 128 + signal.SIGINT)
    assert "^C" in written
    assert shown_on(written) == ["\x1b[31mevalign: interrupted\x1b[0m", ""]
