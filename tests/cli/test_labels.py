"""Reports about words that both files label: `errors`, `diff` and `score --per`."""

import csv
import io
import json
import re

import pytest

from metrics.sentences import GOLD, SYSTEM

pytestmark = pytest.mark.once

UNSAFE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture(autouse=True)
def treebanks(folder):
    (folder / "g.conllu").write_text(GOLD, encoding="utf-8")
    (folder / "s.conllu").write_text(SYSTEM, encoding="utf-8")
    bad = SYSTEM.replace("VERB", "V\x1b[31m").replace("NOUN", "=N\u202e").replace("obj", "o\x9bj|&%")
    (folder / "bad.conllu").write_text(bad.replace("Typo", "T\x1b"), encoding="utf-8")


def test_errors_say_how_many_words_cannot_be_confused(evalign, folder):
    (folder / "cut.conllu").write_text(SYSTEM.replace("\tsaw\tsaw", "\tsawit\tsaw"), encoding="utf-8")
    out = evalign("errors", "g.conllu", "cut.conllu", "--metrics", "tokens,upos").out
    assert out.endswith("\n1 gold and 1 system word without a partner are errors of words\n")


def test_a_matrix_of_labels(evalign):
    assert evalign("errors", "g.conllu", "s.conllu", "--matrix").out == (
        "confusion matrix of UPOS: 1 error in 5 pairs of words, gold in rows\n"
        "gold  NOUN  all\n"
        "VERB     1    1\n"
        "all      1    1\n"
        "\n"
        "confusion matrix of LAS: 3 errors in 5 pairs of words, gold in rows\n"
        "gold   obj  nmod  punct  all\n"
        "obj      .     1      .    1\n"
        "nsubj    1     .      .    1\n"
        "punct    .     .      1    1\n"
        "all      1     1      1    3\n"
        "\n"
        "on the diagonal only the head is another\n"
    )
    assert evalign("errors", "g.conllu", "g.conllu", "--matrix", "--metrics", "uas").out == (
        "confusion matrix of UAS: 0 errors in 5 pairs of words, gold in rows\n"
    )


def test_a_matrix_as_data(evalign):
    arguments = ("errors", "g.conllu", "s.conllu", "--matrix", "--metrics", "las", "--format")
    rows = list(csv.reader(io.StringIO(evalign(*arguments, "csv", "--most", "1").out)))
    assert rows == [["gold", "obj", "others", "all"], ["obj", "0", "1", "1"], ["others", "1", "1", "2"], ["all", "1", "2", "3"]]  # fmt: skip
    assert "| nsubj | 1 | 0 | 0 | 1 |\n" in evalign(*arguments, "markdown").out
    assert evalign(*arguments, "json").out == evalign(*(a for a in arguments if a != "--matrix"), "json").out


def test_spans_have_no_matrix(evalign):
    done = evalign("errors", "g.conllu", "s.conllu", "--matrix", "--metrics", "tokens")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("evalign: --matrix of tokens, which has no labels\n")


def test_confusions_as_json_have_every_cell_with_examples(evalign):
    arguments = ("errors", "g.conllu", "s.conllu", "--metrics", "las", "--format", "json")
    [found] = json.loads(evalign(*arguments).out)
    assert (found["metric"], found["pairs"], found["kinds"]) == ("las", 5, {"label": 1, "head": 1, "both": 1})
    cell = found["groups"][0]
    assert {key: cell[key] for key in cell if key != "examples"} == {
        "kind": "both", "gold": ["obj"], "system": ["nmod"], "count": 1, "gold_words": 1, "share": 1.0,
    }  # fmt: skip
    assert cell["examples"][0]["word"] == "it"
    assert (cell["examples"][0]["gold_head"], cell["examples"][0]["system_head"]) == ("saw", "dogs")


def test_confusions_as_csv_and_markdown(evalign):
    arguments = ("errors", "g.conllu", "s.conllu", "--metrics", "ufeats", "--format")
    assert evalign(*arguments, "csv").out == (
        "metric,kind,trigger,count,gold words,gold,system,first place\n"
        "ufeats,confused,,1,1,Mood=Ind|Tense=Past,Number=Sing,g.conllu:4\n"
    )
    assert evalign(*arguments, "markdown").out == (
        "| count | of gold words | gold -\\> system | first example | first place |\n"
        "| ---: | --- | --- | --- | --- |\n"
        "| 1 | 100.0% of 1 | Mood=Ind\\|Tense=Past -\\> Number=Sing | The dogs \\[saw\\] it . | g.conllu:4 |\n"
    )


def test_diff_of_words(evalign):
    assert evalign("diff", "g.conllu", "s.conllu", "--metrics", "las,uas,allfeats", "--kind", "both,confused").out == (
        "LAS both  gold g.conllu:5  system s.conllu:4\n"
        "    The dogs saw [it] .\n"
        '  - obj, head "saw"\n'
        '  + nmod, head "dogs"\n'
        "\n"
        "AllFeats confused  gold g.conllu:4  system s.conllu:3\n"
        "    The dogs [saw] it .\n"
        "  - Mood=Ind|Tense=Past\n"
        "  + Number=Sing\n"
        "\n"
        "AllFeats confused  gold g.conllu:5  system s.conllu:4\n"
        "    The dogs saw [it] .\n"
        "  - no such feature\n"
        "  + Typo=Yes\n"
        "\n"
    )  # fmt: skip
    assert (
        '  - head "saw", VERB\n  + head the root\n'
        in evalign("diff", "g.conllu", "s.conllu", "--metrics", "uas").out
    )


@pytest.mark.parametrize("command", ["errors", "diff"])
def test_what_has_no_columns_is_said_before_anything_is_printed(evalign, command):
    done = evalign(command, "g.conllu", "gold.txt", "--metrics", "tokens,upos", "-q")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "evalign: errors of upos not available: no word of gold.txt has UPOS\n  expected UPOS in gold and system\n"
    )
    assert evalign(command, "g.conllu", "g.conllu", "--metrics", "pos").err.startswith(
        'evalign: errors of "pos" cannot be shown\n  did you mean "upos" or "xpos"?'
    )


def test_scores_per_relation(evalign):
    out = evalign("score", "g.conllu", "s.conllu", "--metrics", "las", "--per", "relation,feature").out
    tables = out.split("\n\n")
    assert [table.splitlines()[0] for table in tables[1:3]] == ["per relation", "per feature"]
    assert tables[1].splitlines()[1:3] == [
        "       correct  gold  system  precision  recall      F1",
        "det          1     1       1     100.00  100.00  100.00",
    ]
    assert "nmod         0     0       1       0.00       -    0.00" in tables[1]
    assert tables[3].startswith("text identical")


def test_scores_per_tag_of_several_systems(evalign):
    done = evalign("score", "g.conllu", "s.conllu", "gold.txt", "--metrics", "tokens", "--per", "tag", "-q")
    titles = [table.splitlines()[0] for table in done.out.split("\n\n")[1:3]]
    assert titles == ["per tag: s.conllu", "breakdown by tag not available: no word of gold.txt has UPOS"]
    done = evalign("score", "g.conllu", "gold.txt", "one.txt", "--metrics", "tokens", "--per", "tag", "-q")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("evalign: breakdown by tag not available: no word of gold.txt has UPOS\n")


def test_scores_per_tag_as_data(evalign):
    arguments = ("score", "g.conllu", "s.conllu", "--metrics", "upos", "--per", "tag", "--format")
    rows = evalign(*arguments, "csv").out.splitlines()
    assert rows[0] == "system,metric,measure,value"
    assert {"s.conllu,tag:NOUN,correct,1", "s.conllu,tag:NOUN,precision,0.5", "s.conllu,tag:VERB,precision,"} < set(rows)  # fmt: skip
    [system] = json.loads(evalign(*arguments, "json").out)["systems"]
    assert list(system["breakdowns"]) == ["tag"]
    assert system["breakdowns"]["tag"]["NOUN"] == {
        "correct": 1, "gold": 1, "system": 2, "false_positives": 1, "false_negatives": 0, "precision": 0.5, "recall": 1.0, "f1": 2 / 3,
    }  # fmt: skip
    assert "| tag | correct | gold |" in evalign(*arguments, "markdown").out
    assert "tag & correct & gold &" in evalign(*arguments, "latex").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--per", "relatoin"), 'did you mean "relation"?'),
        (("--per", "tag", "--only", "tokens"), "--per with --only"),
    ],
)
def test_breakdowns_that_cannot_be_had(evalign, arguments, told):
    done = evalign("score", "missing.conllu", "missing.conllu", *arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--per", "tag,relation,feature"), ("score", "--per", "tag,relation,feature", "--format", "latex"),
        ("score", "--per", "tag", "--format", "json"), ("errors", "--metrics", "upos,allfeats,uas,las"),
        ("errors", "--matrix", "--metrics", "upos,las"), ("errors", "--matrix", "--format", "markdown"),
        ("diff", "--metrics", "upos,allfeats,uas,las"), ("diff", "--metrics", "las", "--format", "jsonl"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_labels_reach_no_terminal_unescaped(evalign, arguments):
    done = evalign(arguments[0], "g.conllu", "bad.conllu", *arguments[1:])
    assert done.status == 0
    assert not UNSAFE.search(done.out)


def test_labels_are_no_formula_in_csv(evalign):
    for arguments in (("score", "--per", "tag"), ("errors", "--metrics", "upos"), ("errors", "--matrix")):
        out = evalign(arguments[0], "g.conllu", "bad.conllu", *arguments[1:], "--format", "csv").out
        rows = list(csv.reader(io.StringIO(out, newline="")))
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]
