"""The report: one HTML file that asks nobody for anything, made of a result, saved or fresh.

    $ evalign score gold.conllu system.conllu -o run.json
    $ evalign report run.json -o report.html

Text of an input is never markup: jinja2 escapes what is put into a template, figures are made of elements that escape
what is put into them, and data for scripts is JSON that a browser does not run. A policy in the page itself forbids
every request and every script but those that were put there.
"""

from __future__ import annotations

from evalign import __version__
from evalign.reports.html.assets import load_assets, make_environment, make_policy
from evalign.reports.html.confusion import MOST_LABELS
from evalign.reports.html.parts import make_part_tables
from evalign.reports.html.payload import embed
from evalign.reports.html.runs import Run, make_run
from evalign.reports.html.text import short_names, visible
from evalign.reports.width import file_name
from evalign.reports.wording import counted
from evalign.result import Result
from evalign.result.parts import Parts
from evalign.significance import Resampling

__all__ = ["render_report"]


def render_report(result: Result | Parts, *, resampling: Resampling | None = None, title: str = "") -> str:
    """The page of a result, or of a run over several treebanks; the same bytes for the same result."""
    used = resampling or Resampling()
    whole = result.whole if isinstance(result, Parts) else result
    if isinstance(result, Result):
        runs, parts = [make_run(0, "", result, used)], None
    elif whole is not None:
        runs, parts = [make_run(0, "", whole, used, result)], None
    else:
        parts = result
        runs = [make_run(k, name, part, used) for k, (name, part) in enumerate(result.results.items())]
    styles, scripts = load_assets()
    page = make_environment().get_template("page.html")
    return page.render(
        title=visible(title) or _title(runs, parts),
        version=__version__,
        policy=make_policy(styles, scripts),
        styles=styles,
        scripts=scripts,
        runs=runs,
        most_labels=MOST_LABELS,
        parts=make_part_tables(parts, used) if parts else [],
        part_systems=short_names(parts.systems) if parts else [],
        by=visible(parts.by) if parts else "",
        part_warnings=[visible(warning) for warning in parts.warnings] if parts else [],
        facts=embed({"version": __version__, "runs": [run.facts for run in runs]}),
    )


def _title(runs: list[Run], parts: Parts | None) -> str:
    """What a page is called that was given no title."""
    systems = counted(len(runs[0].systems), "system")
    if parts is not None:
        return f"{systems} on {counted(len(parts), parts.by)}"
    names = runs[0].systems
    who = names[0].short if len(names) == 1 else systems
    return f"{who} against {file_name(runs[0].gold)}"
