"""Figures: well-formed, escaped, and with a description in words."""

import re
from xml.etree import ElementTree

import pytest

from evalign.reports.html.documents import (
    BARCODE_HEIGHT,
    BARCODE_SHAPES,
    BARCODE_WIDTH,
    draw_barcode,
    place_tick,
)
from evalign.reports.html.figures import (
    ForestPoint,
    RankedMetric,
    Scale,
    draw_forest,
    draw_ranks,
    draw_waterfall,
    fit_scale,
    rank_values,
    svg,
    tag,
    tick_label,
)
from evalign.reports.html.markup import shorten_names, visible
from pages import ASSETS, HOSTILE_NAMES


def texts(picture):
    """All text elements of a picture."""
    return [found.text or "" for found in ElementTree.fromstring(picture).iter("text")]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_whatever_a_system_is_called_a_figure_is_well_formed(name):
    shown = visible(name)
    pictures = [
        draw_forest("tokens", [ForestPoint(shown, 90.0, 89.0, 91.0, "baseline"), ForestPoint("b", None)]),
        draw_ranks([shown, "b"], [RankedMetric("tokens", [1.0, 2.0]), RankedMetric("words", [2.0, None])]),
        draw_waterfall(shown, "las", 80.0, [("sentences", 5.0), ("structure", 15.0)]),
        draw_barcode({"split": [1, 5]}, 0, 10, label=name),
    ]
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert not list(root.iter("script"))
        assert {child.tag for child in root.iter()} <= {
            "svg", "g", "title", "text", "line", "rect", "path", "circle", "polygon",
        }  # fmt: skip


def test_children_are_text_unless_they_are_elements():
    assert tag("text", "<b>") == "<text>&lt;b&gt;</text>"
    assert tag("g", tag("text", "a"), "b & c") == "<g><text>a</text>b &amp; c</g>"
    assert tag("rect", class_='a"b', stroke_width=1.0) == '<rect class="a&#34;b" stroke-width="1"></rect>'
    assert 'role="img" aria-label="x &lt; y"' in svg(1, 2, label="x < y")


def test_a_forest_has_a_row_per_system_and_a_line_for_the_baseline():
    points = [
        ForestPoint("one", 90.0, 88.0, 92.0, "baseline"),
        ForestPoint("two", 93.0, 92.5, 94.0, "better"),
        ForestPoint("three", None),
    ]
    picture = draw_forest("tokens", points, note="F1")
    assert {"one", "two", "three", "90.00", "93.00", "-", "tokens", "F1"} <= set(texts(picture))
    assert picture.count("fig-baseline") == 1
    assert "two 93.00, from 92.50 to 94.00" in ElementTree.fromstring(picture).get("aria-label")


def test_a_forest_of_equal_or_of_no_values_can_be_drawn():
    for value in (0.0, 100.0, None):
        assert texts(draw_forest("pk", [ForestPoint("one", value, value, value)]))


def test_ranks_keep_equal_systems_in_order_and_undefined_ones_last():
    assert rank_values(RankedMetric("tokens", [80.0, 90.0, 80.001]), range(3)) == [1, 0, 2]
    assert rank_values(RankedMetric("tokens", [None, 90.0, 80.0]), range(3)) == [2, 0, 1]
    assert rank_values(RankedMetric("pk", [3.0, 1.0, 2.0], lower_is_better=True), range(3)) == [2, 0, 1]


def test_ranks_name_every_system_at_both_ends():
    picture = draw_ranks(
        ["one", "two"], [RankedMetric("tokens", [1.0, 2.0]), RankedMetric("words", [2.0, 1.0])]
    )
    assert [texts(picture).count(name) for name in ("one", "two")] == [2, 2]
    assert "tokens: two, one. words: one, two" in ElementTree.fromstring(picture).get("aria-label")


def test_a_waterfall_ends_where_f1_is():
    picture = draw_waterfall("one", "las", 68.43, [("sentences", 7.18), ("tokens", 24.39)])
    assert {"100", "−7.18", "−24.39", "68.43"} <= set(texts(picture))
    assert sum("68.43" in text for text in texts(picture)) == 1


def test_a_barcode_stays_in_its_box():
    assert [place_tick(offset, 100) for offset in (0, 100, 10**9)] == [
        1,
        BARCODE_WIDTH - 6,
        BARCODE_WIDTH - 6,
    ]
    assert place_tick(5, 0) <= BARCODE_WIDTH
    picture = draw_barcode({"split": [10, 10, 11], "merge": []}, 10, 2, label="3 errors")
    paths = [found.get("d") for found in ElementTree.fromstring(picture).iter("path")]
    assert paths == ["M1 9v9M297 9v9"]


def test_scripts_draw_barcodes_as_python_does():
    script = (ASSETS / "documents.js").read_text(encoding="utf-8")
    drawn = dict(re.findall(r"^    (\w+): \(x\) => `(M[^`]*)`,$", script, re.MULTILINE))
    assert drawn == {kind: shape.replace("{x}", "${x}") for kind, shape in BARCODE_SHAPES.items()}
    assert f"const WIDTH = {BARCODE_WIDTH};" in script
    assert f"const HEIGHT = {BARCODE_HEIGHT};" in script


def test_an_axis_names_round_values():
    assert Scale(73.7, 86.0, 0, 100).ticks(3) == [75.0, 80.0, 85.0]
    assert fit_scale([0.0, 0.0], 0, 1).low == 0
    assert [tick_label(value, 2.5) for value in (92.5, 95.0)] == ["92.5", "95.0"]


def test_names_that_would_be_the_same_stay_whole():
    assert shorten_names(["a/x.txt", "b/x.txt"]) == ["a/x", "b/x"]
    assert shorten_names(["runs/same.txt", "runs/same.txt"]) == ["same", "same"]
    assert shorten_names([""]) == ["(no name)"]
    assert len(shorten_names(["x" * 300, "y"])[0]) == 40
