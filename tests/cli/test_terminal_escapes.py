"""Escape sequences in files are shown on a terminal but never take effect.

Programs get the output unchanged.
"""

import subprocess
import sys

import pytest

from commands import run_on_terminal

pytestmark = [
    pytest.mark.issue(15),
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows"),
    pytest.mark.once,
]
ESCAPE = "\x1b[31m"
ROW = "\t".join(["1", f"A{ESCAPE}", "_", "_", "_", "_", "0", f"root{ESCAPE}", "_", "_"])
FILES = {
    "gold.conllu": f"# newdoc id = one{ESCAPE}\n{ROW}\n\n# newdoc id = two\n{ROW}\n\n",
    "broken.conllu": f"1\tA{ESCAPE}\n\n",
    "gold.mrg": f"(S (N a{ESCAPE}))\n",
    "system.mrg": "(S (N b))\n",
}
COMMANDS = {
    "csv": [
        "score",
        "gold.conllu",
        "gold.conllu",
        "--metrics",
        "tokens",
        "--by",
        "document",
        "--format",
        "csv",
    ],
    "table": ["score", "gold.conllu", "gold.conllu", "--metrics", "tokens", "--by", "document"],
    "conll18": ["conll18", "broken.conllu", "broken.conllu"],
    "udeval": ["udeval", "broken.conllu", "broken.conllu"],
    "evalb": ["evalb", "gold.mrg", "system.mrg"],
    "a name": ["conll18", f"no{ESCAPE}.conllu", "gold.conllu"],
    "a name of evalb's": ["evalb", f"no{ESCAPE}.mrg", "system.mrg"],
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_is_shown_escapes_of_a_file(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    command = [sys.executable, "-m", "evalign", *COMMANDS[name]]
    written, _, _ = run_on_terminal(command, is_output=True, NO_COLOR="1")
    assert "\x1b" not in written
    assert "\\x1b[31m" in written


def test_a_program_gets_them_as_they_are(folder):
    command = [sys.executable, "-m", "evalign", *COMMANDS["csv"]]
    printed = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout.decode()
    assert f"one{ESCAPE}" in printed
