"""Figures 2 to 5 of Callin's paper, drawn by matplotlib; the same bytes on each run.

The colours are those of Okabe and Ito, which colour-blind people can tell apart; what differs in colour also
differs in shape or hatching. `evalign typology` writes the figures.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from evalign.errors import CommandError, advise_install
from evalign.reports.typology import LABELS
from evalign.wording import decimal, printable, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.comparison import TreebankComparison
    from evalign.typology.profiles import Profiles

# matplotlib is optional and its type annotations change between versions, so mypy sees none of them.
Axes: TypeAlias = Any

# In inches.
WIDTH, ROW, MARGIN, LINES = 7.0, 0.21, 1.0, 3.6
LONGEST_NAME = 32

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#BBBBBB"
CLASSES = {"content": (BLUE, ""), "function": (ORANGE, "////"), "other": (GREY, "....")}
# Colour, marker and line style of each measure.
STYLES = {
    "las.f1": (BLUE, "o", "-"),
    "wlas.f1": (ORANGE, "s", "--"),
    "content.precision": (GREEN, "^", "-."),
    "content.recall": (VERMILION, "v", ":"),
    "sttr": (BLUE, "o", "-"),
    "content.share": (GREEN, "s", "--"),
    "function.share": (VERMILION, "^", ":"),
}
SCORES = ("las.f1", "wlas.f1", "content.precision", "content.recall")
NAMES = {
    **LABELS,
    "content.precision": "content precision",
    "content.recall": "content recall",
    "content.share": "share of content relations",
    "function.share": "share of function relations",
}
_SETTINGS = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    # 42 keeps text as text in a PDF; the salt makes ids in an SVG the same on each run.
    "pdf.fonttype": 42,
    "svg.hashsalt": "evalign",
}


class PlotPanel(NamedTuple):
    """One figure of the paper: its height in inches and the function that draws it."""

    height: float
    draw: Callable[[Axes], None]


class TreebankRow(NamedTuple):
    """A treebank and its values, one per measure."""

    name: str
    values: Sequence[float | None]


def need_matplotlib() -> None:
    """Raise `CommandError` with installation advice if matplotlib is not installed."""
    try:
        import_module("matplotlib")
    except ModuleNotFoundError:
        message = "a picture needs matplotlib, which is not installed"
        raise CommandError(message, advice=advise_install("plots")) from None


def plot_profiles(profiles: Profiles, kind: str = "png", figures: Sequence[str] = ("2", "3")) -> bytes:
    """Draw Figure 2 (averaged WDE of each relation) and Figure 3 (STTR and shares of each treebank).

    `kind` is "png", "svg" or "pdf". Returns the bytes of the picture.
    """
    panels = {"2": _entropy_panel(profiles), "3": _share_panel(profiles)}
    return _draw([panels[figure] for figure in figures], kind)


def plot_comparison(
    comparison: TreebankComparison, kind: str = "png", figures: Sequence[str] = ("4", "5")
) -> bytes:
    """Draw Figure 4 (scores of each treebank) and Figure 5 (variance over the best n treebanks).

    `kind` is "png", "svg" or "pdf". Returns the bytes of the picture.
    """
    panels = {"4": _score_panel(comparison), "5": _variance_panel(comparison)}
    return _draw([panels[figure] for figure in figures], kind)


def _draw(panels: Sequence[PlotPanel], kind: str) -> bytes:
    """Draw panels below each other and return the bytes of the picture."""
    need_matplotlib()
    heights = [panel.height for panel in panels]
    written = io.BytesIO()
    with import_module("matplotlib").rc_context(_SETTINGS), warnings.catch_warnings():
        # Letters missing from the font are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = import_module("matplotlib.figure").Figure(
            figsize=(WIDTH, sum(heights)), layout="constrained"
        )
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
        for panel, ax in zip(panels, axes[:, 0], strict=True):
            panel.draw(ax)
        dates = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(written, format=kind, dpi=200, metadata=dates[kind])
    return written.getvalue()


def _entropy_panel(profiles: Profiles) -> PlotPanel:
    entropies = profiles.entropies
    names, values = list(entropies), list(entropies.values())
    several = len(profiles.treebanks) > 1

    def draw(ax: Axes) -> None:
        for wanted, (colour, hatch) in CLASSES.items():
            rows = [k for k, name in enumerate(names) if profiles.class_of(name) == wanted]
            chosen = [values[k] for k in rows]
            if rows:
                ax.barh(rows, chosen, 0.75, color=colour, hatch=hatch, edgecolor="white", label=wanted)
            for k in rows:
                ax.annotate(
                    decimal(values[k], 2), (values[k], k), (3, 0), textcoords="offset points",
                    va="center", fontsize=7,
                )  # fmt: skip
        _name_rows(ax, names)
        # The shortest bars are on top and leave room for the legend.
        ax.legend(loc="upper right", frameon=False)
        ax.set_xlim(0, 1)
        ax.set_xlabel("averaged word dependency entropy" if several else "word dependency entropy")

    return PlotPanel(MARGIN + ROW * max(4, len(names)), draw)


def _share_panel(profiles: Profiles) -> PlotPanel:
    measures = ("sttr", "content.share", "function.share")
    rows = [
        TreebankRow(t.name, (t.sttr, t.share("content"), t.share("function"))) for t in profiles.treebanks
    ]
    rows.sort(key=lambda row: (row.values[0] is None, -(row.values[0] or 0), row.name))
    title = ""
    if len(rows) > 1:
        correlations = profiles.correlations
        title = (
            f"R(content, STTR) = {decimal(correlations['content,sttr'], 2)},  "
            f"R(function, STTR) = {decimal(correlations['function,sttr'], 2)}"
        )
    return _dot_panel(rows, measures, title)


def _score_panel(comparison: TreebankComparison) -> PlotPanel:
    measures = [name for name in SCORES if name in comparison.measures]
    rows = [TreebankRow(t.name, [t.values[name] for name in measures]) for t in comparison.treebanks]
    return _dot_panel(rows, measures)


def _dot_panel(rows: Sequence[TreebankRow], measures: Sequence[str], title: str = "") -> PlotPanel:
    """Return a panel with a line per treebank and a mark per measure."""

    def draw(ax: Axes) -> None:
        defined = [[value for value in row.values if value is not None] for row in rows]
        for k, values in enumerate(defined):
            if values:
                ax.plot([min(values), max(values)], [k, k], color=GREY, linewidth=0.8, zorder=1)
        for n, measure in enumerate(measures):
            colour, mark, _ = STYLES[measure]
            points = [(value, k) for k, row in enumerate(rows) if (value := row.values[n]) is not None]
            if points:
                x, y = zip(*points, strict=True)
                ax.scatter(x, y, 26, color=colour, marker=mark, label=NAMES[measure], zorder=2)
        _name_rows(ax, [row.name for row in rows])
        ax.set_xlim(0, 1)
        ax.grid(axis="x", color="#EEEEEE", zorder=0)
        ax.set_axisbelow(True)
        if title:
            ax.set_xlabel(title)
        if any(defined):
            ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, frameon=False, handletextpad=0.1)

    return PlotPanel(MARGIN + ROW * max(2, len(rows)), draw)


def _variance_panel(comparison: TreebankComparison) -> PlotPanel:
    measures = [name for name in SCORES if name in comparison.measures]

    def draw(ax: Axes) -> None:
        for measure in measures:
            colour, mark, line = STYLES[measure]
            steps = enumerate(comparison.cumulative_variance(measure), 1)
            points = [(n, value) for n, (_, value) in steps if value is not None]
            if points:
                x, y = zip(*points, strict=True)
                ax.plot(
                    x, y, line, color=colour, marker=mark, markersize=4, label=NAMES[measure], clip_on=False
                )
        ax.set_xlabel("number of treebanks, best first")
        ax.set_ylabel(f"{comparison.variance} variance")
        ax.set_xlim(0.5, len(comparison.treebanks) + 0.5)
        ax.xaxis.set_major_locator(
            import_module("matplotlib.ticker").MaxNLocator(integer=True, min_n_ticks=1)
        )
        ax.set_ylim(bottom=0)
        if measures:
            ax.legend(loc="upper left", frameon=False, handlelength=4)

    return PlotPanel(LINES, draw)


def _name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Write names as plain text (not TeX formulas) down the left side, the first on top."""
    ax.set_yticks(range(len(names)), [shorten(printable(name), LONGEST_NAME) for name in names])
    for label in ax.get_yticklabels():
        label.set_parse_math(False)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.6)
