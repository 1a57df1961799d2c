"""The warning about reordered sentences: given if sentences moved.

No warning is given if they were lost, doubled or altered.
"""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.scoring.ledger import REPEATED_TEXT, SentenceRanks, join_ranks

pytestmark = pytest.mark.once

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 400)]
COMMON = [["Yes", "."], ["Thank", "you", "."], ["No", "!"]]


def invent(seed, pieces=SYLLABLES, size=60):
    """Sentences of 3 to 7 words, every sixth one of three that come again and again."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(pieces, k=chance.randint(1, 2))) for _ in range(600)]
    return [
        chance.choice(COMMON) if k % 6 == 5 else [*chance.choices(words, k=chance.randint(3, 7)), "."]
        for k in range(size)
    ]


LATIN_TEXT, HAN_TEXT = invent(1), invent(2, HAN)
TEXTS = pytest.mark.parametrize("gold", [LATIN_TEXT, HAN_TEXT], ids=["latin", "han"])


def alter(sentences, rate, chance):
    """Letters replaced by others of the text."""
    letters = sorted({c for sentence in sentences for word in sentence for c in word if c.isalpha()})
    return [
        ["".join(chance.choice(letters) if c.isalpha() and chance.random() < rate else c for c in word) for word in sentence]
        for sentence in sentences
    ]  # fmt: skip


def swap_neighbours(sentences, every):
    moved = list(sentences)
    for k in range(0, len(moved) - 1, every):
        moved[k], moved[k + 1] = moved[k + 1], moved[k]
    return moved


def once_each(sentences):
    return list({" ".join(sentence): sentence for sentence in sentences}.values())


KEPT = {
    "noise of 10 %": lambda s, chance: alter(s, 0.1, chance),
    "noise of 30 %": lambda s, chance: alter(s, 0.3, chance),
    "dropped sentences": lambda s, chance: [x for x in s if chance.random() > 0.1],
    "dropped duplicates": lambda s, chance: once_each(s),
    "doubled sentences": lambda s, chance: [x for x in s for _ in range(1 + (chance.random() < 0.1))],
    "dropped and doubled": lambda s, chance: [
        x for x in s for _ in range(chance.choices((0, 1, 2), (1, 8, 1))[0])
    ],
    "a doubled block": lambda s, chance: [*s[:36], *s[16:24], *s[36:]],
    "common ones lost here and doubled there": lambda s, chance: [
        x for k, x in enumerate(s) if not (k < 24 and x in COMMON) for _ in range(1 + (k > 36 and x in COMMON))
    ],
    "another text": lambda s, chance: invent(9),
    "other sentences and other words": lambda s, chance: alter(
        [a + b for a, b in zip(s[::2], s[1::2], strict=True)], 0.05, chance
    ),
}  # fmt: skip
MOVED = {
    # changed text, sentences that moved at least
    "two neighbours swapped": (lambda s, chance: [*s[:30], s[31], s[30], *s[32:]], 1),
    "many neighbours swapped": (lambda s, chance: swap_neighbours(s, 7), 5),
    "a sentence moved far": (lambda s, chance: [*s[:8], *s[9:50], s[8], *s[50:]], 1),
    "a block moved": (lambda s, chance: [*s[:8], *s[20:50], *s[8:20], *s[50:]], 8),
    "halves swapped": (lambda s, chance: [*s[30:], *s[:30]], 20),
    "sorted": (lambda s, chance: sorted(s), 30),
    "shuffled": (lambda s, chance: chance.sample(s, len(s)), 30),
    "shuffled and altered": (lambda s, chance: alter(chance.sample(s, len(s)), 0.01, chance), 12),
}


def text(sentences, name):
    return evalign.Text("".join(" ".join(sentence) + "\n" for sentence in sentences), name)


def score(gold, system, **options):
    return evalign.score(text(gold, "gold.txt"), text(system, "system.txt"), **options)


def warned(result):
    return any("another order" in warning for warning in result.warnings)


@TEXTS
@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT)
def test_text_that_was_lost_doubled_or_altered_is_in_its_order(gold, change):
    system = change(gold, random.Random(3))
    for result in (score(gold, system), score(system, gold)):
        assert result.ledger.reordered == 0
        assert not warned(result)


@TEXTS
@pytest.mark.parametrize(("change", "least"), MOVED.values(), ids=MOVED)
def test_text_that_moved_is_warned_of(gold, change, least):
    system = change(gold, random.Random(3))
    result = score(gold, system)
    assert least <= result.ledger.reordered <= len(gold)
    assert warned(result)
    assert score(system, gold).ledger.reordered == result.ledger.reordered


def test_a_sentence_that_is_only_cut_otherwise_has_not_moved():
    gold = ["ab cd", "middle of it all", "ab", "cd", "the end"]
    system = ["ab", "cd", "middle of it all", "ab cd", "thx end"]
    assert evalign.score([s.split() for s in gold], [s.split() for s in system]).ledger.reordered == 0


# -- parts


@st.composite
def sides(draw):
    """What a part may say of a side: texts of sentences, some of them found."""
    n_credited = draw(st.integers(0, 3))
    hashes = sorted(draw(st.sets(st.integers(1, 9), max_size=6)))
    ranks = [draw(st.integers(REPEATED_TEXT, n_credited)) for _ in hashes]
    return SentenceRanks(np.array(hashes, np.uint64), np.array(ranks, np.int64), n_credited)


@given(st.lists(sides(), min_size=1, max_size=6), st.data())
def test_of_very_many_texts_a_sample_is_kept_that_does_not_depend_on_the_parts(parts, data):
    cut = data.draw(st.integers(0, len(parts)))
    both = [join_ranks(some, limit=3) for some in (parts[:cut], parts[cut:]) if some]
    joined, at_once = join_ranks(both, limit=3), join_ranks(parts, limit=3)
    assert [joined.hashes.tolist(), joined.ranks.tolist()] == [
        at_once.hashes.tolist(),
        at_once.ranks.tolist(),
    ]
    assert len(at_once.hashes) <= 3


@pytest.mark.parametrize("chunk", [500, 2_000])
def test_streamed_text_is_warned_of_as_the_whole(chunk, tmp_path):
    gold = invent(4, size=120)
    moved = [*gold[:30], *gold[40:90], *gold[30:40], *alter(gold[90:], 0.02, random.Random(1))]
    system = [*moved[:20], ["..."], *moved[21:]]
    for name, sentences in (("gold.txt", gold), ("system.txt", system)):
        (tmp_path / name).write_text(text(sentences, name).text, encoding="utf-8")
    paths = tmp_path / "gold.txt", tmp_path / "system.txt"
    whole, parts = evalign.score(*paths), evalign.score(*paths, stream=chunk)
    assert parts.ledger == whole.ledger
    assert parts.warnings == whole.warnings
    assert whole.ledger.reordered > 5
