"""The limit on inputs that are read whole: 2 GiB, which is what positions can count, or less if requested.

Inputs that are read in pieces (`stream`, several processes, the inputs of a bitext) may have any size. Either
way, packed data that unpacks to far more than its size is refused unless a limit was requested.
"""

from __future__ import annotations

from contextvars import ContextVar

from evalign.errors import CommandError, InputError, Message, Place, quote
from evalign.text import LONGEST_LINE

_UNITS = {"": 1, "b": 1, "byte": 1, "bytes": 1}
for _power, _letter in enumerate("kmgt", 1):
    _UNITS |= {_letter: 1024**_power, f"{_letter}b": 1000**_power, f"{_letter}ib": 1024**_power}
_SHOWN = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))

# Packed data may unpack to so many bytes, and to more only up to so many times its size: texts and treebanks
# are packed to a tenth, data made to fill the memory of whoever unpacks it to a thousandth.
UNPACKED_FREELY = 100_000_000
MOST_TIMES = 100

_limit: ContextVar[int | None] = ContextVar("limit", default=None)


class InputLimit:
    """A context manager that limits inputs read whole to `size` bytes, counted after decompression.

    `size` is a number of bytes, or text such as "500 MB" or "1.5GiB"; at most 2 GiB, the default. With any
    size, packed data is read however much more it unpacks to; None restores the default, with which that is
    refused. Like contexts of `decimal`, it does not affect what other threads read; it does affect the
    processes and workers of a run.

    >>> from evalign.readers.content import load
    >>> from evalign.text import Text
    >>> with InputLimit("1 KiB"):
    ...     load(Text("a " * 513))
    Traceback (most recent call last):
    evalign.errors.InputError: <text>: more than 1 KiB
      expected at most 1 KiB, the limit of what is read whole
      ...
    """

    def __init__(self, size: int | str | None) -> None:
        self.size = None if size is None else check_size(size)

    def __enter__(self) -> None:
        self._token = _limit.set(self.size)

    def __exit__(self, *raised: object) -> None:
        _limit.reset(self._token)


def find_limit() -> int:
    """Return the current limit in bytes for an input that is read whole."""
    return _limit.get() or LONGEST_LINE


def requested_limit() -> int | None:
    """Return the limit in bytes that is in force by an `InputLimit`; None if there is none."""
    return _limit.get()


def check_size(size: int | str) -> int:
    """Convert a limit to bytes; raise `CommandError` if it is not a size, or larger than can be read whole.

    >>> check_size("1.5 MiB"), check_size("20kB"), check_size("2GiB")
    (1572864, 20000, 2147483647)
    """
    n_bytes = _read_size(size) if isinstance(size, str) else size
    if n_bytes == LONGEST_LINE + 1:  # "2 GiB" means the largest size
        n_bytes = LONGEST_LINE
    if not 1 <= n_bytes <= LONGEST_LINE:
        shown = quote(size) if isinstance(size, str) else f"{size:,}"
        advice = Message(
            "positions in a text that is read whole have 32 bits; "
            "{evalign.score(stream=True)|evalign score <stream>} reads any size"
        )
        problem = f"a limit of {shown}"
        raise CommandError(problem, "a size up to 2 GiB, such as 500MB", advice)
    return n_bytes


def _read_size(text: str) -> int:
    """Parse a number of bytes with or without a unit; return 0 if it is not one."""
    number = text.strip().lower()
    unit = number.lstrip("0123456789.")
    number = number[: len(number) - len(unit)]
    try:
        return int(float(number) * _UNITS[unit.strip()])
    except (ValueError, KeyError, OverflowError):
        return 0


def show_size(n_bytes: int) -> str:
    """Format a number of bytes, with a unit if it is a round number of that unit.

    >>> show_size(2**31 - 1), show_size(512 << 20), show_size(1000)
    ('2 GiB', '512 MiB', '1,000 bytes')
    """
    if n_bytes == LONGEST_LINE:
        return "2 GiB"
    for unit, size in _SHOWN:
        if n_bytes and not n_bytes % size:
            return f"{n_bytes // size:,} {unit}"
    return f"{n_bytes:,} bytes"


def refuse_size(name: str, limit: int, compression: str = "") -> InputError:
    """Return the error for an input of more than `limit` bytes.

    `compression` names how it is compressed, if only the decompressed data is too large.
    """
    problem = f"{compression} data that unpacks to more than" if compression else "more than"
    advice = Message(
        "{evalign.score(stream=True)|evalign score <stream>} reads gold and systems part by part"
    )
    if limit < LONGEST_LINE:
        advice += Message("; {evalign.InputLimit(SIZE)|<max_input> SIZE} allows up to 2 GiB")
    expected = f"at most {show_size(limit)}, the limit of what is read whole"
    return InputError(Place(name), f"{problem} {show_size(limit)}", expected, advice)


def refuse_unpacking(name: str, compression: str, packed: int, free: int = UNPACKED_FREELY) -> InputError:
    """Return the error for data of `packed` bytes that unpacks to more than `free` and to `MOST_TIMES` as many."""
    unpacked = f"more than {max(free, MOST_TIMES * packed):,} bytes"
    problem = f"{compression} data of {packed:,} bytes that unpacks to {unpacked}"
    expected = (
        f"packed data that unpacks to at most {free:,} bytes, or to at most {MOST_TIMES} times its size"
    )
    advice = Message(
        "if you know what is in it: {evalign.InputLimit(SIZE)|<max_input> SIZE} reads it all the same"
    )
    return InputError(Place(name), problem, expected, advice)
