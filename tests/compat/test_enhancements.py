"""The effect of each digit of --enhancements, defects included, found by hand from the UD tools script."""

import pytest

from compat.written import DEFAULT, evaluate, read, sentence
from evalign.compat.treebank import cut_lemmas

# A clause that modifies word 1 (acl 3), with a subject of its complement (xcomp 5) and a coordination.
WORDS = ("a/0/root/{}", "b/1/obj", "c/1/acl:relcl", "d/1/nsubj", "e/1/xcomp", "f/2/conj:and/{}")

# digit, edges of the last word (6), what is left of them; its basic dependency is 2:conj
LAST = [
    ("1", "2:conj>obj", ["2:conj"]),
    ("1", "2:conj>obj|4:a>b", ["2:conj", "2:conj"]),
    ("1", "1:obj|1:obj|4:obj", ["1:obj", "4:obj"]),
    ("1", "2:conj>obj|2:conj", ["2:conj"]),
    ("1", "2:conj|2:conj>obj", ["2:conj", "2:conj"]),
    ("2", "1:obj|2:conj:and|4:nsubj", ["2:conj:and"]),
    ("2", "1:obj|2:conj:and|4:conjx", ["4:conjx"]),
    ("2", "1:obj|2:conj>obj", ["1:obj", "2:conj>obj"]),
    ("3", "1:obj|2:obj", ["1:obj", "2:obj"]),
    ("4", "1:nsubj|5:nsubj|5:nsubj:xsubj|5:obj", ["1:nsubj", "5:obj"]),
    ("4", "5:conj>nsubj:xsubj|5:xsubj>obj", ["5:xsubj>obj"]),
    ("5", "1:obj|2:ref", ["1:obj", "2:conj"]),
    ("5", "2:ref>obj|2:obj>ref", ["2:conj", "2:obj>ref"]),
    ("6", "1:obl:in|1:obl:in:gen|1:obl", ["1:obl", "1:obl:in:gen", "1:obl"]),
    ("6", "1:conj:and>nmod:of|1:nsubj:pass|1:advcl:relcl", ["1:conj>nmod", "1:nsubj:pass", "1:advcl:relcl"]),
    ("12", "2:conj>obj|1:obj", ["2:conj"]),
    ("0", "2:conj>obj|2:ref", ["2:conj>obj", "2:ref"]),
    ("", "2:conj>obj", ["2:conj>obj"]),
    ("9x", "2:conj>obj", ["2:conj>obj"]),
    ("21", "2:conj>obj|1:obj", ["2:conj"]),
]


def left(text, digits):
    """The edges that are left of each word, with its own number for each head; `!` for one that is never right."""
    edges = read(text, DEFAULT._replace(enhancements=digits)).edges
    names = {-1: "0", -3: "!"}
    every = [
        f"{names.get(head, head + 1)}:{edges.paths.labels[path]}"
        for head, path in zip(edges.heads, edges.paths.ids, strict=True)
    ]
    return [every[edges.cuts[word] : edges.cuts[word + 1]] for word in range(len(edges.cuts) - 1)]


@pytest.mark.parametrize(("digits", "deps", "expected"), LAST)
def test_edges_that_are_left(digits, deps, expected):
    text = sentence(*WORDS).replace("{}", "_", 1).replace("{}", deps)
    assert left(text, digits)[-1] == expected


def test_an_external_argument_is_looked_for_one_word_too_late():
    # Word 1 is what the clause 3 modifies: its edge from 3 is the one that is meant, and stays.
    text = sentence("a/0/root/0:root|3:nsubj", "b/1/obj/3:nsubj", "c/1/acl:relcl", "d/3/obj/3:nsubj")
    assert left(text, "5") == [["0:root", "3:nsubj"], [], [], ["3:nsubj"]]


def test_the_root_in_place_of_an_edge_is_never_right():
    text = sentence("a/0/root/0:root|1:conj>x")
    assert left(text, "1") == [["0:root", "!:root"]]
    scores = evaluate(text, text, DEFAULT._replace(enhancements="1"))
    assert scores["ELAS"][:3] == scores["EULAS"][:3] == (2, 2, 1)


def test_edges_are_left_out_on_both_sides():
    gold, system = (
        sentence("a/0/root/0:root|1:nsubj:xsubj", "b/1/xcomp/1:xcomp|2:nsubj"),
        sentence("a/0/root/0:root", "b/1/xcomp/1:xcomp|2:nsubj|2:nsubj"),
    )
    assert evaluate(gold, system)["ELAS"][:3] == (4, 4, 4)
    assert evaluate(gold, system, DEFAULT._replace(enhancements="4"))["ELAS"][:3] == (3, 2, 2)


def test_other_metrics_stay():
    text = sentence("a/0/root/0:root", "b/1/conj:and/1:conj:and|1:conj>x")
    plain, without = evaluate(text, text), evaluate(text, text, DEFAULT._replace(enhancements="123456"))
    assert {name for name in plain if plain[name] != without[name]} == {"ELAS", "EULAS"}


def test_lemmas_are_cut_from_four_relations():
    assert cut_lemmas("nmod:of>obj:x>conj:and:or>advcl:") == "nmod>obj:x>conj:and:or>advcl"
    assert cut_lemmas("") == ""
