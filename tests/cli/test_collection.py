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


def test_json_lines_are_a_line_per_treebank_system_and_metric(evalign, run):
    evalign("score", *run, "--metrics", "upos,pk", "-o", "run.json", "-q")
    asked = ("--metrics", "upos", "--format", "jsonl", "--confidence", "--paired", "--resamples", "20")
    done = evalign("convert", "run.json", *asked)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(line["part"], line.get("average"), line["system"], line["metric"]) for line in lines] == [
        (part, average, system, "upos")
        for part, average in (("de", None), ("en", None), (None, "macro"), (None, "micro"))
        for system in ("alpha", "beta")
    ]
    parts = load_saved("run.json")
    assert lines[3]["scores"]["f1"] == parts["en"].systems[1]["upos"].f1 == 0.6
    assert (lines[1]["scores"]["f1"], lines[1]["failure"]) == (None, parts.failed(1)["de"])
    assert lines[5]["scores"] == parts.macro(1, "upos")
    assert [line["parts"] for line in lines[4:]] == [2, 1, 2, 1]
    # Over the treebank that both have.
    assert (lines[5]["against"], lines[5]["difference"]) == ("alpha", pytest.approx(-0.4))
    assert lines[7]["against"] is None
    assert "|average:macro|" in lines[5]["signature"]
    assert "|average:micro|" in lines[7]["signature"]


def test_averages_of_other_treebanks_have_no_best_and_are_not_compared(evalign, run):
    asked = ("--metrics", "upos", "--paired", "--resamples", "20")
    text = evalign("score", *run, *asked, "--format", "latex").out
    assert r"en & 2 & \textbf{100.00} & 60.00" in text
    assert "macro average &  & 100.00 & 60.00" in text
    told = " ".join(evalign("score", *run, *asked).out.split())
    assert "averages are not of the same treebanks, and do not say which system is better" in told
    assert "beta is compared with alpha over the 1 of 2 treebanks that both have" in told
    zero = evalign("score", *run, *asked, "--failures", "zero", "--format", "latex").out
    assert r"macro average &  & \textbf{100.00} & 30.00" in zero


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_gold_that_cannot_be_read_does_not_stop_the_others_from_being_tested(evalign, run, folder, test):
    write(folder / "gold", nl=BROKEN)
    done = evalign("score", *run, "--metrics", "upos", "--paired", test, "--resamples", "20")
    assert (done.status, "macro average" in done.out) == (0, True)
