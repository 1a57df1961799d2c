"""Manifests, which list the files that a run scores."""

import json

import pytest

import evalign
from evalign.errors import InputError, Place
from evalign.readers.remote import check_url
from evalign.scoring.collection import join_path
from runs import EN, EN_WRONG

pytestmark = pytest.mark.once

TABLE = "treebank\tgold\traw\talpha\tbeta\nen\tg/en.conllu\t-\ta/en.txt\tb/en.txt\n\n# a remark\nfr\t/g/fr.conllu\tr.txt\ta/fr.txt\t-\n"


@pytest.fixture
def manifest(tmp_path):
    def write(text, name="runs.tsv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def check(collection, folder):
    assert collection.systems == ("alpha", "beta")
    [en, fr] = collection.treebanks
    assert (en.name, en.gold, en.raw) == ("en", str(folder / "g/en.conllu"), None)
    assert en.systems == (str(folder / "a/en.txt"), str(folder / "b/en.txt"))
    assert (fr.gold, fr.raw, fr.systems) == (
        "/g/fr.conllu", str(folder / "r.txt"), (str(folder / "a/fr.txt"), None),
    )  # fmt: skip


def test_a_table_with_tabs(manifest, tmp_path):
    check(evalign.read_manifest(manifest(TABLE)), tmp_path)


def test_a_table_with_commas(manifest, tmp_path):
    text = TABLE.replace("\t", ", ").replace("g/en.conllu", '"g/en.conllu"', 1).replace(", -\n", ",\n")
    check(evalign.read_manifest(manifest(text.replace(', "', ',"'), "runs.csv")), tmp_path)


def test_json(manifest, tmp_path):
    saved = {
        "treebanks": [
            {"name": "en", "gold": "g/en.conllu", "systems": {"alpha": "a/en.txt", "beta": "b/en.txt"}},
            {
                "name": "fr",
                "gold": "/g/fr.conllu",
                "raw": "r.txt",
                "systems": {"alpha": "a/fr.txt", "beta": None},
            },
        ]
    }
    check(evalign.read_manifest(manifest(json.dumps(saved), "runs.json")), tmp_path)
    del saved["treebanks"][1]["systems"]["beta"]
    check(evalign.read_manifest(manifest(json.dumps(saved), "runs.json")), tmp_path)


def test_paths_of_a_text_are_as_they_stand():
    collection = evalign.read_manifest(evalign.Text("treebank\tgold\tone\nen\tg.txt\ts.txt\n"))
    assert (collection.treebanks[0].gold, collection.treebanks[0].systems) == ("g.txt", ("s.txt",))


@pytest.mark.parametrize(
    ("text", "lineno", "found"),
    [
        ("", 0, "nothing"),
        ("# nothing but a remark\n", 0, "nothing"),
        ("treebank\tgold\tone\n", 0, "no treebank"),
        ("treebank\tgold\nen\tg\n", 0, "no system"),
        ("name\tgold\tone\nen\tg\ts\n", 1, 'no column treebank in "name, gold, one"'),
        ("\n\nen\tg\ts\n", 3, "no column treebank and no column gold"),
        ("treebank\tgold\tone\tone\nen\tg\ts\tt\n", 1, 'column "one" twice'),
        ("treebank\tgold\tone\t\nen\tg\ts\tt\n", 1, "a column without a name"),
        ("treebank\tgold\tone\n\nen\tg\n", 3, "2 cells"),
        ("treebank\tgold\tone\nen g s\n", 2, "1 cell"),
        ("treebank\tgold\tone\nen\tg\ts\tt\n", 2, "4 cells"),
        ("treebank\tgold\tone\nen\tg\ts\n\nen\th\tt\n", 4, 'treebank "en" twice, first in line 2'),
        ("treebank\tgold\tone\n\tg\ts\n", 2, "the column treebank is empty"),
        ("treebank\tgold\tone\nen\t-\ts\n", 2, "the column gold is empty"),
        ("treebank,gold,al\rpha\nen,a,b\n", 1, "a carriage return within the line"),
        ("treebank\tgold\tal\rpha\nen\ta\tb\n", 1, "a carriage return within the line"),
        ("treebank,gold,alpha\nen,a\r,b\n", 2, "a carriage return within the line"),
        pytest.param(f"treebank,gold,alpha\nen,{'x' * 200_000},b\n", 2, "not CSV (field larger", id="long"),
        ('{\n "treebanks": [}', 2, "not JSON"),
        pytest.param("[" * 100_000, 0, "nested too deeply", id="deep"),
        ('{"treebanks": [{"name": "en", "gold": "g", "systems": {"a": "x", "a": "y"}}]}', 0, "a: twice"),
        ("[]", 0, 'no list "treebanks"'),
        ('{"treebanks": []}', 0, "no treebank"),
        ('{"treebanks": [3]}', 0, 'treebank 1: no "name"'),
        ('{"treebanks": [{"name": "en"}]}', 0, 'treebank 1 ("en"): no "gold"'),
        ('{"treebanks": [{"name": "en", "gold": "g"}]}', 0, 'treebank 1 ("en"): no "systems"'),
        ('{"treebanks": [{"name": "en", "gold": "g", "systems": {"a": 3}}]}', 0, 'no "systems"'),
        ('{"treebanks": [{"name": "en", "gold": "g", "raw": [], "systems": {}}]}', 0, '"raw" is not a path'),
        ('{"treebanks": [{"name": "en", "golds": "g"}]}', 0, "golds"),
        ('{"treebanks": [{"name": "en", "gold": "g", "systems": {}}]}', 0, "no system"),
    ],
)
def test_what_is_wrong_with_a_manifest_is_said_with_its_place(manifest, text, lineno, found):
    path = manifest(text)
    with pytest.raises(InputError) as caught:
        evalign.read_manifest(path)
    assert (caught.value.place.path, caught.value.place.lineno) == (str(path), lineno)
    assert found in caught.value.found
    assert caught.value.expected


@pytest.mark.parametrize(
    ("manifest", "path", "found"),
    [
        ("runs/all.tsv", "s3://bucket/en.conllu", "s3://bucket/en.conllu"),
        ("runs/all.tsv", "/g/en.conllu", "/g/en.conllu"),
        ("https://example.org/all.tsv", "g/en.conllu", "https://example.org/g/en.conllu"),
        ("https://example.org/runs/all.tsv?at=/x/y#z", "en.conllu", "https://example.org/runs/en.conllu"),
        ("s3://bucket/runs/all.tsv", "../g/./en.conllu", "s3://bucket/g/en.conllu"),
        ("s3://bucket/all.tsv", "../../en.conllu", "s3://bucket/en.conllu"),
        ("s3://bucket/all.tsv", "https://example.org/en.conllu", "https://example.org/en.conllu"),
        ("s3://bucket/all.tsv", "/g/en.conllu", "/g/en.conllu"),
        ("memory://all.tsv", "en.conllu", "memory://en.conllu"),
        ("file:///runs/all.tsv", "en.conllu", "file:///runs/en.conllu"),
        ("zip://runs/all.tsv::s3://b/all.zip", "en.conllu", "zip://runs/en.conllu::s3://b/all.zip"),
        ("simplecache::s3://b/runs/all.tsv", "en.conllu", "simplecache::s3://b/runs/en.conllu"),
    ],
)
def test_urls_stay_and_paths_are_as_seen_from_where_the_manifest_is(manifest, path, found):
    assert join_path(manifest, path) == found


def test_a_manifest_and_its_files_at_urls(tmp_path):
    """Those of memory can be read by this process alone."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    elsewhere = (tmp_path / "two.conllu").as_uri()
    (tmp_path / "two.conllu").write_text(EN, encoding="utf-8")
    table = f"treebank\tgold\traw\tone\ttwo\nen\tg/en.conllu\ten.txt\t../one.conllu\t{elsewhere}\n"
    texts = {
        "runs/all.tsv": table,
        "runs/g/en.conllu": EN,
        "runs/en.txt": "A b c D e",
        "one.conllu": EN_WRONG,
    }
    for name, text in texts.items():
        memory.pipe_file(f"/collected/{name}", text.encode())
    collection = evalign.read_manifest("memory://collected/runs/all.tsv")
    [treebank] = collection.treebanks
    assert treebank.gold == "memory://collected/runs/g/en.conllu"
    assert treebank.systems == ("memory://collected/one.conllu", elsewhere)
    for keep in (None, tmp_path / "kept", tmp_path / "kept"):
        parts = evalign.score_collection(collection, keep=keep)
        assert parts["en"].gold == "en.conllu"
        assert [system["upos"].f1 for system in parts["en"].systems] == [0.6, 1.0]


@pytest.mark.issue(15)
@pytest.mark.parametrize("column", ["gold", "raw", "one"])
@pytest.mark.parametrize("is_json", [False, True])
def test_a_scheme_that_is_not_followed_stops_a_manifest_before_anything_is_read(manifest, column, is_json):
    cells = {"gold": "g.conllu", "raw": "r.txt", "one": "s.conllu", column: "reference://a::file:///b.json"}
    if is_json:
        entry = {"name": "en", "gold": cells["gold"], "raw": cells["raw"], "systems": {"one": cells["one"]}}
        path, lineno = manifest(json.dumps({"treebanks": [entry]}), "runs.json"), 0
    else:
        path, lineno = (
            manifest("treebank\t" + "\t".join(cells) + "\nen\t" + "\t".join(cells.values()) + "\n"),
            2,
        )
    with pytest.raises(
        InputError, match=r'the scheme "reference" of reference://a::file:///b.json'
    ) as caught:
        evalign.read_manifest(path)
    assert (caught.value.place.path, caught.value.place.lineno) == (str(path), lineno)


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("cell", "joined"),
    [
        ("reference://a::/b", "reference://a::/b"),
        ("x::reference://a", "https://h/x::reference:/a"),
        ("a::reference", "https://h/a::reference"),
    ],
)
def test_no_cell_leads_out_of_a_manifest_at_a_url(cell, joined):
    assert join_path("https://h/all.tsv", cell) == joined
    with pytest.raises(InputError, match="the scheme"):
        check_url(joined, Place("all.tsv", 2))


@pytest.mark.issue(15)
def test_a_manifest_can_be_kept_to_a_folder(manifest, tmp_path):
    (tmp_path / "below").mkdir()
    for name in ("g.conllu", "s.conllu"):
        (tmp_path / "below" / name).write_text(EN, encoding="utf-8")
    (tmp_path / "other.conllu").write_text(EN, encoding="utf-8")
    (tmp_path / "below" / "link.conllu").symlink_to("../other.conllu")
    table = "treebank\tgold\traw\tone\nen\t{}\t{}\t{}\n"
    path = manifest(table.format("below/g.conllu", "-", "below/s.conllu"))
    collection = evalign.read_manifest(path, stay_below=tmp_path / "below")
    assert (
        evalign.score_collection(collection, stay_below=tmp_path / "below")["en"].systems[0]["upos"].f1 == 1
    )
    outside = ["other.conllu", "below/../other.conllu", "below/link.conllu", "/etc/passwd", "memory://g", ".",
               (tmp_path / "below" / "g.conllu").as_uri()]  # fmt: skip
    for cell in outside:
        for column in range(3):
            cells = ["below/g.conllu", "-", "below/s.conllu"]
            cells[column] = cell
            path = manifest(table.format(*cells))
            with pytest.raises(InputError, match="outside") as caught:
                evalign.read_manifest(path, stay_below=tmp_path / "below")
            assert caught.value.place.lineno == 2
            with pytest.raises(InputError, match=r"treebank en: .*outside"):
                evalign.score_collection(evalign.read_manifest(path), stay_below=tmp_path / "below")


@pytest.mark.issue(15)
def test_folders_can_be_kept_to_a_folder_too(tmp_path):
    for name in ("gold", "one"):
        (tmp_path / "below" / name).mkdir(parents=True)
        (tmp_path / "below" / name / "en.conllu").write_text(EN, encoding="utf-8")
    folders = tmp_path / "below" / "gold", tmp_path / "below" / "one"
    assert evalign.score_collection(*folders, stay_below=tmp_path / "below")["en"].systems[0]["upos"].f1 == 1
    (tmp_path / "fr.conllu").write_text(EN, encoding="utf-8")
    for folder in folders:
        (folder / "fr.conllu").symlink_to(tmp_path / "fr.conllu")
    with pytest.raises(InputError, match=r"treebank fr: .*outside"):
        evalign.score_collection(*folders, stay_below=tmp_path / "below")
