"""The bytes of an input, wherever they come from, or an error that says what to do."""

import bz2
import gzip
import io
import lzma
import os
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.readers.content import check_text, load
from evalign.readers.formats import read_source
from evalign.text import Text

pytestmark = pytest.mark.once

SENTENCES = b"A b .\nC d .\n"


def zstd_compress(data):
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.compress(data)
    zstandard = pytest.importorskip("zstandard")
    return zstandard.ZstdCompressor().compress(data)


COMPRESSIONS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd_compress}
each_compression = pytest.mark.parametrize("kind", COMPRESSIONS)


def refused(source, *parts):
    """The message of an input that is refused, which has all these parts, then the expectation."""
    with pytest.raises(InputError) as caught:
        load(source)
    message = str(caught.value)
    for part in parts:
        assert part in message, message
    assert "\n  expected " in message
    assert caught.value.exit_status == 1
    return message


def kinds(content):
    return [remark.kind for remark in content.remarks]


def test_a_path_may_be_text_or_an_object(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(SENTENCES)
    assert load(path).data == load(str(path)).data == SENTENCES
    assert load(path).name == str(path)
    assert load(path).remarks == ()


def test_text_is_not_a_path():
    content = load(Text("A b .\n", "mine"))
    assert (content.name, content.data) == ("mine", b"A b .\n")
    assert load(Text("")).data == b""


def test_open_files_are_read_in_either_mode(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("é b .\n".encode())
    with path.open(encoding="utf-8") as text, path.open("rb") as binary:
        assert load(text).data == load(binary).data == "é b .\n".encode()
    with path.open("rb") as binary:
        assert load(binary).name == str(path)
    assert load(io.BytesIO(b"a\n")).name == "<file>"
    assert load(io.StringIO("a\n")).data == b"a\n"


def test_open_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9\n")
    with path.open(encoding="utf-8") as file:
        refused(file, "byte 3 is not utf-8", 'open(path, "rb")')
    refused(file, "cannot be read", "closed file", "a file open for reading")
    with path.open("w") as file:
        refused(file, "cannot be read")


def test_a_minus_is_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SENTENCES)))
    assert load("-").data == SENTENCES
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(SENTENCES))))
    assert load("-").name == "<stdin>"
    monkeypatch.setattr(sys, "stdin", io.StringIO("no bytes below\n"))
    assert load("-").data == b"no bytes below\n"
    monkeypatch.setattr(sys, "stdin", None)
    refused("-", "<stdin>: standard input is closed")


def test_a_path_called_minus_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(SENTENCES)
    assert load(Path("-")).data == SENTENCES


@pytest.mark.parametrize("source", [None, 3, b"bytes", 1.5, {"a": 1}])
def test_what_is_no_input_is_named(source):
    with pytest.raises(CommandError, match=r"is not an input\n  expected a path"):
        load(source)


def test_a_missing_file_names_a_near_one(tmp_path):
    (tmp_path / "system.conllu").write_bytes(b"")
    message = refused(tmp_path / "sytem.conllu", "sytem.conllu: no such file", "a file to read")
    assert message.endswith(f"did you mean {tmp_path / 'system.conllu'}?")
    assert "did you mean" not in refused(tmp_path / "zzz", "no such file")


def test_a_missing_folder_is_said(tmp_path):
    refused(
        tmp_path / "none" / "a.txt", "no such file", f"the folder {tmp_path / 'none'} does not exist either"
    )


def test_a_folder_is_no_file(tmp_path):
    refused(tmp_path, "a directory", "expected a file", "name one of the files in it")


def test_a_text_given_as_a_path_gets_advice():
    refused("A b .\nC d .\n", "no such file", "evalign.Text")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a\0b",
        "x" * 5000,
        "\n",
        "\udcff",
        "~",
        "a\x1b[31mred",
        r"C:\data\gold.conllu",
        r"\\server\share\a.txt",
        PureWindowsPath(r"C:\data\gold.conllu"),
        PurePosixPath("/nowhere/at/all"),
        "CON\x07",
        "/dev/null/x",
    ],
)
def test_no_path_breaks_the_message(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = refused(path)
    message.encode()  # no broken character
    assert "\x1b" not in message
    assert "\0" not in message


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all"
)
def test_a_file_without_permission_is_said(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(SENTENCES)
    path.chmod(0)
    refused(path, "cannot be read (Permission denied)", "a readable file")


@given(st.text(max_size=30))
def test_any_path_gives_a_file_or_an_input_error(path):
    if path != "-":
        try:
            load(path)
        except InputError as error:
            str(error).encode()


@each_compression
def test_compressed_data_is_told_by_its_content(tmp_path, kind):
    path = tmp_path / "no-ending"
    path.write_bytes(COMPRESSIONS[kind](SENTENCES))
    assert load(path).data == SENTENCES


def test_a_text_may_begin_like_a_compressed_file():
    assert load(io.BytesIO(b"BZhang said so .\n")).data == b"BZhang said so .\n"


def test_the_first_byte_that_is_not_utf_8_is_named(tmp_path):
    path = tmp_path / "my file.txt"
    path.write_bytes(b"ok\nok\ncaf\xe9 .\n")
    message = refused(path, f"{path}:3: byte 9 (0xE9) is not UTF-8", "text in UTF-8")
    assert f"iconv -f ISO-8859-1 -t UTF-8 '{path}'" in message


def test_a_broken_byte_is_found_far_into_a_file():
    data = b"plain ascii\n" * 200_000 + b"\xff\n"
    refused(io.BytesIO(data), "<file>:200001:", f"byte {len(data) - 2} (0xFF)")
    refused(io.BytesIO(b"x" * 3_000_000 + "é".encode()[:1]), "byte 3000000 (0xC3)")


def test_surrogates_and_overlong_forms_are_not_utf_8():
    refused(io.BytesIO(b"\xed\xa0\x80\n"), "byte 0 (0xED)")
    refused(io.BytesIO(b"\xc0\x80\n"), "byte 0 (0xC0)")
    refused(Text("a\ud800"), "<text>:1: byte 1 (0xED)")


def test_binary_data_is_refused(tmp_path):
    refused(io.BytesIO(b"\x89PNG\r\n\x1a\n\0\0\0"), "byte 8 is NUL: binary data", "is this the right file?")
    refused(io.BytesIO(b"PK\x03\x04\x14\0\0\0"), "binary data", "unpack the archive first")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(encoding):
    refused(io.BytesIO("Hello there\n".encode(encoding)), "UTF-16", "iconv -f UTF-16 -t UTF-8 FILE")


def test_utf_16_without_a_nul_is_named():
    refused(io.BytesIO("字典".encode("utf-16")), "UTF-16")


def test_a_byte_order_mark_is_skipped_with_a_remark():
    content = load(io.BytesIO(b"\xef\xbb\xbfA b\n"))
    assert content.data == b"A b\n"
    assert [str(remark) for remark in content.remarks] == ["<file>:1: byte order mark skipped"]


def test_crlf_is_read_as_lf_with_a_remark():
    content = load(io.BytesIO(b"A\nb\r\nc\r\n"))
    assert content.data == b"A\nb\nc\n"
    assert [str(remark) for remark in content.remarks] == [
        "<file>:2: line ends are CRLF, read as LF (2 times)"
    ]


def test_a_bare_carriage_return_is_remarked_on():
    content = load(Text("a\rb\r\rc\n"))
    assert [str(remark) for remark in content.remarks] == [
        "<text>:1: carriage return inside a line, taken as white space (3 times)"
    ]


def test_a_missing_final_newline_is_remarked_on():
    assert [str(remark) for remark in load(Text("a\nb")).remarks] == [
        "<text>:2: no newline at the end of the file"
    ]


def test_an_empty_file_needs_no_remark(tmp_path):
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert kinds(load(path)) == []
    assert kinds(load(Text("\ufeff"))) == ["bom"]


def test_a_file_beyond_32_bits_is_refused():
    with pytest.raises(InputError, match=r"more than 5 bytes\n.*at most 5 bytes(?s:.*)stream=True"):
        check_text("a.txt", b"123456", limit=5)


def test_lists_of_tokens_are_an_input_too():
    assert read_source([["A", "b"], ["c"]]).line == "Abc"
    document = read_source([["A", "b"], ["c"]])
    assert read_source(document) is document
