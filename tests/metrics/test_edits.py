"""Edit distance of any sequences and texts, and of blocks too large to be compared as a whole."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.metrics.edits import EditLimits, bound_distance, count_edits
from evalign.metrics.registry import METRICS
from metrics.comparisons import compare, count
from oracles.metrics import boundary_string, levenshtein, tokens_of
from strategies import two_texts

SEQUENCES = st.text(st.sampled_from("aab"), max_size=200)

VECTORS = [
    # source, one, other, distance
    ("Levenshtein 1966: deletions, insertions, reversals", "kitten", "sitting", 3),
    ("by hand: two words for one", ["can", "not"], ["cannot"], 2),
    ("by hand: shifted by one", "abababab", "babababa", 2),
    ("by hand: three replacements", "abcabc", "xbyabz", 3),
    ("convention: nothing against nothing", "", "", 0),
    ("convention: nothing against something", "", "abc", 3),
]


@pytest.mark.parametrize(("source", "one", "other", "distance"), VECTORS, ids=[row[0] for row in VECTORS])
def test_distance(source, one, other, distance):
    assert bound_distance(one, other) == (distance, True)
    assert bound_distance(other, one) == (distance, True)


@given(SEQUENCES, SEQUENCES)
def test_distance_is_levenshtein(one, other):
    assert bound_distance(one, other) == (levenshtein(one, other), True)


@given(SEQUENCES, SEQUENCES, st.sampled_from([1, 2, 5, 70]))
def test_a_narrow_band_widens_until_it_is_exact(one, other, band):
    limits = EditLimits(first_band=band, wide_band=0)
    assert bound_distance(one, other, limits=limits) == (levenshtein(one, other), True)


@given(SEQUENCES, SEQUENCES, st.integers(1, 100), st.integers(0, 1 << 18))
def test_a_search_that_is_given_up_never_gives_too_little(one, other, band, most_steps):
    limits = EditLimits(most_steps=most_steps, first_band=band, wide_band=0)
    found, is_exact = bound_distance(one, other, limits=limits)
    distance = levenshtein(one, other)
    assert found == distance if is_exact else found >= distance


def by_block(comparison):
    """Both distances from the blocks themselves."""
    gold, system = list(comparison.gold), list(comparison.system)
    found = np.zeros(2, int)
    for ours, theirs in comparison.alignment.blocks:
        left, right = gold[ours.start : ours.stop], system[theirs.start : theirs.stop]
        found += (
            levenshtein(tokens_of(left), tokens_of(right)),
            levenshtein(boundary_string(left), boundary_string(right)),
        )
    return tuple(found.tolist())


@given(two_texts(60))
def test_distances_are_levenshtein_of_each_block_where_texts_differ(pair):
    comparison = compare(pair.gold, pair.system)
    counts = count("edit-distance", comparison)
    assert (counts["distance"], counts["boundary_distance"]) == by_block(comparison)


def count_within(comparison, limits):
    """The sum over units, by field, where large blocks are cut."""
    table = count_edits(comparison, limits)
    return dict(zip(METRICS["edit-distance"].fields, table.sum(axis=0).tolist(), strict=True))


@given(two_texts(60))
def test_a_block_in_pieces_is_never_nearer(pair):
    comparison = compare(pair.gold, pair.system)
    whole = count("edit-distance", comparison)
    pieces = count_within(comparison, EditLimits(most_steps=0, piece=8))
    for field in ("distance", "boundary_distance"):
        assert pieces[field] >= whole[field]
    assert pieces["distance"] <= max(comparison.gold.n_tokens, comparison.system.n_tokens) + whole["distance"]


def make_block(size, *, seed):
    """One block of many tokens, some of them split and some joined on the system side."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefg", k=chance.randint(1, 6))) for _ in range(500)]
    gold = [chance.choice(words) for _ in range(size)]
    system = []
    for token in gold:
        kind = chance.random()
        if kind < 0.05 and len(token) > 1:
            system += [token[:1], token[1:]]
        elif kind < 0.1 and system:
            system[-1] += token
        else:
            system.append(token)
    half = size // 2
    return [gold[:half], gold[half:]], [system]


@pytest.mark.parametrize("size", [300, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_large_block_is_exact(size):
    gold, system = make_block(size, seed=1)
    comparison = compare(gold, system)
    counts = count("edit-distance", comparison)
    assert (counts["distance"], counts["boundary_distance"]) == by_block(comparison)


def test_a_large_block_in_pieces_comes_near():
    gold, system = make_block(4000, seed=2)
    comparison = compare(gold, system)
    exact = count("edit-distance", comparison)
    pieces = count_within(comparison, EditLimits(most_steps=1 << 20))
    for field in ("distance", "boundary_distance"):
        assert exact[field] <= pieces[field] <= 1.02 * exact[field]


def test_tokens_that_an_exception_list_rewrote_are_compared_as_they_were():
    gold, system = [["I", "ca", "n't", "x"]], [["I", "can", "not", "y"]]
    exceptions = {"ca": "can", "n't": "not"}
    assert count("edit-distance", compare(gold, system, exceptions=exceptions))["distance"] == 3
    credited = compare(gold, system, exceptions=exceptions, credit_exceptions=True)
    assert count("edit-distance", credited)["distance"] == 1
