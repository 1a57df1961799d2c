"""CoNLL-U as the official scripts read it: find what they refuse, and rewrite what they accept in plain form.

Written from a description of what the scripts do (`official_errors.Dialect` names them). They accept numbers
as loosely as Python's `int` does, and ignore IDs inside a multiword token; `canonical` rewrites such input so
that any reader accepts it. One difference is deliberate: heads are followed in a loop, so that a long chain
of words is not an error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from evalign.errors import Place, quote
from evalign.readers.content import Content
from evalign.readers.official_errors import Dialect, OfficialError, OfficialTokens, refusal, uncaught
from evalign.text import SPACE_SEPARATORS

_ID, _FORM, _HEAD, _DEPS, _N_COLUMNS = 0, 1, 6, 8, 10
_ON_PATH, _DONE = 1, 2
_ITSELF = -1  # in place of the number of words, for a token that is itself a word

# Unicode category Zs, which is not part of a form.
_NO_SPACES = dict.fromkeys(map(ord, SPACE_SEPARATORS))

# Heads in plain digits: a table for nearly all of them, and patterns for any other number.
_NUMBERS = {str(number): number for number in range(512)}
_PLAIN = re.compile("0|[1-9][0-9]*")
_PLAIN_EMPTY = re.compile("[0-9]{1,9}[.][0-9]{1,9}")


class _Sentence:
    """The rows of a sentence's words, and for each token its line number, row and number of words."""

    __slots__ = ("lineno", "n_before", "tokens", "words")

    def __init__(self, n_before: int) -> None:
        self.words: list[list[str]] = []
        self.tokens: list[tuple[int, list[str], int]] = []
        self.n_before = n_before  # words in all sentences before this one
        self.lineno = 0  # of the empty line behind the sentence


def check_official(
    content: Content,
    dialect: Dialect = "conll18",
    *,
    multiple_roots_okay: bool = False,
    no_empty_nodes: bool = False,
) -> bool:
    """Raise `OfficialError`, a `StrictError`, for CoNLL-U that a script refuses.

    `multiple_roots_okay` and `no_empty_nodes` are options of udtools. For udtools DEPS are checked even if
    they are not evaluated. Returns whether every row is one that any reader accepts.
    """
    reading = _OfficialReader(content, dialect, no_empty_nodes=no_empty_nodes)
    for sentence in reading.sentences():
        n_roots = _HeadCheck(reading, sentence).check()
        if n_roots != 1 and not (n_roots and multiple_roots_okay):
            raise _wrong_roots(dialect, Place(content.name, sentence.lineno), n_roots)
    return reading.is_plain


def canonical(
    content: Content,
    dialect: Dialect,
    *,
    multiple_roots_okay: bool = False,
    no_empty_nodes: bool = False,
) -> bytes:
    """Return the document in plain CoNLL-U, as the script reads it; raise as `check_official` does.

    Plain content is returned unchanged. In any other, comments and empty nodes are left out, words are
    numbered, a token without words becomes a range such as 3-2, and heads in HEAD, and for udtools in DEPS,
    are written in plain digits. Other columns do not change.
    """
    options = {"multiple_roots_okay": multiple_roots_okay, "no_empty_nodes": no_empty_nodes}
    if check_official(content, dialect, **options):
        return content.data
    lines: list[str] = []
    for sentence in _OfficialReader(content, dialect).sentences():
        lines += _write(sentence, has_edges=dialect == "udtools")
    return "".join(lines).encode()


def official_tokens(content: Content, dialect: Dialect) -> OfficialTokens:
    """Return the tokens of a file that the script accepts."""
    sentences = _OfficialReader(content, dialect).sentences()
    tokens = [token for sentence in sentences for token in sentence.tokens]
    forms = [columns[_FORM].translate(_NO_SPACES) for _, columns, _ in tokens]
    return OfficialTokens(content.name, forms, [lineno for lineno, _, _ in tokens])


def _write(sentence: _Sentence, *, has_edges: bool) -> Iterator[str]:
    """Yield the lines of a sentence in plain form."""
    words = iter(sentence.words)
    number = 1
    for _, columns, size in sentence.tokens:
        if size != _ITSELF:
            yield "\t".join((f"{number}-{number + size - 1}", *columns[1:])) + "\n"
        for _ in range(1 if size == _ITSELF else size):
            row = next(words)
            row[_ID], row[_HEAD] = str(number), str(int(row[_HEAD]))
            if has_edges:
                row[_DEPS] = _write_edges(sentence, row[_DEPS])
            yield "\t".join(row) + "\n"
            number += 1
    yield "\n"


def _write_edges(sentence: _Sentence, deps: str) -> str:
    """Write DEPS with heads in plain digits.

    An edge from an empty node, which the script ignores, stays if its number is plain.
    """
    edges = []
    for edge in deps.split("|") if deps not in ("", "_") else ():
        written, _, path = edge.partition(":")
        if "." not in written:
            edges.append(f"{_locate(sentence, int(written))}:{path}")
        elif _PLAIN_EMPTY.fullmatch(written):
            edges.append(edge)
    return "|".join(edges) or "_"


def _locate(sentence: _Sentence, head: int) -> int:
    """Return the number of the word that a head in DEPS means.

    To the scripts, a negative head is an index into a list of all words so far. A word of another sentence
    has no number here, so that its head stays negative.
    """
    number = head + sentence.n_before + len(sentence.words)
    return number if head < 0 < number <= len(sentence.words) else head


class _OfficialReader:
    """One pass over a file. `is_plain` stays true as long as every row is one that any reader accepts."""

    def __init__(self, content: Content, dialect: Dialect, *, no_empty_nodes: bool = False) -> None:
        has_bom = any(remark.kind == "bom" for remark in content.remarks)
        self.name, self.dialect, self.no_empty_nodes = content.name, dialect, no_empty_nodes
        self.is_udtools = dialect == "udtools"
        self.is_plain = not has_bom and b"\r" not in content.data
        self._lines = _lines(content.data, has_bom=has_bom)
        self._rows = iter(enumerate(self._lines, content.lineno))
        self._n_lines = content.lineno - 1 + len(self._lines)

    def sentences(self) -> Iterator[_Sentence]:
        """Yield sentences up to the first row that is refused; heads and DEPS are not followed yet."""
        sentence: _Sentence | None = None
        n_before = 0
        for lineno, text in self._rows:
            if sentence is None:
                if text.startswith("#"):
                    continue
                sentence = _Sentence(n_before)
            if text:
                self._read_row(sentence, lineno, text)
            else:
                sentence.lineno = lineno
                yield sentence
                n_before += len(sentence.words)
                sentence = None
        if sentence is not None:
            words = "The CoNLL-U file does not end with empty line"
            raise self._refusal(self._n_lines, words, expected="an empty line at the end")

    def _refusal(
        self, lineno: int, words: str, *values: str | int, expected: str, at: str | None = None
    ) -> OfficialError:
        return refusal(self.dialect, Place(self.name, lineno), words, *values, expected=expected, at=at)

    def _read_row(self, sentence: _Sentence, lineno: int, text: str) -> None:
        columns = text.split("\t")
        if len(columns) != _N_COLUMNS:
            raise self._not_ten(lineno, text)
        number, words = columns[_ID], sentence.words
        if (  # a shortcut for nearly every row
            number == str(len(words) + 1)
            and columns[_HEAD] in _NUMBERS
            and columns[_FORM].strip(SPACE_SEPARATORS)
            and (columns[_DEPS] == "_" or not self.is_udtools)
        ):
            words.append(columns)
            sentence.tokens.append((lineno, columns, _ITSELF))
            return
        if "." in number:
            self._skip_empty(lineno, number, text)
            return
        if not columns[_FORM].strip(SPACE_SEPARATORS):
            said = "There is an empty FORM in the CoNLL-U file{at}"
            raise self._refusal(lineno, said, expected="at least one character other than a space")
        if "-" in number:
            size = self._read_range(sentence, lineno, text, number)
        else:
            size = _ITSELF
            self._check_word(lineno, columns, len(words) + 1)
            self._add_word(sentence, lineno, columns)
        sentence.tokens.append((lineno, columns, size))

    def _not_ten(self, lineno: int, text: str, at: str | None = None) -> OfficialError:
        words = "The CoNLL-U line does not contain 10 tab-separated columns{at}: '{}'"
        return self._refusal(
            lineno, words, text, expected=f"ten columns, not {text.count(chr(9)) + 1}", at=at
        )

    def _skip_empty(self, lineno: int, number: str, text: str) -> None:
        if self.no_empty_nodes:
            words = "The collapsed CoNLL-U line still contains empty nodes{at}: {}"
            raise self._refusal(lineno, words, text, expected="paths in DEPS in place of empty nodes")
        self.is_plain = self.is_plain and bool(_PLAIN_EMPTY.fullmatch(number))

    def _read_range(self, sentence: _Sentence, lineno: int, text: str, number: str) -> int:
        """Read the words of a multiword token: as many rows as its range has numbers, whatever their IDs."""
        try:
            first, last = map(int, number.split("-"))
        except ValueError:
            words = "Cannot parse multi-word token ID '{}'{at}"
            raise self._refusal(lineno, words, number, expected="two numbers such as 3-4") from None
        due = len(sentence.words) + 1
        size = max(0, last - first + 1)
        self.is_plain = self.is_plain and number == f"{due}-{due + size - 1}"
        while len(sentence.words) < due - 1 + size:
            before = lineno
            lineno, row = next(self._rows, (lineno, ""))
            if self.is_udtools and not row:
                words = "The CoNLL-U file ends in an unfinished MWT{at}"
                raise self._refusal(before, words, expected="a row for each word of the range")
            columns = row.split("\t")
            if len(columns) != _N_COLUMNS:
                raise self._not_ten(lineno, row, None if self.is_udtools else "")
            if self.is_udtools and "." in columns[_ID]:
                self._skip_empty(lineno, columns[_ID], text)
            else:
                self._add_word(sentence, lineno, columns)
        return size

    def _check_word(self, lineno: int, columns: list[str], due: int) -> None:
        """Check a word outside multiword tokens: its ID is the next number, and its head is a number."""
        if columns[_ID] != str(due):
            self._check_number(lineno, columns, due)
        head, expected = columns[_HEAD], "the number of a word, or 0"
        try:
            is_negative = int(head) < 0
        except ValueError:
            raise self._refusal(lineno, "Cannot parse HEAD '{}'{at}", head, expected=expected) from None
        if is_negative:
            raise self._refusal(lineno, "HEAD cannot be negative{at}", expected=expected)

    def _check_number(self, lineno: int, columns: list[str], due: int) -> None:
        expected = f"{due}, the next word"
        number, form = columns[_ID], columns[_FORM].translate(_NO_SPACES)
        try:
            value = int(number)
        except ValueError:
            raise self._refusal(lineno, "Cannot parse word ID '{}'{at}", number, expected=expected) from None
        if value != due:
            words = "Incorrect word ID '{}' for word '{}', expected '{}'{at}"
            raise self._refusal(lineno, words, number, form, due, expected=expected)

    def _add_word(self, sentence: _Sentence, lineno: int, columns: list[str]) -> None:
        if self.is_udtools and columns[_DEPS] != "_":
            self._check_edges(lineno, columns[_DEPS])
        sentence.words.append(columns)
        if self.is_plain:
            has_plain_head = columns[_HEAD] in _NUMBERS or _PLAIN.fullmatch(columns[_HEAD])
            self.is_plain = bool(has_plain_head) and columns[_ID] == str(len(sentence.words))

    def _check_edges(self, lineno: int, deps: str) -> None:
        for edge in deps.split("|") if deps else ():
            if ":" not in edge:
                error = ValueError("not enough values to unpack (expected 2, got 1)")
                expected = "a head and a relation such as 3:nsubj in DEPS"
                raise uncaught(self.dialect, Place(self.name, lineno), error, expected=expected)


def _lines(data: bytes, *, has_bom: bool) -> list[str]:
    """Return the lines as the scripts see them: ended by LF, CRLF or CR, with a byte order mark as text."""
    text = data.decode("utf-8").replace("\r", "\n")
    lines = (f"\ufeff{text}" if has_bom else text).split("\n")
    return lines if lines[-1] else lines[:-1]


class _HeadCheck:
    """Checks the heads of one sentence."""

    def __init__(self, reading: _OfficialReader, sentence: _Sentence) -> None:
        self.reading, self.dialect = reading, reading.dialect
        self.place = Place(reading.name, sentence.lineno)
        self.words, self.n_before = sentence.words, sentence.n_before
        self.size = len(sentence.words)
        self.state = bytearray(self.size)
        # The scripts name the place differently: "a sentence at line 3", "the sentence that ends at line 3".
        self.which, self.at = "a", None
        if reading.is_udtools:
            self.which, self.at = "the", f" that ends at line {sentence.lineno}"

    def check(self) -> int:
        """Follow heads in the order in which the scripts do; return the number of roots."""
        n_roots = 0
        state, words, has_edges = self.state, self.words, self.reading.is_udtools
        for start, columns in enumerate(words):
            word, path = start, []
            while state[word] != _DONE:
                if state[word] == _ON_PATH:
                    said = f"There is a cycle in {self.which} sentence{{at}}"
                    raise refusal(
                        self.dialect, self.place, said, expected="heads that lead to the root", at=self.at
                    )
                written = words[word][_HEAD]
                head = _NUMBERS.get(written, sys.maxsize)
                if head > self.size:
                    head = self._read_head(written)
                state[word] = _ON_PATH
                path.append(word)
                if not head:
                    n_roots += 1
                    break
                word = head - 1
            for word in path:
                state[word] = _DONE
            if has_edges and columns[_DEPS] != "_":
                self._check_edges(start + 1, columns[_DEPS])
        return n_roots

    def _read_head(self, written: str) -> int:
        expected = f"a number from 0 to {self.size}"
        try:
            head = int(written)
        except ValueError as error:  # outside multiword tokens `_check_word` has refused it already
            raise self._no_number(error, written, f"{expected} as HEAD") from None
        if not 0 <= head <= self.size:
            words = "HEAD '{}' points outside of the sentence{at}"
            raise refusal(self.dialect, self.place, words, written, expected=expected, at=self.at)
        return head

    def _no_number(self, error: ValueError, written: str, expected: str, where: str = "") -> OfficialError:
        said = str(error).partition(":")[0]
        return uncaught(
            self.dialect, self.place, error, problem=f"{said}: {where}{quote(written)}", expected=expected
        )

    def _check_edges(self, number: int, deps: str) -> None:
        """Check the heads in the DEPS of word `number`.

        The scripts use these heads as indices into a list of all words so far.
        """
        if not deps:
            self.reading.is_plain = False
            return
        for edge in deps.split("|"):
            written = edge.partition(":")[0]
            if _NUMBERS.get(written, sys.maxsize) > self.size:
                self._check_odd_edge(number, written)
                is_plain = _PLAIN.fullmatch(written) or _PLAIN_EMPTY.fullmatch(written)
                self.reading.is_plain = self.reading.is_plain and bool(is_plain)

    def _check_odd_edge(self, number: int, written: str) -> None:
        where = f"DEPS of word {number} has head "
        expected = f"a number from 0 to {self.size}"
        if "." in written:
            if self.reading.no_empty_nodes:
                words = "The collapsed CoNLL-U file still contains references to empty nodes{at}: "
                raise refusal(self.dialect, self.place, words, expected=expected)
            return
        try:
            head = int(written)
        except ValueError as error:
            raise self._no_number(error, written, expected, where) from None
        # As an index into a Python list, a negative number means a word of an earlier sentence.
        index, total = self.n_before + head - 1, self.n_before + self.size
        if head and not -total <= index < total:
            is_index = -sys.maxsize - 1 <= index <= sys.maxsize
            said = "list index out of range" if is_index else "cannot fit 'int' into an index-sized integer"
            problem = f"{said}: {where}{quote(written)}"
            raise uncaught(self.dialect, self.place, IndexError(said), problem=problem, expected=expected)


def _wrong_roots(dialect: Dialect, place: Place, n_roots: int) -> OfficialError:
    expected = "one word with HEAD 0" if n_roots else "a sentence before each empty line"
    words, at = f"There are {n_roots} roots in a sentence{{at}}", None
    if dialect == "udtools":
        # All heads lead to roots here, so that a sentence without a root has no words.
        words, at = "There are multiple roots in the sentence{at}", f" that ends at {place.lineno}"
        if not n_roots:
            words, at = "There is a sentence with 0 tokens (possibly a double blank line){at}", None
    return refusal(dialect, place, words, expected=expected, at=at)
