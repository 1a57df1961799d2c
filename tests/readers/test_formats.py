"""The recognition of an input's format."""

import gzip

import pytest

from evalign.errors import CommandError, InputError
from evalign.readers.content import load
from evalign.readers.formats import find_format, read_source
from evalign.text import Text

ROW = "1\tA\ta\tX\t_\t_\t0\troot\t_\t_\n"

VECTORS = [
    # why, content, format
    ("a row", ROW + "\n", "conllu"),
    ("a row with CRLF", ROW.replace("\n", "\r\n") + "\r\n", "conllu"),
    ("rows with CR alone", ROW.replace("\n", "\r") + "\r", "conllu"),
    ("a byte order mark", "\ufeff" + ROW, "conllu"),
    ("a comment, then a row", "# generator = me\n" + ROW, "conllu"),
    ("blank lines, then a row", "\n\n" + ROW, "conllu"),
    ("many comments, then a row", "# note\n" * 5000 + ROW, "conllu"),
    ("a comment of CoNLL-U alone", "# sent_id = 1\n", "conllu"),
    ("newdoc", "# newdoc\n", "conllu"),
    ("newdoc id", "# newdoc id = a\n", "conllu"),
    ("CoNLL-U Plus", "# global.columns = ID FORM\n1\tA\n", "conllu"),
    ("a multiword token first", "1-2" + ROW[1:], "conllu"),
    ("an empty node first", "0.1" + ROW[1:], "conllu"),
    ("nine columns in the first row", ROW.replace("\t_\n", "\n"), "conllu"),
    ("eleven columns in the first row", ROW.replace("\n", "\t_\n"), "conllu"),
    ("five columns in the first row", "1\tA\ta\tX\t_\n", "conllu"),
    ("ten columns without an ID", ROW.replace("1\t", "\t", 1), "conllu"),
    ("a wrong ID in the first row", ROW.replace("1", "7", 1), "conllu"),
    ("spaces for tabs", ROW.replace("\t", " "), "conllu"),
    ("several spaces for tabs", ROW.replace("\t", "   "), "conllu"),
    ("spaces and tabs", ROW.replace("\t", " ", 4), "conllu"),
    ("nothing", "", "plain"),
    ("blank lines", "\n \n", "plain"),
    ("a sentence", "A b .\n", "plain"),
    ("a number first", "1 000 metres .\n", "plain"),
    ("numbers", "1 2 3\n", "plain"),
    ("ten numbers", "1 2 3 4 5 6 7 8 9 10\n", "plain"),
    ("ten numbers with tabs for some", "1\t2\t3 4 5 6 7 8 9 10\n", "plain"),
    ("three tokens with tabs", "1\t2\t3\n", "plain"),
    ("tokens with tabs and a number first", "2023\tJanuary\t5\tMonday\n", "plain"),
    ("a list number", "1. First of all\n", "plain"),
    ("a hash", "# 1 in sales\nThe best .\n", "plain"),
    ("a hash alone", "#\n", "plain"),
    ("a hash tag", "#nlp is fun\n", "plain"),
    ("a hash and a word of CoNLL-U", "# text of the law\nIt says .\n", "plain"),
    ("a heading", "## newdoc formats\n", "plain"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in VECTORS], ids=[row[0] for row in VECTORS])
def test_content_tells_the_format(text, expected):
    assert find_format(load(Text(text))) == expected


@pytest.mark.parametrize("name", ["a.conllu", "a.CONLLU", "b.conll", "c.conllu.gz", r"C:\data\d.conllu"])
def test_the_name_tells_where_content_does_not(name):
    for text in ("", "# only a comment\n", "# one\n# two\n"):
        assert find_format(load(Text(text, name))) == "conllu"
    assert find_format(load(Text("", name + ".txt"))) == "plain"


def test_a_file_of_comments_is_a_document_without_sentences(tmp_path):
    path = tmp_path / "empty.conllu"
    path.write_text("# generator = me\n# nothing here\n", encoding="utf-8")
    document = read_source(path)
    assert (document.format, document.n_sentences, document.line) == ("conllu", 0, "")


def test_a_file_that_is_not_what_its_name_says_gets_advice(tmp_path):
    path = tmp_path / "plain.conllu"
    path.write_text("The cat sat .\n", encoding="utf-8")
    with pytest.raises(InputError, match='`gold_format="plain"` or `system_format="plain"`'):
        read_source(path)
    assert read_source(path, "plain").n_tokens == 4


def test_content_is_stronger_than_a_name(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_bytes(gzip.compress(ROW.encode() + b"\n"))
    assert read_source(path).format == "conllu"


def test_the_caller_is_stronger_than_content():
    assert read_source(Text(ROW), "plain").n_tokens == 10
    with pytest.raises(InputError):
        read_source(Text("A b .\n"), "conllu")


def test_an_unknown_format_is_named():
    with pytest.raises(
        CommandError, match='unknown format "xml"\n  expected one of auto, conllu, conllx, plain'
    ):
        read_source(Text("a"), "xml")
