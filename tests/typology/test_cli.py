"""`evalign typology` as a user runs it."""

import csv
import io
import json
import os
import re

import pytest

from evalign.cli import main
from evalign.metrics.relations import load_weights
from evalign.wording import width_of
from typology.samples import DOG, conllu

UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
EN, FI = "en_a-ud-test.conllu", "fi_b-ud-test.conllu"
FORMATS = ("table", "json", "csv", "markdown", "latex")
RUNS = {
    "profile": ("profile", EN, FI),
    "weights": ("weights", EN, FI),
    "select": ("select", EN, FI),
    "cascades": ("cascades", EN, "one.conllu"),
    "judge": ("judge", "judgements.tsv", EN, "one.conllu", "two.conllu"),
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "the following arguments are required: COMMAND"),
        (("profil",), 'unknown command "profil"\n  did you mean "profile"?'),
        (("profile",), "the following arguments are required: TREEBANK"),
        (("profile", EN, "--chnk", "2"), "did you mean --chunk?"),
        (("profile", EN, "--chunk", "0"), "1 word or more"),
        (("profile", EN, "--chunk", "-2"), "'-2' is not a number from 0 up"),
        (("profile", EN, "--missing", "2"), "'2' is not a number from 0 to 1"),
        (("profile", EN, "--missing", "nan"), "'nan' is not a number from 0 to 1"),
        (("profile", EN, "--plot", "x.gif"), "a file that ends in .png, .svg, .pdf"),
        (("profile", EN, "--figure", "4"), "some of 2, 3"),
        (("profile", EN, "-o", "x.jsonl"), "one of table, json, csv, markdown, latex"),
        (("profile", "-", "-"), '"-" is given twice'),
        (("select", EN, "--language", "fi"), "--language my_treebank=fi"),
        (("select", EN, "--prefer", "xx"), 'no treebank is called "xx"'),
        (("cascades", EN), f"evalign: {EN} alone\n  expected pairs: gold and system"),
        (("cascades", EN, EN, FI), "3 files, one without a partner"),
        (("judge", "judgements.tsv", EN, "one.conllu"), "at least two systems"),
    ],
)
def test_wrong_commands_say_what_to_do(typology, folder, arguments, told):
    before = sorted(folder.iterdir())
    done = typology(*arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("profile", "missing.conllu"), "missing.conllu: no such file"),
        (("profile", "judgements.tsv"), "plain text, which has no trees"),
        (("profile", ""), "an empty path"),
        (("compare", "missing.json"), "missing.json: cannot be read"),
        (("compare", EN), "not a saved result"),
        (("judge", "judgements.tsv", FI, "one.conllu", EN), 'no system "two"'),
        (("judge", EN, EN, "one.conllu", "two.conllu"), f"{EN}:1: 1 columns"),
        (("judge", "judgements.tsv", EN, "one.conllu", "two.conllu", "--weights", EN), "not JSON"),
        (("profile", EN, "--plot", "no/such/x.png"), "cannot be written"),
    ],
)
def test_wrong_input_is_told(typology, arguments, told):
    done = typology(*arguments)
    assert (done.status, done.out) == (1, "")
    assert told in done.err


def test_profile_prints_tables(typology):
    done = typology(*RUNS["profile"], "--chunk", "3")
    assert done.err == ""
    assert done.out == (
        "              sentences  tokens  words  non-proj  content  function    STTR\n"
        "en_a-ud-test          2       8      8      0.00    50.00     25.00  100.00\n"
        "fi_b-ud-test          2       8      8     50.00    75.00     12.50  100.00\n"
        "\n"
        "relation  class     treebanks  words    WDE\n"
        "punct     other             2      3  0.000\n"
        "det       function          2      3  0.178\n"
        "nsubj     content           2      3  0.178\n"
        "root      content           2      4  0.345\n"
        "nmod      content           1      3  0.514\n"
        "\n"
        "R(content, STTR) = -, R(function, STTR) = -, R(content, function) = -1.00\n"
        "signature  evalign:0.1.0|case:keep|vocabulary:treebank|missing:0.5|chunk:3|last-chunk:drop|"
        "sttr-without:upos|share-of:all|relations:v2\n"
    )


def test_profile_says_why_there_is_no_sttr(typology):
    assert (
        "STTR needs 1,000 words without punctuation; --chunk N asks for fewer\n"
        in typology("profile", EN).out
    )


def test_profile_of_each_treebank(typology):
    out = typology(*RUNS["profile"], "--each").out
    assert "relation  en_a-ud-test  fi_b-ud-test\n" in out
    assert "nmod                 -         0.528\n" in out


def test_profile_reads_standard_input(typology):
    done = typology("profile", "-", "--format", "json", stdin=conllu(DOG))
    assert json.loads(done.out)["treebanks"][0]["name"] == "<stdin>"


def test_weights_are_a_file_by_default(typology, folder):
    done = typology(*RUNS["weights"])
    assert json.loads(done.out)["weights"]["det"] == pytest.approx(0.1781, abs=1e-4)
    assert typology(*RUNS["weights"], "-o", "weights").out == ""
    assert load_weights(folder / "weights").values == json.loads(done.out)["weights"]
    table = typology(*RUNS["weights"], "--format", "table").out
    assert table.startswith("relation  class     weight\npunct     other      0.000\n")


def test_select_prints_reasons(typology):
    done = typology(*RUNS["select"], "--least-tokens", "8", "--most-nonprojective", "0.6")
    assert done.out == (
        "              language  tokens  non-proj  features\n"
        "en_a-ud-test  en             8      0.00      0.00  too few features\n"
        "fi_b-ud-test  fi             8     50.00    100.00  kept\n"
        "\n"
        "1 treebank of 2 kept; left out: 1 too few features\n"
        "signature  evalign:0.1.0|features:needed|least-tokens:8|most-nonprojective:0.6|per-language:largest"
        "|least-featured:0.05\n"
    )


def test_compare_prints_tables(typology, results):
    done = typology("compare", *results)
    assert done.err == "warning: two treebanks: every correlation is 1 or -1, and says nothing\n"
    # Of 80 columns there is no room for sizes beside scores.
    assert done.out.startswith(
        "              gold sentences  gold tokens\n"
        "fi_b-ud-test               2            8\n"
        "en_a-ud-test               2            8\n"
        "\n"
        "                 LAS    WLAS  C prec   C rec  F prec   F rec\n"
        "fi_b-ud-test  100.00  100.00  100.00  100.00  100.00  100.00\n"
        "en_a-ud-test   87.50"
    )
    assert (
        "\nr        LAS  C prec  C rec  F prec  F rec\nWLAS    1.00    1.00   1.00       -      -\n"
        in done.out
    )
    assert "\nn      LAS " in done.out


def test_compare_takes_profiles(typology, results):
    typology("profile", EN, FI, "--chunk", "2", "-o", "profile.json")
    shown = typology("compare", *results, "--profiles", "profile.json").out
    assert shown.splitlines()[4].endswith("C freq  F freq    STTR")
    found = json.loads(typology("compare", *results, "--profiles", "profile.json", "--format", "json").out)
    assert found["treebanks"][0]["values"]["content.share"] == 0.75
    assert found["treebanks"][0]["size"] == {"sentences": 2, "tokens": 8}


@pytest.mark.issue(18)
def test_compare_says_that_profiles_have_no_sttr(typology, results):
    typology("profile", EN, FI, "-o", "profile.json")
    done = typology("compare", *results, "--profiles", "profile.json")
    assert "warning: left out: the correlations with STTR of section 7: fewer than two" in done.err


@pytest.mark.issue(18)
def test_compare_refuses_a_result_that_is_given_twice(typology, results):
    done = typology("compare", *results, f"./{results[0]}")
    assert (done.status, done.out) == (2, "")
    assert "en.json is given twice" in done.err


def test_judge_prints_a_row_for_each_measure(typology):
    done = typology(*RUNS["judge"])
    assert done.out.startswith("measure   rho  judgements\nC prec   1.00           2\n")
    assert "WLAS" not in done.out
    typology("weights", EN, "-o", "w.json")
    assert "\nWLAS " in typology(*RUNS["judge"], "--weights", "w.json").out


@pytest.mark.issue(18)
def test_judge_takes_a_saved_run_of_any_name(typology, folder):
    scored = ("score", EN, "one.conllu", "two.conllu", "--metrics", "las", "--average", "sentence")
    assert main([*scored, "-o", "run.json"]) == 0
    (folder / "run.json").rename(folder / "run.saved")
    assert "en_a-ud-test  1.00" in typology("judge", "judgements.tsv", "run.saved").out
    done = typology("judge", "judgements.tsv", EN)
    assert (done.status, done.out) == (1, "")
    assert "not a saved result" in done.err


def test_cascades_print_a_row_for_each_treebank(typology):
    done = typology("cascades", EN, "one.conllu", FI, FI)
    assert done.out.splitlines()[:3] == [
        "              gold sentences  gold tokens  C lab.  C unlab.  F lab.  F unlab.",
        "en_a-ud-test               2            8  100.00    100.00       -         -",
        "fi_b-ud-test               2            8       -         -       -         -",
    ]
    found = json.loads(typology(*RUNS["cascades"], "--format", "json").out)["treebanks"][0]
    assert found["content_labelled"] == {"wrong": 1, "head_right": 1, "share": 1.0}
    assert found["size"] == {"sentences": 2, "tokens": 8}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", [*RUNS, "compare"])
def test_every_command_has_every_format(typology, folder, results, name, format):
    arguments = RUNS.get(name, ("compare", *results))
    done = typology(*arguments, "--format", format, "-q")
    assert (done.status, done.err) == (0, "")
    assert "nan" not in done.out.lower()
    if format == "json":
        assert json.loads(done.out)["schema"] == 1
    if format == "csv":
        assert len({len(row) for row in csv.reader(io.StringIO(done.out))}) == 1
    ending = {"table": "txt", "markdown": "md", "latex": "tex"}.get(format, format)
    assert typology(*arguments, "-o", f"out.{ending}").out == ""
    assert (folder / f"out.{ending}").read_text(encoding="utf-8") == done.out


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["profile", "weights", "select", "cascades"])
def test_names_are_escaped(typology, folder, name, format):
    hostile = "=gold\x1b[31m|&%\\\u202e_$x$.conllu"
    (folder / hostile).write_text(conllu([("a", 0, "root\x9b=1", "X")]), encoding="utf-8")
    done = typology(name, *[hostile] * (2 if name == "cascades" else 1), "--format", format)
    assert done.status == 0
    if format != "csv":
        assert not UNSAFE.search(done.out)
    else:
        assert not [cell for row in csv.reader(io.StringIO(done.out)) for cell in row if cell.startswith("=")]


def test_long_names_fit_the_terminal(typology, folder):
    for k in range(3):
        (folder / f"{'long' * 30}{k}.conllu").write_text(conllu(DOG), encoding="utf-8")
    out = typology("profile", *sorted(folder.glob("long*")), "--each").out
    assert max(width_of(line) for line in out.splitlines() if not line.startswith("signature")) <= 80
