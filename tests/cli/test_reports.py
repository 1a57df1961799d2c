"""`align`, `diff`, `errors`, `explain` and `doctor` as a user runs them."""

import json

import pytest

from evalign.metrics.registry import METRICS, show_metric
from evalign.wording import width_of

pytestmark = pytest.mark.once


def test_align_of_what_one_side_lacks(evalign):
    (block,) = evalign("align", "gold.txt", "empty.txt").out.split("\n\n")[:1]
    assert block == "1:0  gold gold.txt:1\ngold    Soup  for  six\nsystem"
    assert evalign("align", "empty.txt", "empty.txt").out == ""


def test_align_as_json_lines(evalign, folder):
    rows = [
        json.loads(line)
        for line in evalign("align", "gold.txt", "one.txt", "--format", "jsonl").out.splitlines()
    ]
    assert [(row["kind"], row["correct"]) for row in rows] == [("2:1", False), ("1:1", True)]
    assert rows[1]["groups"][1] == {"gold": ["can't"], "system": ["can", "'t"], "correct": False}
    evalign("align", "gold.txt", "one.txt", "-o", "blocks.jsonl")
    written = (folder / "blocks.jsonl").read_text(encoding="utf-8").splitlines()
    assert list(map(json.loads, written)) == rows


def test_resegment_writes_the_system_in_the_sentences_of_gold(evalign, folder):
    lines = ["Soup for six", "Chop two onions .", "You can 't rush it ."]
    assert evalign("align", "gold.txt", "one.txt", "--resegment").out.splitlines() == lines
    evalign("align", "gold.txt", "one.txt", "--resegment", "-o", "regrouped.txt")
    assert (folder / "regrouped.txt").read_text(encoding="utf-8").splitlines() == lines
    rows = evalign("align", "gold.txt", "one.txt", "--resegment", "--format", "jsonl").out.splitlines()
    assert list(map(json.loads, rows)) == [line.split() for line in lines]


def test_diff_says_if_nothing_differs(evalign):
    done = evalign("diff", "gold.txt", "gold.txt")
    assert (done.status, done.out, done.err) == (0, "", "no differences in sentences or tokens\n")
    assert evalign("diff", "gold.txt", "gold.txt", "--quiet").err == ""
    done = evalign("diff", "gold.txt", "one.txt", "--kind", "missing,inserted", "--metrics", "tokens")
    assert done.err == "no differences of kind missing or inserted in tokens\n"


def test_diff_can_be_narrowed(evalign):
    assert evalign("diff", "gold.txt", "one.txt", "--most", "1").out.count("\n\n") == 1
    assert evalign("diff", "gold.txt", "one.txt", "--kind", "split").out.startswith("tokens split")
    assert evalign("diff", "gold.txt", "one.txt", "--metrics", "sentences,sentences").out.count("merge") == 1


def test_diff_as_json_lines(evalign):
    rows = [
        json.loads(line)
        for line in evalign("diff", "gold.txt", "one.txt", "--format", "jsonl").out.splitlines()
    ]
    assert [(row["metric"], row["kind"], row["trigger"]) for row in rows] == [
        ("sentences", "merge", "no end mark"),
        ("tokens", "split", None),
    ]


def test_diff_is_coloured_where_colours_are_wanted(evalign, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = evalign("diff", "gold.txt", "one.txt", "--metrics", "tokens").out
    assert "\x1b[31m-\x1b[0m six Chop two onions . You \x1b[31m[can't]\x1b[0m rush it .\n" in out
    assert "\x1b[32m+\x1b[0m six Chop two onions . You \x1b[32m[can ¦ 't]\x1b[0m rush it .\n" in out


def test_errors_where_there_are_none(evalign):
    assert evalign("errors", "gold.txt", "gold.txt").out == "sentences: 0 errors\n\ntokens: 0 errors\n"
    assert json.loads(evalign("errors", "gold.txt", "gold.txt", "--format", "json").out)[0]["groups"] == []


def test_errors_of_what_one_side_lacks(evalign):
    out = evalign("errors", "gold.txt", "empty.txt", "--most", "1").out
    assert "    3  missing           gold.txt:1\n       Soup for six\n" in out
    assert "    2  missing  . -> (nothing)  gold.txt:2\n" in out


def test_errors_show_the_most_that_is_asked_for(evalign):
    arguments = ("errors", "gold.txt", "empty.txt", "--metrics", "tokens", "--most")
    assert evalign(*arguments, "1").out.endswith("\nand 10 rarer ones; --most 0 shows all\n")
    assert len(evalign(*arguments, "0").out.splitlines()) == 2 + 11


@pytest.mark.parametrize("metrics", ["tokens", "sentences,tokens,words"])
def test_errors_as_json_are_a_list_of_metrics(evalign, metrics):
    found = json.loads(evalign("errors", "gold.txt", "one.txt", "--metrics", metrics, "--format", "json").out)
    assert [ranked["metric"] for ranked in found] == metrics.split(",")
    assert found[-1]["groups"][0]["gold"] == ["can't"]
    assert "gold" not in found[0]["groups"][0] or metrics == "tokens"


def test_errors_as_csv_are_one_table(evalign):
    assert evalign("errors", "gold.txt", "one.txt", "--format", "csv").out == (
        "metric,kind,trigger,count,gold words,gold,system,first place\n"
        "sentences,merge,no end mark,1,,Soup for six ¦ Chop two onions .,Soup for six Chop two onions .,gold.txt:1\n"
        "tokens,split,,1,,can't,can ¦ 't,gold.txt:3\n"
    )


def test_errors_keep_the_file_name_and_the_line_of_a_long_path(evalign, folder):
    deep = folder / ("deep-" * 20)
    deep.mkdir()
    (deep / "gold.txt").write_text((folder / "gold.txt").read_text(encoding="utf-8"), encoding="utf-8")
    out = evalign("errors", deep / "gold.txt", "one.txt").out
    assert max(map(width_of, out.splitlines())) <= 80
    assert "no end mark  gold.txt:1\n" in out
    assert "can't -> can 't  gold.txt:3\n" in out


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_explained(evalign, name):
    done = evalign("explain", name)
    assert done.status == 0
    assert done.out.startswith(f"{show_metric(name)}: ")
    prose = done.out.partition("\nexample\n")[0]
    assert max(map(width_of, prose.splitlines())) <= 80


def test_explain_lists_all_and_suggests(evalign):
    out = evalign("explain").out
    assert all(name in out for name in METRICS)
    done = evalign("explain", "tokns")
    assert done.status == 2
    assert 'did you mean "tokens"?' in done.err


def test_doctor_says_what_files_are(evalign, folder):
    (folder / "latin.txt").write_bytes(b"caf\xe9\n")
    done = evalign("doctor", "gold.txt", "one.txt", "latin.txt")
    assert done.status == 1
    assert "3 sentences, 12 tokens" in done.out
    assert "one.txt has the same characters as gold.txt" in done.out
    assert "byte 3 (0xE9) is not UTF-8" in done.out
    assert max(map(width_of, done.out.splitlines())) <= 80


def test_doctor_as_json(evalign):
    found = json.loads(evalign("doctor", "gold.txt", "missing.txt", "--format", "json").out)
    assert [file["name"] for file in found["files"]] == ["gold.txt", "missing.txt"]
    assert found["files"][0]["error"] is None
    assert "no such file" in found["files"][1]["error"]
