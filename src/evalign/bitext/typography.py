"""One typography for all text, so that quotes, dashes and spaces do not give away where a sentence came from.

Section 2.2.3 of Zweigenbaum, Sharoff and Rapp (2018): corpora have typographic habits of their own, by which
planted sentences would be recognised. Only such habits are lost here: every letter and digit stays, in its
order.

    „Ja“, « Ja », “Ja”, ``Ja''      "Ja"
    l’été, l´été, lʼété             l'été
    a – b, a—b, a -- b              a - b
    1990–95, Paris–Dakar, −5        1990-95, Paris-Dakar, -5
    wait…, wait . . .               wait...
    Quoi ? 50 %                     Quoi? 50%

Sentences that are mostly Chinese or Japanese keep the marks of their script, and get them in place of other
marks: ，。！？：；（） of full width, —— for a dash, …… for an ellipsis, and no space beside them or beside a
character. Their quotes are those of all other text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from unicodedata import normalize as compose

from evalign.text import WHITE_SPACE

# Chinese characters and kana, without the combining marks and the middle dot in their ranges.
HAN = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_HAN = re.compile(f"[{HAN}]")
# A sentence counts as Chinese with up to this many other letters per Chinese character: foreign words are
# longer.
_LETTERS = 4


def _code_points(*ranges: tuple[int, int]) -> list[str]:
    return [chr(code) for first, last in ranges for code in range(first, last + 1)]


# Characters without a shape (category Cf): soft hyphen, direction marks, zero-width space, byte order mark,
# tags; also variation selectors and surrogates. Not joiners, which some scripts need, nor Arabic signs that
# have a shape.
_UNSEEN = _code_points(
    (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x206F), (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
    (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F),
)  # fmt: skip
_CONTROL = _code_points((0, 0x1F), (0x7F, 0x9F))
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# Full-width forms of ASCII, without the marks that Chinese uses.
_WIDE = {chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F) if chr(code) not in "!(),:;?"}
_VARIANTS = {
    **dict.fromkeys("‧•・･", "·"), **dict.fromkeys("⋯‥", "…"), **dict.fromkeys("‐‑﹣⁻", "-"), **dict.fromkeys("﹘⸺⸻─━", "—"),
    "｡": "。", "､": "、", "\u2024": ".", "ʼ": "’",
}  # fmt: skip
_CHARACTERS = {
    **dict.fromkeys(_UNSEEN, ""),
    **dict.fromkeys([*_CONTROL, *WHITE_SPACE], " "),
    **_LIGATURES,
    **_WIDE,
    **_VARIANTS,
}
_JOINERS = re.compile("([\u200c\u200d])[\u200c\u200d]*")
# Scripts that need joiners and non-joiners, from Arabic to Burmese, and Khmer; and emoji.
_JOINED = re.compile(
    "[\u0600-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufefc\u2600-\u27bf\U0001f000-\U0001faff]"
)

# Quotes that show their direction, with a space on the inner side: « mot », `` word ''.
_DIRECTED = re.compile("[«»‹›]|``|''|’’")
_OPENED = re.compile(r"(^|[ (（\[{'’/-])(?:«|``|‹) (?=\S)")
_CLOSED = re.compile(r" (?:»|''|’’|›)(?=[ .,;:!?…)）\]}'’/-]|$)")
_QUOTES = {**dict.fromkeys("“”„‟«»〝〞〟″‶❝❞「」『』﹁﹂﹃﹄｢｣⹂", '"'), **dict.fromkeys("‘’‚‛‹›′‵`´❛❜", "'")}
_BEFORE_QUOTE = " ([{"
_BEHIND_QUOTE = " .,;:!?)]}"

# Dots and ellipses, with or without a space between them.
_DOTS = re.compile(r"[.…](?: ?[.…])+|…")
_SHORT = "–‒−"
_DASHES = re.compile(rf"( *)([—―{_SHORT}-]+(?: +[—―{_SHORT}-]+)*)( *)")
_LONG = re.compile("[—―]")
_NO_HYPHEN = re.compile(f"[—―{_SHORT}]")

# A space before a mark that ends something, as in "Quoi ?", but not before a name such as .bashrc
_BEFORE_MARK = re.compile(r" ([,.;:!?]+)(?=[ \"')）\]]|$)")
# The pattern begins with the space, so that the regex engine can skip to spaces.
_INSIDE = re.compile(r" (?:(?=[)\]}])|(?<=[(\[{] )|(?<=\d )(?=[%‰]))")
_SPACES = re.compile("  +")

_WIDE_MARKS = {",": "，", "!": "！", "?": "？", ":": "：", ";": "；"}
_NARROWED = {**{wide: f"{mark} " for mark, wide in _WIDE_MARKS.items()}, "。": ". ", "（": " (", "）": ") "}
_WIDENED = str.maketrans({**_WIDE_MARKS, " ": ""})
_MARKS = re.compile(r" *[,;:!?]+ *")
# A mark stays narrow between two of these characters: 10:30, http://, but not beside a quote.
_NARROW = re.compile(r"[#-&*+\-./0-9<-Z\[-_a-~]")
_STOP = re.compile(rf"(?<=[{HAN}）》])\.(?=[ \"'（《{HAN}])|(?<=[^. ])\.(?=[\"']*$)")
# Characters of full width, among them the combining marks that voice the kana before them.
_FULL = f"{HAN}\u3099\u309a，。、！？：；（）《》〈〉【】〔〕·—…"
# Spaces beside full-width characters carry no meaning, except beside a hyphen: there they show that it is a
# dash.
_BESIDE_FULL = re.compile(rf" (?:(?=[{_FULL}])|(?<=[{_FULL}] ))")
_BESIDE_FULL_ALONE = re.compile(rf" (?:(?=[{_FULL}])(?<!- )|(?<=[{_FULL}] )(?!-))")


def _rewriter(characters: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that replaces single characters of a text.

    The returned function is faster than `str.translate` if few characters are replaced.
    """
    codes = sorted(map(ord, characters))
    # Ranges of neighbours, because a character class of hundreds of single characters is slow.
    starts = [code for code in codes if chr(code - 1 if code else 0x10FFFF) not in characters]
    ends = [code for code in codes if chr(code + 1) not in characters]
    ranges = (f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in zip(starts, ends, strict=True))
    pattern = re.compile(f"[{''.join(ranges)}]")

    def replace(match: re.Match[str]) -> str:
        return characters[match[0]]

    return partial(pattern.sub, replace)


_rewrite_characters = _rewriter(_CHARACTERS)
_rewrite_quotes = _rewriter(_QUOTES)
_narrow_marks = _rewriter(_NARROWED)


def normalize_typography(text: str) -> str:
    r"""Return a sentence on one line and in the one typography; a second call changes nothing.

    >>> normalize_typography("« L’été\u202f!\u00a0» – dit-il…")
    '"L\'été!" - dit-il...'
    >>> normalize_typography("他说:「你好!」 (AM) 担心")
    '他说："你好！"（AM）担心'
    """
    if not (text.isascii() and text.isprintable()):
        text = compose("NFC", _rewrite_characters(text))
        while (joined := compose("NFC", _JOINERS.sub(_keep_joiner, text))) != text:
            text = joined
    text = _one_space(text)
    written = _write_han(text) if _is_han(text) else _write_other(text)
    return compose("NFC", _one_space(written))


def _one_space(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" ")


def _keep_joiner(match: re.Match[str]) -> str:
    """Return one joiner if it stands between two letters of a script that needs it; else ""."""
    return match[1] if all(map(_JOINED.match, _around(match))) else ""


def _is_han(text: str) -> bool:
    """Return whether a sentence is mostly Chinese or Japanese, judged by its letters."""
    n_han = 0 if text.isascii() else len(_HAN.findall(text))
    return n_han > 0 and sum(map(str.isalpha, text)) <= n_han * (1 + _LETTERS)


def _write_other(text: str) -> str:
    if not text.isascii():
        text = _one_space(_narrow_marks(text))
    text = _DOTS.sub(lambda match: _write_dots(match[0], "..."), text)
    if _has_dash(text):
        text = _one_space(_DASHES.sub(_write_dash, text))
    text = _INSIDE.sub("", _write_quotes(text))
    return _BEFORE_MARK.sub(r"\1", text)


def _write_han(text: str) -> str:
    text = _BESIDE_FULL_ALONE.sub("", text.replace("(", "（").replace(")", "）"))
    text = _DOTS.sub(lambda match: _write_dots(match[0], "……"), text)
    if _has_dash(text):
        text = _DASHES.sub(_write_han_dash, text)
    text = _BEFORE_MARK.sub(r"\1", _write_quotes(_BESIDE_FULL.sub("", text)))
    text = _MARKS.sub(_write_marks, _STOP.sub("。", text))
    return _BESIDE_FULL.sub("", _INSIDE.sub("", text))


def _around(match: re.Match[str]) -> tuple[str, str]:
    """Return the characters before and behind a match; "" at an end of the text."""
    start, end = match.span()
    return match.string[max(0, start - 1) : start], match.string[end : end + 1]


def _write_dots(dots: str, ellipsis: str) -> str:
    return ellipsis if "…" in dots or dots.count(".") > 2 else dots


def _has_dash(text: str) -> bool:
    """Return whether the text may have other dashes than hyphens inside words.

    This test is much cheaper than a search with `_DASHES`.
    """
    is_outer = "-" in (text[:1], text[-1:]) or any(each in text for each in ("--", " -", "- "))
    return is_outer or _NO_HYPHEN.search(text) is not None


def _write_dash(match: re.Match[str]) -> str:
    """Replace a match of `_DASHES` by " - " or a hyphen.

    Hyphens stay, unless they stand for a dash: a -- b, a--b.
    """
    before, behind = _around(match)
    if before.isalnum() and behind.isalnum() and match[0] in ("--", "---"):
        return " - "
    return _choose_dash(match, " - ")


def _write_han_dash(match: re.Match[str]) -> str:
    before, behind = _around(match)
    if _HAN.match(before) and _HAN.match(behind) and match[2] in ("--", "---"):
        return "——"
    return _choose_dash(match, "——")


def _choose_dash(match: re.Match[str], dash: str) -> str:
    before, behind = _around(match)
    is_parted = bool(match[1]) or before in ("", " "), bool(match[3]) or not behind
    if all(is_parted) or _LONG.search(match[2]):
        return dash
    if not match[2].strip("- "):
        return match[0]
    is_number = is_parted[0] and behind.isdigit()
    return dash if any(is_parted) and not is_number else f"{match[1]}-"


def _write_quotes(text: str) -> str:
    """Make all double quotes " and all single ones ', without spaces between them and what they enclose."""
    if _DIRECTED.search(text):
        text = _CLOSED.sub(_write_quote, _OPENED.sub(_write_quote, text))
    text = _rewrite_quotes(text).replace("''", '"')
    if '"' not in text:
        return text
    # Straight quotes do not show which way they face, but if their number is even, every second one opens.
    pieces = text.split('"')
    if len(pieces) % 2 and (' "' in text or '" ' in text):
        for inside in range(1, len(pieces), 2):
            before, behind = pieces[inside - 1][-1:], pieces[inside + 1][:1]
            if before in _BEFORE_QUOTE and (before or inside == 1):
                pieces[inside] = pieces[inside].removeprefix(" ")
            if behind in _BEHIND_QUOTE and (behind or inside == len(pieces) - 2):
                pieces[inside] = pieces[inside].removesuffix(" ")
    return '"'.join(pieces)


def _write_quote(match: re.Match[str]) -> str:
    quote = "'" if "‹" in match[0] or "›" in match[0] else '"'
    return f"{match[1] or ''}{quote}" if match.re is _OPENED else quote


def _write_marks(match: re.Match[str]) -> str:
    """Return marks in full width, unless they are part of something that is not Chinese."""
    before, behind = _around(match)
    is_inside = _NARROW.match(before) and _NARROW.match(behind) and " " not in match[0]
    return match[0] if is_inside else match[0].translate(_WIDENED)
