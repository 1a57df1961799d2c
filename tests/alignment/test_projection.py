"""Spans of one line projected onto the other: from first to last shared character, and by whole tokens."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from alignment.counting import align, line_of
from evalign.errors import CommandError
from strategies import two_texts


@pytest.mark.parametrize(
    ("gold", "system", "span", "there"),
    [
        ("Prague x", "Prageu x", (0, 6), (0, 6)),
        ("a Winston b", "a Winstno b", (1, 8), (1, 8)),
        # Of the same length only: a comma that a token took is outside the name.
        ("in Peters met", "in Peters, met", (2, 8), (2, 8)),
        ("in Peters, met", "in Peters met", (2, 9), (2, 8)),
        # The last letter of the name is paired with an added word.
        ("Winston Peters is", "Winstno Petesr is is", (0, 13), (0, 13)),
        ("Winston Peters is", "Winstno Petesr is is", (7, 13), (7, 13)),
        # A token of another case is the same one.
        ("x PRAGUE", "x Prague", (1, 7), (1, 7)),
        # The start of a token whose first letters were swapped.
        ("of rPague x", "of Prague x", (2, 8), (2, 8)),
        # Less than half of it is shared: no counterpart.
        ("a bcdefgh i", "a bcvwxyz i", (1, 3), (1, 3)),
        ("an e-mail .", "an email .", (2, 8), (2, 7)),
        # The counterpart of the first token ends before the place of its last letter.
        ("abcx yz", "abcq xyz", (3, 4), (4, 5)),
        ("a lost b", "a b", (1, 5), None),
    ],
)
def test_a_span_goes_to_what_is_shared_or_to_the_ends_of_its_tokens(gold, system, span, there):
    assert align([gold], [system]).project(*span) == there


def test_ends_inside_a_token_go_to_the_last_shared_character():
    alignment = align(["Prague x"], ["Prageu x"])
    assert alignment.project(0, 4) == (0, 4)
    assert alignment.project(1, 6) == (1, 6)


@given(two_texts(), st.data())
def test_spans_projected_together_are_those_projected_one_by_one(pair, data):
    alignment = align(pair.gold, pair.system)
    size = len(line_of(pair.gold))
    spans = data.draw(st.lists(st.tuples(*[st.integers(0, size)] * 2).map(sorted), max_size=8))
    rows = alignment.project([start for start, _ in spans], [end for _, end in spans])
    assert rows.shape == (len(spans), 2)
    alone = [alignment.project(*span) for span in spans]
    assert [tuple(row) if row[0] >= 0 else None for row in rows.tolist()] == alone


@given(two_texts())
def test_a_span_of_no_counterpart_goes_from_first_to_last_shared_character(pair):
    alignment = align(pair.gold, pair.system, normalize=["none"])
    gold, system = alignment.gold, alignment.system
    if gold.characters is None or (alignment.token_counterparts[0] >= 0).any():
        return
    for start, end in zip(gold.document.cuts[:-1].tolist(), gold.document.cuts[1:].tolist(), strict=True):
        places = {place for place in gold.characters.places[gold.cuts[start] : gold.cuts[end]] if place >= 0}
        folded = [k for k, place in enumerate(system.characters.places) if place in places]
        owners = [int(np.searchsorted(system.cuts, k, side="right")) - 1 for k in folded]
        assert alignment.project(start, end) == ((min(owners), max(owners) + 1) if owners else None)


@given(two_texts())
def test_counterparts_name_each_other_and_have_the_same_length(pair):
    alignment = align(pair.gold, pair.system)
    ours, theirs = alignment.token_counterparts
    if ours is None:
        return
    for token, other in enumerate(ours.tolist()):
        if other >= 0:
            assert theirs[other] == token
            sizes = [
                int(np.diff(side.cuts[side.document.cuts[row : row + 2]])[0])
                for side, row in ((alignment.gold, token), (alignment.system, other))
            ]
            assert sizes[0] == sizes[1]


@given(two_texts())
def test_swapping_sides_projects_back(pair):
    there, back = align(pair.gold, pair.system), align(pair.system, pair.gold)
    size = len(line_of(pair.gold))
    for start in range(size):
        assert there.project(start, size) == back.project(start, size, to="gold")


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("0", 1, "type str"),
        (0, None, "type NoneType"),
        (0, 1.5, "type float"),
        ([0, 1], [1], "2 starts and 1 ends"),
        ([0], 1, "a number and a sequence"),
        ([[0]], [[1]], "type list"),
        (3, 2, "span 3 to 2 on a line of 7"),
        ([0, 5], [1, 9], "span 5 to 9 on a line of 7"),
        (0, 10**30, "beyond 64 bits"),
    ],
)
def test_what_is_no_span_is_refused(start, end, words):
    with pytest.raises(CommandError, match=words):
        align(["Prague x"], ["Prageu x"]).project(start, end)
