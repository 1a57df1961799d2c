"""Passages: what a page shows of errors is taken from the comparison alone."""

import json

import pytest
from hypothesis import given, strategies as st

from evalign.metrics.census import has_columns
from evalign.metrics.errors.all_errors import count_kinds
from evalign.metrics.errors.passages import find_passages, thin_passages
from evalign.metrics.errors.positions import LOCATED_METRICS, locate_errors, mark_errors
from evalign.readers.formats import read_source
from evalign.text import Text
from metrics.comparisons import compare, compare_documents, make_brackets, make_trees
from strategies import two_texts
from treebanks import treebank_pairs
from trees import documents, lines, resegmented, restructured, retokenised


def test_a_merge_of_sentences_is_one_passage_with_its_tokens():
    gold = [["I", "like", "it", "."], ["He", "does", "n't", "."], ["Yes", "."]]
    system = [["I", "like", "it", ".", "He", "doesn't", "."], ["Yes", "."]]
    [passage] = find_passages(compare(gold, system), ["sentences", "tokens"])["list"]
    assert passage["gold"] == ["I like it .", "He does n't ."]
    assert passage["system"] == ["I like it . He doesn't ."]
    assert passage["groups"] == [5, [2, 1], 1]
    assert passage["errors"] == [
        {"metric": "sentences", "kind": "merge", "gold": [0, 8], "system": [0, 7], "trigger": "end mark"},
        {"metric": "tokens", "kind": "merge", "gold": [5, 7], "system": [5, 6]},
    ]
    assert (passage["unit"], passage["start"]) == (0, 0)


def test_what_only_one_side_has_is_a_passage_without_the_other():
    comparison = compare([["A", "."], ["Only", "gold", "has", "this", "."]], [["A", "."]])
    [passage] = find_passages(comparison, ["sentences", "tokens"])["list"]
    assert passage["gold"] == ["Only gold has this ."]
    assert passage["system"] == []
    assert passage["system_place"] is None
    assert {error["kind"] for error in passage["errors"]} == {"missing"}


def test_trees_are_kept_with_heads_counted_from_the_passage():
    gold = make_trees(["a/X/0/root", "He/PRON/2/nsubj saw/VERB/0/root her/PRON/2/obj"])
    system = make_trees(["a/X/0/root", "He/PRON/2/nsubj saw/VERB/0/root her/DET/1/obl"])
    [passage] = find_passages(compare(gold, system), ["upos", "las"])["list"]
    assert passage["words"]["pairs"] == [0, 1, 2]
    assert passage["tree"]["gold_heads"] == [1, -1, 1]
    assert passage["tree"]["system_heads"] == [1, -1, 0]
    assert passage["tree"]["system_relations"] == ["nsubj", "root", "obl"]
    assert passage["errors"] == [
        {"metric": "upos", "kind": "confused", "gold": [2, 3], "system": [2, 3], "labels": ["PRON", "DET"]},
        {"metric": "las", "kind": "both", "gold": [2, 3], "system": [2, 3], "labels": ["obj", "obl"]},
    ]


def test_brackets_are_kept_with_what_crosses():
    gold = make_brackets(["(ROOT (S (NP (D a) (N b)) (VP (V c))))"])
    system = make_brackets(["(ROOT (S (D a) (VP (N b) (V c))))"])
    [passage] = find_passages(compare(gold, system), ["brackets"])["list"]
    assert passage["brackets"]["gold"] == [
        [0, 3, "S", "right"],
        [0, 2, "NP", "wrong"],
        [2, 3, "VP", "wrong"],
    ]
    assert passage["brackets"]["system"] == [[0, 3, "S", "right"], [1, 3, "VP", "crossing"]]
    crossing = [error for error in passage["errors"] if error["kind"] == "crossing"]
    assert crossing == [
        {"metric": "brackets", "kind": "crossing", "gold": [0, 0], "system": [1, 3], "labels": ["", "VP"]}
    ]


def test_units_are_gold_documents():
    documents = [[["a", "b", "."]], [["c", "d", "."]], [["e", "f", "."]]]
    comparison = compare_documents(documents, [["ab", "."], ["c", "d", "."], ["ef", "."]])
    found = find_passages(comparison, ["tokens"])["list"]
    assert [passage["unit"] for passage in found] == [0, 2]


# Passages begin at 0, 3, ..., 27 of the line: of 0 to 7, 8 to 15 and so on the first is kept, or of 0 to 15 and 16 to 31.
@pytest.mark.parametrize(
    ("most", "starts"),
    [
        (0, []),
        (1, [0]),
        (3, [0, 18]),
        (4, [0, 9, 18, 24]),
        (9, [0, 6, 9, 12, 18, 21, 24]),
        (10, [*range(0, 30, 3)]),
        (11, [*range(0, 30, 3)]),
    ],
)
def test_passages_that_are_kept_are_spread_over_the_text(most, starts):
    gold = [[f"a{k}", "b"] for k in range(10)]
    system = [[f"a{k}b"] for k in range(10)]
    comparison = compare(gold, system)
    whole = find_passages(comparison, ["tokens"], None)
    found = find_passages(comparison, ["tokens"], most)
    assert (found["total"], found["kept"]) == (10, len(starts))
    assert found == thin_passages(whole, most)
    assert [passage["start"] for passage in found["list"]] == starts


def test_every_kind_of_error_keeps_passages():
    """Ninety merges, and one split in the middle of them that is the first of nothing but its kind."""
    gold = [["a", "b"] for _ in range(90)]
    system = [["ab"] for _ in range(90)]
    gold[50], system[50] = ["ab"], ["a", "b"]
    found = find_passages(compare(gold, system), ["tokens"], 5)
    assert found["total"] == 90
    assert 2 <= found["kept"] <= 5
    assert 100 in [passage["start"] for passage in found["list"]]
    assert found == thin_passages(find_passages(compare(gold, system), ["tokens"], None), 5)


def check(comparison, metrics):
    """Whatever is compared: passages have all errors, once, in their own tokens or words."""
    located = locate_errors(comparison, metrics)
    marks = mark_errors(located)
    passages = find_passages(comparison, metrics, None)
    assert json.loads(json.dumps(passages)) == passages
    found = {errors.metric: {} for errors in located}
    for passage in passages["list"]:
        assert passage["errors"]
        sides = [sum(text.count(" ") + 1 for text in passage[side]) for side in ("gold", "system")]
        runs = [group if isinstance(group, list) else [group, group] for group in passage["groups"]]
        assert [sum(run[side] for run in runs) for side in (0, 1)] == sides
        words = [len(passage["words"][side]) for side in ("gold", "system")] if "words" in passage else sides
        for error in passage["errors"]:
            most = words if "labels" in error and error["metric"] != "brackets" else sides
            for side, size in zip(("gold", "system"), most, strict=True):
                start, end = error[side]
                assert 0 <= start <= end <= size
            kinds = found[error["metric"]]
            kinds[error["kind"]] = kinds.get(error["kind"], 0) + 1
    for metric, kinds in found.items():
        assert kinds == dict(count_kinds(comparison, metric))
        assert {kind: len(places) for kind, places in marks[metric].items()} == kinds
        assert all(
            places == sorted(places) and places[0] >= 0 and places[-1] <= len(comparison.gold.line)
            for places in marks[metric].values()
        )


@given(two_texts())
def test_passages_have_all_errors_of_segmentation(pair):
    check(compare(pair.gold, pair.system), ["sentences", "tokens"])


@given(treebank_pairs())
def test_passages_have_all_errors_of_treebanks(pair):
    gold, system = (read_source(Text(text), "conllu") for text in (pair.gold, pair.system))
    comparison = compare(gold, system)
    needs = {"upos": ("upos",), "las": ("head", "deprel"), "lemmas": ("lemma",), "xpos": ("xpos",)}
    metrics = [metric for metric in LOCATED_METRICS if has_columns(comparison, needs.get(metric, ("trees",)))]
    check(comparison, [*metrics, "sentences", "tokens", "words"])


@given(st.data())
def test_passages_have_all_errors_of_trees(data):
    gold = data.draw(documents())
    system = [data.draw(restructured(tree)) for tree in data.draw(resegmented(gold))]
    system = [data.draw(retokenised(tree)) for tree in system]
    sides = [read_source(Text(lines(side)), "trees") for side in (gold, system)]
    check(compare(*sides), ["sentences", "tokens", "tags", "brackets"])
