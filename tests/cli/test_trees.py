"""`score`, `errors` and `diff` of trees as a user runs them."""

import csv
import io
import json

import pytest

from evalign.wording import width_of

GOLD = "(S (NP (NN Soup)) (VP (VBZ boils)))\n(S (VP (VB Stir) (NP (PRP it))))\n(S (INTJ (UH Done)))\n"
SYSTEM = "(S (NP (NN Soup)) (NP (NNS boils)))\n(S (VP (VB Stir) (NP (PRP it))))\n(())\n"
CONLLU = "1\tSoup\tsoup\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tboils\tboil\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture(autouse=True)
def trees(folder):
    files = {"g.mrg": GOLD, "s.mrg": SYSTEM, "empty.mrg": "", "u.conllu": CONLLU, "one.mrg": GOLD[:36]}
    files["x.conllu"] = CONLLU.replace("NOUN\t_", "NOUN\tNN").replace("VERB\t_", "VERB\tVB")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def ledger_line(done):
    return [line for line in done.out.splitlines() if line.startswith("parses")]


def test_errors_of_trees_have_tags_and_brackets_by_default(evalign):
    out = evalign("errors", "g.mrg", "s.mrg", "-q").out
    assert [part.partition(" ")[0] for part in out.split("\n\n")[:-1]] == ["sentences:", "tokens:", "tags:", "brackets:"]  # fmt: skip
    assert "\nbrackets: 3 errors (2 missing, 1 label)\n" in out
    assert "    1  100.0% of 1    VBZ -> NNS      g.mrg:1\n" in out


def test_a_matrix_of_trees_is_of_tags_and_brackets_by_default(evalign):
    out = evalign("errors", "g.mrg", "s.mrg", "--matrix", "-q").out
    assert out.startswith("confusion matrix of tags: 1 error in 4 pairs of words, gold in rows\n")
    assert "\nconfusion matrix of brackets: 3 errors, gold in rows\n" in out
    arguments = ("errors", "g.mrg", "s.mrg", "-q", "--format", "json")
    named = evalign(*arguments, "--metrics", "tags,brackets").out
    assert evalign(*arguments, "--matrix").out == named


def test_a_matrix_of_trees_against_other_files_is_of_tags(evalign):
    assert evalign("errors", "one.mrg", "x.conllu", "--matrix", "-q").out.startswith("confusion matrix of tags: 1 error in 2 pairs of words")  # fmt: skip
    done = evalign("errors", "one.mrg", "u.conllu", "--matrix", "-q")
    assert (done.status, done.out) == (2, "")
    assert "errors of tags not available: no word of u.conllu has XPOS" in done.err
    assert evalign("errors", "one.mrg", "u.conllu", "-q").out == "sentences: 0 errors\n\ntokens: 0 errors\n"


def test_metrics_are_checked_before_trees_are_read(evalign):
    for command in ("errors", "diff"):
        assert (
            'errors of "pos" cannot be shown'
            in evalign(command, "none.mrg", "none.mrg", "--metrics", "pos").err
        )
    assert "--matrix of tokens" in evalign("errors", "no", "no", "--metrics", "tokens", "--matrix").err


def test_trees_without_tags_have_errors_of_the_rest(evalign, folder):
    (folder / "bare.mrg").write_text("(S (NP (_ Soup)) (VP (_ boils)))\n", encoding="utf-8")
    assert "tags" not in evalign("errors", "bare.mrg", "bare.mrg").out
    assert evalign("errors", "bare.mrg", "bare.mrg", "--matrix").out.startswith(
        "confusion matrix of brackets: 0 errors"
    )


def test_diff_of_trees_has_tags_and_brackets_by_default(evalign):
    out = evalign("diff", "g.mrg", "s.mrg", "-q").out
    assert (
        "tags confused  gold g.mrg:1  system s.mrg:1\n    Soup [boils] Stir it Done\n  - VBZ\n  + NNS\n"
        in out
    )
    assert (
        "brackets label  gold g.mrg:1  system s.mrg:1\n    Soup [boils] Stir it Done\n  - VP\n  + NP\n" in out
    )
    done = evalign("diff", "g.mrg", "g.mrg")
    assert (done.out, done.err) == ("", "no differences in sentences, tokens, tags or brackets\n")


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        (("g.mrg", "g.mrg"), ["parses: all read"]),
        (("g.mrg", "s.mrg"), ["parses: 1 failed in system: missed, not skipped"]),
        (("s.mrg", "g.mrg"), ["parses: 1 failed in gold: what a system has there is spurious"]),
        (("gold.txt", "s.mrg"), ["parses: 1 failed in system: missed, not skipped"]),
        (("gold.txt", "g.mrg"), []),
        (("g.mrg", "u.conllu"), []),
        (("g.mrg", "empty.mrg"), []),
        (("gold.txt", "one.txt"), []),
    ],
    ids=" ".join,
)
def test_failed_parses_in_the_ledger(evalign, files, lines):
    assert ledger_line(evalign("score", *files, "-q")) == lines


def test_failed_parses_on_both_sides_fit(evalign):
    out = evalign("score", "s.mrg", "s.mrg", "-q").out
    assert "parses: 1 failed in gold: what a system has there is spurious,\n  1 failed in system: " in out


@pytest.mark.parametrize("system", ["empty.mrg", "empty.txt"])
def test_nothing_is_said_of_columns_that_an_empty_file_has_not(evalign, system):
    assert "no word has" not in evalign("score", "g.mrg", system).err


def test_tags_that_conllu_lacks_are_told(evalign):
    assert "warning: u.conllu: no word has XPOS, so tags are not scored\n" in evalign("score", "one.mrg", "u.conllu").err  # fmt: skip
    assert "XPOS" not in evalign("score", "one.mrg", "x.conllu").err
    assert "XPOS" not in evalign("score", "one.mrg", "one.mrg").err


def test_sentences_without_characters_are_no_sentences_apart(evalign, folder):
    (folder / "none.mrg").write_text("(S (NP (-NONE- *)))\n" * 2 + GOLD, encoding="utf-8")
    done = evalign("score", "none.mrg", "none.mrg", "--empty", "keep")
    assert done.err == ""
    assert "blocks: 5 of 1:1\n" in done.out
    done = evalign("score", "none.mrg", "g.mrg", "--empty", "keep")
    assert "whole sentences missing: 2, extra: 0" in done.err


def test_an_empty_label_is_shown(evalign, folder):
    (folder / "a.mrg").write_text("(S (NP (NN a)) ( (VB b)))\n", encoding="utf-8")
    (folder / "b.mrg").write_text("(S (NP (NN a)) (VP (VB b)))\n", encoding="utf-8")
    assert "(empty) -> VP" in evalign("errors", "a.mrg", "b.mrg", "--metrics", "brackets").out
    assert (
        "\n(empty)   1    1\n" in evalign("errors", "a.mrg", "b.mrg", "--metrics", "brackets", "--matrix").out
    )
    assert "\n  - (empty)\n  + VP\n" in evalign("diff", "a.mrg", "b.mrg").out
    assert "\n(empty)        0     1       0 " in evalign("score", "a.mrg", "b.mrg", "--per", "label").out
    rows = csv.reader(
        io.StringIO(evalign("score", "a.mrg", "b.mrg", "--per", "label", "--format", "csv").out)
    )
    assert ["b.mrg", "label:", "gold", "1"] in list(rows)
    [system] = json.loads(evalign("score", "a.mrg", "b.mrg", "--per", "label", "--format", "json").out)[
        "systems"
    ]
    assert system["breakdowns"]["label"][""]["gold"] == 1


@pytest.mark.parametrize("part", ["two_or_less", "two or less"])
def test_one_number_by_its_name_in_the_table_or_in_json(evalign, part):
    assert evalign("score", "g.mrg", "g.mrg", "--only", f"crossing.{part}").out == "100.00\n"


def test_reports_of_trees_with_long_paths_fit(evalign, folder):
    deep = folder / ("deep-" * 9)
    deep.mkdir()
    paths = [deep / f"{name}.mrg" for name in ("gold", "first", "second")]
    for path, text in zip(paths, (GOLD, SYSTEM, GOLD), strict=True):
        path.write_text(text, encoding="utf-8")
    for command in ("errors", "diff", "doctor"):
        out = evalign(command, *paths[:2], "-q").out
        assert max(map(width_of, out.splitlines())) <= 80
    out = evalign("score", *paths, "-q").out.partition("\nsignature")[0]
    assert max(map(width_of, out.splitlines())) <= 80
    assert "\nfirst:\n" in out
    assert "\nsecond:\n" in out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("zz yyyyy wwww it Done", True),
        ("Soup boils. Stir it! Done.", False),
        ("SOUP boils. Stir it! Dóne", False),
        ("Quite another text, and of some length: nothing of it was ever given to a parser.", True),
    ],
)
def test_a_raw_text_that_is_another(evalign, folder, text, told):
    (folder / "raw.txt").write_text(text, encoding="utf-8")
    assert ("(is it the right text?)" in evalign("score", "g.mrg", "g.mrg", "--raw", "raw.txt").err) == told
