"""Sentences from wikitext: those with a template are dropped, and nothing else is."""

import re
import sys

import mwparserfromhell
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.inputs.wikitext import (
    BLOCK_MARK,
    HOLE_MARK,
    LinkParser,
    PageText,
    find_sections,
    load_parser,
    read_wikitext,
    split_paragraphs,
    strip_markup,
    strip_quotes,
)
from evalign.bitext.languages import known_languages
from evalign.errors import CommandError

VECTORS = [
    # what it is about, wikitext, sentences, how many are dropped
    ("nothing", "", [], 0),
    ("plain", "One here. Two here.", ["One here.", "Two here."], 0),
    ("a template drops its sentence", "One here. Two {{x}} here. Three.", ["One here.", "Three."], 1),
    ("so does one in a word", "One{{x}}here. Two.", ["Two."], 1),
    ("nested", "One {{a|{{b|{{c}}}}|d={{{e|f}}}}} here. Two.", ["Two."], 1),
    ("arguments", "One {{{1|x}}} here. Two.", ["Two."], 1),
    ("magic words", "In {{CURRENTYEAR}}. Two.", ["Two."], 1),
    ("parser functions", "One {{#if: a | b. C | d }} here. Two.", ["Two."], 1),
    ("behind the full stop", "One here.{{note}} Two here.", ["Two here."], 1),
    ("at the beginning", "One here. {{x}} goes on. Three here.", ["One here.", "Three here."], 1),
    ("two in one sentence", "One {{x}} and {{y}}. Two.", ["Two."], 1),
    ("alone on a line", "One here\n{{x}}\nTwo here.", ["One here", "Two here."], 0),
    ("alone in a paragraph", "One here.\n\n{{x}}{{y}}\n\nTwo here.", ["One here.", "Two here."], 0),
    ("an infobox", "{{Box\n| a = b\n}}\n'''One''' is here.", ["One is here."], 0),
    ("on the line of the infobox", "{{Box\n| a = b\n}}'''One''' is here.", ["One is here."], 0),
    ("that goes on", "{{Box\n| a\n}} is here. Two here.", ["Two here."], 1),
    ("a template that begins the line", "{{Name|x}} is here. Two here.", ["Two here."], 1),
    ("references", "One<ref>A. B.</ref> here.<ref name=a /> Two<REF name='b'>c</ref >.", ["One here.", "Two."], 0),
    ("with templates in them", "One<ref>{{cite|a=b}} c</ref> here.", ["One here."], 0),
    ("a list of them", "One.\n<references>\n<ref name=a>B c.</ref>\n</references>", ["One."], 0),
    ("not closed", "One here.<ref>Book. Two here.<ref>Other</ref> Three.", ["Two here.", "Three."], 1),
    ("comments", "One <!-- {{x}} [[ <ref> -->here.", ["One here."], 0),
    ("a comment of a line", "One\n<!-- x -->\nhere.", ["One here."], 0),
    ("a comment without end", "One here. <!-- Two here.", ["One here."], 0),
    ("formulas", "Let <math>x^{2}</math> be. Two.", ["Two."], 1),
    ("galleries", "One.\n<gallery>\nFile:a.png|Two.\n</gallery>\nThree.", ["One.", "Three."], 0),
    ("nowiki", "One <nowiki>''[[a]]''</nowiki> here<nowiki />.", ["One ''[[a]]'' here."], 0),
    ("braces in it", "One <nowiki>{{a}}</nowiki> here. Two.", ["Two."], 1),
    ("breaks", "One here.<br>Two here,<br />and<BR/> there.", ["One here.", "Two here, and there."], 0),
    ("tags", 'A <span style="x">b</span> <small>c</small> km<sup>2</sup>.', ["A b c km2."], 0),
    ("no tags", "It is a < b and <Enter> is a key.", ["It is a < b and <Enter> is a key."], 0),
    ("tables", "One.\n{| class=x\n| a || b. C.\n{|\n| d\n|}\n|-\n|}\nTwo.", ["One.", "Two."], 0),
    ("an indented table", "One.\n:{|\n| a\n|}\nTwo.", ["One.", "Two."], 0),
    ("a table of HTML", "One.<table><tr><td>Two.</td></tr></table>Three.", ["One.", "Three."], 0),
    ("a table that is not closed", "One.\n{| class=x\n| a\n! b\nTwo.", ["One.", "Two."], 0),
    ("a template in a table that is not", "One.\n{|\n| {{a\n|}\nTwo.", ["One.", "Two."], 0),
    ("links", "[[One]] [[two|2]] [[three#four|''five'']] [[six]]s.", ["One 2 five sixs."], 0),
    ("a link to a file", "One [[:File:a.png|here]].", ["One here."], 0),
    ("files", "One.\n[[File:a.png|thumb|Two [[a]].\n\nThree.]]\nFour.", ["One.", "Four."], 0),
    ("files with templates", "One [[Fichier:a.png|{{b}}|20px]]here.", ["One here."], 0),
    ("categories", "One.\n[[Catégorie:a|b]]\n[[category: c]]", ["One."], 0),
    ("languages", "One.\n[[en:Two]]\n[[zh-yue:Three]]\nSee [[:en:Two|it]].", ["One.", "See it."], 0),
    ("another wiki", "One [[wikt:two|two]] [[s:Three|three]].", ["One two three."], 0),
    ("a link with a template in its target", "One [[{{a}}|b]] here. Two.", ["Two."], 1),
    ("on the web", "See [http://a.org the page], [http://a.org] or http://b.org now.", ["See the page, or http://b.org now."], 0),
    ("a picture in parentheses", "One ([[File:a.png]]) here.", ["One here."], 0),
    ("headings", "= A =\n== B. C {{d}} ==\nOne.\n=== D ===", ["One."], 0),
    ("a rule", "One.\n----\nTwo.", ["One.", "Two."], 0),
    ("lines of a paragraph", "One\nhere. Two\n\nhere.", ["One here.", "Two", "here."], 0),
    ("an indented line", "One\n two\nthree.", ["One", "two", "three."], 0),
    ("bold and italic", "'''One''' ''two'' '''''three'''''.", ["One two three."], 0),
    ("an apostrophe before them", "De l'''Aude'' à l'est.", ["De l'Aude à l'est."], 0),
    ("left open", "'''One and two.\nAnd ''three.", ["One and two.", "And three."], 0),
    ("entities", "A&nbsp;b &amp;lt; &#233;&#xe9; &eacute; &foo; &.", ["A\xa0b &lt; éé é &foo; &."], 0),
    ("entities of what cannot be", "A&#xD800;b&#0;c&#xE000;. D&#9;e&#xE001;. F.", ["F."], 2),
    ("switches", "__NOTOC__One __not_this__ here.\n__KEIN_INHALT__", ["One __not_this__ here."], 0),
    ("braces left open", "One {{a here. Two {here. Three.", ["Three."], 2),
    ("braces left over", "One }} here. Two.", ["Two."], 1),
    ("brackets left open", "One [[a here. Two.", ["Two."], 1),
    ("brackets left over", "One ]] here. Two.", ["Two."], 1),
    ("brackets over paragraphs", "One [[a here. Two.\n\nThree]] here. Four.", ["Two.", "Four."], 2),
    ("control characters", "One\x07\there\x85.\r\n\r\nTwo\u2028here.", ["One here.", "Two here."], 0),
    ("our own marks", f"One{HOLE_MARK}here{BLOCK_MARK}.", ["One here."], 0),
    ("several scripts", "他来了。我有{{n}}个。-{我}-去。", ["他来了。", "我去。"], 1),
    ("several forms", "用-{zh-hans:计算机;zh-hant:電腦}-。好。", ["好。"], 1),
]  # fmt: skip


@pytest.mark.parametrize(("about", "text", "sentences", "dropped"), VECTORS, ids=[row[0] for row in VECTORS])
def test_sentences_of_a_page(about, text, sentences, dropped):
    language = "zh" if "。" in text else "fr" if "Aude" in text else "en"
    assert read_wikitext(text, language) == PageText(tuple(sentences), dropped)


SHIFTED = [
    # wikitext of a sentence, how it reads; "" if its digits would be misread and it is dropped
    ("10<sup>-10</sup>", ""),
    ("10<sup>−10</sup>", ""),
    ("6.02 × 10<sup>23</sup>", ""),
    ("101<sub>2</sub>", ""),
    ("10<SUP class='x'> 2 </SUP >", ""),
    ("''10''<sup>''2''</sup>", ""),
    ("[[ten|10]]<sup>[[two|2]]</sup>", ""),
    ("10<!-- x --><b><sup>a2</sup></b>", ""),
    ("10<sup>n+<small>1</small></sup>", ""),
    ("10<sup>a<sub>2</sub></sup>", ""),
    ("SO<sub>4</sub><sup>2-</sup>", ""),
    ("1<sup>1</sup>/<sub>2</sub>", ""),
    ("<sup>3</sup>4", ""),
    ("١٠<sup>٢</sup>", ""),
    ("10<sup>2 and no end", ""),
    ("km<sup>2</sup>", "km2"),
    ("CO<sub>2</sub>", "CO2"),
    ("C<sub>6</sub>H<sub>12</sub>", "C6H12"),
    ("the 19<sup>e</sup> and 20<sup>''th''</sup>", "the 19e and 20th"),
    ("2<sup>n</sup>3", "2n3"),
    ("10<sup/>5", "105"),
    ("<sup>1</sup>/<sub>2</sub>", "1/2"),
    ("<sup>14</sup>C", "14C"),
    ("5 <sup>2</sup>", "5 2"),
    ("10² and m³", "10² and m³"),
]


@pytest.mark.issue(28)
@pytest.mark.parametrize(("text", "shown"), SHIFTED, ids=[row[0] for row in SHIFTED])
def test_digits_of_different_heights_are_not_joined(text, shown):
    page = read_wikitext(f"One. It is {text} here. Two.", "en")
    kept = ("One.", f"It is {shown} here.", "Two.") if shown else ("One.", "Two.")
    assert page == PageText(kept, 0 if shown else 1)


@pytest.mark.issue(28)
@given(
    st.sampled_from(["10", "x10", "10x", "x", ""]),
    st.sampled_from(["{}", "''{}''", "<b>{}</b>", "[[{}]]", "[[a|{}]]", "<!-- 1 -->{}"]),
    st.sampled_from(["sup", "sub"]),
    st.sampled_from(["2", "-10", "n", "n+1", "(2)"]),
)
def test_a_number_ends_where_its_height_changes(base, markup, tag, shifted):
    left = strip_markup(
        f"a {markup.format(base)}<{tag}>{shifted}</{tag}> b" if base else f"a <{tag}>{shifted}</{tag}> b"
    )
    misread = base.endswith("0") and any(map(str.isdigit, shifted))
    assert strip_quotes(left) == f"a {base}{HOLE_MARK * misread}{shifted} b"


def test_superscript_takes_linear_time():
    for text in ("1" + "<sup>" * 20_000, "1<sup>" * 20_000, "1<sup>" + "'" * 40_000, "1</sup>''" * 20_000):
        assert strip_markup(text)


LISTS = [
    # what it is about, wikitext, sentences without lists, how many items go, sentences with lists
    ("items", "A.\n* One. Two.\n** three\n# four\n: five\nB.", ["A.", "B."], 4, ["A.", "One.", "Two.", "three", "four", "five", "B."]),
    ("definitions", "; Term : what it is\n;only\n:this", [], 4, ["Term", "what it is", "only", "this"]),
    ("of HTML", "A.<ul><li>One.</li><LI class=x>Two.</ul>B.<dl><dt>Three<dd>four</dl>", ["A.", "B."], 4, ["A.", "One.", "Two.", "B.", "Three", "four"]),
    ("templates in them are no items", "* {{x}}\n* {{y}} z\nA.", ["A."], 1, ["A."]),
    ("references", "A.\n== References ==\nOne. Two.\n\nThree.", ["A."], 2, ["A.", "One.", "Two.", "Three."]),
    ("until the next section", "== ''See also'' ==\nOne.\n=== Two ===\nThree.\n== Four ==\nFive.", ["Five."], 2, ["One.", "Three.", "Five."]),
    ("below another one", "== A ==\nOne.\n=== Further reading: ===\nTwo.\n=== B ===\nThree.", ["One.", "Three."], 1, ["One.", "Two.", "Three."]),
    ("above it", "=== Notes {{x}} ===\nOne.\n== B ==\nTwo.", ["Two."], 1, ["One.", "Two."]),
    ("another name", "== Reference works ==\nOne.", ["One."], 0, ["One."]),
    ("no heading", "== References\nOne.", ["== References One."], 0, ["== References One."]),
    ("captions of pictures by hand", 'A.<div class="thumbcaption">One.</div>B.', ["A.", "B."], 0, ["A.", "B."]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "text", "prose", "n_items", "everything"), LISTS, ids=[row[0] for row in LISTS]
)
def test_list_items_and_references_are_no_prose(about, text, prose, n_items, everything):
    found = read_wikitext(text, "en")
    assert (list(found.sentences), found.n_listed) == (prose, n_items)
    found = read_wikitext(text, "en", drop_lists=False)
    assert (list(found.sentences), found.n_listed) == (everything, 0)


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("ar", "مراجع"), ("cs", "Externí odkazy"), ("da", "Se også"), ("de", "Einzelnachweise"), ("es", "Véase también"),
        ("fi", "Lähteet"), ("fr", "Notes et références"), ("it", "Collegamenti esterni"), ("ja", "外部リンク"),
        ("ko", "같이 보기"), ("nl", "Externe links"), ("nb", "Eksterne lenker"), ("pl", "Przypisy"), ("pt", "Ligações externas"),
        ("ru", "См. также"), ("sv", "Referenser"), ("tr", "Kaynakça"), ("uk", "Посилання"), ("zh_hant", "參考文獻"),
        ("cy", "References"),
    ],
)  # fmt: skip
def test_sections_are_told_by_their_names_in_each_language(language, heading):
    assert read_wikitext(f"== {heading} ==\nOne.\n== B ==\nTwo.", language).sentences == ("Two.",)


def test_every_language_with_settings_has_names_of_sections():
    for code in known_languages():
        assert find_sections(code) != find_sections("xx"), code


def test_a_wiki_names_its_pictures():
    text = "One.\n[[Soubor:a.png|Two.]]"
    assert read_wikitext(text, "cs", frozenset({"soubor"})).sentences == ("One.",)
    assert read_wikitext(text, "cs").sentences != ("One.",)


def test_a_paragraph_that_is_no_prose_is_dropped_as_one():
    links = "[http://a.org b]. " * 2000
    assert read_wikitext(f"One.\n\n{links}\n\nTwo.", "en") == PageText(("One.", "Two."), 1)
    tangled = "[http://a " * 20
    assert read_wikitext(f"One.\n\n{tangled}\n\nTwo.", "en") == PageText(("One.", "Two."), 1)


def test_a_long_paragraph_of_plain_text_stays():
    assert len(read_wikitext("It is so. " * 5000, "en").sentences) == 5000


def test_what_the_parser_gives_up_is_dropped(monkeypatch):
    def fail(*_args, **_options):
        raise mwparserfromhell.parser.ParserError("")

    load_parser.cache_clear()
    monkeypatch.setattr(mwparserfromhell, "parse", fail)
    assert read_wikitext("A &amp; b.\n\nC d.", "en") == PageText(("C d.",), 1)
    load_parser.cache_clear()


def test_without_the_parser_the_command_says_what_to_install(monkeypatch):
    load_parser.cache_clear()
    monkeypatch.setitem(sys.modules, "mwparserfromhell", None)
    with pytest.raises(CommandError, match="pip install mwparserfromhell mwxml"):
        read_wikitext("A b.", "en")


TOKENS = [
    "{{", "}}", "{{{", "}}}", "{|", "|}", "[[", "]]", "[", "]", "|", "=", "\n", "\n\n", " ", ".", ". ", "''", "'''", "<ref>",
    "</ref>", "<ref name=a/>", "<!--", "-->", "<nowiki>", "</nowiki>", "<math>", "</math>", "<br>", "<b>", "<table>",
    "</table>", "<", ">", "&amp;", "&#x7b;", "&#xE000;", "&", "http://a.org", "[http://a.org ", "File:", "Category:", "en:",
    "__NOTOC__", "-{", "}-", "{", "}", "*", "#", ":", ";", "a", "B", "é", "。", "中", "\x00", "\x85", "\u2028", "\ue000", "\ue001",
]  # fmt: skip
tangled_text = st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=3)), max_size=40).map("".join)
# XML has no halves of characters.
tangled_text = tangled_text.map(lambda text: text.encode("utf-8", "ignore").decode())


@given(tangled_text, st.sampled_from(["en", "fr", "zh"]))
def test_whatever_is_written_sentences_are_clean(text, language):
    page = read_wikitext(text, language)
    for sentence in page.sentences:
        assert sentence == sentence.strip() != ""
        assert not set(sentence) & set("{}\t\n\r\x00\x85\u2028\u2029" + HOLE_MARK + BLOCK_MARK), sentence
    assert page.n_dropped >= 0


@given(tangled_text)
def test_what_is_left_is_closed(text):
    left = strip_markup(text)
    assert "{{" not in left
    assert "}}" not in left
    assert "<" not in left
    assert left.count("[[") == left.count("]]")


@given(tangled_text)
def test_only_markup_is_looked_for_in_marked_paragraphs(text):
    """Paragraphs without brackets and entities show as they are, with the parser or without it."""
    parser = LinkParser()
    for paragraph, _ in split_paragraphs(strip_markup(text)):
        if not re.search(r"[\[\]&]", paragraph):
            plain = strip_quotes(paragraph)
            code = mwparserfromhell.parse(plain, skip_style_tags=True)
            assert parser.show_code(code) == plain == parser.show(paragraph)


def oracle(code):
    """What mwparserfromhell has at each place, templates and formulas as holes: a parser of its own, for whole pages."""
    shown = []
    for node in code.nodes:
        kind = type(node).__name__
        if kind == "Text":
            shown.append(str(node))
        elif kind == "Wikilink":
            shown.append(oracle(node.text) if node.text is not None else str(node.title))
        elif kind in ("Template", "Argument") or (kind == "Tag" and node.tag == "math"):
            shown.append(HOLE_MARK)
        else:
            assert kind == "Comment" or node.tag == "ref", kind
    return "".join(shown)


words = st.text("abc .,é中", min_size=1, max_size=5)
names = st.text("abc", min_size=1, max_size=5)
wikitexts = st.recursive(
    words,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map("".join),
        st.builds("{{{{{}|{}|d={}}}}}".format, names, inner, inner),
        st.builds("{{{{{}}}}}".format, names),
        st.builds("{{{{{{ {} | {} }}}}}}".format, names, inner),
        st.builds("[[{}|x{}]]".format, names, words),
        st.builds("[[{}]]".format, names),
        st.builds("<ref name={}>{}</ref>".format, names, words),
        st.builds("<math>{}</math>".format, names),
        st.builds("<!-- {} -->".format, inner.filter(lambda text: "--" not in text)),
    ),
    max_leaves=12,
)


@given(wikitexts)
def test_well_formed_text_is_read_as_mwparserfromhell_reads_it(text):
    text = f"x{text}"
    assert strip_markup(text) == oracle(mwparserfromhell.parse(text))


@given(st.lists(st.tuples(names, st.booleans()), max_size=8))
def test_as_many_sentences_are_dropped_as_held_a_template(sentences):
    text = " ".join(f"It is {name}{' {{x|y. Z}}' if held else ''} here." for name, held in sentences)
    page = read_wikitext(text, "en")
    assert page.sentences == tuple(f"It is {name} here." for name, held in sentences if not held)
    assert page.n_dropped == sum(held for _, held in sentences)
