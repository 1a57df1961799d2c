"""What a plain command loads: importing unneeded modules would take longer than scoring a small file."""

import subprocess
import sys

import pytest

# What belongs to intervals, groupings, saved results, pages and shared tasks.
UNUSED = (
    "evalign.scoring.collection_run",
    "evalign.metrics.errors.breakdowns",
    "evalign.metrics.errors.sentence_groups",
    "evalign.metrics.errors.passages",
    "evalign.reports.breakdowns",
    "evalign.reports.html",
    "evalign.reports.parts",
    "evalign.reports.significance",
    "evalign.results.split",
    "evalign.results.codec",
    "evalign.significance",
    "jinja2",
    "json",
)
PROGRAM = """
import sys
from evalign.cli import main
status = main(sys.argv[1:])
sys.stderr.write("\\n".join(sys.modules))
sys.exit(status)
"""


def loaded(*arguments):
    """The modules that a command has loaded when it is done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines())


def test_a_plain_score_loads_nothing_that_it_has_no_use_for(examples):
    found = loaded("score", examples / "gold.conllu", examples / "second.conllu", "-q")
    assert "evalign.reports.scores" in found
    assert [name for name in UNUSED if name in found] == []


def test_help_loads_no_command():
    found = {name for name in loaded("--help") if name.startswith("evalign.cli.")}
    assert found == {"evalign.cli.commands", "evalign.cli.streams"}


@pytest.mark.parametrize("command", ["score", "diff", "convert", "bitext mine", "typology study"])
def test_help_of_a_command_needs_no_numpy(command):
    assert "numpy" not in loaded(*command.split(), "--help")


def test_a_script_loads_neither_numpy_nor_dataclasses(examples):
    """A test set is scored in less time than they take to load."""
    found = loaded("conll18", examples / "gold.conllu", examples / "gold.conllu")
    assert not {"numpy", "dataclasses", "pathlib", "evalign.cli.shared_options"} & found


def test_what_is_asked_for_is_loaded(examples, tmp_path):
    """Otherwise the test above would not notice a module that was given another name."""
    corpus = examples / "corpus"
    found = loaded(
        "score", corpus / "gold.conllu", corpus / "second.conllu",
        "-q", "--by", "genre,relation", "--confidence", "--resamples", "5",
        "--report", tmp_path / "report.html", "-o", tmp_path / "run.json",
    )  # fmt: skip
    assert {*UNUSED} - found <= {"evalign.scoring.collection_run"}
