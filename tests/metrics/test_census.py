"""A census joined from those of parts answers like a census of the whole document."""

import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from chunks import Chunks, bounds, chunked
from evalign.errors import Place, Remark
from evalign.metrics.census import (
    KEPT_COLUMNS,
    LABEL_COLUMNS,
    MOST_SCANS,
    LabelUse,
    LiveCensus,
    TakenColumnCensus,
    census_has,
    find_lacking,
    freeze,
    has_column,
    join_censuses,
    join_remarks,
    may_have,
    sort_remarks,
    take_census,
)
from evalign.metrics.registry import METRICS
from evalign.readers.formats import read_source
from evalign.text import Text
from evalign.ud_labels import UNFILLED

pytestmark = pytest.mark.once

NEEDS = sorted({name for metric in METRICS.values() for name in metric.needs} | {"labels", "tokens"})
SIZES = ("n_characters", "n_sentences", "n_tokens", "n_words")
KINDS = ("has_columns", "has_trees", "has_spans")


def take(sides):
    """Gold and a system as they are sent."""
    gold, system = map(LiveCensus, sides)
    taken = freeze(gold, NEEDS), freeze(system, NEEDS, gold)
    return pickle.loads(pickle.dumps(taken))


def use(labels, label):
    return labels.times(label), labels.linenos(label)


@given(st.data())
def test_joined_parts_answer_as_the_whole(data):
    chunks = data.draw(chunked(most_systems=1, differing=data.draw(st.booleans())))
    cuts = data.draw(bounds(chunks))
    parts = [take(sides) for sides in chunks.parts(cuts)]
    gold = join_censuses([part[0] for part in parts])
    system = join_censuses([part[1] for part in parts], gold)
    for joined, document in zip((gold, system), chunks.whole(), strict=True):
        live = LiveCensus(document)
        for name in ("name", "format", *SIZES, *KINDS):
            assert getattr(joined, name) == getattr(live, name)
        assert [census_has(joined, name) for name in NEEDS] == [census_has(live, name) for name in NEEDS]
        assert all(may_have(joined, name) for name in NEEDS if census_has(joined, name))
        assert list(joined.remarks) == list(live.remarks)
        assert list(joined.tree_remarks) == list(live.tree_remarks)
        assert list(joined.edge_remarks) == list(live.edge_remarks)
    if gold.has_columns:
        assert gold.version == LiveCensus(chunks.whole()[0]).version


@given(st.data())
def test_labels_that_gold_lacks_are_those_of_the_whole(data):
    chunks = data.draw(chunked(most_systems=1))
    documents = [LiveCensus(document) for document in chunks.whole()]
    parts = [take(sides) for sides in chunks.parts(data.draw(bounds(chunks)))]
    gold = join_censuses([part[0] for part in parts])
    system = join_censuses([part[1] for part in parts], gold)
    if not (gold.has_columns and system.has_columns):
        return
    for name in LABEL_COLUMNS:
        ours, theirs = (document.column(name) for document in documents)
        assert (gold.column(name).is_filled, system.column(name).is_filled) == (
            ours.is_filled,
            theirs.is_filled,
        )
        if name == "feats":
            continue
        kept = [label for label in ours.labels if name in KEPT_COLUMNS or label == UNFILLED]
        if documents[0].document.trees is None:  # of trees, the labels of brackets have an order of their own
            assert list(gold.column(name).labels) == kept
        assert {label: gold.column(name).times(label) for label in kept} == {
            label: ours.times(label) for label in kept
        }
        lacking = {label for label in theirs.labels if name in KEPT_COLUMNS or label == UNFILLED} - set(
            ours.labels
        )
        assert {label: use(system.column(name), label) for label in lacking} == {
            label: use(theirs, label) for label in lacking
        }
        assert set(system.column(name).labels) == lacking


def test_lemmas_do_not_travel():
    rows = "".join(f"{k}\tw{k}\tlemma{k}\tX\t_\t_\t0\troot\t_\t_\n" for k in range(1, 200)) + "\n"
    document = read_source(Text(rows), "conllu")
    assert freeze(LiveCensus(document), NEEDS).column("lemma") == TakenColumnCensus(True, {})
    assert b"lemma7" not in pickle.dumps(freeze(LiveCensus(document), NEEDS))


@pytest.mark.parametrize("n", [MOST_SCANS, MOST_SCANS + 1])
def test_the_first_lines_of_few_and_of_many_labels(n):
    rows = "".join(f"{k + 1}\tw\t_\tT{k % n}\t_\t_\t0\troot\t_\t_\n" for k in range(6 * n)) + "\n"
    gold, system = (
        LiveCensus(read_source(Text(text), "conllu")) for text in (rows.replace("\tT", "\tt"), rows)
    )
    found = freeze(system, ["upos"], gold).column("upos")
    assert found.uses == {f"T{k}": LabelUse(6, tuple(range(k + 1, 5 * n + 1, n))) for k in range(n)}


def test_columns_that_are_not_asked_for_are_not_read():
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError(name)

    document = read_source(Text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), "conllu")
    object.__setattr__(document, "columns", Untouchable())
    taken = freeze(LiveCensus(document), ["trees", "tokens"])
    assert (taken.has_columns, dict(taken.columns), taken.tree_remarks) == (True, {}, ())
    assert find_lacking(document, ["trees", "tokens", "feats"]) == ["trees"]


def test_a_census_is_taken_once():
    document = read_source(Text("a b\n"), "plain")
    live = take_census(document)
    assert take_census(live) is live
    taken = freeze(live, ())
    assert freeze(taken, NEEDS) is taken
    assert [has_column(each, "upos") for each in (document, live, taken)] == [False] * 3


def test_remarks_of_one_kind_are_one():
    one = Remark("failed-parse", "no word", 4, tuple(Place("f", k) for k in (2, 3, 5, 7)))
    two = Remark("failed-parse", "no word", 3, tuple(Place("f", k) for k in (11, 12, 13)))
    note = Remark("empty-form", "white space", 2, (Place("f", 1),))
    joined = join_remarks([(one,), (), (two, note._replace(places=(Place("f", 14),)))])
    assert joined == (
        Remark("failed-parse", "no word", 7, (*one.places, Place("f", 11))),
        note._replace(places=(Place("f", 14),)),
    )
    assert join_remarks([(note,), (note._replace(places=(Place("f", 9),)),)]) == (note._replace(times=4),)


def test_remarks_come_in_the_order_of_the_text():
    late, early = (Remark("kind", message, 1, (Place("f", k),)) for message, k in (("late", 9), ("early", 2)))
    nowhere = Remark("kind", "nowhere", 1, ())
    assert list(sort_remarks((late, nowhere, early))) == [nowhere, early, late]


def test_a_part_without_words_lacks_nothing_and_fills_nothing():
    chunks = Chunks(("conllu",) * 2, (("", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n"),) * 2)
    empty, filled = (take(sides)[0] for sides in chunks.parts([0, 1, 2]))
    assert (empty.n_words, find_lacking(empty, ["upos", "head"])) == (0, [])
    assert find_lacking(join_censuses([empty, filled]), ["upos", "head", "deps"]) == ["head", "deps"]
    assert np.array_equal([empty.has_heads, filled.column("upos").is_filled], [False, True])
