"""`evalign convert`: a saved result in every format, from the file alone."""

import csv
import io
import json

import pytest

from evalign import Result, Text, score

pytestmark = pytest.mark.once

GOLD = "Soup for six\nChop two onions .\nYou can't rush it .\n"
ONE = "Soup for six Chop two onions .\nYou can 't rush it .\n"
HOSTILE = (
    r"\input{/etc/passwd}",
    "=cmd|' /C calc'!A0;=1+1",
    '#read("x") $y$ @z <b>*c*</b> [4pt]',
    "\x1b[31mred\u202e",
)


@pytest.fixture
def saved(evalign, folder):
    """A saved result of two systems, its inputs gone."""
    evalign("score", "gold.txt", "one.txt", "two.txt", "--metrics", "sentences,tokens,pk", "-o", "run.json")
    for name in ("gold.txt", "one.txt", "two.txt"):
        (folder / name).unlink()
    return evalign


def test_latex_is_the_table_of_a_paper(saved):
    assert saved("convert", "run.json", "--format", "latex").out == (
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        " & sentences & tokens & Pk \\textdownarrow{} \\\\\n"
        "\\midrule\n"
        "one & 40.00 & 88.00 & 20.00 \\\\\n"
        "two & \\textbf{100.00} & 88.00 & \\textbf{0.00} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\n"
        "\\smallskip\n"
        "{\\footnotesize\\raggedright \\textdownarrow{} less is better.\\par}\n"
    )


def test_markdown_and_typst_have_the_same_rows(saved):
    asked = ("convert", "run.json", "--metrics", "tokens,sentences", "--format")
    assert saved(*asked, "markdown").out == (
        "|  | tokens | sentences |\n"
        "| --- | ---: | ---: |\n"
        "| one | 88.00 | 40.00 |\n"
        "| two | 88.00 | **100.00** |\n"
    )
    assert saved(*asked, "typst").out == (
        "#table(\n"
        "  columns: 3,\n"
        "  align: (left, right, right,),\n"
        "  stroke: none,\n"
        "  table.hline(),\n"
        '  table.header("", "tokens", "sentences"),\n'
        "  table.hline(stroke: 0.5pt),\n"
        '  "one", "88.00", "40.00",\n'
        '  "two", "88.00", strong("100.00"),\n'
        "  table.hline(),\n"
        ")\n"
    )


def test_systems_have_one_name_in_all_that_is_printed_together(evalign, folder):
    """The parts of a result have short names: so has the table above them, in every format."""
    text = "# newdoc id = a\n1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n\n"
    for name in ("gold", "big.one", "big.two"):
        (folder / f"{name}.conllu").write_text(text, encoding="utf-8")
    asked = ("--metrics", "tokens", "--by", "document", "--quiet")
    table = evalign("score", "gold.conllu", "big.one.conllu", "big.two.conllu", *asked, "-o", "run.json").out
    assert table.splitlines()[2:4] == [
        line for line in table.splitlines() if line.startswith(("  one ", "  two "))
    ]
    alone = evalign("score", "gold.conllu", "big.one.conllu", "big.two.conllu", "--metrics", "tokens").out
    assert table.splitlines()[:4] == alone.splitlines()[:4]
    page = evalign("convert", "run.json", *asked, "--format", "markdown", "--layout", "metrics").out
    assert "big.one" not in page
    assert "| tokens | one |" in page


def test_the_other_layout_is_that_of_score(saved):
    latex = saved("convert", "run.json", "--format", "latex", "--layout", "metrics").out
    assert " &  & correct & gold & system & precision & recall & F1 & gain \\\\\n" in latex
    table = saved("convert", "run.json", "--layout", "systems").out
    assert table.startswith(
        "     sentences  tokens   Pk ↓\n"
        "one      40.00   88.00  20.00\n"
        "two     100.00   88.00   0.00\n"
        "\n"
        "↓ less is better.\n"
        "\n"
        "one:\n"
    )
    assert table.splitlines()[-1].startswith("signature  evalign:")


def test_the_ending_of_a_file_says_its_format(saved, folder):
    for name, start in (
        ("x.tex", "\\begin{tab"),
        ("x.typ", "#table("),
        ("x.jsonl", '{"gold"'),
        ("x.csv", "system,"),
    ):
        assert saved("convert", "run.json", "-o", name).status == 0
        assert (folder / name).read_text(encoding="utf-8").startswith(start)


def test_json_lines_are_a_line_per_system_and_metric(saved):
    lines = [json.loads(line) for line in saved("convert", "run.json", "--format", "jsonl").out.splitlines()]
    assert [(line["system"], line["metric"]) for line in lines] == [
        (system, metric) for system in ("one.txt", "two.txt") for metric in ("sentences", "tokens", "pk")
    ]
    assert lines[1]["scores"]["f1"] == 0.88
    assert "intervals" not in lines[1]
    assert "p" not in lines[1]


def test_json_lines_have_parts_of_a_result(saved, examples):
    corpus = examples / "corpus"
    saved(
        "score",
        corpus / "gold.conllu",
        corpus / "second.conllu",
        "--metrics",
        "upos,pk",
        "-o",
        "corpus.json",
        "-q",
    )
    asked = ("--by", "length,genre", "--per", "tag", "--confidence", "--resamples", "20", "--format", "jsonl")
    done = saved("convert", "corpus.json", *asked)
    assert "warning: not counted by length: pk: windows slide" in done.err
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(line.get("by"), line.get("part"), line["metric"]) for line in lines[:2]] == [
        (None, None, "upos"), (None, None, "pk"),
    ]  # fmt: skip
    whole = Result.load("corpus.json")
    for by in ("length", "genre", "tag"):
        parts = whole.split(by)
        found = {
            (line["part"], line.get("average"), line["metric"]): line
            for line in lines
            if line.get("by") == by
        }
        for name, part in parts.results.items():
            assert found[name, None, "upos"]["scores"]["f1"] == part["upos"].f1
        assert found[None, "macro", "upos"]["scores"]["f1"] == parts.macro(0, "upos")["f1"]
        assert found[None, "micro", "upos"]["scores"]["correct"] == whole["upos"].correct
        assert len(found[None, "macro", "upos"]["intervals"]["f1"]) == 2


def test_marks_stand_behind_numbers(saved, examples, folder):
    names = [str(examples / "corpus" / f"{name}.conllu") for name in ("gold", "baseline", "second", "third")]
    saved("score", *names, "--metrics", "tokens,las", "-o", "corpus.json", "--quiet")
    out = saved("convert", "corpus.json", "--format", "latex", "--paired", "--quiet").out
    assert "second & 97.47\\rlap{$^{*}$} & \\textbf{88.15}\\rlap{$^{**}$} \\\\\n" in out
    assert "seed 12345" in out
    assert "{*} p \\textless{} 0.05" in out
    out = saved("convert", "corpus.json", "--format", "latex", "--paired", "--confidence", "-q").out
    assert "\\textbf{88.15}$^{**}$ {\\scriptsize {[}83.63, 91.85]}" in out


def test_nothing_in_a_name_is_obeyed(tmp_path, evalign):
    systems = [Text(ONE, name) for name in HOSTILE]
    score(Text(GOLD, "gold"), *systems, metrics=["tokens"]).save(tmp_path / "hostile.json")
    told = {
        format: evalign("convert", tmp_path / "hostile.json", "--format", format, "-q").out
        for format in ("table", "latex", "typst", "markdown", "csv", "jsonl")
    }
    assert "\x1b" not in "".join(told.values()).replace(told["csv"], "")
    assert "\u202e" not in told["latex"] + told["typst"] + told["table"]
    assert "\\input" not in told["latex"]
    assert '"#read(\\"x\\") $y$ @z <b>*c*</b> [4pt]"' in told["typst"]
    assert "<b>" not in told["markdown"]
    cells = {row[0] for row in csv.reader(io.StringIO(told["csv"]))}
    assert "'=cmd|' /C calc'!A0;=1+1" in cells
    assert "\"'=cmd|' /C calc'!A0;=1+1\"," in told["csv"]
    assert {json.loads(line)["system"] for line in told["jsonl"].splitlines()} == set(HOSTILE)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("not json", "not a saved result"),
        ("[1, 2]", "not a saved result"),
        ('{"schema": 0, "systems": []}', "schema 0"),
        ('{"name": "package", "version": "1"}', "evalign score ... -o run.json"),
        ('{"schema": 1, "systems": [], "gold": "g"}', "no units"),
    ],
)
@pytest.mark.parametrize("command", ["convert", "gate --fail-under tokens=1", "report", "signature"])
def test_what_is_no_saved_result(evalign, folder, command, content, told):
    (folder / "other.json").write_text(content, encoding="utf-8")
    name, *options = command.split()
    done = evalign(name, "other.json", *options)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("evalign: other.json: ")
    assert told in done.err
    assert not (folder / "other.html").exists()
    assert evalign(name, "missing.json", *options).status == 1


def test_a_metric_that_was_not_scored(saved):
    done = saved("convert", "run.json", "--metrics", "las")
    assert (done.status, done.out) == (2, "")
    assert '"las" was not scored' in done.err
    assert "sentences, tokens, pk" in done.err
    assert saved("convert", "run.json", "--metrics", ",").status == 2
    assert saved("convert", "run.json", "--by", "genre", "--format", "jsonl").status == 2


def test_a_saved_result_converts_to_what_score_prints(evalign):
    for format in ("table", "json", "csv"):
        asked = ("--confidence", "--paired", "--resamples", "50", "--format", format)
        printed = evalign("score", "gold.txt", "one.txt", "two.txt", *asked).out
        evalign("score", "gold.txt", "one.txt", "two.txt", "-o", "run.json")
        assert evalign("convert", "run.json", *asked).out == printed
    assert Result.load("run.json").systems[1].name == "two.txt"
