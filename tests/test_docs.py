"""The documentation: links lead somewhere, commands print what the page says.

In a block marked `console`, every line that begins with `$ ` is a command, and what follows it up to the next is
what it prints on standard output and standard error. A line `...` stands for any lines, `...` in a line for any
characters. Blocks that begin with `make`, `git`, `pip` or `python3 -m` are for reading only. Blocks of one page
run one after the other in one folder that has a copy of `examples/`. In a block marked `python`, lines that begin
with `>>> ` are doctests and run in the same folder, the blocks of a page one after the other.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evalign.kernels import is_compiled

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")], key=str
)
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
READ_ONLY = ("make ", "git ", "pip ", "python3 -m ", "cd ")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# Pages show what the compiled program prints: `--version` and the signature name the form.
compiled_only = pytest.mark.skipif(not is_compiled(), reason="pages show the compiled form")
page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    """The anchors of a page's headings, as code hosts make them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+\s+(.*?)\s*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@page
def test_links_lead_somewhere(path):
    for match in LINK.finditer(without_code(path.read_text(encoding="utf-8"))):
        target, _, anchor = (match[1] or match[2]).partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        there = (path.parent / target).resolve() if target else path
        assert there.exists(), f"{path.name} links to {target}, which is not there"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), (
                f"{path.name} links to {target}#{anchor}, a heading that is not there"
            )


@pytest.mark.parametrize("level", ["result", "significance", "evaluate"])
def test_modules_are_named_in_the_architecture(level):
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, table = text.partition(f"| module of `{level}` | what it knows |\n|---|---|\n")
    named = re.findall(r"^\| `(\w+)` \|", table.partition("\n\n")[0], re.MULTILINE)
    modules = [
        path.stem for path in (ROOT / "src" / "evalign" / level).glob("*.py") if path.stem != "__init__"
    ]
    assert sorted(named) == sorted(modules)


def commands(block):
    """Pairs of a command and what the page says it prints."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    for part in parts[1:]:
        command, _, printed = re.sub(r"\\\n> ?", "", part).partition("\n")
        yield command, printed.strip("\n")


def agrees(expected, printed):
    """Whether the output is what the page shows, spaces at line ends aside."""
    pattern = "\n".join(re.escape(line.rstrip()) for line in expected.splitlines())
    pattern = re.sub(r"^\\\.\\\.\\\.$", r"(?:.|\\n)*", pattern, flags=re.MULTILINE).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()))


@page
@compiled_only
@pytest.mark.skipif(os.name == "nt", reason="pages show commands of a POSIX shell")
def test_examples_print_what_the_page_says(path, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    program_first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": program_first, "NO_COLOR": "1", "COLUMNS": "100"}
    names = {}
    for match in BLOCK.finditer(path.read_text(encoding="utf-8")):
        lineno = path.read_text(encoding="utf-8")[: match.start()].count("\n") + 1
        if match[1] == "python":
            run_doctest(match[2], names, path, lineno)
            continue
        if "EVALIGN_DATA" in match[2] and "EVALIGN_DATA" not in os.environ:
            continue
        for command, expected in commands(match[2]):
            if command.startswith(READ_ONLY):
                continue
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert agrees(expected, done.stdout), (
                f"{path.name}:{lineno}: {command}\n--- the page says\n{expected}\n--- printed\n{done.stdout}"
            )


def run_doctest(block, names, path, lineno):
    if ">>> " not in block:
        return
    report = []
    test = doctest.DocTestParser().get_doctest(block, names, path.name, str(path), lineno)
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(report)
