"""`evalign conll18` and `evalign udeval` on the command line."""

import csv
import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compat.written import chain, counts, evaluate, row, sentence
from evalign.compat.evaluation import evaluate_treebanks
from evalign.compat.treebank import Script, read_pair
from evalign.errors import EvalignError
from evalign.kernels import is_compiled

COMMANDS = ("conll18", "udeval")
# What a traceback puts before the name of the exception.
MODULES = {"conll18": "", "udeval": "udtools.udeval."}
GOLD = sentence("The/2/det/2:det", "end/0/root/0:root") + sentence(
    "So/2/advmod/2:advmod", "what/0/root/0:root"
)
SYSTEM = sentence("The/0/root/0:root", "end/1/obj/1:obj") + sentence(
    "So/2/advmod/2:advmod", "what/0/root/0:root"
)
WITH_EMPTY_NODE = GOLD.replace("2\tend", row("1.1", "_", deps="2:conj") + "2\tend")
SUMMARY = {"conll18": ["LAS", "MLAS", "BLEX"], "udeval": ["LAS", "MLAS", "BLEX", "ELAS", "EULAS"]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with gold and system, in which commands run."""
    for name, text in (("gold", GOLD), ("system", SYSTEM), ("empty", ""), ("nodes", WITH_EMPTY_NODE)):
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, evalign):
    """A function that runs a command on gold and system, or on other files."""

    def run_on(command, *options, files=("gold.conllu", "system.conllu"), **rest):
        return evalign(command, *options, *files, **rest)

    return run_on


def rows(table):
    """The cells of a table by metric."""
    cells = ([cell.strip() for cell in line.split("|")] for line in table.splitlines()[2:])
    return {name: rest for name, *rest in cells}


@pytest.mark.parametrize("command", COMMANDS)
def test_without_options_the_main_metrics(run, command):
    done = run(command)
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == SUMMARY[command]
    assert done.out.startswith("LAS F1 Score: 50.00\nMLAS Score: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_ratios_and_counts(run, command):
    ratios, counted = run(command, "-v").out, run(command, "-c").out
    assert rows(ratios)["LAS"] == ["50.00", "50.00", "50.00", "50.00"]
    assert rows(counted)["LAS"] == ["2", "4", "4", "4"]
    assert ratios.splitlines()[4] == "Words      |    100.00 |    100.00 |    100.00 |"
    assert counted.splitlines()[4] == "Words      |         4 |         4 |         4 |         4"
    assert counted.splitlines()[2] == "Tokens     |         4 |         4 |         4 |          "
    assert run(command, "--verbose").out == run(command, "--verb").out == ratios
    assert run(command, "-v", "-c").out == run(command, "-cv").out == run(command, "--counts").out == counted


def test_enhanced_dependencies_come_last(run):
    assert list(rows(run("udeval", "-v").out))[-3:] == ["BLEX", "ELAS", "EULAS"]
    assert list(rows(run("udeval", "-v", "--no-enhanced").out))[-1] == "BLEX"
    assert run("udeval", "-c", "--no-enhanced").out == run("conll18", "-c").out


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_against_nothing(run, command):
    done = run(command, "-c", files=("empty.conllu", "empty.conllu"))
    assert done.status == 0
    assert rows(done.out)["Words"] == ["0", "0", "0", "0"]
    assert rows(done.out)["UPOS"] == ["0", "0", "0", ""]
    assert rows(run(command, "-v", files=("empty.conllu", "empty.conllu")).out)["UPOS"] == ["0.00"] * 4


@pytest.mark.parametrize("command", COMMANDS)
def test_something_against_nothing_is_refused(run, command):
    for files in (("gold.conllu", "empty.conllu"), ("empty.conllu", "gold.conllu")):
        done = run(command, files=files)
        assert (done.status, done.out) == (1, "")
        assert done.err.startswith(
            f"{MODULES[command]}UDError: The concatenation of tokens in gold file and in system file differ!\n"
        )


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input_and_compressed_files(run, folder, command):
    expected = run(command, "-v").out
    (folder / "gold.conllu.gz").write_bytes(gzip.compress(GOLD.encode()))
    assert run(command, "-v", files=("-", "system.conllu"), stdin=GOLD.encode()).out == expected
    assert run(command, "-v", files=("gold.conllu.gz", "-"), stdin=SYSTEM.encode()).out == expected
    assert run(command, files=("-", "-")).status == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_cannot_be_read(run, folder, command):
    (folder / "latin1.conllu").write_bytes(chain("é").encode("latin-1"))
    for name, told in (("none.conllu", "no such file"), (".", "a directory"), ("latin1.conllu", "not UTF-8")):
        done = run(command, files=("gold.conllu", name))
        assert (done.status, done.out) == (1, "")
        assert told in done.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--verbos3",), "unknown option --verbos3"),
        (("third.conllu",), "unexpected argument: third.conllu"),
        (("--enhancements",), "--enhancements"),
    ],
)
def test_wrong_commands(run, command, options, told):
    for arguments in ((*options, "gold.conllu", "system.conllu"), ("gold.conllu", "system.conllu", *options)):
        done = run(command, *arguments, files=())
        assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_missing_files(run):
    assert run("udeval", files=()).status == run("udeval", files=("gold.conllu",)).status == 2


@pytest.mark.parametrize(
    "arguments",
    [
        "--no-empty-nodes {0} {1}", "{0} {1} --no-empty-nodes", "{0} --no-empty-nodes {1}", "-v --no-empty-nodes {0} {1}",
        "--no-empty-nodes x {0} {1}", "{0} {1} --no-empty-nodes x", "{0} --no-empty-nodes x {1}",
        "--no-empty-nodes=x {0} {1}", "--no-empty-nodes 0 {0} {1} -v", "--no-emp {0} {1}", "--no-em x {0} {1}",
    ],
)  # fmt: skip
def test_no_empty_nodes_with_a_value_or_without(run, arguments):
    expected = run("udeval", "-v", files=("gold.conllu", "gold.conllu")).out
    done = run("udeval", "-v", *arguments.format("gold.conllu", "gold.conllu").split(), files=())
    assert (done.status, done.out) == (0, expected)
    done = run("udeval", *arguments.format("nodes.conllu", "nodes.conllu").split(), files=())
    assert done.status == 1
    assert done.err == (
        "udtools.udeval.UDError: The collapsed CoNLL-U line still contains empty nodes at line 2: "
        "1.1\t_\t_\t_\t_\t_\t_\t_\t2:conj\t_\n"
    )


@pytest.mark.parametrize("option", ["--no-empty-nodes=", "--no-enhanced"])
def test_empty_nodes_are_skipped(run, option):
    assert run("udeval", option, files=("nodes.conllu", "nodes.conllu")).status == 0


def test_an_empty_value_asks_for_nothing(run):
    assert run("udeval", "--no-empty-nodes", "", files=("nodes.conllu", "nodes.conllu")).status == 0


def test_no_empty_nodes_and_a_file_too_many(run):
    for arguments in (("--no-empty-nodes", "x", "y"), ("--no-empty-nodes=x", "y")):
        assert run("udeval", *arguments).status == 2
    done = run("udeval", "--no-empty-nodes", "--verbos3")
    assert done.status == 2
    assert "--verbos3" in done.err


def test_several_roots_where_that_is_okay(run, folder):
    (folder / "roots.conllu").write_text(sentence("a/0/root", "b/0/root"), encoding="utf-8")
    files = ("roots.conllu", "roots.conllu")
    done = run("udeval", files=files)
    assert (done.status, done.err) == (
        1,
        "udtools.udeval.UDError: There are multiple roots in the sentence that ends at 3\n",
    )
    assert rows(run("udeval", "-v", "--multiple-roots-okay", files=files).out)["LAS"] == ["100.00"] * 4
    assert run("conll18", files=files).err == "UDError: There are 2 roots in a sentence at line 3\n"


def test_digits_on_the_command_line(run, folder):
    text = sentence("a/0/root/0:root", "b/1/obl/1:obl:in")
    (folder / "a.conllu").write_text(text, encoding="utf-8")
    (folder / "b.conllu").write_text(text.replace("obl:in", "obl:on"), encoding="utf-8")
    files = ("a.conllu", "b.conllu")
    elas = {
        digits: rows(run("udeval", "-c", "--enhancements", digits, files=files).out)["ELAS"][0]
        for digits in ("0", "5", "6", "16", "-6", "x6", "")
    }
    assert elas == {"0": "1", "5": "1", "6": "2", "16": "2", "-6": "2", "x6": "2", "": "1"}


def test_what_the_script_does_not_foresee_is_said_in_a_line(run, folder):
    (folder / "outside.conllu").write_text(sentence("a/0/root/7:x"), encoding="utf-8")
    done = run("udeval", files=("outside.conllu", "outside.conllu"))
    assert (done.status, done.out, done.err) == (1, "", "IndexError: list index out of range\n")


def test_places_are_those_of_the_file_as_it_is(run, folder):
    # "+1" makes it a file that is read twice; the comments count all the same.
    text = "# one\n# two\n" + chain("a", "b").replace("1\ta", "+1\ta")
    (folder / "a.conllu").write_text(text, encoding="utf-8")
    (folder / "b.conllu").write_text(text.replace("\tb\t", "\tc\t"), encoding="utf-8")
    assert "Token no. 1 on line no. 3 is the last one" in run("udeval", files=("a.conllu", "b.conllu")).err


@pytest.mark.parametrize(("command", "column"), [("conll18", 2), ("udeval", 3)])
def test_constructed_cases(data, evalign, command, column):
    folder = data / "systems/ud-cases"
    with (folder / "official-outcomes.tsv").open(encoding="utf-8", newline="") as file:
        outcomes = {
            row[0]: row[column] for row in list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
        }
    assert len(outcomes) == 43
    for case, outcome in outcomes.items():
        done = evalign(command, "-v", folder / f"{case}.gold.conllu", folder / f"{case}.sys.conllu")
        if outcome.startswith("REFUSED "):
            assert (done.status, done.out) == (1, ""), case
            # The table has tabs as spaces, of several lines the first, and names of exceptions without their modules.
            said = done.err.splitlines()[0].replace("\t", " ").removeprefix(MODULES[command])
            assert said == outcome.removeprefix("REFUSED ").removesuffix(" …"), case
        else:
            found = {name: cells[2] for name, cells in rows(done.out).items()}
            assert outcome == " ".join(f"{name}={found[name]}" for name in re.findall(r"(\w+)=", outcome)), (
                case
            )


# The plain kernels are for small files.
LONG_CHAIN, MANY_WORDS = (100_000, 4_000) if is_compiled() else (5_000, 300)


@pytest.mark.slow
@pytest.mark.parametrize("script", [Script("conll18"), Script("udtools", enhanced=True)], ids=COMMANDS)
def test_a_long_chain_is_no_recursion(script):
    text = chain(*["a"] * LONG_CHAIN)
    # "+1" is read in the script's own way, in a loop too.
    scores = evaluate(text, text.replace("1\ta", "+1\ta", 1), script)
    assert counts(scores)["LAS"] == (LONG_CHAIN,) * 4


def test_one_huge_multiword_token_is_quick():
    forms = [str(k % 97) for k in range(MANY_WORDS)]
    gold, system = (row(f"1-{MANY_WORDS}", "x") + chain(*words) for words in (forms, [*forms[1:], "y"]))
    assert evaluate(gold, system)["Words"].correct == MANY_WORDS - 1


@pytest.mark.parametrize("script", [Script("conll18"), Script("udtools", enhanced=True)])
def test_large_files_are_read_at_the_same_time(folder, script):
    def read(gold, system, **options):
        return evaluate_treebanks(*read_pair(gold, system, script, **options), script.dialect)

    assert read("gold.conllu", "system.conllu", large=1) == read("gold.conllu", "system.conllu")
    # What is wrong with gold is said first, whichever is read first.
    (folder / "bad.conllu").write_text(GOLD.replace("\t0\troot", "\t9\troot"), encoding="utf-8")
    (folder / "worse.conllu").write_text("x\n", encoding="utf-8")
    for gold, system, message in (
        ("bad.conllu", "worse.conllu", 'HEAD "9" points outside'),
        ("gold.conllu", "worse.conllu", "10 tab-separated columns"),
        ("gold.conllu", "gone.conllu", "no such file"),
    ):
        with pytest.raises(EvalignError, match=message):
            read(gold, system, large=1)


@pytest.mark.issue(15)
def test_the_last_line_is_that_of_the_traceback(run, folder):
    """Of udtools' own command, where it is installed: its exceptions are of a module, Python's are not."""
    command = Path(sys.executable).with_name("udeval")
    if not command.exists():
        pytest.skip("udtools is not installed: nothing to compare with")
    (folder / "outside.conllu").write_text(sentence("a/7/dep"), encoding="utf-8")
    (folder / "edge.conllu").write_text(sentence("a/0/root/9:root"), encoding="utf-8")
    for name in ("outside.conllu", "edge.conllu"):
        theirs = subprocess.run(
            [command, name, name], cwd=folder, capture_output=True, text=True, check=False
        )
        done = run("udeval", files=(name, name))
        assert (done.status, done.err.splitlines()[-1]) == (theirs.returncode, theirs.stderr.splitlines()[-1])
