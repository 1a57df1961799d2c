"""A choice among many places: few enough, spread over the line, the same if chosen at once or bit by bit."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.metrics.errors.positions import (
    NO_SLOTS,
    MetricMarks,
    Ticks,
    choose_candidates,
    choose_rows,
    find_width,
    first_of_kinds,
    unfold_positions,
)
from evalign.metrics.metric import KINDS

pytestmark = pytest.mark.once

ascending = st.lists(st.integers(0, 200), max_size=40).map(sorted)
most = st.integers(1, 40)


# Places in the order of the line, each with the kinds of error it has.
KIND_NAMES = "abcd"
with_kinds = st.lists(
    st.tuples(st.integers(0, 200), st.sets(st.sampled_from(KIND_NAMES), min_size=1)), max_size=40
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


def split(rows):
    """Places, and per kind the rows that have it."""
    kinds = [[k for k, (_, has) in enumerate(rows) if kind in has] for kind in KIND_NAMES]
    return np.array([place for place, _ in rows], np.int64), [np.array(some, np.int64) for some in kinds]


def choose(rows, most, width=NO_SLOTS):
    return [rows[k] for k in choose_rows(*split(rows), most, width).tolist()]


def keep_candidates(rows, most, width=NO_SLOTS):
    found, width = choose_candidates(*split(rows), most, width)
    return [rows[k] for k in found.tolist()], width


@given(ascending, most)
def test_no_more_are_left_than_may_be_and_no_narrower_slots_would_do(places, most):
    chosen = [place for place, _ in choose([(place, {"a"}) for place in places], most)]
    assert len(chosen) <= most
    if len(places) <= most:
        assert chosen == places
        return
    width = find_width([np.array(places, np.int64)], most)
    assert width & (width - 1) == 0
    assert chosen == list({place // width: place for place in reversed(places)}.values())[::-1]
    narrower = width // 2
    assert len({place // narrower for place in places} if narrower else places) > most


@given(with_kinds, most)
def test_of_every_kind_the_first_of_each_slot_is_chosen_where_there_is_room(rows, most):
    chosen = choose(rows, most)
    assert len(chosen) <= most
    if most >= len(KIND_NAMES):
        assert set().union(*(has for _, has in chosen)) == set().union(*(has for _, has in rows))


@given(with_kinds, most, st.integers(0, 200))
def test_parts_of_a_line_choose_what_the_whole_chooses(rows, most, cut):
    parts = [[row for row in rows if row[0] < cut], [row for row in rows if row[0] >= cut]]
    kept = [keep_candidates(part, most) for part in parts]
    candidates, width = keep_candidates(kept[0][0] + kept[1][0], most, max(width for _, width in kept))
    assert (candidates, width) == keep_candidates(rows, most)
    assert choose(candidates, most, width) == choose(rows, most)


@given(with_kinds, most)
def test_chosen_ones_are_all_chosen_again(rows, most):
    chosen = choose(rows, most)
    assert choose(chosen, most) == chosen


def test_none_and_all_may_be_asked_for():
    rows = [(1, {"a"}), (1, {"b"}), (2, {"a"})]
    assert choose(rows, 0) == []
    assert choose(rows, None) == rows


def test_a_rare_kind_is_kept_though_it_is_nowhere_first():
    rows = [(place, {"a"}) for place in range(64)]
    rows[37] = (37, {"a", "b"})
    assert (37, {"a", "b"}) in choose(rows, 4)


def test_places_without_slots_are_all_first():
    assert first_of_kinds(np.array([3, 3]), [np.array([0, 1])], NO_SLOTS).tolist() == [0, 1]


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
        positions, before = unfold_positions(saved[kind])
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
