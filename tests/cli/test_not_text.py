"""Commands on files that are no text to score, on folders, or on an empty gold file."""

import gzip
import json
import re

import pytest

M2 = "S This are a test .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\n\n"
FILES = {
    "x.json": ('{"a": 1}\n', "JSON"),
    "x.txt": ('{"a": 1}\n{"b": 2}\n', "JSON"),
    "x.html": ("<!doctype html><html><body>The cat sat.</body></html>\n", "HTML"),
    "x.m2": (M2, "M2"),
    "ner.txt": ("Ada B-PER\nsaw O\nRome B-LOC\n. O\n\n" * 4, "columns of tags"),
    "run.json": ('{"schema": 1, "version": "0.1.0", "gold": "a", "systems": []}', "evalign report run.json"),
}

pytestmark = [pytest.mark.issue(15), pytest.mark.once]


@pytest.fixture
def files(folder):
    for name, (text, _) in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("way", [(), ("--stream",), ("--jobs", "2"), ("--window", "5000")])
def test_score_says_what_it_is_and_scores_it_if_it_is_said_to_be_text(evalign, files, name, way):
    done = evalign("score", "gold.txt", name, *way)
    assert (done.status, done.out) == (1, "")
    assert re.search(rf"{re.escape(name)}(:1)?: ", done.err)
    assert FILES[name][1] in done.err
    assert evalign("score", name, "gold.txt", *way).status == 1
    assert evalign("score", "gold.txt", name, *way, "--system-format", "plain").status == 0
    assert evalign("score", name, "gold.txt", *way, "--gold-format", "plain").status == 0


@pytest.mark.parametrize("command", ["align", "diff", "errors", "attribute"])
def test_other_commands_refuse_it_too(evalign, files, command):
    for pair in (("gold.txt", "x.json"), ("x.json", "gold.txt")):
        done = evalign(command, *pair)
        assert done.status == 1
        assert "x.json: JSON" in done.err


def test_triples_and_doctor_refuse_it(evalign, files):
    assert "x.html: HTML" in evalign("triples", "x.html").err
    assert evalign("triples", "x.html", "--input-format", "plain").status == 0
    done = evalign("doctor", "x.txt")
    assert (done.status, "JSON, not text" in done.out) == (1, True)
    assert "columns of tags" in evalign("doctor", "ner.txt").out


def test_standard_input_is_looked_into(evalign, files):
    assert "<stdin>: JSON" in evalign("score", "gold.txt", "-", stdin='{"a": 1}\n').err
    assert "<stdin>: JSON" in evalign("score", "gold.txt", "-", "--stream", stdin='{"a": 1}\n').err


def test_in_a_collection_it_is_a_failure_of_its_treebank(evalign, folder):
    for name, text in (("gold/a.txt", "The cat\n"), ("gold/b.txt", "sat .\n"), ("gold/c.txt", "\n"),
                       ("one/a.txt", "The cat\n"), ("one/b.txt", '{"a": 1}'), ("one/c.txt", "a\n")):  # fmt: skip
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = evalign("score", "gold", "one", "-o", "run.json")
    assert done.status == 0
    assert "one failed on b: one/b.txt: JSON, not text" in done.err
    assert "one failed on c: gold/c.txt: empty: gold has no token" in done.err
    parts = json.loads((folder / "run.json").read_text(encoding="utf-8"))["parts"]
    assert parts["a"]["systems"][0]["scores"]["tokens"]["f1"] == 1.0


@pytest.mark.parametrize("text", ["", "\n\n\n", "# sent_id = 1\n# text = a\n\n", "\ufeff"])
@pytest.mark.parametrize("way", [(), ("--stream",), ("--jobs", "2")])
def test_an_empty_gold_is_refused(evalign, folder, text, way):
    (folder / "empty.conllu").write_text(text, encoding="utf-8")
    done = evalign("score", "empty.conllu", "one.txt", *way)
    assert (done.status, done.out) == (1, "")
    assert "empty.conllu: empty" in done.err
    assert evalign("score", "one.txt", "empty.conllu", *way).status == 0


def test_an_empty_gold_is_refused_wherever_it_comes_from(evalign, folder):
    (folder / "empty.gz").write_bytes(gzip.compress(b""))
    (folder / "blank.txt").write_text(" \n\t\n", encoding="utf-8")
    for name in ("empty.txt", "empty.gz", "blank.txt", "-"):
        assert "empty: gold has no token" in evalign("score", name, "one.txt", stdin="").err
    for command in ("align", "diff", "errors", "attribute"):
        done = evalign(command, "empty.txt", "one.txt")
        assert (done.status, "empty: gold has no token" in done.err) == (1, True)
    assert evalign("score", "empty.txt", "one.txt", "--gold-format", "plain", "--stream").status == 0


def test_a_folder_and_a_file_are_told_apart(evalign, folder):
    (folder / "some").mkdir()
    for pair in (("gold.txt", "some"), ("some", "gold.txt")):
        done = evalign("score", *pair)
        assert done.status == 1
        assert "gold.txt: a file, where others are folders" in done.err
        assert "some is a directory: give files only, or folders only" in done.err
    done = evalign("align", "gold.txt", "some")
    assert (done.status, "evalign score GOLD_DIR SYSTEM_DIR" in done.err) == (1, True)


def test_a_text_in_the_place_of_a_path_is_told_how_to_be_given(evalign):
    done = evalign("score", "The cat sat .", "The cat sat.")
    assert done.status == 1
    assert "The cat sat .: no such file" in done.err
    assert "evalign.Text" in done.err
    done = evalign("score", "gold .txt", "one.txt")
    assert "did you mean gold.txt?" in done.err
    assert "evalign.Text" in done.err
    assert "evalign.Text" not in evalign("score", "gold.tx", "one.txt").err
