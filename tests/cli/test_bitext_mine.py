"""`evalign bitext mine` as a user runs it."""

import sys
from pathlib import Path

import pytest

from bitext.mining.minedsets import PARALLEL, write_dataset
from evalign.bitext.mining.embeddings import RETRIEVALS
from evalign.bitext.mining.mine import METHODS
from evalign.cli.run import load_command

pytestmark = pytest.mark.once

ENCODER = """
def encode(sentences):
    return [[each.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz "] for each in sentences]

def broken(sentences):
    raise ValueError("no model\\x1b[31m here")

def flat(sentences):
    return [1.0 for _ in sentences]
"""


@pytest.fixture
def mine(evalign, folder, monkeypatch):
    """A function that runs the command in a folder with a data set, a lexicon and an encoder."""
    for split in ("training", "test"):
        write_dataset(folder / "set", split=split)
    (folder / "parallel.tsv").write_text(PARALLEL, encoding="utf-8")
    (folder / "letters_encoder.py").write_text(ENCODER, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])
    yield lambda *arguments, **options: evalign("bitext", "mine", *arguments, **options)
    sys.modules.pop("letters_encoder", None)


def files_of(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else None


def test_the_command_knows_what_can_be_asked_for():
    options = {option.name: option for option in load_command("bitext mine").options}
    assert set(options["--method"].choices) == set(METHODS)
    assert set(options["--retrieval"].choices) == set(RETRIEVALS)


def test_how_to_score_is_told_only_where_there_is_gold(mine, folder):
    (folder / "set" / "fr-en.test.gold").unlink()
    (folder / "set").rename(folder / "a set")
    done = mine("a set", "--lexicon", "parallel.tsv", "-o", "mined")
    assert done.status == 0
    gold, mined = Path("a set", "fr-en.training.gold"), Path("mined", "fr-en.training.lexical.tsv")
    assert f'evalign bitext score "{gold}" {mined}\n' in done.err
    (folder / "a set" / "fr-en.training.gold").unlink()
    assert "to score them" not in mine("a set", "--lexicon", "parallel.tsv", "-o", "mined").err


def test_all_splits_are_mined_and_the_next_command_is_told(mine, folder, evalign):
    done = mine("set", "--lexicon", "parallel.tsv", "-o", "mined")
    assert done.status == 0
    assert files_of(folder / "mined") == ["fr-en.test.lexical.tsv", "fr-en.training.lexical.tsv"]
    assert "fr-en.test.lexical.tsv: " in done.out
    advice = done.err.splitlines()[-1].removeprefix("to score them: ").split()
    assert advice[:3] == ["evalign", "bitext", "score"]
    scored = evalign(*advice[1:], "--only", "pairs-trained.f1")
    assert (scored.status, scored.out.strip()) == (0, "100.00")


def test_quiet_says_only_what_was_written(mine):
    done = mine("set", "--lexicon", "parallel.tsv", "-o", "mined", "-q", "--split", "test")
    assert (done.status, done.err) == (0, "")
    assert len(done.out.splitlines()) == 1


def test_the_same_bytes_on_every_run(mine, folder):
    contents = []
    for name in ("one", "two"):
        assert mine("set", "--lexicon", "parallel.tsv", "-o", name).status == 0
        contents.append([path.read_bytes() for path in sorted((folder / name).iterdir())])
    assert contents[0] == contents[1]


def test_a_lexicon_that_was_saved_is_read(mine, folder):
    assert mine("set", "--lexicon", "parallel.tsv", "--save-lexicon", "l.tsv", "-o", "one").status == 0
    assert mine("set", "--lexicon", "l.tsv", "-o", "two").status == 0
    one, two = ((folder / name / "fr-en.test.lexical.tsv").read_text() for name in ("one", "two"))
    assert [line.split("\t")[:2] for line in one.splitlines()] == [
        line.split("\t")[:2] for line in two.splitlines()
    ]


def test_two_files_are_read_line_by_line(mine, folder):
    for side, code in enumerate(("fr", "en")):
        lines = [line.split("\t")[side] for line in PARALLEL.splitlines()]
        (folder / f"p.{code}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert mine("set", "--lexicon", "p.fr", "p.en", "-o", "one").status == 0
    assert mine("set", "--lexicon", "parallel.tsv", "-o", "two").status == 0
    one, two = ((folder / name / "fr-en.test.lexical.tsv").read_bytes() for name in ("one", "two"))
    assert one == two


def test_an_encoder_of_the_current_folder_is_used(mine, folder):
    done = mine("set", "--method", "embeddings", "--encoder", "letters_encoder:encode", "-o", "mined")
    assert done.status == 0
    assert files_of(folder / "mined") == ["fr-en.test.embeddings.tsv", "fr-en.training.embeddings.tsv"]
    assert mine(
        "set", "--method", "embeddings", "--encoder", "letters_encoder:encode",
        "--retrieval", "intersect", "--neighbours", "2", "-o", "mined",
    ).status == 0  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "--method lexical without --lexicon"),
        (["--lexicon", "no.tsv"], 1, "no.tsv: no such file"),
        (["--lexicon", "empty.txt"], 1, "empty.txt: no pair"),
        (["--lexicon", "a", "b", "c"], 2, "--lexicon with 3 files"),
        (["--lexicon", "parallel.tsv", "--encoder", "m:f"], 2, "--encoder with --method lexical"),
        (["--lexicon", "parallel.tsv", "--split", "dev"], 2, 'no split "dev"'),
        (["--lexicon", "parallel.tsv", "--pair", "de-en"], 1, 'no data set "de-en"'),
        (["--lexicon", "parallel.tsv", "--candidates", "0"], 2, "candidates: 0"),
        (["--lexicon", "parallel.tsv", "--unit", "fr"], 2, '--unit "fr"'),
        (["--lexicon", "parallel.tsv", "--jobs", "0"], 2, "--jobs"),
        (["--lexicon", "parallel.tsv", "--threshold", "-1"], 2, "'-1' is not a number from 0 up"),
        (["--method", "embeddings"], 2, "--method embeddings without --encoder"),
        (["--method", "embeddings", "--lexicon", "x"], 2, "--lexicon with --method embeddings"),
        (["--method", "embeddings", "--encoder", "nowhere_at_all:f"], 2, "no module is called"),
        (["--method", "embeddings", "--encoder", "letters_encoder:f"], 2, 'it has no "f"'),
        (["--method", "embeddings", "--encoder", "letters_encoder:flat"], 2, "shape (5,) for 5 sentences"),
        (
            ["--method", "embeddings", "--encoder", "letters_encoder:broken"],
            2,
            'ValueError: "no model\\x1b[31m here"',
        ),
    ],
)
def test_a_wrong_command_is_refused_before_anything_is_written(mine, folder, arguments, status, message):
    done = mine("set", *arguments, "-o", "mined")
    assert (done.status, done.out) == (status, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert files_of(folder / "mined") is None


def test_a_folder_that_cannot_be_made_is_told_of_before_mining(mine, folder):
    done = mine("set", "--lexicon", "no.tsv", "-o", "no/such/folder")
    assert done.status == 1
    assert "there is no folder" in done.err
    done = mine("set", "--lexicon", "no.tsv", "-o", "gold.txt")
    assert done.status == 1
    assert "gold.txt: no folder" in done.err


def test_a_file_that_is_read_is_not_replaced_by_the_lexicon(mine, folder):
    done = mine("set", "--lexicon", "parallel.tsv", "--save-lexicon", "parallel.tsv", "-o", "mined")
    assert done.status == 2
    assert "would replace a file that is read" in done.err
    assert (folder / "parallel.tsv").read_text(encoding="utf-8") == PARALLEL


def test_an_interrupt_leaves_nothing_behind(mine, folder):
    (folder / "letters_encoder.py").write_text("def encode(sentences):\n    raise KeyboardInterrupt\n")
    done = mine("set", "--method", "embeddings", "--encoder", "letters_encoder:encode", "-o", "mined")
    assert (done.status, done.err) == (130, "evalign: interrupted\n")
    assert files_of(folder / "mined") is None


@pytest.mark.parametrize(
    "options",
    [("--lexicon", "parallel.tsv"), ("--method", "embeddings", "--encoder", "letters_encoder:encode")],
)
def test_several_processes_find_the_same(mine, folder, options):
    alone = mine("set", *options, "-o", "alone")
    done = mine("set", *options, "-o", "several", "--jobs", "2")
    assert (done.status, done.out) == (0, alone.out.replace("alone", "several"))
    assert files_of(folder / "several") == files_of(folder / "alone")
    for name in files_of(folder / "alone"):
        assert (folder / "several" / name).read_bytes() == (folder / "alone" / name).read_bytes()
