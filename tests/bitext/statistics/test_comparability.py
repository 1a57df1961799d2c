"""Keywords of documents, and similarity of documents."""

import random
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.languages import Language
from evalign.bitext.statistics.comparability import (
    LEAST_LIKELIHOOD,
    MOST_KEYWORDS,
    DocumentSources,
    compare_documents,
    find_keywords,
)
from oracles.bitext_statistics import cosine, keywords, quantile

ENGLISH = Language("en")
COOKING = "chop the onions and stir the soup"
SAILING = "the boat left the harbour under sail"
LAW = "the court heard the case of the tenant"
# Enough of everything else that a word of two documents is still a keyword of both.
OTHERS = [(f"other {k}", [f"the sheep and the cow went to field w{k} w{k} w{k}"] * 5) for k in range(20)]

documents = st.lists(
    st.lists(st.sampled_from(["the", "a", "soup", "boat", "court", "x", "y"]), min_size=1, max_size=30),
    min_size=2,
    max_size=6,
)


def compare(parallel, native, language=ENGLISH, **settings):
    return compare_documents(language, DocumentSources(parallel, native), **{"seed": 1, **settings})


@given(documents)
def test_keywords_are_those_of_the_oracle(texts):
    everywhere = Counter(term for text in texts for term in text)
    for k, text in enumerate(texts):
        found = find_keywords(Counter(text), everywhere, everywhere.total())
        expected = keywords(text, texts[:k] + texts[k + 1 :], LEAST_LIKELIHOOD, MOST_KEYWORDS)
        assert found.keys() == expected.keys()
        norm = sum(weight**2 for weight in expected.values()) ** 0.5
        for term, weight in found.items():
            assert weight == pytest.approx(expected[term] / norm)


@given(documents, documents)
def test_similarities_are_those_of_all_pairs_of_documents(ours, theirs):
    # Longer than all native documents, so that these are taken whole.
    ours = [[*text, *["z"] * 40] for text in ours]
    texts = [*ours, *theirs]
    vectors = [
        keywords(text, texts[:k] + texts[k + 1 :], LEAST_LIKELIHOOD, MOST_KEYWORDS)
        for k, text in enumerate(texts)
    ]
    parallel, native = (
        [vector for vector in side if vector] for side in (vectors[: len(ours)], vectors[len(ours) :])
    )
    found = compare(
        [(f"p{k}", [" ".join(text)]) for k, text in enumerate(ours)],
        [(f"n{k}", [" ".join(text)]) for k, text in enumerate(theirs)],
    )
    nearest = [max(cosine(one, other) for other in native) for one in parallel if native]
    assert_summary(found["parallel"], nearest)
    among = [
        max(cosine(one, other) for m, other in enumerate(native) if m != k)
        for k, one in enumerate(native)
        if len(native) > 1
    ]
    assert_summary(found["native"], among)


def assert_summary(found, cosines):
    if not cosines:
        assert found is None
        return
    assert found["documents"] == len(cosines)
    for key, share in (("p10", 0.1), ("median", 0.5), ("p90", 0.9)):
        assert found[key] == pytest.approx(float(quantile(cosines, share)), abs=2e-6)


def test_a_document_is_nearest_to_that_of_the_same_things():
    native = [("cooking", [COOKING] * 3), ("sailing", [SAILING] * 3), ("law", [LAW] * 3), *OTHERS]
    near = compare([("p", [COOKING] * 3)], native)["parallel"]["median"]
    far = compare([("p", ["stars shine on planets at night"] * 3)], native)["parallel"]["median"]
    assert near > 0.9
    assert far == 0


def test_pieces_of_a_name_are_one_document_wherever_they_stand():
    whole = [("a", [COOKING, SAILING]), ("b", [LAW, LAW])]
    pieces = [("a", [COOKING]), ("b", [LAW]), ("a", [SAILING]), ("b", [LAW])]
    assert compare(whole, OTHERS) == compare(pieces, OTHERS)
    assert compare(pieces, OTHERS)["parallel_documents"] == 2


def test_pairs_without_a_document_are_compared_with_nothing():
    native = [("law", [LAW] * 3), ("sailing", [SAILING] * 3), *OTHERS]
    found = compare([("", [COOKING])] * 41, native)
    assert (found["parallel_documents"], found["without_document"], found["parallel"]) == (0, 41, None)
    assert found["native"]["documents"] == len(native)
    some = compare([("", [LAW, LAW]), ("p", [COOKING])], native)
    assert (some["parallel_documents"], some["without_document"]) == (1, 2)
    assert some["parallel"] == compare([("p", [COOKING])], native)["parallel"]


def test_stop_words_are_no_keywords():
    stops = Language("en", stop_words=frozenset({"soup", "onions", "chop", "stir"}))
    native = [("cooking", ["soup onions chop stir boil"] * 3), ("law", [LAW] * 3), *OTHERS]
    # Without them the two have nothing in common but what all have.
    assert compare([("p", ["soup onions chop stir bake"] * 3)], native, stops)["parallel"]["median"] == 0
    assert compare([("p", ["soup onions chop stir bake"] * 3)], native)["parallel"]["median"] > 0


@pytest.mark.issue(28)
@pytest.mark.parametrize("most", [1, 10])
def test_the_nearest_is_looked_for_among_all_native_documents(most):
    """However few documents are sampled, the one native document of the same things is there."""
    native = [("same", [COOKING] * 3), *((f"{name} {k}", text) for k in range(20) for name, text in OTHERS)]
    found = compare([("p", [COOKING] * 3)], native, most=most)
    assert found["parallel"]["median"] > 0.9
    assert found["native"]["documents"] == most


@pytest.mark.issue(28)
def test_sentences_of_the_same_documents_are_as_near_as_documents_are():
    """Two sentences held out of each document, against what is left of all of them."""
    rng = random.Random(1)
    words = [f"{a}{b}{c}" for a in "bdfglmnprst" for b in "aeiou" for c in ("ra", "no", "lu", "ke")]
    native, held = [], []
    for k in range(60):
        own = rng.sample(words, 30)
        text = [" ".join(rng.choices(own, k=8) + rng.choices(words, k=8)) for _ in range(14)]
        held.append((f"d{k}", text[:2]))
        native.append((f"d{k}", text[2:]))
    found = compare(held, native)
    assert found["parallel"]["median"] >= found["native"]["median"]
    assert found["parallel"]["p10"] >= found["native"]["p10"]


@pytest.mark.issue(28)
def test_native_documents_are_taken_as_long_as_those_with_translations():
    """So the length of texts does not decide how near they are."""
    native = [
        (f"n{k}", [f"{SAILING} x{k // 2} y{k // 2} z{k // 2}", *[f"{COOKING} {k}"] * 40]) for k in range(40)
    ]
    short = compare([(f"p{k}", [f"{SAILING} x{k} y{k} z{k}"]) for k in range(20)], native)
    beginnings = compare([(f"p{k}", native[k][1][:1]) for k in range(40)], native)
    assert short["native"] == beginnings["native"]


def test_no_more_documents_are_looked_at_than_asked_and_the_same_in_any_order():
    native = [(f"n{k}", [f"{SAILING} " + f"x{k // 3} " * (5 + k % 7)]) for k in range(40)]
    parallel = [(f"p{k}", [f"{COOKING} " + f"x{k // 4} " * (5 + k % 9)]) for k in range(30)]
    found = compare(parallel, native, most=10)
    assert found["parallel"]["documents"] == found["native"]["documents"] == 10
    assert (found["parallel_documents"], found["native_documents"]) == (30, 40)
    assert compare(parallel[::-1], native[::-1], most=10) == found
    assert any(compare(parallel, native, most=10, seed=seed) != found for seed in range(2, 6))


@pytest.mark.parametrize(("parallel", "native"), [([], []), ([("a", [LAW])], []), ([], [("a", [LAW])])])
def test_nothing_is_compared_with_nothing(parallel, native):
    assert compare(parallel, native) is None


def test_documents_without_keywords_are_left_out():
    found = compare([("p", ["..."])], [("n", ["the soup"])])
    assert found["parallel"] is None
    assert found["native"] is None
