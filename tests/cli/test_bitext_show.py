"""`evalign bitext show` as a user runs it."""

import csv
import io
import json

import pytest

from bitext.datasets import Split, write_dataset, write_provenance
from evalign.bitext.dataset import PROVENANCE_FILE, PROVENANCE_HEADER

pytestmark = pytest.mark.once

FIRST = ["Le lac est bleu.", "Le lac dort \x1b[31mici.", "La mer est loin.", "Le vent souffle."]
SECOND = ["The wind blows.", "The lake is blue.", "The lake sleeps here.", "The sea is far."]


@pytest.fixture
def dataset(folder):
    """Four sentences of both languages, of which two are a pair."""
    made = write_dataset(folder / "set", test=Split(FIRST, SECOND, [(1, 2)]))
    write_provenance(made, size=3)
    return made


SHOWN = """\
fr-000000002 and en-000000003, test
  fr, document "test 0"
    fr-000000001  Le lac est bleu.
  > fr-000000002  Le lac dort \\x1b[31mici.
    fr-000000003  La mer est loin.
  en, document "test 0"
    en-000000002  The lake is blue.
  > en-000000003  The lake sleeps here.

> is the sentence that is shown, + another planted one.
"""


def test_a_planted_pair_stands_among_its_neighbours(evalign, dataset):
    done = evalign("bitext", "show", "set", "--context", "1")
    assert (done.status, done.err) == (0, "")
    assert done.out == SHOWN


def test_long_sentences_are_folded(evalign, folder):
    write_dataset(folder / "long", test=Split(["mot " * 40], ["word " * 40], [(0, 0)]))
    done = evalign("bitext", "show", "long")
    assert max(map(len, done.out.splitlines())) <= 100
    assert done.out.count("mot") == 40


def test_json_and_csv_have_every_line(evalign, dataset):
    saved = json.loads(evalign("bitext", "show", "set", "fr-000000002", "--format", "json").out)
    (excerpt,) = saved["excerpts"]
    assert [line["text"] for line in excerpt["sides"][0]["lines"]] == FIRST[:3]
    rows = list(csv.DictReader(io.StringIO(evalign("bitext", "show", "set", "--format", "csv").out)))
    assert [row["id"] for row in rows if row["shown"] == "yes"] == ["fr-000000002", "en-000000003"]
    assert {row["excerpt"] for row in rows} == {"1"}
    assert (saved["schema"], saved["kind"]) == (1, "excerpts")


ORIGIN = ("document", "source", "name", "pair_document", "after", "similarity")


def test_every_format_says_where_planted_sentences_come_from(evalign, dataset):
    """The same as on a terminal."""
    path = dataset.folder / PROVENANCE_FILE
    lines = path.read_text(encoding="utf-8").splitlines()
    k = next(k for k, line in enumerate(lines) if line.startswith("en-000000003"))
    cells = dict(zip(lines[0].split("\t"), lines[k].split("\t"), strict=True))
    cells |= {"source": "news.tsv", "name": "p7", "pair_document": "lakes"}
    cells |= {"after": "en-000000002", "similarity": "2.5"}
    lines[k] = "\t".join(cells.values())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for format in ("table", "markdown", "latex", "typst"):
        out = evalign("bitext", "show", "set", "--format", format).out
        assert all(part in out for part in ("planted from news.tsv, p7 of ", "lakes", "(2.5)")), format
    rows = list(csv.DictReader(io.StringIO(evalign("bitext", "show", "set", "--format", "csv").out)))
    found = {row["id"]: [row[key] for key in ORIGIN] for row in rows}
    assert found["en-000000003"] == ["test 0", "news.tsv", "p7", "lakes", "en-000000002", "2.5"]
    assert found["en-000000002"] == ["test 0", "", "", "", "", ""]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id\n", "provenance.tsv: another header"),
        (
            PROVENANCE_HEADER + "\nfr-000000001\ttraining\tnativ" + "\t" * 7 + "\n",
            'provenance.tsv:2: a sentence of kind "nativ"\n  expected native or planted',
        ),
    ],
)
def test_a_provenance_table_that_is_wrong_is_said_with_its_place(evalign, dataset, text, told):
    (dataset.folder / PROVENANCE_FILE).write_text(text, encoding="utf-8")
    done = evalign("bitext", "show", "set")
    assert (done.status, done.out) == (1, "")
    assert told in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("nothing",), 1, "nothing: no such folder"),
        (("set", "fr-2"), 2, 'id "fr-2"'),
        (("set", "fr-000000009"), 1, "no sentence fr-000000009 in test"),
        (("set", "--split", "tset"), 2, "test"),
        (("set", "--pairs", "0"), 2, "--pairs 0"),
        (("set", "fr-000000001", "--pairs", "3"), 2, "--pairs 3 with ids"),
        (("set", "fr-000000001", "--seed", "0"), 2, "--seed 0 with ids"),
        (("set", "-o", "set/fr-en.test.gold"), 2, "is a file of the data set"),
        ((), 2, "the following arguments are required: DIR"),
    ],
)
def test_wrong_commands(evalign, dataset, arguments, status, told):
    before = {path: path.read_bytes() for path in dataset.folder.iterdir()}
    done = evalign("bitext", "show", *arguments)
    assert {path: path.read_bytes() for path in dataset.folder.iterdir()} == before
    assert (done.status, done.out) == (status, "")
    assert told in done.err
