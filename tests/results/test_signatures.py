"""Signatures: short forms, the parts that only their hash covers, and results with fields unknown today."""

import re

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.results.signatures import join_signatures, shorten_signatures, split_signature

pytestmark = pytest.mark.issue(16)

GOLD, SYSTEM = [["a", "b", "c"]], [["a", "bc"]]


def short(**options):
    return shorten_signatures([evalign.score(GOLD, SYSTEM, **options).signature])[0]


def test_what_is_default_is_left_to_the_hash():
    assert re.fullmatch(
        rf"evalign:{re.escape(evalign.__version__)}\|mode:aligned\|hash:[0-9a-f]{{8}}", short()
    )


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"match": "text"}, "match:text"),
        ({"average": "sentence"}, "average:sentence"),
        ({"strategy": "printed"}, "strategy:printed"),
        ({"metrics": ["disambiguation"], "candidates": "!"}, "candidates:!"),
    ],
)
def test_what_is_not_default_is_shown(options, shown):
    assert f"|{shown}|hash:" in short(**options)
    assert short(**options) != short()


def test_defaults_of_every_option_are_known():
    """Trees, enhanced graphs and sentence ends at once: nothing but version and mode is left."""
    tree = "(S (NP (D the) (N dog)) (VP (V barks)))\n"
    trees = evalign.score(evalign.Text(tree), evalign.Text(tree))
    words = evalign.Text("1\ta\ta\tX\tX\t_\t0\troot\t0:root\t_\n\n")
    columns = evalign.score(words, words, metrics=["default", "elas", "disambiguation", "content"])
    for result in (trees, columns):
        parts = split_signature(shorten_signatures([result.signature])[0])
        assert set(parts) == {"evalign", "mode", "hash"}


def test_texts_that_differ_are_told_by_system():
    result = evalign.score(GOLD, SYSTEM, [["a", "bd"]])
    text, own = shorten_signatures([system.signature for system in result.systems])
    assert "lines" not in text
    assert own == ["", "lines:differ"]


def test_the_form_of_the_kernels_moves_nothing():
    signature = evalign.score(GOLD, SYSTEM).signature
    assert "kernels" not in signature
    older = signature.replace("|mode:", "|kernels:plain|mode:")
    assert shorten_signatures([older]) == shorten_signatures([signature])


def test_resampling_is_shown_and_not_in_the_hash():
    signature = evalign.score(GOLD, SYSTEM).signature
    plain, _ = shorten_signatures([signature])
    usual, _ = shorten_signatures(
        [signature],
        "|seed:12345|resamples:auto(3000)|confidence:0.95|test:paired-randomization|correction:holm",
    )
    other, _ = shorten_signatures(
        [signature], "|seed:1|resamples:50|confidence:0.9|test:paired-bootstrap|correction:holm"
    )
    assert usual == plain
    assert other == plain.replace("|hash:", "|seed:1|resamples:50|confidence:0.9|test:paired-bootstrap|hash:")


PARTS = st.dictionaries(
    st.sampled_from(["lines", "match", "average", "unit", "weights", "by"]), st.text("abx(1)/:", min_size=1)
)


@given(st.lists(PARTS, min_size=1, max_size=4))
def test_every_notable_part_is_told_once(systems):
    """What a system has is in the shared part or in its own, whatever the others have."""
    signatures = ["|".join(["evalign:1", *(f"{k}:{v}" for k, v in parts.items())]) for parts in systems]
    text, own = shorten_signatures(signatures)
    shared = split_signature(text)
    for parts, mine in zip(systems, own, strict=True):
        told = shared | split_signature(mine)
        assert not shared.keys() & split_signature(mine).keys()
        assert {k: told[k] for k in ("weights", "by") if k in parts} == {
            k: parts[k] for k in ("weights", "by") if k in parts
        }


@given(st.lists(PARTS, min_size=1, max_size=3), st.lists(PARTS, min_size=1, max_size=3))
def test_other_signatures_have_another_hash(some, others):
    written = [["|".join(f"{k}:{v}" for k, v in parts.items()) for parts in each] for each in (some, others)]
    hashes = [shorten_signatures(each)[0].rpartition("hash:")[2] for each in written]
    assert (hashes[0] == hashes[1]) == (set(written[0]) == set(written[1]))


def test_joined_signatures_name_every_value():
    assert join_signatures(["evalign:1|kernels:plain|lines:equal", "lines:differ"], unit="x(2)") == (
        "evalign:1|lines:equal/differ|unit:x(2)"
    )


def test_the_hash_does_not_depend_on_the_order_of_systems():
    signatures = ["evalign:1|lines:equal", "evalign:1|lines:differ"]
    assert shorten_signatures(signatures)[0] == shorten_signatures(signatures[::-1])[0]


def test_a_bar_in_an_option_parts_nothing():
    result = evalign.score(GOLD, SYSTEM, metrics=["disambiguation"], candidates="!|?")
    assert split_signature(result.signature)["candidates"] == "!%7C?"
