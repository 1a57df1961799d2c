"""What all commands share: help, wrong arguments, hostile input, real processes."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from evalign import __version__
from evalign.cli import main
from evalign.cli.commands import COMMANDS, GROUPS, NAMES
from evalign.metrics.errors.breakdowns import BREAKDOWNS
from evalign.metrics.metric import BRACKET_KINDS, KINDS
from evalign.metrics.registry import METRICS_WITH_ERRORS

pytestmark = pytest.mark.once

PAIRED = ("align", "diff", "errors", "score")
# A terminal would obey these: colours, the C1 form of an escape, text from right to left, a bell.
HOSTILE = "=cmd()|x & y% \\evil{} \x1b[31mred\x1b[0m a\x9b31mb \u202etest \x07 \u0301x [a] *b* ``--''\n"
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def test_version(capsys):
    assert main(["--version"]) == 0
    assert re.fullmatch(rf"evalign {__version__} \((compiled|plain) kernels\)\n", capsys.readouterr().out)


def test_help_lists_the_commands(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in COMMANDS)
    assert max(map(len, out.splitlines())) <= 80
    assert main([]) == 2


@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command_opens_with_one_to_paste(evalign, name):
    done = evalign(*name.split(), "--help")
    assert done.status == 0
    assert done.out.startswith(f"evalign {name} ")
    prose = done.out[done.out.index("usage:") :]
    assert max(map(len, prose.splitlines())) <= 80
    assert " " in name or evalign("help", name).out == done.out
    assert all(f"  {inner} " in prose for inner in GROUPS.get(name, ()))


def test_help_says_first_what_is_used_most(evalign):
    out = evalign("score", "--help").out
    assert "\nusage: evalign score GOLD SYSTEM... [options]\n\n" in out
    order = [
        "--metrics",
        "--format",
        "--output",
        "--paired",
        "--manifest",
        "--jobs",
        "--gold-format",
        "--preset",
        "--seed",
    ]
    places = [out.index(f"{flag} ", out.index("options:\n")) for flag in order]
    assert places == sorted(places)


def test_usage_is_what_a_command_cannot_do_without(evalign):
    usages = {
        name: re.search(r"^usage: (.*(?:\n .*)*)", evalign(*name.split(), "--help").out, re.MULTILINE)[1]
        for name in NAMES
    }
    assert usages["bitext build"] == "evalign bitext build CONFIG -o DIR [options]"
    assert usages["attribute"] == "evalign attribute GOLD [SYSTEM...] [options]"
    assert usages["typology"] == "evalign typology COMMAND ..."
    assert all("\n" not in usage for usage in usages.values())


@pytest.mark.parametrize("name", ["align", "diff", "doctor", "errors", "score"])
def test_examples_in_help_can_be_pasted(evalign, examples, folder, name):
    shutil.copytree(examples, folder / "examples")
    lines = evalign(name, "--help").out.partition("\n\n")[0].splitlines()
    pasted = [line.split()[1:] for line in lines if "examples/" in line]
    assert pasted
    for arguments in pasted:
        assert evalign(*arguments).status == 0


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("diff", (*METRICS_WITH_ERRORS, *KINDS, *BRACKET_KINDS)),
        ("errors", METRICS_WITH_ERRORS),
        ("score", BREAKDOWNS),
    ],
)
def test_help_names_all_there_is(evalign, name, named):
    words = set(re.findall(r"[\w-]+", evalign(name, "--help").out))
    assert set(named) <= words


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("scor",), "did you mean evalign score?"),
        (("xyzzy",), "to list them: evalign --help"),
        (("score",), "for example: evalign score examples/gold.conllu examples/system.txt"),
        (("score", "gold.txt"), "the following arguments are required: SYSTEM"),
        (("score", "gold.txt", "one.txt", "--metric", "tokens"), "did you mean --metrics?"),
        (("score", "gold.txt", "one.txt", "--metrics", "tokns"), 'did you mean "tokens"?'),
        (("score", "gold.txt", "one.txt", "--metrics", ","), "--metrics without a name"),
        (("score", "gold.txt", "one.txt", "--format", "yaml"), 'unknown value "yaml"\n  expected one of table, json'),
        (("score", "gold.txt", "one.txt", "-o", ""), "-o without a name"),
        (("score", "gold.txt", "one.txt", "-o", "x.jsonl"), "one of table, json, csv, markdown, latex"),
        (("score", "gold.txt", "one.txt", "--normalize", "xyzzy"), "one of nfc, xml"),
        (("score", "gold.txt", "one.txt", "--exceptions", "xyzzy"), "en, or the path of a file"),
        (("score", "gold.txt", "one.txt", "--strategy", "printed", "--raw", "gold.txt"), "one of the two"),
        (("score", "gold.txt", "one.txt", "--split-spaces", "--per", "relation"), "breakdown by relation not available with --split-spaces"),
        (("score", "gold.txt", "one.txt", "--split-spaces", "--by", "tag"), "breakdown by tag not available with --split-spaces"),
        (("errors", "gold.txt", "one.txt", "--split-spaces", "--metrics", "las"), "las not available with --split-spaces"),
        (("diff", "gold.txt", "one.txt", "--split-spaces", "--metrics", "las"), "las not available with --split-spaces"),
        (("score", "gold.txt", "one.txt", "--strategy", "printed", "--metrics", "pk"), "--metrics tokens"),
        (("align", "gold.txt", "one.txt", "-o", "x.json"), "one of table, jsonl"),
        (("diff", "gold.txt", "one.txt", "--kind", "xyzzy"), "one of split, merge, shifted"),
        (("diff", "gold.txt", "one.txt", "--metrics", "pk"), "one of sentences, tokens, words"),
        (("diff", "gold.txt", "one.txt", "--metrics", ","), "some of sentences, tokens, words"),
        (("diff", "gold.txt", "one.txt", "--most", "-1"), "'-1' is not a number from 0 up"),
        (("errors", "gold.txt", "one.txt", "--most", "many"), "'many' is not a number from 0 up"),
        (("doctor",), "the following arguments are required: FILE"),
    ],
)  # fmt: skip
def test_wrong_commands_say_what_to_do(evalign, folder, arguments, told):
    before = sorted(folder.iterdir())
    done = evalign(*arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("command", PAIRED)
def test_a_folder_is_no_file(evalign, command):
    done = evalign(command, "gold.txt", ".")
    assert (done.status, done.out) == (1, "")
    # Folders are scored too, but only against each other.
    told = "give files only, or folders only" if command == "score" else ".: a directory"
    assert told in done.err


@pytest.mark.parametrize("command", PAIRED)
@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("missing.txt", "missing.txt: no such file"),
        ("", "an empty path"),
        ("goldd.txt", "did you mean gold.txt?"),
    ],
)
def test_input_that_cannot_be_read(evalign, command, path, told):
    done = evalign(command, "gold.txt", path)
    assert (done.status, done.out) == (1, "")
    assert told in done.err


@pytest.mark.parametrize("command", PAIRED)
def test_strict_refuses_what_the_official_script_refuses(evalign, folder, command):
    (folder / "less.txt").write_text("Soup for\n", encoding="utf-8")
    done = evalign(command, "gold.txt", "less.txt", "--strict")
    assert (done.status, done.out) == (1, "")
    assert "leave out --strict" in done.err


@pytest.fixture
def hostile(folder):
    """Gold and system full of what terminals, spreadsheets, Markdown and LaTeX obey, under such names."""
    names = ("gold\x1b[31m=cmd|&%\\.txt", "=system\x9b\u202e_$x$\n.txt")
    if os.name == "nt":
        names = ("gold=cmd&%.txt", "=system_$x$.txt")
    for name, text in zip(names, (HOSTILE, HOSTILE.replace("d", "d ").replace("b", " b ")), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return names


@pytest.mark.parametrize(
    "arguments",
    [
        ("score",), ("score", "--format", "json"), ("score", "--format", "markdown"), ("score", "--format", "latex"),
        ("align",), ("align", "--format", "jsonl"), ("diff",), ("diff", "--format", "jsonl"), ("errors",),
        ("errors", "--format", "json"), ("errors", "--format", "markdown"), ("errors", "--format", "latex"),
        ("doctor",), ("doctor", "--format", "json"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_nothing_reaches_a_terminal_unescaped(evalign, hostile, arguments):
    done = evalign(arguments[0], *hostile, *arguments[1:])
    assert done.status == 0
    assert not UNSAFE.search(done.out)
    assert not UNSAFE.search(done.err)
    if "json" in arguments:
        json.loads(done.out)
    if "jsonl" in arguments:
        assert [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize("arguments", [("errors", "--format", "csv"), ("align", "--resegment")], ids=" ".join)
def test_data_are_whole_in_a_pipe_and_escaped_on_a_terminal(evalign, hostile, arguments, monkeypatch):
    piped = evalign(arguments[0], *hostile, *arguments[1:]).out
    assert "\x1b[31mred" in piped
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", terminal)
    assert evalign(arguments[0], *hostile, *arguments[1:]).status == 0
    shown = terminal.getvalue()
    assert not UNSAFE.search(shown)
    assert "\\x1b[31mred" in shown


def test_csv_has_no_formula(evalign, hostile):
    rows = list(csv.reader(io.StringIO(evalign("errors", *hostile, "--format", "csv").out, newline="")))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]


def test_wrong_arguments_are_escaped_too(evalign):
    for arguments in (
        ("sc\x1b[31more",),
        ("score", "a", "b", "--x\x1b[31m"),
        ("score", "gold.txt", "\x1b[31m"),
    ):
        done = evalign(*arguments)
        assert done.status in (1, 2)
        assert "\x1b" not in done.err
        assert "x1b[31m" in done.err


def process(*arguments, folder, **options):
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        [sys.executable, "-m", "evalign", *arguments],
        cwd=folder, env=environment, capture_output=True, check=False, **options,
    )  # fmt: skip


def test_a_process_writes_utf_8_whatever_the_locale(folder):
    done = process("diff", "gold.txt", "one.txt", folder=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Soup for six ¦ Chop" in done.stdout.decode("utf-8")


def test_a_process_reads_standard_input(folder):
    done = process("score", "-", "one.txt", "--only", "tokens", folder=folder, input=b"Soup for six")
    assert (done.returncode, done.stdout) == (0, b"37.50\n")
    assert done.stderr.startswith(b"warning: <stdin>:1: no newline at the end of the file\n")


def test_a_process_has_the_status_of_its_error(folder):
    assert process("score", "gold.txt", "missing.txt", folder=folder).returncode == 1
    assert process("score", "gold.txt", folder=folder).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pipes of a POSIX shell")
@pytest.mark.parametrize(
    "command",
    [
        "score --help",
        pytest.param("diff gold.txt long.txt", marks=pytest.mark.large),
        pytest.param("errors gold.txt long.txt --most 0", marks=pytest.mark.large),
    ],
)
def test_a_reader_that_goes_away_is_no_error(folder, command):
    lines = "".join(f"token{k} and some more of them .\n" for k in range(5000))
    (folder / "long.txt").write_text(lines, encoding="utf-8")
    line = f"{{ {sys.executable} -m evalign {command}; echo $? >&2; }} | head -n 1"
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr.splitlines()[-1] == b"0"
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")  # noqa: PTH110
def test_no_room_for_the_output_is_said(folder):
    line = f"{sys.executable} -m evalign score gold.txt one.txt > /dev/full"
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"evalign: standard output cannot be written (")
    assert b"Traceback" not in done.stderr
