"""All statistics of a data set."""

import json
import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from bitext.datasets import Split, make_split, write_dataset, write_provenance
from evalign.bitext.languages import Language
from evalign.bitext.statistics.comparability import DocumentSources
from evalign.bitext.statistics.dataset_statistics import (
    DECILES,
    GenreCounts,
    bitext_statistics,
    collect_statistics,
    read_statistics,
    share_genres,
    summarize_lengths,
)
from evalign.bitext.statistics.schema import STATISTICS_FILE, STATISTICS_SCHEMA, PlantingCounts, Statistics
from evalign.errors import InputError
from evalign.files import write_json
from evalign.results.shapes import check_shape
from oracles.bitext_statistics import quantile

PLANTING = PlantingCounts(offered=40, fitting=30, first_found=28, second_found=27, planted=25)


@pytest.fixture
def dataset(tmp_path):
    """A training set with gold, a test set with less of it."""
    found = write_dataset(tmp_path / "d", training=make_split(), test=make_split(40, 3, 2))
    write_provenance(found)
    return found


def full(dataset, **changed):
    """Statistics as a build asks for them."""
    given = {
        "stages": {"read": {"fr": {"documents": 5}, "en": {"documents": 6}, "pairs": {"pairs": 40}}},
        "planting": {"training": PLANTING},
        "lengths_before": {"fr": {3: 5, 12: 60}, "en": {40: 2, 11: 9}},
        "genres": {"fr": {"news": GenreCounts(2, 20), "": GenreCounts(1, 3)}, "en": {"": GenreCounts(1, 1)}},
        "sources": {
            code: DocumentSources([("p", ["Bon pain."])], [("n", ["Bon vin."]), ("m", ["Mauvais pain."])])
            for code in ("fr", "en")
        },
        "seed": 7,
    }
    return collect_statistics(dataset, **{**given, **changed})


def walk(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)
    else:
        yield value


def test_table_2_counts_sentences_and_pairs(dataset):
    found = collect_statistics(dataset)
    assert [*found["splits"]] == ["training", "test"]
    assert found["splits"]["training"] == {
        "sentences": {"fr": 60, "en": 60}, "gold": 25, "planted": {"fr": 25, "en": 25},
    }  # fmt: skip
    assert found["splits"]["test"]["gold"] == 3


def test_a_sentence_in_two_pairs_is_planted_once(tmp_path):
    dataset = write_dataset(tmp_path / "d", training=Split(["Un."] * 3, ["One."] * 3, [(0, 0), (0, 1)]))
    found = collect_statistics(dataset)["splits"]["training"]
    assert found["gold"] == 2
    assert found["planted"] == {"fr": 1, "en": 2}


def test_lengths_after_are_of_native_and_planted_sentences(tmp_path):
    split = Split(["un deux trois .", "un deux .", "un ."], ["one two three", "one two", "one"], [(0, 0)])
    found = collect_statistics(write_dataset(tmp_path / "d", training=split))["lengths"]["fr"]
    assert found["unit"] == "words"
    assert found["before"] is None
    assert found["native"]["histogram"] == {"1": 1, "2": 1}
    assert found["planted"]["histogram"] == {"3": 1}


def test_a_build_says_the_rest(dataset):
    found = full(dataset)
    assert found["stages"]["read"]["en"] == {"documents": 6}
    assert found["planting"] == {"training": PLANTING}
    assert found["lengths"]["en"]["before"]["sentences"] == 11
    assert [*found["genres"]] == ["fr"]
    assert found["seed"] == 7
    assert found["comparability"].keys() == {"fr", "en"}
    assert found["missing"] == {}


def test_statistics_are_json_of_their_shape_without_any_nan(dataset, tmp_path):
    for found in (full(dataset), collect_statistics(dataset)):
        check_shape(found, Statistics)
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        assert all(math.isfinite(value) for value in walk(found) if isinstance(value, float))
        write_json(tmp_path / STATISTICS_FILE, found)
        assert read_statistics(tmp_path / STATISTICS_FILE) == found


def test_where_the_build_says_nothing_the_reason_is_told(dataset):
    found = collect_statistics(dataset)
    assert found["missing"].keys() == {"stages", "planting", "lengths before", "comparability", "genres"}
    assert found["planting"] is None
    assert found["stages"] == {}


def test_without_gold_nothing_is_told_planted(tmp_path):
    hidden = make_split()
    hidden.gold = None
    dataset = write_dataset(tmp_path / "d", training=make_split(seed=2), test=hidden)
    found = collect_statistics(dataset)
    assert found["splits"]["test"] == {"sentences": {"fr": 60, "en": 60}, "gold": None, "planted": None}
    assert found["missing"]["gold of test"].startswith("there is no fr-en.test.gold")
    assert found["lengths"]["fr"]["native"]["sentences"] == 35
    assert found["detectability"]["fr"]["planted"] == 25


def test_without_any_gold_there_is_still_table_2(tmp_path):
    hidden = make_split()
    hidden.gold = None
    found = collect_statistics(write_dataset(tmp_path / "d", test=hidden))
    check_shape(found, Statistics)
    assert found["lengths"]["fr"]["native"] is None
    assert found["detectability"] == {"fr": None, "en": None}
    assert found["missing"]["detectability of fr"].startswith("0 planted and 0 native sentences")


def test_a_mark_on_planted_sentences_is_seen_in_both_languages(tmp_path):
    dataset = write_dataset(tmp_path / "d", training=make_split(mark="– "))
    found = collect_statistics(dataset)["detectability"]
    assert all(found[code]["auc"] > 0.95 for code in ("fr", "en"))


@pytest.mark.issue(28)
def test_the_sentence_before_gives_planted_sentences_away(tmp_path):
    """Every planted sentence follows one with its first five words, but for that one like any other."""
    rng = random.Random(3)
    words = [f"{a}{b}" for a in "bdfglmnprst" for b in ("ara", "ono", "ilu", "eke", "uso", "ami")]
    sides = []
    for _ in ("fr", "en"):
        natives = [rng.sample(words, 14) for _ in range(120)]
        planted = [[*native[:5], *rng.sample(words, 9)] for native in natives[:60]]
        text = [" ".join(words) for pair in zip(natives, planted, strict=False) for words in pair]
        sides.append(text + [" ".join(words) for words in natives[60:]])
    gold = [(2 * k + 1, 2 * k + 1) for k in range(60)]
    dataset = write_dataset(tmp_path / "d", training=Split(*sides, gold))
    for found in collect_statistics(dataset)["detectability"].values():
        assert 0.4 < found["auc"] < 0.6
        assert found["context"]["auc"] > 0.95
        assert found["context"]["features"][0]["name"] == "share of first words in the sentence before"
        assert found["context"]["chance"] == found["chance"]


@pytest.mark.issue(28)
def test_parts_of_texts_are_not_compared(dataset, tmp_path):
    """The files of a data set have only some sentences of a document, and no text of the others."""
    other = write_dataset(tmp_path / "other", training=make_split())
    for each in (dataset, other):
        found = collect_statistics(each)
        assert found["comparability"] is None
        assert "whole texts" in found["missing"]["comparability"]


@pytest.mark.issue(28)
def test_documents_that_are_given_are_compared(dataset):
    sources = {"fr": DocumentSources([("a", ["un deux"])], [("b", ["trois quatre"]), ("c", ["cinq"])])}
    found = full(dataset, sources=sources)["comparability"]
    assert found.keys() == {"fr"}
    assert found["fr"]["native_documents"] == 2


def test_settings_of_a_language_are_those_given(dataset):
    characters = {"fr": Language("fr", "characters")}
    found = full(dataset, languages=characters)["lengths"]
    assert found["fr"]["unit"] == "characters"
    assert found["en"]["unit"] == "words"


def test_a_language_nobody_knows_is_counted_in_words(tmp_path):
    split = Split(["ek do teen"], ["one two three"], [])
    dataset = write_dataset(tmp_path / "d", pair="qqq-en", training=split)
    found = collect_statistics(dataset)
    assert found["pair"] == "qqq-en"
    assert found["lengths"]["qqq"]["native"]["mean"] == 3


def test_progress_names_the_files(dataset):
    told = []
    collect_statistics(dataset, progress=told.append)
    assert "counting fr-en.training.fr" in told


def test_a_gold_pair_of_no_sentence_is_refused_with_its_line(tmp_path):
    split = Split(["Un."], ["One."], [(0, 0), (7, 0), (8, 0)])
    dataset = write_dataset(tmp_path / "d", training=split)
    with pytest.raises(InputError, match=r"gold:2: fr-000000008 is not in .*\.fr, nor is another one"):
        collect_statistics(dataset)


def test_gold_of_other_languages_is_refused(tmp_path):
    dataset = write_dataset(tmp_path / "d", training=Split(["Un."], ["One."], []))
    dataset.gold_path("training").write_text("en-000000001\tfr-000000001\n")
    with pytest.raises(InputError, match="columns are swapped"):
        collect_statistics(dataset)


def test_saved_statistics_are_shown_as_they_are(dataset):
    saved = full(dataset)
    write_json(dataset.folder / STATISTICS_FILE, saved)
    assert bitext_statistics(dataset.folder) == saved


def test_a_folder_without_statistics_is_counted(dataset):
    found = bitext_statistics(dataset.folder, seed=3)
    assert found == collect_statistics(dataset, seed=3)


def test_statistics_of_another_data_set_in_the_folder_are_left_alone(dataset):
    write_json(dataset.folder / STATISTICS_FILE, full(dataset))
    write_dataset(dataset.folder, pair="de-en", training=make_split(30, 5, 3))
    (dataset.folder / "provenance.tsv").unlink()
    assert bitext_statistics(dataset.folder, "de-en")["splits"]["training"]["gold"] == 5
    assert bitext_statistics(dataset.folder, "fr-en")["stages"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "damaged: not JSON at line 1"),
        ('{"schema": 1,\n', "damaged: not JSON at line 2"),
        ("[1]", "JSON of something else: a list"),
        ('{"schema": 1}', "JSON of something else: an object"),
        ('{"kind": "bitext-statistics", "schema": 2}', "schema 2\n  expected schema 1\n  a newer evalign"),
        ('{"kind": "bitext-statistics", "schema": 1}', 'damaged: all of it: no "'),
        ("[" * 100_000, "damaged: JSON that evalign never writes"),
        (
            f'{{"kind": "bitext-statistics", "schema": {"9" * 5000}}}',
            "damaged: JSON that evalign never writes",
        ),
    ],
)
def test_statistics_that_are_damaged_or_of_another_version(dataset, text, told):
    (dataset.folder / STATISTICS_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        bitext_statistics(dataset.folder)
    assert told in str(caught.value)
    assert STATISTICS_FILE in str(caught.value)


@pytest.mark.parametrize("value", ["many", float("nan"), None, 1.5])
def test_statistics_of_another_shape(dataset, value):
    saved = full(dataset)
    saved["splits"]["training"]["sentences"]["fr"] = value
    (dataset.folder / STATISTICS_FILE).write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(InputError, match=r"damaged: splits.training.sentences.fr: "):
        read_statistics(dataset.folder / STATISTICS_FILE)


def test_a_key_of_a_later_version_is_left_alone(dataset):
    saved = {**full(dataset), "later": 1}
    write_json(dataset.folder / STATISTICS_FILE, saved)
    assert read_statistics(dataset.folder / STATISTICS_FILE) == saved
    assert saved["schema"] == STATISTICS_SCHEMA


def test_a_build_that_is_not_finished_has_no_statistics(dataset):
    (dataset.folder / ".build").mkdir()
    with pytest.raises(InputError, match="a build that is not finished"):
        bitext_statistics(dataset.folder)
    (dataset.folder / "dataset.json").write_text("{}")
    assert bitext_statistics(dataset.folder)["pair"] == "fr-en"


def test_a_folder_of_something_else_is_none(tmp_path):
    with pytest.raises(InputError, match="no data set"):
        bitext_statistics(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        bitext_statistics(tmp_path / "x")


# Genres of documents.


def test_the_most_common_genre_comes_first_and_equal_ones_by_name():
    found = share_genres(
        {"news": GenreCounts(2, 30), "essay": GenreCounts(5, 10), "blog": GenreCounts(2, 10)}
    )
    assert [row["genre"] for row in found] == ["essay", "blog", "news"]
    assert [row["sentence_share"] for row in found] == [0.2, 0.2, 0.6]
    assert sum(row["document_share"] for row in found) > 0.999


def test_documents_without_any_genre_make_no_table():
    assert share_genres({"": GenreCounts(5, 10)}) == []
    assert share_genres({}) == []


def test_documents_of_nothing_have_no_share():
    assert share_genres({"news": GenreCounts(0, 0)})[0]["document_share"] == 0


# Lengths of sentences.


@given(st.lists(st.integers(0, 40), min_size=1, max_size=40))
def test_deciles_are_those_of_the_lengths_written_out(lengths):
    found = summarize_lengths(Counter(lengths))
    assert found["sentences"] == len(lengths)
    assert found["mean"] == round(sum(lengths) / len(lengths), 6)
    assert found["median"] == float(quantile(lengths, Fraction(1, 2)))
    expected = [float(quantile(lengths, Fraction(k, 10))) for k in range(1, 10)]
    assert [round(value, 5) for value in found["deciles"]] == [round(value, 5) for value in expected]
    assert len(DECILES) == 9


def test_a_histogram_is_in_the_order_of_lengths_and_has_no_empty_place():
    found = summarize_lengths({20: 1, 3: 2, 11: 0})
    assert list(found["histogram"].items()) == [("3", 2), ("20", 1)]


def test_no_sentence_has_no_length():
    assert summarize_lengths({}) is None
    assert summarize_lengths({10: 0}) is None


def test_millions_of_sentences_are_not_written_out():
    found = summarize_lengths({10: 10**12, 20: 10**12 + 1})
    assert found["deciles"][0] == 10.0
    assert found["median"] == found["deciles"][-1] == 20.0
