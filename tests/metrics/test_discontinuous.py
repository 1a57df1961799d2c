"""Discontinuous brackets, a label and runs of words: against sets of words in counters."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.metrics.errors.all_errors import find_mismatches
from evalign.options import DEFAULT_PRESET, ROOT_LABELS, Preset
from evalign.readers.formats import read_source
from evalign.text import Text
from metrics.comparisons import compare
from torn import export, number_leaves, numbered, split_words, torn_documents, torn_pairs, trees_over
from trees import documents, lines, restructured

METRICS = ("brackets", "brackets-unlabelled", "crossing", "complete-match")
ALL = ("sentences", "tokens", "tags", *METRICS, "triples")


def score(gold, system, *, format="discbracket", metrics=METRICS, **options):
    return evalign.score(
        Text(gold, "gold"), Text(system, "system"), gold_format=format, system_format=format, metrics=metrics, **options
    )  # fmt: skip


def counts(gold, system, **options):
    """Correct, gold and system brackets, with labels and without."""
    result = score(gold, system, **options)
    return [(x.correct, x.gold, x.system) for x in (result["brackets"], result["brackets-unlabelled"])]


VECTORS = [
    # why, gold, system, correct, crossing
    ("the same", "(R (X (A 0=a) (B 2=c)) (C 1=b))", "(R (C 1=b) (X (B 2=c) (A 0=a)))", 1, 0),
    ("another gap", "(R (X (A 0=a) (D 3=d)) (B 1=b) (C 2=c))", "(R (X (A 0=a) (B 1=b) (D 3=d)) (C 2=c))", 0, 0),
    ("one gap or two", "(R (X (A 0=a) (B 1=b) (D 3=d) (F 5=f)) (C 2=c) (E 4=e))",
     "(R (X (A 0=a) (D 3=d) (F 5=f)) (B 1=b) (C 2=c) (E 4=e))", 0, 0),
    ("a gap or none", "(R (X (A 0=a) (C 2=c)) (B 1=b))", "(R (X (A 0=a) (B 1=b) (C 2=c)))", 0, 0),
    ("another label", "(R (X (A 0=a) (C 2=c)) (B 1=b))", "(R (Y (A 0=a) (C 2=c)) (B 1=b))", 0, 0),
    ("twice", "(R (X (X (A 0=a) (C 2=c))) (B 1=b))", "(R (X (A 0=a) (C 2=c)) (B 1=b))", 1, 0),
    ("with and without a gap over one stretch", "(R (X (X (A 0=a) (C 2=c)) (B 1=b)) (D 3=d))",
     "(R (X (X (A 0=a) (C 2=c)) (B 1=b)) (D 3=d))", 2, 0),
    ("crossing is of brackets without gaps", "(R (X (A 0=a) (C 2=c)) (Y (B 1=b) (D 3=d)))",
     "(R (A 0=a) (Z (B 1=b) (C 2=c)) (D 3=d))", 0, 0),
    ("and still found beside them", "(R (X (A 0=a) (C 2=c)) (B 1=b) (Y (D 3=d) (E 4=e)) (F 5=f))",
     "(R (X (A 0=a) (C 2=c)) (B 1=b) (D 3=d) (Z (E 4=e) (F 5=f)))", 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "system", "correct", "crossing"), [x[1:] for x in VECTORS], ids=[x[0] for x in VECTORS]
)
def test_vectors_made_by_hand(gold, system, correct, crossing):
    gold, system = gold.replace("(R", "(ROOT"), system.replace("(R", "(ROOT")
    result, back = score(gold, system), score(system, gold)
    assert (result["brackets"].correct, back["brackets"].correct) == (correct, correct)
    assert result["crossing"].counts["crossing"] == crossing


def keys(trees, preset, labelled):
    """Brackets as sets of the words that count."""
    first, found = 0, Counter()
    for tree in trees:
        kept = {first + k for k, (_, tag) in enumerate(tree.words) if tag not in preset.delete}
        for label, words, is_root in tree.sets(first):
            cut = preset.cut_label(label)
            dropped = preset.drops_root and is_root and label in ROOT_LABELS
            if words & kept and not dropped and cut not in preset.delete:
                found[cut if labelled else "", words & kept] += 1
        first += len(tree.words)
    return found


PRESETS = [
    DEFAULT_PRESET,
    Preset("no commas", frozenset({",", "$("}), cut=True),
    Preset("with roots", frozenset({"N", "TOP"}), drops_root=False),
    Preset("unlabelled", frozenset({"V"}), labelled=False),
]


@given(torn_pairs(), st.sampled_from(PRESETS))
def test_counts_are_those_of_sets_of_words(pair, preset):
    expected = []
    for labelled in (preset.labelled, False):
        gold, system = (keys(side, preset, labelled) for side in pair)
        expected.append(((gold & system).total(), gold.total(), system.total()))
    for match in ("place", "text"):
        assert counts(*map(numbered, pair), preset=preset, match=match) == expected


@given(torn_pairs(), st.sampled_from(PRESETS))
def test_crossing_is_counted_over_brackets_without_gaps(pair, preset):
    kept = [
        k for k, (_, tag) in enumerate(w for tree in pair[0] for w in tree.words) if tag not in preset.delete
    ]
    rank = {word: k for k, word in enumerate(kept)}
    sides = []
    for side in pair:
        sets = [{rank[word] for word in words} for _, words in keys(side, preset, labelled=True).elements()]
        sides.append([x for x in sets if max(x) - min(x) + 1 == len(x)])
    gold, system = sides
    expected = sum(any(x & y and x - y and y - x for y in gold) for x in system)
    assert score(*map(numbered, pair), preset=preset)["crossing"].counts["crossing"] == expected


@given(torn_pairs(), st.data())
def test_texts_that_differ_are_scored_and_matched_both_ways(pair, data):
    gold, system = pair
    other = []
    for tree in system:
        words = [(word + data.draw(st.sampled_from(["", "", "x", "xyz"])), tag) for word, tag in tree.words]
        other.append(tree._replace(words=tuple(words)))
    there, back = counts(numbered(gold), numbered(other)), counts(numbered(other), numbered(gold))
    assert [row[0] for row in there] == [row[0] for row in back]
    assert all(row[0] <= min(row[1:]) for row in there)
    by_text = counts(numbered(gold), numbered(other), match="text")
    assert all(one[0] <= two[0] for one, two in zip(by_text, there, strict=True))


@given(torn_pairs())
def test_export_format_gives_the_same_counts(pair):
    # The virtual root stands for the root, whatever its label.
    sides = [[tree._replace(root=("VROOT", tree.root[1])) for tree in side] for side in pair]
    found = counts(*map(numbered, sides))
    assert counts(*map(export, sides), format="export") == found
    assert counts(*(export(side, 4) for side in sides), format="auto") == found


@given(torn_documents(), st.sampled_from(PRESETS))
def test_a_file_against_itself_is_perfect(trees, preset):
    result = score(numbered(trees), numbered(trees), preset=preset, metrics=ALL)
    for name in ("sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples"):
        assert result[name].correct == result[name].gold == result[name].system
    assert result["complete-match"].value in (1.0, None)
    assert result["crossing"].counts["crossing"] == 0


@given(torn_pairs(), st.data())
def test_words_that_are_split_move_no_bracket(pair, data):
    gold, system = pair
    before = counts(numbered(gold), numbered(system))
    other = [data.draw(split_words(tree)) for tree in system]
    assert counts(numbered(gold), numbered(other)) == before
    assert counts(numbered(other), numbered(gold))[0][0] == before[0][0]


@st.composite
def recut(draw, tree):
    """A tree over the same characters, cut into other words."""
    line = "".join(word for word, _ in tree.words)
    cuts = sorted(draw(st.sets(st.integers(1, len(line) - 1)))) if len(line) > 1 else []
    ends = [*cuts, len(line)]
    return draw(trees_over(tuple((line[a:b], "N") for a, b in zip([0, *cuts], ends, strict=True))))


def character_keys(trees):
    """Brackets as sets of characters."""
    start, found = 0, Counter()
    for tree in trees:
        words = []
        for word, _ in tree.words:
            words.append(range(start, start + len(word)))
            start += len(word)
        for label, inside, is_root in tree.sets():
            if not (is_root and label in ROOT_LABELS):
                found[label, frozenset(character for k in inside for character in words[k])] += 1
    return found


@given(torn_documents(), st.data())
def test_counts_on_other_tokens_are_those_of_sets_of_characters(gold, data):
    system = [data.draw(recut(tree)) for tree in gold]
    mine, theirs = character_keys(gold), character_keys(system)
    found = counts(numbered(gold), numbered(system))[0]
    assert found == ((mine & theirs).total(), mine.total(), theirs.total())


@given(documents(with_empty=True), st.data())
def test_continuous_trees_with_numbers_have_the_counts_of_those_without(gold, data):
    system = [data.draw(restructured(tree)) for tree in gold]
    plain = score(lines(gold), lines(system), format="trees", metrics=ALL)
    found = score(number_leaves(gold), number_leaves(system), metrics=ALL)
    for name in ALL:
        assert found[name].counts == plain[name].counts


def test_one_side_may_be_continuous():
    gold = "(ROOT (X (A 0=a) (C 2=c)) (Y (B 1=b)))\n"
    result = evalign.score(Text(gold), Text("(ROOT (A a) (Y (B b)) (C c))\n"), metrics=["brackets"])
    assert (result["brackets"].correct, result["brackets"].gold, result["brackets"].system) == (1, 2, 1)


def test_a_gap_of_deleted_words_closes():
    gold = "(ROOT (X (A 0=a) (C 2=c)) (, 1=,))\n"
    system = "(ROOT (X (A 0=a) (, 1=,) (C 2=c)))\n"
    assert counts(gold, system)[0] == (0, 1, 1)
    assert counts(gold, system, preset=Preset("no commas", frozenset({","})))[0] == (1, 1, 1)


def test_a_bracket_begins_with_its_first_word_that_counts():
    # X is b and d without the comma; the gap is c.
    gold = "(ROOT (X (, 0=,) (A 2=b) (A 4=d)) (A 1=a) (A 3=c))\n"
    system = "(ROOT (, 0=,) (X (A 2=b) (A 4=d)) (A 1=a) (A 3=c))\n"
    assert counts(gold, system)[0] == (0, 1, 1)
    assert counts(gold, system, preset=Preset("no commas", frozenset({","})))[0] == (1, 1, 1)


CHANGED = [
    # why, system, correct by place, by text
    ("a word changed within", "(ROOT (X (A 0=aa) (C 2=cx)) (B 1=bb))", 1, 0),
    ("a word changed in the gap", "(ROOT (X (A 0=aa) (C 2=cc)) (B 1=bx))", 1, 1),
    ("a word more in the gap", "(ROOT (X (A 0=aa) (C 3=cc)) (B 1=bb) (B 2=yyy))", 1, 1),
    ("the gap is another", "(ROOT (X (A 0=aa) (A 1=b) (C 3=cc)) (B 2=b))", 0, 0),
]


@pytest.mark.parametrize(
    ("system", "by_place", "by_text"), [x[1:] for x in CHANGED], ids=[x[0] for x in CHANGED]
)
def test_where_the_text_differs_runs_are_compared_in_shared_places(system, by_place, by_text):
    gold = "(ROOT (X (A 0=aa) (C 2=cc)) (B 1=bb))\n"
    found = [score(gold, system, match=match)["brackets"].correct for match in ("place", "text")]
    assert found == [by_place, by_text]


def test_a_gap_of_words_that_the_other_text_does_not_have_is_none():
    gold = "(ROOT (X (A 0=long) (C 1=words)) (B 2=here))\n"
    system = "(ROOT (X (A 0=long) (C 2=words)) (Y 1=##) (B 3=here))\n"
    assert counts(gold, system)[0] == (1, 1, 1)
    assert score(gold, system, match="text")["brackets"].correct == 1


def test_errors_show_gaps():
    gold = "(ROOT (X (A 0=a) (C 2=c)) (B 1=b) (Z (D 3=d)))\n"
    system = "(ROOT (Y (A 0=a) (C 2=c)) (W (B 1=b) (D 3=d)))\n"
    comparison = compare(read_source(Text(gold)), read_source(Text(system)))
    found = [(x.kind, x.gold, x.system, x.word) for x in find_mismatches(comparison, "brackets")]
    assert found == [
        ("label", ("X",), ("Y",), "a … c"),
        ("inserted", (), ("W",), "b … d"),
        ("missing", ("Z",), (), "d"),
    ]


def test_triples_are_of_runs():
    found = evalign.triples(Text("(ROOT (X (A 0=a) (C 2=c)) (B 1=b))\n"))
    assert [triple[:3] for triple in found if triple.kind == "constituent"] == [
        (0, 3, "ROOT"), (0, 1, "X*"), (2, 3, "X*"),
    ]  # fmt: skip
    assert any("discontinuous brackets: 1" in warning for warning in found.warnings)
