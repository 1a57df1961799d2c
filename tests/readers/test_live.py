"""Lists of lists of tokens."""

import numpy as np
import pytest

from evalign.errors import CommandError
from evalign.readers import read_source, read_tokens


def test_sentences_and_tokens_are_where_the_lists_say():
    document = read_tokens([["A", "b", "."], ("c", ".")])
    assert list(document) == [["A", "b", "."], ["c", "."]]
    assert (document.line, document.n_sentences, document.n_tokens, document.n_words) == ("Ab.c.", 2, 5, 5)
    assert str(document.place_of(3)) == "<tokens>:2"


@pytest.mark.parametrize("sentences", [[], (), [[]], [[], []]])
def test_nothing_is_an_empty_document(sentences):
    document = read_source(sentences)
    assert (document.line, document.n_sentences, document.n_tokens) == ("", 0, 0)


def test_white_space_inside_a_token_is_not_on_the_line():
    document = read_tokens([["1 000", "a\u2028b", "c\u00a0"]])
    assert document.tokens() == ["1000", "ab", "c"]


def test_a_token_without_characters_is_remarked_on():
    document = read_tokens([["a"], ["", " ", "b"]])
    assert document.tokens() == ["a", "", "", "b"]
    assert [str(remark) for remark in document.remarks] == [
        "<tokens>:2: token of white space only: it has no characters (2 times)"
    ]


def test_strings_of_other_kinds_are_strings():
    assert read_tokens([np.array(["a", "b"])]).line == "ab"


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        (["A b .", "C ."], "sentence 1 is of type str"),
        ([["a"], None], "sentence 2 is of type NoneType"),
        ([["a"], [1]], "a token of sentence 2 is of type int"),
        ([[["a"]]], "a token of sentence 1 is of type list"),
        ([["a\ud800"]], "has a lone surrogate"),
        ([[b"a"]], "a token of sentence 1 is of type bytes"),
    ],
)
def test_what_is_no_list_of_tokens_is_named(sentences, found):
    with pytest.raises(CommandError, match=found):
        read_source(sentences)


def test_a_document_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("evalign.readers.live.LONGEST_LINE", 3)
    with pytest.raises(CommandError, match="at most 3"):
        read_tokens([["ab", "cd"]])
