"""Lists of lists of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evalign.document import Document, document_from_sentences
from evalign.errors import CommandError, Place, Remark, quote
from evalign.readers.subwords import remark_on_tokens
from evalign.text import LONGEST_LINE, without_space

_EXPECTED = 'a list of sentences, each a list of tokens: [["A", "b", "."], ["C", "."]]'


def read_tokens(sentences: Iterable[Iterable[str]], name: str = "<tokens>") -> Document:
    """A document from sentences of tokens; a sentence's number is its line number.

    >>> read_tokens([["A", "b", "."], ["C", "."]]).line
    'Ab.C.'
    """
    rows = [_check_sentence(number, sentence) for number, sentence in enumerate(sentences, 1)]
    check_tokens(rows)
    document = document_from_sentences(rows, name)
    remarks = remark_on_tokens(name, rows)
    empty = [k for k, row in enumerate(rows, 1) for token in row if not without_space(token)]
    if empty:
        message = "token of white space only: it has no characters"
        remarks += (Remark("empty-form", message, len(empty), (Place(name, empty[0]),)),)
    return replace(document, remarks=remarks) if remarks else document


def check_tokens(sentences: Sequence[Sequence[str]]) -> None:
    """Raise `CommandError` for tokens that cannot be on a line: too many, or not of characters."""
    if sum(len(token) for sentence in sentences for token in sentence) > LONGEST_LINE:
        found = "more characters than a document can have"
        raise CommandError(found, f"at most {LONGEST_LINE:,}", "split them at a document boundary")
    for number, sentence in enumerate(sentences, 1):
        for token in sentence:
            if not token.isascii() and any("\ud800" <= c <= "\udfff" for c in token):
                found = f"token {quote(token)} of sentence {number} has a lone surrogate"
                raise CommandError(found, "characters of Unicode")


def advise_tokens(given: object) -> str:
    """What to do with a string, or with bytes, where a list of tokens should be."""
    if isinstance(given, str):
        return (
            'for text, a sentence a line and tokens between spaces: evalign.Text("\\n".join(sentences)); '
            "a path is given by itself, not in a list"
        )
    if isinstance(given, bytes):
        return 'for text: evalign.Text(data.decode("utf-8")); for a file\'s bytes: io.BytesIO(data)'
    return ""


def _check_sentence(number: int, sentence: object) -> list[str]:
    if isinstance(sentence, (str, bytes)) or not isinstance(sentence, Iterable):
        found = f"sentence {number} is of type {type(sentence).__name__}"
        raise CommandError(found, _EXPECTED, advise_tokens(sentence))
    tokens = list(sentence)
    for token in tokens:
        if not isinstance(token, str):
            found = f"a token of sentence {number} is of type {type(token).__name__}"
            raise CommandError(found, _EXPECTED)
    return tokens
