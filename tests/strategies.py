"""Hypothesis strategies for properties and for comparison with the oracles.

Each character folds to one character, some of them to the same one. There are so few that lines repeat
themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import settings, strategies as st

# For laws where each example takes several runs.
FEWER = settings(max_examples=settings.default.max_examples // 3)

ALPHABET = "aabb.cAÉé字Ａω"
SAME_WHEN_FOLDED = {"a": "AáＡ", "A": "a", "b": "B", "c": "ç", "é": "eÉ", "É": "é", "Ａ": "a", "ω": "Ωώ"}

Document = list[list[str]]
Token = tuple[str, list[str]]
WordDocument = list[list[Token]]


@dataclass(frozen=True)
class Pair:
    """Two documents to compare."""

    gold: Document
    system: Document


@dataclass(frozen=True)
class WordPair:
    """Two documents with multiword tokens to compare."""

    gold: WordDocument
    system: WordDocument


def texts(max_size: int = 24) -> st.SearchStrategy[str]:
    """Draw a line: characters without white space."""
    return st.text(st.sampled_from(ALPHABET), max_size=max_size)


@st.composite
def cuts(draw: st.DrawFn, text: str) -> Document:
    """Draw a segmentation of `text`: after each character nothing, a token end or a sentence end."""
    document: Document = []
    token = ""
    starts_sentence = True
    for number, character in enumerate(text):
        token += character
        end = 2 if number == len(text) - 1 else draw(st.sampled_from([0, 0, 1, 1, 2]))
        if end:
            if starts_sentence:
                document.append([])
            document[-1].append(token)
            token = ""
            starts_sentence = end == 2
    return document


@st.composite
def segmentations(draw: st.DrawFn, max_size: int = 24) -> Document:
    """Draw a text as sentences of tokens; it may be empty."""
    return draw(cuts(draw(texts(max_size))))


@st.composite
def two_cuts(draw: st.DrawFn, max_size: int = 24) -> Pair:
    """Draw two segmentations of the same characters."""
    text = draw(texts(max_size))
    return Pair(draw(cuts(text)), draw(cuts(text)))


@st.composite
def recut(draw: st.DrawFn, document: Document) -> Document:
    """Draw a document with other boundaries, or leave it: sentences and tokens are joined or cut."""
    if draw(st.booleans()):
        return document
    return draw(cuts("".join(token for sentence in document for token in sentence)))


@st.composite
def rewritten(draw: st.DrawFn, token: str) -> str:
    """Draw a token with at most one character deleted, inserted, replaced, or changed in case or accent."""
    kind = draw(st.sampled_from(["keep", "keep", "keep", "delete", "insert", "replace", "fold"]))
    position = draw(st.integers(0, len(token) - 1))
    before, character, behind = token[:position], token[position], token[position + 1 :]
    if kind == "delete":
        return before + behind
    if kind == "insert":
        return before + draw(st.sampled_from(ALPHABET)) + character + behind
    if kind == "replace":
        return before + draw(st.sampled_from(ALPHABET)) + behind
    if kind == "fold":
        return before + draw(st.sampled_from(SAME_WHEN_FOLDED.get(character, character))) + behind
    return token


@st.composite
def edited(draw: st.DrawFn, document: Document) -> Document:
    """Draw a document with edited tokens, and with sentences missing, duplicated, replaced or swapped."""
    sentences: Document = []
    for sentence in document:
        tokens = [token for token in [draw(rewritten(token)) for token in sentence] if token]
        kind = draw(st.sampled_from(["keep", "keep", "keep", "keep", "drop", "double", "replace"]))
        if kind == "replace":
            sentences += draw(segmentations(8))
        elif kind != "drop" and tokens:
            sentences += [tokens] * (2 if kind == "double" else 1)
    if len(sentences) > 1 and draw(st.integers(0, 3)) == 0:
        first = draw(st.integers(0, len(sentences) - 2))
        sentences[first : first + 2] = [sentences[first + 1], sentences[first]]
    return sentences


@st.composite
def two_texts(draw: st.DrawFn, max_size: int = 24) -> Pair:
    """Draw a segmentation, and an edited one of (mostly) the same text with its own boundaries.

    Either may be gold, either may be empty, and the lines may turn out equal.
    """
    document = draw(segmentations(max_size))
    other = draw(edited(draw(recut(document))))
    return Pair(document, other) if draw(st.booleans()) else Pair(other, document)


@st.composite
def inner_words(draw: st.DrawFn, token: str) -> list[str]:
    """Draw the words of a token: none (it is plain), parts of the token, or other forms; a space is rare."""
    kind = draw(st.sampled_from(["plain", "plain", "parts", "other"]))
    if kind == "plain":
        return []
    if kind == "parts":
        position = draw(st.integers(0, len(token)))
        return [part for part in (token[:position], token[position:]) if part]
    return draw(st.lists(st.sampled_from(["a", "A", "b", "ab", "é", "É", "a b"]), min_size=1, max_size=4))


@st.composite
def word_cuts(draw: st.DrawFn, text: str) -> WordDocument:
    """Draw a segmentation with multiword tokens, and now and then a space in a form."""
    document: WordDocument = []
    for sentence in draw(cuts(text)):
        document.append([])
        for token in sentence:
            spaced = len(token) > 1 and draw(st.integers(0, 9)) == 0
            form = f"{token[0]} {token[1:]}" if spaced else token
            document[-1].append((form, draw(inner_words(token))))
    return document


@st.composite
def with_multiwords(draw: st.DrawFn, max_size: int = 16) -> WordPair:
    """Draw two documents over the same characters with many multiword tokens."""
    text = draw(texts(max_size))
    return WordPair(draw(word_cuts(text)), draw(word_cuts(text)))


@st.composite
def with_other_words(draw: st.DrawFn, max_size: int = 16) -> WordPair:
    """Draw two documents with multiword tokens; one may have words written apart and edited tokens."""
    document = draw(word_cuts(draw(texts(max_size))))
    other: WordDocument = []
    for sentence in document:
        tokens: list[Token] = []
        for form, inner in sentence:
            kind = draw(st.sampled_from(["keep", "apart", "apart", "edit", "plain"]))
            if kind == "apart" and inner:
                tokens += [(word.replace(" ", ""), []) for word in inner]
            elif kind == "edit":
                edited_form = draw(rewritten(form))
                tokens += [(edited_form, inner)] if edited_form.strip() else []
            else:
                tokens.append((form, [] if kind == "plain" else inner))
        if tokens and (not other or draw(st.integers(0, 5))):
            other.append(tokens)
        elif tokens:
            other[-1] += tokens
    return WordPair(document, other) if draw(st.booleans()) else WordPair(other, document)
