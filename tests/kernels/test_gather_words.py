"""Words scattered over a file are gathered on one line."""

import itertools

import numpy as np
from hypothesis import example, given, strategies as st

from evalign.kernels import buffers
from forms import both_forms

kernel = both_forms("tree_scan_cy")
words = st.text(st.sampled_from("ab.é字𝄞"), max_size=5)


def gather(kernel, pieces, make=lambda size, kind: np.full(size, 99, kind)):
    """The line and the cuts of some words, which stand between other bytes."""
    data, starts, ends = b"", [], []
    for piece in pieces:
        data += "(é ".encode()
        starts.append(len(data))
        data += piece.encode()
        ends.append(len(data))
    line = make(sum(ends) - sum(starts), np.uint8)
    cuts = make(len(pieces) + 1, np.int32)
    kernel.gather_words(data, np.array(starts, np.int32), np.array(ends, np.int32), line, cuts)
    return bytes(line).decode(), list(cuts)


@given(pieces=st.lists(words, max_size=6))
@example(pieces=[])
@example(pieces=[""])
@example(pieces=["", "é", "", "字b", ""])
def test_cuts_count_characters(kernel, pieces):
    line, cuts = gather(kernel, pieces)
    assert line == "".join(pieces)
    assert [line[a:b] for a, b in itertools.pairwise(cuts)] == pieces


def test_room_may_be_plain_buffers(kernel):
    rooms = {np.uint8: buffers.flags, np.int32: buffers.ints}
    assert gather(kernel, ["a", "bé"], lambda size, kind: rooms[kind](size)) == ("abé", [0, 1, 3])


def test_nothing_is_written_beyond_the_room(kernel):
    line, cuts = np.full(4, 7, np.uint8), np.empty(2, np.int32)
    starts, ends = np.array([1], np.int32), np.array([3], np.int32)
    kernel.gather_words(b"xabx", starts, ends, line, cuts)
    assert line.tolist() == [*b"ab", 7, 7]
