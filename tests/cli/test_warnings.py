"""`--fail-on-warning`: a warning gives exit status 1, and nothing else changes."""

import json
from inspect import iscode, isfunction

import pytest

from evalign.cli.commands import NAMES
from evalign.cli.run import load_command
from runs import BROKEN, DE, EN, EN_WRONG, write

pytestmark = [pytest.mark.issue(15), pytest.mark.once]


@pytest.fixture
def folder(folder):
    """With a system that is none for gold, and trees."""
    (folder / "other.txt").write_text("Zyx\n", encoding="utf-8")
    (folder / "gold.mrg").write_text("(S (NP (D the) (N cat)) (V sat))\n", encoding="utf-8")
    (folder / "other.mrg").write_text("(S (NP (N dogs)) (V ran))\n", encoding="utf-8")
    write(folder / "gold", en=EN, de=DE)
    write(folder / "bad", en=EN, de=BROKEN)
    write(folder / "good", en=EN_WRONG, de=DE)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["score", "gold.txt", "other.txt"],
        ["score", "gold.txt", "one.txt", "other.txt"],
        ["score", "gold.txt", "other.txt", "--format", "json"],
        ["score", "gold.txt", "other.txt", "--only", "tokens.f1"],
        ["score", "gold.txt", "other.txt", "--stream"],
        ["score", "gold", "bad"],
        ["align", "gold.txt", "other.txt"],
        ["diff", "gold.txt", "other.txt"],
        ["errors", "gold.txt", "other.txt"],
        ["attribute", "gold.mrg", "other.mrg"],
    ],
    ids=" ".join,
)
def test_a_warning_fails_when_asked(evalign, command):
    before = evalign(*command)
    assert (before.status, "warning: " in before.err) == (0, True)
    n_warnings = before.err.count("warning: ")
    done = evalign(*command, "--fail-on-warning")
    assert (done.status, done.out) == (1, before.out)
    counted = f"{n_warnings} warning{'s' * (n_warnings > 1)}"
    told = f"evalign: {counted}, and --fail-on-warning makes that exit status 1"
    assert done.err == f"{before.err}{told}\n"
    done = evalign(*command, "--fail-on-warning", "-q")
    assert (done.status, done.out) == (1, before.out)
    assert done.err == f"{told}\n  to read what is wrong, leave out --quiet\n"


@pytest.mark.parametrize(
    "command",
    [
        ["score", "gold.txt", "one.txt"],
        ["score", "gold", "good"],
        ["align", "gold.txt", "one.txt"],
        ["diff", "gold.txt", "one.txt"],
        ["errors", "gold.txt", "one.txt"],
    ],
    ids=" ".join,
)
def test_nothing_to_warn_of_is_no_failure(evalign, command):
    done = evalign(*command, "--fail-on-warning")
    assert (done.status, done.err) == (0, "")


def test_what_is_written_is_written_all_the_same(evalign, folder):
    done = evalign(
        "score", "gold.txt", "other.txt", "-o", "run.json", "--report", "page.html", "--fail-on-warning"
    )
    assert done.status == 1
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["warnings"]
    assert (folder / "page.html").exists()
    # What a result was saved with is a warning whenever it is shown.
    assert evalign("convert", "run.json", "--fail-on-warning").status == 1
    assert evalign("convert", "run.json", "--format", "jsonl", "--fail-on-warning", "-q").status == 1


@pytest.mark.parametrize("format", ["table", "markdown", "json"])
def test_another_status_is_not_hidden(evalign, format):
    evalign("score", "gold.txt", "one.txt", "--metrics", "tokens", "-o", "old.json", "-q")
    evalign("score", "gold.txt", "one.txt", "--metrics", "tokens", "-o", "new.json", "-q", "--match", "text")
    asked = ("new.json", "--baseline", "old.json", "--format", format, "--fail-on-warning")
    done = evalign("gate", *asked, "--max-drop", "tokens=1")
    assert (done.status, "--fail-on-warning makes that exit status 1" in done.err) == (1, True)
    done = evalign("gate", *asked, "--max-drop", "tokens=1", "--fail-under", "tokens=99")
    assert (done.status, "--fail-on-warning makes" in done.err) == (3, False)
    assert evalign("score", "gold.txt", "nothing.txt", "--fail-on-warning").status == 1
    assert evalign("score", "gold.txt", "one.txt", "--fail-on-warning", "--metrics", "no").status == 2


def list_commands():
    """All commands that may warn of something."""
    return [name for name in NAMES if name != "evalb" and "warn" in functions_of(load_command(name).run)]


def functions_of(function):
    """The names of the functions of the command line that a function may call, and those that these may call."""
    found, left = {}, [function]
    while left:
        function = left.pop()
        if function.__name__ not in found:
            found[function.__name__] = function
            named = [function.__globals__.get(name) for name in names_in(function.__code__)]
            left += [each for each in named if isfunction(each) and each.__module__.startswith("evalign.cli")]
    return found


def names_in(code):
    yield from code.co_names
    for inner in code.co_consts:
        if iscode(inner):
            yield from names_in(inner)


@pytest.mark.parametrize("name", list_commands())
def test_every_command_that_warns_can_fail_of_it(name):
    assert "--fail-on-warning" in [option.name for option in load_command(name).options]


def test_commands_that_warn_are_found():
    assert {"score", "convert", "bitext build", "typology judge"} <= {*list_commands()}
    assert not {"explain", "bitext stats", "signature"} & {*list_commands()}


def test_a_warning_of_the_doctor_counts_too(evalign, tmp_path):
    (tmp_path / "bom.txt").write_text("\ufeffA b .\n", encoding="utf-8")
    (tmp_path / "plain.txt").write_text("A b .\n", encoding="utf-8")
    assert evalign("doctor", str(tmp_path / "bom.txt"), "--fail-on-warning").status == 1
    assert evalign("doctor", str(tmp_path / "bom.txt")).status == 0
    assert evalign("doctor", str(tmp_path / "plain.txt"), "--fail-on-warning").status == 0
