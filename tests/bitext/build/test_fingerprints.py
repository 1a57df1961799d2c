"""Fingerprints, which tell whether inputs have changed."""

import os

import pytest

from bitextinputs import write_inputs
from evalign.bitext.build.config import read_config
from evalign.bitext.build.publish import fingerprint_inputs, save_seals
from evalign.bitext.build.rows import BuildSizes
from evalign.progress import no_progress


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


def test_large_files_are_read_once(config, tmp_path):
    sizes = BuildSizes(large_input=1)
    before = fingerprint_inputs(config, tmp_path, no_progress, sizes)
    save_seals(before, tmp_path)
    path = config.folder / "fr.tsv"
    time = path.stat().st_mtime_ns
    # Other bytes, as many, of the same time: whoever does not read them does not see it.
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(time, time))
    assert fingerprint_inputs(config, tmp_path, no_progress, sizes).prints == before.prints
    assert fingerprint_inputs(config, tmp_path, no_progress).prints != before.prints
    os.utime(path, ns=(time, time + 1_000_000_000))
    changed = fingerprint_inputs(config, tmp_path, no_progress, sizes).prints
    assert [each.path for each, old in zip(changed, before.prints, strict=True) if each != old] == ["fr.tsv"]


def test_nothing_is_kept_of_small_files(config, tmp_path):
    save_seals(fingerprint_inputs(config, tmp_path, no_progress), tmp_path)
    assert not (tmp_path / "inputs.json").exists()
