"""Sentences and brackets that share too little text: refused wherever they might count, and reported."""

import json

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.metrics.definitions.catalogue import find_definition
from evalign.metrics.errors.all_errors import find_mismatches
from evalign.metrics.errors.stages import charge_brackets
from evalign.options import ScoreOptions
from evalign.reports.blocks import view_blocks
from evalign.reports.html.method import make_tolerance_section
from evalign.results.ledger import describe_ledger
from evalign.scoring.count import compare_documents
from metrics.comparisons import compare, count, make_brackets
from schema import validate
from strategies import FEWER, two_texts
from trees import documents, lines, restructured, with_other_characters

MILL = "The old mill stands by the river .\nNobody lives there .\nChildren swim in the pond .\n"
OTHER = MILL.replace("Nobody lives there", "uu ze qqqqq")
HAN = "老 磨坊 在 河边 。\n那里 二十 年 没有 人 住 了 。\n孩子 们 在 池塘 里 游泳 。\n"
HAN_OTHER = HAN.replace("那里 二十 年 没有 人 住 了", "略")
PAIRS = [(MILL, OTHER), (OTHER, MILL), (HAN, HAN_OTHER), (HAN_OTHER, HAN)]


def score(gold, system, **options):
    return evalign.score(evalign.Text(gold, "gold.txt"), evalign.Text(system, "system.txt"), **options)


def correct(result, *names):
    return [result[name].correct for name in names]


@pytest.mark.parametrize(("gold", "system"), PAIRS)
def test_other_words_are_in_place_and_not_correct(gold, system):
    result = score(gold, system)
    sentences = result["sentences"]
    assert (sentences.correct, sentences.gold, sentences.system) == (2, 3, 3)
    assert (sentences["in_place"], sentences["same_text"]) == (3, 2)
    assert result.ledger.refused_sentences == 1
    assert result.ledger.same_place_other_text["sentences"] == 1


@pytest.mark.parametrize(("gold", "system"), PAIRS)
def test_match_place_leaves_the_rule_out_and_match_text_does_not(gold, system):
    by_place, by_text = (score(gold, system, match=match) for match in ("place", "text"))
    assert (by_place["sentences"].correct, by_place.ledger.refused_sentences) == (3, 0)
    assert (by_text["sentences"].correct, by_text.ledger.refused_sentences) == (2, 1)
    for result in (by_place, by_text):
        assert (result["sentences"]["in_place"], result["sentences"]["same_text"]) == (3, 2)


@pytest.mark.parametrize(("gold", "system"), PAIRS)
def test_errors_blocks_and_boundaries_agree(gold, system):
    sides = [evalign.Text(text) for text in (gold, system)]
    comparison = compare_documents(*sides, ScoreOptions())[0]
    errors = list(find_mismatches(comparison, "sentences"))
    assert [(error.kind, len(error.gold), len(error.system)) for error in errors] == [("rewritten", 1, 1)]
    assert [block.correct for block in view_blocks(comparison)] == [True, False, True]
    by_place = compare_documents(*sides, ScoreOptions(match="place"))[0]
    assert not list(find_mismatches(by_place, "sentences"))
    assert all(block.correct for block in view_blocks(by_place))
    # A boundary is a point, and says nothing of the text before it.
    assert score(gold, system, metrics=["boundaries"])["boundaries"].correct == 3


def test_units_and_groups_count_as_the_whole():
    gold, system = [side.replace("\n", "\n\n") for side in (MILL, OTHER)]
    result = score(gold, system, average="sentence")
    assert result["sentences"].units[:, 0].tolist() == [1, 0, 1]
    parts = score(MILL, OTHER).split("length")
    assert sum(parts[name]["sentences"].correct for name in parts) == 2


@given(two_texts(), st.sampled_from(["default", "place", "text"]))
def test_counts_are_in_order_and_the_ledger_has_the_difference(pair, match):
    result = evalign.score(pair.gold, pair.system, metrics=["sentences"], match=match)
    counts = result["sentences"].counts
    in_place, same = (counts.get(name, counts["correct"]) for name in ("in_place", "same_text"))
    assert same <= counts["correct"] <= in_place
    if match != "default":
        assert counts["correct"] == (in_place if match == "place" else same)
    else:
        assert result.ledger.refused_sentences == in_place - counts["correct"]


def test_the_ledger_says_what_was_refused_and_keeps_it(tmp_path):
    result = score(MILL, OTHER)
    assert "refused: 1 sentence in the same place, less than a third of the text shared" in describe_ledger(
        result.ledger
    )
    assert not any("refused" in line for line in describe_ledger(score(MILL, MILL).ledger))
    result.save(tmp_path / "run.json")
    saved = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    validate(saved)
    assert saved["systems"][0]["ledger"]["refused_sentences"] == 1
    assert evalign.Result.load(tmp_path / "run.json").ledger.refused_sentences == 1
    del saved["systems"][0]["ledger"]["refused_sentences"]
    validate(saved)
    (tmp_path / "older.json").write_text(json.dumps(saved), encoding="utf-8")
    assert evalign.Result.load(tmp_path / "older.json").ledger.refused_sentences == 0


def test_refused_sentences_add_up(tmp_path):
    scorer = evalign.Scorer()
    for gold, system in PAIRS:
        scorer.update(evalign.Text(gold), evalign.Text(system))
    assert scorer.result().ledger.refused_sentences == 4
    for side, texts in (("gold", (MILL, HAN)), ("system", (OTHER, HAN_OTHER))):
        (tmp_path / side).mkdir()
        for name, text in zip(("en", "zh"), texts, strict=True):
            (tmp_path / side / f"{name}.txt").write_text(text, encoding="utf-8")
    run = evalign.score_collection(tmp_path / "gold", tmp_path / "system")
    assert [run[name].ledger.refused_sentences for name in run] == [1, 1]
    assert run.micro().ledger.refused_sentences == 2


def test_the_printed_algorithm_refuses_none():
    assert score(MILL, OTHER, strategy="printed").ledger.refused_sentences == 0


def test_a_page_and_the_metric_say_the_rule():
    told = dict(make_tolerance_section(score(MILL, OTHER).ledger).lines)
    assert told["refused"].startswith("1 sentence in the same place")
    for name in ("sentences", "brackets", "match", "ledger"):
        definition = find_definition(name)
        assert "third" in f"{definition.definition} {definition.notes}"


# -- brackets

FERRY = (
    "(S (NP (DT the) (NN ferry)) (VP (VBD left) (PP (IN at) (NP (CD seven)))))\n"
    "(S (NP (PRP we)) (VP (VBD had) (NP (NN time))))\n"
    "(S (NP (PRP it)) (VP (VBD came) (PP (IN before) (NP (NN midnight)))))\n"
)
WAITED = FERRY.splitlines(keepends=True)[1]
# Brackets of the first and the last tree.
OTHERS = 10


def count_brackets(gold, system, metric="brackets", **options):
    """Correct, in place and with the same text."""
    sides = [make_brackets(side.splitlines()) for side in (gold, system)]
    found = count(metric, compare(*sides, **options))
    return found["correct"], found["in_place"], found["same_text"]


@pytest.mark.parametrize("metric", ["brackets", "brackets-unlabelled"])
@pytest.mark.parametrize(
    "other", ["(S (NN ..) (NN ...) (NN ....))\n", "(S (VP (NN ..) (NN ...) (NN ....)))\n"]
)
def test_brackets_of_other_words_earn_nothing(other, metric):
    system = FERRY.replace(WAITED, other)
    for sides in ((FERRY, system), (system, FERRY)):
        right, in_place, same = count_brackets(*sides, metric)
        assert (right, same) == (OTHERS, OTHERS)
        assert in_place > OTHERS
        assert count_brackets(*sides, metric, match="place") == (in_place, in_place, same)
        assert count_brackets(*sides, metric, match="text") == (same, in_place, same)


def test_what_is_said_of_the_brackets_of_other_words():
    system = FERRY.replace(WAITED, "(S (NN ..) (NN ...) (NN ....))\n")
    comparison = compare(make_brackets(FERRY.splitlines()), make_brackets(system.splitlines()))
    assert count("complete-match", comparison)["correct"] == 2
    charges = charge_brackets(comparison)
    assert (charges.missed, charges.spurious) == ((0, 4, 0, 0, 0), (0, 1, 0, 0, 0))
    errors = list(find_mismatches(comparison, "brackets"))
    assert [error.kind for error in errors].count("rewritten") == 1
    assert [error.gold for error in errors if error.kind == "rewritten"] == [("S",)]
    result = score(FERRY, system, gold_format="trees", system_format="trees")
    assert sum(row.correct for row in result.breakdown("label").values()) == OTHERS
    triples = score(FERRY, system, gold_format="trees", system_format="trees", metrics=["triples"])["triples"]
    assert triples.correct == sum(correct(result, "sentences", "tokens", "tags", "brackets"))


def test_a_sentence_of_which_nothing_is_left_is_not_complete():
    gold, system = FERRY + "(S (VP (VB go)))\n", FERRY + "(S (VP (VB xy)))\n"
    sides = [make_brackets(side.splitlines()) for side in (gold, system)]
    assert count("complete-match", compare(*sides))["correct"] == 3
    assert count("complete-match", compare(*sides, match="place"))["correct"] == 4


def test_a_bracket_over_one_token_stands_and_falls_with_its_sentence():
    assert count_brackets(FERRY, FERRY.replace("PRP it", "PRP xq"))[:2] == (14, 14)
    gold, system = FERRY + "(S (INTJ (UH yes)))\n", FERRY + "(S (INTJ (UH ...)))\n"
    assert count_brackets(gold, system) == (14, 16, 14)
    assert count_brackets(system, gold) == (14, 16, 14)


TORN = "(S (VP (VB 0=ab) (NN 2=cd)) (NP (NN 1=intermediate)) (X (RB 3=finally)))\n"


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [("ab", "xy", 4), ("xy", "zw", 3), ("AB", "CD", 4), ("xb", "zw", 3), ("xb", "zd", 4)],
)
def test_what_stands_in_a_gap_is_not_text_of_the_bracket(first, last, expected):
    other = TORN.replace("=ab", f"={first}").replace("=cd", f"={last}")
    for sides in ((TORN, other), (other, TORN)):
        formats = dict.fromkeys(("gold_format", "system_format"), "discbracket")
        found = [
            score(*sides, metrics=["brackets"], match=match, **formats) for match in ("default", "place")
        ]
        assert [result["brackets"].correct for result in found] == [expected, 4]


@given(documents(), st.data())
@FEWER
def test_of_brackets_counts_are_in_order_too(gold, data):
    change = st.sampled_from([restructured, with_other_characters])
    system = [data.draw(data.draw(change)(tree)) for tree in gold]
    for metric in ("brackets", "brackets-unlabelled"):
        right, in_place, same = count_brackets(lines(gold), lines(system), metric)
        assert same <= right <= in_place
        assert count_brackets(lines(system), lines(gold), metric) == (right, in_place, same)
