"""Tables of documents, pairs, links and genres."""

import gzip
from collections import defaultdict

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.inputs.source import SENTENCES_PER_PIECE, Link, SourceDocument, SourcePair
from evalign.bitext.inputs.tables import (
    check_columns,
    read_document_table,
    read_genres,
    read_link_table,
    read_pair_table,
)
from evalign.errors import CommandError, InputError


@pytest.fixture
def write(tmp_path):
    """Writes a table."""

    def write(text, name="table.tsv"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


def refused(read, path, *parts, **options):
    with pytest.raises(InputError) as caught:
        list(read(path, **options))
    message = str(caught.value)
    assert all(part in message for part in parts), message


def test_lines_of_a_document_make_a_piece(write):
    path = write("a\tOne.\na\tTwo.\nb\tThree.\na\tFour.\n")
    assert list(read_document_table(path)) == [
        SourceDocument("a", ("One.", "Two.")),
        SourceDocument("b", ("Three.",)),
        SourceDocument("a", ("Four.",)),
    ]


def test_a_third_column_is_the_genre(write):
    path = write("a\tOne.\tnews\na\tTwo.\t\nb\tThree.\t\nc\tFour.\n")
    assert list(read_document_table(path)) == [
        SourceDocument("a", ("One.", "Two."), "news"),
        SourceDocument("b", ("Three.",), ""),
        SourceDocument("c", ("Four.",), ""),
    ]


def test_a_document_has_one_genre(write):
    path = write("a\tOne.\tnews\na\tTwo.\tfiction\n")
    refused(read_document_table, path, f'{path}:2: document "a" of genre "fiction"', 'expected "news"')


def test_long_documents_come_in_pieces_with_their_genre(write):
    path = write("".join(f"a\t{number}\tnews\n" for number in range(2 * SENTENCES_PER_PIECE + 1)))
    pieces = list(read_document_table(path))
    assert [len(piece.sentences) for piece in pieces] == [SENTENCES_PER_PIECE, SENTENCES_PER_PIECE, 1]
    assert {(piece.name, piece.genre) for piece in pieces} == {("a", "news")}
    assert [sentence for piece in pieces for sentence in piece.sentences] == [
        str(number) for number in range(2 * SENTENCES_PER_PIECE + 1)
    ]


def test_what_is_empty_is_skipped(write):
    path = write("\na\t\na\tOne.\n \t \nb\t \x01 \n\n")
    assert list(read_document_table(path)) == [SourceDocument("a", ("One.",))]


def test_sentences_have_no_control_character(write):
    path = write("a\t One\x0b\x85two\u2028three\x00".replace("\x00", "\x07") + "\r\n")
    assert list(read_document_table(path)) == [SourceDocument("a", ("One two three",))]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("no tab", '1 column: "no tab"'),
        ("a\tb\tc\td", '4 columns: "a"'),
        ("\tOne.", "a sentence without a document"),
    ],
)
def test_rows_that_are_none_are_refused_with_their_line(write, row, found):
    path = write(f"a\tOne.\n{row}\n")
    refused(read_document_table, path, f"{path}:2: {found}")


cells = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp", "Cf"]), min_size=1)


@given(st.lists(st.tuples(st.sampled_from("abc"), cells)))
def test_no_sentence_is_lost_whatever_the_order(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("table") / "table.tsv"
    path.write_bytes("".join(f"{name}\t{sentence}\n" for name, sentence in rows).encode())
    expected, found = defaultdict(list), defaultdict(list)
    for name, sentence in rows:
        expected[name].append(sentence)
    for document in read_document_table(path):
        found[document.name] += document.sentences
    assert found == expected


def test_pairs_of_two_columns_are_called_by_their_line(write):
    path = write("Un.\tOne.\n\nDeux.\tTwo.\n")
    assert list(read_pair_table(path)) == [
        SourcePair("1", "", "Un.", "One."),
        SourcePair("3", "", "Deux.", "Two."),
    ]


def test_pairs_of_four_columns_have_an_id_and_a_document(write):
    path = write("p1\td1\tUn.\tOne.\n\t\tDeux.\tTwo.\n")
    assert list(read_pair_table(path)) == [
        SourcePair("p1", "d1", "Un.", "One."),
        SourcePair("2", "", "Deux.", "Two."),
    ]


def test_other_columns_are_named(write):
    path = write("One.\tx\tp1\tUn.\ty\n")
    columns = ["second", "-", "id", "first", "-"]
    assert list(read_pair_table(path, columns)) == [SourcePair("p1", "", "Un.", "One.")]


def test_an_empty_side_is_skipped_and_told_of(write):
    path = write("Un.\tOne.\nDeux.\t\n \tThree.\nQuatre.\tFour.\n")
    skipped = []
    assert [pair.first for pair in read_pair_table(path, skipped=skipped.append)] == ["Un.", "Quatre."]
    assert [str(place) for place in skipped] == [f"{path}:2", f"{path}:3"]


def test_a_table_of_three_columns_must_be_told_what_they_are(write):
    path = write("p1\tUn.\tOne.\n")
    refused(read_pair_table, path, f"{path}:1: 3 columns", 'columns = ["id", "first", "second"]')


def test_all_lines_have_the_columns_of_the_first(write):
    path = write("Un.\tOne.\np2\td\tDeux.\tTwo.\n")
    refused(read_pair_table, path, f"{path}:2: 4 columns", "expected 2: first, second")
    refused(read_pair_table, path, f"{path}:1: 2 columns", columns=["id", "first", "second"])


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        (["id", "frist", "second"], ['unknown column "frist"', 'did you mean "first"?']),
        (["first", "first", "second"], ['column "first" twice']),
        (["id", "first"], ['no column "second"']),
        ([], ['no column "first"']),
    ],
)
def test_columns_that_cannot_be_are_refused(columns, parts):
    with pytest.raises(CommandError) as caught:
        check_columns(columns)
    assert all(part in str(caught.value) for part in parts)


def test_links(write):
    assert list(read_link_table(write("Chat\tCat\nChien\tDog\n"))) == [
        Link("Chat", "Cat"),
        Link("Chien", "Dog"),
    ]


@pytest.mark.parametrize("row", ["Chat", "Chat\tCat\tKatze", "Chat\t"])
def test_links_that_are_none_are_refused(write, row):
    path = write(f"Chien\tDog\n{row}\n")
    refused(read_link_table, path, f"{path}:2: ", "the names of two documents")


def test_genres(write):
    path = write("a\tnews\nb\tfiction\na\tnews\n")
    assert read_genres(path) == {"a": "news", "b": "fiction"}


@pytest.mark.parametrize(
    ("row", "found"),
    [("a\tfiction", 'document "a" of genre "fiction"'), ("b", "1 column"), ("b\t", "without")],
)
def test_genres_that_are_none_are_refused(write, row, found):
    path = write(f"a\tnews\n{row}\n")
    refused(lambda path: read_genres(path).items(), path, f"{path}:2: ", found)


def test_the_shared_corpora_are_read_whole(data):
    folder = data / "bitext"
    documents = list(read_document_table(folder / "mono" / "fr.tsv.gz"))
    assert len({document.name for document in documents}) == 380
    assert sum(len(document.sentences) for document in documents) == 11985
    with gzip.open(folder / "mono" / "fr.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    assert [s for document in documents for s in document.sentences] == [sentence for _, sentence in rows]
    assert sum(1 for _ in read_pair_table(folder / "parallel" / "tatoeba.de-en.tsv.gz")) == 32565
