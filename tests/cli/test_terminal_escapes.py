"""Escape sequences in files are shown on a terminal but never take effect.

Programs get the output unchanged.
"""

import os
import subprocess
import sys

import pytest

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


def run_on_terminal(arguments, folder):
    """What a command writes to a terminal that its standard output and error are."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "evalign", *arguments]
    process = subprocess.Popen(
        command, stdout=theirs, stderr=theirs, cwd=folder, env={**os.environ, "NO_COLOR": "1"}
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            read = os.read(ours, 10_000)
        except OSError:  # the other side is closed
            break
        if not read:
            break
        written += read
    os.close(ours)
    process.wait()
    return written.decode()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_is_shown_escapes_of_a_file(name, folder):
    written = run_on_terminal(COMMANDS[name], folder)
    assert "\x1b" not in written
    assert "\\x1b[31m" in written


def test_a_program_gets_them_as_they_are(folder):
    command = [sys.executable, "-m", "evalign", *COMMANDS["csv"]]
    printed = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout.decode()
    assert f"one{ESCAPE}" in printed
