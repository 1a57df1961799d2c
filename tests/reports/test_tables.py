"""Tables with marks, intervals and notes in every format; numbers in CSV stay numbers."""

from hypothesis import given, strategies as st

from evalign.reports.formats import (
    render_csv,
    render_latex,
    render_markdown,
    render_text,
    render_typst,
    typst_cell,
)
from evalign.table import Table

TABLE = Table(
    ["", "a", "b"],
    [["one", "9.00", "-"], ["two", "10.00", "8.50"]],
    best=frozenset({(1, 1)}),
    marks={(1, 1): "*", (1, 2): "**"},
    behind={(0, 1): "[8.00, 9.50]", (1, 1): "[9.00, 11.00]"},
    notes=["* p < 0.05"],
)


def test_on_a_terminal_numbers_stay_one_under_the_other():
    assert render_text(TABLE) == (
        "                        a       b\n"
        "one   9.00  [8.00, 9.50]      -\n"
        "two  10.00* [9.00, 11.00]  8.50**\n"
    )


def test_a_heading_runs_over_the_columns_behind_it():
    rows = [["a-metric-with-a-long-name", "", ""], ["  one", "9.00", "-"], ["", "10.00", "8.50"]]
    table = Table(["", "a", "b"], rows)
    told = "           a     b\na-metric-with-a-long-name\n  one   9.00     -\n       10.00  8.50\n"
    assert render_text(table, columns=25) == told
    assert render_text(table).splitlines()[2] == f"  one{' ' * 23}9.00     -"
    assert render_text(table, columns=20).splitlines()[1] == "a-metric-w…long-name"


def test_in_latex_a_last_mark_hangs_over():
    lines = render_latex(TABLE).splitlines()
    assert lines[4] == r"one & 9.00 {\scriptsize {[}8.00, 9.50]} & - \\"
    assert lines[5] == r"two & \textbf{10.00}$^{*}$ {\scriptsize {[}9.00, 11.00]} & 8.50\rlap{$^{**}$} \\"
    assert lines[-1] == r"{\footnotesize\raggedright {*} p \textless{} 0.05\par}"


def test_markdown_and_typst():
    assert r"| two | **10.00**\* \[9.00, 11.00\] | 8.50\*\* |" in render_markdown(TABLE)
    assert render_markdown(TABLE).endswith("\n\n\\* p \\< 0.05\n")
    typst = render_typst(TABLE)
    assert '"two", strong("10.00") + super("*") + text(size: 0.8em, " [9.00, 11.00]"),' in typst
    assert typst.endswith('#text(size: 0.8em, "* p < 0.05")\n')


def test_negative_numbers_are_numbers_in_csv_and_names_are_not():
    table = Table(["name", "value"], [["-1", "-1.5"], ["=x", "-1e-05"], ["a;=b", "=1+1"], ["c", "-"]])
    assert render_csv(table) == "name,value\n'-1,-1.5\n'=x,-1e-05\n\"a;=b\",'=1+1\nc,'-\n"


@given(st.text(st.characters() | st.sampled_from('"\\#$[]@*_`\n\u2028\ud800')))
def test_a_typst_cell_is_one_string(text):
    cell = typst_cell(text)
    inner = cell[1:-1].replace("\\\\", "").replace('\\"', "")
    assert (cell[0], cell[-1]) == ('"', '"')
    assert not set(inner) & set('"\\')
    assert inner.isprintable()
