"""Of two linked documents only one stays."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.build import drop_linked, group_linked

pytestmark = pytest.mark.once


@st.composite
def linked_documents(draw):
    """Sizes of documents on both sides, and links between them: one to one, many to many, or none."""
    sizes = [
        np.array(draw(st.lists(st.integers(1, 50), min_size=1, max_size=12)), np.int64) for _ in range(2)
    ]
    links = st.tuples(*(st.integers(0, len(side) - 1) for side in sizes))
    return sizes, draw(st.lists(links, max_size=15, unique=True))


def desynchronise(sizes, links, seed):
    kept = tuple(np.ones(len(side), bool) for side in sizes)
    names = [[f"{letter}{k}" for k in range(len(side))] for letter, side in zip("ab", sizes, strict=True)]
    drop_linked(kept, tuple(sizes), links, names, seed)
    return kept


@given(linked_documents(), st.integers(0, 5))
def test_no_two_linked_documents_stay_and_no_other_goes(documents, seed):
    sizes, links = documents
    kept = desynchronise(sizes, links, seed)
    for first, second in links:
        # One of the two stays: nothing is lost for nothing.
        assert kept[0][first] != kept[1][second]
    for side in range(2):
        linked = {link[side] for link in links}
        assert all(kept[side][k] for k in range(len(kept[side])) if k not in linked)


@given(linked_documents(), st.integers(0, 5))
def test_both_sides_lose_about_equally(documents, seed):
    sizes, links = documents
    kept = desynchronise(sizes, links, seed)
    lost = [int(size[~side].sum()) for size, side in zip(sizes, kept, strict=True)]
    groups = group_linked(links)
    largest = max(
        (max(int(sizes[side][list(group[side])].sum()) for side in range(2)) for group in groups), default=0
    )
    assert abs(lost[0] - lost[1]) <= largest


@given(linked_documents())
def test_the_seed_alone_decides(documents):
    sizes, links = documents
    once, again = (desynchronise(sizes, order, 3) for order in (links, links[::-1]))
    assert [side.tolist() for side in once] == [side.tolist() for side in again]


def test_another_seed_decides_otherwise():
    sizes = [np.full(40, 5)] * 2
    links = [(k, k) for k in range(40)]
    assert desynchronise(sizes, links, 1)[0].tolist() != desynchronise(sizes, links, 2)[0].tolist()


@given(linked_documents())
def test_groups_hold_together_and_apart(documents):
    _, links = documents
    groups = group_linked(links)
    for first, second in links:
        assert sum(first in group[0] and second in group[1] for group in groups) == 1
    for side in range(2):
        listed = [k for group in groups for k in group[side]]
        assert sorted(listed) == sorted({link[side] for link in links})
