"""Errors sent from one process to another: an error of a worker is raised unchanged."""

import pickle
import re
from pathlib import Path

import pytest

import evalign
from evalign.compat.representation import UDError
from evalign.engines.worker import WorkerTraceback, answer_packed, describe_item, open_answer, pack_value
from evalign.errors import (
    CommandError,
    EngineError,
    EvalignError,
    InputError,
    Message,
    Place,
    SplitError,
    StrictError,
)
from evalign.readers.official_errors import OfficialError
from evalign.readers.standoff import MissingTextError
from workpieces import OddError, be_odd, make_function, read_file

ERRORS = [
    EvalignError("said"),
    CommandError("found", "wanted", "advice"),
    SplitError("found", "wanted", "advice"),
    EngineError("found", "wanted", "advice"),
    InputError(Place("a.conllu", 3), "found", "wanted", "advice"),
    StrictError(Place("a.conllu"), "found", "wanted"),
    InputError(Place("{a}.conllu"), "found", Message("{raw=FILE}"), "leave out " + Message("{strict}")),
    OfficialError(Place("a", 1), "found", "wanted", "", said="its words", raised="ValueError"),
    MissingTextError("a.tsv", "found", "wanted", "advice"),
    UDError("its words"),
]


def test_no_error_is_left_out_here():
    """By the source: all classes that are an EvalignError, at first or second hand."""
    bases = {
        name: set(above.split(", "))
        for path in Path(evalign.__file__).parent.rglob("*.py")
        for name, above in re.findall(
            r"^class (\w+)\((.*)\):", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    ours = {"EvalignError"}
    while more := {name for name, above in bases.items() if above & ours} - ours:
        ours |= more
    assert ours == {type(error).__name__ for error in ERRORS}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_comes_back_whole(error, protocol):
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.exit_status == error.exit_status


def test_advice_can_be_added():
    error = InputError(Place("a", 2), "found", "wanted")
    error.add_advice("first")
    error.add_advice("second")
    assert str(error) == "a:2: found\n  expected wanted\n  first\n  second"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def ask(function, item, worker=""):
    return open_answer(answer_packed(pack_value(function), pack_value(item), worker))


def test_an_answer_is_what_was_found():
    assert ask(abs, -3) == 3
    assert ask(len, "four") == 4


def test_other_errors_say_where_in_the_worker_they_arose():
    with pytest.raises(TypeError) as raised:
        ask(len, 5)
    assert isinstance(raised.value.__cause__, WorkerTraceback)
    assert "object of type 'int' has no len()" in str(raised.value.__cause__)


def test_an_error_that_cannot_be_made_again_is_told():
    # With Dask comes a package that has ways of its own to make it again.
    with pytest.raises((RuntimeError, OddError), match="1 and 1"):
        ask(be_odd, 1)


def test_what_cannot_be_sent_back_is_an_error_too():
    with pytest.raises((AttributeError, pickle.PicklingError)):
        ask(make_function, 1)


def test_the_worker_is_named_where_a_file_was_not_found(tmp_path):
    with pytest.raises(InputError) as raised:
        ask(read_file, str(tmp_path / "none"), worker="worker tcp://10.0.0.1:40000")
    assert str(raised.value).endswith(
        "\n  worker tcp://10.0.0.1:40000 looked for it: every worker must find it under that name"
    )


def test_the_worker_is_not_named_where_a_file_is_wrong_everywhere(tmp_path):
    (tmp_path / "wrong.conllu").write_text("1\ta\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        ask(read_file, str(tmp_path / "wrong.conllu"), worker="worker tcp://10.0.0.1:40000")
    assert "10.0.0.1" not in str(raised.value)


class Named:
    name = "de.conllu"


@pytest.mark.parametrize(
    ("item", "described"),
    [
        ("da.conllu", 'item 1, "da.conllu"'),
        (Named(), 'item 1, "de.conllu"'),
        ((3, Place("fr.conllu")), 'item 1, "fr.conllu"'),
        ("a\x1b[31m", r'item 1, "a\x1b[31m"'),
        (b"bytes", "item 1"),
        ((), "item 1"),
    ],
)
def test_items_in_words(item, described):
    assert describe_item(0, item) == described
