"""Blocks (sentences aligned m to n), and groups of tokens."""

import numpy as np
import pytest
from hypothesis import given

from alignment.counting import align
from evalign.alignment.places import NOWHERE, make_blocks
from oracles import metrics
from strategies import two_cuts, two_texts


def sizes(blocks):
    return [f"{len(gold)}:{len(system)}" for gold, system in blocks]


SENTENCES = [
    # source, gold, system, blocks
    (
        "Jo et al. 2024, Figure 2",
        ["Click here To view it .", "He makes some good observations ."],
        ["Click here", "To view it .", "He makes some good observations ."],
        ["1:2", "1:1"],
    ),
    (
        "Jo et al. 2024, Figure 3",
        ["Mike McConnell", "07/06/2000 14:57", "John , Hello from South America ."],
        ["Mike McConnell 07/06/2000 14:57 John , Hello from South America ."],
        ["3:1"],
    ),
    ("by hand: boundaries that cross", ["a b", "c d"], ["a", "b c d"], ["2:2"]),
    ("by hand: missing", ["aa bb", "cc dd", "ee ff"], ["aa bb", "ee ff"], ["1:1", "1:0", "1:1"]),
    ("by hand: inserted", ["aa bb", "ee ff"], ["aa bb", "cc dd", "ee ff"], ["1:1", "0:1", "1:1"]),
    ("by hand: missing at the start", ["cc dd", "aa bb"], ["aa bb"], ["1:0", "1:1"]),
    ("by hand: missing at the end", ["aa bb", "cc dd", "ee"], ["aa bb"], ["1:1", "1:0", "1:0"]),
    ("by hand: rewritten in place", ["the cat", "a dog"], ["the cot", "a dig"], ["1:1", "1:1"]),
    (
        "by hand: nothing in common",
        ["abcde fghij klmnop qrstu vwx yz " * 3],
        ["0123456 78901234567 890123 " * 4],
        ["1:0", "0:1"],
    ),
    ("by hand: another token in its place", ["abcdefghij"], ["0123456789"], ["1:1"]),
    (
        "by hand: a boundary where the other side has one place",
        ["aaa xy", "z bbb"],
        ["aaa mnop bbb"],
        ["2:1"],
    ),
    ("convention: nothing against nothing", [], [], []),
    ("convention: nothing against something", ["a", "b"], [], ["1:0", "1:0"]),
]


@pytest.mark.parametrize(
    ("source", "gold", "system", "expected"), SENTENCES, ids=[row[0] for row in SENTENCES]
)
def test_sentence_blocks(source, gold, system, expected):
    blocks = align(gold, system).blocks
    assert sizes(blocks) == expected
    assert len(blocks) == len(expected)
    assert {kind: expected.count(kind) for kind in expected} == blocks.sizes()


GROUPS = [
    ("Jo et al. 2024, Figure 4", ["When No. 1 Is n't the Best"], ["When No. 1 Isn 't the Best"], "2:2"),
    ("by hand: a join", ["can not go"], ["cannot go"], "2:1"),
    ("by hand: a lost token", ["go , now"], ["go now"], "1:0"),
]


@pytest.mark.parametrize(("source", "gold", "system", "kind"), GROUPS, ids=[row[0] for row in GROUPS])
def test_token_groups(source, gold, system, kind):
    groups = align(gold, system).groups.sizes()
    assert groups.pop(kind) == 1
    assert set(groups) == {"1:1"}


def blocks_of(gold, system):
    return make_blocks(np.array(gold, np.int32), np.array(system, np.int32))


REACHES = [
    # how far each row reaches, on either side, and the blocks
    ([2, 5], [2, 5], ["1:1", "1:1"]),
    ([2, 5], [5], ["2:1"]),
    ([2, 2, 5], [2, 5], ["1:1", "1:0", "1:1"]),
    ([0, 5], [5], ["1:0", "1:1"]),
    ([2, 2], [2, 2], ["1:1", "1:0", "0:1"]),
    ([2, NOWHERE, 5], [2, 5], ["1:1", "2:1"]),
    ([3, 3, 8], [5, 8], ["3:2"]),
    ([4, NOWHERE], [NOWHERE, 6], ["2:2"]),
    ([0], [], ["1:0"]),
    ([], [0, 0], ["0:1", "0:1"]),
    ([], [], []),
]


@pytest.mark.parametrize(("gold", "system", "expected"), REACHES)
def test_blocks_end_where_both_sides_have_come_equally_far(gold, system, expected):
    assert sizes(blocks_of(gold, system)) == expected
    if NOWHERE not in gold + system:
        back = [":".join(reversed(kind.split(":"))) for kind in expected]
        assert sorted(sizes(blocks_of(system, gold))) == sorted(back)


def boundaries(reach):
    """How far each side has come at the start and after every row."""
    return [0, *reach.tolist()]


def check(blocks, gold_reach, system_reach):
    """Cuts ascend and cover all rows; no block is empty, and none can be cut further."""
    for cuts, reach in ((blocks.gold.tolist(), gold_reach), (blocks.system.tolist(), system_reach)):
        assert cuts == sorted(cuts)
        assert (cuts[0], cuts[-1]) == (0, len(reach))
    left, right = boundaries(gold_reach), boundaries(system_reach)
    for gold, system in blocks:
        assert len(gold) + len(system) > 0
        assert len(gold) == 1 or len(system) > 0
        assert len(system) == 1 or len(gold) > 0
        corners = {(gold.start, system.start), (gold.stop, system.stop)}
        for g in range(gold.start, gold.stop + 1):
            for s in range(system.start, system.stop + 1):
                if (g, s) not in corners:
                    assert left[g] == NOWHERE or left[g] != right[s]


@given(two_texts())
def test_blocks_cover_everything_and_cannot_be_cut_further(pair):
    alignment = align(pair.gold, pair.system)
    check(alignment.blocks, alignment.gold.sentence_reach, alignment.system.sentence_reach)
    check(alignment.groups, alignment.gold.places.token_reach, alignment.system.places.token_reach)


@given(two_cuts())
def test_on_equal_lines_blocks_are_those_of_the_oracle(pair):
    expected = list(metrics.blocks(pair.gold, pair.system))
    found = [
        ([pair.gold[k] for k in gold], [pair.system[k] for k in system])
        for gold, system in align(pair.gold, pair.system).blocks
    ]
    assert found == expected


@given(two_texts())
def test_swapping_sides_swaps_the_blocks(pair):
    there, back = align(pair.gold, pair.system).blocks, align(pair.system, pair.gold).blocks
    swapped = [(list(gold), list(system)) for system, gold in back]
    assert sorted((list(gold), list(system)) for gold, system in there) == sorted(swapped)
