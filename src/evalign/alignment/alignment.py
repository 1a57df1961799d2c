"""The `Alignment` of two documents: where each stands in shared places, and how their lines differ.

`align_documents` makes it; metrics, scoring and reports read it. A place is a position on the line that both
documents share. Blocks are sentences aligned m:n, groups are tokens aligned m:n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.places import NOWHERE, Blocks, CharacterPlaces, SidePlaces, make_blocks
from evalign.alignment.word_pairs import WordPairs, pair_words
from evalign.document import Document, IntArray
from evalign.errors import CommandError, Place, check_type
from evalign.kernels.match_cy import pair_spans

Stretches: TypeAlias = tuple[IntArray, IntArray]
"""Stretches of tokens: the first token of each, and one past its last."""

Mask: TypeAlias = npt.NDArray[np.bool_]

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

    def project(
        self, start: int, end: int, *, to: Literal["gold", "system"] = "system"
    ) -> tuple[int, int] | None:
        """Project a span of one document's line onto the other's: from first to last shared character.

        Positions count characters of the lines as read, which have no white space. Returns (start, end) on
        the line of the side `to`, or None if nothing of the span is there. Exact except inside a token that
        normalisation rewrote.
        """
        check_type(to, str, "`to=`", "gold or system")
        for position in (start, end):
            check_type(position, (int, np.integer), "a position", "a number of characters")
        if to not in ("gold", "system"):
            message = f'no side is called "{to}"'
            raise CommandError(message, "gold or system")
        source, target = (self.gold, self.system) if to == "system" else (self.system, self.gold)
        if not 0 <= start <= end <= len(source.original.line):
            problem = f"span {start} to {end} on a line of {len(source.original.line)} characters"
            raise CommandError(problem, "0 <= start <= end <= length")
        a = move_position(start, source.original, source.document, is_end=False)
        b = max(a, move_position(end, source.original, source.document, is_end=True))
        if source.characters is None or target.characters is None:
            there: tuple[int, int] | None = (a, b) if b > a else None
        else:
            there = project_span(a, b, (source.characters, source.cuts), (target.characters, target.cuts))
        if there is None:
            return None
        begin = move_position(there[0], target.document, target.original, is_end=False)
        return begin, max(begin, move_position(there[1], target.document, target.original, is_end=True))

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


def move_position(position: int, old: Document, new: Document, *, is_end: bool) -> int:
    """Move a position from one form of a document's line (`old`) to another (`new`).

    The forms are the line as read and as normalised. Exact except inside a rewritten token: there `is_end`
    moves the position to the end of the token, otherwise to its start.
    """
    if not old.n_tokens:
        return 0
    after = int(np.searchsorted(old.cuts, position, side="left" if is_end else "right"))
    token = min(max(after - 1, 0), old.n_tokens - 1)
    offset = position - int(old.cuts[token])
    length, new_length = (int(d.cuts[token + 1] - d.cuts[token]) for d in (old, new))
    if length != new_length:
        # Inside a rewritten token only its ends have a counterpart.
        offset = 0 if offset == 0 else new_length if offset == length else (new_length if is_end else 0)
    return int(new.cuts[token]) + offset


def project_span(
    start: int,
    end: int,
    source: tuple[CharacterPlaces, IntArray],
    target: tuple[CharacterPlaces, IntArray],
) -> tuple[int, int] | None:
    """Project a span between normalised lines, from its first to its last shared character.

    `source` and `target` are the places of a side's folded characters and its `PlacedDocument.cuts`. Returns
    None if the span shares no character.
    """
    characters, cuts = source
    places = characters.places[cuts[start] : cuts[end]]
    shared = places[places != NOWHERE]
    if not len(shared):
        return None
    others, other_cuts = target
    there = np.flatnonzero(others.places != NOWHERE)
    values = others.places[there]
    first = there[np.searchsorted(values, shared[0], side="left")]
    last = there[np.searchsorted(values, shared[-1], side="right") - 1]
    begin = int(np.searchsorted(other_cuts, first, side="right")) - 1
    return begin, int(np.searchsorted(other_cuts, last, side="right"))


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


def count_equal_line(line: str) -> LineDifferences:
    """Return the differences of two equal lines: all characters are equal."""
    return LineDifferences(len(line), 0, 0, 0, ())
