"""Lists of tokens, and tokens given as offsets into a text, as subword tokenizers produce them.

A token given by offsets is the characters it spans, without white space. Tokens without characters are left
out: special tokens span 0 to 0, and some tokenizers have tokens of a single space. A character that is cut
into several tokens, as by a byte-level tokenizer, belongs to the first of them; the others are left out too
if no character remains, with a remark.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from itertools import accumulate
from typing import Protocol, TypeGuard, cast

from evalign.document import Document, document_from_sentences
from evalign.errors import CommandError, Place, Remark, check_type, quote
from evalign.readers.live.rows import find_documents
from evalign.readers.plain import remark_on_labels, remark_on_tokens
from evalign.text import LONGEST_LINE, without_space

_EXPECTED = 'a list of sentences, each a list of tokens: [["A", "b", "."], ["C", "."]]'


def read_tokens(
    sentences: Iterable[Iterable[str]], name: str = "<tokens>", *, limit: int = LONGEST_LINE
) -> Document:
    """Read sentences of tokens into a document; the line number of a sentence is its number, from 1.

    Raises `CommandError` for more than `limit` characters.

    >>> read_tokens([["A", "b", "."], ["C", "."]]).line
    'Ab.C.'
    """
    rows = [_check_sentence(number, sentence) for number, sentence in enumerate(sentences, 1)]
    check_tokens(rows, limit)
    document = document_from_sentences(rows, name)
    remarks = remark_on_tokens(name, rows) + remark_on_labels(name, rows)
    empty = [k for k, row in enumerate(rows, 1) for token in row if not without_space(token)]
    if empty:
        message = "token of white space only: it has no characters"
        remarks += (Remark("empty-form", message, len(empty), (Place(name, empty[0]),)),)
    return replace(document, remarks=remarks) if remarks else document


def check_tokens(sentences: Sequence[Sequence[str]], limit: int = LONGEST_LINE) -> None:
    """Raise `CommandError` for tokens with too many characters together, or with a lone surrogate."""
    if sum(len(token) for sentence in sentences for token in sentence) > limit:
        problem = "more characters than a document can have"
        raise CommandError(problem, f"at most {limit:,}", "split them at a document boundary")
    for number, sentence in enumerate(sentences, 1):
        for token in sentence:
            if not token.isascii() and any("\ud800" <= c <= "\udfff" for c in token):
                problem = f"token {quote(token)} of sentence {number} has a lone surrogate"
                raise CommandError(problem, "characters of Unicode")


def _check_sentence(number: int, sentence: object) -> list[str]:
    if not is_listed(sentence):
        problem = f"sentence {number} is of type {type(sentence).__name__}"
        raise CommandError(problem, _EXPECTED, advise_tokens(sentence))
    tokens = list(sentence)
    for token in tokens:
        if not isinstance(token, str):
            problem = f"a token of sentence {number} is of type {type(token).__name__}"
            raise CommandError(problem, _EXPECTED, _advise_token(token))
    return cast("list[str]", tokens)


# What is no list, although it can be iterated over: rows of tables, whose keys would be read as tokens, and
# sets, which have no order.

# Names of columns with tokens or text, in the order in which messages suggest them.
TOKEN_COLUMNS = ("tokens", "token", "words", "word", "forms", "form", "text", "texts")


def is_listed(value: object) -> TypeGuard[Iterable[object]]:
    """Return whether `value` may be a list of tokens, sentences or documents, of any type with an order.

    Text, bytes, mappings, sets, and rows of tables are not. Neither are documents with columns, which only
    their tokens would be read of.
    """
    if type(value) in (list, tuple):
        return True
    if isinstance(value, Document):
        return value.columns is None
    if isinstance(value, (str, bytes, bytearray, memoryview, AbstractSet)) or not isinstance(value, Iterable):
        return False
    # An array of numpy without dimensions cannot be iterated over.
    return getattr(value, "ndim", 1) > 0 and find_fields(value) is None


def find_fields(value: object) -> Sequence[object] | None:
    """Return the names of the fields of a row or table; None for anything else.

    Rows are mappings, named tuples, instances of data classes, and rows of numpy, pandas and sqlite3.
    """
    if isinstance(value, (type, AbstractSet)):
        return None
    names: object = value
    if not isinstance(value, Mapping):
        for attribute in ("_fields", "__dataclass_fields__", "columns"):
            names = getattr(value, attribute, None)
            if isinstance(names, Iterable):
                break
        else:
            names = getattr(getattr(value, "dtype", None), "names", None) or _list_keys(value)
    return list(names) if isinstance(names, Iterable) else None


def _list_keys(value: object) -> Sequence[object] | None:
    """Return the keys of a row that has texts under names; None for anything else.

    A series of pandas is one if its keys are names of columns, and no row if they are numbers.
    """
    keys = getattr(value, "keys", None)
    if (
        not callable(keys)
        or not isinstance(value, Iterable)
        or not any(isinstance(item, str) for item in value)
    ):
        return None
    names = list(keys())
    return names if names and all(isinstance(name, str) for name in names) else None


def advise_tokens(given: object) -> str:
    """Return what to write instead of something in a list that is no list of tokens; "" if nobody knows."""
    if isinstance(given, str):
        return (
            'for text, a sentence a line and tokens between spaces: evalign.Text("\\n".join(sentences)); '
            "a path is given by itself, not in a list"
        )
    if isinstance(given, (bytes, bytearray, memoryview)):
        return 'for text: evalign.Text(data.decode("utf-8")); for a file\'s bytes: io.BytesIO(data)'
    if isinstance(given, AbstractSet):
        return "a set has no order, and equal items only once: give a list"
    if isinstance(given, Document):
        return "a Document with tags or heads is given by itself, not in a list or a dict"
    if find_fields(given) is None:
        return ""
    column, value = _find_tokens(given, "row")
    split = ".split()" if isinstance(value, str) else ""
    return f"to score its tokens: [{column}{split} for row in rows]"


def advise_columns(given: object) -> str:
    """Return what to write instead of a table, or a dictionary of columns, given as a list of sentences."""
    if find_fields(given) is None:
        return advise_tokens(given)
    column, value = _find_tokens(given, "data")
    if isinstance(value, str):
        column = f"[{column}.split()]"
    elif is_listed(value) and isinstance(next(iter(value), None), str):
        column = f"[{column}]"
    return f"to score its tokens: {column}"


def _advise_token(token: object) -> str:
    """Return what to write instead of a token that is no text: a pair with its tag, or a row."""
    if isinstance(token, tuple) and len(token) == 2 and isinstance(token[0], str):
        inner = "[token for token, tag in sentence]"
    elif find_fields(token) is not None:
        inner = f"[{_find_tokens(token, 'token')[0]} for token in sentence]"
    else:
        return ""
    return f"to score the tokens: [{inner} for sentence in sentences]"


def _find_tokens(row: object, name: str) -> tuple[str, object]:
    """Return the code for the tokens of a row or table called `name`, and their value if it is known."""
    lowered = {str(field).lower(): str(field) for field in find_fields(row) or ()}
    field = next((lowered[each] for each in TOKEN_COLUMNS if each in lowered), "COLUMN")
    if isinstance(row, tuple) or hasattr(row, "__dataclass_fields__"):
        return f"{name}.{field}", getattr(row, field, None)
    return f'{name}["{field}"]', row.get(field) if isinstance(row, Mapping) else None


class Encoding(Protocol):
    """The result of a tokenizer of the package `tokenizers`."""

    @property
    def offsets(self) -> Sequence[tuple[int, int]]:
        """Start and end of each token, in characters."""


class Offsets:
    """Tokens of a text as pairs of start and end, in characters, and sentences likewise.

    Without `sentences` the whole text is one sentence, and metrics of sentences are not available.

    >>> from evalign import read
    >>> list(read(Offsets("Not so. Fine.", [(0, 3), (3, 6), (6, 7), (7, 12), (12, 13)], [(0, 7), (8, 13)])))
    [['Not', 'so', '.'], ['Fine', '.']]
    """

    __slots__ = ("name", "sentences", "text", "tokens")

    def __init__(
        self,
        text: str,
        tokens: Iterable[tuple[int, int]],
        sentences: Iterable[tuple[int, int]] | None = None,
        name: str = "<offsets>",
    ) -> None:
        check_type(text, str, "the text of offsets", "text")
        check_type(name, str, "`name=`", "the name of the text")
        self.text, self.name = text, name
        self.tokens = _read_pairs("tokens", tokens)
        self.sentences = None if sentences is None else _read_pairs("sentences", sentences)

    def __repr__(self) -> str:
        return f"Offsets({self.text!r}, {self.tokens!r}, {self.sentences!r}, {self.name!r})"


def _read_pairs(what: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    try:
        return [(int(start), int(end)) for start, end in spans]
    except (TypeError, ValueError, OverflowError) as error:
        problem = f"{what} are no offsets ({error})"
        raise CommandError(problem, "pairs of start and end, in characters") from None


def read_offsets(given: Sequence[Offsets], name: str, documents: Sequence[str]) -> Document:
    """Read several texts with offsets into one document called `name`.

    `documents` names the texts as documents within it; if it is empty, they are none.
    """
    texts = [_Cut(offsets) for offsets in given]
    rows = [sentence for text in texts for sentence in text.sentences]
    check_tokens(rows)
    document = document_from_sentences(rows, name)
    firsts = [0, *accumulate(len(text.sentences) for text in texts)]
    named = dict(zip(firsts, documents, strict=False))
    return replace(
        document,
        documents=find_documents(document.documents, named, document.linenos),
        has_sentences=all(text.has_sentences for text in texts),
        remarks=(
            *_remark(name, "cut-character", _CUT, [text.n_cut for text in texts], firsts),
            *_remark(name, "untaken", _UNTAKEN, [text.n_lost for text in texts], firsts),
        ),
    )


_CUT = "token inside a character that an earlier one has: left out"
_UNTAKEN = "character of the text that is in no token"


def _remark(
    name: str, kind: str, message: str, times: Sequence[int], firsts: Sequence[int]
) -> Iterator[Remark]:
    """Yield a remark if any of `times` is above 0, at the first sentence of the first such text.

    `times` says how often the remark applies in each text, `firsts` has the index of the first sentence of
    each text.
    """
    if any(times):
        first = next(first for first, n in zip(firsts, times, strict=False) if n)
        yield Remark(kind, message, sum(times), (Place(name, first + 1),))


class _Cut:
    """One text, cut into sentences of tokens."""

    def __init__(self, offsets: Offsets) -> None:
        text = offsets.text
        starts = _check("sentence", offsets.sentences or [(0, len(text))], text)
        _check("token", offsets.tokens, text)
        self.sentences: list[list[str]] = [[] for _ in starts]
        self.n_cut = 0
        """Tokens left out because their characters belong to earlier tokens."""
        done = 0
        for start, end in offsets.tokens:
            begin = max(start, done)
            token = without_space(text[begin:end])
            self.n_cut += not token and bool(without_space(text[start:end]))
            done = max(done, end)
            if token:
                at = next(at for at in range(begin, end) if without_space(text[at]))
                self.sentences[max(bisect_right(starts, at) - 1, 0)].append(token)
        taken = sum(len(token) for sentence in self.sentences for token in sentence)
        self.n_lost = len(without_space(text)) - taken
        """Characters in no token."""
        self.has_sentences = bool(offsets.sentences) or sum(map(len, self.sentences)) < 2
        """Whether sentence boundaries were given, or none are possible."""


def _check(what: str, spans: Sequence[tuple[int, int]], text: str) -> list[int]:
    """Return where `spans` begin, in order; raise `CommandError` for spans that do not fit the text.

    Empty spans are skipped in checking the order.
    """
    last = 0
    for number, (start, end) in enumerate(spans, 1):
        if not 0 <= start <= end <= len(text):
            problem = f"{what} {number} is from {start} to {end}, in a text of {len(text)} characters"
            raise CommandError(problem, "offsets in characters of this text", "bytes are not characters")
        if start == end:  # special tokens span 0 to 0, anywhere
            continue
        if start < last:
            problem = f"{what} {number} begins at {start}, after one that begins at {last}"
            advice = "give each text with its own offsets: [Offsets(...), Offsets(...)]"
            raise CommandError(problem, f"{what}s in the order of the text", advice)
        last = start
    return [start for start, _end in spans]
