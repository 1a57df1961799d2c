"""Completion: scripts that real shells accept, and completions by Tab in bash."""

import os
import shutil
import subprocess

import pytest

from evalign.cli import main
from evalign.cli.commands import COMMANDS, GROUPS
from evalign.cli.completion import describe_commands

SHELLS = ("bash", "zsh", "fish")
pytestmark = pytest.mark.once

# A bash on Windows may be another system's, with other paths.
BASH = None if os.name == "nt" else shutil.which("bash")
# What is on the line, the last word being the one at the cursor; bash has already broken words at = as it does.
LINES = {
    "evalign |sc": ["score"],
    "evalign |--v": ["--version"],
    "evalign help|expl": ["explain"],
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


def test_every_command_is_described():
    described = {command.name: command for command in describe_commands()}
    assert set(described) == {
        *COMMANDS,
        *(f"{group} {name}" for group, commands in GROUPS.items() for name in commands),
    }
    assert all(command.help and command.options for command in described.values())
    assert all(option.help for command in described.values() for option in command.options)


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_take_their_script(shell, scripts):
    if os.name == "nt" or not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    done = subprocess.run([shell, "-n", scripts / shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def completed(scripts, tmp_path_factory):
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
        [BASH, "--norc", "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
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
def test_fish_completes(line, expected, scripts, tmp_path):
    program = f"source '{scripts / 'fish'}'; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert sorted(row.split("\t")[0] for row in done.stdout.splitlines()) == expected


def test_an_unknown_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err
