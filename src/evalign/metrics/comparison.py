"""What a metric looks at: two aligned documents, the units to count by, and the rule of matching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalign.alignment import NOWHERE, Alignment
from evalign.document import Document, IntArray
from evalign.errors import CommandError
from evalign.kernels.match_cy import pair_spans
from evalign.metrics.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment import RawMap
    from evalign.metrics.constituents import Constituents
    from evalign.metrics.word_comparison import WordComparison

CountTable = npt.NDArray[np.int64]
"""A row of integers per unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What counts are kept by: gold documents, else stretches between boundaries that gold and every system share."""

    kind: str
    """"document", "stretch", "sentence", or "whole"."""
    tokens: IntArray
    """The gold token each unit begins with, from 0."""
    names: Sequence[str]
    merged: int = 1
    """How many neighbouring stretches make one unit."""

    def __len__(self) -> int:
        return len(self.tokens)


# What a comparison remembers that is of its units.
_BY_UNIT = frozenset({"on_lines", "unit_places", "token_cuts", "sentence_cuts", "bracket_cuts", "word_cuts"})


@dataclass(frozen=True, eq=False)
class Comparison:
    """Gold and one system, ready to be counted."""

    alignment: Alignment
    units: Units
    options: Options = field(default_factory=Options)
    raw: RawMap | None = None
    """The raw text, where it is known."""
    filled: frozenset[str] = frozenset()
    """Of a part: columns that the whole is known to have something in, whether the part has or not."""
    strict: bool = False
    """Whether a column that one side leaves empty is counted, as the CoNLL 2018 script does."""

    @property
    def gold(self) -> Document:
        """The gold document, as normalised for this comparison."""
        return self.alignment.gold.document

    @property
    def system(self) -> Document:
        """The system's document, as normalised for this comparison."""
        return self.alignment.system.document

    def with_units(self, units: Units) -> Comparison:
        """The same comparison counted by other units; whatever was paired or judged already is not done again."""
        comparison = replace(self, units=units)
        cached = {name: value for name, value in vars(self).items() if name not in _BY_UNIT}
        vars(comparison).update({**cached, "units": units})
        return comparison

    @cached_property
    def on_lines(self) -> Comparison:
        """The same in places of the two lines, where it is on a raw text: characters are compared there."""
        alignment = self.alignment.on_lines
        return self if alignment is None else replace(self, alignment=alignment, units=self.units)

    @cached_property
    def unit_places(self) -> IntArray:
        """The shared place at which each unit begins."""
        starts = np.zeros(len(self.units), np.int32)
        inner = self.units.tokens > 0
        starts[inner] = self.alignment.gold.places.token_progress[self.units.tokens[inner] - 1]
        return starts

    def gold_unit_cuts(self, tokens: IntArray) -> IntArray:
        """Cuts by unit of gold rows that begin at these tokens (ascending): a unit owns what starts in it."""
        return np.append(np.searchsorted(tokens, self.units.tokens), len(tokens))

    def system_unit_cuts(self, starts: IntArray) -> IntArray:
        """Cuts by unit of system rows, given the places they start at; one without goes with the row before it."""
        # Equal lines have places everywhere, and columns of millions are not copied.
        ascending = np.maximum.accumulate(starts) if (starts == NOWHERE).any() else starts
        inner = np.searchsorted(ascending, self.unit_places[1:])
        return np.concatenate([[0], inner, [len(starts)]])

    @cached_property
    def token_cuts(self) -> tuple[IntArray, IntArray]:
        """Cuts by unit of the gold and system tokens."""
        gold = np.append(self.units.tokens, self.gold.n_tokens)
        return gold, self.system_unit_cuts(self._system_starts)

    @cached_property
    def _system_starts(self) -> IntArray:
        """Start place of each system token. One without place or characters gets that of a token of its own sentence.

        Between two sentences it stands at the end of one and at the beginning of the other alike.
        """
        starts, ends = self.alignment.system.places.spans
        is_adrift = (starts == ends) | (starts == NOWHERE)
        if not is_adrift.any():
            return starts
        tokens, sentences = np.arange(len(starts)), self.system.sentences
        before = np.maximum.accumulate(np.where(is_adrift, -1, tokens))
        after = np.minimum.accumulate(np.where(is_adrift, len(starts), tokens)[::-1])[::-1]
        number = np.searchsorted(sentences, tokens, side="right")
        heads, ends = sentences[number - 1], sentences[number]
        bearer = np.where(before >= heads, before, np.where(after < ends, after, tokens))
        return starts[bearer]

    @cached_property
    def sentence_cuts(self) -> tuple[IntArray, IntArray]:
        """Cuts by unit of the gold and system sentences."""
        gold = self.gold_unit_cuts(self.gold.sentences[:-1])
        return gold, self.system_unit_cuts(self.alignment.system.places.sentence_starts)

    @cached_property
    def bracket_cuts(self) -> tuple[IntArray, IntArray]:
        """Cuts by unit of the gold and system brackets that count."""
        gold, system = self.constituents.sides
        # One goes with its first token, which has a token before it to go with where it has no place.
        return self.gold_unit_cuts(gold.firsts), np.searchsorted(system.firsts, self.token_cuts[1])

    @cached_property
    def token_partners(self) -> IntArray:
        """Per gold token the system token in the same place, or -1."""
        spans = self.alignment.gold.places.spans, self.alignment.system.places.spans
        partners = np.full(self.gold.n_tokens, -1, np.int32)
        leading = self.alignment.gold.leading, self.alignment.system.leading
        if leading[0] is None and leading[1] is None:
            pair_spans(*spans[0], *spans[1], partners)
            return partners
        # Those that begin a sentence without a character pair with each other alone.
        masks = [
            np.zeros(len(side[0]), bool) if mask is None else mask
            for side, mask in zip(spans, leading, strict=True)
        ]
        for wanted in (False, True):
            gold, system = (np.flatnonzero(mask == wanted) for mask in masks)
            pairs = np.empty(len(gold), np.int32)
            (starts, ends), (other_starts, other_ends) = spans
            pair_spans(starts[gold], ends[gold], other_starts[system], other_ends[system], pairs)
            partners[gold[pairs >= 0]] = system[pairs[pairs >= 0]]
        return partners

    @property
    def sentence_partners(self) -> IntArray:
        """Per gold sentence the system sentence it is credited with, or -1: what --match asks for, its text aside.

        By default they are in the same place and share enough text; with --match place, in the same place.
        """
        alignment = self.alignment
        return alignment.sentences_in_place if self.options.match == "place" else alignment.sentence_pairs

    @cached_property
    def sentences_right(self) -> npt.NDArray[np.bool_]:
        """Per gold sentence whether it is correct: with --match text, its partner must say the same."""
        return self.sentence_same if self.options.match == "text" else self.sentence_partners >= 0

    @cached_property
    def token_same(self) -> npt.NDArray[np.bool_]:
        """Per gold token: whether its partner says the same."""
        same = self._same(self.token_partners, self.gold.cuts, self.system.cuts)
        return same & self._credited(self.token_partners)

    @cached_property
    def sentence_same(self) -> npt.NDArray[np.bool_]:
        """Per gold sentence: whether its partner says the same."""
        return self._same(self.alignment.sentence_pairs, self.gold.sentence_cuts, self.system.sentence_cuts)

    @cached_property
    def word_cuts(self) -> tuple[IntArray, IntArray]:
        """Cuts by unit of the gold and system words."""
        gold, system = self.token_cuts
        return self.gold.word_cuts(gold), self.system.word_cuts(system)

    @cached_property
    def words_in_place(self) -> IntArray:
        """Per gold word its system word or -1: by place, or by folded form where words pair by form."""
        if self._no_multiword:
            return self._tokens_and(self.token_partners, by_folded_form=True)
        return self.alignment.folded_word_pairs.partners

    @cached_property
    def words_same(self) -> IntArray:
        """Per gold word its system word or -1: by place and text, or by lower-cased form where words pair by form."""
        if self._no_multiword:
            return self._tokens_and(_only(self.token_partners, self.token_same), by_folded_form=False)
        pairs = self.alignment.word_pairs
        same = pairs.by_form & self.credited_words(pairs.partners)
        plain = np.flatnonzero((pairs.partners >= 0) & ~pairs.by_form)
        # A plain word is its token, and the token in its place is its partner's.
        tokens = plain if self.gold.words is None else self.gold.words.tokens[plain]
        same[plain] = self.token_same[tokens]
        return _only(pairs.partners, same)

    def _tokens_and(self, partners: IntArray, *, by_folded_form: bool) -> IntArray:
        """Add the words that pair by form to the partners of tokens, in documents without multiword tokens."""
        if self.alignment.lines_equal:
            return partners
        pairs = self.alignment.folded_word_pairs if by_folded_form else self.alignment.word_pairs
        if not pairs.by_form.any():
            return partners
        word_partners = np.where(np.isin(partners, pairs.partners[pairs.by_form]), np.int32(-1), partners)
        word_partners[pairs.by_form] = pairs.partners[pairs.by_form]
        return word_partners

    @property
    def _no_multiword(self) -> bool:
        return self.gold.words is None and self.system.words is None

    @cached_property
    def word_partners(self) -> IntArray:
        """Per gold word the system word it is judged with, or -1: what --match asks for."""
        return self.words_in_place if self.options.match == "place" else self.words_same

    @cached_property
    def word_comparison(self) -> WordComparison:
        """What is right about the words; requires that both documents have columns."""
        from evalign.metrics.word_comparison import WordComparison

        gold, system = self.gold.columns, self.system.columns
        if gold is None or system is None:
            message = "no columns to judge"
            raise CommandError(message, "CoNLL-U on both sides")
        # Where notation is made equal, that of lemmas is too: whether any form had to be is known only in the end.
        return WordComparison(gold, system, self.options, composed="nfc" in self.alignment.rules)

    @cached_property
    def verdicts(self) -> npt.NDArray[np.uint8]:
        """A verdict per gold word on the pair it is in (`kernels.judge_cy`)."""
        return self.word_comparison.verdicts(self.word_partners)

    @cached_property
    def constituents(self) -> Constituents:
        """Brackets and tags as the scheme counts them."""
        from evalign.metrics.constituents import Constituents

        return Constituents(self.alignment, self.options, lambda: self.words_in_place)

    def _same(self, partners: IntArray, gold_cuts: IntArray, system_cuts: IntArray) -> npt.NDArray[np.bool_]:
        """Whether partners have equal characters on the normalised lines."""
        has_partner = partners >= 0
        gold, system = self.gold.line, self.system.line
        if gold == system and not self.alignment.is_on_raw:
            return has_partner
        rows = np.flatnonzero(has_partner)
        others = partners[rows]
        ends = (gold_cuts[rows], gold_cuts[rows + 1], system_cuts[others], system_cuts[others + 1])
        same = np.zeros(len(partners), bool)
        same[rows] = [
            gold[a:b] == system[c:d] for a, b, c, d in zip(*(e.tolist() for e in ends), strict=True)
        ]
        return same

    def _credited(self, partners: IntArray) -> npt.NDArray[np.bool_]:
        """False where an exception list made a token equal to its partner, and that is not to be credited."""
        gold, system = self.alignment.gold, self.alignment.system
        tokens = [side.excepted.tokens if side.excepted else frozenset() for side in (gold, system)]
        return self._written_alike(partners, tokens, gold.original.token, system.original.token)

    def credited_words(self, partners: IntArray) -> npt.NDArray[np.bool_]:
        """The same for words that were paired by form."""
        gold, system = self.alignment.gold, self.alignment.system
        words = [side.excepted.words if side.excepted else frozenset() for side in (gold, system)]
        return self._written_alike(
            partners,
            words,
            lambda k: gold.original.word(k).lower(),
            lambda k: system.original.word(k).lower(),
        )

    def _written_alike(
        self,
        partners: IntArray,
        excepted: Sequence[frozenset[int]],
        gold: Callable[[int], str],
        system: Callable[[int], str],
    ) -> npt.NDArray[np.bool_]:
        credited = np.ones(len(partners), bool)
        if self.options.credit_exceptions or not any(excepted):
            return credited
        for row in {*excepted[0], *np.flatnonzero(np.isin(partners, list(excepted[1]))).tolist()}:
            credited[row] = partners[row] >= 0 and gold(row) == system(int(partners[row]))
        return credited


def _only(partners: IntArray, wanted: npt.NDArray[np.bool_]) -> IntArray:
    """Partners where they are wanted, -1 elsewhere; the same column if that drops none."""
    if (wanted | (partners < 0)).all():
        return partners
    return np.where(wanted, partners, np.int32(-1))


def count_rows(mask: npt.NDArray[np.bool_], cuts: IntArray) -> npt.NDArray[np.int64]:
    """How many rows are true in each unit; the cuts go from the first row to the last."""
    counts = np.zeros(len(cuts) - 1, np.int64)
    filled = np.diff(cuts) > 0
    if filled.any():
        counts[filled] = np.add.reduceat(mask.view(np.uint8), cuts[:-1][filled], dtype=np.int32)
    return counts


def sum_rows(values: IntArray, cuts: IntArray) -> CountTable:
    """The sum of the rows of each unit."""
    running = np.concatenate([[0], np.cumsum(values)])
    return np.diff(running[cuts])


def count_matches(
    comparison: Comparison,
    in_place: npt.NDArray[np.bool_],
    same_text: npt.NDArray[np.bool_],
    cuts: tuple[IntArray, IntArray],
    *,
    default: npt.NDArray[np.bool_],
) -> CountTable:
    """Rows (correct, gold, system, in_place, same_text); `default` is what is correct without --match."""
    places, texts = count_rows(in_place, cuts[0]), count_rows(same_text, cuts[0])
    correct = {"place": places, "text": texts}.get(comparison.options.match)
    if correct is None:
        correct = count_rows(default, cuts[0])
    return np.stack([correct, np.diff(cuts[0]), np.diff(cuts[1]), places, texts], axis=1)
