"""The exact character alignment of `spec/alignment.md`: six states at every point of both lines, no pruning.

    count -> fold both sides -> best_path -> slide one-sided pieces -> places -> counts

Scores are sixteenths of a bit. Time and memory grow with the product of the lengths: 2,600 by 2,600
characters take a few seconds and 160 MB.

Where the spec leaves a choice, this module reads it as follows:

- a sentence boundary is a token boundary too; both ends of a line are sentence boundaries;
- the start of both lines counts as "after an equal pair"; a jump that ends at the end of both lines gets its
  bonus;
- a part may be the first step of a gap, which then opens at that point;
- the bonus of token for token belongs to the token of the second line that begins between the two, also where
  its part stops before its end;
- ties are broken from the end of the lines backwards, by the last step first: see `TIE_ORDER`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from evalign.alignment.character_alignment import comes_later
from evalign.alignment.fold import fold_document
from evalign.alignment.normalize import apply_rules, choose_rules
from evalign.document import Document, document_from_sentences


class Prices(NamedTuple):
    """The constants of section 2 in sixteenths of a bit; costs are negative."""

    opening: int = -72
    pair: int = -40
    single: int = -24
    part: int = -96
    replaced: int = -24
    """What token for token costs beyond a part."""
    jump: int = -512
    jumped: int = -2
    jump_bonus: tuple[int, int, int] = (0, 32, 192)
    """Indexed by what both lines have at a point: no boundary, a token boundary, a sentence boundary."""
    pair_bonus: tuple[int, int, int] = (0, 8, 48)
    substituted_bonus: tuple[int, int, int] = (0, 8, 24)


PRICES = Prices()

# Elementary steps.
EQUAL, PAIR, FIRST, SECOND = "equal", "pair", "first", "second"
PART_FIRST, PART_SECOND, TOKENS = "part of first", "part of second", "token for token"
JUMP_FIRST, JUMP_SECOND = "jump over first", "jump over second"
# A piece of a gap, regardless of the steps inside it.
GAP = "gap"

# Of paths with equal bits, the one whose last step comes first in this order wins; if the last steps are the
# same, the step before decides, and so on. Of two jumps the shorter one wins: "a jump that could as well
# begin here begins here". Of two parts the longer one wins: "a part that goes on before one that begins".
TIE_ORDER = (EQUAL, PAIR, FIRST, SECOND, PART_FIRST, PART_SECOND, TOKENS, JUMP_FIRST, JUMP_SECOND)
JUMPS = (JUMP_FIRST, JUMP_SECOND)


class Piece(NamedTuple):
    """A step or a piece of a path, with the number of characters that it takes of each line."""

    kind: str
    first: int
    second: int


@cache
def bits_of(code: int) -> int:
    """Return what an equal pair of this folded character earns, in sixteenths of a bit."""
    if _is_han(code):
        return 8 * 16
    if not unicodedata.category(chr(code)).startswith("L"):
        return 5 * 16
    if 0x3040 <= code <= 0x30FF or 0x31F0 <= code <= 0x31FF or 0x1AFF0 <= code <= 0x1B16F:
        return 7 * 16
    return 4 * 16


def _is_han(code: int) -> bool:
    """Return whether `code` is a Han character.

    These are CJK unified ideographs, their extensions, compatibility ideographs, and the marks U+3005 to
    U+3007.
    """
    return (
        0x3005 <= code <= 0x3007
        or 0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )


# The path with the most bits.


def best_path(
    first: Sequence[int],
    second: Sequence[int],
    first_marks: Sequence[int],
    second_marks: Sequence[int],
    prices: Prices = PRICES,
) -> tuple[int, list[Piece]]:
    """Return the bits and the pieces of the best path through two lines of folded characters (section 3).

    Marks are one longer than the line: 1 for a token boundary before the character, 2 for a sentence
    boundary.
    """
    score, steps = best_steps(first, second, first_marks, second_marks, prices)
    return score, cut_pieces(steps, first, second, first_marks, second_marks)


def best_steps(
    first: Sequence[int],
    second: Sequence[int],
    first_marks: Sequence[int],
    second_marks: Sequence[int],
    prices: Prices = PRICES,
) -> tuple[int, list[Piece]]:
    """Return the bits and the elementary steps of the best path. The arguments are those of `best_path`."""
    table = Table(first, second, first_marks, second_marks, prices)
    return table.score(), table.steps()


def cut_pieces(
    steps: Iterable[Piece],
    first: Sequence[int],
    second: Sequence[int],
    first_marks: Sequence[int],
    second_marks: Sequence[int],
) -> list[Piece]:
    """Join steps to equal runs, jumps, and gaps.

    Gaps are cut where the path meets a token boundary of both lines.
    """
    pieces: list[Piece] = []
    i = j = 0
    cut = True  # whether the next gap step begins a new piece
    for kind, a, b in steps:
        if kind == EQUAL or (kind == PAIR and first[i] == second[j]):
            kind = EQUAL
            joins = bool(pieces) and pieces[-1].kind == EQUAL
        elif kind in JUMPS:
            joins = False
        else:
            kind = GAP
            joins = bool(pieces) and pieces[-1].kind == GAP and not cut
        if joins:
            last = pieces.pop()
            pieces.append(Piece(kind, last.first + a, last.second + b))
        else:
            pieces.append(Piece(kind, a, b))
        i, j = i + a, j + b
        cut = min(first_marks[i], second_marks[j]) > 0
    return pieces


M, G, J1, J2, T1, T2 = range(6)
NEVER = -(10**9)


class Table:
    """The most bits with which each point of both lines is reached in each of six states.

    M is after an equal pair, G in a gap, J1 and J2 in a jump, T1 and T2 in a part of one token (until the state
    has become G). With `gap_only` the path begins inside a gap
    and never leaves it.
    """

    def __init__(
        self,
        first: Sequence[int],
        second: Sequence[int],
        first_marks: Sequence[int],
        second_marks: Sequence[int],
        prices: Prices = PRICES,
        *,
        gap_only: bool = False,
    ) -> None:
        """Fill the table, one antidiagonal (all points with the same i + j) after the other."""
        self.first, self.second = np.array(first, np.int64), np.array(second, np.int64)
        self.first_marks, self.second_marks = np.array(first_marks), np.array(second_marks)
        self.n, self.m = len(first), len(second)
        assert (len(first_marks), len(second_marks)) == (self.n + 1, self.m + 1)
        self.prices, self.gap_only = prices, gap_only
        self.start = G if gap_only else M
        self.bits = np.array([bits_of(code) for code in self.first.tolist()], np.int32)
        self.pair_bonus = np.array(prices.pair_bonus, np.int32)
        self.substituted_bonus = np.array(prices.substituted_bonus, np.int32)
        self.jump_bonus = np.array(prices.jump_bonus, np.int32)
        # For each position of the second line, the end of the token that begins there.
        bounds = np.flatnonzero(self.second_marks)
        after = np.searchsorted(bounds, np.arange(self.m + 1), side="right")
        self.token_end = np.append(bounds, self.m)[after]
        # For each antidiagonal: the scores of its points by state and ascending i, and its first i.
        self.diagonals: list[np.ndarray] = []
        self.lows: list[int] = []
        nothing = np.full((6, self.n + 2), NEVER, np.int32)
        before, before_that = nothing, nothing  # the two previous antidiagonals, with room for i = -1
        for d in range(self.n + self.m + 1):
            low, high = max(0, d - self.m), min(self.n, d)
            scores = self._fill(np.arange(low, high + 1), d, before, before_that)
            self.diagonals.append(scores)
            self.lows.append(low)
            before, before_that = nothing.copy(), before
            before[:, low + 1 : high + 2] = scores

    def _fill(self, i: np.ndarray, d: int, before: np.ndarray, before_that: np.ndarray) -> np.ndarray:
        """Return the scores of the points (i, d - i); `before[:, i + 1]` is the point (i, d - 1 - i)."""
        j = d - i
        scores = np.full((6, len(i)), NEVER, np.int32)
        if d == 0:
            scores[self.start] = 0
            return scores
        # The points (i-1, j-1), (i-1, j), (i, j-1). Outside the lines, scores are NEVER and marks arbitrary.
        across, down, right = before_that[:, i], before[:, i], before[:, i + 1]
        at_across, at_down, at_right = self._both(i - 1, j - 1), self._both(i - 1, j), self._both(i, j - 1)
        p = self.prices
        here = self._both(i, j)
        bonus = self.pair_bonus[at_across] + self.pair_bonus[here]
        less = self.substituted_bonus[at_across] + self.substituted_bonus[here]
        if not self.gap_only:
            equal = (
                (i > 0) & (j > 0) & (self.first[i - 1] == self.second[j - 1]) if self.n and self.m else False
            )
            earned = (self.bits[i - 1] if self.n else 0) + bonus
            scores[M] = np.where(equal, self._arrived(across, at_across) + earned, NEVER)
            scores[J1] = np.maximum(self._jumping(down, at_down), down[J1]) + p.jumped
            begun = np.maximum(self._jumping(right, at_right), right[J1] + p.jump)
            scores[J2] = np.maximum(begun, right[J2]) + p.jumped
        # A part of one token is skipped while the other line stands at one of its own boundaries.
        scores[T1] = np.where(self.second_marks[j] > 0, self._in_gap(down, at_down) + p.part, NEVER)
        inside = self.first_marks[i - 1] == 0
        scores[T1] = np.where(inside, np.maximum(scores[T1], down[T1]), scores[T1])
        after_token = right[T1] + p.replaced + self.substituted_bonus[self._both(i, self.token_end[j - 1])]
        begun = np.maximum(self._in_gap(right, at_right) + p.part, after_token)
        scores[T2] = np.where(self.first_marks[i] > 0, begun, NEVER)
        inside = self.second_marks[j - 1] == 0
        scores[T2] = np.where(inside, np.maximum(scores[T2], right[T2]), scores[T2])
        scores[G] = np.maximum.reduce([
            self._in_gap(across, at_across) + p.pair + less,
            self._in_gap(down, at_down) + p.single,
            self._in_gap(right, at_right) + p.single,
            scores[T1],
            scores[T2],
        ])  # fmt: skip
        return scores

    def _both(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return what both lines have at points: 0 nothing, 1 a token boundary, 2 a sentence boundary."""
        return np.minimum(self.first_marks[i], self.second_marks[j])

    def _arrived(self, scores: np.ndarray, both: np.ndarray) -> np.ndarray:
        """Return the scores of points where an equal pair, a gap or a jump has ended."""
        jumps = np.maximum(scores[J1], scores[J2]) + self.jump_bonus[both]
        return np.maximum.reduce([scores[M], scores[G], jumps])

    def _in_gap(self, scores: np.ndarray, both: np.ndarray) -> np.ndarray:
        """Return the scores of points in a gap, which may open there."""
        jumps = np.maximum(scores[J1], scores[J2]) + self.jump_bonus[both]
        return np.maximum(scores[G], np.maximum(scores[M], jumps) + self.prices.opening)

    def _jumping(self, scores: np.ndarray, both: np.ndarray) -> np.ndarray:
        """Return the scores of points where a jump begins after an equal pair or a gap."""
        return np.maximum(scores[M], scores[G]) + self.prices.jump + self.jump_bonus[both]

    # Backtracking: the choices of every state one by one, in the order of preference.

    def score(self) -> int:
        """Return the most bits at the ends of both lines."""
        return max(score for score, _ in self._arrivals(self.n, self.m))

    def steps(self) -> list[Piece]:
        """Return the elementary steps of the best path."""
        i, j = self.n, self.m
        state = _choose(self._arrivals(i, j), self.score())[0]
        steps: list[Piece] = []
        continues = False  # whether the last step in `steps` began before (i, j)
        while (i, j, state) != (0, 0, self.start):
            kind, i, j, state, whole = _choose(self._choices(state, i, j), self._at(state, i, j))
            if kind is None:
                continue
            a, b = self._size(kind)
            if continues:
                last = steps.pop()
                kind, a, b = _joined(last, kind), last.first + a, last.second + b
            steps.append(Piece(kind, a, b))
            continues = not whole
        return steps[::-1]

    @staticmethod
    def _size(kind: str) -> tuple[int, int]:
        first = kind in (EQUAL, PAIR, FIRST, PART_FIRST, JUMP_FIRST)
        second = kind in (EQUAL, PAIR, SECOND, PART_SECOND, JUMP_SECOND)
        return int(first), int(second)

    def _at(self, state: int, i: int, j: int) -> int:
        """Return the score of a point in a state; NEVER outside the lines."""
        if i < 0 or j < 0:
            return NEVER
        return int(self.diagonals[i + j][state, i - self.lows[i + j]])

    def _mark(self, i: int, j: int) -> int:
        return int(min(self.first_marks[i], self.second_marks[j]))

    def _arrivals(self, i: int, j: int) -> Iterator[tuple[int, tuple[int]]]:
        """Yield the scores and states in which an equal pair can leave a point, or the path can end there."""
        bonus = self.prices.jump_bonus[self._mark(i, j)]
        yield self._at(M, i, j), (M,)
        yield self._at(G, i, j), (G,)
        yield self._at(J1, i, j) + bonus, (J1,)
        yield self._at(J2, i, j) + bonus, (J2,)

    def _gaps(self, i: int, j: int) -> Iterator[tuple[int, tuple[int]]]:
        """Yield the scores and states in which a step of a gap can leave a point."""
        for score, (state,) in self._arrivals(i, j):
            yield score + (0 if state == G else self.prices.opening), (state,)

    def _choices(self, state: int, i: int, j: int) -> Iterator[tuple[int, tuple]]:
        """Yield the ways to reach a point in a state.

        Each is a score and (step, i, j, state, whether the step is whole).
        """
        p = self.prices
        across, down, right = (i - 1, j - 1), (i - 1, j), (i, j - 1)
        if state in (M, G) and min(across) >= 0:
            bonuses = p.pair_bonus if state == M else p.substituted_bonus
            bonus = bonuses[self._mark(*across)] + bonuses[self._mark(i, j)]
        if state == M and min(across) >= 0 and self.first[i - 1] == self.second[j - 1]:
            for score, (source,) in self._arrivals(*across):
                yield score + int(self.bits[i - 1]) + bonus, (EQUAL, *across, source, True)
        elif state == G:
            if min(across) >= 0:
                for score, (source,) in self._gaps(*across):
                    yield score + p.pair + bonus, (PAIR, *across, source, True)
            for kind, point in ((FIRST, down), (SECOND, right)):
                if min(point) >= 0:
                    for score, (source,) in self._gaps(*point):
                        yield score + p.single, (kind, *point, source, True)
            yield self._at(T1, i, j), (None, i, j, T1, True)
            yield self._at(T2, i, j), (None, i, j, T2, True)
        elif state == J1 and i:
            bonus = p.jump_bonus[self._mark(*down)]
            for source in (M, G):
                yield self._at(source, *down) + p.jump + bonus + p.jumped, (JUMP_FIRST, *down, source, True)
            yield self._at(J1, *down) + p.jumped, (JUMP_FIRST, *down, J1, False)
        elif state == J2 and j:
            bonus = p.jump_bonus[self._mark(*right)]
            for source in (M, G):
                yield (
                    self._at(source, *right) + p.jump + bonus + p.jumped,
                    (JUMP_SECOND, *right, source, True),
                )
            yield self._at(J1, *right) + p.jump + p.jumped, (JUMP_SECOND, *right, J1, True)
            yield self._at(J2, *right) + p.jumped, (JUMP_SECOND, *right, J2, False)
        elif state == T1 and i:
            if not self.first_marks[i - 1]:
                yield self._at(T1, *down), (PART_FIRST, *down, T1, False)
            if self.second_marks[j]:
                for score, (source,) in self._gaps(*down):
                    yield score + p.part, (PART_FIRST, *down, source, True)
        elif state == T2 and j:
            if not self.second_marks[j - 1]:
                yield self._at(T2, *right), (PART_SECOND, *right, T2, False)
            if self.first_marks[i]:
                for score, (source,) in self._gaps(*right):
                    yield score + p.part, (PART_SECOND, *right, source, True)
                bonus = p.replaced + p.substituted_bonus[self._mark(i, int(self.token_end[j - 1]))]
                yield self._at(T1, *right) + bonus, (PART_SECOND, *right, T1, False)


def _choose(choices: Iterable[tuple[int, tuple]], score: int) -> tuple:
    """Return the first choice that has this score."""
    return next(choice for earned, choice in choices if earned == score)


def _joined(step: Piece, kind: str) -> str:
    """Return the kind of a step after one character is put before it: T1 before T2 is token for token."""
    return TOKENS if step.kind in (TOKENS, PART_SECOND) and kind == PART_FIRST else step.kind


# The bits of a given path, straight from the table of section 2.


def score_path(
    pieces: Iterable[Piece],
    first: Sequence[int],
    second: Sequence[int],
    first_marks: Sequence[int],
    second_marks: Sequence[int],
    prices: Prices = PRICES,
) -> int:
    """Return the bits of a path given as steps or pieces, in sixteenths.

    A piece of a gap is scored by its cheapest steps.

    Raises ValueError if the path is invalid: unequal characters, no part of a token, jumps in the wrong order, or
    a wrong end.
    """
    total = i = j = 0
    previous = EQUAL
    for kind, a, b in pieces:
        ends = i + a, j + b
        _check(kind, previous, (i, j), ends, first, second, first_marks, second_marks)

        def both(x: int, y: int) -> int:
            return min(first_marks[x], second_marks[y])

        if previous in JUMPS and kind not in JUMPS:
            total += prices.jump_bonus[both(i, j)]
        if kind not in (EQUAL, *JUMPS) and previous in (EQUAL, *JUMPS):
            total += prices.opening
        if kind in (EQUAL, PAIR):
            for x, y in zip(range(i, ends[0]), range(j, ends[1]), strict=True):
                total += bits_of(first[x]) if kind == EQUAL else prices.pair
                bonuses = prices.pair_bonus if kind == EQUAL else prices.substituted_bonus
                total += bonuses[both(x, y)] + bonuses[both(x + 1, y + 1)]
        elif kind in (FIRST, SECOND):
            total += prices.single * (a + b)
        elif kind in (PART_FIRST, PART_SECOND):
            total += prices.part
        elif kind == TOKENS:
            end = next(y for y in range(j + 1, len(second_marks)) if second_marks[y])
            total += prices.part + prices.replaced + prices.substituted_bonus[both(ends[0], end)]
        elif kind in JUMPS:
            total += prices.jump + prices.jumped * (a + b)
            if previous not in JUMPS:
                total += prices.jump_bonus[both(i, j)]
        else:
            marks = first_marks[i : ends[0] + 1], second_marks[j : ends[1] + 1]
            total += Table(first[i : ends[0]], second[j : ends[1]], *marks, prices, gap_only=True).score()
        previous = kind
        i, j = ends
    if (i, j) != (len(first), len(second)):
        raise ValueError(f"the path ends at {i}, {j}, the lines at {len(first)}, {len(second)}")
    if previous in JUMPS:
        total += prices.jump_bonus[min(first_marks[i], second_marks[j])]
    return total


def _check(
    kind: str,
    previous: str,
    start: tuple[int, int],
    end: tuple[int, int],
    first: Sequence[int],
    second: Sequence[int],
    first_marks: Sequence[int],
    second_marks: Sequence[int],
) -> None:
    """Raise ValueError for a step that the rules do not allow."""
    a, b = end[0] - start[0], end[1] - start[1]
    if end[0] > len(first) or end[1] > len(second) or min(a, b) < 0 or a + b == 0:
        raise ValueError(f"{kind} from {start} to {end}")
    if kind == EQUAL and list(first[start[0] : end[0]]) != list(second[start[1] : end[1]]):
        raise ValueError(f"unequal characters from {start} to {end}")
    if (kind in (FIRST, PART_FIRST, JUMP_FIRST) and b) or (kind in (SECOND, PART_SECOND, JUMP_SECOND) and a):
        raise ValueError(f"{kind} takes {a} and {b} characters")
    if kind in (PART_FIRST, PART_SECOND, TOKENS):
        points = {
            PART_FIRST: [second_marks[start[1]]],
            PART_SECOND: [first_marks[start[0]]],
            TOKENS: [second_marks[start[1]], first_marks[end[0]]],
        }
        inside = [*first_marks[start[0] + 1 : end[0]], *second_marks[start[1] + 1 : end[1]]]
        if not all(points[kind]) or any(inside) or (kind == TOKENS and not (a and b)):
            raise ValueError(f"no part of a token from {start} to {end}")
    if kind in JUMPS and previous in JUMPS and (previous, kind) != (JUMP_FIRST, JUMP_SECOND):
        raise ValueError(f"{kind} after {previous}")


# From the path to places and counts.


class Count(NamedTuple):
    """Numbers of correct, gold and system items."""

    correct: int
    gold: int
    system: int


class Counted(NamedTuple):
    """Counts of two documents."""

    sentences: Count
    tokens: Count
    refused: int
    """Number of pairs of sentences in the same place that share too little text (section 4)."""


class Line(NamedTuple):
    """A document as it is aligned: folded characters, their marks, and its tokens and sentences."""

    codes: list[int]
    marks: list[int]
    tokens: list[str]
    """Normalised, not folded."""
    token_cuts: list[int]
    """Boundaries of the tokens in the folded line, one more than there are tokens."""
    sentences: list[int]
    """Index of the first token of each sentence, and then the number of tokens."""


def read_line(sentences: Sequence[Sequence[str]]) -> Line:
    """Make a line from sentences of tokens (section 1).

    White space is removed, notation normalised, characters are folded, and katakana becomes hiragana.
    """
    return document_line(document_from_sentences([list(sentence) for sentence in sentences]))


def document_line(document: Document) -> Line:
    """Make a line from a document, as `read_line` does from sentences."""
    document, _ = apply_rules(document, choose_rules(()))
    folded = fold_document(document)
    codes = folded.codes.tolist()
    token_cuts = folded.cuts[document.cuts].tolist()
    marks = [0] * (len(codes) + 1)
    for cut in token_cuts:
        marks[cut] = 1
    for cut in (0, *folded.cuts[document.sentence_cuts].tolist(), len(codes)):
        marks[cut] = 2
    return Line(codes, marks, list(document.tokens()), token_cuts, document.sentences.tolist())


def align(gold: Line, system: Line) -> tuple[int, list[Piece]]:
    """Return the bits and pieces of the best path.

    The lines are first put into a fixed order, so that the result does not depend on which one is gold; the
    path is then swapped back.
    """
    if not comes_later(np.array(gold.codes, np.int32), np.array(system.codes, np.int32)):
        return best_path(gold.codes, system.codes, gold.marks, system.marks)
    score, pieces = best_path(system.codes, gold.codes, system.marks, gold.marks)
    swapped = {JUMP_FIRST: JUMP_SECOND, JUMP_SECOND: JUMP_FIRST}
    return score, [Piece(swapped.get(kind, kind), b, a) for kind, a, b in pieces]


def count(
    gold_sentences: Sequence[Sequence[str]], system_sentences: Sequence[Sequence[str]], *, slide: bool = True
) -> Counted:
    """Count correct sentences and tokens of two lists of sentences of tokens.

    Without `slide`, rule 4 of section 3 is left out.
    """
    gold, system = read_line(gold_sentences), read_line(system_sentences)
    _, pieces = align(gold, system)
    return count_pieces(gold, system, slide_pieces(gold, system, pieces) if slide else pieces)


# Rank of a mark at an end of a stretch: one sentence boundary outweighs two token boundaries.
MARK_RANK = (0, 1, 4)
MOST_SLID = 4096


def slide_pieces(gold: Line, system: Line, pieces: Iterable[Piece]) -> list[Piece]:
    """Slide one-sided stretches to a sentence boundary, else to a token boundary (section 3, rule 4).

    Stretches are taken from left to right. The preference is that of evalign's aligner: most bits for pairs and
    jumps that begin or end at boundaries, most boundaries at the ends of the stretch, then a boundary at the
    point of the other line, then the leftmost position. An
    equal run may vanish only at an end of both lines. Gaps keep their cuts.
    """
    runs = [0]
    gaps: list[list[Piece]] = []
    for piece in pieces:
        if piece.kind != EQUAL:
            if len(gaps) < len(runs):
                gaps.append([])
            gaps[-1].append(piece)
        elif len(gaps) == len(runs):
            runs.append(piece.first)
        else:
            runs[-1] += piece.first
    if len(gaps) == len(runs):
        runs.append(0)
    i = j = 0
    for number, gap in enumerate(gaps):
        i, j = i + runs[number], j + runs[number]
        a, b = sum(piece.first for piece in gap), sum(piece.second for piece in gap)
        rooms = runs[number] - (number > 0), runs[number + 1] - (number + 2 < len(runs))
        way = 0
        jumps = any(piece.kind in JUMPS for piece in gap)
        if a and not b:
            way = _best_slide(gold, system, (i, i + a), j, rooms, jumps=jumps)
        elif b and not a:
            way = _best_slide(system, gold, (j, j + b), i, rooms, jumps=jumps)
        runs[number] += way
        runs[number + 1] -= way
        i, j = i + a + way, j + b + way
    slid = [Piece(EQUAL, runs[0], runs[0])]
    for gap, run in zip(gaps, runs[1:], strict=True):
        slid += [*gap, Piece(EQUAL, run, run)]
    return [piece for piece in slid if piece.first or piece.second]


def _best_slide(
    own: Line, other: Line, stretch: tuple[int, int], point: int, rooms: tuple[int, int], *, jumps: bool
) -> int:
    """Return how far to slide a stretch of line `own`.

    The stretch lies at `point` of line `other`, between two equal runs that have `rooms` characters to give.
    """
    start, end = stretch
    back = on = 0
    while back < min(rooms[0], MOST_SLID) and own.codes[start - back - 1] == own.codes[end - back - 1]:
        back += 1
    while on < min(rooms[1], MOST_SLID) and own.codes[start + on] == own.codes[end + on]:
        on += 1

    def bonus(place: int, way: int) -> int:
        return PRICES.pair_bonus[min(own.marks[place], other.marks[point + way])]

    def bits(way: int) -> int:
        """Return what pairs and jumps earn at boundaries if the stretch slides from the leftmost place to here."""
        before = sum(bonus(start + k, k) + bonus(start + k + 1, k + 1) for k in range(-back, way))
        behind = sum(bonus(end + k, k) + bonus(end + k + 1, k + 1) for k in range(way, on))
        turns = [min(own.marks[place + way], other.marks[point + way]) for place in stretch] if jumps else []
        return before + behind + sum(PRICES.jump_bonus[turn] for turn in turns)

    def rank(way: int) -> tuple[int, int, int]:
        ends = MARK_RANK[own.marks[start + way]] + MARK_RANK[own.marks[end + way]]
        return bits(way), ends, MARK_RANK[other.marks[point + way]]

    return max(range(-back, on + 1), key=rank)  # the leftmost of the best


def count_pieces(gold: Line, system: Line, pieces: Sequence[Piece]) -> Counted:
    """Count correct sentences and tokens, given the pieces of a path from gold to system."""
    gold_places, system_places, equal = place(pieces, gold.codes, system.codes)
    gold_tokens, gold_spans = _spans(gold, gold_places)
    system_tokens, system_spans = _spans(system, system_places)
    tokens = _pairs(gold_tokens, system_tokens)
    same = sum(gold.tokens[one] == system.tokens[other] for one, other in tokens)
    correct = refused = 0
    for one, other in _pairs(gold_spans, system_spans):
        start, end = gold_spans[one]
        shared = sum(start <= where < end for where in equal)
        enough = 2 * 3 * shared >= _length(gold, one) + _length(system, other)
        correct, refused = correct + enough, refused + (not enough)
    return Counted(
        Count(correct, len(gold_spans), len(system_spans)),
        Count(same, len(gold_tokens), len(system_tokens)),
        refused,
    )


# For each character: its place, whether a token may start before it, and whether one may end behind it. None
# stands for a character without a place.
Place = tuple[int, bool, bool] | None
Span = tuple[int, int] | None


def place(
    pieces: Iterable[Piece], gold: Sequence[int], system: Sequence[int]
) -> tuple[list[Place], list[Place], list[int]]:
    """Return the places of the characters of both sides, and the places of pairs of equal characters.

    The rules are those of section 3.
    """
    sides: tuple[list[Place], list[Place]] = ([], [])
    equal: list[int] = []
    free = 0  # the next place
    for kind, a, b in pieces:
        if kind in JUMPS or not a or not b:
            sides[0].extend([None] * a)
            sides[1].extend([None] * b)
        elif a == b:
            for offset in range(a):
                if gold[len(sides[0])] == system[len(sides[1])]:
                    equal.append(free + offset)
                for side in sides:
                    side.append((free + offset, True, True))
            free += a
        else:
            for side, size in zip(sides, (a, b), strict=True):
                side.extend((free, offset == 0, offset == size - 1) for offset in range(size))
            free += 1
    return *sides, equal


def _spans(line: Line, places: Sequence[Place]) -> tuple[list[Span], list[Span]]:
    """Return the shared places of tokens and of sentences; None where either end has none.

    This is rule 6 of section 5 of the segmentation rules.
    """
    starts, ends = [], []
    for start, end in pairwise(line.token_cuts):
        shared = [where for where in places[start:end] if where is not None]
        starts.append(shared[0][0] if shared and shared[0][1] else None)
        ends.append(shared[-1][0] + 1 if shared and shared[-1][2] else None)
    tokens = [_span(start, end) for start, end in zip(starts, ends, strict=True)]
    sentences = [_span(starts[head], ends[after - 1]) for head, after in pairwise(line.sentences)]
    return tokens, sentences


def _span(start: int | None, end: int | None) -> Span:
    return None if start is None or end is None else (start, end)


def _pairs(gold: Sequence[Span], system: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the indices of gold and system spans that are equal."""
    numbers = {span: number for number, span in enumerate(system) if span is not None}
    return [
        (number, numbers[span]) for number, span in enumerate(gold) if span is not None and span in numbers
    ]


def _length(line: Line, sentence: int) -> int:
    """Return the number of folded characters of a sentence."""
    head, after = line.sentences[sentence : sentence + 2]
    return line.token_cuts[after] - line.token_cuts[head]
