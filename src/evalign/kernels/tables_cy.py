"""The lines and the sums of evalb's table."""

from __future__ import annotations

from evalign.kernels import buffers

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import frexp

# Bytes that a line may take: twelve numbers, and the space between them.
LONGEST_LINE = cython.declare(cython.int, 200)
LINE = "%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n"


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def add_up(
    counts: cython.int[:, ::1], n: cython.Py_ssize_t, longest: cython.int, sums: cython.longlong[:, ::1]
) -> None:
    """Add n rows of counts to the first row of sums, and those not longer than `longest` to the second.

    A row of sums: sentences, errors, skipped, valid ones; of the valid ones, equal, gold, test and crossing brackets,
    words, right tags; how many match completely, without crossing, with two at most.
    """
    k: cython.Py_ssize_t
    row: cython.int
    column: cython.int
    for k in range(n):
        for row in range(2 if counts[k, 0] <= longest else 1):
            sums[row, 0] += 1
            if counts[k, 1] == 1:
                sums[row, 1] += 1
            elif counts[k, 1] == 2:
                sums[row, 2] += 1
            else:
                sums[row, 3] += 1
                for column in range(2, 8):
                    sums[row, column + 2] += counts[k, column]
                sums[row, 10] += counts[k, 2] == counts[k, 3] and counts[k, 2] == counts[k, 4]
                sums[row, 11] += counts[k, 5] == 0
                sums[row, 12] += counts[k, 5] <= 2


def print_lines(
    counts: cython.int[:, ::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, number: cython.longlong
) -> bytes:
    """The lines of the table for rows first to last, without the last; `number` is that of the first line."""
    if cython.compiled:
        room = buffers.flags((last - first) * LONGEST_LINE)
        text: cython.uchar[::1] = room
        at: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(first, last):
            at = print_line(text, at, counts, k, number + k - first)
        return bytes(room[:at])
    else:
        lines = [LINE % (number + k - first, *counts_of(counts, k)) for k in range(first, last)]
        return "".join(lines).encode("ascii")


def counts_of(counts: cython.int[:, ::1], k: cython.Py_ssize_t) -> tuple[float, ...]:
    """What a line shows beside its number."""
    length, status, matched, gold, test, crossing, words, tags = (counts[k, column] for column in range(8))
    ratios = (percent(matched, gold), percent(matched, test), percent(tags, words))
    return (length, status, *ratios[:2], matched, gold, test, crossing, words, tags, ratios[2])


@cython.ccall
@cython.exceptval(check=False)
def percent(part: cython.longlong, whole: cython.longlong) -> cython.double:
    """A share in percent; 0 of nothing."""
    return 100.0 * part / whole if whole > 0 else 0.0


@cython.cfunc
@cython.exceptval(check=False)
def print_line(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    counts: cython.int[:, ::1],
    k: cython.Py_ssize_t,
    number: cython.longlong,
) -> cython.Py_ssize_t:
    """Write one line; returns the place after it."""
    at = put_number(text, at, number, 0, 4)
    at = put_number(text, at, counts[k, 0], 2, 3)
    at = put_number(text, at, counts[k, 1], 4, 1)
    at = put_hundredths(text, at, percent(counts[k, 2], counts[k, 3]), 2)
    at = put_hundredths(text, at, percent(counts[k, 2], counts[k, 4]), 1)
    at = put_number(text, at, counts[k, 2], 3, 3)
    at = put_number(text, at, counts[k, 3], 4, 3)
    at = put_number(text, at, counts[k, 4], 2, 3)
    at = put_number(text, at, counts[k, 5], 4, 3)
    at = put_number(text, at, counts[k, 6], 3, 4)
    at = put_number(text, at, counts[k, 7], 2, 4)
    at = put_hundredths(text, at, percent(counts[k, 7], counts[k, 6]), 3)
    text[at] = 10
    return at + 1


@cython.cfunc
@cython.exceptval(check=False)
def put_number(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    value: cython.longlong,
    gap: cython.int,
    width: cython.int,
) -> cython.Py_ssize_t:
    """Write spaces and a number, not negative, of at least so many places; returns the place after it."""
    left: cython.longlong = value
    end: cython.Py_ssize_t = at + gap
    k: cython.Py_ssize_t
    while left > 0 or end == at + gap:
        left //= 10
        end += 1
    if end < at + gap + width:
        end = at + gap + width
    for k in range(end - 1, at - 1, -1):
        text[k] = cython.cast(cython.uchar, 48 + value % 10) if value > 0 or k == end - 1 else 32
        value //= 10
    return end


@cython.cfunc
@cython.exceptval(check=False)
def put_hundredths(
    text: cython.uchar[::1], at: cython.Py_ssize_t, value: cython.double, gap: cython.int
) -> cython.Py_ssize_t:
    """Write spaces and a number from 0 to 100 with two decimals, as `%6.2f`, rounded as C rounds it: exactly.

    The value is m / 2**k for a whole m of at most 53 bits, so a hundred times m fits into 64, and what is cut off
    decides; half of a hundredth goes to the even one.
    """
    k: cython.int = 0
    m: cython.ulonglong
    whole: cython.longlong = 0
    rest: cython.ulonglong
    if value >= 0.004:  # below, m would have to be shifted by more than 61, and the result is 0.00
        m = cython.cast(cython.ulonglong, frexp(value, cython.address(k)) * 9007199254740992.0) * 100
        k = 53 - k
        rest = m & ((cython.cast(cython.ulonglong, 1) << k) - 1)
        whole = cython.cast(cython.longlong, m >> k)
        m = cython.cast(cython.ulonglong, 1) << (k - 1)
        if rest > m or (rest == m and whole & 1):
            whole += 1
    at = put_number(text, at, whole // 100, gap, 3)
    text[at] = 46
    text[at + 1] = cython.cast(cython.uchar, 48 + whole // 10 % 10)
    text[at + 2] = cython.cast(cython.uchar, 48 + whole % 10)
    return at + 3
