"""Review of false pairs by people: samples with their sentences, and precision corrected by the verdicts.

Some pairs that gold does not have are translations all the same: they were in the corpora before anything was
planted (Zweigenbaum et al. 2018, sections 2.2.4 and 4). Verdicts on a sample of false pairs say how many.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np

from evalign.bitext.dataset import GOLD, Corpus, DataSet, check_known, open_dataset
from evalign.bitext.pairs import IdPairs, Numbers, parse_id
from evalign.bitext.sampling import draw
from evalign.errors import CommandError, InputError, Message, Place, call, quote, suggest
from evalign.metrics.counts import Counts
from evalign.readers.content import load
from evalign.results.pairing import PairExample, Review

# The sentences behind the ids.


_ADVICE = "are these pairs of another split? {split} says which the corpora are of"


@dataclass(frozen=True, eq=False)
class SplitCorpora:
    """The corpora of both languages in one split."""

    first: Corpus
    second: Corpus

    def check(self, pairs: IdPairs) -> None:
        """Raise `InputError` for the first pair that names a sentence not in the corpora."""
        check_known(pairs, pairs.first, self.first, Message(_ADVICE))
        check_known(pairs, pairs.second, self.second, Message(_ADVICE))

    def text(self, side: int, number: int) -> str:
        """Return the text of sentence `number`; `side` is 0 for the first language, 1 for the second."""
        corpus = (self.first, self.second)[side]
        return corpus.texts[corpus.places[number]]


def find_split_corpora(folder: str | os.PathLike[str], gold: IdPairs, split: str = "") -> SplitCorpora:
    """Read the corpora of the split that `gold` belongs to.

    This is `split` if given, else the split in the file name of gold, else the only one whose corpus has all
    first ids of gold.
    """
    dataset = open_dataset(folder, "-".join(gold.languages))
    if split and split not in dataset.splits:
        message = f"no split {quote(split)} in {os.fspath(folder)}"
        raise CommandError(message, *suggest(split, dataset.splits))
    named = re.search(rf"\.({'|'.join(map(re.escape, dataset.splits))})\.{GOLD}$", gold.name)
    chosen = split or (named[1] if named else "") or _find_split(dataset, gold)
    return SplitCorpora(dataset.corpus(chosen, dataset.first), dataset.corpus(chosen, dataset.second))


def _find_split(dataset: DataSet, gold: IdPairs) -> str:
    fitting = [
        split
        for split in dataset.splits
        if np.isin(gold.first, np.array(dataset.corpus(split, dataset.first).numbers, np.int64)).all()
    ]
    if len(fitting) == 1:
        return fitting[0]
    which = "several splits have" if fitting else "no split has"
    message = f"{which} all ids of {gold.name}"
    splits = "|".join(dataset.splits)
    advice = call(f"split={splits}", f"<split> {splits}") + " says which"
    raise CommandError(message, "the split that it is of", advice)


REVIEW_COLUMNS = ("system", "first", "second", "score", "parallel", "first sentence", "second sentence")
_VERDICTS = {"y": True, "yes": True, "1": True, "n": False, "no": False, "0": False}
# A spreadsheet takes a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@")
_HEADER = f"a header: {', '.join(REVIEW_COLUMNS)}"
# The standard normal quantile for a two-sided interval of 95 %.
_Z = 1.959963984540054


def sample_pairs(
    pairs: IdPairs, which: Numbers, most: int, seed: int, corpora: SplitCorpora | None
) -> list[PairExample]:
    """Draw at most `most` of the pairs at the indices `which`; return them in the order of their ids.

    The draw depends on `seed` and the ids only. `corpora` gives the sentences; without it these are empty.
    """
    if len(which) > 20 * most:
        # With a million false pairs, a draw for each would be slow: the draw is among 20 times as many as are
        # wanted, at equal distances.
        which = which[np.linspace(0, len(which) - 1, 20 * most).astype(np.int64)]
    ids = [pairs.ids(k) for k in which.tolist()]
    drawn = sorted(zip((draw(seed, "review", *each) for each in ids), which.tolist(), strict=True))
    return [_example(pairs, k, corpora) for k in sorted(k for _, k in drawn[:most])]


def _example(pairs: IdPairs, which: int, corpora: SplitCorpora | None) -> PairExample:
    first, second = pairs.ids(which)
    return PairExample(
        first=first,
        second=second,
        score=None if pairs.scores is None else float(pairs.scores[which]),
        first_text=corpora.text(0, int(pairs.first[which])) if corpora else "",
        second_text=corpora.text(1, int(pairs.second[which])) if corpora else "",
    )


def render_review(samples: Mapping[str, Sequence[PairExample]]) -> str:
    """Return the table for reviewers to fill in, with the samples by name of system.

    They write y or n into the column `parallel`.
    """
    lines = ["\t".join(REVIEW_COLUMNS)]
    for system, sample in samples.items():
        name = name_system(system)
        for pair in sample:
            score = "" if pair["score"] is None else repr(pair["score"])
            cells = (name, pair["first"], pair["second"], score, "")
            lines.append("\t".join((*cells, _show(pair["first_text"]), _show(pair["second_text"]))))
    return "\n".join(lines) + "\n"


def name_system(name: str) -> str:
    """Return the name of a system in the table, without tabs and line ends."""
    return _show(" ".join(name.split()))


def _show(text: str) -> str:
    """Escape a cell for spreadsheets: not a formula, and no quotation mark that reaches into other cells."""
    text = f"'{text}" if text.startswith(_FORMULA) else text
    return '"{}"'.format(text.replace('"', '""')) if '"' in text else text


Verdicts: TypeAlias = dict[tuple[str, str], bool]
"""By pair of ids, whether a reviewer says that the pair is parallel."""


def read_review(source: str | os.PathLike[str]) -> dict[str, Verdicts]:
    """Read verdicts by system from a table.

    Lines without a verdict are ignored.
    """
    content = load(source)
    place = Place(content.name)
    lines = content.data.decode("utf-8").rstrip("\n").split("\n")
    if lines[0].split("\t")[:5] != list(REVIEW_COLUMNS[:5]):
        raise InputError(
            Place(content.name, 1),
            quote(lines[0]),
            _HEADER,
            Message("{evalign.bitext.scoring.review.render_review(samples)|<review> FILE} writes one"),
        )
    verdicts: dict[str, Verdicts] = {}
    for lineno, line in enumerate(lines[1:], 2):
        if not line:
            continue
        fields = line.split("\t")
        here = Place(content.name, lineno)
        if len(fields) < 5:
            raise InputError(here, f"columns: {len(fields)}", _HEADER)
        system, first, second, _, verdict = fields[:5]
        if parse_id(first) is None or parse_id(second) is None:
            raise InputError(here, f"{quote(first)} and {quote(second)}", "two ids")
        said = verdict.strip().lower()
        if said and said not in _VERDICTS:
            raise InputError(
                here, f"parallel is {quote(verdict)}", "y or n, or nothing for a pair that nobody judged"
            )
        if said:
            verdicts.setdefault(system, {})[first, second] = _VERDICTS[said]
    if not verdicts:
        raise InputError(place, "no verdict", "y or n in the column parallel of some lines")
    return verdicts


def correct_precision(of: str, counts: Counts, verdicts: Sequence[bool]) -> Review:
    """Estimate precision from verdicts on a sample of false pairs, with Wilson's 95 % interval.

    Assumes that false pairs are parallel as often as the reviewed ones. `of` is the name of the metric;
    without verdicts the estimate and its interval are None. If every false pair was reviewed, nothing is
    estimated, and only the interval is None.
    """
    reviewed, parallel = len(verdicts), sum(verdicts)
    false = counts.system - counts.correct

    def precision(share: float) -> float | None:
        return (counts.correct + share * false) / counts.system if counts.system else None

    low, high = _wilson(parallel, reviewed)
    is_sample = 0 < reviewed < false
    return Review(
        of=of,
        reviewed=reviewed,
        parallel=parallel,
        precision=precision(parallel / reviewed) if reviewed else None,
        low=precision(low) if is_sample else None,
        high=precision(high) if is_sample else None,
    )


def _wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's score interval for a share (Wilson 1927)."""
    if not trials:
        return 0.0, 1.0
    share, z2 = successes / trials, _Z * _Z
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = _Z * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials)) / (1 + z2 / trials)
    return max(0.0, middle - spread), min(1.0, middle + spread)
