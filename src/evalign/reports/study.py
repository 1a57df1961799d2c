"""A study of treebanks as a folder of files: tables, pictures, data, and a page with all of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from evalign._version import __version__
from evalign.errors import CommandError
from evalign.reports import plots
from evalign.reports.formats import RENDERERS, Report, exact, json_text, render_report
from evalign.reports.html.markup import make_environment, make_policy, read_asset, visible
from evalign.reports.parts import render_parts
from evalign.reports.typology import (
    Show,
    cascade_table,
    correlation_table,
    report_cascades,
    report_comparison,
    report_profiles,
    report_weights,
    score_table,
    show_variance,
    sttr_table,
    variance_table,
)
from evalign.table import Table
from evalign.wording import counted, decimal, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.profiles import Profile, Profiles
    from evalign.typology.whole_study import Study


STUDY_PAGE = "index.html"
ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}
TABLE_4 = "Table 4, agreement with people, needs their judgements: evalign typology judge"


class StudyFiles(NamedTuple):
    """The contents of the files of a study by file name, and what was left out."""

    files: Mapping[str, str | bytes]
    left_out: tuple[str, ...]


def make_study_files(study: Study, kinds: Sequence[str] = ("svg",)) -> StudyFiles:
    """Make all files of a study.

    `kinds` are the formats of pictures: "png", "svg", "pdf". Pictures are left out if matplotlib is not
    installed.
    """
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
    files[STUDY_PAGE] = render_study(study, items, (*left_out, TABLE_4), sorted(files))
    return StudyFiles(files, left_out)


def _list_reports(study: Study) -> dict[str, Report]:
    """Return the reports of the single commands (profile, weights, comparison, cascades) by name."""
    reports = {"profile": report_profiles(study.profiles), "weights": report_weights(study.profiles)}
    if study.comparison is not None:
        reports["comparison"] = report_comparison(study.comparison)
    if study.cascades is not None:
        reports["cascades"] = report_cascades(study.cascades.treebanks, study.root_heads)
    return reports


def _draw(study: Study, kinds: Sequence[str]) -> tuple[dict[tuple[str, str], bytes], list[str]]:
    """Draw the pictures by name and kind, always including SVG for the page.

    Also returns a message if there are none.
    """
    drawn: dict[tuple[str, str], bytes] = {}
    try:
        for kind in dict.fromkeys(("svg", *kinds)):
            for figure in ("2", "3"):
                drawn[f"figure{figure}", kind] = plots.plot_profiles(study.profiles, kind, [figure])
            if study.comparison is not None:
                for figure in ("4", "5"):
                    drawn[f"figure{figure}", kind] = plots.plot_comparison(study.comparison, kind, [figure])
    except CommandError as error:
        return {}, [f"the pictures of Figures 2 to 5: {error.on_one_line}"]
    return drawn, []


def _list_items(study: Study, pictures: Mapping[tuple[str, str], bytes]) -> list[StudyItem]:
    """Return the tables and figures in the order of the paper."""
    items = [_table_1(study.profiles), _figure_2(study.profiles), _figure_3(study.profiles)]
    comparison, cascades = study.comparison, study.cascades
    if comparison is not None:
        scores = "LAS, WLAS, precision and recall of content and function relations, in percent, by LAS."
        pairs = "Pearson's r between each two measures, over treebanks."
        best = f"The {comparison.variance} variance over the best n treebanks, each score in its own order."
        items += [
            _make_item(
                "figure4", "Figure 4", scores,
                lambda show: _by_treebank(score_table(comparison, comparison.scores, show)), percent,
            ),
            _make_item("table3", "Table 3", pairs, partial(correlation_table, comparison), decimal),
            _make_item("figure5", "Figure 5", best, partial(variance_table, comparison), show_variance),
        ]  # fmt: skip
        if comparison.sttr_correlations:
            caption = "Pearson's r of STTR and of what LAS has more than another score."
            items.append(
                _make_item("section7", "Section 7", caption, partial(sttr_table, comparison), decimal)
            )
    if cascades is not None:
        caption = (
            "Of the words attached wrongly, by class of their relation and labelled or not: how many percent have a head, "
            "in the system's tree, that is attached rightly."
        )
        items.append(
            _make_item(
                "table5", "Table 5", caption,
                lambda show: _by_treebank(cascade_table(cascades.treebanks, show)), percent,
            )
        )  # fmt: skip
    return [item._replace(picture=pictures.get((item.name, "svg"), b"")) for item in items]


def _table_1(profiles: Profiles) -> StudyItem:
    headers = ["treebank", "sentences", "tokens", "words", "non-proj", "features"]

    def counts(one: Profile) -> tuple[int, int, int]:
        return one.sentences, one.tokens, one.words

    def shares(one: Profile) -> tuple[float | None, float | None]:
        return one.nonprojective_share, one.featured_share

    rows = [[t.name, *(f"{n:,}" for n in counts(t)), *map(percent, shares(t))] for t in profiles.treebanks]
    data = [[t.name, *map(str, counts(t)), *map(exact, shares(t))] for t in profiles.treebanks]
    caption = "Treebanks with their sizes, and the shares of non-projective trees and of words with features, in percent."
    return StudyItem("table1", "Table 1", caption, Table(headers, rows), Table(headers, data))


def _figure_2(profiles: Profiles) -> StudyItem:
    headers, entropies = ["relation", "class", "WDE"], profiles.entropies.items()
    rows = [[name, profiles.class_of(name), decimal(value, 3)] for name, value in entropies]
    data = [[name, profiles.class_of(name), exact(value)] for name, value in entropies]
    caption = (
        "Averaged word dependency entropy of each relation: the weights of WLAS, unless others were given."
    )
    return StudyItem("figure2", "Figure 2", caption, Table(headers, rows, "nlr"), Table(headers, data, "nlr"))


def _figure_3(profiles: Profiles) -> StudyItem:
    headers = ["treebank", "STTR", "content", "function"]

    def values(one: Profile) -> list[float | None]:
        return [one.sttr, one.share("content"), one.share("function")]

    rows = [[t.name, *map(percent, values(t))] for t in profiles.treebanks]
    data = [[t.name, *map(exact, values(t))] for t in profiles.treebanks]
    r = profiles.correlations
    correlations = (
        f"R(content, STTR) = {decimal(r['content,sttr'])}, R(function, STTR) = {decimal(r['function,sttr'])}."
    )
    caption = f"Standardized type/token ratio, and shares of content and function relations, in percent. {correlations}"
    return StudyItem("figure3", "Figure 3", caption, Table(headers, rows), Table(headers, data))


def _make_item(
    name: str, title: str, caption: str, make_table: Callable[[Show], Table], show: Show
) -> StudyItem:
    """Make an item of one table, as `show` formats its numbers and with all digits."""
    return StudyItem(name, title, caption, make_table(show), make_table(exact))


def _by_treebank(table: Table) -> Table:
    """Name the first column "treebank", as a file needs it."""
    return table._replace(headers=["treebank", *table.headers[1:]])


# The page of a study.


class StudyItem(NamedTuple):
    """A table or figure of the paper."""

    name: str
    """Stem of its file names."""
    title: str
    caption: str
    shown: Table
    data: Table
    """The table with all digits, for CSV."""
    picture: bytes = b""
    """SVG; empty for a table, or without matplotlib."""


def render_study(
    study: Study, items: Sequence[StudyItem], left_out: Sequence[str], files: Sequence[str]
) -> str:
    """Render a study as one HTML file that loads nothing; the same bytes for the same study."""
    style = Markup(f"\n{read_asset('style.css')}")
    signatures = {"profiles": study.profiles.signature}
    if study.comparison is not None:
        signatures["scores"] = study.comparison.signature
    shown = [
        {
            "item": item,
            "image": _image_address(item.picture) if item.picture else "",
            "headers": list(map(visible, item.shown.headers)),
            "rows": [list(map(visible, row)) for row in item.shown.rows],
        }
        for item in items
    ]
    return (
        make_environment()
        .get_template("study.html")
        .render(
            policy=make_policy([style], []),
            version=__version__,
            title=f"{visible(study.system)} on {_count_treebanks(study)}",
            styles=[style],
            shown=shown,
            left_out=list(map(visible, left_out)),
            warnings=list(map(visible, study.warnings)),
            signatures=signatures,
            files=files,
        )
    )


def _count_treebanks(study: Study) -> str:
    """Say on how many treebanks the system was compared, and of how many if there are more."""
    total = len(study.profiles.treebanks)
    compared = len(study.comparison.treebanks) if study.comparison is not None else 0
    return f"{compared} of {counted(total, 'treebank')}" if compared < total else counted(total, "treebank")


def _image_address(picture: bytes) -> str:
    """Return a data: URL of an SVG picture."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode()}"
