"""The page of a study of treebanks: its tables and figures in the order of the paper, and what was left out."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from evalign._version import __version__
from evalign.reports.html.assets import make_environment, make_policy, read_asset
from evalign.reports.html.text import visible
from evalign.table import Table
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology import Study


class Item(NamedTuple):
    """A table or figure of the paper."""

    name: str
    """Of its files."""
    title: str
    caption: str
    shown: Table
    data: Table
    """The same with all digits, as CSV has it."""
    picture: bytes = b""
    """As SVG; nothing of a table, or where there is no matplotlib."""


def render_study(study: Study, items: Sequence[Item], left_out: Sequence[str], files: Sequence[str]) -> str:
    """One HTML file that loads nothing; the same bytes for the same study."""
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
    """How many treebanks the system was compared on, and of how many, if there are more."""
    total = len(study.profiles.treebanks)
    compared = len(study.comparison.treebanks) if study.comparison is not None else 0
    return f"{compared} of {counted(total, 'treebank')}" if compared < total else counted(total, "treebank")


def _image_address(picture: bytes) -> str:
    """An SVG picture as the address of an image in a page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode()}"
