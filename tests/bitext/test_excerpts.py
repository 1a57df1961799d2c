"""Planted sentences in context: excerpts show exactly what the files have."""

import pytest
from hypothesis import given, strategies as st

import evalign
from bitext.datasets import Split, make_split, write_dataset, write_provenance
from evalign.bitext.dataset import PROVENANCE_FILE
from evalign.errors import CommandError, InputError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Two splits, documents of ten sentences."""
    made = write_dataset(
        tmp_path_factory.mktemp("set"), training=make_split(), development=make_split(30, 8, 2)
    )
    write_provenance(made)
    return made


def read(dataset, split, language):
    lines = dataset.corpus_path(split, language).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines]


def documents(dataset):
    rows = (dataset.folder / PROVENANCE_FILE).read_text(encoding="utf-8").splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t")[3] for row in rows}


@given(number=st.integers(1, 40), context=st.integers(0, 12), seed=st.integers(0, 5))
def test_pairs_are_shown_with_what_stands_around_them(dataset, number, context, seed):
    found = evalign.bitext_excerpts(dataset.folder, number=number, context=context, seed=seed)
    assert len(found) == min(number, 25 + 8)
    homes = documents(dataset)
    for excerpt in found:
        gold = dataset.gold_path(excerpt["split"]).read_text(encoding="utf-8").splitlines()
        assert "\t".join(side["id"] for side in excerpt["sides"]) in gold
        for side in excerpt["sides"]:
            corpus = read(dataset, excerpt["split"], side["language"])
            at = [row[0] for row in corpus].index(side["id"])
            expected = [
                row
                for k, row in enumerate(corpus)
                if abs(k - at) <= context and homes[row[0]] == homes[side["id"]]
            ]
            assert [[line["id"], line["text"]] for line in side["lines"]] == expected
            in_gold = {id for line in gold for id in line.split("\t")}
            assert [line["kind"] == "planted" for line in side["lines"]] == [
                row[0] in in_gold for row in expected
            ]
            assert side["document"] == homes[side["id"]]


def test_a_draw_is_the_same_each_time_and_another_with_another_seed(dataset):
    one = evalign.bitext_excerpts(dataset.folder)
    assert one == evalign.bitext_excerpts(dataset.folder)
    assert len(one) == 5
    assert one != evalign.bitext_excerpts(dataset.folder, seed=1)
    assert {each["split"] for each in evalign.bitext_excerpts(dataset.folder, split="development")} == {
        "development"
    }


def test_ids_bring_their_translations_once(dataset):
    first, second = dataset.gold_path("training").read_text(encoding="utf-8").splitlines()[3].split("\t")
    one = evalign.bitext_excerpts(dataset.folder, first)
    assert (
        one
        == evalign.bitext_excerpts(dataset.folder, second)
        == evalign.bitext_excerpts(dataset.folder, second, first)
    )
    assert [side["id"] for side in one[0]["sides"]] == [first, second]


def test_a_native_sentence_is_shown_alone(dataset):
    planted = dataset.gold_path("training").read_text(encoding="utf-8")
    native = next(row[0] for row in read(dataset, "training", "fr") if row[0] not in planted)
    (found,) = evalign.bitext_excerpts(dataset.folder, native)
    (side,) = found["sides"]
    assert (side["id"], side["after"]) == (native, None)
    assert {line["kind"] for line in side["lines"]} <= {"native", "planted"}


def test_an_id_of_several_pairs_is_in_several_excerpts(tmp_path):
    made = write_dataset(tmp_path, test=Split(["A a.", "B b."], ["C c.", "D d."], [(0, 0), (0, 1)]))
    found = evalign.bitext_excerpts(made.folder, "fr-000000001")
    assert [[side["id"] for side in each["sides"]] for each in found] == [
        ["fr-000000001", "en-000000001"],
        ["fr-000000001", "en-000000002"],
    ]
    assert all(side["document"] is None for each in found for side in each["sides"]), "nothing says it"


def test_without_gold_sentences_are_shown_and_none_is_drawn(tmp_path):
    made = write_dataset(tmp_path, test=Split(["A a.", "B b."], ["C c."], None))
    (found,) = evalign.bitext_excerpts(made.folder, "fr-000000002")
    assert [line["kind"] for line in found["sides"][0]["lines"]] == [None, None]
    with pytest.raises(InputError, match="no gold of test"):
        evalign.bitext_excerpts(made.folder)


def test_where_nothing_is_planted_that_is_said(tmp_path):
    made = write_dataset(tmp_path, test=Split(["A a."], ["C c."], []))
    with pytest.raises(InputError, match="no pair is planted"):
        evalign.bitext_excerpts(made.folder)


@pytest.mark.parametrize(
    ("ids", "options", "told"),
    [
        (["fr-1"], {}, 'id "fr-1"'),
        (["de-000000001"], {}, "an id of fr or en"),
        ([], {"split": "trainig"}, "training"),
        ([], {"number": 0}, "one pair or more"),
        ([], {"context": -1}, "from 0 up"),
    ],
)
def test_what_is_wrong_is_said(dataset, ids, options, told):
    with pytest.raises(CommandError) as raised:
        evalign.bitext_excerpts(dataset.folder, *ids, **options)
    assert told in str(raised.value)


def test_a_sentence_that_is_nowhere(dataset):
    with pytest.raises(InputError, match="no sentence fr-900000000 in training or development"):
        evalign.bitext_excerpts(dataset.folder, "fr-900000000")
