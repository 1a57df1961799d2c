"""Results sent to another process carry what is saved of them, and no document."""

import copy
import json
import pickle

import numpy as np
import pytest

import evalign
from evalign.metrics.metric import label_metric
from evalign.metrics.registry import METRICS, span_metric


def send(value):
    return pickle.loads(pickle.dumps(value))


@pytest.fixture(scope="module")
def result(examples):
    return evalign.score(examples / "gold.conllu", examples / "second.conllu", examples / "system.txt")


def test_a_result_comes_back_as_it_is_saved(result, tmp_path):
    result.save(tmp_path / "run.json")
    saved = evalign.Result.load(tmp_path / "run.json").to_dict(whole=True)
    again = send(result)
    assert again.to_dict(whole=True) == saved
    assert send(again).to_dict(whole=True) == saved
    assert (list(again.unit_names), again.warnings, again.length) == (
        list(result.unit_names), result.warnings, result.length,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("files", "options"),
    [
        ("gold.conllu second.conllu", {"average": "sentence", "by": ["length"]}),
        ("gold.conllu second.conllu", {"average": "document"}),
        ("gold.conllu system.txt", {"strategy": "printed", "metrics": ["tokens"]}),
        ("gold.mrg system.mrg", {"raw": "raw.txt"}),
        ("corpus/gold.conllu corpus/second.conllu", {"metrics": ["all"], "match": "place"}),
    ],
)
def test_what_is_sent_is_what_is_saved_however_it_was_scored(files, options, examples):
    if "raw" in options:
        options = {"raw": [examples / options["raw"]]}
    result = evalign.score(*(examples / name for name in files.split()), **options)
    assert json.dumps(send(result).to_dict(whole=True)) == json.dumps(result.to_dict(whole=True))


def test_errors_and_breakdowns_go_along(result):
    again = send(result)
    assert again.errors("las") == result.errors("las")
    assert again.breakdown("relation") == result.breakdown("relation")
    assert again.split("document")["harbour"]["las"].f1 == result.split("document")["harbour"]["las"].f1


def test_systems_and_scores_by_themselves(result):
    system, score = send(result.systems[0]), send(result["tokens"])
    assert system["las"].f1 == result["las"].f1
    assert system.ledger == result.ledger
    assert score.metric is METRICS["tokens"]
    assert score.units.tolist() == result["tokens"].units.tolist()
    assert send(result.systems[1])["las"].available is False


def test_no_document_goes_along():
    line = [["a"] * 20_000]
    assert len(pickle.dumps(evalign.score(line, line))) < 10_000


def test_parts_and_what_is_not_known(result):
    parts = result.split("document")
    again = send(parts)
    assert (again.by, list(again.results)) == (parts.by, list(parts.results))
    assert again["kitchen"]["tokens"].counts == parts["kitchen"]["tokens"].counts
    printed = evalign.score([["a"]], [["a"]], strategy="printed")
    assert send(printed)["tokens"].f1 == 1.0


@pytest.mark.parametrize(
    "metric", [*METRICS.values(), span_metric("entities"), label_metric("upos")], ids=lambda x: x.name
)
def test_metrics_are_sent_by_name(metric):
    score = evalign.Score(metric, np.ones((2, len(metric.fields)), np.int64), "document", available=False)
    for again in (send(score), copy.deepcopy(score)):
        assert again.metric.name == metric.name
        assert (again.metric.fields, again.metric.ratios) == (metric.fields, metric.ratios)
        assert again.units.tolist() == score.units.tolist()
        assert (again.average, again.available) == ("document", False)
