"""Laws that hold for every metric, also if the texts differ."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.metrics.comparison import Units
from evalign.metrics.registry import METRICS
from metrics.comparisons import compare, compare_documents, count, make_gold, one_unit, text_documents
from strategies import segmentations, two_texts

VOCABULARY = frozenset(["a", "b", "ab", "."])
# Counted by document whatever the units are.
PER_DOCUMENT = [name for name in METRICS if name.startswith(("pk", "windowdiff"))]
# Metrics of plain text; those of columns are tested on trees.
PLAIN = {name: metric for name, metric in METRICS.items() if {*metric.needs} <= {"sentences"}}
SYMMETRIC = ["sentences", "tokens", "boundaries", "boundaries-inner", "token-boundaries"]


def both_ways(name, pair):
    """Counts of a pair and of its sides swapped."""
    return count(name, compare(pair.gold, pair.system)), count(name, compare(pair.system, pair.gold))


@given(segmentations())
def test_a_document_against_itself_is_perfect(document):
    for name, metric in PLAIN.items():
        comparison = compare(document, document, vocabulary=VOCABULARY)
        best = 1.0 if metric.headline not in metric.lower_is_better else 0.0
        ratios = metric.ratios(count(name, comparison))
        assert ratios[metric.headline] in (best, None), name


@given(text_documents())
def test_units_add_up_to_the_whole(pair):
    documents, system = pair
    by_document = compare_documents(documents, system, vocabulary=VOCABULARY)
    whole = compare(make_gold(documents), system, one_unit(), vocabulary=VOCABULARY)
    for name in PLAIN:
        assert count(name, by_document) == count(name, whole), name


@given(text_documents(), st.data())
def test_units_may_begin_at_any_sentence(pair, data):
    documents, system = pair
    gold = make_gold(documents)
    starts = data.draw(st.sets(st.sampled_from([0, *gold.sentences[:-1].tolist()])))
    tokens = np.array(sorted({0, *starts}), np.int32)
    units = Units("stretch", tokens, [""] * len(tokens))
    whole = compare(gold, system, vocabulary=VOCABULARY)
    stretches = compare(gold, system, units, vocabulary=VOCABULARY)
    for name in PLAIN:
        assert count(name, stretches) == count(name, whole), name


@given(text_documents())
def test_no_count_is_negative_and_correct_is_no_more_than_either_total(pair):
    comparison = compare_documents(*pair, vocabulary=VOCABULARY)
    for name, metric in PLAIN.items():
        table = metric.count(comparison)
        assert (table >= 0).all(), name
        columns = dict(zip(metric.fields, table.T, strict=True))
        for part in ("", "_S", "_T", "_I"):
            if f"correct{part}" not in columns:
                continue
            assert (columns[f"correct{part}"] <= columns.get(f"gold{part}", np.inf)).all(), name
            # A token or sentence may run into the next unit, a point may not: unless its token begins with
            # characters that only gold has, in a unit that begins at the same place.
            by_unit = "boundaries" in name and comparison.alignment.lines_equal
            system_total = columns.get(f"system{part}", np.full(len(table), 2**60))
            correct = columns[f"correct{part}"]
            assert (correct <= system_total).all() if by_unit else correct.sum() <= system_total.sum(), name


@pytest.mark.parametrize("name", SYMMETRIC)
@given(two_texts())
def test_swapping_sides_swaps_precision_and_recall(name, pair):
    there, back = both_ways(name, pair)
    assert there["correct"] == back["correct"]
    assert (there["gold"], there["system"]) == (back["system"], back["gold"])


@given(two_texts())
def test_swapping_sides_swaps_labels(pair):
    there, back = both_ways("bio", pair)
    assert there["correct"] == back["correct"]
    for label in "STI":
        assert there[f"correct_{label}"] == back[f"correct_{label}"]
        assert there[f"gold_{label}"] == back[f"system_{label}"]


@given(two_texts())
def test_swapping_sides_keeps_the_distance(pair):
    there, back = both_ways("edit-distance", pair)
    assert there["distance"] == back["distance"]
    assert there["boundary_distance"] == back["boundary_distance"]


@given(two_texts())
def test_labels_are_as_many_as_sentences_and_tokens(pair):
    comparison = compare(pair.gold, pair.system)
    counts = count("bio", comparison)
    for side, document in (("gold", comparison.gold), ("system", comparison.system)):
        assert counts[f"{side}_S"] == document.n_sentences
        assert counts[f"{side}_S"] + counts[f"{side}_T"] == document.n_tokens
        assert sum(counts[f"{side}_{label}"] for label in "STI") == len(document.line)


@given(text_documents())
def test_every_gold_mark_is_judged_whatever_the_system(pair):
    documents, system = pair
    marks = sum(token.count(".") for document in documents for sentence in document for token in sentence)
    assert sum(count("disambiguation", compare_documents(documents, system)).values()) == marks


@given(text_documents())
def test_gold_totals_do_not_depend_on_the_system(pair):
    documents, system = pair
    other = compare_documents(documents, system, vocabulary=VOCABULARY)
    same = compare_documents(documents, [s for d in documents for s in d], vocabulary=VOCABULARY)
    fields = [("oov", "in_gold"), ("oov", "out_gold"), ("edit-distance", "gold"), ("boundaries", "gold")]
    for name, field in fields:
        assert count(name, other)[field] == count(name, same)[field]
    for name in PER_DOCUMENT:
        assert count(name, other)["windows"] == count(name, same)["windows"]
