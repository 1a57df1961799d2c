"""Buffers for columns: zeroed, writable, of any size."""

import errno
import mmap

import pytest

from evalign.kernels import buffers


@pytest.mark.parametrize("n", [0, 1, 7, 20_000, 600_000])
def test_room_is_zero_and_can_be_written(n):
    for make, width in ((buffers.flags, 1), (buffers.ints, 4), (buffers.longs, 8)):
        room = make(n)
        assert (len(room), room.itemsize) == (n, width)
        assert not any(room[:100])
        assert not any(room[-100:])
        if n:
            room[n - 1] = 100
            assert room[n - 1] == 100


@pytest.mark.parametrize("n", [0, 3, 300_000])
def test_rows_have_their_width(n):
    for make in (buffers.int_rows, buffers.long_rows):
        rows = make(n, 4)
        assert rows.shape == (max(n, 1), 4)
        rows[max(n, 1) - 1, 3] = 5
        assert rows[max(n, 1) - 1, 3] == 5


def test_no_room_is_no_memory():
    with pytest.raises(MemoryError):
        buffers.flags(2**62)


def test_a_system_without_private_memory_or_large_pages_has_room_too(monkeypatch):
    monkeypatch.delattr(mmap, "MAP_ANONYMOUS", raising=False)
    monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)
    assert buffers.ints(1_000_000)[999_999] == 0


def test_a_kernel_that_knows_no_large_pages_gives_small_ones(monkeypatch):
    asked = []

    class Room(mmap.mmap):
        def madvise(self, *arguments):
            asked.append(arguments)
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(mmap, "mmap", Room)
    monkeypatch.setattr(mmap, "MADV_HUGEPAGE", 14, raising=False)
    room = buffers.ints(1_000_000)
    room[999_999] = 5
    assert (room[999_999], asked) == (5, [(14,)])
