"""How well simple classifiers of form and of context separate planted from native sentences; chance is best.

The data are as many native as planted sentences, a seeded sample of both. Every sentence is judged by a
classifier that was fitted without it (k-fold cross-validation with equal numbers of both in every fold). The
interval reflects the sample of sentences, but not the division into folds.

Form is what Zweigenbaum, Sharoff and Rapp (2018, section 2.2.3) are concerned with. Context is what planting
itself leaves behind: a sentence is planted behind one that has its first words and about its length (section
2.2.2), which few native sentences follow. Both are seen without knowing a language. What a sentence is about
is left out, and may still give it away.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.languages import Language, count_units, index_terms
from evalign.bitext.search.query import make_query
from evalign.bitext.sentence_checks import has_unpaired_brackets, has_unpaired_quotes
from evalign.bitext.statistics.schema import SavedDetectability, SavedFeature, SavedSeparation, rounded
from evalign.typology.correlation import rank, spread

# Logistic regression in a few lines of numpy: standardised features, an L2 penalty, a fixed number of steps.
#
# Each step goes to the minimum of a parabola that lies above the loss everywhere, because the Hessian is at
# most X'X / 4 (Boehning and Lindsay 1988, Annals of the Institute of Statistical Mathematics 40). So the loss
# never rises, whatever the data, and there is nothing to tune.


Matrix: TypeAlias = npt.NDArray[np.float64]

CLASSIFIER_PENALTY = 1.0
STEPS = 100
# Scores of equal sentences must be equal: digits beyond these depend on the order of summation.
_DIGITS = 9


class Model(NamedTuple):
    """A fitted logistic regression."""

    means: Matrix
    deviations: Matrix
    """Standard deviations of the features; 1 for a feature that does not vary."""
    weights: Matrix
    """Weights of the features per standard deviation; the last one is the intercept."""

    def score(self, features: Matrix) -> Matrix:
        """Return one number per row of `features`, the log odds that its sentence is planted.

        A row has the features of one sentence. Above 0 the sentence is more likely planted than native.
        """
        log_odds: Matrix = np.round(
            _standardized(features, self.means, self.deviations) @ self.weights, _DIGITS
        )
        return log_odds


def fit_classifier(features: Matrix, labels: Matrix) -> Model:
    """Fit a logistic regression to rows of features; `labels` are 1 (planted) and 0 (native)."""
    means = features.mean(axis=0)
    deviations = features.std(axis=0)
    # The deviation of a feature that does not vary is nothing but rounding.
    deviations[deviations < 1e-9 * (1 + np.abs(means))] = 1.0
    rows = _standardized(features, means, deviations)
    penalty = np.full(rows.shape[1], CLASSIFIER_PENALTY)
    penalty[-1] = 1e-6  # of the intercept: just enough to solve the equations
    inverse = np.linalg.inv(rows.T @ rows / 4 + np.diag(penalty))
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        expected = 0.5 * (1 + np.tanh(0.5 * (rows @ weights)))
        weights = weights + inverse @ (rows.T @ (labels - expected) - penalty * weights)
    return Model(means, deviations, weights)


def _standardized(features: Matrix, means: Matrix, deviations: Matrix) -> Matrix:
    """Scale features to mean 0 and deviation 1, and append a column of ones."""
    ones = np.ones((len(features), 1))
    rows: Matrix = np.hstack([(features - means) / deviations, ones])
    return rows


# Area under the ROC curve: the share of pairs of a planted and a native sentence where the planted one scores
# higher.
#
# Equal scores count one half, so the area is the Mann-Whitney statistic over the number of pairs.


# The normal distribution has 95 % of its mass within this many standard deviations.
NORMAL_QUANTILE = 1.959964


class Area(NamedTuple):
    """Area under the ROC curve, with a 95 % interval."""

    auc: float
    low: float
    high: float


def find_area(planted: Sequence[float], native: Sequence[float]) -> Area:
    """Compute the area under the ROC curve, with DeLong's interval.

    The interval is that of DeLong, DeLong and Clarke-Pearson (1988, Biometrics 44), clipped to 0 and 1. Their
    placements are computed from three rankings (Sun and Xu 2014, IEEE Signal Processing Letters 21), in n log
    n steps. Both sides need at least two scores.

    >>> find_area([3.0, 4.0], [1.0, 2.0])
    Area(auc=1.0, low=1.0, high=1.0)
    """
    m, n = len(planted), len(native)
    ranks = rank([*planted, *native])
    above = [(r - own) / n for r, own in zip(ranks[:m], rank(planted), strict=True)]
    below = [1 - (r - own) / m for r, own in zip(ranks[m:], rank(native), strict=True)]
    auc = math.fsum(above) / m
    variance = (spread(above, "sample") or 0.0) / m + (spread(below, "sample") or 0.0) / n
    half = NORMAL_QUANTILE * math.sqrt(variance)
    return Area(auc, max(0.0, auc - half), min(1.0, auc + half))


def find_chance(m: int, n: int) -> tuple[float, float]:
    """Compute the interval that holds the area of meaningless scores 95 times in a hundred.

    `m` and `n` are the numbers of planted and native sentences (Mann and Whitney 1947).

    >>> [round(end, 3) for end in find_chance(100, 100)]
    [0.42, 0.58]
    """
    half = NORMAL_QUANTILE * math.sqrt((m + n + 1) / (12 * m * n))
    return max(0.0, 0.5 - half), min(1.0, 0.5 + half)


# The form of a sentence in a few numbers: lengths, punctuation and whether it is paired, capitals, digits,
# first and last character.
#
# No feature of form depends on what a sentence is about, where it stands or what is around it.


_SETS = {
    "comma": ",，、،",
    "stop": ".。．…।",
    "colon": ":;：；",
    "question": "?!？！؟¿¡",
    "apostrophe": "'’ʼ",
    "quote": '"“”„‟«»‹›‘‚「」『』＂',
}
_CLASSES = {character: name for name, characters in _SETS.items() for character in characters}
_CATEGORIES = {
    "Lu": "capital",
    "Lt": "capital",
    "Nd": "digit",
    "Pd": "dash",
    "Ps": "bracket",
    "Pe": "bracket",
    "Pi": "quote",
    "Pf": "quote",
    "Zs": "space",
}

_COUNTED = {
    "comma": "commas",
    "stop": "full stops",
    "colon": "colons, semicolons",
    "question": "question, exclamation marks",
    "apostrophe": "apostrophes",
    "quote": "quotation marks",
    "dash": "dashes, hyphens",
    "bracket": "brackets",
    "sign": "other signs",
    "capital": "capitals",
    "digit": "digits",
}
_IN_WORDS = frozenset({"letter", "capital", "digit"})
_BEGINS = ("capital", "letter", "digit", "quote", "bracket", "dash", "sign")
_ENDS = (
    "stop", "question", "quote", "letter", "capital", "digit", "bracket", "comma", "colon", "dash", "sign",
)  # fmt: skip

FORM_FEATURES = (
    "length",
    "characters",
    "letters per unit of length",
    "words with a capital inside",
    *_COUNTED.values(),
    "unpaired quotation marks",
    "unpaired brackets",
    *(f"begins with a {name}" for name in _BEGINS),
    *(f"ends with a {name}" for name in _ENDS),
)
"""Names of the features, in the order in which `measure_form` returns their values."""


@cache
def _class_of(character: str) -> str:
    """Return the class of a character; "letter" if it has no other class, combining marks included."""
    if character in _CLASSES:
        return _CLASSES[character]
    category = unicodedata.category(character)
    return _CATEGORIES.get(category, "sign" if category[0] in "PSC" else "letter")


def _classes_of(word: str) -> set[str]:
    return set(map(_class_of, word))


def measure_form(language: Language, sentence: str) -> tuple[float, ...]:
    """Compute the features of a sentence, in the order of `FORM_FEATURES`.

    >>> values = dict(zip(FORM_FEATURES, measure_form(Language("en"), "In 1999, soup!"), strict=True))
    >>> values["length"], values["digits"], values["commas"], values["ends with a question"]
    (3.0, 4.0, 1.0, 1.0)
    """
    classes = [_class_of(character) for character in sentence.strip()]
    counts = Counter(classes)
    n_units = count_units(language, sentence)
    n_characters = len(classes) - counts["space"]
    in_words = sum(counts[name] for name in _IN_WORDS)
    words = [names for names in map(_classes_of, sentence.split()) if names & _IN_WORDS]
    inside = sum("capital" in names for names in words[1:])
    first, last = (classes[0], classes[-1]) if classes else ("", "")
    return (
        float(n_units),
        float(n_characters),
        in_words / n_units if n_units else 0.0,
        float(inside),
        *(float(counts[name]) for name in _COUNTED),
        float(has_unpaired_quotes(sentence)),
        float(has_unpaired_brackets(sentence)),
        *(float(first == name) for name in _BEGINS),
        *(float(last == name) for name in _ENDS),
    )


class SentenceInContext(NamedTuple):
    """A sentence and the one before it in its corpus."""

    text: str
    before: str
    """Empty for the first sentence of a corpus."""


CONTEXT_FEATURES = (
    "share of first words in the sentence before",
    "share of content words in the sentence before",
    "length ratio to the sentence before",
)
"""Names of the features of context, in the order in which `measure_context` returns their values.

First words are those that planting searches for. All words that are not stop words are content words. The
length ratio is that of the shorter sentence to the longer one.
"""
# More words or characters than any sentence has.
_WHOLE = 10**6


def measure_context(language: Language, sentence: SentenceInContext) -> tuple[float, ...]:
    """Compute the features of the context of a sentence, in the order of `CONTEXT_FEATURES`.

    >>> measure_context(Language("en"), SentenceInContext("We met Ada near the old gate", "We met Ada near it"))
    (0.8, 0.5714285714285714, 0.7142857142857143)
    """
    before = {*index_terms(language, sentence.before)}
    whole = replace(language, query=_WHOLE, locution=0)
    shares = []
    for query in (make_query(language, sentence.text), make_query(whole, sentence.text)):
        terms = query.terms if query else ()
        shares.append(sum(term in before for term in terms) / len(terms) if terms else 0.0)
    shorter, longer = sorted(count_units(language, text) for text in sentence)
    return (*shares, shorter / longer if longer else 0.0)


SENTENCES_TO_CLASSIFY = 5000
FEWEST_SENTENCES = 20
"""With fewer planted sentences there is nothing to fit."""
FOLDS = 5
MOST_FEATURES = 5
"""Number of the features that are reported: those that separate best."""


def detect_planted(
    language: Language, planted: Sequence[SentenceInContext], native: Sequence[SentenceInContext]
) -> SavedDetectability | None:
    """Measure how well planted and native sentences can be told apart by form, and by context.

    Both must be in random order. None if there are too few.
    """
    n = min(len(planted), len(native), SENTENCES_TO_CLASSIFY)
    if n < FEWEST_SENTENCES:
        return None
    sentences = (*planted[:n], *native[:n])
    form = np.array([measure_form(language, each.text) for each in sentences])
    context = np.array([measure_context(language, each) for each in sentences])
    return SavedDetectability(
        planted=n,
        folds=FOLDS,
        **judge_rows(form[:n], form[n:], FORM_FEATURES),
        context=judge_rows(context[:n], context[n:], CONTEXT_FEATURES),
    )


def judge_rows(planted: Matrix, native: Matrix, names: Sequence[str]) -> SavedSeparation:
    """Measure how well planted and native rows of features can be separated.

    A row has the features of one sentence, whose names are `names`; `planted` and `native` must have equally
    many rows.
    """
    n = len(planted)
    scores = _cross_validate(planted, native)
    area = find_area(scores[:n].tolist(), scores[n:].tolist())
    # A score of 0 decides nothing, so it counts as half right.
    rightly = np.concatenate([scores[:n] > 0, scores[n:] < 0]).sum() + 0.5 * (scores == 0).sum()
    whole = fit_classifier(np.vstack([planted, native]), _labels(n))
    return SavedSeparation(
        auc=rounded(area.auc),
        interval=[rounded(area.low), rounded(area.high)],
        chance=[rounded(end) for end in find_chance(n, n)],
        accuracy=rounded(float(rightly) / (2 * n)),
        features=_most_telling(planted, native, whole, names),
    )


def _labels(n: int) -> Matrix:
    return np.repeat([1.0, 0.0], n)


def _cross_validate(planted: Matrix, native: Matrix) -> Matrix:
    """Return the scores of all rows, planted ones first, each from a model fitted without the row."""
    n = len(planted)
    rows = np.vstack([planted, native])
    fold_of = np.tile(np.arange(n) % FOLDS, 2)
    labels = _labels(n)
    scores = np.empty(2 * n)
    for fold in range(FOLDS):
        is_left_out = fold_of == fold
        model = fit_classifier(rows[~is_left_out], labels[~is_left_out])
        scores[is_left_out] = model.score(rows[is_left_out])
    return scores


def _most_telling(planted: Matrix, native: Matrix, whole: Model, names: Sequence[str]) -> list[SavedFeature]:
    """Return the features that separate best when taken alone.

    Features that do not vary are left out; of features with equal values only the first is kept.
    """
    rows = np.vstack([planted, native])
    varied = [k for k in range(len(names)) if np.ptp(rows[:, k])]
    # Where length is counted in characters, it equals the number of characters, and one of both is enough.
    distinct = {rows[:, k].tobytes(): k for k in reversed(varied)}
    features = [
        SavedFeature(
            name=names[k],
            auc=rounded(find_area(planted[:, k].tolist(), native[:, k].tolist()).auc),
            weight=rounded(float(whole.weights[k])),
            planted=rounded(float(planted[:, k].mean())),
            native=rounded(float(native[:, k].mean())),
        )
        for k in sorted(distinct.values())
    ]
    return sorted(features, key=lambda feature: -rounded(abs(feature["auc"] - 0.5)))[:MOST_FEATURES]
