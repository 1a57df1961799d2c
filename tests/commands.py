"""Run commands in this process."""

import io
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
