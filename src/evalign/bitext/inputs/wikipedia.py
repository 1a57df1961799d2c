"""Articles of a dump of Wikipedia, pages-articles.xml as it is or compressed, one page in memory at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import IO, NamedTuple, Protocol
from xml.etree.ElementTree import Element, ParseError

from evalign.bitext.inputs import SourceDocument
from evalign.bitext.inputs.cleaning import clean_text
from evalign.bitext.inputs.markup import HIDDEN
from evalign.bitext.inputs.wikitext import load_parser, read_wikitext
from evalign.errors import CommandError, InputError, Place, advise_install, quote, show_name
from evalign.progress import Progress, no_progress
from evalign.readers import open_binary, recode_head

# https://www.mediawiki.org/wiki/Manual:Namespace_constants
_MAIN, _FILE, _CATEGORY = 0, 6, 14
_EXPECTED = "a dump of Wikipedia, pages-articles.xml, as it is or compressed with bzip2, gzip, xz or zstd"
_AGAIN = "download the file again and compare its checksum, or leave out the end: dumps also come in parts"


class Article(NamedTuple):
    """A page of the main namespace that is no redirect."""

    number: int
    """Its id in this wiki, as the langlinks table has it."""
    title: str
    text: str
    """Wikitext of its last revision."""


class _Revision(Protocol):
    model: str | None
    text: str | None


class _Page(Protocol):
    id: int
    title: str
    namespace: int
    redirect: str | None

    def __iter__(self) -> Iterator[_Revision]: ...


class _Namespace(Protocol):
    id: int
    name: str


class _Site(Protocol):
    namespaces: Iterable[_Namespace] | None


class _Dump(Protocol):
    site_info: _Site
    pages: Iterator[_Page]


class _Root(Protocol):
    """The outermost element of a dump as mwxml goes through it."""

    element: Element


class _Reader(NamedTuple):
    """What is used of mwxml."""

    open_root: Callable[[IO[bytes]], _Root]
    make_dump: Callable[[_Root], _Dump]
    refusals: tuple[type[Exception], ...]
    """What it raises for XML that is not as it should be."""


def read_dump(
    path: str | os.PathLike[str], language: str, *, drop_lists: bool = True, progress: Progress = no_progress
) -> Iterator[SourceDocument]:
    """The articles of a dump as documents whose names are their titles, without what held a template.

    Redirects and pages of other namespaces are left out, and, unless `drop_lists` is false, list items and sections of
    references and links. Raises `InputError` where the file is no dump or ends early,
    and `CommandError` where a package that reads it is not installed.
    """
    load_parser()
    with _open_dump(path, progress) as reading:
        for article in reading.articles():
            page = read_wikitext(article.text, language, reading.hidden, drop_lists=drop_lists)
            yield SourceDocument(
                article.title, page.sentences, n_dropped=page.n_dropped, n_listed=page.n_listed
            )


def read_articles(path: str | os.PathLike[str], *, progress: Progress = no_progress) -> Iterator[Article]:
    """The articles of a dump as they are; raises as `read_dump` does."""
    with _open_dump(path, progress) as reading:
        yield from reading.articles()


def read_titles(
    path: str | os.PathLike[str], *, progress: Progress = no_progress
) -> Iterator[tuple[int, str]]:
    """Page id and title of every article of a dump, for `langlinks`; raises as `read_dump` does."""
    for article in read_articles(path, progress=progress):
        yield article.number, article.title


class _Reading:
    """A dump that is being read, and how far."""

    def __init__(self, name: str, file: BufferedReader) -> None:
        self._name, self._n_pages, self._last = name, 0, ""
        reader = _load_reader()
        self._refusals = reader.refusals
        with self._refusing():
            head = file.peek()
        _check_head(name, head)
        with self._refusing():
            self._root = reader.open_root(file)
            self._dump = reader.make_dump(self._root)

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the namespaces of pictures and categories in this wiki, in lower case."""
        named = self._dump.site_info.namespaces or ()
        return HIDDEN | {each.name.lower() for each in named if each.id in (_FILE, _CATEGORY) and each.name}

    def articles(self) -> Iterator[Article]:
        """Its articles, in their order."""
        while page := self._next():
            # mwxml empties a page that is read but leaves it in the tree: twenty million of them are a gigabyte.
            self._root.element.clear()
            if page.namespace == _MAIN and page.redirect is None:
                text = self._text(page)
                if text:
                    yield Article(page.id, clean_text(page.title), text)

    def _next(self) -> _Page | None:
        with self._refusing():
            page = next(self._dump.pages, None)
        if page is not None:
            self._n_pages += 1
            self._last = page.title
        return page

    def _text(self, page: _Page) -> str:
        """Wikitext of the last revision; nothing where a page is something else, such as a script."""
        text = ""
        with self._refusing():
            for revision in page:
                text = (revision.text or "") if revision.model in (None, "wikitext") else ""
        return text

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Errors say how far the dump was read."""
        try:
            yield
        except self._refusals as error:
            raise self._refuse(error) from None
        except InputError as error:
            found = f"{error.found}, {self._how_far()}"
            raise InputError(error.place, found, error.expected, error.advice or _AGAIN) from None

    def _refuse(self, error: Exception) -> InputError:
        lineno = error.position[0] if isinstance(error, ParseError) and hasattr(error, "position") else 0
        found = f"XML that ends early or is damaged ({' '.join(str(error).split())[:200]})"
        return InputError(Place(self._name, lineno), f"{found}, {self._how_far()}", _EXPECTED, _AGAIN)

    def _how_far(self) -> str:
        if not self._n_pages:
            return "before the first page"
        pages = "1 page" if self._n_pages == 1 else f"{self._n_pages:,} pages"
        return f"after {pages}, the last of them {quote(self._last)}"


@contextmanager
def _open_dump(path: str | os.PathLike[str], progress: Progress) -> Iterator[_Reading]:
    with open_binary(path, progress) as file:
        yield _Reading(show_name(path), file)


def _check_head(name: str, head: bytes) -> None:
    """Whether a file can be a dump, by its first bytes."""
    head = recode_head(head).lstrip(b" \t\r\n")
    if b"<mediawiki" in head:
        return
    found = "no dump: its first element is not <mediawiki>" if head else "an empty file"
    if head[:100].lower().startswith((b"<!doctype html", b"<html")):
        found = "a page of HTML"
    advice = "dumps are at https://dumps.wikimedia.org: frwiki-latest-pages-articles.xml.bz2"
    raise InputError(Place(name), found, _EXPECTED, advice)


def _load_reader() -> _Reader:
    try:
        import mwxml
    except ImportError:
        found = "mwxml is not installed: it reads Wikipedia's dumps"
        raise CommandError(found, advice=advise_install("bitext")) from None
    # Besides its own error: those of numbers and names that are missing.
    refusals = (mwxml.errors.MalformedXML, ParseError, ValueError, TypeError, AttributeError, AssertionError)
    return _Reader(mwxml.element_iterator.ElementIterator.from_file, mwxml.Dump.from_element, refusals)
