"""Saved results that somebody else wrote or changed are refused when they are read, never later."""

import copy
import json

import pytest

import evalign
from evalign.errors import InputError
from evalign.results.codec import SavedResult
from evalign.results.shapes import ShapeError, check_shape


@pytest.fixture(scope="module")
def saved(examples):
    """A result with all that can be saved, as JSON has it."""
    given = examples / "gold.conllu", examples / "second.conllu", examples / "second.conllu"
    whole = evalign.score(*given, metrics=["all"]).to_dict(whole=True)
    return json.loads(json.dumps(whole))


def write(path, saved):
    path.write_text(json.dumps(saved), encoding="utf-8")
    return path


def put(*keys, value):
    """A change: a value in another place than evalign would put it."""

    def change(saved):
        for key in keys[:-1]:
            saved = saved[key]
        saved[keys[-1]] = value

    change.__name__ = ".".join(map(str, keys)) + f"={str(value)[:20]}"
    return change


def as_run(part):
    """A run of one treebank, as it is saved."""
    shared = {"schema": 1, "by": "treebank", "source": "", "failures": "skip", "warnings": []}
    return {**shared, "parts": {"en": part}}


def rename_of_one(saved):
    units = saved["systems"][1]["units"]
    units["tokenz"] = units.pop("tokens")


def rename_of_all(saved):
    for system in saved["systems"]:
        system["units"]["tokenz"] = system["units"].pop("tokens")


def drop_a_row(saved):
    saved["systems"][1]["units"]["tokens"]["rows"].pop()


def drop_all_rows(saved):
    saved["systems"][0]["units"]["tokens"]["rows"].clear()


def drop_a_cell(saved):
    saved["systems"][0]["units"]["tokens"]["rows"][1].pop()


def drop_a_unit_of_a_group(saved):
    saved["systems"][0]["groups"]["length"]["units"].pop()


def drop_a_row_of_a_group(saved):
    saved["systems"][0]["breakdown_units"]["tag"]["tables"]["upos"].pop()


def drop_the_units(saved):
    del saved["systems"][0]["units"]


HUGE = 10**30
FIRST = ("systems", 0)
ROW = (*FIRST, "units", "tokens", "rows", 0, 0)
GROUPS = (*FIRST, "groups", "length")
CHANGES = [
    (rename_of_one, "metrics"),
    (rename_of_all, '"tokens", which was not scored'),
    (drop_a_row, "systems[1].units.tokens.rows: rows: 1, expected 2"),
    (drop_all_rows, "rows: 0"),
    (drop_a_cell, "rows of another length"),
    (drop_a_unit_of_a_group, "groups.length.groups"),
    (drop_a_row_of_a_group, "breakdown_units.tag.tables.upos"),
    (drop_the_units, "no \"units\" in it"),
    (put("systems", value=[]), "systems: none"),
    (put("systems", value={}), "systems: an object, expected a list"),
    (put("gold", value=3), "gold: an integer, expected text"),
    (put("warnings", value=[None]), "warnings[0]: null"),
    (put(*FIRST, "name", value=["a"]), "systems[0].name: a list, expected text"),
    (put(*FIRST, "name", value=None), "systems[0].name: null"),
    (put(*FIRST, "ledger", value={}), 'no "blocks"'),
    (put(*FIRST, "ledger", "equal", value=1.5), "ledger.equal: a number, expected an integer"),
    (put(*FIRST, "units", "tokens", "average", value="bogus"), '"bogus", expected one of micro'),
    (put(*FIRST, "units", "tokens", "available", value=1), "available: an integer, expected true or false"),
    (put(*FIRST, "units", "pk", "fields", value=["windows", "errors"]), "units.pk.fields"),
    (put(*FIRST, "units", "pk", value=3), "units.pk: an integer, expected an object"),
    (put(*ROW, value=HUGE), "a number that is too large"),
    (put(*ROW, value=2**63), "a number that is too large"),
    (put(*ROW, value=0.5), "rows[0][0]: a number, expected an integer"),
    (put(*ROW, value=-1), "a number below 0"),
    (put(*ROW, value="1"), "rows[0][0]: text, expected an integer"),
    (put(*ROW, value=True), "rows[0][0]: true or false"),
    (put("unit", "starts", value=["0", "9"]), "unit.starts[0]: text"),
    (put("unit", "starts", value=[0]), "unit.starts"),
    (put("unit", "starts", value=[9, 0]), "unit.starts"),
    (put("unit", "length", value=HUGE), "unit.length"),
    (put("unit", "length", value=-1), "unit.length"),
    (put("unit", "fields", value={"genre": ["a"]}), "unit.fields.genre"),
    (put("unit", "names", value=[1, 2]), "unit.names[0]: an integer"),
    (put("unit", "names", value="ab"), "unit.names: text, expected a list"),
    (put(*GROUPS, "names", value=3), "groups.length.names"),
    (put(*GROUPS, "units", 0, value=2), "groups.length.units"),
    (put(*GROUPS, "groups", 0, value=-1), "groups.length.groups"),
    (put(*GROUPS, "tables", "tokens", value=[]), "groups.length.tables.tokens"),
    (put(*GROUPS, "tables", "more", value=[]), '"more", which was not scored'),
    (put(*FIRST, "groups", "length", value={}), 'no "groups"'),
    (put(*FIRST, "passages", value=[]), "passages: a list, expected an object"),
    (put(*FIRST, "passages", "list", value=[{}]), 'passages.list[0]: no "errors"'),
    (put(*FIRST, "passages", "list", 0, "unit", value=7), "passages.list[0].unit"),
    (put(*FIRST, "passages", "list", 0, "gold", value=[3]), "passages.list[0].gold[0]"),
    (put(*FIRST, "passages", "list", 0, "groups", value=[["a"]]), "passages.list[0].groups[0]"),
    (put(*FIRST, "marks", value={"tokens": {"split": ["a"]}}), "marks.tokens.split[0]"),
    (put(*FIRST, "marks", value={"tokens": {"split": [1, [2, 3, 4]]}}), "marks.tokens.split: a list of another"),
    (put(*FIRST, "marks", value={"other": {}}), '"other", which was not scored'),
    (put(*FIRST, "losses", "f1", value=float("inf")), "losses.f1"),
    (put(*FIRST, "losses", "f1", value="1"), "losses.f1: text, expected a number or null"),
    (put(*FIRST, "evidence", value={"tokens": {}}), "evidence.tokens: no"),
    (put(*FIRST, "evidence", "upos", "cells", 0, "gold", value="NOUN"), "gold: text, expected a list"),
    (put(*FIRST, "breakdowns", value={"tag": {"NOUN": 1}}), "breakdowns.tag.NOUN"),
    (put(*FIRST, "failure", value=1), "failure: an integer"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("change", "found"), CHANGES, ids=lambda each: getattr(each, "__name__", ""))
def test_what_does_not_go_together_is_refused_when_it_is_read(saved, tmp_path, change, found):
    changed = copy.deepcopy(saved)
    change(changed)
    for each in (changed, as_run(changed)):
        with pytest.raises(InputError) as caught:
            evalign.load_saved(write(tmp_path / "run.json", each))
        assert caught.value.found.startswith("not a saved result (")
        assert found in caught.value.found
        assert caught.value.advice == 'save one: `evalign.score(...).save("run.json")`'


def test_what_was_not_changed_is_read(saved, tmp_path):
    again = evalign.load_saved(write(tmp_path / "run.json", saved))
    assert json.loads(json.dumps(again.to_dict(whole=True))) == saved


def test_what_a_later_version_may_add_is_left_alone(saved, tmp_path):
    changed = copy.deepcopy(saved)
    changed["more"] = changed["systems"][0]["more"] = changed["unit"]["more"] = {"a": [1]}
    evalign.load_saved(write(tmp_path / "run.json", changed))


def test_parts_that_are_something_else(saved, tmp_path):
    run = as_run(saved)
    assert len(evalign.load_saved(write(tmp_path / "run.json", run))) == 1
    for key, value in (("source", 3), ("warnings", [3]), ("warnings", 3), ("failures", [])):
        with pytest.raises(InputError):
            evalign.load_saved(write(tmp_path / "run.json", {**run, key: value}))


def test_shapes_are_told_where_they_are_wrong():
    check_shape({"schema": 1, "more": None}, SavedResult)
    with pytest.raises(ShapeError, match=r"^all of it: a list, expected an object$"):
        check_shape([], SavedResult)
    with pytest.raises(ShapeError, match=r"^splits: null, expected an object$"):
        check_shape({"splits": None}, SavedResult)
    check_shape([1, None, 2.5], list[float | None])
    with pytest.raises(ShapeError, match=r"^\[1\]: text, expected a number or null$"):
        check_shape([1, "a"], list[float | None])
