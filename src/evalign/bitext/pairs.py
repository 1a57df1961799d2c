"""Files of sentence id pairs: lines of `foreign-id TAB english-id`, with or without a score behind them.

Gold files, systems' files and mined pairs have this format. Files may have a million lines, so lines are not
parsed one by one: numpy reads the same column of all lines at once, and only lines that do not fit are looked
at in detail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.errors import InputError, Place, quote
from evalign.progress import Progress, counted
from evalign.readers.content import load
from evalign.text import Source

# Ids of sentences: a language code, a dash and nine digits, fr-000001781 (Zweigenbaum et al. 2018, Figure 1).

DIGITS = 9
LARGEST_ID = 10**DIGITS - 1
# A subtag says which script or variety, zh_hant. It follows an underscore because a dash ends the code.
LANGUAGE_PATTERN = r"[a-z]{2,3}(?:_[a-z0-9]{2,8})?"
ID_PATTERN = re.compile(rf"({LANGUAGE_PATTERN})-([0-9]{{{DIGITS}}})")
EXPECTED_ID = f"a language code, a dash and {DIGITS} digits: fr-000001781"

_CODE = re.compile(LANGUAGE_PATTERN)


def is_language(code: str) -> bool:
    """Return whether `code` is allowed as the language code of ids.

    >>> is_language("fr"), is_language("zh_hant"), is_language("fr-CA")
    (True, True, False)
    """
    return _CODE.fullmatch(code) is not None


def format_id(language: str, number: int) -> str:
    """Return the id of sentence `number` in a language.

    >>> format_id("fr", 1781)
    'fr-000001781'
    """
    return f"{language}-{number:0{DIGITS}d}"


def parse_id(text: str) -> tuple[str, int] | None:
    """Return the language and the number of an id; None if `text` is not an id.

    >>> parse_id("fr-000001781"), parse_id("fr-1781")
    (('fr', 1781), None)
    """
    match = ID_PATTERN.fullmatch(text)
    return (match[1], int(match[2])) if match else None


# Numbers in text: the digits of ids and the decimals of scores, for all lines at once.
#
# A step looks at one character of each number: first at all first characters, then at all second ones, and so
# on.


Codes: TypeAlias = npt.NDArray[np.uint8]
Numbers: TypeAlias = npt.NDArray[np.int64]
Scores: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_ZERO, _POINT, _MINUS = (np.uint8(ord(character)) for character in "0.-")
# At most this many digits and a point are read with numpy. Whole numbers up to `_LARGEST` and the powers of
# ten in `_TENS` are exact as floats.
_LONGEST = 16
_LARGEST = 2**53
# Two different decimals of at most this many significant digits are different floats (DBL_DIG of C), unless
# they are smaller than the smallest normal float.
_DISTINCT = 15
_SMALLEST = np.finfo(np.float64).tiny
# How many scores are sliced out of the data at a time where Python parses them.
_MOST_PARSED = 1 << 16
_TENS = np.array([float(10**power) for power in range(_LONGEST)])


def read_digits(codes: Codes, starts: Numbers, width: int) -> tuple[Numbers, Mask]:
    """Read numbers of exactly `width` digits that begin at `starts`.

    Returns the numbers, and for each whether it has nothing but digits.

    >>> read_digits(np.frombuffer(b"007 0x7", np.uint8), np.array([0, 4]), 3)[1].tolist()
    [True, False]
    """
    number = np.zeros(len(starts), np.int64)
    good = np.ones(len(starts), bool)
    for k in range(width):
        digit = codes[starts + k] - _ZERO  # what is below "0" wraps to above 9
        good &= digit <= 9
        number *= 10
        number += digit
    return number, good


def read_scores(data: bytes, starts: Numbers, ends: Numbers) -> Scores:
    """Read the numbers in the spans from `starts` to `ends` as floats, exactly as Python's `float` would.

    Spans that are not numbers give NaN.

    >>> read_scores(b"0.93 -1e-3 1_0", np.array([0, 5, 11]), np.array([4, 10, 14])).tolist()
    [0.93, -0.001, nan]
    """
    # With one more byte behind the data, an empty span at the end can be indexed too.
    scores = _read_decimals(np.frombuffer(data + b"\n", np.uint8), starts, ends)
    others = np.flatnonzero(np.isnan(scores))
    for k in range(0, len(others), _MOST_PARSED):
        some = others[k : k + _MOST_PARSED]
        stretches = zip(starts[some].tolist(), ends[some].tolist(), strict=True)
        scores[some] = _parse_all([data[start:end] for start, end in stretches])
    return scores


class WrittenScores(NamedTuple):
    """Scores as a file writes them: spans in its data.

    They are only parsed where floats cannot tell two of them apart.
    """

    data: bytes
    starts: Numbers
    ends: Numbers

    def take(self, which: Numbers) -> WrittenScores:
        """Return the scores at the indices `which`."""
        return WrittenScores(self.data, self.starts[which], self.ends[which])

    def find_inexact(self, scores: Scores) -> Mask:
        """Return for each score whether another decimal may be the same float.

        That is possible for decimals of many digits, and for those near 0.
        """
        inexact: Mask = (self.ends - self.starts > _DISTINCT) | (np.abs(scores) < _SMALLEST)
        return inexact

    def text(self, which: int) -> str:
        """Return one score as it is written."""
        return self.data[self.starts[which] : self.ends[which]].decode("ascii").strip()

    def show_exact(self, which: int, score: float) -> str:
        """Return one score as it is written if its float `score` has another value; otherwise ""."""
        text = self.text(which)
        return text if read_exactly(text) != read_exactly(repr(score)) else ""


def read_exactly(written: str) -> Decimal:
    """Return the exact decimal that is written.

    Returns 0 for an exponent so small that `Decimal` cannot hold the number.
    """
    try:
        return Decimal(written)
    except InvalidOperation:
        return Decimal(0)


def rank_exactly(scores: Scores, written: WrittenScores | None) -> Scores | Numbers:
    """Return numbers that are ordered as the scores are written, and equal only where those are equal.

    Without inexact scores these are the scores themselves.

    >>> written = WrittenScores(b"0.5 0.1 0.50000000000000000001", np.array([0, 4, 8]), np.array([3, 7, 30]))
    >>> rank_exactly(np.array([0.5, 0.1, 0.5]), written).tolist()
    [2, 0, 3]
    """
    inexact = np.zeros(0, bool) if written is None else written.find_inexact(scores)
    if written is None or not inexact.any():
        return scores
    levels: Numbers
    _, levels, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # A float that only one score has needs no second look.
    is_shared = np.zeros(len(counts), bool)
    is_shared[levels[inexact]] = True
    is_shared &= counts > 1
    groups: dict[int, dict[int, Decimal]] = {}
    for k in np.flatnonzero(is_shared[levels]).tolist():
        groups.setdefault(int(levels[k]), {})[k] = read_exactly(written.text(k))
    if not groups:
        return scores
    # Leave room between two levels for all decimals that share a float.
    room = max(len(set(group.values())) for group in groups.values())
    levels = levels.astype(np.int64) * room
    for group in groups.values():
        order = {value: number for number, value in enumerate(sorted(set(group.values())))}
        levels[[*group]] += [order[value] for value in group.values()]
    return levels


def _parse_all(written: list[bytes]) -> list[float]:
    try:
        scores = [*map(float, written)]
    except ValueError:
        return [*map(_parse, written)]
    # `float` accepts 1_000, `_parse` does not.
    return [*map(_parse, written)] if b"_" in b"".join(written) else scores


def _read_decimals(codes: Codes, starts: Numbers, ends: Numbers) -> Scores:
    """Read numbers that are a few digits with or without a point and a minus sign; NaN for anything else.

    The digits as a whole number and the power of ten are both exact, so their quotient is the nearest float
    (Clinger 1990, How to read floating point numbers accurately).
    """
    is_negative = codes[starts] == _MINUS
    starts = starts + is_negative
    scores = np.full(len(starts), np.nan)
    for width in range(1, _LONGEST + 1):
        which = np.flatnonzero(ends - starts == width)
        if len(which):
            scores[which] = _read_width(codes, starts[which], width)
    return np.where(is_negative, -scores, scores)


def _read_width(codes: Codes, starts: Numbers, width: int) -> Scores:
    """Read unsigned decimals of exactly `width` characters; NaN for anything else."""
    number = np.zeros(len(starts), np.int64)
    points = np.zeros(len(starts), np.int8)
    decimals = np.zeros(len(starts), np.int8)
    good = np.ones(len(starts), bool)
    for k in range(width):
        code = codes[starts + k]
        digit = code - _ZERO
        is_digit, is_point = digit <= 9, code == _POINT
        good &= is_digit | is_point
        number = np.where(is_digit, number * 10 + digit, number)
        decimals += is_digit & (points > 0)
        points += is_point
    good &= (points <= 1) & (points < width) & (number <= _LARGEST)
    return np.where(good, number / _TENS[decimals], np.nan)


def _parse(data: bytes) -> float:
    try:
        return float("nan") if b"_" in data else float(data)
    except ValueError:
        return float("nan")


__all__ = ["IdPairs", "Numbers", "Scores", "pack_ids", "read_pairs"]

_LINE = "two ids, and a score if there is one, with tabs between them: fr-000001781<TAB>en-000019027<TAB>0.93"


@dataclass(frozen=True, eq=False)
class IdPairs:
    """Pairs of sentence ids, each once, ordered by first and then by second id."""

    name: str
    languages: tuple[str, str]
    """Languages of the first and of the second ids; may be empty strings if there is no pair."""
    first: Numbers
    second: Numbers
    scores: Scores | None = None
    """A score per pair; None if the file has none."""
    written: WrittenScores | None = None
    """The scores as the file writes them, if they were read from one."""
    linenos: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    """Line number of every pair, if they were read from a file."""
    repeated: tuple[int, ...] = ()
    """Numbers of the lines that repeat a pair. A repeated pair has the best of its scores."""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def keys(self) -> Numbers:
        """One integer per pair, in the order of the pairs."""
        return pack_ids(self.first, self.second)

    @cached_property
    def levels(self) -> Scores | Numbers:
        """A number per pair that orders the pairs by their scores as they are written.

        All zeros if there are no scores.
        """
        return np.zeros(len(self)) if self.scores is None else rank_exactly(self.scores, self.written)

    def reaching(self, threshold: float, written: str = "") -> npt.NDArray[np.bool_]:
        """Return for each pair whether its score is `threshold` or more.

        Scores are compared as the decimals that are written; `written` is the threshold's decimal, if it has
        one.
        """
        if self.scores is None:
            return np.zeros(len(self), bool)
        reached: npt.NDArray[np.bool_] = self.scores >= threshold
        inexact = self.written.find_inexact(self.scores) if self.written else np.zeros(len(self), bool)
        if self.written and (written or inexact.any()):
            least = read_exactly(written or repr(threshold))
            equal = np.flatnonzero(self.scores == threshold).tolist()
            reached[equal] = [read_exactly(self.written.text(k)) >= least for k in equal]
        return reached

    @property
    def start(self) -> Place:
        """Place of the first pair of the file."""
        return Place(self.name, int(self.linenos.min()) if len(self.linenos) else 0)

    def place(self, which: int) -> Place:
        """Return the place of one pair in the file."""
        return Place(self.name, int(self.linenos[which]) if len(self.linenos) else 0)

    def ids(self, which: int) -> tuple[str, str]:
        """Return both ids of one pair."""
        first, second = self.languages
        return format_id(first, int(self.first[which])), format_id(second, int(self.second[which]))


def pack_ids(first: Numbers, second: Numbers) -> Numbers:
    """Pack two ids into one integer: each has at most nine digits."""
    packed: Numbers = first * 10**DIGITS + second
    return packed


class _Lines(NamedTuple):
    """Where the lines of a file begin and end, without empty lines."""

    name: str
    data: bytes
    starts: Numbers
    ends: Numbers
    linenos: Numbers

    def text(self, which: int) -> str:
        return self.data[self.starts[which] : self.ends[which]].decode("utf-8")

    def place(self, which: int) -> Place:
        return Place(self.name, int(self.linenos[which]))


def read_pairs(source: Source, languages: tuple[str, str] | None = None) -> IdPairs:
    """Read pairs of ids from a file, each pair once.

    Raises `InputError` for a line that is not a pair, and for languages other than `languages`.
    """
    content = load(source)
    lines = _cut_lines(content.name, content.data)
    if not len(lines.starts):
        empty = np.empty(0, np.int64)
        return IdPairs(content.name, languages or ("", ""), empty, empty)
    codes = _find_languages(lines)
    if languages and languages[0] and codes != languages:
        swapped = "its columns are swapped" if codes == languages[::-1] else ""
        raise InputError(
            lines.place(0),
            f"ids of {codes[0]} and {codes[1]}",
            f"of {languages[0]} and {languages[1]}",
            swapped,
        )
    first, second, behind = _read_ids(lines, codes)
    scores = _read_scores(lines, behind)
    written = None if scores is None else WrittenScores(lines.data, behind + 1, lines.ends)
    return _drop_repeated(lines, codes, first, second, scores, written)


def _cut_lines(name: str, data: bytes) -> _Lines:
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    ends = breaks if data.endswith(b"\n") else np.append(breaks, len(data))
    starts = np.append(0, ends[:-1] + 1)
    linenos = np.arange(1, len(ends) + 1)
    is_kept = ends > starts
    if not is_kept.all():
        starts, ends, linenos = starts[is_kept], ends[is_kept], linenos[is_kept]
    return _Lines(name, data, starts, ends, linenos)


def _find_languages(lines: _Lines) -> tuple[str, str]:
    """Return the languages of the first line, which all other lines must have too."""
    fields = lines.text(0).split("\t")
    ids = [parse_id(field) for field in fields[:2]]
    if len(fields) not in (2, 3):
        raise _refuse(lines, 0, ("", ""))
    if ids[0] is None or ids[1] is None:
        raise _refuse(lines, 0, ("", ""))
    first, second = ids[0][0], ids[1][0]
    if first == second:
        raise InputError(lines.place(0), f"two ids of {first}", "ids of two languages")
    return first, second


def _read_ids(lines: _Lines, languages: tuple[str, str]) -> tuple[Numbers, Numbers, Numbers]:
    """Return the first and second numbers of every line, and the offset behind its second id."""
    widths = [len(code) + 1 + DIGITS for code in languages]
    is_short = lines.ends - lines.starts < sum(widths) + 1
    if is_short.any():
        raise _refuse(lines, int(np.argmax(is_short)), languages)
    codes = np.frombuffer(lines.data, np.uint8)
    prefixes = (languages[0] + "-").encode(), ("\t" + languages[1] + "-").encode()
    numbers = []
    at = lines.starts
    for prefix in prefixes:
        good = np.ones(len(at), bool)
        for byte in prefix:
            good &= codes[at] == byte
            at = at + 1
        number, digits = read_digits(codes, at, DIGITS)
        if not (good & digits).all():
            raise _refuse(lines, int(np.argmin(good & digits)), languages)
        numbers.append(number)
        at = at + DIGITS
    return numbers[0], numbers[1], at


def _read_scores(lines: _Lines, behind: Numbers) -> Scores | None:
    """Read the scores behind the ids: all lines have one, or none has."""
    is_bare = behind == lines.ends
    if is_bare.all():
        return None
    codes = np.frombuffer(lines.data, np.uint8)
    others = np.flatnonzero(~is_bare)
    is_score = codes[behind[others]] == ord("\t")
    if not is_score.all():
        raise _refuse(lines, int(others[np.argmin(is_score)]), ("", ""))
    if is_bare.any():
        which = int(np.argmax(is_bare)) if not is_bare[0] else int(np.argmin(is_bare))
        problem = f"{'no score' if is_bare[which] else 'a score'}, unlike line {lines.linenos[0]}"
        raise InputError(lines.place(which), problem, "a score in every line, or in none")
    scores = read_scores(lines.data, behind + 1, lines.ends)
    good = np.isfinite(scores)
    if not good.all():
        which = int(np.argmin(good))
        text = lines.text(which).split("\t", 2)[2]
        if "\t" in text:
            raise _refuse(lines, which, ("", ""))
        raise InputError(lines.place(which), f"score {quote(text)}", "a finite number: 0.93")
    # Makes 0.0 of -0.0, so that a threshold is written in one way only.
    return scores + 0.0


def _refuse(lines: _Lines, which: int, languages: tuple[str, str]) -> InputError:
    """Return the error for the first problem in a line."""
    fields = lines.text(which).split("\t")
    place = lines.place(which)
    if len(fields) not in (2, 3):
        return InputError(place, quote(lines.text(which)), _LINE)
    for id, language in zip(fields, languages, strict=False):
        parsed = parse_id(id)
        if parsed is None:
            return InputError(place, f"id {quote(id)}", EXPECTED_ID)
        if language and parsed[0] != language:
            swapped = "are its columns swapped?" if parsed[0] in languages else ""
            return InputError(place, f"id {quote(id)}", f"an id of {language}, as above", swapped)
    return InputError(place, quote(lines.text(which)), _LINE)


def _drop_repeated(
    lines: _Lines,
    languages: tuple[str, str],
    first: Numbers,
    second: Numbers,
    scores: Scores | None,
    written: WrittenScores | None,
) -> IdPairs:
    """Make `IdPairs` with every pair once, with the best of its scores."""
    keys = pack_ids(first, second)
    order = np.argsort(keys)
    is_new = np.ones(len(order), bool)
    is_new[1:] = np.diff(keys[order]) != 0
    if not is_new.all():
        # Equal pairs are ordered by falling score, then by line; single pairs stay where they are.
        is_shared = ~is_new
        is_shared[:-1] |= ~is_new[1:]
        shared = order[is_shared]
        best: Scores | Numbers = np.zeros(len(shared))
        if scores is not None and written is not None:
            best = -rank_exactly(scores[shared], written.take(shared))
        order[is_shared] = shared[np.lexsort((shared, best, keys[shared]))]
    kept = order[is_new]
    again: Sequence[int] = np.sort(lines.linenos[order[~is_new]]).tolist()
    return IdPairs(
        lines.name,
        languages,
        first[kept],
        second[kept],
        None if scores is None else scores[kept],
        None if written is None else written.take(kept),
        lines.linenos[kept],
        tuple(again),
    )


# Files of pairs that are to be compared must be of the same two languages.


def read_comparable(
    gold: Source, systems: Sequence[Source], wanted: str, progress: Progress
) -> list[IdPairs]:
    """Read gold and the files of systems; return them in this order.

    Raises `InputError` if gold has no pair (`wanted` says what its pairs are needed for), and for other
    languages than gold's.
    """
    sources = [gold, *systems]
    read = [read_pairs(source) for _, source in counted(sources, progress, lambda s: f"reading {s}")]
    if not len(read[0]):
        raise InputError(read[0].start, "no pair", wanted)
    for pairs in read[1:]:
        check_languages(pairs, read[0])
    return read


def check_languages(pairs: IdPairs, others: IdPairs) -> None:
    """Raise `InputError` if `pairs` has other languages than `others`; empty `pairs` are accepted."""
    if not len(pairs) or pairs.languages == others.languages:
        return
    codes, wanted = (" and ".join(each.languages) for each in (pairs, others))
    swapped = "its columns are swapped" if pairs.languages == others.languages[::-1] else ""
    raise InputError(pairs.start, f"ids of {codes}", f"of {wanted}, as in {others.name}", swapped)
