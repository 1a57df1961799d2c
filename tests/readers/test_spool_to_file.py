"""Input that can be read only once is kept in a file."""

import gzip
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evalign import Text
from evalign.readers.chunks import can_reread, spool_to_file


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


# In a process of its own: a limit for this one would also hold for the file that its output goes to.
FULL_DISK = """
import io, resource
from evalign.readers.chunks import spool_to_file
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with spool_to_file(io.BytesIO(b"a" * 2000)):
    print("there is a file to work with")
"""


@pytest.mark.issue(28)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file sizes")
def test_a_full_disk_is_told():
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL_DISK], capture_output=True, text=True, check=False
    )
    assert re.search(r"cannot be kept in a file \(File too large\)\n  expected room", done.stderr)
    assert not done.stdout
