"""Templates, style and scripts of the page, and the policy that lets these run and no others."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from markupsafe import Markup

from evalign.reports.html.payload import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment

STYLES = ("style.css", "passages.css")
# In this order: what others use comes first.
SCRIPTS = (
    "save.js", "address.js", "page.js", "tables.js", "documents.js",
    "drawing.js", "cells.js", "railway.js", "arcs.js", "icicle.js", "filters.js", "virtual.js", "passage.js",
    "toolbar.js", "passages.js",
)  # fmt: skip

# What a page of extracted pairs has instead: there are no passages to look through.
PAIR_STYLES = ("style.css", "pairs.css")
PAIR_SCRIPTS = ("save.js", "address.js", "page.js", "tables.js")


_NOBODY = "'none'"


@cache
def read_asset(name: str) -> str:
    """A file of this package; nothing if there is no such file."""
    path = files("evalign.reports.html").joinpath(name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def load_assets(*, texts: bool = True, pairs: bool = False) -> tuple[list[Markup], list[Markup]]:
    """Style sheets and scripts, as they stand in a page of texts, of extracted pairs, or of both."""
    if not texts:
        return _load(PAIR_STYLES), _load(PAIR_SCRIPTS)
    more = [name for name in PAIR_STYLES if name not in STYLES] if pairs else []
    return _load([*STYLES, *more]), _load(SCRIPTS)


def _load(names: Sequence[str]) -> list[Markup]:
    # Files of this package are markup: they are as safe as the program is.
    return [Markup(f"\n{text}") for name in names if (text := read_asset(name))]


def make_policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """Only what is in the page, word by word, may run or style it; nothing is loaded from anywhere."""
    return "; ".join(
        [
            f"default-src {_NOBODY}",
            f"script-src {' '.join(map(_hash, scripts)) or _NOBODY}",
            f"style-src {' '.join(map(_hash, styles))}",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def make_environment() -> Environment:
    """Templates that escape everything and refuse names they do not know."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(read_asset),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["embed"] = embed
    return environment
