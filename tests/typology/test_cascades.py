"""Cascading errors (Callin, Table 5)."""

import numpy as np
import pytest
from hypothesis import given

import evalign
from evalign.document import ROOT, Column
from evalign.errors import CommandError, InputError
from evalign.typology.cascades import count_cascades, find_cascades, find_run_cascades
from oracles import dependencies, typology as oracle
from runs import write
from treebanks import broken_pairs, treebank_pairs
from typology.samples import CAT, DOG, conllu, treebank

LABELS = ["root", "nsubj", "det", "punct"]


def count(relations, parents, labelled, unlabelled=None, gold_of=None, root_heads="wrong"):
    """Cascades of words that all have a partner, unless `gold_of` says otherwise."""
    column = Column(np.array([LABELS.index(name) for name in relations], np.int32), LABELS)
    gold_of = np.array(range(len(parents)) if gold_of is None else gold_of, np.int32)
    masks = [np.array(mask, bool) for mask in (labelled, unlabelled or labelled)]
    return count_cascades(column, "v2", np.array(parents, np.int32), gold_of, *masks, root_heads)


def test_a_head_that_is_right_and_one_that_is_not():
    # Both nsubj are wrong; the first hangs on the root, which is right, the second on the first.
    found = count(["root", "nsubj", "nsubj"], [ROOT, 0, 1], [1, 0, 0])
    assert found.content_labelled == (2, 1)
    assert found.content_labelled.share == 0.5
    assert found.function_labelled == (0, 0)
    assert found.function_labelled.share is None


def test_labelled_and_unlabelled_are_apart():
    found = count(["root", "det", "det"], [ROOT, 0, 1], [1, 0, 0], [1, 1, 0])
    assert found.function_labelled == (2, 1)
    assert found.function_unlabelled == (1, 1)


def test_the_class_is_that_of_the_gold_relation_and_others_are_not_counted():
    found = count(["root", "punct", "det"], [ROOT, 0, 0], [1, 0, 0])
    assert (found.content_labelled, found.function_labelled) == ((0, 0), (1, 1))


@pytest.mark.parametrize(
    ("root_heads", "cascade"), [("wrong", (2, 1)), ("left-out", (1, 1)), ("right", (2, 2))]
)
def test_the_root_as_a_head(root_heads, cascade):
    found = count(["nsubj", "root", "nsubj"], [ROOT, ROOT, 1], [0, 1, 0], root_heads=root_heads)
    assert found.content_labelled == cascade


def test_a_head_that_gold_has_not_is_not_right():
    # System word 1 has no gold word; word 2 is gold's word 1.
    found = count(["root", "nsubj"], [ROOT, 0, 1], [1, 0], gold_of=[0, -1, 1])
    assert found.content_labelled == (1, 0)


def test_no_words():
    assert count([], [], []).content_labelled == (0, 0)
    assert count(["root"], [], [0], gold_of=[]).content_labelled == (0, 0)


@pytest.mark.parametrize("parent", [-2, -3, -4])
def test_no_head_is_not_right(parent):
    assert count(["nsubj"], [parent], [0], root_heads="left-out").content_labelled == (1, 0)


def test_files_by_hand():
    # dog hangs on The, which hangs, wrongly, on barks: one content and one function error, neither with a right head
    # but The, whose head barks is right.
    wrong = [("The", 3, "det", "DET"), ("dog", 1, "nsubj", "NOUN"), *DOG[2:]]
    found = find_cascades(treebank(DOG), treebank(wrong))
    assert found.cascades == ((1, 0), (1, 0), (1, 1), (1, 1))
    assert (found.version, found.warnings) == ("v2", ())


def texts_of(pair):
    return (evalign.Text(text, "x.conllu") for text in (pair.gold, pair.system))


def as_table(cascades):
    found = cascades._asdict().items()
    return {tuple(name.split("_")): (cascade.head_right, cascade.wrong) for name, cascade in found}


@given(treebank_pairs(14).filter(lambda pair: pair.gold and pair.system))
def test_they_are_what_the_oracle_says(pair):
    gold, system = (
        dependencies.without_inner_spaces(dependencies.read(text)) for text in (pair.gold, pair.system)
    )
    expected = oracle.cascading(dependencies.compare(gold, system), oracle.version_of(gold))
    assert as_table(find_cascades(*texts_of(pair)).cascades) == expected


@given(broken_pairs(14).filter(lambda pair: pair.gold and pair.system))
def test_they_are_what_the_oracle_says_of_heads_that_are_no_trees(pair):
    gold, system = dependencies.read(pair.gold), dependencies.read(pair.system)
    expected = oracle.cascading(dependencies.compare_leniently(gold, system), oracle.version_of(gold))
    try:
        found = find_cascades(*texts_of(pair))
    except CommandError as error:  # a side without any head
        assert "no word of" in str(error)  # noqa: PT017
    else:
        assert as_table(found.cascades) == expected


def test_what_has_no_trees_is_refused():
    with pytest.raises(CommandError, match="no word of <text> has HEAD or DEPREL"):
        find_cascades(treebank(DOG), evalign.Text("The dog barks .\n"))
    bare = evalign.Text(conllu([(form, head, "_", "_") for form, head, _, _ in DOG]), "b.conllu")
    with pytest.raises(CommandError, match=r"no word of b\.conllu has DEPREL"):
        find_cascades(treebank(DOG), bare)
    with pytest.raises(CommandError, match="wrong, left-out, right"):
        find_cascades(treebank(DOG), treebank(DOG), root_heads="none")


def test_folders_are_as_many_treebanks_as_they_have(tmp_path):
    wrong = [DOG[0], ("dog", 4, "nsubj", "NOUN"), *DOG[2:]]
    gold = write(tmp_path / "gold", en=conllu(DOG, CAT), fi=conllu(DOG), hi=conllu(CAT))
    one = write(tmp_path / "one", en=conllu(wrong, CAT), fi=conllu(wrong), sv=conllu(CAT))
    found = find_run_cascades([(gold, one)])
    assert list(found.treebanks) == ["en", "fi"]
    assert found.treebanks["en"].cascades == find_cascades(gold / "en.conllu", one / "en.conllu").cascades
    assert found.warnings == (
        "one: no gold file named sv.conllu",
        "one has no file named hi.conllu: hi is left out",
    )
    two = write(tmp_path / "two", en=conllu(DOG, CAT), fi=conllu(DOG), hi=conllu(CAT))
    both = find_run_cascades([(gold, one), (gold, two), (gold / "en.conllu", two / "en.conllu")])
    assert list(both.treebanks) == ["en (one)", "fi (one)", "en (two)", "fi (two)", "hi", "en"]


def test_a_treebank_of_a_folder_that_cannot_be_compared_is_left_out(tmp_path):
    gold = write(tmp_path / "gold", en=conllu(DOG), fi=conllu(DOG))
    one = write(tmp_path / "one", en=conllu(DOG), fi="1\tx\n")
    found = find_run_cascades([(gold, one)])
    assert list(found.treebanks) == ["en"]
    [told] = found.warnings
    assert told.startswith("one failed on fi: ")
    assert told.endswith(": fi is left out")
    with pytest.raises(InputError, match="2 columns"):
        find_run_cascades([(gold / "fi.conllu", one / "fi.conllu")])
    with pytest.raises(InputError, match="2 columns"):
        find_run_cascades([(write(tmp_path / "g", fi=conllu(DOG)), write(tmp_path / "s", fi="1\tx\n"))])
    with pytest.raises(InputError, match=r"s has no file named en\.conllu"):
        find_run_cascades([(write(tmp_path / "h", en=conllu(DOG)), tmp_path / "s")])
    with pytest.raises(InputError, match="a file, where others are folders"):
        find_run_cascades([(gold, one / "en.conllu")])
