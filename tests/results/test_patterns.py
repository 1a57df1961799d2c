"""A user's regular expression that takes too long is refused; all others find what Python finds."""

import re
import sys
import threading
from unittest import mock

import pytest
from hypothesis import given, settings, strategies as st

from evalign.errors import CommandError
from evalign.results.split import search_names

pytestmark = pytest.mark.issue(15)
SLOW = ["(a+)+$", "(a|aa)+$", "(a?a)+$", "(?:a*)*$", "(.*a){20}$", r"^(\w+\s?)*$"]
NAME = "a" * 60 + "!"


@pytest.mark.parametrize("pattern", SLOW)
def test_an_expression_that_takes_forever_is_refused_with_the_name(pattern):
    with pytest.raises(CommandError) as caught:
        search_names(pattern, ("b-1", NAME, "c"), limit=1.0)
    assert caught.value.exit_status == 2
    assert pattern in str(caught.value)
    assert f'at the name "{NAME[:40]}' in str(caught.value)


def test_it_is_refused_in_a_thread_too():
    found = []

    def search():
        try:
            search_names("(a+)+$", ("b-1", NAME), limit=1.0)
        except CommandError as error:
            found.append(str(error))

    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert found
    assert "not done after 1 seconds" in found[0]


NAMES = st.lists(st.text(st.sampled_from("ab-1é\u2028\udcff"), max_size=8), max_size=5)


@settings(max_examples=15)
@given(st.sampled_from(["(a+)-?(b*)", "a|b", "^(x)?b+", "a", r"(\d)+$", "é+|-+"]), NAMES)
def test_what_is_found_is_what_python_finds(pattern, names):
    compiled = re.compile(pattern)
    matches = [compiled.search(name) for name in names]
    expected = [match and match[1 if compiled.groups else 0] for match in matches]
    assert search_names(pattern, tuple(names)) == expected


def test_without_another_process_it_is_searched_for_here():
    with mock.patch.object(sys, "executable", ""):
        assert search_names("(x+)(y+)", ("axyy", "b")) == ["x", None]
    with mock.patch.object(sys, "executable", "/no/such/python"):
        assert search_names("(x+)(z+)", ("axzz", "b")) == ["x", None]
