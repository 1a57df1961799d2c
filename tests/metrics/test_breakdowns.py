"""Scores label by label: by hand, against an oracle, and against the metrics that they add up to."""

from collections import Counter

import pytest
from hypothesis import given

import evalign
from evalign.errors import CommandError
from evalign.metrics.counts import Counts
from evalign.metrics.errors.breakdowns import BREAKDOWNS, break_down, find_kinds
from metrics.sentences import GOLD, SYSTEM, compare
from oracles.dependencies import compare_leniently, read, relation
from treebanks import broken_pairs, treebank_pairs

FEATURES = "1\ta\ta\tX\t_\t{}\t0\troot\t_\t_\n\n"


def test_relations_ask_for_the_head_and_cut_the_subtype():
    assert break_down(compare(GOLD, SYSTEM), "relation") == {
        "det": Counts(1, 1, 1),
        "nsubj": Counts(0, 1, 0),
        "obj": Counts(0, 1, 1),
        "punct": Counts(0, 1, 1),
        "root": Counts(1, 1, 1),
        "nmod": Counts(0, 0, 1),
    }
    subtypes = break_down(compare(GOLD, SYSTEM), "subtype")
    assert (subtypes["nmod:of"], "nmod" in subtypes) == (Counts(0, 0, 1), False)


def test_labels_that_gold_has_most_often_come_first():
    rows = break_down(compare(GOLD + GOLD.replace("PRON", "NOUN"), SYSTEM * 2), "tag")
    assert list(rows) == ["NOUN", "DET", "PUNCT", "VERB", "PRON"]
    assert rows["NOUN"] == Counts(2, 3, 4)
    assert (rows["NOUN"].precision, rows["NOUN"].recall) == (0.5, 2 / 3)


def test_features_by_name_and_by_value():
    rows = break_down(compare(GOLD, SYSTEM), "feature")
    assert rows["Number"] == Counts(2, 2, 3)
    assert (rows["Tense"], rows["Typo"]) == (Counts(0, 1, 0), Counts(0, 0, 1))
    rows = break_down(compare(GOLD, SYSTEM), "feature-value")
    assert (rows["Number=Sing"], rows["Number=Plur"]) == (Counts(1, 1, 2), Counts(1, 1, 1))


@pytest.mark.parametrize(
    ("gold", "system", "kind", "expected"),
    [
        ("A=1|A[x]=1", "A=1|A[x]=2", "feature", {"A": Counts(1, 1, 1), "A[x]": Counts(0, 1, 1)}),
        ("A=1", "A=2", "feature", {"A": Counts(0, 1, 1)}),
        ("A=1", "A=2", "feature-value", {"A=1": Counts(0, 1, 0), "A=2": Counts(0, 0, 1)}),
        ("A=1|A=2", "A=2|A=1", "feature", {"A": Counts(1, 1, 1)}),
        ("A=1", "_", "feature", {"A": Counts(0, 1, 0)}),
        ("_", "_", "feature", {}),
    ],
)
def test_features_of_one_word(gold, system, kind, expected):
    assert break_down(compare(FEATURES.format(gold), FEATURES.format(system)), kind) == expected


@pytest.mark.parametrize(("values", "correct"), [("ordered", 0), ("set", 1)])
def test_values_of_a_feature_in_another_order(values, correct):
    texts = [evalign.Text(FEATURES.format(feats)) for feats in ("A=1,2", "A=2,1")]
    rows = evalign.score(*texts, feature_values=values).breakdown("feature")
    assert rows == {"A": Counts(correct, 1, 1)}


def test_tokens_by_how_often_gold_has_their_form():
    # By hand: gold has "a" three times, "b" once; the system's "ab" is not in gold.
    gold, system = [["a", "a", "b", "a", "c"]], [["a", "ab", "a", "c"]]
    rows = evalign.score(gold, system).breakdown("frequency")
    assert list(rows.items()) == [
        ("0", Counts(0, 0, 1)), ("1", Counts(1, 2, 1)), ("2-5", Counts(2, 3, 2)),
    ]  # fmt: skip


@pytest.mark.parametrize(("match", "correct"), [("default", 1), ("place", 2), ("text", 1)])
def test_a_right_token_is_as_frequent_as_golds_however_it_is_written(match, correct):
    # The quote is the same once notation is normalised; x is rewritten.
    rows = evalign.score([["''", "x"]], [['"', "y"]], match=match).breakdown("frequency")
    assert rows["1"] == Counts(correct, 2, correct)
    assert sum(rows.values(), Counts()).system == 2


@pytest.mark.parametrize(
    ("times", "bin"),
    [
        (1, "1"),
        (2, "2-5"),
        (5, "2-5"),
        (6, "6-10"),
        (10, "6-10"),
        (11, "11-100"),
        (100, "11-100"),
        (101, "101+"),
    ],
)
def test_bins_of_frequency(times, bin):
    assert evalign.score([["a"] * times], [["a"] * times]).breakdown("frequency") == {
        bin: Counts(*[times] * 3)
    }


def test_a_breakdown_there_is_not():
    with pytest.raises(CommandError) as caught:
        break_down(compare(GOLD, SYSTEM), "relations")
    assert caught.value.found == 'unknown breakdown "relations"'
    assert caught.value.advice == 'did you mean "relation"?'


def test_what_is_missing_for_a_breakdown_is_said():
    system = "".join(f"{k}\t{form}\t_\tX\t_\t_\t_\t_\t_\t_\n" for k, form in enumerate(("a", "b"), 1)) + "\n"
    comparison = compare(GOLD, system)
    assert find_kinds(comparison) == ["tag", "feature", "feature-value", "frequency"]
    with pytest.raises(CommandError) as caught:
        break_down(comparison, "relation")
    assert (
        caught.value.found
        == "breakdown by relation not available: no word of system.conllu has HEAD or DEPREL"
    )
    assert caught.value.expected == "HEAD and DEPREL in gold and system"


def values_of(word):
    return set() if word.feats == "_" else set(word.feats.split("|"))


def names_of(word):
    return {value.split("=")[0] for value in values_of(word)}


def slow_breakdown(pair, kind):
    """The same, word by word."""
    comparison = compare_leniently(read(pair.gold), read(pair.system))
    gold, system = comparison.gold.words, comparison.system.words
    labels = {
        "relation": lambda word: {relation(word)},
        "subtype": lambda word: {word.deprel},
        "tag": lambda word: {word.upos},
        "xpos": lambda word: {word.xpos},
        "feature": names_of,
        "feature-value": values_of,
    }[kind]
    correct: Counter[str] = Counter()
    for g, s in comparison.pairs:
        shared = labels(gold[g]) & labels(system[s])
        if kind == "feature":
            shared = {value.split("=")[0] for value in values_of(gold[g]) & values_of(system[s])}
        if kind not in ("relation", "subtype") or comparison.are_heads_equal(g, s):
            correct.update(shared)
    totals = [Counter(label for word in words for label in labels(word)) for words in (gold, system)]
    return {
        label: Counts(correct[label], *(total[label] for total in totals)) for label in totals[0] | totals[1]
    }


@given(treebank_pairs())
def test_breakdowns_count_what_the_oracle_counts(pair):
    comparison = compare(pair.gold, pair.system)
    for kind in [kind for kind in find_kinds(comparison) if kind != "frequency"]:
        assert break_down(comparison, kind) == slow_breakdown(pair, kind)


@given(broken_pairs())
def test_breakdowns_add_up_to_the_metrics(pair):
    for match in ("default", "place"):
        texts = [evalign.Text(text) for text in (pair.gold, pair.system)]
        formats = {"gold_format": "conllu", "system_format": "conllu"}
        names = {"relation": "las", "tag": "upos", "xpos": "xpos", "frequency": "tokens"}
        result = evalign.score(*texts, metrics=[*names.values()], match=match, **formats)
        for kind, metric in names.items():
            if result[metric].available:
                total = sum(result.breakdown(kind).values(), Counts())
                assert total == Counts(result[metric].correct, result[metric].gold, result[metric].system)


def test_every_kind_is_in_the_order_of_the_help():
    kinds = ["relation", "subtype", "tag", "xpos", "feature", "feature-value", "label", "frequency"]
    assert list(BREAKDOWNS) == kinds
