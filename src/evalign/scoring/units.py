"""Units: the stretches of gold that each row of counts is kept for, and the values of comments on them.

Units are documents, raw files, stretches of sentences between boundaries that all sides share, or single
sentences. `count` finds them for a text or a part of one, `tally` numbers those of parts through. Rows of
counts by unit are what significance tests resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from evalign.alignment.alignment import Alignment
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.metrics.comparison import Units
from evalign.options import ScoreOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap


def find_documents(gold: Document, raw: RawMap | None) -> Breaks:
    """Return where gold's documents begin, and their names; if gold marks none, those of the raw files."""
    return gold.documents if len(gold.documents) or raw is None else raw.breaks or gold.documents


def find_units(
    gold: Document,
    alignments: Sequence[Alignment],
    options: ScoreOptions,
    documents: Breaks,
    *,
    has_documents: bool,
    most: int | None = None,
) -> Units:
    """Find the units of a text or a part: its documents, else stretches of sentences that all sides share.

    `has_documents` says whether the text has documents; a part of it may lack them. With
    `average="sentence"` the units are gold's sentences; the printed algorithm has one unit. Neighbours among
    more than `most` stretches are merged.
    """
    nothing_before = np.zeros(1, np.int32)
    if options.strategy == "printed":
        return Units("whole", nothing_before, [gold.name])
    if options.average == "sentence":
        ids = gold.sentence_ids or [str(k + 1) for k in range(gold.n_sentences)]
        return Units("sentence", gold.sentences[:-1] if gold.n_sentences else nothing_before, ids)
    if has_documents:
        firsts, index = np.unique(documents.sentences, return_index=True)
        names: Sequence[str] = documents.names
        if len(firsts) < len(names):
            names = [names[k] for k in index.tolist()]
        if not len(firsts) or firsts[0]:
            firsts, names = np.append(np.zeros(1, np.int64), firsts), ["", *names]
        return Units("document", gold.sentences[firsts] if gold.n_sentences else nothing_before, names)
    if options.average == "document":
        return Units("document", nothing_before, [gold.name])
    starts = find_stretches(gold, alignments)
    merged = count_merged(len(starts), most)
    starts = starts[::merged]
    tokens = gold.sentences[starts] if gold.n_sentences else nothing_before
    return Units("stretch", tokens, name_stretches(starts), merged)


def find_stretches(gold: Document, alignments: Sequence[Alignment]) -> IntArray:
    """Return the gold sentences that begin at a sentence boundary of every system too, counted from 0.

    The first is always 0.
    """
    shared: IntArray = alignments[0].blocks.gold
    for alignment in alignments[1:]:
        shared = np.intersect1d(shared, alignment.blocks.gold)
    return distinct(np.append(0, shared[shared < gold.n_sentences]))


def count_merged(stretches: int, most: int | None) -> int:
    """Return how many stretches make one unit: the smallest power of 2 that gives at most `most` units.

    >>> count_merged(7, 10), count_merged(11, 10), count_merged(50, 10), count_merged(50, None)
    (1, 2, 8, 1)
    """
    merged = 1
    while most is not None and stretches > merged * most:
        merged *= 2
    return merged


def name_stretches(starts: IntArray) -> list[str]:
    """Name stretches by their first sentences; `starts` counts sentences from 0, names count from 1."""
    return [f"from sentence {k + 1}" for k in starts.tolist()]


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """Describe units in a signature: their kind and number, and how many stretches were merged into one.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


class UnitTable:
    """The units of a text, or of a part and all parts before it: their number, starts and names."""

    def __init__(self, gold: Document, units: Units, *, continues: bool = False) -> None:
        self.kind, self.merged = units.kind, units.merged
        """What the units are; and how many neighbouring stretches make one of them."""
        self.continues = continues
        """True if the first unit of a part is the last one of the part before it, if there is such a part."""
        self.n_sentences, self.length = gold.n_sentences, len(gold.line)
        """Sentences and characters of gold in all units."""
        self.size = self._stretches = len(units)
        self._starts: list[IntArray] = [gold.cuts[units.tokens]]
        self._sentences: list[IntArray] = [np.searchsorted(gold.sentences, units.tokens)]
        self._names = list(units.names)

    def add(self, part: UnitTable) -> IntArray:
        """Add the units of the next part; return, per unit of the part, its number in the whole text."""
        if self.kind == "stretch":
            numbers = (self._stretches + np.arange(part.size)) // self.merged
            self._stretches += part.size
        else:
            numbers = np.arange(part.size) + self.size - part.continues
        is_new = np.append(numbers[0] >= self.size, np.diff(numbers) > 0)
        self.size = int(numbers[-1]) + 1
        self._starts.append(part.starts[is_new] + self.length)
        self._sentences.append(part.sentences[is_new] + self.n_sentences)
        self._names += [part._names[k] for k in np.flatnonzero(is_new).tolist()]
        self.n_sentences += part.n_sentences
        self.length += part.length
        return numbers

    def merge(self) -> None:
        """Make one unit of each pair of neighbouring stretches."""
        starts, sentences = self.starts[::2], self.sentences[::2]
        self._starts, self._sentences = [starts], [sentences]
        self.size, self.merged = len(starts), 2 * self.merged

    def describe(self) -> str:
        """Describe the units as in a signature."""
        return describe_units(self.kind, self.size, self.merged)

    @property
    def starts(self) -> IntArray:
        """Characters of gold's line before each unit."""
        return np.concatenate(self._starts)

    @property
    def sentences(self) -> IntArray:
        """Sentences of gold before each unit."""
        return np.concatenate(self._sentences)

    @property
    def names(self) -> Sequence[str]:
        """Names of the units: documents have their own, stretches are named by their first sentence."""
        return name_stretches(self.sentences) if self.kind == "stretch" else self._names


NAME = "newdoc id"


@dataclass
class FieldTable:
    """The values that comments of gold give for each unit, such as `# genre = news` above a document."""

    values: dict[str, dict[int, str]] = field(default_factory=dict)
    """By key, the value of each unit that has one, by number of the unit."""
    others: set[str] = field(default_factory=set)
    """Keys that also stand above sentences inside documents, and so describe sentences."""
    long: set[str] = field(default_factory=set)
    """Keys with a value longer than `LONGEST_VALUE`."""

    @classmethod
    def find(cls, gold: Document, documents: Breaks, units: Units) -> FieldTable:
        """Find the comments above the first sentences of documents.

        Where units are sentences, each has the values of its document, and the document's name as `newdoc id`.
        """
        from evalign.metrics.errors.sentence_groups import LONGEST_VALUE

        found = cls()
        firsts = documents.sentences
        sentences = np.searchsorted(gold.sentences, units.tokens)
        # Per unit the document that it is or is in; -1 for sentences before the first document.
        owners = (np.searchsorted(firsts, sentences, side="right") - 1).tolist()
        begins = [int(firsts[owner]) if owner >= 0 else 0 for owner in owners]
        if units.kind == "sentence":
            found.values[NAME] = {
                unit: documents.names[owner] for unit, owner in enumerate(owners) if owner >= 0
            }
        for key in gold.comments.keys if gold.comments is not None else ():
            above = gold.comments.values(key) if gold.comments is not None else {}
            if not above.keys() <= set(firsts.tolist()):
                found.others.add(key)
                continue
            found.values[key] = {unit: above[begin] for unit, begin in enumerate(begins) if above.get(begin)}
            if any(len(value) > LONGEST_VALUE for value in above.values()):
                found.long.add(key)
        return found

    def add(self, part: FieldTable, numbers: IntArray) -> None:
        """Add the values of the next part, whose units have these `numbers` in the whole text.

        The first value of a unit stays.
        """
        self.others |= part.others
        self.long |= part.long
        for key, values in part.values.items():
            by_unit = self.values.setdefault(key, {})
            for unit, value in values.items():
                by_unit.setdefault(int(numbers[unit]), value)

    def by_key(self, size: int) -> Mapping[str, list[str]]:
        """Return for each key a value per unit, "" if it has none; `size` is the number of units.

        The first `MOST_FIELDS` keys stay, without those that have overlong values.
        """
        from evalign.metrics.errors.sentence_groups import MOST_FIELDS

        most = MOST_FIELDS + (NAME in self.values)
        kept = [key for key in self.values if key not in self.others][:most]
        return {
            key: [self.values[key].get(unit, "") for unit in range(size)]
            for key in kept
            if key not in self.long
        }


class UnitFields(Mapping[str, Sequence[str]]):
    """The values that comments of gold give for each unit, by key; looked up on first access.

    Every run makes this object, but few use its values.
    """

    def __init__(self, gold: Document, documents: Breaks, units: Units) -> None:
        self._gold, self._documents, self._units = gold, documents, units

    def __reduce__(self) -> tuple[type, tuple[Mapping[str, list[str]]]]:
        """Pickle the values as a dict, without the document."""
        return dict, (self._values,)

    def __getitem__(self, key: str) -> Sequence[str]:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @cached_property
    def _values(self) -> Mapping[str, list[str]]:
        if self._units.kind not in ("document", "sentence") or not len(self._documents):
            return {}
        return FieldTable.find(self._gold, self._documents, self._units).by_key(len(self._units))
