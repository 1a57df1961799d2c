"""`evalign attribute`."""

import json

import pytest

GOLD = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ runs))))\n(TOP (S (VP (VB go))))\n"
ONE = "(TOP (S (NP (NN thedog)) (XP (VBZ runs))))\n(())\n"
TWO = GOLD.replace("VP (VBZ", "XP (NNS")


@pytest.fixture
def trees(folder):
    for name, text in (("gold.mrg", GOLD), ("one.mrg", ONE), ("two.mrg", TWO)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_table_of_stages_and_one_of_runs(trees, evalign):
    done = evalign("attribute", "gold.mrg", "one.mrg", "--gold-tokens", "two.mrg", "-q")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(
        "lost to    missed  spurious  points\n"
        "sentences       2         0   25.00\n"
        "tokens          0         0    0.00\n"
        "tags            0         0    0.00\n"
        "structure       1         1   25.00\n"
        "total           3         1   50.00\n"
        "\n"
        "run                           F1  lost to               points\n"
        "end to end                 50.00  sentences and tokens   30.00\n"
        "gold sentences and tokens  80.00  tags and structure     20.00\n"
        "total                                                    50.00\n"
        "\n"
        "2 of 5 gold and 3 system brackets correct, brackets F1 50.00\n"
        "points are points of F1; they add up to 100 - F1\n"
        "2 missed in 1 gold sentence without any analysis\n"
        "signature  "
    )


def test_warnings_go_to_standard_error(trees, evalign):
    done = evalign("attribute", "gold.mrg", "one.mrg")
    assert "failed parse" in done.err


def test_json_and_csv(trees, evalign):
    found = json.loads(evalign("attribute", "gold.mrg", "one.mrg", "--format", "json", "-q").out)
    assert (found["stages"]["sentences"]["missed"], found["total"]["points"]) == (2, 50)
    assert found["unanalysed"] == {"sentences": 1, "missed": 2}
    done = evalign("attribute", "gold.mrg", "one.mrg", "-o", "loss.csv", "-q")
    assert (done.status, done.out) == (0, "")
    lines = (trees / "loss.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["run,stage,measure,value", "one output,sentences,missed,2"]


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
    ],
)
def test_what_is_refused(trees, evalign, arguments, message):
    done = evalign("attribute", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"evalign: {message}")
