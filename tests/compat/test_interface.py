"""Programs that import one of the scripts can import evalign's module instead."""

import argparse
import io

import pytest

from compat.written import chain, row, sentence
from evalign.compat import conll18, udtools

CONTRACTED = (
    row("1-2", "im")
    + row(1, "in", 3, "case")
    + row(2, "dem", 3, "det:def")
    + row(3, "Haus", 0, "root")
    + "\n"
)
FIRST = chain("Das", "Haus")


@pytest.fixture
def paths(tmp_path):
    """Files of gold and system."""
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(CONTRACTED + FIRST, encoding="utf-8")
    system.write_text(CONTRACTED + chain("DasHaus"), encoding="utf-8")
    return gold, system


def load(text):
    return conll18.load_conllu(io.StringIO(text))


def test_scores_have_the_attributes_of_the_script(paths):
    scores = conll18.evaluate(*map(conll18.load_conllu_file, paths))
    las = scores["LAS"]
    assert (las.correct, las.gold_total, las.system_total, las.aligned_total) == (3, 5, 4, 3)
    assert (las.precision, las.recall, las.f1, las.aligned_accuracy) == (3 / 4, 3 / 5, 6 / 9, 1.0)
    assert list(scores) == [
        "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS",
        "BLEX",
    ]  # fmt: skip
    assert scores["Words"].aligned_accuracy is scores["Tokens"].aligned_total is None
    scores["average"] = sum(score.f1 for score in scores.values()) / len(scores)  # as some programs do


def test_udtools_has_enhanced_dependencies_behind_las(paths):
    scores = udtools.evaluate(*map(udtools.load_conllu_file, paths))
    assert list(scores)[9:13] == ["LAS", "ELAS", "EULAS", "CLAS"]
    assert scores["ELAS"].aligned_accuracy is None


def test_nothing_to_judge_is_0(paths):
    scores = conll18.evaluate(load(""), load(""))
    assert {score.f1 for score in scores.values()} == {0.0}
    assert scores["UPOS"].aligned_accuracy == 0


@pytest.mark.parametrize("module", [conll18, udtools])
def test_tables(module, paths, evalign):
    command = {conll18: "conll18", udtools: "udeval"}[module]
    options = argparse.Namespace(
        gold_file=str(paths[0]), system_file=str(paths[1]), enhancements="12", no_empty_nodes=False,
        multiple_roots_okay=False,
    )  # fmt: skip
    scores = module.evaluate_wrapper(options)
    enhanced = {"enhanced": True} if module is udtools else {}
    for flag, verbose, counts in (("-v", True, False), ("-c", False, True), ("-vc", True, True)):
        table = module.build_evaluation_table(scores, verbose, counts, **enhanced)
        assert evalign(command, flag, *paths).out == table + "\n"
    plain = udtools.build_evaluation_table(scores)
    assert [line[:6] for line in plain.splitlines()[-2:]] == ["MLAS  ", "BLEX  "]


def test_words_have_the_attributes_of_the_script():
    ud = load(CONTRACTED + FIRST)
    inner, article, noun, *_ = ud.words
    assert "".join(ud.characters) == "imHausDasHaus"
    assert [(span.start, span.end) for span in ud.tokens] == [(0, 2), (2, 6), (6, 9), (9, 13)]
    assert [(span.start, span.end) for span in ud.sentences] == [(0, 6), (6, 13)]
    assert [word.columns[conll18.FORM] for word in ud.words] == ["in", "dem", "Haus", "Das", "Haus"]
    assert (article.columns[conll18.DEPREL], article.is_functional_deprel, article.is_content_deprel) == (
        "det", True, False,
    )  # fmt: skip
    assert inner.span is article.span is ud.tokens[0]
    assert [word.is_multiword for word in ud.words] == [True, True, False, False, False]
    assert (article.parent, noun.parent, noun.functional_children) == (noun, None, [inner, article])


def test_columns_are_those_that_are_compared():
    ud = load(row(1, "a b", 0, "x:y").replace("_", "Typo=Yes|Number=Sing|Case=Nom", 4) + "\n")
    columns = ud.words[0].columns
    assert (columns[conll18.FORM], columns[conll18.FEATS], columns[conll18.DEPREL]) == (
        "ab", "Case=Nom|Number=Sing", "x",
    )  # fmt: skip
    assert columns[conll18.DEPS] == "_"


def test_edges_of_udtools_lead_to_words():
    text = sentence("a/0/root/0:root", "b/1/obj/1:conj:and>obj|1.1:x")
    one, two = udtools.load_conllu(io.StringIO(text), "x", {}).words
    assert one.columns[udtools.DEPS] == [(0, ["root"])]
    assert two.columns[udtools.DEPS] == [(one, ["conj:and", "obj"])]
    two = udtools.load_conllu(io.StringIO(text), "x", {"no_gapping": 1}).words[1]
    assert [steps for _, steps in two.columns[udtools.DEPS]] == [["obj"]]
    (one,) = udtools.load_conllu(io.StringIO(sentence("a/0/root/1:x>y")), "x", {"no_gapping": 1}).words
    assert one.columns[udtools.DEPS] == [(None, ["root"])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (chain("a")[:-1], "The CoNLL-U file does not end with empty line"),
        (sentence("a/0/root", "b/0/root"), "There are 2 roots in a sentence at line 3"),
        (
            chain("a").replace("\t", " "),
            "does not contain 10 tab-separated columns at line 1: '1 a _ _ _ _ 0 dep _ _'",
        ),
    ],
)
def test_what_is_refused_has_the_words_of_the_script(text, message):
    with pytest.raises(conll18.UDError) as raised:
        load(text)
    assert str(raised.value).endswith(message)


def test_texts_that_differ():
    with pytest.raises(
        conll18.UDError, match="First 20 differing characters in gold file: 'b' and system file: 'c'"
    ):
        conll18.evaluate(load(chain("a", "b")), load(chain("a", "c")))
    sides = [udtools.load_conllu(io.StringIO(chain("a", last)), f"{last}.conllu", {}) for last in "bc"]
    with pytest.raises(
        udtools.UDError, match=r"File 'b\.conllu':\n  Token no\. 1 on line no\. 1 is the last one"
    ):
        udtools.evaluate(*sides)


def test_exceptions_that_the_scripts_do_not_foresee():
    with pytest.raises(ValueError, match="invalid literal for int"):
        load(row("1-1", "a") + row(1, "a") + "\n")
    with pytest.raises(IndexError, match="list index out of range"):
        udtools.load_conllu(io.StringIO(sentence("a/0/root/7:x")), "x", {})
    with pytest.raises(FileNotFoundError):
        conll18.load_conllu_file("no such file")


def test_an_error_of_a_program_may_be_of_this_kind():
    error = udtools.UDError("Could not read x")
    assert str(error) == "Could not read x"
    assert udtools.UDError is conll18.UDError


def test_any_file_that_is_open():
    class Lines:
        def __init__(self):
            self.lines = iter(FIRST.splitlines(keepends=True))

        def readline(self):
            return next(self.lines, None)

    sides = [conll18.load_conllu(file) for file in (Lines(), io.StringIO(FIRST), io.BytesIO(FIRST.encode()))]
    assert [len(side.words) for side in sides] == [2, 2, 2]


def test_odd_numbers_are_read_as_the_script_reads_them():
    ud = load(row("+1", "a", " 2") + row("01", "b", "+0").replace("01", "02") + "\n")
    assert ud.words[0].parent is ud.words[1]
