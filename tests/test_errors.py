"""Messages of errors: what they suggest, and when they list what there is."""

import pytest

from evalign.errors import CommandError, find_nearest, suggest

NAMES = ["sentences", "tokens", "upos", "xpos", "las", "oov", "pk"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tokenz", ["tokens"]),  # one letter replaced
        ("tokns", ["tokens"]),  # one dropped
        ("lsa", ["las"]),  # two swapped
        ("LAS", ["las"]),  # another case
        ("sent", ["sentences"]),  # the beginning
        ("lasso", ["las"]),  # more than the name
        ("pos", ["upos", "xpos"]),  # as near to both
        ("sentences-trained", []),  # something else about it
        ("foo", []),  # two of three letters replaced
        ("x", []),
        ("", []),
        ("t" * 100_000, []),
    ],
)
def test_only_what_is_near_is_suggested(name, near):
    assert find_nearest(name, NAMES) == near


def test_names_are_listed_only_where_none_is_near():
    near = str(CommandError("unknown", *suggest("tokenz", NAMES, "to list them")))
    assert near == 'unknown\n  did you mean "tokens"?'
    far = str(CommandError("unknown", *suggest("xyzzy", NAMES, "to list them")))
    assert far == "unknown\n  expected one of sentences, tokens, upos, xpos, las, oov, pk\n  to list them"


def test_what_is_expected_can_be_more_than_the_names():
    assert suggest("xyzzy", NAMES, expected="a metric, or a file") == ("a metric, or a file", "")
    assert suggest("tokenz", NAMES, expected="a metric, or a file") == ("", 'did you mean "tokens"?')


def test_a_suggestion_shows_control_characters():
    assert suggest("a\x1bbc", ["a\x1bbd"]) == ("", 'did you mean "a\\x1bbd"?')


def test_one_name_or_none_is_no_list():
    assert suggest("xyzzy", ["tokens"]) == ("tokens", "")
    assert suggest("xyzzy", []) == ("", "")
