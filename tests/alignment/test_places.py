"""Shared places, checked by hand."""

import numpy as np
import pytest
from hypothesis import given

from alignment.counting import align, count
from evalign.alignment.places import NOWHERE, count_equal_before, place_characters
from strategies import two_texts


def test_equal_characters_are_counted_up_to_each_position():
    found = count_equal_before(np.array([2, 3, 0, 1], np.int32), np.array([True, False, True, True]))
    assert found.tolist() == [0, 1, 2, 2, 2, 2, 3]


def test_characters_of_one_place_start_and_end_only_at_its_ends():
    found = place_characters(np.array([0, 2, 3, 1, 2], np.int32), np.array([0, 2, 1, 1, 0], np.int32))
    assert found.places.tolist() == [0, 1, 2, 2, 2, 3, NOWHERE, NOWHERE]
    assert found.may_start.tolist()[:6] == [True, True, True, False, False, True]
    assert found.may_end.tolist()[:6] == [True, True, False, False, True, True]


def spans(side):
    return list(zip(side.places.token_starts.tolist(), side.places.token_ends.tolist(), strict=True))


def sentence_spans(side):
    return list(zip(side.places.sentence_starts.tolist(), side.places.sentence_ends.tolist(), strict=True))


def test_a_stretch_of_equal_length_is_paired_one_to_one():
    alignment = align(["aa xy zz bb"], ["aa mnop bb"])
    assert spans(alignment.gold) == [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert spans(alignment.system) == [(0, 2), (2, 6), (6, 8)]


def test_inside_a_stretch_of_unequal_length_nothing_matches():
    alignment = align(["aaa xy z bbb"], ["aaa mnop bbb"])
    assert spans(alignment.gold) == [(0, 3), (3, NOWHERE), (NOWHERE, 4), (4, 7)]
    assert spans(alignment.system) == [(0, 3), (3, 4), (4, 7)]
    assert alignment.gold.places.token_reach.tolist() == [3, NOWHERE, 4, 7]


def test_a_stretch_of_unequal_length_as_a_whole_does():
    assert count(["aaa xyz bbb"], ["aaa mnop bbb"])["tokens_in_place"] == (3, 3, 3)
    assert count(["aaa xyz bbb"], ["aaa mnop bbb"])["tokens"] == (2, 3, 3)


def test_a_span_that_holds_such_a_stretch_is_placed_by_its_ends():
    assert spans(align(["aaaxybbb cc"], ["aaamnopbbb cc"]).gold) == [(0, 7), (7, 9)]


# Rule 6: gold, system, (correct sentences, tokens, tokens in place).
RULE_SIX = [
    ("a character lost inside a token", ["send e-mail now"], ["send email now"], (1, 2, 3)),
    ("a character lost at the end of a token", ["ab cd- ef"], ["ab cd ef"], (1, 2, 3)),
    ("a character lost at the start of a token", ["ab -cd ef"], ["ab cd ef"], (1, 2, 3)),
    ("a token lost inside a sentence", ["ab - cd"], ["ab cd"], (1, 2, 2)),
    ("a sentence's first token lost", ["- ab cd"], ["ab cd"], (0, 2, 2)),
    ("a sentence's last token lost", ["ab cd ."], ["ab cd"], (0, 2, 2)),
    ("a sentence lost between two", ["ab cd", "xy", "ef gh"], ["ab cd", "ef gh"], (2, 4, 4)),
    ("a sentence lost at the start", ["xy", "ab cd"], ["ab cd"], (1, 2, 2)),
    ("a sentence lost at the end", ["ab cd", "xy"], ["ab cd"], (1, 2, 2)),
    ("a lost token is a sentence of its own elsewhere", ["ab cd", "- ef gh"], ["ab cd", "ef gh"], (1, 4, 4)),
    ("all lost", ["ab cd"], [], (0, 0, 0)),
    ("nothing shared, of equal length", ["ab"], ["xy"], (1, 0, 1)),
    ("truncated sentences are not credited", ["ab cd ef gh"], ["cd ef"], (0, 2, 2)),
]


@pytest.mark.parametrize(("why", "gold", "system", "correct"), RULE_SIX, ids=[row[0] for row in RULE_SIX])
def test_spans_run_from_their_first_to_their_last_shared_character(why, gold, system, correct):
    for one, other in ((gold, system), (system, gold)):
        assert tuple(counts[0] for counts in count(one, other).values()) == correct


def test_a_token_without_a_shared_character_has_no_place():
    alignment = align(["ab - cd", "xyz"], ["ab cd"])
    assert spans(alignment.gold) == [(0, 2), (NOWHERE, NOWHERE), (2, 4), (NOWHERE, NOWHERE)]
    assert sentence_spans(alignment.gold) == [(0, 4), (NOWHERE, NOWHERE)]
    assert alignment.gold.places.token_reach.tolist() == [2, 2, 4, 4]


def test_a_character_that_folds_to_several_is_placed_from_its_first_to_its_last():
    alignment = align(["ﬁ x"], ["f i x"])
    assert spans(alignment.gold) == [(0, 2), (2, 3)]
    assert spans(alignment.system) == [(0, 1), (1, 2), (2, 3)]


def test_a_character_that_folds_to_nothing_is_nowhere_and_costs_no_other_token():
    mark = "\u0483"  # no letter before it composes with it
    assert spans(align([["ab", mark, "cd"]], ["ab cd"]).gold) == [(0, 2), (NOWHERE, NOWHERE), (2, 4)]
    assert count([["ab" + mark, "cd"]], ["ab cd"])["tokens_in_place"] == (2, 2, 2)


def test_empty_tokens_sit_behind_the_token_before_them_where_lines_differ():
    assert spans(align([["a", " ", "b"]], [["a", "x", "b"]]).gold) == [(0, 1), (1, 1), (1, 2)]


def test_nothing_against_something():
    for gold, system in (([], ["a b"]), (["a b"], [])):
        alignment = align(gold, system)
        assert alignment.n_places == 0
        assert set(spans(alignment.gold) + spans(alignment.system)) == {(NOWHERE, NOWHERE)}


@given(two_texts())
def test_places_never_go_back(pair):
    alignment = align(pair.gold, pair.system)
    for side in (alignment.gold, alignment.system):
        for placed in (spans(side), sentence_spans(side)):
            ends = [place for span in placed for place in span if place != NOWHERE]
            assert ends == sorted(ends)
            assert all(0 <= place <= alignment.n_places for place in ends)
            whole = [span for span in placed if NOWHERE not in span]
            assert all(start < end for start, end in whole)
        reach = [place for place in side.places.token_reach.tolist() if place != NOWHERE]
        assert reach == sorted(reach)
        if side.characters is not None:
            characters = [place for place in side.characters.places.tolist() if place != NOWHERE]
            assert characters == sorted(characters)


@given(two_texts())
def test_each_side_fills_every_place(pair):
    alignment = align(pair.gold, pair.system)
    for side in (alignment.gold, alignment.system):
        if side.characters is not None:
            places = set(side.characters.places.tolist()) - {NOWHERE}
            assert places == set(range(alignment.n_places))
