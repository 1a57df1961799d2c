"""Files are written completely or not at all."""

import os
import stat
from pathlib import Path

import pytest

from evalign.files import write_json, write_whole


def test_two_that_write_the_same_file_at_the_same_time(tmp_path, monkeypatch):
    path, replace = tmp_path / "run.json", Path.replace

    def interrupted(self, target):
        # Somebody else in this process writes it all between the two steps of the first one.
        monkeypatch.setattr(Path, "replace", replace)
        write_whole(path, "second")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    write_whole(path, "first")
    assert path.read_text(encoding="utf-8") == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_file_has_the_mode_that_it_had_or_that_others_get(tmp_path):
    plain, path = tmp_path / "plain", tmp_path / "run.json"
    plain.write_bytes(b"")
    write_whole(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_whole(path, "again")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
def test_a_name_may_be_as_long_as_names_can_be(tmp_path):
    path = tmp_path / ("a" * 255)
    write_whole(path, "whole")
    assert path.read_text(encoding="utf-8") == "whole"


def test_json_is_one_line_as_it_is(tmp_path):
    write_json(tmp_path / "a.json", {"a": "é"})
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == '{"a":"é"}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "b.json", {"a": float("nan")})
    assert not (tmp_path / "b.json").exists()
