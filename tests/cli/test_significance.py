"""Intervals, paired tests and groupings on the command line give the same numbers as JSON, CSV and Python."""

import csv
import json
import re

import pytest

import evalign as api
from evalign.cli.run import load_command
from evalign.cli.shared_options import COMPARISON, TEST
from evalign.significance.assessment import assess
from evalign.significance.values import TESTS, Resampling
from evalign.wording import show_p, width_of

pytestmark = pytest.mark.once

CORPUS = ("gold.conllu", "baseline.conllu", "second.conllu", "third.conllu")


@pytest.fixture
def corpus(evalign, folder, examples):
    """A function that runs a command in a folder that has the example corpus."""
    for name in CORPUS:
        (folder / name).write_bytes((examples / "corpus" / name).read_bytes())
    return evalign


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_the_table_the_json_the_csv_the_saved_result_and_python_say_the_same(corpus, folder):
    asked = ("--metrics", "tokens,las", "--confidence", "90", "--paired", "randomization")
    asked += ("--resamples", "200", "--seed", "7")
    found = assess(api.score(*CORPUS, metrics=["tokens", "las"]), Resampling(7, 200, 0.9, "randomization"))
    saved = json.loads(corpus("score", *CORPUS, *asked, "--format", "json").out)
    assert saved["significance"] == json.loads(json.dumps(found.to_dict(CORPUS[1:])))
    table = corpus("score", *CORPUS, *asked, "-o", "run.json").out
    assert (
        json.loads((folder / "run.json").read_text(encoding="utf-8"))["significance"] == saved["significance"]
    )
    assert corpus("convert", "run.json", *asked).out == table
    rows = rows_of(corpus("score", *CORPUS, *asked, "--format", "csv").out)
    lines = [
        json.loads(line)
        for line in corpus("convert", "run.json", *asked, "--format", "jsonl").out.splitlines()
    ]
    for n, name in enumerate(CORPUS[1:]):
        for metric in ("tokens", "las"):
            low, high = found.interval(n, metric, "f1")
            [row] = [r for r in rows if (r["system"], r["metric"], r["measure"]) == (name, metric, "f1")]
            assert (float(row["low"]), float(row["high"])) == (low, high)
            [line] = [one for one in lines if (one["system"], one["metric"]) == (name, metric)]
            assert line["intervals"]["f1"] == [low, high]
            assert f"[{100 * low:.2f}, {100 * high:.2f}]" in table
            if n:
                one = found.against_first[metric][n]
                assert (line["difference"], line["p"], line["p_holm"]) == (
                    one.difference,
                    one.p,
                    one.adjusted,
                )
                [row] = [
                    r
                    for r in rows
                    if r["system"] == name and r["metric"] == metric and r["against"] == CORPUS[1]
                ]
                assert (float(row["value"]), float(row["p"]), float(row["p_holm"])) == (
                    line["difference"],
                    one.p,
                    one.adjusted,
                )
                assert show_p(one.adjusted) in table


def test_the_table_says_what_was_resampled_and_the_signature_how(corpus):
    out = corpus("score", *CORPUS[:2], "--metrics", "tokens", "--confidence", "--seed", "3").out
    assert "\nintervals: 95 %, 1,000 resamples of 24 documents\n" in out
    assert re.search(r"\nsignature  evalign:[\d.]+\|mode:aligned\|seed:3\|hash:\w{8}$", out, re.MULTILINE)
    out = corpus("score", *CORPUS, "--metrics", "tokens", "--paired").out
    assert "tests: approximate randomization, 3,000 resamples of 24 documents, Holm's" in out
    assert "differences from baseline\n" in out
    assert "pairs of systems" not in out
    assert re.search(r"\nsignature  evalign:[\d.]+\|mode:aligned\|hash:\w{8}$", out, re.MULTILINE)
    done = corpus("score", *CORPUS, "--metrics", "tokens", "--paired", "--format", "json")
    signature = json.loads(done.out)["systems"][0]["signature"]
    assert signature.endswith("|confidence:0.95|test:paired-randomization|correction:holm")
    assert "interval: 95" not in out


VERDICT = (
    "second is ahead in LAS and sentences. third is ahead in tokens. "
    "Not beyond chance: in LAS and sentences against third; in tokens against second."
)


@pytest.mark.parametrize("command", ["score", "convert", "convert --layout systems"])
def test_paired_opens_with_the_verdict_of_the_report(corpus, command):
    asked = ("score", *CORPUS, "--metrics", "las,tokens,sentences")
    if command != "score":
        corpus(*asked, "-o", "run.json", "-q")
        asked = (*command.split(), "run.json")
    paragraphs = [" ".join(text.split()) for text in corpus(*asked, "--paired").out.split("\n\n")]
    assert paragraphs[0] == VERDICT
    assert VERDICT not in " ".join(corpus(*asked, "--confidence").out.split())


def test_the_page_says_the_same(corpus, folder):
    corpus("score", *CORPUS, "--metrics", "las,tokens,sentences", "--report", "page.html", "-q")
    page = (folder / "page.html").read_text(encoding="utf-8")
    for sentence in VERDICT.rstrip(".").split(". "):
        assert f"<bdi>{sentence}</bdi>." in page


def test_the_verdict_on_systems_that_score_the_same(corpus):
    out = corpus("score", "gold.conllu", "third.conllu", "third.conllu", "--metrics", "las", "--paired").out
    assert out.startswith("All systems score the same in LAS.\n\n")


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "typst"])
def test_every_pair_is_shown_only_if_asked_for(corpus, format):
    asked = ("score", *CORPUS, "--metrics", "las", "--paired", "--format", format)
    assert "2 second" not in corpus(*asked).out
    assert "2 second" in corpus(*asked, "--all-pairs").out


@pytest.mark.parametrize("format", ["csv", "json"])
def test_programs_get_every_pair_in_any_case(corpus, format):
    asked = ("score", *CORPUS, "--metrics", "las", "--paired", "--format", format)
    assert corpus(*asked).out == corpus(*asked, "--all-pairs").out


def test_without_them_nothing_is_said_of_resampling(corpus):
    out = corpus("score", *CORPUS[:3], "--metrics", "tokens").out
    assert "resamples" not in out
    assert rows_of(corpus("score", *CORPUS[:3], "--format", "csv").out)[0].keys() == {
        "system", "metric", "measure", "value",
    }  # fmt: skip


def test_one_unit_gives_no_interval_and_says_why(evalign, folder):
    (folder / "line.txt").write_text("Soup for six\n", encoding="utf-8")
    out = evalign(
        "score", "line.txt", "line.txt", "line.txt", "--metrics", "tokens", "--confidence", "--paired"
    ).out
    assert "no intervals and tests: one unit: nothing to resample" in out
    assert "  line       +0.00              -  -\n" in out


def test_of_few_units_the_table_warns(evalign):
    assert "2 units are few" in evalign("score", "gold.txt", "one.txt", "--confidence").out


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("systems", [1, 6])
def test_tables_fit_a_terminal(corpus, monkeypatch, columns, systems):
    monkeypatch.setenv("COLUMNS", str(columns))
    asked = [
        "--confidence",
        *(["--paired"] if systems > 1 else []),
        "--by",
        "genre,relation",
        "--resamples",
        "20",
    ]
    names = (CORPUS[1:] * 2)[:systems]
    out = corpus("score", "gold.conllu", *names, "--metrics", "sentences,tokens,las,pk", *asked).out
    tables = [line for line in out.splitlines() if not line.startswith("signature")]
    assert max(map(width_of, tables)) <= columns


def test_columns_that_there_is_no_room_for_are_named(corpus, monkeypatch):
    asked = ("--metrics", "sentences", "--confidence", "--resamples", "20")
    told = "no room for correct, gold, system in 60 columns"
    monkeypatch.setenv("COLUMNS", "60")
    narrow = corpus("score", *CORPUS, *asked).out
    assert told in narrow
    assert "correct" not in narrow.splitlines()[0]
    monkeypatch.setenv("COLUMNS", "120")
    wide = corpus("score", *CORPUS, *asked).out
    assert "no room" not in wide
    assert "correct" in wide.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--paired", "x"], "--paired takes randomization or bootstrap, or nothing"),
        (["--confidence", "much"], "--confidence takes a percentage, or nothing"),
        (["--pared", "x"], "did you mean --paired?"),
    ],
)
def test_a_word_behind_an_option_that_it_does_not_take(evalign, arguments, told):
    assert evalign("score", "gold.txt", "one.txt", "two.txt", "-o", "run.json").status == 0
    for command in ("convert", "report"):
        done = evalign(command, "run.json", *arguments)
        assert (done.status, told in done.err) == (2, True)


def read(*arguments):
    return load_command("score").make_parser().parse_args(arguments)


def test_the_command_knows_every_test():
    choices = {option.name: option.choices for option in (*COMPARISON, *TEST)}
    assert choices["--paired"] == choices["--test"] == TESTS


@pytest.mark.parametrize(
    ("arguments", "confidence", "paired"),
    [
        (["--paired", "gold", "one"], None, "randomization"),
        (["--paired", "randomization", "gold", "one"], None, "randomization"),
        (["gold", "one", "--paired"], None, "randomization"),
        (["gold", "one", "--confidence"], 0.95, None),
        (["--confidence", "gold", "one"], 0.95, None),
        (["--confidence", "99.9", "gold", "one"], 0.999, None),
        (["--confidence=90", "--paired=bootstrap", "gold", "one"], 0.9, "bootstrap"),
        (["--confidence", "--paired", "--", "gold", "one"], 0.95, "randomization"),
    ],
)
def test_options_with_or_without_a_value_take_no_file(arguments, confidence, paired):
    found = read(*arguments)
    assert (found.gold, found.systems) == ("gold", ["one"])
    assert (found.confidence, found.paired) == (confidence, paired)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--confidence", "0.95"], "did you mean 95?"),
        (["--confidence", "100"], "not a percentage"),
        (["--confidence=nan"], "not a percentage"),
        (["--paired=permutation"], 'unknown value "permutation"'),
        (["--resamples", "0", "--confidence"], "not a number from 1"),
        (["--resamples", "99999999", "--confidence"], "not a number from 1"),
        (["--seed", "-1", "--confidence"], "not a number from 0 up"),
        (["--seed", "1"], "--seed without anything to resample"),
        (["--resamples", "10"], "--resamples without anything to resample"),
        (["--paired"], "--paired with one system"),
        (["--all-pairs"], "--all-pairs without --paired"),
        (["--confidence", "--only", "tokens"], "--confidence with --only"),
        (["--by", "genre", "--only", "tokens"], "--by with --only"),
        (["--by", ","], "--by without a name"),
        (["--by", "nonsense"], 'by "nonsense"'),
    ],
)
def test_what_cannot_be_asked(evalign, arguments, told):
    done = evalign("score", "gold.txt", "one.txt", *arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_by_genre_has_parts_and_both_averages(corpus):
    out = corpus("score", *CORPUS[:2], "--metrics", "tokens,las", "--by", "genre").out
    assert 'by genre: 3 parts, the comment "genre" of gold\'s documents\n' in out
    assert "\nmacro average              93.36  78.65\nmicro average         24   94.26  77.96\n" in out
    assert out.splitlines()[-1].startswith("signature")


def test_by_labels_has_the_tables_of_per(corpus):
    asked = ("score", *CORPUS[:3], "--metrics", "las")
    assert corpus(*asked, "--by", "relation").out == corpus(*asked, "--per", "relation").out
    assert corpus(*asked, "--by", "label").out == corpus(*asked, "--per", "relation").out
    out = corpus(*asked, "--by", "relation", "--confidence").out
    assert "F1    95 % interval\n" in out


def test_groupings_in_csv_are_one_table(corpus):
    out = corpus(
        "score", *CORPUS[:3], "--metrics", "tokens", "--by", "genre", "--paired", "--format", "csv"
    ).out
    rows = rows_of(out)
    assert out.splitlines()[0].startswith("by,part,system,metric,measure,value,low,high,against,")
    assert {row["by"] for row in rows} == {"", "genre", "macro average", "micro average"}
    assert {row["part"] for row in rows} == {"", "news", "recipe", "chat"}
    assert all(None not in row.values() and None not in row for row in rows)


def test_groupings_in_json(corpus):
    asked = ("score", *CORPUS[:3], "--metrics", "tokens", "--by", "genre", "--confidence", "--format", "json")
    split = json.loads(corpus(*asked).out)["splits"]["genre"]
    assert list(split["parts"]) == list(split["significance"]["parts"])
    assert split["averages"][0]["macro"]["tokens"]["f1"] == pytest.approx(0.9336, abs=1e-4)


def test_windows_over_gold_without_documents_have_no_interval_and_no_test(evalign, folder):
    asked = ("gold.txt", "one.txt", "two.txt", "--metrics", "tokens,pk", "--confidence", "--paired")
    done = evalign("score", *asked, "--resamples", "50")
    reason = "counted over all of gold as one document: nothing to resample"
    assert f"no intervals and tests of Pk: {reason}" in " ".join(done.out.split())
    saved = json.loads(evalign("score", *asked, "--resamples", "50", "--format", "json").out)["significance"]
    assert saved["reasons"] == {"pk": reason}
    assert saved["intervals"][0]["scores"]["pk"] == {"error": None}
    assert saved["tests"]["pk"]["against_first"][1]["p"] is None
    assert saved["tests"]["tokens"]["against_first"][1]["p"] is not None
    evalign("score", *asked[:-2], "-o", "run.json", "-q")
    paper = evalign("convert", "run.json", "--paired", "--confidence", "--format", "latex").out
    assert f"no intervals and tests of Pk: {reason}." in " ".join(paper.split())


@pytest.mark.issue(15)
@pytest.mark.parametrize("format", ["table", "markdown", "latex", "typst", "json"])
def test_a_table_says_how_low_p_can_be(corpus, format):
    """Three pairs of 200 resamples: nothing below 0.0149, however clear it is."""
    asked = ("--metrics", "las", "--paired", "--format", format)
    out = corpus("score", *CORPUS, *asked, "--resamples", "200", "--all-pairs").out
    if format == "json":
        saved = json.loads(out)["significance"]
        assert saved["tests"]["las"]["floor"]["matrix"] == pytest.approx(3 / 201)
        assert (saved["resampling"]["auto"], saved["resampling"]["test_resamples"]) == (False, 200)
        return
    told = "p cannot be below 0.0099 (0.0149 among all pairs): 200 resamples are few for 3 tests, 3,000 would do for 0.001"
    assert told in " ".join(out.split())
    alone = corpus("score", *CORPUS, *asked, "--resamples", "200").out
    assert "p cannot be below 0.0099: 200 resamples are few for 2 tests, 2,000" in " ".join(alone.split())
    assert "p cannot" not in corpus("score", *CORPUS, *asked).out


@pytest.mark.issue(15)
@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_floor_fits_the_terminal(corpus, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    out = corpus("score", *CORPUS, "--metrics", "las,sentences", "--paired", "--all-pairs").out
    assert "0.0039 (0.0059 among all pairs) for sentences: outputs differ in too few documents" in " ".join(
        out.split()
    )
    lines = out.split("p cannot")[1].splitlines()
    assert all(len(line) <= int(columns) for line in lines[1:3])
