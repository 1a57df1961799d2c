"""Results, warnings and reports name inputs by the part that tells them apart, never by their paths."""

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import InputError
from evalign.files import replace_paths, shorten_paths
from evalign.scoring.collection import find_near
from evalign.scoring.gate_systems import match_other_run

SAVED = Path(__file__).parent.parent / "results" / "saved"
WORDS = "1\tA\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tX\t_\t_\t0\troot\t_\t_\n\n"
PARTS = st.sampled_from(["a", "b", "home", "out.conllu", "gold.conllu"])

pytestmark = [pytest.mark.issue(15), pytest.mark.once]


def write(path, text=WORDS):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def files(tmp_path):
    return (
        write(tmp_path / "gold.conllu"),
        write(tmp_path / "a" / "out.conllu", WORDS.replace("\tb\tb", "\tc\tc")),
        write(tmp_path / "b" / "out.conllu", WORDS.replace("\n", "\r\n")),
    )


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/home/me/gold.txt", "/home/me/sys.txt"], ["gold.txt", "sys.txt"]),
        (["/r/a/x.txt", "/r/b/x.txt", "/r/g.txt"], ["a/x.txt", "b/x.txt", "g.txt"]),
        (["/r/1/out/x.txt", "/r/2/out/x.txt"], ["1/out/x.txt", "2/out/x.txt"]),
        (["x.txt", "/home/me/x.txt"], ["x.txt", "me/x.txt"]),
        (["/r/x.txt", "/r/x.txt"], ["x.txt", "x.txt"]),
        (["./x.txt", "x.txt"], ["x.txt", "x.txt"]),
        (["C:\\Users\\me\\a\\x.txt", "C:\\Users\\me\\b\\x.txt"], ["a/x.txt", "b/x.txt"]),
        (["https://me:pw@a.org/x.txt?k=1", "https://b.org/x.txt"], ["a.org/x.txt", "b.org/x.txt"]),
        (["s3://bucket/x.txt?k=1", "s3://bucket/x.txt?k=2"], ["x.txt", "x.txt (2)"]),
        (["zip://x.txt::s3://me@bucket/all.zip"], ["x.txt"]),
    ],
)
def test_names_are_the_shortest_ends_of_paths(paths, names):
    assert shorten_paths(paths) == names


@given(st.lists(st.lists(PARTS, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts)), max_size=5))
def test_other_paths_have_other_names_and_the_same_the_same(paths):
    names = shorten_paths(paths)
    assert len(set(names)) == len(set(paths))
    assert len(set(zip(paths, names, strict=True))) == len(set(paths))
    assert not any(name.startswith("/") for name in names)


def test_messages_lose_paths_and_the_folders_of_them():
    names = {"beta/de.txt": "beta/de.txt", "/data/runs/en.txt": "en.txt"}
    message = "beta/de.txt:3: wrong; did you mean /data/runs/eng.txt? the folder /data/runs is empty"
    assert (
        replace_paths(message, names)
        == "beta/de.txt:3: wrong; did you mean eng.txt? the folder runs is empty"
    )


@pytest.mark.parametrize("other", ["/home/media/x", "/home/me-old/x", "/home/me.old/x", "/home/me/en.text"])
def test_only_whole_parts_of_a_path_are_replaced(other):
    names = {"/home/me/en.t": "en.t"}
    shown = other.removeprefix("/home/me/")
    assert replace_paths(f"no file in {other} of /home/me.", names) == f"no file in {shown} of me."


@pytest.mark.parametrize("options", [{}, {"stream": True}], ids=["memory", "stream"])
def test_a_saved_result_has_no_path(files, tmp_path, options):
    result = evalign.score(*files, **options)
    assert (result.gold, [s.name for s in result.systems]) == (
        "gold.conllu",
        ["a/out.conllu", "b/out.conllu"],
    )
    assert result.warnings[0].startswith("b/out.conllu:1: line ends are CRLF")
    saved = json.dumps(result.to_dict(whole=True))
    assert str(tmp_path) not in saved
    assert '"gold.conllu:2"' in saved


def test_documents_that_were_read_before_are_named_together(files):
    result = evalign.score(*map(evalign.read, files))
    assert [s.name for s in result.systems] == ["a/out.conllu", "b/out.conllu"]
    assert result.warnings[0].startswith("b/out.conllu:1: ")


def test_a_name_that_was_given_stays(files):
    documents = evalign.read(files[0], name="/my/gold"), evalign.read(files[2], name="mine: b/c")
    result = evalign.score(*documents, files[1])
    assert (result.gold, [s.name for s in result.systems]) == ("/my/gold", ["mine: b/c", "out.conllu"])
    assert result.warnings[0].startswith("mine: b/c:1: line ends are CRLF")


def test_an_open_file_is_named_like_its_path(files):
    with files[1].open("rb") as file:
        assert evalign.score(files[0], file).systems[0].name == "out.conllu"
    assert evalign.score(files[0], io.BytesIO(WORDS.encode())).systems[0].name == "<file>"


@pytest.mark.parametrize("options", [{}, {"stream": True}], ids=["memory", "stream"])
def test_errors_have_the_path_as_given(files, tmp_path, options):
    for text in ("1\tA\n", WORDS.replace("A", "Z")):
        write(tmp_path / "a" / "out.conllu", text)
        with pytest.raises(InputError, match=re.escape(f"{files[1]}:1: ")):
            evalign.score(*files[:2], strict=True, **options)


def test_raw_texts_are_named_the_same_way(files, tmp_path):
    raws = [write(tmp_path / "texts" / "gold.conllu", "A")]
    result = evalign.score(*files[:2], raw=raws)
    assert any("texts/gold.conllu has no character of this token" in warning for warning in result.warnings)
    assert str(tmp_path) not in json.dumps(result.to_dict(whole=True))


def test_a_folder_run_has_no_path(files, tmp_path):
    gold, alpha = tmp_path / "gold", tmp_path / "alpha"
    for name in ("en", "fr", "Korean-GSD"):
        write(gold / f"{name}.conllu")
    write(alpha / "en.conllu", WORDS.replace("\n", "\r\n"))
    write(alpha / "fr.conllu", "1\tA\n")
    write(alpha / "korean_gsd.conllu")
    for keep in (None, tmp_path / "kept", tmp_path / "kept"):
        parts = evalign.score_collection(gold, alpha, keep=keep)
        saved = json.dumps(parts.to_dict(whole=True))
        assert str(tmp_path) not in saved
        assert parts["en"].gold == "gold/en.conllu"
        assert parts.failed(0)["fr"].startswith("alpha/fr.conllu:1: ")
        assert parts.failed(0)["Korean-GSD"] == (
            "alpha has no file named Korean-GSD.conllu; did you mean korean_gsd.conllu?"
        )
        assert parts.warnings == (
            "alpha: no gold file named korean_gsd.conllu; did you mean Korean-GSD.conllu?",
        )


def test_near_names_are_suggested_once_and_never_what_is_matched():
    gold = ["Korean-GSD.conllu", "korean_gsd.conllu", "fr.conllu"]
    assert find_near(gold, ["KOREAN GSD.txt"]) == {"Korean-GSD.conllu": "KOREAN GSD.txt"}
    assert find_near(gold, ["fi.conllu"]) == {}
    assert find_near(["en/x.conllu"], ["X.pred.conllu"]) == {"en/x.conllu": "X.pred.conllu"}


def test_results_saved_with_whole_paths_are_read_and_matched(files):
    old = evalign.load_saved(SAVED / "whole-paths-files.json")
    whole, short = [s.name for s in old.systems], ["a/out.conllu", "b/out.conllu"]
    assert whole == ["/data/runs/a/out.conllu", "/data/runs/b/out.conllu"]
    for number in (0, 1):
        assert match_other_run(whole, short, number) == [number]
        assert match_other_run(short, whole, number) == [number]
        assert match_other_run(short, whole[number:][:1], 0) == [number]
    assert evalign.load_saved(SAVED / "whole-paths-folders.json").systems == ["alpha", "beta"]


def test_a_gate_takes_a_baseline_saved_with_whole_paths():
    baseline = evalign.load_saved(SAVED / "whole-paths-files.json")
    new = evalign.Result.from_dict(
        json.loads((SAVED / "whole-paths-files.json").read_text().replace("/data/runs/", ""))
    )
    for name in ("a/out.conllu", "b/out.conllu"):
        found = evalign.gate(new, baseline, max_drop={"tokens": 0}, system=name)
        assert found.passed
        assert (found.system.name, found.baseline.name) == (name, f"/data/runs/{name}")
