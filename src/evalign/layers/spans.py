"""Sentences, tokens and words: spans that gold and system have in the same place.

    $ evalign score gold.conllu system.txt --metrics sentences,tokens,words

A sentence is where it begins and ends. A token or word is also what it says: it counts if its text is the same
after normalisation. Words look inside multiword tokens and are paired as in the CoNLL 2018 evaluation.
"""

from __future__ import annotations

from evalign.layers.comparison import Comparison, CountTable, count_matches
from evalign.layers.layer import Layer


def count_sentences(comparison: Comparison) -> CountTable:
    """Sentences by place."""
    found = comparison.sentence_partners >= 0
    return count_matches(comparison, found, comparison.sentence_same, comparison.sentence_cuts, by_text=False)


def count_tokens(comparison: Comparison) -> CountTable:
    """Tokens by place and text."""
    found = comparison.token_partners >= 0
    return count_matches(comparison, found, comparison.token_same, comparison.token_cuts, by_text=True)


def count_words(comparison: Comparison) -> CountTable:
    """Words by place and text; inside multiword tokens by lower-cased form, in place by folded form."""
    in_place, same = comparison.words_in_place >= 0, comparison.words_same >= 0
    return count_matches(comparison, in_place, same, comparison.word_cuts, by_text=True)


SENTENCES = Layer("sentences", count_sentences)
TOKENS = Layer("tokens", count_tokens)
WORDS = Layer("words", count_words)
