"""JSON objects, one to a line: of a result one per system and metric, of parts one per part, system and metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evalign.reports.escape import json_text
from evalign.reports.significance import Assessed, AssessedParts, Average
from evalign.results import Parts, Result, join_signatures
from evalign.significance import Difference, Interval

AVERAGES: tuple[Average, ...] = ("macro", "micro")


def render_lines(result: Result, assessed: Assessed | None = None) -> Iterator[str]:
    """Counts, ratios, and what resampling found."""
    return (json_text(row) + "\n" for row in _result_rows(result, assessed, {}))


def render_part_lines(
    parts: Parts, assessed: AssessedParts | None = None, metrics: Sequence[str] = ()
) -> Iterator[str]:
    """The same of every part, then of both averages; of all metrics, or of some."""
    names = list(metrics) or list(parts.metrics)
    for name, result in parts.results.items():
        found = assessed.of_part(name) if assessed is not None else None
        for row in _result_rows(result, found, {"by": parts.by, "part": name}):
            if row["metric"] in names:
                yield json_text(row) + "\n"
    for row in _average_rows(parts, assessed, names):
        yield json_text(row) + "\n"


def _result_rows(
    result: Result, assessed: Assessed | None, before: Mapping[str, object]
) -> Iterator[dict[str, object]]:
    first = result.systems[0].name
    for n, system in enumerate(result.systems):
        for metric, score in system.scores.items():
            row = {**before, "gold": result.gold, "system": system.name, "metric": metric}
            row |= {"headline": score.layer.headline, "scores": score.to_dict()}
            if system.failure:
                row["failure"] = system.failure
            if assessed is not None and assessed.intervals:
                row["intervals"] = _ends(assessed.found.intervals[n].get(metric, {}))
            if assessed is not None and assessed.paired:
                row |= _difference(assessed.difference(n, metric), first)
            yield row | {"signature": system.signature + (assessed.suffix if assessed is not None else "")}


def _average_rows(
    parts: Parts, assessed: AssessedParts | None, metrics: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Averages, with how many parts each is of."""
    micro = parts.micro()
    for average in AVERAGES:
        for n, system in enumerate(micro.systems):
            for metric in metrics:
                score = system.scores[metric]
                found = parts.macro(n, metric) if average == "macro" else score.to_dict()
                row: dict[str, object] = {"by": parts.by, "part": None, "average": average}
                row |= {"parts": len(parts.covered(n, metric)), "system": system.name, "metric": metric}
                row |= {"headline": score.layer.headline, "scores": dict(found)}
                if assessed is not None and assessed.intervals:
                    averages = assessed.found.macro if average == "macro" else assessed.found.micro
                    row["intervals"] = _ends(averages[n].get(metric, {}))
                if assessed is not None and assessed.paired:
                    row |= _difference(assessed.difference("", average, n, metric), parts.systems[0])
                signature = join_signatures([system.signature], average=average)
                yield row | {"signature": signature + (assessed.suffix if assessed is not None else "")}


def _ends(intervals: Mapping[str, Interval | None]) -> dict[str, list[float] | None]:
    return {ratio: list(ends) if ends else None for ratio, ends in intervals.items()}


def _difference(found: Difference | None, first: str) -> dict[str, object]:
    """How far a system is from the first; nothing of the first itself, and of the micro average."""
    if found is None:
        return dict.fromkeys(("against", "difference", "difference_interval", "p", "p_holm"))
    return {
        "against": first,
        "difference": found.difference,
        "difference_interval": list(found.interval) if found.interval else None,
        "p": found.p,
        "p_holm": found.adjusted,
    }
