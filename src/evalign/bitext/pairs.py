"""Pairs of sentence ids in files: `foreign-id TAB english-id` on every line, with a score behind it if there is one.

Files have a million lines, so lines are not looked at one by one: they are cut by their bytes, all ids at once, and
only what does not hold is looked at in detail.
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
from evalign.readers import Source, load

# Ids of sentences: a language code, a dash and nine digits, fr-000001781 (Zweigenbaum et al. 2018, Figure 1).


DIGITS = 9
LARGEST_ID = 10**DIGITS - 1
# A subtag tells scripts and varieties apart, zh_hant; a dash would end the code.
LANGUAGE_PATTERN = r"[a-z]{2,3}(?:_[a-z0-9]{2,8})?"
ID_PATTERN = re.compile(rf"({LANGUAGE_PATTERN})-([0-9]{{{DIGITS}}})")
EXPECTED_ID = f"a language code, a dash and {DIGITS} digits: fr-000001781"

_CODE = re.compile(LANGUAGE_PATTERN)


def is_language(code: str) -> bool:
    """Whether it can stand before the dash.

    >>> is_language("fr"), is_language("zh_hant"), is_language("fr-CA")
    (True, True, False)
    """
    return _CODE.fullmatch(code) is not None


def format_id(language: str, number: int) -> str:
    """The id of a sentence.

    >>> format_id("fr", 1781)
    'fr-000001781'
    """
    return f"{language}-{number:0{DIGITS}d}"


def parse_id(text: str) -> tuple[str, int] | None:
    """Language and number of an id; None where it is none.

    >>> parse_id("fr-000001781"), parse_id("fr-1781")
    (('fr', 1781), None)
    """
    match = ID_PATTERN.fullmatch(text)
    return (match[1], int(match[2])) if match else None


# Numbers as files write them, of a million lines at once: digits of an id, decimals of a score.
#
# Lines are not looked at one by one, but their first characters together, then their second ones, and so on.


Codes: TypeAlias = npt.NDArray[np.uint8]
Numbers: TypeAlias = npt.NDArray[np.int64]
Scores: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_ZERO, _POINT, _MINUS = (np.uint8(ord(character)) for character in "0.-")
# Digits and a point. Below this number whole ones are exact as floats, and so are these powers of ten.
_LONGEST = 16
_LARGEST = 2**53
# Decimals of no more significant digits are floats of their own, those of a normal size (DBL_DIG of C).
_DISTINCT = 15
_SMALLEST = np.finfo(np.float64).tiny
# So many are taken out of their lines at a time where Python reads them.
_MOST_PARSED = 1 << 16
_TENS = np.array([float(10**power) for power in range(_LONGEST)])


def read_digits(codes: Codes, starts: Numbers, width: int) -> tuple[Numbers, Mask]:
    """Numbers of so many digits, and whether they are that.

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
    """The floats that Python reads there, the nearest ones to what is written; not a number where none is.

    >>> read_scores(b"0.93 -1e-3 1_0", np.array([0, 5, 11]), np.array([4, 10, 14])).tolist()
    [0.93, -0.001, nan]
    """
    # A line end behind, so that there is something even where nothing is written.
    scores = _read_decimals(np.frombuffer(data + b"\n", np.uint8), starts, ends)
    others = np.flatnonzero(np.isnan(scores))
    for k in range(0, len(others), _MOST_PARSED):
        some = others[k : k + _MOST_PARSED]
        stretches = zip(starts[some].tolist(), ends[some].tolist(), strict=True)
        scores[some] = _parse_all([data[start:end] for start, end in stretches])
    return scores


class WrittenScores(NamedTuple):
    """Scores as a file writes them. They are looked at where floats do not tell two of them apart, and nowhere else."""

    data: bytes
    starts: Numbers
    ends: Numbers

    def take(self, which: Numbers) -> WrittenScores:
        """Some of them."""
        return WrittenScores(self.data, self.starts[which], self.ends[which])

    def find_inexact(self, scores: Scores) -> Mask:
        """Which of them may be the same float as another decimal: those of many digits, or nearly 0."""
        inexact: Mask = (self.ends - self.starts > _DISTINCT) | (np.abs(scores) < _SMALLEST)
        return inexact

    def text(self, which: int) -> str:
        """One of them."""
        return self.data[self.starts[which] : self.ends[which]].decode("ascii").strip()

    def show_exact(self, which: int, score: float) -> str:
        """One of them where its float says something else; nothing where that is the same."""
        text = self.text(which)
        return text if read_exactly(text) != read_exactly(repr(score)) else ""


def read_exactly(written: str) -> Decimal:
    """The very decimal that is written; 0 where it is nearer to that than any decimal that can be held."""
    try:
        return Decimal(written)
    except InvalidOperation:
        return Decimal(0)


def rank_exactly(scores: Scores, written: WrittenScores | None) -> Scores | Numbers:
    """Numbers in the order of the scores as they are written, equal where these are.

    >>> written = WrittenScores(b"0.5 0.1 0.50000000000000000001", np.array([0, 4, 8]), np.array([3, 7, 30]))
    >>> rank_exactly(np.array([0.5, 0.1, 0.5]), written).tolist()
    [2, 0, 3]
    """
    inexact = np.zeros(0, bool) if written is None else written.find_inexact(scores)
    if written is None or not inexact.any():
        return scores
    levels: Numbers
    _, levels, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # A float that one score alone has needs no second look.
    is_shared = np.zeros(len(counts), bool)
    is_shared[levels[inexact]] = True
    is_shared &= counts > 1
    groups: dict[int, dict[int, Decimal]] = {}
    for k in np.flatnonzero(is_shared[levels]).tolist():
        groups.setdefault(int(levels[k]), {})[k] = read_exactly(written.text(k))
    if not groups:
        return scores
    # Room between two floats for as many decimals as share one.
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
    # Python takes 1_000 for a number.
    return [*map(_parse, written)] if b"_" in b"".join(written) else scores


def _read_decimals(codes: Codes, starts: Numbers, ends: Numbers) -> Scores:
    """Numbers that are a few digits, with a point or without; not a number where anything else is written.

    The digits as a whole number and the power of ten are exact, so that their quotient is the nearest float (Clinger
    1990, How to read floating point numbers accurately).
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
    """The same of those that have so many characters."""
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
    """Pairs of ids, each once, ordered by first and then by second id."""

    name: str
    languages: tuple[str, str]
    """Of the first and of the second ids; nothing where there is no pair."""
    first: Numbers
    second: Numbers
    scores: Scores | None = None
    """A score per pair, None where the file has none."""
    written: WrittenScores | None = None
    """The scores as the file writes them, where they were read from one."""
    linenos: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    """The line of every pair, where they were read from a file."""
    repeated: tuple[int, ...] = ()
    """Lines that say again what was said; a pair has the best of its scores."""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def keys(self) -> Numbers:
        """A number per pair, in their order."""
        return pack_ids(self.first, self.second)

    @cached_property
    def levels(self) -> Scores | Numbers:
        """A number per pair in the order of the scores as they are written; all the same where there are none."""
        return np.zeros(len(self)) if self.scores is None else rank_exactly(self.scores, self.written)

    def reaching(self, threshold: float, written: str = "") -> npt.NDArray[np.bool_]:
        """Which pairs score as much or more, by decimals as they are written: `written` is the threshold's, if it has one."""
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
        """Where the first pair of the file stands."""
        return Place(self.name, int(self.linenos.min()) if len(self.linenos) else 0)

    def place(self, which: int) -> Place:
        """Where a pair stands."""
        return Place(self.name, int(self.linenos[which]) if len(self.linenos) else 0)

    def ids(self, which: int) -> tuple[str, str]:
        """Both ids of a pair."""
        first, second = self.languages
        return format_id(first, int(self.first[which])), format_id(second, int(self.second[which]))


def pack_ids(first: Numbers, second: Numbers) -> Numbers:
    """One number for two: both have at most nine digits."""
    packed: Numbers = first * 10**DIGITS + second
    return packed


class _Lines(NamedTuple):
    """Where the lines of a file begin and end, those without anything left out."""

    name: str
    data: bytes
    starts: Numbers
    ends: Numbers
    linenos: Numbers

    def text(self, which: int) -> str:
        """A line."""
        return self.data[self.starts[which] : self.ends[which]].decode("utf-8")

    def place(self, which: int) -> Place:
        """Where it stands."""
        return Place(self.name, int(self.linenos[which]))


def read_pairs(source: Source, languages: tuple[str, str] | None = None) -> IdPairs:
    """Pairs of ids from a file, each once; raises `InputError` for a line that is none, or of other languages."""
    content = load(source)
    lines = _cut_lines(content.name, content.data)
    if not len(lines.starts):
        empty = np.empty(0, np.int64)
        return IdPairs(content.name, languages or ("", ""), empty, empty)
    codes = _languages(lines)
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
    return _distinct(lines, codes, first, second, scores, written)


def _cut_lines(name: str, data: bytes) -> _Lines:
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    ends = breaks if data.endswith(b"\n") else np.append(breaks, len(data))
    starts = np.append(0, ends[:-1] + 1)
    linenos = np.arange(1, len(ends) + 1)
    is_kept = ends > starts
    if not is_kept.all():
        starts, ends, linenos = starts[is_kept], ends[is_kept], linenos[is_kept]
    return _Lines(name, data, starts, ends, linenos)


def _languages(lines: _Lines) -> tuple[str, str]:
    """The languages of the first line, which are those of all others."""
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
    """Both numbers of every line, and where what is behind them begins."""
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
    """The scores behind the ids: of all lines or of none."""
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
        problem = f"{'no score' if is_bare[which] else 'a score'}, other than in line {lines.linenos[0]}"
        raise InputError(lines.place(which), problem, "a score in every line, or in none")
    scores = read_scores(lines.data, behind + 1, lines.ends)
    good = np.isfinite(scores)
    if not good.all():
        which = int(np.argmin(good))
        text = lines.text(which).split("\t", 2)[2]
        if "\t" in text:
            raise _refuse(lines, which, ("", ""))
        raise InputError(lines.place(which), f"score {quote(text)}", "a finite number: 0.93")
    # A zero has no sign, so that a threshold is written in one way.
    return scores + 0.0


def _refuse(lines: _Lines, which: int, languages: tuple[str, str]) -> InputError:
    """What is wrong with a line."""
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


def _distinct(
    lines: _Lines,
    languages: tuple[str, str],
    first: Numbers,
    second: Numbers,
    scores: Scores | None,
    written: WrittenScores | None,
) -> IdPairs:
    """Every pair once, with the best of its scores."""
    keys = pack_ids(first, second)
    order = np.argsort(keys)
    is_new = np.ones(len(order), bool)
    is_new[1:] = np.diff(keys[order]) != 0
    if not is_new.all():
        # Of equal ones the best score first, then the first line; those that are alone stand where they are.
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


# Files of pairs that are compared: all of the same two languages.


def read_comparable(
    gold: Source, systems: Sequence[Source], wanted: str, progress: Progress
) -> list[IdPairs]:
    """Gold and systems; raises `InputError` for gold without a pair, `wanted` for something, and for other languages."""
    sources = [gold, *systems]
    read = [read_pairs(source) for _, source in counted(sources, progress, lambda s: f"reading {s}")]
    if not len(read[0]):
        raise InputError(read[0].start, "no pair", wanted)
    for pairs in read[1:]:
        check_languages(pairs, read[0])
    return read


def check_languages(pairs: IdPairs, others: IdPairs) -> None:
    """Raise `InputError` for pairs of other languages than those they are compared with; where none is, none is other."""
    if not len(pairs) or pairs.languages == others.languages:
        return
    codes, wanted = (" and ".join(each.languages) for each in (pairs, others))
    swapped = "its columns are swapped" if pairs.languages == others.languages[::-1] else ""
    raise InputError(pairs.start, f"ids of {codes}", f"of {wanted}, as in {others.name}", swapped)
