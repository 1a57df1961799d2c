"""Splitting: names that contain genres, names of the criteria, and tables by unit as JSON."""

import numpy as np
import pytest

import evalign
from evalign.errors import CommandError
from evalign.metrics.errors.sentence_groups import NO_VALUE, GroupedCounts, find_field, sort_names
from evalign.results.evidence import SplitTables, groups_json, load_groups
from evalign.results.split import guess_genres, split_names, without_folder


@pytest.mark.parametrize(
    ("names", "genres"),
    [
        (["weblog-a.com_1", "weblog-b.com_2", "email-x_3"], ["weblog", "weblog", "email"]),
        (["GUM_academic_art", "GUM_academic_sun", "GUM_news_sun"], ["academic", "academic", "news"]),
        (["a/raw/GUM_news_x.txt", "a/raw/GUM_news_y.txt", "a/raw/GUM_bio_z.txt"], ["news", "news", "bio"]),
        (["nw/wsj/1", "nw/wsj/2", "bc/cnn/1"], ["nw", "nw", "bc"]),
        (["news-1", "blog-1"], ["news", "blog"]),
        (["news-1", "news-2", "preface"], ["news", "news", NO_VALUE]),
        (["-a-x", "b-a-y"], [NO_VALUE, "b"]),
    ],
)
def test_names_that_tell_genres(names, genres):
    assert guess_genres(names).names == genres


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["weblog-1"],
        ["harbour", "kitchen"],
        ["n01001", "n01002", "w01001"],
        ["GUM_news_a", "GUM_news_b"],
        [f"{k}-x" for k in range(4)],
        ["", ""],
        ["from sentence 1", "from sentence 3"],
    ],
)
def test_names_that_tell_nothing(names):
    assert guess_genres(names) is None


def test_which_piece_told_it_is_said():
    assert guess_genres(["a-1", "b-1", "b-2"]).source == "names of documents: their first piece"
    assert (
        guess_genres(["x_x_x_x_x_x_a_1", "x_x_x_x_x_x_b_1"]).source == "names of documents: their 7th piece"
    )


def test_folders_of_files():
    assert without_folder(["a/b/c", "a/b/d"]) == ["c", "d"]
    assert without_folder(["a/b/c", "a/d"]) == ["a/b/c", "a/d"]
    assert without_folder(["C:\\x\\c", "C:\\x\\d"]) == ["c", "d"]
    assert without_folder([]) == []


def test_names_in_order():
    assert sort_names(["b", NO_VALUE, "a", "b"]) == ["a", "b", NO_VALUE]
    assert sort_names(["10", "9", "09"]) == ["09", "9", "10"]
    assert sort_names(["²", "1"]) == ["1", "²"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("genre", ("genre",)),
        ("genre, length,", ("genre", "length")),
        ("^(a|b,c),x", ("^(a|b,c)", "x")),
        ("[,],{1,2},c", ("[,]", "{1,2}", "c")),
        ("), a", (")", "a")),
        ("", ()),
    ],
)
def test_names_as_the_command_line_has_them(text, names):
    assert split_names(text) == names


def test_a_field_by_its_name_without_the_prefix():
    assert find_field(["meta::genre", "genre"], "genre") == "genre"
    assert find_field(["meta::genre"], "genre") == "meta::genre"
    assert find_field(["meta::genre"], "meta::genre") == "meta::genre"
    assert find_field([], "genre") is None


def test_tables_come_back():
    table = np.array([[1, 2], [0, 3]], np.int64)
    grouped = GroupedCounts(
        ["a", "b"], np.array([0, 2]), np.array([1, 0]), {"tokens": table}, "said", {"pk": "why"}
    )
    again = load_groups(groups_json(grouped))
    assert groups_json(again) == groups_json(grouped)
    assert again.tables["tokens"].tolist() == table.tolist()
    nothing = load_groups(groups_json(GroupedCounts([], table[:0, 0], table[:0, 0], {"tokens": table[:0]})))
    assert len(nothing.tables["tokens"]) == len(nothing.units) == 0


def test_what_was_not_kept_is_said():
    with pytest.raises(CommandError) as caught:
        SplitTables({}, {}).grouped("speaker")
    assert caught.value.found == "sentences by speaker were not kept in this result"
    assert caught.value.advice == 'score again and ask for it: `by="speaker"`'
    with pytest.raises(CommandError) as caught:
        SplitTables({}, {}).breakdown("tag")
    assert caught.value.found == "breakdown by tag was not kept unit by unit in this result"
    assert "at most 10,000 units" in caught.value.expected


def test_an_expression_that_python_warns_of_warns_no_one(recwarn):
    text = evalign.Text("# newdoc id = a-1\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    result = evalign.score(text, text)
    assert list(result.split("[[a-z]+").results) == ["a"]
    assert not recwarn.list


def test_names_of_more_digits_than_python_reads_are_in_order_too():
    long = "9" * 5000
    assert sort_names([f"1{long}", long, "007", "7", "10"]) == ["007", "7", "10", long, f"1{long}"]
