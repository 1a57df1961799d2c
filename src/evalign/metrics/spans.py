"""Sentences, tokens and words: spans that gold and system have in the same place.

    $ evalign score gold.conllu system.txt --metrics sentences,tokens,words

A sentence is where it begins and ends; where texts differ, at least a third of its text must be shared. A token or word
is also what it says: it counts if its text is the same after normalisation. Words look inside multiword tokens and are
paired as in the CoNLL 2018 evaluation; where characters differ, those that no place can tell pair by form
(`alignment.stretches`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.errors import CommandError
from evalign.metrics.comparison import Comparison, CountTable, count_matches, count_rows
from evalign.metrics.counts import ratio
from evalign.metrics.layer import Layer
from evalign.text import without_space


def count_sentences(comparison: Comparison) -> CountTable:
    """Sentences by place, of which enough is shared."""
    alignment = comparison.alignment
    in_place, shared = alignment.sentences_in_place >= 0, alignment.sentence_pairs >= 0
    return count_matches(
        comparison, in_place, comparison.sentence_same, comparison.sentence_cuts, default=shared
    )


def count_tokens(comparison: Comparison) -> CountTable:
    """Tokens by place and text."""
    in_place, same = comparison.token_partners >= 0, comparison.token_same
    return count_matches(comparison, in_place, same, comparison.token_cuts, default=same)


def count_words(comparison: Comparison) -> CountTable:
    """Words by place and text; where they pair by form, by the lower-cased one, and in place by the folded one."""
    in_place, same = comparison.words_in_place >= 0, comparison.words_same >= 0
    return count_matches(comparison, in_place, same, comparison.word_cuts, default=same)


SENTENCES = Layer("sentences", count_sentences)
TOKENS = Layer("tokens", count_tokens)
WORDS = Layer("words", count_words)


# Gold sentences whose place holds exactly their tokens on the system side (Dridan and Oepen 2013, SA).
#
#     $ evalign score gold.conllu system.txt --metrics sentence-accuracy
#
# The system's own sentence boundaries do not matter.


def count_sentence_accuracy(comparison: Comparison) -> CountTable:
    """Gold sentences whose place holds exactly their tokens on the system side, and all of them.

    They do if every token is matched and no system token but partners lies between the first and the last of
    those: the partners of consecutive tokens are consecutive.
    """
    match = comparison.options.match
    partners = comparison.token_partners
    right = partners >= 0 if match == "place" else comparison.token_same
    follows = np.append(False, np.diff(partners) == 1)[: len(partners)]
    cuts = comparison.gold.sentences
    follows[cuts[:-1]] = True
    whole = count_rows(right & follows, cuts) == np.diff(cuts)
    unit_cuts = comparison.sentence_cuts[0]
    return np.stack([count_rows(whole, unit_cuts), np.diff(unit_cuts)], axis=1).astype(np.int64)


def accuracy_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Share of gold sentences."""
    return {"accuracy": ratio(counts["correct"], counts["gold"])}


SENTENCE_ACCURACY = Layer(
    "sentence-accuracy", count_sentence_accuracy, ("correct", "gold"), accuracy_ratios, "accuracy"
)


# Recall on tokens that a word list has and on those it has not (SIGHAN bakeoff, Emerson 2005).
#
#     $ evalign score gold.txt system.txt --metrics oov --vocabulary words.txt
#
# A gold token is looked up as it was read, so that how many are out of vocabulary is the same for every system.


def count_vocabulary(comparison: Comparison) -> CountTable:
    """Correct and all gold tokens, in the vocabulary and out of it."""
    options = comparison.options
    if options.vocabulary is None:
        found, advice = 'the metric "oov" without a word list', "give one word per line: --vocabulary FILE"
        raise CommandError(found, "the words that the system knew", advice)
    known = {without_space(word) for word in options.vocabulary}
    tokens = comparison.alignment.gold.original.tokens()
    listed = np.fromiter(map(known.__contains__, tokens), bool, len(tokens))
    correct = comparison.token_partners >= 0 if options.match == "place" else comparison.token_same
    cuts = comparison.token_cuts[0]
    masks = (listed & correct, listed, ~listed & correct, ~listed)
    return np.stack([count_rows(mask, cuts) for mask in masks], axis=1)


def vocabulary_ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Recall on either kind of token."""
    return {
        "recall_in": ratio(counts["in_correct"], counts["in_gold"]),
        "recall_out": ratio(counts["out_correct"], counts["out_gold"]),
    }


OOV = Layer(
    "oov",
    count_vocabulary,
    ("in_correct", "in_gold", "out_correct", "out_gold"),
    vocabulary_ratios,
    "recall_out",
)
