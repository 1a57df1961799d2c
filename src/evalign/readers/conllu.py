"""The reader of CoNLL-U and CoNLL-X: tokens, words, sentences, documents, paragraphs and comments.

It reads what the CoNLL 2018 evaluation reads and, with a remark, several things that the evaluation refuses.
The error for a line that cannot be read names the line, counts lines with the same fault and says what to do.
Columns and comments of words are read on first access.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from evalign.document import Breaks, Column, Document, Edges, IntArray, Words
from evalign.errors import InputError, Message, Remark, quote
from evalign.kernels.text_scan_cy import N_NOTES, ConlluScanner, codes, count_bytes
from evalign.readers.conllu_columns import (
    ConlluFields,
    DepsEdges,
    HeadTrees,
    LabelColumn,
    edge_remarks,
    make_trees,
    no_edges,
    read_deps,
    read_fields,
    tree_remarks,
)
from evalign.readers.content import Content, scan_remarks
from evalign.readers.foreign_files import N_BYTES
from evalign.text import WHITE_SPACE, without_space

_SPACE = re.compile(f"[{WHITE_SPACE.replace(chr(10), '')}]")
CODES = codes()

_CARRIAGE_RETURN = re.compile(rb"^(?!#)[^\n]*\r", re.MULTILINE)
_HEAD = re.compile(r"\d+|_")
_FROM_CONLL09 = (
    "write them as CoNLL-U, here gold's columns (those predicted are 4, 6, 8, 10, 12): "
    """awk -F'\\t' -v OFS='\\t' '{print NF ? $1 OFS $2 OFS $3 OFS $5 OFS "_" OFS $7 OFS $9 OFS $11 OFS "_" OFS "_" : ""}'"""
)
_NUMBER = re.compile(rb"^(?!#)[^\t\n]+(?=\t)", re.MULTILINE)


class CommentValues(Sequence[str]):
    """The values of comments, decoded on access, because most runs never look at ids and names."""

    def __init__(self, data: bytes, spans: npt.NDArray[np.int64]) -> None:
        self._data, self._spans = data, spans

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        start, end = self._spans[index].tolist()
        return self._data[start:end].decode("utf-8", "replace").partition("=")[2].strip()


def read_conllx(content: Content, *, strict: bool = False) -> Document:
    """Read CoNLL-X (Buchholz and Marsi 2006) into a document.

    PHEAD and PDEPREL stand where CoNLL-U has DEPS and MISC, so there are no enhanced graphs.
    """
    document = read_conllu(content, strict=strict)
    columns = document.columns
    assert isinstance(columns, ConlluColumns)
    return replace(document, format="conllx", columns=columns.without_graphs())


def read_conllu(content: Content, *, strict: bool = False) -> Document:
    """Read CoNLL-U into a document; raise `InputError` at the first line that cannot be read.

    With `strict` raise `StrictError` for what the CoNLL 2018 script refuses, and treat white space as it
    does: only category Zs is left out of the line, and words inside a multiword token keep all white space.
    """
    _refuse_carriage_return(content)
    try:
        document = _scan(content, strict)
    except InputError:
        plain = _with_plain_numbers(content)
        if plain is content:
            raise
        document = _scan(plain, strict)
    if strict:
        from evalign.readers.official import check_official

        check_official(content)
    return document


def _refuse_carriage_return(content: Content) -> None:
    """Raise `InputError` for a bare CR in a row, where it may or may not be a line end.

    In a comment a CR is white space.
    """
    if b"\r" not in content.data:
        return
    match = _CARRIAGE_RETURN.search(content.data)
    if match:
        row = quote(match[0].decode("utf-8").rstrip("\r"))
        raise InputError(
            content.place_of(match.end()), f"a carriage return inside a row, after {row}",
            "line ends of one kind: LF or CRLF", "if it should not be there: tr -d '\\r'",
        )  # fmt: skip


def _with_plain_numbers(content: Content) -> Content:
    """Rewrite in plain digits the IDs that Python's `int` reads all the same ("+3", "1_0").

    The CoNLL 2018 script reads these IDs, since it uses `int`.
    """
    offsets: list[int] = []

    def plain(match: re.Match[bytes]) -> bytes:
        try:
            numbers = [int(part) for part in match[0].decode("utf-8").split("-")]
        except ValueError:
            return match[0]
        written = b"-".join(b"%d" % number for number in numbers)
        if written != match[0]:
            offsets.append(match.start())
        return written

    data = _NUMBER.sub(plain, content.data)
    if not offsets:
        return content
    place = content.place_of(offsets[0])
    remark = Remark("odd-number", "ID not in plain digits", len(offsets), (place,))
    return content._replace(data=data, remarks=(*content.remarks, remark))


def _scan(content: Content, strict: bool) -> Document:  # noqa: FBT001
    data = content.data
    rows = count_bytes(data, ord("\n")) + 3
    line = np.empty(len(data) + 1, np.uint8)
    cuts, sentences, linenos, word_tokens = (np.empty(rows, np.int32) for _ in range(4))
    multiword = np.empty(rows, np.uint8)
    starts = np.empty(rows, np.int64)
    inner, marks = (np.empty((rows, width), np.int64) for width in (2, 4))
    notes = np.zeros((N_NOTES, 2), np.int64)
    scanner = ConlluScanner(data, line, cuts, sentences, linenos, notes, strict)
    error, lineno, due = scanner.scan(word_tokens, multiword, starts, inner, marks)
    if error:
        raise _explain(content, error, lineno, due)
    used, n_tokens, n_sentences = scanner.totals()
    n_words, n_inner, n_marks = scanner.word_totals()
    sentences, word_tokens = sentences[: n_sentences + 1].copy(), word_tokens[:n_words]
    # With `strict`, as in the scripts, there may be tokens without words.
    has_words = n_inner > 0 or n_words != n_tokens
    word_cuts = np.searchsorted(word_tokens, sentences) if has_words else sentences
    rows_of_words = starts[:n_words].copy()
    row_linenos = linenos[:n_tokens].copy()
    return Document(
        content.name,
        "conllu",
        str(line.data[:used], "utf-8"),
        cuts[: n_tokens + 1].copy(),
        sentences,
        content.linenos(row_linenos),
        words=_words(_forms(data, inner[:n_inner], strict), word_tokens, multiword[:n_words])
        if has_words
        else None,
        columns=ConlluColumns(content, rows_of_words, word_cuts),
        documents=_breaks(data, marks[:n_marks], CODES["NEWDOC"], n_sentences),
        paragraphs=_breaks(data, marks[:n_marks], CODES["NEWPAR"], n_sentences),
        sentence_ids=_sentence_ids(data, marks[:n_marks], n_sentences),
        remarks=content.remarks + scan_remarks(content, notes),
        comments=ConlluComments(data, rows_of_words, word_cuts),
        spaced=ConlluSpaces(data, row_linenos),
    )


def _sentence_ids(data: bytes, marks: npt.NDArray[np.int64], n_sentences: int) -> Sequence[str]:
    """Return one id per sentence: the last one above it, "" if it has none; () if no sentence has an id."""
    named = marks[(marks[:, 0] == CODES["SENT_ID"]) & (marks[:, 1] < n_sentences)]
    if not len(named):
        return ()
    spans = np.zeros((n_sentences, 2), np.int64)
    spans[named[:, 1]] = named[:, 2:]
    return CommentValues(data, spans)


def _forms(data: bytes, inner: npt.NDArray[np.int64], strict: bool) -> list[str]:  # noqa: FBT001
    if not len(inner):
        return []
    # Decoded and searched as one text, since no form has a line end in it.
    text = b"\n".join([data[start:end] for start, end in inner.tolist()]).decode("utf-8")
    forms = text.split("\n")
    if strict or not _SPACE.search(text):
        return forms
    # White space inside a word is left out, as it is inside a token.
    return list(map(without_space, forms))


def _words(forms: list[str], tokens: npt.NDArray[np.int32], multiword: npt.NDArray[np.uint8]) -> Words:
    ranks = np.cumsum(multiword, dtype=np.int32) - multiword
    return Words(tokens.copy(), multiword.copy(), forms, ranks.astype(np.int32))


def _breaks(data: bytes, marks: npt.NDArray[np.int64], kind: int, n_sentences: int) -> Breaks:
    chosen = marks[(marks[:, 0] == kind) & (marks[:, 1] < n_sentences)]
    # If two marks stand before one sentence (with a sentence without words between them), the last one
    # counts.
    chosen = chosen[np.append(np.diff(chosen[:, 1]) > 0, True)[: len(chosen)]]
    return Breaks(chosen[:, 1].astype(np.int32), CommentValues(data, chosen[:, 2:].copy()))


def _explain(content: Content, error: int, lineno: int, due: int) -> InputError:
    """Return the error for a line: what is wrong, how many lines have the same fault, and what to do."""
    lines = content.data.decode("utf-8").split("\n")
    text = lines[lineno - 1] if lineno <= len(lines) else ""
    place = content.place(lineno)
    if error == CODES["COLUMNS"]:
        return _explain_columns(content, lines, lineno)
    if error == CODES["UNFINISHED"]:
        return InputError(
            place, "the sentence ends before the words of its last multiword token",
            "a row for each word of the range", "was the file cut off?",
        )  # fmt: skip
    number = quote(text.split("\t", 1)[0])
    if error == CODES["RANGE"]:
        return InputError(
            place, f"multiword token {number} where word {due} comes next",
            f"a range that begins at {due}, ends no earlier, and stands in no other range",
            "number words from 1 in each sentence, and put each range before its words",
        )  # fmt: skip
    return InputError(
        place, f"ID is {number}", f"{due}, the next word of the sentence, or a range such as {due}-{due + 1}",
        "number words from 1 in each sentence; is an empty line between sentences missing?",
    )  # fmt: skip


def _explain_columns(content: Content, lines: list[str], lineno: int) -> InputError:
    mixture = _explain_mixture(content, lineno, lines[lineno - 1])
    if mixture is not None:
        return mixture
    bad = [k for k, row in _rows(lines) if row.count("\t") != 9]
    first = ", ".join(str(content.place(k).lineno) for k in bad[:3])
    others = f"; {len(bad)} such lines, the first at {first}" if len(bad) > 1 else ""
    problem, advice = _describe(lines[lineno - 1])
    return InputError(content.place(lineno), problem + others, "ten columns separated by tabs", advice)


def _explain_mixture(content: Content, lineno: int, text: str) -> InputError | None:
    """Return the error for CoNLL-U among other text, or for other columns; None if the row alone is broken.

    `text` is the first line without ten columns. A slice of a file is explained as the file would be.
    """
    n_columns = text.count("\t") + 1
    if text.startswith("#") or not text.strip() or n_columns > 9 or len(text.split()) == 10:
        return None
    from evalign.readers.foreign_lines import Lines, describe_other, find_refused

    place = content.place(lineno)
    if n_columns == 1 and lineno > 1:
        return describe_other(place, "CoNLL-U", f"up to line {place.lineno - 1:,}", text)
    # Words may go on for long before CoNLL-U begins; rows show at once what they are.
    data = content.data if n_columns == 1 else content.data[: content.data.rfind(b"\n", 0, N_BYTES) + 1]
    lines = Lines(content.name, data, lineno=content.lineno, is_whole=False)
    if n_columns > 1 and any(len(row) == 10 for _, row in lines.columns):
        return None
    return find_refused(lines, has_rows=n_columns > 1)


def _describe(text: str) -> tuple[str, str]:
    """Return what a line without ten columns is, and what to do about it."""
    columns = text.split("\t")
    n = len(columns)
    if text.startswith("#"):
        return "a comment inside a sentence", "comments stand before the first word of a sentence"
    if not text.strip():
        return "a line of white space", "leave it empty, or take it out"
    if len(text.split()) == 10:
        advice = "separate them by tabs, where no column holds a space: sed -E 's/[ \\t]+/\\t/g'"
        return f"ten columns separated by {'spaces' if n == 1 else 'tabs and spaces'}", advice
    if n == 1:
        advice = Message(
            "if this is plain text, one sentence per line: {gold_format=plain} or {system_format=plain}"
        )
        return f"one column, {quote(text)}", advice
    # CoNLL-U has DEPS and MISC there, which may be empty, too.
    if n >= 12 and not columns[6].isdigit() and columns[8].isdigit() and _HEAD.fullmatch(columns[9]):
        return f"{n} columns, CoNLL-2009, {quote(text)}", _FROM_CONLL09
    if n > 10 and _HEAD.fullmatch(columns[6]):
        return f"{n} columns, {quote(text)}", "keep the first ten (CoNLL-U Plus has more): cut -f 1-10"
    if n > 10:
        return (
            f"{n} columns, {quote(text)}",
            "write ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC, in this order",
        )
    return f"{n} columns, {quote(text)}", "fill an empty column with _"


def _rows(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that must be rows, with their numbers."""
    inside = False
    for k, text in enumerate(lines, 1):
        if not text:
            inside = False
        elif inside or not text.startswith("#"):
            inside = True
            yield k, text


# The columns of words beside the form. Most runs need only tokens and sentences, so that a document just
# keeps where the rows of its words begin.


class ConlluColumns:
    """The columns of the words whose rows begin at the byte offsets `rows`, read on first access.

    `cuts` has the boundaries of sentences as word indices. Without `graphs` the ninth column is not DEPS.
    """

    def __init__(
        self, content: Content, rows: npt.NDArray[np.int64], cuts: IntArray, *, graphs: bool = True
    ) -> None:
        self.content, self.data, self.rows = content, content.data, rows
        self._cuts = np.ascontiguousarray(cuts, np.int32)
        self._graphs = graphs

    def without_graphs(self) -> ConlluColumns:
        """Return the same columns without enhanced graphs, for CoNLL-X."""
        return ConlluColumns(self.content, self.rows, self._cuts, graphs=False)

    @cached_property
    def _written(self) -> ConlluFields:
        return read_fields(self.data, self.rows.data)

    @cached_property
    def _trees(self) -> HeadTrees:
        return make_trees(self._written.heads, self._cuts.data)

    @property
    def lemma(self) -> Column:
        """The column LEMMA."""
        return _column(self._written.lemma)

    @property
    def upos(self) -> Column:
        """The column UPOS, or CPOSTAG in CoNLL-X."""
        return _column(self._written.upos)

    @property
    def xpos(self) -> Column:
        """The column XPOS, or POSTAG in CoNLL-X."""
        return _column(self._written.xpos)

    @property
    def feats(self) -> Column:
        """The column FEATS."""
        return _column(self._written.feats)

    @property
    def deprel(self) -> Column:
        """The column DEPREL."""
        return _column(self._written.deprel)

    @cached_property
    def parents(self) -> IntArray:
        """Per word: the index of its head, or one of ROOT, MISSING, OUTSIDE and CYCLIC of `document`."""
        return np.asarray(self._trees.parents)

    @cached_property
    def _edges(self) -> DepsEdges:
        if not self._graphs:
            return no_edges(len(self.rows))
        return read_deps(self.data, self.rows.data, self._cuts.data)

    @cached_property
    def edges(self) -> Edges:
        """The enhanced dependencies in DEPS, without the edges that come from empty nodes."""
        deps = self._edges
        return Edges(np.asarray(deps.cuts), np.asarray(deps.heads), _column(deps.paths))

    @cached_property
    def linenos(self) -> IntArray:
        """Per word: its line number in the file."""
        ends = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
        return self.content.linenos((np.searchsorted(ends, self.rows) + 1).astype(np.int32))

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the dependency trees."""
        return tree_remarks(self.content, self.rows.data, self._cuts.data, self._trees)

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the enhanced dependencies."""
        return edge_remarks(self.content, self.rows.data, self._edges)


def _column(written: LabelColumn) -> Column:
    return Column(np.asarray(written.ids), written.labels)


# Comments on sentences and documents:
#
#     # newdoc id = weblog-7
#     # meta::genre = weblog
#     # speaker = A
#     1	Hello	...
#
# A comment belongs to the sentence below it. Comments on a document stand above its first sentence.

# Most comments are the text and the id of a sentence. They are skipped before anything is decoded.
_COMMENT = rb"#(?![ \t]*(?:text|sent_id)[ \t]*=)([^\n=]*)=([^\n]*)"
_FIRST, _OTHERS = re.compile(_COMMENT), re.compile(rb"\n" + _COMMENT)
# Keys that become other fields of a document, or that concern the whole file.
_KNOWN = re.compile(r"newdoc(?:\s+id)?|newpar(?:\s.*)?|global\.columns")
_DOCUMENT = re.compile(r"newdoc\s+")


class ConlluComments:
    """The comments above the sentences of CoNLL-U, read on first access.

    The rows of words begin at the byte offsets `rows`; `cuts` has the boundaries of sentences as word
    indices.
    """

    def __init__(self, data: bytes, rows: npt.NDArray[np.int64], cuts: IntArray) -> None:
        self._data, self._rows, self._cuts = data, rows, cuts

    @property
    def keys(self) -> Sequence[str]:
        """All keys, in order of appearance."""
        return list(self._values_by_key)

    def values(self, key: str) -> Mapping[int, str]:
        """Return the values of `key` by sentence index; of several in one sentence the last counts."""
        return self._values_by_key.get(key, {})

    @cached_property
    def _values_by_key(self) -> dict[str, dict[int, str]]:
        matches = list(self._matches())
        # Comments behind the first word of a sentence do not belong to it.
        firsts = np.append(self._rows, len(self._data))[self._cuts[:-1]]
        sentences = np.searchsorted(firsts, [match.start() for match in matches]).tolist()
        values: dict[str, dict[int, str]] = {}
        for match, sentence in zip(matches, sentences, strict=True):
            key = match[1].decode("utf-8", "replace").strip()
            if key and sentence < len(firsts) and not _KNOWN.fullmatch(key):
                value = match[2].decode("utf-8", "replace").strip()
                values.setdefault(_DOCUMENT.sub("", key), {})[sentence] = value
        return values

    def _matches(self) -> Iterator[re.Match[bytes]]:
        first = _FIRST.match(self._data)
        if first:
            yield first
        yield from _OTHERS.finditer(self._data)


# Tokens that are written with white space inside, such as `1 000`. The line has no white space, so that their
# texts are kept here.

_INSIDE = f"[{WHITE_SPACE.replace(chr(9), '').replace(chr(10), '')}]"
# A row whose form has white space inside.
_ROW = re.compile(rf"^[0-9][0-9-]*\t([^\t\n]*{_INSIDE}[^\t\n]*)", re.MULTILINE)
# Most places in a remark on tokens that were cut.
MOST_PLACES = 5


class ConlluSpaces:
    """The tokens of CoNLL-U that have white space inside, found on first access.

    `linenos` has the line of each token in `data`.
    """

    def __init__(self, data: bytes, linenos: IntArray) -> None:
        self._data, self._linenos = data, linenos

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """The texts of these tokens as written, by token index."""
        written = {}
        data, lineno, done = self._data.decode("utf-8"), 1, 0
        for match in _ROW.finditer(data):
            lineno += data.count("\n", done, match.start())
            done = match.start()
            token = int(np.searchsorted(self._linenos, lineno))
            text = match[1].strip(WHITE_SPACE)
            # A word inside a multiword token has a row, but is not a token.
            is_token = token < len(self._linenos) and self._linenos[token] == lineno
            if is_token and text != without_space(text):
                written[token] = text
        return written


def split_spaces(document: Document) -> Document:
    """Return `document` with its tokens cut at the spaces inside them, so that `1 000` becomes two tokens.

    Sentences, documents and comments stay. Columns (tags, lemmas, heads) are dropped, since the pieces of a
    word have none of their own, and so are the words inside a multiword token that is cut. Documents with
    trees or spans are returned unchanged.
    """
    if document.trees is not None or document.spans is not None:
        return document
    texts = document.spaced.texts if document.spaced is not None else {}
    pieces = {token: [without_space(piece) for piece in text.split(" ")] for token, text in texts.items()}
    lengths = {token: [len(piece) for piece in each if piece] for token, each in pieces.items()}
    lengths = {token: each for token, each in lengths.items() if len(each) > 1}
    bare = replace(document, columns=None, spaced=None)
    if not lengths:
        return bare
    sizes = np.ones(document.n_tokens, np.int32)
    sizes[list(lengths)] = [len(each) for each in lengths.values()]
    inner = [
        document.cuts[token] + end for token, each in lengths.items() for end in np.cumsum(each)[:-1].tolist()
    ]
    firsts = np.append(0, np.cumsum(sizes)).astype(np.int32)
    per_token = document.format != "plain" and len(document.linenos) == document.n_tokens
    return replace(
        bare,
        cuts=np.sort(np.append(document.cuts, inner)).astype(document.cuts.dtype),
        sentences=firsts[document.sentences].astype(document.sentences.dtype),
        linenos=np.repeat(document.linenos, sizes) if per_token else document.linenos,
        words=_split_words(document.words, sizes, firsts) if document.words is not None else None,
        remarks=(*document.remarks, _remark_on(document, sorted(lengths))),
    )


def _split_words(words: Words, sizes: IntArray, firsts: IntArray) -> Words:
    """Replace the words of each token that is cut by one word per piece; keep all other words.

    `sizes` has the number of pieces of each old token, `firsts` the index of its first piece.
    """
    is_cut = sizes[words.tokens] > 1
    is_first = np.append(True, np.diff(words.tokens) > 0)[: len(words)]
    repeats = np.where(is_cut, np.where(is_first, sizes[words.tokens], 0), 1)
    rows = np.repeat(np.arange(len(words)), repeats)
    begins = np.cumsum(repeats) - repeats
    tokens = firsts[words.tokens[rows]] + np.where(is_cut[rows], np.arange(len(rows)) - begins[rows], 0)
    multiword = np.where(is_cut[rows], 0, words.multiword[rows]).astype(np.uint8)
    kept = (~is_cut) & words.multiword.astype(bool)
    forms = [words.forms[rank] for rank in words.ranks[kept].tolist()]
    ranks = np.cumsum(multiword, dtype=np.int32) - multiword
    return Words(tokens.astype(np.int32), multiword, forms, ranks.astype(np.int32))


def _remark_on(document: Document, tokens: list[int]) -> Remark:
    places = tuple(document.place_of(token) for token in tokens[:MOST_PLACES])
    return Remark("split-spaces", "token with a space in it, cut there", len(tokens), places)
