"""Folding: the characters that alignment compares."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.alignment.fold import (
    code_points,
    fold_aligned,
    fold_character,
    fold_document,
    fold_line,
    fold_text,
)
from evalign.document import document_from_sentences

FOLDS = [
    # why, text, folded
    ("case", "AbC", "abc"),
    ("accents", "Éèñç", "eenc"),
    ("an accent of its own", "e\u0301", "e"),
    ("a mark alone", "\u0301", ""),
    ("a ligature", "ﬁﬃ", "fiffi"),
    ("full width", "Ａ１", "a1"),
    ("half-width kana with its mark", "ｶﾞ", "カ"),
    ("one character for three", "…", "..."),
    ("fraction", "½", "1⁄2"),
    ("Hangul syllables are their letters", "한", "\u1112\u1161\u11ab"),
    ("capital dotted i", "İ", "i"),
    ("sharp s is no compatibility variant", "ß", "ß"),
    ("Greek", "Ώ", "ω"),
    ("roman numeral", "Ⅷ", "viii"),
    ("Hebrew points", "שָׁלוֹם", "שלום"),
    ("Devanagari vowel signs are marks", "कि", "क"),
    ("above the basic plane", "𝐀𐐀", "a𐐨"),
    ("a square word", "㎏", "kg"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("why", "text", "folded"), FOLDS, ids=[row[0] for row in FOLDS])
def test_folds(why, text, folded):
    assert fold_text(text) == folded
    line = fold_line(text)
    assert "".join(map(chr, line.codes.tolist())) == folded


@given(st.text())
def test_a_line_folds_as_its_characters_do(text):
    folded = fold_line(text)
    assert folded.codes.tolist() == [ord(c) for character in text for c in fold_character(character)]
    assert folded.cuts.tolist()[0] == 0
    assert [b - a for a, b in zip(folded.cuts.tolist(), folded.cuts.tolist()[1:], strict=False)] == [
        len(fold_character(character)) for character in text
    ]
    assert folded.originals.tolist() == [ord(character) for character in text]


@given(st.text())
def test_a_folded_position_knows_its_character(text):
    folded = fold_line(text)
    pieces = [k for k, character in enumerate(text) for _ in fold_character(character)]
    assert folded.characters_at(folded.cuts[:0].astype(int)).tolist() == []
    assert folded.characters_at(np.arange(len(pieces))).tolist() == pieces


@given(st.text())
def test_composed_and_decomposed_text_fold_alike(text):
    assert fold_text(unicodedata.normalize("NFC", text)) == fold_text(unicodedata.normalize("NFD", text))


@given(st.characters())
def test_what_is_folded_stays(character):
    folded = fold_character(character)
    assert fold_text(folded) == folded


@given(st.text())
def test_code_points_are_those_of_the_line(text):
    assert code_points(text).tolist() == list(map(ord, text))


def test_a_lone_surrogate_is_a_character_like_any_other():
    assert fold_line("a\ud800").codes.tolist() == [ord("a"), 0xD800]


@pytest.mark.parametrize(
    ("character", "folded"),
    [("ア", "あ"), ("ｱ", "あ"), ("ガ", "か"), ("ー", "ー"), ("\u200b", ""), ("\u00ad", ""), ("É", "e")],
)
def test_lines_that_are_aligned_fold_kana_and_leave_out_what_is_not_seen(character, folded):
    assert fold_aligned(character) == folded


def test_boundaries_are_marked_on_the_folded_line():
    line = fold_document(document_from_sentences([["ﬁn", "a"], ["\u200b", "b"]]))
    assert "".join(map(chr, line.codes)) == "fina\u200bb"
    assert line.marks.tolist() == [4, 0, 0, 1, 4, 1, 4]
