"""A study of treebanks as a folder of files: tables in several formats, pictures, data, and one page with all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalign.errors import CommandError
from evalign.reports.escape import json_text
from evalign.reports.formats import Report, render_report
from evalign.reports.html.study import Item, render_study
from evalign.reports.parts import render_parts
from evalign.reports.table import RENDERERS, Table
from evalign.reports.typology import (
    LABELS,
    report_cascades,
    report_comparison,
    report_profiles,
    report_weights,
)
from evalign.wording import decimal, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.cascades import Cascade, RunCascades
    from evalign.typology.comparison import TreebankComparison
    from evalign.typology.profiles import Profile, Profiles
    from evalign.typology.study import Study

PAGE = "index.html"
ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}
TABLE_4 = "Table 4, agreement with people, needs their judgements: evalign typology judge"


class StudyFiles(NamedTuple):
    """The files of a study by name, and what was left out."""

    files: Mapping[str, str | bytes]
    left_out: tuple[str, ...]


def _exact(value: float | None) -> str:
    return "" if value is None else str(value)


def make_study_files(study: Study, kinds: Sequence[str] = ("svg",)) -> StudyFiles:
    """Everything that a study has: pictures of some kinds (png, svg, pdf) if matplotlib is there, and a page."""
    pictures, missing = _draw(study, kinds)
    items = _list_items(study, pictures)
    left_out = (*study.left_out, *missing)
    files: dict[str, str | bytes] = {}
    for item in items:
        files[f"{item.name}.csv"] = RENDERERS["csv"](item.data)
        noted = item.shown._replace(notes=[f"{item.title}. {item.caption}"])
        files |= {f"{item.name}.{ENDINGS[f]}": RENDERERS[f](noted) for f in ("markdown", "latex")}
    files |= {f"{name}.{kind}": data for (name, kind), data in pictures.items() if kind in kinds}
    for name, report in _list_reports(study).items():
        files[f"{name}.json"] = json_text(report.json, indent=2) + "\n"
        files[f"{name}.csv"] = render_report(report, "csv")
    if study.run is not None:
        files["run.json"] = json_text(study.run.to_dict(whole=True)) + "\n"
        files["scores.csv"] = render_parts(study.run, "csv")
    files[PAGE] = render_study(study, items, (*left_out, TABLE_4), sorted(files))
    return StudyFiles(files, left_out)


def _list_reports(study: Study) -> dict[str, Report]:
    """What the single commands would have printed."""
    reports = {"profile": report_profiles(study.profiles), "weights": report_weights(study.profiles)}
    if study.comparison is not None:
        reports["comparison"] = report_comparison(study.comparison)
    if study.cascades is not None:
        reports["cascades"] = report_cascades(study.cascades.treebanks, study.root_heads)
    return reports


def _draw(study: Study, kinds: Sequence[str]) -> tuple[dict[tuple[str, str], bytes], list[str]]:
    """Pictures by name and kind, SVG for the page in any case; or why there are none."""
    from evalign.reports import plots

    found: dict[tuple[str, str], bytes] = {}
    try:
        for kind in dict.fromkeys(("svg", *kinds)):
            for figure in ("2", "3"):
                found[f"figure{figure}", kind] = plots.plot_profiles(study.profiles, kind, [figure])
            if study.comparison is not None:
                for figure in ("4", "5"):
                    found[f"figure{figure}", kind] = plots.plot_comparison(study.comparison, kind, [figure])
    except CommandError as error:
        said = str(error).replace("\n  ", "; ")
        return {}, [f"the pictures of Figures 2 to 5: {said}"]
    return found, []


def _list_items(study: Study, pictures: Mapping[tuple[str, str], bytes]) -> list[Item]:
    """Tables and figures in the order of the paper."""
    items = [_table_1(study.profiles), _figure_2(study.profiles), _figure_3(study.profiles)]
    if study.comparison is not None:
        items += [_figure_4(study.comparison), _table_3(study.comparison), _figure_5(study.comparison)]
        items += [_section_7(study.comparison)] if study.comparison.sttr_correlations else []
    if study.cascades is not None:
        items.append(_table_5(study.cascades))
    return [item._replace(picture=pictures.get((item.name, "svg"), b"")) for item in items]


def _table_1(profiles: Profiles) -> Item:
    headers = ["treebank", "sentences", "tokens", "words", "non-proj", "features"]

    def counts(one: Profile) -> tuple[int, int, int]:
        return one.sentences, one.tokens, one.words

    def shares(one: Profile) -> tuple[float | None, float | None]:
        return one.nonprojective_share, one.featured_share

    rows = [[t.name, *(f"{n:,}" for n in counts(t)), *map(percent, shares(t))] for t in profiles.treebanks]
    data = [[t.name, *map(str, counts(t)), *map(_exact, shares(t))] for t in profiles.treebanks]
    caption = "Treebanks with their sizes, and the shares of non-projective trees and of words with features, in percent."
    return Item("table1", "Table 1", caption, Table(headers, rows), Table(headers, data))


def _figure_2(profiles: Profiles) -> Item:
    headers, found = ["relation", "class", "WDE"], profiles.entropies.items()
    rows = [[name, profiles.class_of(name), decimal(value, 3)] for name, value in found]
    data = [[name, profiles.class_of(name), _exact(value)] for name, value in found]
    caption = (
        "Averaged word dependency entropy of each relation: the weights of WLAS, unless others were given."
    )
    return Item("figure2", "Figure 2", caption, Table(headers, rows, "nlr"), Table(headers, data, "nlr"))


def _figure_3(profiles: Profiles) -> Item:
    headers = ["treebank", "STTR", "content", "function"]

    def values(one: Profile) -> list[float | None]:
        return [one.sttr, one.share("content"), one.share("function")]

    rows = [[t.name, *map(percent, values(t))] for t in profiles.treebanks]
    data = [[t.name, *map(_exact, values(t))] for t in profiles.treebanks]
    r = profiles.correlations
    told = (
        f"R(content, STTR) = {decimal(r['content,sttr'])}, R(function, STTR) = {decimal(r['function,sttr'])}."
    )
    caption = (
        f"Standardized type/token ratio, and shares of content and function relations, in percent. {told}"
    )
    return Item("figure3", "Figure 3", caption, Table(headers, rows), Table(headers, data))


def _figure_4(comparison: TreebankComparison) -> Item:
    measures = sorted(comparison.scores, key=lambda name: name != "las.f1")
    headers = ["treebank", *(LABELS[name] for name in measures)]
    rows = [[t.name, *(percent(t.values[name]) for name in measures)] for t in comparison.treebanks]
    data = [[t.name, *(_exact(t.values[name]) for name in measures)] for t in comparison.treebanks]
    caption = "LAS, WLAS, precision and recall of content and function relations, in percent, by LAS."
    return Item("figure4", "Figure 4", caption, Table(headers, rows), Table(headers, data))


def _table_3(comparison: TreebankComparison) -> Item:
    measures, found = comparison.measures, comparison.correlations
    headers = ["r", *(LABELS[name] for name in measures[1:])]

    def cells(a: str, *, exact: bool) -> list[str]:
        values = [found[a, b].r if (a, b) in found else "" for b in measures[1:]]
        return [v if isinstance(v, str) else _exact(v) if exact else decimal(v) for v in values]

    rows = [[LABELS[a], *cells(a, exact=False)] for a in measures[:-1]]
    data = [[LABELS[a], *cells(a, exact=True)] for a in measures[:-1]]
    caption = "Pearson's r between each two measures, over treebanks."
    return Item("table3", "Table 3", caption, Table(headers, rows), Table(headers, data))


def _figure_5(comparison: TreebankComparison) -> Item:
    measures = sorted(comparison.scores, key=lambda name: name != "las.f1")
    steps = {m: [value for _, value in comparison.cumulative_variance(m)] for m in measures}
    longest = range(max(map(len, steps.values()), default=0))
    headers = ["n", *(LABELS[m] for m in measures)]

    def row(n: int, *, exact: bool) -> list[str]:
        values = [steps[m][n] if n < len(steps[m]) else None for m in measures]
        return [str(n + 1), *(_exact(v) if exact else decimal(v, 5) for v in values)]

    form = "r" * len(headers)
    shown = Table(headers, [row(n, exact=False) for n in longest], form)
    data = Table(headers, [row(n, exact=True) for n in longest], form)
    caption = f"The {comparison.variance} variance over the best n treebanks, each score in its own order."
    return Item("figure5", "Figure 5", caption, shown, data)


def _section_7(comparison: TreebankComparison) -> Item:
    headers = ["r", "STTR", "treebanks"]
    found = comparison.sttr_correlations.items()
    rows = [[f"LAS - {LABELS[less]}", decimal(one.r), str(one.treebanks)] for less, one in found]
    data = [[f"LAS - {LABELS[less]}", _exact(one.r), str(one.treebanks)] for less, one in found]
    caption = "Pearson's r of STTR and of what LAS has more than another score."
    return Item("section7", "Section 7", caption, Table(headers, rows), Table(headers, data))


def _table_5(cascades: RunCascades) -> Item:
    headers = ["treebank", "C lab.", "C unlab.", "F lab.", "F unlab."]

    def shares(found: Sequence[Cascade]) -> list[float | None]:
        return [one.share for one in found]

    treebanks = cascades.treebanks.items()
    rows = [[name, *map(percent, shares(one.cascades))] for name, one in treebanks]
    data = [[name, *map(_exact, shares(one.cascades))] for name, one in treebanks]
    caption = (
        "Of the words attached wrongly, by class of their relation and labelled or not: how many percent have a head, "
        "in the system's tree, that is attached rightly."
    )
    return Item("table5", "Table 5", caption, Table(headers, rows), Table(headers, data))
