"""The page as a whole: `render_report` makes a `PageRun` of each result and fills the templates with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from evalign._version import __version__
from evalign.errors import CommandError
from evalign.files import file_name
from evalign.metrics.errors.passages import Passages
from evalign.metrics.errors.positions import Marks
from evalign.metrics.metric import MOST_PASSAGES
from evalign.progress import Progress, counted as counting, no_progress
from evalign.reports.assessor import Assessor
from evalign.reports.html.breakdowns import PartsSection, make_parts_section
from evalign.reports.html.documents import (
    DocumentSection,
    find_genres,
    find_pieces,
    make_document_section,
    rate_pieces,
)
from evalign.reports.html.figures import draw_waterfall
from evalign.reports.html.labels import (
    MOST_LABELS,
    ConfusionTable,
    find_examples,
    find_metrics,
    make_confusion_table,
)
from evalign.reports.html.markup import (
    embed,
    load_assets,
    make_environment,
    make_policy,
    metric_name,
    shorten_names,
    shorten_units,
    visible,
)
from evalign.reports.html.method import (
    SignatureSection,
    describe_resampling,
    make_signatures,
    make_tolerance_section,
)
from evalign.reports.html.overview import Grid, Overview, make_counts, make_overview
from evalign.reports.html.pairs import PairSection, make_pairing
from evalign.reports.significance import TESTS
from evalign.reports.verdict import AssessedScores
from evalign.results.result import Parts, Result
from evalign.results.system_result import SystemResult
from evalign.significance.values import Resampling, Significance
from evalign.wording import counted

GENRE = "genre"


class PageSystem(NamedTuple):
    """A system on the page: its full and short name, and why it has no scores, if it failed."""

    number: int
    name: str
    short: str
    failure: str


class SystemPanel(NamedTuple):
    """Content about one system, such as a table or a picture."""

    system: PageSystem
    content: object


class SystemData(NamedTuple):
    """JSON data of one system for the scripts."""

    run: int
    system: int
    passages: Markup | None
    marks: Markup | None


@dataclass(frozen=True)
class PageRun:
    """A result, ready for the templates."""

    number: int
    name: str
    gold: str
    systems: Sequence[PageSystem]
    overview: Overview
    counts: Sequence[Grid]
    resampling: str
    test: str
    """The paired test that p-values come from."""
    caution: str
    """A warning where units are few."""
    breakdowns: Sequence[PartsSection]
    """The result by genre, where known, and by other kinds of parts."""
    documents: DocumentSection | None
    confusions: Sequence[SystemPanel]
    losses: Sequence[SystemPanel]
    tolerated: Sequence[SystemPanel]
    signatures: Sequence[SignatureSection]
    warnings: Sequence[str]
    data: Sequence[SystemData]
    pairing: PairSection | None
    """The section on extracted pairs of sentences; None for a result of texts."""
    facts: dict[str, object]
    """Names and sizes for the page's scripts."""

    has_labels: bool
    """True if labels were compared, so that there may be a confusion matrix."""
    has_trees: bool
    """True if trees were compared, so that there should be losses by stage."""

    @property
    def has_passages(self) -> bool:
        """True if there is a passage to look at."""
        return any(data.passages is not None for data in self.data)


class PageContext(NamedTuple):
    """The objects that all runs of a page share: assessor, number of passages, and progress callback."""

    assessor: Assessor
    passages: int | None
    progress: Progress


def render_report(
    result: Result | Parts,
    *,
    resampling: Resampling | None = None,
    title: str = "",
    splits: Sequence[Parts] = (),
    passages: int | None = MOST_PASSAGES,
    assessor: Assessor | None = None,
    progress: Progress = no_progress,
) -> str:
    """Render the page of a result, or of a run over several treebanks; the same bytes for the same result.

    `splits` are divisions of the result into parts, such as `result.split("length")`, that get a table each;
    genres of a single result, where known, always have one. `passages` is the greatest number of passages per system, None for
    all. `assessor` supplies intervals and tests, made with `resampling` by default; `progress` is called
    during a long run.
    """
    context = PageContext(
        assessor or Assessor(lambda: resampling or Resampling(), nullcontext(progress)), passages, progress
    )
    parts = None
    all_parts: list[PartsSection] = []
    if isinstance(result, Result):
        runs = [make_page_run(0, "", result, context, splits=splits)]
    elif result.whole is not None:
        runs = [make_page_run(0, "", result.whole, context, splits=[result, *splits])]
    else:
        parts = result
        runs = _make_treebanks(parts, context, splits)
        all_parts = [
            make_parts_section(each, context.assessor.all_of_parts(each)) for each in (parts, *splits)
        ]
    styles, scripts = load_assets(
        texts=not all(run.pairing for run in runs), pairs=any(run.pairing for run in runs)
    )
    page = make_environment().get_template("page.html")
    return page.render(
        title=visible(title) or _title(runs, parts),
        subtitle=_title(runs, parts) if visible(title) else "",
        version=__version__,
        policy=make_policy(styles, scripts),
        styles=styles,
        scripts=scripts,
        runs=runs,
        most_labels=MOST_LABELS,
        parts=all_parts,
        part_warnings=[visible(warning) for warning in parts.warnings] if parts else [],
        facts=embed({"version": __version__, "runs": [run.facts for run in runs]}),
    )


def _make_treebanks(parts: Parts, context: PageContext, splits: Sequence[Parts]) -> list[PageRun]:
    """Return a run for each part; a single one, which has no section on all parts, also has `splits`."""
    assessed = context.assessor.all_of_parts(parts)
    own = splits if len(parts) == 1 else ()
    return [
        make_page_run(number, name, part, context, assessed.parts[name], splits=own)
        for number, (name, part) in enumerate(parts.results.items())
    ]


def _title(runs: list[PageRun], parts: Parts | None) -> str:
    """Return the default title of a page."""
    names = (
        shorten_names(parts.systems) if parts is not None else [system.short for system in runs[0].systems]
    )
    who = names[0] if len(names) == 1 else counted(len(names), "system")
    if parts is not None:
        return f"{who} on {counted(len(parts), parts.by)}"
    return f"{who} against {file_name(runs[0].gold)}"


def make_page_run(
    number: int,
    name: str,
    result: Result,
    context: PageContext,
    significance: Significance | None = None,
    *,
    splits: Sequence[Parts] = (),
) -> PageRun:
    """Make everything the page shows of a result.

    `significance` is computed unless given. `splits` are divisions of the result into parts.
    """
    names = [system.name for system in result.systems]
    systems = [
        PageSystem(k, visible(system.name), short, visible(system.failure))
        for k, (system, short) in enumerate(zip(result.systems, shorten_names(names), strict=True))
    ]
    significance = significance or context.assessor.all_of(result).significance
    numbers = AssessedScores(result, significance, [system.short for system in systems])
    marks = [{} if system.failure else system.evidence.marks(_available(system)) for system in result.systems]
    passages = _find_passages(result, context)
    return PageRun(
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
            make_parts_section(parts, context.assessor.all_of_parts(parts))
            for parts in _split(result, splits)
        ],
        documents=make_document_section(result, [system.short for system in systems], marks),
        confusions=_confusions(result, systems, passages),
        losses=_losses(result, systems),
        tolerated=[
            SystemPanel(shown, make_tolerance_section(system.ledger))
            for shown, system in zip(systems, result.systems, strict=True)
            if not system.failure
        ],
        signatures=make_signatures(result.systems, numbers.names),
        warnings=[visible(warning) for warning in result.warnings],
        data=_data(number, result, marks, passages),
        pairing=make_pairing(result, numbers.names),
        facts=_facts(name, result, systems),
        # Results without errors do not say whether labels were confused.
        has_labels=any(find_metrics(system) for system in result.systems if not system.has_counts_alone),
        has_trees=any(
            {"las", "brackets"} & {*_available(system)}
            for system in result.systems
            if not system.has_counts_alone
        ),
    )


def _available(system: SystemResult) -> list[str]:
    return [name for name in system.scores if system.gives(name)]


def _split(result: Result, splits: Sequence[Parts]) -> list[Parts]:
    """Return the divisions to show: by genre, if there are several, then `splits`."""
    if any(parts.by == GENRE for parts in splits):
        return [*splits]
    try:
        parts = result.split(GENRE)
    except CommandError:
        return [*splits]
    return [parts, *splits] if len(parts) > 1 else [*splits]


def _facts(name: str, result: Result, systems: Sequence[PageSystem]) -> dict[str, object]:
    """Return names and sizes for the scripts.

    Names are raw, except for folders that all units share; scripts make them visible where they show them.
    """
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
            # Other kinds of units are technical; readers know documents and sentences.
            "kind": result.unit_kind if result.unit_kind in ("document", "sentence") else "unit",
            # For pairs these would be the ids of all sentences, and no script uses them.
            "names": [] if any(each.pairing for each in result.systems) else shorten_units(result.unit_names),
            "starts": list(result.unit_starts),
            "length": result.length,
            "fields": fields,
        },
    }


def _find_passages(result: Result, context: PageContext) -> list[Passages | None]:
    """Return the passages of each system; None if it has none or failed."""
    return [
        None if system.failure else system.evidence.passages(_available(system), context.passages)
        for _, system in counting(
            result.systems, context.progress, lambda system: f"passages of {system.name}"
        )
    ]


def _data(
    number: int, result: Result, marks: Sequence[Marks], passages: Sequence[Passages | None]
) -> list[SystemData]:
    rows = find_pieces(result)
    data = []
    for k, some in enumerate(passages):
        rates = {metric: rate_pieces(result, k, metric, rows, marks[k]) for metric in marks[k]}
        data.append(
            SystemData(
                number,
                k,
                embed(some) if some is not None else None,
                embed({"marks": marks[k], "rates": rates}) if marks[k] else None,
            )
        )
    return data


def _confusions(
    result: Result, systems: Sequence[PageSystem], passages: Sequence[Passages | None]
) -> list[SystemPanel]:
    panels: list[SystemPanel] = []
    for shown, system, some in zip(systems, result.systems, passages, strict=True):
        examples = find_examples(some)
        for metric in find_metrics(system) if not system.failure else ():
            groups = system.evidence.groups(metric, 0)
            table: ConfusionTable | None = make_confusion_table(
                metric, groups, examples.get(metric, frozenset())
            )
            if table is not None:
                panels.append(SystemPanel(shown, table))
    return panels


def _losses(result: Result, systems: Sequence[PageSystem]) -> list[SystemPanel]:
    panels = []
    for shown, system in zip(systems, result.systems, strict=True):
        losses = None if system.failure else system.evidence.losses()
        if losses is None or losses["f1"] is None:
            continue
        stages = [(stage, loss["points"] or 0.0) for stage, loss in losses["stages"].items()]
        picture = draw_waterfall(shown.short, metric_name(losses["metric"]), 100 * losses["f1"], stages)
        panels.append(SystemPanel(shown, (picture, losses)))
    return panels
