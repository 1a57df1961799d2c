"""Counts of two documents given as lists of sentences of tokens, straight from their alignment."""

from __future__ import annotations

import numpy as np

from evalign.alignment import Alignment, align_documents
from evalign.document import Document, Words, document_from_sentences
from evalign.kernels.spans_cy import pair_spans
from evalign.text import without_space


def align(gold, system, **options) -> Alignment:
    """Align two lists of sentences; each is a list of tokens, or a string of them with spaces between."""
    return align_documents(document(gold), document(system), **options)


def document(sentences) -> Document:
    """A document from sentences."""
    if isinstance(sentences, Document):
        return sentences
    split = [sentence.split() if isinstance(sentence, str) else sentence for sentence in sentences]
    return document_from_sentences(split)


def document_with_words(sentences) -> Document:
    """A document from sentences of (form, inner words) pairs; a token without inner words is plain."""
    plain = document_from_sentences([[form for form, _ in sentence] for sentence in sentences])
    inner = [words for sentence in sentences for _, words in sentence]
    tokens = np.repeat(np.arange(len(inner)), [len(words) or 1 for words in inner]).astype(np.int32)
    multiword = np.array([bool(inner[token]) for token in tokens], np.uint8)
    ranks = (np.cumsum(multiword) - multiword).astype(np.int32)
    words = Words(tokens, multiword, [word for words in inner for word in words], ranks)
    return Document(
        plain.name,
        "plain",
        plain.line,
        plain.cuts,
        plain.sentences,
        plain.linenos,
        words if multiword.any() else None,
    )


def count(gold, system, **options) -> dict[str, tuple[int, int, int]]:
    """Correct, gold and system: sentences by place, tokens by place and text, tokens by place."""
    return count_aligned(align(gold, system, **options))


def count_aligned(alignment: Alignment) -> dict[str, tuple[int, int, int]]:
    """The same of an alignment."""
    gold, system = alignment.gold, alignment.system
    sentences = partners(
        (gold.places.sentence_starts, gold.places.sentence_ends),
        (system.places.sentence_starts, system.places.sentence_ends),
    )
    tokens = partners(gold.places.spans, system.places.spans)
    texts, others = gold.document.tokens(), system.document.tokens()
    same = [texts[k] == others[partner] for k, partner in enumerate(tokens) if partner >= 0]
    sentence_totals = gold.document.n_sentences, system.document.n_sentences
    token_totals = len(texts), len(others)
    return {
        "sentences": (sum(partner >= 0 for partner in sentences), *sentence_totals),
        "tokens": (sum(same), *token_totals),
        "tokens_in_place": (len(same), *token_totals),
    }


def partners(gold, system) -> list[int]:
    """Per gold span the number of the same system span, or -1."""
    found = np.empty(len(gold[0]), np.int32)
    pair_spans(*gold, *system, found)
    return found.tolist()


def swapped(counts):
    """What the counts are with the sides exchanged."""
    return {name: (correct, system, gold) for name, (correct, gold, system) in counts.items()}


def line_of(sentences) -> str:
    """The characters of a list of sentences of tokens."""
    return "".join(without_space(token) for sentence in sentences for token in sentence)
