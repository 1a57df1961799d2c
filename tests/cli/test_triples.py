"""`evalign triples`: the whole annotation of a file as labelled spans."""

import csv
import json
import re
from collections import Counter

import numpy as np
import pytest

import evalign as package
from evalign import Text, Triple
from evalign.reports.triples import render_triples
from evalign.scoring.extraction import extract
from evalign.wording import width_of

pytestmark = pytest.mark.once

# Dridan and Oepen 2013, Figures 1 and 2.
TREE = "(TOP (S (NP-SBJ (PRP They)) (VP (VBD did) (RB n't) (VP (-NONE- *?*))) (. .)))\n"
RAW = "They didn't."
FIGURE_2 = [
    (0, 4, "POS:PRP"), (0, 4, "TOK"), (5, 8, "POS:VBD"), (5, 8, "TOK"), (8, 11, "POS:RB"), (8, 11, "TOK"),
    (11, 11, "POS:-NONE-"), (11, 11, "TOK"), (11, 12, "POS:."), (11, 12, "TOK"),
    (0, 12, "TOP"), (0, 12, "S"), (0, 4, "NP-SBJ"), (5, 11, "VP"), (11, 11, "VP"), (0, 12, "SENT"),
]  # fmt: skip
CONLLU = """\
# text = Vois  du pain.
1	Vois	voir	VERB	V	_	0	root	_	_
2-3	du	_	_	_	_	_	_	_	_
2	de	de	ADP	P	_	4	case	_	_
3	le	le	DET	_	_	4	det	_	_
4	pain	pain	NOUN	N	_	1	obl:arg	_	_
5	.	.	PUNCT	.	_	_	_	_	_

"""


@pytest.fixture
def files(folder):
    for name, text in (
        ("they.mrg", TREE),
        ("they.raw", RAW),
        ("vois.conllu", CONLLU),
        ("vois.raw", "Vois  du pain."),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_figure_2(files):
    found = package.triples("they.mrg", raw="they.raw")
    assert [triple[:3] for triple in found] == FIGURE_2
    assert (found.positions, found.warnings) == ("characters of they.raw", ())
    assert Counter(triple.kind for triple in found) == {"tag": 5, "token": 5, "constituent": 5, "sentence": 1}


def test_without_raw_text_positions_are_those_of_the_line(files):
    found = package.triples(Text(TREE))
    moved = {0: 0, 4: 4, 5: 4, 8: 7, 11: 10, 12: 11}
    assert [triple[:3] for triple in found] == [(moved[a], moved[b], label) for a, b, label in FIGURE_2]
    assert found.positions == "characters, white space aside"


def test_dependencies_have_two_spans(files):
    found = package.triples("vois.conllu", raw="vois.raw")
    assert [triple[:3] for triple in found if triple.kind in ("tag", "token")] == [
        (0, 4, "POS:V"), (0, 4, "TOK"), (6, 8, "POS:P"), (6, 8, "TOK"), (9, 13, "POS:N"), (9, 13, "TOK"),
        (13, 14, "POS:."), (13, 14, "TOK"),
    ]  # fmt: skip
    assert [triple for triple in found if triple.kind == "dependency"] == [
        Triple(0, 4, "root", None, None, "", "dependency"),
        Triple(6, 8, "case", 9, 13, "", "dependency"),
        Triple(6, 8, "det", 9, 13, "", "dependency"),
        Triple(9, 13, "obl:arg", 0, 4, "", "dependency"),
    ]
    assert found[-1] == Triple(0, 14, "SENT", kind="sentence")
    assert any("HEAD" in warning for warning in found.warnings)


def test_universal_tags_stand_in_for_others():
    text = re.sub(r"\t(V|P|N|\.)\t_\t", "\t_\t_\t", CONLLU)
    found = package.triples(Text(text, "f"))
    assert [triple.label for triple in found if triple.kind == "tag"] == [
        "POS:VERB", "POS:ADP", "POS:DET", "POS:NOUN", "POS:PUNCT",
    ]  # fmt: skip
    assert "f: no word has XPOS: tags are UPOS" in found.warnings


def test_plain_text_has_sentences_and_tokens():
    assert [triple[:3] for triple in package.triples([["a", "bc"], ["d"]], raw=Text("a bc\n\nd"))] == [
        (0, 1, "TOK"), (2, 4, "TOK"), (0, 4, "SENT"), (6, 7, "TOK"), (6, 7, "SENT"),
    ]  # fmt: skip
    assert package.triples([]) == []


def test_what_the_raw_text_lacks_is_left_out_and_counted():
    gold = [["He", "said", "this", "uh", "too"], ["Unheardof"], ["We", "know", "it", "all"]]
    found = package.triples(gold, raw=Text("He said this too We know it all , dear", "raw"))
    assert [triple[:2] for triple in found if triple.label == "TOK"][:5] == [
        (0, 2),
        (3, 7),
        (8, 12),
        (12, 12),
        (13, 16),
    ]
    assert sum(triple.label == "TOK" for triple in found) == 9
    assert sum(triple.label == "SENT" for triple in found) == 2
    assert found.warnings == (
        "raw: left out, having no place in it: tokens 1, sentences 1, brackets 0 of <tokens>, the first at <tokens>:2",
        "<tokens>:1: raw has no character of this token, so the token has no length there (2 times, also at 2)",
        "raw: 5 of 29 characters are in no token of <tokens>",
    )


def test_many_sentences_are_like_few():
    extraction = extract(Text(CONLLU * 7))
    [whole] = extraction.batches()
    for column, parts in zip(whole, zip(*extraction.batches(2), strict=True), strict=True):
        assert np.concatenate(parts).tolist() == column.tolist()


@pytest.mark.parametrize("format", ["tsv", "csv"])
def test_tables_are_read_back(evalign, files, format):
    done = evalign("triples", "they.mrg", "--raw", "they.raw", "--format", format)
    assert (done.status, done.err) == (0, "")
    rows = list(csv.reader(done.out.splitlines(), delimiter="\t" if format == "tsv" else ","))
    assert rows[0] == ["start", "end", "label"]
    assert [(int(a), int(b), label) for a, b, label in rows[1:]] == FIGURE_2
    (files / "triples.tsv").write_text(done.out, encoding="utf-8")
    scored = evalign("score", "triples.tsv", "triples.tsv", "--raw", "they.raw", "--format", "json")
    assert json.loads(scored.out)["systems"][0]["scores"]["spans"]["correct"] == 16


def test_tabs_and_commas_say_the_same(evalign, files):
    """A spreadsheet gets labels that are no formulas, and a reader the labels."""
    tree = "(= (-X (+ They)) (@ (' ,) (\" x)) ('- (''-a 1)) (A,B (C 2)))\n"
    (files / "odd.mrg").write_text(tree, encoding="utf-8")
    (files / "odd.txt").write_text("They , x 1 2", encoding="utf-8")
    for name in ("odd.tsv", "odd.csv"):
        assert evalign("triples", "odd.mrg", "--raw", "odd.txt", "-o", name).status == 0
    assert "\n0,12,'=\n" in (files / "odd.csv").read_text(encoding="utf-8")
    shared = "--raw", "odd.txt", "--only", "spans.f1"
    assert evalign("score", "odd.tsv", "odd.csv", *shared).out == "100.00\n"


def test_words_that_are_written_as_one_are_placed_side_by_side():
    tree = "(S (NP (NN foo) (NN bar)) (VP (VB de) (PP (IN le) (NP (NN livre)))))\n"
    found = package.triples(Text(tree), raw=Text("foo bar du livre"))
    tokens = [triple[:2] for triple in found if triple.kind == "token"]
    assert tokens == [(0, 3), (4, 7), (8, 9), (9, 10), (11, 16)]
    assert (9, 16, "PP") in [triple[:3] for triple in found]
    assert found.warnings == ()


def test_an_empty_label_is_named_in_the_table_only(evalign, files):
    (files / "bare.mrg").write_text("( (S (NN a)))\n", encoding="utf-8")
    assert "    0    1  (empty)\n" in evalign("triples", "bare.mrg").out
    for format, row in (("tsv", "\n0\t1\t\n"), ("csv", "\n0,1,\n"), ("jsonl", '"label": ""}')):
        out = evalign("triples", "bare.mrg", "--format", format).out
        assert "(empty)" not in out
        assert row in out


def test_long_labels_are_shortened_on_a_terminal_only(evalign, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    label = "NP-" + "x" * 300 + "-END"
    (files / "long.mrg").write_text(f"(S ({label} (NN a)) (北京{'北' * 90} (NN b)))\n", encoding="utf-8")
    lines = evalign("triples", "long.mrg").out.splitlines()
    assert max(map(width_of, lines)) == 80
    assert any(line.startswith("    0    1  NP-x") and line.endswith("x-END") for line in lines)
    assert label in evalign("triples", "long.mrg", "--format", "tsv").out
    assert evalign("triples", "long.mrg", "-o", "long.txt", "--format", "table").status == 0
    assert label in (files / "long.txt").read_text(encoding="utf-8")


def test_names_of_raw_files_are_shortened_too(evalign, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (files / "texts").mkdir()
    for name, text in (("a", "We did."), ("b", "They didn't.")):
        (files / "texts" / f"{name}{'-long' * 30}.txt").write_text(text, encoding="utf-8")
    (files / "two.mrg").write_text(TREE + "(TOP (S (NP (PRP We)) (VP (VBD did)) (. .)))\n", encoding="utf-8")
    lines = evalign("triples", "two.mrg", "--raw", "texts").out.splitlines()
    assert max(map(width_of, lines[2:])) <= 80
    assert lines[3].split()[-1].startswith("b-long")


def test_short_bracketed_raw_texts_keep_their_place(evalign, files):
    tree = "(S (VB See) (PRN (-LRB- -LRB-) (PRP it) (-RRB- -RRB-)) (RB now) (. .))\n"
    (files / "see.mrg").write_text(tree + TREE, encoding="utf-8")
    (files / "see.txt").write_text("See (it) now.", encoding="utf-8")
    done = evalign("triples", "see.mrg", "--raw", "see.txt", "they.raw", "--format", "tsv")
    assert done.err == ""
    assert "\n4\t5\tPOS:-LRB-\tsee.txt\n" in done.out
    assert "\n0\t12\tSENT\tthey.raw\n" in done.out


def test_batches_are_the_triples(files):
    """Columns and objects say the same, in all formats."""
    extraction = extract(Text(CONLLU * 3))
    rows = [
        tuple(row) for batch in extraction.batches() for row in zip(*(c.tolist() for c in batch), strict=True)
    ]
    assert len(rows) == len(list(extraction))
    read = [json.loads(line) for piece in render_triples(extraction, "jsonl") for line in piece.splitlines()]
    assert [(row["start"], row["end"], row["label"], row["kind"]) for row in read] == [
        (triple.start, triple.end, triple.label, triple.kind) for triple in extraction
    ]


def test_json_is_one_object(evalign, files):
    done = evalign("triples", "vois.conllu", "--raw", "vois.raw", "--format", "json", "-q")
    found = json.loads(done.out)
    assert (found["file"], found["raw"]) == ("vois.conllu", ["vois.raw"])
    assert found["positions"] == "characters of vois.raw"
    assert len(found["triples"]) == 13
    root = {"kind": "dependency", "start": 0, "end": 4, "label": "root", "head_start": None, "head_end": None}
    assert root in found["triples"]
    assert json.loads(evalign("triples", "empty.txt", "--format", "json").out)["triples"] == []


def test_json_lines_are_objects(evalign, files):
    done = evalign("triples", "they.mrg", "--raw", "they.raw", "--format", "jsonl")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["start"], row["end"], row["label"]) for row in rows] == FIGURE_2


def test_several_raw_files_are_named(evalign, files):
    (files / "texts").mkdir()
    (files / "texts" / "b.txt").write_text("They didn't.", encoding="utf-8")
    (files / "texts" / "a.txt").write_text("We did.\n", encoding="utf-8")
    (files / "two.mrg").write_text(TREE + "(TOP (S (NP (PRP We)) (VP (VBD did)) (. .)))\n", encoding="utf-8")
    done = evalign("triples", "two.mrg", "--raw", "texts", "-o", "two.tsv")
    assert (done.status, done.out, done.err) == (0, "", "")
    rows = [line.split("\t") for line in (files / "two.tsv").read_text().splitlines()]
    assert rows[0] == ["start", "end", "label", "document"]
    assert rows[1] == ["0", "4", "POS:PRP", "b.txt"]
    assert rows[-1] == ["0", "7", "SENT", "a.txt"]
    scored = evalign("score", "two.tsv", "two.tsv", "--raw", "texts", "--only", "spans.correct")
    assert scored.out == "27\n"


def test_labels_have_no_power_over_a_terminal_or_a_table(evalign, files):
    (files / "odd.mrg").write_text("(S\x1b[31m (NN\x07 a) (=1 b))\n", encoding="utf-8")
    assert "\x1b" not in evalign("triples", "odd.mrg").out
    assert "\x1b" not in evalign("triples", "odd.mrg", "--format", "json").out
    assert (
        json.loads(evalign("triples", "odd.mrg", "--format", "jsonl").out.splitlines()[4])["label"]
        == "S\x1b[31m"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("nothing.mrg",), 1, "no such file"),
        (("they.mrg", "--raw", "nothing.txt"), 1, "no such file"),
        (("-", "--raw", "-"), 2, '"-" is given twice'),
        (("they.mrg", "--raw", "they.raw", "--format", "latex"), 2, 'unknown value "latex"'),
        (("they.mrg", "-o", "x.md"), 2, "which this command does not write"),
        ((), 2, "required: FILE"),
    ],
)
def test_what_is_wrong_is_said(evalign, files, arguments, status, told):
    done = evalign("triples", *arguments)
    assert (done.status, done.out) == (status, "")
    assert told in done.err


def test_a_table_of_triples_has_none(evalign, files):
    (files / "spans.tsv").write_text("start\tend\tlabel\n0\t4\tx\n", encoding="utf-8")
    done = evalign("triples", "spans.tsv", "--raw", "they.raw")
    assert done.status == 2
    assert "is a stand-off table" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("gold.txt", "one.txt", "--raw", "raw.a", "raw.b"),
        ("gold.txt", "one.txt", "--raw", "raw.a", "--raw", "raw.b"),
        ("--raw", "raw.a", "raw.b", "gold.txt", "one.txt"),
        ("gold.txt", "--raw", "raw.a", "raw.b", "one.txt"),
    ],
)
def test_every_command_takes_several_raw_files(evalign, folder, arguments):
    (folder / "raw.a").write_text("Soup for six", encoding="utf-8")
    (folder / "raw.b").write_text("Chop two onions. You can't rush it.", encoding="utf-8")
    for command in ("align", "diff", "errors"):
        done = evalign(command, *arguments)
        assert (done.status, done.err) == (0, "")
    found = [json.loads(line) for line in evalign("diff", *arguments, "--format", "jsonl").out.splitlines()]
    assert [error["start"] for error in found if error["metric"] == "tokens"] == [21]


def test_raw_files_in_front_of_several_systems_are_one(evalign, folder):
    (folder / "raw.a").write_text("Soup for six Chop two onions. You can't rush it.", encoding="utf-8")
    assert evalign("score", "--raw", "raw.a", "gold.txt", "one.txt").status == 0
    assert evalign("score", "--raw=raw.a", "gold.txt", "one.txt", "two.txt").status == 0
    done = evalign("score", "--raw", "raw.a", "gold.txt", "one.txt", "two.txt")
    assert (done.status, "required: GOLD, SYSTEM" in done.err) == (2, True)


def test_a_raw_file_that_is_not_found_is_warned_of(evalign, folder):
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(
        "Soup for six Chop two onions. You can't rush it.", encoding="utf-8"
    )
    (folder / "texts" / "b.txt").write_text(
        "Nothing of this was ever said by anyone at all.", encoding="utf-8"
    )
    done = evalign("score", "gold.txt", "one.txt", "--raw", "texts")
    assert done.status == 0
    assert "b.txt: not found in gold.txt, left out as raw text" in done.err.replace("\\", "/")


def test_the_triples_of_gum_score_as_its_trees(evalign, data, tmp_path):
    """Counts known by construction (README of the data): roots are in the triples, and not in the score."""
    folder = data / "constituency" / "gum"
    for name in ("gold", "sys_retokenised"):
        assert (
            evalign("triples", folder / f"{name}.mrg", "--raw", folder, "-o", tmp_path / f"{name}.tsv").err
            == ""
        )
    tables = tmp_path / "gold.tsv", tmp_path / "sys_retokenised.tsv"
    scored = evalign("score", *tables, "--raw", folder, "--format", "json")
    counts = json.loads(scored.out)["systems"][0]["scores"]["spans"]
    roots = sentences = 301
    assert counts["gold"] == 2 * 7455 + 5984 + roots + sentences
    assert counts["system"] == 2 * 7415 + 5984 + roots + sentences
    assert counts["correct"] == 2 * 7355 + 5984 + roots + sentences
