"""Stand-off tables: spans and labels on their raw text."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.readers.content import load
from evalign.readers.formats import find_format, read_source
from evalign.readers.raw_files import read_raw, read_raws
from evalign.readers.standoff import GUARDED, read_standoff, read_table
from evalign.reports.formats import FORMULA_SIGNS, csv_cell
from evalign.reports.triples import render_triples
from evalign.scoring.extraction import extract
from evalign.text import WHITE_SPACE, Text, without_space

RAW = "Ada  met Bob\n\nin\u00a0Paris .\n"
TABLE = "0\t3\tperson\n9\t12\tperson\n17\t22\tplace\n"


def read(table, *raws, name="table.tsv"):
    """A table on raw texts, which have names where they are pairs."""
    texts = [
        Text(raw[1], raw[0]) if isinstance(raw, tuple) else Text(raw, "raw.txt") for raw in raws or (RAW,)
    ]
    return read_standoff(load(Text(table, name)), raws=read_raws(texts))


def rows(document):
    """Spans as text and label, in order."""
    spans = document.spans
    labels = [spans.labels.labels[number] for number in spans.labels.ids.tolist()]
    pieces = [document.line[a:b] for a, b in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)]
    return list(zip(pieces, labels, strict=True))


def test_the_raw_text_is_the_document():
    document = read(TABLE)
    assert (document.name, document.format) == ("table.tsv", "standoff")
    assert document.line == "AdametBobinParis."
    assert list(document) == [["Ada", "met", "Bob"], ["inParis", "."]]
    assert rows(document) == [("Ada", "person"), ("Bob", "person"), ("Paris", "place")]
    assert document.spans.linenos.tolist() == [1, 2, 3]


def test_spans_are_in_the_order_in_which_they_begin():
    document = read("17\t22\tb\n# a comment\n\n0\t3\ta\n0\t12\tc\n")
    assert rows(document) == [("Ada", "a"), ("AdametBob", "c"), ("Paris", "b")]
    assert document.spans.linenos.tolist() == [4, 5, 1]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 5, (0, 3)),  # white space behind
        (3, 8, (3, 6)),  # white space before
        (3, 5, (3, 3)),  # white space alone
        (4, 4, (3, 3)),  # nothing
        (1, 1, (1, 1)),  # nothing, inside a word
        (0, 0, (0, 0)),
        (25, 25, (17, 17)),  # behind the last character
        (0, 25, (0, 17)),
    ],
)
def test_white_space_at_the_ends_does_not_matter(start, end, expected):
    spans = read(f"{start}\t{end}\tx\n").spans
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([expected[0]], [expected[1]])


SAME = [
    # why, table
    ("a header", "start\tend\tlabel\n" + TABLE),
    ("a header in another order", "label\tend\tstart\nperson\t3\t0\nperson\t12\t9\nplace\t22\t17\n"),
    ("a header in capitals", "Start\tEND\tLabel\n" + TABLE),
    ("commas and a header", "start,end,label\n" + TABLE.replace("\t", ",")),
    ("commas, spaces and quotes", 'start, end, label\n0, 3, "person"\n"9","12","person"\n17,22,place\n'),
    ("CRLF", TABLE.replace("\n", "\r\n")),
    ("no newline at the end", TABLE.rstrip()),
    ("a byte order mark", "\ufeff" + TABLE),
    ("comments and blank lines", "# made by hand\n\n" + TABLE.replace("\n", "\n# next\n \n")),
    ("a document", TABLE.replace("\n", "\traw\n")),
    ("a document with its ending", TABLE.replace("\n", "\traw.txt\n")),
    ("brat", "T1\tperson 0 3\tAda\nT2\tperson 9 12\tBob\nT10\tplace 17 22\tParis\n"),
]


@pytest.mark.parametrize("table", [row[1] for row in SAME], ids=[row[0] for row in SAME])
def test_ways_to_write_the_same(table):
    assert find_format(load(Text(table))) == "standoff"
    assert rows(read(table)) == [("Ada", "person"), ("Bob", "person"), ("Paris", "place")]


NO_TABLES = [
    ("numbers alone", "1\t2\t3\n4\t5\t6\n", "plain"),
    ("two columns", "1\t2\n", "plain"),
    ("numbers alone, in five columns", "2\t3\t4\t5\t6\n", "plain"),
    ("one row of three", "A b c\nd e\n0\t3\tperson\n", "plain"),
    ("spaces", "0 3 person\n", "plain"),
    ("commas without a header", "0,3,person\n", "plain"),
    ("a sentence that has the words", "The start and end of a label .\n", "plain"),
    ("words with commas", "start, end, labels\n", "plain"),
    ("a broken row of CoNLL-U", "1\tThe\tthe\tDET\n", "conllu"),
    ("CoNLL-U", "1\t2\tx\tNUM\t_\t_\t0\troot\t_\t_\n", "conllu"),
]


@pytest.mark.parametrize(
    ("text", "format"), [row[1:] for row in NO_TABLES], ids=[row[0] for row in NO_TABLES]
)
def test_what_is_no_table_is_not_taken_for_one(text, format):
    assert find_format(load(Text(text, "table.tsv"))) == format


MEANT = [
    # why, table, whether its name must tell
    ("a row too short", "0\t3\tperson\n8\t11\n", False),
    ("a row first", "0\t3\tperson\nA b c\nd\ne\n", False),
    ("a negative start", "-1\t3\tperson\n", True),
    ("a decimal start", "0.5\t3\tperson\n", True),
    ("a word as start", "0\t3\tperson\nx\t3\tperson\n", False),
    ("a word as start first", "x\t3\tperson\n0\t3\tperson\n", True),
    ("five columns", "0\t3\ta\tb\tc\n", True),
    ("a header without end", "start\tlabel\n0\tperson\n", False),
    ("a header without label", "start\tend\ttype\n0\t3\tperson\n", False),
    ("a header with other names", "from\tto\ttype\n0\t3\tperson\n", True),
]


@pytest.mark.parametrize(("table", "named"), [row[1:] for row in MEANT], ids=[row[0] for row in MEANT])
def test_a_broken_table_is_refused_and_not_read_as_text(table, named):
    assert (find_format(load(Text(table))) == "standoff") is not named
    assert find_format(load(Text(table, "t.tsv"))) == find_format(load(Text(table, "T.TSV.gz"))) == "standoff"
    with pytest.raises(InputError, match=r"t\.tsv:[12]: "):
        read_source(Text(table, "t.tsv"), raws=[read_raw(load(Text(RAW)))])


def test_brat_may_begin_with_what_is_no_span():
    table = "R1\tknows Arg1:T1 Arg2:T1\nT1\tperson 0 3\tAda\n"
    assert find_format(load(Text(table, "a.ann"))) == "standoff"
    assert rows(read(table, name="a.ann")) == [("Ada", "person")]
    with pytest.raises(InputError, match=r"a\.ann:1: "):
        read("T1\tperson 0\tAda\nT2\tperson 0 3\tAda\n", name="a.ann")


@pytest.mark.parametrize(
    "label", ["-x", "=x", "@", "+", "＝x", "'-x", "''=x", "'x", "-x,y", '-"x"', "'", "x-"]
)
def test_an_apostrophe_before_a_formula_is_no_part_of_a_label(label):
    """What `evalign triples --format csv` writes is what is read."""
    pieces = render_triples(extract(Text(f"({label} (N a))"), format="trees"), "csv")
    written = "".join(pieces).splitlines(keepends=True)[3]
    assert written.startswith("0,1,")
    assert rows(read("start,end,label\n" + written, "a"))[0][1] == label
    assert rows(read(f"start\tend\tlabel\n0\t1\t{label}\n", "a")) == [("a", label)]


def test_all_that_is_guarded_is_known():
    assert all(GUARDED.match(csv_cell(character)) for character in FORMULA_SIGNS if not character.isspace())


def test_an_empty_table_is_told_by_the_caller():
    assert find_format(load(Text("", "table.tsv"))) == "plain"
    document = read_source(Text("# nothing\n"), "standoff", raws=[read_raw(load(Text(RAW)))])
    assert (len(document.spans), document.line) == (0, "AdametBobinParis.")
    assert len(read("start\tend\tlabel\n").spans) == 0


def test_labels_may_begin_with_a_hash_where_they_come_first():
    document = read("label\tstart\tend\n# a comment\n#\t0\t3\n#tag\t9\t12\n")
    assert rows(document) == [("Ada", "#"), ("Bob", "#tag")]


def test_a_label_may_be_empty_and_quotes_are_its_own():
    assert rows(read('0\t3\t\n9\t12\t"x"\n')) == [("Ada", ""), ("Bob", '"x"')]


def test_other_columns_are_remarked_on():
    table = "document\tstart\tend\tlabel\thead_start\thead_end\nraw\t0\t3\tnsubj\t5\t8\n"
    document = read(table)
    assert rows(document) == [("Ada", "nsubj")]
    assert [str(remark) for remark in document.remarks] == [
        "table.tsv:1: columns head_start, head_end not scored"
    ]
    assert find_format(load(Text(table))) == "standoff"


def test_what_else_brat_says_is_remarked_on():
    document = read("T1\tperson 0 3\tAda\nR1\tknows Arg1:T1 Arg2:T1\n#1\tAnnotatorNotes T1\tsure\n")
    assert rows(document) == [("Ada", "person")]
    assert str(document.remarks[0]).startswith("table.tsv:2: line of brat's that is no span")
    assert document.remarks[0].times == 2


def test_several_raw_texts():
    raws = ("a/one.raw.txt", "Ada .\n"), ("a/empty.txt", ""), ("a/two.txt", " Bob")
    document = read("1\t4\tb\ttwo\n0\t3\ta\tone\n0\t3\tc\tone.raw\n0\t0\td\tempty.txt\n", *raws)
    assert document.line == "Ada.Bob"
    assert rows(document) == [("Ada", "a"), ("Ada", "c"), ("", "d"), ("Bob", "b")]
    assert document.spans.documents.tolist() == [0, 0, 1, 2]
    assert (document.documents.sentences.tolist(), document.documents.names) == ([0, 1], ["one.raw", "two"])


ERRORS = [
    # why, table, message
    ("start behind end", "0\t3\tx\n3\t2\tx\n", "table.tsv:2: start 3 is behind end 2\n  expected start <= end"),
    ("negative", "0\t3\tx\n-1\t2\tx\n", 'table.tsv:2: start is "-1"\n  expected a whole number from 0 up'),
    ("no whole number", "0\t3.0\tx\n", 'table.tsv:1: end is "3.0"'),
    ("other digits", "0\t٣\tx\n", 'table.tsv:1: end is "٣"'),
    ("a word", "0\t3\tx\nzero\t3\tx\n", 'table.tsv:2: start is "zero"'),
    ("nothing", "0\t3\tx\n\t3\tx\n", 'table.tsv:2: start is ""'),
    ("beyond the text", "0\t3\tx\n0\t26\tx\n", "table.tsv:2: end is 26, beyond the text of raw.txt\n  expected at most 25"),
    ("far beyond", "0\t3\tx\n0\t" + "9" * 5000 + "\tx\n", "table.tsv:2: end is"),
    ("a missing column", "0\t3\tx\n0\t3\n", "table.tsv:2: 2 columns\n  expected 3 as in line 1: start, end, label"),
    ("a column too many", "0\t3\tx\n0\t3\tx\traw\n", "table.tsv:2: 4 columns\n  expected 3 as in line 1"),
    ("two columns", "0\t3\n", 'table.tsv:1: 2 columns and no header, "0\\t3"\n  expected start, end and label'),
    ("one column", "Ada\n", "table.tsv:1: 1 column and no header"),
    ("five columns", "0\t3\tx\ty\tz\n", "table.tsv:1: 5 columns and no header"),
    ("a header without label", "start\tend\ttype\n0\t3\tx\n", 'table.tsv:1: a header that names "start", "end", "type"'),
    ("a header with two labels", "start\tend\tlabel\tlabel\n", "table.tsv:1: a header that names"),
    ("another text", "0\t3\tx\traw\n0\t3\tx\tAda\n", 'table.tsv:2: no raw text is called "Ada"\n  expected one of raw.txt'),
    ("brat in pieces", "T1\tx 0 3\tAda\nT2\tx 0 3;9 12\tAda Bob\n", 'table.tsv:2: a span in pieces, "0 3;9 12"'),
    ("broken brat", "T1\tx 0 3\tAda\nT2\tx 0\tAda\n", "table.tsv:2:"),
    ("brat behind", "T1\tx 3 0\tAda\n", "table.tsv:1: start 3 is behind end 0"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "message"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_what_is_wrong_is_said_with_its_place(table, message):
    with pytest.raises(InputError) as caught:
        read(table)
    assert str(caught.value).startswith(message)
    assert caught.value.expected


def test_a_table_needs_its_text():
    with pytest.raises(CommandError, match="without the text that its positions are of") as caught:
        read_source(Text(TABLE, "table.tsv"))
    assert "`raw=FILE`" in str(caught.value)


def test_several_texts_need_to_be_named():
    with pytest.raises(InputError, match="no column document, and 2 raw texts"):
        read("0\t1\tx\n", "a", "b")
    with pytest.raises(InputError, match=r'document "a" may be 1/a\.txt or 2/a\.txt'):
        read("0\t1\tx\ta\n", ("1/a.txt", "a"), ("2/a.txt", "b"))
    assert rows(read("0\t1\tx\t2/a.txt\n", ("1/a.txt", "a"), ("2/a.txt", "b"))) == [("b", "x")]


def test_a_table_by_itself():
    table = read_table(load(Text(TABLE)))
    assert (table.starts, table.ends) == ([0, 9, 17], [3, 12, 22])
    assert Counter(table.labels) == {"person": 2, "place": 1}


def raw_texts():
    return st.text(st.sampled_from("ab" + WHITE_SPACE[:3] + "\u00a0\u3000\x85\x0b"), max_size=20)


@given(st.lists(raw_texts(), min_size=1, max_size=3), st.data())
def test_spans_cover_the_characters_they_name(texts, data):
    """By hand: cut the piece out of the text and take its white space away."""
    given_rows = []
    for number, text in enumerate(texts):
        for _ in range(data.draw(st.integers(0, 3))):
            start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
            given_rows.append((start, end, number))
    table = "start\tend\tlabel\tdocument\n" + "".join(f"{a}\t{b}\tx\tr{n}\n" for a, b, n in given_rows)
    document = read(table, *((f"r{n}", text) for n, text in enumerate(texts)))
    assert document.line == without_space("".join(texts))
    found = sorted(
        zip(document.spans.starts.tolist(), document.spans.ends.tolist(), document.spans.documents.tolist(), strict=True)
    )  # fmt: skip
    begins = [len(without_space("".join(texts[:n]))) for n in range(len(texts))]
    assert found == sorted(
        (begins[n] + len(without_space(texts[n][:a])), begins[n] + len(without_space(texts[n][:b])), n)
        for a, b, n in given_rows
    )
