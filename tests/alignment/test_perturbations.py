"""Large texts with many changes: what is still right is found, and what is not right is not credited.

The text is invented: its words are made of syllables and drawn by Zipf's law as in a language, and sentences
repeat.
"""

import random
from itertools import accumulate

import pytest

from alignment.counting import align, count, count_aligned, document, swapped
from evalign.alignment.character_alignment import comes_later, walk_characters
from evalign.alignment.fold import fold_document

pytestmark = pytest.mark.slow

SIZE = 3000


def invent_words(chance, syllables, size):
    """Distinct words; the first are short, as frequent words are."""
    words = {}
    while len(words) < size:
        length = 1 + chance.randrange(1 + min(3, len(words) // 60 + 1))
        words["".join(chance.choices(syllables, k=length))] = None
    return list(words)


def invent_sentences(seed, size=SIZE, consonants="bcdfghklmnprstvwz", vowels="aeiouy", repeated=0.05):
    """Sentences of 3 to 25 tokens that end in a mark; a share of them is said again and again."""
    chance = random.Random(seed)
    syllables = [c + v + end for c in consonants for v in vowels for end in ("", "", "n", "r", "s")]
    words = invent_words(chance, syllables, 4000)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))

    def sentence():
        tokens = chance.choices(words, cum_weights=weights, k=chance.randint(2, 24))
        if len(tokens) > 8:
            tokens.insert(chance.randint(2, len(tokens) - 2), ",")
        return [tokens[0].capitalize(), *tokens[1:], chance.choice(["."] * 8 + ["?", "!"])]

    boilerplate = [sentence() for _ in range(10)]
    return [chance.choice(boilerplate) if chance.random() < repeated else sentence() for _ in range(size)]


@pytest.fixture(scope="module")
def text():
    return invent_sentences(1)


@pytest.fixture
def chance():
    return random.Random(5)


def correct(counts):
    return {name: row[0] for name, row in counts.items()}


def n_tokens(sentences):
    return sum(map(len, sentences))


def test_duplicated_sentences_lose_no_gold_sentence(text, chance):
    system = [copy for sentence in text for copy in [sentence] * (1 + (chance.random() < 0.1))]
    counts = count(text, system)
    assert counts["sentences"] == (len(text), len(text), len(system))
    assert counts["tokens"][0] == n_tokens(text)
    assert count(system, text) == swapped(counts)


def test_missing_sentences_lose_no_other(text, chance):
    system = [sentence for sentence in text if chance.random() >= 0.1]
    counts = count(text, system)
    assert counts["sentences"] == (len(system), len(text), len(system))
    assert counts["tokens"][0] == n_tokens(system)


@pytest.mark.parametrize(("start", "end"), [(0, 0.5), (0.25, 0.75), (0.5, 1), (0.05, 0.95)])
def test_a_long_missing_stretch_loses_no_other(text, start, end):
    system = text[: int(start * len(text))] + text[int(end * len(text)) :]
    counts = count(text, system)
    # The text repeats itself: where a sentence comes again, the path may go on there and be a few sentences late.
    assert counts["sentences"][0] >= 0.98 * len(system)
    assert counts["tokens"][0] >= 0.98 * n_tokens(system)


def test_swapped_halves_keep_one_half(text):
    half = len(text) // 2
    counts = count(text, text[half:] + text[:half])
    assert half - 2 <= counts["sentences"][0] <= half + 2


def test_halves_of_unequal_size_keep_the_larger(text):
    third = len(text) // 3
    counts = count(text, text[third:] + text[:third])
    assert counts["sentences"][0] >= len(text) - third - 2


def test_neighbours_that_changed_places_lose_one_of_two(text, chance):
    system = list(text)
    swaps = 0
    for k in range(0, len(text) - 1, 2):
        if chance.random() < 0.2 and text[k] != text[k + 1]:
            system[k], system[k + 1] = text[k + 1], text[k]
            swaps += 1
    found = count(text, system)["sentences"][0]
    assert len(text) - swaps - 3 <= found <= len(text) - 0.95 * swaps


def n_short(text, system, replaced):
    """Replaced sentences of which either is too short to be told from a rewritten one (rule 5: twenty characters)."""
    pairs = zip(text, system, replaced, strict=True)
    return sum(min(len("".join(a)), len("".join(b))) < 20 for a, b, other in pairs if other)


def test_replaced_sentences_are_not_credited(text, chance):
    strangers = iter(invent_sentences(2, consonants="jxqzvpbg", vowels="ôûîâêé"))
    replaced = [chance.random() < 0.1 for _ in text]
    system = [next(strangers) if other else sentence for sentence, other in zip(text, replaced, strict=True)]
    found = count(text, system)["sentences"][0]
    untouched = len(text) - sum(replaced)
    assert untouched - 3 <= found <= untouched + n_short(text, system, replaced) + 0.02 * sum(replaced)


def test_sentences_replaced_by_others_of_the_same_language_are_hardly_credited(text, chance):
    strangers = iter(invent_sentences(3))
    replaced = [chance.random() < 0.1 for _ in text]
    system = [next(strangers) if other else sentence for sentence, other in zip(text, replaced, strict=True)]
    found = count(text, system)["sentences"][0]
    untouched = len(text) - sum(replaced)
    assert untouched - 3 <= found <= untouched + n_short(text, system, replaced) + 0.05 * sum(replaced)


def test_deleted_characters_cost_no_untouched_sentence(text, chance):
    system, untouched, untouched_tokens = [], 0, 0
    for sentence in text:
        kept = ["".join(c for c in token if chance.random() >= 0.02) for token in sentence]
        untouched += kept == sentence
        untouched_tokens += sum(a == b for a, b in zip(kept, sentence, strict=True))
        system.append([token for token in kept if token])
    counts = count(text, system)
    assert counts["sentences"][0] >= untouched
    assert counts["tokens"][0] >= 0.999 * untouched_tokens


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1])
def test_changed_characters_cost_their_own_tokens_only(text, chance, share):
    def spoil(token):
        return "".join(chance.choice("#%&") if chance.random() < share else c for c in token)

    system = [[spoil(token) for token in sentence] for sentence in text]
    untouched = sum(a == b for s, t in zip(text, system, strict=True) for a, b in zip(s, t, strict=True))
    counts = count(text, system)
    assert counts["tokens"][0] >= 0.998 * untouched
    assert counts["tokens_in_place"][0] >= (1 - share / 10) * n_tokens(text)
    assert counts["sentences"][0] >= (1 - share / 4) * len(text)


def test_unrelated_texts_share_almost_nothing(text):
    system = invent_sentences(9, consonants="jxqzvpbg", vowels="ôûîâêé")
    counts = count(text, system)
    assert counts["sentences"][0] <= 0.001 * len(text)
    assert counts["tokens_in_place"][0] <= 0.005 * n_tokens(text)


def test_other_text_of_the_same_language_shares_almost_no_sentence(text):
    counts = count(text, invent_sentences(4))
    assert counts["sentences"][0] <= 0.005 * len(text)
    assert counts["tokens"][0] <= 0.02 * n_tokens(text)


@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase])
def test_case_costs_no_place(text, change):
    system = [[change(token) for token in sentence] for sentence in text]
    counts = count(text, system)
    assert counts["sentences"][0] == len(text)
    assert counts["tokens_in_place"][0] == n_tokens(text)


def test_other_boundaries_count_as_on_equal_lines(text, chance):
    """One character that differs must not change what the boundaries are worth."""
    joined = []
    for sentence in text:
        if joined and chance.random() < 0.1:
            joined[-1] = joined[-1] + sentence
        else:
            joined.append(list(sentence))
    equal = count(text, joined)
    joined[len(joined) // 2] = [*joined[len(joined) // 2], "#"]
    differing = count(text, joined)
    assert equal["sentences"][0] - 1 <= differing["sentences"][0] <= equal["sentences"][0]
    assert differing["tokens"][0] == equal["tokens"][0]


def test_repeated_text_with_noise_stays_right(chance):
    text = invent_sentences(6, size=50) * 60

    def spoil(token):
        return "".join(chance.choice("aei") if chance.random() < 0.01 else c for c in token)

    counts = count(text, [[spoil(token) for token in sentence] for sentence in text])
    assert counts["sentences"][0] == len(text)
    assert counts["tokens_in_place"][0] >= 0.999 * n_tokens(text)


def test_repeated_text_with_lost_characters_stays_right(chance):
    text = invent_sentences(6, size=50) * 60
    system, untouched = [], 0
    for sentence in text:
        kept = ["".join(c for c in token if chance.random() >= 0.01) for token in sentence]
        untouched += kept == sentence
        system.append([token for token in kept if token])
    assert count(text, system)["sentences"][0] >= untouched


def test_one_repetition_less_loses_no_other():
    text = invent_sentences(6, size=50) * 20
    for system in (text[50:], text[:-50], text[:475] + text[525:]):
        assert count(text, system)["sentences"][0] == len(system)


def test_everything_at_once_is_the_same_both_ways(text, chance):
    strangers = iter(invent_sentences(8))
    system = []
    for sentence in text:
        kind = chance.random()
        if kind < 0.05:
            continue
        if kind < 0.1:
            system.append(next(strangers))
        elif kind < 0.15:
            system += [sentence, sentence]
        elif kind < 0.4:
            kept = ["".join(c for c in token if chance.random() >= 0.03) for token in sentence]
            system.append([token for token in kept if token] or ["x"])
        else:
            system.append(sentence)
    counts = count(text, system)
    assert count(system, text) == swapped(counts)
    assert counts["sentences"][0] >= 0.75 * len(text)


# Inputs that could take long. Tokens of five characters, sentences of ten tokens.


def cut(line):
    tokens = [line[k : k + 5] for k in range(0, len(line), 5)]
    return document([tokens[k : k + 10] for k in range(0, len(tokens), 10)])


def letters(seed, size, alphabet="abcdefghijklmnopqrstuvwxyz"):
    return "".join(random.Random(seed).choices(alphabet, k=size))


def parts(seed, size, length):
    return [letters(seed + k, length) for k in range(size // length)]


def islands(size, length, apart):
    """Two lines that share short stretches far apart."""
    shared = parts(1, size // (length + apart) * length, length)
    return tuple(
        "".join(letters(seed + k, apart) + part for k, part in enumerate(shared)) for seed in (5000, 9000)
    )


HARD = {
    "one character": lambda n: ("a" * n, "a" * (n - n // 200)),
    "two characters by turns, shifted": lambda n: ("ab" * (n // 2), "b" + "ab" * (n // 2 - 1)),
    "two characters by turns, some lost": lambda n: (
        "ab" * (n // 2),
        "".join(c for k, c in enumerate("ab" * (n // 2)) if k % 997),
    ),
    "two letters at random": lambda n: (letters(1, n, "ab"), letters(2, n, "ab")),
    "every tenth character lost": lambda n: (
        letters(1, n),
        "".join(c for k, c in enumerate(letters(1, n)) if k % 10),
    ),
    "reversed": lambda n: (letters(1, n), letters(1, n)[::-1]),
    "nothing in common": lambda n: ("a" * n, "b" * n),
    "other text": lambda n: (letters(1, n), letters(2, n)),
    "parts shuffled": lambda n: (
        "".join(parts(1, n, 300)),
        "".join(random.Random(1).sample(parts(1, n, 300), n // 300)),
    ),
    "every other part replaced": lambda n: (
        "".join(parts(1, n, 4000)),
        "".join(b if k % 2 else letters(70_000 + k, 4000) for k, b in enumerate(parts(1, n, 4000))),
    ),
    "short islands": lambda n: islands(n, 33, 567),
}


def points(gold, system):
    """Points of both lines that are looked at per character, which is what takes time."""
    gold, system = (fold_document(cut(side)) for side in (gold, system))
    lines = (system, gold) if comes_later(gold.codes, system.codes) else (gold, system)
    return walk_characters(*lines).points / len(gold.codes)


@pytest.mark.parametrize("kind", HARD)
def test_work_grows_with_the_text(kind):
    """Four times the text takes no more than eight times the work, and never many thousands of points a character."""
    short, long = points(*HARD[kind](20_000)), points(*HARD[kind](80_000))
    assert long < 2 * max(short, 200)
    assert long < 5_000


def test_very_long_tokens_take_no_longer():
    line = letters(1, 200_000)
    gold, system = (
        document([[line[:100_000], line[100_000:]]]),
        document([[line[:99_000] + line[99_001:100_000], line[100_000:]]]),
    )
    counts = count_aligned(align(gold, system))
    assert correct(counts) == {"sentences": 1, "tokens": 1, "tokens_in_place": 2}
