"""How well planted sentences are told from native ones."""

import random

import numpy as np
import pytest

from bitext.datasets import make_sentence
from evalign.bitext import Language
from evalign.bitext.statistics import (
    FEWEST_SENTENCES,
    FORM_FEATURES,
    MOST_FEATURES,
    detect_planted,
    judge_rows,
    measure_form,
)

pytestmark = pytest.mark.once

ENGLISH = Language("en")


def sentences(n, seed):
    rng = random.Random(seed)
    return [make_sentence("en", rng) for _ in range(n)]


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
    found = detect_planted(ENGLISH, ["« " + text for text in sentences(200, 1)], sentences(200, 2))
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
    names = [feature["name"] for feature in detect_planted(ENGLISH, odd, even)["features"]]
    assert "unpaired quotation marks" in names
    assert len(names) == MOST_FEATURES == 5


@pytest.mark.parametrize("seed", range(6))
def test_sentences_of_one_kind_are_not_told_apart(seed):
    found = detect_planted(ENGLISH, sentences(300, 2 * seed), sentences(300, 2 * seed + 1))
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
        found = judge_rows(rows[:200], rows[200:])
        low, high = found["interval"]
        covered += low <= 0.5 <= high
        assert 0.38 < found["auc"] < 0.62
    assert covered >= 34


def test_what_a_sentence_says_is_no_form():
    """The same sentences with other words of the same letters."""
    one = sentences(100, 1)
    other = [text.translate(str.maketrans("aeiou", "eioua")) for text in one]
    found = detect_planted(ENGLISH, other, one)
    assert found["auc"] == found["accuracy"] == 0.5
    assert all(feature["auc"] == 0.5 for feature in found["features"])


def test_as_many_of_both_are_taken():
    found = detect_planted(ENGLISH, sentences(30, 1), sentences(300, 2))
    assert found["planted"] == 30


@pytest.mark.parametrize(("planted", "native"), [(0, 100), (FEWEST_SENTENCES - 1, 100), (100, 3)])
def test_too_few_say_nothing(planted, native):
    assert detect_planted(ENGLISH, sentences(planted, 1), sentences(native, 2)) is None


def test_features_that_are_the_same_are_listed_once():
    chinese = Language("zh", "characters")
    found = detect_planted(chinese, sentences(30, 1), sentences(30, 2))
    names = [feature["name"] for feature in found["features"]]
    assert not {"length", "characters"} <= {*names}
