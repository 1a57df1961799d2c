"""The `Alignment` of two documents: where each stands in shared places, and how their lines differ.

`align_documents` makes it; metrics, scoring and reports read it. A place is a position on the line that both
documents share. Blocks are sentences aligned m:n, groups are tokens aligned m:n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from evalign.alignment.fold import fold_token
from evalign.alignment.places import NOWHERE, Blocks, CharacterPlaces, SidePlaces, make_blocks
from evalign.alignment.word_pairs import WordPairs, pair_words
from evalign.document import Document, IntArray
from evalign.errors import CommandError, Place, check_type
from evalign.kernels.match_cy import pair_spans

Stretches: TypeAlias = tuple[IntArray, IntArray]
"""Stretches of tokens: the first token of each, and one past its last."""

Mask: TypeAlias = npt.NDArray[np.bool_]
Positions: TypeAlias = "Sequence[int] | npt.NDArray[np.integer]"
Offsets: TypeAlias = npt.NDArray[np.int64]
SideName: TypeAlias = Literal["gold", "system"]

# A pair in the same place is credited only if it shares at least 1 / LEAST_SHARED of its mean length.
LEAST_SHARED = 3


def share_enough(shared: IntArray, lengths: IntArray, other_lengths: IntArray) -> Mask:
    """Return a mask of the pairs that share enough: 2 x shared >= (length + other length) / 3.

    All are numbers of folded characters, one per pair.
    """
    enough: Mask = 2 * LEAST_SHARED * shared >= lengths + other_lengths
    return enough


@dataclass(frozen=True, eq=False)
class PlacedDocument:
    """One document of an alignment, as read (`original`), as normalised (`document`), in shared places."""

    original: Document
    document: Document
    places: SidePlaces
    characters: CharacterPlaces | None = None
    """Places of the folded characters; None where positions are places."""
    folded_cuts: IntArray | None = None
    """Index of the first folded character of each character of the normalised line, and the number of folded
    characters; None where positions are places."""
    equal_before: IntArray | None = None
    """Per folded position, the number of characters before it that are paired with an equal one; None where
    the lines are equal."""
    rule_uses: tuple[RuleUse, ...] = ()
    excepted: RewrittenByList | None = None
    """What an exception list rewrote; None where the lines were equal as read."""
    raw_leading: Mask | None = None
    """What `leading` returns where places are those of a raw text and it lacks some token."""

    @property
    def leading(self) -> Mask | None:
        """Mask of the tokens without characters at the start of their sentence.

        None if every token has characters. Where places are those of a raw text, characters count only if the
        raw text has them. A token in the mask has the position at which the sentence before it ends, but
        counts as another place.
        """
        return self.document.leading if self.raw_leading is None else self.raw_leading

    @property
    def cuts(self) -> IntArray:
        """Folded position of each position on the normalised line."""
        if self.folded_cuts is None:
            return np.arange(len(self.document.line) + 1, dtype=np.int32)
        return self.folded_cuts

    @property
    def token_cuts(self) -> IntArray:
        """Folded positions where tokens begin and end; one entry more than there are tokens."""
        return self.cuts[self.document.cuts]

    def count_shared(self, stretches: Stretches) -> tuple[IntArray, IntArray]:
        """Count the folded characters of stretches of tokens.

        Returns, per stretch, the number of its characters, and how many of them the other side shares.
        """
        cuts = self.document.cuts
        starts, ends = (self.cuts[cuts[tokens]] for tokens in stretches)
        lengths: IntArray = ends - starts
        if self.equal_before is None:
            return lengths, lengths
        return lengths, self.equal_before[ends] - self.equal_before[starts]

    @cached_property
    def shared_characters(self) -> tuple[npt.NDArray[np.int64], IntArray]:
        """Folded positions of the characters that have a place, and these places; both ascend."""
        if self.characters is None:
            return np.arange(len(self.document.line)), np.arange(len(self.document.line), dtype=np.int32)
        shared = np.flatnonzero(self.characters.places != NOWHERE)
        return shared, self.characters.places[shared]

    @cached_property
    def sentence_reach(self) -> IntArray:
        """Per sentence, the number of shared places that the document has entered by the sentence's end.

        NOWHERE where the sentence ends inside a place.
        """
        return self.places.token_reach[self.document.sentences[1:] - 1]


@dataclass(frozen=True, eq=False)
class Alignment:
    """Gold and system in shared places, and what differs between their lines.

    Blocks, groups and pairs of sentences and words are derived when first asked for.
    """

    gold: PlacedDocument
    system: PlacedDocument
    n_places: int
    tolerated: LineDifferences
    rules: tuple[str, ...] = ()
    """Names of the rules that both sides were normalised by; empty where the lines were equal."""
    on_lines: Alignment | None = None
    """Where places are those of a raw text: the same alignment in places of the two lines. Otherwise None."""

    def __repr__(self) -> str:
        return f"<Alignment of {self.gold.original!r} and {self.system.original!r}: {self.n_places:,} places>"

    @property
    def is_on_raw(self) -> bool:
        """True if places are those of a raw text."""
        return self.on_lines is not None

    @property
    def lines_equal(self) -> bool:
        """True if the lines are equal, as read or once notation was normalised."""
        return self.gold.characters is None

    @cached_property
    def blocks(self) -> Blocks:
        """Sentences aligned m:n; sentences that only one side has are blocks of their own.

        Blocks are always those of the two lines, also where places are those of a raw text.
        """
        if self.on_lines is not None:
            return self.on_lines.blocks
        return make_blocks(self.gold.sentence_reach, self.system.sentence_reach)

    @cached_property
    def sentences_in_place(self) -> IntArray:
        """Per gold sentence, the system sentence in the same place, whatever its text, or -1."""
        gold, system = self.gold.places, self.system.places
        partners = np.empty(len(gold.sentence_starts), np.int32)
        pair_spans(
            gold.sentence_starts, gold.sentence_ends, system.sentence_starts, system.sentence_ends, partners
        )
        return partners

    @cached_property
    def sentence_pairs(self) -> IntArray:
        """Per gold sentence, the system sentence in the same place that shares enough text with it, or -1."""
        gold, system = self.gold.document.sentences, self.system.document.sentences
        return self.keep_sharing(self.sentences_in_place, (gold[:-1], gold[1:]), (system[:-1], system[1:]))

    @cached_property
    def refused_sentences(self) -> Mask:
        """Mask of the gold sentences that share too little text with the system sentence in their place."""
        refused: Mask = (self.sentences_in_place >= 0) & (self.sentence_pairs < 0)
        return refused

    def keep_sharing(self, partners: IntArray, gold: Stretches, system: Stretches) -> IntArray:
        """Return `partners` with -1 in place of partners that share too little text (`share_enough`).

        `partners` has, per stretch of `gold`, the index of the stretch of `system` in the same place, or -1.
        Where the lines are equal, all text is shared and `partners` itself is returned.
        """
        if self.lines_equal:
            return partners
        rows = np.flatnonzero(partners >= 0)
        others = partners[rows]
        lengths, shared = self.gold.count_shared((gold[0][rows], gold[1][rows]))
        other_lengths, _ = self.system.count_shared((system[0][others], system[1][others]))
        enough = share_enough(shared, lengths, other_lengths)
        sharing = np.full_like(partners, -1)
        sharing[rows[enough]] = others[enough]
        return sharing

    @cached_property
    def groups(self) -> Blocks:
        """Tokens aligned m:n; always those of the two lines, also where places are those of a raw text."""
        if self.on_lines is not None:
            return self.on_lines.groups
        return make_blocks(self.gold.places.token_reach, self.system.places.token_reach)

    @cached_property
    def group_blocks(self) -> IntArray:
        """Per group of tokens, the index of the block of its first gold, or else its first system token.

        The indices need not ascend: tokens that only one side has may stand in another order than the blocks
        of their sentences.
        """
        sides = (
            (self.blocks.gold, self.groups.gold, self.gold),
            (self.blocks.system, self.groups.system, self.system),
        )
        of_gold, of_system = (
            np.searchsorted(side.original.sentences[cuts[1:]], starts[:-1], side="right")
            for cuts, starts, side in sides
        )
        owners: IntArray = np.where(np.diff(self.groups.gold) > 0, of_gold, of_system)
        return owners

    @cached_property
    def _pairs(self) -> tuple[WordPairs, WordPairs]:
        gold, system = self.gold, self.system
        ours, theirs = (dict(side.excepted.plain) if side.excepted else {} for side in (gold, system))
        groups = None if self.lines_equal else self.groups
        return pair_words(gold.document, system.document, gold.places, system.places, ours, theirs, groups)

    @property
    def word_pairs(self) -> WordPairs:
        """Pairs of corresponding words, by place or, where places do not decide, by lower-cased form."""
        return self._pairs[0]

    @property
    def folded_word_pairs(self) -> WordPairs:
        """Pairs of corresponding words, by place or, where places do not decide, by folded form."""
        return self._pairs[1]

    @overload
    def project(self, start: int, end: int, *, to: SideName = "system") -> tuple[int, int] | None: ...

    @overload
    def project(self, start: Positions, end: Positions, *, to: SideName = "system") -> Offsets: ...

    def project(
        self, start: int | Positions, end: int | Positions, *, to: SideName = "system"
    ) -> tuple[int, int] | Offsets | None:
        """Project a span of one document's line onto the other's, or many spans at once.

        Positions count characters of the lines as read, which have no white space. Returns (start, end) on
        the line of the side `to`, or None if nothing of the span is there. With sequences of starts and ends
        it returns an array with a row for each span; rows of -1 where nothing of the span is there.

        A span goes from its first to its last shared character. If its end is that of a token with a
        counterpart (`token_counterparts`), it goes to the end of the counterpart; its start likewise. Exact
        except inside a token that normalisation rewrote.
        """
        check_type(to, str, "`to=`", "gold or system")
        if to not in ("gold", "system"):
            message = f'no side is called "{to}"'
            raise CommandError(message, "gold or system")
        source, target = (self.gold, self.system) if to == "system" else (self.system, self.gold)
        starts, ends = _check_spans(start, end, len(source.original.line))
        rows = self._project(source, target, starts, ends)
        if starts.ndim:
            return rows
        ((begin, stop),) = rows.tolist()
        return (begin, stop) if begin >= 0 else None

    def _project(
        self, source: PlacedDocument, target: PlacedDocument, starts: Offsets, ends: Offsets
    ) -> Offsets:
        """Project spans as `project` does; returns a row for each, of -1 where nothing of it is there."""
        starts, ends = np.atleast_1d(starts), np.atleast_1d(ends)
        begins = _move_positions(starts, source.original, source.document, are_ends=False)
        stops = _move_positions(ends, source.original, source.document, are_ends=True)
        begins, stops = _project_spans(begins, np.maximum(begins, stops), source, target)
        missing = begins < 0
        begins = _move_positions(begins, target.document, target.original, are_ends=False)
        stops = _move_positions(stops, target.document, target.original, are_ends=True)
        stops = np.maximum(begins, stops)
        shared = begins.copy(), stops.copy()
        counterparts = self.token_counterparts[source is self.system]
        if counterparts is not None:
            cuts, other_cuts = source.original.cuts, target.original.cuts
            # Among tokens that share a cut, the one with characters begins, or ends, there.
            for positions, moved, tokens, is_end in (
                (starts, begins, np.searchsorted(cuts, starts, side="right") - 1, 0),
                (ends, stops, np.searchsorted(cuts, ends) - 1, 1),
            ):
                others = np.append(counterparts, NOWHERE)[tokens]
                hit = (others >= 0) & (cuts[np.minimum(tokens + is_end, len(cuts) - 1)] == positions)
                moved[hit] = other_cuts[others[hit] + is_end]
        # Counterparts may stand so that a span would end before it begins.
        rows: Offsets = np.where(begins < stops, [begins, stops], shared).T
        rows[missing] = NOWHERE
        return rows

    @cached_property
    def token_counterparts(self) -> tuple[IntArray, IntArray] | tuple[None, None]:
        """Per gold token the system token written in its place, or -1; and per system token the gold token.

        Counterparts have the same number of folded characters but are not the same; at least half of these
        characters are paired with an equal one of the other, and neither token shares more with another
        token. So `Prague` and `Prageu` end together, although the last letter of one is inside the other.
        None where the lines are equal.
        """
        gold, system = self.gold, self.system
        if gold.equal_before is None or system.equal_before is None:
            return None, None

        partners = tuple(np.full(side.document.n_tokens, -1, np.int32) for side in (gold, system))
        # Equal characters come in the same order on both sides, so that their tokens can be read off in pairs.
        tokens, lengths = [], []
        for side, equal_before in ((gold, gold.equal_before), (system, system.equal_before)):
            cuts = side.token_cuts
            tokens.append(np.searchsorted(cuts, np.flatnonzero(np.diff(equal_before)), side="right") - 1)
            lengths.append(np.diff(cuts))
        new = np.flatnonzero((np.diff(tokens[0], prepend=-1) != 0) | (np.diff(tokens[1], prepend=-1) != 0))
        shared = np.diff(np.append(new, len(tokens[0])))
        ours, theirs = tokens[0][new], tokens[1][new]
        fits = 2 * shared >= lengths[0][ours]
        fits &= (shared < lengths[0][ours]) & (lengths[0][ours] == lengths[1][theirs])
        for rows, length in ((ours, lengths[0]), (theirs, lengths[1])):
            most = np.zeros(len(length), np.int64)
            np.maximum.at(most, rows, shared)
            fits &= shared == most[rows]
        for one, other in zip(ours[fits].tolist(), theirs[fits].tolist(), strict=True):
            is_free = partners[0][one] < 0 and partners[1][other] < 0
            texts = (gold.document.token(one), system.document.token(other))
            if is_free and fold_token(texts[0]) != fold_token(texts[1]):
                partners[0][one], partners[1][other] = other, one
        return partners[0], partners[1]

    def resegment(self) -> list[list[str]]:
        """Regroup the system's tokens by gold sentence: one list of tokens for each gold sentence, in order.

        A list is empty where the system has nothing. A token goes to the gold sentence in whose places it
        starts; one without a place goes with the token before it. This serves tools that need the same
        sentences on both sides.
        """
        gold, system = self.gold, self.system
        starts = system.places.token_starts
        latest_starts = np.maximum.accumulate(starts) if len(starts) else starts
        begins = np.append(0, gold.places.token_progress)[gold.document.sentences[:-1]]
        cuts = np.concatenate([[0], np.searchsorted(latest_starts, begins[1:]), [len(starts)]])
        tokens = system.original.written_tokens()
        return [tokens[a:b] for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)][
            : gold.document.n_sentences
        ]


def _check_spans(start: object, end: object, length: int) -> tuple[Offsets, Offsets]:
    """Return starts and ends on a line of `length` characters as arrays; `CommandError` for anything else."""
    starts, ends = (_check_positions(value) for value in (start, end))
    if starts.shape != ends.shape:
        are_both = starts.ndim == ends.ndim
        problem = f"{starts.size:,} starts and {ends.size:,} ends" if are_both else "a number and a sequence"
        raise CommandError(problem, "a start and an end for each span")
    wrong = np.flatnonzero(~((starts >= 0) & (starts <= ends) & (ends <= length)))
    if len(wrong):
        one, other = starts.reshape(-1)[wrong[0]], ends.reshape(-1)[wrong[0]]
        problem = f"span {one} to {other} on a line of {length} characters"
        raise CommandError(problem, "0 <= start <= end <= length")
    return starts.astype(np.int64), ends.astype(np.int64)


def _check_positions(value: object) -> npt.NDArray[np.integer]:
    """Return a position or a sequence of positions as an array of none or one dimension."""
    try:
        positions = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        positions = np.asarray(None)
    if positions.shape == (0,):
        positions = positions.astype(np.int64)
    if positions.dtype.kind not in "iu" or positions.ndim > 1:
        is_large = isinstance(value, int) and positions.dtype == object
        problem = "a position beyond 64 bits" if is_large else f"a position is of type {type(value).__name__}"
        raise CommandError(problem, "a number of characters, or an array of such numbers")
    return positions


def _move_positions(positions: Offsets, old: Document, new: Document, *, are_ends: bool) -> Offsets:
    """Move positions from one form of a document's line (`old`) to another (`new`).

    The forms are the line as read and as normalised. Exact except inside a rewritten token: there `are_ends`
    moves a position to the end of the token, otherwise to its start.
    """
    if old is new or not old.n_tokens:
        return positions
    tokens = np.searchsorted(old.cuts, positions, side="left" if are_ends else "right") - 1
    tokens = np.clip(tokens, 0, old.n_tokens - 1)
    offsets: Offsets = positions - old.cuts[tokens]
    lengths, new_lengths = (form.cuts[tokens + 1] - form.cuts[tokens] for form in (old, new))
    # Inside a rewritten token only its ends have a counterpart.
    to_end = (offsets == lengths) | are_ends
    at_ends = np.where((offsets > 0) & to_end, new_lengths, 0)
    return (new.cuts[tokens] + np.where(lengths == new_lengths, offsets, at_ends)).astype(np.int64)


def _project_spans(
    starts: Offsets, ends: Offsets, source: PlacedDocument, target: PlacedDocument
) -> tuple[Offsets, Offsets]:
    """Project spans between normalised lines, from their first to their last shared character.

    Starts and ends are -1 for spans that share no character.
    """
    if source.characters is None or target.characters is None:
        is_there = ends > starts
        return np.where(is_there, starts, NOWHERE), np.where(is_there, ends, NOWHERE)
    (here, places), (there, other_places) = (side.shared_characters for side in (source, target))
    first = np.searchsorted(here, source.cuts[starts])
    last = np.searchsorted(here, source.cuts[ends]) - 1
    is_there = first <= last
    begins, stops = np.full(len(starts), NOWHERE, np.int64), np.full(len(starts), NOWHERE, np.int64)
    first, last = first[is_there], last[is_there]
    begin = there[np.searchsorted(other_places, places[first])]
    stop = there[np.searchsorted(other_places, places[last], side="right") - 1]
    begins[is_there] = np.searchsorted(target.cuts, begin, side="right") - 1
    stops[is_there] = np.searchsorted(target.cuts, stop, side="right")
    return begins, stops


# Places that a `RuleUse` lists; its count is always complete.
MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class RuleUse:
    """The count and first places of one rule's rewrites, or of one kind of difference between the lines."""

    rule: str
    count: int
    places: tuple[Place, ...]
    side: str = ""
    """"gold" or "system" for a difference between the lines; empty for a rule of notation, which is listed
    with the document it rewrote."""


class RewrittenByList(NamedTuple):
    """Indices of the tokens and words that an exception list rewrote.

    The words are inside multiword tokens, or paired with one that is inside.
    """

    tokens: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    plain: tuple[tuple[int, str], ...] = ()
    """Words of plain tokens, with the form that each is paired by; the token itself is not changed."""


class AsRead(NamedTuple):
    """Counts of gold's characters as they were read, before any was normalised; they add up to all of them."""

    identical: int = 0
    """Characters that the system has as well."""
    made_equal: int = 0
    """Characters that a rule made equal to the system's, on either side."""
    different: int = 0
    """Characters that the system has differently, or not at all."""


class LineDifferences(NamedTuple):
    """Counts of characters that are equal, rewritten, or on one side only.

    Counted on the normalised lines: `equal + rewritten + gold_only` is the length of the gold line;
    `system_only` counts characters of the system line.
    """

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: tuple[RuleUse, ...]
    substitutions: tuple[tuple[str, str, int], ...] = ()
    """(gold text, system text, how often) for text that was written differently, in the order of the text."""
    as_read: AsRead = AsRead()


def count_equal_line(line: str, as_read: AsRead | None = None) -> LineDifferences:
    """Return the differences of two equal lines: all characters are equal, if not made equal (`as_read`)."""
    return LineDifferences(len(line), 0, 0, 0, (), (), as_read or AsRead(len(line)))
