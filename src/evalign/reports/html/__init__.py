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
    from evalign.reports.html.page import render_report as render_report

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".page": "render_report",
    },
)
