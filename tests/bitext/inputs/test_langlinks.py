"""The langlinks table of a wiki, in MySQL's dump format."""

import gzip
import tracemalloc

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.inputs.source import Link, clean_text
from evalign.bitext.inputs.wikipedia import LanglinkRow, read_langlink_rows, read_langlinks
from evalign.errors import CommandError, InputError

HEAD = b"""-- MySQL dump 10.16  Distrib 10.1
--
-- Host: localhost    Database: frwiki
-- ------------------------------------------------------
/*!40101 SET NAMES utf8 */;

DROP TABLE IF EXISTS `langlinks`;
CREATE TABLE `langlinks` (
  `ll_from` int(8) unsigned NOT NULL DEFAULT '0',
  `ll_lang` varbinary(20) NOT NULL DEFAULT '',
  `ll_title` varbinary(255) NOT NULL DEFAULT '',
  UNIQUE KEY `ll_from` (`ll_from`,`ll_lang`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;

LOCK TABLES `langlinks` WRITE;
/*!40000 ALTER TABLE `langlinks` DISABLE KEYS */;
"""
TAIL = b"""/*!40000 ALTER TABLE `langlinks` ENABLE KEYS */;
UNLOCK TABLES;

-- Dump completed on 2016-12-01 10:00:00
"""
ROWS = (
    b"INSERT INTO `langlinks` VALUES (3,'en','Blue Lake'),(3,'zh','\xe8\x93\x9d\xe6\xb9\x96'),(7,'en','Summer_and_winter');\n"
    b"INSERT INTO `langlinks` VALUES (8,'en','D\\'Artagnan (film), \"1\"'),(9,'en','Not read'),(10,'en','');\n"
)
TITLES = {3: "Lac bleu", 7: "L'Été & l'hiver", 8: "Accolades", 10: "Vide"}
LINKS = [
    Link("Lac bleu", "Blue Lake"),
    Link("L'Été & l'hiver", "Summer and winter"),
    Link("Accolades", 'D\'Artagnan (film), "1"'),
]


@pytest.fixture
def write(tmp_path):
    def write(data, name="frwiki-20161201-langlinks.sql"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def refused(path, *parts):
    """The message of a table that is refused, which has all these parts."""
    with pytest.raises(InputError) as caught:
        list(read_langlink_rows(path))
    message = str(caught.value)
    assert message.startswith(str(path))
    for part in (*parts, "\n  expected "):
        assert part in message, message
    return message


def test_links_lead_from_titles_to_titles(write):
    path = write(HEAD + ROWS + TAIL)
    assert list(read_langlinks(path, TITLES, of="fr", languages=("fr", "en"))) == LINKS
    assert list(read_langlinks(path, TITLES, of="fr", languages=("fr", "zh"))) == [Link("Lac bleu", "蓝湖")]


def test_the_table_may_be_that_of_the_second_language(write):
    path = write(HEAD + ROWS + TAIL)
    swapped = [Link(second, first) for first, second in LINKS]
    assert list(read_langlinks(path, TITLES, of="fr", languages=("en", "fr"))) == swapped


def test_the_table_is_of_one_of_the_languages(write):
    path = write(HEAD + ROWS + TAIL)
    with pytest.raises(CommandError, match=r'langlinks table of "de"(?s:.*)of = "fr"'):
        list(read_langlinks(path, TITLES, of="de", languages=("fr", "en")))


def test_codes_may_have_an_underscore_for_a_dash(write):
    path = write(HEAD + b"INSERT INTO `langlinks` VALUES (3,'zh-yue','A');\n" + TAIL)
    assert list(read_langlinks(path, TITLES, of="fr", languages=("fr", "zh_yue"))) == [Link("Lac bleu", "A")]


@pytest.mark.parametrize(
    ("about", "data", "rows"),
    [
        ("no rows", HEAD + TAIL, []),
        ("nothing around it", b"INSERT INTO langlinks VALUES (1,'a','B');", [LanglinkRow(1, "a", "B")]),
        ("columns are named", b"insert into `langlinks` (`ll_from`, `ll_lang`, `ll_title`) values (1,'a','B');", [LanglinkRow(1, "a", "B")]),
        ("rows on lines", b"INSERT INTO `langlinks` VALUES\n(1,'a','B'),\n( 2, 'a' , 'C' ) ;\n", [LanglinkRow(1, "a", "B"), LanglinkRow(2, "a", "C")]),
        ("bytes are said to be bytes", b"INSERT INTO `langlinks` VALUES (1,_binary 'a',_binary 'B');", [LanglinkRow(1, "a", "B")]),
        ("hexadecimal", b"INSERT INTO `langlinks` VALUES (1,0x6672,0xC389);", [LanglinkRow(1, "fr", "É")]),
        ("escapes", rb"INSERT INTO `langlinks` VALUES (1,'a','B''\'\\\"\%),(');", [LanglinkRow(1, "a", "B''\\\"%),(")]),
        ("control characters", rb"INSERT INTO `langlinks` VALUES (1,'a','B\0\n\tC\Z');", [LanglinkRow(1, "a", "B C")]),
        ("a cut character", b"INSERT INTO `langlinks` VALUES (1,'a','B\xc3');", [LanglinkRow(1, "a", "B\ufffd")]),
        ("statements on a line", b"INSERT INTO `langlinks` VALUES (1,'a','B'); INSERT INTO `langlinks` VALUES (2,'a','C');", [LanglinkRow(1, "a", "B"), LanglinkRow(2, "a", "C")]),
        ("a statement in a title", b"INSERT INTO `langlinks` VALUES (1,'a',';\nINSERT INTO `page` VALUES (');", [LanglinkRow(1, "a", "; INSERT INTO `page` VALUES (")]),
    ],
)  # fmt: skip
def test_rows_are_read(about, data, rows, write):
    assert list(read_langlink_rows(write(data))) == rows


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", ["no langlinks table"]),
        (b"<!DOCTYPE html><html>", ["no langlinks table"]),
        (b"fr-1\ten-1\n" * 10_000, ["no langlinks table"]),
        (
            b"\n\nINSERT INTO `page` VALUES (1,0,'A');",
            [":3: ", 'the table "page"', "is this the right file?"],
        ),
        (b"CREATE TABLE `iwlinks` (\n", [":1: ", 'the table "iwlinks"']),
        (
            b"INSERT INTO `langlinks` (`ll_lang`,`ll_from`) VALUES ('a',1);",
            ["columns", "ll_from,ll_lang,ll_title"],
        ),
        (
            HEAD + b"INSERT INTO `langlinks` VALUES (1,'a','B'),\n(2,'a',C" + b"x" * 5000,
            [":17: ", "row", "(2,'a',Cxxx"],
        ),
        (
            HEAD + b"INSERT INTO `langlinks` VALUES (1,'a','B'),(2,'a'",
            ["ends early or is damaged, after 1 row\n"],
        ),
        (HEAD + b"INSERT INTO `langlinks` VALUES ", ["ends early or is damaged, before the first row"]),
        (HEAD + ROWS, ["ends early or is damaged, after 6 rows", "download the file again"]),
    ],
)
def test_what_is_no_whole_table_is_refused(data, parts, write):
    refused(write(data), *parts)


def test_a_table_that_is_cut_anywhere_is_refused(write):
    data = HEAD + ROWS + TAIL
    for size in range(data.index(b"LOCK TABLES") + 11, data.index(b"UNLOCK TABLES") + 13):
        refused(write(data[:size]))
    packed = gzip.compress(data)
    for size in range(1, len(packed), 7):
        refused(write(packed[:size]))


def literal(text):
    """A text as MySQL writes it."""
    escaped = (
        text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\0", "\\0")
    )
    return f"'{escaped}'"


some_rows = st.lists(
    st.tuples(
        st.integers(0, 10**9),
        st.sampled_from(["en", "zh-yue", "de"]),
        st.text("aÉ中'\"\\_,;() \n\0", max_size=8),
    ),
    min_size=1,
    max_size=20,
)


@given(st.lists(some_rows, max_size=3), st.integers(1, 40), st.booleans())
def test_rows_come_back_as_they_were_written_however_the_file_is_cut(
    tmp_path_factory, statements, piece, on_lines
):
    path = tmp_path_factory.mktemp("table") / "langlinks.sql"
    between = ",\n" if on_lines else ","
    data = b"".join(
        b"INSERT INTO `langlinks` VALUES %b;\n"
        % between.join(f"({page},'{code}',{literal(title)})" for page, code, title in rows).encode()
        for rows in statements
    )
    path.write_bytes(HEAD + data + TAIL)
    expected = [
        LanglinkRow(page, code, clean_text(title.replace("_", " ")))
        for rows in statements
        for page, code, title in rows
    ]
    # Pieces as small as may be, and rows no longer than they can be.
    sizes = {"piece": piece, "longest": 200}
    assert list(read_langlink_rows(path, **sizes)) == expected
    found = list(read_langlink_rows(path, "de", **sizes))
    assert found == [row for row in expected if row.language == "de"]


@pytest.mark.slow
def test_memory_does_not_grow_with_a_line(write):
    rows = b",".join(b"(%d,'en','%b')" % (n, b"title " * 40) for n in range(25_000))
    path = write(HEAD + b"INSERT INTO `langlinks` VALUES " + rows + b";\n" + TAIL)
    assert path.stat().st_size > 6_000_000
    tracemalloc.start()
    n_rows = sum(1 for _ in read_langlink_rows(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_rows == 25_000
    # Two pieces of a megabyte and one that is being read.
    assert peak < 3_500_000
