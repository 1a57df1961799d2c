"""Trees become columns by evalb's grammar and by the lenient one: both forms against a plain reading."""

import pytest
from hypothesis import given, strategies as st

from evalign.kernels.buffers import int_rows
from forms import IMPLEMENTATIONS, both_forms
from oracles.parseval import Unreadable, read_tree

KERNELS = IMPLEMENTATIONS("tree_scan_cy")
kernel = both_forms("tree_scan_cy")
PIECES = [
    "(",
    ")",
    " ",
    "\t",
    "\v",
    "\n",
    "\n(",
    "a",
    "NP-SBJ",
    "é",
    "\0",
    "(A b)",
    "( c)",
    "(X (A b) (C d))",
    "()",
]
DATA = st.lists(st.sampled_from(PIECES), max_size=20).map(lambda pieces: "".join(pieces).encode())
NAMES = {0: "", 1: "many", 2: "outside", 3: "mixed", 4: "open", 5: "surplus"}


def scanned(kernel, data, *, lenient, by_line=False, start=0, lineno=1):
    scanner = kernel.TreeScanner(data, kernel.LabelTable(), data.count(b"("), lenient=lenient)
    scanner.by_line, scanner.lineno = by_line, lineno
    code = scanner.scan(start, len(data))
    return scanner, NAMES[code]


def brackets(scanner, data, table=None):
    """Labels and leaves of all nodes, preterminals with their word."""
    found = []
    words = {
        scanner.leaf_nodes[k]: (scanner.word_starts[k], scanner.word_ends[k]) for k in range(scanner.n_leaves)
    }
    for k in range(scanner.n_nodes):
        label = table[scanner.labels[k]].decode()
        if scanner.kinds[k]:
            start, end = words[k]
            found.append((label, data[start:end].decode()))
        else:
            found.append((label, scanner.firsts[k], scanner.lasts[k]))
    return found


def read(kernel, text, **options):
    data, table = text.encode(), kernel.LabelTable()
    scanner = kernel.TreeScanner(data, table, data.count(b"("), lenient=options.pop("lenient", False))
    for name, value in options.items():
        setattr(scanner, name, value)
    code = NAMES[scanner.scan(0, len(data))]
    return scanner, code, brackets(scanner, data, table.labels())


STRICT = [
    # text, code, brackets up to where it stops
    ("(S (A a) (B b))", "", [("S", 0, 2), ("A", "a"), ("B", "b")]),
    ("(S(A a)(B\tb))", "", [("S", 0, 2), ("A", "a"), ("B", "b")]),
    ("( (S (A a)))", "", [("", 0, 1), ("S", 0, 1), ("A", "a")]),
    ("(A a)(B b) (C c)", "", [("A", "a"), ("B", "b"), ("C", "c")]),
    ("", "", []),
    (" \t\v\f\r", "", []),
    ("()", "", [("", 0, 0)]),
    ("(())", "", [("", 0, 0), ("", 0, 0)]),
    ("(X)", "", [("X", 0, 0)]),
    ("( )", "", [("", "")]),
    ("(X )", "", [("X", "")]),
    ("( a)", "", [("", "a")]),
    ("(A  a)", "", [("A", "a")]),
    ("(A\va)", "", [("A", "a")]),
    ("(A a\u00a0)", "", [("A", "a\u00a0")]),
    ("(S (A a) )", "", [("S", 0, 1), ("A", "a")]),
    ("(A a )", "many", []),
    ("(A a b)", "many", []),
    ("(A a", "many", []),
    ("(S (A a) (B b", "many", [("S", 0, -1), ("A", "a")]),
    ("(S x (A a))", "many", []),
    ("(S x(A a))", "mixed", []),
    ("(S (A a) x)", "mixed", [("S", 0, -1), ("A", "a")]),
    ("(S (A a)x)", "mixed", [("S", 0, -1), ("A", "a")]),
    ("x", "outside", []),
    ("(A a) x", "outside", [("A", "a")]),
    ("(S (A a)", "open", [("S", 0, -1), ("A", "a")]),
    ("(S", "open", [("S", 0, -1)]),
    ("(S (A a) (", "open", [("S", 0, -1), ("A", "a"), ("", 1, -1)]),
    ("(A a))", "surplus", [("A", "a")]),
    (")(A a)", "surplus", [("A", "a")]),
    ("(A b\0c)", "", [("A", "b")]),
    ("(\0A b)", "", [("", "b")]),
    ("(A b)\0(C d) x", "", [("A", "b")]),
]


@pytest.mark.parametrize(("text", "code", "found"), STRICT, ids=[repr(row[0]) for row in STRICT])
def test_the_grammar_of_evalb(kernel, text, code, found):
    assert read(kernel, text)[1:] == (code, found)


LENIENT = [
    # text, code, brackets; loose, surplus and outside
    ("(A a )", "", [("A", "a")], (1, 0, 0)),
    ("(S (A a\n) (B b\t))", "", [("S", 0, 2), ("A", "a"), ("B", "b")], (2, 0, 0)),
    ("(S\n  (A\n    a))", "", [("S", 0, 1), ("A", "a")], (0, 0, 0)),
    ("(X )", "", [("X", 0, 0)], (0, 0, 0)),
    ("( (A a))", "", [("", 0, 1), ("A", "a")], (0, 0, 0)),
    ("x (A a)y) z", "", [("A", "a")], (0, 1, 3)),
    ("))", "", [], (0, 2, 0)),
    ("(A a b)", "many", [("A", 0, -1)], (0, 0, 0)),
    ("(S a (B b))", "mixed", [("S", 0, -1)], (0, 0, 0)),
    ("(S (A a) b)", "mixed", [("S", 0, -1), ("A", "a")], (0, 0, 0)),
    ("(S (A a)", "open", [("S", 0, -1), ("A", "a")], (0, 0, 0)),
    ("(A b\0c)", "", [("A", "b\0c")], (0, 0, 0)),
]


@pytest.mark.parametrize(("text", "code", "found", "counted"), LENIENT, ids=[repr(row[0]) for row in LENIENT])
def test_the_lenient_grammar(kernel, text, code, found, counted):
    scanner, *rest = read(kernel, text, lenient=True)
    assert rest == [code, found]
    assert (scanner.n_loose, scanner.n_surplus, scanner.n_outside) == counted


def test_a_broken_tree_is_left_out_where_trees_begin_in_the_first_column(kernel):
    text = "(S (A a)\n(S (B b))\n(T (C c) d) (U (E e))\n (V v)\n(W w x\n(X x)\n(Y (Z z"
    scanner, code, found = read(kernel, text, lenient=True, by_line=True, lineno=10)
    assert (code, found) == ("", [("S", 0, 1), ("B", "b"), ("X", "x")])
    broken = [(scanner.broken_linenos[k], NAMES[scanner.broken_kinds[k]]) for k in range(scanner.n_broken)]
    assert broken == [(10, "open"), (12, "mixed"), (14, "many"), (16, "open")]
    assert [scanner.root_linenos[k] for k in range(scanner.n_roots)] == [11, 15]
    assert [scanner.leaf_linenos[k] for k in range(scanner.n_leaves)] == [11, 15]


def test_a_line_with_text_before_its_tree_is_read_behind_a_broken_one(kernel):
    text = "(S (A a b))\nx (S (B b))\ny\n-1 (T (C c)\n-2 (U u)\n(V\nw x)\n) (W w)\n"
    scanner, code, found = read(kernel, text, lenient=True, by_line=True)
    assert (code, found) == ("", [("S", 0, 1), ("B", "b"), ("U", "u")])
    broken = [(scanner.broken_linenos[k], NAMES[scanner.broken_kinds[k]]) for k in range(scanner.n_broken)]
    assert broken == [(1, "many"), (4, "open"), (6, "many")]
    assert [scanner.noted[2, k] for k in range(scanner.n_outside)] == [2, 3, 4, 5]


def test_the_first_lines_of_what_is_passed_over_are_noted(kernel):
    text = "(A a )\n(B b))\n" * 20 + "x\n"
    scanner, code, _ = read(kernel, text, lenient=True)
    assert (code, scanner.n_loose, scanner.n_surplus, scanner.n_outside) == ("", 20, 20, 1)
    for row in range(2):
        assert [scanner.noted[row, k] for k in range(8)] == list(range(row + 1, 17, 2))
    assert scanner.noted[2, 0] == 41


def test_lines_are_counted_from_where_the_caller_says(kernel):
    scanner, _, _ = read(kernel, "\n(S\n (A\na)\n (B b))\nx\n(C c)", lenient=True, lineno=3)
    assert [scanner.root_linenos[k] for k in range(scanner.n_roots)] == [4, 9]
    assert [scanner.leaf_linenos[k] for k in range(scanner.n_leaves)] == [6, 7, 9]
    assert (scanner.noted[2, 0], scanner.lineno) == (8, 9)


@pytest.mark.parametrize(
    ("text", "at", "lineno"),
    [("(A a)\n(B b c)", 11, 2), ("(A a)\n\n(S (B b)\n", 16, 3), ("(S\n(A a) x)", 9, 2)],
)
def test_an_error_has_a_place(kernel, text, at, lineno):
    scanner, code, _ = read(kernel, text, lenient=True)
    assert code
    assert (scanner.error_at, scanner.error_lineno) == (at, lineno)


@pytest.mark.slow
def test_a_tree_is_as_deep_as_it_likes(kernel):
    n = 100_000
    data = b"(X " * n + b"(A b)" + b")" * n
    for lenient in (False, True):
        scanner, code = scanned(kernel, data, lenient=lenient)
        assert (code, scanner.n_nodes, scanner.n_leaves, scanner.n_roots) == ("", n + 1, 1, 1)
        assert set(scanner.lasts[:n]) == {1}


def test_a_table_serves_several_scanners_and_any_number_of_labels(kernel):
    table = kernel.LabelTable()
    names = [f"label-number-{k}" if k % 2 else f"L{k}" for k in range(5_000)]
    for order in (names, names[::-1]):
        data = "".join(f"({name} w)" for name in order).encode()
        scanner = kernel.TreeScanner(data, table, len(order), lenient=False)
        for _ in range(2):
            assert scanner.scan(0, len(data)) == 0
            labels = table.labels()
            assert [labels[k].decode() for k in scanner.labels[: scanner.n_nodes]] == order
    assert len(table) == len(names) == len(set(table.labels()))
    assert (table.add(b"L0"), table.add(b"new")) == (0, len(names))


def columns(scanner):
    """All that a scan found."""
    sizes = {
        "n_nodes": ("labels", "firsts", "lasts", "kinds"),
        "n_leaves": ("leaf_nodes", "word_starts", "word_ends", "leaf_linenos"),
        "n_roots": ("root_nodes", "root_linenos"),
        "n_broken": ("broken_linenos", "broken_kinds"),
    }
    found = {name: getattr(scanner, name) for name in sizes}
    for size, names in sizes.items():
        found.update({name: list(getattr(scanner, name)[: found[size]]) for name in names})
    for name in (
        "n_loose",
        "n_surplus",
        "n_outside",
        "n_below",
        "depth",
        "error_at",
        "error_lineno",
        "lineno",
    ):
        found[name] = getattr(scanner, name)
    counted = (scanner.n_loose, scanner.n_surplus, scanner.n_outside)
    found["noted"] = [[scanner.noted[k, n] for n in range(min(counted[k], 8))] for k in range(3)]
    return found


@given(
    data=DATA, start=st.integers(0, 2), mode=st.sampled_from([(False, False), (True, False), (True, True)])
)
def test_both_forms_find_the_same(data, start, mode):
    lenient, by_line = mode
    start = min(start, len(data))
    found = [
        scanned(kernel.values[0], data, lenient=lenient, by_line=by_line, start=start, lineno=4)
        for kernel in KERNELS
    ]
    (plain, code), (compiled, other_code) = found
    assert (code, columns(plain)) == (other_code, columns(compiled))


def described(line):
    """The codes that the scanner may give, and the tree, if there is one."""
    try:
        return ("", "open", "surplus"), read_tree(line)
    except Unreadable as error:
        return (("many",) if error.is_many else ("outside", "mixed")), None


@given(data=DATA)
def test_a_line_is_read_as_described(kernel, data):
    line = data.replace(b"\n", b" ")
    table = kernel.LabelTable()
    scanner = kernel.TreeScanner(line, table, line.count(b"("), lenient=False)
    code = NAMES[scanner.scan(0, len(line))]
    codes, tree = described(line)
    assert code in codes
    if tree is None:
        return
    labels = table.labels()
    leaves = [
        (labels[scanner.labels[scanner.leaf_nodes[k]]], line[scanner.word_starts[k] : scanner.word_ends[k]])
        for k in range(scanner.n_leaves)
    ]
    nodes = [
        (labels[scanner.labels[k]], scanner.firsts[k], scanner.lasts[k])
        for k in range(scanner.n_nodes)
        if not scanner.kinds[k]
    ]
    assert (leaves, nodes, scanner.depth, scanner.n_below) == tree


@given(data=DATA, most=st.integers(1, 4))
def test_lines_are_read_one_by_one(kernel, data, most):
    lines = data.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    scanner = kernel.TreeScanner(data, kernel.LabelTable(), data.count(b"("), lenient=False)
    rows = int_rows(most + 1, 7)
    n = scanner.scan_lines(0, len(data), rows, most)
    alone = [scanned(kernel, line, lenient=False) for line in lines]
    stopped = [k for k, (_, code) in enumerate(alone) if code in ("many", "outside", "mixed")]
    assert n == min(most, len(lines), *(k + 1 for k in stopped))
    for k, (one, code) in enumerate(alone[:n]):
        assert data[rows[k, 0] : rows[k, 1]] == lines[k]
        assert (NAMES[rows[k, 4]], rows[k, 5], rows[k, 6]) == (code, one.depth, one.n_below)
        assert (rows[k + 1, 2] - rows[k, 2], rows[k + 1, 3] - rows[k, 3]) == (one.n_nodes, one.n_leaves)
    assert rows[n, 0] == min(len(data), sum(len(line) + 1 for line in lines[:n]))


def test_reading_lines_stops_where_there_is_no_room(kernel):
    data = b"(A a)\n(S (B b) (C c))\n(D d)\n"
    scanner = kernel.TreeScanner(data, kernel.LabelTable(), 3, lenient=False)
    rows = int_rows(9, 7)
    assert scanner.scan_lines(0, len(data), rows, 8) == 1
    assert scanner.scan_lines(rows[1, 0], len(data), rows, 8) == 1
    assert scanner.scan_lines(rows[1, 0], len(data), rows, 8) == 1
