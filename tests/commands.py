"""Commands run in this process."""

import io
from dataclasses import dataclass

from evalign.cli import main


@dataclass
class Done:
    """What a command left behind."""

    status: int
    out: str
    written: str
    """Standard error as it was written, wrapped at the width of the terminal."""

    @property
    def err(self):
        """Messages with each sentence on a line of its own, without the progress that a slow machine tells of."""
        return drop_progress(self.written.replace("\n    ", " "))


def drop_progress(err):
    """Standard error without lines of progress, which come after ten seconds."""
    return "".join(line for line in err.splitlines(keepends=True) if " so far" not in line)


def make_runner(capture, monkeypatch, *before):
    """A function that runs a command, with text or bytes on standard input if there are any."""

    def run(*arguments, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main([*before, *map(str, arguments)])
        return Done(status, *capture.readouterr())

    return run
