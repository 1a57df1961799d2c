"""Tags, trees and graphs are counted as the oracles count them, whatever the segmentation."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evalign
from evalign import Text
from evalign.metrics.registry import METRICS
from evalign.options import Weights
from oracles import dependencies, enhanced, typology
from treebanks import broken_pairs, treebank_pairs, treebank_texts

OFFICIAL = {
    "tokens": "Tokens", "sentences": "Sentences", "words": "Words", "upos": "UPOS", "xpos": "XPOS", "ufeats": "UFeats",
    "alltags": "AllTags", "lemmas": "Lemmas", "uas": "UAS", "las": "LAS", "clas": "CLAS", "mlas": "MLAS", "blex": "BLEX",
}  # fmt: skip
JUDGED = [name for name in METRICS if {*METRICS[name].needs} - {"sentences"}]


def score(gold, system, **options):
    return evalign.score(
        Text(gold, "gold"), Text(system, "system"), gold_format="conllu", system_format="conllu", **options
    )


def counts_of(score):
    if not score.available:
        return None
    return (
        score.correct,
        score.gold,
        score.system,
        score["aligned"] if "aligned" in score.metric.fields else None,
    )


def with_aligned(name, counts):
    """The script gives words an aligned total; it is the number of pairs."""
    return counts if counts is None or name != "words" else (*counts[:3], None)


@given(treebank_pairs())
def test_counts_are_those_of_the_official_scripts(pair):
    """On trees without fault, where the script refuses nothing."""
    gold, system = dependencies.read(pair.gold), dependencies.read(pair.system)
    wanted = dependencies.official_counts(*map(dependencies.without_inner_spaces, (gold, system)))
    result = score(pair.gold, pair.system, metrics=list(OFFICIAL))
    for name, official in OFFICIAL.items():
        if result[name].available:
            assert counts_of(result[name]) == with_aligned(name, wanted[official]), name


@given(broken_pairs())
def test_what_is_no_tree_is_scored_as_far_as_it_can_be(pair):
    wanted = dependencies.lenient_counts(dependencies.read(pair.gold), dependencies.read(pair.system))
    result = score(pair.gold, pair.system, metrics=list(OFFICIAL))
    for name, official in OFFICIAL.items():
        if result[name].available:
            assert counts_of(result[name]) == with_aligned(name, wanted[official]), name


@given(treebank_pairs())
def test_edges_are_matched_once_or_as_the_ud_tools_match_them(pair):
    gold, system = dependencies.read(pair.gold), dependencies.read(pair.system)
    gold, system = map(dependencies.without_inner_spaces, (gold, system))
    for edges, count in (("once", enhanced.matched_counts), ("all", enhanced.udtools_counts)):
        wanted = count(gold, system)
        result = score(pair.gold, pair.system, metrics=["elas", "eulas"], edges=edges)
        for name in ("elas", "eulas"):
            if result[name].available:
                assert counts_of(result[name]) == wanted[name.upper()]
                assert edges == "all" or result[name].correct <= min(result[name].gold, result[name].system)


@given(treebank_pairs(), st.dictionaries(st.sampled_from(["nsubj", "root", "det", "obj"]), st.floats(0, 1)))
def test_classes_and_weights_are_those_of_the_oracle(pair, values):
    gold, system = (
        dependencies.without_inner_spaces(dependencies.read(text)) for text in (pair.gold, pair.system)
    )
    comparison = dependencies.compare(gold, system)
    result = score(
        pair.gold,
        pair.system,
        metrics=["content", "function", "wlas"],
        relations="v2",
        weights=Weights(values),
    )
    wanted = typology.class_counts(comparison, "v2")
    for name in ("content", "function"):
        assert counts_of(result[name])[:3] == wanted[name]
    weights = typology.wlas(comparison, values)
    found = [result["wlas"].counts[f"weight_{name}"] / 10**9 for name in ("correct", "gold", "system")]
    assert found == pytest.approx(weights, abs=1e-7)


@given(treebank_texts())
def test_a_treebank_against_itself_is_right_in_everything(text):
    result = score(text, text, metrics=JUDGED, weights=Weights({}))
    for name in JUDGED:
        if result[name].available:
            assert result[name].value in (1.0, None), name


@given(treebank_pairs())
def test_units_add_up(pair):
    """Sentence by sentence the rows are others, their sums are not."""
    whole = score(pair.gold, pair.system, metrics=JUDGED, weights=Weights({}))
    parts = score(pair.gold, pair.system, metrics=JUDGED, weights=Weights({}), average="sentence")
    for name in JUDGED:
        assert whole[name].counts == parts[name].counts, name
        assert (parts[name].units >= 0).all()


def tree(*rows):
    """CoNLL-U of a sentence from (form, UPOS, FEATS, HEAD, DEPREL)."""
    lines = [f"{k}\t{f}\t_\t{u}\t_\t{x}\t{h}\t{r}\t_\t_\n" for k, (f, u, x, h, r) in enumerate(rows, 1)]
    return "".join(lines) + "\n"


def test_values_of_a_feature_are_a_list_or_a_set():
    gold = tree(("un", "DET", "Gender=Fem,Masc|Number=Sing", 0, "root"))
    system = tree(("un", "DET", "Gender=Masc,Fem|Number=Sing", 0, "root"))
    for metric in ("ufeats", "allfeats", "alltags", "mlas"):
        assert score(gold, system, metrics=[metric])[metric].correct == 0
        assert score(gold, system, metrics=[metric], feature_values="set")[metric].correct == 1


def test_features_in_another_order_are_the_same():
    gold = tree(("x", "X", "Case=Nom|Number=Sing|Typo=Yes", 0, "root"))
    system = tree(("x", "X", "Typo=Yes|Number=Sing|Case=Nom", 0, "root"))
    result = score(gold, system, metrics=["ufeats", "allfeats"])
    assert [result[name].correct for name in ("ufeats", "allfeats")] == [1, 1]


def test_a_metric_is_shown_where_both_files_have_its_column():
    gold = tree(("Dogs", "NOUN", "Number=Plur", 2, "nsubj"), ("run", "VERB", "_", 0, "root"))
    tagged = tree(("Dogs", "NOUN", "_", "_", "_"), ("run", "VERB", "_", "_", "_"))
    result = score(gold, tagged)
    assert result["upos"].f1 == 1.0
    assert result["ufeats"].correct == 1  # of FEATS, _ is an answer
    assert "lemmas" not in result.systems[0].scores
    # Attachment is named all the same: a parser's output without heads is a mistake.
    assert not result["las"].available
    assert result["las"].f1 is None
    assert result["las"].to_dict()["correct"] is None
    assert any("no word has HEAD or DEPREL: uas, las" in warning for warning in result.warnings)
    plain = evalign.score(Text(gold, "gold.conllu"), [["Dogs", "run"]])
    assert list(plain.systems[0].scores) == ["sentences", "tokens", "words"]


def test_all_leaves_out_what_the_files_have_not():
    names = evalign.score([["a"]], [["a"]], metrics=["all"]).systems[0].scores
    assert "pk" in names
    assert "upos" not in names


def test_weights_are_needed_and_named():
    gold = tree(("run", "VERB", "_", 0, "root"))
    with pytest.raises(evalign.CommandError, match="wlas without weights"):
        score(gold, gold, metrics=["wlas"])
    result = score(
        gold, gold, metrics=["wlas", "content"], weights=Weights({"root": 0.5}, name="folder/w.json")
    )
    assert "|relations:v2|weights:w.json(" in result.signature


def test_classes_go_by_the_labels_of_gold():
    v1 = tree(("a", "X", "_", 0, "root"), ("not", "PART", "_", 1, "neg"), ("b", "X", "_", 1, "dobj"))
    result = score(v1, v1, metrics=["content", "function"])
    assert "relations:v1" in result.signature
    assert (result["content"].gold, result["function"].gold) == (2, 1)
    assert score(v1, v1, metrics=["function"], relations="v2")["function"].gold == 0


def test_labels_that_differ_in_case_are_wrong_and_told():
    gold = tree(("run", "VERB", "_", 0, "root"))
    result = score(gold, gold.replace("root", "ROOT"))
    assert result["las"].correct == 0
    assert any('DEPREL "ROOT" differs from gold\'s "root" only in case' in w for w in result.warnings)


def test_rows_of_a_metric_that_is_not_available_are_nothing():
    gold, tagged = tree(("a", "X", "_", 0, "root")), tree(("a", "X", "_", "_", "_"))
    assert np.array_equal(score(gold, tagged)["uas"].units, [[0] * 6])


def test_weights_of_another_version_are_told():
    gold = tree(("run", "VERB", "_", 0, "root"), ("it", "PRON", "_", 1, "obj"))
    weights = Weights({"root": 0.5, "dobj": 0.7}, version="v1", name="w.json")
    result = score(gold, gold, metrics=["wlas"], weights=weights)
    assert any("weights of UD v1 relations, and gold's are of v2" in warning for warning in result.warnings)
    assert f"weights:w.json({weights.digest},v1)" in result.signature
    assert not score(gold, gold, metrics=["wlas"], weights=weights._replace(version="v1+v2")).warnings


def test_what_is_not_asked_for_is_not_warned_of():
    gold = tree(("run", "VERB", "_", 0, "root"))
    odd = gold.replace("\t_\t_\n", "\t9:x|?\t_\n")
    assert score(gold, odd, metrics=["upos"]).warnings == ()
    assert len(score(gold, odd).warnings) == 3
    assert len(score(odd, odd, metrics=["elas"]).warnings) == 4


def test_a_word_called_none_is_a_head_like_any_other():
    gold = tree(("none", "PRON", "_", 0, "root"), ("ran", "VERB", "_", 1, "acl"))
    system = tree(("none", "PRON", "_", 2, "nsubj"), ("ran", "VERB", "_", 0, "root"))
    errors = score(gold, system).errors("las")
    assert [(error.gold_head, error.system_head) for error in errors] == [
        ("the root", "ran"),
        ("none", "the root"),
    ]


def test_words_without_a_label_are_told_with_their_places():
    gold = tree(*[("a", "X", "_", 0 if k == 0 else 1, "dep") for k in range(8)])
    system = gold.replace("\tX\t", "\t_\t").replace("1\ta\t_\t_\t", "1\ta\t_\tX\t")
    (warning,) = score(gold, system, metrics=["upos"]).warnings
    assert warning == "system:2: UPOS is _, and wrong (7 times, also at 3, 4, 5, 6, ...)"
