"""Parts of two texts that are aligned separately are aligned as they are within the whole."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalign.alignment.align import PartContext, align_documents
from evalign.alignment.cut_points import find_cuts
from evalign.alignment.places import NOWHERE
from evalign.document import document_from_sentences
from evalign.kernels import is_compiled
from written import distort, invent, invent_words, mix, replace_letters


@st.composite
def texts(draw):
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    gold = invent(rng, draw(st.integers(1, 60)))
    return gold, distort(rng, gold, draw(st.sampled_from([0.0, 0.02, 0.1, 0.4])))


def split(sentences, cuts):
    return [document_from_sentences(sentences[a:b]) for a, b in pairwise([0, *cuts.tolist(), len(sentences)])]


def places(side, before):
    """Starts and ends of tokens and sentences in places, counted from before the part."""
    columns = side.places[:4]
    return [np.where(column == NOWHERE, NOWHERE, column + before) for column in columns]


@settings(max_examples=150 if is_compiled() else 15)
@given(texts(), st.sampled_from([None, 64, 500]), st.booleans())
def test_parts_are_aligned_as_in_the_whole(pair, window, turned):
    check_parts(*(pair[::-1] if turned else pair), window)


@settings(max_examples=40 if is_compiled() else 2, deadline=None)
@given(st.integers(0, 1 << 30))
def test_parts_of_mixed_text_are_aligned_as_in_the_whole(seed):
    check_parts(*mix(random.Random(seed)))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.integers(0, 1 << 30))
def test_parts_of_mixed_text_are_aligned_as_in_the_whole_in_many_cases(seed):
    check_parts(*mix(random.Random(seed)))


def check_parts(gold, system, window=None):
    """Assert that the parts between all cuts together are aligned as the whole."""
    whole = document_from_sentences(gold), document_from_sentences(system)
    cuts = find_cuts(*whole, window=window)
    if cuts.lost is not None:
        return
    together = align_documents(*whole, differing=PartContext(window, cuts.swap))
    parts = [
        align_documents(*part, differing=PartContext(window, cuts.swap))
        for part in zip(split(gold, cuts.gold), split(system, cuts.system), strict=True)
    ]
    before = np.cumsum([0, *(part.n_places for part in parts)])
    assert before[-1] == together.n_places
    for side in ("gold", "system"):
        found = [places(getattr(part, side), at) for part, at in zip(parts, before, strict=False)]
        for column, wanted in zip(zip(*found, strict=True), getattr(together, side).places[:4], strict=True):
            assert np.concatenate(column).tolist() == wanted.tolist()
    for name in ("equal", "rewritten", "gold_only", "system_only"):
        assert sum(getattr(part.tolerated, name) for part in parts) == getattr(together.tolerated, name)


@settings(max_examples=40 if is_compiled() else 8)
@given(texts(), st.integers(0, 60))
def test_what_can_be_cut_does_not_depend_on_what_comes_later(pair, size):
    check_beginning(*pair, size)


@settings(max_examples=40 if is_compiled() else 2, deadline=None)
@given(st.integers(0, 1 << 30), st.integers(0, 400))
def test_what_can_be_cut_of_mixed_text_does_not_depend_on_what_comes_later(seed, size):
    check_beginning(*mix(random.Random(seed)), size)


def check_beginning(gold, system, size):
    """Assert that the cuts in the first `size` sentences of two texts are cuts of the whole."""
    whole = find_cuts(document_from_sentences(gold), document_from_sentences(system))
    beginnings = [document_from_sentences(sentences[:size]) for sentences in (gold, system)]
    early = find_cuts(*beginnings, swap=whole.swap)
    found = set(zip(whole.gold.tolist(), whole.system.tolist(), strict=True))
    assert set(zip(early.gold.tolist(), early.system.tolist(), strict=True)) <= found


def test_equal_texts_can_be_cut_between_most_sentences():
    sentences = invent(random.Random(1), 200)
    document = document_from_sentences(sentences)
    assert len(find_cuts(document, document, window=64).gold) > 150


@pytest.mark.once  # the plain kernels take ten seconds
@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1, 0.3])
def test_noisy_texts_can_be_cut_every_5000_characters(rate):
    rng = random.Random(2)
    gold = invent_words(rng, 2500)
    system = replace_letters(rng, gold, rate)
    cuts = find_cuts(document_from_sentences(gold), document_from_sentences(system))
    assert len(cuts.gold) > sum(map(len, (token for sentence in gold for token in sentence))) / 5000


@pytest.mark.once
def test_a_search_that_ended_at_the_window_is_told_whatever_it_found():
    rng = random.Random(5)
    shared, inserted = invent_words(rng, 100), invent_words(rng, 200)
    gold, system = shared, [*shared[:50], *inserted, *shared[50:]]
    documents = document_from_sentences(gold), document_from_sentences(system)
    assert len(find_cuts(*documents).bounded) == 0
    for window in (1000, 9000):
        cuts = find_cuts(*documents, window=window)
        # The search begins some characters before the text that was put in.
        assert 45 <= cuts.bounded[0] <= 50
        assert (cuts.lost is None) == (window == 9000)


def test_texts_that_have_nothing_in_common_within_the_window_are_lost():
    rng = random.Random(3)
    gold = [["".join(rng.choices("abcdefgh", k=6)) for _ in range(8)] for _ in range(100)]
    system = [["".join(rng.choices("stuvwxyz", k=6)) for _ in range(8)] for _ in range(100)]
    same = invent(rng, 20)
    cuts = find_cuts(
        document_from_sentences(same + gold), document_from_sentences(same + system), window=1000
    )
    assert cuts.lost == (40, 40)  # sentences of 48 characters, as many as end within 1,000
    assert len(cuts.gold) > 5
