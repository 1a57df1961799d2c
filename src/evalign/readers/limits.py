"""How large an input may be that is read whole: 2 GiB, which is as far as positions in a text reach, or less if asked.

What is read piece by piece (`stream`, several processes, the inputs of a bitext) may have any size.
"""

from __future__ import annotations

from contextvars import ContextVar

from evalign.errors import CommandError, InputError, Place, quote
from evalign.text import LONGEST_LINE

_UNITS = {"": 1, "b": 1, "byte": 1, "bytes": 1}
for _power, _letter in enumerate("kmgt", 1):
    _UNITS |= {_letter: 1024**_power, f"{_letter}b": 1000**_power, f"{_letter}ib": 1024**_power}
_SHOWN = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))

_limit: ContextVar[int] = ContextVar("limit", default=LONGEST_LINE)


class InputLimit:
    """Within a `with`: inputs that are read whole may have so many bytes, counted after decompression.

    A number of bytes, or text such as "500 MB" or "1.5GiB"; 2 GiB is the most, and the default. As with `decimal`'s
    contexts, what another thread reads is not concerned; the processes and workers of a run are.

    >>> from evalign.readers import load
    >>> from evalign.text import Text
    >>> with InputLimit("1 KiB"):
    ...     load(Text("a " * 513))
    Traceback (most recent call last):
    evalign.errors.InputError: <text>: more than 1 KiB
      expected at most 1 KiB, the limit of what is read whole
      ...
    """

    def __init__(self, size: int | str) -> None:
        self.size = check_size(size)

    def __enter__(self) -> None:
        self._token = _limit.set(self.size)

    def __exit__(self, *raised: object) -> None:
        _limit.reset(self._token)


def find_limit() -> int:
    """How many bytes an input may have that is read whole here and now."""
    return _limit.get()


def check_size(size: int | str) -> int:
    """A limit in bytes; raises `CommandError` if it is no size, or more than can be read whole.

    >>> check_size("1.5 MiB"), check_size("20kB"), check_size("2GiB")
    (1572864, 20000, 2147483647)
    """
    n_bytes = _read_size(size) if isinstance(size, str) else size
    if n_bytes == LONGEST_LINE + 1:  # said as everybody says it
        n_bytes = LONGEST_LINE
    if not 1 <= n_bytes <= LONGEST_LINE:
        shown = quote(size) if isinstance(size, str) else f"{size:,}"
        advice = (
            "positions in a text that is read whole have 32 bits; `evalign.score(stream=True)` reads any size"
        )
        problem = f"a limit of {shown}"
        raise CommandError(problem, "a size up to 2 GiB, such as 500MB", advice)
    return n_bytes


def _read_size(text: str) -> int:
    """Bytes, from a number with or without a unit; 0 if it is neither."""
    number = text.strip().lower()
    unit = number.lstrip("0123456789.")
    number = number[: len(number) - len(unit)]
    try:
        return int(float(number) * _UNITS[unit.strip()])
    except (ValueError, KeyError, OverflowError):
        return 0


def show_size(n_bytes: int) -> str:
    """A number of bytes as people say it, where it is a round one.

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
    """What to say of an input that has more bytes than that."""
    problem = f"{compression} data that unpacks to more than" if compression else "more than"
    advice = "`evalign.score(stream=True)` reads gold and systems part by part"
    if limit < LONGEST_LINE:
        advice += "; `evalign.InputLimit(SIZE)` allows up to 2 GiB"
    expected = f"at most {show_size(limit)}, the limit of what is read whole"
    return InputError(Place(name), f"{problem} {show_size(limit)}", expected, advice)
