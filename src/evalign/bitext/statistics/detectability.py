"""How well a simple classifier of form tells planted from native sentences: it should be near chance.

As many native as planted sentences, a seeded sample of both; every sentence is judged by a classifier that was fitted
without it (k-fold cross-validation with as many of both in every fold). The interval is of the sentences that were
drawn; how the folds fell is not in it. What is not form, what a sentence is about above all, is left out: a planted
sentence may still be told by that (Zweigenbaum, Sharoff and Rapp 2018, section 2.2.3, is of form).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalign.bitext.languages import Language
from evalign.bitext.statistics.features import FEATURES, measure_form
from evalign.bitext.statistics.logistic import Matrix, Model, fit
from evalign.bitext.statistics.ranking import find_area, find_chance
from evalign.bitext.statistics.shapes import SavedDetectability, SavedFeature, rounded

MOST_SENTENCES = 5000
FEWEST_SENTENCES = 20
"""With fewer planted ones there is nothing to fit."""
FOLDS = 5
MOST_FEATURES = 5
"""The most telling ones, which are named."""


def detect(language: Language, planted: Sequence[str], native: Sequence[str]) -> SavedDetectability | None:
    """How well sentences are told apart, both in random order; None where there are too few."""
    n = min(len(planted), len(native), MOST_SENTENCES)
    if n < FEWEST_SENTENCES:
        return None
    rows = np.array([measure_form(language, text) for text in (*planted[:n], *native[:n])])
    return judge_rows(rows[:n], rows[n:])


def judge_rows(planted: Matrix, native: Matrix) -> SavedDetectability:
    """The same of features: a row for each sentence, as many of both."""
    n = len(planted)
    scores = _cross_validate(planted, native)
    area = find_area(scores[:n].tolist(), scores[n:].tolist())
    # A score of 0 decides nothing: half of those are right.
    rightly = np.concatenate([scores[:n] > 0, scores[n:] < 0]).sum() + 0.5 * (scores == 0).sum()
    whole = fit(np.vstack([planted, native]), _labels(n))
    return SavedDetectability(
        planted=n,
        folds=FOLDS,
        auc=rounded(area.auc),
        interval=[rounded(area.low), rounded(area.high)],
        chance=[rounded(end) for end in find_chance(n, n)],
        accuracy=rounded(float(rightly) / (2 * n)),
        features=_most_telling(planted, native, whole),
    )


def _labels(n: int) -> Matrix:
    return np.repeat([1.0, 0.0], n)


def _cross_validate(planted: Matrix, native: Matrix) -> Matrix:
    """Scores of all rows, planted ones first, each by a model that has not seen it."""
    n = len(planted)
    rows = np.vstack([planted, native])
    fold_of = np.tile(np.arange(n) % FOLDS, 2)
    labels = _labels(n)
    scores = np.empty(2 * n)
    for fold in range(FOLDS):
        is_left_out = fold_of == fold
        model = fit(rows[~is_left_out], labels[~is_left_out])
        scores[is_left_out] = model.score(rows[is_left_out])
    return scores


def _most_telling(planted: Matrix, native: Matrix, whole: Model) -> list[SavedFeature]:
    """Features that tell the two apart best when taken alone; of equal ones the first, none that does not vary."""
    rows = np.vstack([planted, native])
    varied = [k for k in range(len(FEATURES)) if np.ptp(rows[:, k])]
    # Where length is counted in characters, it is the number of characters.
    distinct = {rows[:, k].tobytes(): k for k in reversed(varied)}
    found = [
        SavedFeature(
            name=FEATURES[k],
            auc=rounded(find_area(planted[:, k].tolist(), native[:, k].tolist()).auc),
            weight=rounded(float(whole.weights[k])),
            planted=rounded(float(planted[:, k].mean())),
            native=rounded(float(native[:, k].mean())),
        )
        for k in sorted(distinct.values())
    ]
    return sorted(found, key=lambda feature: -rounded(abs(feature["auc"] - 0.5)))[:MOST_FEATURES]
