"""spaCy: a `Doc`, or a `Span` of one.

Tokens of white space (line ends, doubled spaces) have no characters on the line and are left out; what hangs on one
hangs on its head instead. Tags, lemmas, features and heads are taken where the pipeline has set them. The relation that
spaCy calls ROOT is UD's root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from evalign.readers.live.rows import write_row
from evalign.text import without_space


class Token(Protocol):
    """A token of a Doc."""

    i: int
    lemma_: str
    pos_: str
    tag_: str
    dep_: str

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def morph(self) -> object:
        """Features; as text they are written as in FEATS."""

    @property
    def head(self) -> Token:
        """The token it hangs on; a root hangs on itself."""

    def has_head(self) -> bool:
        """Whether that was set."""


class Doc(Protocol):
    """A Doc."""

    def __iter__(self) -> Iterator[Token]:
        """Its tokens."""

    @property
    def sents(self) -> Iterable[Iterable[Token]]:
        """Its sentences."""

    def has_annotation(self, attr: str) -> bool:
        """Whether anything was set."""


class Span(Protocol):
    """A Span."""

    def as_doc(self) -> Doc:
        """The same by itself."""


# What a column is called where spaCy is asked whether anything is in it.
_COLUMNS = ("LEMMA", "POS", "TAG", "MORPH", "DEP", "HEAD")


def write_doc(doc: Doc) -> Iterator[str]:
    """The sentences of a Doc in CoNLL-U; all of it is one where no boundary was set."""
    has = {name: doc.has_annotation(name) for name in _COLUMNS}
    sentences = doc.sents if doc.has_annotation("SENT_START") else (doc,)
    for sentence in sentences:
        yield _write_sentence(list(sentence), has)


def write_span(span: Span) -> Iterator[str]:
    """The sentences of a Span in CoNLL-U."""
    return write_doc(span.as_doc())


def _write_sentence(tokens: list[Token], has: Mapping[str, bool]) -> str:
    kept = [token for token in tokens if without_space(token.text)]
    numbers = {token.i: number for number, token in enumerate(kept, 1)}
    return "\n".join(
        write_row(
            number,
            token.text,
            lemma=token.lemma_ if has["LEMMA"] else None,
            upos=token.pos_ if has["POS"] else None,
            xpos=token.tag_ if has["TAG"] else None,
            feats=token.morph if has["MORPH"] else None,
            head=_find_head(token, numbers) if has["HEAD"] else None,
            deprel=_relation(token.dep_) if has["DEP"] else None,
        )
        for number, token in enumerate(kept, 1)
    )


def _find_head(token: Token, numbers: Mapping[int, int]) -> int | None:
    """The number of the head, 0 for a root; None where there is none in the sentence."""
    passed = set()
    while token.has_head() and token.i not in passed:
        head = token.head
        if head.i == token.i:
            return 0
        if head.i in numbers:
            return numbers[head.i]
        if without_space(head.text):
            return None
        passed.add(token.i)
        token = head
    return None


def _relation(label: str) -> str:
    return "root" if label == "ROOT" else label
