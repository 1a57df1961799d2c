"""Averages over the parts of a result, and all parts added up; `Parts` computes with these functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from evalign.metrics.counts import Counts
from evalign.metrics.metric import Metric
from evalign.results.ledger import join_ledgers
from evalign.results.signatures import join_signatures
from evalign.results.system_result import NoEvidence, Score, SystemResult, mean

Failures = Literal["skip", "zero"]
"""How averages treat a part that a system failed on: "skip" leaves it out, "zero" counts the worst value.

A system can also fail on a single metric: gold can be judged by it in that part, and the system gave nothing
for it.
"""


class AddedPart(NamedTuple):
    """A part of a result, as input of `add_up`."""

    systems: Sequence[SystemResult]
    unit_kind: str
    unit_names: Sequence[str]
    unit_fields: Mapping[str, Sequence[str]]

    @property
    def row_names(self) -> Sequence[str]:
        """A name for each row of counts; gold without a sentence has a row without a name."""
        rows = self.systems[0].n_rows
        return list(self.unit_names)[:rows] or [""] * rows


class Added(NamedTuple):
    """All parts added up: the fields of a `Result`."""

    systems: tuple[SystemResult, ...]
    unit_kind: str
    unit_names: Sequence[str]
    warnings: tuple[str, ...]
    unit_fields: Mapping[str, Sequence[str]]


def order_metrics(listed: Iterable[Iterable[str]]) -> list[str]:
    """Merge lists of metric names into one list that keeps the order of each list as far as possible.

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
    """Return the worst value of a ratio: 0, or 1 for error rates; None for a number without bounds."""
    if ratio in metric.numbers:
        return None
    return 1.0 if ratio in metric.lower_is_better else 0.0


def counted_ratios(system: SystemResult, metric: str, failures: Failures) -> Mapping[str, float | None]:
    """Return the ratios of a part as the macro average counts them; empty if the part lacks the metric."""
    score = system.scores.get(metric)
    if score is None:
        return {}
    if failures == "skip" or not system.fails(metric):
        return dict.fromkeys(score.ratios) if system.failure else score.ratios
    return {ratio: worst_value(score.metric, ratio) for ratio in score.ratios}


def has_headline(system: SystemResult, metric: str, failures: Failures) -> bool:
    """Return whether a part counts in the average of the metric's headline ratio."""
    ratios = counted_ratios(system, metric, failures)
    return bool(ratios) and ratios[system.scores[metric].metric.headline] is not None


def has_no_row(system: SystemResult, metric: str) -> bool:
    """Return whether a system failed on a metric without counts that could be added up.

    A failure usually has the counts of an empty output. There are none if these would be better than the
    failure deserves: if an empty output does not get the metric's worst value, or if the system gave words
    but left a column empty.
    """
    score = system.scores.get(metric)
    return score is not None and system.fails(metric) and not (score.available and system.failure)


def mean_ratios(parts: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Average each ratio over the parts that have it.

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
    """Add the counts of all parts up; the units of the result are those of the parts, one after the other.

    `by` is what the parts are, such as "treebank". If the parts come from a split, `whole` are the systems of
    the result that was split: ledgers and signatures are taken from them instead of being added up.
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
    """Count the units of each kind for the signature: `document(4)/stretch(210)`."""
    sizes: dict[str, int] = {}
    for part in parts.values():
        if part.row_names:
            sizes[part.unit_kind] = sizes.get(part.unit_kind, 0) + len(part.row_names)
    return "/".join(f"{kind}({size})" for kind, size in sizes.items()) or "unit(0)"


def _join_names(parts: Mapping[str, AddedPart]) -> list[str]:
    """Join the unit names of all parts; if two would be equal, put the name of its part before each."""
    named = [(title, name) for title, part in parts.items() for name in part.row_names]
    names = [name for _title, name in named]
    return names if len(set(names)) == len(names) else [f"{title}: {name}" for title, name in named]


def _join_fields(by: str, parts: Mapping[str, AddedPart]) -> Mapping[str, Sequence[str]]:
    """Join the fields of the units of all parts, and add a field that names the part of each unit."""
    sizes = {title: len(part.row_names) for title, part in parts.items()}
    fields: dict[str, list[str]] = {}
    for key in dict.fromkeys(key for part in parts.values() for key in part.unit_fields):
        values = [part.unit_fields.get(key) or [""] * sizes[title] for title, part in parts.items()]
        fields[key] = [value for column in values for value in column]
    return {**fields, by: [title for title, size in sizes.items() for _ in range(size)]}


def _describe_failures(
    by: str, number: int, parts: Mapping[str, AddedPart], metrics: Sequence[str], failures: Failures
) -> Iterator[str]:
    """Yield warnings about the parts that the averages of a system leave out or count as 0."""
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
    """Join the results of one system on all parts; it has the metrics that any part has."""
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
        AddedBreakdowns([part.systems for part in parts.values()], number),
        "" if scored else systems[0].failure,
    )


class AddedBreakdowns(NoEvidence):
    """Evidence of one system on several texts: counts per label, added up."""

    def __init__(self, texts: Sequence[Sequence[SystemResult]], number: int) -> None:
        self._texts, self._number = texts, number

    def breakdown_kinds(self) -> Sequence[str]:
        """Return the kinds that there are in any text."""
        own = (systems[self._number].evidence for systems in self._texts)
        return list(dict.fromkeys(kind for evidence in own for kind in evidence.breakdown_kinds()))

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Return the sums; a text without such labels counts as a whole, as far as it is judged by them.

        Where only this system has none, gold's labels count if failures do. Raises `CommandError` if no text
        has labels.
        """
        from evalign.metrics.errors.sentence_groups import NO_VALUE, order_groups

        added: dict[str, Counts] = {}
        for systems in self._texts:
            for label, counts in self._count(kind, systems).items():
                added[label] = added.get(label, Counts()) + counts
        if not {*added} - {NO_VALUE}:
            own = [systems[self._number] for systems in self._texts]
            return next((each for each in own if not each.failure), own[0]).evidence.breakdown(kind)
        return {label: added[label] for label in order_groups(kind, added, lambda name: added[name].gold)}

    def _count(self, kind: str, systems: Sequence[SystemResult]) -> Mapping[str, Counts]:
        from evalign.metrics.errors.breakdowns import BREAKDOWNS
        from evalign.metrics.errors.sentence_groups import NO_VALUE

        own = systems[self._number]
        having = [system for system in systems if kind in system.evidence.breakdown_kinds()]
        if own in having:
            return own.evidence.breakdown(kind)
        if having:
            gold = having[0].evidence.breakdown(kind) if own.missed else {}
            return {label: Counts(0, counts.gold, 0) for label, counts in gold.items() if counts.gold}
        score = own.scores.get(BREAKDOWNS[kind].metric)
        if score is not None and score.available:
            return {NO_VALUE: Counts(score.correct, score.gold, score.system)}
        return {} if own.failure else {NO_VALUE: Counts()}


def _join_scores(number: int, parts: Mapping[str, AddedPart], metric: str, failures: Failures) -> Score:
    """Join the rows of a metric on all parts, with zeros for a part that lacks it or is left out.

    The score is not available if a failure that counts has no row.
    """
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
