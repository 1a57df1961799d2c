"""Averages over the parts of a result, and all parts added up: what `Parts` counts with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from evalign.metrics import Metric
from evalign.results.ledger import join_ledgers
from evalign.results.signatures import join_signatures
from evalign.results.system_result import NoEvidence, Score, SystemResult, mean

Failures = Literal["skip", "zero"]
"""What becomes of a part that a system failed on in the averages: it is left out, or counts as the worst there is.

So it is with a single metric that gold can be judged by there, and that the system gave nothing for.
"""


class AddedPart(NamedTuple):
    """A part as it is added up."""

    systems: Sequence[SystemResult]
    unit_kind: str
    unit_names: Sequence[str]
    unit_fields: Mapping[str, Sequence[str]]

    @property
    def row_names(self) -> Sequence[str]:
        """A name for each row; gold without a sentence has a row and no name for it."""
        rows = self.systems[0].n_rows
        return list(self.unit_names)[:rows] or [""] * rows


class Added(NamedTuple):
    """All parts as one: what a result is made of."""

    systems: tuple[SystemResult, ...]
    unit_kind: str
    unit_names: Sequence[str]
    warnings: tuple[str, ...]
    unit_fields: Mapping[str, Sequence[str]]


def order_metrics(listed: Iterable[Iterable[str]]) -> list[str]:
    """All metrics of some lists, each list in its order as far as possible.

    >>> order_metrics([["tokens", "las"], ["tokens", "upos", "las"]])
    ['tokens', 'upos', 'las']
    """
    names: list[str] = []
    for some in listed:
        at = 0
        for name in some:
            if name not in names:
                names.insert(at, name)
            at = names.index(name) + 1
    return names


def worst_value(metric: Metric, ratio: str) -> float | None:
    """What a system that failed has of a share: 0, or 1 of errors; None of a number, which may be any."""
    if ratio in metric.numbers:
        return None
    return 1.0 if ratio in metric.lower_is_better else 0.0


def counted_ratios(system: SystemResult, metric: str, failures: Failures) -> Mapping[str, float | None]:
    """The ratios of a part as the macro average takes them; nothing where the part lacks the metric."""
    score = system.scores.get(metric)
    if score is None:
        return {}
    if failures == "skip" or not system.fails(metric):
        return dict.fromkeys(score.ratios) if system.failure else score.ratios
    return {ratio: worst_value(score.metric, ratio) for ratio in score.ratios}


def has_headline(system: SystemResult, metric: str, failures: Failures) -> bool:
    """Whether a part counts in the average of the ratio that stands for a metric."""
    ratios = counted_ratios(system, metric, failures)
    return bool(ratios) and ratios[system.scores[metric].metric.headline] is not None


def has_no_row(system: SystemResult, metric: str) -> bool:
    """Whether a failure cannot be added up, as it has no counts.

    That is so where an empty output is not the worst there is, and where the system wrote words but left a column empty:
    the counts of no output at all would flatter it.
    """
    score = system.scores.get(metric)
    return score is not None and system.fails(metric) and not (score.available and system.failure)


def mean_ratios(parts: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """The mean of each ratio over the parts that have it.

    >>> mean_ratios([{"f1": 0.5}, {}, {"f1": None}, {"f1": 1.0}])
    {'f1': 0.75}
    """
    values_of: dict[str, list[float | None]] = {}
    for ratios in parts:
        for ratio, value in ratios.items():
            values_of.setdefault(ratio, []).append(value)
    return {ratio: mean(values) for ratio, values in values_of.items()}


def add_up(
    by: str,
    parts: Mapping[str, AddedPart],
    metrics: Sequence[str],
    failures: Failures,
    whole: Sequence[SystemResult] = (),
) -> Added:
    """All parts as one, whose units are those of the parts one after the other; counts are added up.

    Parts of one text tolerated what the whole did, if that is known: then it is not added up.
    """
    kinds = list(dict.fromkeys(part.unit_kind for part in parts.values() if part.unit_names))
    kind = kinds[0] if len(kinds) == 1 else "unit"
    numbers = range(len(next(iter(parts.values())).systems))
    systems = [_join_system(by, number, parts, metrics, failures) for number in numbers]
    for number, whole_system in enumerate(whole):
        signature = join_signatures([whole_system.signature], average="micro")
        systems[number] = replace(systems[number], ledger=whole_system.ledger, signature=signature)
    warnings = tuple(
        line for number in numbers for line in _describe_failures(by, number, parts, metrics, failures)
    )
    return Added(tuple(systems), kind, _join_names(parts), warnings, _join_fields(by, parts))


def _count_units(parts: Mapping[str, AddedPart]) -> str:
    """How many units of each kind there are, as a signature has it: `document(4)/stretch(210)`."""
    sizes: dict[str, int] = {}
    for part in parts.values():
        if part.row_names:
            sizes[part.unit_kind] = sizes.get(part.unit_kind, 0) + len(part.row_names)
    return "/".join(f"{kind}({size})" for kind, size in sizes.items()) or "unit(0)"


def _join_names(parts: Mapping[str, AddedPart]) -> list[str]:
    """Names of all units; with the part they are of, where two would be the same."""
    named = [(title, name) for title, part in parts.items() for name in part.row_names]
    names = [name for _title, name in named]
    return names if len(set(names)) == len(names) else [f"{title}: {name}" for title, name in named]


def _join_fields(by: str, parts: Mapping[str, AddedPart]) -> Mapping[str, Sequence[str]]:
    """What is known of the units of all parts, and which part they are of."""
    sizes = {title: len(part.row_names) for title, part in parts.items()}
    fields: dict[str, list[str]] = {}
    for key in dict.fromkeys(key for part in parts.values() for key in part.unit_fields):
        values = [part.unit_fields.get(key) or [""] * sizes[title] for title, part in parts.items()]
        fields[key] = [value for column in values for value in column]
    return {**fields, by: [title for title, size in sizes.items() for _ in range(size)]}


def _describe_failures(
    by: str, number: int, parts: Mapping[str, AddedPart], metrics: Sequence[str], failures: Failures
) -> Iterator[str]:
    """What the averages of a system leave out or count as nothing."""
    failed = [title for title, part in parts.items() if part.systems[number].failure]
    name = next(iter(parts.values())).systems[number].name
    consequence = "counted as 0" if failures == "zero" else "left out of its averages"
    if failed:
        yield f"{name} failed on {len(failed)} of {len(parts)} {by}s, {consequence}: {', '.join(failed)}"
    for metric in metrics if failures == "zero" else ():
        lacking = [
            title
            for title, part in parts.items()
            if title not in failed and part.systems[number].fails(metric)
        ]
        if lacking:
            yield f"{name} has no {metric} on {len(lacking)} of {len(parts)} {by}s, {consequence}: {', '.join(lacking)}"


def _join_system(
    by: str, number: int, parts: Mapping[str, AddedPart], metrics: Sequence[str], failures: Failures
) -> SystemResult:
    """One system over all parts; a metric is there if it is in any part."""
    systems = [part.systems[number] for part in parts.values()]
    scored = [system for system in systems if not system.failure]
    changes = {"average": "micro", "unit": _count_units(parts), f"{by}s": str(len(parts))}
    failed = sum(bool(system.failure or system.missed) for system in systems)
    if failed:
        changes["failures"] = f"{failures}({failed})"
    return SystemResult(
        systems[0].name,
        {metric: _join_scores(number, parts, metric, failures) for metric in metrics},
        join_ledgers([system.ledger for system in scored]),
        join_signatures((system.signature for system in scored), **changes),
        NoEvidence(),
        "" if scored else systems[0].failure,
    )


def _join_scores(number: int, parts: Mapping[str, AddedPart], metric: str, failures: Failures) -> Score:
    """The rows of all parts, zeros for one that lacks the metric or is left out; nothing if a failure has no row."""
    scores = [part.systems[number].scores.get(metric) for part in parts.values()]
    entry = next(score.metric for score in scores if score is not None)
    uncounted = failures == "zero" and any(
        has_no_row(part.systems[number], metric) for part in parts.values()
    )
    tables, available = [], False
    for part, score in zip(parts.values(), scores, strict=True):
        left_out = part.systems[number].failure and failures == "skip"
        if score is not None and score.available and not left_out:
            tables.append(score.units)
            available = True
        else:
            tables.append(np.zeros((len(part.row_names), len(entry.fields)), np.int64))
    return Score(entry, np.concatenate(tables), "micro", available and not uncounted)
