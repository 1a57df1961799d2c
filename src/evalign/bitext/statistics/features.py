"""Form of sentences in a few numbers: lengths, punctuation and whether it is paired, capitals, digits, how they begin and end.

None says what a sentence is about, where it stands or what is around it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

from evalign.bitext.languages import Language
from evalign.bitext.languages.terms import count_units
from evalign.bitext.sentence_checks import has_unpaired_brackets, has_unpaired_quotes

_SETS = {
    "comma": ",，、،",
    "stop": ".。．…।",
    "colon": ":;：；",
    "question": "?!？！؟¿¡",
    "apostrophe": "'’ʼ",
    "quote": '"“”„‟«»‹›‘‚「」『』＂',
}
_CLASSES = {character: name for name, characters in _SETS.items() for character in characters}
_CATEGORIES = {
    "Lu": "capital",
    "Lt": "capital",
    "Nd": "digit",
    "Pd": "dash",
    "Ps": "bracket",
    "Pe": "bracket",
    "Pi": "quote",
    "Pf": "quote",
    "Zs": "space",
}

_COUNTED = {
    "comma": "commas",
    "stop": "full stops",
    "colon": "colons, semicolons",
    "question": "question, exclamation marks",
    "apostrophe": "apostrophes",
    "quote": "quotation marks",
    "dash": "dashes, hyphens",
    "bracket": "brackets",
    "sign": "other signs",
    "capital": "capitals",
    "digit": "digits",
}
_IN_WORDS = frozenset({"letter", "capital", "digit"})
_BEGINS = ("capital", "letter", "digit", "quote", "bracket", "dash", "sign")
_ENDS = (
    "stop", "question", "quote", "letter", "capital", "digit", "bracket", "comma", "colon", "dash", "sign",
)  # fmt: skip

FEATURES = (
    "length",
    "characters",
    "letters per unit of length",
    "words with a capital inside",
    *_COUNTED.values(),
    "unpaired quotation marks",
    "unpaired brackets",
    *(f"begins with a {name}" for name in _BEGINS),
    *(f"ends with a {name}" for name in _ENDS),
)
"""Their names, in the order of their values."""


@cache
def _class_of(character: str) -> str:
    """What a character counts as; letters are all that is no other thing, marks included."""
    if character in _CLASSES:
        return _CLASSES[character]
    category = unicodedata.category(character)
    return _CATEGORIES.get(category, "sign" if category[0] in "PSC" else "letter")


def _classes_of(word: str) -> set[str]:
    return set(map(_class_of, word))


def measure_form(language: Language, sentence: str) -> tuple[float, ...]:
    """The values of a sentence.

    >>> found = dict(zip(FEATURES, measure_form(Language("en"), "In 1999, soup!"), strict=True))
    >>> found["length"], found["digits"], found["commas"], found["ends with a question"]
    (3.0, 4.0, 1.0, 1.0)
    """
    classes = [_class_of(character) for character in sentence.strip()]
    counts = Counter(classes)
    n_units = count_units(language, sentence)
    n_characters = len(classes) - counts["space"]
    in_words = sum(counts[name] for name in _IN_WORDS)
    words = [found for found in map(_classes_of, sentence.split()) if found & _IN_WORDS]
    inside = sum("capital" in found for found in words[1:])
    first, last = (classes[0], classes[-1]) if classes else ("", "")
    return (
        float(n_units),
        float(n_characters),
        in_words / n_units if n_units else 0.0,
        float(inside),
        *(float(counts[name]) for name in _COUNTED),
        float(has_unpaired_quotes(sentence)),
        float(has_unpaired_brackets(sentence)),
        *(float(first == name) for name in _BEGINS),
        *(float(last == name) for name in _ENDS),
    )
