"""`evalign score`: tables, files, one number."""

import json

import pytest

from evalign import Result
from evalign.wording import width_of


@pytest.mark.parametrize("part", ["error", "error rate"])
def test_a_ratio_is_known_by_both_names(evalign, part):
    assert evalign("score", "gold.txt", "one.txt", "--only", f"pk.{part}").out == "20.00\n"


def test_best_value_is_bold_where_colours_are_wanted(evalign, monkeypatch):
    arguments = ("score", "gold.txt", "one.txt", "two.txt", "--metrics", "sentences,pk")
    assert "\x1b" not in evalign(*arguments).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = evalign(*arguments).out
    assert "\x1b[1m40.00" not in out
    assert out.count("\x1b[1m100.00\x1b[0m") == 3
    assert "20.00  \x1b[1m0.00\x1b[0m" in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in evalign(*arguments).out


@pytest.mark.parametrize(
    ("wanted", "printed"),
    [
        ("tokens", "88.00"),
        ("tokens.f1", "88.00"),
        ("tokens.correct", "11"),
        ("pk", "20.00"),
        ("bio.f1_S", "80.00"),
    ],
)
def test_only_prints_one_number(evalign, wanted, printed):
    done = evalign("score", "gold.txt", "one.txt", "--only", wanted)
    assert (done.status, done.out, done.err) == (0, f"{printed}\n", "")


def test_only_prints_one_number_per_system(evalign):
    assert evalign("score", "gold.txt", "one.txt", "two.txt", "--only", "sentences").out == "40.00\n100.00\n"


def test_only_and_a_saved_result_go_together(evalign, folder):
    assert evalign("score", "gold.txt", "one.txt", "--only", "pk", "-o", "run.json").out == "20.00\n"
    assert list(Result.load("run.json").systems[0].scores) == ["sentences", "tokens", "words", "pk"]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("tokns", 'did you mean "tokens"?'),
        ("tokens.f2", 'did you mean "f1"?'),
        ("tokens.xyzzy", "one of correct, gold, system"),
        ("", "--only tokens.f1"),
        ("all", "--only tokens.f1"),
        ("oov", "--vocabulary FILE"),
    ],
)
def test_only_of_what_there_is_not(evalign, wanted, told):
    done = evalign("score", "gold.txt", "one.txt", "--only", wanted)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


@pytest.mark.parametrize(
    ("name", "start"),
    [("x.csv", "system,metric"), ("x.md", "|  | correct"), ("x.tex", "\\begin{tabular}"), ("x.txt", "   ")],
)
def test_the_ending_of_a_file_says_its_format(evalign, folder, name, start):
    done = evalign("score", "gold.txt", "one.txt", "-o", name)
    assert (done.status, done.out, done.err) == (0, "", "")
    assert (folder / name).read_text(encoding="utf-8").startswith(start)


def test_a_json_file_has_the_whole_result_and_the_table_is_still_printed(evalign, folder):
    done = evalign("score", "gold.txt", "one.txt", "-o", "run.json")
    assert done.out == evalign("score", "gold.txt", "one.txt").out
    assert Result.load("run.json")["tokens"].f1 == 0.88
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith((".", "run"))) == [
        "run.json"
    ]


def test_output_to_standard_output_by_name(evalign):
    done = evalign("score", "gold.txt", "one.txt", "-o", "-", "--format", "json")
    assert json.loads(done.out)["gold"] == "gold.txt"


@pytest.mark.parametrize("target", ["nowhere/run.json", ".", "nowhere/x.csv"])
def test_output_that_cannot_be_written(evalign, target):
    done = evalign("score", "gold.txt", "one.txt", "-o", target)
    assert (done.status, done.out) == (1, "")
    assert "cannot be written" in done.err


def test_an_empty_system_is_scored_and_an_empty_gold_if_it_is_said_to_be_text(evalign):
    for pair, numbers in (
        (("empty.txt", "empty.txt", "--gold-format", "plain"), "0     0       0          -       -   -"),
        (("empty.txt", "one.txt", "--gold-format", "plain"), "0     0       2       0.00       -  0.00"),
        (("one.txt", "empty.txt"), "0     2       0          -    0.00  0.00"),
    ):
        done = evalign("score", *pair)
        assert done.status == 0
        assert f"sentences        {numbers}\n" in done.out
    assert "only 0 of 39 gold characters were found" in done.err


def test_one_token(evalign, folder):
    (folder / "token.txt").write_text("a\n", encoding="utf-8")
    assert evalign("score", "token.txt", "token.txt", "--only", "words").out == "100.00\n"


def test_standard_input_is_a_gold_or_a_system(evalign):
    assert evalign("score", "-", "gold.txt", "--only", "tokens", stdin="Z\n").out == "0.00\n"
    done = evalign("score", "gold.txt", "-", stdin="Soup for six\n")
    assert done.status == 0
    assert "warning: <stdin>: only" in done.err
    assert "warning" not in evalign("score", "gold.txt", "-", "--quiet", stdin="Soup for six\n").err


def test_standard_input_is_read_once(evalign):
    for arguments in (
        ("score", "-", "-"),
        ("score", "-", "gold.txt", "--raw", "-"),
        ("score", "-", "gold.txt", "--metrics", "oov", "--vocabulary", "-"),
        ("diff", "-", "-"),
        ("doctor", "-", "-"),
    ):
        done = evalign(*arguments)
        assert (done.status, done.out) == (2, "")
        assert '"-" is given twice' in done.err


def test_vocabulary_is_read_like_any_input(evalign, folder):
    (folder / "known.txt").write_bytes(b"\xef\xbb\xbfSoup\r\nrush\r\n")
    arguments = ("score", "gold.txt", "one.txt", "--metrics", "oov", "--only", "oov.in_gold", "--vocabulary")
    assert evalign(*arguments, "known.txt").out == "2\n"
    assert evalign(*arguments, "-", stdin="Soup\nrush\n").out == "2\n"
    done = evalign(*arguments, "missing.txt")
    assert (done.status, done.err.splitlines()[0]) == (1, "evalign: missing.txt: no such file")


def test_averages_are_over_documents_and_sentences(evalign):
    arguments = ("score", "gold.txt", "one.txt", "--only", "tokens.recall", "--average")
    assert evalign(*arguments, "document").out == "91.67\n"
    assert evalign(*arguments, "sentence").out == "93.33\n"


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_of_systems_with_long_names_fit(evalign, folder, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    deep = folder / ("a folder with a rather long name " * 3) / "汉字的名字很长汉字的名字很长"
    deep.mkdir(parents=True)
    paths = [deep / f"the output of system number {k} of the experiment.txt" for k in range(7)]
    for path in paths:
        path.write_text((folder / "two.txt").read_text(encoding="utf-8"), encoding="utf-8")
    out = evalign("score", "gold.txt", *paths, "--metrics", "all").out
    tables = out.partition("\nsignature")[0]
    assert max(map(width_of, tables.splitlines())) <= columns
    for k in range(7):
        assert f"{k} of the experiment" in tables or f"\n  {k} " in tables or f" {k} " in tables


@pytest.mark.issue(15)
def test_systems_have_the_same_names_at_every_width_and_no_path_is_shown(evalign, folder, monkeypatch):
    for place in ("a", "b"):
        (folder / place).mkdir()
        (folder / place / "one.txt").write_bytes((folder / "one.txt").read_bytes().replace(b"\n", b"\r\n"))
    files = [str(folder / name) for name in ("gold.txt", "a/one.txt", "b/one.txt")]
    found = set()
    for columns in (40, 60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        done = evalign("score", *files, "--metrics", "tokens,pk")
        found.add(tuple(line.split()[0] for line in done.out.splitlines() if "/one" in line.split(":")[0]))
        assert str(folder) not in done.out + done.err
        assert done.err.startswith("warning: a/one.txt:1: line ends are CRLF")
    assert len(found) == 1, found
    for output in ("run.json", "run.csv", "run.md", "run.tex", "run.typ"):
        evalign("score", *files, "-q", "-o", output, "--report", "page.html")
        assert str(folder) not in (folder / output).read_text(encoding="utf-8")
        assert str(folder) not in (folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.issue(16)
def test_narrow_terminals_leave_out_counts_and_say_so(evalign, examples, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    files = examples / "gold.conllu", examples / "second.conllu", examples / "second.conllu"
    done = evalign("score", *files, "--metrics", "las,pk")
    assert max(map(len, done.out.splitlines())) <= 60
    assert "no room for correct, gold, system in 60 columns" in " ".join(done.out.split())
    assert "no room" not in evalign("score", *files[:2], "--metrics", "tokens").out


@pytest.mark.issue(16)
def test_the_first_of_several_systems_keeps_its_name_where_it_stands_alone(evalign, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    done = evalign("score", "gold.txt", "base=one.txt", "new=two.txt", "--metrics", "pk")
    heads = [line.split() for line in done.out.splitlines() if "measure" in line]
    assert heads == [["measure", "base"], ["measure", "new"]]
