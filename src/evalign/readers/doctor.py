"""The checks of `evalign doctor`: what is odd about one input, or about two that are to be compared.

`examine` looks at the bytes, characters, ids and sizes of one input; `find_hints` checks whether two inputs
are swapped, of different texts or of different forms. An input that cannot be read gives an examination with
an error, not an exception. Nothing is printed here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Literal, TypeAlias

import numpy as np

from evalign.document import MISSING, Document, Trees
from evalign.errors import InputError, Message, Place, StrictError, quote
from evalign.readers.byte_stream import open_stream
from evalign.readers.content import BOM, Content, check_text, clean
from evalign.readers.formats import read_content, recognize
from evalign.readers.official import check_official
from evalign.readers.standoff import read_table
from evalign.text import WHITE_SPACE, Source, without_space

Severity: TypeAlias = Literal["ok", "note", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about one file or two, with its severity and advice on what to do about it."""

    severity: Severity
    message: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.message}: {self.advice}" if self.advice else self.message


@dataclass(frozen=True, slots=True)
class StoredBytes:
    """Facts about a file as bytes, before it is read as text."""

    size: int
    """Size in bytes as stored."""
    compression: str = ""
    """gzip, bzip2, xz or zstd; "" if not compressed."""
    encoding: str = ""
    """ASCII or UTF-8; "" if it is neither."""
    bom: bool = False
    line_ends: dict[str, int] = field(default_factory=dict)
    """How many lines end in each of LF, CRLF and CR; kinds that do not occur are left out."""


@dataclass(frozen=True, slots=True)
class CharacterFacts:
    """Characters of a text that are invisible, counted by names such as "U+00AD SOFT HYPHEN"."""

    normal_form: str = "ASCII"
    """Unicode normal form: ASCII, NFC, NFD or mixed."""
    controls: dict[str, int] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    """Characters of category Cf."""
    spaces: dict[str, int] = field(default_factory=dict)
    """White space other than space, tab and line ends."""


@dataclass(frozen=True, slots=True)
class DocumentSizes:
    """The numbers of tokens, words, sentences and so on in a document."""

    characters: int = 0
    tokens: int = 0
    words: int = 0
    sentences: int = 0
    paragraphs: int = 0
    documents: int = 0
    multiword_tokens: int = 0
    empty_nodes: int = 0
    heads: int = 0
    sentence_ids: int = 0
    texts: int = 0
    longest_token: str = ""
    longest_sentence: int = 0


@dataclass(frozen=True, slots=True)
class Examination:
    """The result of `examine`: all facts about one input, and the findings on it.

    If the input cannot be read, `error` says why, and the other fields have what was found before.
    """

    name: str
    stored: StoredBytes
    format: str = ""
    characters: CharacterFacts = field(default_factory=CharacterFacts)
    sizes: DocumentSizes = field(default_factory=DocumentSizes)
    findings: tuple[Finding, ...] = ()
    error: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def severity(self) -> Severity:
        """The worst severity among the findings."""
        order: tuple[Severity, ...] = ("error", "warning", "note")
        severities = {finding.severity for finding in self.findings}
        return next((severity for severity in order if severity in severities), "ok")


# Most places named in a finding; the count beside them covers all.
MOST_PLACES = 3

_TEXT = re.compile(rb"^#[ \t]*text[ \t]*=(.*)$", re.MULTILINE)
_EMPTY_NODE = re.compile(rb"^\d+\.\d+\t", re.MULTILINE)
_HEAD = re.compile(rb"^\d+\t(?:[^\t\n]*\t){5}\d+\t", re.MULTILINE)
# UTF-8 that was decoded as Latin-1 or Windows-1252 and encoded again: é becomes Ã©, ’ becomes â€™.
_MOJIBAKE = re.compile("[ÃÂ][\x80-\xbf]|â€[™œ\x9d“”˜¦]")


def examine(source: Source, format: str = "auto") -> Examination:
    """Examine one input by itself: bytes, characters, format, ids, trees and sizes."""
    name, stored = str(source), StoredBytes(0)
    try:
        with open_stream(source) as stream:
            name = stream.name
            try:
                data = stream.read_whole()
            finally:
                stored = StoredBytes(stream.stored_size or stream.stored_read, stream.compression)
        stored = _examine_bytes(stored, data)
        check_text(name, data)
    except InputError as error:
        return _unreadable(Examination(error.place.path or name, stored), error)
    content = clean(name, data)
    text = content.data.decode("utf-8")
    report = Examination(name, stored, "", _examine_characters(text))
    findings = [*_judge_bytes(stored), *_judge_characters(report.characters, text)]
    try:
        format, remarks = recognize(content, format)
        content = content._replace(remarks=(*content.remarks, *remarks))
        report = replace(report, format=format)
        if report.format == "standoff":
            return replace(report, findings=(*findings, *_judge_table(content)))
        document = read_content(content, report.format)
    except InputError as error:
        return _unreadable(report, error, findings)
    findings += _judge_document(document, content)
    sizes = _measure(document, content)
    return Examination(name, stored, report.format, report.characters, sizes, tuple(findings), "", document)


def _judge_table(content: Content) -> Iterator[Finding]:
    """Yield findings on a stand-off table, without the text that its positions refer to."""
    table = read_table(content)
    yield Finding("ok", f"spans: {len(table.starts):,}, different labels: {len(set(table.labels)):,}")
    for remark in table.remarks:
        yield Finding("warning", str(remark))
    if table.ends:
        message = f"positions from {min(table.starts):,} to {max(table.ends):,}, in a text that is not here"
        yield Finding("note", message, Message("score it with its text: {raw=FILE}"))


def _unreadable(report: Examination, error: InputError, findings: Iterable[Finding] = ()) -> Examination:
    message = f"{error.place}: {error.found}"
    wanted = "expected " + error.expected
    finding = Finding("error", message, wanted + "; " + error.advice if error.advice else wanted)
    return replace(report, findings=(*findings, finding), error=str(error))


def _examine_bytes(stored: StoredBytes, data: bytes) -> StoredBytes:
    try:
        encoding = "ASCII" if data.isascii() else "UTF-8" if data.decode("utf-8") else ""
    except UnicodeDecodeError:
        encoding = ""
    crlf = data.count(b"\r\n")
    ends = {"LF": data.count(b"\n") - crlf, "CRLF": crlf, "CR": data.count(b"\r") - crlf}
    ends = {kind: count for kind, count in ends.items() if count}
    return StoredBytes(stored.size, stored.compression, encoding, data.startswith(BOM), ends)


def _judge_bytes(stored: StoredBytes) -> Iterator[Finding]:
    yield Finding("ok", f"encoding {stored.encoding}")
    if stored.bom:
        yield Finding("warning", "a byte order mark at the start", "save the file as UTF-8 without it")
    if len(stored.line_ends) > 1:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in stored.line_ends.items())
        yield Finding(
            "warning", f"line ends of several kinds ({counts})", "sed 's/\\r$//' makes CRLF into LF"
        )
    elif "CRLF" in stored.line_ends:
        yield Finding("note", "line ends are CRLF", "evalign reads them as LF; other programs may not")
    elif "CR" in stored.line_ends:
        yield Finding("warning", "line ends are CR", "tr '\\r' '\\n' makes them LF")


def _examine_characters(text: str) -> CharacterFacts:
    if text.isascii():
        form = "ASCII"
    elif unicodedata.is_normalized("NFC", text):
        form = "NFC"
    else:
        form = "NFD" if unicodedata.is_normalized("NFD", text) else "mixed"
    seen = sorted(set(text))
    controls = [c for c in seen if unicodedata.category(c) == "Cc" and c not in WHITE_SPACE]
    formats = [c for c in seen if unicodedata.category(c) == "Cf"]
    spaces = [c for c in seen if c in WHITE_SPACE and c not in " \t\n\r"]

    def count(characters: list[str]) -> dict[str, int]:
        return {f"U+{ord(c):04X} {unicodedata.name(c, '')}".strip(): text.count(c) for c in characters}

    return CharacterFacts(form, count(controls), count(formats), count(spaces))


def _judge_characters(characters: CharacterFacts, text: str) -> Iterator[Finding]:
    form = characters.normal_form
    if form == "mixed":
        yield Finding("warning", "composed and decomposed accents are mixed", "bring the text to NFC")
    else:
        message = f"normal form {form}"
        yield Finding("note", message, "most data are in NFC") if form == "NFD" else Finding("ok", message)
    if characters.controls:
        yield Finding("warning", f"control characters: {_listed(characters.controls)}", "take them out")
    if characters.formats:
        message = f"invisible format characters: {_listed(characters.formats)}"
        yield Finding("note", message, Message("if only one side has them: {normalize=format}"))
    if characters.spaces:
        advice = "it separates no tokens in plain text, and is never compared"
        yield Finding("note", f"white space other than space and tab: {_listed(characters.spaces)}", advice)
    if "\ufffd" in text:
        advice = "the text was decoded wrongly before; go back to its source"
        yield Finding("warning", f"{text.count(chr(0xFFFD)):,} replacement characters (U+FFFD)", advice)
    garbled = _MOJIBAKE.search(text)
    if garbled:
        start = max(0, garbled.start() - 5)
        around = quote(text[start : garbled.end() + 5])
        advice = "go back to its source"
        yield Finding(
            "warning", f"looks like UTF-8 read as Latin-1 and written again, as in {around}", advice
        )


def _listed(counts: dict[str, int], most: int = 5) -> str:
    shown = [f"{name} ({count:,})" for name, count in counts.items()]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")


def _measure(document: Document, content: Content) -> DocumentSizes:
    conllu = document.columns is not None and document.trees is None
    words = document.words
    lengths = np.diff(document.cuts)
    longest = document.token(int(lengths.argmax())) if len(lengths) else ""
    sentences = np.diff(document.sentences)

    def count(pattern: re.Pattern[bytes]) -> int:
        return sum(1 for _ in pattern.finditer(content.data)) if conllu else 0

    return DocumentSizes(
        characters=len(document.line),
        tokens=document.n_tokens,
        words=document.n_words,
        sentences=document.n_sentences,
        paragraphs=len(document.paragraphs),
        documents=len(document.documents),
        multiword_tokens=len(np.unique(words.tokens[words.multiword == 1])) if words else 0,
        empty_nodes=count(_EMPTY_NODE),
        heads=count(_HEAD),
        sentence_ids=sum(map(bool, document.sentence_ids)),
        texts=count(_TEXT),
        longest_token=longest,
        longest_sentence=int(sentences.max()) if len(sentences) else 0,
    )


def _judge_document(document: Document, content: Content) -> Iterator[Finding]:
    if not document.n_tokens:
        yield Finding(
            "warning",
            "no token in the file",
            "as a system it can be scored, everything is missed; as gold it is refused",
        )
    byte_kinds = ("bom", "crlf", "cr")  # reported by `_judge_bytes`
    for remark in document.remarks:
        if remark.kind not in byte_kinds:
            yield Finding("warning", str(remark))
    if document.trees is not None:
        yield from _judge_trees(document.trees)
    elif document.columns is not None:
        # Trees are not judged in a file without any head.
        columns = document.columns
        has_trees = bool((columns.parents != MISSING).any())
        for remark in (*(columns.tree_remarks if has_trees else ()), *columns.edge_remarks):
            yield Finding("warning", str(remark))
        yield from _judge_ids(document)
        yield from _judge_texts(document, content)
        try:
            check_official(content)
        except StrictError as error:
            advice = Message("evalign scores it unless told {strict=True}")
            yield Finding("note", f"{error.place}: {error.found}", advice)


def _judge_trees(trees: Trees) -> Iterator[Finding]:
    """Yield findings on the number of brackets and on the labels of the outermost ones."""
    yield Finding("ok", f"brackets: {len(trees):,}, different labels: {len(trees.labels.labels):,}")
    numbers = Counter(trees.labels.ids[trees.outermost].tolist())
    roots = {trees.labels.labels[number] or "(empty)": count for number, count in numbers.most_common()}
    advice = "score leaves out TOP, ROOT, S1, VROOT and the empty label there; a .prm file decides for itself"
    yield Finding("ok" if len(roots) == 1 else "note", f"outermost brackets: {_listed(roots)}", advice)


def _judge_ids(document: Document) -> Iterator[Finding]:
    ids = list(document.sentence_ids)
    if not any(ids):
        if document.n_sentences:
            yield Finding("note", "no sent_id", "sentences are named by their numbers")
        return
    counts = Counter(ids)
    missing = [k for k, name in enumerate(ids) if not name]
    repeated = [k for k, name in enumerate(ids) if name and counts[name] > 1]
    place = _placing(document)
    if missing:
        message = f"{len(missing):,} of {len(ids):,} sentences without sent_id, {_places(missing, place)}"
        yield Finding("warning", message, "add them, or take all out")
    if repeated:
        different = len({ids[k] for k in repeated})
        message = f"{different:,} sent_id used more than once, {_places(repeated, place, ids)}"
        yield Finding("warning", message, "ids are meant to be unique in a file")
    if not missing and not repeated:
        yield Finding("ok", f"{len(ids):,} sent_id, each its own")


def _placing(document: Document) -> Callable[[int], Place]:
    return lambda sentence: document.place_of(int(document.sentences[sentence]))


def _places(sentences: list[int], place: Callable[[int], Place], ids: list[str] | None = None) -> str:
    shown = [
        f"{place(k).lineno} ({quote(ids[k])})" if ids else str(place(k).lineno)
        for k in sentences[:MOST_PLACES]
    ]
    more = ", ..." if len(sentences) > MOST_PLACES else ""
    return f"at {'line' if len(sentences) == 1 else 'lines'} {', '.join(shown)}{more}"


def _judge_texts(document: Document, content: Content) -> Iterator[Finding]:
    """Yield a finding on whether the comments `# text` agree with the tokens of their sentences."""
    # Split as `read_conllu` splits lines, so that line numbers agree.
    data = content.data if b"\n" in content.data else content.data.replace(b"\r", b"\n")
    comments = list(_TEXT.finditer(data))
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    linenos = np.searchsorted(newlines, np.array([match.start() for match in comments], np.int64)) + 1
    first = np.searchsorted(document.linenos, linenos)
    sentences = np.searchsorted(document.sentences, first, side="right") - 1
    cuts = document.sentence_cuts.tolist()
    wrong = []
    n_compared = 0
    for match, lineno, sentence in zip(comments, linenos.tolist(), sentences.tolist(), strict=True):
        if sentence == document.n_sentences:
            continue
        n_compared += 1
        tokens = document.line[cuts[sentence] : cuts[sentence + 1]]
        if without_space(match[1].decode("utf-8")) != tokens:
            wrong.append(lineno)
    if wrong:
        shown = ", ".join(map(str, wrong[:MOST_PLACES])) + (", ..." if len(wrong) > MOST_PLACES else "")
        message = f"{len(wrong):,} of {n_compared:,} comments # text differ from the tokens, at lines {shown}"
        yield Finding("warning", message, "tokens are scored, comments are not")
    elif n_compared:
        yield Finding("ok", f"{n_compared:,} comments # text agree with the tokens")


# Hints on two inputs: names, lines, case and normal forms are compared.

# How many pieces of one text are searched in the other; their lengths in characters, in a short and a long
# text.
_PIECES = 100
_SHORTEST, _LONGEST = 3, 12
# With a smaller share of pieces found, two texts are unrelated, or only partly the same.
_UNRELATED = 0.05
_PARTLY = 0.5

_GOLD_NAME = re.compile(r"(?:^|[\W_])(?:gold|golden|ref|reference|truth)(?:[\W_]|$)", re.IGNORECASE)
_SYSTEM_NAME = re.compile(
    r"(?:^|[\W_])(?:sys|system|pred|predicted|predictions?|hyp|hypothesis|out|output|auto)\d*(?:[\W_]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Traits:
    """The facts about one of two inputs that are compared."""

    name: str
    line: str
    format: str
    marks: int
    """How many of these the input has: sentence ids, texts, documents."""
    heads: bool

    @property
    def says_gold(self) -> bool:
        return bool(_GOLD_NAME.search(PurePath(self.name).name))

    @property
    def says_system(self) -> bool:
        return bool(_SYSTEM_NAME.search(PurePath(self.name).name))


def find_hints(gold: Examination | Document, system: Examination | Document) -> list[Finding]:
    """Return what is noteworthy about two inputs: swapped, unrelated, or of different forms.

    The list is empty if one of them is unreadable.
    """
    left, right = _find_traits(gold), _find_traits(system)
    if left is None or right is None:
        return []
    return [*_judge_order(left, right), *_judge_lines(left, right)]


def _find_traits(given: Examination | Document) -> _Traits | None:
    if isinstance(given, Document):
        marks = bool(given.sentence_ids) + bool(len(given.documents))
        return _Traits(given.name, given.line, given.format, marks, heads=False)
    if given.document is None:
        return None
    sizes = given.sizes
    marks = bool(sizes.sentence_ids) + bool(sizes.texts) + bool(sizes.documents)
    return _Traits(given.name, given.document.line, given.format, marks, heads=bool(sizes.heads))


def _judge_order(gold: _Traits, system: _Traits) -> list[Finding]:
    by_name = system.says_gold > gold.says_gold or gold.says_system > system.says_system
    if gold.says_gold and not system.says_gold:
        return []
    if by_name:
        reason = "as the names say"
    elif gold.format == "plain" and system.format != "plain":
        reason = "the second is CoNLL-U, the first plain text"
    elif not gold.marks and not gold.heads and system.marks:
        reason = "only the second has sentence ids, texts or documents"
    else:
        return []
    advice = f"gold comes first: {system.name} {gold.name}"
    return [Finding("warning", f"gold and system are likely swapped ({reason})", advice)]


def _judge_lines(gold: _Traits, system: _Traits) -> list[Finding]:
    if gold.line == system.line:
        return [Finding("ok", f"{system.name} has the same characters as {gold.name}")]
    if not gold.line or not system.line:
        empty = gold if not gold.line else system
        return [Finding("warning", f"{empty.name} has no characters", "everything is missed or spurious")]
    findings = [_judge_forms(gold, system), _judge_case(gold, system), _judge_text(gold, system)]
    return [finding for finding in findings if finding is not None]


def _form(line: str) -> str:
    if unicodedata.is_normalized("NFC", line):
        return "both" if unicodedata.is_normalized("NFD", line) else "NFC"
    return "NFD" if unicodedata.is_normalized("NFD", line) else "mixed"


def _judge_forms(gold: _Traits, system: _Traits) -> Finding | None:
    forms = _form(gold.line), _form(system.line)
    if forms[0] == forms[1] or "both" in forms:
        return None
    message = f"normal forms differ: {gold.name} is {forms[0]}, {system.name} is {forms[1]}"
    return Finding(
        "note", message, Message("evalign brings both to NFC where they differ; {strict=True} refuses them")
    )


def _judge_case(gold: _Traits, system: _Traits) -> Finding | None:
    lower = [side.line == side.line.lower() for side in (gold, system)]
    advice = Message("to let case aside: {normalize=lower}")
    if lower[0] != lower[1]:
        return Finding("warning", f"{(gold if lower[0] else system).name} is all in lower case", advice)
    if gold.line.lower() == system.line.lower():
        return Finding("warning", "the texts differ only in case", advice)
    return None


def _judge_text(gold: _Traits, system: _Traits) -> Finding | None:
    lines = [unicodedata.normalize("NFKD", side.line).casefold() for side in (gold, system)]
    there, back = _share(lines[0], lines[1]), _share(lines[1], lines[0])
    if max(there, back) < _UNRELATED:
        message = f"{gold.name} and {system.name} have nothing in common"
        return Finding("error", message, "are they of the same text?")
    if min(there, back) >= _PARTLY:
        advice = Message("evalign aligns them; {strict=True} refuses")
        return Finding("note", "the texts differ in some characters", advice)
    missing = [(gold, system, there), (system, gold, back)]
    of, lacking, share = min(missing, key=lambda row: row[2])
    message = f"only about {share:.0%} of the text of {of.name} is in {lacking.name}"
    return Finding("warning", message, "was it cut off, or made from another version of the text?")


def _share(one: str, other: str) -> float:
    """Return the share of evenly spaced pieces of `one` that occur anywhere in `other`."""
    size = min(_LONGEST, max(_SHORTEST, len(one) // 20), len(one))
    step = max(1, (len(one) - size) // _PIECES)
    pieces = [one[at : at + size] for at in range(0, len(one) - size + 1, step)][:_PIECES]
    # All pieces of a repetitive text occur in a single repetition of it, so the share is capped by length.
    return min(sum(piece in other for piece in pieces) / len(pieces), len(other) / len(one))
