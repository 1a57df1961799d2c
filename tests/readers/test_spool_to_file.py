"""Input that can be read only once is kept in a file."""

import gzip
import io
from pathlib import Path

import pytest

from evalign import InputError, Text
from evalign.readers import can_reread, spool_to_file


def test_standard_input_and_open_files_are_read_only_once(tmp_path):
    assert not can_reread("-")
    assert not can_reread(io.BytesIO(b""))
    assert all(map(can_reread, ("a.txt", tmp_path, Text("a"))))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_all_of_it_is_kept_unpacked_as_long_as_it_is_needed(pack):
    with spool_to_file(io.BytesIO(pack(b"a b\n" * 1000))) as (name, path):
        assert name == "<file>"
        assert Path(path).read_bytes() == b"a b\n" * 1000
    assert not Path(path).parent.exists()


@pytest.fixture
def small_files():
    """No file can have more than 1,000 bytes, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.usefixtures("small_files")
def test_a_full_disk_is_told():
    with (
        pytest.raises(InputError, match=r"cannot be kept in a file \(File too large\)\n  expected room"),
        spool_to_file(io.BytesIO(b"a" * 2000)),
    ):
        pytest.fail("there is no file to work with")
