"""Sections on extracted pairs of sentences: precision by recall, thresholds, samples of errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign.metrics.registry import ORACLE, PAIRS, TRAINED
from evalign.reports.bitext import pairing_notes, show_corrected, show_score
from evalign.reports.html.figures import COLORS, DASHES, Scale, line, number, svg, tag, text
from evalign.reports.html.markup import metric_name, visible
from evalign.reports.html.overview import Grid
from evalign.results.pairing import PairExample, Pairing, Threshold
from evalign.results.result import Result
from evalign.results.system_result import SystemResult
from evalign.wording import percent, shorten


class PairSide(NamedTuple):
    """A sentence of a pair."""

    id: str
    language: str
    """Language tag for HTML, such as zh-hant."""
    text: str


class ShownPair(NamedTuple):
    """A pair as shown on the page."""

    first: PairSide
    second: PairSide
    score: str


class PairSample(NamedTuple):
    """A sample of the false or missed pairs of a system."""

    kind: str
    title: str
    total: int
    """How many pairs of the kind there are in all."""
    pairs: Sequence[ShownPair]
    has_scores: bool
    has_texts: bool
    rows: Sequence[Sequence[str]]
    """The pairs for a spreadsheet."""


class SystemSamples(NamedTuple):
    """The samples of one system, and the metric they are of."""

    system: str
    metric: str
    samples: Sequence[PairSample]


class PairSection(NamedTuple):
    """The content of the sections on pairs."""

    picture: Markup
    has_steps: bool
    """True if some system has scores, and so a curve."""
    grid: Grid
    notes: Sequence[str]
    samples: Sequence[SystemSamples]
    lacks_texts: bool
    """True if there are pairs whose sentences are unknown."""


def make_pairing(result: Result, names: Sequence[str]) -> PairSection | None:
    """Make the sections for a result of pairs; None for any other result."""
    if not any(system.pairing for system in result.systems):
        return None
    series = [_series(system, name) for system, name in zip(result.systems, names, strict=True)]
    samples = [_samples(system, name) for system, name in zip(result.systems, names, strict=True)]
    return PairSection(
        draw_curve(series),
        any(each.steps for each in series),
        _make_grid(result, names),
        pairing_notes(result),
        samples,
        any(sample.pairs and not sample.has_texts for each in samples for sample in each.samples),
    )


def _series(system: SystemResult, name: str) -> CurveSeries:
    pairing = system.pairing or Pairing()
    steps = [(100 * (point["recall"] or 0.0), 100 * point["precision"]) for point in pairing.get("curve", [])]
    average = pairing.get("average_precision")
    return CurveSeries(
        name,
        steps,
        None if average is None else 100 * average,
        _mark(system, TRAINED, pairing.get("trained")),
        _mark(system, ORACLE, pairing.get("oracle")),
        None if steps else _mark(system, PAIRS, None),
    )


def _mark(system: SystemResult, metric: str, threshold: Threshold | None) -> CurveMark | None:
    """Return the point of a system at a threshold, or of all its pairs; None if it has none."""
    score = system.scores.get(metric)
    if (
        score is None
        or score.precision is None
        or score.recall is None
        or (threshold is None) != (metric == PAIRS)
    ):
        return None
    at = "" if threshold is None else show_score(threshold["threshold"])
    return CurveMark(100 * score.precision, 100 * score.recall, 100 * (score.f1 or 0.0), at)


def _make_grid(result: Result, names: Sequence[str]) -> Grid:
    """Make a table with a row per system, without columns that are empty for all."""
    rows = [_cells(system) for system in result.systems]
    heads = [head for head in rows[0] if any(row[head] != "-" for row in rows)]
    shown = [[name, *(row[head] for head in heads)] for name, row in zip(names, rows, strict=True)]
    return Grid(["system", *heads], shown if heads else [])


def _cells(system: SystemResult) -> dict[str, str]:
    pairing = system.pairing or Pairing()
    trained, oracle = pairing.get("trained"), pairing.get("oracle")
    return {
        "average precision": percent(pairing.get("average_precision")),
        "trained threshold": show_score(trained["threshold"]) if trained else "-",
        "F1 on training": percent(trained["f1"]) if trained else "-",
        "F1 here, trained": _f1(system, TRAINED),
        "oracle threshold": show_score(oracle["threshold"]) if oracle else "-",
        "F1 here, oracle": _f1(system, ORACLE),
        "precision after review": show_corrected(pairing),
    }


def _f1(system: SystemResult, metric: str) -> str:
    return percent(system.scores[metric].f1) if metric in system.scores else "-"


def _samples(system: SystemResult, name: str) -> SystemSamples:
    pairing = system.pairing or Pairing()
    metric = TRAINED if "trained" in pairing else PAIRS
    counts = (
        system.scores[metric].counts if metric in system.scores else {"correct": 0, "gold": 0, "system": 0}
    )
    false = _sample("false", "False pairs", counts["system"] - counts["correct"], pairing.get("false", []))
    missed = _sample("missed", "Missed pairs", counts["gold"] - counts["correct"], pairing.get("missed", []))
    return SystemSamples(name, metric_name(metric), [false, missed])


def _sample(kind: str, title: str, total: int, examples: Sequence[PairExample]) -> PairSample:
    pairs = [
        ShownPair(
            _side(example["first"], example["first_text"]),
            _side(example["second"], example["second_text"]),
            "" if example["score"] is None else show_score(example["score"]),
        )
        for example in examples
    ]
    rows = [["first", "second", "score", "first sentence", "second sentence"]]
    for example in examples:
        score = "" if example["score"] is None else repr(example["score"])
        rows.append(
            [example["first"], example["second"], score, example["first_text"], example["second_text"]]
        )
    has_texts = any(example["first_text"] or example["second_text"] for example in examples)
    return PairSample(kind, title, total, pairs, any(pair.score for pair in pairs), has_texts, rows)


def _side(id: str, text: str) -> PairSide:
    return PairSide(visible(id), visible(id.rpartition("-")[0].replace("_", "-")), visible(text))


# Precision and recall at every threshold: a line of steps for each system, with its thresholds marked on it.
#
# Pairs of equal score are added together, so there is no point between two thresholds, and steps are not joined
# by slopes. The area under the steps is the average precision.


CURVE_WIDTH = 416
LEFT, RIGHT, TOP, BOTTOM = 28, 376, 26, 336
# Gap between the plot and the legend, and the height of its rows.
LEGEND_GAP, LEGEND_ROW = 46, 23
LONGEST_NAME = 34
# Half the size of a point. Where two coincide the larger shape is visible around the smaller one.
TRAINED_SIZE, ORACLE_SIZE, ALL_SIZE = 7.5, 12.0, 7.5
# Distance of points below which one hides the number inside the other.
NEAR = 14
# x of the shapes in the legend, two in a row.
LEGEND_COLUMNS = (12, 176)
# Values of F1 that get a line, in percent.
EQUAL_F1 = (20, 40, 60, 80)

RECALL_SCALE = Scale(0, 100, LEFT, RIGHT)
PRECISION_SCALE = Scale(0, 100, BOTTOM, TOP)
_MARK_KINDS = {
    "trained": "trained threshold",
    "oracle": "oracle threshold",
    "all": "all pairs, without scores",
}


class CurveMark(NamedTuple):
    """A point: precision, recall and F1 in percent, and its threshold as shown, if any."""

    precision: float
    recall: float
    f1: float
    threshold: str = ""


class CurveSeries(NamedTuple):
    """The curve of one system and its marked points."""

    name: str
    steps: Sequence[tuple[float, float]]
    """Recall and precision in percent at every threshold, highest first; empty without scores."""
    average_precision: float | None = None
    trained: CurveMark | None = None
    oracle: CurveMark | None = None
    all: CurveMark | None = None
    """All pairs of a system without scores."""


def draw_curve(systems: Sequence[CurveSeries]) -> Markup:
    """Draw the curves of all systems, with a legend below."""
    kinds = [kind for kind in _MARK_KINDS if any(_mark_of(system, kind) for system in systems)]
    height = BOTTOM + LEGEND_GAP + LEGEND_ROW * (len(systems) + _legend_rows(kinds))
    several = len(systems) > 1
    parts = [*_equal_f1(), *_axes()]
    parts += [_steps(k, system) for k, system in enumerate(systems) if system.steps]
    # Larger shapes are drawn first, below smaller ones.
    for kind in ("oracle", "all", "trained"):
        parts += [_point(k, system, kind, several=several) for k, system in enumerate(systems)]
    parts += _legend(systems, kinds)
    return svg(CURVE_WIDTH, height, *parts, label=_in_words(systems), class_="curve")


def _mark_of(system: CurveSeries, kind: str) -> CurveMark | None:
    return {"trained": system.trained, "oracle": system.oracle, "all": system.all}[kind]


def _axes() -> list[Markup]:
    parts = [
        text(0, 12, "precision", class_="fig-note"),
        text(RIGHT, BOTTOM + 33, "recall", class_="fig-note end"),
    ]
    for tick in range(0, 101, 20):
        x, y = RECALL_SCALE(tick), PRECISION_SCALE(tick)
        parts.append(line(LEFT, y, RIGHT, y, class_="fig-grid"))
        parts.append(text(LEFT - 6, y + 4, str(tick), class_="fig-tick end"))
        parts.append(text(x, BOTTOM + 17, str(tick), class_="fig-tick middle"))
    return [*parts, line(LEFT, BOTTOM, RIGHT, BOTTOM, class_="fig-axis")]


def _equal_f1() -> list[Markup]:
    """Return lines of equal F1, named where recall is 100."""
    parts = []
    for f1 in EQUAL_F1:
        # R = F/2 (1 + e^u) and P = F/2 (1 + e^-u), from where precision is 100 to where recall is.
        most = math.log(200 / f1 - 1)
        places = [math.exp(most * (k - 16) / 16) for k in range(33)]
        points = [(f1 / 2 * (1 + e), f1 / 2 * (1 + 1 / e)) for e in places]
        path = "M" + "L".join(f"{number(RECALL_SCALE(r))} {number(PRECISION_SCALE(p))}" for r, p in points)
        parts.append(tag("path", d=path, class_="fig-equal"))
        parts.append(text(RIGHT + 5, PRECISION_SCALE(points[-1][1]) + 4, f"F1 {f1}", class_="fig-tick"))
    return parts


def _paint(k: int) -> str:
    return f"series series-{k % COLORS}"


def _dash(k: int) -> dict[str, str]:
    dash = DASHES[k % len(DASHES)]
    return {"stroke_dasharray": dash} if dash else {}


def _steps(k: int, system: CurveSeries) -> Markup:
    """Return the curve from the highest threshold on: up or down to a precision, then along to its recall."""
    pieces: list[str] = []
    at = "", ""
    for recall, precision in system.steps:
        x, y = number(RECALL_SCALE(recall)), number(PRECISION_SCALE(precision))
        if not pieces:
            pieces.append(f"M{number(LEFT)} {y}")
        elif y != at[1]:
            pieces.append(f"V{y}")
        if x != at[0]:
            pieces.append(f"H{x}")
        at = x, y
    path = tag("path", d="".join(pieces), class_="fig-curve", **_dash(k))
    return tag("g", tag("title", system.name), path, class_=_paint(k))


def _point(k: int, system: CurveSeries, kind: str, *, several: bool) -> Markup:
    """Return a point with its system's number inside, unless another point of the system would hide it."""
    mark = _mark_of(system, kind)
    if mark is None:
        return Markup()
    x, y = RECALL_SCALE(mark.recall), PRECISION_SCALE(mark.precision)
    other = system.trained if kind == "oracle" else None
    hidden = (
        other is not None
        and math.dist((x, y), (RECALL_SCALE(other.recall), PRECISION_SCALE(other.precision))) < NEAR
    )
    shown = str(k + 1) if several and not hidden else ""
    title = tag("title", f"{system.name}, {_tell(kind, mark)}")
    return tag("g", title, *_symbol(x, y, kind, shown), class_=_paint(k))


def _symbol(x: float, y: float, kind: str, shown: str, size: float = 1.0) -> list[Markup]:
    """Return a disc for the trained threshold, an empty diamond for the oracle, a square for all pairs."""
    label = [text(x, y + 3.6, shown, class_=f"fig-number {kind} middle")] if shown else []
    if kind == "trained":
        return [tag("circle", cx=x, cy=y, r=TRAINED_SIZE * size, class_="fig-mark trained"), *label]
    r = (ORACLE_SIZE if kind == "oracle" else ALL_SIZE) * size
    offsets = [(0, -r), (r, 0), (0, r), (-r, 0)] if kind == "oracle" else [(-r, -r), (r, -r), (r, r), (-r, r)]
    corners = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in offsets)
    return [tag("polygon", points=corners, class_=f"fig-mark {kind}"), *label]


def _legend(systems: Sequence[CurveSeries], kinds: Sequence[str]) -> list[Markup]:
    """Return the legend: the shapes, then a row per system with number, line, name and average precision."""
    top = BOTTOM + LEGEND_GAP + 8.0
    parts = []
    for n, kind in enumerate(kinds):
        x, y = LEGEND_COLUMNS[n % len(LEGEND_COLUMNS)], top + LEGEND_ROW * (n // len(LEGEND_COLUMNS))
        parts.append(tag("g", *_symbol(x, y, kind, "", 0.75), class_="fig-legend"))
        parts.append(text(x + 14, y + 4, _MARK_KINDS[kind], class_="fig-tick"))
    top += LEGEND_ROW * _legend_rows(kinds)
    for k, system in enumerate(systems):
        y = top + LEGEND_ROW * k
        row = (
            [text(LEGEND_COLUMNS[0], y + 4, str(k + 1), class_="fig-label small middle")]
            if len(systems) > 1
            else []
        )
        if system.steps:
            row.append(tag("path", d=f"M28 {number(y)}h34", class_="fig-curve", **_dash(k)))
        elif system.all:
            row += _symbol(45, y, "all", "", 0.75)
        row.append(text(72, y + 4, shorten(system.name, LONGEST_NAME), class_="fig-label small"))
        if system.average_precision is not None:
            row.append(text(CURVE_WIDTH, y + 4, f"AP {system.average_precision:.2f}", class_="fig-value end"))
        parts.append(tag("g", tag("title", system.name), *row, class_=_paint(k)))
    return parts


def _legend_rows(kinds: Sequence[str]) -> int:
    return -(-len(kinds) // len(LEGEND_COLUMNS))


def _tell(kind: str, mark: CurveMark) -> str:
    at = f" {mark.threshold}" if mark.threshold else ""
    return (
        f"{_MARK_KINDS[kind]}{at}: precision {mark.precision:.2f}, recall {mark.recall:.2f}, F1 {mark.f1:.2f}"
    )


def _in_words(systems: Sequence[CurveSeries]) -> str:
    descriptions = []
    for system in systems:
        average = system.average_precision
        said = [] if average is None else [f"average precision {average:.2f}"]
        said += [_tell(kind, mark) for kind in _MARK_KINDS if (mark := _mark_of(system, kind))]
        descriptions.append(f"{system.name}: {'; '.join(said) or 'nothing to draw'}")
    return f"Precision by recall. {'. '.join(descriptions)}"
