"""Fixtures: a folder of small treebanks, and the command line run in it in this process."""

import pytest

from commands import make_runner
from evalign.cli import main
from typology.samples import CAT, CROSSED, DOG, conllu


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with three treebanks and two systems for the first one."""
    wrong = [DOG[0], ("dog", 4, "nsubj", "NOUN"), *DOG[2:]]
    files = {
        "en_a-ud-test.conllu": conllu(DOG, CAT),
        "fi_b-ud-test.conllu": conllu(CROSSED, DOG, feats="Case=Nom"),
        "one.conllu": conllu(wrong, CAT),
        "two.conllu": conllu(DOG, [("the", 3, "det", "DET"), *CAT[1:]]),
        "judgements.tsv": "s1\tone\ttwo\ttwo\ns2\tone\ttwo\tone\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def typology(folder, capsys, monkeypatch):
    """A function that runs `evalign typology` in that folder."""

    return make_runner(capsys, monkeypatch, "typology")


@pytest.fixture
def results(typology, capsys):
    """Names of saved results of two treebanks."""
    assert typology("weights", "en_a-ud-test.conllu", "fi_b-ud-test.conllu", "-o", "w.json").status == 0
    scored = ("--metrics", "las,wlas,content,function", "--weights", "w.json", "-q", "-o")
    pairs = {"en.json": ("en_a-ud-test.conllu", "one.conllu"), "fi.json": ("fi_b-ud-test.conllu",) * 2}
    for name, (gold, system) in pairs.items():
        assert main(["score", gold, system, *scored, name]) == 0
    capsys.readouterr()
    return list(pairs)
