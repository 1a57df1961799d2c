"""Logistic regression in a few lines of numpy: standardised features, an L2 penalty, a fixed number of steps.

Each step goes to the minimum of a parabola that lies above the loss everywhere, as the Hessian is at most X'X / 4
(Boehning and Lindsay 1988, Annals of the Institute of Statistical Mathematics 40): the loss never rises, whatever the
data, and there is nothing to tune.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64]

PENALTY = 1.0
STEPS = 100
# Scores of equal sentences are to be equal: what is beyond these digits is how a product was summed up.
_DIGITS = 9


class Model(NamedTuple):
    """A fitted classifier."""

    means: Matrix
    deviations: Matrix
    """1 where a feature does not vary."""
    weights: Matrix
    """Per standard deviation; the last one is of no feature."""

    def score(self, features: Matrix) -> Matrix:
        """Log odds of each row: above 0 where it is rather planted."""
        found: Matrix = np.round(_standardized(features, self.means, self.deviations) @ self.weights, _DIGITS)
        return found


def fit(features: Matrix, labels: Matrix) -> Model:
    """A classifier of rows: labels are 1 and 0."""
    means = features.mean(axis=0)
    deviations = features.std(axis=0)
    # What does not vary has a deviation of nothing but rounding.
    deviations[deviations < 1e-9 * (1 + np.abs(means))] = 1.0
    rows = _standardized(features, means, deviations)
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[-1] = 1e-6  # of no feature: just enough to solve the equations
    inverse = np.linalg.inv(rows.T @ rows / 4 + np.diag(penalty))
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        expected = 0.5 * (1 + np.tanh(0.5 * (rows @ weights)))
        weights = weights + inverse @ (rows.T @ (labels - expected) - penalty * weights)
    return Model(means, deviations, weights)


def _standardized(features: Matrix, means: Matrix, deviations: Matrix) -> Matrix:
    """Features of mean 0 and deviation 1, and a column of ones."""
    ones = np.ones((len(features), 1))
    found: Matrix = np.hstack([(features - means) / deviations, ones])
    return found
