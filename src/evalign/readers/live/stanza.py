"""Stanza: a `Document`, or sentences of one.

Tokens with several words are multiword tokens. Comments, enhanced dependencies and empty words are taken where this
version of stanza has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from evalign.readers.live.rows import write_comment, write_row


class Word(Protocol):
    """A word; of an empty one the id is a pair."""

    text: str
    lemma: str | None
    upos: str | None
    xpos: str | None
    feats: str | None
    head: int | None
    deprel: str | None
    deps: str | None

    @property
    def id(self) -> int | tuple[int, ...]:
        """Its number in the sentence."""


class Token(Protocol):
    """A token and its words."""

    text: str

    @property
    def id(self) -> tuple[int, ...]:
        """The number of its word, or those of its first and last word."""

    @property
    def words(self) -> Sequence[Word]:
        """Its words."""


class Sentence(Protocol):
    """A sentence."""

    @property
    def tokens(self) -> Sequence[Token]:
        """Its tokens."""


class Document(Protocol):
    """A document."""

    @property
    def sentences(self) -> Sequence[Sentence]:
        """Its sentences."""


def write_document(document: Document) -> Iterator[str]:
    """The sentences of a document in CoNLL-U."""
    for sentence in document.sentences:
        yield from write_sentence(sentence)


def write_sentence(sentence: Sentence) -> Iterator[str]:
    """One sentence in CoNLL-U: words are numbered by order, as stanza numbers them."""
    comments = [write_comment(str(comment)) for comment in getattr(sentence, "comments", ())]
    empty: dict[int, list[str]] = {}
    for word in getattr(sentence, "empty_words", ()):
        before, number = _node(word.id)
        row = write_row(
            f"{before}.{number}", word.text, word.lemma, word.upos, word.xpos, word.feats, deps=_deps(word)
        )
        empty.setdefault(before, []).append(row)
    rows = empty.pop(0, [])
    last = 0
    for token in sentence.tokens:
        if len(token.words) > 1 or len(token.id) > 1:
            rows.append(write_row(f"{last + 1}-{last + len(token.words)}", token.text))
        for word in token.words:
            last += 1
            rows.append(
                write_row(
                    last, word.text, word.lemma, word.upos, word.xpos, word.feats,
                    word.head, word.deprel, _deps(word),
                )
            )  # fmt: skip
            rows += empty.pop(last, [])
    yield "\n".join([*comments, *rows]) if last else ""


def _node(number: int | tuple[int, ...]) -> tuple[int, int]:
    """The word an empty word comes after, and its own number there."""
    parts = number if isinstance(number, tuple) else (number, 1)
    return parts[0], parts[-1]


def _deps(word: Word) -> str | None:
    """Enhanced dependencies; before 1.8 they may be what was read, or nothing."""
    deps: object = getattr(word, "deps", None)
    return deps if isinstance(deps, str) else None
