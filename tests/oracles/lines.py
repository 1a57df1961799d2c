"""Sentences and tokens where the lines differ (segmentation rules, section 5), for short texts.

The rules leave some choices open. `count_aligned` makes each in one stated way;
`possible_counts` gives the outcome of every choice among equals:

- among best alignments, the first in order of its pairs of positions, the side
  whose folded line sorts first being the left one;
- a sliding stretch goes where most of its two ends are sentence boundaries of
  its own side, then token boundaries; among equals the shortest way, then left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from oracles.alignment import Run, fold_line, optimal_alignments, optimal_score
from oracles.spans import Counts, Document, line, sentence_spans, strip_white_space, token_spans

__all__ = ["count_aligned", "optimal_score", "possible_counts"]

LONG_RUN = 10
LONG_GAP = 20
SHORT_RUN = 3


class Piece(NamedTuple):
    """A stretch of both lines, by its number of characters on each."""

    kind: str  # "equal", "differing" or "unrelated"
    gold: int
    system: int

    @property
    def is_one_sided(self) -> bool:
        """Whether only one side has characters here."""
        return (self.gold == 0) != (self.system == 0)


class Edges(NamedTuple):
    """Where a shared character begins and ends, in places; None inside a stretch of unequal length."""

    start: int | None
    end: int | None


class Side(NamedTuple):
    """What sliding needs to know of one document."""

    folded: tuple[str, ...]
    sentence_ends: frozenset[int]
    token_ends: frozenset[int]


def count_aligned(
    gold: Document, system: Document, *, normalize: Callable[[str], str] = str
) -> dict[str, Counts]:
    """Correct, gold and system: sentences by place, tokens by place and text, tokens by place.

    `normalize` rewrites each token before anything else, where the lines differ (rule 1).
    """
    gold, system = prepare(gold, system, normalize)
    runs = next(best_alignments(gold, system))
    pieces = next(slide(to_pieces(runs, gold, system), side_of(gold), side_of(system), best_slides))
    return count_in_places(gold, system, separate_unrelated(pieces))


def possible_counts(
    gold: Document, system: Document, *, normalize: Callable[[str], str] = str, limit: int = 1000
) -> list[dict[str, Counts]]:
    """Every outcome the rules allow, over all best alignments and all equally good slides.

    Here a slide is good if either end of the stretch is at a sentence boundary,
    else if either is at a token boundary. Raises ValueError where there are more
    than `limit` combinations.
    """
    gold, system = prepare(gold, system, normalize)
    found: list[dict[str, Counts]] = []
    candidates = (
        pieces
        for runs in best_alignments(gold, system)
        for pieces in slide(to_pieces(runs, gold, system), side_of(gold), side_of(system), good_slides)
    )
    for number, pieces in enumerate(islice(candidates, limit + 1)):
        if number == limit:
            message = f"more than {limit} alignments are equally good"
            raise ValueError(message)
        counts = count_in_places(gold, system, separate_unrelated(pieces))
        if counts not in found:
            found.append(counts)
    return found


def prepare(
    gold: Document, system: Document, normalize: Callable[[str], str]
) -> tuple[list[list[str]], list[list[str]]]:
    """Both documents without white space, normalised per token if the lines differ (rule 1)."""
    differ = line(gold) != line(system)
    rewrite = normalize if differ else str
    stripped = [
        [[strip_white_space(rewrite(token)) for token in sentence] for sentence in document]
        for document in (gold, system)
    ]
    return stripped[0], stripped[1]


def side_of(document: Document) -> Side:
    """Folded line, sentence boundaries and token boundaries of a document, its two ends included."""
    return Side(
        fold_line(line(document)),
        frozenset({0} | {end for _, end in sentence_spans(document)}),
        frozenset({0} | {end for _, end in token_spans(document)}),
    )


def best_alignments(gold: Document, system: Document) -> Iterator[list[Run]]:
    """Best alignments of the folded lines with gold on the left, made in canonical order (rule 2)."""
    gold_line, system_line = fold_line(line(gold)), fold_line(line(system))
    if gold_line <= system_line:
        yield from optimal_alignments(gold_line, system_line)
    else:
        for runs in optimal_alignments(system_line, gold_line):
            yield [Run(run.right, run.left, run.length) for run in runs]


def to_pieces(runs: Sequence[Run], gold: Document, system: Document) -> list[Piece]:
    """Equal, gap, equal, ..., equal; the first and the last equal piece may be empty."""
    pieces: list[Piece] = []
    i = j = 0
    for run in [*runs, Run(len(line(gold)), len(line(system)), 0)]:
        if (run.left, run.right) != (i, j):
            if not pieces:
                pieces.append(Piece("equal", 0, 0))
            pieces.append(Piece("differing", run.left - i, run.right - j))
        elif run.length == 0 and pieces:
            break
        pieces.append(Piece("equal", run.length, run.length))
        i, j = run.left + run.length, run.right + run.length
    return pieces


Chooser = Callable[[range, int, int, Side], Sequence[int]]


def slide(pieces: list[Piece], gold: Side, system: Side, choose: Chooser) -> Iterator[list[Piece]]:
    """All outcomes of sliding each one-sided stretch, from left to right (rule 3)."""
    yield from _slide_from(1, pieces, gold, system, choose)


def _slide_from(
    number: int, pieces: list[Piece], gold: Side, system: Side, choose: Chooser
) -> Iterator[list[Piece]]:
    if number >= len(pieces):
        yield pieces
        return
    for way in ways_of(number, pieces, gold, system, choose):
        before, gap, behind = pieces[number - 1 : number + 2]
        moved = [
            *pieces[: number - 1],
            Piece("equal", before.gold + way, before.system + way),
            gap,
            Piece("equal", behind.gold - way, behind.system - way),
            *pieces[number + 2 :],
        ]
        yield from _slide_from(number + 2, moved, gold, system, choose)


def ways_of(number: int, pieces: list[Piece], gold: Side, system: Side, choose: Chooser) -> Sequence[int]:
    """How far a gap may go, chosen ways first to last; no way but 0 if it is not one-sided."""
    gap = pieces[number]
    if not gap.is_one_sided:
        return [0]
    i = sum(piece.gold for piece in pieces[:number])
    j = sum(piece.system for piece in pieces[:number])
    if gap.gold:
        own, other, start, end, at = gold, system, i, i + gap.gold, j
    else:
        own, other, start, end, at = system, gold, j, j + gap.system, i
    # An equal run between two gaps keeps a character; one at the end of the document may vanish.
    left_room = pieces[number - 1].gold - (number > 1)
    right_room = pieces[number + 1].gold - (number + 2 < len(pieces))
    left = right = 0
    while left < left_room and own.folded[end - left - 1] == other.folded[at - left - 1]:
        left += 1
    while right < right_room and own.folded[start + right] == other.folded[at + right]:
        right += 1
    return choose(range(-left, right + 1), start, end, own)


def best_slides(ways: range, start: int, end: int, own: Side) -> Sequence[int]:
    """The one way by the stated choice, 0 if no place has a boundary."""

    def badness(way: int) -> tuple[int, int, int, int]:
        ends = (start + way, end + way)
        sentences = sum(position in own.sentence_ends for position in ends)
        tokens = sum(position in own.token_ends for position in ends)
        return -sentences, -tokens, abs(way), way

    return [min(ways, key=badness)]


def good_slides(ways: range, start: int, end: int, own: Side) -> Sequence[int]:
    """All ways to a place with a sentence boundary, else with a token boundary, else every way."""
    for boundaries in (own.sentence_ends, own.token_ends):
        good = [way for way in ways if start + way in boundaries or end + way in boundaries]
        if good:
            return good
    return ways


def separate_unrelated(pieces: list[Piece]) -> list[Piece]:
    """Mark what is unrelated (rule 5), between equal runs of ten or more and the ends of the document."""
    separated: list[Piece] = []
    region: list[Piece] = []
    for piece in pieces:
        if piece.kind == "equal" and piece.gold >= LONG_RUN:
            separated += [*separate_region(region), piece]
            region = []
        else:
            region.append(piece)
    return separated + separate_region(region)


def separate_region(region: list[Piece]) -> list[Piece]:
    """Where both sides are long and less than half of their characters lie in runs, keep the runs only."""
    gold, system = sum(piece.gold for piece in region), sum(piece.system for piece in region)
    is_run = [piece.kind == "equal" and piece.gold >= SHORT_RUN for piece in region]
    in_runs = sum(piece.gold + piece.system for piece, kept in zip(region, is_run, strict=True) if kept)
    if gold < LONG_GAP or system < LONG_GAP or 2 * in_runs >= gold + system:
        return region
    return [
        piece if kept else Piece("unrelated", piece.gold, piece.system)
        for piece, kept in zip(region, is_run, strict=True)
    ]


def places_of(pieces: list[Piece]) -> tuple[list[Edges | None], list[Edges | None]]:
    """The edges of every gold and every system character in shared places; None if one-sided (rule 4)."""
    gold: list[Edges | None] = []
    system: list[Edges | None] = []
    place = 0
    for piece in pieces:
        if piece.kind == "unrelated" or piece.is_one_sided:
            gold += [None] * piece.gold
            system += [None] * piece.system
        elif piece.gold == piece.system:
            one_to_one = [Edges(place + k, place + k + 1) for k in range(piece.gold)]
            gold += one_to_one
            system += one_to_one
            place += piece.gold
        else:
            gold += single_place(piece.gold, place)
            system += single_place(piece.system, place)
            place += 1
    return gold, system


def single_place(length: int, place: int) -> list[Edges]:
    """The edges of the characters of a stretch that is one place: only its two ends have a number."""
    return [Edges(place if k == 0 else None, place + 1 if k == length - 1 else None) for k in range(length)]


def token_places(document: Document, characters: list[Edges | None]) -> list[list[Edges | None]]:
    """Each token from its first to its last shared character, per sentence (rule 6)."""
    places: list[list[Edges | None]] = []
    ends = list(accumulate((len(token) for sentence in document for token in sentence), initial=0))
    number = 0
    for sentence in document:
        places.append([])
        for _ in sentence:
            shared = [edges for edges in characters[ends[number] : ends[number + 1]] if edges]
            places[-1].append(Edges(shared[0].start, shared[-1].end) if shared else None)
            number += 1
    return places


def sentence_place(tokens: list[Edges | None]) -> Edges | None:
    """A sentence from its first to its last token; without a place if either has none (rule 6)."""
    if not tokens or tokens[0] is None or tokens[-1] is None:
        return None
    return Edges(tokens[0].start, tokens[-1].end)


def is_comparable(edges: Edges | None) -> bool:
    """Whether a span has a place, and both its ends have a number."""
    return edges is not None and edges.start is not None and edges.end is not None


def count_in_places(gold: Document, system: Document, pieces: list[Piece]) -> dict[str, Counts]:
    """Counts of sentences and tokens. No two spans of one side have the same place, so sets do."""
    sentences, tokens, texts = [], [], []
    for document, characters in zip((gold, system), places_of(pieces), strict=True):
        places = token_places(document, characters)
        flat = [edges for sentence in places for edges in sentence]
        words = [token for sentence in document for token in sentence]
        sentences.append({edges for edges in map(sentence_place, places) if is_comparable(edges)})
        tokens.append({edges for edges in flat if is_comparable(edges)})
        texts.append({pair for pair in zip(flat, words, strict=True) if is_comparable(pair[0])})
    sentence_totals = len(gold), len(system)
    token_totals = sum(map(len, gold)), sum(map(len, system))
    return {
        "sentences": (len(sentences[0] & sentences[1]), *sentence_totals),
        "tokens": (len(texts[0] & texts[1]), *token_totals),
        "tokens_in_place": (len(tokens[0] & tokens[1]), *token_totals),
    }
