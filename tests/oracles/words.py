"""Word pairs as the CoNLL 2018 evaluation makes them.

Written from the description of reading and alignment in the dependency rules, sections 2.1 and 2.3. A token
is its form and the forms of its words; a plain token has no inner words and is its own word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

Token = tuple[str, Sequence[str]]
WordDocument = Sequence[Sequence[Token]]


class Word(NamedTuple):
    """A word with the span of its token; the words of a multiword token share one span."""

    start: int
    end: int
    form: str
    in_multiword: bool


def strip_separators(form: str) -> str:
    """Return a token's form without characters of category Zs (2.1)."""
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def line_of(document: WordDocument) -> str:
    """Return the characters of all tokens."""
    return "".join(strip_separators(form) for sentence in document for form, _ in sentence)


def words_of(document: WordDocument) -> list[Word]:
    """Return all words in order. Forms inside a multiword token are left as they are (2.1)."""
    words = []
    start = 0
    for sentence in document:
        for form, inner in sentence:
            plain = strip_separators(form)
            end = start + len(plain)
            if inner:
                words += [Word(start, end, word, in_multiword=True) for word in inner]
            else:
                words.append(Word(start, end, plain, in_multiword=False))
            start = end
    return words


def pair_words(gold: WordDocument, system: WordDocument) -> list[tuple[int, int]]:
    """Return pairs of gold and system word numbers, ascending (2.3)."""
    if line_of(gold) != line_of(system):
        message = "the documents differ in characters"
        raise ValueError(message)
    gold_words, system_words = words_of(gold), words_of(system)
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold_words) and s < len(system_words):
        gold_word, system_word = gold_words[g], system_words[s]
        if gold_word.in_multiword or system_word.in_multiword:
            first_g, first_s, g, s = find_multiword_span(gold_words, system_words, g, s)
            inside = pair_inside(gold_words[first_g:g], system_words[first_s:s])
            pairs += [(first_g + i, first_s + j) for i, j in inside]
        elif (gold_word.start, gold_word.end) == (system_word.start, system_word.end):
            pairs.append((g, s))
            g += 1
            s += 1
        elif gold_word.start <= system_word.start:
            g += 1
        else:
            s += 1
    return pairs


def find_multiword_span(gold: list[Word], system: list[Word], g: int, s: int) -> tuple[int, int, int, int]:
    """Return the first gold and system words of the multiword span that begins here, and those after it."""
    if gold[g].in_multiword:
        end = gold[g].end
        if not system[s].in_multiword and system[s].start < gold[g].start:
            s += 1
    else:
        end = system[s].end
        if gold[g].start < system[s].start:
            g += 1
    first_g, first_s = g, s
    while not (is_outside(gold, g, end) and is_outside(system, s, end)):
        if s == len(system) or (g < len(gold) and gold[g].start <= system[s].start):
            word = gold[g]
            g += 1
        else:
            word = system[s]
            s += 1
        if word.in_multiword:
            end = max(end, word.end)
    return first_g, first_s, g, s


def is_outside(words: list[Word], number: int, end: int) -> bool:
    """Return whether word `number`, if there is one, lies outside a multiword span that reaches to `end`."""
    if number == len(words):
        return True
    word = words[number]
    return word.start >= end if word.in_multiword else word.end > end


def pair_inside(gold: list[Word], system: list[Word]) -> list[tuple[int, int]]:
    """Return the longest common subsequence of lower-cased forms, read out from the left.

    Equal forms are paired at once; otherwise the gold word is dropped if that loses nothing, else the system
    word.
    """
    lengths = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(system))):
            if gold[i].form.lower() == system[j].form.lower():
                lengths[i][j] = 1 + lengths[i + 1][j + 1]
            else:
                lengths[i][j] = max(lengths[i + 1][j], lengths[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(gold) and j < len(system):
        if gold[i].form.lower() == system[j].form.lower():
            pairs.append((i, j))
            i += 1
            j += 1
        elif lengths[i][j] == lengths[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
