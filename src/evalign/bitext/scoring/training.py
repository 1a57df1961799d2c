"""Thresholds that are best on the training split, to be applied to another one."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.bitext.pairs import IdPairs
from evalign.bitext.scoring.curves import are_gold, make_curve
from evalign.bitext.scoring.files import check_languages, read_comparable
from evalign.errors import CommandError, InputError
from evalign.progress import Progress
from evalign.readers import Source
from evalign.results import Threshold


def find_thresholds(
    training: Sequence[Source],
    scored: IdPairs,
    systems: Sequence[Source],
    names: Sequence[str],
    progress: Progress,
) -> Sequence[Threshold | None]:
    """A threshold of every system, from training gold and a file of each; None of each where there is no training.

    `scored` is the gold that the thresholds are for: of the same languages. The first of `names`, if any, is what
    results call the training gold.
    """
    if not training:
        return [None] * len(systems)
    if len(training) != len(systems) + 1:
        message = f"training files: {len(training)}, systems: {len(systems)}"
        expected = "gold of the training split, then a file of each system for it, in their order"
        raise CommandError(message, expected)
    gold, *read = read_comparable(training[0], training[1:], "gold pairs to choose a threshold by", progress)
    check_languages(gold, scored)
    found = [_find_threshold(gold, pairs) for pairs in read]
    name = "".join(names[:1]) or gold.name
    for threshold in found:
        threshold["chosen_on"] = name
    return found


def _find_threshold(gold: IdPairs, pairs: IdPairs) -> Threshold:
    if pairs.scores is None:
        wanted = "a third column with a score, to choose a threshold by"
        raise InputError(pairs.start, "pairs without scores" if len(pairs) else "no pair", wanted)
    curve = make_curve(pairs, are_gold(pairs, gold), len(gold))
    best = curve.find_best()
    if best is None or not curve.correct[-1]:
        raise InputError(
            pairs.start, f"none of its pairs is in {gold.name}", "some, to choose a threshold by"
        )
    return curve.describe(best, gold.name)
