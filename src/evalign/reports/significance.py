"""Intervals and paired tests as shown: how they are written, tables of differences and p-values, and notes.

The statistics are computed by `evalign.significance`, which resamples units: documents, sentences or whatever
else the rows of counts belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal, TypeAlias

from evalign.metrics.registry import show_metric
from evalign.progress import Progress, counted as with_progress, no_progress
from evalign.reports.formats import exact
from evalign.reports.verdict import AssessedScores, give_verdict
from evalign.results.result import Parts, Result
from evalign.results.system_result import Score
from evalign.significance.assessment import assess
from evalign.significance.inference import find_floor
from evalign.significance.parts import assess_parts, covers_alike, share_units
from evalign.significance.values import (
    FEW,
    FEW_UNITS,
    FOR_EACH_TEST,
    MOST_RESAMPLES,
    TELLING,
    Difference,
    Floor,
    Interval,
    PartsSignificance,
    Resampling,
    Significance,
)
from evalign.table import Cell, Table
from evalign.wording import SIGNIFICANT, count_units, decimal, fold, name_units, percent, printable, show_p

Average: TypeAlias = Literal["", "macro", "micro"]
"""Which average over parts; "" for a single part."""

# Marks of differences whose p is below a limit, smallest limit first.
MARKS = tuple(zip(SIGNIFICANT, ("**", "*"), strict=True))
# Notes name up to this many parts; if there are more, they are only counted.
MOST_NAMED = 5
LEGEND = "* p < 0.05, ** p < 0.01"
# Units are drawn part by part here, so that parts keep their size: the same score can have two intervals.
STRATIFIED = (
    "the micro average's interval is not that of the whole: there units are drawn from all parts at once"
)
TESTS = {"randomization": "approximate randomization", "bootstrap": "paired bootstrap"}


@dataclass(frozen=True, slots=True)
class Assessed:
    """The significance of a result, with flags for what to show: intervals, tests, all pairs."""

    significance: Significance
    intervals: bool
    paired: bool
    all_pairs: bool = False
    """True if tests of every pair of systems are shown, false if only those against the first."""

    @property
    def level(self) -> str:
        """The confidence as a percentage.

        >>> Assessed(Significance(Resampling(), "document", 2, "", (), {}, {}), True, False).level
        '95 %'
        """
        return f"{100 * self.significance.resampling.confidence:.10g} %"

    @property
    def suffix(self) -> str:
        """The entries that resampling adds to a signature: seed, resamples, confidence, test."""
        return "|" + self.significance.describe(paired=self.paired)

    def interval(self, system: int, metric: str, ratio: str) -> Interval | None:
        """Return the interval of a ratio; None if there is none or intervals are not shown."""
        return self.significance.interval(system, metric, ratio) if self.intervals else None

    def difference(self, system: int, metric: str) -> Difference | None:
        """Return the difference of a system from the first; None if there is no test of it."""
        if not self.paired or metric not in self.significance.against_first:
            return None
        return self.significance.against_first[metric][system]

    def mark(self, system: int, metric: str) -> str:
        """Return the mark of a significant difference from the first system, or ""."""
        difference = self.difference(system, metric)
        return mark(difference.adjusted if difference else None)

    @property
    def units(self) -> str:
        """Number and kind of the units that were resampled."""
        return count_units(self.significance.n_units, self.significance.unit_kind)

    @property
    def test(self) -> str:
        """The name of the paired test."""
        return TESTS[self.significance.resampling.test]

    def notes(self) -> list[str]:
        """Return notes on what was resampled and tested, or why not."""
        if self.significance.reason:
            return [f"no {self._asked}: {self.significance.reason}"]
        lines = []
        if self.intervals:
            lines = [
                f"intervals: {self.level}, {count_resamples(self.significance.resampling.for_intervals)} of {self.units}"
            ]
        if self.paired:
            resamples = f"{count_resamples(self.significance.test_resamples)} of {self.units}"
            lines += [f"tests: {self.test}, {resamples}, Holm's correction", LEGEND, *self.floors()]
        return [*lines, *self._reasons, *filter(None, [self.significance.caution])]

    def floors(self) -> list[str]:
        """Return notes on the least possible p-values, where these are above 0.001."""
        if not self.paired:
            return []
        systems = len(self.significance.intervals)
        tests = comb(systems, 2) if self.all_pairs else systems - 1
        return describe_floors(self.significance, tests, all_pairs=self.all_pairs)

    def verdict(self, result: Result, names: Sequence[str]) -> str:
        """Say who is ahead in which metric and whether that may be chance; "" without tests."""
        if not self.paired:
            return ""
        return " ".join(
            f"{sentence}." for sentence in give_verdict(AssessedScores(result, self.significance, names))
        )

    @property
    def _asked(self) -> str:
        return _asked(intervals=self.intervals, paired=self.paired)

    @property
    def _reasons(self) -> list[str]:
        return describe_reasons(self.significance.reasons, self._asked)

    @property
    def _resamples(self) -> str:
        """The number of resamples in words, or both numbers if intervals and tests have different ones."""
        counts = [self.significance.resampling.for_intervals] if self.intervals else []
        counts += [self.significance.test_resamples] if self.paired else []
        if len(set(counts)) == 1:
            return count_resamples(counts[0])
        return f"{counts[0]:,} and, for tests, {count_resamples(counts[1])}"

    def caption(self, first: str) -> list[str]:
        """Return notes for a table that stands alone: with the seed, and what the marks mean."""
        if self.significance.reason:
            return self.notes()
        drawn = self.significance.resampling
        made_of = f"{self._resamples} of {self.units}, seed {drawn.seed}"
        lines = []
        if self.paired:
            lines.append(f"{LEGEND}: difference from {first}, {self.test}, Holm's correction.")
        lines.append(f"{f'{self.level} intervals; ' if self.intervals else ''}{made_of}.")
        more = (*self.floors(), *self._reasons, self.significance.caution)
        return [*lines, *(f"{line}." for line in more if line)]


def count_resamples(count: int) -> str:
    """Format a number of resamples.

    >>> count_resamples(1), count_resamples(55000)
    ('1 resample', '55,000 resamples')
    """
    return f"{count:,} resample{'' if count == 1 else 's'}"


def describe_floors(
    significance: Significance | PartsSignificance, tests: int, *, all_pairs: bool = False
) -> list[str]:
    """Say how low p can be, and what would help, where that is above 0.001; a line for each cause.

    A p-value has a least possible value (floor) because resamples or differing units are few. `tests` is the
    number of tests that are corrected together: those against the first system or, with `all_pairs`, those of
    all pairs.

    >>> floors = {"tokens": Floor(0.0099, 0.0549, 300)}
    >>> few = Significance(Resampling(resamples=1000), "document", 400, "", (), {}, {}, {}, 1000, floors)
    >>> describe_floors(few, 55, all_pairs=True)[0].partition(": ")[2]
    '1,000 resamples are few for 55 tests, 55,000 would do for 0.001'
    >>> floors = {"tokens": Floor(0.25, 0.25, 3), "words": Floor(0.25, 0.25, 3), "uas": Floor(0.0625, 0.0625, 5)}
    >>> against_first = dict.fromkeys(floors, [Difference(0.1, None, 0.3, 0.3)])
    >>> few = Significance(Resampling(), "document", 5, "", (), against_first, {}, {}, 1000, floors)
    >>> for part in describe_floors(few, 1)[0].split(": "):
    ...     print(part)
    p cannot be below 0.2500 for tokens, words; 0.0625 for UAS
    outputs differ in too few documents, more would help
    """
    # Equal outputs cannot differ significantly. Without the first system no test against it is shown.
    tested = [
        metric
        for metric, floor in significance.floors.items()
        if floor is not None
        and floor.differing
        and (all_pairs or has_tests(significance.against_first.get(metric, ())))
    ]
    by_units: dict[str, list[str]] = {}
    by_resamples: dict[str, list[str]] = {}
    for metric, floor in significance.floors.items():
        if metric in tested and floor is not None and _least_p(floor, all_pairs=all_pairs) > TELLING:
            is_by_units = find_floor(
                significance.resampling.test, 1, significance.test_resamples, floor.differing
            )
            limited = by_units if is_by_units > 1 / (1 + significance.test_resamples) else by_resamples
            limited.setdefault(_show_floor(floor, all_pairs=all_pairs), []).append(metric)
    lines = []
    alike = tested in (*by_units.values(), *by_resamples.values())
    if by_resamples:
        enough = FOR_EACH_TEST * tests
        advice = (
            f"{enough:,} would do for {TELLING}" if enough <= MOST_RESAMPLES else "fewer systems would help"
        )
        few = f"{count_resamples(significance.test_resamples)} {'is' if significance.test_resamples == 1 else 'are'} few"
        counted = f"{tests:,} {'test' if tests == 1 else 'tests'}"
        lines.append(
            f"p cannot be below {_name_floors(by_resamples, alike=alike)}: {few} for {counted}, {advice}"
        )
    if by_units:
        few = f"outputs differ in too few {name_units([significance.unit_kind])}, more would help"
        lines.append(f"p cannot be below {_name_floors(by_units, alike=alike)}: {few}")
    return lines


def has_tests(differences: Iterable[Difference | None]) -> bool:
    """Return whether any of the differences was tested."""
    return any(difference is not None and difference.p is not None for difference in differences)


def _name_floors(floors: Mapping[str, Sequence[str]], *, alike: bool) -> str:
    """Join floors with the metrics each holds for; without metrics if all have the same floor."""
    return "; ".join(
        floor if alike else f"{floor} for {', '.join(map(show_metric, metrics))}"
        for floor, metrics in floors.items()
    )


def _least_p(floor: Floor, *, all_pairs: bool) -> float:
    """Return the highest floor among the tests that are shown."""
    return max(floor.against_first, floor.matrix) if all_pairs else floor.against_first


def _show_floor(floor: Floor, *, all_pairs: bool) -> str:
    """Format the floor of tests against the first system; with `all_pairs` also that of all pairs."""
    first, pairs = show_p(floor.against_first), show_p(floor.matrix)
    return first if first == pairs or not all_pairs else f"{first} ({pairs} among all pairs)"


@dataclass(frozen=True, slots=True)
class AssessedParts:
    """The significance of every part and of the averages, with flags for what to show."""

    significance: PartsSignificance
    parts: Mapping[str, Significance]
    intervals: bool
    paired: bool
    split: bool = False
    """True if the parts are those of one result, which has intervals of its own."""
    together: bool = False
    """True if units belong to several parts, so that each is drawn for all of them at once."""

    def interval(self, part: str, average: Average, system: int, metric: str, ratio: str) -> Interval | None:
        """Return the interval of a ratio in a part or, if `average` is given, in an average."""
        if not self.intervals:
            return None
        if not average:
            return self.parts[part].interval(system, metric, ratio)
        averages = self.significance.macro if average == "macro" else self.significance.micro
        return averages[system].get(metric, {}).get(ratio) if averages else None

    def difference(self, part: str, average: Average, system: int, metric: str) -> Difference | None:
        """Return the difference from the first system, in a part or in the macro average; else None."""
        if not self.paired or average == "micro":
            return None
        differences = self.significance.against_first if average else self.parts[part].against_first
        return differences[metric][system] if metric in differences else None

    @property
    def level(self) -> str:
        """The confidence as a percentage."""
        return f"{100 * self.significance.resampling.confidence:.10g} %"

    @property
    def suffix(self) -> str:
        """The entries that resampling adds to a signature."""
        return "|" + self.significance.describe(paired=self.paired)

    def of_part(self, name: str) -> Assessed:
        """Return the significance of one part."""
        return Assessed(self.parts[name], self.intervals, self.paired)

    def to_dict(self, names: Sequence[str]) -> dict[str, object]:
        """Return everything in the form that is saved as JSON; `names` are those of the systems."""
        parts = {name: significance.to_dict(names) for name, significance in self.parts.items()}
        return {**self.significance.to_dict(names), "parts": parts}

    def notes(self) -> list[str]:
        """Return notes on what was resampled and tested, or why not."""
        asked = _asked(intervals=self.intervals, paired=self.paired)
        if self.significance.reason:
            return [f"no {asked} of the averages: {self.significance.reason}"]
        drawn = self.significance.resampling
        where = ", each drawn for all the parts it is in" if self.together else " within each part"
        lines = []
        if self.intervals:
            lines.append(f"intervals: {self.level}, {count_resamples(drawn.for_intervals)} of units{where}")
        if self.intervals and self.split and not self.together:
            lines.append(STRATIFIED)
        if self.paired and not self._is_tested:
            lines.append(
                "no test against the first system: no part has scores of it and of another that can be resampled"
            )
        elif self.paired:
            test = f"tests: against the first system, {TESTS[drawn.test]}, {self._test_resamples} of units{where}"
            lines += [f"{test}, Holm's correction over systems; of averages the macro average", LEGEND]
            lines += self._floors()
        alone = [
            name
            for name, significance in self.parts.items()
            if significance.reason and significance.n_units == 1
        ]
        if alone:
            lines.append(f"nothing to resample in {', '.join(alone)}: one unit")
        lines += self._caution()
        lines += describe_reasons(self.significance.reasons, asked)
        for name, significance in self.parts.items():
            # A reason that holds for all parts is given with the averages already.
            own_reasons = {
                metric: why
                for metric, why in significance.reasons.items()
                if metric not in self.significance.reasons
            }
            lines += [f"{name}: {line}" for line in describe_reasons(own_reasons, asked)]
        return lines

    @property
    def _is_tested(self) -> bool:
        """True if any difference from the first system was tested, in an average or in a part."""
        tested: list[Significance | PartsSignificance] = [self.significance, *self.parts.values()]
        return any(has_tests(row) for each in tested for row in each.against_first.values())

    @property
    def _test_resamples(self) -> str:
        """The number of resamples of tests; a part has more where all pairs of systems are tested."""
        inside = {significance.test_resamples for significance in self.parts.values()} - {
            0,
            self.significance.test_resamples,
        }
        more = f" (of one part alone {max(inside):,})" if inside else ""
        return f"{count_resamples(self.significance.test_resamples)}{more}"

    def _floors(self) -> list[str]:
        """Return notes on the least possible p-values of the averages and of parts."""
        systems = len(self.significance.macro)
        lines = [f"averages: {line}" for line in describe_floors(self.significance, systems - 1)]
        parts = {name: self.of_part(name).floors() for name in self.parts}
        few = [name for name, lines_of_part in parts.items() if lines_of_part]
        if len(few) > MOST_NAMED:
            where = f"{len(few)} of {len(self.parts)} parts"
            lines.append(
                f"p cannot be as low as {TELLING} in {where}: too few units differ, or too few resamples"
            )
        else:
            lines += [f"{name}: {line}" for name in few for line in parts[name]]
        return lines

    def _caution(self) -> list[str]:
        """Return a note on the parts that have few units."""
        few = [name for name, part in self.parts.items() if part.caution]
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
    """Resample every part and the averages; there is no test of groups of different treebanks."""
    paired = paired and (parts.run is None or all(covers_alike(parts.run, each) for each in parts.metrics))
    by_part = {}
    for _, (name, result) in with_progress(
        [*parts.results.items()], progress, lambda each: f"resampling {each[0]}"
    ):
        here = [metric for metric in metrics or parts.metrics if metric in result.systems[0].scores]
        by_part[name] = assess(result, resampling, paired=paired, metrics=here)
    averages = assess_parts(parts, resampling, paired=paired, metrics=metrics, progress=progress)
    return AssessedParts(averages, by_part, intervals, paired, parts.whole is not None, share_units(parts))


def describe_reasons(reasons: Mapping[str, str], asked: str) -> list[str]:
    """Say which metrics lack what was requested, and why; metrics with the same reason share a line.

    >>> describe_reasons({"pk": "one document", "windowdiff": "one document"}, "intervals")
    ['no intervals of Pk, WindowDiff: one document']
    """
    metrics: dict[str, list[str]] = {}
    for metric, reason in reasons.items():
        metrics.setdefault(reason, []).append(metric)
    return [
        f"no {asked} of {', '.join(map(show_metric, names))}: {reason}" for reason, names in metrics.items()
    ]


def _asked(*, intervals: bool, paired: bool) -> str:
    """Name what was requested: intervals, tests or both."""
    wanted = (("intervals", intervals), ("tests", paired))
    return " and ".join(name for name, asked in wanted if asked)


def mark(p: float | None) -> str:
    """Return the mark of a p-value.

    >>> mark(0.004), mark(0.04), mark(0.4), mark(None)
    ('**', '*', '', '')
    """
    return "" if p is None else next((sign for limit, sign in MARKS if p < limit), "")


def show_interval(score: Score, ratio: str, interval: Interval | None) -> str:
    """Format an interval in the way its ratio is shown."""
    if interval is None:
        return "-"
    shown = decimal if ratio in score.metric.numbers else percent
    return f"[{shown(interval.low)}, {shown(interval.high)}]"


def show_difference(score: Score, value: float | None) -> str:
    """Format the difference of two headline ratios, in points if they are shares."""
    if value is None:
        return "-"
    points = value if score.metric.headline in score.metric.numbers else 100 * value
    return f"{points:+.2f}"


def name_metric(score: Score) -> str:
    """Return the name of a metric, with an arrow if less is better for its headline ratio."""
    name = show_metric(score.name)
    return f"{name} ↓" if score.metric.headline in score.metric.lower_is_better else name


def difference_table(result: Result, names: Sequence[str], assessed: Assessed) -> Table:
    """Make a table of the differences of every system from the first, metric by metric."""
    rows: list[list[str]] = []
    marks: dict[Cell, str] = {}
    for metric, score in result.systems[0].scores.items():
        for n in range(1, len(names)):
            difference = assessed.difference(n, metric) or Difference(None, None, None, None)
            low_high = "-"
            if difference.interval is not None:
                low_high = f"[{', '.join(show_difference(score, end) for end in difference.interval)}]"
            if sign := mark(difference.adjusted):
                marks[len(rows), 4] = sign
            cells = [show_difference(score, difference.difference), low_high, show_p(difference.adjusted)]
            rows.append([name_metric(score) if n == 1 else "", names[n], *cells])
    headers = ["", f"against {names[0]}", "difference", f"{assessed.level} interval", "p"]
    return Table(headers, rows, "nnrrr", marks=marks)


def matrix_table(result: Result, names: Sequence[str], assessed: Assessed) -> Table:
    """Make a table of the p-values of all pairs, metric by metric; columns are numbers of systems."""
    rows: list[list[str]] = []
    marks: dict[Cell, str] = {}
    for metric, score in result.systems[0].scores.items():
        matrix = assessed.significance.matrix.get(metric)
        for i, name in enumerate(names):
            cells = [""] * i
            for j in range(i, len(names) - 1):
                pair = matrix[i][j + 1] if matrix else None
                cells.append(show_p(pair.adjusted if pair else None))
                if sign := mark(pair.adjusted if pair else None):
                    marks[len(rows), 2 + j] = sign
            rows.append([name_metric(score) if not i else "", f"{i + 1} {name}", *cells])
    headers = ["", "p", *(str(j + 1) for j in range(1, len(names)))]
    return Table(headers, rows, "nn" + "r" * (len(names) - 1), marks=marks)


def significance_tables(
    result: Result, names: Sequence[str], assessed: Assessed
) -> Iterator[tuple[str, Table]]:
    """Yield the tables of paired tests, each with a title.

    The first has the tests against the first system, the second those of all pairs, if they are shown.
    """
    if not assessed.paired or len(names) < 2:
        return
    yield f"differences from {names[0]}", difference_table(result, names, assessed)
    if assessed.all_pairs and len(names) > 2 and not assessed.significance.reason:
        pairs = len(names) * (len(names) - 1) // 2
        yield f"p-values of {pairs} pairs of systems", matrix_table(result, names, assessed)


def render_notes(assessed: Assessed, columns: int) -> list[str]:
    """Return the notes folded for a terminal."""
    return [line for note in assessed.notes() for line in fold(printable(note), columns)]


def extend_long(table: Table, result: Result, assessed: Assessed) -> Table:
    """Add the ends of intervals to the rows of a long table, then a row per pair of systems and metric."""
    more = ["low", "high"]
    # "n" columns are guarded against formulas in CSV, "r" columns may have negative numbers.
    forms = "rr"
    if assessed.paired:
        more += ["against", "p", "p_holm", "p_holm_all_pairs"]
        forms += "nrrr"
    # Systems are identified by number: two may have the same name.
    owners = [
        n
        for n, system in enumerate(result.systems)
        for score in system.scores.values()
        for _ in score.to_dict()
    ]
    rows = []
    for n, row in zip(owners, table.rows, strict=True):
        interval = assessed.interval(n, row[1], row[2])
        rows.append([*row, *_ends(interval), *[""] * (len(more) - 2)])
    if assessed.paired:
        rows += _difference_rows([system.name for system in result.systems], assessed.significance)
    return Table([*table.headers, *more], rows, table.forms + forms)


def _difference_rows(names: Sequence[str], significance: Significance) -> Iterator[list[str]]:
    """Yield a row per pair of systems and metric with their difference and its p-values."""
    for metric, pairs in significance.matrix.items():
        for i, name in enumerate(names):
            for j in range(i):
                pair = pairs[i][j]
                first = significance.against_first[metric][i] if not j else None
                if pair is not None:
                    numbers = [pair.p, first.adjusted if first else None, pair.adjusted]
                    value = exact(pair.difference)
                    ends = _ends(pair.interval)
                    yield [name, metric, "difference", value, *ends, names[j], *map(exact, numbers)]


def _ends(interval: Interval | None) -> list[str]:
    return ["", ""] if interval is None else [str(interval.low), str(interval.high)]


def extend_cells(
    interval: Interval | None, difference: Difference | None, against: str, *, paired: bool
) -> list[str]:
    """Return cells for the ends of an interval and, if `paired`, for a difference and its p-values."""
    if not paired:
        return _ends(interval)
    numbers = (difference.p, difference.adjusted) if difference else (None, None)
    return [*_ends(interval), against, *map(exact, numbers), ""]
