"""Saved results in parts: how they are written and loaded again."""

import json
import re

import jsonschema
import numpy as np
import pytest

import evalign
from evalign.errors import InputError
from evalign.results.result import Parts, Result
from runs import BROKEN, DE, EN, EN_WRONG, write
from schema import VALIDATOR


@pytest.fixture(params=["skip", "zero"])
def parts(request, tmp_path):
    """One system has everything, one fails on a treebank, and gold of one cannot be read."""
    gold = write(tmp_path / "gold", en=EN, de=DE, fr=BROKEN)
    one = write(tmp_path / "one", en=EN, de=DE, fr=DE)
    two = write(tmp_path / "two", en=EN_WRONG, nl=DE)
    return evalign.score_collection(gold, one, two, failures=request.param)


def assert_same(one, other):
    assert (one.by, one.source, one.failures, one.warnings) == (
        other.by, other.source, other.failures, other.warnings,
    )  # fmt: skip
    assert list(one.results) == list(other.results)
    assert one.metrics == other.metrics
    for left, right in zip(one.results.values(), other.results.values(), strict=True):
        assert left.to_dict(whole=True) == right.to_dict(whole=True)
    for k in range(len(one.systems)):
        assert one.failed(k) == other.failed(k)
        for metric in one.metrics:
            assert one.macro(k, metric) == other.macro(k, metric)
            assert np.array_equal(
                one.micro().systems[k][metric].units, other.micro().systems[k][metric].units
            )


def test_what_is_saved_comes_back(parts, tmp_path):
    parts.save(tmp_path / "run.json")
    again = evalign.load_saved(tmp_path / "run.json")
    assert isinstance(again, Parts)
    assert_same(parts, again)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "run.json").read_bytes()
    assert again["en"].systems[1].errors("upos") == parts["en"].systems[1].errors("upos") != []
    assert again["de"].systems[1].failure
    assert again["de"].systems[1].errors("tokens") == []


@pytest.mark.parametrize("whole", [False, True])
def test_parts_hold_to_the_schema(parts, whole):
    saved = json.loads(json.dumps(parts.to_dict(whole=whole), allow_nan=False))
    VALIDATOR.validate(saved)
    saved["more"] = 1
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(saved)


def test_averages_are_in_the_file(parts):
    saved = parts.to_dict()
    assert list(saved) == [
        "schema", "version", "by", "source", "failures", "averages", "parts", "warnings",
    ]  # fmt: skip
    [one, two] = saved["averages"]
    assert (one["name"], list(one["failed"]), list(two["failed"])) == ("one", ["fr"], ["de", "fr"])
    assert one["parts"]["upos"] == 2
    assert two["parts"]["upos"] == (1 if parts.failures == "skip" else 2)
    assert two["macro"]["upos"]["f1"] == (0.6 if parts.failures == "skip" else 0.3)
    assert two["micro"]["upos"]["gold"] == (5 if parts.failures == "skip" else 7)
    assert saved["parts"]["de"]["systems"][1]["failure"] == two["failed"]["de"]


def test_parts_are_no_single_result(parts, tmp_path):
    parts.save(tmp_path / "run.json")
    with pytest.raises(InputError, match="a result in parts") as caught:
        Result.load(tmp_path / "run.json")
    assert "load_saved" in caught.value.advice


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "not a saved result (an empty file)"),
        (b" \n", "not a saved result (an empty file)"),
        (b"[]", "not a saved result (JSON of something else: a list)"),
        (b'"parts"', "not a saved result (JSON of something else: text)"),
        (b"\xff\xfe", "not a saved result (not UTF-8)"),
        (b'{"a": 1,\n "b": ?}', "not a saved result (not JSON at line 2, column 7)"),
        (b'{"a": 1,\n', "not a saved result (not JSON at line 2: the file ends too early)"),
        (b"1" * 5000, "not a saved result (a number that is too large)"),
        (b"[" * 100_000, "not a saved result (nested too deeply)"),
        (b'{"schema":' * 100_000, "not a saved result (nested too deeply)"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "not a saved result (nested too deeply)"),
        (b'{"schema": 2, "schema": 1}', "not a saved result (schema: twice in the same object"),
        (b'{"schema": 1, "systems": [{"name": "a", "name": "b"}]}', "not a saved result (name: twice"),
        (b'{"schema": ' + b"[" * 150 + b"]" * 150 + b"}", "schema a list"),
        (b"{}", "not a saved result (JSON of something else: an object of nothing)"),
        (b'{"a": 1}', 'JSON of something else: an object of "a")'),
        (b'{"cells": [], "metadata": {}, "nbformat": 4}', "JSON of something else: a notebook)"),
        (b'{"schema": 1, "unit": {}}', 'JSON of something else: an object of "schema", "unit")'),
        (b'{"schema": 1, "systems": []}', "printed by `result.to_dict()`, which keeps no units"),
        (b'{"schema": 99}', "schema 99"),
        (b'{"schema": 99, "parts": {}}', "schema 99"),
        (b'{"schema": 1, "unit": {}, "warnings": [], "systems": [{}]}', "not a saved result"),
        (b'{"schema": 1, "parts": {}}', "no parts"),
        (b'{"schema": 1, "parts": []}', "no parts"),
        (b'{"schema": 1, "parts": [1]}', "not a saved result"),
        (b'{"schema": 1, "parts": {"en": {}}}', "not a saved result"),
        (b'{"schema": 1, "parts": {"en": {"unit": {}}}}', "not a saved result"),
        (b'{"dependencies": {"a": 1}, "parts": 3}', "JSON of something else"),
    ],
)
def test_files_that_are_no_saved_result(tmp_path, content, found):
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        evalign.load_saved(path)
    assert found in caught.value.found
    assert not re.search(r"Error\b|Expecting|object has no|NoneType", str(caught.value))
    assert caught.value.advice == 'save one: `evalign.score(...).save("run.json")`'
    assert str(path) in str(caught.value)


def test_parts_that_do_not_go_together(parts, tmp_path):
    saved = parts.to_dict(whole=True)
    path = tmp_path / "run.json"
    for key, value, found in (("failures", "ignore", "failures 'ignore'"), ("by", None, "by: null")):
        path.write_text(json.dumps({**saved, key: value}), encoding="utf-8")
        with pytest.raises(InputError, match=found):
            evalign.load_saved(path)
    saved["parts"]["en"]["systems"].pop()
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(InputError, match="parts of different systems"):
        evalign.load_saved(path)


def test_a_truncated_run_is_refused_wherever_it_was_cut(parts, tmp_path):
    path = tmp_path / "run.json"
    parts.save(path)
    data = path.read_bytes().rstrip()
    for size in range(0, len(data), len(data) // 20):
        path.write_bytes(data[:size])
        with pytest.raises(InputError):
            evalign.load_saved(path)


def test_printed_parts_were_not_saved(parts, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(parts.to_dict()), encoding="utf-8")
    with pytest.raises(InputError, match="no units"):
        evalign.load_saved(path)


def test_a_missing_file(tmp_path):
    for path in (tmp_path / "missing.json", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            evalign.load_saved(path)
