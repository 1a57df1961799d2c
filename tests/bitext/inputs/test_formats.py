"""The choice of the reader for an input."""

import bz2
import gzip

import pytest

from evalign.bitext.inputs.formats import (
    find_document_format,
    find_link_format,
    find_pair_format,
    read_documents,
    read_links,
    read_source_pairs,
)
from evalign.bitext.inputs.source import Link, SourceDocument, SourcePair
from evalign.errors import CommandError

DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="fr">
<siteinfo><sitename>Wikipédia</sitename><dbname>frwiki</dbname><base>x</base><generator>x</generator>
<case>first-letter</case><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>
{pages}</mediawiki>
"""
PAGE = """<page><title>{title}</title><ns>0</ns><id>{number}</id>
<revision><id>1</id><timestamp>2016-12-01T00:00:00Z</timestamp><contributor><username>A</username><id>1</id></contributor>
<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{text}</text><sha1>x</sha1></revision></page>
"""
MEMORY = '<tmx version="1.4"><body><tu><tuv xml:lang="fr"><seg>Un.</seg></tuv><tuv xml:lang="en"><seg>One.</seg></tuv></tu></body></tmx>'
TABLE = "INSERT INTO `langlinks` VALUES (12,'en','Cat'),(12,'de','Katze'),(13,'en','Dog');\n"


def str_or_nothing(value):
    """Names of files and formats name a case, the data does not."""
    return value if isinstance(value, str) and len(value) < 30 and value.isprintable() else ""


@pytest.fixture
def write(tmp_path):
    """Writes a file."""

    def write(name, data):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def dump(**pages):
    rows = (
        PAGE.format(title=title, number=12 + n, text=text) for n, (title, text) in enumerate(pages.items())
    )
    return DUMP.format(pages="".join(rows))


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("fr.tsv", "a\tOne.\n", "tsv"),
        ("fr.tsv.gz", gzip.compress(b"a\tOne.\n", mtime=0), "tsv"),
        ("fr", "", "tsv"),
        ("frwiki.xml.bz2", bz2.compress(b""), "wikipedia"),
        ("dump", bz2.compress(dump().encode()), "wikipedia"),
        ("dump.txt", '<?xml version="1.0"?>\n' + dump(), "wikipedia"),
        ("a.tsv", "a\t<mediawiki> is a tag.\n", "tsv"),
    ],
    ids=str_or_nothing,
)
def test_formats_of_documents(write, name, data, format):
    path = write(name, data)
    assert find_document_format(path) == format
    assert find_document_format(path.parent) == "folder"


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("pairs.tsv", "Un.\tOne.\n", "tsv"),
        ("memory.TMX", "", "tmx"),
        ("memory.tmx.xz", "", "tmx"),
        ("memory.xml", MEMORY, "tmx"),
        ("memory", '<?xml version="1.0" encoding="utf-16"?>\n<!DOCTYPE tmx>'.encode("utf-16"), "tmx"),
    ],
    ids=str_or_nothing,
)
def test_formats_of_pairs(write, name, data, format):
    path = write(name, data)
    assert find_pair_format([path]) == format
    assert find_pair_format([path, path]) == "moses"


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("links.tsv", "Chat\tCat\n", "tsv"),
        ("frwiki-langlinks.sql.gz", gzip.compress(b"", mtime=0), "langlinks"),
        ("table", gzip.compress(TABLE.encode(), mtime=0), "langlinks"),
    ],
    ids=str_or_nothing,
)
def test_formats_of_links(write, name, data, format):
    assert find_link_format(write(name, data)) == format


def test_documents_of_several_inputs_come_in_turn(write):
    table, text = write("b.tsv", "a\tOne.\n"), write("texts/c.txt", "Two. Three.")
    assert list(read_documents([table, text.parent], "auto", "en")) == [
        SourceDocument("a", ("One.",)),
        SourceDocument("c.txt", ("Two.", "Three.")),
    ]


def test_pairs_of_each_format(write):
    pair = SourcePair("1", "", "Un.", "One.")
    languages = ("fr", "en")
    assert list(read_source_pairs([write("p.tsv", "Un.\tOne.\n")], "auto", languages)) == [pair]
    assert list(read_source_pairs([write("p.tmx", MEMORY)], "auto", languages)) == [pair]
    assert list(read_source_pairs([write("p.fr", "Un.\n"), write("p.en", "One.\n")], "auto", languages)) == [
        pair
    ]
    assert list(read_source_pairs([write("p", "One.\tUn.\n")], "tsv", languages, ["second", "first"])) == [
        pair
    ]


@pytest.mark.parametrize(("name", "of"), [("frwiki-20161201-langlinks.sql", ""), ("links.sql", "fr")])
def test_links_of_a_wiki_have_their_titles_from_its_dump(write, name, of):
    pytest.importorskip("mwxml")
    path = write(name, TABLE)
    dumps = {"fr": [write("frwiki.xml", dump(Chat="A.", Chien="B."))]}
    links = read_links(path, "auto", ("fr", "en"), of=of, dumps=dumps)
    assert list(links) == [Link("Chat", "Cat"), Link("Chien", "Dog")]


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda path: read_documents([path], "tvs"), ['unknown format "tvs"', 'did you mean "tsv"?']),
        (lambda path: read_source_pairs([path], "wikipedia"), ['unknown format "wikipedia"', "moses, tmx"]),
        (lambda path: read_links(path, "moses"), ['unknown format "moses"', "langlinks"]),
        (
            lambda path: read_source_pairs([path], "moses"),
            ["1 files of pairs as moses", "one for each language"],
        ),
        (lambda path: read_source_pairs([path, path], "tsv"), ["2 files of pairs as tsv"]),
        (
            lambda path: read_source_pairs([path], "tmx", columns=["first", "second"]),
            ["columns of", "which is tmx"],
        ),
        (
            lambda path: read_source_pairs([path], "tsv", columns=["first", "secnd"]),
            ['did you mean "second"?'],
        ),
        (lambda path: read_links(path, "langlinks", ("fr", "en")), ["does not say which wiki", "frwiki-"]),
        (lambda path: read_links(path, "langlinks", ("fr", "en"), of="fr"), ["without the dump of frwiki"]),
    ],
)
def test_what_cannot_be_asked_for_is_refused(write, call, parts):
    path = write("a.tsv", "a\tb\n")
    with pytest.raises(CommandError) as caught:
        list(call(path))
    assert all(part in str(caught.value) for part in parts), caught.value
