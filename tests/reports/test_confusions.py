"""Reports of words with different labels: laws that hold for any treebanks."""

import json

import pytest
from hypothesis import given

import evalign
from evalign.metrics.census import has_columns
from evalign.metrics.errors.all_errors import count_kinds, count_label_pairs, find_mismatches, group_errors
from evalign.metrics.errors.label_errors import ASPECTS
from evalign.metrics.errors.mismatches import ErrorGroup
from evalign.reports.diff import render_diff
from evalign.reports.errors import (
    RankedErrors,
    fit_confusion_matrix,
    make_confusion_matrix,
    render_errors,
    render_matrices,
)
from evalign.reports.scores import render_scores
from evalign.scoring.count import compare_documents
from evalign.scoring.request import resolve
from evalign.wording import width_of
from metrics.sentences import GOLD, SYSTEM
from treebanks import broken_pairs


def cell(gold, system, count):
    return ErrorGroup("confused", "", (gold,), (system,), count, ())


def test_a_matrix_has_the_most_confused_labels_and_all_others_together():
    groups = [cell("a", "a", 90), cell("a", "b", 5), cell("b", "a", 4), cell("c", "d", 2), cell("d", "a", 1)]
    assert make_confusion_matrix(groups, 2).rows == [
        ["a", "90", "5", ".", "95"],
        ["b", "4", ".", ".", "4"],
        ["others", "1", ".", "2", "3"],
        ["all", "95", "5", "2", "102"],
    ]
    assert make_confusion_matrix(groups, 2).headers == ["gold", "a", "b", "others", "all"]
    assert make_confusion_matrix(groups, 9).headers == ["gold", "a", "b", "d", "all"]


def test_labels_that_are_called_like_the_sums_are_labels():
    table = make_confusion_matrix([cell("all", "others", 2), cell("others", "x", 1)], 9, "0")
    assert table.headers == ["gold", "others", "x", "all"]
    assert table.rows == [["others", "0", "1", "1"], ["all", "2", "0", "2"], ["all", "2", "1", "3"]]


@pytest.mark.parametrize("columns", [32, 40, 80])
def test_a_matrix_has_as_many_labels_as_there_is_room_for(columns):
    groups = [cell(f"gold{k}", f"system{k % 7}", k) for k in range(1, 40)]
    table = fit_confusion_matrix(groups, 20, columns)
    assert table.width <= columns
    assert fit_confusion_matrix(groups, 20, 1000).headers == make_confusion_matrix(groups, 20).headers


def test_groups_without_examples_are_shown_without():
    ranked = RankedErrors("upos", {"confused": 3}, [cell("A", "B", 2), cell("C", "D", 1)])
    texts = [
        render_errors([ranked], columns=60),
        render_errors([ranked], "markdown"),
        render_errors([ranked], "csv"),
    ]
    assert all("A" in text and "D" in text for text in texts)


def rank(comparison, metric):
    pairing = count_label_pairs(comparison, "upos")
    return RankedErrors(metric, count_kinds(comparison, metric), group_errors(comparison, metric), pairing)


@given(broken_pairs())
def test_every_report_of_any_treebank_fits_and_is_safe(pair):
    texts = [evalign.Text(text) for text in (pair.gold, pair.system)]
    comparison, _ = compare_documents(*texts, resolve(gold_format="conllu", system_format="conllu"))
    metrics = [metric for metric, aspect in ASPECTS.items() if has_columns(comparison, aspect.needs)]
    ranked = [rank(comparison, metric) for metric in metrics]
    for columns in (60, 80, 120):
        errors = [error for metric in metrics for error in find_mismatches(comparison, metric)]
        reports = ["".join(render_diff(errors, columns=columns))]
        reports += [render(ranked, columns=columns) for render in (render_errors, render_matrices)]
        for report in reports:
            assert all(line.isprintable() and width_of(line) <= columns for line in report.split("\n"))
            assert all(line == line.rstrip() for line in report.split("\n"))
    for format in ("csv", "markdown", "latex", "json"):
        assert render_errors(ranked, format)
        render_matrices(ranked, format)
    assert [found["metric"] for found in json.loads(render_errors(ranked, "json"))] == metrics


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_the_corner_of_a_breakdown_says_what_it_is_of(format):
    texts = [evalign.Text(text, name) for text, name in ((GOLD, "g"), (SYSTEM, "one"), (GOLD, "two"))]
    shown = render_scores(evalign.score(*texts, metrics=["upos"]), format, per=["tag"])
    assert "tag, one" in shown
    assert "tag, two" in shown
