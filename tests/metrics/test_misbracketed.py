"""Wrong brackets and tags, by label and one by one: as many as in the scores, in the order of the text."""

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.options import PRESETS, Preset
from trees import documents, lines, restructured, retagged, retokenised, with_failures, with_other_characters

SOME = [Preset(), PRESETS["evalb-collins"], PRESETS["document-parsing"], Preset(labelled=False)]


@st.composite
def pairs_of_documents(draw):
    """Trees, and what a parser made of them: other structure, tags, tokens and characters, and failures."""
    gold = draw(documents(with_empty=True))
    change = st.sampled_from([restructured, retagged, retokenised, with_other_characters])
    system = [draw(draw(change)(tree)) for tree in gold]
    return lines(gold), draw(with_failures(system))


def score(gold, system, **options):
    return evalign.score(evalign.Text(gold), evalign.Text(system), **options)


def sums(rows):
    return tuple(sum(getattr(row, name) for row in rows.values()) for name in ("correct", "gold", "system"))


def totals(score):
    return score.correct, score.gold, score.system


DOG = "(S (NP (DT The) (NN dog)) (VP (VBZ barks)))\n(S (NP (PRP It)) (VP (VBZ sleeps)))\n"


@pytest.mark.parametrize(
    ("system", "kinds"),
    [
        (DOG, {}),
        (DOG.replace("(VP (VBZ barks))", "(X (VBZ barks))"), {"label": 1}),
        (DOG.replace("(NP (PRP It))", "(PRP It)"), {"missing": 1}),
        (DOG.replace("(PRP It)", "(Q (PRP It))"), {"inserted": 1}),
        (
            "(S (DT The) (X (NN dog) (VBZ barks)))\n(S (NP (PRP It)) (VP (VBZ sleeps)))\n",
            {"missing": 2, "crossing": 1},
        ),
    ],
)
def test_kinds(system, kinds):
    assert score(DOG, system).systems[0].evidence.kinds("brackets") == kinds


def test_errors_come_in_the_order_of_the_text_also_where_a_parse_failed():
    system = "(S (NP (DT The) (NN dog)) (X (VBZ barks)))\n(())\n"
    found = score(DOG, system).errors("brackets")
    assert [(error.kind, error.word) for error in found] == [
        ("label", "barks"),
        ("missing", "It sleeps"),
        ("missing", "It"),
        ("missing", "sleeps"),
    ]


def test_a_sentence_that_only_the_system_has_comes_before_what_gold_goes_on_with():
    one, other = "(ROOT (S (NP (D one) (N thing)) (V is)))", "(ROOT (S (NP (D another) (N matter)) (V was)))"
    system = f"{one}\n(ROOT (FRAG (X quux)))\n{other.replace('NP', 'VP')}\n"
    found = score(f"{one}\n{other}\n", system).errors("brackets")
    assert [(error.kind, error.gold, error.system) for error in found] == [
        ("inserted", (), ("FRAG",)),
        ("label", ("NP",), ("VP",)),
    ]


def test_where_texts_are_to_be_the_same_a_bracket_of_another_text_is_rewritten():
    result = score(
        "(S (NP (NNP Émile)) (VP (VBZ runs)))\n", "(S (NP (NNP Emile)) (VP (VBZ runs)))\n", match="text"
    )
    assert totals(result["brackets"]) == (1, 3, 3) == sums(result.breakdown("label"))
    assert [(error.kind, error.gold) for error in result.errors("brackets")] == [
        ("rewritten", ("S",)),
        ("rewritten", ("NP",)),
    ]


def test_an_empty_element_at_the_end_of_a_sentence_is_none_at_the_beginning_of_the_next():
    gold, system = "(S (NN a) (NP (-NONE- *)))\n(S (NN b))\n", "(S (NN a))\n(S (NP (-NONE- *)) (NN b))\n"
    for text in (gold, system):
        itself = score(text, text, empty="keep")
        assert totals(itself["tokens"]) == (3, 3, 3)
        assert not any(itself.errors(metric) for metric in ("sentences", "tokens", "brackets"))
    result = score(gold, system, empty="keep")
    assert totals(result["tokens"]) == totals(result["brackets"]) == (2, 3, 3)
    assert result["complete-match"]["correct"] == 0
    assert [error.kind for error in result.errors("tokens")] == ["missing", "inserted"]
    assert [error.word for error in result.errors("brackets")] == ["(empty)", "(empty)"]


def test_tags_that_only_one_side_counts_are_errors():
    gold = "(TOP (S (NP (NN a)) (, ,) (VP (VB b)) (. .)))\n"
    system = "(TOP (S (NP (NN a) (NN ,)) (VP (VB b) (. .))))\n"
    result = score(gold, system, preset="evalb-collins")
    assert totals(result["tags"]) == (2, 2, 3)
    assert [(error.gold, error.system) for error in result.errors("tags")] == [((",",), ("NN",))]


@given(
    pairs_of_documents(),
    st.sampled_from(SOME),
    st.sampled_from(["drop", "keep"]),
    st.sampled_from(["default", "text"]),
)
def test_labels_and_errors_add_up_to_the_scores(pair, preset, empty, match):
    result = score(*pair, preset=preset, empty=empty, match=match, gold_format="trees", system_format="trees")
    brackets = result["brackets"]
    assert sums(result.breakdown("label")) == totals(brackets)
    kinds = result.systems[0].evidence.kinds("brackets")
    wrong = sum(kinds.values())
    both = kinds.get("label", 0) + kinds.get("rewritten", 0)
    assert wrong + both == brackets.gold + brackets.system - 2 * brackets.correct
    if match == "default":
        assert sums(result.breakdown("xpos")) == totals(result["tags"])
