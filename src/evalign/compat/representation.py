"""A loaded file with the attributes that programs which import the scripts expect.

Attributes are made when first used.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import IO, NamedTuple, NoReturn, Protocol, cast

from evalign.compat.evaluation import ScriptScore, evaluate_treebanks
from evalign.compat.treebank import ROOT, Forms, Script, ScriptTreebank, read_treebank
from evalign.errors import EvalignError
from evalign.readers.content import load
from evalign.readers.official_errors import Dialect, OfficialError
from evalign.text import Source, Text
from evalign.ud_labels import CONTENT_RELATIONS, FUNCTION_RELATIONS, cut_relation, universal_features

# Columns of CoNLL-U, as the scripts call them.
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
# Exceptions that escape from the scripts unforeseen; programs may catch them.
_UNFORESEEN: dict[str, type[Exception]] = {"ValueError": ValueError, "IndexError": IndexError}


class UDError(EvalignError):
    """Raised for input that a script refuses, with the message of the script."""


class FileArguments(Protocol):
    """What `evaluate_wrapper` of either script reads from its argument."""

    gold_file: str
    system_file: str


class LineReader(Protocol):
    """The only method that the scripts call on an open file."""

    def readline(self) -> str | None:
        """Return the next line; None or "" at the end."""


class UDSpan(NamedTuple):
    """Half-open span of characters."""

    start: int
    end: int


class UDWord:
    """A word with its columns, reduced to what is compared."""

    __slots__ = ("columns", "functional_children", "is_multiword", "parent", "span")

    def __init__(self, span: UDSpan, columns: list[object], *, is_multiword: bool) -> None:
        self.span, self.columns, self.is_multiword = span, columns, is_multiword
        self.parent: UDWord | None = None
        self.functional_children: list[UDWord] = []

    @property
    def is_content_deprel(self) -> bool:
        """True if the relation of the word is one of content words, which CLAS counts."""
        return self.columns[DEPREL] in CONTENT_RELATIONS

    @property
    def is_functional_deprel(self) -> bool:
        """True if the relation of the word is one of function words."""
        return self.columns[DEPREL] in FUNCTION_RELATIONS


class UDRepresentation:
    """A file that a script accepts, with the attributes that the script gives it."""

    def __init__(self, treebank: ScriptTreebank) -> None:
        self.treebank = treebank
        self.path = treebank.content.name

    @cached_property
    def characters(self) -> list[str]:
        """All characters of the tokens, in order."""
        return list(self.treebank.rows.line.decode("utf-8"))

    @cached_property
    def tokens(self) -> list[UDSpan]:
        """The span of every token, in characters."""
        return [UDSpan(*span) for span in pairwise(self.treebank.rows.cuts)]

    @cached_property
    def sentences(self) -> list[UDSpan]:
        """The span of every sentence, in characters."""
        cuts = self.treebank.rows.cuts
        return [UDSpan(cuts[first], cuts[end]) for first, end in pairwise(self.treebank.rows.sentences)]

    @cached_property
    def words(self) -> list[UDWord]:
        """All words, linked to their parents and functional children."""
        rows, parents = self.treebank.rows, self.treebank.trees.parents
        words = [
            UDWord(self.tokens[token], columns, is_multiword=bool(is_multiword))
            for token, columns, is_multiword in zip(
                rows.word_tokens, self._columns(), rows.multiword, strict=True
            )
        ]
        for word, parent in zip(words, parents, strict=True):
            if parent >= 0:
                word.parent = words[parent]
                if word.is_functional_deprel:
                    words[parent].functional_children.append(word)
        self._link_edges(words)
        return words

    def _columns(self) -> list[list[object]]:
        """Return the columns of every word, reduced to what is compared."""
        data, forms = self.treebank.data, Forms(self.treebank)
        rows: list[list[object]] = []
        for word, start in enumerate(self.treebank.rows.starts):
            columns = data[start : data.index(b"\n", start)].decode("utf-8").split("\t")
            columns[FORM] = forms[word]
            columns[FEATS] = universal_features(columns[FEATS])
            columns[DEPREL] = cut_relation(columns[DEPREL])
            rows.append([*columns])
        return rows

    def _link_edges(self, words: list[UDWord]) -> None:
        """Set column DEPS of each word to pairs of a head (0 for the root) and a list of steps.

        Does nothing without enhanced dependencies, which only the script of udtools reads.
        """
        edges = self.treebank.edges
        if edges is None:
            return
        steps = [path.split(">") for path in edges.paths.labels]
        roots = {ROOT: 0}  # a basic dependency on the root, put in place of an edge, has the head None
        for word, (first, end) in zip(words, pairwise(edges.cuts), strict=True):
            word.columns[DEPS] = [
                (words[head] if head >= 0 else roots.get(head), steps[edges.paths.ids[k]])
                for k, head in enumerate(edges.heads[first:end], first)
            ]


def load_file(
    file: IO[str] | IO[bytes] | LineReader, script: Script, name: str | None = None
) -> UDRepresentation:
    """Read an open file as the script does. `name` is what messages call it (default: its own name)."""
    content = load(_as_source(file))
    if name is not None:
        content = content._replace(name=name)
    try:
        return UDRepresentation(read_treebank(content, script))
    except OfficialError as error:
        _raise_as_the_script(error)


def _as_source(file: IO[str] | IO[bytes] | LineReader) -> Source:
    if hasattr(file, "read"):
        return cast("IO[str]", file)
    lines = file
    return Text("".join(iter(lambda: lines.readline() or "", "")))


def evaluate_loaded(
    gold: UDRepresentation, system: UDRepresentation, dialect: Dialect
) -> dict[str, ScriptScore]:
    """Compute all metrics, by the script's names; errors are raised as the script raises them."""
    try:
        return evaluate_treebanks(gold.treebank, system.treebank, dialect)
    except OfficialError as error:
        _raise_as_the_script(error)


def _raise_as_the_script(error: OfficialError) -> NoReturn:
    raise _UNFORESEEN.get(error.raised, UDError)(error.said) from error
