"""Where a document's tokens, and positions on its line, are in the raw text it was made from.

A token runs from its first to its last character in the raw text. One that has none there (an empty element of a tree, the
second period of `U.S. .`) sits behind the token before it in its sentence, or where the sentence begins. Anything longer
runs from its first to its last token that has characters in the raw text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment import Alignment, Side, align_documents
from evalign.alignment.fold import fold_document, fold_text
from evalign.alignment.pieces import cut_pieces
from evalign.alignment.places import NOWHERE, SidePlaces
from evalign.alignment.raw_gaps import settle_gaps
from evalign.alignment.shares import share_out
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.errors import Remark
from evalign.readers.raw import RawText, RawTexts
from evalign.text import without_space

# Which characters stand for which is no question of notation where texts are scored: a dash is no hyphen. To find a token
# in the raw text it is.
_VARIANTS = str.maketrans("‐‑‒–—―−«»″′", '-------"""\'')


class RawPlace(NamedTuple):
    """A place in the raw text: the file, and how many characters stand before it there."""

    file: str
    offset: int


class RawSpans(NamedTuple):
    """Spans in the raw text; NOWHERE where it lacks them, or where they go from one file into another."""

    starts: IntArray
    """In characters of the file."""
    ends: IntArray
    files: IntArray
    """Which file, in the order of `RawText.files`."""


def map_raw(document: Document, raw: RawTexts) -> RawMap:
    """A document on the raw text it was made from: one file, several, or those of a folder in the document's order."""
    if len(raw) == 1:
        return RawMap(document, raw[0])
    from evalign.alignment.ordering import order_texts

    return RawMap(document, *order_texts(document, raw))


@dataclass(frozen=True, eq=False)
class RawMap:
    """Positions of a document, gold if nothing else is said, to the raw text: through an alignment where they differ."""

    gold: Document
    raw: RawText
    remarks: tuple[Remark, ...] = ()
    """What to know of the raw texts: left out, out of order."""

    @cached_property
    def _alignment(self) -> Alignment | None:
        """The document and the raw text in shared places; None where their lines are equal."""
        if self.gold.line == self.raw.line:
            return None
        found = align_documents(_plain(self.gold), _plain(cut_pieces(self.raw)))
        return found if found.gold.characters is None else self._settled(found)

    def _settled(self, found: Alignment) -> Alignment:
        """An alignment in which the raw text lacks whole tokens where it may, and sentences stay in their files."""
        side, characters = found.gold, found.gold.characters
        assert characters is not None
        assert found.system.characters is not None
        files = None
        if len(self.raw.files) > 1:
            begins, _ends = _find_characters(found.system, self.raw.offsets)
            places, files = found.system.characters.places, np.zeros(found.n_places, np.int64)
            known = np.flatnonzero(places != NOWHERE)
            files[places[known]] = self.raw.files.file_of(begins[known])
        settled = settle_gaps(fold_document(side.document), characters.places, files)
        return replace(found, gold=replace(side, characters=characters._replace(places=settled)))

    @cached_property
    def _shares(self) -> tuple[IntArray, IntArray, IntArray]:
        """Per folded character of the document where what it has of the raw text begins and ends, NOWHERE if nothing.

        The third says where it would begin: also of a token that a differing stretch has too few characters for.
        """
        assert self._alignment is not None
        side = self._alignment.system
        begins, ends = _find_characters(side, self.raw.offsets)
        shares = share_out(self._alignment.gold, side, self._alignment.n_places)
        starts, firsts, lasts = (np.full(len(shares.firsts), NOWHERE) for _ in range(3))
        held = np.flatnonzero(shares.held)
        firsts[held], lasts[held] = begins[shares.firsts[held]], ends[shares.lasts[held] - 1]
        known = np.flatnonzero(shares.firsts != NOWHERE)
        starts[known] = begins[np.minimum(shares.firsts[known], len(begins) - 1)]
        return firsts, lasts, starts

    @cached_property
    def offsets(self) -> IntArray:
        """Per character of the document's line its offset in the raw text, NOWHERE where that lacks it."""
        if self._alignment is None:
            return self.raw.offsets
        return np.append(self._shares[2], NOWHERE)[_find_folded(self._alignment.gold)]

    @property
    def n_missing(self) -> int:
        """How many characters of the document's line the raw text lacks."""
        return int((self.offsets == NOWHERE).sum())

    @property
    def n_extra(self) -> int:
        """How many characters of the raw text, white space aside, the document lacks."""
        return 0 if self._alignment is None else self._alignment.tolerated.system_only

    def place(self, position: int) -> RawPlace | None:
        """The raw character that a position of the line stands before; None if the raw text lacks it."""
        files = self.raw.files
        if position >= len(self.gold.line):
            return RawPlace(files.names[-1], int(files.lengths[-1]))
        offset = int(self.offsets[position])
        if offset == NOWHERE:
            return None
        file = int(np.searchsorted(files.starts, offset, side="right")) - 1
        return RawPlace(files.names[file], offset - int(files.starts[file]))

    def offset(self, position: int) -> int | None:
        """The same without the file: in characters of the file it is in."""
        found = self.place(position)
        return None if found is None else found.offset

    def has_newline_before(self, position: int) -> bool:
        """Whether a line of the raw text ends right before a position of the document's line."""
        if not 0 < position < len(self.gold.line):
            return False
        before, after = int(self.offsets[position - 1]), int(self.offsets[position])
        return NOWHERE not in (before, after) and "\n" in self.raw.text[before:after]

    @cached_property
    def _tokens(self) -> tuple[IntArray, IntArray]:
        """Starts and ends of the tokens in the joined text; NOWHERE for those without characters."""
        cuts = self.gold.cuts
        if self._alignment is None:
            offsets = np.append(self.raw.offsets, NOWHERE)
            starts, ends = offsets[cuts[:-1]], offsets[cuts[1:] - 1] + 1
        else:
            starts, ends = _find_tokens(self._alignment.gold, *self._shares[:2])
            starts, ends = _keep_apart(starts, ends, self.raw.offsets)
            starts, ends = self._keep_in_files(starts, ends)
        bare = np.diff(cuts) == 0
        return np.where(bare, NOWHERE, starts), np.where(bare, NOWHERE, ends)

    def _keep_in_files(self, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
        """Spans of tokens; those of a sentence are in one raw file, unless it goes on from the end of one to the next.

        A file may begin inside a sentence, if the raw text has all of it and goes on with the next one. Where it lacks
        something, the file that has most tokens as they are written has the sentence: what no file has is not looked
        for in the next one.
        """
        placed = np.flatnonzero(starts != NOWHERE)
        if len(self.raw.files) < 2 or not len(placed):
            return starts, ends
        owners = self.raw.files.file_of(starts[placed])
        cuts, bounds = self.gold.cuts, self.gold.sentences
        sentences = np.searchsorted(bounds, placed, side="right") - 1
        on_line = np.searchsorted(self.raw.offsets, np.stack([starts, ends]))
        lacking = (starts == NOWHERE) | (on_line[1] - on_line[0] < np.diff(cuts))
        lacking[placed[1:]] |= on_line[0, placed[1:]] > on_line[1, placed[:-1]]
        n_lacking = np.append(0, np.cumsum(lacking))
        heads = np.flatnonzero((np.diff(owners) != 0) & (np.diff(sentences) == 0)) + 1
        others = [token for token in placed[heads].tolist() if not self._is_written(token, starts, ends)]
        n_lacking = n_lacking + np.searchsorted(others, np.arange(len(n_lacking)), side="left")
        crossing = distinct(sentences[heads])
        after = np.minimum(bounds[crossing + 1] + 1, len(starts))
        torn = crossing[n_lacking[after] > n_lacking[bounds[crossing]]]
        starts, ends = starts.copy(), ends.copy()
        firsts, lasts = (np.searchsorted(sentences, torn, side=side) for side in ("left", "right"))
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            tokens = placed[first:last]
            written = [self._is_written(token, starts, ends) for token in tokens.tolist()]
            kept = np.bincount(owners[first:last], weights=written).argmax()
            lost = tokens[owners[first:last] != kept]
            starts[lost] = ends[lost] = NOWHERE
        return starts, ends

    def _is_written(self, token: int, starts: IntArray, ends: IntArray) -> bool:
        """Whether the raw text has a token as the document has it, white space, case and accents aside."""
        there = without_space(self.raw.text[starts[token] : ends[token]])
        return fold_text(there) == fold_text(self.gold.token(token))

    @cached_property
    def missing_tokens(self) -> IntArray:
        """The tokens that have characters, none of which the raw text has."""
        return np.flatnonzero((self._tokens[0] == NOWHERE) & (np.diff(self.gold.cuts) > 0))

    @cached_property
    def _resting(self) -> IntArray:
        """Per token where one that has none in the raw text sits: behind the token before it, else where the sentence begins."""
        starts, ends = self._tokens
        n = len(starts)
        sentence = np.repeat(np.arange(self.gold.n_sentences), np.diff(self.gold.sentences))
        placed = np.flatnonzero(starts != NOWHERE)
        before = np.append(placed, n)[np.searchsorted(placed, np.arange(n)) - 1]
        after = np.append(placed, n)[np.searchsorted(placed, np.arange(n))]
        owner = np.append(sentence, NOWHERE)
        resting = np.where(owner[after] == sentence, np.append(starts, NOWHERE)[after], NOWHERE)
        return np.where(owner[before] == sentence, np.append(ends, NOWHERE)[before], resting)

    @cached_property
    def token_spans(self) -> RawSpans:
        """The tokens; words inside a multiword token have its span."""
        starts, ends = self._tokens
        bare = starts == NOWHERE
        return self._in_files(np.where(bare, self._resting, starts), np.where(bare, self._resting, ends))

    @cached_property
    def line_places(self) -> SidePlaces:
        """Tokens and sentences in positions of the raw text's line; a sentence of which it has nothing stands between others."""
        starts, ends = self._tokens
        placed, offsets = starts != NOWHERE, self.raw.offsets
        progress = np.maximum.accumulate(np.where(placed, np.searchsorted(offsets, ends), 0))
        resting = np.where(self._resting == NOWHERE, progress, np.searchsorted(offsets, self._resting))
        starts = np.where(placed, np.searchsorted(offsets, starts), resting).astype(np.int32)
        ends = np.where(placed, np.searchsorted(offsets, ends), resting).astype(np.int32)
        heads, tails = self.gold.sentences[:-1], self.gold.sentences[1:] - 1
        progress = progress.astype(np.int32)
        return SidePlaces(starts, ends, starts[heads], ends[tails], progress, progress)

    @cached_property
    def leading(self) -> npt.NDArray[np.bool_] | None:
        """Per token: whether the raw text has no character of it nor of its sentence before it; None if that is so of none."""
        placed = self._tokens[0] != NOWHERE
        if placed.all():
            return None
        before = np.append(0, np.cumsum(placed))
        sizes = np.diff(self.gold.sentences)
        leading: npt.NDArray[np.bool_] = before[1:] == np.repeat(before[self.gold.sentences[:-1]], sizes)
        return leading

    @cached_property
    def sentence_spans(self) -> RawSpans:
        """The sentences."""
        return self.spans_over(self.gold.sentences[:-1], self.gold.sentences[1:])

    def spans_over(self, firsts: IntArray, lasts: IntArray) -> RawSpans:
        """Spans of tokens from `firsts` up to `lasts`, at least one each: from their first to their last placed one.

        Where none has characters in the raw text they are of no length.
        """
        starts, ends = self._tokens
        placed = np.flatnonzero(starts != NOWHERE)
        a, b = np.searchsorted(placed, firsts), np.searchsorted(placed, lasts) - 1
        found = b >= a
        rows = placed[np.where(found, a, 0)] if len(placed) else np.zeros(len(a), np.int64)
        tails = placed[np.where(found, b, 0)] if len(placed) else rows
        resting = np.append(self._resting, NOWHERE)[firsts]
        padded = np.append(starts, NOWHERE), np.append(ends, NOWHERE)
        return self._in_files(
            np.where(found, padded[0][rows], resting), np.where(found, padded[1][tails], resting)
        )

    def _in_files(self, starts: IntArray, ends: IntArray) -> RawSpans:
        """Spans of the joined text in characters of their files."""
        files = self.raw.files
        owners = files.file_of(np.maximum(starts, 0))
        nowhere = (starts == NOWHERE) | (files.file_of(np.maximum(ends - 1, starts)) != owners)
        bases = files.starts[owners]
        return RawSpans(
            np.where(nowhere, NOWHERE, starts - bases),
            np.where(nowhere, NOWHERE, ends - bases),
            np.where(nowhere, NOWHERE, owners),
        )

    @cached_property
    def breaks(self) -> Breaks | None:
        """The sentence each raw file begins with; None of one file, or where a file begins inside a sentence.

        A sentence without a place goes with the one before it.
        """
        files = self.raw.files
        if len(files) < 2:
            return None
        starts = self._tokens[0]
        placed = np.flatnonzero(starts != NOWHERE)
        owners = files.file_of(starts[placed])
        sentences = np.searchsorted(self.gold.sentences, placed, side="right") - 1
        heads = np.flatnonzero(np.diff(owners, prepend=NOWHERE))  # the first token of each file
        if (sentences[heads[1:]] == sentences[heads[1:] - 1]).any() or not len(heads):
            return None
        firsts = sentences[heads].astype(np.int32)
        firsts[0] = 0
        return Breaks(firsts, [files.names[k] for k in owners[heads].tolist()])


def align_on_raw(alignment: Alignment, gold: RawMap, system: RawMap) -> Alignment:
    """An alignment of two documents with the places that both have in the raw text.

    Which text is shared and what was tolerated stay as they are; characters keep the places of the two lines, which
    `on_lines` has. A token that has no character in the raw text has a place without length, as another one there may.
    """
    line = gold.raw.line
    if line == gold.gold.line == system.gold.line:
        return alignment
    sides = (
        replace(side, places=raw.line_places, raw_leading=raw.leading)
        for side, raw in ((alignment.gold, gold), (alignment.system, system))
    )
    left, right = sides
    return replace(alignment, gold=left, system=right, n_places=len(line), on_lines=alignment)


def _plain(document: Document) -> Document:
    """The document with typographic variants as ASCII has them, character for character."""
    return replace(document, line=document.line.translate(_VARIANTS))


def _find_folded(side: Side) -> IntArray:
    """The folded character each character of a document's line, as read, begins with; inside a rewritten token, its first.

    NOWHERE where it is rewritten to nothing.
    """
    old, new = side.original.cuts, side.document.cuts
    tokens = np.repeat(np.arange(len(old) - 1), np.diff(old))
    within = np.arange(len(tokens)) - old[tokens]
    same = (np.diff(old) == np.diff(new))[tokens]
    positions = new[tokens] + np.where(same, within, 0)
    return np.where(np.diff(new)[tokens] > 0, side.cuts[positions], NOWHERE)


def _find_characters(side: Side, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Per folded character of the raw text where it begins and ends there; a rewritten piece is one character."""
    old, new = side.original.cuts, side.document.cuts
    pieces = np.repeat(np.arange(len(old) - 1), np.diff(new))
    within = np.arange(len(pieces)) - new[pieces]
    same = (np.diff(old) == np.diff(new))[pieces]
    begins = offsets[old[pieces] + np.where(same, within, 0)].astype(np.int64)
    ends = offsets[np.where(same, old[pieces] + within, old[pieces + 1] - 1)] + 1
    # A mark that folds to nothing goes with the character before it.
    widths = np.diff(side.cuts)
    joins = np.append((widths[1:] == 0) & (pieces[1:] == pieces[:-1]), False) if len(pieces) else widths > 0
    last = np.where(joins, len(pieces), np.arange(len(pieces)))
    tails = np.minimum.accumulate(last[::-1])[::-1]
    characters = np.repeat(np.arange(len(pieces)), widths)
    return begins[characters], ends[tails[characters]]


def _find_tokens(side: Side, begins: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """Where the tokens of a side begin and end in the raw text, given where their characters do."""
    cuts = side.cuts[side.document.cuts]
    placed = np.flatnonzero(begins != NOWHERE)
    a, b = np.searchsorted(placed, cuts[:-1]), np.searchsorted(placed, cuts[1:]) - 1
    found = b >= a
    rows = np.append(placed, len(begins))
    begins, ends = np.append(begins, NOWHERE), np.append(ends, NOWHERE)
    return begins[rows[np.where(found, a, -1)]], ends[rows[np.where(found, b, -1)]]


def _keep_apart(starts: IntArray, ends: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """One raw character that several tokens are written with (… for . . .) is the first one's."""
    placed = np.flatnonzero(starts != NOWHERE)
    before = np.append(0, np.maximum.accumulate(ends[placed])[:-1]) if len(placed) else placed
    late = np.flatnonzero(starts[placed] < before)
    if not len(late):
        return starts, ends
    rows = placed[late]
    starts, ends = starts.copy(), ends.copy()
    # The next character that is no white space; behind the last one there is none.
    starts[rows] = np.append(offsets, ends.max())[np.searchsorted(offsets, before[late])]
    lost = rows[starts[rows] >= ends[rows]]
    starts[lost] = ends[lost] = NOWHERE
    return starts, ends
