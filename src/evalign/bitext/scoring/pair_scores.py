"""Scores of extracted pairs: precision, recall and F1 over sets of id pairs, also at thresholds.

The official scorer of the BUCC shared tasks is not public; docs/deviations.md says how its description is
read here.
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
from evalign.bitext.scoring.options import PairOptions
from evalign.bitext.scoring.review import (
    Verdicts,
    correct_precision,
    find_split_corpora,
    name_system,
    read_review,
    sample_pairs,
)
from evalign.errors import CommandError, InputError
from evalign.files import are_alike, check_names
from evalign.metrics.comparison import CountTable
from evalign.metrics.counts import Counts
from evalign.metrics.metric import label_metric
from evalign.metrics.registry import ORACLE, PAIRS, TRAINED, recall_metric
from evalign.progress import Progress, counted, no_progress
from evalign.readers.display_names import name_inputs
from evalign.results.ledger import Ledger, LedgerRule, PairLedger
from evalign.results.pairing import Pairing, Threshold
from evalign.results.result import Result
from evalign.results.system_result import CountsAlone, Score, SystemResult
from evalign.scoring.request import MOST_UNITS
from evalign.text import Source

# Units: counts are kept by first id, with all its pairs of gold and of every system.

KIND = "foreign id"
"""Name of the unit of counts.

The first language is the foreign one if the second is English, as in the BUCC shared tasks.
"""
MERGED = "group of foreign ids"
"""The unit of counts if there are so many first ids that neighbours are merged."""


@dataclass(frozen=True, eq=False)
class PairUnits:
    """The units that counts are kept by: first ids in order; if there are very many, groups of neighbours."""

    language: str
    starts: Numbers
    """The first number of every unit."""
    merged: int = 1
    """How many first ids a unit has."""

    def __len__(self) -> int:
        return max(1, len(self.starts))

    @property
    def kind(self) -> str:
        """Name of the unit: `KIND`, or `MERGED` if neighbours are merged."""
        return MERGED if self.merged > 1 else KIND

    @property
    def names(self) -> Sequence[str]:
        """The id of each unit; of merged ids the first, as in "from fr-000000001"."""
        before = "from " if self.merged > 1 else ""
        return [f"{before}{format_id(self.language, number)}" for number in self.starts.tolist()]

    def describe(self) -> str:
        """Return the units as signatures write them."""
        merged = f"x{self.merged}" if self.merged > 1 else ""
        return f"{KIND.replace(' ', '-')}({len(self.starts)}){merged}"

    def count_nothing(self, columns: int) -> CountTable:
        """Return a table of zeros with a row per unit, for a metric that is not available."""
        return np.zeros((len(self), columns), np.int64)

    def find(self, firsts: Numbers) -> Numbers:
        """Return the index of the unit of every first id."""
        units: Numbers = np.searchsorted(self.starts, firsts, side="right") - 1
        return units

    def count(self, *columns: Numbers) -> CountTable:
        """Return a row per unit: how often it occurs in each of `columns` (indices of units)."""
        return np.stack([np.bincount(column, minlength=len(self)) for column in columns], axis=1)


def find_pair_units(gold: IdPairs, systems: Sequence[IdPairs], most: int = MOST_UNITS) -> PairUnits:
    """Return the units for gold and all systems; above `most` first ids, neighbours are merged."""
    language = next((pairs.languages[0] for pairs in (gold, *systems) if len(pairs)), "")
    firsts = np.concatenate([gold.first, *(system.first for system in systems)])
    # Pairs are ordered by first id, so that a stable sort only has to merge sorted runs.
    firsts = np.sort(firsts, kind="stable")
    starts = firsts[np.append(True, np.diff(firsts) != 0)] if len(firsts) else firsts
    merged = max(1, -(-len(starts) // most))
    return PairUnits(language, starts[::merged], merged)


def find_recalled(pairs: IdPairs, is_correct: npt.NDArray[np.bool_], most: int) -> Numbers:
    """Return the first id of each correct pair that ranks among the `most` best of its first id.

    The rank of a pair is the number of candidates of its first sentence that score as much or more, so
    nothing is gained by giving many pairs the same score.
    """
    order = np.lexsort((-pairs.levels, pairs.first))
    first, ranked = pairs.first[order], pairs.levels[order]
    is_new = np.append(True, np.diff(first) != 0)[: len(first)]
    # A run ends where the id or the score changes; all its pairs have the rank of the last.
    ends_run = np.append((np.diff(first) != 0) | (ranked[1:] != ranked[:-1]), True)[: len(first)]
    begin = np.maximum.accumulate(np.where(is_new, np.arange(len(first)), 0))
    lasts = np.flatnonzero(ends_run)
    last = lasts[np.searchsorted(lasts, np.arange(len(first)))]
    rank = last - begin + 1
    kept = is_correct[order] & (rank <= most)
    ranked_first: Numbers = first[kept]
    return ranked_first


# Besides the scores: the ledger of what was tolerated, the signature, and warnings.

_MOST_PLACES = 3


def make_ledger(gold: IdPairs, system: IdPairs) -> PairLedger:
    """Count repeated pairs, and ids that are in several pairs."""
    return PairLedger(
        LedgerRule(
            len(gold.repeated),
            len(system.repeated),
            tuple(f"{each.name}:{line}" for each in (gold, system) for line in each.repeated[:_MOST_PLACES]),
        ),
        LedgerRule(_count_repeated(gold.first), _count_repeated(system.first)),
        LedgerRule(_count_repeated(gold.second), _count_repeated(system.second)),
    )


def _count_repeated(numbers: Numbers) -> int:
    """Count the numbers that occur more than once."""
    is_same = np.diff(np.sort(numbers, kind="stable")) == 0
    # A number with n occurrences is equal to the one before n - 1 times; only the first of these is to count.
    return int(is_same.sum() - (is_same[1:] & is_same[:-1]).sum())


def make_signature(gold: IdPairs, units: PairUnits, trained: Threshold | None) -> str:
    """Return the signature, `key:value|...`: everything that the numbers depend on."""
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
    """Return warnings about the files, for people."""
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


# One system: its counts by unit, its curve, and samples of false and missed pairs.

Mask: TypeAlias = npt.NDArray[np.bool_]


class ScoredPairs(NamedTuple):
    """Pairs of a system compared with gold: which are correct, the curve, and the threshold from training."""

    pairs: IdPairs
    is_correct: Mask
    curve: Curve | None
    trained: Threshold | None


def judge(gold: IdPairs, pairs: IdPairs, trained: Threshold | None) -> ScoredPairs:
    """Compare a system's pairs with gold.

    Raises `InputError` for a threshold if there are no scores to apply it to.
    """
    is_correct = are_gold(pairs, gold)
    if trained is not None and pairs.scores is None and len(pairs):
        raise InputError(pairs.start, "pairs without scores", "scores, to apply the threshold to")
    curve = None if pairs.scores is None else make_curve(pairs, is_correct, len(gold))
    return ScoredPairs(pairs, is_correct, curve, trained)


def find_metrics(judged: Sequence[ScoredPairs]) -> list[str]:
    """Return the names of the metrics for all systems: those that at least one of them can have."""
    metrics = [PAIRS]
    if any(each.trained is not None for each in judged):
        metrics.append(TRAINED)
    if any(each.curve is not None for each in judged):
        metrics.append(ORACLE)
    return metrics


def score_system(
    gold: IdPairs, judged: ScoredPairs, units: PairUnits, metrics: Sequence[str], options: PairOptions
) -> SystemResult:
    """Score one system: counts by unit for all metrics, ledger, signature and samples."""
    pairs, is_correct = judged.pairs, judged.is_correct
    best = judged.curve.find_best() if judged.curve else None
    kept = _keep(judged, best)
    gold_units, pair_units = units.find(gold.first), units.find(pairs.first)
    scores = {}
    for name in metrics:
        # Without scores there is no threshold, and the metric is not available.
        counts = units.count_nothing(3)
        if (mask := kept.get(name)) is not None:
            counts = units.count(pair_units[is_correct & mask], gold_units, pair_units[mask])
        scores[name] = Score(label_metric(name), counts, available=mask is not None)
    for most in options.recall_at:
        # Pairs without scores cannot be ranked; but without any pair, nothing has to be.
        has_ranks = pairs.scores is not None or not len(pairs)
        found_units = units.find(find_recalled(pairs, is_correct, most))
        counts = units.count(found_units, gold_units) if has_ranks else units.count_nothing(2)
        scores[f"recall-at-{most}"] = Score(recall_metric(most), counts, available=has_ranks)
    shown = TRAINED if TRAINED in kept else PAIRS
    pairing = _describe(gold, judged, best, kept[shown], options)
    if options.reviewed:
        false = kept[shown] & ~is_correct
        said = _select_verdicts(pairs, false, options.reviewed)
        counts_shown = Counts(*(scores[shown].counts[name] for name in ("correct", "gold", "system")))
        pairing["review"] = correct_precision(shown, counts_shown, said)
    ledger = Ledger(0, 0, 0, 0, pairs=make_ledger(gold, pairs))
    signature = make_signature(gold, units, judged.trained)
    return SystemResult(pairs.name, scores, ledger, signature, CountsAlone(), pairing=pairing)


def _keep(judged: ScoredPairs, best: int | None) -> dict[str, Mask]:
    """Return masks of the pairs that count, by metric: all pairs, or those at or above its threshold."""
    pairs, curve = judged.pairs, judged.curve
    kept = {PAIRS: np.ones(len(pairs), bool)}
    if judged.trained is not None:
        kept[TRAINED] = pairs.reaching(judged.trained["threshold"], judged.trained.get("written", ""))
    if curve is not None and best is not None:
        kept[ORACLE] = pairs.reaching(float(curve.thresholds[best]), curve.show_exact(best))
    return kept


def _describe(
    gold: IdPairs, judged: ScoredPairs, best: int | None, kept: Mask, options: PairOptions
) -> Pairing:
    """Return what a result has besides counts: curve, thresholds, samples of false and missed pairs."""
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


def _select_verdicts(pairs: IdPairs, false: Mask, reviewed: Mapping[str, Verdicts]) -> list[bool]:
    """Return the verdicts on false pairs of a system, by its name, or by its path.

    A table from the time before names were shortened has the path.
    """
    name = name_system(pairs.name)
    called = [name] if name in reviewed else [other for other in reviewed if are_alike(other, name)]
    if len(called) != 1:
        return []
    have = {pairs.ids(k) for k in np.flatnonzero(false).tolist()}
    return [said for ids, said in reviewed[called[0]].items() if ids in have]


def score_pairs(
    gold: Source,
    *systems: Source,
    training: Sequence[Source] = (),
    names: Sequence[str] = (),
    recall_at: Sequence[int] = (),
    corpora: str | os.PathLike[str] | None = None,
    split: str = "",
    reviewed: str | os.PathLike[str] | None = None,
    examples: int = 50,
    seed: int = SEED,
    most_units: int = MOST_UNITS,
    progress: Progress = no_progress,
) -> Result:
    """Score files of pairs, `foreign-id TAB english-id` with or without a score behind them, against gold.

    `training` is the gold of another split and a file of each system for that split. The threshold that is
    best there is applied here, as the metric pairs-trained; pairs-oracle uses the threshold that is best
    here, which no system may know. For every number K in `recall_at`, the metric recall-at-K counts the gold
    pairs among the K best candidates of each first id. With `corpora`, the folder of a data set, ids that its
    split does not have are refused, and examples have their sentences; `split` says which split, if the name
    of gold does not. `names` are names for the systems, if not those of their files. `reviewed` is a table of
    false pairs with verdicts of people. `examples` is how many false and missed pairs are kept, drawn by
    `seed`. Above `most_units` first ids, neighbours are resampled together.
    """
    if not systems:
        message = "no system to score"
        raise CommandError(message, "gold and at least one system")
    options = PairOptions(tuple(dict.fromkeys(recall_at)), split=split, examples=examples, seed=seed)
    gold_pairs, *read = read_comparable(gold, systems, "gold pairs to find", progress)
    if corpora is not None:
        split_corpora = find_split_corpora(corpora, gold_pairs, split)
        options = replace(options, corpora=split_corpora)
        for pairs in (gold_pairs, *read):
            split_corpora.check(pairs)
    given = ["", *check_names(names, len(systems)), *[""] * len(training)]
    called = name_inputs((gold, *systems, *training), given=given)
    thresholds = find_thresholds(training, gold_pairs, systems, called[1 + len(systems) :][:1], progress)
    gold_pairs, *read = (
        replace(pairs, name=name or pairs.name)
        for pairs, name in zip([gold_pairs, *read], called, strict=False)
    )
    if reviewed is not None:
        options = replace(options, reviewed=read_review(reviewed))
    judged = [judge(gold_pairs, *each) for each in zip(read, thresholds, strict=True)]
    metrics = find_metrics(judged)
    units = find_pair_units(gold_pairs, read, most_units)
    results = tuple(
        score_system(gold_pairs, each, units, metrics, options)
        for _, each in counted(judged, progress, lambda each: f"counting {each.pairs.name}")
    )
    return Result(gold_pairs.name, results, units.kind, units.names, make_warnings(gold_pairs, read, results))
