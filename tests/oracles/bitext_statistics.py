"""Statistics of data sets by their definitions, in as many steps as that takes."""

import math
from fractions import Fraction


def area(planted, native):
    """Of all pairs of a planted and a native score, the share where the planted one is higher; ties count one half."""
    won = sum(Fraction(a > b) + Fraction(a == b, 2) for a in planted for b in native)
    return won / (len(planted) * len(native))


def area_variance(planted, native):
    """DeLong's variance of the area, from the placement of every score among those of the other side."""
    above = [area([a], native) for a in planted]
    below = [area(planted, [b]) for b in native]
    return sum(_sample_variance(values) / len(values) for values in (above, below))


def _sample_variance(values):
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def loss(weights, rows, labels, penalty):
    """What logistic regression minimises; rows end with a one, whose weight is not penalised."""
    total = 0.5 * penalty * math.fsum(weight * weight for weight in weights[:-1])
    for row, label in zip(rows, labels, strict=True):
        odds = math.fsum(a * b for a, b in zip(row, weights, strict=True))
        total += math.log1p(math.exp(-odds if label else odds))
    return total


def quantile(values, share):
    """Linear between the two nearest of the ordered values (Hyndman and Fan's seventh definition)."""
    ordered = sorted(values)
    place = Fraction(share) * (len(ordered) - 1)
    before = math.floor(place)
    after = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[after] - ordered[before]) * (place - before)


def cosine(left, right):
    """Of two vectors, as dictionaries."""
    norms = [math.sqrt(sum(weight**2 for weight in vector.values())) for vector in (left, right)]
    return sum(weight * right.get(term, 0.0) for term, weight in left.items()) / (norms[0] * norms[1])


def keywords(document, others, least, most):
    """Root log-likelihood of terms that a list of terms has more often than the lists of others together."""
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
