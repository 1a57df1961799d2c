"""The folder of a data set: where a data set can be built, and the messages where it cannot."""

import errno
import os
import sys
from pathlib import Path

import pytest

from bitextinputs import contents, write_inputs
from evalign.bitext.build.build import build_dataset
from evalign.errors import CommandError, InputError


@pytest.fixture
def config(fixed):
    return fixed


def test_a_folder_without_a_name_is_not_the_one_we_are_in(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match="no folder to build in"):
        build_dataset(config, "")
    assert not list(tmp_path.iterdir())


def test_where_the_command_is_given_is_of_no_importance(config, whole, tmp_path, monkeypatch):
    monkeypatch.chdir(config.parent)
    build_dataset("config.toml", tmp_path / "a folder of \u6587")
    assert contents(tmp_path / "a folder of \u6587") == whole
    monkeypatch.chdir(tmp_path)
    build_dataset(os.path.relpath(config), "out")
    assert contents(tmp_path / "out") == whole


def test_the_folder_of_the_inputs_may_be_that_of_the_data_set(whole, tmp_path):
    config = write_inputs(tmp_path)
    inputs = contents(tmp_path)
    build_dataset(config, tmp_path)
    assert contents(tmp_path) == inputs | whole
    assert build_dataset(config, tmp_path).was_finished


def test_a_name_that_is_too_long(config, tmp_path):
    with pytest.raises(InputError, match="no folder can be made here"):
        build_dataset(config, tmp_path / ("x" * 300))


def test_a_folder_where_a_file_is_to_be_is_said_before_anything_is_built(config, tmp_path):
    (tmp_path / "fr-en.test.gold").mkdir()
    with pytest.raises(CommandError, match=r"fr-en\.test\.gold is a folder"):
        build_dataset(config, tmp_path, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["fr-en.test.gold"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own")
def test_a_link_is_not_replaced_and_what_it_leads_to_never(config, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    mine = tmp_path / "mine"
    (folder / "fr-en.test.gold").symlink_to(mine)
    with pytest.raises(CommandError, match=r"fr-en\.test\.gold, not made by this build"):
        build_dataset(config, folder)
    mine.write_text("mine", encoding="utf-8")
    build_dataset(config, folder, overwrite=True)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert not (folder / "fr-en.test.gold").is_symlink()


def test_an_input_that_may_not_be_read_is_said_to_be_that(config, tmp_path, monkeypatch):
    opened = Path.open

    def refuse(path, *arguments, **options):
        if path.name == "fr.tsv":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"fr\.tsv: cannot be read \(Permission denied\)"):
        build_dataset(config, tmp_path / "out")
    assert not (tmp_path / "out").exists()
