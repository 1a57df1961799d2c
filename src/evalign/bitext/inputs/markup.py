"""What of wikitext is no running text, taken out in linear time: templates, tables, references, pictures, categories.

A parser that goes back where something is not closed takes quadratic time, mwparserfromhell among them: 2,000 times
`{{a|b=` take it five seconds, twice as many four times as long. So all that can be open over several lines is closed
here, with a stack, as in MediaWiki's own preprocessor (https://www.mediawiki.org/wiki/Preprocessor_ABNF). What is left
has neither `{{` nor `<`, and `[[` only in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

HOLE = "\ue000"
"""Stands where something was that readers see and that has no plain text: a template, a formula."""
BLOCK = "\ue001"
"""A hole of several lines that begins a line: an infobox, not a part of the sentence behind it."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Also old names, which no dump tells: its <siteinfo> has only those of today.
HIDDEN = _set(
    "file image category fichier catégorie datei bild kategorie archivo imagen categoría immagine categoria arquivo "
    "ficheiro imagem bestand afbeelding categorie plik grafika kategoria файл изображение категория 文件 档案 檔案 "
    "圖像 图像 分类 分類 ファイル 画像 カテゴリ 파일 그림 분류"
)
"""Namespaces whose links show no text: pictures and categories."""

# Notes that stand beside the text: nothing is missing without them.
_ASIDE = _set("ref references includeonly templatestyles indicator section")
# https://www.mediawiki.org/wiki/Parser_extension_tags: what is inside is no wikitext.
_OPAQUE = _ASIDE | _set(
    "math chem ce score hiero gallery timeline imagemap graph mapframe maplink templatedata inputbox categorytree "
    "pre syntaxhighlight source nowiki charinsert"
)
# They part sentences, <br> unless one goes on behind it with a small letter.
_BREAKING = _set("br hr p div center blockquote poem ul ol li dl dt dd h1 h2 h3 h4 h5 h6 caption tr td th")
_ITEMS = _set("li dt dd")
# What stands below a picture that was put together by hand.
_CAPTION = re.compile(r"""\bclass\s*=\s*["']?[^"'>]*(?:caption|gallerytext)\b""", re.IGNORECASE)
# Characters of a tag that are looked at for it.
_MOST_ATTRIBUTES = 400
# HTML that MediaWiki lets through (Sanitizer.php), and tags of its own; others stand in the text as they are.
_INLINE = _set(
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rb rp rt rtc ruby s samp small span strike "
    "strong sub sup time tt u var wbr onlyinclude noinclude link meta"
)

_TOKEN = re.compile(
    r"""
    <!--
    | <(?P<slash>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*)(?P<rest>(?:[\s/][^<>]*)?)>
    | (?P<open>\{{2,}) | (?P<close>\}{2,})
    | (?P<table>^[ \t:*\#;]*\{\|) | (?P<tabled>^[ \t]*\|\}(?!\}))
    """,
    re.VERBOSE | re.MULTILINE,
)
# Most links are of the first kind, and need no more than this.
_LINK = re.compile(
    rf"\[\[(?P<target>[^\[\]{{}}|:\n{HOLE}{BLOCK}]+)(?:\|(?P<shown>[^\[\]{{}}|\n]+))?\]\] | (?P<open>\[\[) | \]\]",
    re.VERBOSE,
)
_CLOSING = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _OPAQUE}
_LOOK = 10
_COMMENT_END = re.compile("-->")
_NEXT_REF = re.compile(r"<ref[\s>]", re.IGNORECASE)
# In old articles they link the languages; Wikidata does so since 2013. mw and wmf are wikis, no languages.
_INTERLANGUAGE = re.compile(r"(?!mw$|wmf$|doi$)[a-z]{2,3}(?:-[a-z]{2,})*|simple")
_LITERAL = re.compile(r"[\[\]{}'<>|=*#:;_-]")
_READABLE = re.compile(f"[^\x00-\x09\x0b-\x1f\x7f-\x9f{HOLE}{BLOCK}]*")
_CONTROL = {code: " " for code in (*range(10), *range(11, 32), *range(127, 160), ord(HOLE), ord(BLOCK))}


class _Frame(NamedTuple):
    """Something open: what kind, where its opening stands among the pieces and in the text, how many braces."""

    kind: str
    piece: int
    start: int
    braces: int = 0


_BRACES, _TABLE = "braces", "table"


def strip_markup(text: str, hidden: Collection[str] = HIDDEN) -> str:
    """Wikitext without markup that may run over lines; `HOLE` or `BLOCK` where the sentence has lost something.

    `hidden` names the namespaces of pictures and categories, in lower case.

    >>> strip_markup("A {{b|{{c}}}} d.<ref name=e /> [[File:F.png|[[g]]]]<!-- h -->[[i|j]]") == f"A {HOLE} d. j"
    True
    """
    if not _READABLE.fullmatch(text):
        text = text.replace("\r\n", "\n").translate(_CONTROL)
    return _take_out_links(_Scan(text).run(), hidden)


class _Scan:
    """One pass over a text. Every piece is added once and taken away once at most, so time is linear."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._frames: list[_Frame] = []
        self._open = {_BRACES: 0, _TABLE: 0}
        # Where the next end of a comment or tag is; the length of the text where there is none.
        self._ends: dict[str, tuple[int, int]] = {}

    def run(self) -> str:
        """The text without its markup."""
        at = 0
        while token := _TOKEN.search(self._text, at):
            self._add(self._text[at : token.start()])
            at = self._take(token)
        self._add(self._text[at:])
        for frame in self._frames:
            # Never closed: readers of the page see it, too. The first row of a table is one like the others.
            is_row = self._pieces[frame.piece].endswith("{|")
            self._pieces[frame.piece] = "|" if is_row else HOLE if frame.kind == _BRACES else "\n\n"
        return "".join(self._pieces)

    def _add(self, plain: str) -> None:
        self._pieces.append(plain.replace("<", "&lt;"))

    def _take(self, token: re.Match[str]) -> int:
        """What to do about a token; where to go on behind it."""
        kind = token.lastgroup
        if kind is None:
            return self._take_comment(token)
        if token["tag"]:
            return self._take_tag(token)
        if kind == "open":
            self._push(_BRACES, token, len(token[0]))
        elif kind == "close":
            self._close_braces(token)
        elif kind == "table":
            self._push(_TABLE, token)
        else:
            self._close_table()
        return token.end()

    def _push(self, kind: str, token: re.Match[str], braces: int = 0) -> None:
        self._frames.append(_Frame(kind, len(self._pieces), token.start(), braces))
        self._open[kind] += 1
        self._pieces.append(token[0])

    def _pop(self) -> _Frame:
        frame = self._frames.pop()
        self._open[frame.kind] -= 1
        return frame

    def _pop_to(self, kind: str) -> _Frame:
        """The innermost of a kind is closed, with all that is open in it."""
        frame = self._pop()
        while frame.kind != kind:
            frame = self._pop()
        del self._pieces[frame.piece :]
        return frame

    def _close_braces(self, token: re.Match[str]) -> None:
        left = len(token[0])
        while left > 1 and self._open[_BRACES]:
            frame = self._pop_to(_BRACES)
            closed = min(left, frame.braces)
            left -= closed
            if frame.braces - closed > 1:
                self._frames.append(frame._replace(braces=frame.braces - closed))
                self._open[_BRACES] += 1
                self._pieces.append("{" * (frame.braces - closed))
            self._leave_hole(frame.start, token.end())
        if left:
            self._pieces.append(HOLE)

    def _leave_hole(self, start: int, end: int) -> None:
        is_block = (
            not self._open[_BRACES]
            and (start == 0 or self._text[start - 1] == "\n")
            and self._text.find("\n", start, end) >= 0
        )
        self._pieces.append(BLOCK if is_block else HOLE)

    def _close_table(self) -> None:
        if self._open[_TABLE]:
            self._pop_to(_TABLE)
        self._pieces.append("\n\n")

    def _take_comment(self, token: re.Match[str]) -> int:
        end = self._find("", _COMMENT_END, token.end())[1]
        alone = token.start() == 0 or self._text[token.start() - 1] == "\n"
        # A line that has nothing but a comment is no blank line, which would end a paragraph.
        return end + 1 if alone and self._text.startswith("\n", end) else end

    def _take_tag(self, token: re.Match[str]) -> int:
        name = token["tag"].lower()
        if name in _OPAQUE:
            return self._take_opaque(name, token)
        if name == "table":
            if not token["slash"]:
                self._push(_TABLE, token)
            else:
                self._close_table()
        elif name in _ITEMS and not token["slash"]:
            self._pieces.append("\n* ")
        elif name == "div" and not token["slash"] and _CAPTION.search(token["rest"][:_MOST_ATTRIBUTES]):
            # As a row of a table, which is no text either.
            self._pieces.append("\n\n| ")
        elif name in _BREAKING:
            follows = self._text[token.end() : token.end() + _LOOK].lstrip()[:1]
            self._pieces.append(" " if name == "br" and follows.islower() else "\n\n")
        elif name not in _INLINE:
            self._add(token[0])
        return token.end()

    def _take_opaque(self, name: str, token: re.Match[str]) -> int:
        """A tag with all that is in it."""
        start, end = token.end(), token.end()
        if not token["slash"] and not token["rest"].endswith("/"):
            start, end = self._find(name, _CLOSING[name], token.end())
            if start == len(self._text) or (
                name == "ref" and _NEXT_REF.search(self._text, token.end(), start)
            ):
                self._pieces.append(HOLE)
                return token.end()
        if name == "nowiki":
            self._pieces.append(_LITERAL.sub(_escape, self._text[token.end() : start]))
        elif name not in _ASIDE:
            self._leave_hole(token.start(), end)
        return end

    def _find(self, name: str, closing: re.Pattern[str], at: int) -> tuple[int, int]:
        """The next end of a tag from a place on; both ends of the text where there is none."""
        found = self._ends.get(name, (-1, -1))
        if found[0] < at:
            match = closing.search(self._text, at)
            found = match.span() if match else (len(self._text), len(self._text))
            self._ends[name] = found
        return found


def _escape(literal: re.Match[str]) -> str:
    return f"&#{ord(literal[0])};"


def _take_out_links(text: str, hidden: Collection[str]) -> str:
    """Text without links that show nothing, and with what plain ones show; `HOLE` where one is not closed."""
    pieces: list[str] = []
    opened: list[int] = []
    at = 0
    for link in _LINK.finditer(text):
        pieces.append(text[at : link.start()])
        at = link.end()
        if link["target"]:
            pieces.append(link["shown"] or link["target"])
        elif link["open"]:
            opened.append(len(pieces))
            pieces.append(link[0])
        elif not opened:
            pieces.append(HOLE)
        else:
            start = opened.pop()
            pieces.append(link[0])
            if _is_hidden(pieces[start + 1], hidden):
                del pieces[start:]
    for start in opened:
        pieces[start] = HOLE
    return "".join(pieces) + text[at:]


def _is_hidden(target: str, hidden: Collection[str]) -> bool:
    prefix, colon, _ = target.partition(":")
    prefix = prefix.strip().replace("_", " ")
    return bool(colon) and (prefix.lower() in hidden or _INTERLANGUAGE.fullmatch(prefix) is not None)
