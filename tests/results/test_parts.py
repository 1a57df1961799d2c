"""Results in parts: macro and micro averages."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError
from evalign.metrics.registry import METRICS
from evalign.results.ledger import Ledger, LedgerRule, join_ledgers
from evalign.results.result import Parts, Result
from evalign.results.system_result import NoEvidence, Score, SystemResult, worst_value

FIELDS = {name: METRICS[name].fields for name in ("tokens", "upos", "pk")}


def make_system(name, scores, failure=""):
    return SystemResult(name, scores, Ledger(0, 0, 0, 0), "evalign:0", NoEvidence(), failure)


def tokens(*rows, average="micro", available=True):
    """Rows of correct, gold and system tokens."""
    table = np.array([[c, g, s, c, c] for c, g, s in rows], np.int64).reshape(-1, 5)
    return Score(METRICS["tokens"], table, average, available)


def part(*systems, kind="document", units=2):
    return Result("gold", systems, kind, [f"unit {k}" for k in range(units)])


def test_averages_by_hand():
    """Part a: 1 of 2 and 3 of 4 tokens; part b: 9 of 10, twice the system tokens."""
    parts = Parts(
        "genre",
        {
            "a": part(make_system("one", {"tokens": tokens((1, 2, 2), (3, 4, 4))})),
            "b": part(make_system("one", {"tokens": tokens((9, 10, 20))}), units=1),
        },
    )
    assert parts.macro(0, "tokens") == {
        "precision": (4 / 6 + 9 / 20) / 2,
        "recall": (4 / 6 + 9 / 10) / 2,
        "f1": (4 / 6 + 18 / 30) / 2,
    }
    micro = parts.micro()
    assert (micro["tokens"].precision, micro["tokens"].recall) == (13 / 26, 13 / 16)
    assert list(micro.unit_names) == ["a: unit 0", "a: unit 1", "b: unit 0"]
    assert micro.unit_fields == {"genre": ["a", "a", "b"]}
    assert (micro.unit_kind, micro.warnings) == ("document", ())
    assert micro.signature == "evalign:0|average:micro|unit:document(3)|genres:2"


def test_micro_adds_counts_even_where_parts_are_averages_themselves():
    rows = (1, 2, 2), (4, 4, 4)
    parts = Parts("genre", {"a": part(make_system("one", {"tokens": tokens(*rows, average="document")}))})
    assert parts["a"]["tokens"].f1 == parts.macro(0, "tokens")["f1"] == 0.75
    assert parts.micro()["tokens"].f1 == 5 / 6


def test_a_part_that_failed_is_left_out_or_counts_as_nothing():
    failed = make_system("one", {"tokens": tokens((0, 5, 0))}, "no file")
    good = make_system("one", {"tokens": tokens((5, 5, 5))})
    parts = Parts("treebank", {"a": part(good, units=1), "b": part(failed, units=1)}, failures="zero")
    assert parts.macro(0, "tokens") == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert parts.micro()["tokens"].f1 == 10 / 15
    assert parts.covered(0, "tokens") == ["a", "b"]
    skip = replace(parts, failures="skip")
    assert skip.macro(0, "tokens") == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert skip.micro()["tokens"].counts["gold"] == 5
    assert skip.covered(0, "tokens") == ["a"]
    assert "failed on 1 of 2 treebanks" in skip.micro().warnings[0]


def test_a_part_without_a_number_is_in_neither_average():
    parts = Parts(
        "genre",
        {
            "a": part(make_system("one", {"tokens": tokens((1, 2, 2))}), units=1),
            "b": part(make_system("one", {"tokens": tokens((0, 0, 0))}), units=1),
            "c": part(make_system("one", {"tokens": tokens((0, 9, 9), available=False)}), units=1),
            "d": part(make_system("one", {}), units=0),
        },
    )
    assert parts.macro(0, "tokens")["f1"] == parts.micro()["tokens"].f1 == 0.5
    assert parts.covered(0, "tokens") == ["a"]
    assert parts.score("d", 0, "tokens") is None
    with pytest.raises(CommandError, match='no genre is called "e"'):
        parts["e"]
    nothing = replace(parts, results={"b": parts["b"], "c": parts["c"]})
    assert set(nothing.macro(0, "tokens").values()) == {None}
    assert not replace(parts, results={"c": parts["c"]}).micro()["tokens"].available


def test_metrics_are_in_one_order_whatever_part_lacks_one():
    scores = {name: Score(METRICS[name], np.zeros((1, len(FIELDS[name])), np.int64)) for name in FIELDS}
    some = {name: score for name, score in scores.items() if name != "upos"}
    one, all_of = make_system("one", some), make_system("one", scores)
    for systems in ((one, all_of), (all_of, one)):
        parts = Parts("genre", {str(k): part(system, units=1) for k, system in enumerate(systems)})
        assert parts.metrics == ["tokens", "upos", "pk"]


ROWS = st.lists(st.tuples(*[st.integers(0, 9)] * 3).map(lambda r: (min(r), *r[1:])), min_size=1, max_size=4)


@given(
    st.lists(st.tuples(ROWS, st.booleans(), st.booleans()), min_size=1, max_size=4),
    st.sampled_from(["skip", "zero"]),
)
def test_micro_is_the_score_of_the_sum_and_macro_the_mean(drawn, failures):
    results = {}
    for k, (rows, available, failed) in enumerate(drawn):
        if failed:
            rows = [(0, gold, 0) for _, gold, _ in rows]
        system = make_system("one", {"tokens": tokens(*rows, available=available)}, "gone" if failed else "")
        results[str(k)] = part(system, units=len(rows))
    parts = Parts("treebank", results, failures=failures)
    counted = [rows for rows, available, failed in drawn if available and not (failed and failures == "skip")]
    sums = [sum(row[k] * (not failed or k == 1) for rows, available, failed in drawn for row in rows
                if available and not (failed and failures == "skip")) for k in range(3)]  # fmt: skip
    micro = parts.micro()["tokens"]
    # A failure without a row of an empty output has nothing that could be added up.
    lost = failures == "zero" and any(failed and not available for _, available, failed in drawn)
    assert micro.available == (bool(counted) and not lost)
    if micro.available:
        assert [micro.correct, micro.gold, micro.system] == sums
    values = []
    for rows, available, failed in drawn:
        if failed:
            values += [Fraction(0)] if failures == "zero" else []
        elif available and (gold := sum(r[1] for r in rows)) + (system := sum(r[2] for r in rows)):
            values.append(Fraction(2 * sum(r[0] for r in rows), gold + system))
    expected = float(sum(values) / len(values)) if values else None
    assert parts.macro(0, "tokens")["f1"] == (None if expected is None else pytest.approx(expected))
    assert len(parts.covered(0, "tokens")) == len(values)
    assert len(micro.units) == sum(len(rows) for rows, *_ in drawn)


def test_ledgers_add_up():
    one = Ledger(
        5, 1, 0, 2, {"nfc": LedgerRule(1, 0, ("a:1", "a:2"))}, {"1:1": 2}, (("x", "y", 1),), {"tokens": 1}
    )
    two = Ledger(
        3, 0, 1, 0, {"nfc": LedgerRule(0, 2, ("b:1", "b:2")), "xml": LedgerRule(1)}, {"1:1": 1, "2:1": 1},
        (("x", "y", 2), ("p", "q", 1)), {}, 4, LedgerRule(1),
    )  # fmt: skip
    assert join_ledgers([one, two]) == Ledger(
        8, 1, 1, 2, {"nfc": LedgerRule(1, 2, ("a:1", "a:2", "b:1")), "xml": LedgerRule(1)}, {"1:1": 3, "2:1": 1},
        (("x", "y", 3), ("p", "q", 1)), {"tokens": 1}, 4, LedgerRule(1),
    )  # fmt: skip
    assert join_ledgers([]) == Ledger(0, 0, 0, 0)


def test_the_worst_there_is():
    assert worst_value(METRICS["las"], "f1") == 0.0
    assert worst_value(METRICS["pk"], "error") == 1.0
    assert worst_value(METRICS["bio"], "error_rate") == 1.0
    assert worst_value(METRICS["crossing"], "average") is None


def test_gold_without_a_sentence_has_a_row_all_the_same():
    results = {
        str(k): evalign.score(gold, [["a"]], average="sentence")
        for k, gold in enumerate(([], [["a"], ["b"]]))
    }
    micro = Parts("genre", results).micro()
    assert len(micro.unit_names) == len(micro["tokens"].units) == 3


def test_parts_of_one_text_tolerated_what_the_whole_did():
    rows = {"tokens": tokens((1, 2, 2))}
    system = make_system("one", rows)
    whole = part(replace(system, ledger=Ledger(9, 1, 0, 0), signature="evalign:0|average:document"))
    results = {name: part(whole.systems[0], units=1) for name in "ab"}
    micro = Parts("genre", results, whole=whole).micro()
    assert micro.ledger == whole.ledger
    assert micro.signature == "evalign:0|average:micro"
    assert Parts("genre", results).micro().ledger.equal == 18
