"""One system's scores, what they tolerated, its errors, and what its failures count as in averages.

`Score` has the counts of one metric per unit and the ratios of their sum. `SystemResult` asks an `Evidence`
for errors and breakdowns; `NoEvidence` and `CountsAlone` stand in where none were kept.
"""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol

from evalign.errors import CommandError, Message, check_type, quote, suggest
from evalign.metrics.comparison import CountTable
from evalign.metrics.counts import add_misses
from evalign.metrics.metric import MOST_PASSAGES, Metric, find_name
from evalign.metrics.registry import METRICS_WITH_ERRORS, find_metric
from evalign.results.ledger import Ledger
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.counts import Counts
    from evalign.metrics.errors.mismatches import ErrorGroup, Mismatch
    from evalign.metrics.errors.passages import Passages
    from evalign.metrics.errors.positions import Marks
    from evalign.metrics.errors.sentence_groups import GroupedCounts
    from evalign.metrics.errors.stages import Losses
    from evalign.results.display import BreakdownTable, ErrorGroups, Errors
    from evalign.results.pairing import Pairing


@dataclass(frozen=True, eq=False)
class Score:
    """One metric of one system: counts per unit (`units`), their sums, and ratios."""

    metric: Metric
    units: CountTable
    average: str = "micro"
    available: bool = True
    """False if the documents have nothing to judge by this metric; its numbers are then meaningless."""

    def __repr__(self) -> str:
        if not self.available:
            return f"<Score {self.name!r}: not available>"
        value = self.value
        return f"<Score {self.name!r}: {self.metric.headline} {'undefined' if value is None else f'{value:.4f}'}>"

    def __str__(self) -> str:
        """All numbers in a small table."""
        from evalign.results.display import render_text, score_table

        return render_text(score_table(self.metric, self.to_dict()))

    @property
    def name(self) -> str:
        """Name of the metric."""
        return self.metric.name

    @property
    def counts(self) -> Mapping[str, int]:
        """Sums over all units, by name."""
        return dict(zip(self.metric.fields, self.units.sum(axis=0).tolist(), strict=True))

    @property
    def all_counts(self) -> Mapping[str, int | None]:
        """The sums, and false positives and negatives of spans derived from them; None if not available."""
        counts = add_misses(self.counts)
        return counts if self.available else dict.fromkeys(counts)

    @property
    def ratios(self) -> Mapping[str, float | None]:
        """Ratios from 0 to 1; None where there is nothing to judge."""
        if not self.available:
            return dict.fromkeys(self.metric.ratios(self.counts))
        if self.average == "micro":
            return self.metric.ratios(self.counts)
        rows = [
            self.metric.ratios(dict(zip(self.metric.fields, row, strict=True))) for row in self.units.tolist()
        ]
        names = self.metric.ratios(self.counts)
        return {name: mean([row[name] for row in rows]) for name in names}

    @property
    def value(self) -> float | None:
        """The headline ratio of the metric: F1 for spans."""
        return self.ratios[self.metric.headline]

    def __getitem__(self, name: str) -> float | int | None:
        measures = {**self.all_counts, **self.ratios}
        names = [*measures]
        measure = find_name(name, names)
        if measure in measures:
            return measures[measure]
        msg = f"{self.name} has no {quote(name)}"
        raise CommandError(msg, *suggest(name, names))

    @property
    def correct(self) -> int:
        """Number of correct spans."""
        return self._count("correct")

    @property
    def gold(self) -> int:
        """Number of gold spans."""
        return self._count("gold")

    @property
    def system(self) -> int:
        """Number of system spans."""
        return self._count("system")

    @property
    def false_positives(self) -> int:
        """Number of system spans that are not correct."""
        return self._count("false_positives")

    @property
    def false_negatives(self) -> int:
        """Number of gold spans that the system missed."""
        return self._count("false_negatives")

    @property
    def precision(self) -> float | None:
        """Correct spans divided by system spans."""
        return self._ratio("precision")

    @property
    def recall(self) -> float | None:
        """Correct spans divided by gold spans."""
        return self._ratio("recall")

    @property
    def f1(self) -> float | None:
        """2 correct / (gold + system)."""
        return self._ratio("f1")

    @property
    def aligned_accuracy(self) -> float | None:
        """Correct words divided by aligned words."""
        return self._ratio("aligned_accuracy")

    def _count(self, name: str) -> int:
        return self.counts[name] if name in self.metric.fields else int(self[name] or 0)

    def _ratio(self, name: str) -> float | None:
        ratios = self.ratios
        return ratios[name] if name in ratios else self[name]

    def to_dict(self) -> dict[str, float | int | None]:
        """Return counts and ratios, None if not available; `in_place` and `same_text` only if they differ."""
        counts: dict[str, float | int | None] = dict(self.all_counts)
        if counts.get("in_place") == counts.get("same_text"):
            counts.pop("in_place", None)
            counts.pop("same_text", None)
        return {**counts, **self.ratios}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the metric by its name and fields, as its functions are code."""
        return restore, (self.name, self.metric.fields, self.units, self.average, self.available)

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        from evalign.results.display import render_html, score_table

        return render_html(score_table(self.metric, self.to_dict()))


def restore(name: str, fields: tuple[str, ...], units: CountTable, average: str, available: bool) -> Score:  # noqa: FBT001
    """Unpickle a score; its metric is looked up by name and fields."""
    return Score(find_metric(name, fields), units, average, available)


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None; None if there are none.

    The sum is exact, so the order of the values does not matter.

    >>> mean([0.1, 0.2, 0.3]) == mean([0.3, 0.2, 0.1]), mean([None])
    (True, None)
    """
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None


class Evidence(Protocol):
    """Source of errors and breakdowns: computed on demand in a fresh result, stored in a saved one.

    Methods raise `CommandError` for what is not there, because a column is missing or it was not kept.
    """

    def kinds(self, metric: str) -> Mapping[str, int]:
        """Return the number of errors of each kind."""

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """Iterate over the errors of a metric, in the order of the text."""

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """Group errors by kind and by what was written, most frequent first.

        Each group has up to `examples` examples.
        """

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Return counts per label of a kind of breakdown."""

    def breakdown_kinds(self) -> Sequence[str]:
        """Return the kinds of breakdowns available."""

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Return counts per label and unit."""

    def grouped(self, by: str) -> GroupedCounts:
        """Return counts by unit and group of gold sentences, for all metrics that add up.

        `by` is `length`, or the key of a comment above sentences.
        """

    def grouped_fields(self) -> Sequence[str]:
        """Return the comments that sentences can be grouped by."""

    def grouped_kept(self) -> Sequence[str]:
        """Return what sentences are grouped by in a saved result."""

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Return blocks of sentences with an error of any of `metrics`; None if they were not kept.

        At most `most` passages are returned, spread evenly over the text.
        """

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Return the positions of all errors on the gold line, by metric and kind."""

    def losses(self) -> Losses | None:
        """Return how much each processing stage cost; None if there are no trees."""

    def condense(self, system: SystemResult, passages: int | None = MOST_PASSAGES) -> Evidence:
        """Return the evidence to keep when `system` is saved or sent to another process."""


class NoEvidence:
    """Evidence of a result whose errors are not known, such as a part of a split result."""

    def kinds(self, metric: str) -> Mapping[str, int]:
        """Return no kinds."""
        return {}

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """Return no errors."""
        return iter(())

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """Return no groups."""
        return []

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Raise `CommandError`."""
        message = f"no breakdown by {kind}: words were not paired"
        raise CommandError(message, Message("a result of {strategy=places}"))

    def breakdown_kinds(self) -> Sequence[str]:
        """Return no kinds."""
        return ()

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Raise `CommandError`."""
        message = f"no breakdown by {kind}: words were not paired, or this is a part of a result"
        raise CommandError(message, Message("a whole result of {strategy=places}"))

    def grouped(self, by: str) -> GroupedCounts:
        """Raise `CommandError`."""
        message = f"no sentences by {by}: places are not known, or this is a part of a result"
        raise CommandError(message, Message("a whole result of {strategy=places}"))

    def grouped_fields(self) -> Sequence[str]:
        """Return no fields."""
        return ()

    def grouped_kept(self) -> Sequence[str]:
        """Return no fields."""
        return ()

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Return None: passages are not known."""
        return None

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Return no positions."""
        return {}

    def losses(self) -> Losses | None:
        """Return None: losses are not known."""
        return None

    def condense(self, system: SystemResult, passages: int | None = MOST_PASSAGES) -> Evidence:
        """Return itself."""
        return self


class CountsAlone(NoEvidence):
    """Evidence of a result that keeps only counts: of a `Scorer`, or saved without errors."""

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Raise `CommandError`."""
        refuse_evidence(f"breakdown by {kind}")


def refuse_evidence(what: str) -> NoReturn:
    """Raise `CommandError` that says that `what` is unknown, as only counts were kept."""
    message = f"{what}: this result keeps only counts"
    raise CommandError(message, Message("a whole result of evalign.score, with {strategy=places}"))


def check_has_errors(metric: str) -> None:
    """Raise `CommandError` for a metric whose errors cannot be shown."""
    if metric not in METRICS_WITH_ERRORS:
        message = f"errors of {quote(metric)} are not kept"
        raise CommandError(message, *suggest(metric, METRICS_WITH_ERRORS))


@dataclass(frozen=True, eq=False)
class SystemResult:
    """One system's scores, with ledger, signature and evidence."""

    name: str
    scores: Mapping[str, Score]
    ledger: Ledger
    signature: str
    evidence: Evidence
    failure: str = ""
    """Why the system failed on a part of a run; its scores are then not available. Empty otherwise."""
    missed: tuple[str, ...] | None = None
    """Metrics that gold can be judged by and the system gave nothing for.

    None: all metrics if the system failed, else no metric.
    """
    pairing: Pairing | None = None
    """Curve, thresholds and samples, if pairs of sentences were scored; None otherwise."""

    def __repr__(self) -> str:
        about = "failed" if self.failure else counted(len(self.scores), "metric")
        return f"<SystemResult {self.name!r}: {about}>"

    def __str__(self) -> str:
        """Precision, recall and F1 of each metric, and what was tolerated."""
        from evalign.results.display import view_system

        return view_system(self).text()

    def __getitem__(self, metric: str) -> Score:
        """Return the score of a metric, whose name may be written in any case: `system["LAS"]`."""
        score = self.find(metric)
        if score is None:
            msg = f"{quote(metric)} was not scored"
            raise CommandError(msg, *suggest(metric, self.scores))
        return score

    def __iter__(self) -> Iterator[Score]:
        """Iterate over the scores, metric by metric."""
        return iter(self.scores.values())

    def keys(self) -> KeysView[str]:
        """Return the names of the metrics, so that `dict(system)` has the scores by metric."""
        return self.scores.keys()

    def values(self) -> ValuesView[Score]:
        """Return the scores, metric by metric."""
        return self.scores.values()

    def items(self) -> ItemsView[str, Score]:
        """Return pairs of the name of a metric and its score."""
        return self.scores.items()

    def __contains__(self, metric: object) -> bool:
        """Return whether `metric` is one of the scores, or the name of a scored metric, in any case."""
        if isinstance(metric, str):
            return self.find(metric) is not None
        return any(score is metric for score in self.scores.values())

    def find(self, metric: str) -> Score | None:
        """Return the score of a metric, whose name may be written in any case; None if it was not scored."""
        return self.scores.get(find_name(metric, self.scores))

    def flat(self) -> dict[str, float]:
        """Return all numbers by metric and measure: `{"tokens/f1": 0.93, "tokens/correct": 80.0, ...}`.

        Ratios are from 0 to 1. What is undefined or not available is left out, so that every value is a
        float.
        """
        return {
            f"{metric}/{measure}": float(value)
            for metric, measure, value in self.numbers()
            if value is not None
        }

    def numbers(self) -> Iterator[tuple[str, str, float | None]]:
        """Yield metric, measure and value of all numbers, with the extra results of pairs of sentences."""
        from evalign.results.pairing import pairing_numbers

        for metric, score in self.scores.items():
            for measure, value in {**score.all_counts, **score.ratios}.items():
                yield metric, measure, value
        yield from pairing_numbers(self.pairing or {})

    def fails(self, metric: str) -> bool:
        """Return whether the system failed, or gave nothing for a metric that gold can be judged by."""
        return bool(self.failure) if self.missed is None else find_name(metric, self.missed) in self.missed

    def gives(self, metric: str) -> bool:
        """Return whether the system has a score of `metric` of its own: available, and not a failure.

        Only then are there errors of the metric to show.
        """
        score = self.find(metric)
        return score is not None and score.available and not self.fails(metric)

    @property
    def n_rows(self) -> int:
        """Number of rows of each score, one per unit; one row without a unit name if gold has no sentence."""
        return max((len(score.units) for score in self.scores.values()), default=0)

    @property
    def has_counts_alone(self) -> bool:
        """True if errors are not known: none were kept, which does not mean that there are none."""
        return isinstance(self.evidence, NoEvidence)

    def errors(self, metric: str) -> Errors:
        """Return the errors of a metric of spans or labels, in the order of the text.

        The list prints a line for each error.
        """
        from evalign.results.display import Errors

        return Errors(self.evidence.mismatches(self._check_errors(metric)), self._say_no_errors())

    def error_groups(self, metric: str, *, examples: int = 3) -> ErrorGroups:
        """Group the errors by kind, and by what was written or which labels were confused.

        The most frequent groups come first.
        """
        from evalign.results.display import ErrorGroups

        check_type(examples, int, "`examples=`", "the number of examples of each group")
        return ErrorGroups(self.evidence.groups(self._check_errors(metric), examples), self._say_no_errors())

    def _say_no_errors(self) -> str:
        """Return the text that stands for an empty list of errors."""
        return f"not known: {self.failure}" if self.failure else "no errors"

    def _check_errors(self, metric: str) -> str:
        """Return the full name of a metric whose errors can be shown; raise `CommandError` for any other."""
        metric = find_name(metric, METRICS_WITH_ERRORS)
        self._check_texts(f"errors of {metric}")
        check_has_errors(metric)
        if self.has_counts_alone and not self.failure:
            refuse_evidence(f"errors of {metric}")
        return metric

    def breakdown(self, kind: str) -> BreakdownTable:
        """Return counts per label of `kind`, gold's most frequent labels first.

        Kinds are relation, subtype, tag, xpos, feature, feature-value, label and frequency.
        """
        from evalign.metrics.errors.breakdowns import check_kind
        from evalign.results.display import BreakdownTable

        check_type(kind, str, "a kind of breakdown", "text")
        self._check_texts(f"breakdown by {kind}")
        check_kind(kind)
        return BreakdownTable(kind, self.evidence.breakdown(kind))

    def _check_texts(self, wanted: str) -> None:
        """Raise `CommandError` if pairs of sentences were scored, which have neither words nor places."""
        if self.pairing is not None:
            message = f"{wanted}: these are scores of pairs of sentences"
            advice = Message(
                "false and missed pairs are in the page: {evalign.reports.html.render_report(result)|<report>}"
            )
            raise CommandError(message, "a result of texts", advice)

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        from evalign.results.display import view_system

        return view_system(self).html()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the evidence that is saved, so that no document is pickled."""
        evidence = self.evidence.condense(self)
        fields = self.ledger, self.signature, evidence, self.failure, self.missed, self.pairing
        return SystemResult, (self.name, dict(self.scores), *fields)


# What failures count as in averages over the parts of a run.

Failures = Literal["skip", "zero"]
"""How averages treat a part that a system failed on: "skip" leaves it out, "zero" counts the worst value.

A system can also fail on a single metric: gold can be judged by it in that part, and the system gave nothing
for it.
"""


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
