"""Positions of errors in the raw text, also if it differs slightly from the text that gold was made from."""

import pytest

import evalign
from alignment.counting import document
from evalign.alignment.raw_map import RawMap
from evalign.readers.content import load
from evalign.readers.raw_files import read_raw


def raw_map(gold, text):
    return RawMap(document(gold), read_raw(load(evalign.Text(text, "raw"))))


def errors(gold, system, raw, metric="sentences"):
    result = evalign.score(gold, system, raw=evalign.Text(raw, "raw"))
    return result.errors(metric), result.warnings


def test_offsets_count_the_characters_of_the_raw_text():
    mapped = raw_map(["Ab c .", "D ."], "  Ab c.\n\nD.\n")
    assert [mapped.offset(k) for k in range(7)] == [2, 3, 5, 6, 9, 10, 12]
    assert [mapped.has_newline_before(k) for k in range(6)] == [False, False, False, False, True, False]
    assert mapped.n_missing == 0


@pytest.mark.parametrize(
    ("gold", "raw", "offsets"),
    [
        (["`` Hi '' ."], '"Hi".', [0, 0, 1, 2, 3, 3, 4]),
        (["an e-mail ."], "an email.", [0, 1, 3, None, 4, 5, 6, 7, 8]),
        (["a b ."], "a\x1cx b.", [0, 4, 5]),
        (["Isn 't"], "Isn't it?", [0, 1, 2, 3, 4]),
    ],
)
def test_offsets_where_the_texts_differ(gold, raw, offsets):
    mapped = raw_map(gold, raw)
    assert [mapped.offset(k) for k in range(len(offsets))] == offsets
    assert mapped.n_missing == offsets.count(None)


def test_an_unrelated_raw_text_is_warned_of_and_places_nothing():
    gold = [["The", "ferry", "left", "."], ["We", "waited", "there", "."]]
    found, warnings = errors(gold, [[token for sentence in gold for token in sentence]], "0123456789 " * 9)
    assert [error.start for error in found] == [None]
    assert any("characters of <tokens> are not in it" in warning for warning in warnings)


def test_a_line_end_of_the_raw_text_is_a_trigger():
    found, _ = errors([["a", "b"], ["c"]], [["a", "b", "c"]], "a b\nc")
    assert [(error.trigger, error.start) for error in found] == [("newline", 0)]


@pytest.mark.slow
@pytest.mark.large
def test_many_errors_find_their_places_in_a_raw_text_that_differs():
    gold = [[f"w{k}", "x", "."] for k in range(20_000)]
    system = [[f"w{k}x", "."] for k in range(20_000)]
    raw = "\n".join(" ".join(sentence) for sentence in gold).replace("w777 ", "W777 ")
    found, _ = errors(gold, system, raw, "tokens")
    assert len(found) == 20_000
    assert found[-1].start == raw.rindex("w")
