"""Scores of extracted pairs: precision, recall and F1 over pairs of ids as sets, at thresholds where pairs have scores.

The official scorer of the BUCC shared tasks is not public; this is the reading that docs/bitext-figures.md states.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign._version import __version__
from evalign.bitext.pairs import IdPairs, Numbers, format_id, read_comparable
from evalign.bitext.sampling import SEED
from evalign.bitext.scoring.curves import Curve, are_gold, find_thresholds, make_curve
from evalign.bitext.scoring.review import (
    SplitCorpora,
    correct_precision,
    find_split_corpora,
    name_system,
    read_review,
    sample_pairs,
)
from evalign.errors import CommandError, InputError
from evalign.files import are_alike, check_names
from evalign.metrics import ORACLE, PAIRS, TRAINED, Counts, CountTable, label_metric, recall_metric
from evalign.progress import Progress, counted, no_progress
from evalign.readers import Source, name_inputs
from evalign.results import (
    CountsAlone,
    Ledger,
    LedgerRule,
    Pairing,
    PairLedger,
    Result,
    Score,
    SystemResult,
    Threshold,
)
from evalign.scoring import MOST_UNITS

# What counts of pairs are kept by: a first id with all its pairs, gold's and every system's.


KIND = "foreign id"
"""The first language is the foreign one where the second is English, as in the BUCC shared tasks."""
MERGED = "group of foreign ids"
"""Neighbours that are one unit, where there are very many."""


@dataclass(frozen=True, eq=False)
class PairUnits:
    """First ids in their order; above so many, neighbours are one unit."""

    language: str
    starts: Numbers
    """The first number of every unit."""
    merged: int = 1
    """How many ids are in one."""

    def __len__(self) -> int:
        return max(1, len(self.starts))

    @property
    def kind(self) -> str:
        """What one of them is."""
        return MERGED if self.merged > 1 else KIND

    @property
    def names(self) -> Sequence[str]:
        """The ids; of several in one the first."""
        before = "from " if self.merged > 1 else ""
        return [f"{before}{format_id(self.language, number)}" for number in self.starts.tolist()]

    def describe(self) -> str:
        """As signatures have it."""
        return f"{KIND.replace(' ', '-')}({len(self.starts)})" + (
            f"x{self.merged}" if self.merged > 1 else ""
        )

    def count_nothing(self, columns: int) -> CountTable:
        """The same where there is nothing to count, so many columns."""
        return np.zeros((len(self), columns), np.int64)

    def find(self, firsts: Numbers) -> Numbers:
        """The unit of every first id."""
        units: Numbers = np.searchsorted(self.starts, firsts, side="right") - 1
        return units

    def count(self, *columns: Numbers) -> CountTable:
        """A row per unit: how often each column of units has it."""
        return np.stack([np.bincount(column, minlength=len(self)) for column in columns], axis=1)


def find_pair_units(gold: IdPairs, systems: Sequence[IdPairs], most: int = MOST_UNITS) -> PairUnits:
    """The units that gold and systems have between them."""
    language = next((pairs.languages[0] for pairs in (gold, *systems) if len(pairs)), "")
    firsts = np.concatenate([gold.first, *(system.first for system in systems)])
    # Pairs are ordered by first id, so that sorting merges what is sorted already.
    firsts = np.sort(firsts, kind="stable")
    starts = firsts[np.append(True, np.diff(firsts) != 0)] if len(firsts) else firsts
    merged = max(1, -(-len(starts) // most))
    return PairUnits(language, starts[::merged], merged)


def count_found(pairs: IdPairs, is_correct: npt.NDArray[np.bool_], most: int) -> Numbers:
    """First ids of the gold pairs that are among the best candidates of their first sentence, so many of them.

    The rank of a pair is the number of candidates that score as much or more: who gives many pairs the same score
    gains nothing by it.
    """
    order = np.lexsort((-pairs.levels, pairs.first))
    first, ranked = pairs.first[order], pairs.levels[order]
    is_new = np.append(True, np.diff(first) != 0)[: len(first)]
    # A run ends where the id or the score changes; the rank of all in it is that of its last.
    ends_run = np.append((np.diff(first) != 0) | (ranked[1:] != ranked[:-1]), True)[: len(first)]
    begin = np.maximum.accumulate(np.where(is_new, np.arange(len(first)), 0))
    lasts = np.flatnonzero(ends_run)
    last = lasts[np.searchsorted(lasts, np.arange(len(first)))]
    rank = last - begin + 1
    kept = is_correct[order] & (rank <= most)
    ranked_first: Numbers = first[kept]
    return ranked_first


# What has to be said beside scores of pairs: what was tolerated, how they were made, what a person should know.


_MOST_PLACES = 3


def make_ledger(gold: IdPairs, system: IdPairs) -> PairLedger:
    """Pairs that were said again, and ids that are in several pairs."""
    return PairLedger(
        LedgerRule(
            len(gold.repeated),
            len(system.repeated),
            tuple(f"{each.name}:{line}" for each in (gold, system) for line in each.repeated[:_MOST_PLACES]),
        ),
        LedgerRule(_several(gold.first), _several(system.first)),
        LedgerRule(_several(gold.second), _several(system.second)),
    )


def _several(numbers: Numbers) -> int:
    """How many numbers are there more than once."""
    is_same = np.diff(np.sort(numbers, kind="stable")) == 0
    # A number is there again where it is the one before, and more than once where that is so for the first time.
    return int(is_same.sum() - (is_same[1:] & is_same[:-1]).sum())


def make_signature(gold: IdPairs, units: PairUnits, trained: Threshold | None) -> str:
    """All that could move a number."""
    parts = {
        "evalign": __version__,
        "task": "bitext",
        "languages": "-".join(gold.languages),
        "match": "sets-of-id-pairs",
        "ties": "together",
        "average": "micro",
        "unit": units.describe(),
    }
    if trained is not None:
        parts["threshold"] = f"training({trained.get('written') or repr(trained['threshold'])})"
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def make_warnings(
    gold: IdPairs, systems: Sequence[IdPairs], results: Sequence[SystemResult]
) -> tuple[str, ...]:
    """What a person should know of the files."""
    warnings = []
    if any(_is_trained_on(result, gold.name) for result in results):
        warnings.append(
            f"{gold.name} is the training gold too: pairs-trained is then no more than pairs-oracle, and no result"
        )
    for pairs, result in zip(systems, results, strict=True):
        if not len(pairs):
            warnings.append(f"{pairs.name}: no pair")
        if pairs.repeated:
            lines = ", ".join(map(str, pairs.repeated[:_MOST_PLACES]))
            more = ", ..." if len(pairs.repeated) > _MOST_PLACES else ""
            warnings.append(
                f"{pairs.name}: repeated pairs: {len(pairs.repeated):,} (lines {lines}{more}); each is counted once, "
                "with its best score"
            )
        review = (result.pairing or {}).get("review")
        if review is not None and not review["reviewed"]:
            warnings.append(f"{pairs.name}: no verdict on any of its pairs")
    return tuple(warnings)


def _is_trained_on(result: SystemResult, name: str) -> bool:
    trained = (result.pairing or {}).get("trained")
    return trained is not None and trained["chosen_on"] == name


# Everything that is said of one system: its counts by first id, its curve, samples of what is false and missed.


Verdicts: TypeAlias = dict[tuple[str, str], bool]
Mask: TypeAlias = npt.NDArray[np.bool_]


class PairOptions(NamedTuple):
    """What is wanted of every system."""

    recall_at: tuple[int, ...]
    corpora: SplitCorpora | None
    verdicts: dict[str, Verdicts]
    examples: int
    seed: int


class ScoredPairs(NamedTuple):
    """A system's pairs against gold."""

    pairs: IdPairs
    is_correct: Mask
    curve: Curve | None
    trained: Threshold | None


class _Places(NamedTuple):
    """The unit of every pair."""

    gold: Numbers
    system: Numbers


def judge(gold: IdPairs, pairs: IdPairs, trained: Threshold | None) -> ScoredPairs:
    """A system's pairs against gold; raises `InputError` for a threshold without scores to apply it to."""
    is_correct = are_gold(pairs, gold)
    if trained is not None and pairs.scores is None and len(pairs):
        raise InputError(pairs.start, "pairs without scores", "scores, to apply the threshold to")
    curve = None if pairs.scores is None else make_curve(pairs, is_correct, len(gold))
    return ScoredPairs(pairs, is_correct, curve, trained)


def find_metrics(judged: Sequence[ScoredPairs]) -> list[str]:
    """The metrics that all systems are given: those that one of them can have."""
    metrics = [PAIRS]
    if any(each.trained is not None for each in judged):
        metrics.append(TRAINED)
    if any(each.curve is not None for each in judged):
        metrics.append(ORACLE)
    return metrics


def score_system(
    gold: IdPairs, judged: ScoredPairs, units: PairUnits, metrics: Sequence[str], options: PairOptions
) -> SystemResult:
    """Everything of one system."""
    pairs, is_correct = judged.pairs, judged.is_correct
    best = judged.curve.find_best() if judged.curve else None
    kept = _keep(judged, best)
    places = _Places(units.find(gold.first), units.find(pairs.first))
    scores = {name: _count(name, judged, kept.get(name), units, places) for name in metrics}
    for most in options.recall_at:
        # Nothing can be ranked where there are no scores, but where there is no pair nothing has to be.
        has_ranks = pairs.scores is not None or not len(pairs)
        found_units = units.find(count_found(pairs, is_correct, most))
        counts = units.count(found_units, places.gold) if has_ranks else units.count_nothing(2)
        scores[f"recall-at-{most}"] = Score(recall_metric(most), counts, available=has_ranks)
    shown = TRAINED if TRAINED in kept else PAIRS
    pairing = _describe(gold, judged, best, kept[shown], options)
    if options.verdicts:
        false = kept[shown] & ~is_correct
        said = _said(pairs, false, _find_verdicts(name_system(pairs.name), options.verdicts))
        counts_shown = Counts(*(scores[shown].counts[name] for name in ("correct", "gold", "system")))
        pairing["review"] = correct_precision(shown, counts_shown, said)
    ledger = Ledger(0, 0, 0, 0, pairs=make_ledger(gold, pairs))
    signature = make_signature(gold, units, judged.trained)
    return SystemResult(pairs.name, scores, ledger, signature, CountsAlone(), pairing=pairing)


def _keep(judged: ScoredPairs, best: int | None) -> dict[str, Mask]:
    """The pairs that count, by metric: all of them, and those that score as much as a threshold or more."""
    pairs, curve = judged.pairs, judged.curve
    kept = {PAIRS: np.ones(len(pairs), bool)}
    if judged.trained is not None:
        kept[TRAINED] = pairs.reaching(judged.trained["threshold"], judged.trained.get("written", ""))
    if curve is not None and best is not None:
        kept[ORACLE] = pairs.reaching(float(curve.thresholds[best]), curve.show_exact(best))
    return kept


def _count(name: str, judged: ScoredPairs, kept: Mask | None, units: PairUnits, places: _Places) -> Score:
    """Counts of the pairs that are kept; not available where none have scores to be kept by."""
    if kept is None:
        return Score(label_metric(name), units.count_nothing(3), available=False)
    table = units.count(places.system[judged.is_correct & kept], places.gold, places.system[kept])
    return Score(label_metric(name), table)


def _describe(
    gold: IdPairs,
    judged: ScoredPairs,
    best: int | None,
    kept: Mask,
    options: PairOptions,
) -> Pairing:
    """What is known beside the counts."""
    pairs, curve = judged.pairs, judged.curve
    pairing = Pairing()
    if curve is not None:
        pairing["average_precision"] = curve.average_precision
        pairing["curve"] = curve.points()
        if best is not None:
            pairing["oracle"] = curve.describe(best, gold.name)
    if judged.trained is not None:
        pairing["trained"] = judged.trained
    found_keys = pairs.keys[judged.is_correct & kept]
    false = np.flatnonzero(~judged.is_correct & kept)
    missed = np.flatnonzero(~np.isin(gold.keys, found_keys, assume_unique=True))
    pairing["false"] = sample_pairs(pairs, false, options.examples, options.seed, options.corpora)
    pairing["missed"] = sample_pairs(gold, missed, options.examples, options.seed, options.corpora)
    return pairing


def _find_verdicts(name: str, verdicts: Mapping[str, Verdicts]) -> Verdicts:
    """Those of a system; a table that was written before names were short has its path."""
    if name in verdicts:
        return verdicts[name]
    alike = [other for other in verdicts if are_alike(other, name)]
    return verdicts[alike[0]] if len(alike) == 1 else {}


def _said(pairs: IdPairs, false: Mask, verdicts: Verdicts) -> list[bool]:
    """What people said of a system's false pairs."""
    if not verdicts:
        return []
    have = {pairs.ids(k) for k in np.flatnonzero(false).tolist()}
    return [said for ids, said in verdicts.items() if ids in have]


MOST_EXAMPLES = 50
"""False and missed pairs of each system that a result keeps to be looked at."""


def score_pairs(
    gold: Source,
    *systems: Source,
    training: Sequence[Source] = (),
    names: Sequence[str] = (),
    recall_at: Sequence[int] = (),
    corpora: str | os.PathLike[str] | None = None,
    split: str = "",
    reviewed: str | os.PathLike[str] | None = None,
    examples: int = MOST_EXAMPLES,
    seed: int = SEED,
    most_units: int = MOST_UNITS,
    progress: Progress = no_progress,
) -> Result:
    """Score one or several files of pairs, `foreign-id TAB english-id` and a score if there is one, against gold.

    `training` is the gold of another split and a file of each system for it: the threshold that is best there is
    applied here, as the metric pairs-trained; pairs-oracle has the one that is best here, which no system may know.
    `recall_at` are numbers of candidates. With `corpora`, a data set's folder, ids that its split does not have are
    refused, and examples have their sentences. `names` are what the systems are called, if not as their files.
    `reviewed` is a table of false pairs that people have looked at. Above `most_units` first ids, neighbours are
    resampled together.
    """
    if not systems:
        message = "no system to score"
        raise CommandError(message, "gold and at least one system")
    for most in recall_at:
        if not 0 < most < 10**9:
            message = f"recall at {most}"
            raise CommandError(message, "numbers of candidates from 1 up")
    if examples < 0:
        message = f"examples: {examples}"
        raise CommandError(message, "how many to keep, from 0 up")
    gold_pairs, *read = read_comparable(gold, systems, "gold pairs to find", progress)
    split_corpora = find_split_corpora(corpora, gold_pairs, split) if corpora is not None else None
    if split_corpora is not None:
        for pairs in (gold_pairs, *read):
            split_corpora.check(pairs)
    given = [*check_names(names, len(systems)), *[""] * len(training)]
    called = name_inputs((gold, *systems, *training), given=given)
    thresholds = find_thresholds(training, gold_pairs, systems, called[1 + len(systems) :][:1], progress)
    gold_pairs, *read = (
        replace(pairs, name=name or pairs.name)
        for pairs, name in zip([gold_pairs, *read], called, strict=False)
    )
    options = PairOptions(
        tuple(dict.fromkeys(recall_at)),
        split_corpora,
        read_review(reviewed) if reviewed is not None else {},
        examples,
        seed,
    )
    judged = [judge(gold_pairs, *each) for each in zip(read, thresholds, strict=True)]
    metrics = find_metrics(judged)
    units = find_pair_units(gold_pairs, read, most_units)
    results = tuple(
        score_system(gold_pairs, each, units, metrics, options)
        for _, each in counted(judged, progress, lambda each: f"counting {each.pairs.name}")
    )
    return Result(gold_pairs.name, results, units.kind, units.names, make_warnings(gold_pairs, read, results))
