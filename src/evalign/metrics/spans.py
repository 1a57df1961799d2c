"""Sentences, tokens, words and spans of stand-off tables: what gold and system have in the same place.

    evalign.score("gold.conllu", "system.txt", metrics=["sentences", "tokens", "words"])

A sentence matches by its beginning and end; where the texts differ, at least a third of its text must be
shared. A token or word must also have the same text after normalisation. Words look inside multiword tokens
and are paired as in the CoNLL 2018 evaluation; where characters differ, words that cannot be paired by place
are paired by form (`alignment.word_pairs`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalign.document import Document, Spans
from evalign.errors import CommandError, Message, quote
from evalign.metrics.comparison import Comparison, CountTable, count_matches, count_rows
from evalign.metrics.keys import (
    LabelCounts,
    SharedLabels,
    match_rows,
    number_labels,
    number_rows,
)
from evalign.text import without_space


def count_sentences(comparison: Comparison) -> CountTable:
    """Count sentences by unit, in the columns `MATCHED`.

    Matching sentences are in the same place and share enough text.
    """
    alignment = comparison.alignment
    in_place, shared = alignment.sentences_in_place >= 0, alignment.sentence_pairs >= 0
    return count_matches(
        comparison, in_place, comparison.sentence_same, comparison.sentence_cuts, default=shared
    )


def count_tokens(comparison: Comparison) -> CountTable:
    """Count tokens by unit, in the columns `MATCHED`.

    Matching tokens are in the same place and have the same text.
    """
    in_place, same = comparison.token_partners >= 0, comparison.token_same
    return count_matches(comparison, in_place, same, comparison.token_cuts, default=same)


def count_words(comparison: Comparison) -> CountTable:
    """Count words by unit, in the columns `MATCHED`.

    Matching words are in the same place and have the same text. Words that pair by form count as `same_text`
    by their lower-cased form and as `in_place` by their folded form.
    """
    in_place, same = comparison.words_in_place >= 0, comparison.words_same >= 0
    return count_matches(comparison, in_place, same, comparison.word_cuts, default=same)


# Sentence accuracy: gold sentences whose tokens the system has exactly (Dridan and Oepen 2013, SA).
#
#     evalign.score("gold.conllu", "system.txt", metrics="sentence-accuracy")
#
# The system's own sentence boundaries do not matter.


def count_sentence_accuracy(comparison: Comparison) -> CountTable:
    """Count, by unit, gold sentences whose tokens the system has exactly, and all gold sentences.

    A sentence is correct if each of its tokens is matched and no other system token lies between its first
    and its last match. The second holds if the partners of consecutive tokens are consecutive.
    """
    partners = comparison.token_partners
    follows = np.append(False, np.diff(partners) == 1)[: len(partners)]
    cuts = comparison.gold.sentences
    follows[cuts[:-1]] = True
    whole = count_rows(comparison.tokens_right & follows, cuts) == np.diff(cuts)
    unit_cuts = comparison.sentence_cuts[0]
    return np.stack([count_rows(whole, unit_cuts), np.diff(unit_cuts)], axis=1).astype(np.int64)


# Recall on tokens in a word list and on tokens outside it (SIGHAN bakeoff, Emerson 2005).
#
#     evalign.score("gold.txt", "system.txt", metrics="oov", vocabulary=words)
#
# Gold tokens are looked up as they were read, so the number of tokens out of vocabulary is the same for all
# systems.


def count_vocabulary(comparison: Comparison) -> CountTable:
    """Count, by unit, gold tokens inside and outside the vocabulary.

    The columns are: correct and all tokens inside, correct and all tokens outside. Raises `CommandError` if
    no vocabulary is given.
    """
    options = comparison.options
    if options.vocabulary is None:
        problem = 'the metric "oov" without a word list'
        advice = Message('{vocabulary=["one", "another"]|give one word per line: <vocabulary> FILE}')
        raise CommandError(problem, "the words that the system knew", advice)
    vocabulary = {without_space(word) for word in options.vocabulary}
    tokens = comparison.alignment.gold.original.tokens()
    listed = np.fromiter(map(vocabulary.__contains__, tokens), bool, len(tokens))
    correct, cuts = comparison.tokens_right, comparison.token_cuts[0]
    masks = (listed & correct, listed, ~listed & correct, ~listed)
    return np.stack([count_rows(mask, cuts) for mask in masks], axis=1)


# Spans of stand-off tables: entities, chunks, or anything else given by start, end and label.
#
#     evalign.score("gold.tsv", "system.tsv", raw="text.txt", layer="entities")
#
# A span is correct if the other table has one with the same start, end and label; equal spans match one to
# one. Spans may overlap, nest, cross and repeat. The user names the layer.

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def is_name(name: str) -> bool:
    """Return whether `name` is well formed as the name of a layer of spans: lower case, with hyphens.

    >>> is_name("named-entities"), is_name("Named entities")
    (True, False)
    """
    return bool(_NAME.fullmatch(name))


def count_spans(comparison: Comparison) -> CountTable:
    """Count spans of stand-off tables by unit, in the columns `MATCHED`.

    Matching spans have the same place and the same label.
    """
    gold, system = get_spans(comparison)
    matched = match_spans(gold, system, number_labels(gold.labels, system.labels))
    cuts = comparison.system_unit_cuts(gold.starts), comparison.system_unit_cuts(system.starts)
    return count_matches(comparison, matched, matched, cuts, default=matched)


def get_spans(comparison: Comparison) -> tuple[Spans, Spans]:
    """Return the spans of both documents; raises `CommandError` unless both are tables on one text."""
    sides = comparison.alignment.gold.original, comparison.alignment.system.original
    gold, system = sides[0].spans, sides[1].spans
    if gold is None or system is None:
        other = sides[0] if gold is None else sides[1]
        message = f"{quote(other.name)} is not a stand-off table, and the other file is one"
        advice = Message(
            "{evalign.triples(FILE, raw=TEXT)|evalign triples FILE <raw> TEXT <format> tsv}"
            " makes a table of trees or CoNLL-U"
        )
        raise CommandError(message, "stand-off tables on both sides", advice)
    if sides[0].line != sides[1].line:
        message = "stand-off tables of two texts"
        raise CommandError(message, "the same raw text for gold and system, white space aside")
    return gold, system


def match_spans(gold: Spans, system: Spans, labels: SharedLabels) -> npt.NDArray[np.bool_]:
    """Return for each gold span whether the system has an equal one.

    Of several equal gold spans the first ones match, as many as the system has.
    """
    columns = (
        (gold.documents, system.documents),
        (gold.starts, system.starts),
        (gold.ends, system.ends),
        (labels.gold, labels.system),
    )
    numbers = number_rows([np.concatenate(pair) for pair in columns])
    return match_rows(numbers[: len(gold)], numbers[len(gold) :])


def label_spans(comparison: Comparison) -> LabelCounts:
    """Count the labels of spans; over all labels the counts add up to those of `count_spans`."""
    gold, system = get_spans(comparison)
    labels = number_labels(gold.labels, system.labels)
    cuts = comparison.system_unit_cuts(gold.starts), comparison.system_unit_cuts(system.starts)
    return LabelCounts.of(labels, match_spans(gold, system, labels), cuts)


# Algorithm 1 of Jo et al. 2024 as the paper prints it, for comparison.
#
# The algorithm looks one pair ahead: after a mismatch it adds sentences until the *next* two are equal, so a
# repeated sentence ends the search too early (docs/deviations.md). L is the system, R is gold. The shorter side
# grows, on a tie the system. When one side has ended, the rest of the other is added. Tokens of aligned
# sentences go through the same loop.


def count_printed(gold: Sequence[Sequence[str]], system: Sequence[Sequence[str]]) -> dict[str, int]:
    """Count correct sentences and tokens by Algorithm 1 of Jo et al.; return both by name.

    The loop of the algorithm runs over sentences, and inside each aligned pair over tokens.
    """
    lefts, rights = (["".join(tokens) for tokens in side] for side in (system, gold))
    sentences = tokens = 0
    for (l0, l1), (r0, r1) in align_printed(lefts, rights):
        sentences += l1 - l0 == r1 - r0 == 1 and lefts[l0] == rights[r0]
        left = [token for tokens_ in system[l0:l1] for token in tokens_]
        right = [token for tokens_ in gold[r0:r1] for token in tokens_]
        tokens += sum(
            b - a == d - c == 1 and left[a] == right[c] for (a, b), (c, d) in align_printed(left, right)
        )
    return {"sentences": sentences, "tokens": tokens}


def align_printed(left: Sequence[str], right: Sequence[str]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Align two sequences of strings by the loop of Algorithm 1.

    Returns the aligned stretches in order, each as (start, end) on the left and (start, end) on the right.
    """
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        first_i, first_j = i, j
        if left[i] != right[j]:
            lengths = len(left[i]), len(right[j])
            while not _next_equal(left, right, i, j):
                if j + 1 < len(right) and (lengths[0] > lengths[1] or i + 1 >= len(left)):
                    j += 1
                    lengths = lengths[0], lengths[1] + len(right[j])
                else:
                    i += 1
                    lengths = lengths[0] + len(left[i]), lengths[1]
        i, j = i + 1, j + 1
        pairs.append(((first_i, i), (first_j, j)))
    return pairs


def _next_equal(left: Sequence[str], right: Sequence[str], i: int, j: int) -> bool:
    """Return whether the items after `i` and `j` are equal, or both sides have ended."""
    if i + 1 >= len(left) or j + 1 >= len(right):
        return i + 1 >= len(left) and j + 1 >= len(right)
    return left[i + 1] == right[j + 1]


def word_sentences(document: Document) -> list[list[str]]:
    """Return the sentences of a document as lists of words rather than tokens."""
    if document.words is None:
        return list(document)
    sentences: list[list[str]] = [[] for _ in range(document.n_sentences)]
    for word in range(document.n_words):
        sentences[document.sentence_of(document.word_token(word))].append(document.word(word))
    return sentences
