"""Spans of stand-off tables: the number that both tables have, whatever their order."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.document import Document, Spans
from evalign.errors import CommandError
from evalign.metrics.comparison import Units
from evalign.metrics.counts import Counts
from evalign.metrics.errors.breakdowns import break_down, find_kinds
from evalign.metrics.registry import span_metric
from evalign.metrics.spans import count_spans, is_name
from evalign.readers.content import load
from evalign.readers.formats import read_source
from evalign.readers.raw_files import read_raw
from evalign.text import Text
from metrics.comparisons import compare

RAW = "Ada met Bob\nin Paris .\n"


def read(rows, raw=RAW):
    table = "".join(f"{start}\t{end}\t{label}\n" for start, end, label in rows)
    return read_source(Text(table), "standoff", raws=[read_raw(load(Text(raw)))])


def total(comparison):
    return count_spans(comparison).sum(axis=0).tolist()


VECTORS = [
    # why, gold, system, correct
    ("the same", [(0, 3, "a"), (8, 11, "b")], [(8, 11, "b"), (0, 3, "a")], 2),
    ("another label", [(0, 3, "a")], [(0, 3, "b")], 0),
    ("another end", [(0, 3, "a")], [(0, 7, "a")], 0),
    ("white space aside", [(0, 3, "a")], [(0, 4, "a")], 1),
    ("nested and crossing", [(0, 7, "a"), (4, 11, "a"), (0, 11, "a")], [(4, 11, "a"), (0, 11, "a")], 2),
    ("as often as both have it", [(0, 3, "a")] * 3, [(0, 3, "a")] * 2, 2),
    ("two labels in one place", [(0, 3, "a"), (0, 3, "b")], [(0, 3, "b"), (0, 3, "b")], 1),
    ("zero length", [(3, 3, "a"), (4, 4, "a")], [(3, 4, "a")], 1),
    ("zero length is another span than its neighbour", [(0, 0, "a")], [(0, 3, "a")], 0),
    ("nothing", [], [], 0),
    ("nothing found", [(0, 3, "a")], [], 0),
]


@pytest.mark.parametrize(("gold", "system", "correct"), [r[1:] for r in VECTORS], ids=[r[0] for r in VECTORS])
def test_correct_spans(gold, system, correct):
    assert total(compare(read(gold), read(system)))[:3] == [correct, len(gold), len(system)]
    assert total(compare(read(system), read(gold)))[:3] == [correct, len(system), len(gold)]


def test_spans_are_counted_in_the_unit_they_start_in():
    gold, system = read([(0, 3, "a"), (8, 17, "a"), (15, 20, "b")]), read([(8, 17, "a"), (15, 20, "c")])
    units = Units("stretch", np.array([0, 3], np.int32), ["one", "two"])
    table = count_spans(compare(gold, system, units))
    assert table[:, :3].tolist() == [[1, 2, 1], [0, 1, 1]]
    assert table.dtype == np.int64


def test_counts_per_label_add_up():
    gold = read([(0, 3, "person"), (8, 11, "person"), (15, 20, "place")])
    system = read([(0, 3, "person"), (8, 11, "place"), (15, 20, "place")])
    comparison = compare(gold, system)
    assert find_kinds(comparison) == ["label"]
    assert break_down(comparison, "label") == {"person": Counts(1, 2, 1), "place": Counts(1, 1, 2)}


def test_a_table_and_something_else_have_no_spans_in_common():
    plain = [["Ada", "met", "Bob"], ["in", "Paris", "."]]
    for pair in ((read([]), plain), (plain, read([]))):
        with pytest.raises(CommandError, match="is not a stand-off table"):
            count_spans(compare(*pair))
    with pytest.raises(CommandError, match="breakdown by label not available"):
        break_down(compare(plain, plain), "label")


def test_two_texts_have_no_spans_in_common():
    with pytest.raises(CommandError, match="tables of two texts"):
        count_spans(compare(read([]), read([], "Another text .\n")))


def test_where_one_text_ends_and_another_begins_are_two_places():
    texts = [read_raw(load(Text(text, name))) for name, text in (("one", "a"), ("two", "b"))]
    sides = [
        read_source(Text(f"{at}\t{at}\tx\t{name}\n"), "standoff", raws=texts)
        for at, name in ((1, "one"), (0, "two"))
    ]
    assert sides[0].spans.starts.tolist() == sides[1].spans.starts.tolist()
    assert total(compare(*sides))[:3] == [0, 1, 1]


@pytest.mark.parametrize(
    ("name", "good"),
    [("entities", True), ("named-entities", True), ("np2", True), ("", False), ("A", False), ("a b", False),
     ("-a", False), ("a-", False), ("ä", False), ("a\n", False)],
)  # fmt: skip
def test_names_of_layers(name, good):
    assert is_name(name) == good


def test_a_layer_has_the_name_it_is_given():
    metric = span_metric("entities")
    assert (metric.name, metric.headline, metric.fields[:3]) == (
        "entities",
        "f1",
        ("correct", "gold", "system"),
    )
    assert isinstance(read([]), Document)
    assert isinstance(read([]).spans, Spans)


def spans():
    return st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from("ab")).map(
            lambda row: (min(row[:2]), max(row[:2]), row[2])
        ),
        max_size=12,
    )


@given(spans(), spans())
def test_correct_is_the_multiset_intersection(gold, system):
    raw = "abcdef"
    comparison = compare(read(gold, raw), read(system, raw))
    expected = (Counter(gold) & Counter(system)).total()
    assert total(comparison) == [expected, len(gold), len(system), expected, expected]
    rows = break_down(comparison, "label")
    assert sum(row.correct for row in rows.values()) == expected
    assert {label: row.gold for label, row in rows.items() if row.gold} == Counter(row[2] for row in gold)


@given(spans())
def test_a_table_against_itself_is_perfect(rows):
    assert total(compare(read(rows, "abcdef"), read(rows[::-1], "abcdef")))[0] == len(rows)
