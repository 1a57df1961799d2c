"""The report: one HTML file that asks nobody for anything, made of a result, saved or fresh.

    $ evalign score gold.conllu system.conllu -o run.json
    $ evalign report run.json -o report.html

Text of an input is never markup: jinja2 escapes what is put into a template, figures are made of elements that escape
what is put into them, and data for scripts is JSON that a browser does not run. A policy in the page itself forbids
every request and every script but those that were put there.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalign._version import __version__
from evalign.files import file_name
from evalign.metrics import MOST_PASSAGES
from evalign.progress import Progress, no_progress
from evalign.reports.html.assessor import Assessor, Fresh
from evalign.reports.html.assets import load_assets, make_environment, make_policy
from evalign.reports.html.confusion import MOST_LABELS
from evalign.reports.html.parts import Breakdown, make_breakdown
from evalign.reports.html.payload import embed
from evalign.reports.html.runs import Making, Run, make_run
from evalign.reports.html.text import short_names, visible
from evalign.results import Parts, Result
from evalign.significance import Resampling
from evalign.wording import counted

__all__ = ["render_report"]


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
    """The page of a result, or of a run over several treebanks; the same bytes for the same result.

    A result has a table for each of the `splits` that it was taken into, `result.split("length")`; by genre, where that
    is known, it has one in any case. There are at most so many `passages` of each system, None for all of them. An
    `assessor` has intervals and tests already, and then says how they were made; `progress` is called with what a long run comes to.
    """
    making = Making(assessor or Fresh(resampling or Resampling(), progress), passages, progress)
    parts = None
    all_parts: Breakdown | None = None
    if isinstance(result, Result):
        runs = [make_run(0, "", result, making, splits=splits)]
    elif result.whole is not None:
        runs = [make_run(0, "", result.whole, making, splits=[result, *splits])]
    else:
        parts = result
        runs, all_parts = _make_treebanks(parts, making)
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


def _make_treebanks(parts: Parts, making: Making) -> tuple[list[Run], Breakdown]:
    """A run for each part, and the tables of them all."""
    assessed = making.assessor.all_of_parts(parts)
    runs = [
        make_run(number, name, part, making, assessed.parts[name])
        for number, (name, part) in enumerate(parts.results.items())
    ]
    return runs, make_breakdown(parts, assessed)


def _title(runs: list[Run], parts: Parts | None) -> str:
    """What a page is called that was given no title."""
    names = short_names(parts.systems) if parts is not None else [system.short for system in runs[0].systems]
    who = names[0] if len(names) == 1 else counted(len(names), "system")
    if parts is not None:
        return f"{who} on {counted(len(parts), parts.by)}"
    return f"{who} against {file_name(runs[0].gold)}"
