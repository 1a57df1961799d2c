"""A metric requested by name that no system has: exit status 1, after everything else was written."""

import json

import pytest

import evalign as library
from runs import DE, EN, write

pytestmark = [pytest.mark.issue(15), pytest.mark.once]

REFUSAL = (
    "evalign: no system has las\n"
    "  gold.txt: no word has HEAD or DEPREL\n"
    "  one.txt: no word has HEAD or DEPREL\n"
    "  expected HEAD and DEPREL in gold and in a system\n"
    "  without --metrics and --only what the files have is scored; evalign explain NAME says what a metric needs\n"
)


@pytest.mark.parametrize(
    "metric", ["las", "las.f1", "las.correct", "upos", "elas", "lemmas", "brackets", "crossing"]
)
def test_one_number_that_no_system_has(evalign, metric):
    done = evalign("score", "gold.txt", "one.txt", "--only", metric)
    assert (done.status, done.out) == (1, "")
    assert f"evalign: no system has {metric.partition('.')[0]}\n" in done.err


@pytest.mark.parametrize("more", [[], ["--stream"], ["--jobs", "2"]], ids=str)
def test_what_there_is_is_printed_before_the_refusal(evalign, more):
    done = evalign("score", "gold.txt", "one.txt", "--metrics", "tokens,las", "-q", *more)
    assert (done.status, done.err) == (1, REFUSAL)
    assert done.out.startswith(
        "        correct  gold  system  precision  recall     F1  aligned\n"
        "tokens       11    12      13      84.62   91.67  88.00\n"
        "LAS           -     -       -          -       -      -        -\n"
    )


@pytest.mark.parametrize("format", ["json", "csv", "markdown", "latex", "typst"])
def test_every_format_is_printed_before_the_refusal(evalign, format):
    done = evalign("score", "gold.txt", "one.txt", "--metrics", "las,tokens", "--format", format, "-q")
    assert (done.status, done.err) == (1, REFUSAL)
    assert "tokens" in done.out
    if format == "json":
        assert json.loads(done.out)["systems"][0]["scores"]["las"]["f1"] is None


def test_results_are_saved_before_the_refusal(evalign, folder):
    more = ("-o", "run.json", "--report", "page.html", "--only", "las.f1")
    done = evalign("score", "gold.txt", "one.txt", *more, "-q")
    assert (done.status, done.out) == (1, "")
    assert (folder / "page.html").exists()
    saved = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert saved["systems"][0]["scores"]["tokens"]["f1"] == 0.88
    done = evalign("convert", "run.json", "--metrics", "las,tokens", "-q")
    assert (done.status, "88.00" in done.out, done.err) == (1, True, REFUSAL)
    assert evalign("convert", "run.json", "--metrics", "tokens").status == 0
    assert evalign("convert", "run.json").status == 0


@pytest.mark.parametrize("metrics", ["default", "all", "tokens", "default,tokens"])
def test_what_is_not_named_may_be_missing(evalign, metrics):
    done = evalign("score", "gold.txt", "one.txt", "--metrics", metrics)
    assert (done.status, done.err) == (0, "")


def test_what_some_systems_lack_is_a_dash_and_a_warning(evalign, folder):
    write(folder, gold=EN, parsed=EN, plain__txt="A b c\nD e\n")
    done = evalign("score", "gold.conllu", "parsed.conllu", "plain.txt", "--only", "las")
    assert (done.status, done.out) == (0, "100.00\n-\n")
    told = "warning: plain.txt: no word has HEAD or DEPREL: las not available\n"
    assert done.err == told
    done = evalign(
        "score", "gold.conllu", "parsed.conllu", "plain.txt", "--metrics", "las", "--format", "json"
    )
    assert (done.status, done.err) == (0, told)
    scores = [system["scores"]["las"]["f1"] for system in json.loads(done.out)["systems"]]
    assert scores == [1.0, None]
    assert evalign("score", "gold.conllu", "plain.txt", "--metrics", "las").status == 1


@pytest.mark.parametrize(
    "more", [[], ["--failures", "zero"], ["--format", "json"], ["--format", "csv"]], ids=str
)
def test_a_run_of_treebanks_fails_where_no_treebank_has_it(evalign, folder, more):
    write(folder / "gold", en=EN, de=DE)
    write(folder / "plain", en__txt="A b c\nD e\n", de__txt="X y\n")
    write(folder / "mixed", en=EN, de__txt="X y\n")
    done = evalign("score", "gold", "plain", "--metrics", "tokens,las", *more)
    assert done.status == 1
    assert "tokens" in done.out
    assert "evalign: no system has las\n" in done.err
    assert evalign("score", "gold", "plain", *more).status == 0
    assert evalign("score", "gold", "plain", "mixed", "--metrics", "tokens,las", *more).status == 0
    assert evalign("score", "gold", "mixed", "--metrics", "tokens,las", *more).status == 0


def test_a_number_that_is_undefined_does_not_exist(evalign):
    done = evalign("score", "gold.txt", "empty.txt", "--only", "tokens.precision", "-q")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("evalign: tokens.precision is undefined: nothing was counted\n")
    done = evalign("score", "gold.txt", "empty.txt", "one.txt", "--only", "tokens.precision", "-q")
    assert (done.status, done.out) == (0, "-\n84.62\n")
    assert evalign("score", "gold.txt", "empty.txt", "--only", "tokens.recall", "-q").out == "0.00\n"


def test_in_python_the_score_is_not_available_and_a_warning_says_why():
    result = library.score([["a", "b"]], [["a", "b"]], metrics=["las", "tokens"])
    assert (result["las"].available, result["las"].f1, result["tokens"].f1) == (False, None, 1.0)
    assert [warning.partition(": ")[2] for warning in result.warnings] == [
        "no word has HEAD or DEPREL: las not available"
    ] * len(result.warnings)
    assert result.warnings
