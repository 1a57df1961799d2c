"""Every metric against its slow definition, on equal characters."""

import pytest
from hypothesis import given, strategies as st

import oracles.metrics as slow
import oracles.windows as slow_windows
from metrics.comparisons import compare, compare_documents, count, cut_documents
from oracles.spans import count_spans
from strategies import two_cuts


def values(name, comparison):
    return tuple(count(name, comparison).values())


@given(two_cuts())
def test_sentences_and_tokens(pair):
    found = count_spans(pair.gold, pair.system)
    for name in ("sentences", "tokens"):
        assert values(name, compare(pair.gold, pair.system))[:3] == found[name]


@given(two_cuts())
def test_boundaries(pair):
    assert values("boundaries", compare(pair.gold, pair.system)) == slow.boundaries(pair.gold, pair.system)


@given(cut_documents())
def test_boundaries_without_document_ends(pair):
    comparison = compare_documents(*pair)
    assert values("boundaries-inner", comparison) == slow.boundaries_inner(*pair)
    assert values("token-boundaries", comparison) == slow.token_boundaries(*pair)


@given(two_cuts())
def test_bio(pair):
    found = slow.bio(pair.gold, pair.system)
    counts = count("bio", compare(pair.gold, pair.system))
    assert (counts["correct"], counts["characters"], counts["characters"]) == found["all"]
    for label in "STI":
        assert tuple(counts[f"{part}_{label}"] for part in ("correct", "gold", "system")) == found[label]


@given(two_cuts(), st.sampled_from([".", ".a", "字c", ""]))
def test_disambiguation(pair, candidates):
    comparison = compare(pair.gold, pair.system, candidates=candidates)
    expected = slow.disambiguation(pair.gold, pair.system, candidates or slow.CANDIDATES)
    assert values("disambiguation", comparison) == expected


@given(two_cuts(40))
def test_edit_distance(pair):
    counts = count("edit-distance", compare(pair.gold, pair.system))
    assert (counts["distance"], counts["gold"]) == slow.edit_distance(pair.gold, pair.system)
    boundaries = counts["boundary_distance"], counts["characters"]
    assert boundaries == slow.boundary_edit_distance(pair.gold, pair.system)


@pytest.mark.parametrize(
    ("suffix", "choose"),
    [
        ("", slow_windows.window),
        ("-nltk", slow_windows.window_nltk),
        ("-segeval", slow_windows.window_segeval),
    ],
)
@given(cut_documents(60))
def test_windows(suffix, choose, pair):
    comparison = compare_documents(*pair)
    assert values(f"pk{suffix}", comparison) == slow_windows.pk(*pair, choose)
    assert values(f"windowdiff{suffix}", comparison) == slow_windows.windowdiff(*pair, choose)


@given(two_cuts(), st.frozensets(st.sampled_from(["a", "b", "ab", "aa", ".", "É"])))
def test_vocabulary(pair, vocabulary):
    found = slow.oov(pair.gold, pair.system, vocabulary)
    comparison = compare(pair.gold, pair.system, vocabulary=vocabulary)
    assert values("oov", comparison) == (*found["in"], *found["out"])


@given(two_cuts())
def test_sentence_accuracy(pair):
    comparison = compare(pair.gold, pair.system)
    assert values("sentence-accuracy", comparison) == slow.sentence_accuracy(pair.gold, pair.system)
