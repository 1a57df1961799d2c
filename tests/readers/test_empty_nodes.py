"""Collapsed empty nodes: by hand, against the oracle, and as by the Perl program of the UD tools.

On 12,000 random sentences that program, enhanced_collapse_empty_nodes.pl at commit 446bd96, gave the same
edges unless empty nodes form a cycle. In a cycle it lets some paths through that pass a node twice, depending
on their order.
"""

import pytest
from hypothesis import given

from evalign.readers.content import load
from evalign.readers.empty_nodes import MAX_NODES_ON_PATH, MAX_PATHS_TO_NODE, collapse_empty_nodes
from evalign.text import Text
from oracles import enhanced
from treebanks import broken_pairs, treebank_texts


def row(number, deps, form="x"):
    return f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t{deps}\t_\n"


def collapse(text):
    return collapse_empty_nodes(load(Text(text, "x.conllu")))


def collapsed(*rows):
    """DEPS of the words of a sentence that has these rows, written as ID and DEPS."""
    text = "# text = x\n" + "".join(row(*written.split(" ")) for written in rows) + "\n"
    content = collapse(text)
    written = [line.split("\t") for line in content.data.decode().splitlines()[1:-1]]
    return [columns[8] for columns in written if "." not in columns[0]]


BY_HAND = [
    # what it shows, rows, DEPS of the words
    ("a path", ["1 0:root", "1.1 1:conj", "2 1.1:nsubj"], ["0:root", "1:conj>nsubj"]),
    ("a subtype", ["1 0:root", "1.1 1:conj:and", "2 1.1:nsubj:pass"], ["0:root", "1:conj:and>nsubj:pass"]),
    ("two empty nodes", ["0.1 0:root", "0.2 0.1:x", "1 0.2:y"], ["0:root>x>y"]),
    ("two ways", ["1 0:root", "1.1 1:a|2:b", "2 1.1:c|1:d"], ["0:root", "1:a>c|1:d|2:b>c"]),
    ("a loop of a word", ["1 0:root|1.1:x", "1.1 1:conj"], ["0:root|1:conj>x"]),
    ("a cycle is left once", ["1 1.1:x", "1.1 1.2:a|0:root", "1.2 1.1:b"], ["0:root>x"]),
    ("a cycle is left at each node", ["1 1.1:x", "1.1 1.2:a", "1.2 1.1:b|1.2:c|0:root"], ["0:root>a>x"]),
    ("a cycle without a way in", ["1 0:root|1.1:x", "1.1 1.1:a"], ["0:root"]),
    ("nothing is left", ["1 1.1:x", "1.1 _"], ["_"]),
    ("the same edge twice", ["1 0:root", "1.1 1:a", "1.2 1:a", "2 1.1:x|1.2:x"], ["0:root", "1:a>x"]),
    ("heads are numbers", ["1 10:a|9:b|1.1:c", "1.1 2:d", "2 0:root"], ["2:d>c|9:b|10:a", "0:root"]),
    ("an edge on the way that is none", ["1 1.1:x", "1.1 ?|0:root"], ["0:root>x"]),
    ("labels that are paths already", ["1 1.1:a>b", "1.1 0:c>d"], ["0:c>d>a>b"]),
    # what stays as it is
    ("DEPS that are no edges", ["1 1.1:x|?", "1.1 0:root"], ["1.1:x|?"]),
    ("an edge without a label", ["1 1.1:", "1.1 0:root"], ["1.1:"]),
    ("a node that is not there", ["1 1.1:x|1.2:y", "1.1 0:root"], ["0:root>x|1.2:y"]),
    ("edges between words", ["1 2:b|1:a|1:a", "1.1 0:root", "2 _"], ["2:b|1:a|1:a", "_"]),
    ("a multiword token", ["1-2 _", "1 1.1:x", "1.1 0:root", "2 1:y"], ["_", "0:root>x", "1:y"]),
]


@pytest.mark.parametrize(("shown", "rows", "expected"), BY_HAND, ids=[case[0] for case in BY_HAND])
def test_paths_become_edges(shown, rows, expected):
    assert collapsed(*rows) == expected


def test_sentences_without_empty_nodes_stay_byte_for_byte():
    before = "# a\tb\n" + row(1, "2:b|1:a") + "\n\n" + row(1, "1.1:x") + "\n"
    after = "# 1.1\tx\n" + row(1, "0:root|0:root")
    text = before + row(1, "1.1:x") + row("1.1", "0:root") + "\n" + after
    collapsed = row(1, "0:root>x") + row("1.1", "0:root")
    assert collapse(text).data.decode() == before + collapsed + "\n" + after
    content = load(Text(before + "\n" + after))
    assert collapse_empty_nodes(content) is content


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n"])
def test_first_and_last_lines(end):
    text = row("0.1", "0:root") + row(1, "0.1:x")[:-1] + end
    assert collapse(text).data.decode() == row("0.1", "0:root") + row(1, "0:root>x")[:-1] + end


def test_a_row_without_ten_columns_keeps_its_sentence():
    text = row(1, "1.1:x") + row("1.1", "0:root") + "2\ty\n\n"
    assert (
        collapse(text + text.replace("2\ty\n", "")).data.decode()
        == text + row(1, "0:root>x") + row("1.1", "0:root") + "\n"
    )


def test_columns_and_remarks_stay():
    content = collapse(
        "\ufeff1\ta b\tä\tX\tY\tF=1\t0\tr:s\t1.1:x\tSpaceAfter=No\n" + row("1.1", "0:root") + "\n"
    )
    assert content.data.decode() == (
        "1\ta b\tä\tX\tY\tF=1\t0\tr:s\t0:root>x\tSpaceAfter=No\n" + row("1.1", "0:root") + "\n"
    )
    assert [remark.kind for remark in content.remarks] == ["bom"]


def check(text):
    """The edges are the oracle's, which keeps equal ones and their order."""
    expected = [line.split("\t") for line in enhanced.collapse(text).splitlines()]
    lines = collapse(text).data.decode().splitlines()
    found = [line.split("\t") for line in lines if not line.startswith("#")]
    found = [columns for columns in found if "." not in columns[0]]
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine[:8] == theirs[:8]
        assert set("".join(mine[8:9]).split("|")) == set("".join(theirs[8:9]).split("|"))


@given(treebank_texts())
def test_edges_are_those_of_the_oracle(text):
    check(text)


@given(broken_pairs())
def test_heads_do_not_matter(pair):
    check(pair.gold)
    check(pair.system)


@given(treebank_texts())
def test_what_is_collapsed_stays(text):
    once = collapse(text)
    assert collapse_empty_nodes(once).data == once.data


def test_many_paths_are_cut_short():
    nodes = [f"1.{k}" for k in range(1, 31)]
    everywhere = "|".join(f"{node}:x" for node in nodes) + "|0:root"
    text = row(1, "1.1:y") + "".join(row(node, everywhere) for node in nodes) + "\n"
    content = collapse(row(1, "0:root") + "\n" + text)
    deps = content.data.decode().splitlines()[2].split("\t")[8]
    # From the root straight to the node, through one other, or through two.
    assert deps == "0:root>x>x>y|0:root>x>y|0:root>y"
    (remark,) = content.remarks
    assert (remark.kind, remark.times, remark.places[0].lineno) == ("many-paths", 1, 3)
    assert f"{MAX_PATHS_TO_NODE:,} paths" in remark.message


def test_a_long_path_is_no_recursion():
    def path(n):
        links = "".join(row(f"1.{k}", f"1.{k - 1}:x" if k > 1 else "0:root") for k in range(1, n + 1))
        return collapse(row(1, f"1.{n}:y") + links + "\n")

    content = path(MAX_NODES_ON_PATH)
    assert content.data.decode().split("\t")[8] == "0:root" + ">x" * (MAX_NODES_ON_PATH - 1) + ">y"
    assert not content.remarks
    content = path(2_000)
    assert content.data.decode().split("\t")[8] == "_"
    assert [remark.kind for remark in content.remarks] == ["many-paths"]
