"""Raw text, and the way from the line back to it."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.readers.content import load
from evalign.readers.raw_files import join_texts, read_raw, read_raws
from evalign.text import WHITE_SPACE, Text, without_space


def test_offsets_count_white_space():
    raw = read_raw(load(Text("Ein  Haus.\n\nZwei\u00a0😀.", "raw")))
    assert raw.name == "raw"
    assert raw.line == "EinHaus.Zwei😀."
    assert raw.offsets.tolist() == [0, 1, 2, 5, 6, 7, 8, 9, 12, 13, 14, 15, 17, 18]
    assert raw.offsets.dtype == np.int32


def test_line_ends_are_one_character():
    assert read_raw(load(Text("\ufeffa\r\nb"))).offsets.tolist() == [0, 2]


def test_nothing_has_no_offsets():
    raw = read_raw(load(Text("")))
    assert (raw.text, raw.line, len(raw.offsets)) == ("", "", 0)


@given(
    st.text(
        st.one_of(
            st.characters(codec="utf-8", exclude_characters="\0\r\ufeff"), st.sampled_from(WHITE_SPACE[:4])
        )
    )
)
def test_every_character_of_the_line_is_at_its_offset(text):
    raw = read_raw(load(Text(text)))
    assert raw.text == text
    assert raw.line == without_space(text)
    assert [text[offset] for offset in raw.offsets.tolist()] == list(raw.line)


def write(folder, **texts):
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_several_texts_are_joined_and_lead_back_to_their_files():
    raws = read_raws([Text("Ab c", "one"), Text("", "two"), Text("D.\n", "three"), Text("e", "four")])
    joined = join_texts(raws, raws.name)
    assert (raws.name, raws.is_ordered) == ("one and 3 more", True)
    assert joined.text == "Ab c\nD.\ne"
    assert joined.line == "AbcD.e"
    files = joined.files
    assert (files.names, files.starts.tolist()) == (("one", "two", "three", "four"), [0, 5, 5, 8])
    assert files.lengths.tolist() == [4, 0, 3, 1]
    assert files.file_of(joined.offsets).tolist() == [0, 0, 0, 2, 2, 3]


def test_one_text_is_a_file_by_itself():
    raws = read_raws(Text("a b", "raw"))
    assert join_texts(raws) is raws[0]
    assert raws[0].files.names == ("raw",)
    assert raws[0].files.lengths.tolist() == [3]


def test_a_folder_gives_its_texts(tmp_path):
    write(tmp_path, b_txt="b", a_txt="a", c_TXT="c", notes_md="no")
    raws = read_raws(str(tmp_path))
    assert [raw.text for raw in raws] == ["a", "b", "c"]
    assert (raws.name, raws.is_ordered) == (str(tmp_path), False)


def test_a_folder_without_texts_by_name_gives_all_its_files(tmp_path):
    write(tmp_path, b_raw="b", a="a", _hidden="no")
    (tmp_path / "inner").mkdir()
    assert [raw.text for raw in read_raws(tmp_path)] == ["a", "b"]


def test_files_and_folders_may_be_mixed(tmp_path):
    write(tmp_path, a_txt="a")
    raws = read_raws([Text("x", "x"), tmp_path])
    assert [raw.text for raw in raws] == ["x", "a"]
    assert raws.name == f"x, {tmp_path / 'a.txt'}"
    assert not raws.is_ordered


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"a folder without a file\n  expected raw texts"):
        read_raws(tmp_path)
    (tmp_path / "inner").mkdir()
    with pytest.raises(InputError, match="a folder without a file, only folders"):
        read_raws([tmp_path])


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"abcd\0b")
    with pytest.raises(InputError, match=r"a\.txt:1: byte 4 is NUL: binary data"):
        read_raws(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_raws([tmp_path / "a.text"])
    with pytest.raises(CommandError, match="no raw text"):
        read_raws([])
