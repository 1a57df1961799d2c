"""Metrics of dependencies as triples on the line (`dependencies`) and of enhanced edges (`elas`, `eulas`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import PlacedDocument
from evalign.alignment.places import NOWHERE
from evalign.document import ROOT, Document, IntArray
from evalign.kernels.edges import EdgeColumns, count_matched
from evalign.metrics.comparison import Comparison, CountTable, count_matches, count_pairs, sum_rows
from evalign.metrics.keys import match_rows, number_labels, number_rows
from evalign.ud_labels import cut_path

# Dependencies as triples on the line: the place of the dependent, the place of its head, and the full label.
#
#     evalign.score("gold.conllu", "system.conllu", metrics="dependencies")
#
# This extends document parsing (Dridan and Oepen 2013) to dependencies. Words are not paired: a triple is
# correct if the other side has one with dependent and head in the same places, whatever sentences they are
# in. The words of a multiword token all have the place of the token.


class _Arcs(NamedTuple):
    """The dependencies of one side. Ends without a place are NOWHERE; the root has a place of its own, 0."""

    words: IntArray
    """The dependents."""
    heads: IntArray
    """The heads, words or ROOT."""
    columns: list[IntArray]
    """Starts of dependents, ends of dependents, starts of heads and ends of heads, in shared places."""
    placed: npt.NDArray[np.bool_]
    """True for each arc whose dependent and head both have a place."""


def count_arcs(comparison: Comparison) -> CountTable:
    """Count dependencies by unit, in the columns `MATCHED`.

    Matching dependencies have equal places and labels. Words without a head have no dependency.
    """
    gold, system = (_find_arcs(side) for side in (comparison.alignment.gold, comparison.alignment.system))
    relations = comparison.word_comparison.full_relations
    labels = relations.gold[gold.words], relations.system[system.words]
    in_place = _match(gold, system, [labels])
    texts = _texts(comparison, gold, system)
    same = in_place if texts is None else _match(gold, system, [labels, *texts])
    word_cuts = comparison.word_cuts
    cuts = np.searchsorted(gold.words, word_cuts[0]), np.searchsorted(system.words, word_cuts[1])
    return count_matches(comparison, in_place, same, cuts, default=in_place)


def _find_arcs(side: PlacedDocument) -> _Arcs:
    """Find the dependencies of one side in shared places."""
    document = side.document
    assert document.columns is not None
    parents = document.columns.parents
    words = np.flatnonzero(parents >= ROOT)
    heads = parents[words]
    tokens = np.arange(document.n_words) if document.words is None else document.words.tokens
    starts, ends = (np.append(column[tokens], NOWHERE) for column in side.places.spans)
    placed = (starts[words] != NOWHERE) & (ends[words] != NOWHERE)
    placed &= (heads == ROOT) | ((starts[heads] != NOWHERE) & (ends[heads] != NOWHERE))
    # The root has no place (NOWHERE is -1), so its number, 0, is below that of any word.
    columns = [starts[words], ends[words], starts[heads] + 1, ends[heads] + 1]
    return _Arcs(words, heads, columns, placed)


def _match(gold: _Arcs, system: _Arcs, more: list[tuple[IntArray, IntArray]]) -> npt.NDArray[np.bool_]:
    """Return for each gold dependency whether the system has an equal one.

    `more` has further columns to compare; a negative number in one of them matches nothing.
    """
    usable = [arcs.placed.copy() for arcs in (gold, system)]
    for column in more:
        for mask, values in zip(usable, column, strict=True):
            mask &= values >= 0
    rows = [np.flatnonzero(mask) for mask in usable]
    pairs = [*zip(gold.columns, system.columns, strict=True), *more]
    numbers = number_rows([np.concatenate([one[rows[0]], other[rows[1]]]) for one, other in pairs])
    matched = np.zeros(len(gold.words), bool)
    matched[rows[0]] = match_rows(numbers[: len(rows[0])], numbers[len(rows[0]) :])
    return matched


def _texts(comparison: Comparison, gold: _Arcs, system: _Arcs) -> list[tuple[IntArray, IntArray]] | None:
    """Return numbers for the texts of dependents and of heads, each for gold and system.

    A number is -1 where the token has no partner with the same text. Returns None where no text can differ:
    the lines are equal and no document has words inside tokens.
    """
    documents = comparison.gold, comparison.system
    if documents[0].line == documents[1].line and not any(document.words for document in documents):
        return None
    partners = comparison.token_partners
    same = np.flatnonzero(comparison.token_same & (partners >= 0))
    token_numbers = [np.full(document.n_tokens, -1) for document in documents]
    token_numbers[0][same] = token_numbers[1][partners[same]] = 0
    numbers: dict[str, int] = {}
    words = [
        _word_texts(document, tokens, numbers)
        for document, tokens in zip(documents, token_numbers, strict=True)
    ]
    # The root has no text, so it is equal everywhere.
    return [
        (words[0][gold.words], words[1][system.words]),
        (np.append(words[0], 0)[gold.heads], np.append(words[1], 0)[system.heads]),
    ]


def _word_texts(document: Document, tokens: IntArray, numbers: dict[str, int]) -> IntArray:
    """Return a number for the text of each word, normally the number of its token in `tokens`.

    A word inside a multiword token gets a number for its lower-cased form, by which such words are paired, if
    this form differs from that of the token and the number of the token is not negative.
    """
    words = document.words
    if words is None:
        return tokens
    word_numbers = tokens[words.tokens]
    inner = np.flatnonzero(words.multiword)
    for word, form in zip(inner.tolist(), words.forms, strict=True):
        text = form.lower()
        if word_numbers[word] >= 0 and text != document.token(int(words.tokens[word])).lower():
            word_numbers[word] = numbers.setdefault(text, len(numbers) + 1)
    return word_numbers


# Enhanced dependencies: edges of graphs that both sides have (Bouma et al. 2020).
#
#     evalign.score("gold.conllu", "system.conllu", metrics=["elas", "eulas"])
#
# An edge is correct if the heads are partners, or both the root, and the labels are the same: with subtypes
# and lemmas (elas), or without (eulas). An edge is matched once; the UD tools compare every edge of a word
# with every other, so that an edge written twice counts four times (`edges="all"`).


def count_edges(comparison: Comparison, simplify: Callable[[str], str] | None) -> CountTable:
    """Count enhanced edges by unit, in the columns `MATCHED`.

    Matching edges have equal heads and labels; `simplify` maps labels that count as the same to one label.
    """
    gold, system = comparison.word_comparison.gold.edges, comparison.word_comparison.system.edges
    paths = number_labels(gold.paths, system.paths, simplify)
    gold_cuts, system_cuts = comparison.word_cuts
    columns = [
        EdgeColumns(side.cuts.data, side.heads.data, numbers.data)
        for side, numbers in ((gold, paths.gold), (system, paths.system))
    ]
    once = comparison.options.edges == "once"

    def count(partners: IntArray) -> CountTable:
        right = count_matched(columns[0], columns[1], np.ascontiguousarray(partners).data, once=once)
        return sum_rows(np.asarray(right), gold_cuts)

    totals = np.diff(gold.cuts[gold_cuts]), np.diff(system.cuts[system_cuts])
    return count_pairs(comparison, count, *totals)


count_elas = partial(count_edges, simplify=None)
count_eulas = partial(count_edges, simplify=cut_path)
