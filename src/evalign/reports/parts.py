"""A result in parts: a row per treebank or genre, then both averages, with notes on which parts they cover.

One system has a column per metric, several have a table per metric with a column per system. `PartsView`
computes the numbers, also for the page and for counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from evalign.files import tell_apart
from evalign.metrics.census import DocumentSize
from evalign.metrics.registry import show_metric
from evalign.reports.formats import RENDERERS, SIZES, exact, fold_notes, json_text, render_text
from evalign.reports.scores import (
    difference_fields,
    interval_ends,
    long_table,
    result_rows,
    show_ratio,
)
from evalign.reports.significance import (
    Assessed,
    AssessedParts,
    Average,
    extend_cells,
    mark,
    name_metric,
    show_interval,
)
from evalign.reports.verdict import Standing, tell_leads, tell_standing
from evalign.results.result import Parts, Result
from evalign.results.signatures import join_signatures, list_signatures
from evalign.results.system_result import Score
from evalign.significance.parts import can_add_up, cover_alike, covers_alike
from evalign.significance.values import Difference
from evalign.table import GAP, SHORTEST_HEADER, SHORTEST_NAME, Cell, Table
from evalign.wording import best_of, counted, describe_failure, name_units, printable, shorten, widest

AVERAGES: tuple[Average, ...] = ("macro", "micro")
MACRO_AVERAGE, MICRO_AVERAGE = "macro average", "micro average"
# The text shown instead of a score where a system failed, and the CSV column for it.
FAILED, STATUS = "failed", "status"


class PartRow(NamedTuple):
    """A row: a part or an average over all parts."""

    name: str
    average: Average
    """"" for a part."""
    units: str
    size: tuple[str, ...] = ()
    """Sentences and tokens of gold; empty if they are not known for any treebank."""


def render_parts(
    parts: Parts,
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
    metrics: Sequence[str] = (),
    assessed: AssessedParts | None = None,
    layout: str = "",
) -> str:
    """Render parts and their averages in one of the formats, for all metrics or those in `metrics`.

    A `layout` of "systems" has a row per part and system and a column per metric; "metrics" has a table per
    metric with a column per system. The default is "systems" for one system, "metrics" for several.
    """
    view = PartsView(parts, metrics, assessed)
    if format == "json":
        return json_text(parts_json(parts, assessed), indent=2) + "\n"
    if format == "csv":
        return render_parts_csv([parts], [assessed], metrics=metrics)
    if format in RENDERERS:
        tables = view.tables(tell_apart(parts.systems), layout)
        tables[-1] = tables[-1]._replace(notes=view.notes())
        return "\n".join(map(RENDERERS[format], tables))
    return view.render(columns, bold=color, layout=layout)


def parts_json(parts: Parts, assessed: AssessedParts | None, per: Sequence[str] = ()) -> dict[str, object]:
    """Return the parts in the form printed as JSON, with the breakdowns in `per`.

    Intervals and tests are added if `assessed` is given.
    """
    saved: dict[str, object] = {**parts.to_dict(per=per)}
    if assessed is not None:
        saved["significance"] = assessed.to_dict(parts.systems)
    return saved


class PartsView:
    """The numbers of parts and averages, as rows, tables and notes.

    A system is given by its number, a row by one of `rows`. Of `metrics` those are shown that the parts have,
    all if they have none of them.
    """

    def __init__(self, parts: Parts, metrics: Sequence[str], assessed: AssessedParts | None) -> None:
        # A split by labels has a metric of its own.
        self.metrics = [metric for metric in metrics if metric in parts.metrics] or list(parts.metrics)
        self.parts, self.assessed = parts, assessed
        self._micro = parts.micro()
        self._kept: dict[tuple[PartRow, int, str], Mapping[str, float | None]] = {}
        sizes = {name: len(result.unit_names) for name, result in parts.results.items()}
        total = len(parts.whole.unit_names) if parts.whole else sum(sizes.values())
        of_run = None if parts.whole else self._micro.size
        self.size_titles = () if of_run is None else SIZES
        self.rows = [
            *(PartRow(name, "", f"{size:,}", self._size(parts[name].size)) for name, size in sizes.items()),
            PartRow(MACRO_AVERAGE, "macro", "", self._size(None)),
            # Not the sum of the parts: a unit may be in several, as a document has sentences of all lengths.
            PartRow(MICRO_AVERAGE, "micro", f"{total:,}", self._size(of_run)),
        ]

    def _size(self, size: DocumentSize | None) -> tuple[str, ...]:
        """Return the cells of a row under `size_titles`."""
        return (
            tuple(f"{count:,}" for count in size)
            if size and self.size_titles
            else ("",) * len(self.size_titles)
        )

    def ratios(self, row: PartRow, system: int, metric: str) -> Mapping[str, float | None]:
        """Return all ratios of a row as the averages count them.

        A failure has the worst value of each ratio, or None where averages leave failures out.
        """
        key = row, system, metric
        if key not in self._kept:
            if row.average == "macro":
                self._kept[key] = self.parts.macro(system, metric)
            elif row.average == "micro":
                self._kept[key] = self._micro.systems[system].scores[metric].ratios
            else:
                self._kept[key] = self.parts.counted(row.name, system, metric)
        return self._kept[key]

    def tables(self, names: Sequence[str], layout: str = "") -> list[Table]:
        """Return the tables of scores by part, in a `layout`, each with the size of gold in every part.

        Parts are treebanks or the groups of a split. `names` are the systems as the tables call them. The layout
        "metrics" has a table per metric, "systems" one table of all; "" is "metrics" if there are several systems.
        """
        if self._is_by_metric(layout):
            return [self._system_table(metric, names) for metric in self.metrics]
        return [self._metric_table(self.metrics, names)]

    def _is_by_metric(self, layout: str) -> bool:
        """Return whether the layout has a table per metric with a column per system."""
        return layout == "metrics" or (not layout and len(self.parts.systems) > 1)

    def _terminal_tables(self, columns: int, layout: str) -> list[Table]:
        """Return the tables of a layout, split so that none is wider than `columns`.

        Only the first has the sizes of gold; they get a table of their own where they would push systems that
        are compared into another table, or leave no room for a number.
        """
        names = tell_apart(self.parts.systems)
        by_metric = self._is_by_metric(layout)
        labels = [self.units_title()] if by_metric or len(names) == 1 else ["system", self.units_title()]
        half = columns // 2
        names = [shorten(printable(name), max(SHORTEST_NAME, half // 2)) for name in names]
        beside = widest([labels[0], *names]) + GAP if len(labels) > 1 else 0
        longest = max(len(MACRO_AVERAGE), half - beside - len(self.units_title()) - 2 * GAP)
        if by_metric:
            used = (
                min(longest, widest([*self.parts.results, MACRO_AVERAGE])) + len(self.units_title()) + 2 * GAP
            )
            most = max(SHORTEST_HEADER, (columns - used) // len(names) - GAP)
            names = [shorten(name, most) for name in names]
        bare = [*range(1 + len(labels))]
        sized = [*range(len(bare) + len(self.size_titles))]
        whole = [_shorten_names(table, longest) for table in self.tables(names, layout)]
        without = [
            table.choose([*bare, *range(len(sized), len(table.headers))]).break_up(columns, bare, bare)
            for table in whole
        ]
        first = whole[0].break_up(columns, sized, bare)
        if self.size_titles and (
            first[0].width > columns or len(first) > len(without[0]) + (0 if by_metric else 1)
        ):
            first = [_shorten_names(self.size_table(), longest), *without[0]]
        return [*first, *(table for tables in without[1:] for table in tables)]

    def size_table(self) -> Table:
        """Return a table with only the sizes of gold."""
        return self._metric_table((), self.parts.systems[:1])

    def model(self, metric: str) -> Score:
        """Return some score of a metric, for its name, headline ratio and scale."""
        scores = (result.systems[0].scores.get(metric) for result in self.parts.results.values())
        return next(score for score in scores if score is not None)

    def units_title(self) -> str:
        """Return the header of the column with the numbers of units."""
        results = self.parts.results.values()
        return name_units(result.unit_kind for result in results if result.unit_names)

    def _cell(self, row: PartRow, system: int, metric: str) -> str:
        """Format the headline ratio, or return "failed" for a failure, whatever averages count it as."""
        if not row.average and self.parts.fails(row.name, system, metric):
            return FAILED
        model = self.model(metric)
        return show_ratio(
            model, model.metric.headline, self.ratios(row, system, metric).get(model.metric.headline)
        )

    def _interval(self, row: PartRow, system: int, metric: str) -> str:
        """Format the interval of the headline ratio; "" if there is none or none was requested."""
        model = self.model(metric)
        headline = model.metric.headline
        if self.assessed is None:
            return ""
        interval = self.assessed.interval(row.name, row.average, system, metric, headline)
        return show_interval(model, headline, interval) if interval else ""

    def _metric_table(self, metrics: Sequence[str], names: Sequence[str]) -> Table:
        """Make a table with a column per metric and a row per part and system; the best in bold."""
        several = len(names) > 1
        titles = [self.parts.by, *(["system"] if several else []), self.units_title(), *self.size_titles]
        rows: list[list[str]] = []
        best: set[Cell] = set()
        marks: dict[Cell, str] = {}
        behind: dict[Cell, str] = {}
        for row in self.rows:
            labels = [row.units, *row.size]
            if several:
                for column, metric in enumerate(metrics, len(titles)):
                    best |= {(len(rows) + system, column) for system in self._winners(row, metric)}
            for system, name in enumerate(names):
                for column, metric in enumerate(metrics, len(titles)):
                    self._decorate((len(rows), column), row, system, metric, marks, behind)
                named = [row.name, *([name] if several else []), *labels]
                if system:
                    named = ["", name, *[""] * len(labels)]
                rows.append([*named, *(self._cell(row, system, metric) for metric in metrics)])
        form = "nn" + "r" * (len(titles) - 2 + len(metrics)) if several else ""
        headers = [*titles, *(name_metric(self.model(metric)) for metric in metrics)]
        return Table(headers, rows, form, best=frozenset(best), marks=marks, behind=behind)

    def _winners(self, row: PartRow, metric: str) -> Sequence[int]:
        """Return the systems with the best headline ratio in a row; none if they are not comparable."""
        entry = self.model(metric).metric
        if not self.are_comparable(row, metric):
            return ()
        values = [self.ratios(row, k, metric).get(entry.headline) for k in range(len(self.parts.systems))]
        lowest = entry.headline in entry.lower_is_better
        return best_of(values, lowest=lowest, scale=entry.scale(entry.headline))

    def _decorate(
        self,
        at: Cell,
        row: PartRow,
        system: int,
        metric: str,
        marks: dict[Cell, str],
        behind: dict[Cell, str],
    ) -> None:
        """Add the mark of a significant difference and the interval to the cell `at`."""
        difference = self._difference(row, system, metric)
        if sign := mark(difference.adjusted if difference else None):
            marks[at] = sign
        if interval := self._interval(row, system, metric):
            behind[at] = interval

    def _system_table(self, metric: str, names: Sequence[str]) -> Table:
        """Make the table of one metric: a column per system, the best of each row in bold."""
        titles = [name_metric(self.model(metric)), self.units_title(), *self.size_titles]
        rows: list[list[str]] = []
        best: set[Cell] = set()
        marks: dict[Cell, str] = {}
        behind: dict[Cell, str] = {}
        for row in self.rows:
            best |= {(len(rows), len(titles) + system) for system in self._winners(row, metric)}
            for system in range(len(names)):
                self._decorate((len(rows), len(titles) + system), row, system, metric, marks, behind)
            numbers = [self._cell(row, system, metric) for system in range(len(names))]
            rows.append([row.name, row.units, *row.size, *numbers])
        return Table([*titles, *names], rows, best=frozenset(best), marks=marks, behind=behind)

    def are_comparable(self, row: PartRow, metric: str) -> bool:
        """Return whether the values of all systems in a row cover the same parts; always true for a treebank."""
        return (self.parts.run is None or covers_alike(self.parts.run, metric)) and (
            not row.average or cover_alike(self.parts, metric, row.average)
        )

    def _difference(self, row: PartRow, system: int, metric: str) -> Difference | None:
        """Return the tested difference from the first system; None if there is no test."""
        if self.assessed is None:
            return None
        # If one of the two failed on a part, there is no score to test.
        pair = [] if row.average else [self.parts[row.name].systems[number] for number in (0, system)]
        if any(each.fails(metric) for each in pair):
            return None
        return self.assessed.difference(row.name, row.average, system, metric)

    @property
    def title(self) -> str:
        """The kind of the parts, their number, and where their names come from."""
        title = f"by {self.parts.by}: {counted(len(self.parts), 'part')}"
        return title + (f", {self.parts.source}" if self.parts.source else "")

    def render(self, columns: int, *, bold: bool, layout: str = "") -> str:
        """Render title, tables, notes and signatures for a terminal of `columns`."""
        names = tell_apart(self.parts.systems)
        shown = [
            render_text(table, columns=columns, bold=bold) for table in self._terminal_tables(columns, layout)
        ]
        verdict = [fold_notes([text], columns) for text in self._verdict(names)]
        foot = fold_notes(self.notes(), columns)
        foot += "".join(f"{printable(line)}\n" for line in self.signatures())
        return "\n".join([*verdict, fold_notes([self.title], columns), *shown, foot]).rstrip("\n") + "\n"

    def _verdict(self, names: Sequence[str]) -> list[str]:
        """Say who is ahead by macro average, and whether that may be chance; before that, who failed everywhere.

        Nothing for a result that was split: its own report says so.
        """
        if self.parts.whole is not None or self.assessed is None or not self.assessed.paired:
            return []
        row = next(row for row in self.rows if row.average == "macro")
        standings = [
            self._standing(row, metric) for metric in self.metrics if self.are_comparable(row, metric)
        ]
        sentences = tell_leads(names, standings)
        by_average = [f"By {MACRO_AVERAGE}: {_join_sentences(sentences)}"] if sentences else []
        failures = describe_total_failures(self.parts, names)
        return [*([_join_sentences(failures)] if failures else []), *by_average]

    def _standing(self, row: PartRow, metric: str) -> Standing:
        """Return how the systems stand in an average; only tests against the first system exist."""
        entry = self.model(metric).metric
        lower = entry.headline in entry.lower_is_better
        confidence = self.assessed.significance.resampling.confidence if self.assessed else 0

        def is_ahead(one: int, other: int) -> bool | None:
            difference = self._difference(row, one or other, metric)
            if (one and other) or difference is None or difference.adjusted is None:
                return None
            return tell_standing(difference, 1 - confidence, lower=lower) == ("better" if one else "worse")

        values = [
            None
            if self.parts.fails_everywhere(k, metric)
            else self.ratios(row, k, metric).get(entry.headline)
            for k in range(len(self.parts.systems))
        ]
        return Standing(metric, values, lower, entry.scale(entry.headline), is_ahead)

    def signatures(self) -> list[str]:
        """Return the lines of signatures; none for a result that was split, which shows its own."""
        if self.parts.whole is not None:
            return []
        suffix = self.assessed.suffix if self.assessed else ""
        signatures = [system.signature for system in self._micro.systems]
        return list_signatures(tell_apart(self.parts.systems), signatures, suffix)

    def notes(self) -> list[str]:
        """Return notes on failures, on the averages and on resampling."""
        return self.describe_averages() + (self.assessed.notes() if self.assessed else [])

    def describe_averages(self) -> list[str]:
        """Return notes on failures, on what they count as, and on which parts the averages cover."""
        lines = describe_failures(self.parts)
        if lines:
            effect = (
                "it counts as 0, or as 1 where less is better"
                if self.parts.failures == "zero"
                else "it is left out"
            )
            lines.append(f"where a system failed on a part, for the averages {effect}")
        run = self.parts.run
        if run is not None and not all(covers_alike(run, metric) for metric in self.metrics):
            lines.append("some parts are not of the same treebanks, and do not say which system is better")
        if self.parts.whole is None:
            lines += describe_total_failures(self.parts, self.parts.systems)
            lines += describe_missed(self.parts, self.metrics)
            lines += describe_coverage(self.parts, self.metrics)
            if self.assessed is not None and self.assessed.paired:
                lines += describe_compared(self.parts, self.metrics)
                lines += self._describe_exchanges()
        lines.append(
            f"{MACRO_AVERAGE}: the mean over parts; {MICRO_AVERAGE}: of the counts of all parts together"
        )
        return lines

    def _describe_exchanges(self) -> list[str]:
        """Return a note on how randomization treats failures that count as 0."""
        systems = range(len(self.parts.systems))
        counted = self.parts.failures == "zero" and any(
            self.parts.fails(part, number, metric) and not self.parts.fails_everywhere(number, metric)
            for part, number, metric in product(self.parts, systems, self.metrics)
        )
        if (
            not counted
            or self.assessed is None
            or self.assessed.significance.resampling.test != "randomization"
        ):
            return []
        by = self.parts.by
        note = f"in tests a {by} that a system failed on is one unit, however large it is"
        return [f"{note}: a difference that comes from failures on a few {by}s has a high p, however large"]

    def long_rows(self) -> Iterator[list[str]]:
        """Yield rows for CSV: kind of part, name of the part or average, then cells as in `long_table`.

        For parts that were scored one by one the last cell is "failed" where a system failed, else empty.
        """
        for name, result in self.parts.results.items():
            values = self._failed_values(name, result)
            failed = {key[:2] for key in values}
            rows = [
                self._fill([self.parts.by, name, *row])
                for row in long_table(result, None, self._assessed_part(name)).rows
                if (row[0], row[1]) not in failed
            ]
            rows += (self._fill([self.parts.by, name, *key, value], FAILED) for key, value in values.items())
            yield from self._in_order(rows) if values else rows
        for average in self.rows:
            if average.average:
                yield from map(self._fill, self._average_rows(average))

    def _in_order(self, rows: list[list[str]]) -> list[list[str]]:
        """Sort the rows of a part by system and metric, so that failures stand with their system."""
        systems, metrics = (
            {name: n for n, name in enumerate(names)} for names in (self.parts.systems, self.parts.metrics)
        )
        return sorted(rows, key=lambda row: (systems[row[2]], metrics.get(row[3], len(metrics))))

    def _fill(self, cells: list[str], status: str = "") -> list[str]:
        """Pad the cells of a row, and end it with `status` unless the parts are of one result."""
        width = 2 + len(self.long_headers)
        return cells if self.parts.whole else [*cells, *[""] * (width - len(cells) - 1), status]

    @cached_property
    def long_headers(self) -> list[str]:
        """Headers of the cells of `long_rows` after the first two."""
        first = next(iter(self.parts.results))
        headers = long_table(self.parts[first], None, self._assessed_part(first)).headers
        return [*headers] if self.parts.whole else [*headers, STATUS]

    def _failed_values(self, part: str, result: Result) -> dict[tuple[str, str, str], str]:
        """Return the values that failures count as, by system, metric and measure.

        They are "" where the averages leave failures out.
        """
        by_measure: dict[tuple[str, str, str], str] = {}
        for number, system in enumerate(result.systems):
            for metric in self.metrics:
                if not self.parts.fails(part, number, metric):
                    continue
                score = system.scores.get(metric)
                counts = (score or self.model(metric)).to_dict()
                if score is None or self.parts.failures == "skip":
                    counts = dict.fromkeys(counts)
                values = {**counts, **self.parts.counted(part, number, metric)}
                for measure, value in values.items():
                    by_measure[system.name, metric, measure] = exact(value)
        return by_measure

    def _assessed_part(self, name: str) -> Assessed | None:
        return None if self.assessed is None else self.assessed.of_part(name)

    def _average_rows(self, row: PartRow) -> Iterator[list[str]]:
        systems = self.parts.systems
        for (number, system), metric in product(enumerate(systems), self.metrics):
            for ratio, value in self.ratios(row, number, metric).items():
                cells = [row.name, "", system, metric, ratio, exact(value)]
                if self.assessed is not None:
                    interval = self.assessed.interval(row.name, row.average, number, metric, ratio)
                    cells += extend_cells(interval, None, "", paired=self.assessed.paired)
                yield cells
            difference = self._difference(row, number, metric)
            if difference is not None:
                points = exact(difference.difference)
                more = extend_cells(difference.interval, difference, systems[0], paired=True)
                yield [row.name, "", system, metric, "difference", points, *more]


def _join_sentences(sentences: Iterable[str]) -> str:
    return " ".join(f"{sentence}." for sentence in sentences)


def _shorten_names(table: Table, most: int) -> Table:
    """Shorten the names in the first column to `most` terminal columns."""
    return table._replace(rows=[[shorten(printable(row[0]), most), *row[1:]] for row in table.rows])


def render_parts_csv(
    split: Sequence[Parts],
    assessed: Sequence[AssessedParts | None],
    whole: Table | None = None,
    metrics: Sequence[str] = (),
) -> str:
    """Render splits as one CSV table, with the rows of the whole result before them if given.

    The first of `split` may be a run, with a column more than the splits of it.
    """
    rows: list[list[str]] = []
    headers: Sequence[str] = []
    for parts, assessed_parts in zip(split, assessed, strict=True):
        view = PartsView(parts, metrics, assessed_parts)
        headers = headers or view.long_headers
        rows += (row for row in view.long_rows() if row[3] in view.metrics)
    before = [["", "", *row] for row in whole.rows] if whole else []
    forms = "nnnr" + "".join("n" if name in (STATUS, "against") else "r" for name in headers[4:])
    rows = [[*row, *[""] * (2 + len(headers) - len(row))] for row in (*before, *rows)]
    return RENDERERS["csv"](Table(["by", "part", *headers], rows, "nn" + forms))


# Coverage: how many treebanks averages cover, and whether those of all systems cover the same ones.


def describe_failures(parts: Parts) -> list[str]:
    """Return a line per failure: system, part and reason."""
    return [
        describe_failure(name, part, reason)
        for number, name in enumerate(parts.systems)
        for part, reason in parts.failed(number).items()
    ]


def describe_coverage(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Say which averages do not cover all parts, and which cover other parts for one system than for another.

    Averages over different parts are not comparable. A note that holds for all systems is given once.
    """
    by_system = [_describe_system(parts, number, metrics) for number in range(len(parts.systems))]
    if not all(lines == by_system[0] for lines in by_system):
        lines = [
            f"{name}: {line}"
            for name, own_lines in zip(parts.systems, by_system, strict=True)
            for line in own_lines
        ]
    else:
        lines = by_system[0]
    uneven = [metric for metric in metrics if not cover_alike(parts, metric, "macro")]
    if uneven:
        which = _name_some(uneven, metrics, "of")
        lines.append(
            f"averages{which} are not of the same {parts.by}s, and do not say which system is better"
        )
    return lines


def describe_missed(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Say which missing metrics count as failures, and which micro averages failures make impossible."""
    lines = []
    for number, name in enumerate(parts.systems):
        where: dict[tuple[str, ...], list[str]] = {}
        for part, missed in parts.missed(number).items():
            shown = tuple(metric for metric in metrics if metric in missed)
            if shown:
                where.setdefault(shown, []).append(part)
        for shown, names in where.items():
            sentence = (
                f"{name} has no {', '.join(map(show_metric, shown))} on {', '.join(names)}, where gold has"
            )
            lines.append(f"{sentence}: counts as the worst there is")
    uncounted: dict[str, list[str]] = {}
    for number, name in enumerate(parts.systems):
        for metric in metrics:
            if not can_add_up(parts, number, metric):
                uncounted.setdefault(metric, []).append(name)
    for metric, names in uncounted.items():
        lines.append(
            f"no micro average of {show_metric(metric)} for {', '.join(names)}: failures in it have no counts"
        )
    return lines


def _name_some(some: Sequence[str], metrics: Sequence[str], joint: str) -> str:
    """Name the metrics `some` behind `joint`; "" if they are all of `metrics`."""
    return "" if len(some) == len(metrics) else f" {joint} {', '.join(map(show_metric, some))}"


def _describe_system(parts: Parts, number: int, metrics: Sequence[str]) -> list[str]:
    sizes: dict[int, list[str]] = {}
    for metric in metrics:
        sizes.setdefault(len(parts.covered(number, metric)), []).append(metric)
    sizes.pop(len(parts), None)
    lines = []
    for size, some in sorted(sizes.items()):
        which = _name_some(some, metrics, "of")
        lines.append(f"averages{which} are of {size} of {len(parts)} {parts.by}s")
    return lines


def describe_total_failures(parts: Parts, names: Sequence[str]) -> list[str]:
    """Say which systems, called `names`, failed on all parts, and what that means for tests."""
    failed = [len(parts.failed(number)) == len(parts) for number in range(len(parts.systems))]
    lines = [
        f"{name} failed on all {counted(len(parts), parts.by)}: it is in no test and no verdict"
        for name, has_failed in zip(names, failed, strict=True)
        if has_failed
    ]
    others = [name for name, has_failed in zip(names, failed, strict=True) if not has_failed]
    if lines and len(others) == 1:
        lines.append(
            f"{others[0]} is the only system with scores, so that there is nothing to compare it with"
        )
    elif failed[0] and others:
        lines.append(
            f"{names[0]} is the first system, which the others are tested against: put another first"
        )
    return lines


def describe_compared(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Say where the test of a macro average covers fewer parts than the average."""
    lines = []
    for number in range(1, len(parts.systems)):
        sizes: dict[int, list[str]] = {}
        for metric in metrics:
            if any(parts.fails_everywhere(k, metric) for k in (0, number)):
                continue
            first, own = (set(parts.covered(k, metric)) for k in (0, number))
            if first != own:
                sizes.setdefault(len(first & own), []).append(metric)
        for size, some in sorted(sizes.items()):
            which = _name_some(some, metrics, "in")
            pair = f"compared with {parts.systems[0]}{which}"
            common = f"over the {size} of {len(parts)} {parts.by}s that both have"
            comparison = f"{pair} {common}" if size else f"not {pair}: no {parts.by} has both"
            lines.append(f"{parts.systems[number]} is {comparison}")
    return lines


# JSON lines.


def render_part_lines(
    parts: Parts, assessed: AssessedParts | None = None, metrics: Sequence[str] = ()
) -> Iterator[str]:
    """Yield JSON lines: an object per part, system and metric, then those of both averages."""
    names = PartsView(parts, metrics, None).metrics
    for name, result in parts.results.items():
        assessed_part = assessed.of_part(name) if assessed is not None else None
        for row in result_rows(result, assessed_part, {"by": parts.by, "part": name}):
            if row["metric"] in names:
                yield json_text(row) + "\n"
    for row in _average_objects(parts, assessed, names):
        yield json_text(row) + "\n"


def _average_objects(
    parts: Parts, assessed: AssessedParts | None, metrics: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Yield an object per average, system and metric, with the number of parts it covers."""
    micro = parts.micro()
    for average in AVERAGES:
        for n, system in enumerate(micro.systems):
            for metric in metrics:
                score = system.scores[metric]
                scores = parts.macro(n, metric) if average == "macro" else score.to_dict()
                row: dict[str, object] = {"by": parts.by, "part": None, "average": average}
                row |= {"parts": len(parts.covered(n, metric)), "system": system.name, "metric": metric}
                row |= {"headline": score.metric.headline, "scores": dict(scores)}
                if assessed is not None and assessed.intervals:
                    averages = (
                        assessed.significance.macro if average == "macro" else assessed.significance.micro
                    )
                    row["intervals"] = interval_ends(averages[n].get(metric, {}))
                if assessed is not None and assessed.paired:
                    row |= difference_fields(assessed.difference("", average, n, metric), parts.systems[0])
                signature = join_signatures([system.signature], average=average)
                yield row | {"signature": signature + (assessed.suffix if assessed is not None else "")}
