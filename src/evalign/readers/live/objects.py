"""Objects in memory: documents of NLP packages, offsets of tokenizers, lists of tokens.

An object is recognized by the names of its class and base classes, so that no package is imported here.
`live.adapters` has the code for each package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias, cast

from evalign.document import Document
from evalign.errors import CommandError, Remark, quote
from evalign.readers.live import adapters
from evalign.readers.live.adapters import has_spacy_sentences
from evalign.readers.live.rows import ReadFunction, SentenceTexts, find_documents
from evalign.readers.live.tokens import (
    TOKEN_COLUMNS,
    Encoding,
    Offsets,
    advise_columns,
    advise_tokens,
    is_listed,
    read_offsets,
    read_tokens,
)
from evalign.text import LONGEST_LINE, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.live.adapters import (
        NltkTree,
        SpacyDoc,
        SpacySpan,
        SpacyToken,
        StanzaDocument,
        StanzaSentence,
        UdapiDocument,
        UdapiTree,
    )

    LiveDocument: TypeAlias = (
        SpacyDoc | StanzaDocument | UdapiDocument | Offsets | tuple[str, Encoding]
    )  # fmt: skip
    LiveSentence: TypeAlias = SpacySpan | StanzaSentence | UdapiTree | NltkTree
    LiveObject: TypeAlias = LiveDocument | LiveSentence
    Live: TypeAlias = (
        LiveObject
        | Iterable[LiveDocument]
        | Iterable[LiveSentence]
        | Iterable[Sequence[str]]
        | Iterable[Iterable[LiveSentence] | Iterable[Sequence[str]]]
        | Mapping[str, LiveObject | Iterable[LiveSentence] | Iterable[Sequence[str]]]
    )
    """Every kind of object that is read in memory; a mapping gives names to documents."""


class _Group(NamedTuple):
    """Objects that belong together; `document` names the document that they form, if they form one."""

    document: str | None
    values: Sequence[object]


class Adapter(NamedTuple):
    """The way in which objects of one class are read: which function writes them, in which format."""

    name: str
    """What messages call the objects."""
    writer: str
    """The function of `live.adapters` that writes the sentences of one object."""
    format: str = "conllu"
    is_document: bool = True
    """True if each object in a list is a document; else it is a sentence."""
    checks_sentences: bool = False
    """True if objects may lack sentence boundaries."""

    def write(self, value: object) -> Iterator[str]:
        """Yield the sentences of an object as text in `format`."""
        write: Callable[[object], Iterator[str]] = getattr(adapters, self.writer)
        return write(value)

    def has_sentences(self, groups: Sequence[_Group]) -> bool:
        """Return whether all objects have sentence boundaries; of several sentences each has its own."""
        if not self.checks_sentences:
            return True

        values = [group.values for group in groups if self.is_document or len(group.values) == 1]
        return all(
            has_spacy_sentences(cast("Iterable[SpacyToken]", value)) for value in chain.from_iterable(values)
        )


# By package and name of the class or of a base class.
ADAPTERS = {
    ("spacy", "Doc"): Adapter("spaCy Doc", "write_spacy_doc", checks_sentences=True),
    ("spacy", "Span"): Adapter("spaCy Span", "write_spacy_span", is_document=False, checks_sentences=True),
    ("stanza", "Document"): Adapter("stanza Document", "write_stanza_document"),
    ("stanza", "Sentence"): Adapter("stanza Sentence", "write_stanza_sentence", is_document=False),
    ("udapi", "Document"): Adapter("udapi Document", "write_udapi_document"),
    ("udapi", "Root"): Adapter("udapi tree", "write_udapi_tree", is_document=False),
    ("nltk", "Tree"): Adapter("NLTK tree", "write_nltk_tree", "trees", is_document=False),
}
OFFSETS = Adapter("list of offsets", "")
EXPECTED = (
    "a path, an open file, evalign.Text, lists of tokens, evalign.Offsets or (text, Encoding), "
    "spaCy Docs, stanza or udapi Documents, NLTK trees; one, a list, or a dict with their names"
)

_SPLIT = "in a list or a dict, text is given as lists of tokens: [line.split() for line in text.splitlines()]"


def find_adapter(value: object) -> Adapter | None:
    """Return the adapter for an object; None if there is none, as for a list of objects."""
    if isinstance(value, Offsets) or _is_encoded(value):
        return OFFSETS
    for kind in type(value).__mro__:
        package = kind.__module__.partition(".")[0]
        if (package, kind.__name__) in ADAPTERS:
            return ADAPTERS[package, kind.__name__]
    return None


def _is_encoded(value: object) -> bool:
    """Return whether `value` is a pair of a text and its `Encoding` by the package `tokenizers`."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and type(value[1]).__name__ == "Encoding"
        and hasattr(value[1], "offsets")
    )


def read_live(source: object, read: ReadFunction, name: str = "", *, limit: int = LONGEST_LINE) -> Document:
    """Read an object in memory, several of them, or lists of tokens into one document.

    Objects are written in a known format, which `read` then reads. Each document in a list becomes a document
    within the result, named by its number or, in a mapping, by its key. More text than `limit` is refused.
    """
    groups = _find_groups(source)
    values = [value for group in groups for value in group.values]
    adapter = _find_common(values)
    if adapter is None:
        return _with_documents(read_tokens(values, name or "<tokens>", limit=limit), groups)  # type: ignore[arg-type]
    if adapter is OFFSETS:
        given = [value if isinstance(value, Offsets) else _encoded(value) for value in values]
        name = name or (given[0].name if len(given) == 1 else "<offsets>")
        names = [group.document for group in groups if group.document is not None]
        return read_offsets(given, name, names)
    sentences = SentenceTexts(name or f"<{adapter.name}{'s' * (len(values) > 1)}>", adapter.format)
    for group in groups:
        texts = (text for value in group.values for text in adapter.write(value))
        sentences.add(texts, group.document)
    document = sentences.read(read, limit)
    if any(getattr(value, "ents", ()) for value in values):
        # Without a place, so that it is the same remark for gold and systems.
        remark = Remark("entities", "entities (doc.ents) are not scored", 1, ())
        document = replace(document, remarks=(*document.remarks, remark))
    return document if adapter.has_sentences(groups) else replace(document, has_sentences=False)


def _find_groups(source: object) -> list[_Group]:
    if find_adapter(source):
        return [_Group(None, [source])]
    if isinstance(source, Mapping):
        _refuse_columns(source)
        return [
            _Group(
                str(name),
                [value] if find_adapter(value) else _listed(value, f"document {quote(str(name))}: "),
            )
            for name, value in source.items()
        ]
    values = _listed(source)
    adapter = find_adapter(values[0]) if values else None
    if adapter is not None:
        are_documents = adapter.is_document
        return _number([[value] for value in values]) if are_documents else [_Group(None, values)]
    lists = [value if type(value) is list else _keep(value) for value in values]
    if not _is_document(next(filter(_has_items, lists), None)):
        return [_Group(None, lists)]
    return _number([_listed(value, f"document {number}: ") for number, value in enumerate(lists, 1)])


def _number(documents: Iterable[Sequence[object]]) -> list[_Group]:
    return [_Group(str(number), values) for number, values in enumerate(documents, 1)]


def _keep(value: object) -> object:
    """Return the items of an iterator, which can be read only once, or of another list, as a list."""
    return value if find_adapter(value) or not is_listed(value) else list(value)


def _has_items(value: object) -> bool:
    return not isinstance(value, list) or bool(value)


def _is_document(value: object) -> bool:
    """Return whether an item of a list is a document: a list of sentences, which are no tuples in this case.

    A list of tuples is more probably a sentence, as taggers return it: pairs of a token and its tag.
    """
    if not isinstance(value, list) or find_adapter(value):
        return False
    sentence = value[0]
    adapter = find_adapter(sentence)
    if adapter is not None:
        return not adapter.is_document
    return not isinstance(sentence, tuple) and is_listed(sentence)


def _refuse_columns(source: Mapping[object, object]) -> None:
    """Raise `CommandError` for a row or a batch of a data set, whose columns would be read as documents."""
    for name in source:
        if str(name).lower() in TOKEN_COLUMNS:
            problem = f"{type(source).__name__} with the key {quote(str(name))} is not an input, but columns of a table"
            raise CommandError(problem, f"{EXPECTED} as keys", advise_columns(source))


def _listed(source: object, where: str = "") -> list[object]:
    """Return the items of a list of documents or sentences; raise `CommandError` for anything else."""
    if not is_listed(source):
        problem = f"{where}{type(source).__name__} is not an input"
        advice = _SPLIT if isinstance(source, (str, Text)) else advise_columns(source)
        raise CommandError(problem, EXPECTED, advice)
    values = iter(source)
    for first in values:
        if not find_adapter(first) and not isinstance(first, Iterable):
            problem = f"{where}a list of {type(first).__name__} is not an input"
            raise CommandError(problem, EXPECTED, _SPLIT if isinstance(first, Text) else advise_tokens(first))
        return [first, *values]
    return []


def _find_common(values: Sequence[object]) -> Adapter | None:
    """Return the adapter for all `values`; raise `CommandError` if they are not of one kind."""
    adapters = [find_adapter(value) for value in values]
    first = adapters[0] if adapters else None
    for number, other in enumerate(adapters, 1):
        if other is not first and (first or other):
            message = f"object {number} is of type {type(values[number - 1]).__name__}"
            kind = first.name if first else "list of tokens"
            raise CommandError(message, f"objects of one kind, and the first is a {kind}")
    return first


def _encoded(value: object) -> Offsets:
    text, encoding = cast("tuple[str, Encoding]", value)
    return Offsets(text, encoding.offsets)


def _with_documents(document: Document, groups: Sequence[_Group]) -> Document:
    """Return `document`, read from lists of tokens, with the document names that a mapping gave them."""
    firsts = accumulate((len(group.values) for group in groups), initial=0)
    named = {
        first: group.document
        for first, group in zip(firsts, groups, strict=False)
        if group.document is not None
    }
    return replace(document, documents=find_documents(document.documents, named, document.linenos))
