"""Word pairs equal those of the CoNLL 2018 evaluation."""

import tracemalloc
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.kernels import forms, load_plain
from forms import both_forms
from oracles.words import Word, pair_inside, pair_words, words_of
from strategies import with_multiwords

kernel = both_forms("words_cy")


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


@given(documents=with_multiwords())
def test_pairs_are_those_of_the_oracle(kernel, documents):
    gold, system = words_of(documents.gold), words_of(documents.system)
    assert pairs_of(kernel, gold, system) == pair_words(documents.gold, documents.system)


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


@given(gold=ascending_words(), system=ascending_words())
def test_pairs_ascend_wherever_the_words_lie(kernel, gold, system):
    pairs = checked_pairs(kernel, gold, system)
    assert [s for _, s in pairs] == sorted({s for _, s in pairs})
    for g, s in pairs:
        mine, theirs = gold[g], system[s]
        by_place = (mine.start, mine.end) == (theirs.start, theirs.end)
        assert by_place or mine.form.lower() == theirs.form.lower()


@given(words=ascending_words())
def test_words_pair_with_themselves(kernel, words):
    assert checked_pairs(kernel, words, words) == [(k, k) for k in range(len(words))]


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


def test_an_empty_multiword_token_is_walked_past(kernel):
    words = [plain(0, 2), *multiword(2, 2, "ab"), plain(2, 4)]
    assert checked_pairs(kernel, words, words) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert checked_pairs(kernel, words, [plain(0, 2), plain(2, 4)]) == [(0, 0), (3, 1)]
    assert checked_pairs(kernel, [plain(0, 2), plain(2, 4)], words) == [(0, 0), (1, 3)]


def test_an_empty_plain_word_costs_no_other(kernel):
    assert checked_pairs(kernel, [plain(0, 1), plain(1, 2)], [plain(0, 1), plain(1, 1), plain(1, 2)]) == [
        (0, 0),
        (1, 2),
    ]
    assert checked_pairs(kernel, [plain(0, 1), plain(1, 1), plain(1, 2)], [plain(0, 1), plain(1, 2)]) == [
        (0, 0),
        (2, 1),
    ]


FORMS = st.one_of(*(st.lists(st.integers(0, most), max_size=24) for most in (1, 2, 5, 30)))


def pairs_by_table(gold, system):
    """The pairs of two sequences of forms that the kernel finds."""
    left, right = np.array(gold, np.int32), np.array(system, np.int32)
    partners = np.full(len(gold), -1, np.int32)
    spans = np.array([[0, len(gold), 0, len(system)]], np.int32)
    room = np.empty(len(system) + 1, np.int32), np.empty(len(gold) * len(system) // 8 + 1, np.uint8)
    load_plain("words_cy").pair_forms(left, right, spans, 1, *room, partners)
    return [(g, s) for g, s in enumerate(partners.tolist()) if s >= 0]


@pytest.mark.issue(15)
@pytest.mark.parametrize("most", [0, 3, 2000])
@given(gold=FORMS, system=FORMS)
def test_many_words_pair_as_few_do(most, gold, system):
    """By their differences, or, if these are too many, by rows of bits."""
    with mock.patch.object(forms, "MOST_DIFFERENCES", most), mock.patch.object(forms, "_FEW_PLACES", 2):
        assert forms.pair_long(gold, system) == pairs_by_table(gold, system)


@pytest.mark.issue(15)
@given(
    sides=st.lists(st.tuples(FORMS, FORMS), max_size=4),
    largest=st.sampled_from([0, 1, 20, 1 << 22]),
)
def test_stretches_pair_the_same_whatever_their_size(sides, largest):
    gold = np.array([form for side in sides for form in side[0]], np.int32)
    system = np.array([form for side in sides for form in side[1]], np.int32)
    cuts = np.cumsum([[0, 0], *([len(side[0]), len(side[1])] for side in sides)], axis=0)
    spans = np.array([[a[0], b[0], a[1], b[1]] for a, b in pairwise(cuts)], np.int32)
    partners = np.full(len(gold), -1, np.int32)
    before = spans.reshape(-1, 4).copy()
    with mock.patch.object(forms, "LARGEST_TABLE", largest):
        forms.pair_stretches(gold, system, before, len(spans), partners)
    expected = [
        (int(a[0]) + g, int(a[1]) + s)
        for a, side in zip(cuts, sides, strict=False)
        for g, s in pairs_by_table(*side)
    ]
    assert [(g, s) for g, s in enumerate(partners.tolist()) if s >= 0] == expected
    assert (before == spans.reshape(-1, 4)).all()


@pytest.mark.slow
@pytest.mark.issue(15)
@pytest.mark.parametrize("size", [20_000, 40_000])
def test_a_very_long_multiword_token_takes_memory_for_its_words_alone(size):
    """A table would take a bit for each pair: 50 MB and 200 MB."""
    words = list(range(size))
    changed = [-1, *words[1 : size // 2], -2, *words[size // 2 + 1 :], -3]
    tracemalloc.start()
    pairs = forms.pair_long(words, changed)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(pairs) == size - 2
    assert peak < 500 * size
