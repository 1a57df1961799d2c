"""Sentences, tokens and words: spans that gold and system have in the same place.

    $ evalign score gold.conllu system.txt --metrics sentences,tokens,words

A sentence is where it begins and ends; where texts differ, at least a third of its text must be shared. A token or word
is also what it says: it counts if its text is the same after normalisation. Words look inside multiword tokens and are
paired as in the CoNLL 2018 evaluation; where characters differ, those that no place can tell pair by form
(`alignment.stretches`).
"""

from __future__ import annotations

from evalign.metrics.comparison import Comparison, CountTable, count_matches
from evalign.metrics.layer import Layer


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
