"""What a comparison caches: anything that depends on its units is computed anew for other units."""

from functools import cached_property

import numpy as np
import pytest

from evalign.metrics.comparison import Comparison, Units
from metrics.comparisons import compare, make_brackets, make_trees

REMEMBERED = [name for name, value in vars(Comparison).items() if isinstance(value, cached_property)]
TREES = ["a/X/2/x b/Y/0/root", "c/X/0/root d/Y/1/y", "e/X/0/root f/Y/1/y"]
BRACKETS = ["(S (X a) (Y b))", "(S (NP (X c)) (Y d))", "(S (X e) (NP (Y f)))"]


def comparable(value):
    """What is remembered in numbers; nothing of what has no numbers of its own."""
    if isinstance(value, Comparison):
        return value.units.tokens.tolist()
    if isinstance(value, tuple):
        return [comparable(each) for each in value]
    return value.tolist() if isinstance(value, np.ndarray) else None


@pytest.mark.parametrize("gold", [make_trees(TREES), make_brackets(BRACKETS)], ids=["trees", "brackets"])
@pytest.mark.parametrize("name", REMEMBERED)
def test_whatever_is_remembered_of_other_units_is_found_again(gold, name):
    """`with_units` copies what is remembered, but for a list; what is missing from it would be stale."""
    is_there = gold.trees is not None or name not in ("bracket_cuts", "constituents")
    units = Units("sentence", gold.sentences[:-1], ["1", "2", "3"])
    before, fresh = compare(gold, gold), compare(gold, gold, units)
    if is_there:
        getattr(before, name)  # is remembered from here on
        assert comparable(getattr(before.with_units(units), name)) == comparable(getattr(fresh, name))
        assert name in vars(before)
    assert before.with_units(units).units is units


def test_units_move_what_is_remembered_of_them():
    """Otherwise the test above would not notice anything."""
    gold = make_brackets(BRACKETS)
    units = Units("sentence", gold.sentences[:-1], ["1", "2", "3"])
    sides = compare(gold, gold), compare(gold, gold, units)
    moved = {
        name for name in REMEMBERED if len({str(comparable(getattr(side, name))) for side in sides}) == 2
    }
    assert {"unit_places", "token_cuts", "sentence_cuts", "bracket_cuts", "word_cuts"} <= moved
