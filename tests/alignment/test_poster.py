"""Statements of docs/deviations.md about the poster's algorithm, checked on its loop and on evalign."""

import pytest

import evalign
from oracles.poster import align, count_matched

CASES = [
    # what, gold, system, sentences that the poster matches, that the paper prints, that evalign has right
    ("a hyphen lost", ["An e-mail came .", "Go on ."], ["An email came .", "Go on ."], 2, 1, 2),
    ("a hyphen lost at the end", ["Go on .", "An e-mail came ."], ["Go on .", "An email came ."], 1, 1, 2),
    ("two sentences joined", ["aaaa", "bb", "c", "d"], ["aaaa bb", "c", "d"], 1, 2, 2),
    ("a repeated sentence", ["x", "A", "A", "B"], ["x A", "A", "B"], 1, 1, 2),
    ("nothing differs", ["A b .", "C d ."], ["A b .", "C d ."], 2, 2, 2),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_page_says_what_the_poster_does(case):
    _, gold, system, poster, printed, places = case
    sides = [[sentence.replace(" ", "") for sentence in side] for side in (system, gold)]
    pairs = align(*sides)
    assert count_matched(pairs) == poster
    tokens = [[sentence.split() for sentence in side] for side in (gold, system)]
    for strategy, wanted in (("printed", printed), ("places", places)):
        result = evalign.score(*tokens, metrics=["sentences"], strategy=strategy)
        assert result["sentences"].correct == wanted, strategy
