"""What a long run is doing, on a terminal."""

from __future__ import annotations

import sys
import time

# Runs shorter than this say nothing.
PATIENCE = 1.0


class Progress:
    """Writes the stage a run has come to over the last one, on standard error, if that is a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._start = time.monotonic()
        self._wanted = not quiet and sys.stderr.isatty()
        self._width = 0

    def __call__(self, stage: str) -> None:
        """A stage begins."""
        if self._wanted and time.monotonic() - self._start >= PATIENCE:
            from evalign.reports.escape import printable

            self._show(printable(stage))

    def clear(self) -> None:
        """Nothing of it stays on the terminal."""
        if self._width:
            self._show("")
            sys.stderr.write("\r")

    def _show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)
