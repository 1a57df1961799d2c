"""A result from parts is that of the whole: to the last digit, name and place."""

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalign import Text, score
from evalign.alignment import cutting, lines
from evalign.evaluate import units
from evalign.evaluate.parts import spreading
from written import pairs


@pytest.fixture(autouse=True, scope="module")
def _short_slides():
    """Small texts: what is known of large ones must show in them."""
    with mock.patch.object(lines, "MOST_SLID", 40), mock.patch.object(cutting, "MOST_SLID", 40):
        yield


def score_in_parts(gold, *systems, chunk, **options):
    with mock.patch.object(spreading, "CHUNK", chunk):
        return score(gold, *systems, stream=True, **options)


def whole_json(result):
    return result.to_json(whole=True)


@given(pairs(), st.integers(1, 2000))
def test_parts_and_the_whole_are_saved_the_same(pair, chunk):
    _, gold, system = pair
    together = score(Text(gold, "gold"), Text(system, "system"))
    apart = score_in_parts(Text(gold, "gold"), Text(system, "system"), chunk=chunk)
    assert whole_json(apart) == whole_json(together)


@given(pairs(formats=("conllu", "plain")), st.integers(1, 2000), st.sampled_from([64, 300, 2000]))
def test_the_size_of_parts_changes_nothing_whatever_the_window(pair, chunk, window):
    _, gold, system = pair
    texts = Text(gold, "gold"), Text(system, "system")
    in_memory = score(*texts, window=window)
    assert whole_json(score_in_parts(*texts, chunk=chunk, window=window)) == whole_json(in_memory)


@given(pairs(rates=(0.0,)), pairs(rates=(0.05,)), st.integers(1, 2000))
def test_several_systems_of_which_some_have_other_lines(pair, other, chunk):
    _, gold, system = pair
    texts = Text(gold, "gold"), Text(system, "first"), Text(gold, "second"), Text(other[1], "third")
    assert whole_json(score_in_parts(*texts, chunk=chunk, window=100_000)) == whole_json(score(*texts))


@given(pairs(formats=("conllu", "plain")), st.integers(1, 2000))
def test_stretches_are_merged_as_in_the_whole(pair, chunk):
    _, gold, system = pair
    texts = Text(gold, "gold"), Text(system, "system")
    with mock.patch.object(units, "MOST_UNITS", 4):
        together = score(*texts)
        apart = score_in_parts(*texts, chunk=chunk)
    assert whole_json(apart) == whole_json(together)


@pytest.mark.parametrize("name", ["French-GSD", "English-EWT", "Chinese-GSD"])
def test_real_output_with_equal_lines(name, data):
    files = data / f"systems/udpipe/{name}.gold.conllu", data / f"systems/udpipe/{name}.conllu"
    assert whole_json(score_in_parts(*files, chunk=200_000)) == whole_json(score(*files))
