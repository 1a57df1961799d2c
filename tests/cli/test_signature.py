"""`evalign signature`, and the short signature under tables."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from evalign.metrics.registry import METRICS
from evalign.options import SIGNED

pytestmark = [pytest.mark.issue(16), pytest.mark.once]

SOURCE = Path(__file__).parent.parent.parent / "src" / "evalign"


@pytest.fixture
def saved(evalign):
    """A saved result of two systems, of which one wrote another text."""
    Path("three.txt").write_text("Soup for six\nChop two onions !\nYou can't rush it .\n", encoding="utf-8")
    done = evalign("score", "gold.txt", "one.txt", "three.txt", "-o", "run.json", "-q")
    assert done.status == 0
    return done.out.splitlines()[-2:]


def test_a_table_has_one_short_line_and_what_differs(saved):
    assert re.fullmatch(r"signature  evalign:[\d.]+\|mode:aligned\|hash:[0-9a-f]{8}", saved[0])
    assert saved[1] == "           three: lines:differ"


def test_the_command_has_the_short_and_the_long_one(evalign, saved):
    done = evalign("signature", "run.json")
    assert done.status == 0
    lines = done.out.splitlines()
    assert saved[0] in lines
    whole = json.loads(evalign("score", "gold.txt", "one.txt", "three.txt", "--format", "json").out)
    for name, system in zip(("one", "three"), whole["systems"], strict=True):
        assert f"signature of {name} in full: {system['signature']}" in lines
    assert any(
        line.split() == ["average", "micro:", "counts", "are", "added", "up", "first"] for line in lines
    )
    assert max(len(line) for line in lines if not line.startswith("signature")) <= 80


def test_json_has_every_part(evalign, saved):
    told = json.loads(evalign("signature", "run.json", "--format", "json").out)
    assert f"signature  {told['short']}" == saved[0]
    assert [system["name"] for system in told["systems"]] == ["one.txt", "three.txt"]
    assert told["systems"][1]["parts"]["lines"] == "differ"


def test_a_run_of_treebanks_has_one(evalign, examples, tmp_path):
    task = examples / "shared-task"
    evalign("score", task / "gold", task / "alpha", "-o", tmp_path / "run.json", "-q")
    done = evalign("signature", tmp_path / "run.json")
    assert done.status == 0
    assert "|treebanks:" in done.out


def test_older_results_are_shown_without_what_moves_no_number(evalign, saved):
    data = json.loads(Path("run.json").read_text(encoding="utf-8"))
    for system in data["systems"]:
        system["signature"] = system["signature"].replace("|mode:", "|kernels:plain|mode:")
    Path("old.json").write_text(json.dumps(data), encoding="utf-8")
    assert evalign("signature", "old.json").out == evalign("signature", "run.json").out


def test_markdown_has_the_signature_too(evalign, saved):
    assert "hash:" in evalign("signature", "run.json", "--format", "markdown").out


def test_values_in_words_are_of_keys_in_words():
    text = (SOURCE / "reports" / "signatures.toml").read_text(encoding="utf-8")
    words = tomllib.loads(text)
    assert set(words) == {"keys", "values"}
    keys = {*words["keys"], *SIGNED}
    assert {part.partition(":")[0] for table in words.values() for part in table} <= keys
    assert all(isinstance(said, str) and said for table in words.values() for said in table.values())
    assert {key for metric in METRICS.values() for key in metric.signature} <= keys
