"""`evalign bitext stats` as a user runs it."""

import json

import pytest

from bitext.datasets import Split, make_split, write_dataset
from evalign.bitext.statistics.dataset_statistics import collect_statistics
from evalign.bitext.statistics.schema import STATISTICS_FILE
from evalign.files import write_json

pytestmark = pytest.mark.once


@pytest.fixture
def dataset(folder):
    """A data set in the folder where commands run, of the files that BUCC gave out."""
    names = Split(["Voici Anna Maria."], ["Here is Anna Maria."], [])
    return write_dataset(folder / "set", sample=names, training=make_split())


def test_a_folder_without_statistics_is_counted_and_says_what_is_missing(evalign, dataset):
    done = evalign("bitext", "stats", "set")
    assert done.status == 0
    assert "training  60  60    25" in done.out
    assert "not here: stages, planting, lengths before" in done.out
    assert done.err == ""
    assert done.out == evalign("bitext", "stats", "set").out


def test_saved_statistics_are_shown(evalign, dataset):
    write_json(
        dataset.folder / STATISTICS_FILE, collect_statistics(dataset, {"read": {"fr": {"documents": 17}}})
    )
    done = evalign("bitext", "stats", "set")
    assert "documents  17" in done.out


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex", "typst"])
def test_every_format_goes_to_a_file_too(evalign, dataset, folder, format):
    printed = evalign("bitext", "stats", "set", "--format", format)
    done = evalign("bitext", "stats", "set", "--format", format, "-o", "out")
    assert printed.status == done.status == 0
    assert done.out == ""
    assert (folder / "out").read_text(encoding="utf-8") == printed.out


def test_the_seed_is_of_the_samples(evalign, dataset):
    one, two = (
        json.loads(evalign("bitext", "stats", "set", "--format", "json", "--seed", seed).out)
        for seed in (1, 2)
    )
    assert (one["seed"], two["seed"]) == (1, 2)
    assert one["splits"] == two["splits"]
    assert one["detectability"] != two["detectability"]


def test_a_review_is_written_filled_in_and_read(evalign, dataset, folder):
    done = evalign("bitext", "stats", "set", "--review", "review.tsv")
    assert done.status == 0
    assert done.err == "review.tsv: pairs to review: 1\n"
    path = folder / "review.tsv"
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") == 2
    refused = evalign("bitext", "stats", "set", "--reviewed", "review.tsv")
    assert refused.status == 1
    assert "no verdict" in refused.err
    path.write_text(text.replace("\t\tVoici", "\ty\tVoici"), encoding="utf-8")
    done = evalign("bitext", "stats", "set", "--reviewed", "review.tsv")
    assert done.status == 0
    assert done.out.startswith("Parallel: 1 of 1 judged pair, 100.00 %")


def test_two_data_sets_in_a_folder_need_a_name(evalign, dataset):
    write_dataset(dataset.folder, pair="de-en", training=make_split(30, 5, 3))
    done = evalign("bitext", "stats", "set")
    assert done.status == 1
    assert "data sets of de-en, fr-en" in done.err
    assert "training  30  30     5" in evalign("bitext", "stats", "set", "--pair", "de-en").out


def damage(name, text):
    def run(folder):
        (folder / name).write_text(text, encoding="utf-8")

    return run


def remove(name):
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (remove("fr-en.training.en"), "set: no fr-en.training.en"),
        (damage("fr-en.training.en", ""), "fr-en.training.en: no sentence"),
        (damage("fr-en.training.en", "en-1\tOne.\n"), 'fr-en.training.en:1: id "en-1"'),
        (damage("fr-en.training.gold", "fr-000000009 en-000000001\n"), "fr-en.training.gold:1: "),
        (damage("fr-en.training.gold", "fr-900000001\ten-000000002\n"), "fr-en.training.gold:1: fr-900000001 is not in"),
        (damage("statistics.json", "{"), "statistics.json: damaged: not JSON at line 1"),
        (damage("statistics.json", '{"kind": "bitext-statistics", "schema": 9}'), "statistics.json: schema 9"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(evalign, dataset, change, told):
    change(dataset.folder)
    done = evalign("bitext", "stats", "set")
    assert (done.status, done.out) == (1, "")
    assert told in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("nothing",), 1, "nothing: no such folder"),
        ((".",), 1, ".: no data set\n  expected files such as"),
        (("set/fr-en.training.fr",), 1, "set/fr-en.training.fr: a file\n  expected a folder with"),
        ((), 2, "the following arguments are required: DIR"),
        (("set", "--pair", "xx-en"), 1, 'no data set "xx-en"'),
        (("set", "--seed", "-1"), 2, "'-1' is not a number from 0 up"),
        (("set", "--format", "html"), 2, 'unknown value "html"'),
        (("set", "--review", "no/where.tsv"), 1, "there is no folder no"),
        (("set", "--reviewed", "where.tsv"), 1, "where.tsv: no such file"),
        (("set", "-o", "x.html"), 2, "asks for html"),
        (("set", "--review", "-"), 2, "--review -"),
        (("set", "--reviewed", "r.tsv", "--review", "s.tsv"), 2, "--reviewed with --review"),
        (("set", "--reviewed", "r.tsv", "--format", "json"), 2, "--reviewed with --format json"),
        (("set", "-o", "set/fr-en.training.gold"), 2, "is a file of the data set"),
        (("set", "--review", "set/fr-en.training.fr"), 2, "is a file of the data set"),
        (("set", "--review", "out", "-o", "out"), 2, "are the same file"),
    ],
)
def test_wrong_commands(evalign, dataset, arguments, status, told):
    before = {path: path.read_bytes() for path in dataset.folder.iterdir()}
    done = evalign("bitext", "stats", *arguments)
    assert {path: path.read_bytes() for path in dataset.folder.iterdir()} == before
    assert (done.status, done.out) == (status, "")
    assert told in done.err
