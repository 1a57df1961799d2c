"""Commands in the documentation with their output: tests compare the output, `make examples` renews it.

In a block marked `console`, every line that begins with `$ ` is a command. The lines up to the next command
are its standard output and standard error. A line `...` stands for any lines, and `...` in a line for any
characters. Commands that begin with `make`, `git`, `pip`, `python3 -m` or `cd` are never run. The blocks of
one page run one after the other in one folder, which has a copy of `examples/`.

A block whose title is a file of the source changes evalign: `python` is a new file, and `diff` edits a file,
in places separated by `@@`. The commands of such a page run with a copy of the source that has the changes
above them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGE = re.compile(r'^```(python|diff) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
READ_ONLY = ("make ", "git ", "pip ", "python3 -m ", "cd ")
ANYTHING = "..."


def list_pages() -> list[Path]:
    """Return all Markdown pages that may have examples."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    return sorted(pages, key=str)


def split_commands(block: str) -> Iterator[tuple[str, str, str]]:
    """Yield each command of a block: as on the page, as a shell takes it, and its output on the page."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        written = re.match(r"(?:.*\\\n> ?)*.*", part)
        assert written
        printed = part[written.end() :].strip("\n")
        yield written[0], re.sub(r"\\\n> ?", "", written[0]), printed


def prepare(page: str, folder: Path) -> None:
    """Put into `folder` what the commands of a page need: the examples, and evalign's source if the page changes it."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    if CHANGE.search(page):
        left_out = shutil.ignore_patterns("__pycache__", "*.c")
        shutil.copytree(ROOT / "src", folder / "src", ignore=left_out)


def change(match: re.Match[str], folder: Path) -> None:
    """Apply a block that `CHANGE` matched to the copy of the source in `folder`."""
    kind, name, block = match.groups()
    path = folder / name
    if kind == "python":
        assert not path.exists(), f"{name} is there already"
        path.write_text(block, encoding="utf-8")
    else:
        path.write_text(apply_diff(path.read_text(encoding="utf-8"), block, name), encoding="utf-8")


def list_blocks(page: str, folder: Path) -> Iterator[re.Match[str]]:
    """Yield the blocks of a page in order; changes of the source are applied to the copy in `folder` on the way."""
    for match in sorted([*BLOCK.finditer(page), *CHANGE.finditer(page)], key=re.Match.start):
        if match.re is CHANGE:
            change(match, folder)
        else:
            yield match


def apply_diff(text: str, diff: str, name: str) -> str:
    r"""Apply the edits of `diff` to `text`.

    Each line of an edit begins with ` `, `-` or `+`; each edit must fit in exactly one place of the file
    `name`.

    >>> apply_diff("a = 1\nb = 2\n", "-a = 1\n+a = 3\n b = 2\n", "x.py")
    'a = 3\nb = 2\n'
    """
    for edit in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = edit.splitlines()
        old, new = ("\n".join(line[1:] for line in lines if line[:1] != left_out) for left_out in "+-")
        assert text.count(old) == 1, (
            f"the source has moved on; update this diff in the page that the test is named after: "
            f"{name} has {text.count(old)} places like this:\n{old}"
        )
        text = text.replace(old, new)
    return text


def has_data(block: str) -> bool:
    """Return whether the data that a block needs is there.

    EVALIGN_DATA must be set if the block uses it.
    """
    return "EVALIGN_DATA" not in block or "EVALIGN_DATA" in os.environ


def run_command(command: str, folder: Path) -> str:
    """Return what a command prints in a folder, on a terminal of 100 columns without colours."""
    program_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": program_first, "NO_COLOR": "1", "COLUMNS": "100"}
    if (folder / "src").is_dir():
        environment["PYTHONPATH"] = str(folder / "src")
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
    """Return whether the output of a command matches the page, apart from spaces at line ends."""
    pattern = "\n".join(re.escape(line.rstrip()) for line in expected.splitlines())
    pattern = re.sub(r"^\\\.\\\.\\\.$", r"(?:.|\\n)*", pattern, flags=re.MULTILINE).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, printed) is not None


def renew(expected: str, printed: str) -> str:
    r"""Return the new output of a command in the form in which the page shows it.

    For each part that the page shows between lines `...`, the most similar lines of the new output are taken.

    >>> renew("a 1\nb 1\n...\nx 1\n...\nz 1", "a 2\nb 2\nc 2\nx 2\ny 2\nz 2").split("\n")
    ['a 2', 'b 2', '...', 'x 2', '...', 'z 2']
    """
    parts = [part.strip("\n").split("\n") for part in re.split(r"^\.\.\.$", expected, flags=re.MULTILINE)]
    if len(parts) == 1:
        return printed
    lines, shown, start = printed.split("\n"), [], 0
    for number, part in enumerate(parts):
        if part == [""]:
            shown.append("")
            continue
        places = range(start, max(start, len(lines) - len(part)) + 1)
        if number == 0:
            places = range(1)
        elif number == len(parts) - 1:
            places = range(places[-1], places[-1] + 1)
        start = max(places, key=lambda place: _likeness(part, lines[place : place + len(part)]))
        shown.append("\n".join(lines[start : start + len(part)]))
        start += len(part)
    return f"\n{ANYTHING}\n".join(shown).strip("\n")


def _likeness(some: Sequence[str], others: Sequence[str]) -> float:
    pairs = zip(some, others, strict=False)
    return sum(SequenceMatcher(None, one.lower(), other.lower()).ratio() for one, other in pairs)


def renew_page(path: Path) -> list[str]:
    """Write the current output of its commands into a page.

    Returns the commands whose output is shown only in part, to be checked by hand.
    """
    text = path.read_text(encoding="utf-8")
    doubtful = []
    with tempfile.TemporaryDirectory() as name:
        prepare(text, Path(name))
        pieces, end = [], 0
        for match in list_blocks(text, Path(name)):
            pieces.append(text[end : match.start()])
            end = match.end()
            block = match[2]
            if match[1] == "console" and has_data(block):
                shown = []
                for written, command, expected in split_commands(block):
                    printed = (
                        run_command(command, Path(name)) if not command.startswith(READ_ONLY) else expected
                    )
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
    """Renew the pages named as arguments, or all of them."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or list_pages():
        for command in renew_page(path):
            sys.stdout.write(f"{path.relative_to(ROOT)}: cut, look at it: {command}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
