"""Results as notebooks show them."""

from html.parser import HTMLParser

import pytest

import evalign
from evalign.result.notebook import MOST_WARNINGS


class Table(HTMLParser):
    """The cells of a table row by row, the text behind it, and the elements that were opened and not closed."""

    def __init__(self, markup):
        super().__init__()
        self.rows, self.text, self.tags, self.open = [], "", set(), []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "table" in self.open:
            self.rows[-1][-1] += data
        else:
            self.text += data + "\n"


@pytest.fixture
def result(examples):
    gold, systems = examples / "gold.conllu", (examples / "second.conllu", examples / "system.txt")
    return evalign.score(gold, *systems, metrics=["tokens", "las", "edit-distance"])


def test_a_result_is_metrics_by_systems(result, examples):
    table = Table(result._repr_html_())
    assert table.rows[0] == ["", "second.conllu", "system.txt"]
    assert "against gold.conllu, counted by document (2)" in table.text
    assert str(examples) not in result._repr_html_()
    assert table.rows[1:] == [
        ["tokens", "94.12P\xa091.95 R\xa096.39", "93.49P\xa091.86 R\xa095.18"],
        ["las", "77.97P\xa076.67 R\xa079.31", "-"],
        ["edit-distance", "8.43rate", "8.43rate"],
    ]
    assert "lines equal, 280 characters" in table.text
    assert "characters: 279 equal, 1 only in gold; tolerated: gold-only 1, brackets 2, quotes 2" in table.text
    assert result.systems[1].signature in table.text
    assert not table.open


def test_one_system_and_one_score(result):
    assert Table(result.systems[0]._repr_html_()).rows[1][0] == "tokens"
    rows = Table(result["tokens"]._repr_html_()).rows
    assert rows == [
        ["", "correct", "gold", "system", "precision", "recall", "f1"],
        ["tokens", "80", "83", "87", "91.95", "96.39", "94.12"],
    ]
    assert Table(result.systems[1]["las"]._repr_html_()).rows[1][1] == "-"


def test_parts_are_parts_by_metrics(result):
    rows = Table(result.split("document")._repr_html_()).rows
    assert rows[0] == ["document", "system", "tokens", "las", "edit-distance"]
    assert [row[0] for row in rows[1:]] == ["harbour", "harbour", "kitchen", "kitchen"]


def test_text_is_never_markup():
    name = "<script>alert('x')</script>&\x1b[31m"
    result = evalign.score(evalign.Text("a b\n", name), evalign.Text("a c\n", name), evalign.Text("", name))
    for value in (
        result,
        result.systems[0],
        result.split("document") if result.unit_kind == "document" else result,
    ):
        table = Table(value._repr_html_())
        assert table.tags <= {"table", "thead", "tbody", "tr", "th", "td", "small", "br", "b", "code"}
        assert "\x1b" not in value._repr_html_()


def test_warnings_are_shown_up_to_a_number():
    scorer = evalign.Scorer(metrics=["tokens"])
    for number in range(MOST_WARNINGS + 2):
        scorer.update([["a"]], evalign.Text("a", f"s{number}"))
    shown = scorer.result()._repr_html_()
    assert shown.count("warning: ") == MOST_WARNINGS
    assert "2 more warnings" in shown


def test_nothing_to_judge_is_shown():
    assert Table(evalign.score([], [])._repr_html_()).rows[1] == ["sentences", "-"]
