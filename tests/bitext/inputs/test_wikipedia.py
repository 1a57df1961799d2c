"""Documents from dumps of Wikipedia; each is read completely or not at all."""

import bz2
import gc
import gzip
import itertools
import lzma
import sys
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from evalign.bitext.inputs.formats import find_document_format, read_documents
from evalign.bitext.inputs.source import SourceDocument
from evalign.bitext.inputs.wikipedia import read_articles, read_dump, read_titles
from evalign.bitext.inputs.wikitext import load_parser
from evalign.errors import CommandError, InputError
from evalign.progress import Step

DUMPS = Path(__file__).parent / "dumps"
FRENCH = DUMPS / "frwiki.xml"

WITH_LISTS = {
    "fr": [
        SourceDocument(
            "Lac bleu",
            (
                "Le lac bleu est un lac de montagne situé au nord de la vallée.",
                "L'eau y est froide toute l'année.",
                "On y pêche la truite\xa0; la pêche ferme en octobre.",
                "Il gèle en janvier.",
                "Des truites vivent dans le lac.",
                "L'Hirondelle passe au-dessus du lac.",
                "Une ligne décalée parle du vent.",
                "Truite",
                "un poisson de rivière.",
                "Le code [[lac]] s'écrit ainsi.",
                "Le site est le site du lac.",
            ),
            # The surface, the torrent, the flow, the otters, the key, the year.
            n_dropped=6,
        ),
        SourceDocument("L'Été & l'hiver", ("La dernière version est lue.", "Elle a deux phrases.")),
        SourceDocument("Accolades", ("La suite est lue.", "La fin aussi est lue."), n_dropped=2),
        SourceDocument("Vide", ()),
    ],
    "en": [
        SourceDocument(
            "Blue Lake",
            ("It lies north of the valley.", "Mr. Smith mapped it in 1890.", "Trout live in it.", "Red Lake"),
            n_dropped=2,
        ),
        SourceDocument("Red Lake", ("Red Lake is a village of the north.", "See the French page.")),
    ],
    "zh": [SourceDocument("蓝湖", ("它位于山谷的北面。", "湖水很冷！", "湖里有鳟鱼。"), n_dropped=3)],
}

# By title: sentences of list items, how many items there are, and how many of them held a template.
LISTED = {
    "Lac bleu": (
        {
            "Des truites vivent dans le lac.",
            "L'Hirondelle passe au-dessus du lac.",
            "Une ligne décalée parle du vent.",
            "Truite",
            "un poisson de rivière.",
        },
        6,
        1,
    ),
    "Blue Lake": ({"Red Lake"}, 1, 0),
    "蓝湖": ({"湖里有鳟鱼。"}, 2, 1),
}


def without_lists(document):
    listed, n_items, n_dropped = LISTED.get(document.name, (set(), 0, 0))
    return SourceDocument(
        document.name,
        tuple(sentence for sentence in document.sentences if sentence not in listed),
        n_dropped=document.n_dropped - n_dropped,
        n_listed=n_items,
    )


EXPECTED = {language: [*map(without_lists, documents)] for language, documents in WITH_LISTS.items()}


def refused(path, *parts):
    """The message of a dump that is refused, which has all these parts."""
    with pytest.raises(InputError) as caught:
        list(read_dump(path, "fr"))
    message = str(caught.value)
    assert message.startswith(str(path))
    for part in (*parts, "\n  expected "):
        assert part in message, message
    return message


@pytest.mark.parametrize("language", EXPECTED)
def test_a_dump_goes_through_to_sentences(language):
    assert list(read_dump(DUMPS / f"{language}wiki.xml", language)) == EXPECTED[language]


@pytest.mark.parametrize("language", WITH_LISTS)
def test_lists_stay_where_that_is_asked_for(language):
    path = DUMPS / f"{language}wiki.xml"
    assert list(read_dump(path, language, drop_lists=False)) == WITH_LISTS[language]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "not declared"])
def test_dumps_in_utf_16_are_read(tmp_path, encoding, declared):
    text = FRENCH.read_text(encoding="utf-8")
    name = "utf-8" if encoding == "utf-8-sig" else "utf-16"
    # XML in UTF-16 has to begin with a byte order mark or say what it is.
    has_mark = encoding in ("utf-16", "utf-8-sig")
    if declared or not has_mark:
        text = f'<?xml version="1.0" encoding="{name}"?>\n{text}'
    path = tmp_path / "articles"
    path.write_bytes(gzip.compress(text.encode(encoding)))
    assert find_document_format(path) == "wikipedia"
    assert list(read_documents([path], "auto", "fr")) == EXPECTED["fr"]


def test_titles_go_by_page_id():
    assert dict(read_titles(FRENCH)) == {3: "Lac bleu", 7: "L'Été & l'hiver", 8: "Accolades", 10: "Vide"}


def test_articles_have_the_text_of_the_last_revision():
    article = {article.title: article for article in read_articles(FRENCH)}["L'Été & l'hiver"]
    assert article.text == "La dernière version est lue. Elle a deux phrases."


def multistream(data):
    """As in pages-articles-multistream.xml.bz2: a stream for the head, one for every hundred pages, one for the end."""
    return b"".join(bz2.compress(data[start : start + 1000]) for start in range(0, len(data), 1000))


COMPRESSIONS = {"bz2": bz2.compress, "multistream": multistream, "gz": gzip.compress, "xz": lzma.compress}


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_a_compressed_dump_that_is_cut_is_refused(kind, tmp_path):
    data = COMPRESSIONS[kind](FRENCH.read_bytes())
    path = tmp_path / "dump"
    for size in range(len(data) // 10, len(data), len(data) // 10):
        path.write_bytes(data[:size])
        refused(path)


def test_a_dump_that_is_cut_anywhere_is_refused(tmp_path):
    data = FRENCH.read_bytes().rstrip()
    path = tmp_path / "dump.xml"
    for size in range(1, len(data), 97):
        path.write_bytes(data[:size])
        refused(path)


def test_a_cut_dump_says_how_far_it_was_read_and_what_to_do(tmp_path):
    data = FRENCH.read_bytes()
    path = tmp_path / "dump.xml"
    path.write_bytes(data[: data.index(b"<title>Accolades")])
    refused(
        path, "ends early", "after 5 pages, the last of them \"L'Été & l'hiver\"", "download the file again"
    )
    path.write_bytes(data[:300])
    refused(path, "before the first page")
    path.write_bytes(data[: data.index(b"<title>Lac Bleu")])
    refused(path, "after 1 page, the last of them")


def test_documents_before_the_cut_come_first(tmp_path):
    data = FRENCH.read_bytes()
    path = tmp_path / "dump.xml"
    path.write_bytes(data[: data.index(b"<title>Accolades")])
    documents = read_dump(path, "fr")
    assert next(documents) == EXPECTED["fr"][0]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b" \n", "an empty file"),
        (bz2.compress(b""), "an empty file"),
        (b"<!DOCTYPE html>\n<html><body>404</body></html>", "a page of HTML"),
        (b"<HTML>\n", "a page of HTML"),
        (b"fr-1\tUne phrase.\n", "no dump"),
        (b"<?xml version='1.0'?>\n<tmx version='1.4'></tmx>", "no dump"),
        (b"<x><mediawiki></mediawiki></x>", "XML that ends early or is damaged"),
        (b"<mediawiki></mediawiki>", "XML that ends early or is damaged"),
        (b"<mediawiki><siteinfo/><other/></mediawiki>", "XML that ends early or is damaged"),
        (b"<mediawiki><siteinfo/><page><id>x</id></page></mediawiki>", "XML that ends early or is damaged"),
        (b"<mediawiki><siteinfo/><page><ns>0</ns></page></mediawiki>", "XML that ends early or is damaged"),
        (b"<mediawiki><siteinfo/><page>\xff</page></mediawiki>", "XML that ends early or is damaged"),
    ],
)
def test_what_is_no_dump_is_refused(data, found, tmp_path):
    path = tmp_path / "dump.xml"
    path.write_bytes(data)
    message = refused(path, found)
    assert ("before the first page" in message) == found.startswith("XML")


def test_a_dump_without_pages_has_no_documents(tmp_path):
    path = tmp_path / "dump.xml"
    path.write_bytes(b"<mediawiki><siteinfo></siteinfo></mediawiki>")
    assert list(read_dump(path, "fr")) == []


@pytest.mark.parametrize("package", ["mwxml", "mwparserfromhell"])
def test_without_a_package_the_command_says_what_to_install(package, monkeypatch):
    load_parser.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CommandError, match="pip install mwparserfromhell mwxml"):
        next(read_dump(FRENCH, "fr"))


def test_progress_is_told_by_the_size_of_the_file():
    stages = []
    list(read_dump(FRENCH, "fr", progress=stages.append))
    assert stages
    assert all(isinstance(stage, Step) and "frwiki.xml" in stage for stage in stages)


PAGE = "<page><title>{0}</title><ns>0</ns><id>{0}</id><revision><text>Une phrase.</text></revision></page>\n"


@pytest.mark.slow
def test_pages_that_are_read_do_not_stay_in_memory(tmp_path):
    path = tmp_path / "dump.xml"
    pages = "".join(map(PAGE.format, range(3000)))
    path.write_text(f"<mediawiki><siteinfo></siteinfo>{pages}</mediawiki>", encoding="utf-8", newline="\n")
    titles = read_titles(path)
    assert next(itertools.islice(titles, 2999, None)) == (2999, "2999")
    gc.collect()
    kept = sum(isinstance(each, Element) and each.tag == "page" for each in gc.get_objects())
    # Those of the piece that was read last, 64 KB at most.
    assert 0 < kept < 1000
    titles.close()
