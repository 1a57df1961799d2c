"""The page of a study of treebanks: its tables and figures in the order of the paper, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from evalign import __version__
from evalign.reports.html.assets import make_environment, make_policy, read_asset
from evalign.reports.html.text import visible
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.study import Item
    from evalign.typology.study import Study


def render_study(study: Study, items: Sequence[Item], left_out: Sequence[str], files: Sequence[str]) -> str:
    """One HTML file that loads nothing; the same bytes for the same study."""
    from markupsafe import Markup

    from evalign.reports.study import data_address

    style = Markup(f"\n{read_asset('style.css')}")
    treebanks = counted(len(study.profiles.treebanks), "treebank")
    signatures = {"profiles": study.profiles.signature}
    if study.comparison is not None:
        signatures["scores"] = study.comparison.signature
    shown = [
        {
            "item": item,
            "image": data_address(item.picture) if item.picture else "",
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
            title=f"{visible(study.system)} on {treebanks}",
            style=style,
            shown=shown,
            left_out=list(map(visible, left_out)),
            warnings=list(map(visible, study.warnings)),
            signatures=signatures,
            files=files,
        )
    )
