"""Translations of words in both directions, with their probabilities: learnt from pairs of sentences, or given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from evalign.bitext.mining.ibm import Sentences, Table, estimate, pack_sentences
from evalign.bitext.sharing import ending
from evalign.engines import Engine, SerialEngine, run_ordered

Translations: TypeAlias = Mapping[str, Mapping[str, float]]
"""Of each word its translations and how probable each is, the most probable first."""

ITERATIONS = 8
# Less probable translations are mostly chance.
LEAST_PROBABLE = 0.01
MOST_TRANSLATIONS = 20
# A longer sentence says little of which word is whose translation, and costs its length times that of the other.
LONGEST_SENTENCE = 200
# Of fewer words, of both languages, a lexicon is learnt before workers have begun.
LEAST_WORDS = 100_000


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Translations of the words of two languages, words as `terms` cuts them."""

    forward: Translations
    """From the first language to the second."""
    backward: Translations
    """From the second language to the first."""

    def __len__(self) -> int:
        return sum(map(len, self.forward.values())) + sum(map(len, self.backward.values()))


def learn_lexicon(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
    *,
    iterations: int = ITERATIONS,
    engine: Engine | None = None,
) -> Lexicon:
    """Translations as IBM model 1 finds them, in each direction on its own.

    >>> pairs = [("le chat", "the cat"), ("le chien", "the dog"), ("un chat", "a cat")]
    >>> lexicon = learn_lexicon([(first.split(), second.split()) for first, second in pairs])
    >>> next(iter(lexicon.forward["chat"])), next(iter(lexicon.backward["the"]))
    ('cat', 'le')
    """
    numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
    sentences: tuple[list[list[int]], list[list[int]]] = [], []
    for pair in pairs:
        if min(map(len, pair)) > 0 and max(map(len, pair)) <= LONGEST_SENTENCE:
            for known, into, terms in zip(numbers, sentences, pair, strict=True):
                into.append([known.setdefault(term, len(known) + 1) for term in terms])
    first, second = pack_sentences(sentences[0]), pack_sentences(sentences[1])
    names = ["", *numbers[0]], ["", *numbers[1]]
    where = engine if engine and len(first.words) + len(second.words) >= LEAST_WORDS else SerialEngine()
    learn = partial(_learn, iterations)
    with ending(run_ordered(where, learn, [(first, second), (second, first)])) as tables:
        forward, backward = tables
    return Lexicon(
        _translate(forward, names[0], names[1]),
        _translate(backward, names[1], names[0]),
    )


def _learn(iterations: int, sentences: tuple[Sentences, Sentences]) -> Table:
    """What is learnt in one direction, without what is mostly chance."""
    table = estimate(*sentences, iterations)
    kept = np.flatnonzero(table.probabilities >= LEAST_PROBABLE)
    return Table(table.sources[kept], table.targets[kept], table.probabilities[kept])


def _translate(table: Table, source_names: Sequence[str], target_names: Sequence[str]) -> Translations:
    found: dict[str, dict[str, float]] = {}
    rows = zip(table.sources.tolist(), table.targets.tolist(), table.probabilities.tolist(), strict=True)
    for source, target, probability in rows:
        found.setdefault(source_names[source], {})[target_names[target]] = probability
    return {word: _best(translations) for word, translations in found.items()}


def _best(translations: Mapping[str, float]) -> dict[str, float]:
    """The most probable translations, of equal ones the first of the alphabet."""
    ordered = sorted(translations.items(), key=lambda each: (-each[1], each[0]))
    return dict(ordered[:MOST_TRANSLATIONS])


def make_lexicon(forward: Translations, backward: Translations) -> Lexicon:
    """A lexicon of these translations, the most probable of each word."""
    return Lexicon(
        {word: _best(found) for word, found in forward.items()},
        {word: _best(found) for word, found in backward.items()},
    )


def join_lexicons(lexicons: Sequence[Lexicon]) -> Lexicon:
    """All translations of several lexicons, each as probable as it is where it is most."""
    if len(lexicons) == 1:
        return lexicons[0]
    return make_lexicon(
        _join([each.forward for each in lexicons]), _join([each.backward for each in lexicons])
    )


def _join(tables: Sequence[Translations]) -> Translations:
    found: dict[str, dict[str, float]] = {}
    for table in tables:
        for word, translations in table.items():
            known = found.setdefault(word, {})
            for translation, probability in translations.items():
                known[translation] = max(known.get(translation, 0.0), probability)
    return found


def from_entries(entries: Iterable[tuple[Sequence[str], Sequence[str], float]]) -> Lexicon:
    """A lexicon of given translations: terms of a word, terms of its translation, how probable it is.

    Of an entry of several terms each may be a translation of each. The other direction is as probable as this one.
    """
    forward: dict[str, dict[str, float]] = {}
    backward: dict[str, dict[str, float]] = {}
    for words, translations, probability in entries:
        for word in words:
            for translation in translations:
                share = probability / max(len(words), len(translations))
                for table, source, target in ((forward, word, translation), (backward, translation, word)):
                    known = table.setdefault(source, {})
                    known[target] = max(known.get(target, 0.0), share)
    return make_lexicon(forward, backward)


def write_lexicon(path: str | os.PathLike[str], lexicon: Lexicon, languages: tuple[str, str]) -> None:
    """Save a lexicon as a table: a word, a translation, how probable each is given the other; whole or not at all."""
    from evalign.files import write_whole

    rows: dict[tuple[str, str], list[float]] = {}
    for word, translations in lexicon.forward.items():
        for translation, probability in translations.items():
            rows.setdefault((word, translation), [0.0, 0.0])[0] = probability
    for translation, words in lexicon.backward.items():
        for word, probability in words.items():
            rows.setdefault((word, translation), [0.0, 0.0])[1] = probability
    lines = [header(languages)]
    lines += (
        f"{word}\t{translation}\t{there:.6f}\t{back:.6f}\n"
        for (word, translation), (there, back) in sorted(rows.items())
    )
    write_whole(path, "".join(lines))


def header(languages: tuple[str, str]) -> str:
    r"""The first line of a saved lexicon.

    >>> header(("fr", "en"))
    'fr\ten\tP(en|fr)\tP(fr|en)\n'
    """
    first, second = languages
    return f"{first}\t{second}\tP({second}|{first})\tP({first}|{second})\n"
