"""Citations: every source of a metric is known, entries are complete, and CITATION.cff agrees."""

import re
from pathlib import Path

import pytest
import yaml

from evalign import __version__
from evalign.metrics.definitions.catalogue import find_references, load_definitions, load_references
from evalign.reports.definitions import EVALIGN_REFERENCE, render_citations

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent.parent


def test_metrics_bring_their_sources(evalign):
    out = evalign("cite", "words", "pk").out
    assert "CoNLL 2018 Shared Task" in out
    assert "Machine Learning 34(1-3), pages 177-210." in out
    assert evalign("cite", "words,pk").out == out
    assert "Levenshtein" not in out


def test_an_unknown_name_is_refused(evalign):
    done = evalign("cite", "wrods")
    assert done.status == 2
    assert 'did you mean "words"' in done.err


@pytest.mark.parametrize("definition", load_definitions().values(), ids=load_definitions())
def test_every_source_is_a_reference(definition):
    for piece in filter(None, definition.source.split("; ")):
        # What evalign defines itself is cited with evalign.
        assert piece == "evalign" or len(find_references([piece])) == 1, f"references.toml has no {piece!r}"


@pytest.mark.parametrize(
    "reference", [EVALIGN_REFERENCE, *load_references().values()], ids=lambda work: work.key
)
def test_entries_of_bibtex_are_whole(reference):
    entry = render_citations([reference], "bibtex")
    assert re.match(r"@(software|inproceedings|article|book|misc)\{[\w-]+,\n", entry)
    assert entry.endswith(",\n}\n")
    assert all(re.fullmatch(r"  \w+ += \{.*[^\\]\},", line) for line in entry.splitlines()[1:-1])
    depth = 0
    for mark in re.findall(r"(?<!\\)[{}]", entry):
        depth += 1 if mark == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_the_file_for_code_hosts_says_the_same():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert said["title"] == EVALIGN_REFERENCE.title
    assert str(said["version"]) == __version__
    assert [author["name"] for author in said["authors"]] == list(EVALIGN_REFERENCE.authors)
    assert {"cff-version", "message", "type", "license"} <= set(said)
    assert str(EVALIGN_REFERENCE.year) in (ROOT / "LICENSE").read_text(encoding="utf-8")
