"""Broken, commented and joined trees: parts give the counts, failures, warnings and places of the whole."""

import pytest
from hypothesis import given, settings, strategies as st

from brokentrees import broken_pairs, write_pair
from evalign import Text, score
from evalign.errors import EvalignError
from sameresult import assert_same

pytestmark = [pytest.mark.issue(15), pytest.mark.once]
CHUNKS = st.sampled_from([7, 60, 300, 1500])


def score_pair(pair, chunk=False):
    """The result, or what is refused and where."""
    texts = [Text(text, name) for text, name in zip(pair, ("gold.mrg", "system.mrg"), strict=True)]
    try:
        return score(*texts, gold_format="trees", system_format="trees", stream=chunk)
    except EvalignError as error:
        return str(error)


def check_parts(pair, *chunks):
    whole = score_pair(pair)
    for chunk in chunks:
        parts = score_pair(pair, chunk)
        if isinstance(whole, str) or isinstance(parts, str):
            assert parts == whole
        else:
            assert_same(parts, whole)


@pytest.mark.slow
@settings(max_examples=500)
@given(broken_pairs(), CHUNKS)
def test_broken_trees_are_the_same_in_parts_in_many_cases(pair, chunk):
    check_parts(pair, chunk)


@pytest.mark.slow
# Seeds of pairs that differed: in failed parses, in a refusal, in the places and in the order of warnings.
@pytest.mark.parametrize("seed", [44, 75, 81, 103, 105, 208, 536])
def test_pairs_that_differed_in_parts(seed):
    check_parts(write_pair(seed), 7, 60, 300, 1500)


def test_an_empty_line_is_what_it_is_in_the_whole_file():
    """In parts of one tree it would be a failed parse or not, as the part has it."""
    gold = "(S (N a))\n" * 40
    for system in (
        "(S (N a))\n\n" * 40,
        "(S (N a))\n(S (N a))\n\n" * 20,
        "(S\n  (N a))\n" + "(S (N a))\n(S (N a))\n\n" * 20,
        "# one\n(S (N a))\n\n# two\n(S (N a))\n" * 20,
    ):
        check_parts((gold, system), 30)


def test_two_failed_parses_on_a_line_are_two():
    result = score(
        Text("(S (N a))\n"), Text("(()) (()) (S (N a)) (())\n"), system_format="trees", gold_format="trees"
    )
    assert result.systems[0].ledger.failed_parses.system == 3
