"""`--layout` of `score` and `convert`: the rows and columns of tables."""

import csv
import io
import json

import pytest
from hypothesis import given

import evalign as package
from evalign.metrics.counts import add_misses
from evalign.metrics.registry import METRICS
from strategies import two_cuts

pytestmark = pytest.mark.once

WRONG = "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n2\ty\ty\tX\t_\t_\t1\t{}\t_\t_\n3\tz\tz\tX\t_\t_\t1\t{}\t_\t_\n\n"


@pytest.fixture
def treebanks(folder):
    """Two treebanks, and a system that has one label wrong in the first, two in the second and nothing of a third."""
    for part, labels in {"a": ("obj", "obj"), "b": ("obj", "obj"), "c": ("obj", "obj")}.items():
        (folder / "gold").mkdir(exist_ok=True)
        (folder / "gold" / f"{part}.conllu").write_text(WRONG.format(*labels), encoding="utf-8")
    (folder / "run").mkdir()
    (folder / "run" / "a.conllu").write_text(WRONG.format("obj", "iobj"), encoding="utf-8")
    (folder / "run" / "b.conllu").write_text(WRONG.format("iobj", "iobj"), encoding="utf-8")
    return folder


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_counts_of_several_systems(evalign):
    done = evalign(
        "score", "gold.txt", "one.txt", "two.txt", "--metrics", "sentences,tokens,pk", "--layout", "counts"
    )
    # By hand: one joins the first two sentences; both split can't, each in its own way.
    assert done.out.startswith(
        "           TP  FP  FN\n"
        "sentences\n"
        "  one       1   1   2\n"
        "  two       3   0   0\n"
        "tokens\n"
        "  one      11   2   1\n"
        "  two      11   2   1\n"
        "\n"
        "without TP, FP and FN: Pk\n"
    )
    assert done.out.splitlines()[-1].startswith("signature  evalign:")


def test_counts_in_typst(evalign):
    asked = "score gold.txt one.txt --metrics sentences,tokens --layout counts --format typst"
    out = evalign(*asked.split()).out
    assert '  "sentences", "1", "1", "2",\n  "tokens", "11", "2", "1",\n' in out


def test_counts_are_in_json_csv_and_python(evalign):
    asked = ("score", "gold.txt", "one.txt", "--metrics", "tokens,pk", "--format")
    scores = json.loads(evalign(*asked, "json").out)["systems"][0]["scores"]
    assert (scores["tokens"]["false_positives"], scores["tokens"]["false_negatives"]) == (2, 1)
    assert "false_positives" not in scores["pk"]
    rows = {
        row["measure"]: row["value"]
        for row in read_csv(evalign(*asked, "csv").out)
        if row["metric"] == "tokens"
    }
    assert (rows["false_positives"], rows["false_negatives"]) == ("2", "1")
    assert evalign("score", "gold.txt", "one.txt", "--only", "tokens.false_negatives").out == "1\n"
    score = package.score("gold.txt", "one.txt")
    assert (score["tokens"].false_positives, score["tokens"]["false_negatives"]) == (2, 1)
    assert score.flat()["tokens/false_positives"] == 2
    counts = score.breakdown("frequency")
    assert sum(row.false_negatives for row in counts.values()) == score["words"].false_negatives


def test_counts_of_treebanks_and_their_sum(evalign, treebanks):
    asked = ("score", "gold", "run", "--metrics", "las", "--layout", "counts", "--quiet")
    assert evalign(*asked).out.startswith(
        "by treebank: 3 parts\n"
        "\n"
        "LAS  gold sentences  gold tokens      TP      FP      FN\n"
        "a                 1            3       2       1       1\n"
        "b                 1            3       1       2       2\n"
        "c                 1            3  failed  failed  failed\n"
        "sum               3            9       3       3       3\n"
        "\n"
        "run has no file named c.conllu\n"
        "where a system failed on a part, for the sum it is left out\n"
        "signature  "
    )
    rows = read_csv(evalign(*asked, "--format", "csv").out)
    assert [(row["part"], row["TP"], row["FP"], row["FN"], row["status"]) for row in rows] == [
        ("a", "2", "1", "1", ""), ("b", "1", "2", "2", ""), ("c", "", "", "", "failed"),
        ("", "3", "3", "3", "1 of 3 failed"),
    ]  # fmt: skip
    zero = read_csv(evalign(*asked, "--format", "csv", "--failures", "zero").out)
    assert zero[-1]["status"] == "1 of 3 failed"
    assert [(row["TP"], row["FP"], row["FN"]) for row in zero[2:]] == [("0", "0", "3"), ("3", "3", "6")]
    saved = json.loads(evalign(*asked, "--format", "json").out)
    assert saved["averages"][0]["micro"]["las"]["false_negatives"] == 3


@pytest.mark.issue(18)
@pytest.mark.parametrize("format", ["table", "csv", "markdown", "latex", "typst", "json"])
def test_metrics_without_counts_are_warned_of_wherever_they_are_left_out(evalign, treebanks, format):
    (treebanks / "same").mkdir()
    for path in (treebanks / "gold").iterdir():
        (treebanks / "same" / path.name).write_bytes(path.read_bytes())
    evalign("score", "gold", "same", "--metrics", "las,pk", "-o", "run.json", "-q")
    shown = ("--layout", "counts", "--format", format)
    for command in (
        ("score", "gold.txt", "one.txt", "--metrics", "tokens,pk"),
        ("score", "gold", "same", "--metrics", "las,pk"),
        ("convert", "run.json"),
    ):
        done = evalign(*command, *shown)
        # JSON has everything in any layout.
        assert ("warning: without TP, FP and FN: Pk\n" in done.err) == (format != "json")
        assert ('"pk": {' in done.out) == (format == "json")


@pytest.mark.issue(18)
def test_sizes_of_gold_stand_in_the_first_table_of_counts_or_before_it(evalign, treebanks, monkeypatch):
    asked = ("score", "gold", "run", "--metrics", "tokens,las", "--layout", "counts", "--quiet")
    lines = evalign(*asked).out.splitlines()
    titles = [line.split() for line in lines if line.endswith("FN")]
    assert titles == [
        ["tokens", "gold", "sentences", "gold", "tokens", "TP", "FP", "FN"],
        ["LAS", "TP", "FP", "FN"],
    ]
    monkeypatch.setenv("COLUMNS", "50")
    narrow = evalign(*asked).out
    assert "treebank       units  gold sentences  gold tokens\n" in narrow
    assert "\n\ntokens      TP      FP      FN\n" in narrow


def test_a_saved_run_has_the_same_tables(evalign, treebanks):
    asked = ("--layout", "counts", "--quiet", "--format", "latex")
    fresh = evalign("score", "gold", "run", "--metrics", "las", *asked).out
    evalign("score", "gold", "run", "--metrics", "las", "-o", "run.json")
    assert evalign("convert", "run.json", *asked).out == fresh


def test_treebanks_by_system_and_by_metric(evalign, treebanks):
    for name in ("a", "b", "c"):
        (treebanks / "two").mkdir(exist_ok=True)
        text = (treebanks / "gold" / f"{name}.conllu").read_text(encoding="utf-8")
        (treebanks / "two" / f"{name}.conllu").write_text(text, encoding="utf-8")
    asked = (
        "score",
        "gold",
        "run",
        "two",
        "--metrics",
        "tokens,las",
        "--quiet",
        "--format",
        "markdown",
        "--layout",
    )
    by_system = evalign(*asked, "systems").out.splitlines()
    assert by_system[0] == "| treebank | system | units | gold sentences | gold tokens | tokens | LAS |"
    assert by_system[2:4] == [
        "| a | run | 1 | 1 | 3 | 100.00 | 66.67 |",
        "|  | two |  |  |  | 100.00 | **100.00** |",
    ]
    assert by_system[6] == "| c | run | 1 | 1 | 3 | failed | failed |"
    by_metric = evalign(*asked, "metrics").out.splitlines()
    assert by_metric[0] == "| tokens | units | gold sentences | gold tokens | run | two |"
    alone = evalign(
        "score", "gold", "two", "--metrics", "tokens,las", "-q", "--format", "markdown", "--layout", "metrics"
    )
    assert alone.out.splitlines()[0] == "| tokens | units | gold sentences | gold tokens | two |"


def test_score_has_the_layout_of_papers(evalign):
    asked = (
        "score",
        "gold.txt",
        "one.txt",
        "two.txt",
        "--metrics",
        "sentences,tokens",
        "--layout",
        "systems",
    )
    out = evalign(*asked, "--format", "markdown").out
    assert out.splitlines()[2:] == ["| one | 40.00 | 88.00 |", "| two | **100.00** | 88.00 |"]


def test_parts_of_a_result_have_counts(evalign, examples):
    corpus = examples / "corpus"
    asked = (
        "score",
        corpus / "gold.conllu",
        corpus / "second.conllu",
        "--metrics",
        "upos",
        "--layout",
        "counts",
    )
    rows = read_csv(evalign(*asked, "--by", "genre", "--per", "tag", "--format", "csv", "--quiet").out)
    whole, genres = rows[0], [row for row in rows if row["by"] == "genre"]
    tags = [row for row in rows if row["by"] == "tag"]
    for count in ("TP", "FP", "FN"):
        assert sum(int(row[count]) for row in genres) == int(whole[count])
    assert sum(int(row["TP"]) for row in tags) == int(whole["TP"])
    assert "by genre: 3 parts" in evalign(*asked, "--by", "genre", "--quiet").out


@pytest.mark.parametrize("option", ["--confidence", "--paired", "--only=tokens.f1"])
def test_what_counts_cannot_have_is_refused(evalign, option):
    done = evalign("score", "gold.txt", "one.txt", "two.txt", "--layout", "counts", option)
    assert done.status == 2
    assert "expected one of the two" in done.err


def test_metrics_without_counts_are_refused(evalign):
    done = evalign("score", "gold.txt", "one.txt", "--metrics", "pk", "--layout", "counts")
    assert done.status == 2
    assert "no true and false positives of pk" in done.err


@given(two_cuts())
def test_counts_add_up_in_every_metric_of_spans(cuts):
    result = package.score(
        cuts.gold, cuts.system, metrics=["sentences", "tokens", "words", "boundaries", "pk"]
    )
    for score in result.systems[0]:
        if "correct" not in score.metric.fields:
            assert "false_positives" not in score.to_dict()
            continue
        assert score.correct + score.false_positives == score.system
        assert score.correct + score.false_negatives == score.gold


def test_every_metric_of_spans_has_the_counts_and_no_other():
    with_f1 = {name for name, metric in METRICS.items() if metric.headline == "f1"} - {
        "wlas"
    }  # weights are no counts
    zeros = {name: add_misses(dict.fromkeys(metric.fields, 0)) for name, metric in METRICS.items()}
    assert {name for name, counts in zeros.items() if "false_positives" in counts} == with_f1


def test_more_correct_than_there_are_have_no_false_ones():
    counts = add_misses({"correct": 3, "gold": 2, "system": 4})
    assert (counts["false_positives"], counts["false_negatives"]) == (None, None)
