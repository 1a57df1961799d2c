"""Every number equals the scripts': by the oracles on small documents, also by the UD tools on large ones.

`tests/oracles` was written from a description of the scripts. `udtools` is the published script, 0.2.9; tests
that need it are skipped if it is missing. Many more pairs were compared with both scripts while this was
written.
"""

import io

import pytest
from bench.perturb import perturb
from hypothesis import given, settings, strategies as st

from compat.written import counts, evaluate, sentence
from evalign.compat.evaluation import print_scores
from evalign.compat.treebank import Script
from evalign.readers.official_errors import OfficialError
from oracles import dependencies, enhanced
from treebanks import Texts, broken_pairs, treebank_pairs

TREEBANKS = ("Chinese-GSD", "English-EWT", "French-GSD", "Korean-GSD")
TABLES = {"": (False, False), "v": (True, False), "c": (False, True)}
OPTIONS = {
    "1": "no_gapping",
    "2": "no_shared_parents_in_coordination",
    "3": "no_shared_dependents_in_coordination",
    "4": "no_control",
    "5": "no_external_arguments_of_relative_clauses",
    "6": "no_case_info",
}


@pytest.fixture(scope="session")
def udtools():
    """The published script."""
    module = pytest.importorskip("udtools.udeval", reason="udtools is not installed: nothing to compare with")
    from importlib.metadata import version

    if version("udtools") != "0.2.9":
        pytest.skip(f"udtools is {version('udtools')}: 0.2.9 is what evalign stands in for")
    return module


def scripts():
    """The UD tools script with any options."""
    digits = st.sets(st.sampled_from("123456")).map(sorted).map("".join)
    return st.builds(
        Script,
        st.just("udtools"),
        enhanced=st.just(True),
        enhancements=digits,
        multiple_roots_okay=st.booleans(),
        no_empty_nodes=st.sampled_from([False, False, False, True]),
    )


# Labels that the digits look for, in place of others that the strategies have.
SPECIAL = {
    "\tobj\t": "\txcomp\t", "\tnmod\t": "\tacl:relcl\t", "\tpunct\t": "\tacl\t",
    ":root": ":ref", ":conj:and": ":obl:in", ":nsubj:pass>conj:or": ":conj:or>nsubj:xsubj",
}  # fmt: skip


@st.composite
def enhanced_pairs(draw, max_size=10):
    """Pairs of treebanks that have what the digits look for."""
    pair = draw(treebank_pairs(max_size))
    texts = [pair.gold, pair.system]
    for label, special in SPECIAL.items():
        texts = [text.replace(label, special) for text in texts]
    return Texts(*texts)


def tables(scores):
    return [print_scores(scores, verbose=verbose, counts=counts) for verbose, counts in TABLES.values()]


def told(gold, system, script):
    """What the command prints, all three tables, or what it says instead."""
    try:
        return tables(evaluate(gold, system, script))
    except OfficialError as error:
        return f"{error.raised}: {error.said}"


def told_by(udtools, gold, system, script):
    """What udtools prints or says; it does not know that exceptions other than UDError are part of it."""
    options = {OPTIONS[digit]: 1 for digit in script.enhancements}
    options |= {"multiple_roots_okay": script.multiple_roots_okay, "no_empty_nodes": script.no_empty_nodes}
    try:
        sides = [
            udtools.load_conllu(io.StringIO(text), f"{name}.conllu", options)
            for name, text in (("gold", gold), ("system", system))
        ]
        scores = udtools.evaluate(*sides)
    except (udtools.UDError, ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"
    return [
        udtools.build_evaluation_table(scores, verbose, counts, enhanced=True) + "\n"
        for verbose, counts in TABLES.values()
    ]


def check_counts(pair):
    gold, system = dependencies.read(pair.gold), dependencies.read(pair.system)
    expected = dependencies.official_counts(gold, system)
    expected["Words"] = (*expected["Words"][:3], None)  # the script has it only where it prints counts
    assert counts(evaluate(pair.gold, pair.system, Script("conll18"))) == expected
    expected |= enhanced.udtools_counts(gold, system)
    assert counts(evaluate(pair.gold, pair.system)) == expected


@pytest.mark.slow
@settings(max_examples=2000)
@given(treebank_pairs(12))
def test_many_counts_are_those_of_the_oracles(pair):
    check_counts(pair)


@settings(max_examples=2 * settings.default.max_examples)
@given(enhanced_pairs() | broken_pairs(), scripts())
def test_tables_and_refusals_are_those_of_udtools(udtools, pair, script):
    assert told(pair.gold, pair.system, script) == told_by(udtools, pair.gold, pair.system, script)


@pytest.mark.slow
@settings(max_examples=4000)
@given(enhanced_pairs(12) | broken_pairs(12), scripts())
def test_many_tables_and_refusals_are_those_of_udtools(udtools, pair, script):
    assert told(pair.gold, pair.system, script) == told_by(udtools, pair.gold, pair.system, script)


# Heads in DEPS that Python reads and no reader of CoNLL-U should: signs, spaces, other digits, words counted back from
# here into the sentence before, or from the end of the list.
ODD_EDGES = [
    "+1:nsubj", " 2:nsubj", "01:nsubj", "0000000000001:nsubj", "１:nsubj", "-0:root",
    "-1:nsubj", "-2:conj>nsubj", "-3:x", "-4:x|-5:x", "-9:x", "4:x",
    "1.:x", ".:x", "a.b:x", "1.2.3:x", "1:", "2::", "0:root|", "", "x", ":x", "1:a|_",
]  # fmt: skip


@pytest.mark.parametrize("deps", ODD_EDGES)
def test_odd_edges_are_read_as_udtools_does(udtools, deps):
    before = sentence("a/0/root/0:root", "b/1/xcomp/1:x", "c/2/acl/2:x|-1:y")
    gold, system = (
        before + sentence(f"d/2/obj/{deps}", f"e/0/root/{other}")
        for other in ("1:nsubj", "2:nsubj|0:root|-2:x")
    )
    for script in (Script("udtools", enhanced=True), Script("udtools", enhanced=True, enhancements="1245")):
        for pair in ((gold, gold), (gold, system), (system, gold)):
            assert told(*pair, script) == told_by(udtools, *pair, script)


@pytest.mark.parametrize("table", ["c", pytest.param("v", marks=pytest.mark.large)])
@pytest.mark.parametrize("treebank", TREEBANKS)
def test_tables_of_real_systems(data, evalign, treebank, table):
    folder = data / "systems/udpipe"
    for command, script in (("conll18", "conll18"), ("udeval", "udtools")):
        done = evalign(
            command, f"-{table}", folder / f"{treebank}.gold.conllu", folder / f"{treebank}.conllu"
        )
        expected = (folder / f"{treebank}.expected.{script}-{table}.txt").read_text()
        assert (done.status, done.out, done.err) == (0, expected, "")


@pytest.mark.slow
@pytest.mark.parametrize("enhancements", ["", "1", "2", "3", "4", "5", "6", "123456"])
@pytest.mark.parametrize("treebank", ["English-EWT", "French-GSD"])
def test_wrong_copies_of_treebanks(data, udtools, treebank, enhancements):
    gold = (data / f"systems/udpipe/{treebank}.gold.conllu").read_text(encoding="utf-8")
    system = perturb(gold, 0.1, seed=len(enhancements))
    script = Script("udtools", enhanced=True, enhancements=enhancements)
    assert told(gold, system, script) == told_by(udtools, gold, system, script)
