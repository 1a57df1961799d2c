"""Files that are no text to score are recognised by their first bytes.

Text that only resembles them stays text.
"""

import gzip
import json

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import InputError
from evalign.readers.chunks import ChunkReader
from evalign.readers.content import load
from evalign.readers.foreign_files import check_is_text
from evalign.readers.formats import find_format, read_source
from evalign.text import Text

pytestmark = pytest.mark.once

# Bytes that are looked at, whatever the size of a file.
N_BYTES = 1 << 16
M2 = "S This are a test .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\n\n"
RESULT = '{"schema": 1, "version": "0.1.0", "gold": "gold.conllu", "systems": []}'
LONG = "The cat sat . " * 10_000

NO_TEXT = [
    # what, content, what the message says
    ("an object", '{"a": 1}\n', "JSON"),
    ("an empty object", "{}", "JSON"),
    ("an indented object", '\n {\n  "a": [1, 2]\n}\n', "JSON"),
    ("an array of strings", '["The", "cat"]', "JSON"),
    ("an array of arrays", "[[1, 2], [3]]", "JSON"),
    ("an array of objects", '[{"a": null}]', "JSON"),
    ("JSON lines", '{"a": 1}\n{"b": 2}\n', "JSON"),
    ("JSON lines with blank ones", '{"a": 1}\n\n\n{"b": 2}', "JSON"),
    ("JSON lines of arrays", '["The", "cat"]\n["sat"]\n', "JSON"),
    ("indented objects in a row", '{\n "a": 1\n}\n{\n "b": 2\n}\n', "JSON"),
    ("JSON lines that were cut off", '{"a": 1}\n{"b": "The ca', "JSON"),
    ("an object that was cut off", '{"a": [1, 2', "JSON"),
    ("CRLF", '{"a": 1}\r\n{"b": 2}\r\n', "JSON"),
    ("CR alone", '{"a": 1}\r{"b": 2}\r', "JSON"),
    ("a byte order mark", '\ufeff{"a": 1}', "JSON"),
    ("NaN", '{"a": NaN}', "JSON"),
    ("more digits than Python reads", '{"a": ' + "1" * 9_999 + "}", "JSON"),
    ("one long string", '{"text": "' + LONG + '"}', "JSON"),
    ("a long array", json.dumps(["The cat"] * 20_000), "JSON"),
    ("a long array of numbers", json.dumps(list(range(50_000))), "JSON"),
    ("many JSON lines", '{"text": "The cat sat ."}\n' * 9_999, "JSON"),
    ("a long line of JSON behind a short one", '{\n"text": "' + LONG + '"}\n', "JSON"),
    ("a saved result", RESULT, "evalign report FILE"),
    ("an indented saved result", json.dumps(json.loads(RESULT), indent=2), "evalign report FILE"),
    ("a saved collection", RESULT.replace('"gold"', '"by"'), "evalign report FILE"),
    ("a notebook", '{"cells": [], "nbformat": 4}', "notebook"),
    ("RTF", r"{\rtf1\ansi The cat}", "RTF"),
    ("HTML", "<!doctype html><html><body>The cat sat.</body></html>\n", "HTML"),
    ("HTML in capitals", "  <!DOCTYPE HTML PUBLIC>\n<HTML>", "HTML"),
    ("HTML without doctype", "<html lang='en'>", "HTML"),
    ("HTML behind comments", "<!-- saved --> \n<!-- from -->\n<html>", "HTML"),
    ("XHTML", '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html>', "HTML"),
    ("XML", '<?xml version="1.0"?>\n<tmx version="1.4">', "XML"),
    ("SGML", '<!DOCTYPE srcset SYSTEM "mteval.dtd">\n<srcset>', "XML"),
    ("TMX without a declaration", '<tmx version="1.4">', "XML"),
    ("a tag with attributes", '<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#"><Layout>\n', "markup"),
    ("a mark-up of Europarl", '<CHAPTER ID="1">\nThe cat\n', "markup"),
    ("hOCR", "<div class='ocr_page' id=p1>\n", "markup"),
    ("SRT", "1\n00:00:01,000 --> 00:00:02,500\nThe cat\n", "subtitles"),
    ("SRT with CRLF, without its first number", "00:00:01,000 --> 00:00:02,500\r\nThe cat\r\n", "subtitles"),
    ("WebVTT", "WEBVTT\n\n00:01.000 --> 00:02.000\nThe cat\n", "subtitles"),
    ("SubStation Alpha", "[Script Info]\nTitle: cats\n", "subtitles"),
    ("a TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n', "Praat"),
    ("a transcript", "@UTF8\n@Begin\n", "CHAT"),
    ("WebAnno", "#FORMAT=WebAnno TSV 3.3\n\n#Text=The cat\n1-1\t0-3\tThe\t_\t\n", "WebAnno"),
    ("CoNLL-2012", "#begin document (a/b); part 000\na/b   0   0   The   DT   (TOP*   -\n", "CoNLL-2012"),
    ("a pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "Git LFS"),
    ("a catalogue", 'msgid "cat"\nmsgstr "Katze"\n', "gettext"),
    ("LaTeX", "\\documentclass{article}\n", "LaTeX"),
    ("changes", "diff --git a/gold.txt b/gold.txt\n", "diff"),
    ("an error", "Traceback (most recent call last):\n", "Python"),
    ("M2", M2, "M2"),
    ("M2 with a sentence without edits first", "S It is fine .\n\n" + M2, "M2"),
    ("M2 of no edit at all", "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", "M2"),
    ("a PDF of ASCII alone", "%PDF-1.4\n%%EOF\n", "PDF"),
]

STILL_TEXT = [
    # why, content, format
    ("a word in brackets", "[ sic ]\n", "plain"),
    ("a footnote", "[1]\n", "plain"),
    ("footnotes", "[ 1 ]\n[ 2 ]\n", "plain"),
    ("brackets", "[ ]\n", "plain"),
    ("a bracket", "[\n", "plain"),
    ("a brace", "{\n", "plain"),
    ("a quotation in brackets", '[ "sic" is Latin ]\n', "plain"),
    ("JSON in a sentence", '{"a": 1} is an object .\n', "plain"),
    ("JSON in the first sentence", '["a"]\nThe cat sat .\n', "plain"),
    ("a number", "1\n", "plain"),
    ("a string", '"Hello"\n', "plain"),
    ("null", "null\ntrue\n", "plain"),
    ("deep brackets", "[" * 100_000, "plain"),
    ("a mark-up of sentences", "<s> The cat sat . </s>\n", "plain"),
    ("a paragraph", "<p> The cat </p>\n", "plain"),
    ("a comment", "<!-- a --> The cat\n", "plain"),
    ("a comment without an end", "<!-- a The cat\n", "plain"),
    ("a heart", "<3 cats\n", "plain"),
    ("a sentence with S", "S is a letter .\nA is one too .\n", "plain"),
    ("a sentence of S", "S\nA 1 2 3\n", "plain"),
    ("a version", "version 2 is out .\n", "plain"),
    ("a time", "00:00:01 is early .\n", "plain"),
    ("a year", "1984\nwas cold .\n", "plain"),
    ("an address", "@ada said so .\n", "plain"),
    ("bars", "S a\nA 1|||2\n", "plain"),
    ("a table", "a,b\n1,2\n", "plain"),
    ("YAML", "- a: 1\n", "plain"),
    ("a percentage", "% of the cats\n", "plain"),
    ("trees", "(S (NP (DT The)) (VP (VB go)))\n", "trees"),
    ("export", "%% word tag\n#BOS 1\n", "export"),
    ("a table of spans", "start\tend\tlabel\n0\t3\tPER\n", "standoff"),
]


def ids(rows):
    return [row[0] for row in rows]


@pytest.mark.issue(15)
@pytest.mark.parametrize(("content", "told"), [row[1:] for row in NO_TEXT], ids=ids(NO_TEXT))
def test_what_is_no_text_is_refused(content, told):
    with pytest.raises(InputError, match=told) as caught:
        find_format(load(Text(content)))
    assert '`system_format="plain"`' in str(caught.value)
    assert find_format(load(Text(content)), "plain") == "plain"


@pytest.mark.parametrize(("content", "told"), [row[1:] for row in NO_TEXT], ids=ids(NO_TEXT))
def test_a_reader_of_chunks_refuses_the_same(content, told):
    # Less than the largest of the contents: their ends are not seen.
    with pytest.raises(InputError, match=told):
        ChunkReader(Text(content), sniff_bytes=2 * N_BYTES)
    ChunkReader(Text(content), "plain").close()


@pytest.mark.parametrize(("content", "format"), [row[1:] for row in STILL_TEXT], ids=ids(STILL_TEXT))
def test_what_only_looks_like_it_stays_text(content, format):
    assert find_format(load(Text(content))) == format


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "[1, 2,]"),
        ("a.jsonl.gz", '{"a": broken'),
        ("a.JSON", '"The cat"'),
        ("a.htm", "<div>The cat</div>"),
        ("a.tmx", "<body>"),
        ("a.m2", "S The cat sat .\n"),
    ],
)
def test_a_name_tells_what_a_beginning_alone_does_not(name, content):
    with pytest.raises(InputError, match="not text"):
        find_format(load(Text(content, name)))
    assert find_format(load(Text("The cat sat .\n", name))) == "plain"


def test_compressed_and_open_files_are_looked_into(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}'))
    with pytest.raises(InputError, match=r"a\.txt\.gz: JSON"):
        read_source(path)
    with gzip.open(path) as file, pytest.raises(InputError, match="JSON"):
        read_source(file)
    with pytest.raises(InputError, match="JSON"):
        ChunkReader(path)


def test_no_more_than_the_beginning_is_looked_at():
    class Counted(bytes):
        longest = 0

        def __getitem__(self, key):
            found = bytes.__getitem__(self, key)
            Counted.longest = max(Counted.longest, len(found))
            return found

    with pytest.raises(InputError, match="JSON"):
        check_is_text("a", Counted(b'{"a": 1}\n' * 1_000_000))
    assert Counted.longest == N_BYTES


@given(st.recursive(st.one_of(st.text(), st.integers(), st.none()), lambda x: st.dictionaries(st.text(), x)))
def test_every_object_is_json_however_it_is_written(value):
    for indent in (None, 2):
        for escaped in (True, False):
            text = json.dumps({"value": value}, indent=indent, ensure_ascii=escaped)
            with pytest.raises(InputError, match="JSON"):
                check_is_text("a", text.encode("utf-8", "surrogatepass"))


@given(st.lists(st.dictionaries(st.text(min_size=1), st.text()), min_size=1), st.integers(1, 200))
def test_json_is_told_wherever_its_beginning_is_cut(values, size):
    whole = json.dumps([{"key": values}]).encode()
    beginning = whole[: max(size, len('[{"key":'))]
    with pytest.raises(InputError, match="JSON"):
        check_is_text("a", beginning)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
        (b"PK\x03\x04\x14\0\0", "a zip archive, or a document of Word"),
        (b"SQLite format 3\0\x10", "an SQLite database"),
        (b"PAR1\x15\x04\x15\0", "a Parquet table"),
        (b"\x80\x04\x95\x0b\0", "a pickle"),
        (b"\x80\x02]q\x00.", "a pickle"),
        (b"\x93NUMPY\x01\0", "an array of NumPy"),
        (b"\x78\x9c\xcb\x48", "spaCy's DocBin"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "Word or Excel"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z archive"),
        (b"ab\0c", "binary data"),
    ],
)
def test_a_binary_file_is_called_what_it_is(tmp_path, data, told):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    for read in (read_source, ChunkReader):
        with pytest.raises(InputError, match=told):
            read(path)


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "use",
    [
        lambda text: evalign.score(text, Text("a")),
        lambda text: evalign.score(Text("a"), text),
        lambda text: evalign.score(Text("a"), Text("a"), raw=text),
        lambda text: evalign.score(text, Text("a"), stream=True),
        lambda text: evalign.Scorer().update(text, Text("a")),
        lambda text: evalign.align(text, Text("a")),
        lambda text: evalign.triples(text),
        evalign.read,
    ],
)
@pytest.mark.parametrize(
    "text", ["The cat sat .", "Hello.", "Cats", "It is so.\nYes .", "cat " * 999, "wow!?"]
)
def test_a_text_given_as_a_path_is_told_of_text(use, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"evalign\.Text") as caught:
        use(text)
    assert len(str(caught.value)) < 400


def test_a_missing_file_is_told_of_its_neighbour_and_of_text_only_if_it_might_be_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold text.txt").touch()
    with pytest.raises(InputError, match=r"did you mean gold text\.txt\?\n.*evalign\.Text"):
        evalign.read("gold txt.txt")
    for path in ("gold.conllu", "folder/gold.conllu.gz", "gold-2.1.txt"):
        with pytest.raises(InputError) as caught:
            evalign.read(path)
        assert "evalign.Text" not in str(caught.value)


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["The cat sat ."], r'evalign\.Text\("\\n"\.join\(sentences\)\).* a path is given by itself'),
        ({"a": "The cat sat ."}, r"line\.split\(\)"),
        ({"a": Text("The cat")}, r"line\.split\(\)"),
        ([Text("The cat")], r"line\.split\(\)"),
        (b"The cat", r"data\.decode"),
        ([b"The cat"], r"data\.decode"),
    ],
)
def test_strings_in_lists_are_told_how_to_be_given(given, told):
    with pytest.raises(evalign.CommandError, match=told):
        evalign.score(given, given)


def test_what_is_empty_in_memory_is_scored():
    for gold in (Text(""), [], evalign.read(Text(""))):
        assert evalign.score(gold, Text("a b"))["tokens"].counts["system"] == 2
