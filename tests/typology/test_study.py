"""A whole study by one command."""

import csv
import html
import io
import json
import re
import sys
from html.parser import HTMLParser

import pytest

from evalign import load_saved
from evalign.errors import InputError
from evalign.metrics.relations import load_weights
from evalign.reports.study import STUDY_PAGE, make_study_files
from evalign.typology.cascades import find_cascades
from evalign.typology.comparison import compare
from evalign.typology.options import ProfileOptions
from evalign.typology.profiles import load_profiles, profile
from evalign.typology.whole_study import study
from runs import write
from typology.samples import CAT, CROSSED, DOG, conllu

WRONG = [DOG[0], ("dog", 4, "nsubj", "NOUN"), *DOG[2:]]
TABLES = {"table1", "figure2", "figure3", "figure4", "table3", "figure5", "section7", "table5"}


@pytest.fixture
def folders(tmp_path):
    """Three treebanks and a system."""
    gold = write(
        tmp_path / "gold", en=conllu(DOG, CAT), fi=conllu(CROSSED, DOG, feats="Case=Nom"), hi=conllu(CAT, CAT)
    )
    system = write(tmp_path / "system", en=conllu(WRONG, CAT), fi=conllu(CROSSED, WRONG), hi=conllu(CAT, CAT))
    return gold, system


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_study_has_what_the_single_commands_find(folders):
    gold, system = folders
    settings = ProfileOptions(chunk=2)
    found = study(*folders, settings=settings)
    assert [treebank.name for treebank in found.profiles.treebanks] == ["en", "fi", "hi"]
    alone = profile(*sorted(gold.iterdir()), settings=settings)
    assert found.profiles.entropies == alone.entropies
    assert found.weights.values == alone.entropies
    assert (
        found.cascades.treebanks["en"].cascades
        == find_cascades(gold / "en.conllu", system / "en.conllu").cascades
    )
    again = compare(found.run, profiles=alone)
    assert {t.name: t.values for t in found.comparison.treebanks} == {
        t.name: t.values for t in again.treebanks
    }
    assert found.left_out == ()


@pytest.mark.slow
def test_files_of_a_study(folders, tmp_path):
    pytest.importorskip("matplotlib")
    found = study(*folders, settings=ProfileOptions(chunk=2))
    made = make_study_files(found, ["png", "svg"])
    names = {name.partition(".")[0] for name in made.files}
    assert names == TABLES | {"index", "profile", "weights", "comparison", "cascades", "run", "scores"}
    assert {f"figure{n}.{kind}" for n in "2345" for kind in ("png", "svg")} < set(made.files)
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    # What the other commands take is what they would have written.
    assert load_profiles(tmp_path / "profile.json").entropies == found.profiles.entropies
    assert load_weights(tmp_path / "weights.json").values == found.weights.values
    assert compare(load_saved(tmp_path / "run.json")).treebanks[0].values["las.f1"] == 1.0
    json.loads(made.files["comparison.json"])
    assert [row["treebank"] for row in rows(made.files["table1.csv"])] == ["en", "fi", "hi"]
    table = {row["treebank"]: row for row in rows(made.files["table5.csv"])}
    assert table["en"]["C lab."] == str(found.cascades.treebanks["en"].cascades.content_labelled.share)
    assert make_study_files(found, ["png", "svg"]).files == made.files


def test_the_page_has_every_table_and_what_was_left_out(folders):
    pytest.importorskip("matplotlib")
    made = make_study_files(study(*folders, settings=ProfileOptions(chunk=2)))
    page = made.files[STUDY_PAGE]
    # Nothing is run, and nothing is loaded from anywhere.
    assert "default-src 'none'; script-src 'none'" in html.unescape(page)
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!data:image/svg|#|[\w.-]+")', page)
    parser = HTMLParser()
    parser.feed(page)
    parser.close()
    assert {f'id="{name}"' in page for name in TABLES} == {True}
    assert page.count("data:image/svg+xml;base64,") == 4
    assert "Table 4, agreement with people, needs their judgements" in page
    for name in made.files:
        assert f'href="{name}"' in page or name == STUDY_PAGE


def test_names_are_text_on_the_page(tmp_path):
    hostile = "<script>alert(1)</script>&"
    name = {f"{hostile.replace('/', '')}__conllu": conllu(DOG, CAT)}
    made = make_study_files(study(write(tmp_path / "gold", **name), write(tmp_path / "system", **name)))
    assert "<script" not in made.files[STUDY_PAGE]
    assert html.escape("<script>alert(1)<script>&") in made.files[STUDY_PAGE]


def test_what_is_missing_is_said_and_the_rest_is_made(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    gold = write(tmp_path / "gold", en=conllu(DOG, CAT), fi="1\tx\n", hi=conllu(CAT), sv=conllu(DOG))
    system = write(tmp_path / "system", en=conllu(DOG, CAT), fi=conllu(DOG), sv="1\tx\n")
    found = study(gold, system)
    assert [treebank.name for treebank in found.profiles.treebanks] == ["en", "sv"]
    made = make_study_files(found)
    told = "\n".join(made.left_out)
    for expected in (
        r"^fi: .*fi\.conllu:1: 2 columns", r"^sv: .*sv\.conllu:1: 2 columns", r"^STTR of en, sv: fewer than 1,000 words",
        r"^the correlations of Table 3: one treebank", r"^Figure 5: one treebank", r"^the pictures of Figures 2 to 5: .*matplotlib",
    ):  # fmt: skip
        assert re.search(expected, told, re.MULTILINE), expected
    assert "system has no file named hi.conllu: hi is left out" in found.warnings
    # A failure is told once, with the path as it was found first.
    assert len([line for line in (*made.left_out, *found.warnings) if "sv.conllu:1" in line]) == 1
    shown = html.unescape(made.files[STUDY_PAGE])
    assert all(line in shown for line in made.left_out)
    assert not [name for name in made.files if name.endswith(".svg")]
    assert "table5.csv" in made.files


@pytest.mark.issue(18)
def test_treebanks_are_counted_that_the_system_was_compared_on(folders):
    gold, system = folders
    (system / "hi.conllu").write_text("1\tx\n", encoding="utf-8")
    found = study(gold, system)
    assert [treebank.name for treebank in found.profiles.treebanks] == ["en", "fi", "hi"]
    assert "two treebanks: every correlation is 1 or -1, and says nothing" in found.warnings
    page = make_study_files(found).files[STUDY_PAGE]
    assert "<h1><bdi>system on 2 of 3 treebanks</bdi></h1>" in page
    # The heading of the first card is as large as those of the others.
    assert '<section id="table1" class="card">' in page
    assert not re.search(r"\.hero \+ section(?!:not\(\.card\))", page)


def test_a_system_that_failed_everywhere_leaves_the_treebanks(tmp_path):
    gold = write(tmp_path / "gold", en=conllu(DOG, CAT))
    found = study(gold, write(tmp_path / "system", en="1\tx\n"))
    assert found.comparison is None
    assert found.cascades is None
    made = make_study_files(found)
    assert "table1.csv" in made.files
    assert "table5.csv" not in made.files
    with pytest.raises(InputError, match="2 columns"):
        study(write(tmp_path / "broken", en="1\tx\n"), gold)


def test_the_command_writes_a_folder_whole_or_not_at_all(typology, folders, folder):
    done = typology("study", "gold", "system", "-o", "out")
    assert done.status == 0
    assert "the page is out/index.html" in done.err.replace("\\", "/")
    assert "warning: left out: STTR of en, fi, hi" in done.err
    assert (folder / "out" / STUDY_PAGE).is_file()
    assert not [path for path in folder.iterdir() if path.name.startswith(".evalign")]
    again = typology("study", "gold", "system", "-o", "out")
    assert again.status == 1
    assert "a folder with files in it" in again.err
    assert "--overwrite" in again.err
    (folder / "out" / "mine.txt").write_text("mine")
    assert typology("study", "gold", "system", "-o", "out", "--overwrite", "-q").err == ""
    assert (folder / "out" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("gold", "system", "-o", "gold/out"), "inside gold"),
        (("gold", "system", "-o", "no/such/out"), "a folder inside one that exists"),
        (("gold", "system", "-o", "one.conllu"), "a folder to write to"),
        (("gold", "system", "-o", "out", "--pictures", "gif"), "some of png, svg, pdf"),
        (("gold", "one.conllu", "-o", "out"), "a file, where others are folders"),
        (("gold", "none", "-o", "out"), "no such folder"),
        (("gold", "gold", "-o", "out"), "the folder of gold"),
    ],
)
def test_what_cannot_be_studied_is_told_before_anything_is_written(
    typology, folders, folder, arguments, told
):
    before = sorted(folder.rglob("*"))
    done = typology("study", *arguments)
    assert done.status in (1, 2)
    assert told in done.err
    assert sorted(folder.rglob("*")) == before
