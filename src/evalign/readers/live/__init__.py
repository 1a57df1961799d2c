"""Objects in memory: documents of NLP packages, offsets of tokenizers, lists of tokens.

An object is recognized by the names of its class and base classes, so that no package is imported here.
`live.adapters` has the code for each package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple, TypeAlias, cast

from evalign.document import Document
from evalign.errors import CommandError
from evalign.readers.live.rows import ReadFunction, SentenceTexts, find_documents
from evalign.readers.live.tokens import Encoding, Offsets, advise_tokens, read_offsets, read_tokens
from evalign.text import LONGEST_LINE, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.live.adapters import (
        NltkTree,
        SpacyDoc,
        SpacySpan,
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
        | Mapping[str, LiveObject | Iterable[LiveSentence] | Iterable[Sequence[str]]]
    )
    """Every kind of object that is read in memory; a mapping gives names to documents."""


class Adapter(NamedTuple):
    """The way in which objects of one class are read: which function writes them, in which format."""

    name: str
    """What messages call the objects."""
    writer: str
    """The function of `live.adapters` that writes the sentences of one object."""
    format: str = "conllu"
    is_document: bool = True
    """True if each object in a list is a document; else it is a sentence."""

    def write(self, value: object) -> Iterator[str]:
        """Yield the sentences of an object as text in `format`."""
        from evalign.readers.live import adapters

        write: Callable[[object], Iterator[str]] = getattr(adapters, self.writer)
        return write(value)


# By package and name of the class or of a base class.
ADAPTERS = {
    ("spacy", "Doc"): Adapter("spaCy Doc", "write_spacy_doc"),
    ("spacy", "Span"): Adapter("spaCy Span", "write_spacy_span", is_document=False),
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


class _Group(NamedTuple):
    """Objects that belong together; `document` names the document that they form, if they form one."""

    document: str | None
    values: Sequence[object]


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
    return sentences.read(read, limit)


def _find_groups(source: object) -> list[_Group]:
    if find_adapter(source):
        return [_Group(None, [source])]
    if isinstance(source, Mapping):
        return [
            _Group(str(name), [value] if find_adapter(value) else _listed(value))
            for name, value in source.items()
        ]
    values = _listed(source)
    adapter = find_adapter(values[0]) if values else None
    if adapter is None or not adapter.is_document:
        return [_Group(None, values)]
    return [_Group(str(number), [value]) for number, value in enumerate(values, 1)]


def _listed(source: object) -> list[object]:
    if not isinstance(source, Iterable) or isinstance(source, (str, bytes)):
        problem = f"{type(source).__name__} is not an input"
        advice = _SPLIT if isinstance(source, (str, Text)) else advise_tokens(source)
        raise CommandError(problem, EXPECTED, advice)
    values = list(source)
    if values and not find_adapter(values[0]) and not isinstance(values[0], Iterable):
        problem = f"a list of {type(values[0]).__name__} is not an input"
        raise CommandError(problem, EXPECTED, _SPLIT if isinstance(values[0], Text) else "")
    return values


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
