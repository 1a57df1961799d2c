"""One system's scores, what they tolerated, and its errors.

`Score` has the integers of one metric per unit and the ratios of their sum. `Evidence` is how a `SystemResult` is asked for
errors and breakdowns; `NoEvidence` and `CountsAlone` are what is there where none were kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from evalign.errors import CommandError, quote, suggest
from evalign.metrics import METRICS_WITH_ERRORS, CountTable, Metric, add_misses, find_name
from evalign.results.ledger import Ledger
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Counts
    from evalign.metrics.errors import ErrorGroup, GroupedCounts, Losses, Marks, Mismatch, Passages
    from evalign.results.display import BreakdownTable, ErrorGroups, Errors
    from evalign.results.pairing import Pairing


@dataclass(frozen=True, eq=False)
class Score:
    """One metric of one system: integers, the ratios taken of them, and the rows they are sums of."""

    metric: Metric
    units: CountTable
    average: str = "micro"
    available: bool = True
    """False where the documents have nothing to judge: then no number means anything."""

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
        """The sums and what follows from them, false positives and negatives of spans; all None if not available."""
        counts = add_misses(self.counts)
        return counts if self.available else dict.fromkeys(counts)

    @property
    def ratios(self) -> Mapping[str, float | None]:
        """Ratios from 0 to 1, None where there is nothing to judge."""
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
        """The ratio that stands for the metric, F1 for spans."""
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
        """Correct spans."""
        return self._count("correct")

    @property
    def gold(self) -> int:
        """Gold spans."""
        return self._count("gold")

    @property
    def system(self) -> int:
        """System spans."""
        return self._count("system")

    @property
    def false_positives(self) -> int:
        """System spans that are not correct."""
        return self._count("false_positives")

    @property
    def false_negatives(self) -> int:
        """Gold spans that were not found."""
        return self._count("false_negatives")

    @property
    def precision(self) -> float | None:
        """Correct over system spans."""
        return self._ratio("precision")

    @property
    def recall(self) -> float | None:
        """Correct over gold spans."""
        return self._ratio("recall")

    @property
    def f1(self) -> float | None:
        """2 correct / (gold + system)."""
        return self._ratio("f1")

    @property
    def aligned_accuracy(self) -> float | None:
        """Correct over aligned words."""
        return self._ratio("aligned_accuracy")

    def _count(self, name: str) -> int:
        return self.counts[name] if name in self.metric.fields else int(self[name] or 0)

    def _ratio(self, name: str) -> float | None:
        ratios = self.ratios
        return ratios[name] if name in ratios else self[name]

    def to_dict(self) -> dict[str, float | int | None]:
        """Counts and ratios, None if not available; `in_place` and `same_text` only where they differ."""
        counts: dict[str, float | int | None] = dict(self.all_counts)
        if counts.get("in_place") == counts.get("same_text"):
            counts.pop("in_place", None)
            counts.pop("same_text", None)
        return {**counts, **self.ratios}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with the name of the metric: what a metric counts is code."""
        return restore, (self.name, self.metric.fields, self.units, self.average, self.available)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from evalign.results.display import render_html, score_table

        return render_html(score_table(self.metric, self.to_dict()))


def restore(name: str, fields: tuple[str, ...], units: CountTable, average: str, available: bool) -> Score:  # noqa: FBT001
    """The score that was pickled."""
    from evalign.metrics import find_metric

    return Score(find_metric(name, fields), units, average, available)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined, whatever their order: one that is added last weighs what the first does.

    >>> mean([0.1, 0.2, 0.3]) == mean([0.3, 0.2, 0.1]), mean([None])
    (True, None)
    """
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None


class Evidence(Protocol):
    """Errors and breakdowns: found when asked for in a fresh result, those kept in a saved one.

    What there is not, as a column is missing or it was not kept, is a `CommandError`.
    """

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors, in the order of the text."""

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """The errors by kind and by what was written, commonest first, each with a few examples."""

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Counts per label."""

    def breakdown_kinds(self) -> Sequence[str]:
        """The breakdowns there are."""

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Counts per label and unit."""

    def grouped(self, by: str) -> GroupedCounts:
        """All metrics that add up by unit and group of gold sentences: by `length`, or by a comment above them."""

    def grouped_fields(self) -> Sequence[str]:
        """The comments that sentences can be grouped by."""

    def grouped_kept(self) -> Sequence[str]:
        """What sentences are grouped by in a saved result."""

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Blocks of sentences with an error of some metrics; at most so many, spread evenly over the text.

        None where they were not kept.
        """

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Positions on the gold line of all errors, by metric and kind."""

    def losses(self) -> Losses | None:
        """What every stage cost; None where there are no trees."""

    def condense(self, system: SystemResult) -> Evidence:
        """What is left of it where a system's result is saved, or sent to another process."""


class NoEvidence:
    """Where errors are not known."""

    def kinds(self, metric: str) -> Mapping[str, int]:
        """None of any kind."""
        return {}

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """None."""
        return iter(())

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """None."""
        return []

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """There is none."""
        message = f"no breakdown by {kind}: words were not paired"
        raise CommandError(message, 'a result of `strategy="places"`')

    def breakdown_kinds(self) -> Sequence[str]:
        """None."""
        return ()

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """There is none."""
        message = f"no breakdown by {kind}: words were not paired, or this is a part of a result"
        raise CommandError(message, 'a whole result of `strategy="places"`')

    def grouped(self, by: str) -> GroupedCounts:
        """There is none."""
        message = f"no sentences by {by}: places are not known, or this is a part of a result"
        raise CommandError(message, 'a whole result of `strategy="places"`')

    def grouped_fields(self) -> Sequence[str]:
        """None."""
        return ()

    def grouped_kept(self) -> Sequence[str]:
        """None."""
        return ()

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Not known."""
        return None

    def marks(self, metrics: Sequence[str]) -> Marks:
        """None."""
        return {}

    def losses(self) -> Losses | None:
        """Not known."""
        return None

    def condense(self, system: SystemResult) -> Evidence:
        """Nothing is left of nothing."""
        return self


class CountsAlone(NoEvidence):
    """Where counts alone were kept, as a scorer does, or a result that was saved without errors."""

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """There is none."""
        refuse_evidence(f"breakdown by {kind}")


def refuse_evidence(what: str) -> NoReturn:
    """Raise `CommandError`: only counts were kept."""
    message = f"{what}: this result keeps counts alone"
    raise CommandError(message, 'a whole result of evalign.score, with `strategy="places"`')


def check_has_errors(metric: str) -> None:
    """Raise `CommandError` for a metric whose errors cannot be shown."""
    if metric not in METRICS_WITH_ERRORS:
        message = f"errors of {quote(metric)} are not kept"
        raise CommandError(message, *suggest(metric, METRICS_WITH_ERRORS))


@dataclass(frozen=True, eq=False)
class SystemResult:
    """One system's scores."""

    name: str
    scores: Mapping[str, Score]
    ledger: Ledger
    signature: str
    evidence: Evidence
    failure: str = ""
    """Why there are no scores, where a system failed on a part of a run; its scores are then not available."""
    missed: tuple[str, ...] | None = None
    """Metrics that gold can be judged by and the system gave nothing for; None: all if it failed, else none of them."""
    pairing: Pairing | None = None
    """Of pairs of sentences: curve, thresholds, samples; None of anything else."""

    def __repr__(self) -> str:
        about = "failed" if self.failure else counted(len(self.scores), "metric")
        return f"<SystemResult {self.name!r}: {about}>"

    def __str__(self) -> str:
        """Precision, recall and F1 of each metric, and what was tolerated."""
        from evalign.results.display import view_system

        return view_system(self).text()

    def __getitem__(self, metric: str) -> Score:
        """The score of a metric, whose name may be written in any case: `system["LAS"]`."""
        score = self.find(metric)
        if score is None:
            msg = f"{quote(metric)} was not scored"
            raise CommandError(msg, *suggest(metric, self.scores))
        return score

    def __iter__(self) -> Iterator[Score]:
        """The scores, metric by metric."""
        return iter(self.scores.values())

    def __contains__(self, metric: object) -> bool:
        """Whether a metric, or one of its scores, is here; the name of a metric may be written in any case."""
        return self.find(metric) is not None if isinstance(metric, str) else metric in self.scores.values()

    def find(self, metric: str) -> Score | None:
        """The score of a metric, whose name may be written in any case; None where it was not scored."""
        return self.scores.get(find_name(metric, self.scores))

    def flat(self) -> dict[str, float]:
        """All numbers by metric and measure: `{"tokens/f1": 0.93, "tokens/correct": 80.0, ...}`.

        Ratios are from 0 to 1. What is undefined or not available is left out, so that every value is a float.
        """
        return {
            f"{metric}/{measure}": float(value)
            for metric, measure, value in self.numbers()
            if value is not None
        }

    def numbers(self) -> Iterator[tuple[str, str, float | None]]:
        """All numbers: metric, measure and value; of pairs of sentences what there is besides scores, too."""
        from evalign.results.pairing import pairing_numbers

        for metric, score in self.scores.items():
            for measure, value in {**score.all_counts, **score.ratios}.items():
                yield metric, measure, value
        yield from pairing_numbers(self.pairing or {})

    def fails(self, metric: str) -> bool:
        """Whether the system failed, or gave nothing for a metric that it was to give something for."""
        return bool(self.failure) if self.missed is None else find_name(metric, self.missed) in self.missed

    def gives(self, metric: str) -> bool:
        """Whether the system has something of a metric itself, and so errors of it to show."""
        score = self.find(metric)
        return score is not None and score.available and not self.fails(metric)

    @property
    def n_rows(self) -> int:
        """How many rows each score has, one per unit; gold without a sentence has one and no unit to name."""
        return max((len(score.units) for score in self.scores.values()), default=0)

    @property
    def has_counts_alone(self) -> bool:
        """Whether errors are not known: none were kept, which is not to say that there are none."""
        return isinstance(self.evidence, NoEvidence)

    def errors(self, metric: str) -> Errors:
        """The errors of a metric of spans or of word pairs, in the order of the text: a list that prints a line for each."""
        from evalign.results.display import Errors

        return Errors(self.evidence.mismatches(self._check_errors(metric)), self._say_no_errors())

    def error_groups(self, metric: str, *, examples: int = 3) -> ErrorGroups:
        """The errors by kind and by what was written or which label was taken for which, most frequent first."""
        from evalign.results.display import ErrorGroups

        return ErrorGroups(self.evidence.groups(self._check_errors(metric), examples), self._say_no_errors())

    def _say_no_errors(self) -> str:
        """What an empty list of errors means."""
        return f"not known: {self.failure}" if self.failure else "no errors"

    def _check_errors(self, metric: str) -> str:
        """The name of a metric whose errors can be shown; raises `CommandError` for any other."""
        metric = find_name(metric, METRICS_WITH_ERRORS)
        self._check_texts(f"errors of {metric}")
        check_has_errors(metric)
        if self.has_counts_alone and not self.failure:
            refuse_evidence(f"errors of {metric}")
        return metric

    def breakdown(self, kind: str) -> BreakdownTable:
        """Counts per relation, subtype, tag, xpos, feature, feature-value, label or frequency; gold's most frequent first."""
        from evalign.metrics.errors import check_kind
        from evalign.results.display import BreakdownTable

        self._check_texts(f"breakdown by {kind}")
        check_kind(kind)
        return BreakdownTable(kind, self.evidence.breakdown(kind))

    def _check_texts(self, wanted: str) -> None:
        """Raise `CommandError` where pairs of sentences were scored, which have neither words nor places."""
        if self.pairing is not None:
            message = f"{wanted}: these are scores of pairs of sentences"
            raise CommandError(message, "a result of texts", "false and missed pairs are on the report page")

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from evalign.results.display import view_system

        return view_system(self).html()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with the evidence that is saved, so that no document goes along."""
        evidence = self.evidence.condense(self)
        fields = self.ledger, self.signature, evidence, self.failure, self.missed, self.pairing
        return SystemResult, (self.name, dict(self.scores), *fields)
