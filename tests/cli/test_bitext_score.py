"""`evalign bitext score` as a user runs it, and its results in other commands."""

import json
import re
from pathlib import Path

import pytest

from bitext.datasets import Split, write_dataset
from bitext.scoring.pairfiles import pair_lines
from evalign.bitext.scoring.pair_scores import score_pairs
from schema import validate

pytestmark = pytest.mark.once

GOLD = [(k, k) for k in range(1, 11)]
ONE = [(k, k, 1 - k / 20) for k in range(1, 9)] + [(k, 20, k / 20) for k in range(1, 7)]
TWO = [(k, k, 1 - k / 20) for k in range(1, 6)] + [(k, 19, 0.5) for k in range(1, 4)]
TRAINING = ["--training", "t.gold", "t.one.tsv", "t.two.tsv"]


def sentences(language, hostile=""):
    return [f"{language} sentence {k}{hostile}." for k in range(1, 21)]


@pytest.fixture
def pairs(folder):
    """Gold, two systems, the same for training, and the corpora."""
    files = {"gold": GOLD, "one.tsv": ONE, "two.tsv": TWO, "t.gold": GOLD, "t.one.tsv": ONE, "t.two.tsv": TWO}
    for name, content in files.items():
        (folder / name).write_text(pair_lines(content), encoding="utf-8")
    (folder / "bare.tsv").write_text(pair_lines(GOLD[:3]), encoding="utf-8")
    write_dataset(folder / "set", test=Split(sentences("fr"), sentences("en", "</script><b>"), []))
    return folder


@pytest.fixture
def score(evalign, pairs):
    return lambda *arguments, **options: evalign("bitext", "score", *arguments, **options)


def files_of(folder):
    return {path.name for path in folder.iterdir()}


def test_one_system_is_a_table(score):
    done = score("gold", "one.tsv", "--recall-at", "1,2")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "              correct  gold  system  precision  recall     F1\n"
        "pairs               8    10      14      57.14   80.00  66.67\n"
        "pairs-oracle        8    10       8     100.00   80.00  88.89\n"
        "\n"
        "             measure  value\n"
        "recall-at-1  recall   80.00\n"
        "recall-at-2  recall   80.00\n"
        "\n"
        "                   value\n"
        "average precision  80.00\n"
        "oracle threshold     0.6\n"
        "\n"
        "pairs-oracle has the threshold that is best on this gold itself: a bound, no\n"
        "result of a system.\n"
        "The number to report is that of a threshold chosen on the training split:\n"
        "--training GOLD SYSTEM.\n"
        "\n"
        "pairs: first ids in several: 6 in system, second ids in several: 1 in system\n"
        "signature  evalign:0.1.0|task:bitext|languages:fr-en|hash:7894ca52\n"
    )


def test_trained_and_oracle_thresholds_are_told_apart(score):
    done = score("gold", "one.tsv", "two.tsv", *TRAINING)
    assert done.status == 0
    assert "pairs-trained\n  one " in done.out
    assert re.search(r"\ntrained threshold +0\.6 +0\.75\n", done.out)
    assert re.search(r"\noracle threshold +0\.6 +0\.75\n", done.out)
    assert "this is the number to report." in done.out
    assert "a bound, no\nresult of a system." in done.out


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("systems", [1, 2, 5, 12])
def test_tables_are_no_wider_than_the_terminal(evalign, pairs, monkeypatch, columns, systems):
    monkeypatch.setenv("COLUMNS", str(columns))
    names = [f"a-system-with-a-very-long-name-that-goes-on-and-on-{k:02}" for k in range(systems)]
    for name in names:
        for stem in (name, f"t.{name}"):
            (pairs / f"{stem}.tsv").write_text(pair_lines(ONE), encoding="utf-8")
    training = ["--training", "t.gold", *(f"t.{name}.tsv" for name in names)]
    done = evalign("bitext", "score", "gold", *(f"{name}.tsv" for name in names), *training)
    assert done.status == 0
    # Counts need what they need; thresholds are in as many tables as it takes.
    tables = [part for part in done.out.split("\n\n") if "average precision " in part]
    assert max(len(line) for table in tables for line in table.splitlines()) <= columns
    assert sum(table.count("80.00") for table in tables) == systems


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex", "typst"])
def test_every_format(score, format):
    for more in ([], ["--confidence", "--paired", "--resamples", "20"]):
        done = score("gold", "one.tsv", "two.tsv", *TRAINING, "--format", format, *more)
        assert (done.status, done.err) == (0, "")
        assert "pairs-trained" in done.out
        assert "0.75" in done.out


@pytest.mark.parametrize("format", ["markdown", "latex", "typst"])
@pytest.mark.parametrize("more", [[], ["--confidence"], ["--paired"]])
def test_what_is_pasted_into_a_paper_says_which_number_to_report(score, format, more):
    done = score("gold", "one.tsv", "two.tsv", *TRAINING, "--format", format, *more)
    assert "this is the number to report." in done.out
    assert "a bound, no result of a system." in done.out


def test_csv_has_thresholds_and_intervals(score):
    done = score(
        "gold", "one.tsv", "two.tsv", *TRAINING, "--format", "csv", "--confidence", "--resamples", "20"
    )
    lines = done.out.splitlines()
    assert lines[0] == "system,metric,measure,value,low,high"
    assert {line.count(",") for line in lines} == {5}
    assert "one.tsv,pairs,average_precision,0.8,," in lines
    assert "two.tsv,pairs-trained,threshold,0.75,," in lines
    assert any(line.startswith("two.tsv,pairs-trained,f1_on_training,0.") for line in lines)
    assert any(line.startswith("two.tsv,pairs-oracle,f1,0.") and not line.endswith(",") for line in lines)


def test_json_is_as_the_schema_says(score):
    printed = json.loads(score("gold", "one.tsv", *TRAINING[:3], "--format", "json").out)
    validate(printed)
    assert printed["systems"][0]["pairing"]["trained"]["chosen_on"] == "t.gold"


def test_one_number(score):
    assert score("gold", "one.tsv", "two.tsv", "--only", "pairs.f1").out == "66.67\n55.56\n"
    assert score("gold", "one.tsv", "--only", "pairs.correct").out == "8\n"
    done = score("gold", "one.tsv", "--only", "pairs-trained")
    assert (done.status, done.out) == (2, "")
    assert done.err == 'evalign: "pairs-trained" was not scored\n  expected one of pairs, pairs-oracle\n'


def test_a_saved_result_is_taken_by_every_command(score, evalign, pairs):
    done = score("gold", "one.tsv", "two.tsv", *TRAINING, "-o", "run.json")
    assert (done.status, done.out.splitlines()[1]) == (0, "pairs")
    validate(json.loads((pairs / "run.json").read_text(encoding="utf-8")))
    for format in ("table", "json", "jsonl", "csv", "markdown", "latex", "typst"):
        assert (
            "pairs-trained"
            in evalign("convert", "run.json", "--format", format, "--confidence", "--paired").out
        )
    assert evalign("gate", "run.json", "--fail-under", "pairs.f1=50").status == 0
    assert evalign("gate", "run.json", "--fail-under", "pairs-trained.f1=50,pairs.f1=99").status == 3
    assert evalign("report", "run.json").status == 0
    assert 'id="precision-recall"' in (pairs / "run.html").read_text(encoding="utf-8")
    by = evalign("convert", "run.json", "--by", "genre")
    assert by.status == 2
    assert by.err.startswith('evalign: by "genre": these are scores of pairs of sentences\n')


def test_a_gate_says_what_was_not_scored(score, evalign):
    score("gold", "one.tsv", "-o", "run.json")
    done = evalign("gate", "run.json", "--fail-under", "pairs-trained=50")
    assert done.status == 3
    assert "pairs-trained F1: pairs-trained was not scored\n" in done.out
    done = evalign("gate", "run.json", "--fail-under", "pears=50")
    assert done.status == 2
    assert done.err == ('evalign: unknown metric "pears"\n  expected one of pairs, pairs-oracle\n')


def test_the_page_alone_on_standard_output(score):
    done = score("gold", "one.tsv", "--report", "-")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("<!DOCTYPE html>")
    assert done.out.endswith("</html>\n") or done.out.endswith("</html>")


def test_a_review_is_written_filled_in_and_read(score, pairs):
    done = score("gold", "one.tsv", "--corpora", "set", "--review", "review.tsv", "--review-size", "4")
    assert done.status == 0
    head, *lines = (pairs / "review.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert "en sentence 20</script><b>." in lines[0]
    filled = [line.split("\t") for line in lines]
    for fields, verdict in zip(filled, "yynn", strict=True):
        fields[4] = verdict
    (pairs / "review.tsv").write_text("\n".join([head, *map("\t".join, filled)]), encoding="utf-8")
    done = score("gold", "one.tsv", "--reviewed", "review.tsv")
    # By hand: 8 of 14 are right, half of the 6 false ones parallel: 11/14. Wilson's interval of 2 in 4: 0.15 to 0.85.
    assert "\nprecision after review  78.57 [63.57, 93.57]\n" in done.out


@pytest.mark.issue(28)
def test_a_review_of_every_false_pair_has_no_interval(score, pairs):
    score("gold", "one.tsv", "--review", "review.tsv")
    head, *lines = (pairs / "review.tsv").read_text(encoding="utf-8").splitlines()
    filled = [line.split("\t") for line in lines]
    for fields, verdict in zip(filled, "yyynnn", strict=True):
        fields[4] = verdict
    (pairs / "review.tsv").write_text("\n".join([head, *map("\t".join, filled)]), encoding="utf-8")
    done = score("gold", "one.tsv", "--reviewed", "review.tsv")
    # By hand: 8 of 14 are right, half of the 6 false ones parallel: 11/14.
    assert "\nprecision after review  78.57\n" in done.out
    assert "every false pair was looked at, so nothing is estimated" in " ".join(done.out.split())
    assert "Wilson" not in done.out
    assert (
        "precision_after_review_"
        not in score("gold", "one.tsv", "--reviewed", "review.tsv", "--format", "csv").out
    )


def test_gold_from_standard_input(score):
    assert score("-", "one.tsv", "--only", "pairs.f1", stdin=pair_lines(GOLD)).out == "66.67\n"


REFUSED = [
    (["gold", "missing.tsv"], 1, "missing.tsv: no such file"),
    (["gold"], 2, "evalign bitext score: the following arguments are required: SYSTEM"),
    (["-", "-"], 2, '"-" is given twice'),
    (["gold", "one.tsv", "--training", "t.gold"], 2, "training files: 1, systems: 1"),
    (["gold", "bare.tsv", "--training", "t.gold", "t.one.tsv"], 1, "bare.tsv:1: pairs without scores"),
    (["gold", "one.tsv", "--training", "t.gold", "bare.tsv"], 1, "bare.tsv:1: pairs without scores"),
    (["gold", "one.tsv", "--recall-at", "x"], 2, "--recall-at x: 'x' is not a number from 0 up"),
    (["gold", "one.tsv", "--recall-at", "0"], 2, "recall at 0"),
    (["gold", "one.tsv", "--split", "test"], 2, "--split without --corpora"),
    (["gold", "one.tsv", "--review-size", "4"], 2, "--review-size without --review"),
    (["gold", "one.tsv", "--review", "-"], 2, "--review -"),
    (["gold", "one.tsv", "--corpora", "set", "--split", "dev"], 2, 'no split "dev" in set'),
    (["gold", "one.tsv", "--reviewed", "one.tsv"], 1, "one.tsv:1: "),
    (["gold", "one.tsv", "-o", "one.tsv"], 2, '-o "one.tsv" would replace a file that is read'),
    (["gold", "one.tsv", *TRAINING[:3], "-o", "t.gold"], 2, '-o "t.gold" would replace a file that is read'),
    (["gold", "one.tsv", "--review", "gold"], 2, '--review "gold" would replace a file that is read'),
    (["gold", "one.tsv", "--report", "gold"], 2, '--report "gold" would replace a file that is read'),
    (["gold", "one.tsv", "--review", "x", "-o", "x"], 2, "-o and --review are the same file"),
    (["gold", "one.tsv", "--review", "no/x.tsv"], 1, "no/x.tsv: cannot be written"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "status", "said"), REFUSED, ids=[" ".join(row[0]) for row in REFUSED])
def test_what_is_refused_leaves_nothing_behind(score, pairs, arguments, status, said):
    before = {name: (pairs / name).read_bytes() for name in files_of(pairs) if (pairs / name).is_file()}
    outputs = [] if "-o" in arguments else ["-o", "run.json"]
    done = score(*arguments, *outputs)
    assert (done.status, done.out) == (status, "")
    assert said in done.err
    after = {name: (pairs / name).read_bytes() for name in files_of(pairs) if (pairs / name).is_file()}
    assert after == before


def test_a_bad_line_writes_nothing(score, pairs):
    (pairs / "bad.tsv").write_text(pair_lines(ONE) + "fr-1\ten-000000001\t0.5\n", encoding="utf-8")
    before = files_of(pairs)
    done = score("gold", "bad.tsv", "-o", "run.json", "--report", "page.html", "--review", "review.tsv")
    assert done.status == 1
    assert done.err.startswith('evalign: bad.tsv:15: id "fr-1"\n')
    assert files_of(pairs) == before


def test_warnings_can_be_silenced(score, pairs):
    (pairs / "twice.tsv").write_text(pair_lines(GOLD + GOLD[:2]), encoding="utf-8")
    said = "warning: twice.tsv: repeated pairs: 2 (lines 11, 12); each is counted once, with its best score\n"
    assert score("gold", "twice.tsv").err == said
    assert score("gold", "twice.tsv", "-q").err == ""


def test_ids_that_are_resampled_together_are_said_to_be(evalign, pairs):
    score_pairs("gold", "one.tsv", most_units=4).save("run.json")
    done = evalign("convert", "run.json", "--confidence")
    assert "1,000 resamples of 4 groups of foreign ids" in done.out
    saved = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert saved["systems"][0]["signature"].endswith("|unit:foreign-id(4)x3")
    validate(saved)
