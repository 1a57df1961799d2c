"""Pairs of files whose lines correspond (Moses format)."""

import pytest

from evalign.bitext.inputs.source import SourcePair
from evalign.bitext.inputs.tables import read_moses
from evalign.errors import InputError


@pytest.fixture
def write(tmp_path):
    """Writes both files."""

    def write(first, second):
        paths = tmp_path / "news.fr", tmp_path / "news.en"
        for path, text in zip(paths, (first, second), strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return paths

    return write


def test_pairs_are_called_by_their_line(write):
    paths = write("Un.\nDeux.\n", "One.\r\nTwo.")
    assert list(read_moses(*paths)) == [
        SourcePair("1", "", "Un.", "One."),
        SourcePair("2", "", "Deux.", "Two."),
    ]


def test_tabs_and_control_characters_are_spaces(write):
    assert list(read_moses(*write(" a\tb\n", "c\x0cd\n"))) == [SourcePair("1", "", "a b", "c d")]


def test_an_empty_side_is_skipped_and_told_of(write):
    paths = write("Un.\n\nTrois.\n\n", "One.\nTwo.\n \n\n")
    skipped = []
    assert [pair.name for pair in read_moses(*paths, skipped=skipped.append)] == ["1"]
    assert [str(place) for place in skipped] == [f"{paths[0]}:2", f"{paths[0]}:3"]


@pytest.mark.parametrize(
    ("first", "second", "found"), [("a\nb\nc\n", "d\n", "3 lines, and 1 in"), ("", "d", "0 lines, and 1 in")]
)
def test_files_of_other_lengths_are_refused_with_both(write, first, second, found):
    paths = write(first, second)
    with pytest.raises(InputError) as caught:
        list(read_moses(*paths))
    assert f"{paths[0]}: {found} {paths[1]}" in str(caught.value)
