"""Statistics of data sets, computed straight from their definitions."""

import math
from fractions import Fraction


def area(planted, native):
    """Return the area under the ROC curve of planted against native scores, as a fraction.

    This is the share of all (planted, native) pairs whose planted score is higher; a tie counts one half.
    """
    won = sum(Fraction(a > b) + Fraction(a == b, 2) for a in planted for b in native)
    return won / (len(planted) * len(native))


def area_variance(planted, native):
    """Return DeLong's variance of the area.

    It is computed from the placement of each score among the scores of the other side.
    """
    above = [area([a], native) for a in planted]
    below = [area(planted, [b]) for b in native]
    return sum(_sample_variance(values) / len(values) for values in (above, below))


def _sample_variance(values):
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def loss(weights, rows, labels, penalty):
    """Return the objective that logistic regression minimises.

    Each row ends with a one; the weight of this intercept is not penalised.
    """
    total = 0.5 * penalty * math.fsum(weight * weight for weight in weights[:-1])
    for row, label in zip(rows, labels, strict=True):
        odds = math.fsum(a * b for a, b in zip(row, weights, strict=True))
        total += math.log1p(math.exp(-odds if label else odds))
    return total


def quantile(values, share):
    """Interpolate linearly between the two nearest ordered values (Hyndman and Fan's seventh definition)."""
    ordered = sorted(values)
    place = Fraction(share) * (len(ordered) - 1)
    before = math.floor(place)
    after = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[after] - ordered[before]) * (place - before)


def cosine(left, right):
    """Return the cosine of two sparse vectors, given as dictionaries."""
    norms = [math.sqrt(sum(weight**2 for weight in vector.values())) for vector in (left, right)]
    return sum(weight * right.get(term, 0.0) for term, weight in left.items()) / (norms[0] * norms[1])


def keywords(document, others, least, most):
    """Return the root log-likelihood of terms more frequent in `document` than in all `others` together.

    Keeps terms whose log-likelihood is at least `least`, and of these the `most` strongest.
    """
    rest = [term for other in others for term in other]
    strengths = {}
    for term in set(document):
        here, there = document.count(term), rest.count(term)
        if not rest or here / len(document) <= there / len(rest):
            continue
        expected = [
            size * (here + there) / (len(document) + len(rest)) for size in (len(document), len(rest))
        ]
        likelihood = 2 * sum(n * math.log(n / e) for n, e in zip((here, there), expected, strict=True) if n)
        if likelihood >= least:
            strengths[term] = math.sqrt(likelihood)
    best = sorted(strengths, key=lambda term: (-round(strengths[term], 9), term))[:most]
    return {term: strengths[term] for term in best}
