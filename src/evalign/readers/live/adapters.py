"""Objects of spaCy, stanza, udapi and NLTK, written as the sentences of CoNLL-U or as trees in brackets.

None of the packages is imported: protocols say what is asked of their objects. `readers.live` chooses the writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from evalign.readers.live.rows import write_comment, write_row
from evalign.text import without_space

# spaCy: a `Doc`, or a `Span` of one.
#
# Tokens of white space (line ends, doubled spaces) have no characters on the line and are left out; what hangs on one
# hangs on its head instead. Tags, lemmas, features and heads are taken where the pipeline has set them. The relation that
# spaCy calls ROOT is UD's root.


class SpacyToken(Protocol):
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
    def head(self) -> SpacyToken:
        """The token it hangs on; a root hangs on itself."""

    def has_head(self) -> bool:
        """Whether that was set."""


class SpacyDoc(Protocol):
    """A Doc."""

    def __iter__(self) -> Iterator[SpacyToken]:
        """Its tokens."""

    @property
    def sents(self) -> Iterable[Iterable[SpacyToken]]:
        """Its sentences."""

    def has_annotation(self, attr: str) -> bool:
        """Whether anything was set."""


class SpacySpan(Protocol):
    """A Span."""

    def as_doc(self) -> SpacyDoc:
        """The same by itself."""


# What a column is called where spaCy is asked whether anything is in it.
_SPACY_COLUMNS = ("LEMMA", "POS", "TAG", "MORPH", "DEP", "HEAD")


def write_spacy_doc(doc: SpacyDoc) -> Iterator[str]:
    """The sentences of a Doc in CoNLL-U; all of it is one where no boundary was set."""
    has = {name: doc.has_annotation(name) for name in _SPACY_COLUMNS}
    sentences = doc.sents if doc.has_annotation("SENT_START") else (doc,)
    for sentence in sentences:
        yield _write_spacy_sentence(list(sentence), has)


def write_spacy_span(span: SpacySpan) -> Iterator[str]:
    """The sentences of a Span in CoNLL-U."""
    return write_spacy_doc(span.as_doc())


def _write_spacy_sentence(tokens: list[SpacyToken], has: Mapping[str, bool]) -> str:
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
            head=_find_spacy_head(token, numbers) if has["HEAD"] else None,
            deprel=_spacy_relation(token.dep_) if has["DEP"] else None,
        )
        for number, token in enumerate(kept, 1)
    )


def _find_spacy_head(token: SpacyToken, numbers: Mapping[int, int]) -> int | None:
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


def _spacy_relation(label: str) -> str:
    return "root" if label == "ROOT" else label


# Stanza: a `Document`, or sentences of one.
#
# Tokens with several words are multiword tokens. Comments, enhanced dependencies and empty words are taken where this
# version of stanza has them.


class StanzaWord(Protocol):
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


class StanzaToken(Protocol):
    """A token and its words."""

    text: str

    @property
    def id(self) -> tuple[int, ...]:
        """The number of its word, or those of its first and last word."""

    @property
    def words(self) -> Sequence[StanzaWord]:
        """Its words."""


class StanzaSentence(Protocol):
    """A sentence."""

    @property
    def tokens(self) -> Sequence[StanzaToken]:
        """Its tokens."""


class StanzaDocument(Protocol):
    """A document."""

    @property
    def sentences(self) -> Sequence[StanzaSentence]:
        """Its sentences."""


def write_stanza_document(document: StanzaDocument) -> Iterator[str]:
    """The sentences of a document in CoNLL-U."""
    for sentence in document.sentences:
        yield from write_stanza_sentence(sentence)


def write_stanza_sentence(sentence: StanzaSentence) -> Iterator[str]:
    """One sentence in CoNLL-U: words are numbered by order, as stanza numbers them."""
    comments = [write_comment(str(comment)) for comment in getattr(sentence, "comments", ())]
    empty: dict[int, list[str]] = {}
    for word in getattr(sentence, "empty_words", ()):
        before, number = _stanza_node(word.id)
        row = write_row(
            f"{before}.{number}",
            word.text,
            word.lemma,
            word.upos,
            word.xpos,
            word.feats,
            deps=_stanza_deps(word),
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
                    word.head, word.deprel, _stanza_deps(word),
                )
            )  # fmt: skip
            rows += empty.pop(last, [])
    yield "\n".join([*comments, *rows]) if last else ""


def _stanza_node(number: int | tuple[int, ...]) -> tuple[int, int]:
    """The word an empty word comes after, and its own number there."""
    parts = number if isinstance(number, tuple) else (number, 1)
    return parts[0], parts[-1]


def _stanza_deps(word: StanzaWord) -> str | None:
    """Enhanced dependencies; before 1.8 they may be what was read, or nothing."""
    deps: object = getattr(word, "deps", None)
    return deps if isinstance(deps, str) else None


# Udapi: a `Document`, or trees of one.


class UdapiMultiword(Protocol):
    """A multiword token."""

    form: str | None

    @property
    def ord_range(self) -> str:
        """Its numbers, as in CoNLL-U."""


class UdapiNode(Protocol):
    """A word, or an empty node, whose number has a fraction."""

    form: str | None
    lemma: str | None
    upos: str | None
    xpos: str | None
    deprel: str | None
    raw_deps: str | None

    @property
    def ord(self) -> float:
        """Its number."""

    @property
    def feats(self) -> object:
        """Features; as text they are written as in FEATS."""

    @property
    def parent(self) -> UdapiNode | None:
        """What it hangs on."""

    @property
    def multiword_token(self) -> UdapiMultiword | None:
        """The multiword token it is in."""


class UdapiTree(Protocol):
    """A tree."""

    sent_id: str | None
    comment: str
    newdoc: str | bool | None
    newpar: str | bool | None

    @property
    def descendants(self) -> Sequence[UdapiNode]:
        """Its words in order."""

    @property
    def empty_nodes(self) -> Sequence[UdapiNode]:
        """Its empty nodes."""


class UdapiDocument(Protocol):
    """A document."""

    @property
    def trees(self) -> Iterator[UdapiTree]:
        """Its trees, of all zones."""


def write_udapi_document(document: UdapiDocument) -> Iterator[str]:
    """The sentences of a document in CoNLL-U."""
    for tree in document.trees:
        yield from write_udapi_tree(tree)


def write_udapi_tree(tree: UdapiTree) -> Iterator[str]:
    """One tree in CoNLL-U; without words it is no sentence."""
    words = tree.descendants
    rows = []
    token = None
    for node in sorted([*words, *tree.empty_nodes], key=lambda node: node.ord):
        if node.multiword_token is not token:
            token = node.multiword_token
            if token is not None:
                rows.append(write_row(token.ord_range, token.form))
        rows.append(
            write_row(
                node.ord, node.form, node.lemma, node.upos, node.xpos, node.feats,
                None if node.parent is None else node.parent.ord, node.deprel, node.raw_deps,
            )
        )  # fmt: skip
    yield "\n".join([*_write_udapi_comments(tree), *rows]) if words else ""


def _write_udapi_comments(tree: UdapiTree) -> Iterator[str]:
    for key, value in (("newdoc", tree.newdoc), ("newpar", tree.newpar)):
        if value:
            yield f"# {key}" if value is True else write_comment(f" {key} id = {value}")
    if tree.sent_id:
        yield write_comment(f" sent_id = {tree.sent_id}")
    # Udapi marks with $NAME where those above stood.
    yield from (write_comment(line) for line in tree.comment.splitlines() if line[:1] != "$" and line.strip())


# NLTK: trees. A leaf is a word, or a pair of a word and its tag as chunkers give it.

_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_END = object()


@runtime_checkable
class NltkTree(Protocol):
    """A tree."""

    def label(self) -> object:
        """Its label."""

    def __iter__(self) -> Iterator[object]:
        """Its children: trees and leaves."""


def write_nltk_tree(tree: NltkTree) -> Iterator[str]:
    """A tree in brackets, on one line, however deep it is."""
    pieces = [_open_bracket(tree)]
    open_trees = [iter(tree)]
    while open_trees:
        child = next(open_trees[-1], _END)
        if child is _END:
            pieces.append(")")
            open_trees.pop()
        elif isinstance(child, NltkTree):
            pieces.append(f" {_open_bracket(child)}")
            open_trees.append(iter(child))
        elif isinstance(child, tuple) and len(child) == 2:
            pieces.append(f" ({_nltk_word(child[1])} {_nltk_word(child[0])})")
        else:
            pieces.append(f" {_nltk_word(child)}")
    yield "".join(pieces)


def _open_bracket(tree: NltkTree) -> str:
    label = tree.label()
    return "(" + ("" if label is None else _nltk_word(label))


def _nltk_word(value: object) -> str:
    return without_space(str(value)).translate(_BRACKETS)
