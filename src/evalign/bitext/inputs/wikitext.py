"""Sentences of a Wikipedia page, from its wikitext.

Sentences that contained a template are left out and counted, because what a converter leaves of templates
tells sentences of Wikipedia from planted ones (Zweigenbaum et al. 2018, section 2.2.3). A sentence with a
formula, or with markup that is not closed, has lost as much and is left out as well, and so is one whose
superscript plain text would misread as part of a number. The paper's converter
left out list items too; so do we, and sections of references, bibliographies and links, which are recognized
by their headings in each language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple, Protocol

from evalign.bitext.inputs.source import clean_text
from evalign.bitext.sentences import split_sentences
from evalign.errors import CommandError, advise_install

# Step 1: take out, in linear time, what is not running text: templates, tables, references, pictures,
# categories.
#
# A parser that backtracks where something is not closed takes quadratic time. mwparserfromhell does: 2,000
# times `{{a|b=` takes it five seconds, twice as many four times as long. So everything that can be open over
# several lines is closed here, with a stack, as in MediaWiki's own preprocessor
# (https://www.mediawiki.org/wiki/Preprocessor_ABNF). What is left contains neither `{{` nor `<`, and `[[`
# only in pairs.


HOLE_MARK = "\ue000"
"""Character in place of something that readers see and that has no plain text: a template, a formula."""
BLOCK_MARK = "\ue001"
"""Like `HOLE_MARK`, for something of several lines that begins a line.

Such a block (an infobox) is not part of the sentence behind it.
"""
# Where superscript or subscript text begins and ends, until `_mark_misread_digits` has seen it.
_SHIFT_START, _SHIFT_END = "\ue002", "\ue003"


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Includes former names, which a dump does not list: its <siteinfo> has only today's.
HIDDEN_NAMESPACES = _set(
    "file image category fichier catégorie datei bild kategorie archivo imagen categoría immagine categoria arquivo "
    "ficheiro imagem bestand afbeelding categorie plik grafika kategoria файл изображение категория 文件 档案 檔案 "
    "圖像 图像 分类 分類 ファイル 画像 カテゴリ 파일 그림 분류"
)
"""Namespaces of pictures and categories, whose links show no text."""

# Tags of notes beside the text: a sentence is complete without them.
_ASIDE = _set("ref references includeonly templatestyles indicator section")
# Tags whose content is not wikitext (https://www.mediawiki.org/wiki/Parser_extension_tags).
_OPAQUE = _ASIDE | _set(
    "math chem ce score hiero gallery timeline imagemap graph mapframe maplink templatedata inputbox categorytree "
    "pre syntaxhighlight source nowiki charinsert"
)
# Tags that separate sentences; <br> does not if a small letter follows.
_BREAKING = _set("br hr p div center blockquote poem ul ol li dl dt dd h1 h2 h3 h4 h5 h6 caption tr td th")
_ITEMS = _set("li dt dd")
# Attributes of captions below hand-made picture frames.
_CAPTION = re.compile(r"""\bclass\s*=\s*["']?[^"'>]*(?:caption|gallerytext)\b""", re.IGNORECASE)
# Characters of a tag that are searched for such attributes.
_MOST_ATTRIBUTES = 400
_SHIFTING = _set("sup sub")
# Inline HTML that MediaWiki allows (Sanitizer.php), and tags of its own. Any other tag is shown as text.
_INLINE = _set(
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rb rp rt rtc ruby s samp small span strike "
    "strong time tt u var wbr onlyinclude noinclude link meta"
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
# Most links are of the first kind, which is handled by this pattern alone.
_LINK = re.compile(
    rf"\[\[(?P<target>[^\[\]{{}}|:\n{HOLE_MARK}{BLOCK_MARK}]+)(?:\|(?P<shown>[^\[\]{{}}|\n]+))?\]\] | (?P<open>\[\[) | \]\]",
    re.VERBOSE,
)
_CLOSING = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _OPAQUE}
_LOOK = 10
_COMMENT_END = re.compile("-->")
_NEXT_REF = re.compile(r"<ref[\s>]", re.IGNORECASE)
# Prefixes of links between languages, found in old articles; Wikidata has such links since 2013. mw, wmf and
# doi are not languages.
_INTERLANGUAGE = re.compile(r"(?!mw$|wmf$|doi$)[a-z]{2,3}(?:-[a-z]{2,})*|simple")
_LITERAL = re.compile(r"[\[\]{}'<>|=*#:;_-]")
_MARKS = f"{HOLE_MARK}{BLOCK_MARK}{_SHIFT_START}{_SHIFT_END}"
_READABLE = re.compile(f"[^\x00-\x09\x0b-\x1f\x7f-\x9f{_MARKS}]*")
_CONTROL = {code: " " for code in (*range(10), *range(11, 32), *range(127, 160), *map(ord, _MARKS))}
# A digit, and all marks behind it that readers do not see: ends of links, apostrophes of bold and italic.
_DIGIT_AND_MARKS = re.compile(rf"\d(['\]]*+[{_SHIFT_START}{_SHIFT_END}]['\]{_SHIFT_START}{_SHIFT_END}]*+)")
_SHIFTED_DIGIT = re.compile(rf"[^{_SHIFT_END}\n]*?\d")
_NO_SHIFTS = {ord(_SHIFT_START): None, ord(_SHIFT_END): None}


class _Frame(NamedTuple):
    """Markup that is still open: its kind, the index of its piece, its offset, its number of braces."""

    kind: str
    piece: int
    start: int
    braces: int = 0


_BRACES, _TABLE = "braces", "table"


def strip_markup(text: str, hidden: Collection[str] = HIDDEN_NAMESPACES) -> str:
    """Take out of wikitext all markup that may run over lines.

    `HOLE_MARK` or `BLOCK_MARK` stands where a sentence has lost something, also between digits that only
    superscript or subscript keeps apart. `hidden` names the namespaces of pictures and categories, in lower
    case.

    >>> strip_markup("A {{b|{{c}}}} d.<ref name=e /> [[File:F.png|[[g]]]]<!-- h -->[[i|j]]") == f"A {HOLE_MARK} d. j"
    True
    """
    if not _READABLE.fullmatch(text):
        text = text.replace("\r\n", "\n").translate(_CONTROL)
    return _mark_misread_digits(_take_out_links(_Scan(text).run(), hidden))


class _Scan:
    """One pass over a text. Every piece is added once and removed at most once, so time is linear."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._frames: list[_Frame] = []
        self._open = {_BRACES: 0, _TABLE: 0}
        # Span of the next end of a comment or tag, by tag; the length of the text twice if there is none.
        self._ends: dict[str, tuple[int, int]] = {}

    def run(self) -> str:
        """Return the text without its markup."""
        at = 0
        while token := _TOKEN.search(self._text, at):
            self._add(self._text[at : token.start()])
            at = self._take(token)
        self._add(self._text[at:])
        for frame in self._frames:
            # Never closed, so readers of the page see it, too. The first row of such a table is treated as
            # any other row.
            is_row = self._pieces[frame.piece].endswith("{|")
            self._pieces[frame.piece] = "|" if is_row else HOLE_MARK if frame.kind == _BRACES else "\n\n"
        return "".join(self._pieces)

    def _add(self, plain: str) -> None:
        self._pieces.append(plain.replace("<", "&lt;"))

    def _take(self, token: re.Match[str]) -> int:
        """Handle a token; return the position behind it."""
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
        """Close the innermost frame of `kind`, dropping everything in it; return the frame."""
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
            self._pieces.append(HOLE_MARK)

    def _leave_hole(self, start: int, end: int) -> None:
        is_block = (
            not self._open[_BRACES]
            and (start == 0 or self._text[start - 1] == "\n")
            and self._text.find("\n", start, end) >= 0
        )
        self._pieces.append(BLOCK_MARK if is_block else HOLE_MARK)

    def _close_table(self) -> None:
        if self._open[_TABLE]:
            self._pop_to(_TABLE)
        self._pieces.append("\n\n")

    def _take_comment(self, token: re.Match[str]) -> int:
        end = self._find("", _COMMENT_END, token.end())[1]
        alone = token.start() == 0 or self._text[token.start() - 1] == "\n"
        # A line with nothing but a comment disappears: as a blank line it would end a paragraph.
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
            # Marked like a row of a table, which is not text either.
            self._pieces.append("\n\n| ")
        elif name in _BREAKING:
            follows = self._text[token.end() : token.end() + _LOOK].lstrip()[:1]
            self._pieces.append(" " if name == "br" and follows.islower() else "\n\n")
        elif name in _SHIFTING:
            if not token["rest"].endswith("/"):
                self._pieces.append(_SHIFT_END if token["slash"] else _SHIFT_START)
        elif name not in _INLINE:
            self._add(token[0])
        return token.end()

    def _take_opaque(self, name: str, token: re.Match[str]) -> int:
        """Handle a tag whose content is not wikitext; return the position behind its content."""
        start, end = token.end(), token.end()
        if not token["slash"] and not token["rest"].endswith("/"):
            start, end = self._find(name, _CLOSING[name], token.end())
            if start == len(self._text) or (
                name == "ref" and _NEXT_REF.search(self._text, token.end(), start)
            ):
                self._pieces.append(HOLE_MARK)
                return token.end()
        if name == "nowiki":
            self._pieces.append(_LITERAL.sub(_escape, self._text[token.end() : start]))
        elif name not in _ASIDE:
            self._leave_hole(token.start(), end)
        return end

    def _find(self, name: str, closing: re.Pattern[str], at: int) -> tuple[int, int]:
        """Find the span of the next end tag from `at` on; the length of the text twice if there is none."""
        span = self._ends.get(name, (-1, -1))
        if span[0] < at:
            match = closing.search(self._text, at)
            span = match.span() if match else (len(self._text), len(self._text))
            self._ends[name] = span
        return span


def _escape(literal: re.Match[str]) -> str:
    return f"&#{ord(literal[0])};"


def _take_out_links(text: str, hidden: Collection[str]) -> str:
    """Replace plain links by the text they show, and remove links that show nothing.

    `HOLE_MARK` stands for brackets that are not closed.
    """
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
            pieces.append(HOLE_MARK)
        else:
            start = opened.pop()
            pieces.append(link[0])
            if _is_hidden(pieces[start + 1], hidden):
                del pieces[start:]
    for start in opened:
        pieces[start] = HOLE_MARK
    return "".join(pieces) + text[at:]


def _mark_misread_digits(text: str) -> str:
    """Put `HOLE_MARK` where plain text would join digits of different heights to one number.

    So 10<sup>-10</sup> is not read as 10-10, nor 101<sub>2</sub> as 1012; km<sup>2</sup> remains as km2.
    Removes the marks of superscript and subscript.
    """
    if _SHIFT_START not in text and _SHIFT_END not in text:
        return text

    def check(match: re.Match[str]) -> str:
        marks = match[1]
        if marks.rfind(_SHIFT_START) > marks.rfind(_SHIFT_END):
            is_misread = _SHIFTED_DIGIT.match(text, match.end()) is not None
        else:
            was_shifted = marks.lstrip("']").startswith(_SHIFT_END)
            is_misread = was_shifted and text[match.end() : match.end() + 1].isdecimal()
        return match[0] + HOLE_MARK if is_misread else match[0]

    return _DIGIT_AND_MARKS.sub(check, text).translate(_NO_SHIFTS)


def _is_hidden(target: str, hidden: Collection[str]) -> bool:
    prefix, colon, _ = target.partition(":")
    prefix = prefix.strip().replace("_", " ")
    return bool(colon) and (prefix.lower() in hidden or _INTERLANGUAGE.fullmatch(prefix) is not None)


# Step 2: cut what is left into paragraphs and sentences, as readers see them.

# Limits beyond which a paragraph is not prose: characters, and unpaired brackets. They also keep
# mwparserfromhell fast, which backtracks where a bracket is not closed.
_LONGEST = 20_000
_MOST_OPEN = 10

# -{北京}- keeps a word the same in all scripts of Chinese; one with several forms in it is not plain text.
_UNCONVERTED = re.compile(r"-\{([^{}|:;\n]*)\}-")
_SWITCH = re.compile(r"__[^\W\da-z]{3,40}?__")
_LIST = re.compile(r"\s*[*#:;]+")
_TERM = re.compile(r"\s:\s")
# Text without these needs no mwparserfromhell: all else that it knows, such as web addresses, is shown as
# written.
_MARKED = re.compile(r"[\[\]&]")
_UNPAIRED = re.compile(r"\[\[|\]\]")
_LOST = re.compile(f"[{HOLE_MARK}{BLOCK_MARK}{{}}]")
_QUOTES = re.compile("''+")
_EMPTY = re.compile(r"\(\s*\)|（\s*）")
_SPACES = re.compile(r"[ \t]+")
_SPACE_BEFORE = re.compile(r" (?=[.,](?:\s|$)|[，。、])")


_SAME_SECTIONS = {"cmn": "zh", "nb": "no", "nn": "no"}
_SECTIONS = Path(__file__).with_name("sections.tsv")


class PageText(NamedTuple):
    """The readable text of a page."""

    sentences: tuple[str, ...]
    n_dropped: int
    """Number of sentences left out because of a template, a formula, markup that was not closed, or digits
    that plain text would join to another number.
    """
    n_listed: int = 0
    """Number of list items, and of paragraphs in sections of references and links, that were left out."""


class Paragraph(NamedTuple):
    """A paragraph of a page."""

    text: str
    is_prose: bool = True
    """False for a list item, and for a paragraph in a section of references or links."""


class _Code(Protocol):
    """Wikitext as mwparserfromhell has parsed it."""

    nodes: Iterable[object]


def read_wikitext(
    text: str, language: str, hidden: Collection[str] = HIDDEN_NAMESPACES, *, drop_lists: bool = True
) -> PageText:
    r"""Extract the sentences of the wikitext of a page, in time linear in its length.

    Headings, tables, notes, pictures with their captions and links between languages are removed. List items
    and sections of references, bibliographies and links are left out too; with `drop_lists=False` they are
    kept, each item as a paragraph. `hidden` names the namespaces of pictures and categories, in lower case.

    >>> read_wikitext("'''Paris''' has [[Seine|a river]].<ref>Map</ref> It has {{number}} bridges.\n* Pont Neuf", "en")
    PageText(sentences=('Paris has a river.',), n_dropped=1, n_listed=1)
    """
    parser = load_parser()
    sentences: list[str] = []
    n_dropped = n_listed = 0
    for paragraph, is_prose in split_paragraphs(strip_markup(text, hidden), find_sections(language)):
        if drop_lists and not is_prose:
            n_listed += _has_word(paragraph)
            continue
        shown = parser.show(paragraph)
        if shown is None:
            n_dropped += 1
            continue
        for sentence in filter(_has_word, split_sentences(_tidy(shown), language)):
            if _LOST.search(sentence):
                n_dropped += 1
            else:
                sentences.append(clean_text(sentence))
    return PageText(tuple(sentences), n_dropped, n_listed)


def split_paragraphs(text: str, sections: Collection[str] = ()) -> Iterator[Paragraph]:
    r"""Yield the paragraphs of a page (runs of lines), and each list item by itself.

    A section whose heading is in `sections`, and all sections below it, are not prose.

    >>> page = "One\ntwo.\n* three\n; four : five\n== Notes ==\nSix."
    >>> [(text, is_prose) for text, is_prose in split_paragraphs(page, {"notes"})]
    [('One\ntwo.', True), ('three', False), ('four', False), ('five', False), ('Six.', False)]
    """
    text = _part_blocks(_SWITCH.sub("", _UNCONVERTED.sub(r"\1", text)))
    lines: list[str] = []
    # Depth of the current section that is not prose; 0 outside of any.
    level = 0
    for line in text.split("\n"):
        bare = line.strip()
        marker = _LIST.match(line)
        if bare and not marker and not line[0].isspace() and not _is_layout(bare):
            lines.append(bare)
            continue
        if lines:
            yield Paragraph("\n".join(lines), not level)
            lines = []
        if marker:
            parts = _TERM.split(line[marker.end() :], 1) if ";" in marker[0] else [line[marker.end() :]]
            yield from (Paragraph(part.strip(), is_prose=False) for part in parts if part.strip())
        elif bare and not _is_layout(bare):
            yield Paragraph(bare, not level)
        elif bare:
            level = _enter_section(bare, level, sections)
    if lines:
        yield Paragraph("\n".join(lines), not level)


def _enter_section(line: str, level: int, sections: Collection[str]) -> int:
    """Return the depth of the current section without prose after a line of layout; 0 outside of any.

    `level` is that depth before the line. Only a heading can change it: `sections` has the headings of
    sections without prose.
    """
    heading = line.replace(HOLE_MARK, "").strip()
    if not _is_heading(heading):
        return level
    name = heading.strip("=")
    depth = len(heading) - len(heading.lstrip("="))
    if level and depth > level:
        return level
    return depth if _name_section(name) in sections else 0


def _is_heading(line: str) -> bool:
    """Return whether a stripped line is a heading such as `== A ==`."""
    return len(line) > 1 and line[0] == line[-1] == "="


def _name_section(heading: str) -> str:
    """Normalize a heading for comparison with `find_sections`: no markup, lower case, no colon at its end."""
    return " ".join(unescape(strip_quotes(heading)).split()).strip(" :：").casefold()


@cache
def find_sections(language: str) -> frozenset[str]:
    """Return the headings of sections without prose in a language.

    For a language without a list, these are the headings of all languages.

    >>> "weblinks" in find_sections("de_at"), "weblinks" in find_sections("fr"), "weblinks" in find_sections("cy")
    (True, False, True)
    """
    lines = _SECTIONS.read_text(encoding="utf-8").splitlines()
    listed = {
        code: names for code, *names in (line.split("\t") for line in lines if not line.startswith("#"))
    }
    code = language.partition("_")[0]
    headings = listed.get(_SAME_SECTIONS.get(code, code)) or [
        name for names in listed.values() for name in names
    ]
    return frozenset(name.casefold() for name in headings)


def _part_blocks(text: str) -> str:
    """Separate blocks from what follows them on their line.

    A new paragraph begins behind a block. If the text there does not look like the beginning of a sentence
    (it begins with a lower-case letter, for example), `HOLE_MARK` replaces the block instead.
    """
    first, *others = text.split(BLOCK_MARK)
    return first + "".join(("\n\n" if _begins(each) else HOLE_MARK) + each for each in others)


def _begins(text: str) -> bool:
    text = text.lstrip(" \t")
    return not text or text[0] in "'[\n" or text[0].isupper()


def _is_layout(line: str) -> bool:
    """Return whether a line is a heading, a rule or a row of an unclosed table, or empty but for holes.

    A hole is `HOLE_MARK`.
    """
    line = line.replace(HOLE_MARK, "").strip()
    return not line or line[0] in "|!" or line.startswith("----") or _is_heading(line)


def strip_quotes(text: str) -> str:
    """Remove the apostrophes that mark bold and italic, line by line as MediaWiki does.

    >>> strip_quotes("l'''Amour'' de '''Paris'''")
    "l'Amour de Paris"
    """
    return "\n".join(_strip_line(line) if "''" in line else line for line in text.split("\n"))


def _strip_line(line: str) -> str:
    """Remove the marks of one line.

    If bold and italic are both left open, one apostrophe of a bold mark is text.
    """
    marks = list(_QUOTES.finditer(line))
    lengths = [min(len(mark[0]), 5) if len(mark[0]) != 4 else 3 for mark in marks]
    n_both = lengths.count(5)
    bold = [mark for mark, length in zip(marks, lengths, strict=True) if length == 3]
    meant = None
    if (len(bold) + n_both) % 2 and (lengths.count(2) + n_both) % 2:
        meant = min(bold, key=lambda mark: _rank_apostrophe(line, mark.start()), default=None)
    pieces, at = [], 0
    for mark, length in zip(marks, lengths, strict=True):
        pieces.append(line[at : mark.start()] + "'" * (len(mark[0]) - length + (mark is meant)))
        at = mark.end()
    return "".join(pieces) + line[at:]


def _rank_apostrophe(line: str, at: int) -> int:
    """Rank how likely a bold mark begins with a real apostrophe; 0 is most likely.

    Behind a single letter (l'Amour) it is most likely, behind a space least.
    """
    before = " " + line[max(0, at - 2) : at]
    if before[-1] == " ":
        return 2
    return 0 if before[-2] == " " else 1


class LinkParser:
    """The parser of mwparserfromhell, for the markup left in a paragraph: links, web addresses, entities."""

    def __init__(self) -> None:
        try:
            import mwparserfromhell
        except ImportError:
            message = "mwparserfromhell is not installed: it reads the text of Wikipedia's pages"
            raise CommandError(message, advice=advise_install("bitext")) from None
        self._parse = mwparserfromhell.parse
        self._nodes = mwparserfromhell.nodes
        self._error = mwparserfromhell.parser.ParserError

    def show(self, paragraph: str) -> str | None:
        """Return what readers see of a paragraph; None if it is too long or too tangled for prose."""
        plain = strip_quotes(paragraph)
        if not _MARKED.search(plain):
            return plain
        if len(plain) > _LONGEST or abs(plain.count("[") - plain.count("]")) > _MOST_OPEN:
            return None
        try:
            return self.show_code(self._parse(plain, skip_style_tags=True))
        except self._error:
            return None

    def show_code(self, code: _Code | None) -> str:
        """Return what readers see of parsed wikitext."""
        return "" if code is None else "".join(map(self._show_node, code.nodes))

    def _show_node(self, node: object) -> str:
        nodes = self._nodes
        if isinstance(node, nodes.HTMLEntity):
            return unescape(str(node))
        if isinstance(node, nodes.Wikilink):
            title = str(node.title)
            shown = (
                unescape(title.strip().removeprefix(":")) if node.text is None else self.show_code(node.text)
            )
            return shown + HOLE_MARK if HOLE_MARK in title else shown
        if isinstance(node, nodes.ExternalLink):
            return self.show_code(node.title) if node.brackets else str(node.url)
        # Text. Other nodes occur only at the beginning of a line, and paragraphs have lost these.
        return _UNPAIRED.sub(HOLE_MARK, str(node))


@cache
def load_parser() -> LinkParser:
    """Return the parser. Raises `CommandError` if mwparserfromhell is not installed."""
    return LinkParser()


def _tidy(text: str) -> str:
    """Close the gaps that removed markup has left."""
    return _SPACE_BEFORE.sub("", _SPACES.sub(" ", _EMPTY.sub("", text)))


def _has_word(sentence: str) -> bool:
    """Return whether a sentence has a letter or digit.

    Without any, it is a template by itself, or the rest of a list of pictures.
    """
    return any(map(str.isalnum, sentence))
