"""The precision-recall curve: correct steps, distinguishable thresholds, and a description in words."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from evalign.reports.html.markup import visible
from evalign.reports.html.pairs import (
    EQUAL_F1,
    PRECISION_SCALE,
    RECALL_SCALE,
    CurveMark,
    CurveSeries,
    draw_curve,
)
from pages import HOSTILE_NAMES

LEFT, RIGHT, BOTTOM, TOP = *RECALL_SCALE[2:], *PRECISION_SCALE[2:]
STEPS = [(20.0, 100.0), (20.0, 80.0), (60.0, 75.0), (100.0, 50.0)]
TRAINED, ORACLE = CurveMark(75.0, 60.0, 66.67, "0.6"), CurveMark(50.0, 100.0, 66.67, "0.2")
ONE = CurveSeries("one", STEPS, 70.0, TRAINED, ORACLE)


def parse(picture):
    return ElementTree.fromstring(picture)


def texts(picture):
    return [found.text for found in parse(picture).iter("text")]


def of_class(picture, name):
    return [found for found in parse(picture).iter() if name in (found.get("class") or "").split()]


def walk(path):
    """The corners of a path of lines along and across."""
    x, y = map(float, re.match(r"M([\d.]+) ([\d.]+)", path).groups())
    corners = [(x, y)]
    for letter, number in re.findall(r"([HV])([\d.]+)", path):
        x, y = (float(number), y) if letter == "H" else (x, float(number))
        corners.append((x, y))
    return corners


def place(recall, precision):
    return RECALL_SCALE(recall), PRECISION_SCALE(precision)


def test_lines_are_steps_and_never_slopes():
    (line,) = [e for e in of_class(draw_curve([ONE]), "fig-curve") if e.get("d").startswith(f"M{LEFT} {TOP}")]
    assert re.fullmatch(r"M[\d.]+ [\d.]+([HV][\d.]+)+", line.get("d"))
    expected = [(0, 100), (20, 100), (20, 80), (20, 75), (60, 75), (60, 50), (100, 50)]
    assert walk(line.get("d")) == [pytest.approx(place(*corner), abs=0.01) for corner in expected]


def test_the_area_under_the_steps_is_the_average_precision():
    (line,) = [e for e in of_class(draw_curve([ONE]), "fig-curve") if "V" in e.get("d")]
    corners = walk(line.get("d"))
    area = sum((x2 - x1) * (BOTTOM - y2) for (x1, _), (x2, y2) in pairwise(corners))
    # By hand: 20 at 100, 40 at 75, 40 at 50.
    assert area / ((RIGHT - LEFT) * (BOTTOM - TOP)) == pytest.approx(0.7, abs=1e-3)


def test_trained_and_oracle_thresholds_have_other_shapes_and_a_legend():
    picture = draw_curve([ONE, CurveSeries("two", STEPS, 70.0, None, ORACLE)])
    (disc,) = [e for e in of_class(picture, "trained") if e.tag == "circle" and float(e.get("r")) > 7]
    assert (float(disc.get("cx")), float(disc.get("cy"))) == pytest.approx(place(60, 75), abs=0.01)
    assert {e.tag for e in of_class(picture, "oracle")} == {"polygon", "text"}
    assert {"trained threshold", "oracle threshold"} <= set(texts(picture))
    assert "all pairs, without scores" not in texts(picture)


def test_only_what_is_there_is_in_the_legend():
    picture = draw_curve([CurveSeries("one", STEPS, 70.0, None, ORACLE)])
    assert "trained threshold" not in texts(picture)


def test_systems_are_told_apart_without_colours():
    systems = [CurveSeries(f"system {k}", STEPS, 70.0, TRAINED, ORACLE) for k in range(5)]
    picture = draw_curve(systems)
    dashes = [e.get("stroke-dasharray") for e in of_class(picture, "fig-curve") if "V" in e.get("d")]
    assert len(set(dashes[:4])) == 4
    assert [e.text for e in of_class(picture, "fig-number") if "trained" in e.get("class")] == list("12345")
    assert {f"system {k}" for k in range(5)} <= set(texts(picture))


def test_one_system_needs_no_number():
    assert of_class(draw_curve([ONE]), "fig-number") == []


def test_a_point_in_front_of_another_has_the_number():
    both = CurveSeries("one", STEPS, 70.0, TRAINED, TRAINED)
    numbers = of_class(draw_curve([both, both]), "fig-number")
    assert ["trained" in e.get("class") for e in numbers] == [True, True]


def test_a_system_without_scores_is_a_point():
    picture = draw_curve(
        [ONE, CurveSeries("two", [], all=CurveMark(40.0, 30.0, 34.29)), CurveSeries("none", [])]
    )
    squares = [e for e in of_class(picture, "all") if e.tag == "polygon"]
    assert len(squares) == 3  # the point, what it means, the row of the system
    assert "all pairs, without scores" in texts(picture)
    said = parse(picture).get("aria-label")
    assert "two: all pairs, without scores: precision 40.00, recall 30.00, F1 34.29" in said
    assert said.endswith("none: nothing to draw")


def test_the_picture_says_in_words_what_it_shows():
    said = parse(draw_curve([ONE])).get("aria-label")
    assert said == (
        "Precision by recall. one: average precision 70.00; "
        "trained threshold 0.6: precision 75.00, recall 60.00, F1 66.67; "
        "oracle threshold 0.2: precision 50.00, recall 100.00, F1 66.67"
    )
    titles = [e.text for e in parse(draw_curve([ONE])).iter("title")]
    assert "one, trained threshold 0.6: precision 75.00, recall 60.00, F1 66.67" in titles


def test_axes_are_named_and_go_from_nothing_to_all():
    found = texts(draw_curve([ONE]))
    assert {"precision", "recall", "0", "20", "100", "AP 70.00"} <= set(found)
    assert {f"F1 {f1}" for f1 in EQUAL_F1} <= set(found)


def test_lines_of_equal_f1_are_of_equal_f1():
    for f1, line in zip(EQUAL_F1, of_class(draw_curve([ONE]), "fig-equal"), strict=True):
        for x, y in re.findall(r"([\d.]+) ([\d.]+)", line.get("d")):
            recall = (float(x) - LEFT) / (RIGHT - LEFT)
            precision = (BOTTOM - float(y)) / (BOTTOM - TOP)
            assert 2 * precision * recall / (precision + recall) == pytest.approx(f1 / 100, abs=1e-3)


def test_nothing_is_drawn_outside_of_the_picture():
    ends = [CurveMark(0.0, 0.0, 0.0, "1"), CurveMark(100.0, 100.0, 100.0, "0")]
    root = parse(draw_curve([CurveSeries("one", [(0.0, 0.0), (100.0, 100.0)], 100.0, *ends)]))
    _, _, width, height = map(float, root.get("viewBox").split())
    for element in root.iter("text"):
        assert 0 <= float(element.get("x")) <= width
        assert 0 <= float(element.get("y")) <= height


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_whatever_a_system_is_called_the_picture_is_well_formed(name):
    root = parse(
        draw_curve([CurveSeries(visible(name), STEPS, 70.0, TRAINED, ORACLE), CurveSeries(visible(name), [])])
    )
    assert {child.tag for child in root.iter()} <= {
        "svg", "g", "title", "text", "line", "path", "circle", "polygon",
    }  # fmt: skip
