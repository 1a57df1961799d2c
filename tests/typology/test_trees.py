"""Non-projective trees, whose arcs cross."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.document import CYCLIC, MISSING, OUTSIDE, ROOT
from evalign.typology.treebanks import find_nonprojective, find_trees
from oracles import dependencies, typology as oracle
from treebanks import treebank_texts


def sentences(*parents):
    cuts = np.cumsum([0, *map(len, parents)]).astype(np.int32)
    flat = [start + p if p >= 0 else p for start, row in zip(cuts, parents, strict=False) for p in row]
    return np.array(flat, np.int32), cuts


@pytest.mark.parametrize(
    ("source", "parents", "is_crossed"),
    [
        ("a chain", [ROOT, 0, 1, 2], False),
        ("a chain to the right", [1, 2, 3, ROOT], False),
        ("one word", [ROOT], False),
        ("the arc over a word that hangs outside", [2, 3, ROOT, 2], True),
        ("the arc over the root", [2, ROOT, 1], True),
        ("both heads inside the other arc", [2, ROOT, 1, 1], True),
        ("two roots side by side", [ROOT, 0, ROOT, 2], False),
        ("two roots, one under an arc", [ROOT, ROOT, 0], True),
        ("a long arc over its own", [ROOT, 2, 3, 4, 0], False),
        ("a long arc over one other", [ROOT, 2, 5, 4, 0, 0], True),
    ],
)
def test_vectors(source, parents, is_crossed):
    assert find_nonprojective(*sentences(parents)).tolist() == [is_crossed]
    mirrored = [len(parents) - 1 - p if p >= 0 else p for p in reversed(parents)]
    assert find_nonprojective(*sentences(mirrored)).tolist() == [is_crossed]


@pytest.mark.parametrize("broken", [MISSING, OUTSIDE, CYCLIC])
def test_what_has_a_word_without_head_is_no_tree(broken):
    parents, cuts = sentences([2, ROOT, 1], [2, broken, 1], [ROOT])
    assert find_trees(parents, cuts).tolist() == [True, False, True]
    assert find_nonprojective(parents, cuts).tolist() == [True, False, False]


def test_no_sentence_and_an_empty_one():
    assert find_nonprojective(*sentences()).tolist() == []
    assert find_trees(*sentences([], [ROOT])).tolist() == [False, True]


@st.composite
def trees(draw):
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    parents = [ROOT] * size
    for place in range(1, size):
        parents[order[place]] = draw(st.sampled_from(order[:place]))
    return parents


def crosses(parents):
    """Two arcs cross, the root's from a place before the first word."""
    arcs = [sorted((k, p)) for k, p in enumerate(parents)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


@given(st.lists(trees(), max_size=6))
def test_a_tree_is_nonprojective_if_arcs_cross(parents):
    assert find_nonprojective(*sentences(*parents)).tolist() == [crosses(row) for row in parents]


@given(treebank_texts(14))
def test_they_are_what_the_oracle_says(text):
    document = evalign.read(evalign.Text(text, "x.conllu"), format="conllu")
    found = find_nonprojective(document.columns.parents, document.word_cuts(document.sentences))
    assert (int(found.sum()), len(found)) == oracle.nonprojective_trees(dependencies.read(text))


def test_one_long_sentence_takes_no_longer():
    parents = np.arange(-1, 300_000 - 1, dtype=np.int32)
    parents[1::2] = 0
    parents[2::2] = 0
    assert not find_nonprojective(parents, np.array([0, len(parents)])).any()
