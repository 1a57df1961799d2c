"""Files of two folders are matched by name."""

import os

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError, InputError
from evalign.files import list_files
from evalign.scoring.collection import (
    list_gold,
    list_raw,
    match_files,
    match_folders,
    name_folders,
    name_treebanks,
    show_names,
)
from runs import EN, write

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("gold", "files", "expected"),
    [
        (["en.conllu"], ["en.conllu", "en.txt"], ["en.conllu"]),
        (["en.conllu"], ["en.conllu.gz", "en.txt"], ["en.conllu.gz"]),
        (["en_ewt-ud-test.conllu"], ["en_ewt-ud-test.txt", "en_ewt-ud-dev.txt"], ["en_ewt-ud-test.txt"]),
        (["en.conllu.xz"], ["en.txt.zst"], ["en.txt.zst"]),
        (["English-EWT.gold.conllu"], ["English-EWT.conllu"], ["English-EWT.conllu"]),
        (["English-EWT.gold.conllu"], ["English-EWT.txt"], ["English-EWT.txt"]),
        (["en/test.conllu"], ["en/test.txt", "fr/test.txt"], ["en/test.txt"]),
        (["en/test.conllu"], ["test.conllu", "fr/test.conllu"], [None]),
        (["en.v1.conllu", "en.v2.conllu"], ["en.v2.txt", "en.v1.txt"], ["en.v1.txt", "en.v2.txt"]),
        (["en.conllu", "en.v2.conllu"], ["en.conllu"], ["en.conllu", None]),
        (["en", "v1.0/fr"], ["en.txt", "v1.0/fr.out.txt"], ["en.txt", "v1.0/fr.out.txt"]),
        (["en.conllu"], ["EN.conllu"], [None]),
    ],
)
def test_the_closest_name_matches(gold, files, expected):
    found = match_files(gold, files, "system")
    assert [found.get(path) for path in gold] == expected


@pytest.mark.parametrize(
    ("gold", "files", "message"),
    [
        (["en.conllu"], ["en.txt", "en.tsv"], "en.txt and en.tsv for gold's en.conllu"),
        (["en.gold.conllu"], ["en.a.conllu", "en.b.conllu"], "en.a.conllu and en.b.conllu"),
        (["en.a.conllu", "en.b.conllu"], ["en.txt"], "en.txt for gold's en.a.conllu and en.b.conllu"),
        (["en.mrg"], ["en.conllu", "en.conllu.gz"], "en.conllu and en.conllu.gz"),
    ],
)
def test_two_candidates_are_an_error_that_lists_them(gold, files, message):
    with pytest.raises(InputError) as caught:
        match_files(gold, files, "runs/alpha")
    assert str(caught.value).startswith("runs/alpha: ")
    assert message in caught.value.found
    assert "read_manifest" in caught.value.advice


PATHS = st.lists(st.from_regex(r"(x/)?[ab](\.[cd]){0,2}(\.gz)?", fullmatch=True), unique=True, max_size=5)


@given(gold=PATHS, files=PATHS)
def test_no_file_is_matched_twice_and_equal_paths_always_are(gold, files):
    try:
        found = match_files(gold, files, "system")
    except InputError:
        return
    assert len(set(found.values())) == len(found)
    assert set(found) <= set(gold)
    assert set(found.values()) <= set(files)
    for path in set(gold) & set(files):
        assert found[path] == path


def test_hidden_files_and_those_about_the_data_are_left_out(tmp_path):
    for name in (".hidden", "README", "readme.md", "LICENSE.txt", "b.conllu", "a.conllu", "readmes.conllu"):
        (tmp_path / name).touch()
    for name in ("sub/c.conllu", ".git/config", "sub/README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert list_files(tmp_path) == ["a.conllu", "b.conllu", "readmes.conllu", "sub/c.conllu"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_that_leads_back_is_not_followed_for_ever(tmp_path):
    (tmp_path / "a.conllu").touch()
    (tmp_path / "again").symlink_to(tmp_path)
    assert list_files(tmp_path) == ["a.conllu"]


def test_raw_text_beside_gold_is_no_gold(tmp_path):
    for name in ("en.conllu", "en.txt", "fr.gold.conllu", "fr.txt.gz", "de.txt"):
        (tmp_path / name).touch()
    gold, warnings = list_gold(tmp_path)
    assert gold == ["de.txt", "en.conllu", "fr.gold.conllu"]
    assert [warning.partition(": ")[0] for warning in warnings] == ["en.txt", "fr.txt.gz"]
    assert list_raw(tmp_path) == ["de.txt", "en.txt", "fr.txt.gz"]


def test_a_folder_without_gold(tmp_path):
    (tmp_path / "README.md").touch()
    with pytest.raises(InputError, match="a folder without a file"):
        list_gold(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        list_files(tmp_path / "missing")


@pytest.mark.parametrize(
    ("matches", "names"),
    [
        ({"en.gold.conllu": []}, ["en"]),
        ({"en.conllu": ["en.conllu"], "fr.conllu": []}, ["en", "fr"]),
        ({"en.gold.conllu": ["en.out.conllu"]}, ["en"]),
        ({"en.gold.conllu": ["en.gold.txt"]}, ["en.gold"]),
        ({"x/en.conllu": ["x/en.conllu"], "y/en.conllu": []}, ["x/en", "y/en"]),
        # Two that would be the same keep their paths.
        ({"en.conllu": ["en.conllu"], "en.gold.conllu": ["en.a.conllu"]}, ["en.conllu", "en.gold.conllu"]),
    ],
)
def test_a_treebank_has_the_name_that_its_files_share(matches, names):
    assert list(name_treebanks(matches).values()) == names


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
def test_folders_of_one_name_are_told_apart():
    assert name_folders(["a/x/out", "b/x/out", "c"]) == ["a/x/out", "b/x/out", "c"]
    assert name_folders(["a/x/out", "a/y/out"]) == ["x/out", "y/out"]
    assert name_folders(["a/out", "./a/out"]) == ["out", "out (2)"]
    assert name_folders(["/"]) == ["/"]


def test_a_folder_inside_another_is_its_own_alone(tmp_path):
    gold = write(tmp_path, en=EN)
    alpha, raw = write(tmp_path / "alpha", en=EN), tmp_path / "raw"
    raw.mkdir()
    (raw / "en.txt").write_text("a", encoding="utf-8")
    beta = write(alpha / "beta", en=EN)
    found = match_folders(gold, alpha, beta, raw=raw)
    assert [(bank.name, bank.raw) for bank in found.treebanks] == [("en", str(raw / "en.txt"))]
    assert found.treebanks[0].gold == str(tmp_path / "en.conllu")
    assert found.treebanks[0].systems == (str(alpha / "en.conllu"), str(beta / "en.conllu"))
    assert found.warnings == ()
    # Gold may lie in a system's folder as well.
    assert match_folders(beta, alpha).warnings == ()


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_of_two_links_to_one_folder_the_first_by_name_is_taken(tmp_path, monkeypatch):
    write(tmp_path / "there", en=EN)
    top = tmp_path / "top"
    for name in ("b", "a", "c"):
        (top / name).mkdir(parents=True)
        (top / name / "link").symlink_to(tmp_path / "there")
    walk = os.walk

    def backwards(*given, **options):
        for parent, folders, names in walk(*given, **options):
            folders.sort(reverse=True)
            yield parent, folders, names

    monkeypatch.setattr(os, "walk", backwards)
    assert list_files(top) == ["a/link/en.conllu"]


def test_many_names_are_cut_short():
    assert show_names(["a"]) == "a"
    assert show_names([str(k) for k in range(9)]) == "0, 1, 2, 3, 4, 5 and 3 more"


@pytest.mark.issue(28)
@pytest.mark.parametrize("value", [None, 3, b"x", ["a"], {"a": [["b"]]}, float("nan")], ids=repr)
def test_what_is_no_path_of_a_folder_is_refused(value, tmp_path):
    with pytest.raises(CommandError, match="a folder to score is of type"):
        evalign.score_collection(value, tmp_path)
    with pytest.raises(CommandError, match="a folder to score is of type"):
        evalign.score_collection(tmp_path, value)
