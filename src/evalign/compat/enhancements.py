"""`--enhancements` of the UD tools script: edges of the enhanced graphs that are not evaluated.

Made for the shared task of 2020 (Bouma et al. 2020), whose treebanks had not all enhancements. The digits do what
they do in the script, on both sides, before anything is counted:

| digit | an edge                                          | becomes                                       |
|-------|--------------------------------------------------|-----------------------------------------------|
| 1     | of several steps                                 | the word's basic dependency                   |
| 1     | of one step that the word has already            | nothing                                       |
| 2     | any, if another of one step begins with `conj`   | nothing; the last of those is what is left    |
| 3     | any                                              | itself: the script compares word and text     |
| 4     | from an `xcomp`, with a step that begins `nsubj` | nothing                                       |
| 5     | whose first step is `ref`                        | the word's basic dependency                   |
| 5     | from an `acl` that hangs on the word before      | nothing (the word itself is meant)            |
| 6     | with a step such as `obl:in`                     | the same with `obl`                           |

A basic dependency that takes an edge's place is that of DEPREL without its subtype. Where it is the root it is
counted and never right, since the script has another value for the root of the basic tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from evalign.kernels.trees_cy import codes
from evalign.readers import ConlluFields, DepsEdges, HeadTrees, LabelColumn
from evalign.ud_labels import cut_relation

_CODES = codes()
ROOT, _NEVER_RIGHT = _CODES["ROOT"], _CODES["OUTSIDE"]
_DEPS = 8
# Relations whose labels have lemmas, and what follows their colon and is none.
_WITH_LEMMAS = frozenset(("obl", "nmod", "conj", "advcl"))
_SUBTYPES = frozenset(("pass", "relcl", "xsubj"))

Edge: TypeAlias = tuple[int, int]
"""The word it comes from, or a code of `trees_cy`; and the number of its path."""


def read_loosely(data: bytes, starts: memoryview, word_cuts: memoryview) -> DepsEdges:
    """Edges as the script reads them, of a file that it accepts, for heads that are not plain numbers.

    A head is what Python's `int` reads, and an index into a list of all words so far: if negative, it is a word of
    a sentence before, or one counted from the end.
    """
    cuts, heads, ids = array("i", [0]), array("i"), array("i")
    numbers: dict[str, int] = {}
    for first, end in pairwise(word_cuts):
        for word in range(first, end):
            start = starts[word]
            deps = data[start : data.index(b"\n", start)].split(b"\t")[_DEPS].decode("utf-8")
            for edge in () if deps in ("", "_") else deps.split("|"):
                head, _, path = edge.partition(":")
                if "." not in head:
                    heads.append(_find_word(int(head), first, end))
                    ids.append(numbers.setdefault(path, len(numbers)))
            cuts.append(len(heads))
    paths = LabelColumn(memoryview(ids), list(numbers))
    return DepsEdges(memoryview(cuts), memoryview(heads), paths, 0, 0, 0, 0, 0)


def _find_word(head: int, first: int, end: int) -> int:
    index = first + head - 1
    return ROOT if not head else index if index >= 0 else end + index


def leave_out(
    digits: str, edges: DepsEdges, written: ConlluFields, trees: HeadTrees, word_cuts: memoryview
) -> DepsEdges:
    """The edges that are evaluated. What is no digit from 1 to 6 means nothing."""
    if not set(digits).isdisjoint("1245"):
        edges = _Graphs(edges, written, trees).without(digits, word_cuts)
    if "6" in digits:
        labels = [cut_lemmas(path) for path in edges.paths.labels]
        edges = edges._replace(paths=edges.paths._replace(labels=labels))
    return edges


def cut_lemmas(path: str) -> str:
    """A path without what is taken for a lemma: the one part after the colon of some relations.

    >>> cut_lemmas("conj:and>nmod:of")
    'conj>nmod'
    >>> cut_lemmas("obl:in:gen>acl:relcl>advcl:relcl")
    'obl:in:gen>acl:relcl>advcl:relcl'
    """
    return ">".join(map(_cut_lemma, path.split(">")))


def _cut_lemma(step: str) -> str:
    relation, _, rest = step.partition(":")
    if relation in _WITH_LEMMAS and rest not in _SUBTYPES and ":" not in rest:
        return relation
    return step


class _Graphs:
    """The edges of a treebank, and what the digits ask of their paths and of the words they come from."""

    def __init__(self, edges: DepsEdges, written: ConlluFields, trees: HeadTrees) -> None:
        self.edges, self.heads, self.parents = edges, written.heads, trees.parents
        self.deprels = written.deprel.ids.tolist()
        relations = [cut_relation(label) for label in written.deprel.labels]
        self.is_xcomp = [relation == "xcomp" for relation in relations]
        self.is_acl = [relation.startswith("acl") for relation in relations]
        numbers: dict[str, int] = {}
        for label in (*edges.paths.labels, *relations):
            numbers.setdefault(label, len(numbers))
        self.labels, self.basic_paths = list(numbers), [numbers[relation] for relation in relations]
        steps = [label.split(">") for label in self.labels]
        self.is_long = [len(path) > 1 for path in steps]
        self.is_conj = [len(path) == 1 and path[0].startswith("conj") for path in steps]
        self.is_ref = [path[0] == "ref" for path in steps]
        self.has_subject = [any(step.startswith("nsubj") for step in path) for path in steps]
        self.is_special = list(map(any, zip(self.is_long, self.is_ref, self.has_subject, strict=True)))

    def without(self, digits: str, word_cuts: memoryview) -> DepsEdges:
        """The edges that are left, and those that have taken the place of others."""
        rules: dict[str, Callable[[list[Edge], int, int], list[Edge]]] = {
            "1": self._without_gapping,
            "2": self._without_shared_parents,
            "4": self._without_control,
            "5": self._without_external_arguments,
        }
        asked = [rule for digit, rule in rules.items() if digit in digits]
        old_cuts, old = (
            self.edges.cuts.tolist(),
            list(zip(self.edges.heads, self.edges.paths.ids, strict=True)),
        )
        cuts: list[int] = [0]
        kept: list[Edge] = []
        for first, end in pairwise(word_cuts):
            for word in range(first, end):
                edges = old[old_cuts[word] : old_cuts[word + 1]]
                if not self._are_safe(edges):
                    for rule in asked:
                        edges = rule(edges, word, word - first)
                kept += edges
                cuts.append(len(kept))
        heads, ids = (memoryview(array("i", [edge[side] for edge in kept])) for side in range(2))
        paths = LabelColumn(ids, self.labels)
        return self.edges._replace(cuts=memoryview(array("i", cuts)), heads=heads, paths=paths)

    def _are_safe(self, edges: list[Edge]) -> bool:
        """Whether no digit can change the edges of a word. Most words have one that is like the basic one."""
        if not edges:
            return True
        head, path = edges[0]
        return (
            len(edges) == 1
            and not self.is_special[path]
            and (head < 0 or not self.is_acl[self.deprels[head]])
        )

    def _basic(self, word: int) -> Edge:
        """The basic dependency of a word as an edge."""
        parent = self.parents[word]
        return _NEVER_RIGHT if parent == ROOT else parent, self.basic_paths[self.deprels[word]]

    def _without_gapping(self, edges: list[Edge], word: int, _: int) -> list[Edge]:
        kept: list[Edge] = []
        for edge in edges:
            if self.is_long[edge[1]]:
                kept.append(self._basic(word))
            elif edge not in kept:
                kept.append(edge)
        return kept

    def _without_shared_parents(self, edges: list[Edge], _word: int, _: int) -> list[Edge]:
        return [edge for edge in edges if self.is_conj[edge[1]]][-1:] or edges

    def _without_control(self, edges: list[Edge], _word: int, _: int) -> list[Edge]:
        return [
            (head, path)
            for head, path in edges
            if not (head >= 0 and self.is_xcomp[self.deprels[head]] and self.has_subject[path])
        ]

    def _without_external_arguments(self, edges: list[Edge], word: int, position: int) -> list[Edge]:
        """`position` counts from 0 in the sentence, the heads that it is compared with from 1."""
        kept = []
        for head, path in edges:
            if self.is_ref[path]:
                kept.append(self._basic(word))
            elif head < 0 or not self.is_acl[self.deprels[head]] or self.heads[head] != position:
                kept.append((head, path))
        return kept
