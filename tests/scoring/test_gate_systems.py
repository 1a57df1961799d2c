"""A gate finds systems by any form of their names that tables print."""

import pytest
from hypothesis import given, strategies as st

from evalign.files import tell_apart
from evalign.scoring.gate_systems import match_other_run, match_system_name

pytestmark = pytest.mark.once

paths = st.lists(st.text("ab./\\ ", min_size=1, max_size=8), min_size=1, max_size=4)


@given(paths)
def test_every_name_is_found_by_itself_and_as_it_is_shown(names):
    for number, (name, shown) in enumerate(zip(names, tell_apart(names), strict=True)):
        assert {names[k] for k in match_system_name(names, name)} == {name}
        assert number in match_system_name(names, shown) or shown in names
        assert {names[k] for k in match_other_run(names, names, number)} == {name}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("runs/a.txt", [0]),
        ("a.txt", [0]),
        ("a", [0]),
        ("runs/b", [1]),
        ("old/b", [2]),
        ("b.txt", [1, 2]),
        ("b", [1, 2]),
        ("old", []),
        ("txt", []),
        ("", []),
        ("A", []),
    ],
)
def test_the_end_of_a_path_is_enough_and_its_ending_is_not_needed(name, found):
    assert match_system_name(["runs/a.txt", "runs/b.txt", "old/b.txt"], name) == found


def test_paths_of_another_system():
    assert match_system_name([r"runs\a.txt", r"runs\b.txt"], "runs/b.txt") == [1]
    assert match_other_run([r"runs\a.txt", r"runs\b.txt"], ["new/b.txt"], 0) == [1]


def test_the_whole_name_comes_first():
    assert match_system_name(["x/one", "one"], "one") == [1]
    assert match_system_name(["one", "one"], "one") == [0, 1]
    assert match_system_name([], "one") == []


@pytest.mark.parametrize(
    ("names", "others", "found"),
    [
        (["old/ewt.nltk.txt", "old/ewt.moses.txt"], ["new/gum.moses.conllu", "new/gum.nltk.conllu"], [1]),
        (["old/ewt.nltk.txt", "old/ewt.moses.txt"], ["moses.conllu"], [1]),
        (["old/nltk.txt", "old/moses.txt"], ["syntok.txt"], []),
        (["a/out", "b/out"], ["c/out"], [0, 1]),
    ],
)
def test_the_first_of_others_is_found_among_names(names, others, found):
    assert match_other_run(names, others, 0) == found
