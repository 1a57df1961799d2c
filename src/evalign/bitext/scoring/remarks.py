"""What has to be said beside scores of pairs: what was tolerated, how they were made, what a person should know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalign._version import __version__
from evalign.bitext.pairs import IdPairs, Numbers
from evalign.bitext.scoring.units import PairUnits
from evalign.results import LedgerRule, PairLedger, SystemResult, Threshold

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
    told = []
    if any(_is_trained_on(result, gold.name) for result in results):
        told.append(
            f"{gold.name} is the training gold too: pairs-trained is then no more than pairs-oracle, and no result"
        )
    for pairs, result in zip(systems, results, strict=True):
        if not len(pairs):
            told.append(f"{pairs.name}: no pair")
        if pairs.repeated:
            lines = ", ".join(map(str, pairs.repeated[:_MOST_PLACES]))
            more = ", ..." if len(pairs.repeated) > _MOST_PLACES else ""
            told.append(
                f"{pairs.name}: repeated pairs: {len(pairs.repeated):,} (lines {lines}{more}); each is counted once, "
                "with its best score"
            )
        review = (result.pairing or {}).get("review")
        if review is not None and not review["reviewed"]:
            told.append(f"{pairs.name}: no verdict on any of its pairs")
    return tuple(told)


def _is_trained_on(result: SystemResult, name: str) -> bool:
    trained = (result.pairing or {}).get("trained")
    return trained is not None and trained["chosen_on"] == name
