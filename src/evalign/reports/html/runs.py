"""A run: one result with everything that the sections of the page show of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from evalign.errors import CommandError
from evalign.metrics.errors import Marks, Passages, Positions, unfold
from evalign.progress import Progress, counted
from evalign.reports.html.assessor import Assessor
from evalign.reports.html.confusion import Confusions, find_examples, find_metrics, make_confusions
from evalign.reports.html.counts import Grid, make_counts
from evalign.reports.html.documents import MOST_DRAWN, draw_rows, find_genres, find_rows, rate_rows
from evalign.reports.html.figures.barcode import barcode
from evalign.reports.html.figures.waterfall import waterfall
from evalign.reports.html.method import (
    Signature,
    Tolerated,
    describe_resampling,
    make_signatures,
    make_tolerated,
)
from evalign.reports.html.overview import Overview, make_overview
from evalign.reports.html.pairing import PairSection, make_pairing
from evalign.reports.html.parts import Breakdown, make_breakdown
from evalign.reports.html.payload import embed
from evalign.reports.html.text import metric_name, short_names, short_units, visible
from evalign.reports.significance import TESTS
from evalign.reports.verdict import Numbers
from evalign.results import Parts, Result, SystemResult
from evalign.significance import Significance

GENRE = "genre"
ERROR_RATE = "error rate"


class System(NamedTuple):
    """A system: its name whole and short, and why it has no scores if it has none."""

    number: int
    name: str
    short: str
    failure: str


class Panel(NamedTuple):
    """Something of one system."""

    system: System
    shown: object


class DocumentLine(NamedTuple):
    """A document as it is drawn without a script."""

    name: str
    genre: str
    rate: str
    errors: int
    picture: Markup


class Documents(NamedTuple):
    """The documents of a run: some of them drawn, all of them as data."""

    system: str
    metric: str
    kind: str
    """What a row is: document, or piece of the text."""
    rate: str
    """What the number of a row is: its error rate, or how many errors it has per 100 characters."""
    total: int
    lines: Sequence[DocumentLine]
    data: Markup


class Data(NamedTuple):
    """JSON of one system."""

    run: int
    system: int
    passages: Markup | None
    marks: Markup | None


@dataclass(frozen=True)
class Run:
    """A result, ready for the page."""

    number: int
    name: str
    gold: str
    systems: Sequence[System]
    overview: Overview
    counts: Sequence[Grid]
    resampling: str
    test: str
    """What differences were tested by."""
    caution: str
    """What to beware of where units are few."""
    breakdowns: Sequence[Breakdown]
    """The result by genre, where that is known, and by what was asked for."""
    documents: Documents | None
    confusions: Sequence[Panel]
    losses: Sequence[Panel]
    tolerated: Sequence[Panel]
    signatures: Sequence[Signature]
    warnings: Sequence[str]
    data: Sequence[Data]
    pairing: PairSection | None
    """What there is of extracted pairs of sentences; None of texts."""
    facts: dict[str, object]
    """What the page's scripts have to know of it."""

    has_labels: bool
    """Whether labels were compared, right or wrong."""
    has_trees: bool
    """Whether trees were compared, so that there should be a loss by stage."""

    @property
    def has_passages(self) -> bool:
        """Whether there is a passage to look at."""
        return any(data.passages is not None for data in self.data)


class Making(NamedTuple):
    """How runs are made: who finds intervals and tests, how many passages there are, who is told what is done."""

    assessor: Assessor
    passages: int | None
    progress: Progress


def make_run(
    number: int,
    name: str,
    result: Result,
    making: Making,
    significance: Significance | None = None,
    *,
    splits: Sequence[Parts] = (),
) -> Run:
    """Everything of a result; with what was found of it, and the parts it was taken into, if these are there."""
    names = [system.name for system in result.systems]
    systems = [
        System(k, visible(system.name), short, visible(system.failure))
        for k, (system, short) in enumerate(zip(result.systems, short_names(names), strict=True))
    ]
    significance = significance or making.assessor.all_of(result).found
    numbers = Numbers(result, significance, [system.short for system in systems])
    marks = [_marks(system) for system in result.systems]
    passages = _find_passages(result, making)
    return Run(
        number=number,
        name=visible(name),
        gold=visible(result.gold),
        systems=systems,
        overview=make_overview(numbers),
        counts=make_counts(numbers),
        resampling=describe_resampling(significance, several=len(systems) > 1),
        test=TESTS[significance.resampling.test],
        caution=f"{significance.caution}." if significance.caution else "",
        breakdowns=[
            make_breakdown(parts, making.assessor.all_of_parts(parts)) for parts in _split(result, splits)
        ],
        documents=_documents(result, systems, marks),
        confusions=_confusions(result, systems, passages),
        losses=_losses(result, systems),
        tolerated=[
            Panel(shown, make_tolerated(system.ledger))
            for shown, system in zip(systems, result.systems, strict=True)
            if not system.failure
        ],
        signatures=make_signatures(result.systems, numbers.names),
        warnings=[visible(warning) for warning in result.warnings],
        data=_data(number, result, marks, passages),
        pairing=make_pairing(result, numbers.names),
        facts=_facts(name, result, systems),
        # Where errors are not known, nobody can say that no label was taken for another.
        has_labels=any(find_metrics(system) for system in result.systems if not system.has_counts_alone),
        has_trees=any(
            {"las", "brackets"} & {*_available(system)}
            for system in result.systems
            if not system.has_counts_alone
        ),
    )


def _available(system: SystemResult) -> list[str]:
    return [name for name in system.scores if system.gives(name)]


def _marks(system: SystemResult) -> Marks:
    return {} if system.failure else system.evidence.marks(_available(system))


def _split(result: Result, splits: Sequence[Parts]) -> list[Parts]:
    """The result by genre, where that is known and there are several, then the other parts."""
    if any(parts.by == GENRE for parts in splits):
        return [*splits]
    try:
        parts = result.split(GENRE)
    except CommandError:
        return [*splits]
    return [parts, *splits] if len(parts) > 1 else [*splits]


def _facts(name: str, result: Result, systems: Sequence[System]) -> dict[str, object]:
    """Names as they are, but for folders that all units share; whoever shows them makes them visible."""
    fields = {key: list(values) for key, values in result.unit_fields.items()}
    genres = find_genres(result)
    if any(genres):
        fields.setdefault("genre", genres)
    return {
        "name": name,
        "gold": result.gold,
        "metrics": {metric: metric_name(metric) for system in result.systems for metric in system.scores},
        "systems": [
            {"name": raw.name, "short": shown.short, "failure": raw.failure}
            for raw, shown in zip(result.systems, systems, strict=True)
        ],
        "unit": {
            # People know documents and sentences; every other kind is a unit to them.
            "kind": result.unit_kind if result.unit_kind in ("document", "sentence") else "unit",
            # Ids of sentences are as many as there are sentences, and no script looks at them.
            "names": [] if _has_pairs(result) else short_units(result.unit_names),
            "starts": list(result.unit_starts),
            "length": result.length,
            "fields": fields,
        },
    }


def _has_pairs(result: Result) -> bool:
    return any(system.pairing for system in result.systems)


def _find_passages(result: Result, making: Making) -> list[Passages | None]:
    """The passages of each system; None of one that has none, or failed."""
    return [
        None if system.failure else system.evidence.passages(_available(system), making.passages)
        for _, system in counted(result.systems, making.progress, lambda system: f"passages of {system.name}")
    ]


def _data(
    number: int, result: Result, marks: Sequence[Marks], passages: Sequence[Passages | None]
) -> list[Data]:
    rows = find_rows(result)
    found = []
    for k, some in enumerate(passages):
        rates = {metric: rate_rows(result, k, metric, rows, marks[k]) for metric in marks[k]}
        found.append(
            Data(
                number,
                k,
                embed(some) if some is not None else None,
                embed({"marks": marks[k], "rates": rates}) if marks[k] else None,
            )
        )
    return found


def _documents(result: Result, systems: Sequence[System], marks: Sequence[Marks]) -> Documents | None:
    """Documents of the first system that has errors, by the metric that has most of them."""
    rows = find_rows(result)
    system = next((k for k, found in enumerate(marks) if any(map(_count, found.values()))), None)
    if not rows or system is None:
        return None
    metric = max(marks[system], key=lambda name: _count(marks[system][name]))
    rates = rate_rows(result, system, metric, rows, marks[system])
    lines = [
        DocumentLine(
            visible(drawn.row.name) or "(no name)",
            visible(drawn.row.genre),
            "-" if drawn.rate is None else f"{drawn.rate:.2f}",
            drawn.errors,
            barcode(drawn.marks, drawn.row.start, drawn.row.length, label=f"{drawn.errors} errors"),
        )
        for drawn in draw_rows(rows, rates, marks[system][metric])
    ]
    whole = rows[0].units[1] > rows[0].units[0]
    return Documents(
        systems[system].short,
        metric_name(metric),
        "document"
        if result.unit_kind == "document" and rows[0].units[1] - rows[0].units[0] == 1
        else "piece",
        ERROR_RATE if whole else "errors per 100 characters",
        len(rows),
        lines,
        embed({"rows": rows, "system": system, "metric": metric, "most": MOST_DRAWN}),
    )


def _count(kinds: Mapping[str, Positions]) -> int:
    return sum(unfold(marks).before[-1] for marks in kinds.values())


def _confusions(
    result: Result, systems: Sequence[System], passages: Sequence[Passages | None]
) -> list[Panel]:
    found: list[Panel] = []
    for shown, system, some in zip(systems, result.systems, passages, strict=True):
        examples = find_examples(some)
        for metric in find_metrics(system) if not system.failure else ():
            groups = system.evidence.groups(metric, 0)
            table: Confusions | None = make_confusions(metric, groups, examples.get(metric, frozenset()))
            if table is not None:
                found.append(Panel(shown, table))
    return found


def _losses(result: Result, systems: Sequence[System]) -> list[Panel]:
    found = []
    for shown, system in zip(systems, result.systems, strict=True):
        losses = None if system.failure else system.evidence.losses()
        if losses is None or losses["f1"] is None:
            continue
        stages = [(stage, loss["points"] or 0.0) for stage, loss in losses["stages"].items()]
        picture = waterfall(shown.short, metric_name(losses["metric"]), 100 * losses["f1"], stages)
        found.append(Panel(shown, (picture, losses)))
    return found


__all__ = ["Run", "Tolerated", "make_run"]
