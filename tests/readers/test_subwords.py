"""Warnings of marks of subword tokenizers in tokens; text that merely contains such characters gets none."""

import pytest

import evalign
from evalign.readers.formats import read_source
from evalign.text import Text

pytestmark = pytest.mark.issue(15)

MARKED = [
    # what, sentences, mark
    ("SentencePiece", [["▁The", "▁cat", "▁s", "at"]], "▁"),
    ("SentencePiece of a language without spaces", [["▁我", "喜", "欢", "自", "然", "语", "言"]] * 3, "▁"),
    ("byte-level", [["The", "Ġcat", "Ġs", "at"]], "Ġ"),
    ("byte-level of two tokens", [["Hello", "Ġworld"]], "Ġ"),
    ("byte-level with other bytes", [["CafÃ©", "Ġis", "ĠfranÃ§", "ais", "."]], "Ġ"),
    ("WordPiece", [["em", "##bed", "##ding", "##s", "are", "vectors"]], "##"),
    ("WordPiece, some", [["The", "cat", "sl", "##eep", "##s", "on", "the", "mat", "."] * 2], "##"),
    ("subword-nmt", [["The", "c@@", "at", "s@@", "at"]], "@@"),
    ("CLIP", [["the</w>", "ca", "t</w>"]], "</w>"),
]

UNMARKED = [
    ("nothing", []),
    ("an empty sentence", [[]]),
    ("a sentence", [["The", "cat", "sat", "."]]),
    ("a block alone", [["▁", "is", "a", "block"]]),
    ("a bar chart", [["▁▂▃▄", "▁▁▂▃"]]),
    ("Maltese", [["Ġunju", "huwa", "xahar", "."], ["Żeża", "u", "Ġanni", "marru", "Għawdex", "."]]),
    ("Maltese of one name", [["F’", "Ġunju", "2020"]]),
    ("one Ġ in many", [["il-", "Papa", "Ġwanni", "ra", "lil", "Marija", "u", "lil", "Pawlu", "."]]),
    ("a heading", [["##", "Title"], ["The", "cat", "sat", "."]]),
    ("a heading without a space", [["##Title"], ["##More"]]),
    ("figures", [["issue", "##12", "##13"]]),
    ("at signs", [["a", "@@", "b"], ["see", "@@"]]),
    ("a tag", [["</w>", "ends", "it"]]),
]


def marks(document):
    return [remark for remark in document.remarks if remark.kind == "subword-marks"]


def as_text(sentences):
    return Text("".join(" ".join(sentence) + "\n" for sentence in sentences))


@pytest.mark.parametrize(("sentences", "mark"), [row[1:] for row in MARKED], ids=[row[0] for row in MARKED])
def test_marks_are_warned_of(sentences, mark):
    for source in (sentences, as_text(sentences)):
        (remark,) = marks(read_source(source))
        assert f'tokens carry "{mark}"' in remark.message
        assert "evalign.Offsets(text, [(start, end), ...])" in remark.message
        warned = evalign.score([["The", "cat"]], source).warnings
        assert str(remark) in warned
    # Scored as they are: a warning changes nothing.
    assert list(read_source(sentences)) == sentences


@pytest.mark.parametrize("sentences", [row[1] for row in UNMARKED], ids=[row[0] for row in UNMARKED])
def test_a_text_that_merely_holds_such_characters_is_not_warned_of(sentences):
    for source in (sentences, as_text(sentences)):
        assert not marks(read_source(source))


def test_one_such_token_is_enough_in_a_list_and_not_in_a_file():
    assert marks(read_source([["play", "##ing"]]))
    assert not marks(read_source(Text("Join ##linux now .\n")))


def test_the_place_is_that_of_the_first(tmp_path):
    path = tmp_path / "system.txt"
    path.write_text("The cat\n\nThe Ġcat Ġs at Ġon Ġthe Ġmat\n", encoding="utf-8")
    (remark,) = marks(read_source(path))
    assert str(remark).startswith(f"{path}:3: tokens carry")


@pytest.mark.parametrize("size", [1, pytest.param(30_000, marks=pytest.mark.large)])
def test_a_file_read_in_pieces_gets_the_same_warning_once(tmp_path, size):
    system = tmp_path / "system.txt"
    system.write_text("▁The ▁cat ▁s at ▁on ▁the ▁mat .\n" * size, encoding="utf-8")
    whole, parts = (
        evalign.score(system, system, metrics=["tokens"], stream=stream) for stream in (False, True)
    )
    told = [warning for warning in whole.warnings if "subword" in warning]
    assert len(told) == 1
    assert [warning for warning in parts.warnings if "subword" in warning] == told
