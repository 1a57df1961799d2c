"""Confusions of labels: by hand, and against the counts of the metrics."""

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, Place
from evalign.metrics.errors.all_errors import count_kinds, count_label_pairs, find_mismatches, group_errors
from evalign.metrics.errors.label_errors import ASPECTS, count_gold_words
from evalign.metrics.errors.mismatches import ErrorCell, differing_features, group_mismatches
from evalign.metrics.registry import METRICS, WORD_METRICS
from evalign.options import ScoreOptions
from evalign.scoring.count import compare_documents
from metrics.sentences import GOLD, SYSTEM, compare
from treebanks import broken_pairs, treebank_pairs, treebank_texts


def found(metric, gold=GOLD, system=SYSTEM):
    return [(m.word, m.kind, m.gold, m.system) for m in find_mismatches(compare(gold, system), metric)]


def test_tags_lemmas_and_features():
    assert found("upos") == [("saw", "confused", ("VERB",), ("NOUN",))]
    assert found("xpos") == [("saw", "confused", ("VBD",), ("NN",))]
    assert found("lemmas") == [("saw", "confused", ("see",), ("saw",))]
    saw = ("saw", "confused", ("Mood=Ind", "Tense=Past"), ("Number=Sing",))
    assert found("ufeats") == [saw]
    assert found("allfeats") == [saw, ("it", "confused", ("-",), ("Typo=Yes",))]


def test_relations_and_heads():
    assert found("las") == [
        ("dogs", "label", ("nsubj",), ("obj",)),
        ("it", "both", ("obj",), ("nmod",)),
        (".", "head", ("punct",), ("punct",)),
    ]
    assert found("uas") == [("it", "head", ("VERB",), ("NOUN",)), (".", "head", ("VERB",), ("the root",))]


def test_an_error_shows_the_word_its_heads_its_context_and_its_place():
    error = list(find_mismatches(compare(GOLD, SYSTEM), "las"))[1]
    assert (error.word, error.gold_head, error.system_head) == ("it", "saw", "dogs")
    assert (error.before, error.after, error.start) == ("The dogs saw", ".", 10)
    assert (error.gold_place, error.system_place) == (Place("gold.conllu", 5), Place("system.conllu", 4))


@pytest.mark.parametrize(
    ("head", "label"),
    [("_", "no head"), ("0", "the root"), ("9", "outside the sentence"), ("5", "a cycle"), ("1", "DET")],
)
def test_heads_that_are_no_words(head, label):
    system = GOLD.replace("\t.\t_\t3\tpunct", f"\t.\t_\t{head}\tpunct")
    assert found("uas", system=system)[0][2:] == (("VERB",), (label,))
    error = next(find_mismatches(compare(GOLD, system), "uas"))
    assert error.system_head == {"DET": "The"}.get(label, label)


def test_a_word_of_a_multiword_token_is_shown_with_its_own_line():
    gold = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n2\tle\tle\tDET\t_\t_\t1\tdet\t_\t_\n\n"
    error = next(find_mismatches(compare(gold, gold.replace("DET", "PRON")), "upos"))
    assert (error.word, error.before, str(error.gold_place)) == ("le", "de", "gold.conllu:3")


def test_a_gold_lemma_that_says_nothing_is_never_confused():
    assert found("lemmas", GOLD.replace("\tsee\t", "\t_\t")) == []


def test_words_without_a_partner_are_no_confusions():
    system = SYSTEM.replace("3\tsaw\tsaw\tNOUN", "3\tsa\tsaw\tNOUN").replace("4\tit", "4\twit")
    comparison = compare(GOLD, system)
    assert count_label_pairs(comparison, "upos") == (3, 2, 2, "word")
    assert found("upos", system=system) == []
    assert [m.gold for m in find_mismatches(comparison, "words")] == [("saw", "it")]


def test_cells_have_counts_shares_and_examples():
    first, second = group_errors(compare(GOLD * 4 + GOLD.replace("VERB", "AUX"), SYSTEM * 5), "upos")
    assert (first.gold, first.system, first.count, first.gold_words, first.share) == (
        ("VERB",), ("NOUN",), 4, 4, 1.0,
    )  # fmt: skip
    assert [str(example.gold_place) for example in first.examples] == [
        f"gold.conllu:{k}" for k in (4, 11, 18)
    ]
    assert (second.gold, second.count) == (("AUX",), 1)


def test_the_share_of_features_is_among_the_words_that_have_them():
    groups = group_errors(compare(GOLD, SYSTEM), "allfeats")
    assert {group.gold: group.gold_words for group in groups} == {("Mood=Ind", "Tense=Past"): 1, ("-",): 0}
    assert [group.share for group in groups if group.gold == ("-",)] == [None]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("A=1|B=2", "B=2|A=1", (("-",), ("-",))),
        ("A=1", "A=2", (("A=1",), ("A=2",))),
        ("A=1|B=1", "B=2|C=1", (("A=1", "B=1"), ("B=2", "C=1"))),
        ("A[x]=1|A=1", "A[x]=2|A=1", (("A[x]=1",), ("A[x]=2",))),
        ("A=1|A=1", "A=1", (("A=1",), ("-",))),
        ("", "_", (("-",), ("-",))),
    ],
)
def test_features_that_differ(gold, system, expected):
    assert differing_features(gold, system) == expected
    assert differing_features(system, gold) == expected[::-1]


def test_every_metric_with_confusions_has_a_layer_that_needs_the_same():
    assert tuple(ASPECTS) == WORD_METRICS
    assert all(ASPECTS[metric].needs == METRICS[metric].needs for metric in WORD_METRICS)


@pytest.mark.parametrize(("lacking", "named"), [("gold", "gold.conllu"), ("system", "system.conllu")])
def test_what_is_missing_is_said_at_once(lacking, named):
    sides = {"gold": GOLD, "system": SYSTEM, lacking: GOLD.replace("\tDET\t", "\t_\t").replace("NOUN", "_")}
    for tag in ("VERB", "PRON", "PUNCT"):
        sides[lacking] = sides[lacking].replace(f"\t{tag}\t", "\t_\t")
    with pytest.raises(CommandError) as caught:
        find_mismatches(compare(**sides), "upos")
    assert caught.value.found == f"errors of upos not available: no word of {named} has UPOS"
    assert caught.value.expected == "UPOS in gold and system"


def test_plain_text_has_no_columns():
    comparison, _ = compare_documents([["a"]], [["a"]], ScoreOptions())
    for metric in WORD_METRICS:
        for look in (find_mismatches, count_kinds, group_errors):
            with pytest.raises(
                CommandError, match=f"errors of {metric} not available: no word of <tokens> has"
            ):
                look(comparison, metric)


@given(treebank_texts())
def test_a_document_is_never_confused_with_itself(text):
    comparison = compare(text, text)
    for metric in available(comparison):
        assert group_errors(comparison, metric) == []


def available(comparison):
    """Metrics whose columns both sides have."""
    from evalign.metrics.census import has_columns

    return [metric for metric, aspect in ASPECTS.items() if has_columns(comparison, aspect.needs)]


def check_confusions(pair, **options):
    comparison = compare(pair.gold, pair.system, **options)
    for name in available(comparison):
        metric = METRICS[name]
        counts = dict(zip(metric.fields, metric.count(comparison).sum(axis=0).tolist(), strict=True))
        errors = list(find_mismatches(comparison, name))
        groups = group_errors(comparison, name)
        assert len(errors) == counts["aligned"] - counts["correct"]
        assert count_label_pairs(comparison, name).pairs == counts["aligned"]
        assert sum(count_kinds(comparison, name).values()) == len(errors)
        plain = group_mismatches(errors)
        shown = [(g.kind, g.gold, g.system, g.count, g.examples) for g in groups]
        assert shown == [(g.kind, g.gold, g.system, g.count, g.examples) for g in plain]
        assert all(g.share is None or 0 < g.share <= 1 for g in groups)
        assert all(g.gold != g.system or g.kind == "head" for g in groups)


@given(treebank_pairs())
def test_confusions_are_the_pairs_that_are_not_correct(pair):
    check_confusions(pair)


@given(broken_pairs())
def test_so_they_are_where_trees_are_broken(pair):
    check_confusions(pair)
    check_confusions(pair, match="place")


FEATS = st.lists(st.sampled_from(["A=1", "A=2", "B=1", "C=1"]), max_size=3, unique=True).map(sorted)


@pytest.mark.issue(15)
@given(
    st.dictionaries(FEATS.map("|".join).map(lambda feats: feats or "_"), st.integers(1, 9)), st.lists(FEATS)
)
def test_words_with_some_features_are_counted_as_one_by_one(totals, wanted):
    cells = [ErrorCell("confused", tuple(features) or ("-",), ("-",)) for features in wanted]
    expected = [
        sum(n for feats, n in totals.items() if features and set(features) <= set(feats.split("|")))
        for features in wanted
    ]
    assert count_gold_words("ufeats", totals, cells) == expected
