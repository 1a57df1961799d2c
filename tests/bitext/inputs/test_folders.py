"""Folders of plain text."""

import gzip
import os
import sys

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.inputs.folders import read_folder
from evalign.bitext.inputs.source import SENTENCES_PER_PIECE, SourceDocument
from evalign.bitext.sentences import split_sentences
from evalign.errors import InputError


@pytest.fixture
def write(tmp_path):
    """Writes files into a folder."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / "texts" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / "texts"

    return write


def refused(folder, *parts):
    with pytest.raises(InputError) as caught:
        list(read_folder(folder, "en"))
    message = str(caught.value)
    assert all(part in message for part in parts), message


def test_every_text_below_is_a_document_in_order_of_names(write):
    folder = write({"b.txt": "B.", "a/z.txt": "Z.", "a/B.TXT": "Y.", "a.txt": "A.", "c/d/e.txt": "E."})
    assert list(read_folder(folder, "en")) == [
        SourceDocument("a.txt", ("A.",)),
        SourceDocument("a/B.TXT", ("Y.",)),
        SourceDocument("a/z.txt", ("Z.",)),
        SourceDocument("b.txt", ("B.",)),
        SourceDocument("c/d/e.txt", ("E.",)),
    ]


def test_other_files_are_no_documents(write):
    folder = write(
        {"a.txt": "A.", "b.tsv": "x\ty", "README.txt": "About.", "LICENSE": "MIT", ".git/c.txt": "C."}
    )
    assert [document.name for document in read_folder(folder, "en")] == ["a.txt"]


def test_texts_may_be_compressed_and_are_called_without_it(write):
    folder = write({"a.txt.gz": gzip.compress(b"One. Two.")})
    assert list(read_folder(folder, "en")) == [SourceDocument("a.txt", ("One.", "Two."))]


def test_texts_are_split_into_sentences(write):
    folder = write({"a.txt": "\ufeffMr. Smith\r\ncame. He\tleft.\r\n\r\nA heading\n\n  \nThe\x0cend"})
    (document,) = read_folder(folder, "en")
    assert document.sentences == ("Mr. Smith came.", "He left.", "A heading", "The end")


def test_a_document_without_text_is_none(write):
    assert [
        document.name for document in read_folder(write({"a.txt": "A.", "b.txt": " \n\n\x01"}), "en")
    ] == ["a.txt"]


def test_long_documents_come_in_pieces(write):
    (one, two) = read_folder(write({"a.txt": "It is so. " * (SENTENCES_PER_PIECE + 1)}), "en")
    assert (one.name, len(one.sentences), len(two.sentences)) == ("a.txt", SENTENCES_PER_PIECE, 1)


@given(
    st.lists(st.sampled_from(["It is so.", "No", "Mr.", "“Why?”", "he asked.", "The end.", "", "etc.", "A."]))
)
def test_pieces_of_a_text_have_the_sentences_of_the_whole(tmp_path_factory, words):
    folder = tmp_path_factory.mktemp("texts")
    text = "\n".join(words) + "\nIt ends."
    (folder / "a.txt").write_text(text, encoding="utf-8")
    whole = split_sentences(text, "en")
    # Longer than any of these sentences is in the end, but not than two.
    (document,) = read_folder(folder, "en", piece=max(map(len, whole)))
    assert list(document.sentences) == whole


def test_a_text_without_a_mark_is_cut_rather_than_kept(write):
    (document,) = read_folder(write({"a.txt": "so it is\n" * 100}), "en", piece=100)
    assert max(map(len, document.sentences)) < 200
    assert " ".join(document.sentences).split() == ["so", "it", "is"] * 100


@pytest.mark.parametrize("name", [".hidden.txt", "sub/._a.txt", ".a.txt.gz"])
def test_a_hidden_text_is_refused_by_name(write, name):
    folder = write({"a.txt": "A.", "sub/a.txt": "A.", name: "B."})
    refused(folder, f"{folder / name}: a hidden file", "remove it")


def test_a_folder_without_texts_is_refused(write):
    folder = write({"a.tsv": "x"})
    refused(folder, f"{folder}: no document", "files that end in .txt")


@pytest.mark.parametrize("name", ["missing", "a.txt", ""])
def test_what_is_no_folder_is_refused(write, name):
    folder = write({"a.txt": "A."})
    refused(str(folder / name) if name else "", "no folder")


@pytest.mark.skipif(sys.platform != "linux", reason="only there may names be any bytes")
@pytest.mark.parametrize("name", [b"a\xe9.txt", b"a\tb.txt", b"a\nb.txt", b" a.txt"])
def test_names_that_no_table_can_hold_are_refused(write, name):
    folder = write({"a.txt": "A."})
    with open(os.path.join(os.fsencode(folder), name), "wb") as file:  # noqa: PTH118, PTH123 - bytes
        file.write(b"B.")
    refused(folder, "a name of ")


def test_names_are_composed(write):
    folder = write({"e\u0301te\u0301.txt": "A."})
    assert next(read_folder(folder, "fr")).name == "été.txt"


def test_names_may_have_any_spaces(write):
    assert next(read_folder(write({"全角\u3000空白.txt": "A."}), "ja")).name == "全角\u3000空白.txt"


def test_progress_counts_the_files(write):
    told = []
    list(read_folder(write({"a.txt": "A.", "b.txt": "B."}), "en", progress=told.append))
    assert [(str(step), step.done, step.total) for step in told] == [
        ("reading a.txt", 0, 2),
        ("reading b.txt", 1, 2),
    ]
