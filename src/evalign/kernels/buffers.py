"""Room for the kernels' columns without numpy, which takes longer to start than a test set to score.

Everything is zero. Large rooms are anonymous memory: what is never touched takes none.
"""

from __future__ import annotations

_LARGE, _HUGE = 1 << 16, 1 << 21


def flags(n: int) -> memoryview:
    """Room for bytes."""
    return _room(n)


def ints(n: int) -> memoryview:
    """Room for 32-bit integers."""
    return _room(4 * n).cast("i")


def longs(n: int) -> memoryview:
    """Room for 64-bit integers."""
    return _room(8 * n).cast("q")


def long_rows(n: int, width: int) -> memoryview:
    """Room for rows of 64-bit integers; at least one row, since a view of several dimensions has no empty form."""
    return _room(8 * max(n, 1) * width).cast("q", (max(n, 1), width))


def int_rows(n: int, width: int) -> memoryview:
    """Room for rows of 32-bit integers; at least one."""
    return _room(4 * max(n, 1) * width).cast("i", (max(n, 1), width))


def _room(size: int) -> memoryview:
    if size < _LARGE:
        return memoryview(bytearray(size))
    import mmap

    # Private memory in large pages, where the system has them: small ones are given out one fault at a time, which
    # took a fifth of the time on a million words.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        room = mmap.mmap(-1, size, **private)
    except OSError as error:
        raise MemoryError(size) from error
    if size > _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        try:  # noqa: SIM105 - contextlib would be imported for it
            room.madvise(mmap.MADV_HUGEPAGE)
        except OSError:  # known here, but not to the kernel that runs: small pages do as well
            pass
    return memoryview(room)
