"""A document: one line of characters, and columns of spans on it.

The line is the text without white space. Tokens tile it, so one array of cuts holds
them all: token `i` is `line[cuts[i]:cuts[i + 1]]`. Sentences tile the tokens in the same way.
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

# Columns are 32-bit where kernels read them; sums and look-ups may be wider.
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]


def distinct(ascending: IntArray) -> IntArray:
    """The distinct values of a column that ascends (np.unique would sort it again, and load numpy.ma)."""
    first = np.ones(len(ascending), bool)
    first[1:] = ascending[1:] != ascending[:-1]
    values: IntArray = ascending[first]
    return values


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Syntactic words, where they are not simply the tokens (CoNLL-U multiword tokens)."""

    tokens: IntArray
    """The token each word belongs to, ascending."""
    multiword: npt.NDArray[np.uint8]
    """Per word: 1 if its token is a multiword token."""
    forms: Sequence[str]
    """Forms of the words inside multiword tokens, in order; any other word is its token's text."""
    ranks: IntArray
    """Per word: how many words inside multiword tokens come before it, so where its form is."""

    def __len__(self) -> int:
        return len(self.tokens)


class Column(NamedTuple):
    """A column of labels: a number per word, and what each number stands for."""

    ids: IntArray
    labels: Sequence[str]
    """What was written, in the order in which it first appears."""

    @property
    def is_filled(self) -> bool:
        """Whether any word has a label; `_` stands for none."""
        return any(label != UNFILLED for label in self.labels)


# What `Columns.parents` has where there is no word.
ROOT, MISSING, OUTSIDE, CYCLIC = -1, -2, -3, -4


class Edges(NamedTuple):
    """Edges of enhanced graphs, word by word."""

    cuts: IntArray
    """Where each word's edges begin: one more than there are words."""
    heads: IntArray
    """The word each edge comes from, counted through the document, ROOT or OUTSIDE."""
    paths: Column
    """The label of each edge; steps through empty nodes are separated by `>`."""


class Columns(Protocol):
    """What CoNLL-U says of words beside their forms; read from the bytes when it is first asked for."""

    @property
    def lemma(self) -> Column:
        """LEMMA."""

    @property
    def upos(self) -> Column:
        """UPOS."""

    @property
    def xpos(self) -> Column:
        """XPOS."""

    @property
    def feats(self) -> Column:
        """FEATS."""

    @property
    def deprel(self) -> Column:
        """DEPREL."""

    @property
    def parents(self) -> IntArray:
        """The word each word hangs on, counted through the document, or ROOT; MISSING, OUTSIDE, CYCLIC without one."""

    @property
    def edges(self) -> Edges:
        """DEPS, without the edges from empty nodes."""

    @property
    def linenos(self) -> IntArray:
        """Line number of each word."""

    @property
    def tree_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the trees."""

    @property
    def edge_remarks(self) -> tuple[Remark, ...]:
        """What is wrong with the edges."""


# Stretches of tokens, in order, with something between each and the next: first token, and one past the last.
Runs: TypeAlias = tuple[tuple[int, int], ...]
# What a run of a discontinuous bracket has behind its label where it stands alone.
PART = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Constituents: brackets over the tokens in opening order, so that a parent comes before its children.

    The tags of the tokens are in `Columns.xpos`. Brackets without a token are not here.
    """

    firsts: IntArray
    """The token each bracket begins with."""
    lasts: IntArray
    """One past the last token."""
    labels: Column
    """Full labels, function tags included."""
    outermost: npt.NDArray[np.bool_]
    """Whether a bracket is in no other."""
    runs: Mapping[int, Runs] = field(default_factory=dict)
    """The runs of the brackets that are discontinuous."""

    def __len__(self) -> int:
        return len(self.firsts)

    def split(self) -> Trees:
        """The same with a bracket for each run of a discontinuous one, which has `*` behind its label."""
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
    """Labelled spans of a stand-off table, in the order in which they begin; they may nest, cross and repeat."""

    starts: IntArray
    """Positions on the line."""
    ends: IntArray
    labels: Column
    documents: IntArray
    """Which raw text each span is on: where one ends and the next begins is the same position."""
    linenos: IntArray
    """Line number of each span in its table."""

    def __len__(self) -> int:
        return len(self.starts)


class Comments(Protocol):
    """What comments of the form "key = value" say of sentences; read from the bytes when it is first asked for."""

    @property
    def keys(self) -> Sequence[str]:
        """Every key there is, in the order of the text; texts, ids and names of documents aside."""

    def values(self, key: str) -> Mapping[int, str]:
        """What a key says, by number of the sentence it stands above."""


class Spaced(Protocol):
    """Tokens that are written with white space inside, which is not on the line; found when it is first asked for."""

    @property
    def texts(self) -> Mapping[int, str]:
        """By number of the token: its text as it is written."""


class SpacedTokens(NamedTuple):
    """The same where it is known."""

    texts: Mapping[int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Breaks:
    """Where documents or paragraphs begin, in sentences, with their names."""

    sentences: IntArray
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.sentences)


def no_breaks() -> Breaks:
    """A document without documents in it, or without paragraphs."""
    return Breaks(np.zeros(0, np.int32), ())


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What a reader makes of a file."""

    name: str
    format: str
    line: str
    cuts: IntArray
    """Token cuts on the line: one more than there are tokens, from 0 to the line's length."""
    sentences: IntArray
    """Sentence cuts in tokens: one more than there are sentences."""
    linenos: IntArray
    """Line number of each token in the file; per sentence where a sentence is a line (plain text)."""
    words: Words | None = None
    columns: Columns | None = None
    """Tags, lemmas, features and trees, where the format has them; rows are words."""
    trees: Trees | None = None
    """Constituents, where the format has them."""
    spans: Spans | None = None
    """Labelled spans, where the document is a raw text with a stand-off table."""
    documents: Breaks = field(default_factory=no_breaks)
    paragraphs: Breaks = field(default_factory=no_breaks)
    sentence_ids: Sequence[str] = ()
    remarks: tuple[Remark, ...] = ()
    comments: Comments | None = None
    """What stands above sentences, where the format has comments."""
    spaced: Spaced | None = None
    """Tokens with white space inside, where the format may have them."""
    path: str = ""
    """The path or URL it was read from, as given; nothing for text and objects in memory, and where it was given a name.

    Results call such a document by as much of its path as tells it from the others that are scored with it.
    """

    def __repr__(self) -> str:
        sizes = f"{self.n_sentences:,} sentences, {self.n_tokens:,} tokens, {self.n_words:,} words"
        return f"<Document {self.name!r}: {self.format}, {sizes}>"

    @property
    def n_tokens(self) -> int:
        """Number of tokens (multiword tokens count once)."""
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
        """Sentence cuts in positions on the line."""
        return self.cuts[self.sentences]

    @property
    def leading(self) -> npt.NDArray[np.bool_] | None:
        """Per token: whether it has no characters and none of its sentence comes before; None if none has no characters.

        It stands where the sentence before ends, and is in another place all the same.
        """
        is_empty = np.diff(self.cuts) == 0
        if not is_empty.any():
            return None
        begins = np.repeat(self.cuts[self.sentences[:-1]], np.diff(self.sentences))
        leading: npt.NDArray[np.bool_] = is_empty & (self.cuts[:-1] == begins)
        return leading

    def token(self, index: int) -> str:
        """Text of one token."""
        return self.line[self.cuts[index] : self.cuts[index + 1]]

    def tokens(self, first: int = 0, last: int | None = None) -> list[str]:
        """Texts of the tokens from `first` up to `last`."""
        cuts = self.cuts[first : None if last is None else last + 1].tolist()
        return [self.line[a:b] for a, b in pairwise(cuts)]

    def written_tokens(self) -> list[str]:
        """Texts of all tokens as they are written, white space inside them included."""
        tokens = self.tokens()
        for token, text in (self.spaced.texts if self.spaced is not None else {}).items():
            tokens[token] = text
        return tokens

    def word_token(self, word: int) -> int:
        """The token a word belongs to."""
        return word if self.words is None else int(self.words.tokens[word])

    def word_cuts(self, token_cuts: IntArray) -> IntArray:
        """Cuts in tokens as cuts in words."""
        return token_cuts if self.words is None else np.searchsorted(self.words.tokens, token_cuts)

    def word(self, index: int) -> str:
        """Form of a word: its own inside a multiword token, else its token's text."""
        words = self.words
        if words is not None and words.multiword[index]:
            return words.forms[int(words.ranks[index])]
        return self.token(self.word_token(index))

    def sentence(self, index: int) -> list[str]:
        """Texts of the tokens of one sentence."""
        return self.tokens(int(self.sentences[index]), int(self.sentences[index + 1]))

    def __iter__(self) -> Iterator[list[str]]:
        for index in range(self.n_sentences):
            yield self.sentence(index)

    def sentence_of(self, token: int) -> int:
        """The sentence a token is in."""
        # With a Python integer numpy would convert the whole column on each call.
        return int(self.sentences.searchsorted(np.int32(token), side="right")) - 1

    def place_of(self, token: int) -> Place:
        """Where a token stands in its file."""
        if not len(self.linenos):
            return Place(self.name)
        per_token = len(self.linenos) == self.n_tokens and self.format != "plain"
        row = token if per_token else self.sentence_of(token)
        return Place(self.name, int(self.linenos[min(row, len(self.linenos) - 1)]))

    def renamed(self, name: str) -> Document:
        """The same document under a name that is to stay."""
        return replace(self, name=name, path="", remarks=rename_remarks(self.remarks, name))

    def retokenized(self, texts: dict[int, str], forms: Sequence[str] | None = None) -> Document:
        """The same document with other texts for some tokens; sentences, rows and numbers of tokens stay."""
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
    """A document from lists of tokens; white space inside a token is not on the line, an empty list no sentence."""
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
