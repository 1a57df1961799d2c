"""The documentation: its links lead somewhere, and its commands print what the page shows.

`tools/examples.py` explains how blocks marked `console` are read. In a block marked `python`, lines that
begin with `>>> ` are doctests. They run in the same folder, the blocks of a page one after the other.
"""

import doctest
import os
import re
from pathlib import Path

import pytest
from tools.examples import (
    READ_ONLY,
    agrees,
    has_data,
    list_blocks,
    list_pages,
    prepare,
    run_command,
    split_commands,
)

from evalign.kernels import is_compiled

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
PAGES = list_pages()
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
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


@page
def test_files_of_the_source_that_are_named_are_there(path):
    for name in re.findall(r"`([\w/]+/[\w/]+\.py)`", path.read_text(encoding="utf-8")):
        assert (ROOT / name).exists() or (ROOT / "src" / "evalign" / name).exists(), name


@page
@pytest.mark.slow
@compiled_only
@pytest.mark.skipif(os.name == "nt", reason="pages show commands of a POSIX shell")
def test_examples_print_what_the_page_says(path, tmp_path, monkeypatch):
    prepare(path.read_text(encoding="utf-8"), tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {}
    for match in list_blocks(path.read_text(encoding="utf-8"), tmp_path):
        lineno = path.read_text(encoding="utf-8")[: match.start()].count("\n") + 1
        if match[1] == "python":
            run_doctest(match[2], names, path, lineno)
            continue
        if not has_data(match[2]):
            continue
        for _written, command, expected in split_commands(match[2]):
            if not command.startswith(READ_ONLY):
                printed = run_command(command, tmp_path)
                assert agrees(expected, printed), (
                    f"{path.name}:{lineno}: {command}\n--- the page says\n{expected}\n--- printed\n{printed}"
                )


def run_doctest(block, names, path, lineno):
    if ">>> " not in block:
        return
    report = []
    test = doctest.DocTestParser().get_doctest(block, names, path.name, str(path), lineno)
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(report)
