"""The skimmers in both forms: the same ends of sentences as read line by line, wherever the input is cut."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from evalign.text import WHITE_SPACE
from forms import IMPLEMENTATIONS, both_forms
from oracles import skim as oracle
from readers.conllu_text import row

SKIM, TREES = IMPLEMENTATIONS("text_scan_cy"), IMPLEMENTATIONS("tree_scan_cy")
module, trees = both_forms("text_scan_cy"), both_forms("tree_scan_cy")
FORMS = ["a", "字 é", "\u2028\u00a0", "x\xa0y", "\x85", "\x1f", " ", "𝄞", "", "#", "-"]
IDS = ["1", "2", "12", "1.1", "0.1", "10.10", "1-2", "2-3", "01-02", "3-2", "1-1", "x", "#", "1.x", "."]
LINES = st.one_of(
    st.sampled_from(["\n", "\n", "\r\n", "# c\n", "#\r\n", "\t\n", "1\n", "1\ta\n", " \n", "\r\r\n"]),
    st.builds(row, st.sampled_from(IDS), st.sampled_from(FORMS)),
)
CHARACTERS = st.one_of(
    st.sampled_from("ab \t\r\n\v\f\x1f\x00\x7fé字"),
    st.sampled_from(WHITE_SPACE),
    st.characters(codec="utf-8"),
)


def both(forms):
    return [form.values[0] for form in forms if not any(mark.args[0] for mark in form.marks)]


def pieces_of(data, cuts):
    """The data in pieces of whole lines."""
    lines = (
        data.splitlines(keepends=True) if b"\r" not in data else [line + b"\n" for line in data.split(b"\n")]
    )
    if b"\r" in data:
        lines[-1] = lines[-1][:-1]
    bounds = sorted({0, len(lines), *(cut % (len(lines) + 1) for cut in cuts)})
    return [b"".join(lines[a:b]) for a, b in pairwise(bounds)]


def run(skimmer, data, cuts=(), room=3):
    """All rows, found piece by piece; a piece stands behind other bytes."""
    found, offset = [], 0
    for piece in pieces_of(data, cuts):
        start, padded = 2, b"x\n" + piece + b"(1\t1"
        end = start + len(piece)
        while start < end:
            rows = np.full((room, 3), -1, np.int64)
            stopped, n = skimmer.skim(padded, start, end, offset - 2, rows)
            assert n == room or stopped == end
            assert (rows[n:] == -1).all()
            start = stopped
            found += map(tuple, rows[:n].tolist())
        offset += len(piece)
    return found


def run_trees(module, data, cuts=(), by_line=False):
    skimmer = module.TreeSkimmer(by_line)
    found, offset = [], 0
    for piece in pieces_of(data, cuts):
        rows = np.full((piece.count(b"(") + 1, 3), -1, np.int64)
        n = skimmer.skim(b"((" + piece + b"))", 2, 2 + len(piece), offset - 2, rows)
        found += map(tuple, rows[:n].tolist())
        offset += len(piece)
    return found, skimmer.n_inner


CUTS = st.lists(st.integers(0, 50), max_size=3)


@given(lines=st.lists(LINES, max_size=12), cuts=CUTS, as_script=st.booleans(), room=st.integers(1, 4))
@example(lines=[row("1-2", "ab"), row(1, "a"), row(2, "b"), "\n"], cuts=[1], as_script=False, room=1)
def test_sentences_of_conllu_end_with_an_empty_line(module, lines, cuts, as_script, room):
    data = "".join(lines).encode()
    expected = oracle.skim_conllu(data, as_script=as_script)
    assert run(module.ConlluSkimmer(as_script), data, cuts, room) == expected


@given(text=st.text(CHARACTERS, max_size=40), cuts=CUTS, as_script=st.booleans(), room=st.integers(1, 4))
@example(text="a" * 700 + "\xa0" + "b" * 500 + "\n" + "字" * 300, cuts=[], as_script=False, room=1)
@example(text="\x1f" * 500, cuts=[], as_script=True, room=1)
def test_sentences_of_plain_text_are_lines(module, text, cuts, as_script, room):
    data = text.encode()
    expected = oracle.skim_plain(data, as_script=as_script)
    assert run(module.PlainSkimmer(as_script), data, cuts, room) == expected


@given(
    data=st.lists(st.sampled_from([b"(", b"(S ", b")", b"\n", b" ", b"a", b"\r\n", b"\n\n"])).map(b"".join),
    cuts=CUTS,
)
@example(data=b"(S (A a))\n \n\n -1 (S\n(B b)) (S (A c))\n", cuts=[2])
def test_trees_begin_with_outermost_brackets(trees, data, cuts):
    assert run_trees(trees, data, cuts)[0] == oracle.find_trees(data)


def test_by_line_a_tree_ends_where_something_is_in_the_first_column(trees):
    data = b"(S (A a)\n(S (B b)\n  (C c))\n)\n(S\n-1 (S (D d))\n"
    assert run_trees(trees, data, by_line=True) == ([(0, 0, 0), (9, 1, 1), (29, 4, 4), (32, 5, 5)], 2)
    assert run_trees(trees, data) == ([(0, 0, 0), (29, 4, 4)], 2)


@given(st.binary(max_size=80), st.booleans(), CUTS)
def test_both_forms_skim_any_bytes_alike(data, as_script, cuts):
    found = [
        (
            run(form.ConlluSkimmer(as_script), data, cuts),
            run(form.PlainSkimmer(as_script), data, cuts),
            run_trees(trees, data, cuts, as_script),
        )
        for form, trees in zip(both(SKIM), both(TREES), strict=True)
    ]
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("1-3", 3),
        ("+1-+3", 3),
        ("1_0-1_2", 3),
        ("１-２", 2),
        ("3-1", 0),
        ("1-x", 0),
        ("1--2", 0),
        ("-", 0),
        ("1-9999999999", 5),
    ],
)
def test_words_of_a_range_are_no_tokens(module, number, words):
    data = (row(number, "ab") + row(1, "c") * 5 + "\n").encode()
    found = run(module.ConlluSkimmer(False), data)
    assert found == [(len(data), 2 + 5 - words, 7)]


def test_a_sentence_is_open_until_an_empty_line(module):
    skimmer = module.ConlluSkimmer(False)
    for line, is_open in [("# a\n", False), (row("0.1", "a"), False), (row(1, "b"), True), ("\n", False)]:
        run(skimmer, line.encode())
        assert skimmer.is_open() == is_open
    assert skimmer.totals() == (1, 4)


# All white space is below U+3100: of what is beyond, quick tests take one in so many.
@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("as_script", [False, True])
def test_every_character_of_unicode_is_counted_or_not(module, step, as_script):
    numbers = (*range(0x3100), *range(0x3100, 0x110000, step))
    text = "".join(chr(c) for c in numbers if not 0xD800 <= c < 0xE000 and chr(c) not in "\t\n")
    expected = sum(oracle.is_on_the_line(character, as_script=as_script) for character in text)
    for skimmer, line in [(module.PlainSkimmer, text), (module.ConlluSkimmer, row(1, text))]:
        found = skimmer(as_script)
        run(found, line.encode())
        assert found.totals()[0] == expected
