"""A file read slice by slice reports the same about every line as one read at once."""

import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.errors import InputError
from evalign.options import DEFAULT_OPTIONS, ScoreOptions
from evalign.readers.chunks import Chunk, load_chunk, read_chunk
from evalign.readers.content import load
from evalign.readers.formats import read_content
from readers.conllu_text import row, sentence

pytestmark = pytest.mark.once

BOM = b"\xef\xbb\xbf"


def deps(number, head, edges):
    return f"{number}\tw\t_\t_\t_\t_\t{head}\t_\t{edges}\t_\n"


# Stretches of lines that a file may be cut between, many of which are remarked on.
CONLLU = [
    "# sent_id = 1\n" + sentence("A", "b"),
    "# newdoc id = x\n# text = c\n" + sentence("É", "字"),
    row("1-2", "del", "_") + row(1, "de", 0) + row(2, "el", 1) + "\n",
    row("1-2", "al", "_") + row(7, "a", 0) + row(9, "el", 1) + "\n",
    row("1-2", "al", "_") + row(1, "a", 0) + row("1.1", "x") + row(2, "el", 1) + "\n",
    row("+1", "a", 0) + row("2", "b", 1) + "\n",
    row(1, "a", 9) + "\n",
    row(1, "a") + row(2, "b", 0) + "\n",
    row(1, "a", 2) + row(2, "b", 1) + "\n",
    row(1, "a", 0) + row(2, "b", 0) + "\n",
    row(1, "a", 0) + row("2", "\u3000", 1) + "\n",
    deps(1, 0, "0:root") + deps(2, 1, "nothing") + "\n",
    deps(1, 0, "0:root|7:dep") + deps(2, 1, "1:dep") + "\n",
    "\n",
    "# nothing below\n\n",
]
# Empty lines belong to the sentence that follows.
PLAIN = ["A b .\n", "C \u3000 d .\n", "\nE\n", "\n\n   \nf g\n", "é\xa0è .\n"]
TREES = [
    "(S (NP (PRP We)) (VP (VBP go)))\n",
    "( (S (NP (PRP I)) (VP (VBP stay)) (. .)) )\n",
    "(())\n",
    "(S (NN a) (-NONE- *T*))\n",
    "(S (NN a )(NN b))\n",
    "(S (NN a)))\n",
    "(S (NN a)) outside\n",
    "(S (NP the cat))\n",
    "(S (NP the (NN cat)))\n",
]
DISCBRACKET = [
    "(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John))\n",
    "(S (VP (VB 0) (JJ 2)) (NP 1))\tis John rich\n",
    "(S (NN 1=a))\n",
    "(S (NN 0=a)))\n",
    "(S (NN 0=#LRB#))\n",
]
EXPORT = [
    "#BOS 1\nis VB -- -- 500\nJohn NP -- -- 0\nrich JJ -- -- 500\n#500 VP -- -- 0\n#EOS 1\n",
    "%% a comment\n#BOS 2\na NN -- -- 0\n#EOS 2\n",
    "#BOS 3\na NN -- -- 501\n#EOS 3\n",
    "#BOS 4\na NN -- -- 0\n#EOS 5\n",
    "#BOS 6\n#EOS 6\n",
    "lost\n",
]
BLOCKS = {
    "conllu": CONLLU,
    "conllx": CONLLU[:10],
    "plain": PLAIN,
    "trees": TREES,
    "discbracket": DISCBRACKET,
    "export": EXPORT,
}


def cut(name, blocks, format, newline=b"\n", n_cuts=(), bom=b""):
    """Slices of a file of these blocks, cut before the blocks of these numbers, and all of its bytes."""
    written = [block.encode("utf-8").replace(b"\n", newline) for block in blocks]
    written[0] = bom + written[0]
    bounds = sorted({0, len(blocks), *(number % len(blocks) for number in n_cuts)})
    found, start, lineno = [], 0, 1
    for first, last in pairwise(bounds):
        data = b"".join(written[first:last])
        is_last = last == len(blocks)
        ends = "cr" if newline == b"\r" else "lf"
        found.append(Chunk(name, format, "", start, start + len(data), lineno, ends, is_last, data))
        start += len(data)
        lineno += sum(block.count("\n") for block in blocks[first:last])
    return found, b"".join(written)


def opened(data, name="file"):
    file = io.BytesIO(data)
    file.name = name
    return load(file)


def joined(lists):
    """Remarks of slices as one: times are added, places follow one another."""
    found = {}
    for remark in (remark for remarks in lists for remark in remarks):
        times, places = found.get((remark.kind, remark.message), (0, ()))
        found[remark.kind, remark.message] = times + remark.times, (*places, *remark.places)
    return found


def assert_same_remarks(lists, whole):
    found, expected = joined(lists), joined([whole])
    assert found.keys() == expected.keys()
    for key, (times, places) in expected.items():
        assert found[key][0] == times, key
        assert places == found[key][1][: len(places)], key


def read_whole(data, format, options=DEFAULT_OPTIONS):
    return read_content(opened(data), format, options)


@pytest.mark.parametrize("format", BLOCKS)
@given(st.data())
def test_slices_have_the_lines_and_remarks_of_the_whole(format, data):
    blocks = [BLOCKS[format][0], *data.draw(st.lists(st.sampled_from(BLOCKS[format]), max_size=12))]
    newline = data.draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    cuts = data.draw(st.lists(st.integers(0, 20), max_size=4))
    if data.draw(st.booleans()) and format != "export":
        blocks[-1] = blocks[-1].removesuffix("\n") or "\n"
    slices, text = cut("file", blocks, format, newline, cuts, data.draw(st.sampled_from([b"", BOM])))
    whole = read_whole(text, format)
    parts = [read_chunk(part) for part in slices]
    assert "".join(part.line for part in parts) == whole.line
    assert [n for part in parts for n in part.linenos.tolist()] == whole.linenos.tolist()
    assert sum(part.n_sentences for part in parts) == whole.n_sentences
    before = np.cumsum([0, *(part.n_sentences for part in parts)]).tolist()
    for name in ("paragraphs", "documents"):
        breaks = [
            first + at
            for first, part in zip(before, parts, strict=False)
            for at in getattr(part, name).sentences.tolist()
        ]
        assert breaks == getattr(whole, name).sentences.tolist()
    assert_same_remarks([part.remarks for part in parts], whole.remarks)
    if whole.columns is not None:
        assert [n for part in parts for n in part.columns.linenos.tolist()] == whole.columns.linenos.tolist()
        for name in ("tree_remarks", "edge_remarks"):
            assert_same_remarks([getattr(part.columns, name) for part in parts], getattr(whole.columns, name))


# A stretch of lines that the reader refuses, by format and whether it is strict.
REFUSED = [
    ("conllu", False, "1\ta\n2\tb\tc\nd\n\n"),
    ("conllu", False, row(1, "a", 0) + "# inside\n" + row(2, "b", 1) + "\n"),
    ("conllu", False, row(1, "a", 0) + row(3, "b", 1) + "\n"),
    ("conllu", False, row("2-3", "a", 0) + "\n"),
    ("conllu", False, row("1-3", "a", 0) + row(1, "b", 0) + "\n"),
    ("conllu", False, row(1, "a\rb", 0) + "\n"),
    ("conllu", True, row(1, "a", 9) + "\n"),
    ("conllu", True, row(1, "a", 2) + row(2, "b", 1) + "\n"),
    ("conllu", True, row(1, "a", 0) + row(2, "b", 0) + "\n"),
    ("conllu", True, row(1, "a", "x") + "\n"),
    ("conllu", True, "\n"),
    ("conllx", False, "1\ta\n\n"),
    ("trees", True, "(S (NP the cat))\n"),
    ("trees", True, "(S (NP the (NN cat)))\n"),
    ("discbracket", True, "(S (NN 1=a))\n"),
    ("export", True, "#BOS 3\na NN -- -- 501\n#EOS 3\n"),
    ("export", True, "#BOS 3\na NN\n#EOS 3\n"),
    ("export", True, "#BOS 3\n"),
]


@pytest.mark.parametrize(("format", "strict", "bad"), REFUSED)
@pytest.mark.parametrize("before", [1, 5])
def test_a_slice_is_refused_in_the_words_of_the_whole(format, strict, bad, before):
    good = BLOCKS[format][0]
    after = "" if bad == "#BOS 3\n" else good
    slices, text = cut("file", [good] * before + [good, bad, after], format, n_cuts=[before])
    with pytest.raises(InputError) as whole:
        read_whole(text, format, ScoreOptions(strict=strict))
    read_chunk(slices[0], ScoreOptions(strict=strict))
    with pytest.raises(type(whole.value)) as part:
        read_chunk(slices[1], ScoreOptions(strict=strict))
    assert str(part.value) == str(whole.value)
    assert part.value.place.lineno > before * good.count("\n")


def test_other_lines_that_an_error_names_are_lines_of_the_file():
    good, bad = sentence("A"), "1\ta\n2\tb\n\n"
    slices, _ = cut("file", [good] * 9 + [bad], "conllu", n_cuts=[9])
    with pytest.raises(InputError, match=r"^file:19: .*; 2 such lines, the first at 19, 20"):
        read_chunk(slices[1])


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("bad", ["\udcff\n", "a\0b\n", "\udce9"])
def test_bytes_that_are_no_text_have_their_number_in_the_file(newline, bad):
    lines = [
        line.encode("utf-8", "surrogateescape").replace(b"\n", newline) for line in ("a é\n", "b\n", bad)
    ]
    text = b"".join(lines)
    with pytest.raises(InputError) as whole:
        load(io.BytesIO(text))
    start = len(lines[0])
    ends = "cr" if newline == b"\r" else "lf"
    with pytest.raises(InputError) as part:
        load_chunk(Chunk("<file>", "plain", "", start, len(text), 2, ends, True, text[start:]))
    assert str(part.value) == str(whole.value)
    assert part.value.place.lineno == 3


def test_a_byte_order_mark_is_one_at_the_beginning_alone():
    data = BOM + b"a\n"
    first = load_chunk(Chunk("f", "plain", "", 0, 5, 1, "lf", False, data))
    later = load_chunk(Chunk("f", "plain", "", 7, 12, 3, "lf", True, data))
    assert [remark.kind for remark in first.remarks] == ["bom"]
    assert (first.data, later.data, later.remarks) == (b"a\n", data, ())


def test_a_carriage_return_is_a_line_end_only_where_the_whole_file_has_no_other():
    given = Chunk("f", "plain", "", 4, 9, 3, "lf", True, b"a\rb c")
    remarks = load_chunk(given).remarks
    assert [str(remark) for remark in remarks] == [
        "f:3: carriage return inside a line, taken as white space",
        "f:3: no newline at the end of the file",
    ]
    assert read_chunk(given._replace(line_ends="cr")).linenos.tolist() == [3, 4]


def test_only_the_last_slice_can_lack_a_newline():
    given = Chunk("f", "plain", "", 4, 7, 3, "lf", False, b"a b")
    assert load_chunk(given).remarks == ()
    assert [remark.kind for remark in load_chunk(given._replace(is_last=True)).remarks] == [
        "no-final-newline"
    ]


def test_a_slice_is_read_from_its_path(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b\nc d\ne\n")
    content = load_chunk(Chunk("mine", "plain", str(path), 4, 8, 2, "lf", False))
    assert (content.name, content.data, content.lineno) == ("mine", b"c d\n", 2)


def test_a_file_that_has_changed_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a b\nc\n")
    with pytest.raises(InputError, match=r"^mine: 2 bytes from byte 4 on, where there were 4\n"):
        load_chunk(Chunk("mine", "plain", str(path), 4, 8, 2, "lf", False))
    path.unlink()
    with pytest.raises(InputError, match=r"^mine: no such file\n"):
        load_chunk(Chunk("mine", "plain", str(path), 4, 8, 2, "lf", False))


def test_more_lines_than_32_bits_count():
    document = read_chunk(Chunk("f", "plain", "", 9, 13, 2**31, "lf", True, b"a\nb\n"))
    assert document.linenos.tolist() == [2**31, 2**31 + 1]
    assert str(document.place_of(1)) == f"f:{2**31 + 1}"
    columns = read_chunk(
        Chunk("f", "conllu", "", 9, 9 + len(sentence("a")), 2**40, "lf", True, sentence("a").encode())
    ).columns
    assert columns.linenos.tolist() == [2**40]


def test_empty_nodes_of_a_slice_are_collapsed_with_true_lines():
    nodes = "".join(deps(f"1.{k}", "_", "|".join(f"1.{j}:x" for j in range(1, 9))) for k in range(1, 9))
    text = row(1, "a", 0).replace("\t_\t_\n", "\t1.1:x\t_\n") + nodes + "\n"
    slices, whole = cut("file", [sentence("a"), text], "conllu", n_cuts=[1])
    remarks = read_chunk(slices[1], ScoreOptions(collapse_empty_nodes=True)).remarks
    assert remarks == read_whole(whole, "conllu", ScoreOptions(collapse_empty_nodes=True)).remarks
    assert remarks[0].places[0].lineno == 3


@pytest.mark.parametrize("format", ["trees", "discbracket", "export"])
def test_what_follows_on_sentences_may_have_none(format):
    bad = {"trees": "(S (NP the cat))\n", "discbracket": "(S (NN 1=a))\n", "export": EXPORT[2]}[format]
    slices, whole = cut("file", [BLOCKS[format][0], bad], format, n_cuts=[1])
    rest = read_chunk(slices[1])
    assert rest.n_sentences == 0
    assert rest.remarks == read_whole(whole, format).remarks
    with pytest.raises(InputError):  # of a whole file it is said
        read_whole(bad.encode(), format)


def test_words_that_look_like_numbered_leaves_are_words_behind_the_first_tree():
    slices, whole = cut("file", [TREES[0], "(S (NN 0=a))\n"], "trees", n_cuts=[1])
    assert read_chunk(slices[1]).tokens() == ["0=a"]
    assert read_whole(whole, "trees").tokens() == ["We", "go", "0=a"]


def test_the_columns_of_an_export_file_are_known_behind_its_header():
    header = "#FORMAT 4\n#BOT ORIGIN\n0 x\n#EOT ORIGIN\n"
    body = "#BOS 1\nis\n{}\tbe\tVB\t--\tHD\t500\n#500\t--\tVP\t--\t--\t0\n#EOS 1\n"
    good = body.format("is").replace("is\n", "")
    slices, whole = cut("file", [header, good, body.format("is"), good], "export", n_cuts=[2])
    whole = read_whole(whole, "export")
    parts = [read_chunk(part) for part in slices]
    assert [n for part in parts for n in part.linenos.tolist()] == whole.linenos.tolist() == [6, 15]
    assert_same_remarks([part.remarks for part in parts], whole.remarks)


def test_a_real_file_in_slices_is_the_same(data):
    path = next(iter(sorted((data / "systems" / "udpipe").rglob("*.conllu"))))
    text = path.read_bytes()
    ends = [at + 2 for at in range(len(text)) if text.startswith(b"\n\n", at)]
    bounds = [0, *ends[49:-1:50], len(text)]
    slices = [
        Chunk(str(path), "conllu", str(path), a, b, text.count(b"\n", 0, a) + 1, "lf", b == len(text))
        for a, b in pairwise(bounds)
    ]
    assert len(slices) > 3
    whole = read_content(load(path), "conllu")
    parts = [read_chunk(part) for part in slices]
    linenos = np.concatenate([part.linenos for part in parts])
    assert linenos.tolist() == whole.linenos.tolist()
    assert np.concatenate([part.columns.linenos for part in parts]).tolist() == whole.columns.linenos.tolist()
    assert_same_remarks([part.remarks for part in parts], whole.remarks)
    assert_same_remarks([part.columns.tree_remarks for part in parts], whole.columns.tree_remarks)
