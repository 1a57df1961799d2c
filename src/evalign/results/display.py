"""Results as people see them: lines of text when printed, HTML tables in notebooks.

Both are made from the same rows and notes. Input text is escaped: it is never markup in a notebook, and none
of its control characters reaches a terminal. Errors, groups of errors and breakdowns are lists and
dictionaries that print a line for each entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple, Protocol, SupportsIndex, TypeVar, overload

from evalign.files import file_name, replace_paths, shorten_paths, tell_apart
from evalign.metrics.counts import Counts
from evalign.metrics.errors.mismatches import NO_TEXT, ErrorGroup, Mismatch, group_sides, mismatch_sides
from evalign.metrics.metric import Metric
from evalign.metrics.registry import show_metric
from evalign.results.ledger import Ledger, list_tolerated
from evalign.results.signatures import list_signatures
from evalign.table import GAP, Table, set_lines
from evalign.wording import decimal, describe_failure, fold, name_ratio, percent, printable, widest

# Width of printed text, in terminal columns.
PRINTED_WIDTH = 100
# Most warnings shown.
MOST_SHOWN_WARNINGS = 5
# Most columns for the measures of a metric without precision and recall.
LONGEST_MEASURES = 46
SPAN_RATIOS = ("precision", "recall", "f1")


class ShownScore(Protocol):
    """The part of `Score` that is shown."""

    @property
    def metric(self) -> Metric:
        """The metric."""

    @property
    def ratios(self) -> Mapping[str, float | None]:
        """Ratios from 0 to 1."""


class ShownSystem(Protocol):
    """The part of `SystemResult` that is shown."""

    @property
    def name(self) -> str:
        """Name of the system."""

    @property
    def scores(self) -> Mapping[str, ShownScore]:
        """Scores by metric."""

    @property
    def ledger(self) -> Ledger:
        """Ledger of what the scores tolerated."""

    @property
    def signature(self) -> str:
        """Signature of the scores."""

    @property
    def failure(self) -> str:
        """Why there are no scores; empty if there are."""


class ScoreRow(NamedTuple):
    """One metric of one system: its ratios as text, by name, and the name of its headline ratio.

    There are no ratios if the system was not scored by the metric.
    """

    metric: str
    system: str
    ratios: Mapping[str, str]
    headline: str

    @property
    def is_of_spans(self) -> bool:
        """True if the metric has precision, recall and F1."""
        return set(SPAN_RATIOS) <= set(self.ratios)

    @property
    def is_missing(self) -> bool:
        """True if the system was not scored by the metric."""
        return not self.ratios


class ResultView(NamedTuple):
    """Content to show of a result: rows for each metric and system, metric by metric, and notes."""

    systems: Sequence[str]
    rows: Sequence[ScoreRow]
    notes: Sequence[str]

    def text(self) -> str:
        """Return text for `print`: columns of precision, recall and F1, then measures of other metrics."""
        return _join_text(["\n".join(set_lines(self._table(), PRINTED_WIDTH))], self.notes)

    def _table(self) -> Table:
        several = len(self.systems) > 1
        ratios = SPAN_RATIOS if any(row.is_of_spans for row in self.rows) else ()
        has_others = any(not row.is_of_spans and not row.is_missing for row in self.rows)
        others = ["other measures"] if has_others else []
        headers = ["metric", *["system"] * several, *map(name_ratio, ratios), *others]
        rows, before = [], ""
        for row in self.rows:
            names = [row.metric if row.metric != before else "", *[row.system] * several]
            before = row.metric
            spans = [row.ratios.get(name, "-" if row.is_missing else "") for name in ratios]
            rows.append([*names, *spans, *[_list_measures(row)] * len(others)])
        return Table(headers, rows, "l" + "n" * several + "r" * len(ratios) + "l" * len(others))

    def html(self) -> str:
        """Return HTML for a notebook: metrics by systems, precision and recall below each headline ratio."""
        heads = [_head(""), *map(_head, self.systems)]
        width = len(self.systems)
        rows = [self.rows[start : start + width] for start in range(0, len(self.rows), width)]
        cells = [[_head(row[0].metric, row=True), *map(_cell, row)] for row in rows]
        return _join_table(heads, cells) + _html_notes(self.notes)


def _list_measures(row: ScoreRow) -> str:
    """List the measures of a metric without precision and recall, shortened to `LONGEST_MEASURES`."""
    listed = ""
    if row.is_of_spans:
        return listed
    for name, value in row.ratios.items():
        longer = f"{listed}{', ' if listed else ''}{name_ratio(name)} {value}"
        if listed and len(longer) > LONGEST_MEASURES:
            return f"{listed} …"
        listed = longer
    return listed


def view_result(gold: str, systems: Sequence[ShownSystem], units: str, warnings: Sequence[str]) -> ResultView:
    """Collect what to show of `systems` scored against `gold`.

    `units` describes the units in words, such as their number and kind.
    """
    names = _names(systems)
    subject = f"{names[0]} against" if len(names) == 1 else "against"
    notes = [f"{subject} {file_name(gold)}, counted by {units}"]
    for name, system in zip(names, systems, strict=True):
        prefix = f"{name}: " if len(systems) > 1 else ""
        notes.append(prefix + (system.failure or _summarize_ledger(system.ledger)))
    paths = [gold, *(system.name for system in systems)]
    # Results saved before names were shortened have whole paths in their warnings.
    short = dict(zip(paths, shorten_paths(paths), strict=True))
    notes += _list_warnings([replace_paths(text, short) for text in warnings])
    return _view(systems, notes)


def view_system(system: ShownSystem) -> ResultView:
    """Collect what to show of a single system."""
    return _view([system], [f"{_names([system])[0]}: {system.failure or _summarize_ledger(system.ledger)}"])


def _summarize_ledger(ledger: Ledger) -> str:
    """Describe in one line what was tolerated, leaving out the entry "blocks"."""
    return "; ".join(
        f"{head} {', '.join(parts)}" if head == "text" else f"{head}: {', '.join(parts)}"
        for head, parts in list_tolerated(ledger)
        if head != "blocks"
    )


def _view(systems: Sequence[ShownSystem], notes: Sequence[str]) -> ResultView:
    names = _names(systems)
    metrics = dict.fromkeys(metric for system in systems for metric in system.scores)
    rows = [
        _row(metric, name, system.scores.get(metric))
        for metric in metrics
        for name, system in zip(names, systems, strict=True)
    ]
    signatures = list_signatures(names, [system.signature for system in systems])
    return ResultView(names, rows, [*notes, *signatures])


def _row(metric: str, system: str, score: ShownScore | None) -> ScoreRow:
    if score is None:
        return ScoreRow(show_metric(metric), system, {}, "")
    ratios = {name: show_ratio(score.metric, name, value) for name, value in score.ratios.items()}
    return ScoreRow(show_metric(metric), system, ratios, score.metric.headline)


def _names(systems: Sequence[ShownSystem]) -> list[str]:
    """Shorten the names of systems as far as they stay distinct."""
    return tell_apart([system.name for system in systems])


def _list_warnings(warnings: Sequence[str]) -> list[str]:
    """List the first warnings, and the number of further ones."""
    more = len(warnings) - MOST_SHOWN_WARNINGS
    listed = [f"warning: {text}" for text in warnings[:MOST_SHOWN_WARNINGS]]
    return [*listed, f"{more:,} more warnings"] if more > 0 else listed


def score_table(metric: Metric, measures: Mapping[str, float | int | None]) -> Table:
    """Return a table with all numbers of one metric in a row."""
    cells = [
        f"{value:,}" if isinstance(value, int) else show_ratio(metric, name, value)
        for name, value in measures.items()
    ]
    return Table(["metric", *map(name_ratio, measures)], [[show_metric(metric.name), *cells]])


def parts_table(
    by: str,
    parts: Mapping[str, Sequence[ShownSystem]],
    metrics: Sequence[str],
    ratios: Callable[[str, int, str], Mapping[str, float | None]],
    fails: Callable[[str, int, str], bool],
) -> Table:
    """Return a table of headline ratios: parts and their systems by metrics.

    `ratios` and `fails` are called with the name of a part, the number of a system and a metric.
    """
    rows = []
    for part, systems in parts.items():
        for number, (name, system) in enumerate(zip(_names(systems), systems, strict=True)):
            cells = [
                "failed"
                if fails(part, number, metric)
                else _headline(system.scores.get(metric), ratios(part, number, metric))
                for metric in metrics
            ]
            rows.append([part, name, *cells])
    return Table([by, "system", *map(show_metric, metrics)], rows, "nn" + "r" * len(metrics))


def parts_notes(
    by: str, parts: Mapping[str, Sequence[ShownSystem]], warnings: Sequence[str], source: str
) -> list[str]:
    """Return notes about parts: source of their names, failures, and the first warnings."""
    failures = [
        describe_failure(system.name, part, system.failure)
        for part, systems in parts.items()
        for system in systems
        if system.failure
    ]
    return [*[f"by {by}: {source}"] * bool(source), *_list_warnings([*failures, *warnings])]


def _headline(score: ShownScore | None, ratios: Mapping[str, float | None]) -> str:
    """Return the headline ratio as text, "-" if there is no score."""
    if score is None:
        return "-"
    headline = score.metric.headline
    return show_ratio(score.metric, headline, ratios[headline])


def show_ratio(metric: Metric, name: str, value: float | None) -> str:
    """Return a value as a percentage, or as a decimal number if the metric lists `name` in its `numbers`."""
    return decimal(value) if name in metric.numbers else percent(value)


def render_text(table: Table, notes: Iterable[str] = ()) -> str:
    """Return a table as text for `print`; columns that do not fit go into further tables below."""
    blocks = ["\n".join(set_lines(block, PRINTED_WIDTH)) for block in _split_wide(table)]
    return _join_text(blocks, notes)


def _split_wide(table: Table) -> Iterator[Table]:
    """Split a table into tables that fit `PRINTED_WIDTH`; each repeats the columns of names."""
    names = len(table.forms) - len(table.forms.lstrip("n"))
    columns = [
        widest(printable(cell) for cell in (header, *(row[k] for row in table.rows))) + GAP
        for k, header in enumerate(table.headers)
    ]
    start = names
    while start < len(columns) or start == names:
        end, room = start + 1, PRINTED_WIDTH + GAP - sum(columns[:names])
        while end < len(columns) and sum(columns[start : end + 1]) <= room:
            end += 1
        pick = [*range(names), *range(start, min(end, len(columns)))]
        rows = [[row[k] for k in pick] for row in table.rows]
        yield Table([table.headers[k] for k in pick], rows, "".join(table.forms[k] for k in pick))
        start = end


def _join_text(blocks: Sequence[str], notes: Iterable[str]) -> str:
    """Join tables and notes; notes are folded to the width, with their further lines indented."""
    lines = []
    for note in notes:
        indent = " " * (len(note) - len(note.lstrip()))
        folded = fold(printable(note.lstrip()), max(GAP, PRINTED_WIDTH - GAP - len(indent)))
        lines.append(indent + f"\n{indent}{' ' * GAP}".join(folded))
    return "\n\n".join([*blocks, *["\n".join(lines)] * bool(lines)])


def render_html(table: Table, notes: Iterable[str] = (), most: int | None = None) -> str:
    """Return a table for a notebook, with at most the first `most` rows."""
    rows = [
        [
            _head(text, row=True) if form == "n" else _data(_text(text), is_number=form == "r")
            for text, form in zip(row, table.forms, strict=True)
        ]
        for row in table.rows[:most]
    ]
    more = len(table.rows) - len(rows)
    notes = [*([f"and {more:,} more"] if more else []), *notes]
    return _join_table(map(_head, table.headers), rows) + _html_notes(notes)


def _cell(row: ScoreRow) -> str:
    value = row.ratios.get(row.headline, "-")
    shown = f"<b>{_text(value)}</b>"
    if value == "-":
        return _data(shown)
    if row.is_of_spans:
        precision, recall = (_text(row.ratios[name]) for name in ("precision", "recall"))
        return _data(f"{shown}<br><small>P&nbsp;{precision} R&nbsp;{recall}</small>")
    return _data(f"{shown}<br><small>{_text(name_ratio(row.headline))}</small>")


def _join_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"


def _head(text: str, *, row: bool = False) -> str:
    return f'<th scope="{"row" if row else "col"}" style="text-align: left">{_text(text)}</th>'


def _data(markup: str, *, is_number: bool = True) -> str:
    return f'<td style="text-align: {"right" if is_number else "left"}">{markup}</td>'


def _html_notes(notes: Iterable[str]) -> str:
    lines = "<br>".join(map(_text, notes))
    return f"<small>{lines}</small>" if lines else ""


def _text(text: str) -> str:
    """Escape text for HTML and make control characters visible."""
    return escape(printable(text))


# Lists of errors and of groups of errors, and dictionaries of counts per label, that print a line for each.


Item = TypeVar("Item")

# Most rows shown in a notebook, and most characters shown of each side's text in a row.
MOST_HTML_ROWS, LONGEST_CELL = 100, 200


class _PrintedList(list[Item]):
    """List that prints a line per item, or the text `nothing` if it is empty; its slices do so too."""

    __slots__ = ("nothing",)

    def __init__(self, items: Iterable[Item] = (), nothing: str = "no errors") -> None:
        super().__init__(items)
        self.nothing = nothing

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or self.nothing

    @overload
    def __getitem__(self, key: SupportsIndex) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> _PrintedList[Item]: ...
    def __getitem__(self, key: SupportsIndex | slice) -> Item | _PrintedList[Item]:
        if isinstance(key, slice):
            return type(self)(super().__getitem__(key), self.nothing)
        return super().__getitem__(key)


class Errors(_PrintedList[Mismatch]):
    """List of errors in the order of the text; prints a line for each, and is a table in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = []
        for error in self:
            around = " ".join(filter(None, (error.before, f"[{error.word}]" * bool(error.word), error.after)))
            place = error.gold_place or error.system_place
            rows.append(
                [error.kind, *mismatch_sides(error, LONGEST_CELL), error.trigger, around, str(place or "")]
            )
        return render_html(
            Table(["kind", "gold", "system", "trigger", "context", "place"], rows, "l" * 6),
            most=MOST_HTML_ROWS,
        )


class ErrorGroups(_PrintedList[ErrorGroup]):
    """List of error groups, most frequent first; prints a line for each, and is a table in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = []
        for group in self:
            labels = [f"{group.count:,}", group.kind, group.trigger]
            share = "" if group.share is None else percent(group.share)
            rows.append([*labels, *group_sides(group, LONGEST_CELL), share, str(group.first_place or "")])
        headers = ["count", "kind", "trigger", "gold", "system", "% of gold words", "first place"]
        return render_html(Table(headers, rows, "rllllrl"), most=MOST_HTML_ROWS)


class BreakdownTable(dict[str, Counts]):
    """Dictionary of counts per label; prints a line for each, and is a table in a notebook."""

    __slots__ = ("kind",)

    def __init__(self, kind: str, counts: Mapping[str, Counts]) -> None:
        super().__init__(counts)
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle together with `kind`, which is not an item of the dictionary."""
        return BreakdownTable, (self.kind, dict(self))

    def __str__(self) -> str:
        return render_text(self._table())

    def _repr_html_(self) -> str:
        return render_html(self._table())

    def _table(self) -> Table:
        """Return a table with a row for each label."""
        ratios = ("precision", "recall", "f1")
        rows = []
        for label, counts in self.items():
            numbers = [f"{count:,}" for count in (counts.correct, counts.gold, counts.system)]
            rows.append([label or NO_TEXT, *(percent(getattr(counts, ratio)) for ratio in ratios), *numbers])
        return Table([self.kind, *map(name_ratio, ratios), "correct", "gold", "system"], rows)
