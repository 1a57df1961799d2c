"""Enhanced edges: kept, settled and matched; both forms against lists."""

from collections import Counter
from itertools import accumulate, pairwise

from hypothesis import given, strategies as st

from evalign.document import OUTSIDE, ROOT
from evalign.kernels.buffers import flags, ints, longs
from evalign.kernels.edges import EdgeColumns, count_matched
from forms import both_forms, column

columns, match = both_forms("conllu_columns_cy"), both_forms("match_cy")
EDGE = st.tuples(st.integers(0, 6), st.sampled_from([-1, -1, -1, 0, 1]), st.integers(0, 2))
WORDS = st.lists(st.lists(EDGE, max_size=4), max_size=5)


def cuts_of(sizes):
    return column(list(accumulate(sizes, initial=0)))


def settle(kernel, sentences):
    words = [word for sentence in sentences for word in sentence]
    edges = [edge for word in words for edge in word]
    cuts, first = cuts_of(list(map(len, words))), ints(1)
    heads, nodes, paths = (column([edge[k] for edge in edges]) for k in range(3))
    counts = kernel.settle_edges(cuts_of(list(map(len, sentences))), cuts, heads, nodes, paths, first)
    return (
        counts,
        first[0],
        [list(zip(heads[a:b], paths[a:b], strict=True)) for a, b in pairwise(cuts)],
    )


@given(st.lists(WORDS, max_size=3))
def test_edges_from_empty_nodes_are_left_out(columns, sentences):
    wanted, first_outside, n_words = [], None, 0
    for sentence in sentences:
        for word in sentence:
            kept = []
            for head, node, path in word:
                if node < 0:
                    place = ROOT if not head else n_words + head - 1 if head <= len(sentence) else OUTSIDE
                    kept.append((place, path))
                    if place == OUTSIDE and first_outside is None:
                        first_outside = len(wanted)
            wanted.append(kept)
        n_words += len(sentence)
    (empty, outside), first, found = settle(columns, sentences)
    assert found == wanted
    assert empty == sum(node >= 0 for sentence in sentences for word in sentence for _, node, _ in word)
    assert outside == sum(head == OUTSIDE for word in wanted for head, _ in word)
    assert first_outside is None or first == first_outside


SIDE = st.lists(
    st.lists(st.tuples(st.sampled_from([ROOT, OUTSIDE, 0, 1, 2]), st.integers(0, 1)), max_size=4), max_size=3
)


@given(SIDE, SIDE, st.permutations(range(3)), st.sampled_from([0, 3, 100]))
def test_edges_match_once_or_all_with_all(match, gold, system, order, most):
    partners = [order[k] if order[k] < len(system) else -1 for k in range(3)][: len(gold)]
    known = {k: partner for k, partner in enumerate(partners) if partner >= 0}

    def moved(edge):
        head, path = edge
        return (head if head == ROOT else known.get(head, "nothing"), path)

    sides = []
    for side in (gold, system):
        # A head is a word of its own side.
        kept = [[(h if h < len(side) else OUTSIDE, p) for h, p in word] for word in side]
        flat = [edge for word in kept for edge in word]
        sides.append(
            (
                kept,
                [cuts_of(list(map(len, kept))), column([h for h, _ in flat]), column([p for _, p in flat])],
            )
        )
    (gold, gold_columns), (system, system_columns) = sides
    for once in (True, False):
        right = longs(len(gold))
        taken = flags(len(system_columns[1]))
        left = match.match_edges(*gold_columns, *system_columns, column(partners), taken, once, most, right)
        assert left == list(right).count(-1)
        for k, partner in enumerate(partners):
            if partner < 0:
                assert right[k] == 0
                continue
            if len(gold[k]) * len(system[partner]) > most:
                assert right[k] == -1
                continue
            a, b = Counter(map(moved, gold[k])), Counter(system[partner])
            shared = {key for key in a if key in b and key[0] != OUTSIDE}
            assert right[k] == sum(min(a[key], b[key]) if once else a[key] * b[key] for key in shared)
    both = EdgeColumns(*gold_columns), EdgeColumns(*system_columns)
    for once in (True, False):
        one_by_one = count_matched(*both, column(partners), once=once).tolist()
        assert count_matched(*both, column(partners), once=once, max_pairs=0).tolist() == one_by_one


def test_very_many_edges_of_a_word_neither_overflow_nor_take_forever():
    n = 100_000
    edges = EdgeColumns(column([0, n]), column([ROOT] * n), column([0] * n))
    assert count_matched(edges, edges, column([0]), once=True).tolist() == [n]
    assert count_matched(edges, edges, column([0]), once=False).tolist() == [n * n]
