"""Of two linked documents only one is kept."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.build.split_stages import (
    NO_SPLIT,
    SplitDocuments,
    drop_linked,
    forbid_linked,
    group_linked,
    split_documents,
)


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


# Documents come to splits by their shares.


SHARES = {"sample": 2.0, "training": 49.0, "test": 49.0}


def documents_of(sizes, code="fr"):
    array = np.array(sizes, np.int64)
    return SplitDocuments(code, [f"{code}{k}" for k in range(len(sizes))], array, array > 0)


def nothing(_document):
    return frozenset()


@given(st.lists(st.integers(0, 40), min_size=3, max_size=40), st.integers(0, 5))
def test_every_document_that_is_kept_has_a_split(sizes, seed):
    documents = documents_of(sizes)
    found = split_documents(documents, SHARES, seed, nothing)
    assert ((found == NO_SPLIT) == ~documents.kept).all()
    if documents.kept.sum() >= len(SHARES):
        assert set(found[documents.kept].tolist()) == {0, 1, 2}


@given(st.lists(st.integers(1, 40), min_size=60, max_size=120), st.integers(0, 5))
def test_shares_come_out_within_a_document(sizes, seed):
    documents = documents_of(sizes)
    found = split_documents(documents, SHARES, seed, nothing)
    total = sum(SHARES.values())
    for split, share in enumerate(SHARES.values()):
        got = int(documents.sizes[found == split].sum())
        # Either it is filled up to what fits in, or one more document went over; the rest is of the other splits.
        assert abs(got - share / total * sum(sizes)) <= 3 * max(sizes)


@given(st.lists(st.integers(1, 9), min_size=4, max_size=30), st.integers(0, 9))
def test_a_document_keeps_its_split_when_others_come_last(sizes, seed):
    # Drawing depends on names, not on numbers.
    documents = documents_of(sizes)
    turned = SplitDocuments(
        documents.code, documents.names[::-1], documents.sizes[::-1], documents.kept[::-1]
    )
    there, back = (split_documents(each, SHARES, seed, nothing) for each in (documents, turned))
    assert there.tolist() == back[::-1].tolist()


@given(
    st.lists(st.integers(1, 9), min_size=3, max_size=20),
    st.lists(st.integers(1, 9), min_size=3, max_size=20),
    st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=30),
    st.integers(0, 5),
)
def test_linked_documents_are_never_in_one_split(one, two, links, seed):
    links = [(a % len(one), b % len(two)) for a, b in links]
    first = split_documents(documents_of(one), SHARES, seed, nothing)
    second = split_documents(documents_of(two, "en"), SHARES, seed, forbid_linked(links, first))
    for a, b in links:
        assert second[b] == NO_SPLIT or first[a] != second[b]
    for b in np.flatnonzero(second == NO_SPLIT):
        # Only what is linked with every split is left out.
        assert {int(first[a]) for a, other in links if other == b} == {0, 1, 2}


@pytest.mark.parametrize("seed", range(3))
def test_two_splits_of_many_documents_are_halves(seed):
    documents = documents_of([3] * 1000)
    found = split_documents(documents, {"training": 1.0, "test": 1.0}, seed, nothing)
    assert abs(int((found == 0).sum()) - 500) <= 1
