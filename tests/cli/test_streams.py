"""Closed or full standard streams and too long names give a message and a status, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

CONLLU = "# newdoc id = d\x1b[31m\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
FULL = "/dev/full"
POSIX = pytest.mark.skipif(os.name == "nt", reason="closes streams as a POSIX shell does")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gold.conllu").write_text(CONLLU, encoding="utf-8")
    (tmp_path / "other.conllu").write_text(CONLLU.replace("a\t", "bc\t"), encoding="utf-8")
    (tmp_path / "bad.conllu").write_text("1\ta\n", encoding="utf-8")
    (tmp_path / "gold.mrg").write_text("(S (NN a))\n", encoding="utf-8")
    return tmp_path


def shell(folder, redirected, *arguments):
    """Run a command with some of its streams closed; gives status and what it said on those that are open."""
    line = f'"$0" -m evalign "$@" {redirected}'
    return subprocess.run(
        ["sh", "-c", line, sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


SCORE = ("score", "gold.conllu", "gold.conllu", "--metrics", "tokens")
PRINTING = [
    SCORE,
    ("conll18", "gold.conllu", "gold.conllu"),
    ("udeval", "gold.conllu", "gold.conllu"),
    ("evalb", "gold.mrg", "gold.mrg"),
    ("doctor", "gold.conllu"),
    ("diff", "gold.conllu", "other.conllu"),
    ("explain",),
    ("cite",),
    ("completion", "bash"),
    ("--version",),
    ("--help",),
]


@pytest.mark.slow
@POSIX
@pytest.mark.issue(15)
@pytest.mark.parametrize("redirected", [">&-", f">{FULL}", ">&- 2>&- <&-"])
@pytest.mark.parametrize("arguments", PRINTING, ids=lambda arguments: arguments[0])
def test_a_standard_output_that_takes_nothing_is_an_error(folder, redirected, arguments):
    if FULL in redirected and not Path(FULL).exists():
        pytest.skip("no device that is always full")
    done = shell(folder, redirected, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    if "2>" not in redirected and not arguments[0].startswith("--"):
        assert "standard output cannot be written" in done.stderr


@POSIX
@pytest.mark.issue(15)
@pytest.mark.parametrize("redirected", ["2>&-", f"2>{FULL}", "2>&- >&-", "2>&- >&- <&-"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_results_are_written_though_nobody_hears_the_warnings(folder, redirected, jobs):
    (folder / "system.conllu").write_bytes(CONLLU.replace("\n", "\r\n").encode())  # warned of
    done = shell(
        folder, redirected, *SCORE[:2], "system.conllu", "--metrics", "tokens", "--jobs", jobs, "-o", "a.csv"
    )
    assert done.returncode == 0
    assert "tokens" in (folder / "a.csv").read_text(encoding="utf-8")


@POSIX
@pytest.mark.issue(15)
@pytest.mark.parametrize("redirected", ["2>&-", f"2>{FULL}"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("score", "gold.conllu", "none"), 1),
        (("score", "--nonsense"), 2),
        (("nonsense",), 2),
        (("conll18", "bad.conllu", "gold.conllu"), 1),
        (("udeval", "bad.conllu", "gold.conllu"), 1),
        (("evalb", "gold.mrg", "none"), 1),
    ],
)
def test_the_status_is_the_same_though_nobody_hears_the_message(folder, redirected, arguments, status):
    assert shell(folder, redirected, *arguments).returncode == status


LONG = "n" * 300


@pytest.mark.slow
@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "arguments",
    [
        (*SCORE, "-o", f"{LONG}.csv"),
        (*SCORE, "-o", f"{LONG}.json"),
        (*SCORE, "-o", "/".join([LONG[:200]] * 25)),
        (*SCORE, "--report", f"{LONG}.html"),
        (*SCORE, "--raw", LONG),
        (*SCORE, "--vocabulary", LONG),
        ("score", "gold.conllu", LONG),
        ("score", "--manifest", LONG),
        ("doctor", LONG),
        ("convert", LONG),
        ("errors", "gold.conllu", "gold.conllu", "-o", f"{LONG}.csv"),
        ("bitext", "stats", LONG),
    ],
    ids=" ".join,
)
def test_a_name_that_is_too_long_is_named(folder, arguments):
    done = shell(folder, "", *arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "standard output" not in done.stderr
    assert "n" * 30 in done.stderr + done.stdout
