"""Complete builds from every kind of input."""

import bz2
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from bitextinputs import CONFIG, edit
from evalign.bitext.build.build import build_dataset
from evalign.bitext.dataset import read_provenance
from evalign.errors import InputError
from oracles.bitext_build import Limits, check_folder

LINKED = [(f"linked:{k}", f"linked:{k}") for k in range(4)]


def read_table(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def texts_of(path):
    """The text of every document, its sentences with a full stop."""
    found = {}
    for name, text in read_table(path):
        found.setdefault(name, []).append(f"{text.capitalize()}.")
    return found


def count_planted(folder):
    return sum(origin.is_planted for origin in read_provenance(folder))


def test_folders_of_text(config, tmp_path):
    for code in ("fr", "en"):
        for name, sentences in texts_of(config.parent / f"{code}.tsv").items():
            path = config.parent / code / f"{name.replace(':', '/')}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(" ".join(sentences), encoding="utf-8")
        edit(config, f'"{code}.tsv"', f'"{code}"')
    edit(config, '"linked:"', '"linked/"')
    build_dataset(config, tmp_path / "out")
    check_folder(tmp_path / "out", "fr-en", [(f"linked/{k}.txt", f"linked/{k}.txt") for k in range(4)])
    assert count_planted(tmp_path / "out") >= 20
    # A file that is added makes another data set; one that is no document does not.
    (config.parent / "fr" / "notes.md").write_text("mine", encoding="utf-8")
    assert build_dataset(config, tmp_path / "out").was_finished
    (config.parent / "fr" / "more.txt").write_text("Une phrase de plus.", encoding="utf-8")
    assert not build_dataset(config, tmp_path / "out", overwrite=True).was_finished


def test_two_files_of_pairs(config, tmp_path):
    build_dataset(config, tmp_path / "table")
    rows = read_table(config.parent / "pairs.tsv")
    for column, code in ((2, "fr"), (3, "en")):
        text = "".join(f"{row[column]}\n" for row in rows)
        (config.parent / f"pairs.{code}").write_text(text, encoding="utf-8")
    edit(config, 'path = "pairs.tsv"', 'first = "pairs.fr"\nsecond = "pairs.en"')
    build_dataset(config, tmp_path / "out")
    for name in ("fr-en.training.fr", "fr-en.test.gold"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "table" / name).read_bytes()


def test_a_translation_memory(config, tmp_path):
    build_dataset(config, tmp_path / "table")
    units = "".join(
        f'<tu tuid="{row[0]}"><tuv xml:lang="fr"><seg>{escape(row[2])}</seg></tuv>'
        f'<tuv xml:lang="en"><seg>{escape(row[3])}</seg></tuv></tu>\n'
        for row in read_table(config.parent / "pairs.tsv")
    )
    memory = f'<?xml version="1.0"?>\n<tmx version="1.4"><header/><body>\n{units}</body></tmx>\n'
    (config.parent / "pairs.tmx").write_text(memory, encoding="utf-8")
    edit(config, "pairs.tsv", "pairs.tmx")
    build_dataset(config, tmp_path / "out")
    for name in ("fr-en.training.fr", "fr-en.test.gold"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "table" / name).read_bytes()


PAGE = """\
  <page>
    <title>{title}</title>
    <ns>0</ns>
    <id>{number}</id>
    <revision>
      <id>{number}</id>
      <timestamp>2016-12-01T00:00:00Z</timestamp>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


def write_dump(path, texts):
    """A dump whose pages have a sentence with a template in front; the titles by page id."""
    pages = [
        PAGE.format(
            title=title, number=number, text=escape(f"Avant {{{{modèle}}}} tout. {' '.join(sentences)}")
        )
        for number, (title, sentences) in enumerate(texts.items(), 1)
    ]
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="fr">\n'
    head += (
        "<siteinfo><sitename>Wikipedia</sitename><dbname>wiki</dbname><case>first-letter</case></siteinfo>\n"
    )
    data = f"{head}{''.join(pages)}</mediawiki>\n".encode()
    path.write_bytes(bz2.compress(data))
    return dict(enumerate(texts, 1))


def wikipedia(config):
    """Dumps of two wikis and a langlinks table, by which pages of different titles are linked."""
    french = {f"Page {name}": text for name, text in texts_of(config.parent / "fr.tsv").items()}
    english = texts_of(config.parent / "en.tsv")
    titles = write_dump(config.parent / "frwiki-pages.xml.bz2", french)
    write_dump(config.parent / "enwiki-pages.xml.bz2", english)
    links = [(number, title.removeprefix("Page ")) for number, title in titles.items() if "linked" in title]
    rows = ",".join(f"({number},'en','{title}')" for number, title in links)
    sql = f"INSERT INTO `langlinks` VALUES {rows};\n"
    (config.parent / "frwiki-langlinks.sql").write_text(sql, encoding="utf-8")
    text = CONFIG.replace("fr.tsv", "frwiki-pages.xml.bz2").replace("en.tsv", "enwiki-pages.xml.bz2")
    text = text.replace('same_names = ["linked:"]', 'path = "frwiki-langlinks.sql"')
    config.write_text(text, encoding="utf-8")


def test_dumps_of_wikipedia_with_their_langlinks(config, tmp_path):
    pytest.importorskip("mwxml")
    pytest.importorskip("mwparserfromhell")
    wikipedia(config)
    built = build_dataset(config, tmp_path / "out")
    assert built.counts["read"]["fr"]["dropped for a template"] == 14
    assert built.counts["read"]["pairs"]["links"] == 4
    linked = [
        tuple(line.split("\t"))
        for line in (tmp_path / "out" / "links.tsv").read_text("utf-8").splitlines()[1:]
    ]
    assert len(linked) == 4
    check_folder(tmp_path / "out", "fr-en", linked)
    assert count_planted(tmp_path / "out") >= 20


DUMPS = Path(__file__).parents[1] / "inputs" / "dumps"
OF_DUMPS = """\
pair = "fr-en"
documents.fr.path = "frwiki.xml.bz2"
documents.en.path = "enwiki.xml.bz2"
links.path = "frwiki-langlinks.sql"
splits = {sample = 0, training = 0}
[[parallel]]
path = "pairs.tsv"
[languages.fr]
shortest = 3
[languages.en]
shortest = 3
"""
OF_LAKES = [
    ("near both", "Des truites vivent dans le village.", "Red Lake is a village of the south."),
    ("near none", "Aucune phrase ne lui ressemble ici.", "No sentence is like this one here."),
    ("of a template", "Nous sommes en hiver ici.", "See the French village."),
]


@pytest.mark.parametrize("lists", ["drop", "keep"])
def test_from_a_dump_with_templates_and_links_to_a_data_set(tmp_path, lists):
    pytest.importorskip("mwxml")
    pytest.importorskip("mwparserfromhell")
    for name in ("frwiki.xml", "enwiki.xml"):
        (tmp_path / f"{name}.bz2").write_bytes(bz2.compress((DUMPS / name).read_bytes()))
    sql = "INSERT INTO `langlinks` VALUES (3,'en','Blue Lake'),(3,'zh','蓝湖'),(8,'en','Not there');\n"
    (tmp_path / "frwiki-langlinks.sql").write_text(sql, encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{a}\t\t{b}\t{c}\n" for a, b, c in OF_LAKES), encoding="utf-8"
    )
    (tmp_path / "config.toml").write_text(f'{OF_DUMPS}[filter]\nlists = "{lists}"\n', encoding="utf-8")
    built = build_dataset(tmp_path / "config.toml", tmp_path / "out")
    limits = {"fr": Limits(3), "en": Limits(3)}
    # Of the French article more would be lost, so the English one goes.
    planted = check_folder(tmp_path / "out", "fr-en", [("Lac bleu", "Blue Lake")], limits)
    # The trout live in an item of a list.
    assert planted == {"test": int(lists == "keep")}
    assert {origin.document for origin in read_provenance(tmp_path / "out")} == {
        "Lac bleu", "L'Été & l'hiver", "Accolades", "Red Lake",
    }  # fmt: skip
    dropped = [built.counts["read"][code] for code in ("fr", "en")]
    assert [counts["dropped from lists"] for counts in dropped] == ([0, 0] if lists == "keep" else [6, 1])
    assert [counts["dropped for a template"] for counts in dropped] == [8 if lists == "keep" else 7, 2]
    french = (tmp_path / "out" / "fr-en.test.fr").read_text(encoding="utf-8")
    assert ("Des truites vivent dans le lac.\n" in french) is (lists == "keep")
    for gone in ("Sa surface", "alimente", "débit", "Nous sommes", "{{", "wikitable", "Atlas", "Catégorie"):
        assert gone not in french


def test_a_truncated_dump_is_refused_and_goes_on_once_it_is_whole(config, tmp_path):
    pytest.importorskip("mwxml")
    pytest.importorskip("mwparserfromhell")
    wikipedia(config)
    path = config.parent / "enwiki-pages.xml.bz2"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"enwiki-pages\.xml\.bz2"):
        build_dataset(config, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    path.write_bytes(data)
    build_dataset(config, tmp_path / "out")
    assert (tmp_path / "out" / "dataset.json").exists()


def test_columns_are_checked_with_the_configuration(config, tmp_path):
    edit(config, 'path = "pairs.tsv"', 'path = "pairs.tsv"\ncolumns = ["frist", "second"]')
    with pytest.raises(InputError, match=r"parallel\[1\]\.columns"):
        build_dataset(config, tmp_path / "out")
