"""Run commands in this process."""

import io
import os
import struct
import subprocess
from dataclasses import dataclass

from evalign.cli import main


@dataclass
class Done:
    """The outcome of a command: exit status and output."""

    status: int
    out: str
    written: str
    """Standard error exactly as written, wrapped at the width of the terminal."""

    @property
    def err(self):
        """Standard error with each sentence on a line of its own, without lines of progress.

        Only a slow machine prints progress.
        """
        return drop_progress(self.written.replace("\n    ", " "))


def drop_progress(err):
    """Remove lines of progress, which appear after ten seconds, from standard error."""
    return "".join(line for line in err.splitlines(keepends=True) if " so far" not in line)


def make_runner(capture, monkeypatch, *before):
    """Return a function that runs a command, with optional text or bytes on standard input."""

    def run(*arguments, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main([*before, *map(str, arguments)])
        return Done(status, *capture.readouterr())

    return run


def run_on_terminal(command, columns=80, until=None, *, is_output=False, **environment):
    """Run a command whose standard error is a terminal of so many columns, and its output, too, if asked for.

    Return what it writes there, what it prints elsewhere, and its status. Ctrl-C is typed when `until` stands there.
    """
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=theirs, stdout=theirs if is_output else subprocess.PIPE,
        env={**os.environ, **environment}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            written += (read := os.read(ours, 10_000))
        except OSError:  # the other side is closed
            break
        if not read:
            break
        if until and until in written:
            os.write(ours, b"\x03")
            until = None
    os.close(ours)
    printed, _ = process.communicate()
    return written.decode(), (printed or b"").decode(), process.returncode
