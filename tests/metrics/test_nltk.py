"""Pk and WindowDiff against nltk."""

import pytest
from hypothesis import assume, given

from metrics.comparisons import compare, score
from oracles.windows import gaps_per_document, window_nltk
from strategies import two_cuts


@pytest.fixture(scope="module")
def segmentation():
    return pytest.importorskip("nltk.metrics.segmentation")


def sentences(gaps):
    """As many tokens as there are gaps and one more, in sentences."""
    found = [[]]
    for number, gap in enumerate(gaps + "0"):
        found[-1].append(f"t{number}")
        if gap == "1":
            found.append([])
    return found


@given(two_cuts(60))
def test_windows_as_nltk_has_them(segmentation, pair):
    assume(len(pair.gold) > 1)  # nltk divides by the number of boundaries
    (gaps,) = gaps_per_document([pair.gold], pair.system)
    comparison = compare(pair.gold, pair.system)
    assert score("pk-nltk", comparison)["error"] == pytest.approx(segmentation.pk(*gaps))
    if k := window_nltk(gaps[0]):
        expected = segmentation.windowdiff(*gaps, k)
        assert score("windowdiff-nltk", comparison)["error"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("source", "gold", "system", "error"),
    [
        ("nltk 3.10, docstring of pk", "0100" * 100, "1" * 400, "0.50"),
        ("nltk 3.10, docstring of pk", "0100" * 100, "0" * 400, "0.50"),
        ("nltk 3.10, docstring of pk", "0100" * 100, "0100" * 100, "0.00"),
    ],
)
def test_the_vectors_of_nltk(source, gold, system, error):
    assert f"{score('pk-nltk', compare(sentences(gold), sentences(system)))['error']:.2f}" == error
