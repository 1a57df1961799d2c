"""Word pairs are those of the CoNLL 2018 evaluation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalign.kernels import load_plain
from forms import IMPLEMENTATIONS
from oracles.words import Word, pair_inside, pair_words, words_of
from strategies import with_multiwords


def columns(words):
    """Starts, ends and multiword flags as the kernel wants them."""
    return (
        np.array([word.start for word in words], np.int32),
        np.array([word.end for word in words], np.int32),
        np.array([word.in_multiword for word in words], np.uint8),
    )


def walk(kernel, gold, system):
    """Partners of plain words, and the stretches left to be paired by form."""
    partners = np.empty(len(gold), np.int32)
    stretches = np.empty((len(gold) + len(system) + 1, 4), np.int32)
    count = kernel.walk_words(*columns(gold), *columns(system), partners, stretches)
    return partners, stretches[:count]


def checked_pairs(kernel, gold, system):
    """All pairs, found in the plain form first: it checks its bounds, and the other must agree."""
    expected = pairs_of(load_plain("words_cy"), gold, system)
    assert pairs_of(kernel, gold, system) == expected
    return expected


def pairs_of(kernel, gold, system):
    """All pairs of gold and system word numbers."""
    partners, stretches = walk(kernel, gold, system)
    numbers = {}
    forms = [
        np.array([numbers.setdefault(word.form.lower(), len(numbers)) for word in words], np.int32)
        for words in (gold, system)
    ]
    lengths = np.empty(len(system) + 1, np.int32)
    table = np.full(len(gold) * len(system) // 8 + 1, 0xA5, np.uint8)  # what was in it must not matter
    kernel.pair_forms(*forms, stretches, len(stretches), lengths, table, partners)
    return [(g, s) for g, s in enumerate(partners.tolist()) if s >= 0]


def multiword(start, end, forms):
    return [Word(start, end, form, in_multiword=True) for form in forms]


def plain(start, end, form="x"):
    return Word(start, end, form, in_multiword=False)


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@given(documents=with_multiwords())
def test_pairs_are_those_of_the_oracle(kernel, documents):
    gold, system = words_of(documents.gold), words_of(documents.system)
    assert pairs_of(kernel, gold, system) == pair_words(documents.gold, documents.system)


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@given(gold=st.lists(st.integers(0, 3), max_size=9), system=st.lists(st.integers(0, 3), max_size=9))
def test_inside_one_multiword_token_forms_pair_by_longest_common_subsequence(kernel, gold, system):
    left, right = multiword(0, 5, map(str, gold)), multiword(0, 5, map(str, system))
    assert pairs_of(kernel, left, right) == pair_inside(left, right)


TIES = [
    # by hand, from the read-out: equal forms at once, else a gold word is dropped if that loses nothing
    ("the first of two equal ones", "a", "aa", [(0, 0)]),
    ("gold's first of two equal ones", "aa", "a", [(0, 0)]),
    ("gold is dropped first", "ab", "ba", [(1, 0)]),
    ("dropping gold would lose one", "abc", "bcabc", [(0, 2), (1, 3), (2, 4)]),
    ("nothing in common", "ab", "cd", []),
    ("case does not matter", "A", "a", [(0, 0)]),
    ("no words on one side", "a", "", []),
]


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@pytest.mark.parametrize(("why", "gold", "system", "pairs"), TIES, ids=[row[0] for row in TIES])
def test_ties_are_read_out_from_the_left(kernel, why, gold, system, pairs):
    assert pairs_of(kernel, multiword(0, 3, gold), multiword(0, 3, system)) == pairs


@st.composite
def ascending_words(draw):
    """Words in shared places, as where the lines differ: with holes, an empty token now and then."""
    words, at = [], 0
    for _ in range(draw(st.integers(0, 6))):
        at += draw(st.integers(0, 2))
        end = at + draw(st.integers(0, 3))
        inner = draw(st.lists(st.sampled_from("abA"), max_size=3))
        words += multiword(at, end, inner) if inner else [plain(at, end, draw(st.sampled_from("abA")))]
        at = end
    return words


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@given(gold=ascending_words(), system=ascending_words())
def test_pairs_ascend_wherever_the_words_lie(kernel, gold, system):
    pairs = checked_pairs(kernel, gold, system)
    assert [s for _, s in pairs] == sorted({s for _, s in pairs})
    for g, s in pairs:
        mine, theirs = gold[g], system[s]
        by_place = (mine.start, mine.end) == (theirs.start, theirs.end)
        assert by_place or mine.form.lower() == theirs.form.lower()


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@given(words=ascending_words())
def test_words_pair_with_themselves(kernel, words):
    assert checked_pairs(kernel, words, words) == [(k, k) for k in range(len(words))]


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
@given(gold=ascending_words(), system=ascending_words())
def test_stretches_lie_apart_and_hold_all_words_of_their_multiword_tokens(kernel, gold, system):
    checked_pairs(kernel, gold, system)
    _, stretches = walk(kernel, gold, system)
    for row in stretches.tolist():
        assert row[0] <= row[1]
        assert row[2] <= row[3]
        assert (row[1] - row[0]) + (row[3] - row[2]) > 0
    for before, behind in zip(stretches.tolist(), stretches.tolist()[1:], strict=False):
        assert before[1] <= behind[0]
        assert before[3] <= behind[2]


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
def test_an_empty_multiword_token_is_walked_past(kernel):
    words = [plain(0, 2), *multiword(2, 2, "ab"), plain(2, 4)]
    assert checked_pairs(kernel, words, words) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert checked_pairs(kernel, words, [plain(0, 2), plain(2, 4)]) == [(0, 0), (3, 1)]
    assert checked_pairs(kernel, [plain(0, 2), plain(2, 4)], words) == [(0, 0), (1, 3)]


@pytest.mark.parametrize("kernel", IMPLEMENTATIONS("words_cy"))
def test_an_empty_plain_word_costs_no_other(kernel):
    assert checked_pairs(kernel, [plain(0, 1), plain(1, 2)], [plain(0, 1), plain(1, 1), plain(1, 2)]) == [
        (0, 0),
        (1, 2),
    ]
    assert checked_pairs(kernel, [plain(0, 1), plain(1, 1), plain(1, 2)], [plain(0, 1), plain(1, 2)]) == [
        (0, 0),
        (2, 1),
    ]
