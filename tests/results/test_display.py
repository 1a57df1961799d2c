"""Results as they are printed and as notebooks show them."""

import pickle
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import evalign
from evalign.metrics.errors.mismatches import LONGEST_SIDE
from evalign.results.display import MOST_HTML_ROWS, MOST_SHOWN_WARNINGS, PRINTED_WIDTH
from evalign.results.system_result import NoEvidence
from evalign.wording import width_of


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
    assert "against gold.conllu, counted by 2 documents" in table.text
    assert str(examples) not in result._repr_html_()
    assert table.rows[1:] == [
        ["tokens", "94.12P\xa091.95 R\xa096.39", "93.49P\xa091.86 R\xa095.18"],
        ["LAS", "77.97P\xa076.67 R\xa079.31", "-"],
        ["edit-distance", "8.43rate", "8.43rate"],
    ]
    assert "text identical (280 characters)" in table.text
    assert (
        "text differs (275 characters identical, 4 made equal, 1 not); tolerated: 1 character only in gold, "
        in table.text
    )
    assert "signature  evalign:" in table.text
    assert "system.txt: lines:differ" in table.text
    assert result.systems[1].signature not in table.text
    assert not table.open


def test_one_system_and_one_score(result):
    assert Table(result.systems[0]._repr_html_()).rows[1][0] == "tokens"
    rows = Table(result["tokens"]._repr_html_()).rows
    assert rows == [
        [
            "metric",
            "correct",
            "gold",
            "system",
            "false positives",
            "false negatives",
            "precision",
            "recall",
            "F1",
        ],
        ["tokens", "80", "83", "87", "7", "3", "91.95", "96.39", "94.12"],
    ]
    assert Table(result.systems[1]["las"]._repr_html_()).rows[1][1] == "-"


def test_parts_are_parts_by_metrics(result):
    rows = Table(result.split("document")._repr_html_()).rows
    assert rows[0] == ["document", "system", "tokens", "LAS", "edit-distance"]
    assert [row[0] for row in rows[1:]] == ["harbour", "harbour", "kitchen", "kitchen"]


def test_text_is_never_markup():
    name = "<script>alert('x')</script>&\x1b[31m"
    gold, systems = {name: [["a", name]]}, ([["a", f"{name} b"]], [[]])
    result = evalign.score(gold, *(evalign.read(system, name=name) for system in systems))
    values = [result, result.systems[0], result["tokens"], result.split("document")]
    values += [evalign.gate(result, fail_under={"tokens": 50}), result.breakdown("frequency")]
    for value in (*values, result.errors("tokens"), result.error_groups("tokens")):
        table = Table(value._repr_html_())
        assert table.tags <= {"table", "thead", "tbody", "tr", "th", "td", "small", "br", "b", "code"}
        assert "\x1b" not in value._repr_html_()


def test_warnings_are_shown_up_to_a_number():
    scorer = evalign.Scorer(metrics=["tokens"])
    for number in range(MOST_SHOWN_WARNINGS + 2):
        scorer.update([["a"]], evalign.Text("a", f"s{number}"))
    shown = scorer.result()._repr_html_()
    assert shown.count("warning: ") == MOST_SHOWN_WARNINGS
    assert "2 more warnings" in shown


def test_nothing_to_judge_is_shown():
    assert Table(evalign.score([], [])._repr_html_()).rows[1] == ["sentences", "-"]


def test_one_system_prints_without_a_column_of_names(result, examples):
    one = evalign.score(examples / "gold.conllu", examples / "second.conllu")
    lines = str(one).splitlines()
    assert lines[:3] == [
        "metric     precision  recall     F1",
        "sentences      61.54   66.67  64.00",
        "tokens         91.95   96.39  94.12",
    ]
    assert lines[-3] == "second.conllu against gold.conllu, counted by 2 documents"
    assert str(result.systems[0]).splitlines()[-2] == "second.conllu: text identical (280 characters)"
    assert str(result.systems[0]).splitlines()[2].split() == ["LAS", "76.67", "79.31", "77.97"]


def test_a_score_prints_all_its_numbers(result):
    assert str(result["tokens"]).splitlines() == [
        "metric  correct  gold  system  false positives  false negatives  precision  recall     F1",
        "tokens       80    83      87                7                3      91.95   96.39  94.12",
    ]


def test_parts_say_who_failed_on_what(tmp_path):
    for name, text in {"gold/a.txt": "x y\n", "gold/b.txt": "z\n", "run/a.txt": "x y\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    parts = evalign.score_collection(tmp_path / "gold", tmp_path / "run", metrics=["tokens"])
    assert "b         run     failed" in str(parts).splitlines()
    assert "warning: run has no file named b.txt" in str(parts).splitlines()
    assert "run has no file named b.txt" in parts._repr_html_()


@pytest.mark.parametrize("metrics", [(), ["all"]])
def test_what_is_printed_fits(examples, metrics):
    result = evalign.score(
        examples / "gold.conllu", examples / "second.conllu", examples / "system.txt", metrics=metrics
    )
    for value in (result, *result, result.split("document"), *result.systems[0], *result.errors("las")):
        assert all(width_of(line) <= PRINTED_WIDTH + 10 for line in str(value).splitlines())


def test_columns_that_do_not_fit_are_printed_below_with_the_names_again(examples):
    parts = evalign.score(examples / "gold.conllu", examples / "second.conllu").split("document")
    lines = str(parts).splitlines()
    heads = [line.split() for line in lines if line.startswith("document")]
    assert len(heads) == 2
    assert [name for head in heads for name in head[2:]][-2:] == ["MLAS", "BLEX"]
    assert sum(line.startswith("harbour ") for line in lines) == 2


def test_a_representation_is_one_short_line(result):
    assert repr(result) == "<Result: 2 systems against 'gold.conllu', 3 metrics>"
    assert repr(result.systems[0]) == "<SystemResult 'second.conllu': 3 metrics>"
    assert repr(result["tokens"]) == "<Score 'tokens': f1 0.9412>"
    assert repr(result.systems[1]["las"]) == "<Score 'las': not available>"
    assert repr(evalign.score([], [])["tokens"]) == "<Score 'tokens': f1 undefined>"
    assert repr(result.split("document")) == "<Parts by document: 2 parts, 2 systems, 3 metrics>"


def test_control_characters_are_shown_and_not_obeyed_where_they_are_printed():
    name = "a\x1b[31m\n\u202e"
    gold, system = {name: [["x\x1b", "y\x07z"]]}, evalign.read([["x\x1b", "y", "\x07z"]], name=name)
    result = evalign.score(gold, system, system)
    errors = result.errors("tokens")
    assert errors
    values = [result, *result, errors, result.error_groups("tokens"), *errors]
    values += [evalign.gate(result, fail_under={"tokens": 90}), result.split("document"), result["tokens"]]
    values += [result.breakdown("frequency"), *result.breakdown("frequency").values()]
    for value in values:
        assert all(line.isprintable() for line in str(value).split("\n"))
        assert repr(value).isprintable()


def test_metrics_that_a_system_lacks_print_as_a_dash():
    assert str(evalign.score([], [])).splitlines()[1].split() == ["sentences", "-", "-", "-"]


def test_errors_print_a_line_each(result):
    assert str(result.errors("tokens")[:2]).splitlines() == [
        "gold.conllu:16: tokens split: a.m. -> a.m ¦ .",
        "gold.conllu:51: tokens split: e-mail -> e ¦ - ¦ mail",
    ]
    assert str(result.errors("LAS")[0]) == (
        'gold.conllu:6: LAS both: [news] root, head the root -> nsubj, head "left"'
    )
    sentence = evalign.score([["a", "."], ["b"]], [["a", ".", "b"]]).errors("sentences")
    assert str(sentence) == "<tokens>:1: sentences merge (end mark): a . ¦ b -> a . b"


def test_boundaries_of_long_sentences_are_seen_where_they_are_printed():
    words = [f"word{number}" for number in range(40)]
    result = evalign.score([words, [*words, "."]], [[*words, *words, "."]])
    [line] = str(result.errors("sentences")).splitlines()
    gold, system = line.split(": ")[2].split(" -> ")
    assert gold.count(" ¦ ") == 1
    assert all("…" in side for side in (*gold.split(" ¦ "), system))
    assert max(map(width_of, (gold, system))) <= LONGEST_SIDE


def test_where_there_is_no_error_that_is_printed():
    result = evalign.score([["a"]], [["a"]])
    assert str(result.errors("tokens")) == str(result.error_groups("tokens")) == "no errors"
    failed = replace(result.systems[0], failure="no such file", evidence=NoEvidence())
    assert str(failed.errors("tokens")) == "not known: no such file"


def test_groups_of_errors_print_a_line_each(examples):
    result = evalign.score(examples / "gold.conllu", examples / "second.conllu")
    assert str(result.error_groups("uas")[:2]).splitlines() == [
        "3x head: NOUN -> NOUN, 13.0% of 23, first at gold.conllu:14",
        "1x head: ADJ -> the root, 25.0% of 4, first at gold.conllu:91",
    ]
    assert str(result.error_groups("upos")[0]) == "1x ADJ -> ADV, 33.3% of 3, first at gold.conllu:28"
    assert str(result.error_groups("sentences")[0]) == "1x merge (newline), first at gold.conllu:5"
    assert str(result.error_groups("tokens", examples=0)[0]) == "1x split: No. -> No ¦ ."


def test_errors_and_groups_are_lists_and_tables_in_a_notebook(result):
    errors, groups = result.errors("las"), result.error_groups("las")
    assert errors == list(errors)
    assert errors[:2] == list(errors)[:2]
    rows = Table(errors._repr_html_()).rows
    assert rows[0] == ["kind", "gold", "system", "trigger", "context", "place"]
    assert rows[1] == [
        "both",
        "root, head the root",
        'nsubj, head "left"',
        "",
        "Harbour [news] The ferry left at 7 a.m.",
        "gold.conllu:6",
    ]
    assert len(rows) == 1 + len(errors)
    rows = Table(groups._repr_html_()).rows
    assert rows[1] == ["1", "both", "", "ccomp", "root", "100.00", "gold.conllu:35"]


def test_a_long_list_of_errors_is_cut_in_a_notebook_and_says_so():
    gold = [[f"a{number}"] for number in range(MOST_HTML_ROWS + 2)]
    errors = evalign.score(gold, [["b"] for _ in gold]).errors("tokens")
    table = Table(errors._repr_html_())
    assert len(table.rows) == 1 + MOST_HTML_ROWS
    assert f"and {len(errors) - MOST_HTML_ROWS:,} more" in table.text


def test_a_breakdown_prints_a_line_for_each_label(result):
    found = result.breakdown("relation")
    assert str(found).splitlines()[:3] == [
        "relation   precision  recall      F1  correct  gold  system",
        "punct          84.21  100.00   91.43       16    16      19",
        "root           84.62   91.67   88.00       11    12      13",
    ]
    assert str(found["root"]) == "precision 84.62, recall 91.67, F1 88.00 (11 correct, 12 gold, 13 system)"
    assert Table(found._repr_html_()).rows[1] == ["punct", "84.21", "100.00", "91.43", "16", "16", "19"]
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.kind) == (dict(found), "relation")


def test_a_metric_that_one_system_was_not_scored_by_prints_as_a_dash(result):
    second = replace(result.systems[1], scores={"tokens": result.systems[1]["tokens"]})
    shown = replace(result, systems=(result.systems[0], second))
    lines = [line.split() for line in str(shown).splitlines()]
    assert ["LAS", "second.conllu", "76.67", "79.31", "77.97"] in lines
    assert lines[4] == ["system.txt", "-", "-", "-"]
    assert lines[6] == ["system.txt", "-", "-", "-"]
    assert Table(shown._repr_html_()).rows[2][2] == "-"
