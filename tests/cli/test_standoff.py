"""Stand-off tables on the command line and in Python."""

import json

import pytest

import evalign as package

RAW = "Ada met Bob\nin Paris .\n"
GOLD = "0\t3\tperson\n8\t11\tperson\n15\t20\tplace\n"
SYSTEM = "start,end,label\n0,4,person\n8,11,place\n15,20,place\n"


@pytest.fixture
def tables(folder):
    for name, text in (("raw.txt", RAW), ("gold.tsv", GOLD), ("system.csv", SYSTEM)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_json_has_the_layer_by_name(tables, evalign):
    done = evalign(
        "score", "gold.tsv", "system.csv", "--raw", "raw.txt", "--format", "json", "--per", "label"
    )
    system = json.loads(done.out)["systems"][0]
    assert list(system["scores"]) == ["spans"]
    assert system["scores"]["spans"]["correct"] == 2
    assert system["breakdowns"]["label"]["place"]["f1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("metrics", ["entities", "all", "default", "default,entities"])
def test_the_layer_can_be_named_as_a_metric(tables, evalign, metrics):
    shared = "--raw", "raw.txt", "--layer", "entities", "--metrics", metrics
    done = evalign("score", "gold.tsv", "system.csv", *shared, "--format", "json")
    assert list(json.loads(done.out)["systems"][0]["scores"]) == ["entities"]


def test_one_number(tables, evalign):
    done = evalign(
        "score", "gold.tsv", "system.csv", "--raw", "raw.txt", "--layer", "ner", "--only", "ner.f1"
    )
    assert done.out == "66.67\n"


def test_a_result_is_saved_and_loaded(tables, evalign):
    evalign("score", "gold.tsv", "system.csv", "--raw", "raw.txt", "--layer", "entities", "-o", "run.json")
    result = package.Result.load("run.json")
    assert (result["entities"].correct, result["entities"].gold) == (2, 3)
    assert result.unit_kind == "stretch"
    assert result.breakdown("label")["person"].gold == 2


def test_several_raw_files_are_documents(tables, evalign):
    (tables / "two.txt").write_text("Eve .\n", encoding="utf-8")
    (tables / "both.tsv").write_text("0\t3\tperson\traw\n0\t3\tperson\ttwo.txt\n", encoding="utf-8")
    result = package.score("both.tsv", "both.tsv", raw=["raw.txt", "two.txt"])
    assert (result.unit_kind, list(result.unit_names)) == ("document", ["raw", "two"])
    assert result["spans"].units[:, 0].tolist() == [1, 1]


def test_what_triples_prints_is_a_table(tables, evalign):
    tree = "(S (NP (NNP Ada)) (VP (VBD met) (NP (NNP Bob))))\n(PP (IN in) (NP (NNP Paris)) (. .))\n"
    (tables / "gold.mrg").write_text(tree, encoding="utf-8")
    (tables / "system.mrg").write_text(tree.replace("(NP (NNP Bob))", "(XP (NNP Bob))"), encoding="utf-8")
    for side in ("gold", "system"):
        printed = evalign("triples", f"{side}.mrg", "--raw", "raw.txt", "--format", "tsv")
        (tables / f"{side}.tsv").write_text(printed.out, encoding="utf-8")
    result = package.score("gold.tsv", "system.tsv", raw="raw.txt", layer="triples-read")
    assert (result["triples-read"].correct, result["triples-read"].gold) == (19, 20)
    assert result.breakdown("label")["NP"] == package.Counts(2, 3, 2)


def test_standard_input_is_read_once(tables, evalign):
    done = evalign("score", "gold.tsv", "system.csv", "--raw", "-", stdin=RAW)
    assert done.status == 0


REFUSED = [
    # why, arguments, message, status
    ("no raw text", ("gold.tsv", "system.csv"), "gold.tsv: a stand-off table without the text", 2),
    ("gold alone is a table", ("gold.tsv", "one.txt", "--raw", "raw.txt"),
     "gold.tsv is a stand-off table and one.txt is not", 2),
    ("the system alone is a table", ("gold.txt", "system.csv", "--raw", "raw.txt"),
     "system.csv is a stand-off table and gold.txt is not", 2),
    ("the name of a metric", ("gold.tsv", "system.csv", "--raw", "raw.txt", "--layer", "tokens"),
     'layer "tokens", the name of a metric', 2),
    ("a name with capitals", ("gold.tsv", "system.csv", "--raw", "raw.txt", "--layer", "NER"),
     'layer "NER"\n  expected small letters', 2),
    ("a layer of no tables", ("gold.txt", "one.txt", "--layer", "entities"),
     'layer "entities", and gold.txt is not a stand-off table', 2),
    ("spans of no tables", ("gold.txt", "one.txt", "--metrics", "spans"),
     'layer "spans", and gold.txt is not a stand-off table', 2),
    ("tokens of tables", ("gold.tsv", "system.csv", "--raw", "raw.txt", "--metrics", "tokens"),
     "tokens of stand-off tables", 2),
    ("another text", ("gold.tsv", "system.csv", "--raw", "short.txt"),
     "gold.tsv:2: end is 11, beyond the text of short.txt\n  expected at most 4", 1),
    ("a binary file", ("gold.tsv", "binary.tsv", "--raw", "raw.txt"), "binary.tsv:1: byte 3 is NUL", 1),
    ("a text that is no table", ("gold.tsv", "one.txt", "--raw", "raw.txt", "--system-format", "standoff"),
     "one.txt:1: 1 column and no header", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message", "status"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_is_refused(tables, evalign, arguments, message, status):
    (tables / "short.txt").write_text("Ada\n", encoding="utf-8")
    (tables / "binary.tsv").write_bytes(b"0\t3\0")
    done = evalign("score", *arguments)
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith(f"evalign: {message}")


@pytest.mark.parametrize("command", ["align", "diff", "errors"])
def test_commands_that_look_at_tokens_refuse_tables(tables, evalign, command):
    done = evalign(command, "gold.tsv", "system.csv", "--raw", "raw.txt")
    assert (done.status, done.err.splitlines()[0]) == (2, "evalign: gold.tsv is a stand-off table")


def test_doctor_looks_at_tables(tables, evalign):
    (tables / "bad.tsv").write_text("0\t3\tx\n4\t3\tx\n", encoding="utf-8")
    done = evalign("doctor", "gold.tsv", "system.csv")
    assert done.status == 0
    assert "gold.tsv  standoff, 35 bytes" in done.out
    assert "spans: 3, different labels: 2" in done.out
    done = evalign("doctor", "bad.tsv")
    assert (done.status, "bad.tsv:2: start 4 is behind end 3" in done.out) == (1, True)


def test_explain_knows_spans(evalign):
    done = evalign("explain", "spans")
    assert (done.status, "stand-off table" in done.out) == (0, True)
