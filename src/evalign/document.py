"""The `Document`: one line of characters, and columns of spans on it.

The line is the text without white space. Tokens tile it, so one array of cuts holds them all: token `i` is
`line[cuts[i]:cuts[i + 1]]`. Sentences tile the tokens in the same way. Readers make documents; alignment and
metrics read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.errors import Place, Remark, rename_remarks
from evalign.text import WHITE_SPACE, without_space
from evalign.ud_labels import UNFILLED

# Arrays that kernels read have 32 bits; sums and look-up tables may have more.
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]


def distinct(ascending: IntArray) -> IntArray:
    """Return the distinct values of the sorted array `ascending`.

    `np.unique` would sort it again, and load `numpy.ma`.
    """
    first = np.ones(len(ascending), bool)
    first[1:] = ascending[1:] != ascending[:-1]
    values: IntArray = ascending[first]
    return values


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The syntactic words of a document where tokens and words differ (CoNLL-U with multiword tokens)."""

    tokens: IntArray
    """Per word: the index of its token, ascending."""
    multiword: npt.NDArray[np.uint8]
    """Per word: 1 if its token is a multiword token, else 0."""
    forms: Sequence[str]
    """Forms of the words inside multiword tokens, in order; the form of another word is its token's text."""
    ranks: IntArray
    """Per word: how many words inside multiword tokens come before it, which is its index in `forms`."""

    def __len__(self) -> int:
        return len(self.tokens)


class Column(NamedTuple):
    """A column of labels: one number per word, and the label that each number stands for."""

    ids: IntArray
    labels: Sequence[str]
    """The distinct labels in order of first appearance; a number in `ids` is an index into them."""

    @property
    def is_filled(self) -> bool:
        """Whether any word has a label; `_` stands for no label."""
        return any(label != UNFILLED for label in self.labels)


# Values in `Columns.parents` that are not the index of a word: no head (the root), HEAD is not a number, HEAD
# beyond the sentence, and a word on a cycle of heads.
ROOT, MISSING, OUTSIDE, CYCLIC = -1, -2, -3, -4


class Edges(NamedTuple):
    """Edges of enhanced dependency graphs, grouped by the word they lead to."""

    cuts: IntArray
    """Where the edges of each word begin in `heads` and `paths`; one entry more than there are words."""
    heads: IntArray
    """Per edge: the index in the document of the word it comes from, or ROOT or OUTSIDE."""
    paths: Column
    """Per edge: its label. In the label of a path through empty nodes `>` separates the steps."""


class Columns(Protocol):
    """The columns of a CoNLL-U document beside the forms; implementations read them on first access."""

    @property
    def lemma(self) -> Column:
        """The column LEMMA."""

    @property
    def upos(self) -> Column:
        """The column UPOS."""

    @property
    def xpos(self) -> Column:
        """The column XPOS."""

    @property
    def feats(self) -> Column:
        """The column FEATS."""

    @property
    def deprel(self) -> Column:
        """The column DEPREL."""

    @property
    def parents(self) -> IntArray:
        """Per word: the index in the document of its head, or one of ROOT, MISSING, OUTSIDE and CYCLIC."""

    @property
    def edges(self) -> Edges:
        """The enhanced dependencies in DEPS, without the edges that come from empty nodes."""

    @property
    def linenos(self) -> IntArray:
        """Per word: its line number in the file."""

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the dependency trees: missing heads, cycles, several roots."""

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """Remarks on faults in the enhanced dependencies."""


# Runs of consecutive tokens as pairs (first token, one past the last), in order, with a gap between any two.
Runs: TypeAlias = tuple[tuple[int, int], ...]
# Suffix of the label where each run of a discontinuous bracket becomes a bracket of its own.
PART = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Constituents: brackets over the tokens in opening order, so that a parent comes before its children.

    The tags of the tokens are in `Columns.xpos`. Brackets without a token are left out.
    """

    firsts: IntArray
    """Per bracket: the index of its first token."""
    lasts: IntArray
    """Per bracket: one past the index of its last token."""
    labels: Column
    """Per bracket: its full label, function tags included."""
    outermost: npt.NDArray[np.bool_]
    """Per bracket: whether it is in no other bracket."""
    runs: Mapping[int, Runs] = field(default_factory=dict)
    """The runs of tokens of each discontinuous bracket, by the index of the bracket."""

    def __len__(self) -> int:
        return len(self.firsts)

    def split(self) -> Trees:
        """Replace each discontinuous bracket by one bracket per run, with `*` behind its label.

        Returns `self` if no bracket is discontinuous.
        """
        if not self.runs:
            return self
        sizes = np.ones(len(self), np.int64)
        sizes[list(self.runs)] = [len(runs) for runs in self.runs.values()]
        rows = np.repeat(np.arange(len(self)), sizes)
        firsts, lasts, ids = self.firsts[rows], self.lasts[rows], self.labels.ids[rows]
        starts = np.cumsum(sizes) - sizes
        for bracket, runs in self.runs.items():
            part = slice(starts[bracket], starts[bracket] + len(runs))
            firsts[part], lasts[part] = zip(*runs, strict=True)
            ids[part] += len(self.labels.labels)
        labels = Column(ids, [*self.labels.labels, *(label + PART for label in self.labels.labels)])
        return Trees(firsts, lasts, labels, self.outermost[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The labelled spans of a stand-off table, in order of their starts; they may nest, cross and repeat."""

    starts: IntArray
    """Start of each span as a position on the line."""
    ends: IntArray
    labels: Column
    documents: IntArray
    """Per span: the index of its raw text. A text ends at the position where the next begins."""
    linenos: IntArray
    """Per span: its line number in the table."""

    def __len__(self) -> int:
        return len(self.starts)


class Comments(Protocol):
    """The comments "key = value" above the sentences of a document, read on first access."""

    @property
    def keys(self) -> Sequence[str]:
        """All keys in order of appearance, without those for texts, sentence ids and names of documents."""

    def values(self, key: str) -> Mapping[int, str]:
        """Return the values of `key` by the index of the sentence that the comment stands above."""


class Spaced(Protocol):
    """Tokens that are written with white space inside. Implementations find them on first access.

    White space is not on the line, so that these texts are kept beside it.
    """

    @property
    def texts(self) -> Mapping[int, str]:
        """The texts of these tokens as written, by the index of the token."""


class SpacedTokens(NamedTuple):
    """The plain implementation of `Spaced`: texts that are known when the document is made."""

    texts: Mapping[int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Breaks:
    """Where documents or paragraphs begin, as indices of sentences, and their names."""

    sentences: IntArray
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.sentences)


def no_breaks() -> Breaks:
    """Return empty `Breaks`, for a text that is not divided into documents or paragraphs."""
    return Breaks(np.zeros(0, np.int32), ())


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """An annotated text, as readers return it: a line of characters with tokens, sentences and columns."""

    name: str
    format: str
    line: str
    cuts: IntArray
    """Token boundaries as positions on the line, from 0 to its end; one entry more than there are tokens."""
    sentences: IntArray
    """Sentence boundaries as token indices; one entry more than there are sentences."""
    linenos: IntArray
    """Line number of each token in the file, or of each sentence where a sentence is a line (plain text)."""
    words: Words | None = None
    columns: Columns | None = None
    """Tags, lemmas, features and dependency trees, one row per word, if the format has them."""
    trees: Trees | None = None
    """Constituents, if the format has them."""
    spans: Spans | None = None
    """Labelled spans, if the document is a raw text with a stand-off table."""
    documents: Breaks = field(default_factory=no_breaks)
    paragraphs: Breaks = field(default_factory=no_breaks)
    sentence_ids: Sequence[str] = ()
    remarks: tuple[Remark, ...] = ()
    comments: Comments | None = None
    """Comments above the sentences, if the format has comments."""
    spaced: Spaced | None = None
    """Tokens with white space inside, if the format allows them."""
    has_sentences: bool = True
    """False for a text, or several, that may have more sentences, but no boundaries were given."""
    path: str = ""
    """The path or URL as given; empty for text, objects in memory, and documents that were given a name.

    Results name a document without a given name by the end of this path, as far as needed to tell it from the
    other inputs.
    """

    def __repr__(self) -> str:
        sizes = f"{self.n_sentences:,} sentences, {self.n_tokens:,} tokens, {self.n_words:,} words"
        return f"<Document {self.name!r}: {self.format}, {sizes}>"

    @property
    def n_tokens(self) -> int:
        """Number of tokens; a multiword token counts once."""
        return len(self.cuts) - 1

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.sentences) - 1

    @property
    def n_words(self) -> int:
        """Number of syntactic words."""
        return self.n_tokens if self.words is None else len(self.words)

    @property
    def sentence_cuts(self) -> IntArray:
        """Sentence boundaries as positions on the line; one entry more than there are sentences."""
        return self.cuts[self.sentences]

    @property
    def leading(self) -> npt.NDArray[np.bool_] | None:
        """Per token: whether it is empty and at the start of its sentence; None if no token is empty.

        Such a token has the same position on the line as the end of the sentence before, but counts as
        another place.
        """
        is_empty = np.diff(self.cuts) == 0
        if not is_empty.any():
            return None
        begins = np.repeat(self.cuts[self.sentences[:-1]], np.diff(self.sentences))
        leading: npt.NDArray[np.bool_] = is_empty & (self.cuts[:-1] == begins)
        return leading

    def token(self, index: int) -> str:
        """Return the text of the token at `index`, without white space."""
        return self.line[self.cuts[index] : self.cuts[index + 1]]

    def tokens(self, first: int = 0, last: int | None = None) -> list[str]:
        """Return the texts of the tokens from `first` up to, but without, `last` (None: all that follow)."""
        cuts = self.cuts[first : None if last is None else last + 1].tolist()
        return [self.line[a:b] for a, b in pairwise(cuts)]

    def written_tokens(self) -> list[str]:
        """Return the texts of all tokens as written, including white space inside them."""
        tokens = self.tokens()
        for token, text in (self.spaced.texts if self.spaced is not None else {}).items():
            tokens[token] = text
        return tokens

    def word_token(self, word: int) -> int:
        """Return the index of the token that `word` belongs to."""
        return word if self.words is None else int(self.words.tokens[word])

    def word_cuts(self, token_cuts: IntArray) -> IntArray:
        """Convert boundaries between tokens (token indices) into boundaries between words (word indices)."""
        return token_cuts if self.words is None else np.searchsorted(self.words.tokens, token_cuts)

    def word(self, index: int) -> str:
        """Return the form of the word at `index`: its own inside a multiword token, else its token's text."""
        words = self.words
        if words is not None and words.multiword[index]:
            return words.forms[int(words.ranks[index])]
        return self.token(self.word_token(index))

    def sentence(self, index: int) -> list[str]:
        """Return the texts of the tokens of the sentence at `index`."""
        return self.tokens(int(self.sentences[index]), int(self.sentences[index + 1]))

    def __iter__(self) -> Iterator[list[str]]:
        for index in range(self.n_sentences):
            yield self.sentence(index)

    def sentence_of(self, token: int) -> int:
        """Return the index of the sentence that contains `token`."""
        # Given a Python integer, numpy would convert the whole array on each call.
        return int(self.sentences.searchsorted(np.int32(token), side="right")) - 1

    def place_of(self, token: int) -> Place:
        """Return the file and line number of `token`; the file alone if the document has no line numbers."""
        if not len(self.linenos):
            return Place(self.name)
        per_token = len(self.linenos) == self.n_tokens and self.format != "plain"
        row = token if per_token else self.sentence_of(token)
        return Place(self.name, int(self.linenos[min(row, len(self.linenos) - 1)]))

    def renamed(self, name: str) -> Document:
        """Return this document with `name` as its name, also in its remarks, and without its path.

        Results then use `name` and derive none from the path.
        """
        return replace(self, name=name, path="", remarks=rename_remarks(self.remarks, name))

    def retokenized(self, texts: dict[int, str], forms: Sequence[str] | None = None) -> Document:
        """Return this document with the texts of some tokens, by index, and the `forms` of words replaced.

        Token and sentence counts and all columns stay; the texts as written (`spaced`) are dropped.
        """
        if not texts and forms is None:
            return self
        lengths = np.diff(self.cuts)
        pieces: list[str] = []
        done = 0
        for index in sorted(texts):
            pieces += (self.line[done : self.cuts[index]], texts[index])
            done = int(self.cuts[index + 1])
            lengths[index] = len(texts[index])
        pieces.append(self.line[done:])
        cuts = np.zeros(len(self.cuts), np.int32)
        np.cumsum(lengths, out=cuts[1:])
        words = self.words
        if words is not None and forms is not None:
            words = replace(words, forms=forms)
        return replace(self, line="".join(pieces), cuts=cuts, words=words, spaced=None)


def document_from_sentences(sentences: Sequence[Sequence[str]], name: str = "<tokens>") -> Document:
    """Make a document from `sentences`, lists of tokens.

    White space inside a token is not on the line. An empty list is not a sentence. A sentence's number,
    counted from 1, is its line number.
    """
    numbers = [number for number, sentence in enumerate(sentences, 1) if sentence]
    sentences = [sentence for sentence in sentences if sentence]
    tokens = [without_space(token) for sentence in sentences for token in sentence]
    cuts = np.zeros(len(tokens) + 1, np.int32)
    np.cumsum([len(token) for token in tokens], out=cuts[1:])
    bounds = np.zeros(len(sentences) + 1, np.int32)
    np.cumsum([len(sentence) for sentence in sentences], out=bounds[1:])
    written = (token.strip(WHITE_SPACE) for sentence in sentences for token in sentence)
    spaced = {number: text for number, text in enumerate(written) if text != tokens[number]}
    return Document(
        name,
        "plain",
        "".join(tokens),
        cuts,
        bounds,
        np.array(numbers, np.int32),
        spaced=SpacedTokens(spaced) if spaced else None,
    )
