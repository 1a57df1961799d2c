"""Whether inputs have changed."""

import pytest

from bitextinputs import write_inputs
from evalign.bitext.build import fingerprint_inputs, publish, read_config, save_seals
from evalign.progress import no_progress

pytestmark = pytest.mark.once


@pytest.fixture
def config(tmp_path):
    return read_config(write_inputs(tmp_path / "in"))


def test_what_a_file_holds_counts_not_when_it_was_written(config, tmp_path):
    before = fingerprint_inputs(config, tmp_path, no_progress)
    path = config.folder / "fr.tsv"
    path.write_bytes(path.read_bytes())
    assert fingerprint_inputs(config, tmp_path, no_progress).prints == before.prints
    path.write_bytes(path.read_bytes() + b"a\tb\n")
    assert fingerprint_inputs(config, tmp_path, no_progress).prints != before.prints


def test_large_files_are_read_once(config, tmp_path, monkeypatch):
    monkeypatch.setattr(publish, "LARGE_INPUT", 1)
    before = fingerprint_inputs(config, tmp_path, no_progress)
    save_seals(before, tmp_path)
    read = []
    monkeypatch.setattr(publish, "_digest", lambda where, files: read.append(where.name) or "another")
    assert fingerprint_inputs(config, tmp_path, no_progress).prints == before.prints
    assert read == []
    path = config.folder / "fr.tsv"
    path.write_bytes(path.read_bytes() + b"a\tb\n")
    assert fingerprint_inputs(config, tmp_path, no_progress).prints[0].sha256 == "another"
    assert read == ["fr.tsv"]


def test_nothing_is_kept_of_small_files(config, tmp_path):
    save_seals(fingerprint_inputs(config, tmp_path, no_progress), tmp_path)
    assert not (tmp_path / publish.INPUTS_FILE).exists()
