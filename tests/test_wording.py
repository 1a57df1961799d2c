"""Shortened and folded text fits its width; shortened names stay distinct."""

import re

import pytest
from hypothesis import given, strategies as st

from evalign.files import tell_apart
from evalign.reports.formats import render_csv, render_latex, render_markdown, render_text
from evalign.table import SHORTEST_HEADER, SHORTEST_NAME, Table
from evalign.wording import SIGNIFICANT, fold, head, printable, shorten, show_p, tail, width_of

pytestmark = pytest.mark.once

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("北京e\u0301\ufe0f👍שלום /.")).map(
    printable
)
MOST = st.integers(0, 40)


def test_widths():
    assert width_of("北京") == 4
    assert width_of("👍") == 2
    assert width_of("e\u0301") == 1
    assert width_of("☺\ufe0f") == 1
    assert width_of("שלום") == 4
    assert width_of("\u1112\u1161\u11ab") == 2


@given(TEXT, MOST)
def test_what_is_shortened_fits(text, most):
    for function in (head, tail, shorten):
        short = function(text, most)
        assert width_of(short) <= most
        assert short == text if width_of(text) <= most else (not most or "…" in short)
    assert width_of(tail(text, most)) <= most


@given(TEXT, st.integers(2, 40))
def test_folded_text_fits_and_is_whole(text, most):
    lines = fold(text, most)
    assert all(width_of(line) <= most for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(TEXT, min_size=1, max_size=5))
def test_names_told_apart_stay_apart(names):
    apart = tell_apart(names)
    assert len(apart) == len(names)
    if all("/" not in name and "\\" not in name for name in names):
        assert len(set(apart)) == len(set(names))
    assert all(short in name for short, name in zip(apart, names, strict=True))


def test_names_told_apart():
    assert tell_apart(["runs/ewt.moses.txt", "runs/ewt.moses_escaped.txt"]) == ["moses", "moses_escaped"]
    assert tell_apart(["a.txt", "a.b.txt"]) == ["a", "a.b"]
    assert tell_apart(["x/a.txt", "x/a.txt"]) == ["a", "a"]
    assert tell_apart(["x/English-EWT.conllu"] * 2) == ["English-EWT"] * 2
    assert tell_apart(["v1.2/big file"] * 3) == ["v1.2/big file"] * 3  # perhaps a name that was given
    assert tell_apart(["x/a/out.txt", "x/b/out.txt"]) == ["a/out", "b/out"]


NUMBER = st.integers(0, 99999).map(str)


@st.composite
def tables(draw):
    numbers = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(TEXT, *[NUMBER] * numbers), min_size=1, max_size=5))
    return Table([draw(TEXT) for _ in range(numbers + 1)], [list(row) for row in rows])


@given(tables(), st.integers(30, 120))
def test_no_line_is_wider_than_the_terminal_if_names_can_be_shortened(table, columns):
    lines = render_text(table, columns=columns).splitlines()
    numbers = len(table.headers) - 1
    least = SHORTEST_NAME + numbers * (SHORTEST_HEADER + 2)
    assert max(map(width_of, lines)) <= max(columns, least)
    assert len(lines) == len(table.rows) + 1


@given(tables())
def test_numbers_end_under_each_other(table):
    for line, row in zip(render_text(table, columns=80).splitlines()[1:], table.rows, strict=True):
        assert line.endswith(row[-1])
    widths = {width_of(line) for line in render_text(table, columns=80).splitlines()[1:]}
    assert len(widths) == 1


@given(tables())
def test_a_table_is_a_row_per_line_in_every_form(table):
    assert render_markdown(table).count("\n") == len(table.rows) + 2
    assert render_latex(table).count("\\\\\n") == len(table.rows) + 1
    assert render_csv(table).count("\n") >= len(table.rows) + 1


@given(tables())
def test_bold_adds_nothing_but_escapes(table):
    best = frozenset({(0, 1)})
    plain = render_text(table)
    bold = render_text(Table(table.headers, table.rows, best=best), bold=True)
    assert re.sub("\x1b\\[[01]m", "", bold) == plain


def test_a_table():
    table = Table(["", "gold", "F1"], [["tokens", "12", "88.00"], ["北京", "3", "-"]])
    assert render_text(table) == "        gold     F1\ntokens    12  88.00\n北京       3      -\n"
    assert render_csv(table) == ",gold,F1\ntokens,12,88.00\n北京,3,'-\n"
    assert render_markdown(table) == (
        "|  | gold | F1 |\n| --- | ---: | ---: |\n| tokens | 12 | 88.00 |\n| 北京 | 3 | - |\n"
    )
    assert render_latex(table) == (
        "\\begin{tabular}{lrr}\n\\toprule\n & gold & F1 \\\\\n\\midrule\n"
        "tokens & 12 & 88.00 \\\\\n北京 & 3 & - \\\\\n\\bottomrule\n\\end{tabular}\n"
    )


@pytest.mark.issue(28)
@given(
    st.floats(0, 1)
    | st.builds(lambda k, n: min(k, n) / n, st.integers(1, 100_000), st.integers(1, 100_000))
    | st.builds(lambda limit, below: limit - below, st.sampled_from(SIGNIFICANT), st.floats(0, 0.001))
)
def test_p_is_written_on_the_same_side_of_the_limits_of_significance_as_it_is(p):
    shown = show_p(p)
    number = float(shown.lstrip("<"))
    assert all((number < limit) == (p < limit) for limit in SIGNIFICANT)
    assert abs(number - p) < 0.0001 or shown == "<0.0001"
    assert len(shown.lstrip("<")) == 6


@pytest.mark.issue(28)
def test_p_below_a_limit_is_never_rounded_up_to_it():
    assert [show_p(p) for p in (10 / 1001, 11 / 1001, 50 / 1001, 0.04999, 0.01, 0.05, 1 / 1001)] == [
        "0.0099", "0.0110", "0.0499", "0.0499", "0.0100", "0.0500", "0.0010",
    ]  # fmt: skip
