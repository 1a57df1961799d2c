"""`evalign report`: pages from saved results, and inputs that are refused."""

import json
import re
import sys
import webbrowser

import pytest

pytestmark = pytest.mark.once


@pytest.fixture
def saved(evalign, folder):
    """A saved result in the folder where commands run."""
    assert evalign("score", "gold.txt", "one.txt", "two.txt", "-o", "run.json").status == 0
    return folder / "run.json"


def test_the_page_is_named_like_the_result(evalign, saved):
    done = evalign("report", "run.json")
    assert (done.status, done.out) == (0, "")
    assert done.err == "the report is in run.html\n"
    assert saved.with_suffix(".html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_page_goes_where_it_is_told(evalign, saved, folder):
    assert evalign("report", "run.json", "-o", "page.html", "-q", "--title", "A < B").err == ""
    assert "<title>A &lt; B · evalign</title>" in (folder / "page.html").read_text(encoding="utf-8")
    assert evalign("report", "run.json", "-o", "-").out.startswith("<!DOCTYPE html>")


def test_the_same_command_writes_the_same_bytes(evalign, saved):
    pages = [
        evalign("report", "run.json", "-o", "-", "--seed", "7", "--resamples", "20").out for _ in range(2)
    ]
    assert pages[0] == pages[1]
    assert "20 resamples" in pages[0]


def test_the_page_is_opened_in_the_browser(evalign, saved, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    done = evalign("report", "run.json", "--open")
    assert (done.status, done.out, done.err) == (0, "", "the report is in run.html\n")
    assert opened == [saved.with_suffix(".html").resolve().as_uri()]


@pytest.mark.parametrize("failure", [None, webbrowser.Error("none"), OSError("none")])
def test_a_page_that_no_browser_opens_is_written_all_the_same(evalign, saved, monkeypatch, failure):
    def refuse(_address):
        if failure is not None:
            raise failure
        return False

    monkeypatch.setattr("webbrowser.open", refuse)
    done = evalign("report", "run.json", "--open", "-q", "-o", "page.html")
    assert (done.status, done.err) == (0, "evalign: no browser could be opened; open page.html yourself\n")
    assert saved.with_name("page.html").exists()


def test_a_page_on_standard_output_cannot_be_opened(evalign, saved, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail(f"opened {address}"))
    done = evalign("report", "run.json", "--open", "-o", "-")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("evalign: --open with a page on standard output\n")


def test_what_cannot_be_written_is_said_first(evalign, saved):
    assert "directory" in evalign("report", "run.json", "-o", ".").err
    assert "no folder" in evalign("report", "run.json", "-o", "nowhere/page.html").err
    done = evalign("report", "run.json", "-o", "run.json")
    assert (done.status, "a file that is read" in done.err) == (2, True)
    assert evalign("report", "run.json", "-o", "").status == 2


@pytest.fixture
def resampled():
    """What was resampled: results, and parts with their averages."""
    found = []

    def watch(frame, event, _argument):
        name = frame.f_code.co_name
        if event == "call" and name == "assess" and frame.f_back.f_code.co_name != "assess_all":
            found.append(frame.f_locals["result"])
        elif event == "call" and name == "assess_all":
            found.append(frame.f_locals["parts"])

    sys.setprofile(watch)
    yield found
    sys.setprofile(None)


@pytest.mark.parametrize("asked", [("--confidence", "--paired"), ("--confidence",), ("--paired",), ()])
def test_table_file_and_page_are_of_the_same_resamples(evalign, folder, resampled, asked):
    files = ("gold.txt", "one.txt", "two.txt")
    done = evalign("score", *files, *asked, "-o", "run.json", "--report", "page.html", "--resamples", "20")
    assert done.status == 0
    assert len(resampled) == 1
    saved = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert ("significance" in saved) == bool(asked)
    if asked:
        assert bool(saved["significance"]["tests"]) == ("--paired" in asked)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "p is by approximate randomization" in page
    assert evalign("report", "run.json", "-o", "-", "--resamples", "20").out == page


def test_folders_are_resampled_once(evalign, folder, resampled):
    for name in ("gold", "one", "two"):
        (folder / name).mkdir()
        for treebank in ("da", "de"):
            (folder / name / f"{treebank}.txt").write_bytes((folder / f"{name}.txt").read_bytes())
    asked = ("--confidence", "--paired", "--resamples", "20", "-o", "run.json", "--report", "page.html")
    assert evalign("score", "gold", "one", "two", *asked).status == 0
    assert [type(found).__name__ for found in resampled] == ["Parts"]


def test_genres_that_were_asked_for_are_resampled_once(evalign, examples, folder, resampled):
    files = [examples / "corpus" / f"{name}.conllu" for name in ("gold", "baseline", "second")]
    asked = ("--metrics", "tokens", "--by", "genre", "--confidence", "--resamples", "20")
    assert evalign("score", *files, *asked, "--report", "page.html").status == 0
    assert [type(found).__name__ for found in resampled] == ["Result", "Parts"]
    assert headings(folder / "page.html") == ["By genre"]


def headings(path):
    """What the tables of a page are by."""
    return [f"By {name}" for name in re.findall(r"<h3>By <bdi>(.*?)</bdi></h3>", path.read_text("utf-8"))]


@pytest.fixture
def corpus(examples):
    """Gold and two systems with genres."""
    return [examples / "corpus" / f"{name}.conllu" for name in ("gold", "baseline", "second")]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("--by", "length"), ["By genre", "By length"]),
        (("--by", "^([a-z]+)-", "--per", "relation"), ["By genre", "By ^([a-z]+)-", "By relation"]),
        (("--by", "length,genre,label"), ["By length", "By genre", "By relation"]),
    ],
)
def test_the_page_has_what_was_asked_for_and_genres(evalign, corpus, folder, asked, expected):
    few = ("--resamples", "5")
    saving = ("--metrics", "tokens,las", "-o", "run.json", "--report", "page.html")
    assert evalign("score", *corpus, *asked, *saving, *few).status == 0
    assert headings(folder / "page.html") == expected
    assert evalign("report", "run.json", *asked, *few).status == 0
    assert (folder / "run.html").read_bytes() == (folder / "page.html").read_bytes()


def test_what_a_result_cannot_be_split_by_is_refused_before_a_page_is_written(evalign, saved, folder):
    done = evalign("report", "run.json", "--by", "genre")
    assert done.status != 0
    assert "by genre: " in done.err
    assert not (folder / "run.html").exists()
    assert evalign("report", "run.json", "--per", "nothing").status == 2


@pytest.fixture
def treebanks(folder):
    """Folders of gold and two systems; the second has one treebank of two."""
    for name in ("gold", "one", "two"):
        (folder / name).mkdir()
        for treebank in ("da", "de")[: 1 if name == "two" else 2]:
            (folder / name / f"{treebank}.txt").write_bytes((folder / f"{name}.txt").read_bytes())


def test_standard_output_has_the_page_and_no_table(evalign, folder, treebanks):
    few = ("--resamples", "5")
    for files in (("gold.txt", "one.txt", "two.txt"), ("gold", "one", "two")):
        done = evalign("score", *files, "--report", "-", *few)
        assert done.status == 0
        assert done.out.startswith("<!DOCTYPE html>")
        saving = evalign("score", *files, "--report", "-", "-o", "run.json", *few)
        assert saving.out == done.out
        assert evalign("report", "run.json", "-o", "-", *few).out == done.out
    assert evalign("score", *files, "--report", "-", "-o", "scores.csv", *few).out == done.out
    assert (folder / "scores.csv").read_text(encoding="utf-8").startswith("by,part,system,")
    assert not (folder / "-").exists()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("-o", "-"), "--report - with -o -"),
        (("--only", "tokens.f1"), "--report - with --only"),
        (("--format", "csv"), "--report - with --format csv"),
    ],
)
def test_standard_output_has_one_thing(evalign, asked, told):
    done = evalign("score", "gold.txt", "one.txt", "--report", "-", *asked)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert evalign("score", "gold.txt", "one.txt", "--report", "").status == 2


# Of 160 characters, the first passage in each 32.
@pytest.mark.parametrize(
    ("asked", "kept"),
    [((), 40), (("--passages", "7"), 5), (("--passages", "0"), 0), (("--passages", "all"), 40)],
)
def test_no_more_passages_are_kept_than_are_asked_for(evalign, folder, asked, kept):
    (folder / "many.txt").write_text("a b c .\n" * 40, encoding="utf-8")
    (folder / "wrong.txt").write_text("a bc .\n" * 40, encoding="utf-8")
    asked = (*asked, "-o", "run.json", "--report", "page.html")
    assert evalign("score", "many.txt", "wrong.txt", *asked).status == 0
    passages = json.loads((folder / "run.json").read_text(encoding="utf-8"))["systems"][0]["passages"]
    assert (passages["total"], passages["kept"], len(passages["list"])) == (40, kept, kept)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert f'"total":40,"kept":{kept},' in page
    assert evalign("report", "run.json", "-o", "-").out == page


def test_passages_of_treebanks(evalign, folder):
    for name, line in (("gold", "a b c .\n"), ("one", "a bc .\n")):
        (folder / name).mkdir()
        (folder / name / "da.txt").write_text(line * 40, encoding="utf-8")
    assert evalign("score", "gold", "one", "--passages", "5", "-o", "run.json").status == 0
    saved = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert saved["parts"]["da"]["systems"][0]["passages"]["kept"] == 5


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--passages", "5"), "--passages 5 without a saved result or page"),
        (("--passages", "5", "-o", "scores.csv"), "--passages 5 without a saved result or page"),
        (("--passages", "some", "-o", "run.json"), "'some' is neither a number from 0 up nor all"),
        (("--passages", "-1", "-o", "run.json"), "'-1' is neither a number from 0 up nor all"),
    ],
)
def test_passages_that_cannot_be_kept(evalign, asked, told):
    done = evalign("score", "gold.txt", "one.txt", *asked)
    assert done.status == 2
    assert told in done.err
