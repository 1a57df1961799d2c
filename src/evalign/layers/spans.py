"""Sentences, tokens and words: spans that gold and system have in the same place.

    $ evalign score gold.conllu system.txt --metrics sentences,tokens,words

A sentence is where it begins and ends. A token or word is also what it says: it counts if its text is the same
after normalisation. Words look inside multiword tokens and are paired as in the CoNLL 2018 evaluation.
"""

from __future__ import annotations

import numpy as np

from evalign.document import Document, IntArray
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
    if comparison.gold.words is None and comparison.system.words is None:
        return count_tokens(comparison)
    alignment = comparison.alignment
    pairs = alignment.word_pairs
    same = pairs.by_form & comparison.credited_words(pairs.partners)
    plain = np.flatnonzero((pairs.partners >= 0) & ~pairs.by_form)
    tokens = _tokens(comparison.gold)[plain]
    # A plain word is its token, and the token in its place is its partner's.
    same[plain] = comparison.token_same[tokens]
    gold_cuts, system_cuts = (
        document.word_cuts(cuts)
        for document, cuts in zip((comparison.gold, comparison.system), comparison.token_cuts, strict=True)
    )
    in_place = alignment.folded_word_pairs.partners >= 0
    return count_matches(comparison, in_place, same, (gold_cuts, system_cuts), by_text=True)


def _tokens(document: Document) -> IntArray:
    return np.arange(document.n_tokens, dtype=np.int32) if document.words is None else document.words.tokens


SENTENCES = Layer("sentences", count_sentences)
TOKENS = Layer("tokens", count_tokens)
WORDS = Layer("words", count_words)
