"""Groups of gold sentences, and labels by unit: that they add up, by hand and against slow counterparts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.errors import CommandError
from evalign.metrics.comparison import Units
from evalign.metrics.counts import Counts
from evalign.metrics.errors.breakdowns import break_down, find_kinds, find_label_counts
from evalign.metrics.errors.sentence_groups import (
    LENGTHS,
    GroupedCounts,
    SentenceGroups,
    count_groups,
    count_labels,
    group_by_comment,
    group_by_length,
)
from evalign.metrics.keys import LabelMeanings
from evalign.metrics.registry import METRICS
from metrics.comparisons import compare, count, make_brackets, make_gold
from strategies import FEWER, two_texts
from treebanks import broken_pairs, treebank_pairs
from trees import documents, lines, resegmented, retokenised

VOCABULARY = frozenset(["a", "b", "ab", "."])


def all_layers(comparison):
    """Every metric that can be counted."""
    from evalign.metrics.census import has_columns

    given_weights = comparison.options.weights is not None
    return [
        metric
        for name, metric in METRICS.items()
        if has_columns(comparison, metric.needs) and (name != "wlas" or given_weights)
    ]


def cut_units(gold, rng):
    """Units that begin with some of gold's sentences."""
    firsts = [0, *(k for k in range(1, gold.n_sentences) if rng.random() < 0.5)]
    return Units("document", gold.sentences[firsts], [f"d{k}" for k in firsts])


def add_rows(grouped, metric, n_units):
    """Rows of all groups added up by unit."""
    table = np.zeros((n_units, grouped.tables[metric].shape[1]), np.int64)
    np.add.at(table, grouped.units, grouped.tables[metric])
    return table


def check_groups(comparison, rng, size=3):
    """All groups together are the whole, unit by unit; each is the sum of its sentences."""
    gold = comparison.gold
    if not gold.n_sentences:
        return
    comparison = comparison.with_units(cut_units(gold, rng))
    numbers = np.array([rng.randrange(size) for _ in range(gold.n_sentences)])
    metrics = all_layers(comparison)
    grouped = count_groups(comparison, metrics, SentenceGroups([f"g{k}" for k in range(size)], numbers, ""))
    assert set(grouped.tables) | set(grouped.left_out) == {metric.name for metric in metrics}
    by_sentence = comparison.with_units(Units("sentence", gold.sentences[:-1], ()))
    owners = np.searchsorted(comparison.units.tokens, gold.sentences[:-1], side="right") - 1
    for metric in metrics:
        if metric.name in grouped.left_out:
            continue
        table = grouped.tables[metric.name]
        whole = metric.count(comparison)
        assert add_rows(grouped, metric.name, len(comparison.units)).tolist() == whole.tolist(), metric.name
        sentences = metric.count(by_sentence)
        for row, unit, group in zip(table.tolist(), grouped.units, grouped.groups, strict=True):
            mine = (owners == unit) & (numbers == group)
            assert mine.any()
            assert sentences[mine].sum(axis=0).tolist() == row, metric.name


@FEWER
@given(two_texts(), st.randoms(use_true_random=False))
def test_groups_of_sentences_add_up_to_the_whole(pair, rng):
    check_groups(compare(pair.gold, pair.system, vocabulary=VOCABULARY), rng)


@FEWER
@given(broken_pairs(), st.randoms(use_true_random=False))
def test_groups_of_treebanks_add_up_to_the_whole(pair, rng):
    sides = [evalign.read(evalign.Text(text), format="conllu") for text in (pair.gold, pair.system)]
    check_groups(compare(*sides, vocabulary=VOCABULARY), rng)


@st.composite
def bracketed(draw):
    gold = draw(documents())
    system = [draw(retokenised(tree)) for tree in draw(resegmented(gold))]
    return [make_brackets(lines(side).splitlines()) for side in (gold, system)]


@FEWER
@given(bracketed(), st.randoms(use_true_random=False))
def test_groups_of_trees_add_up_to_the_whole(pair, rng):
    check_groups(compare(*pair, vocabulary=VOCABULARY), rng)


def test_metrics_that_go_from_one_sentence_into_the_next_are_left_out_with_a_reason():
    windows = {name for name in METRICS if name.startswith(("pk", "windowdiff"))}
    reaches = {name: metric.reach for name, metric in METRICS.items() if metric.reach != "sentence"}
    assert reaches == {**dict.fromkeys(windows, "document"), "edit-distance": "block"}
    grouped = count_groups(
        compare([["a"]], [["a"]]),
        [METRICS["pk"], METRICS["tokens"]],
        SentenceGroups(["g"], np.zeros(1, int), ""),
    )
    assert list(grouped.tables) == ["tokens"]
    assert grouped.left_out["pk"] == "windows slide over whole documents, from one sentence into the next"


@pytest.mark.parametrize(
    ("size", "name"),
    [(1, "1-5"), (5, "1-5"), (6, "6-10"), (10, "6-10"), (11, "11-20"), (20, "11-20"), (21, "21-40"), (40, "21-40"), (41, "41+"), (400, "41+")],
)  # fmt: skip
def test_bins_of_length(size, name):
    groups = group_by_length(evalign.read([["a"] * size]))
    assert [LENGTHS[k] for k in groups.numbers] == [name]


def test_runs_of_one_group_in_one_document_are_one_row():
    """By hand: two documents of sentences of 1, 6, 1 and 6, 1 tokens; the system joins the second and third."""
    one, six = ["a"], ["b"] * 6
    gold = make_gold([[one, six, one], [six, one]])
    comparison = compare(
        gold, [one, [*six, *one], six, one], Units("document", gold.sentences[[0, 3]], ["x", "y"])
    )
    grouped = count_groups(comparison, [METRICS["sentences"], METRICS["tokens"]], group_by_length(gold))
    assert (grouped.units.tolist(), grouped.groups.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 1])
    # The joined sentence begins where that of six tokens does.
    assert grouped.tables["sentences"][:, :3].tolist() == [[1, 2, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1]]
    assert grouped.tables["tokens"][:, :3].tolist() == [[2, 2, 2], [6, 6, 6], [1, 1, 1], [6, 6, 6]]


def test_a_comparison_by_other_units_keeps_what_it_knows():
    comparison = compare([["a", "b"], ["c"]], [["a"], ["bc"]])
    known = comparison.token_partners, comparison.sentence_partners
    assert comparison.token_cuts[0].tolist() == [0, 3]
    other = comparison.with_units(Units("sentence", comparison.gold.sentences[:-1], ()))
    assert (other.token_partners, other.sentence_partners) == known
    assert other.token_partners is known[0]
    assert (other.token_cuts[0].tolist(), comparison.token_cuts[0].tolist()) == ([0, 2, 3], [0, 3])
    assert count("tokens", other) == count("tokens", comparison)


ROW = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_sentences_by_a_comment():
    text = evalign.Text("# k = 10\n" + ROW + ROW + "# k = 9\n" + ROW + "# k =\n" + ROW, "gold.conllu")
    groups = group_by_comment(evalign.read(text, format="conllu"), "k")
    assert (groups.names, groups.numbers.tolist()) == (["9", "10", "(none)"], [1, 2, 0, 2])
    assert groups.source == 'the comment "k" above gold\'s sentences'
    assert group_by_comment(evalign.read(text, format="conllu"), "l").names == ["(none)"]
    with pytest.raises(CommandError, match='has the comment "l"'):
        evalign.score(text, text, gold_format="conllu").systems[0].evidence.grouped("l")


def test_nothing_to_group():
    with pytest.raises(CommandError, match="has no sentence to group"):
        count_groups(compare([], [["a"]]), [METRICS["tokens"]], SentenceGroups(["g"], np.zeros(0, int), ""))


def units_of(grouped: GroupedCounts, metric):
    rows = zip(grouped.units.tolist(), grouped.groups.tolist(), grouped.tables[metric].tolist(), strict=True)
    return {(unit, grouped.names[group]): Counts(*row) for unit, group, row in rows}


def check_labels(comparison, rng):
    """Labels by unit add up to the breakdown, and are what the breakdown of a unit alone is."""
    if not comparison.gold.n_sentences:
        return
    comparison = comparison.with_units(cut_units(comparison.gold, rng))
    for kind in find_kinds(comparison):
        grouped = count_labels(comparison, kind, ())
        [metric] = grouped.tables
        found = units_of(grouped, metric)
        total: Counter[str] = Counter()
        whole = break_down(comparison, kind)
        for label, counts in whole.items():
            rows = [row for (_, name), row in found.items() if name == label]
            assert sum(rows, Counts()) == counts, (kind, label)
            total[label] += len(rows)
        assert total.total() == len(found)
        if kind != "frequency":
            assert list(grouped.names) == list(whole)
        for counts in found.values():
            assert counts.gold or counts.system


@FEWER
@given(treebank_pairs(), st.randoms(use_true_random=False))
def test_labels_by_unit_add_up(pair, rng):
    sides = [evalign.read(evalign.Text(text), format="conllu") for text in (pair.gold, pair.system)]
    check_labels(compare(*sides), rng)


@FEWER
@given(bracketed(), st.randoms(use_true_random=False))
def test_labels_of_trees_by_unit_add_up(pair, rng):
    check_labels(compare(*pair), rng)


@FEWER
@given(two_texts(), st.randoms(use_true_random=False))
def test_frequencies_by_unit_add_up_and_never_exceed(pair, rng):
    comparison = compare(pair.gold, pair.system)
    check_labels(comparison, rng)
    for counts in break_down(comparison, "frequency").values():
        assert counts.correct <= min(counts.gold, counts.system)
    assert sum(break_down(comparison, "frequency").values(), Counts()) == Counts(
        *list(count("tokens", comparison).values())[:3]
    )


def test_labels_by_unit_by_hand():
    row = "1\ta\ta\t{}\t_\tA=1|B=2\t0\troot\t_\t_\n\n"
    gold, system = ["NOUN", "VERB", "NOUN"], ["NOUN", "NOUN", "X"]
    sides = [
        evalign.read(evalign.Text("".join(map(row.format, tags))), format="conllu") for tags in (gold, system)
    ]
    comparison = compare(*sides, Units("document", np.array([0, 2], np.int32), ["x", "y"]))
    assert units_of(count_labels(comparison, "tag", ()), "upos") == {
        (0, "NOUN"): Counts(1, 1, 2), (0, "VERB"): Counts(0, 1, 0), (1, "NOUN"): Counts(0, 1, 0), (1, "X"): Counts(0, 0, 1),
    }  # fmt: skip
    assert units_of(count_labels(comparison, "feature", ()), "feature") == {
        (0, "A"): Counts(2, 2, 2), (0, "B"): Counts(2, 2, 2), (1, "A"): Counts(1, 1, 1), (1, "B"): Counts(1, 1, 1),
    }  # fmt: skip
    assert find_label_counts(comparison, "feature-value").add_up()["A=1"] == Counts(3, 3, 3)


def test_numbers_that_stand_for_several_labels():
    meanings = LabelMeanings.of([[0, 2], [], [1]])
    owners, labels = meanings.expand(np.array([2, 0, 0, 1]))
    assert (owners.tolist(), labels.tolist()) == ([0, 1, 1, 2, 2], [1, 0, 2, 0, 2])
    assert [column.tolist() for column in LabelMeanings.of([]).expand(np.zeros(0, int))] == [[], []]
