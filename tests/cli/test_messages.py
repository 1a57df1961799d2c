"""Messages on standard error fit the terminal, use its colours, and never break a command in pieces."""

import io

import pytest

from evalign.cli import main
from evalign.cli.output import shape_message
from evalign.reports.formats import CYAN, RED, YELLOW

pytestmark = pytest.mark.once

END = "\x1b[0m"
LONG = (
    "no metric\n  expected one of sentences, tokens, words, upos\n  for example: evalign score gold.txt a.txt"
)


def test_lines_are_as_wide_as_the_terminal():
    assert shape_message("evalign: ", LONG, columns=30).splitlines() == [
        "evalign: no metric",
        "  expected one of sentences,",
        "    tokens, words, upos",
        "  for example:",
        "    evalign score gold.txt a.txt",
    ]


def test_without_a_terminal_lines_stay_whole():
    assert shape_message("evalign: ", LONG) == f"evalign: {LONG}\n"


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("did you mean my runs/of today.txt?", "did you mean my runs/of today.txt?"),
        ('the preset is called "evalb collins"', '"evalb collins"'),
        ("to write to a file: -o FILE", "-o FILE"),
        ("for example: evalign score a.txt b.txt --metrics las", "evalign score a.txt b.txt --metrics las"),
    ],
)
def test_what_is_pasted_stays_whole(line, whole):
    assert whole in shape_message("", f"many words, many more words\n  {line}", columns=20)


def test_a_path_with_spaces_stays_whole():
    path = "my runs/of today/gold.txt:17"
    told = shape_message("evalign: ", f"{path}: no tab in the line", columns=24, place=path)
    assert told.splitlines() == [f"evalign: {path}:", "    no tab in the line"]


def test_wide_characters_count_twice():
    told = shape_message("", "北京 北京 北京 北京", columns=11)
    assert told.splitlines() == ["北京 北京", "    北京", "    北京"]


def test_errors_are_red_warnings_yellow_and_hints_cyan():
    assert shape_message("evalign: ", "wrong\n  a hint", kind="error", color=True) == (
        f"{RED}evalign: wrong{END}\n{CYAN}  a hint{END}\n"
    )
    assert shape_message("warning: ", "odd", kind="warning", color=True) == f"{YELLOW}warning: odd{END}\n"
    assert shape_message("", "a remark", color=True) == "a remark\n"


def test_escapes_of_a_file_are_shown():
    told = shape_message("evalign: ", "\x1b[31mred\n  \x1b]0;title\x07", kind="error", columns=80, color=True)
    assert told == f"{RED}evalign: \\x1b[31mred{END}\n{CYAN}  \\x1b]0;title\\x07{END}\n"


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({}, False),
    ],
)
def test_colours_follow_the_environment(evalign, monkeypatch, environment, colored):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert evalign("explain", "xyzzy").err.startswith(RED) == colored
    assert evalign("score", "gold.txt").err.startswith(RED) == colored


@pytest.mark.parametrize(("term", "colored"), [("xterm", True), ("dumb", False)])
def test_a_terminal_has_colours_unless_it_is_dumb(monkeypatch, term, colored):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", term)
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["explain", "xyzzy"]) == 2
    assert terminal.getvalue().startswith(RED) == colored


def test_messages_of_commands_are_wrapped(evalign, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    for arguments in (
        ("explain", "xyzzy"),
        ("score", "gold.txt", "one.txt", "--metrics", "xyzzy"),
        ("xyzzy",),
    ):
        lines = evalign(*arguments).written.splitlines()
        assert len(lines) > 3
        assert max(map(len, lines)) <= 60


def test_a_choice_that_is_near_is_suggested_alone(evalign):
    told = evalign("score", "gold.txt", "one.txt", "--format", "jsn").err
    assert 'evalign score: --format: unknown value "jsn"\n  did you mean "json"?\n' in told
    assert "markdown" not in told


def test_line_breaks_in_arguments_are_shown(evalign):
    assert "--a\\nb" in evalign("score", "gold.txt", "one.txt", "--a\nb").err
    assert '"a\\nb"' in evalign("score", "gold.txt", "one.txt", "--format", "a\nb").err


def test_a_term_of_several_words_needs_no_quotes(evalign):
    assert evalign("explain", "Confidence", "Interval").out.startswith("interval: ")
    assert evalign("explain").out.startswith("metrics\n")
