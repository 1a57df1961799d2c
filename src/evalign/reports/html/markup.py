"""What every section of the page is made with: visible text, JSON for scripts, templates, styles, the policy.

Text of an input is shown and never obeyed. Scripts and styles are files of this package, and the policy lets these run and
no others.
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
from evalign.metrics import show_metric
from evalign.wording import printable, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2 import Environment


# Text of an input as a page may show it: nothing in it is markup, nothing in it is obeyed.

# Control and format characters, halves of pairs, and what ends a line or a paragraph. Joiners and signs that choose
# how a character looks are left: without them an emoji or a word of Persian would be another.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]")  # fmt: skip
# Where the pictures of control characters begin.
_PICTURES = 0x2400


def visible(text: str) -> str:
    r"""Text with its control characters shown as pictures or by number, and a mark on nothing on a dotted circle.

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
    r"""A metric as the page shows it: as the field writes it, with nothing in it that is obeyed.

    >>> metric_name("las"), metric_name("a\tb")
    ('LAS', 'a␉b')
    """
    return visible(show_metric(metric))


def shorten_units(names: Sequence[str]) -> list[str]:
    """Names of units; those that are paths without what all share, as far as they stay apart.

    >>> shorten_units(["gum/GUM_news_nasa.txt", "gum/GUM_news_iodine.txt"]), shorten_units(["news-1", "news-2"])
    (['nasa', 'iodine'], ['news-1', 'news-2'])
    """
    if not names or not all("/" in name or "\\" in name for name in names):
        return list(names)
    apart = tell_apart(names)
    return apart if len(set(apart)) == len(set(names)) else list(names)


def shorten_names(names: Sequence[str], most: int = 40) -> list[str]:
    """Names as a table or figure has room for: without what all share, cut in the middle where still too long.

    >>> shorten_names(["runs/ewt.nltk.txt", "runs/ewt.moses.txt"])
    ['nltk', 'moses']
    """
    apart = tell_apart(names) if names else []
    if len(set(apart)) < len(set(names)):
        apart = list(names)
    return [shorten(visible(name), most) or "(no name)" for name in apart]


# Data that the page's scripts read: JSON inside of script elements, which no browser runs.


# What would end a script element or begin another, what JavaScript takes for the end of a line, what turns text
# around for who reads the source, and what is no character on its own. Inside of JSON each of them can stand only in a
# string, where it may be written by number.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


def embed(value: object) -> Markup:
    r"""JSON that is safe inside of a script element, and the same for the same value.

    >>> print(embed({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Nothing is left in it that a parser of HTML would look at.
    return Markup(_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


# Templates, style and scripts of the page, and the policy that lets these run and no others.


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
