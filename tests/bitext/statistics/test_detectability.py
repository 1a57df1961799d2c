"""Detectability: how well planted sentences can be told from native ones."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bitext.datasets import make_sentence
from evalign.bitext.languages import Language, find_language
from evalign.bitext.statistics.detectability import (
    CLASSIFIER_PENALTY,
    CONTEXT_FEATURES,
    FEWEST_SENTENCES,
    FORM_FEATURES,
    MOST_FEATURES,
    NORMAL_QUANTILE,
    SentenceInContext,
    detect_planted,
    find_area,
    find_chance,
    fit_classifier,
    judge_rows,
    measure_context,
    measure_form,
)
from oracles.bitext_statistics import area, area_variance, loss

ENGLISH = Language("en")


def sentences(n, seed):
    rng = random.Random(seed)
    return [make_sentence("en", rng) for _ in range(n)]


def detect(language, planted, native):
    """Judge sentences of which nothing stands before any."""
    return detect_planted(
        language, *([SentenceInContext(text, "") for text in each] for each in (planted, native))
    )


def value(sentence, feature, language=ENGLISH):
    return measure_form(language, sentence)[FORM_FEATURES.index(feature)]


@pytest.mark.parametrize(
    ("sentence", "feature", "expected"),
    [
        ("Un, deux, trois.", "length", 3),
        ("Un, deux, trois.", "characters", 14),
        ("Un, deux, trois.", "commas", 2),
        ("Un, deux, trois.", "letters per unit of length", 11 / 3),
        ("She saw Rome in MAY.", "words with a capital inside", 2),
        ("She saw Rome in MAY.", "capitals", 5),
        ("“Yes”, he said (twice).", "quotation marks", 2),
        ("“Yes”, he said (twice).", "brackets", 2),
        ("“Yes”, he said (twice).", "begins with a quote", 1),
        ("« Oui »", "ends with a quote", 1),
        ("It’s 10–12 € – don't!", "apostrophes", 2),
        ("It’s 10–12 € – don't!", "dashes, hyphens", 2),
        ("It’s 10–12 € – don't!", "digits", 4),
        ("It’s 10–12 € – don't!", "other signs", 1),
        ("It’s 10–12 € – don't!", "ends with a question", 1),
        ("1999 was warm", "begins with a digit", 1),
        ("1999 was warm", "ends with a letter", 1),
        ("Été chaud: oui; non.", "begins with a capital", 1),
        ("Été chaud: oui; non.", "colons, semicolons", 2),
        ("“Yes”, he said (twice).", "unpaired quotation marks", 0),
        ("“Yes, he said (twice.", "unpaired quotation marks", 1),
        ("“Yes, he said (twice.", "unpaired brackets", 1),
        ("a) it rains, and", "unpaired brackets", 1),
        ("a) it rains, and", "begins with a letter", 1),
        ("(a) it rains,", "begins with a bracket", 1),
        ("(a) it rains,", "ends with a comma", 1),
        ("- it rains in 1999", "begins with a dash", 1),
        ("- it rains in 1999", "ends with a digit", 1),
        ("It rains in the USA", "ends with a capital", 1),
        ("", "length", 0),
        ("...", "letters per unit of length", 0),
    ],
)
def test_form_of_a_sentence(sentence, feature, expected):
    assert value(sentence, feature) == pytest.approx(expected)


def test_length_of_chinese_is_in_characters():
    chinese = Language("zh", "characters")
    sentence = "他说：“用 mdadm 参数。”"
    assert value(sentence, "length", chinese) == value(sentence, "characters", chinese) == 14
    assert value(sentence, "ends with a quote", chinese) == 1
    assert value(sentence, "full stops", chinese) == 1


def test_a_mark_on_every_planted_sentence_is_found():
    found = detect(ENGLISH, ["« " + text for text in sentences(200, 1)], sentences(200, 2))
    assert found["auc"] > 0.999
    assert found["accuracy"] > 0.99
    assert {feature["name"] for feature in found["features"][:2]} <= {
        "quotation marks", "unpaired quotation marks", "begins with a quote", "begins with a capital",
    }  # fmt: skip
    # What no sentence has, digits for one, is not listed.
    assert 2 < len(found["features"]) <= MOST_FEATURES
    assert all(feature["planted"] or feature["native"] for feature in found["features"])


def test_quotes_that_are_not_closed_give_planted_sentences_away():
    """One in eight of the planted ones, as many of the native ones have two: their number alone tells less."""
    odd = [f'"{text}' if k % 8 == 0 else text for k, text in enumerate(sentences(200, 1))]
    even = [f'"{text}"' if k % 16 == 0 else text for k, text in enumerate(sentences(200, 2))]
    names = [feature["name"] for feature in detect(ENGLISH, odd, even)["features"]]
    assert "unpaired quotation marks" in names
    assert len(names) == MOST_FEATURES == 5


@pytest.mark.parametrize("seed", range(6))
def test_sentences_of_one_kind_are_not_told_apart(seed):
    found = detect(ENGLISH, sentences(300, 2 * seed), sentences(300, 2 * seed + 1))
    low, high = found["interval"]
    assert low - 0.03 < 0.5 < high + 0.03
    assert found["chance"][0] < 0.5 < found["chance"][1]


@pytest.mark.slow
def test_labels_at_random_are_not_learnt():
    """Of 40 random labellings most intervals hold one half, and none is far from it."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(40):
        rows = rng.normal(size=(400, len(FORM_FEATURES)))
        found = judge_rows(rows[:200], rows[200:], FORM_FEATURES)
        low, high = found["interval"]
        covered += low <= 0.5 <= high
        assert 0.38 < found["auc"] < 0.62
    assert covered >= 34


def test_what_a_sentence_says_is_no_form():
    """The same sentences with other words of the same letters."""
    one = sentences(100, 1)
    other = [text.translate(str.maketrans("aeiou", "eioua")) for text in one]
    found = detect(ENGLISH, other, one)
    assert found["auc"] == found["accuracy"] == 0.5
    assert all(feature["auc"] == 0.5 for feature in found["features"])


def test_as_many_of_both_are_taken():
    found = detect(ENGLISH, sentences(30, 1), sentences(300, 2))
    assert found["planted"] == 30


@pytest.mark.parametrize(("planted", "native"), [(0, 100), (FEWEST_SENTENCES - 1, 100), (100, 3)])
def test_too_few_say_nothing(planted, native):
    assert detect(ENGLISH, sentences(planted, 1), sentences(native, 2)) is None


def test_features_that_are_the_same_are_listed_once():
    chinese = Language("zh", "characters")
    found = detect(chinese, sentences(30, 1), sentences(30, 2))
    names = [feature["name"] for feature in found["features"]]
    assert not {"length", "characters"} <= {*names}


CONTEXTS = [
    # code of the language, sentence, the one before, share of first words, share of content words, length ratio
    ("en", "Red cats eat old fish by day", "Old red cats sleep", (3 / 5, 3 / 6, 4 / 7)),
    ("en", "The cats of the house are grey", "The house of cats", (1, 2 / 3, 4 / 7)),
    ("en", "Cats, cats and CATS", "A cat", (0, 0, 2 / 4)),
    ("en", "And so it is", "So it is", (0, 0, 3 / 4)),
    ("en", "Red cats eat fish", "", (0, 0, 0)),
    ("fr", "L'Hiver finit à Lyon", "« L’hiver » commence à Paris", (1 / 3, 1 / 3, 1)),
    ("zh", "由此可见，有线电视用户", "他看有线电视", (3 / 5, 3 / 5, 6 / 11)),
    ("zh", "不仅是“有线”·电视", "有线", (1 / 2, 1 / 2, 2 / 10)),
]


@pytest.mark.issue(28)
@pytest.mark.parametrize(("code", "text", "before", "expected"), CONTEXTS, ids=[row[1] for row in CONTEXTS])
def test_context_of_a_sentence(code, text, before, expected):
    assert measure_context(find_language(code), SentenceInContext(text, before)) == pytest.approx(expected)


@pytest.mark.issue(28)
@given(st.sampled_from(["en", "zh", "ja"]), st.text(max_size=40), st.text(max_size=40))
def test_context_is_shares(code, text, before):
    language = find_language(code)
    values = measure_context(language, SentenceInContext(text, before))
    assert len(values) == len(CONTEXT_FEATURES)
    assert all(0 <= each <= 1 for each in values)
    same = measure_context(language, SentenceInContext(text, text))
    assert all(each in (0, 1) for each in same), "a sentence behind itself has all of its words before it"


@pytest.mark.issue(28)
def test_what_stands_before_is_no_form():
    """Form is judged alike whatever stands before; context has no part in it."""
    one, other = sentences(60, 1), sentences(60, 2)
    alone = detect(ENGLISH, one, other)
    planted = [SentenceInContext(text, text) for text in one]
    native = [SentenceInContext(text, before) for text, before in zip(other, one, strict=True)]
    found = detect_planted(ENGLISH, planted, native)
    assert (found["context"]["auc"] > 0.95, alone["context"]["auc"]) == (True, 0.5)
    assert {key: value for key, value in found.items() if key != "context"} == {
        key: value for key, value in alone.items() if key != "context"
    }


# Logistic regression: at the minimum of its loss.


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


# The area under the curve, against its definition over all pairs.


# Few values, so that many are equal.
scores = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=12)


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_won_with_ties_by_half(planted, native):
    assert find_area(planted, native).auc == pytest.approx(float(area(planted, native)), abs=1e-12)


@given(scores, scores)
def test_the_interval_is_delongs(planted, native):
    found = find_area(planted, native)
    half = NORMAL_QUANTILE * math.sqrt(area_variance(planted, native))
    assert found.low == pytest.approx(max(0, found.auc - half), abs=1e-9)
    assert found.high == pytest.approx(min(1, found.auc + half), abs=1e-9)


@given(scores, scores)
def test_swapping_sides_turns_the_area_round(planted, native):
    there, back = find_area(planted, native), find_area(native, planted)
    assert there.auc == pytest.approx(1 - back.auc, abs=1e-12)


def test_equal_scores_say_nothing():
    assert find_area([1.0] * 5, [1.0] * 7) == (0.5, 0.5, 0.5)


def test_chance_is_the_spread_of_the_statistic_of_all_orders():
    # Of 2 and 2 scores there are six orders: 0, 1, 2, 2, 3, 4 of four pairs are won.
    won = [0, 0.25, 0.5, 0.5, 0.75, 1]
    deviation = math.sqrt(sum((share - 0.5) ** 2 for share in won) / 6)
    low, high = find_chance(20, 20)
    assert (high - low) / 2 == pytest.approx(NORMAL_QUANTILE * math.sqrt(41 / 4800))
    assert math.sqrt(5 / (12 * 4)) == pytest.approx(deviation)
    assert find_chance(2, 2) == (0.0, 1.0)
