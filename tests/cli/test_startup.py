"""What a plain command loads: importing unneeded modules would take longer than scoring a small file."""

import os
import subprocess
import sys

import pytest

from evalign.cli.commands import NAMES, WITH_THREADS

# What belongs to intervals, groupings, saved results, pages and shared tasks.
UNUSED = (
    "evalign.scoring.collection_run",
    "evalign.metrics.errors.breakdowns",
    "evalign.metrics.errors.label_errors",
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


def test_definitions_are_read_where_they_are_asked_for(examples):
    assert "tomllib" in loaded("explain", "las")
    assert "tomllib" not in loaded("score", examples / "gold.conllu", examples / "second.conllu", "-q")
    assert not {"tomllib", "numpy", "argparse"} & loaded("--version")


# Definitions, the help of commands, and what a shell asks for at each Tab.
@pytest.mark.parametrize(
    "command",
    [
        "explain las", "explain", "cite pk", "score --help", "diff --help", "convert --help", "bitext mine --help",
        "typology study --help", "completion fish sco", "completion fish score --met", "completion fish bitext mi",
        "completion fish typology profile -", "completion fish score --metrics l",
    ],
)  # fmt: skip
def test_what_only_tells_something_needs_no_numpy(command):
    assert "numpy" not in loaded(*command.split())


@pytest.mark.parametrize("script", ["conll18", "udeval"])
def test_a_script_loads_neither_numpy_nor_dataclasses(examples, script):
    """A test set is scored in less time than they take to load."""
    found = loaded(script, examples / "gold.conllu", examples / "gold.conllu")
    assert not {"numpy", "dataclasses", "pathlib", "evalign.cli.shared_options"} & found


THREADS = """
import os, sys
from evalign.cli import main
try:
    main(sys.argv[1:])
finally:
    import numpy
    tasks = "/proc/self/task"
    sys.stderr.write(f"\\n{os.environ.get('OPENBLAS_NUM_THREADS')} {len(os.listdir(tasks)) if os.path.exists(tasks) else 1}")
"""


def threads(*arguments, **variables):
    """The number of threads of OpenBLAS that a command asks for, None if it asks for none, and those there are."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", THREADS, *map(str, arguments)],
        capture_output=True, text=True, check=True, env=environment | variables,
    )  # fmt: skip
    return done.stderr.rpartition("\n")[2].split()


@pytest.mark.issue(28)
def test_a_command_starts_no_threads_for_matrix_products(examples):
    score = "score", examples / "gold.conllu", examples / "second.conllu", "-q"
    assert threads(*score) == ["1", "1"]
    assert threads("bitext", "score", "no.tsv", "no.tsv")[0] == "1"
    assert threads("typology", "profile", examples / "gold.conllu")[0] == "1"


@pytest.mark.issue(28)
@pytest.mark.parametrize("name", ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"])
def test_the_number_of_threads_that_the_user_has_set_stays(examples, name):
    shown, _ = threads("score", examples / "gold.conllu", examples / "gold.conllu", "-q", **{name: "2"})
    assert shown == ("2" if name.startswith("OPENBLAS") else "None")


@pytest.mark.issue(28)
def test_what_multiplies_matrices_keeps_its_threads():
    assert threads("bitext", "mine", "no", "-o", "none")[0] == "None"
    assert {*WITH_THREADS} <= {*NAMES}


@pytest.mark.issue(28)
def test_importing_evalign_sets_no_number_of_threads():
    program = (
        "import os, evalign; evalign.score([['a']], [['a']]); print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == ["None"]


def test_what_is_asked_for_is_loaded(examples, tmp_path):
    """Otherwise the test above would not notice a module that was given another name."""
    corpus = examples / "corpus"
    found = loaded(
        "score", corpus / "gold.conllu", corpus / "second.conllu",
        "-q", "--by", "genre,relation", "--confidence", "--resamples", "5",
        "--report", tmp_path / "report.html", "-o", tmp_path / "run.json",
    )  # fmt: skip
    assert {*UNUSED} - found <= {"evalign.scoring.collection_run"}
