"""Trees on the character line: against the oracle, against evalb's counts, and the effect of a preset."""

import re

import pytest
from hypothesis import assume, example, given, strategies as st

import evalign
from evalign.kernels import is_compiled
from evalign.options import DEFAULT_PRESET, PRESETS, Preset
from evalign.text import Text
from oracles import constituency as oracle
from trees import (
    documents,
    leaf,
    lines,
    marks,
    presets,
    resegmented,
    restructured,
    retagged,
    retokenised,
    trees,
    with_failures,
    with_more,
    with_other_characters,
)

METRICS = (
    "sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples", "crossing", "complete-match",
)  # fmt: skip
CONSTITUENTS = ("brackets", "brackets-unlabelled")
SPANS = METRICS[:6]
EVALB = Preset("evalb", frozenset({"-NONE-"}), cut=True, drops_root=False)


def score(gold, system, *, metrics=METRICS, **options):
    return evalign.score(
        Text(gold, "gold"), Text(system, "system"), gold_format="trees", system_format="trees", metrics=metrics, **options
    )  # fmt: skip


def counts(gold, system, **options):
    """Correct, gold and system of the metrics of spans; all counts of the others."""
    scores = score(gold, system, **options).systems[0].scores
    return {
        name: tuple(score.counts[field] for field in ("correct", "gold", "system"))
        if name in SPANS
        else tuple(score.counts.values())
        for name, score in scores.items()
    }


def brackets(gold, system, **options):
    """Correct, gold and system brackets."""
    return counts(gold, system, metrics=["brackets"], **options)["brackets"]


# -- laws


@st.composite
def pairs(draw, **options):
    """Two files over the same characters: other brackets, tags, tokens and sentences, or only some of these."""
    gold = draw(documents(**options))
    system = [draw(restructured(tree)) for tree in gold]
    system = [draw(retagged(tree)) for tree in system] if draw(st.booleans()) else system
    system = [draw(retokenised(tree)) for tree in system] if draw(st.booleans()) else system
    system = draw(resegmented(system)) if draw(st.booleans()) else system
    return lines(gold), lines(system)


@given(pair=pairs(), preset=presets())
@example(pair=("", ""), preset=DEFAULT_PRESET)
@example(pair=("(TOP (NP (N a) (N b)) (N c))\n", "(TOP (N a) (NP (N b) (N c)))\n"), preset=DEFAULT_PRESET)
def test_counts_are_those_of_the_oracle(pair, preset):
    assert counts(*pair, preset=preset) == oracle.count(*pair, preset)


@given(pair=pairs(with_empty=True), preset=presets())
def test_counts_with_empty_elements_are_those_of_the_oracle(pair, preset):
    assert counts(*pair, preset=preset) == oracle.count(*pair, preset)
    names = [name for name in SPANS if name != "crossing"]
    kept, expected = counts(*pair, preset=preset, empty="keep"), oracle.count(*pair, preset, empty="keep")
    assert {name: kept[name] for name in names} == {name: expected[name] for name in names}


@given(document=documents(with_empty=True), preset=presets(), empty=st.sampled_from(["drop", "keep"]))
def test_a_file_against_itself_is_perfect(document, preset, empty):
    text = lines(document)
    result = score(text, text, preset=preset, empty=empty)
    for name in METRICS[:6]:
        assert result[name].f1 in (1.0, None)
        assert result[name].correct == result[name].gold == result[name].system
    assert result["complete-match"].value in (1.0, None)
    assert result["crossing"].counts["crossing"] == 0


@given(document=documents(roots=("ROOT", "TOP", "")), data=st.data())
def test_tokens_and_sentences_do_not_move_constituents(document, data):
    system = [data.draw(retokenised(tree)) for tree in document]
    system = data.draw(resegmented(system, data.draw(st.sampled_from(["ROOT", "S1", ""]))))
    text = lines(document)
    found, alone = counts(text, lines(system)), counts(text, text)
    assert {name: found[name] for name in CONSTITUENTS} == {name: alone[name] for name in CONSTITUENTS}
    assert found["crossing"] == alone["crossing"]


@given(pair=pairs(), preset=presets())
def test_swapping_the_sides_swaps_precision_and_recall(pair, preset):
    there, back = counts(*pair, preset=preset), counts(*pair[::-1], preset=preset)
    for name in SPANS:
        correct, gold, system = there[name]
        assert back[name] == (correct, system, gold)


@given(
    document=documents(with_empty=True),
    data=st.data(),
    preset=presets(),
    empty=st.sampled_from(["drop", "keep"]),
    match=st.sampled_from(["default", "place", "text"]),
)
def test_no_more_is_correct_than_there_is_whatever_the_texts(document, data, preset, empty, match):
    gold = lines(document)
    system = [data.draw(with_other_characters(data.draw(restructured(tree)))) for tree in document]
    system = data.draw(with_failures(data.draw(resegmented(system))))
    options = {"preset": preset, "empty": empty, "match": match}
    found = counts(gold, system, **options)
    for name in SPANS:
        assert found[name][0] <= min(found[name][1:])
    assert found["brackets"][0] <= found["brackets-unlabelled"][0]
    crossing, brackets, sentences, without, few = found["crossing"]
    assert crossing <= brackets
    assert without <= few <= sentences == found["complete-match"][1]
    assert preset.delete or found["complete-match"][0] <= found["sentences"][0]
    # Gold is found again whatever it is compared with.
    assert [found[name][1] for name in SPANS] == [counts(gold, gold, **options)[name][1] for name in SPANS]


@given(document=documents(max_size=5), data=st.data())
def test_a_failed_parse_is_missed_and_moves_nothing_else(document, data):
    # Numbered, so that no sentence is taken for another.
    named = [
        tree._replace(children=(leaf("CD", f"<{k}{chr(0x4E00 + k) * 24}>"), *tree.children))
        for k, tree in enumerate(document)
    ]
    failed = data.draw(st.sets(st.sampled_from(range(len(named)))) if named else st.just(set()))
    kept = [tree for k, tree in enumerate(named) if k not in failed]
    system = "".join("(())\n" if k in failed else f"{tree}\n" for k, tree in enumerate(named))
    found, alone, whole = (
        counts(*pair)
        for pair in ((lines(named), system), (lines(kept), lines(kept)), (lines(named), lines(named)))
    )
    for name in SPANS:
        assert found[name] == (alone[name][0], whole[name][1], alone[name][2])
    assert found["complete-match"] == (len(kept), len(named))


# -- evalb


@st.composite
def evalb_files(draw):
    """Pairs of lines with the same words, mostly; empty elements are each side's own, marks one side's alone."""
    pairs = []
    for gold in draw(st.lists(trees(with_empty=True), min_size=1, max_size=3)):
        system = draw(with_more(draw(retagged(draw(restructured(gold))))))
        pairs.append((str(gold), str(draw(with_more(system, marks)))))
    return pairs if draw(st.booleans()) else [pair[::-1] for pair in pairs]


def keeps_the_same(gold, system, preset):
    """Whether both sides keep the same words, marks aside.

    Where the sides delete different ones of several equal words, evalb does not notice; in places they differ.
    """
    texts = [re.sub(r"\(, ;\)", "", text) for text in (gold, system)]
    return oracle.kept_words(texts[0], preset) == oracle.kept_words(texts[1], preset)


@given(pairs=evalb_files(), preset=presets(like_evalb=True))
@example(
    pairs=[("(TOP (S (ADVP (RB a)) (, ,)))", "(TOP (S (PRT (RB a)) (, ,)))")], preset=PRESETS["evalb-collins"]
)
@example(pairs=[("(S (-NONE- (NN a)))", "(S (NN a))")], preset=EVALB)
@example(pairs=[("(S (NN a) (, ;))", "(S (NN a))")], preset=PRESETS["evalb-collins"])
def test_lines_that_evalb_scores_have_the_counts_of_evalb(pairs, preset):
    valid = []
    for gold, system in pairs:
        found = oracle.evalb(gold, system, preset) if keeps_the_same(gold, system, preset) else None
        valid += [(gold, system, found)] if found else []
    assume(valid)
    gold, system = ("".join(f"{row[k]}\n" for row in valid) for k in (0, 1))
    expected = [row[2] for row in valid]
    matched, n_gold, n_test, crossing, words, tags = map(sum, zip(*expected, strict=True))
    found = counts(gold, system, preset=preset)
    assert found["brackets"] == (matched, n_gold, n_test)
    assert found["tags"] == (tags, words, words)
    assert found["crossing"] == (
        crossing,
        n_test,
        len(valid),
        sum(row.crossing == 0 for row in expected),
        sum(row.crossing <= 2 for row in expected),
    )
    assert found["complete-match"] == (sum(row.is_complete for row in expected), len(valid))


# -- what jp-evalb gets wrong


def test_gold_against_itself_is_perfect_with_np_over_np():
    text = "(S (NP (NP (N a))) (VP (VP (VP (V b)))))\n"
    assert brackets(text, text) == (6, 6, 6)
    assert brackets(text, "(S (NP (N a)) (VP (VP (V b))))\n") == (4, 6, 4)


@pytest.mark.parametrize(
    "system",
    [
        "(S (NP (N a)))\n(S (NP (N similal)))\n",  # the last sentences are similar
        "(S (NP (N a)) (NP (N similar)))\n",  # two against one
        "(S (NP (N a)))\n",  # none against one
        "(S (NP (N a)))\n(S (NP (N something) (N else) (N altogether)))\n",
    ],
)
def test_last_sentences_may_differ(system):
    gold = "(S (NP (N a)))\n(S (NP (N similar)))\n"
    found = counts(gold, system)
    assert found["brackets"][1] == 4
    assert found["brackets"][0] >= 1


@pytest.mark.large
def test_many_similar_sentences_in_a_row():
    # Plain kernels take long to align so many.
    n = 1500 if is_compiled() else 150
    gold = "".join(f"(S (NP (N word{k:04})) (V stands))\n" for k in range(n))
    system = gold.replace("stands", "stand")
    found = counts(gold, system)
    assert found["brackets"] == (2 * n, 2 * n, 2 * n)
    assert found["tags"] == (n, 2 * n, 2 * n)


def test_an_empty_line_in_the_system_file_is_a_missed_sentence():
    gold = "(S (NP (N alpha)))\n(S (NP (N beta)))\n(S (NP (N gamma)))\n(S (NP (N delta)))\n"
    for failed in ("\n", "(())\n"):
        result = score(gold, gold.replace("(S (NP (N beta)))\n", failed))
        assert result["brackets"].counts["correct"] == result["brackets"].system == 6
        assert (result["brackets"].gold, result["sentences"].correct) == (8, 3)
        assert "failed parse" in " ".join(map(str, (*result.warnings, *result.ledger.rules)))


def test_a_part_of_a_word_is_no_match_for_the_word():
    assert brackets("(S (NP (N x)) (N y))\n", "(S (NP (N xy)))\n") == (1, 2, 2)
    assert brackets("(S (NP (N x)) (NP (N y)))\n", "(S (NP (N xy)))\n") == (1, 3, 2)


def test_labels_are_cut_at_the_first_hyphen_or_equals_sign_where_they_are_cut():
    gold, system = "(S (NP=2 (N a)) (NP-SBJ=1 (N b)))\n", "(S (NP (N a)) (NP (N b)))\n"
    assert brackets(gold, system, preset=EVALB) == (3, 3, 3)
    assert brackets(gold, system) == (1, 3, 3)


@pytest.mark.parametrize("root", ["S1", "TOP", "ROOT", "VROOT", ""])
def test_the_root_is_left_out_on_both_sides_or_on_none(root):
    text = f"({root} (S (N a)))\n"
    assert brackets(text, text) == (1, 1, 1)
    assert brackets(text, text, preset=EVALB) == (2, 2, 2)
    # Only where it is outermost, and only by its whole name.
    inner = f"(X ({root or 'S'} (S1-x (N a))))\n"
    assert brackets(inner, inner) == (3, 3, 3)


def test_deleting_a_bracket_keeps_its_words():
    preset = EVALB._replace(delete=frozenset({"NP"}))
    gold, system = "(S (NP (N a) (N b)) (VP (V c)))\n", "(S (N a) (N b) (VP (V c)))\n"
    assert brackets(gold, system, preset=preset) == (2, 2, 2)
    assert counts(gold, system, preset=preset)["tags"] == (3, 3, 3)
    assert brackets("(S (NP (N a) (X (N b))) (V c))\n", system, preset=preset) == (1, 2, 2)


def test_word_order_matters():
    found = counts("(S (NP (D the) (N cat)) (V is))\n", "(S (NP (N cat) (D the)) (V is))\n")
    assert found["tags"][0] < 3
    assert found["tokens"][0] < 3
    found = counts("(S (NP (A a) (B b)))\n", "(S (NP (B b) (A a)))\n", match="text")
    assert found["brackets"][0] == 0


# -- what a preset changes


def test_deleted_words_close_up():
    preset = EVALB._replace(delete=frozenset({"-NONE-", ","}))
    gold = "(S (NP (N a) (, ,)) (VP (V b)))\n"
    system = "(S (NP (N a)) (, ,) (VP (V b)))\n"
    assert brackets(gold, system, preset=preset) == (3, 3, 3)
    assert brackets(gold, system) == (2, 3, 3)
    assert brackets("(S (X (, ,)) (N a))\n", "(S (, ,) (N a))\n", preset=preset) == (1, 1, 1)


def test_equal_labels_make_classes_of_brackets_and_tags():
    gold, system = "(S (ADVP (RB a)) (X (PRT b)))\n", "(S (PRT (RB a)) (X (ADV b)))\n"
    chain = EVALB._replace(equal=(("ADVP", "PRT"), ("ADV", "ADVP")))
    assert brackets(gold, system, preset=chain) == (3, 3, 3)
    assert counts(gold, system, preset=chain)["tags"] == (2, 2, 2)
    assert counts(gold, system)["tags"] == (1, 2, 2)
    # What is equal to a deleted label is deleted with it; tags must be named.
    chain = chain._replace(delete=frozenset({"PRT"}))
    assert brackets(gold, gold, preset=chain) == (1, 1, 1)
    assert counts(system, system, preset=chain)["tags"] == (2, 2, 2)


def test_labels_may_be_ignored():
    gold, system = "(S (NP (N a)) (V b))\n", "(S (VP (N a)) (V b))\n"
    assert brackets(gold, system, preset=EVALB._replace(labelled=False)) == (2, 2, 2)
    assert counts(gold, system)["brackets-unlabelled"] == (2, 2, 2)
    assert counts(gold, system)["brackets"] == (1, 2, 2)


def test_only_whole_tags_are_deleted():
    preset = EVALB._replace(delete=frozenset({"NN"}))
    assert counts("(S (NN a) (NN-X b))\n", "(S (NN a) (NN-X b))\n", preset=preset)["tags"] == (1, 1, 1)


def test_the_presets():
    gold = "(TOP (S (NP-SBJ (N a)) (ADVP (RB b)) (. .)))\n"
    system = "(TOP (S (S (NP (N a)) (PRT (RB b))) (. .)))\n"
    # Without punctuation S over S is one bracket twice.
    assert brackets(gold, system, preset="evalb-collins") == (3, 3, 4)
    assert brackets(gold, system, preset="document-parsing") == (3, 3, 4)
    assert brackets(gold, system) == (1, 3, 4)
    gold = gold.replace("(S (NP", "(S (X (NP").replace("b))", "b)))")
    assert brackets(gold, system, preset="evalb-collins") == (3, 4, 4)
    assert brackets(gold, system.replace("(S (S", "(X (S"), preset="evalb-collins") == (4, 4, 4)
    assert brackets(gold, system.replace("(S (S", "(X (S"), preset="document-parsing") == (2, 4, 4)


def test_crossing_counts_system_brackets_by_gold_sentence():
    gold = "(S (NP (N a) (N b)) (VP (N c) (N d)))\n(S (NP (N e) (N f)) (N g))\n(S (N h))\n"
    system = (
        "(S (N a) (X (N b) (X (X (N c)))) (X (Y (N d))))\n(S (N e) (X (X (X (N f) (N g)))))\n(S (X (N h)))\n"
    )
    assert counts(gold, system)["crossing"] == (4, 12, 3, 1, 2)
    result = score(gold, system)["crossing"]
    assert result.ratios == {"average": 4 / 3, "none": 1 / 3, "two_or_less": 2 / 3}


def test_complete_match_asks_for_the_sentence_and_all_its_brackets():
    gold = "(ROOT (S (N a)))\n(ROOT (S (N b)))\n(ROOT (N c))\n(ROOT (NP (N d)))\n"
    assert counts(gold, gold)["complete-match"] == (4, 4)
    joined = "(ROOT (S (N a)) (S (N b)))\n(ROOT (N c))\n(ROOT (NP (NP (N d))))\n"
    assert counts(gold, joined)["complete-match"] == (1, 4)


# -- texts that differ


def test_brackets_are_matched_by_place_unless_texts_are_asked_for():
    gold = "(S (NP (D the) (N colour)) (VP (V is) (A red)))\n"
    system = "(S (NP (D the) (N color)) (VP (V is) (A red)))\n"
    assert brackets(gold, system) == brackets(gold, system, match="place") == (3, 3, 3)
    # S and NP say something else.
    assert brackets(gold, system, match="text") == (1, 3, 3)
    found = score(gold, system)["brackets"].counts
    assert (found["in_place"], found["same_text"]) == (3, 1)


def test_escapes_are_undone_where_the_texts_differ():
    gold = "(S (NP (-LRB- -LRB-) (N a) (-RRB- -RRB-)) (`` ``) (N and\\/or))\n"
    system = '(S (NP (-LRB- [) (N a) (-RRB- ])) (`` ") (N and/or))\n'.replace("[", "-LRB-").replace(
        "]", "-RRB-"
    )
    found = counts(gold, system, match="text")
    assert found["brackets"] == (2, 2, 2)
    assert found["tokens"] == found["tags"] == (5, 5, 5)


def test_a_bracket_around_text_that_only_one_side_has_is_missed():
    gold = "(S (NP (N alpha)) (PRN (N omitted)) (VP (V beta)))\n"
    system = "(S (NP (N alpha)) (VP (V beta)))\n"
    assert brackets(gold, system) == (3, 4, 3)
    assert brackets(system, gold) == (3, 3, 4)


# -- punctuation and quotes


def test_punctuation_by_gold_tags_keeps_brackets_where_they_are():
    preset = PRESETS["evalb-collins"]
    gold = "(S (NP (N a)) (VP (V b) (. .)))\n"
    system = "(S (NP (N a)) (VP (V b)) (N .))\n"
    assert brackets(gold, system, preset=preset) == (2, 3, 3)
    assert brackets(gold, system, preset=preset, punctuation="gold") == (3, 3, 3)
    assert counts(gold, system, preset=preset, punctuation="gold")["tags"] == (2, 2, 2)
    # A word that gold counts counts, too, where the system calls it punctuation.
    assert brackets(system, gold, preset=preset) == (2, 3, 3)
    assert brackets(system, gold, preset=preset, punctuation="gold") == (2, 3, 3)
    assert counts(system, gold, preset=preset, punctuation="gold")["tags"] == (2, 3, 3)


NEW = Preset(
    "new.prm",
    frozenset({"TOP", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"}),
    equal=(("ADVP", "PRT"),),
    quotes=frozenset({"``", "''", "POS", "NN", "CD", "VBZ", ":"}),
    cut=True,
    drops_root=False,
)


def test_a_quote_that_one_side_alone_deleted_is_put_back():
    gold, system = "(S (NP (N a)) ('' ') (V b))\n", "(S (NP (N a) (POS ')) (V b))\n"
    assert brackets(gold, system, preset=NEW) == (1, 2, 2)
    assert counts(gold, system, preset=NEW)["tags"] == (2, 3, 3)
    without = NEW._replace(quotes=frozenset())
    assert counts(gold, system, preset=without)["tags"] == (2, 2, 3)
    # Both deleted, neither deleted, a tag that is none of the quotes', a word that is no quote.
    assert counts(gold, gold, preset=NEW)["tags"] == (2, 2, 2)
    assert counts(system, system, preset=NEW)["tags"] == (3, 3, 3)
    assert counts(gold, system.replace("POS", "JJ"), preset=NEW)["tags"] == (2, 2, 3)
    gold, system = gold.replace(" ')", " x)"), system.replace(" ')", " x)")
    assert counts(gold, system, preset=NEW)["tags"] == (2, 2, 3)


def test_quote_repair_gives_the_counts_of_evalb(data):
    folder = data / "constituency/evalb-bug"
    gold, system = ((folder / f"bug.{end}").read_text(encoding="utf-8") for end in ("gld", "tst"))
    found = counts(gold, system, preset=NEW)
    assert found["brackets"] == (71, 113, 123)
    assert found["crossing"] == (36, 123, 5, 0, 1)
    assert found["tags"] == (129, 161, 161)
    assert found["complete-match"] == (0, 5)


# -- empty elements


def test_empty_elements_count_where_they_are_kept():
    gold = "(S (NP (-NONE- *)) (VP (V go) (NP (-NONE- *T*))))\n"
    assert counts(gold, gold, empty="keep")["brackets"] == (4, 4, 4)
    assert counts(gold, gold, empty="keep")["tags"] == (3, 3, 3)
    system = "(S (NP (-NONE- *)) (VP (V go)))\n"
    found = counts(gold, system, empty="keep")
    assert found["brackets"] == (3, 4, 3)
    assert found["tokens"] == (2, 3, 2)
    assert found["sentences"] == (1, 1, 1)
    assert counts(gold, system)["brackets"] == (2, 2, 2)


def test_brackets_over_nothing_stand_in_a_place():
    gold = "(S (X (-NONE- *)) (N a) (N b))\n"
    assert brackets(gold, "(S (N a) (X (-NONE- *)) (N b))\n", empty="keep") == (1, 2, 2)
    assert brackets(gold, "(S (X (-NONE- *) (-NONE- *)) (N a) (N b))\n", empty="keep") == (2, 2, 2)


# -- size


def test_a_chain_of_equal_labels_matches_as_often_as_it_is_there():
    chain = "(NP " * 20_000 + "(N a)" + ")" * 20_000 + "\n"
    assert brackets(chain, chain.replace("(NP ", "(VP ", 5_000)) == (15_000, 20_000, 20_000)
    assert counts(chain, chain)["complete-match"] == (1, 1)


def test_a_very_deep_tree_is_scored():
    depth = 100_000 if is_compiled() else 20_000
    gold = "(X (D a) " * depth + "(N b)" + ")" * depth + "\n"
    found = counts(gold, gold.replace("(X", "(Y", depth // 2))
    assert found["brackets"] == (depth - depth // 2, depth, depth)
    assert found["crossing"] == (0, depth, 1, 1, 1)


def test_an_empty_element_is_counted_with_its_own_sentence():
    trees = Text("(S (N a) (X (-NONE- *)))\n(S (N b))\n(S (X (-NONE- *)) (N b))\n")
    result = evalign.score(trees, trees, empty="keep", average="sentence")
    assert result["tokens"].units[:, :3].tolist() == [[2] * 3, [1] * 3, [2] * 3]
    assert result["brackets"].units[:, :3].tolist() == [[2] * 3, [1] * 3, [2] * 3]
