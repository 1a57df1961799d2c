"""Dependencies as triples, matched by place whatever the sentences."""

import pytest
from hypothesis import given

import evalign
from evalign import Text
from metrics.comparisons import compare, count, make_trees
from oracles import arcs, dependencies
from treebanks import broken_pairs, treebank_pairs, treebank_texts


def score(gold, system, **options):
    sides = Text(gold, "gold"), Text(system, "system")
    return evalign.score(*sides, gold_format="conllu", system_format="conllu", **options)


def counts(gold, system, **options):
    found = score(gold, system, metrics=["dependencies"], **options)["dependencies"]
    return (found.correct, found.gold, found.system) if found.available else None


def without_multiword(text):
    """Words for tokens: the lines of multiword tokens left out, so that every word is a token."""
    return "".join(
        line for line in text.splitlines(keepends=True) if "-" not in line.split("\t")[0] or line[0] == "#"
    )


@given(treebank_pairs())
def test_counts_are_those_of_the_oracle(pair):
    found = counts(pair.gold, pair.system)
    if found is not None:
        assert found == arcs.count_arcs(*map(dependencies.read, (pair.gold, pair.system)))[:3]


@given(broken_pairs())
def test_a_word_without_a_head_has_no_dependency(pair):
    found = counts(pair.gold, pair.system)
    if found is not None:
        assert found == arcs.count_arcs(*map(dependencies.read, (pair.gold, pair.system)))[:3]


@given(treebank_texts())
def test_a_treebank_against_itself_is_perfect(text):
    for match in ("default", "place", "text"):
        found = counts(text, text, match=match)
        if found is not None:
            assert found[0] == found[1] == found[2]


@given(treebank_pairs())
def test_swapping_sides_swaps_precision_and_recall(pair):
    there, back = counts(pair.gold, pair.system), counts(pair.system, pair.gold)
    if there is not None:
        assert there == (back[0], back[2], back[1])


@given(treebank_texts())
def test_of_the_same_tokens_it_is_las_with_subtypes(text):
    gold = without_multiword(text)
    system = gold.replace("\tdet\t", "\tdet:x\t").replace("\tobj\t", "\tnsubj\t")
    bare = {name: text.replace(":", "-") for name, text in (("gold", gold), ("system", system))}
    result = score(**bare, metrics=["las", "dependencies"])
    if result["las"].available:
        assert result["dependencies"].correct == result["las"].correct


VECTORS = [
    # what is shown, gold, system, correct, gold, system, correct by text
    ("labels in full", "a/X/0/root b/X/1/obl:tmod", "a/X/0/root b/X/1/obl", (1, 2, 2, 1)),
    ("another head", "a/X/0/root b/X/1/obj c/X/2/obj", "a/X/0/root b/X/1/obj c/X/1/obj", (2, 3, 3, 2)),
    ("the root is a head", "a/X/0/root b/X/1/dep", "a/X/2/dep b/X/0/root", (0, 2, 2, 0)),
    ("another token breaks what hangs on it", "ab/X/0/root c/X/1/obj", "a/X/2/x b/X/0/root c/X/2/obj", (0, 2, 3, 0)),
    ("another text in the place", "cat/X/0/root ran/X/1/obj .", "cot/X/0/root ran/X/1/obj .", (2, 2, 2, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "system", "wanted"), [v[1:] for v in VECTORS], ids=[v[0] for v in VECTORS])
def test_vectors(gold, system, wanted):
    found = count("dependencies", compare(make_trees([gold]), make_trees([system])))
    assert (found["correct"], found["gold"], found["system"], found["same_text"]) == wanted
    assert found["in_place"] == found["correct"]
    by_text = count("dependencies", compare(make_trees([gold]), make_trees([system]), match="text"))
    assert by_text["correct"] == wanted[3]


def test_sentences_play_no_role():
    gold = make_trees(["a/X/0/root b/X/1/obj", "c/X/0/root d/X/1/obj"])
    system = make_trees(["a/X/0/root b/X/1/obj c/X/0/root d/X/3/obj"])
    assert count("dependencies", compare(gold, system))["correct"] == 4


MULTIWORD = """\
1-2	du	_	_	_	_	_	_	_	_
1	de	_	ADP	_	_	3	case	_	_
2	le	_	DET	_	_	3	det	_	_
3	pain	_	NOUN	_	_	0	root	_	_

"""


def test_words_of_a_multiword_token_are_where_it_is():
    swapped = MULTIWORD.replace("1\tde\t", "1\tle\t").replace("2\tle\t", "2\tde\t")
    one = "1\tdu\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    assert counts(MULTIWORD, one) == (2, 3, 2)
    assert counts(MULTIWORD, one, match="text") == (1, 3, 2)
    assert counts(MULTIWORD, swapped) == (3, 3, 3)
    assert counts(MULTIWORD, swapped, match="text") == (1, 3, 3)
    assert counts(MULTIWORD, MULTIWORD.replace("de\t", "De\t"), match="text") == (3, 3, 3)


def test_without_heads_it_is_not_available():
    assert counts("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", MULTIWORD) is None
    assert not evalign.score([["a"]], [["a"]], metrics=["dependencies"])["dependencies"].available


def test_it_is_not_shown_by_default():
    assert "dependencies" not in [name for name in score(MULTIWORD, MULTIWORD).systems[0].scores]


def test_counts_add_up_over_documents():
    document = "# newdoc id = {}\n" + MULTIWORD
    text = document.format("a") + document.format("b").replace("case", "mark")
    found = score(text, text.replace("det", "x"), metrics=["dependencies"])["dependencies"]
    assert [row[:3] for row in found.units.tolist()] == [[2, 3, 3], [2, 3, 3]]
