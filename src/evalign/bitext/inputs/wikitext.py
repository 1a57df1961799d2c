"""Sentences of a page of Wikipedia: those that held a template are left out and counted, and so is what is no prose.

Zweigenbaum et al. 2018, section 2.2.3: what a converter leaves of templates tells sentences of Wikipedia from planted
ones. A sentence with a formula, or with markup that is not closed, has lost as much and goes the same way. Their converter
left out list items as well; so do we, and sections of references, bibliographies and links, which are told by their
headings in each language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple, Protocol

from evalign.bitext.inputs.cleaning import clean_text
from evalign.bitext.inputs.markup import BLOCK, HIDDEN, HOLE, strip_markup
from evalign.bitext.sentences import split_sentences
from evalign.errors import CommandError, advise_install

# Paragraphs of prose have less; mwparserfromhell goes back where a bracket is not closed, so it gets no more than that.
_LONGEST = 20_000
_MOST_OPEN = 10

# -{北京}- keeps a word as it is in all scripts of Chinese; with several forms in it, it is no plain text.
_UNCONVERTED = re.compile(r"-\{([^{}|:;\n]*)\}-")
_SWITCH = re.compile(r"__[^\W\da-z]{3,40}?__")
_LIST = re.compile(r"\s*[*#:;]+")
_TERM = re.compile(r"\s:\s")
# Anything else that mwparserfromhell knows shows as it is written, as web addresses do.
_MARKED = re.compile(r"[\[\]&]")
_UNPAIRED = re.compile(r"\[\[|\]\]")
_LOST = re.compile(f"[{HOLE}{BLOCK}{{}}]")
_QUOTES = re.compile("''+")
_EMPTY = re.compile(r"\(\s*\)|（\s*）")
_SPACES = re.compile(r"[ \t]+")
_SPACE_BEFORE = re.compile(r" (?=[.,](?:\s|$)|[，。、])")


_SAME_SECTIONS = {"cmn": "zh", "nb": "no", "nn": "no"}
_SECTIONS = Path(__file__).with_name("sections.tsv")


class PageText(NamedTuple):
    """What there is to read on a page."""

    sentences: tuple[str, ...]
    n_dropped: int
    """Sentences that had held a template, a formula or something that was not closed."""
    n_listed: int = 0
    """List items, and paragraphs in sections of references and links, that were left out."""


class Paragraph(NamedTuple):
    """Text that stands together on a page."""

    text: str
    is_prose: bool = True
    """Whether it is no list item, nor in a section of references or links."""


class _Code(Protocol):
    """Wikitext that is parsed."""

    nodes: Iterable[object]


def read_wikitext(
    text: str, language: str, hidden: Collection[str] = HIDDEN, *, drop_lists: bool = True
) -> PageText:
    r"""The sentences of the wikitext of a page, in time that is linear in its length.

    Headings, tables, notes, pictures with their captions and what links languages are gone. List items and sections of
    references, bibliographies and links are left out too, or with `drop_lists=False` items are paragraphs of their own.
    `hidden` names the namespaces of pictures and categories, in lower case.

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
    r"""Runs of lines that are one paragraph on the page, and list items each by itself.

    A section whose heading is one of `sections` is no prose, with all sections below it.

    >>> page = "One\ntwo.\n* three\n; four : five\n== Notes ==\nSix."
    >>> [(text, is_prose) for text, is_prose in split_paragraphs(page, {"notes"})]
    [('One\ntwo.', True), ('three', False), ('four', False), ('five', False), ('Six.', False)]
    """
    text = _part_blocks(_SWITCH.sub("", _UNCONVERTED.sub(r"\1", text)))
    lines: list[str] = []
    # How deep the section is that is no prose; 0 outside of one.
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
    """How deep the section without prose is that a line of layout begins or goes on with; 0 for none."""
    heading = line.replace(HOLE, "").strip()
    if not _is_heading(heading):
        return level
    name = heading.strip("=")
    depth = len(heading) - len(heading.lstrip("="))
    if level and depth > level:
        return level
    return depth if _name_section(name) in sections else 0


def _is_heading(line: str) -> bool:
    """Whether a line without spaces at its ends is one of `== A ==`."""
    return len(line) > 1 and line[0] == line[-1] == "="


def _name_section(heading: str) -> str:
    """A heading as sections are listed: what a reader sees of it, in small letters, without a colon behind it."""
    return " ".join(unescape(_strip_quotes(heading)).split()).strip(" :：").casefold()


@cache
def find_sections(language: str) -> frozenset[str]:
    """Headings of sections without prose in a language; where there is no list of it, those of all languages.

    >>> "weblinks" in find_sections("de_at"), "weblinks" in find_sections("fr"), "weblinks" in find_sections("cy")
    (True, False, True)
    """
    lines = _SECTIONS.read_text(encoding="utf-8").splitlines()
    listed = {
        code: names for code, *names in (line.split("\t") for line in lines if not line.startswith("#"))
    }
    code = language.partition("_")[0]
    known = listed.get(_SAME_SECTIONS.get(code, code)) or [
        name for names in listed.values() for name in names
    ]
    return frozenset(name.casefold() for name in known)


def _part_blocks(text: str) -> str:
    """Blocks apart from what follows them on their line, unless that goes on with them."""
    first, *others = text.split(BLOCK)
    return first + "".join(("\n\n" if _begins(each) else HOLE) + each for each in others)


def _begins(text: str) -> bool:
    text = text.lstrip(" \t")
    return not text or text[0] in "'[\n" or text[0].isupper()


def _is_layout(line: str) -> bool:
    """Whether a line is a heading, a rule, a row of a table that was never closed, or only stands for templates."""
    line = line.replace(HOLE, "").strip()
    return not line or line[0] in "|!" or line.startswith("----") or _is_heading(line)


def _strip_quotes(text: str) -> str:
    """Text without the apostrophes that make it bold or italic, line by line as MediaWiki does.

    >>> _strip_quotes("l'''Amour'' de '''Paris'''")
    "l'Amour de Paris"
    """
    return "\n".join(_strip_line(line) if "''" in line else line for line in text.split("\n"))


def _strip_line(line: str) -> str:
    """A line of it: where both bold and italic are left open, one apostrophe of a bold mark is meant as such."""
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
    """How likely the apostrophe is one: behind a single letter first (l'Amour), behind a space last."""
    before = " " + line[max(0, at - 2) : at]
    if before[-1] == " ":
        return 2
    return 0 if before[-2] == " " else 1


class LinkParser:
    """The parser of mwparserfromhell, for what is left of a paragraph: links, web addresses, entities."""

    def __init__(self) -> None:
        try:
            import mwparserfromhell
        except ImportError:
            found = "mwparserfromhell is not installed: it reads the text of Wikipedia's pages"
            raise CommandError(found, advice=advise_install("bitext")) from None
        self._parse = mwparserfromhell.parse
        self._nodes = mwparserfromhell.nodes
        self._error = mwparserfromhell.parser.ParserError

    def show(self, paragraph: str) -> str | None:
        """What a reader sees of a paragraph; None where it is too long or too tangled for prose."""
        plain = _strip_quotes(paragraph)
        if not _MARKED.search(plain):
            return plain
        if len(plain) > _LONGEST or abs(plain.count("[") - plain.count("]")) > _MOST_OPEN:
            return None
        try:
            return self._show(self._parse(plain, skip_style_tags=True))
        except self._error:
            return None

    def _show(self, code: _Code | None) -> str:
        return "" if code is None else "".join(map(self._show_node, code.nodes))

    def _show_node(self, node: object) -> str:
        nodes = self._nodes
        if isinstance(node, nodes.HTMLEntity):
            return unescape(str(node))
        if isinstance(node, nodes.Wikilink):
            title = str(node.title)
            shown = unescape(title.strip().removeprefix(":")) if node.text is None else self._show(node.text)
            return shown + HOLE if HOLE in title else shown
        if isinstance(node, nodes.ExternalLink):
            return self._show(node.title) if node.brackets else str(node.url)
        # Text, and what is none of it only at the beginning of a line: a paragraph has lost that.
        return _UNPAIRED.sub(HOLE, str(node))


@cache
def load_parser() -> LinkParser:
    """The parser; raises `CommandError` where it is not installed."""
    return LinkParser()


def _tidy(text: str) -> str:
    """Text without the gaps that what was taken out has left."""
    return _SPACE_BEFORE.sub("", _SPACES.sub(" ", _EMPTY.sub("", text)))


def _has_word(sentence: str) -> bool:
    """A template by itself is no sentence, nor is what is left of a list of pictures."""
    return any(map(str.isalnum, sentence))
