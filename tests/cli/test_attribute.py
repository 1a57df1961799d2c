"""`evalign attribute`."""

import csv
import io
import json

import pytest

pytestmark = pytest.mark.once

GOLD = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ runs))))\n(TOP (S (VP (VB go))))\n"
ONE = "(TOP (S (NP (NN thedog)) (XP (VBZ runs))))\n(())\n"
TWO = GOLD.replace("VP (VBZ", "XP (NNS")


@pytest.fixture
def trees(folder):
    for name, text in (("gold.mrg", GOLD), ("one.mrg", ONE), ("two.mrg", TWO)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_warnings_go_to_standard_error(trees, evalign):
    done = evalign("attribute", "gold.mrg", "one.mrg")
    assert "failed parse" in done.err


def test_json_and_csv(trees, evalign):
    found = json.loads(evalign("attribute", "gold.mrg", "one.mrg", "--format", "json", "-q").out)
    assert (found["stages"]["failed parses"]["missed"], found["total"]["points"]) == (2, 50)
    assert found["unanalysed"] == {"sentences": 1, "missed": 2}
    assert (found["schema"], found["kind"]) == (1, "attribution")
    done = evalign("attribute", "gold.mrg", "one.mrg", "-o", "loss.csv", "-q")
    assert (done.status, done.out) == (0, "")
    lines = (trees / "loss.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["input,stage,measure,value", "automatic,failed parses,missed,2"]


def test_csv_tells_what_is_charged_from_what_the_next_input_gains(trees, evalign):
    done = evalign("attribute", "gold.mrg", "one.mrg", "--gold-sentences", "two.mrg", "-q", "--format", "csv")
    rows = [tuple(row[:3]) for row in csv.reader(io.StringIO(done.out))]
    assert len({*rows}) == len(rows)
    assert ("automatic", "sentences", "points_to_next") in rows


def test_options_of_trees_are_taken(trees, evalign):
    done = evalign("attribute", "gold.mrg", "two.mrg", "--preset", "evalb-collins", "--format", "json")
    assert "preset:evalb-collins" in json.loads(done.out)["signature"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.txt", "one.txt"), "gold.txt has no brackets or dependencies"),
        (("gold.mrg", "one.mrg", "--items", "dependencies"), "gold.mrg has no dependencies"),
        (("gold.mrg", "one.txt"), "one.txt has no brackets or dependencies"),
        (("-", "one.mrg", "--gold-tags", "-"), '"-" is given twice'),
        (
            ("gold.mrg",),
            (
                "gold.mrg alone, which is no saved run\n  expected gold and a system, or a saved run\n"
                "  to compare a system with it: evalign attribute gold.mrg SYSTEM_FILE"
            ),
        ),
        (
            ("gold.mrg", "one.mrg", "--gold-tokens", "nope"),
            (
                "--gold-tokens nope: no such file\n"
                "  expected a file with the system's output for gold sentences and tokens\n  without one, leave"
            ),
        ),
    ],
)
def test_what_is_refused(trees, evalign, arguments, message):
    done = evalign("attribute", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"evalign: {message}")


@pytest.fixture
def folders(folder):
    """Two corpora, two parsers on raw text and one of them on gold tokens; a parse failed, and a file is missing."""
    gold = "(S (NP (NN dogs)) (VP (VB run)))\n(S (VP (VB go)) (. .))\n"
    files = {
        "gold": {"a": gold, "b": gold},
        "auto": {"a": gold.replace("(NP", "(XP"), "b": gold.splitlines()[0] + "\n(())\n"},
        "other": {"a": "(S (NP (NN dogs)) (VP (VB run) (VP (VB go)) (. .)))\n"},
        "on-gold": {"a": gold, "b": gold.replace("(NP", "(XP")},
    }
    for name, texts in files.items():
        (folder / name).mkdir()
        for corpus, text in texts.items():
            (folder / name / f"{corpus}.mrg").write_text(text, encoding="utf-8")
    return folder


ASKED = (
    "attribute",
    "gold",
    "auto",
    "other",
    "--gold-tokens",
    "on-gold",
    "--preset",
    "document-parsing",
    "-q",
)
WANTED = [
    # By hand: 5 gold brackets (S NP VP, S VP); one with another label costs 2 of 5 + 5.
    "| a | auto | automatic | 2 | 4 | 80.00 | 100.00 | 100.00 | 100.00 | 0.00 | 0.00 | 0.00 | 0.00 | 20.00 |",
    "|  | auto | gold tokens | 2 | 4 | 100.00 | 100.00 | 100.00 | 100.00 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 |",
]


def test_folders_are_one_table_of_corpora_parsers_and_inputs(folders, evalign):
    lines = evalign(*ASKED, "--format", "markdown").out.splitlines()
    assert lines[0] == (
        "| treebank | system | input | gold SENT | gold TOK | F1 | SENT F1 | TOK F1 | SA "
        "| failed parses | sentences | tokens | tags | structure |"
    )
    assert lines[2:4] == WANTED
    # S and VP of the failed sentence are missed: 2 of 5 + 3.
    assert (
        lines[5]
        == "| b | auto | automatic | 2 | 4 | 75.00 | 66.67 | 66.67 | 50.00 | 25.00 | 0.00 | 0.00 | 0.00 | 0.00 |"
    )
    assert lines[7] == "|  | other | automatic | 2 | 4 | " + " | ".join(["failed"] * 9) + " |"
    assert [line.split("|")[1].strip() for line in lines[2:11]] == ["a", "", "", "b", "", "", "all", "", ""]


def test_stages_add_up_in_every_row(folders, evalign):
    done = evalign(*ASKED, "--format", "json")
    found = json.loads(done.out)
    rows = found["rows"]
    assert (found["schema"], found["kind"], len(rows)) == (1, "parsing", 9)
    assert [row["input"] for row in rows[:3]] == ["automatic", "gold tokens", "automatic"]
    for row in rows:
        if row["failure"]:
            assert row["losses"] == {}
            continue
        assert sum(loss["points"] for loss in row["losses"].values()) == pytest.approx(100 - 100 * row["f1"])
    both = [row for row in rows if row["treebank"] == "all"]
    assert (both[0]["sentences"], both[0]["losses"]["failed parses"]["missed"]) == (4, 2)


def test_a_saved_run_gives_the_same_table(folders, evalign):
    fresh = evalign(*ASKED, "--format", "csv").out
    folders_scored = (
        "score",
        "gold",
        "auto",
        "other",
        "on-gold",
        "--preset",
        "document-parsing",
        "-q",
        "-o",
        "run.json",
    )
    assert evalign(*folders_scored).status == 0
    saved = evalign("attribute", "run.json", "--gold-tokens", "on-gold", "-q", "--format", "csv")
    assert (saved.status, saved.out) == (0, fresh)


def test_a_saved_run_without_sentence_accuracy_says_how_to_get_it(folder, evalign):
    for name in ("gold", "auto"):
        (folder / name).mkdir()
        (folder / name / "a.conllu").write_text("1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    asked = ("score", "gold", "auto", "-q", "-o", "run.json")
    assert evalign(*asked).status == 0
    done = evalign("attribute", "run.json")
    assert done.err == (
        "warning: no SA: scored without the metric sentence-accuracy; score again with it: "
        "evalign score ... --metrics default,sentence-accuracy\n"
    )
    assert evalign(*asked, "--metrics", "default,sentence-accuracy").status == 0
    done = evalign("attribute", "run.json")
    assert (done.err, done.out) == ("", evalign("attribute", "gold", "auto").out)


def test_a_saved_run_takes_no_options_for_reading(folders, evalign):
    assert evalign("score", "gold", "auto", "-q", "-o", "run.json").status == 0
    for option in (("--match", "text"), ("--preset", "document-parsing"), ("--raw", "gold"), ("--strict",)):
        done = evalign("attribute", "run.json", *option)
        assert done.status == 2
        assert f"{option[0]} with a saved run" in done.err


def test_a_run_with_another_average_is_told_apart_by_its_sums(folders, evalign):
    asked = ("score", "gold", "auto", "other", "--metrics", "brackets", "--average", "sentence", "-q")
    assert evalign(*asked, "-o", "run.json").status == 0
    done = evalign("attribute", "run.json", "--format", "json")
    rows = json.loads(done.out)["rows"]
    for row in rows:
        if not row["failure"]:
            assert sum(loss["points"] for loss in row["losses"].values()) == pytest.approx(
                100 - 100 * row["f1"]
            )
    sizes = {(row["treebank"], row["system"]): row["sentences"] for row in rows}
    assert sizes["all", "auto"] == sizes["a", "auto"] + sizes["b", "auto"]
    assert sizes["all", "other"] == sizes["a", "other"]
    assert "other: all is of 1 of 2 treebanks" in done.err


@pytest.mark.parametrize("columns", ["60", "200"])
def test_a_narrow_terminal_gets_two_tables(folders, evalign, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    out = evalign(*ASKED).out
    assert ("points of F1 lost to each stage\n" in out) == (columns == "60")
    assert "failed parses: gold sentences that the system has nothing of" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold",), "gold alone"),
        (("gold", "auto", "--gold-tags", "nope"), "--gold-tags nope: no such folder"),
        (
            ("run.json", "--gold-tokens", "nobody"),
            'no system of the run is called "nobody"\n  expected auto\n  score its output together with the others',
        ),
        (
            ("gold", "auto", "--gold-tokens", "on-gold", "--gold-tokens", "other"),
            "2 outputs on gold input, and parsers: 1",
        ),
        (("gold", "auto", "--items", "brackets"), "--items brackets with folders or a saved run"),
        (("gold/a.mrg", "auto/a.mrg", "other/a.mrg"), "several outputs of one kind"),
    ],
)
def test_what_no_table_can_be_made_of_is_refused(folders, evalign, arguments, message):
    evalign("score", "gold", "auto", "-q", "-o", "run.json")
    done = evalign("attribute", *arguments)
    assert done.status == 2
    assert message in done.err
