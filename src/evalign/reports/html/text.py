"""Text of an input as a page may show it: nothing in it is markup, nothing in it is obeyed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from evalign.files import tell_apart
from evalign.metrics import show_metric
from evalign.wording import printable, shorten

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
    shown = _UNSEEN.sub(lambda found: _picture(found[0]), text)
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


def short_units(names: Sequence[str]) -> list[str]:
    """Names of units; those that are paths without what all share, as far as they stay apart.

    >>> short_units(["gum/GUM_news_nasa.txt", "gum/GUM_news_iodine.txt"]), short_units(["news-1", "news-2"])
    (['nasa', 'iodine'], ['news-1', 'news-2'])
    """
    if not names or not all("/" in name or "\\" in name for name in names):
        return list(names)
    apart = tell_apart(names)
    return apart if len(set(apart)) == len(set(names)) else list(names)


def short_names(names: Sequence[str], most: int = 40) -> list[str]:
    """Names as a table or figure has room for: without what all share, cut in the middle where still too long.

    >>> short_names(["runs/ewt.nltk.txt", "runs/ewt.moses.txt"])
    ['nltk', 'moses']
    """
    apart = tell_apart(names) if names else []
    if len(set(apart)) < len(set(names)):
        apart = list(names)
    return [shorten(visible(name), most) or "(no name)" for name in apart]
