"""Files to measure on, made once in a folder by processes of their own.

The peak memory of a child process includes what its parent held when the child was started. So nothing large
is made in the process that measures.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import final


@final
class Shelf:
    """A folder of files that are used again if they exist.

    Files made here are removed unless they are kept.
    """

    def __init__(self, folder: str = "", *, keep: bool = False) -> None:
        self._is_own = not folder
        # Without a name, a new folder under TMPDIR.
        self._folder = Path(folder or tempfile.mkdtemp(prefix="evalign-bench-")).absolute()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._keep = keep
        self._made: list[Path] = []

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._keep:
            print(f"\nfiles are in {self._folder}", file=sys.stderr)
            return
        self.remove(list(self._made))
        if self._is_own:
            shutil.rmtree(self._folder, ignore_errors=True)

    def get(self, names: Sequence[str], module: str, *arguments: object) -> list[Path]:
        """Return files by name; if one is missing, `python -m module FOLDER arguments` makes all of them."""
        paths = [self._folder / name for name in names]
        if not all(path.exists() for path in paths):
            # A file gets its name only when it is complete.
            with tempfile.TemporaryDirectory(dir=self._folder) as making:
                command = [sys.executable, "-m", module, making, *map(str, arguments)]
                subprocess.run(command, check=True)
                for path in paths:
                    Path(making, path.name).replace(path)
            self._made += paths
        return paths

    def repeat(self, source: Path, name: str, times: int) -> Path:
        """Return a file that repeats `source` the given number of times."""
        path = self._folder / name
        if not path.exists():
            part = path.with_name(path.name + ".part")
            with part.open("wb") as out:
                self._made.append(part)
                for _ in range(times):
                    with source.open("rb") as file:
                        shutil.copyfileobj(file, out, 1 << 20)
            part.replace(path)
            self._made[-1] = path
        return path

    def scratch(self, name: str) -> Path:
        """Return a path for the output of a command; it is removed at the end."""
        path = self._folder / name
        self._made.append(path)
        return path

    def remove(self, paths: Sequence[Path]) -> None:
        """Remove those of the files that were made here, unless they are kept."""
        for path in paths:
            if path not in self._made or self._keep:
                continue
            self._made.remove(path)
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def add_shelf(parser: argparse.ArgumentParser) -> None:
    """Add the options --folder and --keep."""
    parser.add_argument(
        "--folder", default="", help="where files are made, and used again (default: under TMPDIR)"
    )
    parser.add_argument("--keep", action="store_true", help="leave them there")


def row(*cells: object) -> None:
    """Print a row of a Markdown table at once, because the next one may take minutes."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def header(*cells: str) -> None:
    """Print the first two rows of a Markdown table."""
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)
