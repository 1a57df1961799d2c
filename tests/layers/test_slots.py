"""Some of many places: few enough, spread over the line, and the same whether they are chosen at once or bit by bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalign.layers.kinds import KINDS
from evalign.layers.marks import MetricMarks, Ticks, unfold
from evalign.layers.slots import NO_SLOTS, choose_places, find_width

ascending = st.lists(st.integers(0, 200), max_size=40).map(sorted)
most = st.integers(1, 40)


def choose(places, most, width=NO_SLOTS):
    rows, width = choose_places(np.array(places, np.int64), most, width)
    return [places[row] for row in rows.tolist()], width


@given(ascending, most)
def test_no_more_are_left_than_may_be_and_no_narrower_slots_would_do(places, most):
    chosen, width = choose(places, most)
    assert len(chosen) <= most
    if width == NO_SLOTS:
        assert chosen == places
        return
    assert width & (width - 1) == 0
    assert chosen == list({place // width: place for place in reversed(places)}.values())[::-1]
    narrower = width // 2
    assert len({place // narrower for place in places} if narrower else places) > most


@given(ascending, most, most)
def test_what_is_chosen_of_chosen_ones_is_what_is_chosen_at_once(places, more, fewer):
    more, fewer = max(more, fewer), min(more, fewer)
    first, width = choose(places, more)
    assert choose(first, fewer, width) == choose(places, fewer)
    assert choose(first, fewer)[0] == choose(places, fewer)[0]


@given(ascending, most, st.integers(0, 200))
def test_parts_of_a_line_choose_what_the_whole_chooses(places, most, cut):
    parts = [[place for place in places if place < cut], [place for place in places if place >= cut]]
    chosen = [choose(part, most) for part in parts]
    joined = choose(chosen[0][0] + chosen[1][0], most, max(width for _, width in chosen))
    assert joined == choose(places, most)


def test_none_and_all_may_be_asked_for():
    assert choose([1, 1, 2], 0)[0] == []
    assert choose([1, 1, 2], None)[0] == [1, 1, 2]


@pytest.mark.parametrize(("column", "width"), [([], 2), ([7], 4)])
def test_of_every_column_one_is_left(column, width):
    columns = [np.array([1, 2, 3]), np.array(column, np.int64)]
    assert find_width(columns, 2) == width


marks = st.dictionaries(st.sampled_from(KINDS[:3]), ascending, max_size=3)


def make_marks(kinds):
    return MetricMarks({kind: Ticks.at(np.array(places, np.int64)) for kind, places in kinds.items()})


@given(marks, st.integers(3, 40))
def test_marks_say_how_many_errors_there_are_whatever_is_left_of_their_positions(kinds, most):
    found = make_marks(kinds).thinned(most=most)
    saved = found.to_dict()
    assert list(saved) == [kind for kind in KINDS if kind in kinds]
    assert sum(map(len, saved.values())) <= most
    for kind, places in kinds.items():
        positions, before = unfold(saved[kind])
        assert before[-1] == len(places)
        slots = [place // (found.width or 1) for place in places]
        for place, n_before in zip(positions, before, strict=False):
            # All that are counted before it stand before it.
            assert places[n_before] == place
            assert found.width == NO_SLOTS or slots.index(place // found.width) == n_before


@given(marks, st.integers(3, 20), st.integers(3, 40))
def test_marks_thinned_twice_are_marks_thinned_once(kinds, fewer, more):
    more = max(more, fewer)
    twice = make_marks(kinds).thinned(most=more).thinned(most=fewer)
    once = make_marks(kinds).thinned(most=fewer)
    assert (twice.width, twice.to_dict()) == (once.width, once.to_dict())
