"""Statistics of data sets as tables."""

import csv
import io
import json

import pytest

from bitext.datasets import Split, make_split, write_dataset
from evalign.bitext.statistics.comparability import DocumentSources
from evalign.bitext.statistics.dataset_statistics import GenreCounts, collect_statistics
from evalign.bitext.statistics.schema import PlantingCounts
from evalign.reports.bitext import report_review, report_statistics
from evalign.reports.formats import render_report
from evalign.results.pairing import Review
from evalign.wording import width_of

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")
# Shares and counts that are easy to see in a table.
PLANTING = PlantingCounts(offered=40, fitting=30, first_found=28, second_found=27, planted=25)
TEXTS = ["Good soup, good bread.", "Good soup in the harbour.", "A boat in the harbour."]


@pytest.fixture(scope="module")
def statistics(tmp_path_factory):
    """Of a data set that a build has told all of."""
    splits = {"training": make_split(), "test": make_split(40, 10, 2)}
    dataset = write_dataset(tmp_path_factory.mktemp("d"), **splits)
    return collect_statistics(
        dataset,
        {
            "read": {
                "fr": {"documents": 1234567, "sentences": 5},
                "en": {"documents": 6},
                "pairs": {"pairs": 40},
            },
            "filter": {"fr": {"too short": 3}},
        },
        planting={"training": PLANTING, "test": PlantingCounts(**PLANTING, known=2, untranslated=1)},
        lengths_before={"fr": {1: 5, 12: 60, 300: 1}, "en": {11: 9}},
        genres={"fr": {"hard_news & co": GenreCounts(3, 20), "": GenreCounts(1, 5)}},
        sources={
            code: DocumentSources([("p", TEXTS[:1])], [("n", TEXTS[1:]), ("m", TEXTS)])
            for code in ("fr", "en")
        },
        seed=7,
    )


def render(statistics, format="table", **settings):
    return render_report(report_statistics(statistics, shapes=format == "table"), format, **settings)


def lines_of(text, title):
    """The lines of the table under a title."""
    return text[text.index(title) :].split("\n\n")[0].splitlines()


def test_table_2_has_counts_and_percentages(statistics):
    rows = [line.split() for line in lines_of(render(statistics), "Sentences, gold pairs")[1:]]
    assert rows[0] == ["fr", "en", "gold", "fr", "planted", "en", "planted"]
    assert rows[1] == ["training", "60", "60", "25", "41.67", "41.67"]
    assert rows[2] == ["test", "40", "40", "10", "25.00", "25.00"]


def test_stages_have_a_column_for_each_language_and_one_for_pairs(statistics):
    lines = lines_of(render(statistics), "What each stage")
    assert lines[1].split() == ["fr", "en", "pairs"]
    assert lines[2:4] == ["read", f"  documents  {'1,234,567':>9}   6"]
    assert lines[6].strip() == "filter"
    assert lines[7].split() == ["too", "short", "3"]


def test_planting_has_what_some_build_has_counted(statistics):
    rows = [line.split() for line in lines_of(render(statistics), "Pairs offered")[1:]]
    assert rows[1] == ["training", "40", "30", "-", "-", "28", "27", "25", "62.50"]
    assert rows[2] == ["test", "40", "30", "1", "2", "28", "27", "25", "62.50"]


def test_lengths_are_drawn_between_the_lengths_of_nearly_all(statistics):
    lines = lines_of(render(statistics), "Length of sentences")
    assert lines[2].strip() == "fr, in words"
    assert lines[3].split()[:3] == ["as", "read", "66"]
    assert "█" in lines[3]
    assert lines[4].split()[0] == "native"
    assert lines[4].split()[-3] == "10"
    assert lines[4].split()[-1] == "20"


def test_one_length_alone_is_one_bar(statistics):
    lines = lines_of(render(statistics), "en, in words")
    assert lines[1].endswith("11 █ 11")


def test_bars_are_left_to_the_terminal(statistics):
    for format in FORMATS[1:]:
        assert not set("▁▂▃▄▅▆▇█") & set(render(statistics, format))


def test_genres_are_percentages(statistics):
    rows = [line.split() for line in lines_of(render(statistics), "Genres of documents")[2:]]
    assert rows[1] == ["hard_news", "&", "co", "3", "75.00", "20", "80.00"]
    assert rows[2] == ["(none)", "1", "25.00", "5", "20.00"]


def test_detectability_says_what_chance_would_be(statistics):
    found = statistics["detectability"]["fr"]
    line = lines_of(render(statistics), "Detectability")[2]
    assert f"{found['auc']:.3f}" in line
    assert f"{found['chance'][0]:.3f}–{found['chance'][1]:.3f}" in line
    assert f"{100 * found['accuracy']:.2f}" in line


AREAS = [
    # AUC of form, of context (None as older builds saved it), what is said
    (0.75, 0.75, "planted sentences can be told by their form and by their context"),
    (0.75, 0.5, "planted sentences can be told by their form\n"),
    (0.5, 0.75, "planted sentences can be told by their context\n"),
    (0.25, 0.75, "planted sentences can be told by their context\n"),
    (0.5, 0.5, "they are hidden, as far as form and the sentence before go"),
    (0.5, 0.25, "less than chance, which only a small sample does"),
    (0.25, 0.5, "less than chance, which only a small sample does"),
    (0.75, None, "planted sentences can be told by their form\n"),
    (0.5, None, "no more than chance; whether the sentence before tells them was not looked at"),
    (0.25, None, "less than chance, which only a small sample does"),
]


@pytest.mark.issue(28)
@pytest.mark.parametrize(("form", "context", "told"), AREAS)
def test_detectability_is_said_in_words(statistics, form, context, told):
    found = {**statistics["detectability"]["fr"], "auc": form, "chance": [0.4, 0.6]}
    times = f"fr: form tells a planted from a native sentence {100 * form:.1f} times in 100"
    if context is None:
        del found["context"]
    else:
        found["context"] = {**found["context"], "auc": context}
        times += f", context {100 * context:.1f} times"
    said = render({**statistics, "detectability": {"fr": found}}, columns=200)
    assert f"{times}, where chance gives 40.0 to 60.0: {told}" in said
    assert ("they are hidden" in said) is (form == context == 0.5)


@pytest.mark.issue(28)
def test_context_has_a_row_and_its_features(statistics):
    text = render(statistics)
    rows = [line.split()[:2] for line in lines_of(text, "Detectability")[2:]]
    assert rows == [["fr", "form"], ["fr", "context"], ["en", "form"], ["en", "context"]]
    for name in ("share of first words", "share of content words", "length ratio"):
        assert text.count(f"{name} ") in (1, 2)
    rows = list(csv.DictReader(io.StringIO(render(statistics, "csv"))))
    found = {tuple(list(row.values())[:-1]): row["value"] for row in rows}
    context = statistics["detectability"]["en"]["context"]
    assert found["detectability", "", "en", "context", "auc"] == str(context["auc"])


@pytest.mark.parametrize("columns", [80, 120])
def test_nothing_is_wider_than_the_terminal_but_the_signature(statistics, columns):
    lines = render(statistics, columns=columns).splitlines()
    assert max(width_of(line) for line in lines if not line.startswith("signature")) <= columns
    assert lines[-1].endswith("|bitext:fr-en|seed:7")


def test_json_is_what_is_saved(statistics):
    assert json.loads(render(statistics, "json")) == statistics


def test_csv_has_every_number_with_ratios_from_0_to_1(statistics):
    rows = list(csv.DictReader(io.StringIO(render(statistics, "csv"))))
    found = {tuple(list(row.values())[:-1]): row["value"] for row in rows}
    assert len(found) == len(rows)
    assert found["splits", "training", "", "", "gold"] == "25"
    assert found["stages", "", "fr", "filter", "too short"] == "3"
    assert found["planting", "test", "", "", "known"] == "2"
    assert found["genres", "", "fr", "hard_news & co", "document_share"] == "0.75"
    assert found["histogram", "", "fr", "as read", "300"] == "1"
    assert found["detectability", "", "en", "form", "auc"] == str(statistics["detectability"]["en"]["auc"])
    assert all(
        0 <= float(value) <= 1 for key, value in found.items() if key[-1] in ("auc", "accuracy", "median")
    )


def test_what_stands_in_a_page_is_no_markup_of_its_own(statistics):
    assert r"hard\_news \& co" in render(statistics, "latex")
    assert r"hard\_news \& co" in render(statistics, "markdown")
    assert "Table 2 of Zweigenbaum et al. 2018" in render(statistics, "typst")


def test_what_there_is_not_is_told_by_reason(tmp_path):
    hidden = Split(["Un."], ["One."], None)
    found = collect_statistics(
        write_dataset(tmp_path / "d", training=Split(["Un."], ["One."], []), test=hidden)
    )
    text = render(found, columns=500)
    assert "not here: stages, planting, lengths before (known only to the build" in text
    assert "not here: gold of test (there is no fr-en.test.gold" in text
    assert "not here: detectability of fr, detectability of en (0 planted and 1 native sentences" in text
    assert [line.split() for line in lines_of(text, "Sentences, gold")[2:]] == [
        ["training", "1", "1", "0", "0.00", "0.00"],
        ["test", "1", "1", "-", "-", "-"],
    ]
    for title in ("What each stage", "Pairs offered", "Comparability", "Genres", "Detectability", "Features"):
        assert title not in text
    for format in FORMATS:
        assert render(found, format)


def test_a_review_says_of_what_it_is():
    review = Review(of="native pairs", reviewed=100, parallel=4, precision=0.04, low=0.0157, high=0.0984)
    text = " ".join(report_review(review))
    assert text.startswith(
        "Parallel: 4 of 100 judged pairs, 4.00 % [1.57, 9.84] of the native pairs that share most"
    )
    assert "no share of all native pairs" in text


def test_pairs_without_documents_have_a_dash_for_comparability(tmp_path):
    dataset = write_dataset(tmp_path / "d", training=make_split())
    sources = DocumentSources([("", text) for text in TEXTS], [("n", TEXTS[1:]), ("m", TEXTS)])
    found = collect_statistics(dataset, sources={"fr": sources, "en": sources})
    text = render(found)
    rows = [line.split() for line in lines_of(text, "Comparability")[1:]]
    assert ["parallel", "to", "native", "-", "-", "-", "-"] in rows
    assert "fr: cannot be compared: pairs do not name their documents" in " ".join(text.split())
    assert not [
        row
        for row in csv.reader(io.StringIO(render(found, "csv")))
        if row[:4:3] == ["comparability", "parallel"]
    ]
    # As a build of before saved it, with some sentences in a row for documents.
    old = json.loads(json.dumps(found))
    zero = {"documents": 2, "p10": 0.0, "median": 0.0, "p90": 0.0}
    del old["comparability"]["fr"]["without_document"]
    old["comparability"]["fr"] |= {"chunked": True, "parallel": zero}
    assert "0.000" not in "".join(lines_of(render(old), "Comparability"))


@pytest.mark.issue(28)
def test_statistics_of_older_builds_say_what_they_lack(statistics):
    old = json.loads(json.dumps(statistics))
    for code in ("fr", "en"):
        del old["comparability"][code]["whole_texts"], old["detectability"][code]["context"]
    text = " ".join(render(old).split())
    assert text.count("build again for whole texts") == 2
    assert "by their whole texts" not in text
    assert "Context is the sentence before" not in text
    now = " ".join(render(statistics).split())
    assert "each with the nearest of 2 native ones, by their whole texts" in now
    assert "Context is the sentence before" in now


def test_the_five_most_telling_features_are_named(statistics):
    text = render(statistics)
    shown = [line.strip().split("  ")[0] for line in lines_of(text, "Features of form that are most telling")]
    assert "and those of context" in lines_of(text, "Features of form")[0]
    for code in ("fr", "en"):
        names = [feature["name"] for feature in statistics["detectability"][code]["features"]]
        assert 1 < len(names) <= 5, "others do not vary in these sentences"
        start = shown.index(code) + 1
        assert shown[start : start + len(names)] == names
    assert text.count("most telling") == 1, "the table says it, nothing below it does again"
