"""Scores of extracted pairs: precision, recall and F1 over pairs of ids as sets, at thresholds where pairs have scores.

The official scorer of the BUCC shared tasks is not public; this is the reading that docs/bitext-figures.md states.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign import __version__
from evalign.bitext.pairs import Numbers, Pairs, read_pairs
from evalign.bitext.scoring.curves import Curve, are_gold, make_curve
from evalign.bitext.scoring.known import Known, find_known
from evalign.bitext.scoring.review import correct_precision, name_system, read_review, sample_pairs
from evalign.bitext.scoring.units import KIND, PairUnits, count_found, find_pair_units
from evalign.errors import CommandError, InputError
from evalign.layers import Counts
from evalign.layers.groups import label_layer
from evalign.layers.pairs import ORACLE, PAIRS, TRAINED, recall_layer
from evalign.progress import Progress, counted, no_progress
from evalign.readers.source import Source
from evalign.result import Ledger, LedgerRule, Result, Score, SystemResult
from evalign.result.ledger import PairLedger
from evalign.result.pairing import Pairing, Threshold
from evalign.result.systems import CountsAlone

# False and missed pairs of each system that a result keeps to be looked at.
MOST_EXAMPLES = 50
SEED = 12345
_MOST_PLACES = 3

Verdicts: TypeAlias = dict[tuple[str, str], bool]
Mask: TypeAlias = npt.NDArray[np.bool_]


class _Asked(NamedTuple):
    """What is wanted of every system."""

    at_thresholds: tuple[str, ...]
    """Metrics of the pairs that a threshold keeps."""
    recall_at: tuple[int, ...]
    known: Known | None
    verdicts: dict[str, Verdicts]
    examples: int
    seed: int


class _Judged(NamedTuple):
    """A system's pairs against gold."""

    pairs: Pairs
    is_correct: Mask
    curve: Curve | None
    trained: Threshold | None


def score_pairs(
    gold: Source,
    *systems: Source,
    training: Sequence[Source] = (),
    recall_at: Sequence[int] = (),
    corpora: str | os.PathLike[str] | None = None,
    split: str = "",
    reviewed: str | os.PathLike[str] | None = None,
    examples: int = MOST_EXAMPLES,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> Result:
    """Score one or several files of pairs, `foreign-id TAB english-id` and a score if there is one, against gold.

    `training` is the gold of another split and a file of each system for it: the threshold that is best there is
    applied here, as the metric pairs-trained; pairs-oracle has the one that is best here, which no system may know.
    `recall_at` are numbers of candidates. With `corpora`, a data set's folder, ids that its split does not have are
    refused, and examples have their sentences. `reviewed` is a table of false pairs that people have looked at.
    """
    if not systems:
        message = "no system to score"
        raise CommandError(message, "gold and at least one system")
    _check(training, systems, recall_at)
    sources = [gold, *systems]
    read = [read_pairs(source) for _, source in counted(sources, progress, lambda s: f"reading {s}")]
    languages = _check_languages(read)
    if not len(read[0]):
        raise InputError(read[0].start, "no pair", "gold pairs to find")
    known = find_known(corpora, languages, read[0], split) if corpora is not None else None
    if known is not None:
        for pairs in read:
            known.check(pairs)
    thresholds = _train(training, languages, progress)
    judged = [
        _judge(read[0], pairs, thresholds[k] if thresholds else None) for k, pairs in enumerate(read[1:])
    ]
    has_scores = any(each.curve for each in judged)
    asked = _Asked(
        (*((TRAINED,) if training else ()), *((ORACLE,) if has_scores else ())),
        tuple(dict.fromkeys(recall_at)),
        known,
        read_review(reviewed) if reviewed is not None else {},
        examples,
        seed,
    )
    units = find_pair_units(read[0], read[1:])
    results = tuple(
        _score(read[0], each, units, asked)
        for _, each in counted(judged, progress, lambda each: f"counting {each.pairs.name}")
    )
    return Result(read[0].name, results, KIND, units.names, _warn(read[1:], results))


def _check(training: Sequence[Source], systems: Sequence[Source], recall_at: Sequence[int]) -> None:
    if training and len(training) != len(systems) + 1:
        message = f"training files: {len(training)}, systems: {len(systems)}"
        expected = "gold of the training split, then a file of each system for it, in their order"
        raise CommandError(message, expected)
    for most in recall_at:
        if not 0 < most < 10**9:
            message = f"recall at {most}"
            raise CommandError(message, "numbers of candidates from 1 up")


def _check_languages(read: Sequence[Pairs]) -> tuple[str, str]:
    """The languages that all files have; raises `InputError` for a file of others. An empty one has none."""
    first = next((pairs for pairs in read if len(pairs)), None)
    if first is None:
        return "", ""
    for pairs in read:
        if len(pairs) and pairs.languages != first.languages:
            found, wanted = (" and ".join(each.languages) for each in (pairs, first))
            swapped = "its columns are swapped" if pairs.languages == first.languages[::-1] else ""
            raise InputError(pairs.start, f"ids of {found}", f"of {wanted}, as in {first.name}", swapped)
    return first.languages


def _train(training: Sequence[Source], languages: tuple[str, str], progress: Progress) -> list[Threshold]:
    """The threshold of every system that is best on the training split."""
    if not training:
        return []
    read = [read_pairs(source) for _, source in counted(training, progress, lambda s: f"reading {s}")]
    found = _check_languages(read)
    if found[0] and languages[0] and found != languages:
        message = f"training pairs of {' and '.join(found)}"
        raise CommandError(message, f"of {' and '.join(languages)}, as those that are scored")
    gold, *systems = read
    if not len(gold):
        raise InputError(gold.start, "no pair", "gold pairs to choose a threshold by")
    thresholds = []
    for pairs in systems:
        if pairs.scores is None:
            wanted = "a third column with a score, to choose a threshold by"
            raise InputError(pairs.start, "pairs without scores" if len(pairs) else "no pair", wanted)
        curve = make_curve(pairs.scores, are_gold(pairs, gold), len(gold))
        best = curve.find_best()
        if best is None or not curve.correct[-1]:
            raise InputError(pairs.start, f"no pair of {gold.name}", "some, to choose a threshold by")
        thresholds.append(curve.describe(best, gold.name))
    return thresholds


def _judge(gold: Pairs, pairs: Pairs, trained: Threshold | None) -> _Judged:
    is_correct = are_gold(pairs, gold)
    if trained is not None and pairs.scores is None and len(pairs):
        raise InputError(pairs.start, "pairs without scores", "scores, to apply the threshold to")
    curve = None if pairs.scores is None else make_curve(pairs.scores, is_correct, len(gold))
    return _Judged(pairs, is_correct, curve, trained)


def _score(gold: Pairs, judged: _Judged, units: PairUnits, asked: _Asked) -> SystemResult:
    """Everything of one system."""
    pairs, is_correct = judged.pairs, judged.is_correct
    best = judged.curve.find_best() if judged.curve else None
    kept = _keep(judged, best)
    scores = {PAIRS: _count(PAIRS, gold, judged, kept[PAIRS], units)}
    for name in asked.at_thresholds:
        scores[name] = _count(name, gold, judged, kept.get(name), units)
    for most in asked.recall_at:
        # Nothing can be ranked where there are no scores, but where there is no pair nothing has to be.
        has_ranks = pairs.scores is not None or not len(pairs)
        found = count_found(pairs, is_correct, most)
        counts = units.count(found, gold.first) if has_ranks else units.count_nothing(2)
        scores[f"recall-at-{most}"] = Score(recall_layer(most), counts, available=has_ranks)
    shown = TRAINED if TRAINED in kept else PAIRS
    pairing = _describe(gold, judged, best, kept[shown], asked)
    if asked.verdicts:
        false = kept[shown] & ~is_correct
        said = _said(pairs, false, asked.verdicts.get(name_system(pairs.name), {}))
        counts_shown = Counts(*(scores[shown].counts[name] for name in ("correct", "gold", "system")))
        pairing["review"] = correct_precision(shown, counts_shown, said)
    ledger = Ledger(0, 0, 0, 0, pairs=_ledger(gold, pairs))
    signature = _signature(gold, judged, units)
    return SystemResult(pairs.name, scores, ledger, signature, CountsAlone(), pairing=pairing)


def _keep(judged: _Judged, best: int | None) -> dict[str, Mask]:
    """The pairs that count, by metric: all of them, and those that score as much as a threshold or more."""
    pairs, curve = judged.pairs, judged.curve
    kept = {PAIRS: np.ones(len(pairs), bool)}
    if judged.trained is not None:
        enough = judged.trained["threshold"]
        kept[TRAINED] = np.zeros(0, bool) if pairs.scores is None else pairs.scores >= enough
    if pairs.scores is not None and curve is not None and best is not None:
        kept[ORACLE] = pairs.scores >= curve.thresholds[best]
    return kept


def _count(name: str, gold: Pairs, judged: _Judged, kept: Mask | None, units: PairUnits) -> Score:
    """Counts of the pairs that are kept; not available where none have scores to be kept by."""
    first = judged.pairs.first
    if kept is None:
        return Score(label_layer(name), units.count_nothing(3), available=False)
    table = units.count(first[judged.is_correct & kept], gold.first, first[kept])
    return Score(label_layer(name), table)


def _describe(
    gold: Pairs,
    judged: _Judged,
    best: int | None,
    kept: Mask,
    asked: _Asked,
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


def _said(pairs: Pairs, false: Mask, verdicts: Verdicts) -> list[bool]:
    """What people said of a system's false pairs."""
    if not verdicts:
        return []
    have = {pairs.ids(k) for k in np.flatnonzero(false).tolist()}
    return [said for ids, said in verdicts.items() if ids in have]


def _ledger(gold: Pairs, system: Pairs) -> PairLedger:
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
    return int((np.unique(numbers, return_counts=True)[1] > 1).sum())


def _signature(gold: Pairs, judged: _Judged, units: PairUnits) -> str:
    parts = {
        "evalign": __version__,
        "task": "bitext",
        "languages": "-".join(gold.languages),
        "match": "sets-of-id-pairs",
        "ties": "together",
        "average": "micro",
        "unit": units.describe(),
    }
    if judged.trained is not None:
        parts["threshold"] = f"training({judged.trained['threshold']!r})"
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _warn(systems: Sequence[Pairs], results: Sequence[SystemResult]) -> tuple[str, ...]:
    """What a person should know of the files."""
    told = []
    for pairs, result in zip(systems, results, strict=True):
        if not len(pairs):
            told.append(f"{pairs.name}: no pair")
        if pairs.repeated:
            lines = ", ".join(map(str, pairs.repeated[:_MOST_PLACES]))
            more = ", ..." if len(pairs.repeated) > _MOST_PLACES else ""
            told.append(
                f"{pairs.name}: pairs said again: {len(pairs.repeated):,} (lines {lines}{more}); each is counted once, "
                "with its best score"
            )
        review = (result.pairing or {}).get("review")
        if review is not None and not review["reviewed"]:
            told.append(f"{pairs.name}: no verdict on any of its pairs")
    return tuple(told)
