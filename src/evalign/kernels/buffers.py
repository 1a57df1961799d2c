"""Buffers for the columns of kernels, without numpy: importing it takes longer than scoring a test set.

All buffers are filled with zeros. Large ones are anonymous memory, of which untouched pages take no space.
`compat` and the scanners use them.
"""

from __future__ import annotations

_LARGE, _HUGE = 1 << 16, 1 << 21


def flags(n: int) -> memoryview:
    """Return a buffer of `n` bytes."""
    return _room(n)


def ints(n: int) -> memoryview:
    """Return a buffer of `n` 32-bit integers."""
    return _room(4 * n).cast("i")


def longs(n: int) -> memoryview:
    """Return a buffer of `n` 64-bit integers."""
    return _room(8 * n).cast("q")


def long_rows(n: int, width: int) -> memoryview:
    """Return a buffer of `n` rows of 64-bit integers, but at least one row.

    A view of several dimensions cannot be empty.
    """
    return _room(8 * max(n, 1) * width).cast("q", (max(n, 1), width))


def int_rows(n: int, width: int) -> memoryview:
    """Return a buffer of `n` rows of 32-bit integers, but at least one row."""
    return _room(4 * max(n, 1) * width).cast("i", (max(n, 1), width))


def _room(size: int) -> memoryview:
    if size < _LARGE:
        return memoryview(bytearray(size))
    import mmap

    # Private memory in large pages where the system has them: small ones are given out one page fault at a
    # time, which took a fifth of the time on a million words.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        room = mmap.mmap(-1, size, **private)
    except OSError as error:
        raise MemoryError(size) from error
    if size > _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        try:  # noqa: SIM105 - contextlib would be imported for it
            room.madvise(mmap.MADV_HUGEPAGE)
        except OSError:  # Python knows the advice, the running kernel does not: small pages do as well
            pass
    return memoryview(room)
