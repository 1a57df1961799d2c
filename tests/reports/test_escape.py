"""Nothing in an input takes effect in a terminal, JSON, a spreadsheet, Markdown or LaTeX."""

import csv
import io
import json
import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from evalign.reports.formats import csv_cell, json_text, latex_cell, markdown_cell
from evalign.wording import printable, printable_lines

ANY = st.text(
    st.characters() | st.sampled_from("\x00\x07\x1b\x7f\x9b\n\r\t\u200d\u202e\u2028\ufeff\ud800=+-@,\"'|")
)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@given(ANY)
def test_printable_has_no_control_or_format_character(text):
    shown = printable(text)
    assert shown.isprintable()
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
    shown.encode("utf-8")


@given(ANY)
def test_printable_text_stays_as_it_is(text):
    assert printable(printable(text)) == printable(text)


@given(ANY)
def test_only_line_ends_are_left_in_lines(text):
    assert printable_lines(text).replace("\n", "").isprintable()
    assert printable_lines(text).count("\n") == text.count("\n")


def test_a_mark_on_nothing_gets_a_place_to_stand():
    assert printable("\u0301x") == "◌\u0301x"
    assert printable("e\u0301") == "e\u0301"


@given(
    st.recursive(
        ANY | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(ANY, inner),
        max_leaves=6,
    )
)
def test_json_means_the_same_and_is_safe(value):
    for indent in (None, 2):
        text = json_text(value, indent)
        assert json.loads(text) == value
        assert text.replace("\n", "").isprintable()
    assert "\n" not in json_text(value)


@given(st.lists(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), min_size=2))
def test_csv_cells_come_back_but_for_the_guard(cells):
    line = ",".join(map(csv_cell, cells)) + "\n"
    [row] = csv.reader(io.StringIO(line, newline=""))
    assert row == ["'" + cell if cell.startswith(FORMULA) else cell for cell in cells]


@given(ANY)
def test_no_csv_cell_is_a_formula(text):
    assert not csv_cell(text).removeprefix('"').startswith(FORMULA)


@given(ANY)
def test_a_markdown_cell_has_no_bare_mark(text):
    cell = markdown_cell(text)
    bare = re.sub(r"\\[!-/:-@[-`{-~]", "", cell)
    assert not set(bare) & set("\\`*_{}[]<>|#~&$!\n")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a|b", r"a\|b"),
        ("&amp;", r"\&amp;"),
        ("<b>*x*</b>", r"\<b\>\*x\*\</b\>"),
        ("http://a.b www.a.b", r"http\://a.b www\.a.b"),
        ("x@y.z", r"x\@y.z"),
    ],
)
def test_markdown(text, cell):
    assert markdown_cell(text) == cell


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("50% & more", r"50\% \& more"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("[4pt]", "{[}4pt]"),
        ("``--''", r"\textasciigrave{}\textasciigrave{}-{}-\textquotesingle{}\textquotesingle{}"),
        ("a_b^c~d#e$f", r"a\_b\textasciicircum{}c\textasciitilde{}d\#e\$f"),
        ("sentence-accuracy", "sentence-accuracy"),
        ("a\nb", r"a\textbackslash{}nb"),
    ],
)
def test_latex(text, cell):
    assert latex_cell(text) == cell


@given(ANY)
def test_a_latex_cell_has_no_bare_command(text):
    cell = latex_cell(text)
    bare = re.sub(r"\\text[a-z]+\{\}|\\[{}$&#%_]|\{[*\[]\}|-\{\}", "", cell)
    assert not set(bare) & set("\\{}$&#%_^~`'<>|[*")
    assert "--" not in cell
