"""The lexical baseline: terms, links, candidates, scores and the choice of pairs."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.languages import find_language
from evalign.bitext.mining.candidates import Candidates, choose_pairs, take_ratios
from evalign.bitext.mining.lexical import (
    MOST_LINKS,
    LinkedCorpora,
    encode_corpus,
    find_candidates,
    link_terms,
    relative_strengths,
    reverse_links,
    score_coverage,
    strip_accents,
    word_likeness,
)
from evalign.bitext.mining.lexicon import Lexicon
from evalign.bitext.mining.word_cutter import Cutter, find_expressions
from evalign.bitext.workers import Broadcast
from oracles import bitext_mining as oracle

FIRST, SECOND = ["à", "è", "ì", "7"], ["x", "y", "z", "7"]
shares = st.sampled_from([0.05, 0.3, 0.5, 1.0])
sentences_of = {
    side: st.lists(st.lists(st.sampled_from(side), max_size=4), min_size=1, max_size=5)
    for side in map(tuple, (FIRST, SECOND))
}
tables = [
    st.dictionaries(
        st.sampled_from(one), st.dictionaries(st.sampled_from(two), shares, max_size=3), max_size=4
    )
    for one, two in ((FIRST, SECOND), (SECOND, FIRST))
]
scored = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.sampled_from([0.125, 0.25, 0.5, 1.0, 0.3]),
    max_size=12,
)


def as_candidates(scores):
    pairs = sorted(scores)
    return Candidates(
        np.array([pair[0] for pair in pairs], np.int64),
        np.array([pair[1] for pair in pairs], np.int64),
        np.array([scores[pair] for pair in pairs], float),
    )


def as_dict(candidates):
    pairs = zip(candidates.first.tolist(), candidates.second.tolist(), strict=True)
    return dict(zip(pairs, candidates.scores.tolist(), strict=True))


def strengths(forward, backward, weights):
    """In both directions, of a word and a translation; what is written alike is one too."""
    there = {(a, b): share for a, links in forward.items() for b, share in relative_strengths(links).items()}
    back = {(a, b): share for b, links in backward.items() for a, share in relative_strengths(links).items()}
    there["7", "7"] = back["7", "7"] = 1.0
    found = {}, {}
    for a, b in there.keys() | back.keys():
        if a in weights[0] and b in weights[1]:
            factor = math.exp(-abs(weights[0][a] - weights[1][b]) / 4)
            both = there.get((a, b), 0.0) * factor, back.get((a, b), 0.0) * factor
            if max(both) >= 0.1:
                found[0][a, b], found[1][b, a] = both
    return found


@given(sentences_of[tuple(FIRST)], sentences_of[tuple(SECOND)], *tables)
def test_scores_and_candidates_are_those_of_all_pairs(first, second, forward, backward):
    one, two = encode_corpus(first), encode_corpus(second)
    links = link_terms(one, two, Lexicon(forward, backward))
    weights = oracle.idf(first), oracle.idf(second)
    there, back = strengths(forward, backward, weights)
    expected = {
        (i, j): oracle.harmonic(
            oracle.coverage(a, b, there, weights[0]), oracle.coverage(b, a, back, weights[1])
        )
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    }
    pairs = find_candidates(Broadcast(LinkedCorpora(one, two, links)), most=10)
    scores = score_coverage(one, two, links, pairs)
    found = dict(zip(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True), scores.tolist(), strict=True))
    for pair, score in expected.items():
        assert found.get(pair, 0.0) == pytest.approx(score, abs=1e-9)


def test_only_so_many_candidates_of_each_sentence():
    one = encode_corpus([["a"]] * 3)
    two = encode_corpus([["a", f"n{number}"] for number in range(50)])
    links = link_terms(one, two, Lexicon({}, {}))
    first, second = find_candidates(Broadcast(LinkedCorpora(one, two, links)), most=1)
    # One for each first sentence, always the first of equals, and one for each second.
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == {(0, j) for j in range(50)} | {
        (1, 0),
        (2, 0),
    }


def test_a_sentence_without_terms_has_no_candidate():
    one, two = encode_corpus([[], ["a"]]), encode_corpus([["a"], []])
    links = link_terms(one, two, Lexicon({}, {}))
    first, second = find_candidates(Broadcast(LinkedCorpora(one, two, links)), most=3)
    assert (first.tolist(), second.tolist()) == ([1], [0])


def test_corpora_without_a_link_have_no_candidate():
    one, two = encode_corpus([["a"]]), encode_corpus([["b"]])
    links = link_terms(one, two, Lexicon({}, {}))
    assert len(find_candidates(Broadcast(LinkedCorpora(one, two, links)), most=3)[0]) == 0


def test_links_turned_twice_are_the_same():
    one, two = encode_corpus([["a", "b", "chat"]]), encode_corpus([["x", "a", "chats"]])
    links = link_terms(one, two, Lexicon({"a": {"x": 0.5}}, {"x": {"b": 1.0, "a": 0.4}}))
    again = reverse_links(reverse_links(links, len(two.numbers)), len(one.numbers))
    assert sorted(zip(*map(np.ndarray.tolist, links[1:]), strict=True)) == sorted(
        zip(*map(np.ndarray.tolist, again[1:]), strict=True)
    )
    assert again.starts.tolist() == links.starts.tolist()


def test_a_term_keeps_its_best_links():
    words = [f"w{number}" for number in range(MOST_LINKS + 5)]
    one, two = encode_corpus([["a"], ["b"]]), encode_corpus([[word] for word in words])
    lexicon = Lexicon(
        {"a": {word: 1 - number / 100 for number, word in enumerate(words)}}, {"w24": {"b": 1.0}}
    )
    links = link_terms(one, two, lexicon)
    assert links.starts.tolist() == [0, MOST_LINKS, MOST_LINKS + 1]
    assert links.terms.tolist() == [*range(MOST_LINKS), MOST_LINKS + 4]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("paris", "paris", 1.0),
        ("1984", "1984", 1.0),
        ("1984", "19845", 0.0),
        ("nation", "national", 6 / 8),
        ("president", "presidence", 8 / 10),
        ("not", "note", 0.0),  # too short a beginning
        ("interest", "intermediate", 0.0),  # too small a share
        ("", "", 1.0),
    ],
)
def test_words_that_are_written_alike(one, two, expected):
    assert word_likeness(one, two) == word_likeness(two, one) == expected


def test_accents_do_not_tell_words_apart():
    assert strip_accents("Élève") == "Eleve"
    one, two = encode_corpus([["café"]]), encode_corpus([["cafe"]])
    assert link_terms(one, two, Lexicon({}, {})).forward.tolist() == [1.0]


@given(scored)
def test_greedy_choice_is_the_plain_one(scores):
    chosen = choose_pairs(as_candidates(scores))
    pairs = [*zip(chosen.first.tolist(), chosen.second.tolist(), strict=True)]
    assert pairs == oracle.choose(scores)
    assert chosen.scores.tolist() == [scores[pair] for pair in pairs]


@given(scored, st.integers(1, 4), st.sampled_from([0.0, 0.1]))
def test_ratios_are_the_plain_ones(scores, k, added):
    candidates = as_candidates(scores)
    found = as_dict(candidates.with_scores(take_ratios(candidates, k, added=added)))
    expected = oracle.ratios(scores, k, added)
    assert found.keys() == expected.keys()
    for pair, ratio in expected.items():
        assert found[pair] == pytest.approx(ratio)


def test_text_without_spaces_gives_characters_and_known_words():
    cutter = Cutter(find_language("zh"), ["有线", "有线电视", "abc", "线"])
    assert cutter.cut("看有线电视 2台") == [*"看有线电视", "有线", "有线电视", "2", "台"]
    assert cutter.words == {"有线", "有线电视"}


def test_a_word_stands_in_many_places_and_holds_together():
    around = "甲乙丙丁戊己庚辛壬癸"
    sentences = [f"{a}电视{b}" for a, b in zip(around, around[::-1], strict=True)]
    others = [*"子丑寅卯辰巳午未申酉戌亥" * 20]
    assert find_expressions([*sentences, *others]) == {"电视"}
    # Always between the same two characters: a part of something longer.
    assert find_expressions([*["有电视机"] * 10, *others]) == frozenset()
    # As often apart as together.
    assert find_expressions([*sentences, *others, *"电视" * 100]) == frozenset()


def test_no_text_has_no_word():
    assert find_expressions([]) == frozenset()
