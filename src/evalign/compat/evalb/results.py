"""evalb for programs: `evaluate` compares two files, and returns counts by sentence and their sums."""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol

from evalign.compat.evalb.scorer import LARGEST, Complaints, LineScorer, TooManyErrorsError, read_file
from evalign.kernels.evalb_cy import percent
from evalign.readers.evalb_parameters import Parameters

Trees = bytes | str | os.PathLike[str]

ERROR, SKIP = 1, 2


class _Counted(Protocol):
    """Counts from which the ratios of `_Shares` are computed."""

    @property
    def matched(self) -> int: ...
    @property
    def gold(self) -> int: ...
    @property
    def test(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def tags(self) -> int: ...


class _Shares:
    """Ratios of the counts of one sentence or of many."""

    __slots__ = ()

    @property
    def recall(self: _Counted) -> float:
        """Matched brackets as a share of gold's, in percent; 0 if gold has none."""
        share: float = percent(self.matched, self.gold)
        return share

    @property
    def precision(self: _Counted) -> float:
        """Matched brackets as a share of test's, in percent; 0 if test has none."""
        share: float = percent(self.matched, self.test)
        return share

    @property
    def accuracy(self: _Counted) -> float:
        """Right tags as a share of the words, in percent; 0 if there are no words."""
        share: float = percent(self.tags, self.words)
        return share


class _Line(NamedTuple):
    number: int
    length: int
    """Words of gold that count towards the length."""
    status: int
    """0 valid, 1 error, 2 skipped."""
    matched: int
    gold: int
    """Brackets of gold."""
    test: int
    """Brackets of test."""
    crossing: int
    """Brackets of test that cross a bracket of gold."""
    words: int
    tags: int
    """Words with the right tag."""


class SentenceCounts(_Line, _Shares):
    """Counts of one sentence, as in a line of evalb's table."""

    __slots__ = ()

    @property
    def is_valid(self) -> bool:
        """True for a sentence that counts in the totals."""
        return self.status == 0


class _Block(NamedTuple):
    sentences: int
    errors: int
    skipped: int
    valid: int
    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    tags: int
    complete: int
    """Sentences whose brackets all match."""
    no_crossing: int
    two_crossing: int
    """Sentences with two crossing brackets or less."""


class Totals(_Block, _Shares):
    """Sums of one block of evalb's summary. All but the first three are sums over valid sentences."""

    __slots__ = ()

    @property
    def f1(self) -> float | None:
        """F1 in percent; None if recall and precision are both 0."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else None


class Evaluation(NamedTuple):
    """What evalb reports about two files."""

    sentences: list[SentenceCounts]
    all: Totals
    short: Totals
    """Totals of the sentences that are no longer than the cut-off."""
    messages: list[bytes]
    """Lines that evalb writes to standard error."""
    is_complete: bool
    """False if evalb stopped early because of more errors than the parameters allow."""


def evaluate(gold: Trees, test: Trees, parameters: Parameters | None = None) -> Evaluation:
    """Compare two files of trees line by line, as evalb does; each file is given as bytes or as a path."""
    parameters = parameters or Parameters()
    messages: list[bytes] = []
    complaints = Complaints(parameters.max_error, messages.append)
    scorer = LineScorer(_read(gold), _read(test), parameters, complaints)
    sentences: list[SentenceCounts] = []
    is_complete = True
    try:
        for n in scorer.batches():
            sentences += _sentences(scorer, n)
    except TooManyErrorsError:
        sentences += _sentences(scorer, scorer.n_counted)
        is_complete = False
    everything, short = (
        Totals(*(scorer.sums[row, k] for k in range(len(Totals._fields)))) for row in range(2)
    )
    return Evaluation(sentences, everything, short, b"".join(messages).splitlines(), is_complete)


def _sentences(scorer: LineScorer, n: int) -> list[SentenceCounts]:
    counts = scorer.counts
    return [SentenceCounts(scorer.number + k, *(counts[k, column] for column in range(8))) for k in range(n)]


def _read(trees: Trees) -> bytes:
    if not isinstance(trees, bytes):
        trees = read_file(trees)
    if len(trees) > LARGEST:
        message = "2 GiB or more of trees: split the files, gold and test alike"
        raise ValueError(message)
    return trees
