"""Pairs of sentence ids in files: `foreign-id TAB english-id` on every line, with a score behind it if there is one.

Files have a million lines, so lines are not looked at one by one: they are cut by their bytes, all ids at once, and
only what does not hold is looked at in detail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.bitext.ids import DIGITS, EXPECTED_ID, format_id, parse_id
from evalign.bitext.numerals import (
    Numbers,
    Scores,
    WrittenScores,
    rank_exactly,
    read_digits,
    read_exactly,
    read_scores,
)
from evalign.errors import InputError, Place, quote
from evalign.readers import Source, load

__all__ = ["IdPairs", "Numbers", "Scores", "pack", "read_pairs"]

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
        return pack(self.first, self.second)

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


def pack(first: Numbers, second: Numbers) -> Numbers:
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
    found = _languages(lines)
    if languages and languages[0] and found != languages:
        swapped = "its columns are swapped" if found == languages[::-1] else ""
        raise InputError(
            lines.place(0),
            f"ids of {found[0]} and {found[1]}",
            f"of {languages[0]} and {languages[1]}",
            swapped,
        )
    first, second, behind = _read_ids(lines, found)
    scores = _read_scores(lines, behind)
    written = None if scores is None else WrittenScores(lines.data, behind + 1, lines.ends)
    return _distinct(lines, found, first, second, scores, written)


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
        found = f"{'no score' if is_bare[which] else 'a score'}, other than in line {lines.linenos[0]}"
        raise InputError(lines.place(which), found, "a score in every line, or in none")
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
        found = parse_id(id)
        if found is None:
            return InputError(place, f"id {quote(id)}", EXPECTED_ID)
        if language and found[0] != language:
            swapped = "are its columns swapped?" if found[0] in languages else ""
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
    keys = pack(first, second)
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
