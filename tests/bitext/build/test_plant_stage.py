"""Pairs are planted completely or not at all, and each sentence in a place of its own."""

import numpy as np
from hypothesis import given, strategies as st

from evalign.bitext.build.config import Planting
from evalign.bitext.build.plant_stage import (
    PLANTING_KINDS,
    FreeSlots,
    KnownSentences,
    SplitIndex,
    plant_pairs,
    sift_pairs,
)
from evalign.bitext.build.rows import PairRow, hash_text, parse_planted
from evalign.bitext.languages import Language, count_units, index_terms
from evalign.bitext.search.query import Hit
from evalign.bitext.sentence_checks import fold_copy

LANGUAGES = (Language("fr", shortest=3, longest=6), Language("en", shortest=3, longest=6))
WORDS = ["ab", "cd", "ef", "gh"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=2, max_size=7).map(" ".join)
FITTING = st.lists(st.sampled_from(WORDS), min_size=3, max_size=6).map(" ".join)


class PlainIndex:
    """Looks at every sentence; the score is how many of the terms it has."""

    def __init__(self, sentences):
        self._terms = [set(terms) for terms in sentences]

    def search(self, query, most):
        found = [Hit(k, len(terms & set(query.terms))) for k, terms in enumerate(self._terms)]
        found = [hit for hit in found if hit.score >= query.minimum]
        return sorted(found, key=lambda hit: (-hit.score, hit.number))[:most]


def make_pair(number, texts):
    lengths = tuple(map(count_units, LANGUAGES, texts))
    return PairRow(0, f"p{number}", "d", lengths, (0, 0), texts)


def hashes(texts):
    return np.array([hash_text(text) for text in texts], np.uint64)


def plant(native, pairs, planting, *, apart=False):
    sides = tuple(
        SplitIndex(
            language,
            PlainIndex([index_terms(language, text) for text in texts]),
            np.array([count_units(language, text) for text in texts], np.int64),
            planting,
        )
        for language, texts in zip(LANGUAGES, native, strict=True)
    )
    known = KnownSentences(
        (hashes(native[0]), hashes(native[1])),
        hashes([fold_copy(text) for texts in native for text in texts]) if apart else None,
    )
    counts = dict.fromkeys(PLANTING_KINDS, 0)
    made = [make_pair(number, texts) for number, texts in enumerate(pairs)]

    def search(offer):
        return [*map(SplitIndex.find, sides, offer.pair.texts, offer.pair.lengths)]

    offers = sift_pairs(made, LANGUAGES, known, counts)
    # All are searched for before the first is planted, as where workers search.
    searched = [(offer, search(offer)) for offer in offers]
    free = tuple(FreeSlots(len(texts)) for texts in native)
    return list(plant_pairs(searched, free, known, counts)), counts


NATIVE = st.lists(FITTING, max_size=12, unique=True)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), max_size=20)
PLANTING = st.builds(
    Planting, st.sampled_from([0.5, 0.8, 1.0]), st.sampled_from([1.0, 1.2, 2.0]), st.integers(1, 5)
)


@given(st.tuples(NATIVE, NATIVE), PAIRS, PLANTING)
def test_what_is_planted_keeps_every_promise(native, pairs, planting):
    planted, counts = plant(native, pairs, planting)
    for side in range(2):
        places = [each.places[side].number for each in planted]
        texts = [each.pair.texts[side] for each in planted]
        assert len(set(places)) == len(places), "a place is used once"
        assert len(set(texts)) == len(texts), "a sentence is planted once"
        assert not set(texts) & set(native[side]), "and is not there already"
        for each in planted:
            length, found = (
                each.pair.lengths[side],
                count_units(LANGUAGES[side], native[side][each.places[side].number]),
            )
            assert 3 <= length <= 6
            assert planting.shortest_ratio <= length / found <= planting.longest_ratio
    assert all(each.pair.texts[0] != each.pair.texts[1] for each in planted)
    assert counts["offered"] == len(pairs)
    assert counts["planted"] == len(planted)
    assert counts["planted"] <= min(counts["first found"], counts["second found"])
    assert counts["fitting"] >= counts["untranslated"] + counts["known"] + counts["planted"]


SHOUTED = st.tuples(SENTENCES, st.sampled_from([str.upper, str.title, "{}!".format])).map(
    lambda drawn: drawn[1](drawn[0])
)


@given(st.tuples(NATIVE, NATIVE), st.lists(st.tuples(SHOUTED, SHOUTED), max_size=20), PLANTING)
def test_no_copy_of_a_sentence_is_planted_in_either_language(native, pairs, planting):
    planted, counts = plant(native, pairs, planting, apart=True)
    there = [text.lower() for texts in native for text in texts]
    there += [text.lower().rstrip("!") for each in planted for text in each.pair.texts]
    natives = {text.lower() for texts in native for text in texts}
    added = there[sum(map(len, native)) :]
    assert len(set(added)) == len(added), "no two planted sentences are copies of each other"
    assert not natives & set(added), "and none is a copy of a native one"
    assert counts["offered"] == len(pairs)


@given(st.tuples(NATIVE, NATIVE), PAIRS)
def test_rows_are_read_as_they_were_written(native, pairs):
    for each in plant(native, pairs, Planting())[0]:
        assert parse_planted(each.line()[:-1]) == each


def test_the_best_free_place_of_the_right_length_is_taken():
    native = (["ab cd ef gh ab cd", "ab cd ef", "ab cd gh"], ["ab cd ef"] * 1 + ["gh gh ab", "gh cd ab"])
    pairs = [("ab cd ef ab", "gh ab ab cd"), ("ef cd ab", "ab gh cd"), ("cd ab ef", "cd gh ab ab")]
    planted, counts = plant(native, pairs, Planting(0.7, 1.4, 5))
    # The first native sentence has all terms too, but is too long for the first pair.
    assert [each.places[0].number for each in planted] == [1, 2]
    assert counts["planted"] == 2
    assert counts["first found"] == 2
