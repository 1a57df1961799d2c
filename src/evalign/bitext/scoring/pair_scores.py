"""Scores of extracted pairs: precision, recall and F1 over pairs of ids as sets, at thresholds where pairs have scores.

The official scorer of the BUCC shared tasks is not public; this is the reading that docs/bitext-figures.md states.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from evalign.bitext.scoring.files import read_comparable
from evalign.bitext.scoring.known import find_split_corpora
from evalign.bitext.scoring.remarks import make_warnings
from evalign.bitext.scoring.review import read_review
from evalign.bitext.scoring.system import PairOptions, find_metrics, judge, score_system
from evalign.bitext.scoring.training import find_thresholds
from evalign.bitext.scoring.units import find_pair_units
from evalign.errors import CommandError
from evalign.files import check_names
from evalign.progress import Progress, counted, no_progress
from evalign.readers import Source, name_inputs
from evalign.results import Result

MOST_EXAMPLES = 50
"""False and missed pairs of each system that a result keeps to be looked at."""
SEED = 12345


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
    progress: Progress = no_progress,
) -> Result:
    """Score one or several files of pairs, `foreign-id TAB english-id` and a score if there is one, against gold.

    `training` is the gold of another split and a file of each system for it: the threshold that is best there is
    applied here, as the metric pairs-trained; pairs-oracle has the one that is best here, which no system may know.
    `recall_at` are numbers of candidates. With `corpora`, a data set's folder, ids that its split does not have are
    refused, and examples have their sentences. `names` are what the systems are called, if not as their files. `reviewed` is a table of false pairs that people have looked at.
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
    known = find_split_corpora(corpora, gold_pairs, split) if corpora is not None else None
    if known is not None:
        for pairs in (gold_pairs, *read):
            known.check(pairs)
    given = [*check_names(names, len(systems)), *[""] * len(training)]
    called = name_inputs((gold, *systems, *training), given=given)
    thresholds = find_thresholds(training, gold_pairs, systems, called[1 + len(systems) :][:1], progress)
    gold_pairs, *read = (
        replace(pairs, name=name or pairs.name)
        for pairs, name in zip([gold_pairs, *read], called, strict=False)
    )
    asked = PairOptions(
        tuple(dict.fromkeys(recall_at)),
        known,
        read_review(reviewed) if reviewed is not None else {},
        examples,
        seed,
    )
    judged = [judge(gold_pairs, *each) for each in zip(read, thresholds, strict=True)]
    metrics = find_metrics(judged)
    units = find_pair_units(gold_pairs, read)
    results = tuple(
        score_system(gold_pairs, each, units, metrics, asked)
        for _, each in counted(judged, progress, lambda each: f"counting {each.pairs.name}")
    )
    return Result(gold_pairs.name, results, units.kind, units.names, make_warnings(gold_pairs, read, results))
