"""`Comparison` is the input of every metric: two aligned documents, the units to count by, and the options.

`scoring` makes one for each system. What several metrics need (partners of tokens and words, verdicts,
brackets) is computed when first asked for and kept. A place is a position that both lines share
(`alignment.places`). The rows of a column are its sentences, tokens, words or brackets; the cuts of units are
the first row of each unit, and the number of rows at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from evalign.alignment.alignment import Alignment
from evalign.alignment.places import NOWHERE
from evalign.document import Document, IntArray
from evalign.errors import CommandError
from evalign.kernels.match_cy import pair_spans
from evalign.options import ScoreOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap
    from evalign.metrics.constituents import Constituents
    from evalign.metrics.word_comparison import WordComparison

CountTable = npt.NDArray[np.int64]
"""One row of integers per unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The stretches of text that counts are kept by.

    They are the gold documents, or else stretches between sentence boundaries that gold and every system
    share.
    """

    kind: str
    """One of "document", "stretch", "sentence" and "whole"."""
    tokens: IntArray
    """The first gold token of each unit, ascending; the first is 0."""
    names: Sequence[str]
    merged: int = 1
    """How many neighbouring stretches were joined into each unit."""

    def __len__(self) -> int:
        return len(self.tokens)


# Cached properties of a comparison that depend on its units; `with_units` drops them.
_BY_UNIT = frozenset({"on_lines", "unit_places", "token_cuts", "sentence_cuts", "bracket_cuts", "word_cuts"})


@dataclass(frozen=True, eq=False)
class Comparison:
    """A gold document and one system document, aligned and ready to be counted."""

    alignment: Alignment
    units: Units
    options: ScoreOptions = field(default_factory=ScoreOptions)
    raw: RawMap | None = None
    """The raw text of both documents, if it was given."""
    filled: frozenset[str] = frozenset()
    """Columns to treat as filled although both documents may lack them.

    Set for a part of a text where other parts are known to have something in these columns.
    """

    @property
    def gold(self) -> Document:
        """The gold document as normalised for this comparison."""
        return self.alignment.gold.document

    @property
    def system(self) -> Document:
        """The system document as normalised for this comparison."""
        return self.alignment.system.document

    def with_units(self, units: Units) -> Comparison:
        """Return this comparison with other units; keep what was computed and does not depend on units."""
        comparison = replace(self, units=units)
        cached = {name: value for name, value in vars(self).items() if name not in _BY_UNIT}
        vars(comparison).update({**cached, "units": units})
        return comparison

    @cached_property
    def on_lines(self) -> Comparison:
        """This comparison with places on the two lines, for metrics that compare characters.

        A comparison on a raw text has its places there; any other comparison is returned unchanged.
        """
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
        """Return where each unit begins among gold rows, and the number of rows at the end.

        `tokens` has the first gold token of each row, ascending. A row belongs to the unit in which it
        begins.
        """
        return np.append(np.searchsorted(tokens, self.units.tokens), len(tokens))

    def system_unit_cuts(self, starts: IntArray) -> IntArray:
        """Return where each unit begins among system rows, and the number of rows at the end.

        `starts` has the place at which each row begins; a row without a place belongs to the unit of the row
        before it.
        """
        # On equal lines every row has a place; then the column, perhaps of millions, is not copied.
        ascending = np.maximum.accumulate(starts) if (starts == NOWHERE).any() else starts
        inner = np.searchsorted(ascending, self.unit_places[1:])
        return np.concatenate([[0], inner, [len(starts)]])

    @cached_property
    def token_cuts(self) -> tuple[IntArray, IntArray]:
        """Where each unit begins among the gold tokens and among the system tokens."""
        gold = np.append(self.units.tokens, self.gold.n_tokens)
        return gold, self.system_unit_cuts(self._system_starts)

    @cached_property
    def _system_starts(self) -> IntArray:
        """The start place of each system token, for finding its unit.

        A token without place or characters gets the start place of the last placed token before it in its
        sentence, or else of the next one behind it. A token without characters may be at the end of one
        sentence or at the beginning of the next: both are the same place.
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
        """Where each unit begins among the gold sentences and among the system sentences."""
        gold = self.gold_unit_cuts(self.gold.sentences[:-1])
        return gold, self.system_unit_cuts(self.alignment.system.places.sentence_starts)

    @cached_property
    def bracket_cuts(self) -> tuple[IntArray, IntArray]:
        """Where each unit begins among the counted brackets of gold and of the system."""
        gold, system = self.constituents.sides
        # A bracket belongs to the unit of its first token. One without a place goes with the token before it.
        return self.gold_unit_cuts(gold.firsts), np.searchsorted(system.firsts, self.token_cuts[1])

    @cached_property
    def token_partners(self) -> IntArray:
        """The system token in the same place as each gold token; -1 if there is none."""
        spans = self.alignment.gold.places.spans, self.alignment.system.places.spans
        partners = np.full(self.gold.n_tokens, -1, np.int32)
        leading = self.alignment.gold.leading, self.alignment.system.leading
        if leading[0] is None and leading[1] is None:
            pair_spans(*spans[0], *spans[1], partners)
            return partners
        # Empty tokens at the beginning of a sentence pair only with each other.
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
        """The system sentence that each gold sentence is credited with; -1 if there is none.

        Partners are in the same place and, unless `match="place"`, share enough text. Even with
        `match="text"` their texts may differ; `sentences_right` compares them.
        """
        alignment = self.alignment
        return alignment.sentences_in_place if self.options.match_by == "place" else alignment.sentence_pairs

    @cached_property
    def sentences_right(self) -> npt.NDArray[np.bool_]:
        """Whether each gold sentence has a partner; with `match="text"`, a partner with the same text."""
        return self.sentence_same if self.options.match_by == "text" else self.sentence_partners >= 0

    @cached_property
    def token_same(self) -> npt.NDArray[np.bool_]:
        """Whether each gold token has a partner with the same text."""
        same = self._same(self.token_partners, self.gold.cuts, self.system.cuts)
        return same & self._credited(self.token_partners, "tokens", Document.token)

    @property
    def tokens_right(self) -> npt.NDArray[np.bool_]:
        """Whether each gold token has a partner with the same text; with `match="place"`, any partner."""
        return self.token_partners >= 0 if self.options.match_by == "place" else self.token_same

    @cached_property
    def sentence_same(self) -> npt.NDArray[np.bool_]:
        """Whether each gold sentence has a partner with the same text."""
        return self._same(self.alignment.sentence_pairs, self.gold.sentence_cuts, self.system.sentence_cuts)

    @cached_property
    def word_cuts(self) -> tuple[IntArray, IntArray]:
        """Where each unit begins among the gold words and among the system words."""
        gold, system = self.token_cuts
        return self.gold.word_cuts(gold), self.system.word_cuts(system)

    @cached_property
    def words_in_place(self) -> IntArray:
        """The system word in the same place as each gold word; -1 if there is none.

        Words that pair by form have equal folded forms instead.
        """
        if not self.has_multiword:
            return self._add_pairs_by_form(self.token_partners, by_folded_form=True)
        return self.alignment.folded_word_pairs.partners

    @cached_property
    def words_same(self) -> IntArray:
        """The system word with the same place and text as each gold word; -1 if there is none.

        Words that pair by form have equal lower-cased forms instead.
        """
        if not self.has_multiword:
            return self._add_pairs_by_form(
                _keep_partners(self.token_partners, self.token_same), by_folded_form=False
            )
        pairs = self.alignment.word_pairs
        credited = self._credited(pairs.partners, "words", lambda document, k: document.word(k).lower())
        same = pairs.by_form & credited
        plain = np.flatnonzero((pairs.partners >= 0) & ~pairs.by_form)
        # A plain word is a whole token, and so is its partner: the two words compare as the two tokens do.
        tokens = plain if self.gold.words is None else self.gold.words.tokens[plain]
        same[plain] = self.token_same[tokens]
        return _keep_partners(pairs.partners, same)

    def _add_pairs_by_form(self, partners: IntArray, *, by_folded_form: bool) -> IntArray:
        """Return `partners`, the partners of tokens, with the pairs of words that pair by form added.

        For documents without multiword tokens, whose words are their tokens. The pairs come from
        `folded_word_pairs` if `by_folded_form`, else from `word_pairs`.
        """
        if self.alignment.lines_equal:
            return partners
        pairs = self.alignment.folded_word_pairs if by_folded_form else self.alignment.word_pairs
        if not pairs.by_form.any():
            return partners
        word_partners = np.where(np.isin(partners, pairs.partners[pairs.by_form]), np.int32(-1), partners)
        word_partners[pairs.by_form] = pairs.partners[pairs.by_form]
        return word_partners

    @property
    def has_multiword(self) -> bool:
        """Whether either side has words that are not the same as its tokens."""
        return self.gold.words is not None or self.system.words is not None

    @cached_property
    def word_partners(self) -> IntArray:
        """The system word that each gold word is judged with under `match`; -1 if there is none."""
        return self.words_in_place if self.options.match_by == "place" else self.words_same

    @cached_property
    def word_comparison(self) -> WordComparison:
        """The columns of both documents side by side; raises `CommandError` if a document has no columns."""
        from evalign.metrics.word_comparison import WordComparison

        gold, system = self.gold.columns, self.system.columns
        if gold is None or system is None:
            message = "no columns to judge"
            raise CommandError(message, "CoNLL-U on both sides")
        # Lemmas are composed whenever the NFC rule applies: whether it changed any form is known only at the
        # end.
        return WordComparison(gold, system, self.options, composed="nfc" in self.alignment.rules)

    @cached_property
    def verdicts(self) -> npt.NDArray[np.uint8]:
        """The verdict on each gold word and its partner: bits that say what is right (`kernels.judge_cy`)."""
        return self.word_comparison.verdicts(self.word_partners)

    @cached_property
    def constituents(self) -> Constituents:
        """The brackets and tags of both documents as the preset counts them."""
        from evalign.metrics.constituents import Constituents

        return Constituents(self.alignment, self.options, lambda: self.words_in_place)

    def _same(self, partners: IntArray, gold_cuts: IntArray, system_cuts: IntArray) -> npt.NDArray[np.bool_]:
        """Return for each gold row whether it has a partner with the same characters on the normalised line.

        `gold_cuts` and `system_cuts` are the cuts of the rows in characters.
        """
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

    def _credited(
        self, partners: IntArray, kind: Literal["tokens", "words"], read: Callable[[Document, int], str]
    ) -> npt.NDArray[np.bool_]:
        """Return for each gold row whether a match with its partner may be credited.

        Always true if exceptions are credited. Else false where only an exception list made the two rows
        equal: pairs with a row that a list rewrote are compared by their texts as read, which `read` returns.
        """
        credited = np.ones(len(partners), bool)
        sides = self.alignment.gold, self.alignment.system
        excepted = [getattr(side.excepted, kind) if side.excepted else frozenset() for side in sides]
        if self.options.credit_exceptions or not any(excepted):
            return credited
        gold, system = (side.original for side in sides)
        for row in {*excepted[0], *np.flatnonzero(np.isin(partners, list(excepted[1]))).tolist()}:
            credited[row] = partners[row] >= 0 and read(gold, row) == read(system, int(partners[row]))
        return credited


def _keep_partners(partners: IntArray, wanted: npt.NDArray[np.bool_]) -> IntArray:
    """Return `partners` with -1 where `wanted` is false.

    If nothing changes, the same array is returned: `WordComparison.verdicts` recognises arrays by identity.
    """
    if (wanted | (partners < 0)).all():
        return partners
    return np.where(wanted, partners, np.int32(-1))


def count_rows(mask: npt.NDArray[np.bool_], cuts: IntArray) -> npt.NDArray[np.int64]:
    """Count the true values of `mask` in each unit, given the cuts of the units."""
    counts = np.zeros(len(cuts) - 1, np.int64)
    filled = np.diff(cuts) > 0
    if filled.any():
        counts[filled] = np.add.reduceat(mask.view(np.uint8), cuts[:-1][filled], dtype=np.int32)
    return counts


def sum_rows(values: IntArray, cuts: IntArray) -> CountTable:
    """Add up the `values` of the rows of each unit, given the cuts of the units."""
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
    """Count matches by unit, in the columns `MATCHED`: correct, gold, system, in_place, same_text.

    `in_place`, `same_text` and `default` mark gold rows; those in `default` are correct unless the option
    `match` chooses one of the others. `cuts` are the cuts of the units in gold rows and in system rows.
    """
    places, texts = count_rows(in_place, cuts[0]), count_rows(same_text, cuts[0])
    correct = {"place": places, "text": texts}.get(comparison.options.match_by)
    if correct is None:
        correct = count_rows(default, cuts[0])
    return np.stack([correct, np.diff(cuts[0]), np.diff(cuts[1]), places, texts], axis=1)


def count_pairs(
    comparison: Comparison, count: Callable[[IntArray], CountTable], *totals: CountTable
) -> CountTable:
    """Count words by the words of the system that they are paired with, by unit.

    `count` counts what is right given these partners. The columns are: right, `totals`, right with partners
    in place, right with partners of the same text.
    """
    in_place, same = comparison.words_in_place, comparison.words_same
    counted = [count(partners) for partners in ((in_place, same) if in_place is not same else (same,))]
    by_place = comparison.options.match_by == "place"
    return np.stack([counted[0 if by_place else -1], *totals, counted[0], counted[-1]], axis=1)
