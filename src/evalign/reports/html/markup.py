"""Helpers for all sections of the page: visible text, JSON for scripts, templates, styles and policy.

Text of an input is shown and never interpreted. Scripts and styles are files of this package; the policy
allows these and no others.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from markupsafe import Markup

from evalign.files import tell_apart
from evalign.metrics.registry import show_metric
from evalign.wording import printable, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment


# Making text of an input safe to show.

# Control and format characters, surrogates, and separators of lines and paragraphs. Joiners and variation
# selectors are kept: without them an emoji or a Persian word would look different.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]")  # fmt: skip
# The Unicode block "Control Pictures" begins here.
_PICTURES = 0x2400


def visible(text: str) -> str:
    r"""Replace control characters in `text` by pictures or numbers.

    A combining mark at the beginning is put on a dotted circle.

    >>> visible("a\tb\x1b"), visible("\u202eabc")
    ('a␉b␛', '\\u202eabc')
    """
    shown = _UNSEEN.sub(lambda match: _picture(match[0]), text)
    return f"◌{shown}" if shown and unicodedata.category(shown[0]) in ("Mn", "Me") else shown


def _picture(character: str) -> str:
    code = ord(character)
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "␡" if character == "\x7f" else printable(character)


def metric_name(metric: str) -> str:
    r"""Return the name of a metric in its usual spelling, safe to show.

    >>> metric_name("las"), metric_name("a\tb")
    ('LAS', 'a␉b')
    """
    return visible(show_metric(metric))


def shorten_units(names: Sequence[str]) -> list[str]:
    """Shorten names of units that are paths by the parts that all share, if they stay distinct.

    >>> shorten_units(["gum/GUM_news_nasa.txt", "gum/GUM_news_iodine.txt"]), shorten_units(["news-1", "news-2"])
    (['nasa', 'iodine'], ['news-1', 'news-2'])
    """
    if not names or not all("/" in name or "\\" in name for name in names):
        return list(names)
    apart = tell_apart(names)
    return apart if len(set(apart)) == len(set(names)) else list(names)


def shorten_names(names: Sequence[str], most: int = 40) -> list[str]:
    """Shorten names to `most` columns for a table or figure: shared parts go first, then the middle.

    >>> shorten_names(["runs/ewt.nltk.txt", "runs/ewt.moses.txt"])
    ['nltk', 'moses']
    """
    apart = tell_apart(names) if names else []
    if len(set(apart)) < len(set(names)):
        apart = list(names)
    return [shorten(visible(name), most) or "(no name)" for name in apart]


# Data for the page's scripts: JSON inside script elements, which browsers do not run.


# Characters that could end or begin a script element, line ends of JavaScript, signs that reverse the direction
# of text in the source, and surrogates. In JSON they occur only inside strings, where \uXXXX may stand for them.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


def embed(value: object) -> Markup:
    r"""Encode a value as JSON that is safe inside a script element; the same text for the same value.

    >>> print(embed({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Nothing that an HTML parser would interpret is left.
    return Markup(_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


# Templates, styles, scripts and the content policy.


STYLES = ("style.css", "passages.css")
# In this order: later scripts use earlier ones.
SCRIPTS = (
    "save.js", "address.js", "page.js", "tables.js", "documents.js",
    "drawing.js", "cells.js", "railway.js", "arcs.js", "icicle.js", "filters.js", "virtual.js", "passage.js",
    "toolbar.js", "passages.js",
)  # fmt: skip

# A page of extracted pairs has no passages, so it needs fewer.
PAIR_STYLES = ("style.css", "pairs.css")
PAIR_SCRIPTS = ("save.js", "address.js", "page.js", "tables.js")


_NOBODY = "'none'"


@cache
def read_asset(name: str) -> str:
    """Return the text of a file of this package; "" if there is no such file."""
    path = files("evalign.reports.html").joinpath(name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def load_assets(*, texts: bool = True, pairs: bool = False) -> tuple[list[Markup], list[Markup]]:
    """Return the style sheets and scripts for a page of texts, of extracted pairs, or of both."""
    if not texts:
        return _load(PAIR_STYLES), _load(PAIR_SCRIPTS)
    more = [name for name in PAIR_STYLES if name not in STYLES] if pairs else []
    return _load([*STYLES, *more]), _load(SCRIPTS)


def _load(names: Sequence[str]) -> list[Markup]:
    # Files of this package are trusted, so they are not escaped.
    return [Markup(f"\n{text}") for name in names if (text := read_asset(name))]


def make_policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """Return a content security policy that allows exactly these styles and scripts, by their hashes.

    Nothing is loaded from anywhere; images may only be embedded.
    """
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
    """Return a jinja2 environment that escapes everything and refuses unknown names."""
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
