"""What can be read only once, kept in a file."""

import gzip
import io
from pathlib import Path

import pytest

from evalign import InputError, Text
from evalign.readers import chunks as spooled
from evalign.readers.chunks import is_gone_once_read, spool


def test_standard_input_and_open_files_are_gone_once_read(tmp_path):
    assert is_gone_once_read("-")
    assert is_gone_once_read(io.BytesIO(b""))
    assert not any(map(is_gone_once_read, ("a.txt", tmp_path, Text("a"))))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_all_of_it_is_kept_unpacked_as_long_as_it_is_needed(pack):
    with spool(io.BytesIO(pack(b"a b\n" * 1000))) as (name, path):
        assert name == "<file>"
        assert Path(path).read_bytes() == b"a b\n" * 1000
    assert not Path(path).parent.exists()


def test_a_full_disk_is_told(monkeypatch):
    def full(*_given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spooled, "open", full, raising=False)
    with (
        pytest.raises(InputError, match=r"cannot be kept in a file \(No space left.*\n  expected room"),
        spool(io.BytesIO(b"a")),
    ):
        pytest.fail("there is no file to work with")
