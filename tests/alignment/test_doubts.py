"""Text whose sentences resemble each other, and text with marks: all that is left finds its own place."""

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import evalign
from alignment.lines import fold
from evalign.alignment.character_alignment import PathWalker, comes_later, walk_characters
from evalign.kernels import align_cy, is_compiled, load_plain
from written import FORMS, fill_in, invent_words, mix

# Both forms find the same path (a test below); the plain one takes seconds for a long text.
LONG_TEXT = pytest.mark.once
SIZES = [20, pytest.param(60, marks=LONG_TEXT), pytest.param(300, marks=LONG_TEXT)]


def misplaced(gold, kept):
    """How many gold sentences are lost, or in the place of another; `kept` are those of the system, in order."""
    pairs = evalign.align(gold, [gold[k] for k in kept]).sentence_pairs
    return sum(kept[pair] != k if pair >= 0 else k in set(kept) for k, pair in enumerate(map(int, pairs)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 3, 8])
def test_missing_and_doubled_sentences_take_no_other_from_its_place(form, size, count):
    gold = fill_in(form, range(size))
    numbers = list(range(size))
    for place in (0, size // 3, size - count):
        assert misplaced(gold, numbers[:place] + numbers[place + count :]) == 0
        assert misplaced(gold, numbers[: place + count] + numbers[place:]) == 0


def test_a_text_of_one_sentence_lacks_one_at_most():
    gold = [["a", "b", "."]] * 3000
    result = evalign.score(gold, gold[1:], metrics=["sentences", "tokens"])
    assert (result["sentences"].correct, result["tokens"].correct) == (2999, 3 * 2999)


def find_doubts(gold, system):
    """The points that the walk was doubted at, and the walk."""
    first, second = fold(gold), fold(system)
    walker = PathWalker(*((second, first) if comes_later(first.codes, second.codes) else (first, second)))
    doubts, correct = [], walker._correct

    def note(start, doubt, end):
        doubts.append(doubt)
        return correct(start, doubt, end)

    walker._correct = note
    return doubts, walker.walk()


def test_no_path_through_ordinary_text_is_doubted():
    gold = invent_words(random.Random(1), 100)
    system = [[token.replace("a", "e") for token in sentence] for sentence in gold]
    assert find_doubts(gold, system)[0] == []


def test_a_character_that_is_repeated_raises_no_doubt():
    gold = invent_words(random.Random(2), 20)
    system = [*gold[:10], ["_" * 100 + "x" + "_" * 100], *gold[10:]]
    gold = [*gold[:10], ["_" * 201], *gold[10:]]
    assert find_doubts(gold, system)[0] == []


def test_a_path_that_goes_on_beside_the_right_one_is_doubted():
    gold = fill_in(FORMS[0], range(60))
    doubts, _ = find_doubts(gold, gold[1:])
    assert doubts


def test_text_farther_away_than_is_looked_raises_no_doubt():
    rng = random.Random(3)
    gold = [*fill_in(FORMS[0], range(2)), *invent_words(rng, 150)]
    assert sum(map(len, (token for sentence in gold for token in sentence))) > 5000
    system = [["Station", "1", "measured", "1", "degrees", "at", "noon", "."], *gold[1:], gold[0]]
    assert find_doubts(gold, system)[0] == []


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 1 << 30), st.booleans(), st.sampled_from([None, 64, 2000]))
def test_both_forms_doubt_the_same_paths(seed, find_ends, window):
    gold, system = mix(random.Random(seed), 1)
    lines = fold(gold), fold(system)
    walk = walk_characters(*lines, window, find_ends=find_ends)
    plain = load_plain("align_cy") if align_cy.is_compiled() else align_cy
    other = PathWalker(*lines, window, find_ends=find_ends, finder=plain.PathFinder).walk()
    for one, two in zip(walk, other, strict=True):
        assert np.array_equal(one, two)


@settings(max_examples=40 if is_compiled() else 4, deadline=None)
@given(st.integers(0, 1 << 30))
def test_swapping_the_sides_swaps_the_counts_of_mixed_text(seed):
    gold, system = mix(random.Random(seed), 2)
    there, back = (
        evalign.score(*pair, metrics=["sentences", "tokens"]) for pair in ((gold, system), (system, gold))
    )
    for metric in ("sentences", "tokens"):
        assert there[metric].correct == back[metric].correct


MARKS = {
    "behind": "{0}_{1}".format,
    "in front": "{1}_{0}".format,
    "twice": "{0}/{0}/{1}".format,
}


@LONG_TEXT
@pytest.mark.parametrize("way", MARKS)
@pytest.mark.parametrize("size", [5, 7, 11, 15])
def test_marks_of_any_length_cost_no_sentence(way, size):
    rng = random.Random(size)
    tags = ["".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=size)) for _ in range(17)]
    gold = [[f"{token}{token[::-1]}" for token in sentence] for sentence in invent_words(rng, 300)]
    system = [[MARKS[way](token, rng.choice(tags)) for token in sentence] for sentence in gold]
    assert evalign.score(gold, system, metrics=["sentences"])["sentences"].correct >= 0.99 * len(gold)


@LONG_TEXT
def test_doubled_words_cost_no_sentence():
    rng = random.Random(5)
    gold = invent_words(rng, 300)
    system = [
        [copy for t in sentence for copy in ([t, t] if rng.random() < 0.2 else [t])] for sentence in gold
    ]
    assert misplaced_pairs(gold, system) == 0


def misplaced_pairs(gold, system):
    """How many sentences have no partner, or the partner of another one."""
    return sum(int(pair) != k for k, pair in enumerate(evalign.align(gold, system).sentence_pairs))
