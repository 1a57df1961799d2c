"""The page for a browser: one HTML file made of a result, which loads nothing from elsewhere.

    $ evalign score gold.conllu system.conllu -o run.json
    $ evalign report run.json -o report.html

Text of an input is never markup: jinja2 escapes what is put into a template, figures are made of elements
that escape their content, and data for scripts is JSON that a browser does not run. A policy in the page
itself forbids every request, and every script but those that were put there.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.html.breakdowns import make_parts_section as make_parts_section
    from evalign.reports.html.documents import (
        BARCODE_HEIGHT as BARCODE_HEIGHT,
        BARCODE_SHAPES as BARCODE_SHAPES,
        BARCODE_WIDTH as BARCODE_WIDTH,
        MOST_PIECES as MOST_PIECES,
        draw_barcode as draw_barcode,
        find_pieces as find_pieces,
        place_tick as place_tick,
        rate_pieces as rate_pieces,
    )
    from evalign.reports.html.figures import (
        ForestPoint as ForestPoint,
        RankedMetric as RankedMetric,
        Scale as Scale,
        draw_forest as draw_forest,
        draw_ranks as draw_ranks,
        draw_waterfall as draw_waterfall,
        fit_scale as fit_scale,
        rank_systems as rank_systems,
        rank_values as rank_values,
        svg as svg,
        tag as tag,
        tick_label as tick_label,
    )
    from evalign.reports.html.labels import (
        MOST_LABELS as MOST_LABELS,
        make_confusion_table as make_confusion_table,
    )
    from evalign.reports.html.markup import (
        embed as embed,
        make_environment as make_environment,
        make_policy as make_policy,
        read_asset as read_asset,
        shorten_names as shorten_names,
        shorten_units as shorten_units,
        visible as visible,
    )
    from evalign.reports.html.method import make_tolerance_section as make_tolerance_section
    from evalign.reports.html.overview import describe_p as describe_p, make_overview as make_overview
    from evalign.reports.html.page import render_report as render_report
    from evalign.reports.html.pairs import (
        EQUAL_F1 as EQUAL_F1,
        PRECISION_SCALE as PRECISION_SCALE,
        RECALL_SCALE as RECALL_SCALE,
        CurveMark as CurveMark,
        CurveSeries as CurveSeries,
        draw_curve as draw_curve,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".breakdowns": "make_parts_section",
        ".documents": (
            "BARCODE_HEIGHT BARCODE_SHAPES BARCODE_WIDTH MOST_PIECES draw_barcode find_pieces "
            "place_tick rate_pieces"
        ),
        ".figures": (
            "ForestPoint RankedMetric Scale draw_forest draw_ranks draw_waterfall fit_scale "
            "rank_systems rank_values svg tag tick_label"
        ),
        ".labels": "MOST_LABELS make_confusion_table",
        ".markup": "embed make_environment make_policy read_asset shorten_names shorten_units visible",
        ".method": "make_tolerance_section",
        ".overview": "make_overview describe_p",
        ".page": "render_report",
        ".pairs": "CurveMark CurveSeries EQUAL_F1 PRECISION_SCALE RECALL_SCALE draw_curve",
    },
)
