"""Errors of sentences, tokens and words: stretches in which the spans of the two sides differ.

    split      one gold span, several of the system     merge     several gold spans, one of the system
    shifted    m gold spans, n of the system            rewritten same place, other text
    missing    only gold has it                         inserted  only the system has it

An error of sentences also has a trigger: what stands at the first boundary that only one side has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evalign.alignment.places import Blocks
from evalign.document import Document, IntArray
from evalign.metrics.census import check_columns
from evalign.metrics.comparison import Comparison, count_rows
from evalign.metrics.errors.mismatches import (
    ELSEWHERE,
    NO_TEXT,
    NOT_IN_RAW,
    Mismatch,
    find_context,
    find_start,
)
from evalign.metrics.keys import find_unpaired
from evalign.metrics.metric import SPAN_KINDS
from evalign.options import CANDIDATES


def find_misplaced(comparison: Comparison, metric: str) -> Iterator[Mismatch]:
    """Yield the errors of a metric of spans, in the order of the text."""
    blocks, wrong = find_wrong(comparison, metric)
    for k in np.flatnonzero(wrong).tolist():
        yield _mismatch(comparison, metric, blocks, k)


def count_misplaced(comparison: Comparison, metric: str) -> dict[str, int]:
    """Count the errors of each kind of a metric of spans."""
    blocks, wrong = find_wrong(comparison, metric)
    sizes = (np.diff(cuts)[wrong].tolist() for cuts in (blocks.gold, blocks.system))
    kinds = list(map(name_kind, *sizes))
    return {kind: kinds.count(kind) for kind in SPAN_KINDS if kind in kinds}


def find_wrong(comparison: Comparison, metric: str) -> tuple[Blocks, npt.NDArray[np.bool_]]:
    """Return the m:n blocks of sentences, or of tokens for tokens and words, and whether each is wrong."""
    if metric == "sentences":
        check_columns(comparison, ("sentences",), "errors of sentences")
        blocks = comparison.alignment.blocks
        return blocks, _wrong_blocks(blocks, comparison.sentences_right, comparison.sentence_partners)
    return comparison.alignment.groups, _wrong_tokens(comparison, metric)


def _wrong_tokens(comparison: Comparison, metric: str) -> npt.NDArray[np.bool_]:
    alignment, by_place = comparison.alignment, comparison.options.match_by == "place"
    wrong = _wrong_blocks(alignment.groups, comparison.tokens_right, comparison.token_partners)
    if metric != "words" or (alignment.lines_equal and not comparison.has_multiword):
        return wrong
    # Where words pair by form, a group is right if all its words have partners, even in a neighbouring group.
    partners = comparison.word_partners
    by_form = (alignment.folded_word_pairs if by_place else alignment.word_pairs).by_form
    paired = partners >= 0
    n_words = comparison.system.n_words
    system_paired = ~find_unpaired(partners, n_words)
    system_by_form = ~find_unpaired(partners[by_form], n_words)
    whole = np.ones(len(wrong), bool)
    inner = np.zeros(len(wrong), bool)
    for document, tokens, has, pairs_by_form in (
        (comparison.gold, alignment.groups.gold, paired, by_form),
        (comparison.system, alignment.groups.system, system_paired, system_by_form),
    ):
        cuts = document.word_cuts(tokens)
        sizes = np.diff(cuts)
        whole &= count_rows(has, cuts) == sizes
        inner |= (sizes != np.diff(tokens)) | (count_rows(pairs_by_form, cuts) > 0)
    result: npt.NDArray[np.bool_] = np.where(inner, ~whole, wrong)
    return result


def _wrong_blocks(blocks: Blocks, right: npt.NDArray[np.bool_], partners: IntArray) -> npt.NDArray[np.bool_]:
    """Return for each block whether it is wrong.

    A block is right if it has one row on each side and the gold row is right. It is also right if one side
    has no row in it and all rows of the other side are right, as only rows without characters can be.
    """
    gold_sizes, system_sizes = np.diff(blocks.gold), np.diff(blocks.system)
    one = (gold_sizes == 1) & (system_sizes == 1)
    wrong: npt.NDArray[np.bool_] = ~one
    wrong[one] = ~right[blocks.gold[:-1][one]]
    paired = ~find_unpaired(partners[right], int(blocks.system[-1]))
    wrong[(system_sizes == 0) & (count_rows(right, blocks.gold) == gold_sizes)] = False
    wrong[(gold_sizes == 0) & (count_rows(paired, blocks.system) == system_sizes)] = False
    return wrong


def name_kind(n_gold: int, n_system: int) -> str:
    """Name the kind of an error of `n_gold` gold spans against `n_system` system spans."""
    if not n_system:
        return "missing"
    if not n_gold:
        return "inserted"
    if n_gold == n_system == 1:
        return "rewritten"
    return "split" if n_gold == 1 else "merge" if n_system == 1 else "shifted"


def _mismatch(comparison: Comparison, metric: str, blocks: Blocks, k: int) -> Mismatch:
    gold_doc, system_doc = comparison.alignment.gold.original, comparison.alignment.system.original
    g0, g1 = int(blocks.gold[k]), int(blocks.gold[k + 1])
    s0, s1 = int(blocks.system[k]), int(blocks.system[k + 1])
    kind = name_kind(g1 - g0, s1 - s0)
    trigger = ""
    if metric == "sentences":
        gold_parts = tuple(" ".join(gold_doc.sentence(i)) for i in range(g0, g1))
        system_parts = tuple(" ".join(system_doc.sentence(i)) for i in range(s0, s1))
        if g1 - g0 > 1 or s1 - s0 > 1:
            trigger = find_trigger(comparison, g0 if g1 - g0 > 1 else None, s0)
        g0, g1 = int(gold_doc.sentences[g0]), int(gold_doc.sentences[g1])
        s0, s1 = int(system_doc.sentences[s0]), int(system_doc.sentences[s1])
    else:
        parts = _words if metric == "words" else Document.tokens
        sides = parts(gold_doc, g0, g1), parts(system_doc, s0, s1)
        gold_parts, system_parts = (tuple(part or NO_TEXT for part in side) for side in sides)
        if comparison.raw and len(gold_parts) == 1 and gold_parts == system_parts:
            notes = _tell_places_apart(comparison, g0, s0)
            gold_parts, system_parts = ((f"{gold_parts[0]}{note}",) for note in notes)
    context = find_context(gold_doc, g0, g1) if g1 > g0 else find_context(system_doc, s0, s1)
    start, file = find_start(comparison, int(gold_doc.cuts[g0]))
    return Mismatch(
        metric,
        kind,
        gold_parts,
        system_parts,
        gold_doc.place_of(g0) if g1 > g0 else None,
        system_doc.place_of(s0) if s1 > s0 else None,
        start,
        *context,
        trigger,
        raw_file=file,
    )


def _tell_places_apart(comparison: Comparison, gold: int, system: int) -> tuple[str, str]:
    """Return notes for a gold and a system token of equal text in different places of the raw text."""
    alignment = comparison.alignment
    sides = (alignment.gold.places, gold), (alignment.system.places, system)
    is_bare = [bool(places.token_starts[k] == places.token_ends[k]) for places, k in sides]
    if is_bare[0] == is_bare[1]:
        return "", ELSEWHERE
    return NOT_IN_RAW * is_bare[0], NOT_IN_RAW * is_bare[1]


def _words(document: Document, first: int, last: int) -> list[str]:
    """Return the words of the tokens from `first` up to `last`."""
    if document.words is None:
        return document.tokens(first, last)
    a, b = np.searchsorted(document.words.tokens, [first, last]).tolist()
    return [document.word(word) for word in range(a, b)]


_ITEM = re.compile(r"(?:\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)]|[-*•·▪◦–—])$")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]{1,4}\.)+$|[^\W\d_]+\.[^\W\d_.]+\.?$")
_EMOTICON = re.compile(r"[:;=8xX][-'^]?[)(\]\[DdPpOo/\\|*]+$|[)(\]\[]+[-'^]?[:;=]$|<3+$|\^_*\^$")
_QUOTES = "\"'`“”„‘’«»‹›「」『』"


def find_trigger(comparison: Comparison, gold_sentence: int | None, system_sentence: int) -> str:
    """Name what stands at the first sentence boundary inside a block, such as "quote" or "end mark".

    It is the boundary after `gold_sentence`, or after `system_sentence` if gold has none in the block.
    """
    alignment = comparison.alignment
    if gold_sentence is not None:
        document, sentence = alignment.gold.original, gold_sentence
    else:
        document, sentence = alignment.system.original, system_sentence
    boundary = int(document.sentences[sentence + 1])
    if comparison.raw:
        position = int(document.cuts[boundary])
        if gold_sentence is None:
            there = alignment.project(position, min(position + 1, len(document.line)), to="gold")
            position = there[0] if there else 0
        if comparison.raw.has_newline_before(position):
            return "newline"
    return _trigger(document, sentence, boundary)


def _trigger(document: Document, sentence: int, boundary: int) -> str:
    """Name what stands around the boundary after `sentence`, such as "quote" or "end mark".

    `boundary` is the first token behind it.
    """
    before, after = document.token(boundary - 1), document.token(boundary)
    head = document.token(int(document.sentences[sentence]))
    if sentence + 1 in document.paragraphs.sentences or sentence + 1 in document.documents.sentences:
        return "newline"
    if (
        _ITEM.match(after)
        or _ITEM.match(before)
        or (_ITEM.match(head) and boundary - document.sentences[sentence] <= 2)
    ):
        return "list item"
    if before[-1:] in _QUOTES or after[:1] in _QUOTES:
        return "quote"
    if _EMOTICON.match(before) or unicodedata.category(before[-1:] or " ") == "So":
        return "emoji"
    if _ABBREVIATION.match(before):
        return "abbreviation"
    if before[:1].isdigit():
        return "number"
    return "end mark" if before[-1:] in CANDIDATES else "no end mark"
