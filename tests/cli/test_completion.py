"""Completion: scripts that real shells accept, and completions by Tab in bash."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from evalign.cli import main
from evalign.cli.commands import NAMES
from evalign.cli.completion import find_candidates

SHELLS = ("bash", "zsh", "fish")
pytestmark = pytest.mark.once

# A bash on Windows may be another system's, with other paths.
BASH = None if os.name == "nt" else shutil.which("bash")
# What is on the line, the last word being the one at the cursor; bash has already broken words at = as it does.
LINES = {
    "evalign |sc": ["score"],
    "evalign |--v": ["--version"],
    "evalign help|expl": ["explain"],
    "evalign typology|-": ["-h", "--help"],
    "evalign score|--met": ["--metrics"],
    "evalign score gold.txt --average|": ["micro", "document", "sentence"],
    "evalign score --average = |mi": ["micro"],
    "evalign score --metrics|token": ["tokens", "token-boundaries"],
    "evalign score --metrics|tokens,wo": ["tokens,words"],
    "evalign score --metrics|tokens,las,token": ["tokens,las,token-boundaries"],
    "evalign score|--gold-f": ["--gold-format"],
    "evalign diff --kind|split,me": ["split,merge"],
    "evalign explain|windowdiff-n": ["windowdiff-nltk"],
    "evalign typology|prof": ["profile"],
    "evalign bitext|mi": ["mine"],
    "evalign bitext score gold.tsv|--train": ["--training"],
    "evalign typology profile|--least": [],
    "evalign typology select|--least": ["--least-featured", "--least-tokens"],
    "evalign evalb|-": ["-p", "-c", "-e", "-d", "-D", "-h", "--help"],
    "evalign score --preset|ev": ["evalb-collins", "evening notes.prm"],
    "evalign score gold.txt|": [],
    "evalign gate run.json --max-drop|wor": ["words="],
    "evalign convert run.json --format|typ": ["typst"],
    "evalign score --paired|rand": ["randomization"],
    "evalign score --paired|--see": ["--seed"],
    "evalign unknown|--": [],
    "evalign completion|z": ["zsh"],
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The scripts, one file for each shell."""
    folder = tmp_path_factory.mktemp("scripts")
    for shell in SHELLS:
        with pytest.MonkeyPatch.context() as patch, (folder / shell).open("w", encoding="utf-8") as file:
            patch.setattr("sys.stdout", file)
            assert main(["completion", shell]) == 0
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment in which `evalign` is the one that is tested."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "evalign"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m evalign "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_a_command_is_offered_with_its_help(name, capsys):
    flags = find_candidates([*name.split(), "-"]).words
    assert main([*name.split(), "--help"]) == 0
    listed = re.findall(r"^  (-.*?)(?:  |$)", capsys.readouterr().out, re.MULTILINE)
    assert {*flags} == {flag for line in listed for flag in re.findall(r"(?:^|, )(-[-\w]+)", line)}
    assert all(help and len(help) <= 72 for help in flags.values())


def test_what_a_shell_would_misread_is_in_no_candidate():
    lines = ([], ["score", "--metrics"], ["score", "--by"], ["gate", "--max-drop"], ["explain"], ["score"])
    words = [word for line in lines for word in find_candidates([*line, ""]).words]
    assert {"score", "las", "genre", "las=", "pk"} <= {*words}
    assert not any(set(word) & set(":\t\n\\ ") for word in words)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_a_few_lines(shell, scripts):
    assert len((scripts / shell).read_text(encoding="utf-8").splitlines()) <= 25


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_take_their_script(shell, scripts):
    if os.name == "nt" or not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    done = subprocess.run([shell, "-n", scripts / shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def completed(scripts, environment, tmp_path_factory):
    """What bash gives for each line: one process for all of them."""
    folder = tmp_path_factory.mktemp("bash")
    (folder / "evening notes.prm").touch()
    asked = []
    for line in LINES:
        before, current = line.split("|")
        words = " ".join(f"'{word}'" for word in [*before.split(), current])
        asked.append(f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _evalign")
        asked.append("printf '%s\\n' \"${COMPREPLY[@]}\"; printf '\\f'")
    program = "\n".join([f"source '{scripts / 'bash'}'", *asked])
    done = subprocess.run(
        [BASH, "--norc", "-c", program],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return dict(zip(LINES, done.stdout.split("\f"), strict=False))


@pytest.mark.skipif(not BASH, reason="there is no bash")
@pytest.mark.parametrize("line", LINES)
def test_bash_completes(line, completed):
    assert completed[line].strip("\n").splitlines() == LINES[line]


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("evalign sco", ["score"]),
        ("evalign score --metrics tokens,wo", ["tokens,words"]),
        ("evalign score --average ", ["document", "micro", "sentence"]),
        ("evalign typology sel", ["select"]),
        ("evalign typology select --least", ["--least-featured", "--least-tokens"]),
    ],
)
def test_fish_completes(line, expected, scripts, environment, tmp_path):
    program = f"source '{scripts / 'fish'}'; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", program],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(row.split("\t")[0] for row in done.stdout.splitlines()) == expected


def test_an_unknown_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err
