"""Feeds find the same sentences piece by piece that the reader finds in the whole input."""

import gzip
import io
import itertools

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.options import DEFAULT_OPTIONS, ScoreOptions
from evalign.readers.chunks import ChunkReader, read_chunk
from evalign.readers.content import load
from evalign.readers.formats import FORMATS, read_source
from evalign.readers.sentence_ends import open_finder
from evalign.text import WHITE_SPACE, Text
from readers.conllu_text import row, sentence

pytestmark = pytest.mark.once

FORMS = st.text(st.sampled_from("ab-.#é字𝄞\xa0\u2028\u3000\x85 \x1f"), min_size=1, max_size=4)
COMMENTS = st.sampled_from(["# sent_id = 1\n", "# newdoc id = x\n", "#\n", "# text = a b\n", "# 1-2\ta\n"])
CHUNKS = st.one_of(st.integers(1, 9), st.integers(10, 200), st.just(1 << 22))
LINE_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


@st.composite
def conllu_sentences(draw):
    """Comments, rows and an empty line; or comments and nodes alone, which are no sentence."""
    lines = draw(st.lists(COMMENTS, max_size=2))
    number = 1
    lines += [row("0.1", draw(FORMS))] if draw(st.booleans()) else []
    for _ in range(draw(st.sampled_from([0, 1, 1, 2, 3]))):
        kind = draw(st.sampled_from(["word", "word", "range", "node"]))
        if kind == "range":
            size = draw(st.integers(1, 3))
            ids = draw(st.sampled_from(["{}-{}", "{}-{}", "0{}-{}", "+{}-{}", "{}-0_{}"]))
            lines.append(row(ids.format(number, number + size - 1), draw(FORMS)))
            for _ in range(size):
                lines.append(row(number, draw(FORMS)))
                lines += [row(f"{number}.1", draw(FORMS))] if draw(st.booleans()) else []
                number += 1
            continue
        lines.append(row(number, draw(FORMS)))
        lines += [row(f"{number}.1", draw(FORMS))] if kind == "node" else []
        number += 1
    return "".join(lines) + "\n" * draw(st.sampled_from([1, 1, 1, 2]))


@st.composite
def conllu_texts(draw):
    return "".join(draw(st.lists(conllu_sentences(), max_size=6)))


PLAIN_LINES = st.text(st.sampled_from("ab \té字𝄞\xa0\u2028\u200b\x1f\x0c"), max_size=6).map(
    lambda text: text + "\n"
)


def plain_texts():
    return st.lists(PLAIN_LINES, max_size=8).map("".join)


@st.composite
def trees(draw, depth=0):
    """A tree that may go on in any column of the next line."""
    space = st.sampled_from([" ", " ", "\n", "\n  ", ""]) if depth else st.sampled_from([" ", "\n "])
    if depth > 2 or (depth and draw(st.booleans())):
        tag, word = (
            draw(st.sampled_from(["A", "B", "-NONE-"])),
            draw(st.sampled_from(["a", "字", "b\xa0c", "07"])),
        )
        return f"({tag} {word})"
    inside = draw(st.lists(trees(depth + 1), max_size=3))
    # Labels of trees and those within them differ: by these a reader knows what goes on in the first column.
    label = draw(st.sampled_from(["NP", "VP", ""] if depth else ["S", "ROOT"]))
    return f"({label}" + "".join(draw(space) + tree for tree in inside) + ")"


@st.composite
def tree_texts(draw):
    between = st.sampled_from(["\n", "\n", "\n\n", " ", "", "\n-0.5 ", " \n \n"])
    return "".join(draw(st.lists(st.tuples(trees(), between).map("".join), max_size=6)))


@st.composite
def numbered_trees(draw):
    """Words at the leaves, or behind the tree; of some the numbers are no order."""
    size = draw(st.integers(1, 4))
    numbers = draw(st.sampled_from([draw(st.permutations(range(size))), list(range(size)), [0] * size]))
    words = [draw(st.sampled_from(["a", "bc", "#LRB#", "字"])) for _ in range(size)]
    return numbers, words


@st.composite
def discbracket_texts(draw):
    is_behind = draw(st.booleans())
    lines = []
    # Of the first tree the form is told.
    for numbers, words in [([0, 1], ["a", "b"]), *draw(st.lists(numbered_trees(), max_size=5))]:
        if is_behind:
            leaves = "".join(f"(A {number})" for number in numbers)
            lines.append(f"(S {leaves})\t{' '.join(words).replace('#LRB#', '(')}\n")
        else:
            space = draw(st.sampled_from(["", " ", "\n  "]))
            leaves = "".join(f"{space}(A {number}={words[number]})" for number in numbers)
            lines.append(f"(S{leaves}){draw(st.sampled_from([chr(10), chr(10), ' ', chr(10) * 2]))}")
    return "".join(lines)


@st.composite
def export_texts(draw):
    lines = draw(st.sampled_from([["#FORMAT 3"], [], ["%% x", "#BOT ORIGIN", "1 a", "#EOT ORIGIN"]]))
    for number in range(draw(st.integers(0, 5))):
        words = draw(st.lists(st.sampled_from(["a", "字", "(", "#50"]), max_size=3))
        parent = draw(st.sampled_from([0, 500, 500, 501]))  # nobody is called 501
        rows = [f"{word}\tA\t--\t--\t{parent}" for word in words]
        end = draw(st.sampled_from([[f"#EOS {number}"], [f"#EOS {number}"], [], ["#EOS 9"]]))
        rest = draw(st.sampled_from([[], [""], ["%% y"], ["between"]]))
        lines = [*lines, f"#BOS {number}", *rows, "#500\tNP\t--\t--\t0", *end, *rest]
    return "".join(line + "\n" for line in lines)


TEXTS = {
    "conllu": conllu_texts(),
    "plain": plain_texts(),
    "trees": tree_texts(),
    "discbracket": discbracket_texts(),
    "export": export_texts(),
}


@st.composite
def inputs(draw):
    """A text of some format as bytes, with what files have around it."""
    format = draw(st.sampled_from(sorted(TEXTS)))
    text = draw(TEXTS[format])
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    data = text.replace("\n", draw(LINE_ENDS)).encode()
    return format, draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + data


def take_all(feed, sizes):
    """All slices, of so many sentences in turn, and what was said of the ends of all sentences."""
    parts, ends, before = [], [], 0
    sizes = itertools.cycle(sizes)
    wanted = next(sizes)
    while True:
        while len(feed.sentence_ends) < wanted and not feed.at_end:
            feed.read_more()
        k = min(wanted, len(feed.sentence_ends))
        taken = feed.sentence_ends[:k]
        part = feed.peek_chunk(k)
        assert feed.take_chunk(k) == part
        parts.append((part, k))
        ends += (taken + before).tolist()
        before = ends[-1] if ends else 0
        if part.is_last:
            return parts, ends
        wanted = next(sizes)


def error_or(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except InputError as error:
        return error


def read_parts(data, format, sizes, chunk, options=DEFAULT_OPTIONS, *, sniff_bytes=1 << 22):
    """Slices with their numbers of sentences, the ends of all sentences, and documents with these numbers again."""
    reader = ChunkReader(io.BytesIO(data), format, options, chunk=chunk, sniff_bytes=sniff_bytes)
    parts, ends = take_all(reader, sizes)
    return parts, ends, [(read_chunk(part, options), k) for part, k in parts]


def check_feed(data, format, sizes=(1,), chunk=1 << 22, *, sniff_bytes=1 << 22, **options):
    """Sentences that are found piece by piece are those of the reader, and chunks have them."""
    whole = error_or(read_source, io.BytesIO(data), format, ScoreOptions(**options))
    found = error_or(read_parts, data, format, sizes, chunk, ScoreOptions(**options), sniff_bytes=sniff_bytes)
    if isinstance(whole, InputError) or isinstance(found, InputError):
        assert str(found) == str(whole)
        return
    parts, ends, read = found
    assert b"".join(part.data for part, _ in parts) == data
    assert [part.start for part, _ in parts][1:] == [part.end for part, _ in parts][:-1]
    assert ends == whole.sentence_cuts[1:].tolist()
    assert "".join(document.line for document, _ in read) == whole.line
    for document, k in read:
        assert document.n_sentences == k
    for name in ("cuts", "sentences"):
        steps = [np.diff(getattr(document, name)) for document, _ in read]
        assert np.concatenate(steps).tolist() == np.diff(getattr(whole, name)).tolist()
    assert [number for document, _ in read for number in document.linenos.tolist()] == whole.linenos.tolist()


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=3)


@given(inputs(), SIZES, CHUNKS)
@example(("conllu", sentence("a", "b").encode()[:-1]), [1], 1)
@example(("conllu", b""), [1], 1)
@example(("trees", b" "), [1], 1)
@example(("plain", "\ufeff".encode()), [1], 1)
@example(("plain", b"a\r\r\nb\r"), [1], 2)
def test_a_feed_finds_the_sentences_of_the_reader(given, sizes, chunk):
    format, data = given
    check_feed(data, format, sizes, chunk)


@given(st.one_of(conllu_texts(), plain_texts()), SIZES, CHUNKS)
def test_a_strict_feed_counts_as_the_strict_reader(text, sizes, chunk):
    format = "conllu" if "\t_\t" in text else "plain"
    check_feed(text.encode(), format, sizes, chunk, strict=True)


@given(tree_texts(), SIZES, CHUNKS)
def test_empty_elements_are_sentences_where_they_are_kept(text, sizes, chunk):
    check_feed(text.encode(), "trees", sizes, chunk, empty="keep")


@given(inputs(), st.integers(1, 60))
def test_all_is_the_same_if_little_is_looked_at_first(given, n_telling):
    format, data = given
    if b"\n" not in data[:n_telling] or b"\r" in data or format not in ("conllu", "plain", "export"):
        return
    check_feed(data, format, [1], 3, sniff_bytes=n_telling)


GOOD_TREES = ["(S (A a) (B b))\n", "(S (A c))\n", "(S\n  (A d)\n  (B e))\n", "-0.5 (S (A f))\n"]
BROKEN_TREES = [
    "(S (A a)\n",
    "(S (A a) (NP\n",
    "(S (A a b))\n",
    "(S (A a) b)\n",
    "(())\n",
    "\n",
    "words\n",
    "(S (-NONE- *))\n",
]


@given(st.lists(st.sampled_from(GOOD_TREES + BROKEN_TREES), max_size=8), SIZES, CHUNKS)
@example(["(S (A a)\n", "(S (A c))\n"], [1], 1)
@example(["(S (A c))\n", "(S (A a)\n", "-0.5 (S (A f))\n", "(S (A c))\n"], [1], 1)
def test_a_broken_tree_ends_where_the_next_one_begins(lines, sizes, chunk):
    check_feed("".join(lines).encode(), "trees", sizes, chunk)


def test_trees_that_go_on_in_the_first_column_are_not_torn():
    tree = "(S\n(NP\n(A a)\n(B b))\n(VP (C c)))\n"
    check_feed((tree * 3).encode(), "trees", [1], 7)


def test_trees_may_all_stand_on_one_line():
    check_feed(b"(S (A a)) (S (B b))(S (C c)) )(S (A d)\n (B e)) (S (C f))", "trees", [1], 7)


def test_a_tree_that_is_never_closed_does_not_hold_up_the_others():
    good = "(S (A a))\n"
    feed = ChunkReader(Text(good + "(S (A a)\n" + good * 1000), chunk=100)
    for _ in range(20):
        feed.read_more()
    assert not feed.at_end
    assert feed.take_chunk(2).data.decode() == good + "(S (A a)\n" + good


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"1\ta\n\n1 a _ _\n\n2\n\n\t\n#\n", "conllu"),
        (b"1-x\ta\t\n1-\t\t\n-\t\n--\t\n.\t\n1.\t\n\n", "conllu"),
        (b"1-999999999\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "conllu"),
        (b"\xff\xc3\n\xe2\x80\n\xc2", "plain"),
        (b"\xff\xc3\n(S (A \xe2\x80))", "trees"),
        (b"a\0b\n", "plain"),
        (b"))) ((( (A\n", "trees"),
        (b"#BOS 1\n#BOS\n#EOS", "export"),
        (b"#FORMAT 9\n#BOS 1\n#EOS 1\n", "export"),
    ],
)
def test_what_cannot_be_read_is_left_to_the_reader(data, format):
    for chunk in (1, 5, 1 << 22):
        check_error(data, format, chunk)


def check_error(data, format, chunk):
    expected = error_or(read_source, io.BytesIO(data), format)
    found = error_or(read_parts, data, format, [1], chunk)
    # How many more lines are wrong in the same way is said of the slice.
    assert (found.place, found.expected) == (expected.place, expected.expected)


@given(st.binary(max_size=60), st.sampled_from(["conllu", "plain", "trees", "discbracket", "export"]), CHUNKS)
def test_any_bytes_come_to_an_end(data, format, chunk):
    try:
        parts, ends = take_all(ChunkReader(io.BytesIO(data), format, chunk=chunk), [1])
    except InputError:
        return
    assert b"".join(part.data for part, _ in parts) == data
    assert ends == sorted(ends)


def test_an_endless_line_is_one_sentence():
    feed = ChunkReader(io.BytesIO("é".encode() * 1001), chunk=7, sniff_bytes=10)
    feed.read_more()
    assert (feed.at_end, feed.sentence_ends.tolist(), feed.format) == (True, [1001], "plain")


def test_bytes_are_told_by_path_where_others_can_read_them(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes((sentence("a", "b") * 3).encode())
    with ChunkReader(path, chunk=10) as feed:
        feed.read_more()
        first = feed.take_chunk(1)
        while not feed.at_end:
            feed.read_more()
        rest = feed.take_chunk(2)
    assert (first.path, first.data, first.start, first.lineno) == (str(path), None, 0, 1)
    assert (rest.start, rest.end, rest.lineno, rest.is_last) == (first.end, path.stat().st_size, 4, True)
    assert read_chunk(rest).tokens() == ["a", "b"] * 2
    assert not feed._kept


def test_bytes_that_were_taken_are_not_kept(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"a b\n" * 1000))
    feed = ChunkReader(path, chunk=40)
    most = 0
    while not feed.at_end:
        feed.read_more()
        most = max(most, sum(len(piece.data) for piece in feed._kept))
        part = feed.take_chunk(len(feed.sentence_ends))
        assert part.data.startswith(b"a b\n")
    assert most <= 120


def test_the_last_slice_has_what_is_behind_the_last_sentence():
    data = b"a\n\n\nb\n\n  \n\n"
    for chunk in range(1, len(data) + 1):
        parts, _ = take_all(ChunkReader(io.BytesIO(data), "plain", chunk=chunk), [1])
        assert [part.data for part, _ in parts] == [b"a\n", b"\n\nb\n\n  \n\n"]
        assert [part.is_last for part, _ in parts] == [False, True]


def test_an_input_without_a_sentence_is_one_slice():
    for data, format in [(b"", "plain"), (b"# a\n\n# b\n", "conllu"), (b"\n \n", "trees")]:
        feed = ChunkReader(io.BytesIO(data), format, chunk=2)
        feed.read_more()
        part = feed.take_chunk(0)
        assert (feed.at_end, len(feed.sentence_ends), part.data, part.is_last) == (True, 0, data, True)


def test_a_slice_is_not_taken():
    feed = ChunkReader(Text("a\nbc\nd\n"))
    feed.read_more()
    assert feed.peek_chunk(2).data == b"a\nbc\n"
    assert feed.sentence_ends.tolist() == [1, 3, 4]
    assert feed.take_chunk(1) != feed.take_chunk(1)
    assert feed.sentence_ends.tolist() == [1]


@pytest.mark.parametrize("k", [-1, 4])
def test_sentences_that_are_not_there_cannot_be_taken(k):
    feed = ChunkReader(Text("a\nbc\nd\n"))
    feed.read_more()
    with pytest.raises(ValueError, match=f"{k} of 3 sentences"):
        feed.take_chunk(k)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (sentence("a"), "conllu"),
        ("a b\n", "plain"),
        ("(S (A a))", "trees"),
        ("(S (A 0=a))", "discbracket"),
        ("(S (A 0))\ta\n", "discbracket"),
        ("#BOS 1\na\tA\t--\t--\t0\n#EOS 1\n", "export"),
        ("", "plain"),
    ],
)
def test_the_format_is_found(text, format):
    assert ChunkReader(Text(text)).format == format


def test_the_format_is_found_from_whole_lines():
    assert ChunkReader(Text(sentence("a", "b")), sniff_bytes=30).format == "conllu"


def test_a_stand_off_table_is_refused_by_name():
    with pytest.raises(CommandError, match=r"x\.tsv is a stand-off table and cannot be read in parts"):
        ChunkReader(Text("start\tend\tlabel\n0\t1\tA\n", "x.tsv"))


@pytest.mark.parametrize("format", ["standoff", "other"])
def test_sentences_of_no_other_format_are_looked_for_as_if_it_were_trees(format):
    with pytest.raises(CommandError, match=f"a is of the format {format} and cannot be read in parts"):
        open_finder(load(Text("(S (A a))", "a")), format, ScoreOptions())


@pytest.mark.parametrize("format", sorted({*FORMATS} - {"standoff"}))
def test_every_format_but_tables_is_read_in_chunks(format):
    reader = ChunkReader(Text("", "x"), format)
    reader.read_more()
    assert reader.at_end


def test_a_format_that_does_not_exist_is_named():
    with pytest.raises(CommandError, match='unknown format "x"'):
        ChunkReader(Text("a"), "x")


def test_white_space_is_counted_nowhere():
    text = "".join(
        f"{number}\ta{space}b\t_\t_\t_\t_\t_\t_\t_\t_\n"
        for number, space in enumerate(WHITE_SPACE.replace("\t", "").replace("\n", "").replace("\r", ""), 1)
    )
    for format, data in [("conllu", text), ("plain", text.replace("\t", " "))]:
        check_feed(data.encode(), format)


def test_the_size_is_told_where_it_is_known(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b\n" * 10)
    assert ChunkReader(Text("a b\n")).size == 4
    with ChunkReader(path, sniff_bytes=10) as feed:
        assert feed.size == 40
    assert ChunkReader(Text("a b\n" * 10), sniff_bytes=10).size == 0


@pytest.mark.large
@pytest.mark.parametrize("name", ["systems/udpipe/Chinese-GSD.conllu", "constituency/gum/gold.mrg"])
def test_a_file_fed_is_the_file_read(data, name):
    whole = read_source(data / name)
    parts, ends = take_all(ChunkReader(data / name, chunk=50_000), [7, 100])
    assert ends == whole.sentence_cuts[1:].tolist()
    documents = [read_chunk(part) for part, _ in parts]
    assert "".join(document.line for document in documents) == whole.line
    assert [
        number for document in documents for number in document.linenos.tolist()
    ] == whole.linenos.tolist()
    assert len(parts) > 2
