"""The scanners in both forms: the same arrays on any bytes, and as an oracle of a few lines says."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.text import WHITE_SPACE, without_space
from forms import IMPLEMENTATIONS, both_forms
from readers.conllu_text import row, sentence

pytestmark = pytest.mark.once

SCAN = IMPLEMENTATIONS("text_scan_cy")
module = both_forms("text_scan_cy")
ROWS = st.sampled_from(
    [
        "\n",
        "\n",
        "# c\n",
        "# sent_id = x\n",
        "#newdoc id = y\n",
        "# newpar\n",
        "\t\n",
        row(1, "a"),
        row(1, "字 é"),
        row(2, "b"),
        row(2, "\u2028\u00a0"),
        row(3, "c"),
        row("1-2", "ab"),
        row("2-3", "x y"),
        row("1.1", "n"),
        row("2-1", "n"),
        row("x", "n"),
        row("-", "n"),
        row(".", "n"),
        row("999999999", "n"),
        row(1, "a")[:-3],
        "1 a\n",
    ]
)


def both():
    return [form.values[0] for form in SCAN if not any(mark.args[0] for mark in form.marks)]


def scan_plain(module, data, as_script=False):
    lines = data.count(b"\n") + 2
    line = np.zeros(len(data) + 1, np.uint8)
    cuts = np.zeros((len(data) + 1) // 2 + 2, np.int32)
    sentences, linenos, paragraphs = (np.zeros(lines, np.int32) for _ in range(3))
    notes = np.zeros((module.N_NOTES, 2), np.int64)
    scanner = module.PlainScanner(data, line, cuts, sentences, linenos, notes, as_script)
    n_paragraphs = scanner.scan(paragraphs)
    used, n_tokens, n_sentences = scanner.totals()
    return (
        line[:used].tobytes(),
        cuts[: n_tokens + 1].tolist(),
        sentences[: n_sentences + 1].tolist(),
        linenos[:n_sentences].tolist(),
        paragraphs[:n_paragraphs].tolist(),
        notes.tolist(),
    )


def scan_conllu(module, data, as_script=False):
    rows = data.count(b"\n") + 3
    line = np.zeros(len(data) + 1, np.uint8)
    cuts, sentences, linenos, word_tokens = (np.zeros(rows, np.int32) for _ in range(4))
    multiword = np.zeros(rows, np.uint8)
    starts = np.zeros(rows, np.int64)
    inner, marks = (np.zeros((rows, width), np.int64) for width in (2, 4))
    notes = np.zeros((module.N_NOTES, 2), np.int64)
    scanner = module.ConlluScanner(data, line, cuts, sentences, linenos, notes, as_script)
    stopped = scanner.scan(word_tokens, multiword, starts, inner, marks)
    used, n_tokens, n_sentences = scanner.totals()
    n_words, n_inner, n_marks = scanner.word_totals()
    return (
        stopped,
        line[:used].tobytes(),
        cuts[: n_tokens + 1].tolist(),
        sentences[: n_sentences + 1].tolist(),
        linenos[:n_tokens].tolist(),
        word_tokens[:n_words].tolist(),
        multiword[:n_words].tolist(),
        starts[:n_words].tolist(),
        inner[:n_inner].tolist(),
        marks[:n_marks].tolist(),
        notes.tolist(),
    )


def same(results):
    first, *others = results
    assert all(other == first for other in others)
    return first


@given(
    st.one_of(st.binary(max_size=80), st.text(max_size=60).map(lambda t: t.encode("utf-8", "replace"))),
    st.booleans(),
)
def test_both_forms_read_any_bytes_alike(data, as_script):
    same([scan_plain(module, data, as_script) for module in both()])
    same([scan_conllu(module, data, as_script) for module in both()])


@given(
    st.lists(
        st.sampled_from(
            [b"\t", b" ", b"\n", b"a", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\xe2", b"\x85"]
        )
    )
)
def test_both_forms_know_the_same_white_space(pieces):
    same([scan_plain(module, b"".join(pieces)) for module in both()])


@given(st.lists(ROWS, max_size=12), st.booleans(), st.booleans())
def test_both_forms_read_rows_alike(rows, whole, as_script):
    data = "".join(rows).encode()
    same([scan_conllu(module, data if whole else data[:-1], as_script) for module in both()])


@given(text=st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(WHITE_SPACE)), max_size=40))
def test_the_line_of_plain_text_has_no_white_space(module, text):
    assert scan_plain(module, text.encode())[0].decode() == without_space(text)


# All white space is below U+3100: of what is beyond, quick tests take one in so many.
@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.slow)])
def test_every_character_of_unicode_is_white_space_or_not(module, step):
    import unicodedata

    numbers = (*range(0x3100), *range(0x3100, 0x110000, step))
    everything = "".join(chr(c) for c in numbers if not 0xD800 <= c < 0xE000)
    assert scan_plain(module, everything.encode())[0].decode() == without_space(everything)
    kept = "".join(c for c in everything if unicodedata.category(c) != "Zs" and c not in "\t\n")
    assert scan_plain(module, everything.encode(), as_script=True)[0].decode() == kept


def test_a_scanner_stops_at_the_first_line_it_cannot_read(module):
    codes = module.codes()
    good = sentence("a", "b")
    for bad, code, lineno, due in [
        ("x\n", "COLUMNS", 4, 1),
        (row(2, "c"), "WORD_ID", 4, 1),
        (row("2-1", "c"), "RANGE", 4, 1),
        (row("1-2", "c") + row(1, "c") + "\n", "UNFINISHED", 6, 2),
        (row("1-2", "c") + row(1, "c"), "UNFINISHED", 5, 2),
    ]:
        assert scan_conllu(module, (good + bad).encode())[0] == (codes[code], lineno, due)
    assert scan_conllu(module, good.encode())[0] == (0, 0, 0)


def test_the_codes_are_all_different(module):
    codes = module.codes()
    assert len({codes[name] for name in ("COLUMNS", "WORD_ID", "RANGE", "UNFINISHED")}) == 4
    assert 0 not in codes.values()
