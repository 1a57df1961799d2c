"""Detect files that are not text to score: JSON, HTML, XML, M2, subtitles, PDF, archives.

All could be read as plain text, and tags and braces would be scored as tokens. Only the first bytes decide,
so that a file is judged in the same way whether it is read in pieces or at once. If the user names a format,
nothing is checked here. Text whose lines are not sentences is recognized in `foreign_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from evalign.errors import InputError, Message, Place, quote
from evalign.files import PACKED_ENDING

# First bytes that are examined, whatever the size of the file.
N_BYTES = 1 << 16
# JSON values to read in a row before a file counts as JSON.
_MOST_VALUES = 1_000
# Longer than any literal or escape of JSON; the longest is -Infinity.
_LONGEST_PIECE = 10

EXPECTED = "plain text, CoNLL-U, trees or a stand-off table"
AS_PLAIN = (
    "to read it as plain text all the same, name the format: {gold_format=plain} or {system_format=plain}"
)

# First characters that files other than text may have. Most files fail this test at once, so that the
# patterns below are only compiled when needed.
_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?\s*([{\[\"<S%\d#@\\WvFTPdm])")
_PACKED = rf"(?:{PACKED_ENDING})?$"
_JSON_NAME = r"(?i)\.(?:json|jsonl|ndjson|ipynb)" + _PACKED
_HTML_NAME = r"(?i)\.x?html?" + _PACKED
_XML_NAME = r"(?i)\.(?:xml|tmx|tei|xliff|sgml?)" + _PACKED
_M2_NAME = r"(?i)\.m2" + _PACKED

# How a saved result begins, and a report in JSON, of one text or of a collection.
_RESULT = r'\{\s*"schema"\s*:\s*\d+\s*,\s*"version"\s*:\s*"[^"]*"\s*,\s*"(?:gold|by)"\s*:'
_NOTEBOOK = r'\{\s*"cells"\s*:'
# An object with a key, perhaps inside arrays. No sentence begins this way.
_OBJECT = r'[\s\[]*\{\s*"[^"\n]*"\s*:'
_HTML = r"(?i)<(?:!doctype\s+html\b|(?:html|head|body)[\s>/])"
_XML = r"(?i)<(?:!doctype\s|(?:tmx|tei|xliff|svg)[\s>])"
# A first tag with attributes: ALTO, hOCR, ELAN, the SGML of shared tasks.
_TAG = r"""<([A-Za-z][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+))+\s*/?>"""
_SUBTITLES = rb"(?:\d+[ \t]*\r?[\n\r]\s*)?(?:\d+:)?\d\d:\d\d[.,]\d{3}(?:[ \t]*-->|,\d+:\d\d)"
_EDIT = rb"A -?\d+ -?\d+\|\|\|"

_TAKE_TEXT = "take the text out of it first, one sentence per line"
_SUBTITLE_ADVICE = "take the text out of it first, without numbers and times"
# How text files of other kinds begin, what these files are, and what to do with them.
_BEGINNINGS = (
    (b"version https://git-lfs", "a pointer of Git LFS in place of the file", "fetch the file itself: git lfs pull"),
    (b"WEBVTT", "subtitles (WebVTT)", _SUBTITLE_ADVICE),
    (b"[Script Info]", "subtitles (SubStation Alpha)", _SUBTITLE_ADVICE),
    (b"File type = \"ooTextFile", "a file of Praat, such as a TextGrid", _TAKE_TEXT),
    (b"\"Praat chronological TextGrid", "a TextGrid of Praat", _TAKE_TEXT),
    (b"#FORMAT=WebAnno", "a table of WebAnno", "export CoNLL-U, or a stand-off table of start, end and label"),
    (b"#begin document (", "CoNLL-2012", "take out the words, the fourth column, one sentence per line"),
    (b"@UTF8", "a transcript in CHAT", _TAKE_TEXT),
    (b"@Begin", "a transcript in CHAT", _TAKE_TEXT),
    (b"msgid \"", "a catalogue of gettext", _TAKE_TEXT),
    (b"\\documentclass", "a document in LaTeX", _TAKE_TEXT),
    (b"diff --git a/", "changes to a file (diff), not the file", "apply them first: git apply"),
    (b"Traceback (most recent call last):", "an error message of Python", "did the program that wrote it fail?"),
)  # fmt: skip

_ZIP = "a zip archive, or a document of Word, Excel or OpenDocument"
# The first bytes of binary files, what these files are, and what to do with them.
_BINARY = (
    (b"%PDF-", "a PDF", "take its text out first, with pdftotext for one"),
    (b"PK\x03\x04", _ZIP, "unpack the archive first, or save the document as text in UTF-8"),
    (b"PK\x05\x06", "a zip archive without files", "unpack the archive first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack the archive first"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack the archive first"),
    (b"\x1f\x9d", "packed by compress, .Z", "unpack it first: uncompress"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of Word or Excel", "save it as text in UTF-8"),
    (b"SQLite format 3\x00", "an SQLite database", "export the text from it first"),
    (b"PAR1", "a Parquet table", "export the text from it first"),
    (b"ARROW1", "an Arrow table", "export the text from it first"),
    (b"FEA1", "a Feather table", "export the text from it first"),
    (b"\x89HDF\r\n", "an HDF5 file", "export the text from it first"),
    (b"\x93NUMPY", "an array of NumPy", "export the text from it first"),
    (b"\x89PNG\r\n", "a picture, PNG", ""),
    (b"\xff\xd8\xff", "a picture, JPEG", ""),
    (b"GIF8", "a picture, GIF", ""),
    (b"\x78\x01", "data packed by zlib, as spaCy's DocBin is", "write the documents as CoNLL-U"),
    (b"\x78\x9c", "data packed by zlib, as spaCy's DocBin is", "write the documents as CoNLL-U"),
    (b"\x78\xda", "data packed by zlib, as spaCy's DocBin is", "write the documents as CoNLL-U"),
)  # fmt: skip
_PICKLE = rb"\x80[\x02-\x05]"


class _Beginning(NamedTuple):
    """The first bytes of a file, starting at the first that is not white space."""

    name: str
    data: bytes
    is_whole: bool
    """True if the file ends with these bytes."""

    @property
    def text(self) -> str:
        """The bytes as text, without a character that is cut at the end."""
        return self.data.decode("utf-8", "ignore")


def check_is_text(name: str, data: bytes) -> None:
    """Raise `InputError` if `data` is recognizably not text to score.

    `data` is a whole file or at least its first `N_BYTES`. It may begin with a byte order mark; line ends may
    be of any kind.
    """
    match = _FIRST.match(data, 0, N_BYTES)
    if match is None:
        return
    start = match.start(1)
    beginning = _Beginning(name, data[start : start + N_BYTES], start + N_BYTES >= len(data))
    tell = _KINDS.get(match[1])
    foreign = _tell_beginning(beginning) or (tell(beginning) if tell else None)
    if foreign:
        kind, advice = foreign
        more = f"{advice}\n  " if advice else ""
        raise InputError(Place(name), kind, EXPECTED, more + Message(AS_PLAIN))


def describe_binary(data: bytes) -> tuple[str, str]:
    """Return what a binary file is, from its first bytes, and what to do with it; ("", "") if unknown."""
    for beginning, kind, advice in _BINARY:
        if data.startswith(beginning):
            return kind, advice
    if data[257:262] == b"ustar":
        return "a tar archive", "unpack the archive first"
    if re.match(_PICKLE, data):
        return "a pickle of Python", "give the objects in it to evalign.score, or write them as text"
    return "", ""


def _tell_beginning(beginning: _Beginning) -> tuple[str, str] | None:
    """Judge a file by its first words: return what it is, with advice, or None."""
    data = beginning.data
    kinds = ((kind, advice) for start, kind, advice in _BEGINNINGS if data.startswith(start))
    kind, advice = next(kinds, ("", ""))
    if not kind and re.match(_SUBTITLES, data):
        kind, advice = "subtitles", _SUBTITLE_ADVICE
    if not kind:
        return None
    line = re.match(r"[^\r\n]*", beginning.text)
    return f"{kind}, not text: it begins with {quote(line[0] if line else '')}", advice


def _tell_json(beginning: _Beginning) -> tuple[str, str] | None:
    name, text = beginning.name, beginning.text
    if re.match(_RESULT, text):
        import shlex

        packed = re.search(_PACKED, name)
        file = "FILE" if name.startswith("<") else shlex.quote(name[: packed.start()] if packed else name)
        first = "unpack it, then" if packed and packed[0] else "to look at it"
        return "a result that evalign saved, not text", f"{first}: evalign report {file}"
    if text.startswith("{\\rtf"):
        return "a document in RTF, not text", "save it as text in UTF-8"
    if not re.search(_JSON_NAME, name) and not _is_json(text, is_whole=beginning.is_whole):
        return None
    if text.startswith("{") and re.match(_NOTEBOOK, text):
        return "a notebook (JSON), not text", "write what is to be scored into a file of its own"
    return "JSON, not text", "write the text or the tokens in it, a sentence a line, into a file of its own"


def _is_json(text: str, *, is_whole: bool) -> bool:
    """Return whether `text`, a file or the beginning of one, is JSON: objects and arrays in a row.

    A whole file that ends inside a value counts only if it contains an object. Numbers in brackets do not
    count, since a text may begin with a footnote.
    """
    from json import JSONDecoder

    # Numbers are not converted, because Python refuses those with too many digits.
    decoder = JSONDecoder(parse_int=lambda _digits: 0, parse_float=lambda _digits: 0)
    at, has_data = 0, False
    for _ in range(_MOST_VALUES):
        if at == len(text):
            return has_data
        try:
            value, end = decoder.raw_decode(text, at)
        except RecursionError:
            return False
        except ValueError as error:
            position: int = getattr(error, "pos", at)
            # A string, a literal or an escape may be cut at the end.
            is_cut = "Unterminated" in str(error) or len(text[position:].strip()) < _LONGEST_PIECE
            may_be_cut = not is_whole or has_data or re.match(_OBJECT, text) is not None
            return position > at and is_cut and may_be_cut
        if not isinstance(value, (dict, list)):
            return False
        has_data = has_data or isinstance(value, dict) or any(isinstance(v, (str, dict, list)) for v in value)
        at = _skip_space(text, end)
    return True


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _tell_string(beginning: _Beginning) -> tuple[str, str] | None:
    """Judge a file that begins with a quote: return that it is JSON if its name says so, or None."""
    return ("JSON, not text", "") if re.search(_JSON_NAME, beginning.name) else None


def _tell_markup(beginning: _Beginning) -> tuple[str, str] | None:
    name, text = beginning.name, beginning.text
    at, is_xml = 0, bool(re.search(_XML_NAME, name))
    for opening, closing in _skipped(text):
        is_xml = is_xml or text.startswith("<?xml", opening)
        at = closing
    if re.match(_HTML, text[at:]) or re.search(_HTML_NAME, name):
        return "HTML, not text", "take the text out of the page first; tags would be scored as tokens"
    if is_xml or re.match(_XML, text[at:]):
        return "XML, not text", "take the text out of it first; tags would be scored as tokens"
    tag = re.match(_TAG, text[at:])
    if tag:
        kind = f"text with markup (XML or SGML), from {quote(tag[0])} on"
        return kind, "take the text out of it first; tags would be scored as tokens"
    return None


def _skipped(text: str) -> list[tuple[int, int]]:
    """Return a pair of positions for each comment and instruction (`<?xml ...?>`) before the first tag.

    The first position is where the comment or instruction begins, the second where the text continues behind
    it.
    """
    spans: list[tuple[int, int]] = []
    at = 0
    while True:
        mark = "-->" if text.startswith("<!--", at) else "?>" if text.startswith("<?", at) else ""
        end = text.find(mark, at) if mark else -1
        if end < 0:
            return spans
        following = _skip_space(text, end + len(mark))
        spans.append((at, following))
        at = following


def _tell_m2(beginning: _Beginning) -> tuple[str, str] | None:
    """Judge a file that begins with S: return that it is M2, with advice, or None.

    M2 has sentences in lines that begin with S, and edits in the lines below each.
    """
    data = beginning.data
    if not data.startswith((b"S ", b"S\t")):
        return None
    lines = (line for line in data.splitlines() if line.strip() and not line.startswith((b"S ", b"S\t")))
    if re.search(_M2_NAME, beginning.name) or re.match(_EDIT, next(lines, b"")):
        advice = "its lines are sentences (S) and edits (A): take the sentences out first, without their S"
        return "M2, annotations of corrected errors, not text", advice
    return None


def _tell_pdf(beginning: _Beginning) -> tuple[str, str] | None:
    kind, advice = describe_binary(beginning.data)
    return (f"{kind}, not text", advice) if kind else None


_KINDS: dict[bytes, Callable[[_Beginning], tuple[str, str] | None]] = {
    b"{": _tell_json,
    b"[": _tell_json,
    b'"': _tell_string,
    b"<": _tell_markup,
    b"S": _tell_m2,
    b"%": _tell_pdf,
}
