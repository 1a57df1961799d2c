"""Everything that is said of one system: its counts by first id, its curve, samples of what is false and missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.pairs import IdPairs, Numbers
from evalign.bitext.scoring.curves import Curve, are_gold, make_curve
from evalign.bitext.scoring.known import SplitCorpora
from evalign.bitext.scoring.remarks import make_ledger, make_signature
from evalign.bitext.scoring.review import correct_precision, name_system, sample_pairs
from evalign.bitext.scoring.units import PairUnits, count_found
from evalign.errors import InputError
from evalign.files import are_alike
from evalign.metrics import ORACLE, PAIRS, TRAINED, Counts, label_layer, recall_layer
from evalign.results import CountsAlone, Ledger, Pairing, Score, SystemResult, Threshold

Verdicts: TypeAlias = dict[tuple[str, str], bool]
Mask: TypeAlias = npt.NDArray[np.bool_]


class PairOptions(NamedTuple):
    """What is wanted of every system."""

    recall_at: tuple[int, ...]
    known: SplitCorpora | None
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
    found = [PAIRS]
    if any(each.trained is not None for each in judged):
        found.append(TRAINED)
    if any(each.curve is not None for each in judged):
        found.append(ORACLE)
    return found


def score_system(
    gold: IdPairs, judged: ScoredPairs, units: PairUnits, metrics: Sequence[str], asked: PairOptions
) -> SystemResult:
    """Everything of one system."""
    pairs, is_correct = judged.pairs, judged.is_correct
    best = judged.curve.find_best() if judged.curve else None
    kept = _keep(judged, best)
    places = _Places(units.find(gold.first), units.find(pairs.first))
    scores = {name: _count(name, judged, kept.get(name), units, places) for name in metrics}
    for most in asked.recall_at:
        # Nothing can be ranked where there are no scores, but where there is no pair nothing has to be.
        has_ranks = pairs.scores is not None or not len(pairs)
        found = units.find(count_found(pairs, is_correct, most))
        counts = units.count(found, places.gold) if has_ranks else units.count_nothing(2)
        scores[f"recall-at-{most}"] = Score(recall_layer(most), counts, available=has_ranks)
    shown = TRAINED if TRAINED in kept else PAIRS
    pairing = _describe(gold, judged, best, kept[shown], asked)
    if asked.verdicts:
        false = kept[shown] & ~is_correct
        said = _said(pairs, false, _find_verdicts(name_system(pairs.name), asked.verdicts))
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
        return Score(label_layer(name), units.count_nothing(3), available=False)
    table = units.count(places.system[judged.is_correct & kept], places.gold, places.system[kept])
    return Score(label_layer(name), table)


def _describe(
    gold: IdPairs,
    judged: ScoredPairs,
    best: int | None,
    kept: Mask,
    asked: PairOptions,
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
    found = pairs.keys[judged.is_correct & kept]
    false = np.flatnonzero(~judged.is_correct & kept)
    missed = np.flatnonzero(~np.isin(gold.keys, found, assume_unique=True))
    pairing["false"] = sample_pairs(pairs, false, asked.examples, asked.seed, asked.known)
    pairing["missed"] = sample_pairs(gold, missed, asked.examples, asked.seed, asked.known)
    return pairing


def _find_verdicts(name: str, verdicts: Mapping[str, Verdicts]) -> Verdicts:
    """Those of a system; a table that was written before names were short has its path."""
    if name in verdicts:
        return verdicts[name]
    alike = [known for known in verdicts if are_alike(known, name)]
    return verdicts[alike[0]] if len(alike) == 1 else {}


def _said(pairs: IdPairs, false: Mask, verdicts: Verdicts) -> list[bool]:
    """What people said of a system's false pairs."""
    if not verdicts:
        return []
    have = {pairs.ids(k) for k in np.flatnonzero(false).tolist()}
    return [said for ids, said in verdicts.items() if ids in have]
