"""Logistic regression: at the minimum of its loss."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.statistics import CLASSIFIER_PENALTY, fit_classifier
from oracles.bitext_statistics import loss

pytestmark = pytest.mark.once

rows = st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 3), st.booleans()), min_size=4, max_size=30)


def standardized(model, features):
    ones = np.ones((len(features), 1))
    return np.hstack([(features - model.means) / model.deviations, ones]).tolist()


@given(rows)
def test_no_weight_can_be_moved_to_lower_the_loss(drawn):
    features = np.array([row[:2] for row in drawn], float)
    labels = np.array([row[2] for row in drawn], float)
    labels[0], labels[1] = 1.0, 0.0
    model = fit_classifier(features, labels)
    table = standardized(model, features)
    weights = model.weights.tolist()
    least = loss(weights, table, labels, CLASSIFIER_PENALTY)
    for place in range(3):
        for step in (-0.05, 0.05):
            moved = [*weights]
            moved[place] += step
            assert loss(moved, table, labels, CLASSIFIER_PENALTY) > least - 1e-9


def test_classes_without_overlap_have_finite_weights():
    features = np.repeat([[1.0], [0.0]], 50, axis=0)
    model = fit_classifier(features, np.repeat([1.0, 0.0], 50))
    assert 1 < model.weights[0] < 10
    assert (model.score(features)[:50] > 0).all()
    assert (model.score(features)[50:] < 0).all()


def test_a_feature_that_does_not_vary_weighs_nothing():
    features = np.array([[0.1, 1.0], [0.1, 0.0]] * 20)
    model = fit_classifier(features, np.array([1.0, 0.0] * 20))
    assert model.weights[0] == pytest.approx(0)
    assert np.isfinite(model.score(features)).all()


def test_equal_rows_have_equal_scores_wherever_they_stand():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(1001, 22))
    features[1000] = features[3]
    scores = fit_classifier(features, (rng.random(1001) < 0.5).astype(float)).score(features)
    assert scores[1000] == scores[3]
