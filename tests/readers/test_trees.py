"""Bracketed trees: what is read, what is tolerated, what is refused."""

import bz2
import gzip

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from evalign.errors import InputError
from evalign.kernels import is_compiled
from evalign.readers.content import load
from evalign.readers.formats import find_format, read_source
from evalign.readers.trees import read_trees
from evalign.text import Text
from oracles import constituency as oracle
from trees import documents, lines


def read(text, **options):
    return read_trees(load(Text(text)), **options)


def brackets(document):
    """Brackets as first token, one past the last, label."""
    trees = document.trees
    labels = [trees.labels.labels[number] for number in trees.labels.ids.tolist()]
    return [*zip(trees.firsts.tolist(), trees.lasts.tolist(), labels, strict=True)]


def tags(document):
    column = document.columns.xpos
    return [column.labels[number] for number in column.ids.tolist()]


def remarks(document):
    """Kinds of the remarks with how often, and the line numbers; a missing last line end is not told."""
    return {
        remark.kind: (remark.times, [place.lineno for place in remark.places])
        for remark in document.remarks
        if remark.kind != "no-newline" and "no newline" not in remark.message
    }


def test_a_tree_is_words_tags_and_brackets():
    document = read("(S (NP-SBJ (PRP We)) (VP (VBP go)))\n(FRAG (RB Not) (NP (NN me)))\n")
    assert list(document) == [["We", "go"], ["Not", "me"]]
    assert tags(document) == ["PRP", "VBP", "RB", "NN"]
    assert brackets(document) == [
        (0, 2, "S"), (0, 1, "NP-SBJ"), (1, 2, "VP"), (2, 4, "FRAG"), (3, 4, "NP"),
    ]  # fmt: skip
    assert document.trees.outermost.tolist() == [True, False, False, True, False]
    assert (document.format, document.linenos.tolist(), document.remarks) == ("trees", [1, 1, 2, 2], ())


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("one line", "(S (NP (D a) (N b)) (V c))"),
        ("two on a line", "(S (NP (D a) (N b)) (V c)) (S (N d))"),
        ("nothing between two", "(S (NP (D a) (N b)) (V c))(S (N d))"),
        ("indented", "(S\n  (NP (D a)\n      (N b))\n  (V c))\n\n(S (N d))\n"),
        ("not indented", "(S\n(NP (D a)\n(N b))\n(V c))\n"),
        ("some not indented", "(S\n(NP (D a) (N b)) (V c))\n(S (N d))\n(S (N e))\n(S (N f))\n"),
        ("closed on lines of their own", "(S\n  (NP\n    (D a)\n    (N b)\n  )\n  (V c)\n)\n"),
        ("tabs and form feeds", "(S\t(NP\v(D\fa) (N\tb))\t(V c))"),
        ("no white space", "(S(NP(D a)(N b))(V c))"),
        ("CRLF", "(S (NP (D a)\r\n (N b)) (V c))\r\n"),
        ("a byte order mark", "\ufeff(S (NP (D a) (N b)) (V c))\n"),
        ("a word on the line behind its tag", "(S (NP (D\na) (N b)) (V c))"),
    ],
)
def test_white_space_and_lines_do_not_matter(why, text):
    document = read(text)
    assert document.sentence(0) == ["a", "b", "c"]
    assert brackets(document)[:2] == [(0, 3, "S"), (0, 2, "NP")]
    assert not {"broken-tree", "surplus-bracket"} & remarks(document).keys()
    assert document.n_sentences == text.count("(S")


def test_a_root_may_have_no_label():
    document = read("( (S (N a)) )\n((S (N b)))\n")
    assert brackets(document) == [(0, 1, ""), (0, 1, "S"), (1, 2, ""), (1, 2, "S")]
    assert remarks(document) == {}


def test_a_word_may_be_a_tree_and_may_have_no_tag():
    document = read("(UH Yes)\n(S ( a) (N b))\n")
    assert list(document) == [["Yes"], ["a", "b"]]
    assert tags(document) == ["UH", "", "N"]
    assert brackets(document) == [(1, 3, "S")]


def test_words_and_labels_may_have_any_characters_but_white_space_and_brackets():
    document = read("(S|<NP,VP> ($, \u3002) (-LRB- -LRB-) (N$'\"\\/ a=b-c) (\u5b57 \U0001d11e))\n")
    assert document.tokens() == ["\u3002", "-LRB-", "a=b-c", "\U0001d11e"]
    assert document.cuts.tolist() == [0, 1, 6, 11, 12]
    assert tags(document) == ["$,", "-LRB-", "N$'\"\\/", "\u5b57"]


def test_white_space_of_unicode_stays_inside_its_word_and_is_not_on_the_line():
    document = read("(S (CD 1\u00a0000) (N a\u2028b) (N \u3000c))\n")
    assert document.tokens() == ["1000", "ab", "c"]
    assert document.cuts.tolist() == [0, 4, 6, 7]


def test_empty_elements_are_dropped_with_brackets_over_nothing_else():
    text = "(S (NP (-NONE- *)) (VP (V go) (SBAR (-NONE- 0) (S (-NONE- *T*)))) (. .))\n"
    document = read(text)
    assert document.tokens() == ["go", "."]
    assert brackets(document) == [(0, 2, "S"), (0, 1, "VP")]
    assert tags(document) == ["V", "."]


def test_empty_elements_are_kept_as_tokens_without_characters():
    text = "(S (NP (-NONE- *)) (VP (V go) (SBAR (-NONE- 0) (S (-NONE- *T*)))) (. .))\n"
    document = read(text, empty="keep")
    assert document.tokens() == ["", "go", "", "", "."]
    assert (document.line, document.cuts.tolist()) == ("go.", [0, 0, 2, 2, 2, 3])
    assert brackets(document) == [(0, 5, "S"), (0, 1, "NP"), (1, 4, "VP"), (2, 4, "SBAR"), (3, 4, "S")]
    assert tags(document) == ["-NONE-", "V", "-NONE-", "-NONE-", "."]


def test_a_tree_of_empty_elements_is_a_failed_parse_unless_they_are_kept():
    text = "(S (N a))\n(S (NP (-NONE- *)))\n(S (N b))\n"
    assert remarks(read(text)) == {"failed-parse": (1, [2])}
    kept = read(text, empty="keep")
    assert (list(kept), remarks(kept)) == ([["a"], [""], ["b"]], {})


@given(documents(with_empty=True))
def test_trees_are_read_as_the_oracle_reads_them(document):
    text = lines(document)
    for empty in ("drop", "keep"):
        found, expected = read(text, empty=empty), oracle.read(text, empty=empty)
        assert list(found) == [[word for word, _ in tree.words] for tree in expected]
        assert tags(found) == [tag for tree in expected for _, tag in tree.words]
        before = np.cumsum([0, *(len(tree.words) for tree in expected)])
        assert brackets(found) == [
            (n + first, n + last, label)
            for n, tree in zip(before.tolist(), expected, strict=False)
            for first, last, label, _ in tree.brackets
        ]
        assert found.trees.outermost.tolist() == [row[3] for tree in expected for row in tree.brackets]
        assert found.cuts.dtype == found.sentences.dtype == found.trees.firsts.dtype == np.int32


soup = st.lists(
    st.sampled_from(["(", "(", ")", ")", "(N a)", "(S ", "a", " ", "\n", "\n(", "(())", "0=é", "\u00a0"])
)


@given(soup.map("".join), st.sampled_from(["drop", "keep"]))
@example("(\n(", "drop")
@example("(N a)\n(S (N a)\n(N a))\n(N a)", "drop")
def test_whatever_is_read_holds_together(text, empty):
    try:
        document = read(text, empty=empty)
    except InputError:
        return
    assert document.cuts[0] == document.sentences[0] == 0
    assert document.cuts[-1] == len(document.line)
    assert document.sentences[-1] == document.n_tokens == len(document.linenos) == len(tags(document))
    assert (np.diff(document.cuts) >= 0).all()
    assert (np.diff(document.sentences) > 0).all()
    assert (np.diff(document.linenos) >= 0).all()
    open_brackets = []
    for first, last, _ in brackets(document):
        while open_brackets and open_brackets[-1] <= first:
            open_brackets.pop()
        assert first < last <= (open_brackets[-1] if open_brackets else document.n_tokens)
        open_brackets.append(last)


BROKEN = [
    # why, text, sentences that are read, broken lines
    ("not closed, in the middle", "(S (N a))\n(S (N b)\n(S (N c))\n", [["a"], ["c"]], [2]),
    ("not closed, the first", "(S (N a)\n(S (N b))\n(S (N c))\n", [["b"], ["c"]], [1]),
    ("not closed, the last", "(S (N a))\n(S (N b))\n(S (N c)\n", [["a"], ["b"]], [3]),
    ("cut off in a word", "(S (N a))\n(S (N b", [["a"]], [2]),
    ("cut off in a label", "(S (N a))\n(S (NP", [["a"]], [2]),
    ("cut off behind a bracket", "(S (N a))\n(S (", [["a"]], [2]),
    (
        "not closed, and indented",
        "(S\n  (N a))\n(S\n  (NP\n    (N b))\n\n(S\n  (N c))\n",
        [["a"], ["c"]],
        [3],
    ),
    ("two words", "(S (N a))\n(S (NP b c))\n(S (N d))\n", [["a"], ["d"]], [2]),
    ("a word before a bracket", "(S b (N a))\n(S (N d))\n", [["d"]], [1]),
    ("a word behind a bracket", "(S (N a) b)\n(S (N d))\n", [["d"]], [1]),
    ("a word in the bracket of another tree", "(S (N a (N b)))\n(S (N d))\n", [["d"]], [1]),
    ("a bracket not escaped", "(S (-LRB- () (N a))\n(S (N d))\n", [["d"]], [1]),
    (
        "text before the next tree",
        "(S (N a))\n(S (N b c))\nx (S (N d))\n(S (N e))\n",
        [["a"], ["d"], ["e"]],
        [2],
    ),
    (
        "scores before trees",
        "-1 (S (N a))\n-2 (S (N b)\n-3 (S (N c))\n-4 (S (N d))\n",
        [["a"], ["c"], ["d"]],
        [2],
    ),
    ("cut off before a score", "-1 (S (N a))\n-2 (S (N b\n-3 (S (N c))\n", [["a"], ["c"]], [2]),
    ("a broken tree that goes on in the first column", "(S (N a b)\nc)\n(S (N d))\n", [["d"]], [1]),
    (
        "one not closed, and one closed twice",
        "(S (N a))\n(S (N b))\n(S (N c)\n(S (N d)))\n(S (N e))\n",
        [["a"], ["b"], ["d"], ["e"]],
        [3],
    ),
]


@pytest.mark.parametrize(("text", "sentences", "broken"), [x[1:] for x in BROKEN], ids=[x[0] for x in BROKEN])
def test_a_broken_tree_is_left_out_and_the_others_are_read(text, sentences, broken):
    document = read(text)
    assert list(document) == sentences
    assert remarks(document)["broken-tree"] == (len(broken), broken)
    assert document.trees.outermost.sum() == len(sentences)


@pytest.mark.parametrize(
    ("text", "broken"), [(x[1], x[3]) for x in BROKEN[:-1]], ids=[x[0] for x in BROKEN[:-1]]
)
def test_strict_refuses_a_broken_tree(text, broken):
    with pytest.raises(InputError) as caught:
        read(text, strict=True)
    assert caught.value.place.lineno >= broken[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(S (NP a b))\n", "two words in a bracket"),
        ("(S (NP (N a) b))\n", "a word beside a bracket"),
        ("(S (NP (N a))\n", "a bracket is not closed"),
    ],
)
def test_a_file_without_one_tree_that_can_be_read_is_refused(text, found):
    with pytest.raises(InputError, match=f"<text>:1: {found}"):
        read(text)


def test_trees_that_go_on_in_the_first_column_are_not_torn_apart():
    tree = "(S\n(NP (N a))\n(VP (V b)))\n"
    with pytest.raises(InputError, match="<text>:4: a bracket is not closed"):
        read(tree + tree[:-2] + "\n" + tree)
    with pytest.raises(InputError, match="two words in a bracket"):
        read(tree + tree.replace("(N a)", "(N a a)") + tree)


def test_a_surplus_closing_bracket_is_passed_over():
    document = read("(S (N a)))\n(S (N b))\n)\n(S (N c))\n")
    assert list(document) == [["a"], ["b"], ["c"]]
    assert remarks(document)["surplus-bracket"] == (2, [1, 3])
    document = read("(S (N a))\n(S (N b c))\nx (S (N d)))\n")
    assert {kind: found[1] for kind, found in remarks(document).items()} == {
        "broken-tree": [2],
        "surplus-bracket": [3],
        "outside": [3],
    }


def test_a_space_before_the_closing_bracket_is_tolerated():
    document = read("(S (N a ) (V b\n))\n")
    assert document.tokens() == ["a", "b"]
    assert remarks(document)["loose-bracket"] == (2, [1])
    assert "<text>:2: white space before the closing" in str(read("(S (N a))\n(S (N b ))\n").remarks[0])


def test_text_outside_brackets_is_passed_over():
    document = read("0.5 (S (N a)) x y\n-3.2\n(S (N b))\n")
    assert list(document) == [["a"], ["b"]]
    assert remarks(document) == {"outside": (4, [1, 2])}


def test_failed_parses_are_told_from_the_first_line_on():
    document = read("(())\n(S (N a))\n()\n(X)\n( ( ) )\n(S (N b))\n")
    assert list(document) == [["a"], ["b"]]
    assert remarks(document) == {"failed-parse": (4, [1, 3, 4, 5])}


@pytest.mark.issue(15)
def test_two_failed_parses_on_a_line_are_two():
    assert remarks(read("(()) (()) (S (N a)) (())\n")) == {"failed-parse": (3, [1])}


@pytest.mark.parametrize("end", ["", "\n"])
def test_an_empty_line_among_trees_is_a_failed_parse(end):
    document = read("(S (N a))\n\n(S (N b))\n(S (N c))" + end)
    assert remarks(document) == {"failed-parse": (1, [2])}
    document = read("\n(S (N a))\n(S (N b))\n(S (N c))" + end)
    assert remarks(document) == {"failed-parse": (1, [1])}


def test_how_many_trees_there_are_does_not_matter_to_empty_lines():
    """Before the last tree one is a failed parse, unless one stands between any two; behind it none is."""
    for n in range(2, 9):
        trees = [f"(S (N a{k}))" for k in range(n)]
        for gap in range(1, n):
            expected = {"failed-parse": (1, [gap + 1])} if n > 2 else {}
            assert remarks(read("\n".join([*trees[:gap], "", *trees[gap:], "", ""]))) == expected
        assert remarks(read("\n".join(trees) + "\n\n\n")) == {}
        assert remarks(read("\n\n".join(trees) + "\n")) == {}
        assert remarks(read("\n" + "\n".join(trees))) == {"failed-parse": (1, [1])}
        assert remarks(read("\n\n\n".join(trees) + "\n")) == {}
    assert remarks(read("(S (N a))\n\n\n(S (N b))\n(S (N c x))\n")) == {
        "failed-parse": (2, [2, 3]),
        "broken-tree": (1, [5]),
    }


def test_an_empty_line_that_only_separates_is_none():
    assert remarks(read("(S (N a))\n\n(S (N b))\n\n(S (N c))\n")) == {}
    assert remarks(read("\n(S\n  (N a))\n\n(S (N b))\n(S (N c))\n(S (N d))\n")) == {}


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\ufeff", "(())\n", "(())", "()\n\n()\n"])
def test_a_file_without_a_word_is_a_document_without_sentences(text):
    document = read(text)
    assert (document.line, document.n_sentences, document.n_tokens) == ("", 0, 0)
    assert len(document.trees) == 0
    assert document.cuts.tolist() == [0]


@pytest.mark.parametrize("text", ["just text", "a b\nc d\n", ")\n", "# a comment\n"])
def test_a_file_without_a_tree_is_refused(text):
    with pytest.raises(InputError, match="no tree"):
        read(text)


@pytest.mark.parametrize("data", [b"(S (N a\0b))\n", b"\x89PNG\r\n\x1a\n\0\0(", b"(S (N \xff))\n"])
def test_a_binary_file_is_refused(tmp_path, data):
    path = tmp_path / "a.mrg"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"NUL|not UTF-8"):
        read_source(path)


DISCONTINUOUS = [
    ("discbracket", "(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))\n"),
    ("a failed parse first", "(())\n(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))\n"),
    ("numbers, and the words behind", "(S (VP (VB 0) (JJ 2)) (NP 1) (? 3))\tis John rich ?\n"),
]


@pytest.mark.parametrize("text", [x[1] for x in DISCONTINUOUS], ids=[x[0] for x in DISCONTINUOUS])
def test_discontinuous_trees_are_refused_by_name(text):
    with pytest.raises(InputError, match="discontinuous trees"):
        read(text)


def test_numbers_may_be_words():
    document = read("(S (CD 0) (CD 1))\n(S (X 1=2) (N a))\n")
    assert document.tokens() == ["0", "1", "1=2", "a"]


def test_export_format_is_no_tree_in_brackets():
    text = "%% a treebank\n#FORMAT 3\n#BOT ORIGIN\n#EOT ORIGIN\n#BOS 1 0 0 0\nIt\tPRP\t--\tSB\t0\n#EOS 1\n"
    assert find_format(load(Text(text))) == "export"
    with pytest.raises(InputError, match="no tree"):
        read(text)


@pytest.mark.large
def test_a_very_deep_tree_is_read():
    depth = 100_000
    text = "(X " * depth + "(N a)" + ")" * depth + "\n"
    document = read_source(Text(text), "trees")
    assert (document.tokens(), len(document.trees)) == (["a"], depth)
    document = read_source(Text("(S (N b))\n" + text[:-9] + "\n(S (N c))\n"), "trees")
    assert (list(document), remarks(document)) == ([["b"], ["c"]], {"broken-tree": (1, [2])})


def test_a_very_long_line_is_read():
    times = (5_000_000 if is_compiled() else 300_000) // 18
    document = read("(S" + " (NP (D a) (N cat))" * times + ")")
    assert (document.n_sentences, document.n_tokens, len(document.trees)) == (1, 2 * times, times + 1)


def test_very_long_words_and_labels_are_read():
    document = read(f"({'L' * 100_000} ({'T' * 100_000} {'w' * 100_000}))\n")
    assert [len(x) for x in (document.line, tags(document)[0], brackets(document)[0][2])] == [100_000] * 3


FORMATS = [
    # why, text, format
    ("a tree", "(S (N a))\n", "trees"),
    ("a tree without a label", "( (S (N a)))\n", "trees"),
    ("a tree on several lines", "(S\n  (NP\n    (N a)))\n", "trees"),
    ("blank lines first", "\n\n(S (N a))\n", "trees"),
    ("failed parses first", "(())\n()\n(S (N a))\n", "trees"),
    ("a byte order mark", "\ufeff(S (N a))\n", "trees"),
    ("a space before the closing bracket", "(S (N a ))\n", "trees"),
    ("text in brackets", "( see above ) and so on\n", "plain"),
    ("text in brackets that are not tokens", "(see above) and so on\n", "plain"),
    ("brackets in brackets", "( ( see above ) )\n", "plain"),
    ("one bracket", "( a b c .\n", "plain"),
    ("a smile", "(: hello\n", "plain"),
    ("an enumeration", "(a) first (b) second\n", "plain"),
    ("empty brackets", "() is a call\n", "plain"),
    ("a tree later", "A sentence .\n(S (N a))\n", "plain"),
    ("a closing bracket", ") (S (N a))\n", "plain"),
]


@pytest.mark.parametrize(("text", "expected"), [x[1:] for x in FORMATS], ids=[x[0] for x in FORMATS])
def test_content_tells_trees_from_text(text, expected):
    assert find_format(load(Text(text))) == expected


@pytest.mark.parametrize(
    "name", ["a.mrg", "a.MRG", "b.ptb", "wsj_0001.mrg.gz", "c.parse.bz2", "d.brackets.xz", "e.mrg.zst"]
)
def test_the_name_tells_where_content_does_not(name):
    for text in ("", "(())\n", "(UH Yes)\n"):
        assert find_format(load(Text(text, name))) == "trees"
    assert find_format(load(Text("", name + ".txt"))) == "plain"


@pytest.mark.parametrize(("compress", "end"), [(gzip.compress, "gz"), (bz2.compress, "bz2")])
def test_compressed_trees_are_read(tmp_path, compress, end):
    path = tmp_path / f"a.mrg.{end}"
    path.write_bytes(compress(b"(UH Yes)\n(S (N a))\n"))
    document = read_source(path)
    assert (document.format, list(document)) == ("trees", [["Yes"], ["a"]])


COMMENTED = [
    # why, text, sentences, remarks
    ("a comment", "# sent 1\n(S (N a))\n", [["a"]], {}),
    ("a tree in a comment", "(S (N a))\n# end (x y)\n(S (N b))\n", [["a"], ["b"]], {"comment-bracket": (1, [2])}),
    ("brackets in a comment", "# (\n(S (N a))\n#))\n", [["a"]], {"comment-bracket": (1, [1])}),
    ("white space before it", " \t# (x y)\n(S (N a))\n", [["a"]], {"comment-bracket": (1, [1])}),
    ("CRLF", "# (x y)\r\n(S (N a))\r\n", [["a"]], {"crlf": (2, [1]), "comment-bracket": (1, [1])}),
    ("within a tree", "(S (N a)\n# (x y)\n  (N b))\n", [["a", "b"]], {"comment-bracket": (1, [2])}),
    ("behind a tree it is text", "(S (N a)) # (X (N b))\n", [["a"], ["b"]], {"outside": (1, [1])}),
    ("the tag of a word", "(S (# #) (N a))\n", [["#", "a"]], {}),
    ("a word in the first column", "(S (#\n#) (N\n#))\n", [["#", "#"]], {}),
    ("behind a tree that is not closed", "(S (N a))\n(S (N b)\n# (x\n(S (N c))\n", [["a"], ["c"]],
     {"broken-tree": (1, [2]), "comment-bracket": (1, [3])}),
    ("behind a tree that is given up", "(S (N a))\n(S (N b b))\n# (x\n(S (N c))\n", [["a"], ["c"]],
     {"broken-tree": (1, [2]), "comment-bracket": (1, [3])}),
]  # fmt: skip


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("text", "sentences", "expected"), [x[1:] for x in COMMENTED], ids=[x[0] for x in COMMENTED]
)
def test_a_line_that_begins_with_a_hash_is_a_comment(text, sentences, expected):
    document = read(text)
    assert list(document) == sentences
    assert remarks(document) == expected


@pytest.mark.issue(15)
@pytest.mark.parametrize("begin", ["", "7 ", "#7", "# 7 "])
@pytest.mark.parametrize("label", ["S", "FRAG"])
def test_two_unclosed_trees_and_a_surplus_bracket_do_not_refuse_a_corpus(begin, label):
    trees = ["(S (N a))\n"] * 200
    trees[20] = trees[90] = f"{begin}({label} (N b)\n"
    trees[150] = "(S (N a)))\n"
    document = read("".join(trees))
    assert document.n_sentences == 198
    assert remarks(document)["surplus-bracket"] == (1, [151])
    assert remarks(document)["comment-bracket" if begin.startswith("#") else "broken-tree"] == (2, [21, 91])


@pytest.mark.issue(15)
def test_places_are_lines_and_each_is_named_once():
    document = read("(S (N a))) ) ) ) ) ) ) ) ) )\n(S (N b))\n" + "(S (N c)))\n" * 9)
    assert remarks(document) == {"surplus-bracket": (19, [1, 3, 4, 5, 6])}
