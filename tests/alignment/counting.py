"""Counts of two documents given as lists of sentences of tokens, straight from their alignment."""

from __future__ import annotations

import numpy as np

from evalign.alignment.align import align_documents
from evalign.alignment.alignment import Alignment, PlacedDocument, count_equal_line
from evalign.alignment.fold import fold_line
from evalign.alignment.places import place_characters, place_side
from evalign.document import Document, Words, document_from_sentences
from evalign.kernels.match_cy import pair_spans
from evalign.text import without_space


def align(gold, system, **options) -> Alignment:
    """Align two lists of sentences; each is a list of tokens, or a string of tokens separated by spaces."""
    return align_documents(document(gold), document(system), **options)


def document(sentences) -> Document:
    """Make a document from sentences."""
    if isinstance(sentences, Document):
        return sentences
    split = [sentence.split() if isinstance(sentence, str) else sentence for sentence in sentences]
    return document_from_sentences(split)


def document_with_words(sentences) -> Document:
    """Make a document from sentences of (form, inner words) pairs; a token without inner words is plain."""
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


def tokens_of(text: str) -> list[tuple[str, list[str]]]:
    """Parse tokens of a text such as `vou à(a+a) casa`: a multiword token has its words in brackets."""
    tokens = []
    for token in text.split():
        form, _, inner = token.rstrip(")").partition("(")
        tokens.append((form, inner.split("+") if inner else []))
    return tokens


def document_of(text: str) -> Document:
    """Make a document from such sentences, separated by bars."""
    return document_with_words([tokens_of(sentence) for sentence in text.split(" | ")])


def placed(gold: Document, system: Document, pieces) -> Alignment:
    """Make an alignment with given pieces: characters of both folded lines, and the places they take."""
    places = np.array([piece[2] for piece in pieces], np.int32)
    sides = []
    for number, document in enumerate((gold, system)):
        lengths = np.array([piece[number] for piece in pieces], np.int32)
        folded = fold_line(document.line, document.cuts)
        assert lengths.sum() == len(folded.codes)
        characters = place_characters(lengths, places)
        sides.append(
            PlacedDocument(
                document, document, place_side(document, folded.cuts, characters), characters, folded.cuts
            )
        )
    return Alignment(*sides, int(places.sum()), count_equal_line(""))


def count(gold, system, **options) -> dict[str, tuple[int, int, int]]:
    """Count correct, gold and system: sentences by place, tokens by place and text, tokens by place."""
    return count_aligned(align(gold, system, **options))


def count_aligned(alignment: Alignment) -> dict[str, tuple[int, int, int]]:
    """Return the counts of `count` for an alignment."""
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
    """Return, for each gold span, the number of the equal system span, or -1."""
    numbers = np.empty(len(gold[0]), np.int32)
    pair_spans(*gold, *system, numbers)
    return numbers.tolist()


def swapped(counts):
    """Return the counts with gold and system exchanged."""
    return {name: (correct, system, gold) for name, (correct, gold, system) in counts.items()}


def line_of(sentences) -> str:
    """Return the characters of a list of sentences of tokens."""
    return "".join(without_space(token) for sentence in sentences for token in sentence)
