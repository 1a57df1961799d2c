"""An input read piece by piece has the same bytes and errors as one read at once."""

import contextlib
import io
import lzma
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.readers.byte_stream import ByteStream, OpenFile, open_stream
from evalign.readers.content import load
from evalign.text import Text
from readers.test_content import COMPRESSIONS, each_compression

pytestmark = pytest.mark.once

SENTENCES = b"A b .\nC d .\n"


def read_all(stream, n=1 << 16):
    return b"".join(iter(lambda: stream.read(n), b""))


def streamed(source, n=1 << 16):
    with open_stream(source) as stream:
        return read_all(stream, n)


def refusal(function, source):
    """What is said of an input; nothing if it is read."""
    try:
        function(source)
    except InputError as error:
        return str(error)
    return ""


@given(st.binary(max_size=200), st.integers(1, 50))
def test_every_piece_is_as_long_as_was_asked_but_for_the_last(data, n):
    with open_stream(io.BytesIO(b"x" + data)) as stream:
        pieces = list(iter(lambda: stream.read(n), b""))
        assert stream.read(n) == b""
    assert b"".join(pieces) == b"x" + data
    assert all(len(piece) == n for piece in pieces[:-1])


@each_compression
@given(st.lists(st.binary(max_size=500), min_size=1, max_size=4), st.integers(1, 300))
def test_all_members_of_compressed_data_are_read(kind, members, n):
    compress = COMPRESSIONS[kind]
    packed = b"".join(compress(member) for member in members)
    assert streamed(io.BytesIO(packed), n) == b"".join(members)
    with open_stream(io.BytesIO(packed)) as stream:
        assert stream.read_whole() == b"".join(members)


@pytest.mark.slow
@each_compression
def test_large_data_comes_out_as_it_went_in(kind, tmp_path):
    data = b"".join(b"%d\t%d\n" % (number, number * number) for number in range(50_000))
    path = tmp_path / "file"
    path.write_bytes(COMPRESSIONS[kind](data) * 2)
    assert streamed(path, 1 << 20) == data * 2
    with open_stream(str(path)) as stream:
        assert (stream.compression, stream.can_seek) == (kind, False)


@each_compression
def test_nothing_compressed_is_nothing(kind):
    assert streamed(io.BytesIO(COMPRESSIONS[kind](b""))) == b""
    assert streamed(io.BytesIO(b"")) == b""


@each_compression
def test_members_may_have_nul_between_and_behind_them(kind):
    packed = COMPRESSIONS[kind](SENTENCES)
    padded = packed + b"\0" * 8 + packed + b"\0" * 100_000
    assert streamed(io.BytesIO(padded)) == load(io.BytesIO(padded)).data == SENTENCES * 2


@each_compression
def test_what_is_behind_compressed_data_is_not_lost_without_a_word(kind):
    packed = COMPRESSIONS[kind](SENTENCES) + b"and more text that is not compressed\n"
    for function in (load, streamed):
        assert f"{kind} data that ends early or is damaged" in refusal(function, io.BytesIO(packed))


@each_compression
def test_data_that_ends_early_is_refused_in_the_words_of_the_whole(kind):
    whole = COMPRESSIONS[kind](os.urandom(100_000).hex().encode())
    for kept in (12, 20, len(whole) // 2, len(whole) - 1):
        said = refusal(streamed, io.BytesIO(whole[:kept]))
        assert f"<file>: {kind} data that ends early or is damaged" in said
        assert f"a whole {kind} file" in said
        assert "copy or download the file again" in said
        assert said == refusal(load, io.BytesIO(whole[:kept]))


@each_compression
def test_damaged_data_is_refused_in_the_words_of_the_whole(kind):
    whole = COMPRESSIONS[kind](SENTENCES * 100)
    for at in range(16, len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        said = refusal(streamed, io.BytesIO(damaged))
        if said:
            assert said == refusal(load, io.BytesIO(damaged))


def test_data_that_needs_too_much_memory_is_refused():
    packed = lzma.compress(SENTENCES)

    def read_with(memory_limit):
        with ByteStream(OpenFile("file", io.BytesIO(packed)), memory_limit=memory_limit) as stream:
            return read_all(stream)

    said = refusal(read_with, 1 << 20)
    assert "file: xz data that needs more than 1 MB to be decompressed" in said
    assert read_with(0) == read_with(1 << 28) == SENTENCES


def test_zstd_without_its_package_says_what_to_install(monkeypatch):
    data = COMPRESSIONS["zstd"](SENTENCES)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    assert "pip install zstandard" in refusal(streamed, io.BytesIO(data))


def test_a_file_can_be_read_again_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_bytes(SENTENCES)
    with open_stream("a.txt") as stream:
        assert (stream.name, stream.can_seek, stream.path) == ("a.txt", True, str(tmp_path / "a.txt"))
        assert stream.read(3) == b"A b"
    assert streamed(Path("a.txt")) == SENTENCES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(SENTENCES,))
    writer.start()
    with open_stream(path) as stream:
        assert not stream.can_seek
        assert read_all(stream) == SENTENCES
    writer.join()


def test_an_open_file_stays_open_and_has_no_path(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("é字\n".encode() * 1000)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        for file in (binary, text):
            with open_stream(file) as stream:
                assert read_all(stream, 7) == path.read_bytes()
                assert (stream.name, stream.can_seek, stream.path) == (str(path), False, "")
            assert not file.closed


def test_an_object_that_only_knows_how_to_read_all_is_a_file():
    class Once:
        def __init__(self):
            self.pieces = [SENTENCES]

        def read(self):
            return self.pieces.pop() if self.pieces else b""

    assert streamed(Once(), 5) == SENTENCES


def test_a_minus_is_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(COMPRESSIONS["gzip"](SENTENCES))))
    with open_stream("-") as stream:
        assert (stream.name, stream.can_seek, read_all(stream)) == ("<stdin>", False, SENTENCES)
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal(open_stream, "-").startswith("<stdin>: standard input is closed")


def test_text_is_a_stream_too():
    with open_stream(Text("é\n", "mine")) as stream:
        assert (stream.name, stream.path, stream.read(9)) == ("mine", "", "é\n".encode())


@pytest.mark.parametrize("source", ["", "nowhere/at/all", "a\0b", "A b .\nC d .\n", "."])
def test_what_cannot_be_opened_is_refused_in_the_words_of_the_whole(source):
    assert refusal(open_stream, source) == refusal(load, source) != ""


def test_a_file_that_cannot_be_read_is_refused_in_the_words_of_the_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9\n")
    with path.open(encoding="utf-8") as file:
        assert f"{path}: byte 3 is not utf-8" in refusal(streamed, file)
    assert refusal(streamed, file) == refusal(load, file) != ""
    with path.open("w", encoding="utf-8") as file:
        assert refusal(streamed, file) == refusal(load, file) != ""
    with pytest.raises(CommandError, match="is not an input"):
        open_stream(3)


def test_a_pipe_may_give_less_than_it_was_asked_for():
    class Slow(io.RawIOBase):
        def __init__(self, data):
            self.rest = data

        def read(self, n=-1):
            data, self.rest = self.rest[:1], self.rest[1:]
            return data

    assert streamed(Slow(COMPRESSIONS["gzip"](SENTENCES)), 5) == SENTENCES
    with contextlib.closing(Slow(SENTENCES)) as slow:
        assert streamed(slow) == SENTENCES
