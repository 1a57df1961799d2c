"""Parameters of Python become flags of the command line in every message, and nowhere else."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from evalign import score, score_collection
from evalign.cli import (
    COMMANDS,
    GROUPS,
    OTHER_WORDS,
    PARAMETERS,
    load_command,
    main,
    write_flags,
    write_flags_in,
    write_option,
)
from evalign.metrics.definitions import load_definitions
from evalign.text import Text

pytestmark = pytest.mark.once

SOURCE = Path(__file__).parent.parent.parent / "src" / "evalign"
# These are of the command line itself, or print what the scripts they replace print.
ABOVE = {"cli", "compat", "reports"}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("leave out `strict=`", "leave out --strict"),
        ('`average="micro"` or `average="sentence"`', "--average micro or --average sentence"),
        ("`window=4096`", "--window 4096"),
        ("`raw=FOLDER`", "--raw FOLDER"),
        ('`by="^([a-z]+)"`', "--by '^([a-z]+)'"),
        ('`max_drop={"las": POINTS}`', "--max-drop las=POINTS"),
        ("fewer at a time: `engine=N`", "fewer at a time: --jobs"),
        ("without `stream=` and `engine=`", "without --stream and --jobs"),
        ("`recall_at=[1, 5, 10]`", "--recall-at 1,5,10"),
        (
            "`evalign.triples('en_ewt-ud.conllu', raw=FILE)`",
            "evalign triples en_ewt-ud.conllu --raw FILE --format tsv",
        ),
        ("`evalign.triples('my 01.mrg', raw=FILE)`", "evalign triples 'my 01.mrg' --raw FILE --format tsv"),
        ('`evalign.score(...).save("run.json")`', "evalign score ... -o run.json"),
        ("`evalign.read_manifest(FILE)`", "evalign score --manifest FILE"),
        ('`breakdown("relation")`', "--per relation"),
    ],
)
def test_parameters_and_calls_become_flags_and_commands(text, flags):
    assert write_flags(text) == flags


@pytest.mark.parametrize(
    "text",
    [
        "`strict`",
        '"`strict`" is a token',
        "`strict`.conllu: empty",
        "`code` and `evalign.Text(x)`",
        "`evalign.score(`",
        "a ` alone",
    ],
)
def test_data_and_other_code_stay_as_they_are(text):
    assert write_flags(text) == text


def test_quotes_and_backticks_of_data_hide_no_parameter():
    assert (
        write_flags('token """, token "``": leave out `strict=`')
        == 'token """, token "``": leave out --strict'
    )


class Finding(NamedTuple):
    """A message, and something that looks like a parameter."""

    message: str
    token: str


def test_messages_in_values_are_rewritten():
    findings = [Finding("leave out `strict=`", "`strict`"), Finding("no flag", "`strict`")]
    written = write_flags_in({"warnings": tuple(findings)})
    assert written == {"warnings": (Finding("leave out --strict", "`strict`"), findings[1])}
    assert written["warnings"][1] is findings[1]


def test_a_result_without_messages_is_returned_itself():
    result = score(Text("a b\n"), Text("a b\n"))
    assert write_flags_in(result) is result


# What commands print and save.

PLAIN = "The end .\n"
CONLLU = "1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tend\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
BROKEN = '"\n'


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder of gold, and one of a system with a file that cannot be read; its advice names formats."""
    monkeypatch.chdir(tmp_path)
    for folder, text in (("gold", CONLLU), ("alpha", CONLLU)):
        Path(folder).mkdir()
        Path(folder, "en.conllu").write_text(text, encoding="utf-8")
        Path(folder, "fi.conllu").write_text(text, encoding="utf-8")
    Path("alpha", "fi.conllu").write_text(BROKEN, encoding="utf-8")
    Path("plain.txt").write_text(PLAIN, encoding="utf-8")
    Path("raw-text.txt").write_text("This is the end. It is over. So it goes.\n" * 9, encoding="utf-8")
    return tmp_path


def run_all(capsys, *commands):
    """What commands print on both streams, and what they write to files called out, together."""
    for command in commands:
        main(command.split())
    return "".join(
        [*capsys.readouterr(), *(path.read_text(encoding="utf-8") for path in Path().glob("out.*"))]
    )


ADVICE = "--gold-format plain or --system-format plain"


@pytest.mark.parametrize(
    ("commands", "flags"),
    [
        (["score gold alpha"], ADVICE),
        (["score gold alpha --format json"], ADVICE),
        (["score gold alpha -o out.json -q"], ADVICE),
        (["score gold alpha --report out.html -q"], "--gold-format plain"),
        (["score gold alpha --jobs 2 --format json"], ADVICE),
        (["score gold alpha -o run.json -q", "attribute gold alpha --format json"], ADVICE),
        (["score gold alpha -o run.json -q", "convert run.json --format markdown"], "--gold-format plain"),
        (["score gold alpha -o run.json -q", "gate run.json --fail-under las=90 --format json"], ADVICE),
        (["typology study gold alpha -o study", "convert study/run.json"], "--gold-format plain"),
        (["doctor raw-text.txt"], "raw text goes to --raw"),
        (["doctor raw-text.txt --format json"], "raw text goes to --raw"),
        (["explain sentences"], "--match place"),
        (["explain las"], "--per relation"),
        (["score plain.txt plain.txt --metrics oov"], "--vocabulary FILE"),
        (["score plain.txt alpha/fi.conllu"], ADVICE),
        (["convert plain.txt"], "evalign score ... -o run.json"),
    ],
)
def test_commands_print_and_save_flags(folders, capsys, commands, flags):
    said = run_all(capsys, *commands)
    assert flags in re.sub(r"\s+", " ", said)
    assert not re.search(r"`\w+=|`evalign\.|`breakdown", said)


def test_results_that_python_saved_are_shown_with_flags(folders, capsys):
    score_collection("gold", "alpha").save("run.json")
    assert '`gold_format=\\"plain\\"`' in Path("run.json").read_text(encoding="utf-8")
    said = run_all(capsys, "convert run.json --format json", "report run.json -o out.html")
    assert ADVICE in said
    assert "`gold_format" not in said


# What is translated, and what messages say.


@cache
def options():
    """All options of all commands."""
    names = [name for name in COMMANDS if name not in GROUPS and name != "evalb"]
    names += [f"{group} {name}" for group, inner in GROUPS.items() for name in inner]
    parsers = [load_command(name).make_parser() for name in names]
    return {option for parser in parsers for option in parser._option_string_actions}


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_every_parameter_is_an_option(name):
    assert write_flags(f"`{name}=`") in options()


@pytest.mark.parametrize("code", sorted(OTHER_WORDS))
def test_other_words_name_options_and_commands_that_there_are(code):
    for flag in re.findall(r"--[a-z-]+", OTHER_WORDS[code]):
        assert flag in options()


# What they say is never seen on the command line, which gives values of the right types.
CHECKS_OF_TYPES = ("check_type", "list_texts")


@cache
def options_of_definitions():
    """The options and calls that definitions name in braces."""
    codes = set()
    load_definitions(lambda code: codes.add(code) or "")
    return codes


def test_every_option_of_a_definition_is_one_of_the_command_line():
    assert len(options_of_definitions()) > 30
    for code in options_of_definitions():
        written = write_option(code)
        [first, *_] = written.split()
        assert "`" not in written
        assert first in (options() if first.startswith("--") else {"evalign"}), code
        assert not {*re.findall(r"--[a-z-]+", written)} - options(), code


def test_definitions_have_parameters_in_python_and_flags_on_the_command_line():
    match = {load_definitions()["tokens"].notes, load_definitions(write_option)["tokens"].notes}
    assert match == {
        'With `match="place"` the text does not matter.',
        "With --match place the text does not matter.",
    }


@cache
def texts(*, documented):
    """Every text below the command line, with its place; values in f-strings are X. Docstrings only if `documented`."""
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in ABOVE:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        left_out = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and not documented)
            for part in ast.iter_child_nodes(node)
        }
        if not documented:
            left_out |= {
                id(part)
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CHECKS_OF_TYPES
                for part in node.args
            }
        for node in ast.walk(tree):
            place = f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else show_value(part) for part in node.values
                )
                found.append((place, "".join(parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
                found.append((place, node.value))
    return found + [
        (f"definition of {name}", text)
        for name, entry in load_definitions().items()
        for text in (entry.definition, entry.notes)
    ]


def show_value(part):
    """A value in an f-string, as the message has it."""
    return "'X'" if part.conversion == ord("r") else "X"


def test_no_text_below_the_command_line_names_a_flag():
    flags = re.compile(r"(?<![\w-])(--[a-z][a-z-]+|-o\b)")
    assert [place for place, text in texts(documented=True) if flags.search(text)] == []


# Names in f-strings that stand for parameters and functions.
STAND_INS = {
    "`X=`": "strict",
    "`X={": "max_drop",
    "`X_format": "gold",
    "`evalign.X(": "score",
    "`evalign.assess(evalign.X(": "score",
}


def test_all_code_in_messages_is_translated():
    left = []
    for place, text in texts(documented=False):
        for code in re.findall(r"`[a-z_.X]+[=(][^`\n]*`", text):
            for stand_in, name in STAND_INS.items():
                code = (
                    code.replace(stand_in, stand_in.replace("X", name)) if code.startswith(stand_in) else code
                )
            if write_flags(code) == code:
                left.append(f"{place}: {code}")
    assert left == []


# Parameters that messages name only by values of f-strings.
BUILT = {"fail_over", "stream", "window"}


def test_every_name_that_is_translated_stands_in_a_message():
    said = "\n".join(text for _, text in texts(documented=False))
    assert [name for name in PARAMETERS - BUILT if f"`{name}=" not in said] == []
    built = {
        "evalign.assess(evalign.score(GOLD, OLD, NEW))",
        "evalign.assess(evalign.score_pairs(GOLD, OLD, NEW))",
    }
    assert [code for code in OTHER_WORDS.keys() - built if f"`{code}`" not in said] == []
