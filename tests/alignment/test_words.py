"""Word pairs of two documents."""

import pytest
from hypothesis import given

from alignment.counting import align, document_with_words
from oracles.words import pair_words
from strategies import two_texts, with_multiwords


def pairs_of(alignment):
    return [(g, s) for g, s in enumerate(alignment.word_pairs.partners.tolist()) if s >= 0]


@given(with_multiwords())
def test_on_equal_lines_pairs_are_those_of_the_oracle(pair):
    alignment = align(document_with_words(pair.gold), document_with_words(pair.system))
    assert pairs_of(alignment) == pair_words(pair.gold, pair.system)


@given(with_multiwords())
def test_words_pair_with_themselves(pair):
    for sentences in (pair.gold, pair.system):
        same = document_with_words(sentences)
        assert pairs_of(align(same, same)) == [(k, k) for k in range(same.n_words)]


@given(with_multiwords())
def test_only_pairs_of_multiword_tokens_are_made_by_form(pair):
    alignment = align(document_with_words(pair.gold), document_with_words(pair.system))
    gold, system, pairs = alignment.gold, alignment.system, alignment.word_pairs
    for g, s in pairs_of(alignment):
        mine, theirs = (side.document.word(word) for side, word in ((gold, g), (system, s)))
        if pairs.by_form[g]:
            assert mine.lower() == theirs.lower()
        else:
            assert mine == theirs
    assert not pairs.by_form[pairs.partners < 0].any()


@given(with_multiwords())
def test_folding_forms_loses_no_pair(pair):
    alignment = align(document_with_words(pair.gold), document_with_words(pair.system))
    lowered, folded = alignment.word_pairs, alignment.folded_word_pairs
    assert (folded.partners >= 0).sum() >= (lowered.partners >= 0).sum()


@given(two_texts())
def test_words_that_are_tokens_pair_like_tokens_both_ways(pair):
    there, back = align(pair.gold, pair.system), align(pair.system, pair.gold)
    assert pairs_of(there) == sorted((g, s) for s, g in pairs_of(back))
    spans = [
        set(zip(*(ends.tolist() for ends in side.places.spans), strict=True))
        for side in (there.gold, there.system)
    ]
    placed = {span for span in spans[0] & spans[1] if min(span) >= 0}
    # Where characters differ, words that have no place may pair by form besides, within stretches.
    by_place = (there.word_pairs.partners >= 0) & ~there.word_pairs.by_form
    assert by_place.sum() == len(placed)


def plain(*tokens):
    return [(token, []) for token in tokens]


VECTORS = [
    # source, gold, system, pairs
    (
        "Jo et al. 2024, ParTUT: n't is not credited for not",
        [[*plain("I"), ("don't", ["do", "not"]), *plain(".")]],
        [[*plain("I"), ("don't", ["do", "n't"]), *plain(".")]],
        [(0, 0), (1, 1), (3, 3)],
    ),
    (
        "by hand: a contraction that was not taken apart",
        [[("du", ["de", "le"]), *plain("pain")]],
        [plain("du", "pain")],
        [(2, 1)],
    ),
    (
        "by hand: forms of other case",
        [[("Du", ["De", "le"])]],
        [[("Du", ["de", "Le"])]],
        [(0, 0), (1, 1)],
    ),
    (
        "by hand: another line, the contraction whole",
        [[("du", ["de", "le"]), *plain("bon", "pain")]],
        [[("du", ["de", "le"]), *plain("pain")]],
        [(0, 0), (1, 1), (3, 2)],
    ),
    (
        "by hand: another line, a character of the contraction lost",
        [[*plain("mange"), ("d'eau", ["d'", "eau"]), *plain("fraîche")]],
        [[*plain("mange"), ("deau", ["d'", "eau"]), *plain("fraîche")]],
        [(0, 0), (1, 1), (2, 2), (3, 3)],
    ),
    (
        "by hand: a contraction that the other side does not have",
        [[*plain("mange"), ("du", ["de", "le"]), *plain("pain")]],
        [plain("mange", "pain")],
        [(0, 0), (3, 1)],
    ),
]


@pytest.mark.parametrize(("source", "gold", "system", "pairs"), VECTORS, ids=[row[0] for row in VECTORS])
def test_word_pairs(source, gold, system, pairs):
    assert pairs_of(align(document_with_words(gold), document_with_words(system))) == pairs


def test_by_folded_form_accents_do_not_matter():
    gold = document_with_words([[("né", ["né", "e"]), *plain("x")]])
    system = document_with_words([[("né", ["ne", "e"]), *plain("x")]])
    alignment = align(gold, system)
    assert alignment.word_pairs.partners.tolist() == [-1, 1, 2]
    assert alignment.folded_word_pairs.partners.tolist() == [0, 1, 2]
    assert alignment.word_pairs.by_form.tolist() == [False, True, False]


def test_a_multiword_token_of_white_space_is_walked_past():
    # Plain kernels check their bounds here; tests of the kernel compare the two.
    sentences = [[*plain("A"), ("\xa0", ["de", "le"]), *plain("B")]]
    same = document_with_words(sentences)
    alignment = align(same, same)
    assert alignment.gold.places.token_starts.tolist() == [0, 1, 1]
    assert pairs_of(alignment) == [(0, 0), (1, 1), (2, 2), (3, 3)]
