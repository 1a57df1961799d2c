"""Commands in the pages, and what they print: the tests compare it, `make examples` writes it anew.

In a block marked `console`, every line that begins with `$ ` is a command, and what follows it up to the next is
what it prints on standard output and standard error. A line `...` stands for any lines, `...` in a line for any
characters. Commands that begin with `make`, `git`, `pip`, `python3 -m` or `cd` are for reading only. Blocks of one page
run one after the other in one folder that has a copy of `examples/`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READ_ONLY = ("make ", "git ", "pip ", "python3 -m ", "cd ")
ANYTHING = "..."


def list_pages() -> list[Path]:
    """All pages that have examples."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    return sorted(pages, key=str)


def split_commands(block: str) -> Iterator[tuple[str, str, str]]:
    """The commands of a block: as the page writes each, as a shell takes it, and what the page says it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        written = re.match(r"(?:.*\\\n> ?)*.*", part)
        assert written
        printed = part[written.end() :].strip("\n")
        yield written[0], re.sub(r"\\\n> ?", "", written[0]), printed


def can_run(command: str) -> bool:
    """Whether a command is more than for reading, and has the data that it names."""
    is_missing = "EVALIGN_DATA" in command and "EVALIGN_DATA" not in os.environ
    return not command.startswith(READ_ONLY) and not is_missing


def run_command(command: str, folder: Path) -> str:
    """What a command prints in a folder, on a terminal of 100 columns without colours."""
    program_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": program_first, "NO_COLOR": "1", "COLUMNS": "100"}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())


def agrees(expected: str, printed: str) -> bool:
    """Whether a command prints what the page shows, spaces at line ends aside."""
    pattern = "\n".join(re.escape(line.rstrip()) for line in expected.splitlines())
    pattern = re.sub(r"^\\\.\\\.\\\.$", r"(?:.|\\n)*", pattern, flags=re.MULTILINE).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, printed) is not None


def renew(expected: str, printed: str) -> str:
    r"""What a page is to show of an output now, given what it showed: as many lines at its start and end.

    >>> renew("a\nb\n...\nz", "A\nB\nC\nY\nZ").split()
    ['A', 'B', '...', 'Z']
    """
    lines, new = expected.split("\n"), printed.split("\n")
    if ANYTHING not in lines:
        return printed
    head, tail = lines.index(ANYTHING), lines[::-1].index(ANYTHING)
    return "\n".join([*new[:head], ANYTHING, *(new[-tail:] if tail else [])])


def renew_page(path: Path) -> list[str]:
    """Write a page with what its commands print now; gives the commands whose output it cut, to be looked at."""
    text = path.read_text(encoding="utf-8")
    doubtful = []
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "examples", Path(name) / "examples")
        pieces, end = [], 0
        for match in BLOCK.finditer(text):
            pieces.append(text[end : match.start()])
            end = match.end()
            block = match[2]
            if match[1] == "console":
                shown = []
                for written, command, expected in split_commands(block):
                    printed = run_command(command, Path(name)) if can_run(command) else expected
                    if not agrees(expected, printed):
                        if ANYTHING in expected:
                            doubtful.append(command)
                        expected = renew(expected, printed)
                    shown.append(f"$ {written}\n" + (f"{expected}\n" if expected else ""))
                block = block[: block.find("$ ")] + "".join(shown)
            pieces.append(f"```{match[1]}\n{block}```")
    path.write_text("".join([*pieces, text[end:]]), encoding="utf-8")
    return doubtful


def main() -> int:
    """Renew the pages that are named, or all of them."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or list_pages():
        for command in renew_page(path):
            sys.stdout.write(f"{path.relative_to(ROOT)}: cut, look at it: {command}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
