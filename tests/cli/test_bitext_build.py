"""`evalign bitext build`."""

import sys
from pathlib import Path

import pytest

from bitextinputs import contents, write_inputs

pytestmark = pytest.mark.once


@pytest.fixture
def config(folder):
    write_inputs(folder / "in")
    return "in/config.toml"


def test_what_was_built_is_said(evalign, config, folder):
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["fr", "en", "gold"]
    assert [line.split()[0] for line in lines[1:]] == ["sample", "training", "test"]
    gold = (folder / "fr-en" / "fr-en.test.gold").read_text(encoding="utf-8").splitlines()
    assert lines[3].split()[3] == str(len(gold))
    assert "evalign bitext stats fr-en" in done.err


def test_without_the_search_engine_nothing_is_begun(evalign, config, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tantivy", None)
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert done.status == 2
    assert 'pip install mwparserfromhell mwxml "tantivy>=0.26"' in done.err
    assert not (folder / "fr-en").exists()


def test_building_again_does_nothing_and_says_so(evalign, config, folder):
    first = evalign("bitext", "build", config, "-o", "fr-en")
    before = contents(folder / "fr-en")
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert (done.status, done.out) == (0, first.out)
    assert "nothing to do" in done.err
    assert contents(folder / "fr-en") == before


def test_quiet_leaves_only_what_was_built(evalign, config):
    done = evalign("bitext", "build", config, "-o", "fr-en", "-q")
    assert done.status == 0
    assert done.err == ""
    assert "training" in done.out


def test_another_configuration_is_refused_unless_it_may_overwrite(evalign, config, folder):
    evalign("bitext", "build", config, "-o", "fr-en")
    with (folder / config).open("a", encoding="utf-8") as file:
        file.write("[planting]\ncandidates = 3\n")
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert done.status == 2
    assert "--overwrite" in done.err
    assert evalign("bitext", "build", config, "-o", "fr-en", "--overwrite").status == 0


def test_stages_are_kept_if_that_is_asked_for(evalign, config, folder):
    evalign("bitext", "build", config, "-o", "fr-en", "--keep-stages")
    assert (folder / "fr-en" / ".build" / "08-statistics" / "record.jsonl").exists()
    evalign("bitext", "build", config, "-o", "other")
    assert not (folder / "other" / ".build").exists()


def test_stages_kept_from_before_are_said(evalign, config, folder):
    evalign("bitext", "build", config, "-o", "fr-en", "--keep-stages")
    (folder / "fr-en" / "dataset.json").unlink()
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert "kept from before: read, filter, desynchronise, split" in done.err


WRONG = [
    # what is wrong, arguments, exit status, what is said
    ("no folder", ["in/config.toml"], 2, "-o"),
    ("no config", ["-o", "out"], 2, "CONFIG"),
    ("a config that is not there", ["none.toml", "-o", "out"], 1, "none.toml: no such file"),
    ("an unknown key", ["wrong.toml", "-o", "out"], 1, "did you mean seed?"),
    ("a file for a folder", ["in/config.toml", "-o", "gold.txt"], 1, "gold.txt: no folder"),
    ("no process", ["in/config.toml", "-o", "out", "--jobs", "0"], 2, "--jobs"),
    (
        "two engines",
        ["in/config.toml", "-o", "out", "--jobs", "2", "--cluster", "tcp://host:1"],
        2,
        "--jobs together with",
    ),
]


@pytest.mark.parametrize(("what", "arguments", "status", "told"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong(evalign, config, folder, what, arguments, status, told):
    (folder / "wrong.toml").write_text('sed = 1\npair = "fr-en"\n', encoding="utf-8")
    done = evalign("bitext", "build", *arguments)
    assert done.status == status
    assert told in done.err
    assert done.out == ""
    assert not (folder / "out").exists()


def test_interrupting_is_no_failure_of_the_command(evalign, config, folder, monkeypatch):
    opened = Path.open

    def interrupt(path, *arguments, **options):
        if path.name == "sample.planted":
            raise KeyboardInterrupt
        return opened(path, *arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", interrupt)
        done = evalign("bitext", "build", config, "-o", "fr-en")
    assert (done.status, done.out, done.err) == (130, "", "evalign: interrupted\n")
    assert not list((folder / "fr-en").rglob("*.part"))
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert done.status == 0
    assert "kept from before: read, filter, desynchronise, split" in done.err


def test_a_warning_where_nothing_is_planted(evalign, config, folder):
    text = "".join(f"p{k}\td\taucun {'mot ' * 10}commun\tno {'word ' * 10}shared\n" for k in range(9))
    (folder / "in" / "pairs.tsv").write_text(text, encoding="utf-8")
    done = evalign("bitext", "build", config, "-o", "fr-en")
    assert done.status == 0
    assert done.err.startswith("warning: no pair is planted in sample, training, test")


def test_several_processes_build_the_same(evalign, config, folder):
    alone = evalign("bitext", "build", config, "-o", "alone")
    done = evalign("bitext", "build", config, "-o", "several", "--jobs", "2")
    assert (done.status, done.out) == (0, alone.out)
    assert contents(folder / "several") == contents(folder / "alone")


@pytest.mark.issue(15)
def test_a_configuration_can_be_kept_to_a_folder(evalign, config, folder):
    (folder / "elsewhere").mkdir()
    done = evalign("bitext", "build", config, "-o", "fr-en", "--stay-below", "elsewhere")
    assert done.status == 1
    assert "outside" in done.err
    assert "below elsewhere" in done.err
    assert not (folder / "fr-en").exists()
    assert evalign("bitext", "build", config, "-o", "fr-en", "--stay-below", "in").status == 0
