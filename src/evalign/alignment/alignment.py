"""Two documents side by side: where each stands on shared places, and what differs between their lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.alignment.places import NOWHERE, Blocks, CharacterPlaces, SidePlaces, make_blocks
from evalign.alignment.word_pairs import WordPairs, pair_words
from evalign.document import Document, IntArray
from evalign.errors import CommandError, Place
from evalign.kernels.match_cy import pair_spans

Stretches: TypeAlias = tuple[IntArray, IntArray]
"""Stretches of tokens: the first token of each, and the one behind its last."""

Mask: TypeAlias = npt.NDArray[np.bool_]

# What is in the same place is credited if at least one part in so many of its text is shared.
LEAST_SHARED = 3


def share_enough(shared: IntArray, lengths: IntArray, other_lengths: IntArray) -> Mask:
    """Whether 2 x shared >= (length of one + length of the other) / 3, in folded characters."""
    enough: Mask = 2 * LEAST_SHARED * shared >= lengths + other_lengths
    return enough


@dataclass(frozen=True, eq=False)
class PlacedDocument:
    """One document of a comparison: as read, as normalised, and in shared places."""

    original: Document
    document: Document
    places: SidePlaces
    characters: CharacterPlaces | None = None
    """Places of the folded characters; None where positions are places."""
    folded_cuts: IntArray | None = None
    """Where each character of the normalised line begins among its folded ones."""
    equal_before: IntArray | None = None
    """Per folded position, how many characters before it are equal to the one they are paired with; None where the
    lines are equal."""
    rule_uses: tuple[RuleUse, ...] = ()
    excepted: RewrittenByList | None = None
    """What an exception list rewrote; None where none was asked for, or the lines are equal."""
    raw_leading: Mask | None = None
    """Where places are those of a raw text: which tokens it has nothing of, nor of their sentence before them."""

    @property
    def leading(self) -> Mask | None:
        """Per token: whether it takes no room, and nothing of its sentence before it does; None if that is so of none."""
        return self.document.leading if self.raw_leading is None else self.raw_leading

    @property
    def cuts(self) -> IntArray:
        """Positions of the normalised line on its folded form."""
        if self.folded_cuts is None:
            return np.arange(len(self.document.line) + 1, dtype=np.int32)
        return self.folded_cuts

    def count_shared(self, stretches: Stretches) -> tuple[IntArray, IntArray]:
        """How many folded characters stretches of tokens have, and how many of those the other side shares."""
        cuts = self.document.cuts
        starts, ends = (self.cuts[cuts[tokens]] for tokens in stretches)
        lengths: IntArray = ends - starts
        if self.equal_before is None:
            return lengths, lengths
        return lengths, self.equal_before[ends] - self.equal_before[starts]

    @cached_property
    def sentence_reach(self) -> IntArray:
        """How far in shared places the document has come by the end of each sentence."""
        return self.places.token_reach[self.document.sentences[1:] - 1]


@dataclass(frozen=True, eq=False)
class Alignment:
    """Gold and system in shared places, with the blocks a person looks at and what had to be tolerated."""

    gold: PlacedDocument
    system: PlacedDocument
    n_places: int
    tolerated: LineDifferences
    rules: tuple[str, ...] = ()
    """Names of the rules that both sides were normalised by; none where the lines were equal."""
    on_lines: Alignment | None = None
    """The same in places of the two lines, where those here are of a raw text; else None."""

    def __repr__(self) -> str:
        return f"<Alignment of {self.gold.original!r} and {self.system.original!r}: {self.n_places:,} places>"

    @property
    def is_on_raw(self) -> bool:
        """Whether places are those of a raw text."""
        return self.on_lines is not None

    @property
    def lines_equal(self) -> bool:
        """Whether the lines are equal, as they were or once notation was normalised."""
        return self.gold.characters is None

    @cached_property
    def blocks(self) -> Blocks:
        """The m:n aligned sentences, those of the two lines: what one side lacks stands alone."""
        if self.on_lines is not None:
            return self.on_lines.blocks
        return make_blocks(self.gold.sentence_reach, self.system.sentence_reach)

    @cached_property
    def sentences_in_place(self) -> IntArray:
        """Per gold sentence the system sentence in the same place, whatever it says, or -1."""
        gold, system = self.gold.places, self.system.places
        partners = np.empty(len(gold.sentence_starts), np.int32)
        pair_spans(
            gold.sentence_starts, gold.sentence_ends, system.sentence_starts, system.sentence_ends, partners
        )
        return partners

    @cached_property
    def sentence_pairs(self) -> IntArray:
        """Per gold sentence the system sentence in the same place that shares enough text with it, or -1."""
        gold, system = self.gold.document.sentences, self.system.document.sentences
        return self.keep_sharing(self.sentences_in_place, (gold[:-1], gold[1:]), (system[:-1], system[1:]))

    @cached_property
    def refused_sentences(self) -> Mask:
        """Per gold sentence whether it shares too little text with the system sentence in the same place."""
        refused: Mask = (self.sentences_in_place >= 0) & (self.sentence_pairs < 0)
        return refused

    def keep_sharing(self, partners: IntArray, gold: Stretches, system: Stretches) -> IntArray:
        """Partners in the same place, without those that share too little text.

        `partners` has per gold stretch the number of the system stretch in its place, or -1. Where the lines are
        equal, all text is shared.
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
        """The m:n aligned tokens, those of the two lines."""
        if self.on_lines is not None:
            return self.on_lines.groups
        return make_blocks(self.gold.places.token_reach, self.system.places.token_reach)

    @cached_property
    def group_blocks(self) -> IntArray:
        """Per group of tokens the block it is in: that of its first gold token, else of its first system token.

        What only one side has may stand in another order than its sentences, so they need not ascend.
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
        """The words that stand for each other, by place or, where that does not tell, by lower-cased form."""
        return self._pairs[0]

    @property
    def folded_word_pairs(self) -> WordPairs:
        """The same by folded form."""
        return self._pairs[1]

    def project(
        self, start: int, end: int, *, to: Literal["gold", "system"] = "system"
    ) -> tuple[int, int] | None:
        """A span of one document's line on the other's: from its first to its last shared character.

        Positions count characters of the lines as read (white space is not on them). None if nothing of the span is
        on the other side; exact but inside a token that normalisation rewrote.
        """
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
        """The system's tokens, one list for each gold sentence, in order; empty where the system has nothing.

        A token goes to the gold sentence in whose places it starts; one without a place goes with the token before
        it. So tools that want equal sentences can go on.
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
    """A position on one form of a document's line, on the other: exact but inside a token that was rewritten."""
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
    """A span of one normalised line on the other, from its first to its last shared character; None if it has none."""
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


# Places kept per rule and side; the count is always whole.
MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class RuleUse:
    """How often a rule rewrote a token of one side, and where first."""

    rule: str
    count: int
    places: tuple[Place, ...]
    side: str = ""
    """"system" where it concerns the system alone; a rule of notation takes the side it is found on."""


class RewrittenByList(NamedTuple):
    """Tokens, and words beside them, that an exception list rewrote."""

    tokens: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    plain: tuple[tuple[int, str], ...] = ()
    """Those of the words that are plain tokens, and the form each is paired by; the token stays as it is."""


class LineDifferences(NamedTuple):
    """Characters of the gold line that are equal, rewritten or in gold alone; of the system line, in system alone.

    Counted on the lines as normalised: `equal + rewritten + gold_only` is the length of the gold one.
    """

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: tuple[RuleUse, ...]
    substitutions: tuple[tuple[str, str, int], ...] = ()
    """(gold, system, how often): what was written otherwise, in the order of the text."""


def count_equal_line(line: str) -> LineDifferences:
    """Nothing: the lines are equal."""
    return LineDifferences(len(line), 0, 0, 0, ())
