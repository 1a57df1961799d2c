"""Genres of documents."""

import pytest

from evalign.bitext.statistics import GenreCounts, share_genres

pytestmark = pytest.mark.once


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
