"""Columns of CoNLL-U become numbers: both forms against a plain reading of the rows."""

from hypothesis import given, strategies as st

from evalign.kernels import load_plain
from evalign.kernels.buffers import ints, long_rows, longs
from forms import both_forms, column

kernel = both_forms("conllu_columns_cy")
LABELS = st.text(st.sampled_from("abé_=|:>. 1"), max_size=20)
HEADS = st.one_of(
    st.integers(0, 12).map(str), st.sampled_from(["_", "", "+3", "x", "0123456789", "-1", "__"])
)
EDGES = st.lists(
    st.one_of(
        st.builds("{}:{}".format, st.integers(0, 9), st.sampled_from(["nsubj", "conj:and", "a>b:c", ""])),
        st.builds("{}.{}:{}".format, st.integers(0, 9), st.integers(0, 3), st.sampled_from(["dep", "x>y"])),
        st.sampled_from(["", "x:y", "3", "3.:a", ".1:a", "1234567890:a", "_", "2:a:b"]),
    ),
    min_size=1,
    max_size=4,
).map("|".join)
ROWS = st.lists(
    st.tuples(LABELS, LABELS, LABELS, LABELS, HEADS, LABELS, st.one_of(st.just("_"), EDGES)), max_size=12
)


def write(rows):
    """Rows as bytes, and where each begins."""
    starts, data = longs(len(rows)), b""
    for k, (lemma, upos, xpos, feats, head, deprel, deps) in enumerate(rows):
        starts[k] = len(data)
        columns = [str(k + 1), "form", lemma, upos, xpos, feats, head, deprel, deps, "_"]
        data += "\t".join(columns).encode() + b"\n"
    return data, starts


class Room:
    def __init__(self, kernel, n):
        self.ids, self.spans = ints(n), long_rows(n, 2)
        self.labels = kernel.LabelNumbers(self.ids, self.spans, ints(1 << (2 * n).bit_length()))

    def read(self, data, n):
        spans = [(self.spans[k, 0], self.spans[k, 1]) for k in range(self.labels.count())]
        distinct = [data[start:end].decode() for start, end in spans]
        assert len(set(distinct)) == len(distinct)
        return [distinct[k] for k in self.ids[:n]]


@given(ROWS)
def test_columns_say_what_the_rows_do(kernel, rows):
    data, starts = write(rows)
    rooms = [Room(kernel, len(rows)) for _ in range(5)]
    heads = ints(len(rows))
    labels = [room.labels for room in rooms]
    odd = kernel.read_columns(data, starts, *labels[:4], heads, labels[4])
    columns = list(zip(*rows, strict=True)) or [()] * 7
    for room, values in zip(rooms, (*columns[:4], columns[5]), strict=True):
        assert room.read(data, len(rows)) == list(values)
    codes = kernel.codes()
    plain = [head.isascii() and head.isdigit() and len(head) < 10 for head in columns[4]]
    unread = [codes["NO_HEAD"] if head == "_" else codes["ODD_HEAD"] for head in columns[4]]
    wanted = [int(h) if is_plain else no for h, is_plain, no in zip(columns[4], plain, unread, strict=True)]
    assert heads.tolist() == wanted
    assert odd == wanted.count(codes["ODD_HEAD"])


NO_SOURCE = load_plain("conllu_columns_cy").codes()["NO_SOURCE"]


def numbers_are_plain(text):
    return text.isascii() and text.isdigit() and len(text) < 10


def read_edge(written):
    """(head, node or -1, path); an odd one comes from nowhere, and its path is all that it says."""
    head, colon, path = written.partition(":")
    number, dot, node = head.partition(".")
    if not colon or not numbers_are_plain(number) or (dot and not numbers_are_plain(node)):
        return NO_SOURCE, -1, written
    return int(number), int(node) if dot else -1, path


@given(ROWS)
def test_edges_say_what_deps_does(kernel, rows):
    data, starts = write(rows)
    most = len(rows) + data.count(b"|")
    cuts, heads, nodes, paths = ints(len(rows) + 1), ints(most), ints(most), Room(kernel, most)
    odd, first_odd = kernel.read_edges(data, starts, cuts, heads, nodes, paths.labels)
    read = [[] if row[6] == "_" else [read_edge(edge) for edge in row[6].split("|")] for row in rows]
    flat = [edge for edges in read for edge in edges]
    assert [cuts[k + 1] - cuts[k] for k in range(len(rows))] == list(map(len, read))
    found = zip(heads[: len(flat)], nodes[: len(flat)], paths.read(data, len(flat)), strict=True)
    assert list(found) == flat
    odd_rows = [k for k, edges in enumerate(read) for edge in edges if edge[0] == NO_SOURCE]
    assert odd == len(odd_rows)
    assert not odd or first_odd == odd_rows[0]


def test_many_labels_that_share_their_first_bytes_are_told_apart(kernel):
    rows = [("x" * 16 + str(k % 700), "", "", "", "0", "", "_") for k in range(1500)]
    data, starts = write(rows)
    rooms = [Room(kernel, len(rows)).labels for _ in range(4)]
    lemma = Room(kernel, len(rows))
    kernel.read_columns(data, starts, lemma.labels, *rooms[:3], ints(len(rows)), rooms[3])
    assert lemma.labels.count() == 700
    assert lemma.read(data, len(rows)) == [row[0] for row in rows]


def test_numbers_are_translated_and_counted(kernel):
    ids, counts = column([2, 0, 2, 1]), longs(8)
    kernel.translate(ids, column([5, 7, 6]), ids)
    assert ids.tolist() == [6, 5, 6, 7]
    kernel.count_ids(ids, counts)
    assert counts.tolist() == [0, 0, 0, 0, 0, 1, 2, 1]
