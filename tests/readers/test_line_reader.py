"""Files of any size, read piece by piece: compressed or not, text or an error that says what to do."""

import gzip

import pytest
from hypothesis import given, strategies as st

from evalign.errors import InputError
from evalign.progress import Step
from evalign.readers.content import load
from evalign.readers.line_reader import open_binary, read_head, read_lines
from evalign.text import Text
from readers.test_content import COMPRESSIONS, each_compression

pytestmark = pytest.mark.once


@pytest.fixture
def write(tmp_path):
    """Writes a file of these bytes."""

    def write(data, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def lines(path, **limits):
    return [text for _, text in read_lines(path, **limits)]


def refused(path, *parts, **limits):
    """The message for a file that is refused, which has all these parts."""
    with pytest.raises(InputError) as caught:
        lines(path, **limits)
    message = str(caught.value)
    assert all(part in message for part in parts), message
    return message


def test_lines_have_numbers_and_no_ends(write):
    assert list(read_lines(write(b"a\tb\r\n\nc\n"))) == [(1, "a\tb"), (2, ""), (3, "c")]


def test_the_last_line_may_have_no_end(write):
    assert lines(write(b"a\nb")) == ["a", "b"]


def test_an_empty_file_has_no_line(write):
    assert lines(write(b"")) == []


def test_a_byte_order_mark_is_left_out_where_a_file_begins(write):
    assert lines(write("\ufeffa\n\ufeffb\n".encode())) == ["a", "\ufeffb"]


def test_lines_may_end_as_on_mac_os_9(write):
    assert list(read_lines(write(b"a\rb\rc\r"))) == [(1, "a"), (2, "b"), (3, "c")]


def test_a_carriage_return_inside_a_line_ends_none(write):
    assert lines(write(b"a\rb\nc\n")) == ["a\rb", "c"]


@given(st.text())
def test_lines_are_those_of_the_reader_of_whole_files(tmp_path_factory, text):
    text = text.replace("\0", "")
    path = tmp_path_factory.mktemp("lines") / "file.txt"
    path.write_bytes(text.encode())
    whole = load(Text(text)).data.decode()
    assert lines(path) == (whole.removesuffix("\n").split("\n") if whole else [])


@each_compression
def test_compressed_files_are_told_by_their_first_bytes(write, kind):
    data = "".join(f"ligne numéro {number}\n" for number in range(50_000))
    path = write(COMPRESSIONS[kind](data.encode()))
    assert "".join(f"{line}\n" for line in lines(path)) == data


# Frames of zstd need have no checksum.
@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_damaged_data_is_refused(write, kind):
    data = bytearray(COMPRESSIONS[kind]("".join(f"{n * 7919 % 10007}\n" for n in range(5_000)).encode()))
    data[len(data) // 2] ^= 0xFF
    refused(write(bytes(data)), f"{kind} data that ends early or is damaged")


def test_what_is_not_utf_8_is_refused_with_its_line_and_byte(write):
    path = write("été\n".encode() + b"ab\n" + "été\n".encode("latin-1"))
    refused(path, f"{path}:3: byte 9 (0xE9) is not UTF-8", "iconv -f ISO-8859-1")


def test_binary_data_is_refused(write):
    path = write(b"text\nmore\0\n")
    refused(path, f"{path}:2: byte 9 is NUL: binary data")


def test_utf_16_is_named(write):
    refused(write("text\n".encode("utf-16")), "UTF-16", "iconv -f UTF-16")


def test_a_line_without_an_end_is_refused_before_memory_is_full(write):
    assert lines(write(b"x" * 999 + b"\n"), longest=1000) == ["x" * 999]
    path = write(b"a\n" + b"x" * 2000)
    refused(path, f"{path}:2: a line of more than 1,000 bytes", longest=1000)


def test_standard_input_is_not_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused("-", "-: no such file")


def test_the_first_bytes_are_those_before_it_was_compressed(write):
    assert read_head(write(gzip.compress(b"<tmx version>")), 4) == b"<tmx"


def test_a_file_is_closed_when_nobody_reads_on(write):
    with open_binary(write(gzip.compress(b"a\nb\n"))) as file:
        assert file.readline() == b"a\n"
    with pytest.raises(ValueError, match="closed"):
        file.read()


def test_how_far_a_file_is_read_is_told_by_the_megabyte(write):
    told = []
    path = write(b"0123456789abcde\n" * (3 << 16))
    assert sum(1 for _ in read_lines(path, told.append)) == 3 << 16
    assert all(isinstance(step, Step) and step.total == 3 for step in told)
    assert [step.done for step in told] == [0, 1, 2, 3]
    assert str(told[0]) == f"reading {path} (MB)"
