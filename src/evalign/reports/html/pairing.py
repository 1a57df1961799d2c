"""Extracted pairs of sentences: the curve, thresholds, and samples of the pairs that are false or missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign.metrics import ORACLE, PAIRS, TRAINED
from evalign.reports.bitext import pairing_notes, show_corrected, show_score
from evalign.reports.html.counts import Grid
from evalign.reports.html.figures.curve import Mark, Series, curve
from evalign.reports.html.text import metric_name, visible
from evalign.results import PairExample, Pairing, Result, SystemResult, Threshold
from evalign.wording import percent


class Side(NamedTuple):
    """A sentence of a pair."""

    id: str
    language: str
    """As a page says it: zh-hant."""
    text: str


class Pair(NamedTuple):
    """A pair to look at."""

    first: Side
    second: Side
    score: str


class Sample(NamedTuple):
    """Some pairs of one kind."""

    kind: str
    title: str
    total: int
    """How many there are; those that are kept are a sample."""
    pairs: Sequence[Pair]
    has_scores: bool
    has_texts: bool
    rows: Sequence[Sequence[str]]
    """The same for a spreadsheet."""


class Samples(NamedTuple):
    """The samples of one system, and the metric that they are of."""

    system: str
    metric: str
    found: Sequence[Sample]


class PairSection(NamedTuple):
    """What the page shows of a result of pairs."""

    picture: Markup
    has_steps: bool
    """Whether some system has scores, and so a line."""
    grid: Grid
    notes: Sequence[str]
    samples: Sequence[Samples]
    lacks_texts: bool
    """Whether there are pairs whose sentences are not known."""


def make_pairing(result: Result, names: Sequence[str]) -> PairSection | None:
    """The section of a result of pairs; None of any other."""
    if not any(system.pairing for system in result.systems):
        return None
    series = [_series(system, name) for system, name in zip(result.systems, names, strict=True)]
    samples = [_samples(system, name) for system, name in zip(result.systems, names, strict=True)]
    return PairSection(
        curve(series),
        any(each.steps for each in series),
        _make_grid(result, names),
        pairing_notes(result),
        samples,
        any(sample.pairs and not sample.has_texts for each in samples for sample in each.found),
    )


def _series(system: SystemResult, name: str) -> Series:
    pairing = system.pairing or Pairing()
    steps = [(100 * (point["recall"] or 0.0), 100 * point["precision"]) for point in pairing.get("curve", [])]
    average = pairing.get("average_precision")
    return Series(
        name,
        steps,
        None if average is None else 100 * average,
        _mark(system, TRAINED, pairing.get("trained")),
        _mark(system, ORACLE, pairing.get("oracle")),
        None if steps else _mark(system, PAIRS, None),
    )


def _mark(system: SystemResult, metric: str, threshold: Threshold | None) -> Mark | None:
    """Where a system stands; None where it has nothing, or no pair that is kept."""
    score = system.scores.get(metric)
    if (
        score is None
        or score.precision is None
        or score.recall is None
        or (threshold is None) != (metric == PAIRS)
    ):
        return None
    at = "" if threshold is None else show_score(threshold["threshold"])
    return Mark(100 * score.precision, 100 * score.recall, 100 * (score.f1 or 0.0), at)


def _make_grid(result: Result, names: Sequence[str]) -> Grid:
    """A row per system; columns that nobody has anything in are left out."""
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


def _samples(system: SystemResult, name: str) -> Samples:
    pairing = system.pairing or Pairing()
    metric = TRAINED if "trained" in pairing else PAIRS
    counts = (
        system.scores[metric].counts if metric in system.scores else {"correct": 0, "gold": 0, "system": 0}
    )
    false = _sample("false", "False pairs", counts["system"] - counts["correct"], pairing.get("false", []))
    missed = _sample("missed", "Missed pairs", counts["gold"] - counts["correct"], pairing.get("missed", []))
    return Samples(name, metric_name(metric), [false, missed])


def _sample(kind: str, title: str, total: int, examples: Sequence[PairExample]) -> Sample:
    pairs = [
        Pair(
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
    return Sample(kind, title, total, pairs, any(pair.score for pair in pairs), has_texts, rows)


def _side(id: str, text: str) -> Side:
    return Side(visible(id), visible(id.rpartition("-")[0].replace("_", "-")), visible(text))
