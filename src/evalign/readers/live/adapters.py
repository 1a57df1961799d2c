"""Objects of spaCy, stanza, udapi and NLTK, written as sentences of CoNLL-U or as trees in brackets.

No package is imported: protocols describe what is used of their objects. `readers.live` chooses the writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from evalign.readers.live.rows import write_comment, write_row
from evalign.text import without_space

# spaCy: a `Doc`, or a `Span` of one.
#
# Tokens of white space (line ends, doubled spaces) have no characters on the line and are left out; a token
# that depends on one is attached to its head instead. Tags, lemmas, features and heads are used if the
# pipeline has set them. The relation that spaCy calls ROOT is root in UD.


class SpacyToken(Protocol):
    """A token of a spaCy Doc."""

    i: int
    lemma_: str
    pos_: str
    tag_: str
    dep_: str
    is_sent_start: bool | None

    @property
    def text(self) -> str:
        """The text."""

    @property
    def morph(self) -> object:
        """The features; as text they are written as in FEATS."""

    @property
    def head(self) -> SpacyToken:
        """The head; that of a root is the root itself."""

    def has_head(self) -> bool:
        """Return whether the head was set."""


class SpacyDoc(Protocol):
    """A spaCy Doc."""

    def __iter__(self) -> Iterator[SpacyToken]:
        """Iterate over the tokens."""

    @property
    def sents(self) -> Iterable[Iterable[SpacyToken]]:
        """The sentences."""

    def has_annotation(self, attr: str) -> bool:
        """Return whether the attribute `attr` was set on any token."""


class SpacySpan(Protocol):
    """A spaCy Span."""

    def as_doc(self) -> SpacyDoc:
        """Return a copy of the span as a Doc of its own."""


# The names of columns for `has_annotation`.
_SPACY_COLUMNS = ("LEMMA", "POS", "TAG", "MORPH", "DEP", "HEAD")


def write_spacy_doc(doc: SpacyDoc) -> Iterator[str]:
    """Yield the sentences of a Doc in CoNLL-U; the whole Doc is one sentence if no boundary was set."""
    has = {name: doc.has_annotation(name) for name in _SPACY_COLUMNS}
    sentences = doc.sents if doc.has_annotation("SENT_START") else (doc,)
    for sentence in sentences:
        yield _write_spacy_sentence(list(sentence), has)


def has_spacy_sentences(tokens: Iterable[SpacyToken]) -> bool:
    """Return whether the sentence boundaries of a Doc or Span were set, by marks on its tokens or a hook.

    They were if a token behind the first begins a sentence, or if it was decided for all that none does.
    """
    marks = [token.is_sent_start for token in tokens][1:]
    return any(marks) or None not in marks or "sents" in getattr(tokens, "user_hooks", ())


def write_spacy_span(span: SpacySpan) -> Iterator[str]:
    """Yield the sentences of a Span in CoNLL-U."""
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
            deprel=("root" if token.dep_ == "ROOT" else token.dep_) if has["DEP"] else None,
        )
        for number, token in enumerate(kept, 1)
    )


def _find_spacy_head(token: SpacyToken, numbers: Mapping[int, int]) -> int | None:
    """Return the number of the head, 0 for a root; None if the head is not in the sentence."""
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


# Stanza: a `Document`, or sentences of one.
#
# Tokens with several words are multiword tokens. Comments, enhanced dependencies and empty words are read if
# the version of stanza has them.


class StanzaWord(Protocol):
    """A word of stanza; the id of an empty word is a pair."""

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
        """The number of the word in its sentence."""


class StanzaToken(Protocol):
    """A token of stanza with its words."""

    text: str

    @property
    def id(self) -> tuple[int, ...]:
        """The number of its word, or the numbers of its first and last word."""

    @property
    def words(self) -> Sequence[StanzaWord]:
        """The words of the token."""


class StanzaSentence(Protocol):
    """The attributes that are read of a sentence object of stanza."""

    @property
    def tokens(self) -> Sequence[StanzaToken]:
        """The tokens of the sentence."""


class StanzaDocument(Protocol):
    """The attributes that are read of a document object of stanza."""

    @property
    def sentences(self) -> Sequence[StanzaSentence]:
        """The sentences of the document."""


def write_stanza_document(document: StanzaDocument) -> Iterator[str]:
    """Yield the sentences of a document in CoNLL-U."""
    for sentence in document.sentences:
        yield from write_stanza_sentence(sentence)


def write_stanza_sentence(sentence: StanzaSentence) -> Iterator[str]:
    """Yield one sentence in CoNLL-U, with words numbered in order, as stanza numbers them."""
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
    """Return the word that an empty word follows, and the number of the empty word there."""
    parts = number if isinstance(number, tuple) else (number, 1)
    return parts[0], parts[-1]


def _stanza_deps(word: StanzaWord) -> str | None:
    """Return the enhanced dependencies; before stanza 1.8 `deps` may be other data, or missing."""
    deps: object = getattr(word, "deps", None)
    return deps if isinstance(deps, str) else None


# Udapi: a `Document`, or trees of one.


class UdapiMultiword(Protocol):
    """A multiword token of udapi."""

    form: str | None

    @property
    def ord_range(self) -> str:
        """The range of its words, as in CoNLL-U."""


class UdapiNode(Protocol):
    """A word of udapi, or an empty node, whose number has a fraction."""

    form: str | None
    lemma: str | None
    upos: str | None
    xpos: str | None
    deprel: str | None
    raw_deps: str | None

    @property
    def ord(self) -> float:
        """The number in the sentence."""

    @property
    def feats(self) -> object:
        """The features; as text they are written as in FEATS."""

    @property
    def parent(self) -> UdapiNode | None:
        """The head."""

    @property
    def multiword_token(self) -> UdapiMultiword | None:
        """The multiword token that contains the word."""


class UdapiTree(Protocol):
    """A tree of udapi: one sentence."""

    sent_id: str | None
    comment: str
    newdoc: str | bool | None
    newpar: str | bool | None

    @property
    def descendants(self) -> Sequence[UdapiNode]:
        """The words in order."""

    @property
    def empty_nodes(self) -> Sequence[UdapiNode]:
        """The empty nodes."""


class UdapiDocument(Protocol):
    """The attributes that are read of a document object of udapi."""

    @property
    def trees(self) -> Iterator[UdapiTree]:
        """The trees of all zones."""


def write_udapi_document(document: UdapiDocument) -> Iterator[str]:
    """Yield the sentences of a document in CoNLL-U."""
    for tree in document.trees:
        yield from write_udapi_tree(tree)


def write_udapi_tree(tree: UdapiTree) -> Iterator[str]:
    """Yield one tree in CoNLL-U; "" if it has no words, since it is not a sentence then."""
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
    # In `tree.comment` udapi writes $NAME where the comments above stood.
    yield from (write_comment(line) for line in tree.comment.splitlines() if line[:1] != "$" and line.strip())


# NLTK: trees. A leaf is a word, or a pair of a word and its tag as chunkers give it.

_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})
_END = object()


@runtime_checkable
class NltkTree(Protocol):
    """A tree of NLTK."""

    def label(self) -> object:
        """Return the label."""

    def __iter__(self) -> Iterator[object]:
        """Iterate over the children: trees and leaves."""


def write_nltk_tree(tree: NltkTree) -> Iterator[str]:
    """Yield a tree in brackets on one line. Not recursive, so that a tree may have any depth."""
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
