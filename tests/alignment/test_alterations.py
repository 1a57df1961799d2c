"""Altered text in several scripts: what stays untouched is found, what is removed is not credited.

This is a small part of `python -m bench.alterations` on invented text, whose words and sentences are drawn by
Zipf's law.
"""

import random
from functools import cache
from itertools import accumulate

import pytest
from bench.alteration_tables import find_violations
from bench.alterations import describe, measure
from bench.construction import Piece, Text, drop_repeated, expect, judge, system_sentences
from bench.kinds import KINDS, alter

pytestmark = pytest.mark.once

SIZE = 60
HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 1500)))
HIRAGANA = "".join(map(chr, range(0x3042, 0x3094)))
KATAKANA = "".join(map(chr, range(0x30A2, 0x30F4)))
HANGUL = "".join(map(chr, range(0xAC00, 0xAC00 + 11_000, 13)))

# Letters, the length of words, and the marks that stand inside and at the end of sentences.
SCRIPTS = {
    "latin": ("etaoinshrdlucmfwypvbgkjqxzéüç", (1, 9), ",-", "...!?"),
    "cyrillic": ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф", (1, 10), ",-", "...!?"),
    "han": (HAN, (1, 3), "，、", "。。。！？"),
    "kana": (HIRAGANA + HAN[:300] + KATAKANA, (1, 4), "、「", "。。。？"),
    "thai": ("กนรอมงาลทวยสบคดปพตหจชขถผซศธณญภฟษโเแไใะ", (2, 7), ",", "."),
    "arabic": ("المنيتروبسعهفكدقحجشطزصخضغثذءظ", (2, 7), "،", "...؟"),
    "korean": (HANGUL, (1, 4), ",", "...?"),
}
ALTERED = (
    "full-width", "mojibake-latin1", "question-marks", "tags-underscore", "sentencepiece-pieces", "bars-between",
    "ocr-5", "ocr-20", "replaced-10", "replaced-30", "dropped-10", "inserted-10", "marks-dropped-inside", "marks-unknown",
    "digits-altered", "names-replaced", "token-dropped-1-in-3", "token-masked-1-in-3", "paraphrase-15", "skipped-1-in-3",
    "sentence-replaced-1-in-5", "stub-omitted-1-in-5", "doubled-1-in-10", "headers-and-noise", "both-ends-cut",
    "unrelated-other-language",
)  # fmt: skip


def zipf(size):
    return list(accumulate(1 / (rank + 5) for rank in range(size)))


def invent_words(rng, letters, lengths, size=1500):
    weights = zipf(len(letters))
    return ["".join(rng.choices(letters, cum_weights=weights, k=rng.randint(*lengths))) for _ in range(size)]


def invent_sentence(rng, words, weights, inner, last):
    tokens = rng.choices(words, cum_weights=weights, k=rng.randint(4, 18))
    for k in range(1, len(tokens) - 1):
        draw = rng.random()
        if draw < 0.05:
            tokens[k] = rng.choice(inner)
        elif draw < 0.08:
            tokens[k] = str(rng.randint(1, 2030))
        elif draw < 0.15:
            tokens[k] = tokens[k].capitalize()
    return [tokens[0].capitalize(), *tokens[1:], rng.choice(last)]


@cache
def invent_text(script, size=SIZE):
    """A text with strangers of the same language, and foreign sentences."""
    letters, lengths, inner, last = SCRIPTS[script]
    rng = random.Random(script)
    words = invent_words(rng, letters, lengths)
    weights = zipf(len(words))
    sentences = drop_repeated(invent_sentence(rng, words, weights, inner, last) for _ in range(3 * size))
    foreign = [[token[::-1] for token in sentence] for sentence in sentences[-size:]]
    return Text(sentences[:size], sentences[size : 2 * size], foreign)


@pytest.mark.large
@pytest.mark.parametrize("name", ALTERED)
def test_untouched_text_is_found_and_absent_text_is_not(name):
    kind = KINDS[name]
    rows = []
    for script in SCRIPTS:
        found = measure(kind, invent_text(script), script)
        if found is not None:
            rows.append({**describe(kind, script, SIZE), **found})
    assert rows
    assert [f"{each['treebank']}: {text}" for _, each, text in find_violations(rows, few=2)] == []


# The construction itself


@pytest.mark.parametrize("script", SCRIPTS)
def test_kinds_are_repeatable_and_leave_tokens(script):
    text = invent_text(script, 6)
    applied = 0
    for kind in KINDS.values():
        rows = alter(kind, text, "seed")
        assert rows == alter(kind, text, "seed")
        if rows is not None:
            applied += 1
            tokens = [token for sentence in system_sentences(rows) for token in sentence]
            assert tokens
            assert all(token.split() == [token] for token in tokens)
            assert all(system_sentences(rows))
    assert applied > 120


GOLD = (("The", "ferry", "left", "."), ("We", "waited", "all", "night", "."))


def pieces(sentence, k):
    return [Piece((token,), ((k, t),)) for t, token in enumerate(sentence)]


FIRST, SECOND = (pieces(sentence, k) for k, sentence in enumerate(GOLD))
STUB = [Piece(("...",))]
ROWS = [
    # what, altered text, untouched tokens, sentences that must be found, sentences that may be
    ("nothing altered", [FIRST, SECOND], [4, 5], [1, 1], [1, 1]),
    ("a stub", [FIRST, STUB], [4, 0], [1, 0], [1, 0]),
    ("a sentence twice", [FIRST, FIRST, SECOND], [4, 5], [1, 1], [1, 1]),
    ("sentences joined", [FIRST + SECOND], [4, 5], [0, 0], [0, 0]),
    ("a sentence cut", [FIRST, SECOND[:2], SECOND[2:]], [4, 5], [1, 0], [1, 0]),
    ("no full stop", [FIRST[:-1], SECOND], [3, 5], [0, 1], [1, 1]),
    ("a foreign token before", [FIRST, [*STUB, *SECOND]], [4, 5], [1, 0], [1, 1]),
    ("a foreign token inside", [FIRST, [SECOND[0], *STUB, *SECOND[1:]]], [4, 5], [1, 1], [1, 1]),
    ("one token left", [FIRST, SECOND[-1:]], [4, 1], [1, 0], [1, 0]),
    (
        "copies that differ",
        [FIRST, [Piece(("Thx",), ((0, 0),)), *FIRST[1:]], SECOND],
        [3, 5],
        [1, 1],
        [1, 1],
    ),
]


@pytest.mark.parametrize(("what", "rows", "tokens", "must", "may"), ROWS, ids=[row[0] for row in ROWS])
def test_what_construction_asks_for(what, rows, tokens, must, may):
    expectation = expect(GOLD, rows)
    assert expectation.tokens == tokens
    assert (expectation.sentences, expectation.sentences_allowed) == (must, may)


def test_losses_and_wrong_credit_are_counted_by_stretch():
    # Two stretches of two sentences: one loses two tokens, the other has one too many.
    outcome = judge([(2, 5), (2, 8)], [4, 3, 4, 3], [4, 3, 4, 3], 20, 21)
    assert (outcome.asked, outcome.lost, outcome.absent, outcome.wrong) == (14, 2, 6, 1)
