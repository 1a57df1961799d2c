"""`evalign score` on folders and manifests."""

import csv
import io
import json
from pathlib import Path

import pytest

from evalign import Parts, load_saved
from runs import BROKEN, DE, EN, EN_WRONG, write


@pytest.fixture
def run(folder):
    """Gold of two treebanks, a system with both, one with a broken file and a file too many."""
    write(folder / "gold", en=EN, de=DE)
    write(folder / "alpha", en=EN, de=DE)
    write(folder / "beta", en=EN_WRONG, de=BROKEN, nl=DE)
    return "gold", "alpha", "beta"


def test_a_row_per_treebank_and_both_averages(evalign, run):
    done = evalign("score", *run, "--metrics", "upos")
    assert done.status == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["de", "1", "100.00", "-"] in lines
    assert ["en", "2", "100.00", "60.00"] in lines
    assert ["macro", "average", "100.00", "60.00"] in lines
    assert ["micro", "average", "3", "100.00", "60.00"] in lines
    text = " ".join(done.out.split())
    assert "beta failed on de: beta/de.conllu:1: 3 columns" in text
    assert "beta: averages are of 1 of 2 treebanks" in text
    assert "signature beta evalign:" in text
    assert done.err.splitlines()[0] == "warning: beta: gold has nothing for nl.conllu"
    assert done.err.splitlines()[1].startswith("warning: beta failed on de: beta/de.conllu:1: 3 columns")
    assert evalign("score", *run, "--metrics", "upos", "-q").err == ""


def test_failures_count_as_zero_on_request(evalign, run):
    done = evalign("score", *run, "--metrics", "upos", "--failures", "zero")
    lines = [line.split() for line in done.out.splitlines()]
    assert ["de", "1", "100.00", "0.00"] in lines
    assert ["macro", "average", "100.00", "30.00"] in lines
    assert ["micro", "average", "3", "100.00", "50.00"] in lines
    assert "averages are of" not in done.out


def test_strict_says_no_by_its_exit_status(evalign, run):
    done = evalign("score", *run, "--strict")
    assert done.status == 1
    assert "macro average" in done.out
    assert evalign("score", "gold", "alpha", "--strict").status == 0


def test_nothing_scored_is_an_error(evalign, run, folder):
    write(folder / "nobody", nl=DE)
    done = evalign("score", "gold", "nobody")
    assert (done.status, done.out) == (1, "")
    assert "nothing could be scored: nobody on de: no file in nobody has its name" in done.err


def test_the_run_is_saved_whole_and_the_table_still_printed(evalign, run):
    done = evalign("score", *run, "-o", "run.json", "-q")
    assert done.out == evalign("score", *run, "-q").out
    parts = load_saved("run.json")
    assert isinstance(parts, Parts)
    assert parts.systems == ["alpha", "beta"]
    assert len(parts["en"].systems[1].errors("upos")) == 2
    assert evalign("score", *run, "-o", "run.json", "-q", "--confidence").status == 0
    assert set(json.loads(Path("run.json").read_text(encoding="utf-8"))) >= {"significance", "parts"}
    assert load_saved("run.json").macro(1, "upos") == parts.macro(1, "upos")


def test_numbers_are_the_same_in_every_format(evalign, run):
    saved = json.loads(evalign("score", *run, "--format", "json").out)
    assert saved["by"] == "treebank"
    rows = list(csv.DictReader(io.StringIO(evalign("score", *run, "--format", "csv").out)))
    for row in rows:
        number = ["alpha", "beta"].index(row["system"])
        if row["part"]:
            scores = saved["parts"][row["part"]]["systems"][number]["scores"]
        else:
            scores = saved["averages"][number][row["by"].split()[0]]
        value = scores[row["metric"]][row["measure"]]
        assert row["value"] == ("" if value is None else str(value))
    assert {row["by"] for row in rows} == {"treebank", "macro average", "micro average"}
    for format in ("markdown", "latex"):
        assert "macro average" in evalign("score", *run, "--format", format).out


def test_a_manifest(evalign, run, folder):
    (folder / "runs.tsv").write_text(
        "treebank\tgold\talpha\tbeta\nen\tgold/en.conllu\talpha/en.conllu\tbeta/en.conllu\nde\tgold/de.conllu\talpha/de.conllu\t\n",
        encoding="utf-8",
    )
    done = evalign("score", "--manifest", "runs.tsv", "--metrics", "upos")
    assert done.status == 0
    assert "warning: beta failed on de: no file in runs.tsv" in done.err
    assert done.out.index("en ") < done.out.index("de ")
    (folder / "bad.tsv").write_text("treebank\tgolden\ten\n", encoding="utf-8")
    done = evalign("score", "--manifest", "bad.tsv")
    assert done.status == 1
    assert done.err.startswith("evalign: bad.tsv:1: no column gold in")


def test_raw_text_from_a_folder(evalign, run, folder):
    write(folder / "raw", en__txt="A b c D e", de__txt="X  y")
    assert evalign("score", "gold", "alpha", "--raw", "raw").status == 0
    assert evalign("score", "--raw", "raw", "--", "gold", "alpha").status == 0
    done = evalign("score", "gold", "alpha", "--raw", "raw/en.txt", "raw/de.txt")
    assert (done.status, "one folder of raw texts" in done.err) == (2, True)
    done = evalign("score", "gold", "alpha", "--raw", "raw/en.txt")
    assert (done.status, "raw/en.txt: a file, where others are folders" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["gold", "alpha/en.conllu"], 1, "alpha/en.conllu: a file, where others are folders"),
        (["gold/en.conllu", "alpha"], 1, "gold/en.conllu: a file, where others are folders"),
        (["gold", "gone"], 1, "gone: no such folder"),
        (["gold", "gold"], 1, "gold: the folder of gold"),
        (["gold", "alpha", "--only", "las"], 2, "--only with folders or a manifest"),
        (["gold", "alpha", "--per", "tag"], 2, "--per with folders or a manifest"),
        (["gold", "alpha", "--by", "genre"], 2, "--by with folders or a manifest"),
        (["gold", "alpha", "--metrics", "nonsense"], 2, 'unknown metric "nonsense"'),
        (["gold/en.conllu", "alpha/en.conllu", "--failures", "zero"], 2, "--failures zero without a folder"),
        (["--manifest", "runs.tsv", "gold", "alpha"], 2, "--manifest with GOLD or SYSTEM"),
        (["--manifest", "runs.tsv", "gold"], 2, "--manifest with GOLD or SYSTEM"),
        (["--manifest", "runs.tsv"], 1, "runs.tsv: no such file"),
        (["--manifest", "runs.tsv", "--raw", "raw"], 2, "--raw with --manifest"),
        (["gold"], 2, "required: SYSTEM"),
        ([], 2, "required: GOLD, SYSTEM"),
    ],
)
def test_what_is_wrong_is_said(evalign, run, arguments, status, message):
    done = evalign("score", *arguments)
    assert (done.status, done.out) == (status, "")
    assert message in done.err


def test_names_of_files_do_not_reach_the_terminal_as_control_characters(evalign, folder):
    write(folder / "gold", **{"e\x1b[31mn": EN})
    write(folder / "one", **{"e\x1b[31mn": EN, "x\x1b]0;y": BROKEN})
    done = evalign("score", "gold", "one")
    assert done.status == 0
    assert "\x1b" not in done.out + done.err
