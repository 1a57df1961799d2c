"""Results of pairs: saved, loaded, pickled, in notebooks and data frames, asked for what they lack."""

import json
import pickle

import numpy as np
import pytest

from bitext.scoring.pairfiles import pair_file
from evalign import Text
from evalign.bitext.scoring.pair_scores import score_pairs
from evalign.errors import CommandError, InputError
from evalign.results.result import Parts, Result, load_saved
from evalign.scoring.gating import gate
from evalign.significance.assessment import assess
from evalign.significance.values import Resampling
from schema import validate

GOLD = [(k, k) for k in range(1, 30)]
ONE = [(k, k + (k % 4 == 0), 1 - k / 50) for k in range(1, 28)] + [(3, 3, 0.1), (4, 9, 0.2)]
TWO = [(k, k + (k % 3 == 0)) for k in range(1, 20)]


@pytest.fixture(scope="module")
def result():
    files = [pair_file(ONE, "one.tsv"), pair_file(TWO, "two.tsv"), pair_file([], "none.tsv")]
    return score_pairs(pair_file(GOLD, "gold"), *files, recall_at=[1, 3])


@pytest.fixture(scope="module")
def trained():
    training = [pair_file(GOLD[:9], "t.gold"), pair_file(ONE[:12], "t.tsv")]
    return score_pairs(pair_file(GOLD, "gold"), pair_file(ONE, "one.tsv"), training=training)


@pytest.fixture(scope="module")
def exact():
    """With a threshold that its float does not tell from others."""
    lines = "fr-000000001\ten-000000001\t0.930000000000000000001\nfr-000000002\ten-000000003\t0.93\n"
    files = [Text(lines, name="one.tsv"), Text(lines, name="t.tsv")]
    found = score_pairs(pair_file(GOLD, "gold"), files[0], training=[pair_file(GOLD[:9], "t.gold"), files[1]])
    assert "written" in found.systems[0].pairing["trained"]
    return found


def test_a_saved_result_is_as_the_schema_says_and_loads_back_equal(result, trained, exact, tmp_path):
    for each in (result, trained, exact):
        saved = each.to_dict(whole=True)
        validate(json.loads(json.dumps(saved)))
        validate(json.loads(json.dumps(each.to_dict())))
        each.save(tmp_path / "run.json")
        again = load_saved(tmp_path / "run.json")
        assert again.to_dict(whole=True) == saved
        for one, other in zip(again.systems, each.systems, strict=True):
            assert (one.pairing, one.ledger, one.signature) == (other.pairing, other.ledger, other.signature)
            for name, score in other.scores.items():
                assert one[name].metric.fields == score.metric.fields
                assert one[name].units.tolist() == score.units.tolist()
                assert one[name].available == score.available


def test_a_pickled_result_comes_back(result):
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict(whole=True) == result.to_dict(whole=True)
    assert again.systems[0].pairing == result.systems[0].pairing


def test_parts_are_saved_too(result, trained, tmp_path):
    parts = Parts("pair", {"fr-en": result, "de-en": result})
    parts.save(tmp_path / "parts.json")
    validate(json.loads((tmp_path / "parts.json").read_text(encoding="utf-8")))
    again = load_saved(tmp_path / "parts.json")
    assert again["de-en"].systems[0].pairing == result.systems[0].pairing
    joined = again.micro().systems[0].ledger.pairs
    assert joined.repeated.system == 2 * result.ledger.pairs.repeated.system


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("curve", 7, "pairing.curve"),
        ("oracle", {"threshold": "high"}, "pairing.oracle"),
        ("average_precision", [], "pairing.average_precision"),
        ("false", [{"first": 3}], "pairing.false"),
    ],
)
def test_what_is_no_pairing_is_refused(result, tmp_path, key, value, where):
    saved = json.loads(json.dumps(result.to_dict(whole=True)))
    saved["systems"][0]["pairing"][key] = value
    (tmp_path / "run.json").write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        Result.load(tmp_path / "run.json")
    assert where in str(refused.value)


def test_intervals_and_tests_are_those_of_any_metric(result):
    found = assess(result, Resampling(resamples=50))
    interval = found.intervals[0]["pairs"]["f1"]
    assert interval.low <= result["pairs"].f1 <= interval.high
    assert (found.n_units, found.unit_kind) == (len(result.unit_names), "foreign id")
    assert found.against_first["pairs"][1].p is not None


def test_a_notebook_says_what_was_tolerated_of_pairs(result):
    shown = result._repr_html_()
    assert "characters" not in shown
    assert "one: pairs: repeated, and counted once: 1 in system" in shown
    assert "none: pairs: each id in one pair, each pair once" in shown
    assert "counted by 29 foreign ids" in shown


def test_a_data_frame_has_what_is_no_score_too(trained):
    frame = trained.to_dataframe()
    rows = {(metric, measure): value for _, metric, measure, value in frame.itertuples(index=False)}
    pairing = trained.systems[0].pairing
    assert rows["pairs", "average_precision"] == pairing["average_precision"]
    assert rows["pairs-trained", "threshold"] == pairing["trained"]["threshold"]
    assert rows["pairs-oracle", "threshold"] == pairing["oracle"]["threshold"]
    units = trained.to_dataframe(units=True)
    assert set(units["metric"]) == {"pairs", "pairs-trained", "pairs-oracle"}
    assert np.isclose(units.query("metric == 'pairs' and measure == 'system'")["value"].sum(), 28)


def test_what_only_texts_have_is_refused(result):
    asked = [
        (lambda: result.split("genre"), 'by "genre"'),
        (lambda: result.split("length"), 'by "length"'),
        (lambda: result.errors("pairs"), "errors of pairs"),
        (lambda: result.error_groups("tokens"), "errors of tokens"),
        (lambda: result.breakdown("label"), "breakdown by label"),
    ]
    for ask, what in asked:
        with pytest.raises(CommandError, match=f"^{what}: these are scores of pairs of sentences\n"):
            ask()


def test_a_gate_checks_pairs_and_fails_on_what_was_not_scored(result, trained):
    assert gate(result, fail_under={"pairs.f1": 50, "recall-at-3": 50, "pairs-oracle.precision": 50})
    found = gate(result, fail_under={"pairs-trained": 2, "recall-at-7": 2})
    assert [check.reason for check in found.checks] == [
        "pairs-trained was not scored",
        "recall-at-7 was not scored",
    ]
    assert gate(trained, result, max_drop={"pairs": 0})
    for name in ("pairs", "pairs.recall", "recall-at-7"):
        with pytest.raises(CommandError, match=f"expected {name}=95\n"):
            gate(result, fail_under={name: 0.95})
    for name in ("pears", "all"):
        with pytest.raises(CommandError) as refused:
            gate(trained, fail_under={name: 1})
        assert str(refused.value) == (
            f'unknown metric "{name}"\n  expected one of pairs, pairs-trained, pairs-oracle'
        )


def test_a_paired_test_of_two_runs_with_other_ids_says_how_to_have_it():
    gold = pair_file([(1, 1), (2, 2)], "gold")
    old, new = (score_pairs(gold, pair_file(lines)) for lines in ([(1, 1), (7, 7)], [(2, 3)]))
    with pytest.raises(InputError) as refused:
        gate(new, old, max_drop={"pairs": 0}, significant=Resampling(resamples=20))
    assert "evalign.score_pairs(GOLD, OLD, NEW)" in str(refused.value)


def test_another_threshold_from_training_makes_no_other_metric(trained):
    gold, system = pair_file([(1, 1), (2, 2)], "gold"), pair_file([(1, 1, 0.5), (2, 2, 0.25)])
    runs = [score_pairs(gold, system, training=[pair_file([(n, n)], "t.gold"), system]) for n in (1, 2)]
    assert runs[0].systems[0].signature != runs[1].systems[0].signature
    assert not gate(runs[0], runs[1], max_drop={"pairs": 0}).warnings
