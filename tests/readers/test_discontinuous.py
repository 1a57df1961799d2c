"""Discontinuous trees: brackets with numbered leaves, and export format."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.errors import InputError
from evalign.options import ScoreOptions
from evalign.readers.content import load
from evalign.readers.formats import find_format, read_source
from evalign.readers.trees import find_numbering
from evalign.text import Text
from torn import behind, export, number_leaves, numbered, torn_documents
from trees import documents, lines

RICH = "(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))\n"


def read(text, format="auto", **options):
    return read_source(Text(text), format, ScoreOptions(**options))


def brackets(document):
    """Label and runs of each bracket."""
    trees = document.trees
    spans = zip(trees.firsts.tolist(), trees.lasts.tolist(), trees.labels.ids.tolist(), strict=True)
    return [
        (trees.labels.labels[number], trees.runs.get(row, ((first, last),)))
        for row, (first, last, number) in enumerate(spans)
    ]


def tags(document):
    return [document.columns.xpos.labels[number] for number in document.columns.xpos.ids.tolist()]


def remarks(document):
    return {
        remark.kind: (remark.times, [place.lineno for place in remark.places])
        for remark in document.remarks
        if remark.kind != "no-final-newline"
    }


def as_sets(document):
    """Brackets as sets of tokens, with whether they are outermost, sorted."""
    return sorted(
        (label, sorted(token for a, b in runs for token in range(a, b)), bool(outermost))
        for (label, runs), outermost in zip(brackets(document), document.trees.outermost, strict=True)
    )


def expected_sets(trees, root=None):
    first, found = 0, []
    for tree in trees:
        found += [
            (root if is_root and root is not None else label, sorted(tokens), is_root)
            for label, tokens, is_root in tree.sets(first)
        ]
        first += len(tree.words)
    return sorted(found)


# -- brackets with numbered leaves


def test_words_are_in_the_order_of_their_numbers():
    document = read(RICH + "(())\n(S (A 1=b) (B 0=a))\n")
    assert list(document) == [["is", "John", "rich", "?"], ["a", "b"]]
    assert tags(document) == ["VB", "NP", "JJ", "?", "B", "A"]
    assert brackets(document) == [("S", ((0, 4),)), ("VP", ((0, 1), (2, 3))), ("S", ((4, 6),))]
    assert document.trees.outermost.tolist() == [True, False, True]
    assert (document.format, document.linenos.tolist()) == ("discbracket", [1, 1, 1, 1, 3, 3])
    assert remarks(document) == {"failed-parse": (1, [2])}


def test_brackets_are_in_the_order_in_which_they_open_in_the_text():
    document = read("(S (B (Y 2=c) (X 3=d)) (A (Z 4=e) (W 0=a)) (V 1=b))\n")
    assert brackets(document) == [("S", ((0, 5),)), ("A", ((0, 1), (4, 5))), ("B", ((2, 4),))]
    nested = read("(S (A (B (C (X 2=c) (Y 0=a)))) (Z 1=b))\n")
    assert [label for label, _ in brackets(nested)] == ["S", "A", "B", "C"]


def test_the_words_may_stand_behind_the_tree():
    text = "(S (VP (VB 0) (JJ 2)) (NP 1) (? 3))\tis (John) rich ?\n(S (A 0))\ta\n"
    document = read(text)
    assert list(document) == [["is", "(John)", "rich", "?"], ["a"]]
    assert brackets(document)[:2] == [("S", ((0, 4),)), ("VP", ((0, 1), (2, 3)))]
    assert remarks(document) == {}


@pytest.mark.parametrize(
    "line", ["(S (A 0) (B 1))\ta b c", "(S (A 0) (B 1))\ta", "(S (A 0) (B 2))\ta b", "(S (A 0) (B 0))\ta b"]
)
def test_words_behind_a_tree_that_are_not_its_leaves_break_it(line):
    document = read(f"(S (A 0))\ta\n{line}\n(S (A 0))\tb\n")
    assert list(document) == [["a"], ["b"]]
    assert remarks(document)["broken-tree"] == (1, [2])


def test_round_brackets_are_escaped_in_words_and_labels():
    document = read("(S ($#LRB# 1=#LRB#) (A 0=a#RRB#b) (N 2=-LRB-) (#RRB#X (N 3=c)))\n")
    assert document.tokens() == ["a)b", "(", "-LRB-", "c"]
    assert document.cuts.tolist() == [0, 3, 4, 9, 10]
    assert (tags(document)[1], brackets(document)[1][0]) == ("$(", ")X")


def test_empty_elements_are_dropped_and_gaps_of_them_close():
    text = "(S (VP (V 0=go) (P 2=on)) (-NONE- 1=*) (NP (-NONE- 4=*) (-NONE- 5=0)) (X (-NONE- 3=*) (. 6=.)))\n"
    document = read(text)
    assert document.tokens() == ["go", "on", "."]
    assert brackets(document) == [("S", ((0, 3),)), ("VP", ((0, 2),)), ("X", ((2, 3),))]
    kept = read(text, empty="keep")
    assert kept.tokens() == ["go", "", "on", "", "", "", "."]
    assert ("VP", ((0, 1), (2, 3))) in brackets(kept)
    assert ("X", ((3, 4), (6, 7))) in brackets(kept)


def test_a_discontinuous_bracket_that_loses_its_ends_begins_with_what_is_left():
    document = read("(S (X (-NONE- 0=*) (N 2=c) (N 4=e) (-NONE- 6=*)) (N 1=b) (N 3=d) (N 5=f))\n")
    assert document.tokens() == ["b", "c", "d", "e", "f"]
    assert brackets(document)[1] == ("X", ((1, 2), (3, 4)))
    gone = read("(S (X (-NONE- 0=*) (-NONE- 2=*)) (N 1=b))\n")
    assert brackets(gone) == [("S", ((0, 1),))]


BROKEN = [
    ("twice", "(S (A 0=a) (B 0=b))"),
    ("one missing", "(S (A 0=a) (B 2=b))"),
    ("from one", "(S (A 1=a) (B 2=b))"),
    ("no number", "(S (A 0=a) (B b))"),
    ("no word", "(S (A 0=a) (B 1=))"),
    ("not a number", "(S (A 0=a) (B 1x=b))"),
    ("a large number", "(S (A 0=a) (B 99999999999999999999=b))"),
    ("nothing before the sign", "(S (A 0=a) (B =b))"),
]


@pytest.mark.parametrize("text", [x[1] for x in BROKEN], ids=[x[0] for x in BROKEN])
def test_a_tree_whose_numbers_are_no_order_is_left_out(text):
    document = read(f"{RICH}\n{text}\n(S (A 0=c))\n", "discbracket")
    assert list(document) == [["is", "John", "rich", "?"], ["c"]]
    assert remarks(document)["broken-tree"] == (1, [3])
    assert len(document.trees) == 3
    with pytest.raises(InputError, match=r"<text>:3: leaves that do not have each number"):
        read(f"{RICH}\n{text}\n", "discbracket", strict=True)
    with pytest.raises(InputError, match=r"<text>:2: leaves that do not have each number"):
        read(f"(())\n{text}\n", "discbracket")


def test_what_breaks_other_trees_breaks_these():
    document = read(f"{RICH}(S (A 0=a)\n(S (A 0=b))\n(S (A 0=c) (B 1=d e))\n")
    assert list(document) == [["is", "John", "rich", "?"], ["b"]]
    assert sum(remark.times for remark in document.remarks if remark.kind == "broken-tree") == 2


def test_they_are_recognised_by_their_leaves():
    assert find_format(load(Text(RICH))) == find_format(load(Text(f"(())\n{RICH}"))) == "discbracket"
    assert find_format(load(Text("(S (A 0) (B 1))\ta b\n"))) == "discbracket"
    assert find_format(load(Text("(S (CD 0) (CD 1))\n(S (X 1=2))\n"))) == "trees"
    assert find_format(load(Text("(S (X 1=2) (N a))\n"))) == "trees"
    assert [find_numbering(text) for text in (b"", b"(S (A 0=", b"()()", b") (A 0=a)")] == [
        None,
        None,
        None,
        "leaves",
    ]


def test_they_are_not_read_as_other_trees():
    for text in (RICH, "(S (A 0) (B 1))\ta b\n"):
        with pytest.raises(InputError, match="discontinuous trees"):
            read(text, "trees")


@given(torn_documents())
def test_numbered_leaves_are_read_as_they_were_written(trees):
    for text in (numbered(trees), behind(trees)):
        document = read(text, "discbracket")
        assert list(document) == [[word for word, _ in tree.words] for tree in trees]
        assert tags(document) == [tag for tree in trees for _, tag in tree.words]
        assert as_sets(document) == expected_sets(trees)
        firsts, lasts = document.trees.firsts.tolist(), document.trees.lasts.tolist()
        keys = [(a, -b) for a, b in zip(firsts, lasts, strict=True)]
        assert keys == sorted(keys)
        for row, runs in document.trees.runs.items():
            assert (runs[0][0], runs[-1][1]) == (firsts[row], lasts[row])
            assert all(a < b for a, b in runs)
            assert all(runs[k][1] < runs[k + 1][0] for k in range(len(runs) - 1))
        assert document.trees.firsts.dtype == document.trees.lasts.dtype == document.cuts.dtype == np.int32


@given(documents(with_empty=True), st.sampled_from(["drop", "keep"]))
def test_continuous_trees_with_numbers_are_those_without(trees, empty):
    one, other = (
        read(lines(trees), "trees", empty=empty),
        read(number_leaves(trees), "discbracket", empty=empty),
    )
    assert list(one) == list(other)
    assert (tags(one), brackets(one)) == (tags(other), brackets(other))
    assert one.trees.outermost.tolist() == other.trees.outermost.tolist()
    assert not other.trees.runs


def test_a_very_deep_discontinuous_tree_is_read():
    depth = 5_000
    text = "(X " * depth + "(N 0=a) (N 2=c)" + ")" * (depth - 1) + " (N 1=b))\n"
    document = read(text, "discbracket")
    assert (document.tokens(), len(document.trees.runs)) == (["a", "b", "c"], depth - 1)


# -- a run alone


def test_brackets_are_split_into_their_runs():
    trees = read(RICH + "(S (A 1=b) (B 0=a))\n").trees
    split = trees.split()
    labels = [split.labels.labels[number] for number in split.labels.ids.tolist()]
    assert [*zip(split.firsts.tolist(), split.lasts.tolist(), labels, strict=True)] == [
        (0, 4, "S"), (0, 1, "VP*"), (2, 3, "VP*"), (4, 6, "S"),
    ]  # fmt: skip
    assert (split.outermost.tolist(), split.runs) == ([True, False, False, True], {})
    whole = read("(S (A 0=a))\n").trees
    assert whole.split() is whole


# -- export format

EXPORT = """%% made by hand
#FORMAT 4
#BOT ORIGIN
0\t--\tnothing
#EOT ORIGIN
#BOT WORDTAG
-1\tUNKNOWN\tN\tnot bound
#EOT WORDTAG
#BOS 1 3 899973978 0 %% a comment
Darüber\tdarüber\tPROAV\t--\tMO\t500\tOA\t501
muß\tmüssen\tVMFIN\t3.Sg\tHD\t501\t%% really
nachgedacht\t--\tVVPP\t--\tHD\t500
werden\twerden\tVAINF\t--\tHD\t502
.\t--\t$.\t--\t--\t0
#500\t--\tVP\t--\tOC\t502
#501\t--\tS\t--\t--\t0
#502\t--\tVP\t--\tOC\t501
#EOS 1
%% between sentences

#BOS 2 3 0 0
#2016\t--\tXY\t--\t--\t0
#EOS 2
"""


def test_export_format_is_read():
    document = read(EXPORT)
    assert list(document) == [["Darüber", "muß", "nachgedacht", "werden", "."], ["#2016"]]
    assert tags(document) == ["PROAV", "VMFIN", "VVPP", "VAINF", "$.", "XY"]
    assert brackets(document) == [
        ("VROOT", ((0, 5),)), ("S", ((0, 4),)), ("VP", ((0, 1), (2, 4))), ("VP", ((0, 1), (2, 3))), ("VROOT", ((5, 6),)),
    ]  # fmt: skip
    assert document.trees.outermost.tolist() == [True, False, False, False, True]
    assert (document.format, document.linenos.tolist()) == ("export", [10, 11, 12, 13, 14, 22])
    assert remarks(document) == {}
    assert document.place_of(5).lineno == 22


@given(torn_documents(), st.sampled_from([3, 4]), st.booleans())
def test_export_format_is_read_as_it_was_written(trees, version, header):
    document = read(export(trees, version, header), "export")
    assert list(document) == [[word for word, _ in tree.words] for tree in trees]
    assert tags(document) == [tag for tree in trees for _, tag in tree.words]
    assert as_sets(document) == expected_sets(trees, root="VROOT")
    other = read(numbered([tree._replace(root=("VROOT", tree.root[1])) for tree in trees]), "discbracket")
    assert (other.line, other.cuts.tolist()) == (document.line, document.cuts.tolist())
    assert as_sets(other) == as_sets(document)


def test_columns_may_be_separated_by_any_white_space_and_no_format_be_told():
    text = "#BOS 0\nis  VB  --  --  500\nJohn    NP  --  --  0\nrich    JJ  --  --  500\n?   ?   --  --  0\n#500    VP  --  --  0\n#EOS 0\n"
    document = read(text)
    assert brackets(document) == [("VROOT", ((0, 4),)), ("VP", ((0, 1), (2, 3)))]


def test_constituents_may_have_more_than_three_digits():
    text = "#BOS 1\na N -- -- 1000\n#1000 NP -- -- 0\n#1001 N -- -- 0\n#EOS 1\n"
    document = read(text)
    assert (document.tokens(), [label for label, _ in brackets(document)]) == (
        ["a", "#1001"],
        ["VROOT", "NP"],
    )


def test_empty_elements_of_export_format():
    text = "#BOS 1\na N -- -- 500\n* -NONE- -- -- 0\nb N -- -- 500\n#500 NP -- -- 0\n#EOS 1\n#BOS 2\n* -NONE- -- -- 0\n#EOS 2\n"
    document = read(text)
    assert (list(document), brackets(document)) == ([["a", "b"]], [("VROOT", ((0, 2),)), ("NP", ((0, 2),))])
    assert remarks(document) == {"failed-parse": (1, [7])}
    kept = read(text, empty="keep")
    assert (list(kept), kept.cuts.tolist()) == ([["a", "", "b"], [""]], [0, 1, 1, 2, 2])
    assert brackets(kept)[1] == ("NP", ((0, 1), (2, 3)))


GOOD = "#BOS 1\na N -- -- 0\n#EOS 1\n"
FAULTS = [
    ("a parent that does not exist", "#BOS 2\nb N -- -- 501\n#EOS 2\n", 5),
    ("a parent that does not exist", "#BOS 2\nb N -- -- 500\n#500 NP -- -- 502\n#EOS 2\n", 6),
    ("a parent that does not exist", "#BOS 2\nb N -- -- 1\n#EOS 2\n", 5),
    (
        "a constituent within itself",
        "#BOS 2\nb N -- -- 500\n#500 NP -- -- 501\n#501 NP -- -- 500\n#EOS 2\n",
        6,
    ),
    ("a constituent within itself", "#BOS 2\nb N -- -- 0\n#500 NP -- -- 500\n#EOS 2\n", 6),
    (
        "two constituents of one number",
        "#BOS 2\nb N -- -- 500\n#500 NP -- -- 0\n#500 VP -- -- 0\n#EOS 2\n",
        7,
    ),
    ("a line with other columns", "#BOS 2\nb N -- 0\n#EOS 2\n", 5),
    ("a line with other columns", "#BOS 2\nb b N -- -- 0\n#EOS 2\n", 5),
    ("a line with other columns", "#BOS 2\nb N -- -- 0 OA\n#EOS 2\n", 5),
    ("a line with other columns", "#BOS 2\nb N -- -- -1\n#EOS 2\n", 5),
    ("a sentence without its end", "#BOS 2\nb N -- -- 0\n", 4),
    ("the end of another sentence", "#BOS 2\nb N -- -- 0\n#EOS 3\n", 6),
]


@pytest.mark.parametrize(("found", "text", "lineno"), FAULTS)
def test_a_sentence_that_cannot_be_read_is_left_out(found, text, lineno):
    document = read(f"{GOOD}{text}{GOOD}")
    assert (list(document), remarks(document)) == ([["a"], ["a"]], {"broken-tree": (1, [lineno])})
    assert found in document.remarks[0].message
    with pytest.raises(InputError, match=rf"<text>:{lineno}: {found}"):
        read(f"{GOOD}{text}", strict=True)
    with pytest.raises(InputError, match=rf"<text>:{lineno - 2}: {found}"):
        read(f"#FORMAT 3\n{text}")


def test_lines_outside_of_sentences_are_passed_over():
    document = read(f"{GOOD}b N -- -- 0\n#EOS 7\n{GOOD}")
    assert (list(document), remarks(document)) == ([["a"], ["a"]], {"outside": (2, [4, 5])})


def test_an_empty_sentence_is_a_failed_parse():
    document = read(f"{GOOD}#BOS 2\n#EOS 2\n")
    assert (list(document), remarks(document)) == ([["a"]], {"failed-parse": (1, [4])})


def test_other_versions_of_export_format_are_refused():
    with pytest.raises(InputError, match=r'<text>:1: export format "5"\n  expected #FORMAT 3 or #FORMAT 4'):
        read("#FORMAT 5\n" + GOOD)


@pytest.mark.parametrize("format", ["discbracket", "export"])
def test_an_empty_file_has_nothing_in_it(format):
    document = read("", format)
    assert (document.n_tokens, document.n_sentences, len(document.trees)) == (0, 0, 0)
