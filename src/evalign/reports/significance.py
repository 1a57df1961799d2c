"""Intervals and paired tests: how they are written, and the tables of differences and p-values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evalign.progress import Progress, no_progress
from evalign.progress import counted as told
from evalign.reports.escape import printable
from evalign.reports.table import Cell, Table
from evalign.reports.width import fold
from evalign.reports.wording import decimal, name_units, percent
from evalign.result import Parts, Result, Score
from evalign.significance import (
    Difference,
    Interval,
    PartsSignificance,
    Resampling,
    Significance,
    assess,
    assess_parts,
)
from evalign.significance.strata import share_units
from evalign.significance.values import FEW, FEW_UNITS

Average: TypeAlias = Literal["", "macro", "micro"]
"""An average over parts; nothing for a part."""

# From which p a difference is marked, and how; the smallest first.
MARKS = ((0.01, "**"), (0.05, "*"))
# So many parts are named in a note, of more their number is told.
MOST_NAMED = 5
LEGEND = "* p < 0.05, ** p < 0.01"
# Drawn from all units at once, parts would grow and shrink: the same score has two intervals.
STRATIFIED = (
    "the micro average's interval is not that of the whole: there units are drawn from all parts at once"
)
TESTS = {"randomization": "approximate randomization", "bootstrap": "paired bootstrap"}


@dataclass(frozen=True, slots=True)
class Assessed:
    """What resampling found, and what of it is to be shown."""

    found: Significance
    intervals: bool
    paired: bool

    @property
    def level(self) -> str:
        """The confidence as a percentage.

        >>> Assessed(Significance(Resampling(), "document", 2, "", (), {}, {}), True, False).level
        '95 %'
        """
        return f"{100 * self.found.resampling.confidence:.10g} %"

    @property
    def suffix(self) -> str:
        """What a signature gets: seed, resamples, confidence, test."""
        return "|" + self.found.resampling.describe(paired=self.paired)

    def interval(self, system: int, metric: str, ratio: str) -> Interval | None:
        """The interval of a ratio, None where there is none or none was asked for."""
        return self.found.interval(system, metric, ratio) if self.intervals else None

    def difference(self, system: int, metric: str) -> Difference | None:
        """What a system has more than the first."""
        if not self.paired or metric not in self.found.against_first:
            return None
        return self.found.against_first[metric][system]

    def mark(self, system: int, metric: str) -> str:
        """The sign of a significant difference from the first system."""
        found = self.difference(system, metric)
        return mark(found.adjusted if found else None)

    @property
    def units(self) -> str:
        """How many units were resampled."""
        return count_units(self.found.n_units, self.found.unit_kind)

    @property
    def test(self) -> str:
        """The paired test in words."""
        return TESTS[self.found.resampling.test]

    def notes(self) -> list[str]:
        """What was resampled and tested, or why not; a line each."""
        if self.found.reason:
            return [f"no {self._asked}: {self.found.reason}"]
        resamples = f"{self.found.resampling.resamples:,} resamples of {self.units}"
        lines = [f"intervals: {self.level}, {resamples}"] if self.intervals else []
        if self.paired:
            lines += [f"tests: {self.test}, {resamples}, Holm's correction", LEGEND]
        return [*lines, *self._reasons, *filter(None, [self.found.caution])]

    @property
    def _asked(self) -> str:
        return _asked(intervals=self.intervals, paired=self.paired)

    @property
    def _reasons(self) -> list[str]:
        return describe_reasons(self.found.reasons, self._asked)

    def caption(self, first: str) -> list[str]:
        """The same for a table that stands alone: with the seed, and what marks mean."""
        if self.found.reason:
            return self.notes()
        drawn = self.found.resampling
        made_of = f"{drawn.resamples:,} resamples of {self.units}, seed {drawn.seed}"
        lines = []
        if self.paired:
            lines.append(f"{LEGEND}: difference from {first}, {self.test}, Holm's correction.")
        lines.append(f"{f'{self.level} intervals; ' if self.intervals else ''}{made_of}.")
        return [*lines, *(f"{line}." for line in (*self._reasons, self.found.caution) if line)]


def count_units(count: int, kind: str) -> str:
    """How many units of a kind.

    >>> count_units(1204, "stretch"), count_units(1, "document")
    ('1,204 stretches', '1 document')
    """
    return f"{count:,} {kind if count == 1 else name_units([kind])}"


@dataclass(frozen=True, slots=True)
class AssessedParts:
    """What resampling found of every part and of the averages, and what of it is to be shown."""

    found: PartsSignificance
    parts: Mapping[str, Significance]
    intervals: bool
    paired: bool
    split: bool = False
    """Whether the parts are those of one result, which has intervals of its own."""
    together: bool = False
    """Whether units have a share in several parts and are drawn for all of them at once."""

    def interval(self, part: str, average: Average, system: int, metric: str, ratio: str) -> Interval | None:
        """Of a part, or of an average over all."""
        if not self.intervals:
            return None
        if not average:
            return self.parts[part].interval(system, metric, ratio)
        averages = self.found.macro if average == "macro" else self.found.micro
        return averages[system].get(metric, {}).get(ratio) if averages else None

    def difference(self, part: str, average: Average, system: int, metric: str) -> Difference | None:
        """Of a system from the first; the averages have that of the macro average alone."""
        if not self.paired or average == "micro":
            return None
        found = self.found.against_first if average else self.parts[part].against_first
        return found[metric][system] if metric in found else None

    @property
    def suffix(self) -> str:
        """What a signature gets."""
        return "|" + self.found.resampling.describe(paired=self.paired)

    def of_part(self, name: str) -> Assessed:
        """The same of one part."""
        return Assessed(self.parts[name], self.intervals, self.paired)

    def to_json(self, names: Sequence[str]) -> dict[str, object]:
        """All that was found, given the names of the systems."""
        parts = {name: found.to_json(names) for name, found in self.parts.items()}
        return {**self.found.to_json(names), "parts": parts}

    def notes(self) -> list[str]:
        """What was resampled and tested."""
        asked = _asked(intervals=self.intervals, paired=self.paired)
        if self.found.reason:
            return [f"no {asked} of the averages: {self.found.reason}"]
        drawn = self.found.resampling
        level = f"{100 * drawn.confidence:.10g} %"
        where = ", each drawn for all the parts it is in" if self.together else " within each part"
        resamples = f"{drawn.resamples:,} resamples of units{where}"
        lines = [f"intervals: {level}, {resamples}"] if self.intervals else []
        if self.intervals and self.split and not self.together:
            lines.append(STRATIFIED)
        if self.paired:
            test = f"tests: against the first system, {TESTS[drawn.test]}, {resamples}"
            lines += [f"{test}, Holm's correction over systems; of averages the macro average", LEGEND]
        alone = [name for name, found in self.parts.items() if found.reason and found.n_units == 1]
        if alone:
            lines.append(f"nothing to resample in {', '.join(alone)}: one unit")
        lines += self._caution()
        lines += describe_reasons(self.found.reasons, asked)
        for name, found in self.parts.items():
            # What no part has was said of the averages.
            told = {metric: why for metric, why in found.reasons.items() if metric not in self.found.reasons}
            lines += [f"{name}: {line}" for line in describe_reasons(told, asked)]
        return lines

    def _caution(self) -> list[str]:
        """Which parts have few units."""
        few = [name for name, found in self.parts.items() if found.caution]
        if not few:
            return []
        where = ", ".join(few) if len(few) <= MOST_NAMED else f"{len(few)} of {len(self.parts)} parts"
        return [f"fewer than {FEW_UNITS} units in {where}: {FEW}"]


def assess_all(
    parts: Parts,
    resampling: Resampling,
    *,
    intervals: bool,
    paired: bool,
    metrics: Sequence[str] = (),
    progress: Progress = no_progress,
) -> AssessedParts:
    """Every part and the averages resampled."""
    found = {}
    for _, (name, result) in told([*parts.results.items()], progress, lambda each: f"resampling {each[0]}"):
        here = [metric for metric in metrics or parts.metrics if metric in result.systems[0].scores]
        found[name] = assess(result, resampling, paired=paired, metrics=here)
    progress("resampling averages")
    averages = assess_parts(parts, resampling, paired=paired, metrics=metrics)
    return AssessedParts(averages, found, intervals, paired, parts.whole is not None, share_units(parts))


def describe_reasons(reasons: Mapping[str, str], asked: str) -> list[str]:
    """Metrics without what was asked for, those of one reason together.

    >>> describe_reasons({"pk": "one document", "windowdiff": "one document"}, "intervals")
    ['no intervals of pk, windowdiff: one document']
    """
    metrics: dict[str, list[str]] = {}
    for metric, reason in reasons.items():
        metrics.setdefault(reason, []).append(metric)
    return [f"no {asked} of {', '.join(names)}: {reason}" for reason, names in metrics.items()]


def _asked(*, intervals: bool, paired: bool) -> str:
    """What was asked for, in words."""
    wanted = (("intervals", intervals), ("tests", paired))
    return " and ".join(name for name, asked in wanted if asked)


def mark(p: float | None) -> str:
    """The sign of a p-value.

    >>> mark(0.004), mark(0.04), mark(0.4), mark(None)
    ('**', '*', '', '')
    """
    return "" if p is None else next((sign for limit, sign in MARKS if p < limit), "")


def show_p(p: float | None) -> str:
    """A p-value with four decimals; "-" where there is none.

    >>> show_p(0.03), show_p(0.00001), show_p(None)
    ('0.0300', '<0.0001', '-')
    """
    if p is None:
        return "-"
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def show_interval(score: Score, ratio: str, interval: Interval | None) -> str:
    """An interval as its ratio is shown."""
    if interval is None:
        return "-"
    shown = decimal if ratio in score.layer.numbers else percent
    return f"[{shown(interval.low)}, {shown(interval.high)}]"


def show_difference(score: Score, value: float | None) -> str:
    """Points that a headline ratio is above another, or its own measure where it is no share."""
    if value is None:
        return "-"
    points = value if score.layer.headline in score.layer.numbers else 100 * value
    return f"{points:+.2f}"


def name_metric(score: Score) -> str:
    """A metric with the sign that of its headline ratio less is better."""
    return f"{score.name} ↓" if score.layer.headline in score.layer.lower_is_better else score.name


def difference_table(result: Result, names: Sequence[str], assessed: Assessed) -> Table:
    """Every system against the first, metric by metric."""
    rows: list[list[str]] = []
    marks: dict[Cell, str] = {}
    for metric, score in result.systems[0].scores.items():
        for n in range(1, len(names)):
            found = assessed.difference(n, metric) or Difference(None, None, None, None)
            low_high = "-"
            if found.interval is not None:
                low_high = f"[{', '.join(show_difference(score, end) for end in found.interval)}]"
            if sign := mark(found.adjusted):
                marks[len(rows), 4] = sign
            told = [show_difference(score, found.difference), low_high, show_p(found.adjusted)]
            rows.append([name_metric(score) if n == 1 else "", names[n], *told])
    headers = ["", f"against {names[0]}", "difference", f"{assessed.level} interval", "p"]
    return Table(headers, rows, "nnrrr", marks=marks)


def matrix_table(result: Result, names: Sequence[str], assessed: Assessed) -> Table:
    """The p-value of every pair of systems, metric by metric; columns are numbers of systems."""
    rows: list[list[str]] = []
    marks: dict[Cell, str] = {}
    for metric, score in result.systems[0].scores.items():
        found = assessed.found.matrix.get(metric)
        for i, name in enumerate(names):
            cells = [""] * i
            for j in range(i, len(names) - 1):
                pair = found[i][j + 1] if found else None
                cells.append(show_p(pair.adjusted if pair else None))
                if sign := mark(pair.adjusted if pair else None):
                    marks[len(rows), 2 + j] = sign
            rows.append([name_metric(score) if not i else "", f"{i + 1} {name}", *cells])
    headers = ["", "p", *(str(j + 1) for j in range(1, len(names)))]
    return Table(headers, rows, "nn" + "r" * (len(names) - 1), marks=marks)


def significance_tables(
    result: Result, names: Sequence[str], assessed: Assessed
) -> Iterator[tuple[str, Table]]:
    """The tables of paired tests, each with a title."""
    if not assessed.paired or len(names) < 2:
        return
    yield f"differences from {names[0]}", difference_table(result, names, assessed)
    if len(names) > 2 and not assessed.found.reason:
        pairs = len(names) * (len(names) - 1) // 2
        yield f"p-values of {pairs} pairs of systems", matrix_table(result, names, assessed)


def render_notes(assessed: Assessed, columns: int) -> list[str]:
    """The notes for a terminal."""
    return [line for note in assessed.notes() for line in fold(printable(note), columns)]


def extend_long(table: Table, result: Result, assessed: Assessed) -> Table:
    """A row per system, metric and measure with the ends of its interval; then a row per pair of systems and metric."""
    more = ["low", "high"]
    # Names may look like formulas; numbers, which may be negative, do not.
    forms = "rr"
    if assessed.paired:
        more += ["against", "p", "p_holm", "p_holm_all_pairs"]
        forms += "nrrr"
    # Two systems may have one name: it is their order that tells them apart.
    owners = [
        n
        for n, system in enumerate(result.systems)
        for score in system.scores.values()
        for _ in score.to_json()
    ]
    rows = []
    for n, row in zip(owners, table.rows, strict=True):
        interval = assessed.interval(n, row[1], row[2])
        rows.append([*row, *_ends(interval), *[""] * (len(more) - 2)])
    if assessed.paired:
        rows += _difference_rows([system.name for system in result.systems], assessed.found)
    return Table([*table.headers, *more], rows, table.forms + forms)


def _difference_rows(names: Sequence[str], found: Significance) -> Iterator[list[str]]:
    """How far a system is above another, for each pair and metric."""
    for metric, pairs in found.matrix.items():
        for i, name in enumerate(names):
            for j in range(i):
                pair = pairs[i][j]
                first = found.against_first[metric][i] if not j else None
                if pair is not None:
                    numbers = [pair.p, first.adjusted if first else None, pair.adjusted]
                    value = _number(pair.difference)
                    ends = _ends(pair.interval)
                    yield [name, metric, "difference", value, *ends, names[j], *map(_number, numbers)]


def _ends(interval: Interval | None) -> list[str]:
    return ["", ""] if interval is None else [str(interval.low), str(interval.high)]


def _number(value: float | None) -> str:
    return "" if value is None else str(value)


def extend_cells(
    interval: Interval | None, found: Difference | None, against: str, *, paired: bool
) -> list[str]:
    """The ends of an interval; if `paired`, what a difference is from, and its p-values."""
    if not paired:
        return _ends(interval)
    numbers = (found.p, found.adjusted) if found else (None, None)
    return [*_ends(interval), against, *map(_number, numbers), ""]
