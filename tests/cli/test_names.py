"""Names of systems as users give them, and of metrics in any case."""

import json
import shutil

import pytest

from evalign import Text, read, score
from evalign.cli.run import load_command
from evalign.errors import CommandError

pytestmark = [pytest.mark.issue(16), pytest.mark.once]


def systems_of(done):
    assert done.status == 0, done.err
    return [system["name"] for system in json.loads(done.out)["systems"]]


@pytest.fixture
def files(examples, tmp_path, monkeypatch):
    """Gold and two systems in this folder, one of them in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(examples / "gold.conllu", "gold.conllu")
    shutil.copy(examples / "system.txt", "a.txt")
    (tmp_path / "runs").mkdir()
    shutil.copy(examples / "second.conllu", "runs/a.txt")
    return tmp_path


def test_systems_are_called_as_they_are_named(evalign, files):
    done = evalign("score", "gold.conllu", "lr-0.1=a.txt", "lr-0.2=runs/a.txt", "--metrics", "tokens")
    assert done.status == 0
    lines = [line.split()[0] for line in done.out.splitlines()[2:4]]
    assert lines == ["lr-0.1", "lr-0.2"]
    assert "lr-0.1:" in done.out


@pytest.mark.parametrize(
    ("systems", "names"),
    [
        (["lr=0.1.txt", "runs/a.txt"], ["lr=0.1.txt", "a.txt"]),
        (["x=b=c.txt"], ["x"]),
        (["a.txt=runs/a.txt", "a.txt"], ["a.txt", "a.txt (2)"]),
        (["piped=-"], ["piped"]),
        (["x=a.txt", "--stream"], ["x"]),
    ],
    ids=["a file", "the first equals sign", "the name of another", "standard input", "in pieces"],
)
def test_what_stands_before_an_equals_sign_is_a_name_unless_it_is_of_a_file(evalign, files, systems, names):
    for name in ("lr=0.1.txt", "b=c.txt"):
        shutil.copy("a.txt", name)
    text = (files / "a.txt").read_bytes()
    assert systems_of(evalign("score", "gold.conllu", *systems, "--format", "json", stdin=text)) == names


def test_what_is_before_an_equals_sign_is_no_name_if_it_has_a_slash(evalign, files):
    done = evalign("score", "gold.conllu", "runs/x=a.txt")
    assert done.status == 1
    assert "runs/x=a.txt: no such file" in done.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("x=a.txt", "x=runs/a.txt"), '2 systems are called "x"'),
        (("=a.txt",), "no name before the ="),
        (("x=",), "no path behind the ="),
    ],
)
def test_a_name_twice_or_none_is_a_wrong_command(evalign, files, given, said):
    done = evalign("score", "gold.conllu", *given)
    assert done.status == 2
    assert said in done.err


def test_errors_name_the_file_and_not_the_system(evalign, files):
    (files / "broken.conllu").write_text("1\tA\tb\n\n", encoding="utf-8")
    done = evalign("score", "gold.conllu", "x=broken.conllu", "--system-format", "conllu")
    assert done.status == 1
    assert "broken.conllu:1" in done.err


def test_a_named_file_is_not_written_over(evalign, files):
    done = evalign("score", "gold.conllu", "x=a.txt", "-o", "a.txt")
    assert done.status == 2
    assert "would replace a file that is read" in done.err


def test_a_name_with_control_characters_is_shown_escaped(evalign, files):
    done = evalign("score", "gold.conllu", "\x1b[31mx=a.txt", "y=runs/a.txt")
    assert done.status == 0
    assert "\x1b" not in done.out + done.err
    assert "x1b" in done.out


def test_folders_are_named_as_files_are(evalign, examples):
    task = examples / "shared-task"
    done = evalign(
        "score", task / "gold", f"first={task / 'alpha'}", task / "beta", "--metrics", "tokens", "--format", "json"
    )  # fmt: skip
    assert done.status == 0, done.err
    assert [average["name"] for average in json.loads(done.out)["averages"]] == ["first", "beta"]


def test_names_from_python(files):
    result = score("gold.conllu", "a.txt", [["A", "b"]], names=["base", "tokens"])
    assert [system.name for system in result.systems] == ["base", "tokens"]
    result = score("gold.conllu", "a.txt", "runs/a.txt", names=["", "other"])
    assert [system.name for system in result.systems] == ["a.txt", "other"]


@pytest.mark.parametrize("names", [["x"], ["x", "x"], ["x", "y", "z"], "xy", [1, 2], [None, "b"], [" ", "b"]])
def test_wrong_names_from_python(files, names):
    with pytest.raises(CommandError):
        score("gold.conllu", "a.txt", "runs/a.txt", names=names)


def test_pairs_are_named(evalign, tmp_path):
    for name in ("gold.tsv", "one.tsv"):
        (tmp_path / name).write_text("fr-000000001\ten-000000001\n", encoding="utf-8")
    done = evalign("bitext", "score", tmp_path / "gold.tsv", f"x={tmp_path / 'one.tsv'}", "--format", "json")
    assert systems_of(done) == ["x"]


@pytest.mark.parametrize("written", ["LAS", "las", "Las"])
def test_metrics_are_found_in_any_case_and_shown_as_the_field_writes_them(evalign, examples, written):
    files = examples / "gold.conllu", examples / "second.conllu"
    done = evalign("score", *files, "--metrics", f"{written},Tokens")
    assert [line.split()[0] for line in done.out.splitlines()[1:3]] == ["LAS", "tokens"]
    done = evalign("score", *files, "--metrics", written, "--format", "csv")
    assert {line.split(",")[1] for line in done.out.splitlines()[1:]} == {"las"}
    done = evalign("score", *files, "--only", f"{written}.F1")
    assert done.out == "77.97\n"
    done = evalign("errors", *files, "--metrics", written, "--most", "1")
    assert done.out.startswith("LAS: 11 errors")
    done = evalign("diff", *files, "--metrics", written, "--most", "1")
    assert done.out.startswith("LAS ")


def test_metrics_of_saved_results_are_found_in_any_case(evalign, examples, tmp_path):
    saved = tmp_path / "run.json"
    evalign("score", examples / "gold.conllu", examples / "second.conllu", "-o", saved, "-q")
    done = evalign("gate", saved, "--fail-under", "LAS=60", "--fail-under", "UPOS.Recall=10")
    assert done.status == 0
    assert [line.split()[0] for line in done.out.splitlines()[1:3]] == ["LAS", "UPOS"]
    done = evalign("convert", saved, "--metrics", "LAS,Tokens", "--format", "markdown")
    assert done.status == 0
    assert "LAS" in done.out


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "typst"])
def test_tables_for_people_show_metrics_as_the_field_writes_them(evalign, examples, format):
    done = evalign(
        "score", examples / "gold.conllu", examples / "second.conllu", "--metrics", "default,pk", "--format", format
    )  # fmt: skip
    for name in ("UPOS", "UFeats", "MLAS", "Pk"):
        assert name in done.out
    assert "mlas" not in done.out


def test_an_error_names_the_file_it_is_in_even_if_another_is_named_so(evalign, files):
    (files / "bad.conllu").write_text("1\tA\tb\n\n", encoding="utf-8")
    done = evalign("score", "bad.conllu", "bad.conllu=a.txt", "--gold-format", "conllu")
    assert "bad.conllu:1" in done.err
    done = evalign("score", "gold.conllu", "bad.conllu=a.txt", "n=bad.conllu", "--system-format", "conllu")
    assert "a.txt:1" in done.err  # the first that is read
    done = evalign("score", "gold.conllu", "bad.conllu=gold.conllu", "n=bad.conllu")
    assert "bad.conllu:1: 3 columns" in done.err


def test_gold_keeps_its_name_whatever_systems_are_called(evalign, files):
    done = evalign("score", "gold.conllu", "gold.conllu=a.txt", "--format", "json")
    assert json.loads(done.out)["gold"] == "gold.conllu"
    assert systems_of(done) == ["gold.conllu"]


@pytest.mark.parametrize(
    "names", [["mt5.base", "bert.base"], ["bert/base", "bert/large"], ["run-1", "run-2"]]
)
def test_any_name_is_shown_whole(files, names):
    printed = str(score("gold.conllu", "a.txt", "runs/a.txt", names=names, metrics=["tokens"]))
    assert [line.split()[-4] for line in printed.splitlines()[1:3]] == names
    alone = str(score("gold.conllu", "a.txt", names=names[:1], metrics=["tokens"]))
    assert f"\n{names[0]} against gold.conllu" in alone


def test_a_name_of_blanks_or_with_a_line_end_is_told_of_on_one_line(evalign, files):
    assert evalign("score", "gold.conllu", " =a.txt").status == 2
    done = evalign("score", "gold.conllu", "a\n=")
    assert done.status == 2
    assert '"a\\n="' in done.err


def test_the_command_line_names_every_format_that_can_be_read():
    with pytest.raises(CommandError, match="unknown format") as refused:
        read(Text("A b"), format="xyzzy")
    known = refused.value.args[0].partition("expected one of ")[2].split(", ")
    for command, name in (
        ("score", "--gold-format"),
        ("score", "--system-format"),
        ("doctor", "--file-format"),
    ):
        assert sorted(choices(command, name)) == sorted(known)
    # A table of spans has no annotation but its own.
    assert {*known} - {*choices("triples", "--input-format")} == {"standoff"}


def choices(command, name):
    return next(option.choices for option in load_command(command).options if option.name == name)
