"""A census joined from those of parts answers like a census of the whole document."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

import evalign
from chunks import Chunks, bounds, chunked
from evalign.errors import Place, Remark
from evalign.metrics.census import (
    COUNTED_COLUMNS,
    ColumnCensus,
    has_column,
    join_censuses,
    join_remarks,
    sort_remarks,
    take_census,
)
from evalign.metrics.registry import METRICS
from evalign.readers.formats import read_source
from evalign.text import Text
from evalign.ud_labels import UNFILLED

pytestmark = pytest.mark.once

NEEDS = sorted({name for metric in METRICS.values() for name in metric.needs} | {"labels", "tokens"})


def take(sides):
    """The censuses of gold and a system as they are sent."""
    gold, system = sides
    census = take_census(gold, NEEDS)
    return pickle.loads(pickle.dumps((census, take_census(system, NEEDS, census))))


@given(st.data())
def test_joined_parts_are_the_whole(data):
    chunks = data.draw(chunked(most_systems=1, differing=data.draw(st.booleans())))
    parts = [take(sides) for sides in chunks.parts(data.draw(bounds(chunks)))]
    gold = join_censuses([part[0] for part in parts])
    system = join_censuses([part[1] for part in parts], gold)
    assert (gold, system) == take(chunks.whole())
    if gold.columns and not gold.has_trees:  # of trees, the labels of brackets have an order of their own
        assert [list(gold.columns[name].times) for name in COUNTED_COLUMNS] == [
            getattr(chunks.whole()[0].columns, name).labels for name in COUNTED_COLUMNS
        ]


@given(st.data())
def test_labels_are_those_that_only_the_system_has(data):
    documents = data.draw(chunked(most_systems=1)).whole()
    gold, system = take(documents)
    if not (gold.has_columns and system.has_columns):
        return
    for name in ("lemma", "upos", "xpos", "deprel"):
        ours, theirs = (
            [column.labels[number] for number in column.ids.tolist()]
            for column in (getattr(document.columns, name) for document in documents)
        )
        counted = set(ours + theirs) if name in COUNTED_COLUMNS else {UNFILLED}
        assert gold.columns[name].times == {label: ours.count(label) for label in counted & set(ours)}
        lacking = counted & set(theirs) - set(ours)
        assert system.columns[name].times == {label: theirs.count(label) for label in lacking}
        assert system.columns[name].linenos == {
            label: tuple(
                int(documents[1].columns.linenos[k]) for k, other in enumerate(theirs) if other == label
            )[:5]
            for label in lacking
        }


@given(st.data())
def test_a_column_is_filled_in_the_document_as_in_its_census(data):
    document = data.draw(chunked(most_systems=1)).whole()[0]
    census = take_census(document, NEEDS)
    assert [has_column(document, name) for name in NEEDS] == [census.has(name) for name in NEEDS]
    assert all(census.may_have(name) for name in NEEDS if census.has(name))


def test_lemmas_do_not_travel():
    rows = "".join(f"{k}\tw{k}\tlemma{k}\tX\t_\t_\t0\troot\t_\t_\n" for k in range(1, 200)) + "\n"
    census = take_census(read_source(Text(rows), "conllu"), NEEDS)
    assert census.columns["lemma"] == ColumnCensus(is_filled=True)
    assert b"lemma7" not in pickle.dumps(census)


def test_the_first_lines_of_labels_that_only_the_system_has():
    rows = "".join(f"{k + 1}\tw\t_\tT{k % 9}\t_\t_\t0\troot\t_\t_\n" for k in range(54)) + "\n"
    gold, system = (
        read_source(Text(text), "conllu") for text in (rows.replace("\tT", "\tt").replace("t8", "T8"), rows)
    )
    column = take_census(system, ["upos"], take_census(gold, ["upos"])).columns["upos"]
    assert column.times == {f"T{k}": 6 for k in range(8)}
    assert column.linenos == {f"T{k}": tuple(range(k + 1, 46, 9)) for k in range(8)}


def test_columns_that_are_not_asked_for_are_not_read():
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError(name)

    document = read_source(Text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n"), "conllu")
    document = replace(document, columns=Untouchable())
    census = take_census(document, ["trees", "tokens"])
    assert (census.has_columns, census.columns) == (True, {})
    assert census.find_lacking(["trees", "tokens"]) == ["trees"]
    assert evalign.score(document, document, metrics=["tokens"])["tokens"].f1 == 1
    with pytest.raises(AssertionError, match="upos"):
        evalign.score(document, document, metrics=["tokens", "upos"])


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
    assert sort_remarks((late, nowhere, early)) == (nowhere, early, late)


def test_a_part_without_words_lacks_nothing_and_fills_nothing():
    chunks = Chunks(("conllu",) * 2, (("", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n"),) * 2)
    empty, filled = (take(sides)[0] for sides in chunks.parts([0, 1, 2]))
    assert (empty.n_words, empty.find_lacking(["upos", "head"])) == (0, [])
    assert join_censuses([empty, filled]).find_lacking(["upos", "head", "deps"]) == ["head", "deps"]
    assert (empty.columns["head"].is_filled, filled.columns["upos"].is_filled) == (False, True)
