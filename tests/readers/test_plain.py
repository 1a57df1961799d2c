"""Plain text: one sentence per line, tokens separated by spaces or tabs."""

import numpy as np
from hypothesis import given, strategies as st

from evalign.options import ScoreOptions
from evalign.readers.content import load
from evalign.readers.formats import read_source
from evalign.readers.plain import read_plain
from evalign.text import WHITE_SPACE, Text, without_space

texts = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_characters="\0"), st.sampled_from(WHITE_SPACE))
)


def read(text):
    return read_plain(load(Text(text)))


def remarks(document):
    return [(remark.kind, remark.times, remark.places[0].lineno) for remark in document.remarks]


def test_a_line_is_a_sentence_and_a_blank_line_ends_a_paragraph():
    document = read("A b .\nC\td .\n\nE .\n")
    assert list(document) == [["A", "b", "."], ["C", "d", "."], ["E", "."]]
    assert document.linenos.tolist() == [1, 2, 4]
    assert document.paragraphs.sentences.tolist() == [0, 2]
    assert document.remarks == ()
    assert str(document.place_of(6)) == "<text>:4"


def test_an_empty_file_is_a_document():
    for text in ("", "\n", " \n\t\n", "\u00a0\n"):
        document = read(text)
        assert (document.line, document.n_sentences, document.n_tokens) == ("", 0, 0)


def test_doubled_blank_lines_are_remarked_on():
    assert remarks(read("a\n\n\n\nb\n")) == [("doubled-blank", 2, 3)]
    assert remarks(read("a\n\nb\n\n")) == []


def test_spaces_at_the_ends_and_doubled_ones_make_no_token():
    assert list(read("  a  b \t c  \n")) == [["a", "b", "c"]]


def test_other_white_space_stays_inside_its_token():
    document = read("1\u00a0000 a\u2028b c\u3000d e\vf g\x85h\n")
    assert list(document) == [["1000", "ab", "cd", "ef", "gh"]]


def test_strict_takes_category_zs_alone_for_white_space():
    document = read_source(Text("1\u00a0000 a\u2028b c\x85d\n"), "plain", ScoreOptions(strict=True))
    assert list(document) == [["1000", "a\u2028b", "c\x85d"]]


def test_a_token_of_white_space_only_has_no_characters():
    document = read("a \u00a0 b\n")
    assert document.tokens() == ["a", "", "b"]
    assert remarks(document) == [("empty-form", 1, 1)]


def test_zero_width_space_and_byte_order_marks_inside_are_characters():
    assert read("a\u200bb \ufeff\n").tokens() == ["a\u200bb", "\ufeff"]


def test_a_carriage_return_inside_a_line_is_white_space():
    document = read("a\rb c\n")
    assert list(document) == [["ab", "c"]]
    assert remarks(document) == [("cr", 1, 1)]


def test_line_ends_may_be_carriage_returns_alone():
    document = read("a b\rc d\r")
    assert list(document) == [["a", "b"], ["c", "d"]]
    assert remarks(document) == [("cr", 2, 1)]


@given(texts)
def test_the_line_is_the_text_without_white_space(text):
    document = read(text)
    # A byte order mark opens a file and is no text of it.
    text = text.removeprefix("\ufeff")
    assert document.line == without_space(text)
    assert document.line == "".join(document.tokens())
    end = "\n" if "\n" in text else "\r"  # a text without any LF has the line ends of Mac OS 9
    lines = [line for line in text.replace("\r\n", "\n").split(end) if without_space(line)]
    assert document.n_sentences == len(lines)
    assert [len(sentence) for sentence in document] == [
        len(line.replace("\t", " ").strip(" ").split(" "))
        - line.replace("\t", " ").strip(" ").split(" ").count("")
        for line in lines
    ]


@given(texts)
def test_columns_are_consistent(text):
    document = read(text)
    assert document.cuts[0] == document.sentences[0] == 0
    assert document.cuts[-1] == len(document.line)
    assert document.sentences[-1] == document.n_tokens
    assert (np.diff(document.cuts) >= 0).all()
    assert (np.diff(document.sentences) > 0).all()
    assert len(document.linenos) == document.n_sentences
    assert (np.diff(document.linenos) > 0).all()
    assert document.cuts.dtype == document.sentences.dtype == document.linenos.dtype == np.int32
