"""A document on the raw text it was made from: where its tokens and sentences are, in one file or several.

Scoring uses it for inputs with raw text: spans in raw files, and places that two documents share in the raw
text (`align_on_raw`).

A token runs from its first to its last character in the raw text. A token without characters there (an empty
element of a tree, the second period of `U.S. .`) has a span of no length behind the token before it in its
sentence, or where the sentence begins. Anything longer runs from its first to its last token that has
characters in the raw text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.alignment.align import align_documents
from evalign.alignment.alignment import Alignment, PlacedDocument
from evalign.alignment.fold import SENTENCE_MARK, FoldedLine, code_points, fold_document, fold_text
from evalign.alignment.normalize import BRACKETS, QUOTES, SLASHES, XML
from evalign.alignment.places import NOWHERE, SidePlaces
from evalign.alignment.raw_order import order_texts
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.errors import Remark
from evalign.readers.raw_files import RawText, RawTexts
from evalign.text import without_space

# Characters taken as equal to find a token in the raw text. Scoring does not treat them as notation: there, a
# dash is not a hyphen.
_VARIANTS = str.maketrans("‐‑‒–—―−«»″′", '-------"""\'')


class RawPlace(NamedTuple):
    """A place in the raw text: the name of the file, and the number of characters before it in that file."""

    file: str
    offset: int


class RawSpans(NamedTuple):
    """Spans in the raw text, in characters of their files.

    NOWHERE for a span that the raw text lacks, or that runs from one file into another.
    """

    starts: IntArray
    ends: IntArray
    files: IntArray
    """Index of the file, in the order of `RawText.files`."""


def map_raw(document: Document, raw: RawTexts) -> RawMap:
    """Map a document to the raw text it was made from, in one file or several.

    Several files are joined first; those of a folder are put into the order of the document.
    """
    if len(raw) == 1:
        return RawMap(document, raw[0])

    return RawMap(document, *order_texts(document, raw))


@dataclass(frozen=True, eq=False)
class RawMap:
    """A map from positions of a document to its raw text, through an alignment where their lines differ.

    `gold` may be any document, not only a gold one.
    """

    gold: Document
    raw: RawText
    remarks: tuple[Remark, ...] = ()
    """Remarks on the raw texts: files that were left out, or are out of order."""

    @cached_property
    def _alignment(self) -> Alignment | None:
        """Alignment of the document with the raw text; None where their lines are equal."""
        if self.gold.line == self.raw.line:
            return None
        alignment = align_documents(_plain(self.gold), _plain(cut_pieces(self.raw)))
        return alignment if alignment.gold.characters is None else self._settled(alignment)

    def _settled(self, alignment: Alignment) -> Alignment:
        """Return `alignment` with another choice of the characters that the raw text lacks.

        Where the alignment could leave out any of several equal characters, whole tokens are left out if
        possible, and sentences are kept within their files.
        """
        side, characters = alignment.gold, alignment.gold.characters
        assert characters is not None
        assert alignment.system.characters is not None
        files = None
        if len(self.raw.files) > 1:
            begins, _ends = _find_characters(alignment.system, self.raw.offsets)
            places, files = alignment.system.characters.places, np.zeros(alignment.n_places, np.int64)
            placed = np.flatnonzero(places != NOWHERE)
            files[places[placed]] = self.raw.files.file_of(begins[placed])
        settled = settle_gaps(fold_document(side.document), characters.places, files)
        return replace(alignment, gold=replace(side, characters=characters._replace(places=settled)))

    @cached_property
    def _shares(self) -> tuple[IntArray, IntArray, IntArray]:
        """Per folded character of the document, where its share of the raw text begins and ends.

        Both are NOWHERE for a character without a share. A third array has where the share begins, also for
        tokens that get no character because a differing stretch of the raw text has too few for all.
        """
        assert self._alignment is not None
        side = self._alignment.system
        begins, ends = _find_characters(side, self.raw.offsets)
        shares = share_out(self._alignment.gold, side, self._alignment.n_places)
        starts, firsts, lasts = (np.full(len(shares.firsts), NOWHERE) for _ in range(3))
        held = np.flatnonzero(shares.held)
        firsts[held], lasts[held] = begins[shares.firsts[held]], ends[shares.lasts[held] - 1]
        placed = np.flatnonzero(shares.firsts != NOWHERE)
        starts[placed] = begins[np.minimum(shares.firsts[placed], len(begins) - 1)]
        return firsts, lasts, starts

    @cached_property
    def offsets(self) -> IntArray:
        """Per character of the document's line, its offset in the joined raw text, or NOWHERE."""
        if self._alignment is None:
            return self.raw.offsets
        return np.append(self._shares[2], NOWHERE)[_find_folded(self._alignment.gold)]

    @property
    def n_missing(self) -> int:
        """Number of characters of the document's line that the raw text lacks."""
        return int((self.offsets == NOWHERE).sum())

    @property
    def n_extra(self) -> int:
        """Number of characters of the raw text, white space aside, that the document lacks."""
        return 0 if self._alignment is None else self._alignment.tolerated.system_only

    def place(self, position: int) -> RawPlace | None:
        """Return the place in the raw text of the character behind a position of the line.

        None if the raw text lacks the character. The end of the line is at the end of the last file.
        """
        files = self.raw.files
        if position >= len(self.gold.line):
            return RawPlace(files.names[-1], int(files.lengths[-1]))
        offset = int(self.offsets[position])
        if offset == NOWHERE:
            return None
        file = int(np.searchsorted(files.starts, offset, side="right")) - 1
        return RawPlace(files.names[file], offset - int(files.starts[file]))

    def offset(self, position: int) -> int | None:
        """Return the offset in its raw file, in characters, of the character behind a position of the line.

        None if the raw text lacks the character.
        """
        place = self.place(position)
        return None if place is None else place.offset

    def has_newline_before(self, position: int) -> bool:
        """Return whether the raw text has a newline between the characters before and behind a position.

        False if the raw text lacks one of these characters.
        """
        if not 0 < position < len(self.gold.line):
            return False
        before, after = int(self.offsets[position - 1]), int(self.offsets[position])
        return NOWHERE not in (before, after) and "\n" in self.raw.text[before:after]

    @cached_property
    def _tokens(self) -> tuple[IntArray, IntArray]:
        """Starts and ends of tokens in the joined raw text; NOWHERE if no character of the token is there."""
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
        """Return token spans without those that would spread a sentence over several raw files.

        A sentence may run over several files only if the raw text has the whole sentence and the first token
        of the next one, without gaps. Otherwise the sentence belongs to the file that has most of its tokens
        as they are written, and its tokens in other files count as missing.
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
        """Return whether raw text and document spell a token alike, white space, case and accents aside."""
        there = without_space(self.raw.text[starts[token] : ends[token]])
        return fold_text(there) == fold_text(self.gold.token(token))

    @cached_property
    def missing_tokens(self) -> IntArray:
        """Indices of the tokens that have characters, but none in the raw text."""
        return np.flatnonzero((self._tokens[0] == NOWHERE) & (np.diff(self.gold.cuts) > 0))

    @cached_property
    def _resting(self) -> IntArray:
        """Per token, the position in the joined raw text to use if the token has no character there.

        This position is behind the last token before it in its sentence that has characters there, else where
        the sentence begins; NOWHERE if the raw text has nothing of the sentence.
        """
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
        """Spans of the tokens; words inside a multiword token have the span of the token."""
        starts, ends = self._tokens
        bare = starts == NOWHERE
        return self._in_files(np.where(bare, self._resting, starts), np.where(bare, self._resting, ends))

    @cached_property
    def line_places(self) -> SidePlaces:
        """Tokens and sentences in positions of the raw text's line.

        A sentence without characters in the raw text is empty and stands between its neighbours.
        """
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
        """Mask of the tokens at the start of a sentence that have no character in the raw text.

        These are the tokens before the first one of their sentence that has some. None if every token has
        some.
        """
        placed = self._tokens[0] != NOWHERE
        if placed.all():
            return None
        before = np.append(0, np.cumsum(placed))
        sizes = np.diff(self.gold.sentences)
        leading: npt.NDArray[np.bool_] = before[1:] == np.repeat(before[self.gold.sentences[:-1]], sizes)
        return leading

    @cached_property
    def sentence_spans(self) -> RawSpans:
        """Spans of the sentences."""
        return self.spans_over(self.gold.sentences[:-1], self.gold.sentences[1:])

    def spans_over(self, firsts: IntArray, lasts: IntArray) -> RawSpans:
        """Return the spans of stretches of tokens, each from its first to its last token in the raw text.

        Stretch k has the tokens from `firsts[k]` up to `lasts[k]`, exclusive, and at least one. A stretch
        without characters in the raw text gets a span of no length.
        """
        starts, ends = self._tokens
        placed = np.flatnonzero(starts != NOWHERE)
        a, b = np.searchsorted(placed, firsts), np.searchsorted(placed, lasts) - 1
        has_placed = b >= a
        rows = placed[np.where(has_placed, a, 0)] if len(placed) else np.zeros(len(a), np.int64)
        tails = placed[np.where(has_placed, b, 0)] if len(placed) else rows
        resting = np.append(self._resting, NOWHERE)[firsts]
        padded = np.append(starts, NOWHERE), np.append(ends, NOWHERE)
        return self._in_files(
            np.where(has_placed, padded[0][rows], resting), np.where(has_placed, padded[1][tails], resting)
        )

    def _in_files(self, starts: IntArray, ends: IntArray) -> RawSpans:
        """Convert spans of the joined raw text to characters of their files."""
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
        """The sentence with which each raw file begins.

        None if there is only one file, or if a file begins inside a sentence. A sentence without a place goes
        with the one before it.
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
    """Return an alignment with the places that both documents have in the raw text they share.

    The shared text, the differences between the lines and the places of characters stay as they are;
    `on_lines` of the result is the given alignment. A token without characters in the raw text has a place of
    no length, which a token of the other side may have too. If neither line differs from that of the raw
    text, `alignment` itself is returned.
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
    """Return the document with typographic dashes and quotes written as in ASCII, character for character."""
    return replace(document, line=document.line.translate(_VARIANTS))


def _find_folded(side: PlacedDocument) -> IntArray:
    """Find, per character of a document's line as read, the first folded character it became.

    For a character of a rewritten token that is the first one of the token, or NOWHERE if the token became
    empty.
    """
    old, new = side.original.cuts, side.document.cuts
    tokens = np.repeat(np.arange(len(old) - 1), np.diff(old))
    within = np.arange(len(tokens)) - old[tokens]
    same = (np.diff(old) == np.diff(new))[tokens]
    positions = new[tokens] + np.where(same, within, 0)
    return np.where(np.diff(new)[tokens] > 0, side.cuts[positions], NOWHERE)


def _find_characters(side: PlacedDocument, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Find where each folded character of the raw text begins and ends there.

    `side` is the raw text in an alignment; `offsets` has the offset in the raw text of each character on its
    line. A rewritten piece counts as one character.
    """
    old, new = side.original.cuts, side.document.cuts
    pieces = np.repeat(np.arange(len(old) - 1), np.diff(new))
    within = np.arange(len(pieces)) - new[pieces]
    same = (np.diff(old) == np.diff(new))[pieces]
    begins = offsets[old[pieces] + np.where(same, within, 0)].astype(np.int64)
    ends = offsets[np.where(same, old[pieces] + within, old[pieces + 1] - 1)] + 1
    # A mark that folds to nothing belongs to the character before it.
    widths = np.diff(side.cuts)
    joins = np.append((widths[1:] == 0) & (pieces[1:] == pieces[:-1]), False) if len(pieces) else widths > 0
    last = np.where(joins, len(pieces), np.arange(len(pieces)))
    tails = np.minimum.accumulate(last[::-1])[::-1]
    characters = np.repeat(np.arange(len(pieces)), widths)
    return begins[characters], ends[tails[characters]]


def _find_tokens(side: PlacedDocument, begins: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """Find where the tokens of a side begin and end in the raw text, given where its folded characters do."""
    cuts = side.token_cuts
    placed = np.flatnonzero(begins != NOWHERE)
    a, b = np.searchsorted(placed, cuts[:-1]), np.searchsorted(placed, cuts[1:]) - 1
    has_characters = b >= a
    rows = np.append(placed, len(begins))
    begins, ends = np.append(begins, NOWHERE), np.append(ends, NOWHERE)
    return begins[rows[np.where(has_characters, a, -1)]], ends[rows[np.where(has_characters, b, -1)]]


def _keep_apart(starts: IntArray, ends: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Return token spans in which no raw character belongs to several tokens.

    Where several tokens stand for one raw character (… for . . .), the first gets it.
    """
    placed = np.flatnonzero(starts != NOWHERE)
    before = np.append(0, np.maximum.accumulate(ends[placed])[:-1]) if len(placed) else placed
    late = np.flatnonzero(starts[placed] < before)
    if not len(late):
        return starts, ends
    rows = placed[late]
    starts, ends = starts.copy(), ends.copy()
    # Begin at the next character that is not white space; behind the last one there is none.
    starts[rows] = np.append(offsets, ends.max())[np.searchsorted(offsets, before[late])]
    lost = rows[starts[rows] >= ends[rows]]
    starts[lost] = ends[lost] = NOWHERE
    return starts, ends


# Which characters of the raw text each token gets where the texts differ in length: a stretch is divided in
# order.
#
#     de le      facing  du       de gets d, le gets u
#     going to   facing  gonna    going gets gon, to gets na
#
# Each token that lies wholly in the stretch gets one character of it; the others are given out in proportion
# to length. Where there are fewer characters than such tokens, all are given out in proportion, and some
# tokens get none.


class RawShares(NamedTuple):
    """Per folded character of a document, the folded characters of the raw text that its token gets."""

    firsts: IntArray
    """NOWHERE where the raw text has nothing for it."""
    lasts: IntArray
    """One past the last; the same as `firsts` where the stretch has too little for the token."""

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Mask of the characters whose share is not empty."""
        return self.lasts > self.firsts


class _Stretches(NamedTuple):
    """Per place, the first character that is in it, and the number of characters in it."""

    heads: IntArray
    counts: IntArray


def share_out(document: PlacedDocument, raw: PlacedDocument, n_places: int) -> RawShares:
    """Divide the raw characters of every place among the tokens that are in the place."""
    places, there = _places(document), _places(raw)
    here, facing = _find_stretches(places, n_places), _find_stretches(there, n_places)
    firsts = facing.heads[places]
    lasts = firsts + facing.counts[places]
    tokens = np.repeat(np.arange(document.document.n_tokens), np.diff(document.token_cuts))
    # Characters that share a place with others.
    rows = np.flatnonzero(here.counts[places] > 1)
    if len(rows):
        shares, part = _divide(rows, places[rows], tokens[rows], np.diff(document.token_cuts), here, facing)
        firsts[rows], lasts[rows] = (facing.heads[places[rows]] + column[part] for column in shares)
    return RawShares(firsts, lasts)


def _divide(
    rows: IntArray, places: IntArray, tokens: IntArray, sizes: IntArray, here: _Stretches, facing: _Stretches
) -> tuple[tuple[IntArray, IntArray], IntArray]:
    """Divide stretches of raw characters among the parts that face them; a part is a token within one place.

    `rows` are characters of the document that share a `places` entry with others; `sizes` are the lengths of
    all tokens. Returns where the share of each part begins and ends in its stretch, and the number of the
    part of each row.
    """
    changes = (np.diff(places, prepend=NOWHERE) != 0) | (np.diff(tokens, prepend=NOWHERE) != 0)
    heads, part = np.flatnonzero(changes), np.cumsum(changes) - 1
    place = places[heads]
    starts = rows[heads] - here.heads[place]
    lengths = np.diff(heads, append=len(rows))
    whole = (lengths == sizes[tokens[heads]]).astype(np.int64)
    # Per part: how many tokens lie wholly in its stretch, and how many of these come before the part.
    wanted = np.bincount(place, weights=whole, minlength=len(here.heads)).astype(np.int64)[place]
    whole[wanted > facing.counts[place]] = 0
    wanted[wanted > facing.counts[place]] = 0
    before = np.cumsum(whole) - whole
    before -= before[np.searchsorted(place, place)]
    spare, size = facing.counts[place] - wanted, here.counts[place]

    def share(done: IntArray) -> IntArray:
        return (2 * spare * done + size) // (2 * size)  # rounded

    return (before + share(starts), before + whole + share(starts + lengths)), part


def _places(side: PlacedDocument) -> IntArray:
    return np.arange(int(side.token_cuts[-1])) if side.characters is None else side.characters.places


def _find_stretches(places: IntArray, n_places: int) -> _Stretches:
    """Find the characters of each place.

    Places must ascend. The result has one row more, for NOWHERE (-1), which is empty.
    """
    placed = np.flatnonzero(places != NOWHERE)
    heads = np.full(n_places + 1, NOWHERE)
    heads[places[placed[::-1]]] = placed[::-1]
    return _Stretches(heads, np.bincount(places[placed], minlength=n_places + 1))


# A raw text as a document to align with: it is cut into pieces so that normalisation never loses where a
# character was.
#
# Pieces are separated by white space, and every notation that is rewritten to another length is a piece: what
# it is rewritten to gets the places of the whole piece, and all other characters keep their own.

# Quotes of one character keep their length, so they are not listed. No key is the beginning of another.
_KEYS = (*XML, *BRACKETS, *SLASHES, *(key for key in QUOTES if len(key) > 1), "…")
_ESCAPES = re.compile("|".join(map(re.escape, _KEYS)))


def cut_pieces(raw: RawText) -> Document:
    """Return the raw text as a document: its tokens are pieces, its sentences the files that have any."""
    if not raw.line:
        return Document(
            raw.name, "plain", "", np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(0, np.int32)
        )
    offsets = raw.offsets
    begins = np.zeros(len(raw.line) + 1, bool)
    begins[0] = begins[-1] = True
    begins[1:-1] = np.diff(offsets) > 1
    escapes = np.array([match.span() for match in _ESCAPES.finditer(raw.text)], np.int32).reshape(-1, 2)
    begins[np.searchsorted(offsets, escapes[:, 0])] = True
    begins[np.searchsorted(offsets, escapes[:, 1] - 1) + 1] = True
    _cut_clusters(raw.line, begins)
    cuts = np.flatnonzero(begins).astype(np.int32)
    heads = np.searchsorted(offsets, raw.files.starts)  # where each file begins on the line
    sentences = distinct(np.searchsorted(cuts, np.append(heads, len(raw.line)))).astype(np.int32)
    return Document(
        raw.name, "plain", raw.line, cuts, sentences, np.arange(1, len(sentences), dtype=np.int32)
    )


def _cut_clusters(line: str, begins: IntArray) -> None:
    """Mark in `begins` where clusters of characters begin and end.

    A cluster is what canonical composition (NFC) makes shorter or longer: a letter with its marks, jamo, or a
    single character that becomes several.
    """
    if unicodedata.is_normalized("NFC", line):
        return
    points = code_points(line)
    table = np.zeros(0x110000, np.uint8)
    table[points] = 1
    for code in np.flatnonzero(table).tolist():
        character = chr(code)
        joins = unicodedata.category(character).startswith("M") or 0x1160 <= code <= 0x11FF
        table[code] = 1 if joins else 2 if len(unicodedata.normalize("NFC", character)) > 1 else 0
    kinds = table[points]
    joins = kinds == 1
    # A cluster is a character and all that join it: it begins before that character and ends behind the last
    # joined.
    begins[:-2] |= ~joins[:-1] & joins[1:]
    begins[1:-1] |= joins[:-1] & ~joins[1:]
    odd = np.flatnonzero(kinds == 2)
    begins[odd] = True
    begins[odd[~np.append(joins, False)[odd + 1]] + 1] = True


# Which of several equal characters the raw text lacks, where an alignment may leave out any of them.
#
#     U.S. .      facing  U.S.           one period in the text: the abbreviation gets it, the next token none
#     no ab | ab  facing  no   and  ab   two files: the second ab is the one that the second file has
#
# A stretch that only the document has can slide as long as the characters at both of its ends are the same.
# It slides to where it takes whole tokens, and where no sentence runs from one raw file into the next.

# Most characters that a stretch slides.
LONGEST_SLIDE = 64
# Most characters at the beginning of a file that are compared to find where it begins in the document.
LONGEST_RUN = 4096


class _Gap(NamedTuple):
    """A stretch of folded characters without a place, and how far it can slide to either side."""

    start: int
    end: int
    left: int
    right: int


def settle_gaps(folded: FoldedLine, places: IntArray, files: IntArray | None) -> IntArray:
    """Return places of a document's folded characters, with gaps moved to where they take whole tokens.

    A gap is a stretch of characters without a place. `files` has, per place, the number of its raw file; None
    where there is one file.
    """
    settled = places.copy()
    if files is not None:
        _return_to_files(folded, settled, files)
    inside = np.concatenate([[False], settled == NOWHERE, [False]])
    starts, ends = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(inside[:-1] & ~inside[1:])
    if not len(starts):
        return settled
    codes = np.append(folded.codes, -1)
    can_slide = (codes[starts] == codes[ends]) | (codes[starts - 1] == codes[ends - 1])
    if files is None:
        is_whole = (folded.marks[starts] > 0) & (folded.marks[ends] > 0)
        # A whole token may still be the first of two equal ones, and the raw text has the first.
        can_slide &= ~is_whole | (codes[starts] == codes[ends])
    sentences = np.append(0, np.cumsum(folded.marks == SENTENCE_MARK))
    for start, end in zip(starts[can_slide].tolist(), ends[can_slide].tolist(), strict=True):
        gap = _find_slides(folded.codes, settled, start, end)
        _move(settled, gap, _choose(gap, folded, settled, sentences, files))
    return settled


def _return_to_files(folded: FoldedLine, places: IntArray, files: IntArray) -> None:
    """Move the first characters of a raw file from the end of one sentence to the start of the next.

    If a file begins inside a sentence, its characters there, up to the first one without a place, are moved
    if the next sentence begins with the same characters and these have no place, unless they are among those
    that are moved. Changes `places`.
    """
    bounds = np.flatnonzero(folded.marks == SENTENCE_MARK)
    placed = np.flatnonzero(places != NOWHERE)
    owners = np.searchsorted(bounds, placed, side="right")
    heads = np.flatnonzero((np.diff(files[places[placed]]) != 0) & (np.diff(owners) == 0)) + 1
    for start, end in zip(placed[heads].tolist(), bounds[owners[heads]].tolist(), strict=True):
        lacking = np.flatnonzero(places[start : start + LONGEST_RUN] == NOWHERE)
        if not len(lacking):
            continue
        size = int(lacking[0])
        run, there = slice(start, start + size), slice(end, end + size)
        is_free = (places[max(end, start + size) : end + size] == NOWHERE).all()
        if is_free and np.array_equal(folded.codes[run], folded.codes[there]):
            places[there] = places[run].copy()
            places[start : min(end, start + size)] = NOWHERE


def _find_slides(codes: IntArray, places: IntArray, start: int, end: int) -> _Gap:
    """Find how far the gap from `start` to `end` can slide to either side.

    It slides over characters that are equal to those at its other end and have places of their own.
    """
    left = right = 0
    while left < LONGEST_SLIDE and start - left > 0 and _can_move(places, start - left - 1):
        if codes[start - left - 1] != codes[end - left - 1]:
            break
        left += 1
    while right < LONGEST_SLIDE and end + right < len(codes) and _can_move(places, end + right):
        if codes[start + right] != codes[end + right]:
            break
        right += 1
    return _Gap(start, end, left, right)


def _can_move(places: IntArray, at: int) -> bool:
    """Return whether the character at `at` has a place, and has it alone."""
    place = places[at]
    beside = (at > 0 and places[at - 1] == place) or (at + 1 < len(places) and places[at + 1] == place)
    return bool(place != NOWHERE and not beside)


def _choose(
    gap: _Gap, folded: FoldedLine, places: IntArray, sentences: IntArray, files: IntArray | None
) -> int:
    """Choose how far a gap slides; negative is to the left.

    First of all, no sentence is to run over two files. Then the gap is to take whole tokens, to stay in its
    sentence, and to take later tokens rather than earlier ones.
    """

    def cost(slide: int) -> tuple[int, bool, bool, int]:
        start, end = gap.start + slide, gap.end + slide
        is_whole = folded.marks[start] > 0 and folded.marks[end] > 0
        is_other = sentences[start + 1] != sentences[gap.start + 1]
        crossing = _count_crossing(gap, slide, places, sentences, files) if files is not None else 0
        return crossing, not is_whole, bool(is_other), -slide if is_whole else abs(slide)

    return min(range(-gap.left, gap.right + 1), key=cost)


def _count_crossing(gap: _Gap, slide: int, places: IntArray, sentences: IntArray, files: IntArray) -> int:
    """Count how often one raw file follows another inside a sentence, around a gap that slides by `slide`."""
    first, last = gap.start - gap.left, gap.end + gap.right
    before, after = _next_placed(places, first - 1, -1), _next_placed(places, last, 1)
    neighbours = [*range(first, gap.start), *range(gap.end, last)]
    owners = [int(files[places[at]]) for at in neighbours]
    at_start, size = gap.left + slide, gap.end - gap.start
    positions = [first + k + (size if k >= at_start else 0) for k in range(len(neighbours))]
    if before is not None:
        positions.insert(0, before)
        owners.insert(0, int(files[places[before]]))
    if after is not None:
        positions.append(after)
        owners.append(int(files[places[after]]))
    rows = zip(owners, owners[1:], positions, positions[1:], strict=False)
    return sum(one != other and sentences[b + 1] == sentences[a + 1] for one, other, a, b in rows)


def _next_placed(places: IntArray, at: int, step: int) -> int | None:
    """Find the next character with a place from `at` on; None if there is none within LONGEST_SLIDE steps."""
    for _ in range(LONGEST_SLIDE):
        if not 0 <= at < len(places):
            return None
        if places[at] != NOWHERE:
            return at
        at += step
    return None


def _move(places: IntArray, gap: _Gap, slide: int) -> None:
    """Slide a gap: the characters it passes over take the places on its other side. Changes `places`."""
    if slide > 0:
        places[gap.start : gap.start + slide] = places[gap.end : gap.end + slide].copy()
        places[gap.start + slide : gap.end + slide] = NOWHERE
    elif slide < 0:
        places[gap.end + slide : gap.end] = places[gap.start + slide : gap.start].copy()
        places[gap.start + slide : gap.end + slide] = NOWHERE
