"""Parameters of Python become flags of the command line in every message, and nowhere else."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from evalign import score
from evalign.cli import COMMANDS, GROUPS, OTHER_WORDS, PARAMETERS, load_command, write_flags, write_flags_in
from evalign.text import Text

pytestmark = pytest.mark.once

SOURCE = Path(__file__).parent.parent.parent / "src" / "evalign"
# These are of the command line themselves, or print what the scripts they replace print.
ABOVE = {"cli", "compat", "reports"}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("leave out `strict`", "leave out --strict"),
        ('`average="micro"` or `average="sentence"`', "--average micro or --average sentence"),
        ("`window=4096`", "--window 4096"),
        ("`raw=FOLDER`", "--raw FOLDER"),
        ('`by="^([a-z]+)"`', "--by '^([a-z]+)'"),
        ('`max_drop={"las": POINTS}`', "--max-drop las=POINTS"),
        ("fewer at a time: `engine=N`", "fewer at a time: --jobs"),
        ("`recall_at=[1, 5, 10]`", "--recall-at 1,5,10"),
        ("`evalign.triples('runs/a.mrg', raw=FILE)`", "evalign triples runs/a.mrg --raw FILE --format tsv"),
        ('`evalign.score(...).save("run.json")`', "evalign score ... -o run.json"),
        ("`evalign.read_manifest(FILE)`", "evalign score --manifest FILE"),
    ],
)
def test_parameters_and_calls_become_flags_and_commands(text, flags):
    assert write_flags(text) == flags


@pytest.mark.parametrize(
    "text",
    [
        '"`strict`" is no name',
        "`code` and `evalign.Text(x)`",
        "`evalign.score(`",
        "a ` alone",
        "`strict=`x`",
        "",
    ],
)
def test_data_and_other_code_stay_as_they_are(text):
    assert write_flags(text) == text


@given(st.text(st.sampled_from('`"=a.(strict)')))
def test_no_text_is_refused(text):
    assert isinstance(write_flags(text), str)
    assert "`" in text or write_flags(text) == text


class Finding(NamedTuple):
    """A message, and data that looks like one."""

    message: str
    token: str


def test_messages_are_rewritten_and_data_are_not():
    findings = [Finding("leave out `strict`", "`strict`"), Finding("no flag", "`strict`")]
    written = write_flags_in({"warnings": tuple(findings)})
    assert written == {"warnings": (Finding("leave out --strict", "`strict`"), findings[1])}
    assert written["warnings"][1] is findings[1]


def test_a_result_without_messages_is_returned_itself():
    result = score(Text("a b\n"), Text("a b\n"))
    assert write_flags_in(result) is result


@cache
def options():
    """All options of all commands."""
    names = [name for name in COMMANDS if name not in GROUPS and name != "evalb"]
    names += [f"{group} {name}" for group, inner in GROUPS.items() for name in inner]
    parsers = [load_command(name).make_parser() for name in names]
    return {option for parser in parsers for option in parser._option_string_actions}


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_every_parameter_is_an_option(name):
    assert write_flags(f"`{name}`") in options()


@pytest.mark.parametrize("code", sorted(OTHER_WORDS))
def test_other_words_name_options_and_commands_that_there_are(code):
    for flag in re.findall(r"--[a-z-]+", OTHER_WORDS[code]):
        assert flag in options()


@cache
def texts():
    """Every text below the command line, with the place where it stands."""
    paths = (path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in ABOVE)
    return [
        (f"{path.relative_to(SOURCE)}:{node.lineno}", node.value)
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_no_text_below_the_command_line_names_a_flag():
    assert [place for place, text in texts() if re.search(r"(?<![\w-])--[a-z][a-z-]+", text)] == []


def test_every_name_that_is_rewritten_stands_in_a_message():
    said = "\n".join(text for _, text in texts())
    unused = [name for name in PARAMETERS if not re.search(rf"`{name}\b", said)]
    assert unused == []
