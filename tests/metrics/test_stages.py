"""The stage charged with each miss: by hand, against an oracle, and against the metrics it adds up to."""

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.metrics.census import has_column
from evalign.metrics.errors.stages import STAGES, charge_arcs, charge_brackets
from evalign.metrics.registry import METRICS
from evalign.scoring.count import compare_documents
from evalign.scoring.request import resolve
from metrics.sentences import compare as compare_conllu
from oracles import stages as oracle
from oracles.dependencies import compare_leniently, read
from strategies import cuts, texts
from treebanks import broken_pairs, treebank_pairs


def compare(gold, system, **options):
    """Texts of trees, ready to be charged."""
    sides = [evalign.Text(text, name) for text, name in ((gold, "gold.mrg"), (system, "system.mrg"))]
    return compare_documents(*sides, resolve(gold_format="trees", system_format="trees", **options))[0]


def charge(gold, system, **options):
    return charge_brackets(compare(gold, system, **options))


def adds_up(charges):
    counts = charges.counts
    return (
        counts.correct + sum(charges.missed) == counts.gold
        and counts.correct + sum(charges.spurious) == counts.system
    )


GOLD = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ runs))))\n(TOP (S (VP (VB go))))\n"
VECTORS = [
    # why, system, missed, spurious
    ("the same", GOLD, (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    ("another label", GOLD.replace("(VP (VBZ", "(XP (VBZ"), (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("another label over another tag", GOLD.replace("(VP (VBZ", "(XP (NNS"), (0, 0, 0, 1, 0), (0, 0, 0, 1, 0)),
    ("another tag alone", GOLD.replace("VBZ", "NNS"), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    ("another tag elsewhere", GOLD.replace("(VP (VBZ", "(XP (VBZ").replace("NN dog", "VB dog"),
     (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("another token", GOLD.replace("(NP (DT the) (NN dog))", "(XP (NN thedog))"), (0, 0, 1, 0, 0), (0, 0, 1, 0, 0)),
    ("another token elsewhere", GOLD.replace("(DT the) (NN dog)", "(NN thedog)").replace("(VP (VBZ", "(XP (VBZ"),
     (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("one sentence", "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ runs) (S (VP (VB go))))))\n",
     (0, 2, 0, 0, 0), (0, 2, 0, 0, 0)),
    ("a failed parse", GOLD.splitlines()[0] + "\n(())\n", (2, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("system", "missed", "spurious"), [row[1:] for row in VECTORS], ids=[row[0] for row in VECTORS]
)
def test_brackets_by_hand(system, missed, spurious):
    charges = charge(GOLD, system)
    assert (charges.missed, charges.spurious) == (missed, spurious)
    back = charge(system, GOLD)
    # What the system has of a sentence that gold has nothing of is no failed parse.
    assert back.missed == spurious
    assert back.spurious == (0, missed[0] + missed[1], *missed[2:])
    assert adds_up(charges)


def test_failed_parses_are_told():
    charges = charge(GOLD, GOLD.splitlines()[0] + "\n\n")
    assert (charges.unanalysed_sentences, charges.unanalysed) == (1, 2)
    assert charge(GOLD, GOLD).unanalysed_sentences == 0


PUNCTUATED = "(TOP (S (NP (NN dogs)) (, ,) (VP (VB run) (. .))))\n"


@pytest.mark.parametrize(
    ("system", "missed", "spurious"),
    [
        # A tag that is left out on both sides is no error, nor is its token.
        ("(TOP (S (XP (NN dogs)) (. ,) (VP (VB run) (. .))))\n", (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
        ("(TOP (S (NP (NN dogs)) (, ,) (XP (VB run) (, .))))\n", (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
        # One that is left out on one side alone moves the end of the bracket.
        ("(TOP (S (NP (NN dogs)) (, ,) (VP (VB run) (NN .))))\n", (0, 0, 0, 2, 0), (0, 0, 0, 2, 0)),
    ],
)
def test_words_that_do_not_count(system, missed, spurious):
    charges = charge(PUNCTUATED, system, preset="evalb-collins")
    assert (charges.missed, charges.spurious) == (missed, spurious)


def test_words_in_a_gap_are_not_in_the_bracket():
    gold = "(S (VP (VB 0=is) (JJ 2=rich)) (NN 1=who))\n"
    sides = [evalign.Text(text, "a.dbr") for text in (gold, gold.replace("VP", "XP").replace("NN", "WP"))]
    comparison = compare_documents(*sides, resolve(gold_format="discbracket", system_format="discbracket"))[0]
    charges = charge_brackets(comparison)
    assert (charges.missed, charges.spurious) == ((0, 0, 0, 0, 1), (0, 0, 0, 0, 1))


def test_by_text_a_bracket_over_other_words_is_lost_to_tokens():
    gold, system = "(TOP (NP (NN colour)))\n", "(TOP (NP (NN color)))\n"
    assert charge(gold, system).counts.correct == 1
    charges = charge(gold, system, match="text")
    assert (charges.missed, charges.spurious) == ((0, 0, 1, 0, 0), (0, 0, 1, 0, 0))


TREE = "1\tdogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\trun\t_\tVERB\tVB\t_\t0\troot\t_\t_\n3\tfast\t_\tADV\tRB\t_\t2\tadvmod\t_\t_\n\n"
ARCS = [
    # why, system, missed, spurious
    ("the same", TREE, (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    ("another relation", TREE.replace("nsubj", "obj"), (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("another head", TREE.replace("2\tadvmod", "1\tadvmod"), (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("a missing head", TREE.replace("2\tadvmod", "_\tadvmod"), (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("another tag", TREE.replace("nsubj", "obj").replace("NNS", "NN"), (0, 0, 0, 1, 0), (0, 0, 0, 1, 0)),
    ("another tag of the head", TREE.replace("nsubj", "obj").replace("VB\t", "NN\t"),
     (0, 0, 0, 1, 0), (0, 0, 0, 1, 0)),
    ("another universal tag", TREE.replace("nsubj", "obj").replace("VERB", "NOUN"), (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ("two words in one", "1\tdogsrun\t_\tX\tX\t_\t0\troot\t_\t_\n2\tfast\t_\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n",
     (0, 0, 3, 0, 0), (0, 0, 2, 0, 0)),
    ("two sentences", ("1\tdogs\t_\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n1\trun\t_\tVERB\tVB\t_\t0\troot\t_\t_\n"
     "2\tfast\t_\tADV\tRB\t_\t1\tadvmod\t_\t_\n\n"), (0, 1, 0, 0, 0), (0, 1, 0, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("system", "missed", "spurious"), [r[1:] for r in ARCS], ids=[r[0] for r in ARCS])
def test_arcs_by_hand(system, missed, spurious):
    charges = charge_arcs(compare_conllu(TREE, system))
    assert (charges.missed, charges.spurious, charges.tags) == (missed, spurious, "xpos")
    assert adds_up(charges)


def test_universal_tags_are_compared_where_there_are_no_others():
    bare = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_" + "\n\n"
    system = bare.replace("VERB", "NOUN").replace("root", "dep")
    charges = charge_arcs(compare_conllu(bare, system))
    assert (charges.missed, charges.tags) == ((0, 0, 0, 1, 0), "upos")
    charges = charge_arcs(compare_conllu(bare.replace("VERB", "_"), system))
    assert (charges.missed, charges.tags) == ((0, 0, 0, 0, 1), "")


@st.composite
def forests(draw, text):
    """Trees over these characters, on any segmentation: every stretch of tokens may get brackets."""
    document = draw(cuts(text))
    return [("TOP", draw(nodes(tokens))) for tokens in document]


@st.composite
def nodes(draw, tokens, depth=0):
    """A list of trees over some tokens, brackets around stretches of them, now and then two of a kind."""
    found = []
    rest = list(tokens)
    while rest:
        size = draw(st.integers(1, len(rest)))
        part, rest = rest[:size], rest[size:]
        if depth > 3 or not draw(st.integers(0, 2)):
            found += [(draw(st.sampled_from(["NN", "NN", "NN", "VB"])), token) for token in part]
        else:
            label = draw(st.sampled_from(["NP", "NP", "VP"]))
            found.append((label, draw(nodes(part, depth + 1))))
    return found


@st.composite
def forest_pairs(draw):
    text = draw(texts(12))
    gold = draw(forests(text))
    if draw(st.booleans()):
        return gold, draw(forests(text))
    # The same sentences and tokens under other trees.
    return gold, [("TOP", draw(nodes(list(words(tree))))) for tree in gold]


def words(tree):
    _label, content = tree
    if isinstance(content, str):
        yield content
    else:
        for child in content:
            yield from words(child)


def written(tree):
    label, content = tree
    inside = content if isinstance(content, str) else " ".join(map(written, content))
    return f"({label} {inside})"


def in_file(forest):
    return "".join(written(tree) + "\n" for tree in forest)


@given(forest_pairs())
def test_brackets_are_charged_as_the_oracle_charges_them(pair):
    gold, system = pair
    comparison = compare(in_file(gold), in_file(system))
    charges = charge_brackets(comparison)
    missed, spurious = oracle.charge_brackets(gold, system)
    assert dict(zip(STAGES, charges.missed, strict=True)) == {stage: missed[stage] for stage in STAGES}
    assert dict(zip(STAGES, charges.spurious, strict=True)) == {stage: spurious[stage] for stage in STAGES}
    assert charges.counts.correct == int(METRICS["brackets"].count(comparison).sum(axis=0)[0])
    assert charges.unanalysed_sentences == oracle.unanalysed(gold, system)
    assert adds_up(charges)


@pytest.mark.parametrize("pairs", [treebank_pairs, broken_pairs])
def test_arcs_are_charged_as_the_oracle_charges_them(pairs):
    @given(pairs())
    def check(pair):
        comparison = compare_conllu(pair.gold, pair.system)
        charges = charge_arcs(comparison)
        sides = comparison.gold, comparison.system
        column = next((name for name in ("xpos", "upos") if all(has_column(s, name) for s in sides)), "")
        missed, spurious = oracle.charge_arcs(compare_leniently(read(pair.gold), read(pair.system)), column)
        assert charges.tags == column
        assert dict(zip(STAGES, charges.missed, strict=True)) == {stage: missed[stage] for stage in STAGES}
        assert dict(zip(STAGES, charges.spurious, strict=True)) == {
            stage: spurious[stage] for stage in STAGES
        }
        assert charges.counts.correct == int(METRICS["las"].count(comparison).sum(axis=0)[0])
        assert adds_up(charges)

    check()


@pytest.mark.large
@pytest.mark.parametrize("preset", [None, "evalb-collins", "document-parsing"])
@pytest.mark.parametrize("system", ["sys_perturbed", "sys_retokenised", "sys_resegmented"])
def test_real_trees(data, system, preset):
    gum = data / "constituency" / "gum"
    comparison, _ = compare_documents(gum / "gold.mrg", gum / f"{system}.mrg", resolve(preset=preset))
    charges = charge_brackets(comparison)
    assert adds_up(charges)
    assert charges.counts.correct == int(METRICS["brackets"].count(comparison).sum(axis=0)[0])
    if (
        preset != "evalb-collins" and system != "sys_perturbed"
    ):  # constituents untouched; the root counts for evalb
        assert charges.counts.correct == charges.counts.gold == charges.counts.system == 5984
    if system == "sys_perturbed":  # the same tokens; five sentences were not parsed
        assert (charges.missed[1], charges.spurious[:2], charges.unanalysed_sentences) == (0, (0, 0), 5)
        assert charges.missed[0] == charges.unanalysed > 0


@pytest.mark.large
def test_real_dependencies(data):
    """LAS of this output in the official table is 68.43 F1."""
    folder = data / "systems" / "udpipe"
    comparison, _ = compare_documents(
        folder / "English-EWT.gold.conllu", folder / "English-EWT.conllu", resolve()
    )
    charges = charge_arcs(comparison)
    assert adds_up(charges)
    assert round(100 * charges.counts.f1, 2) == 68.43
    assert (charges.missed, charges.spurious) == ((0, 1811, 411, 2471, 3247), (0, 1791, 408, 2379, 3310))
