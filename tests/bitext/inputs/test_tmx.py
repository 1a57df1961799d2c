"""Translation memories (TMX)."""

import pytest

from evalign.bitext.inputs.source import SourcePair
from evalign.bitext.inputs.tmx import read_tmx
from evalign.errors import InputError

HEAD = '<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
BODY = """<tmx version="1.4"><header srclang="en" datatype="plaintext"/>
<body>
{units}
</body></tmx>
"""


def unit(first, second, languages=("fr", "en"), attributes="", name="xml:lang"):
    texts = zip(languages, (first, second), strict=True)
    return (
        f"<tu{attributes}>"
        + "".join(f'<tuv {name}="{code}"><seg>{text}</seg></tuv>' for code, text in texts)
        + "</tu>"
    )


@pytest.fixture
def write(tmp_path):
    """Writes a memory of these units."""

    def write(*units, encoding="utf-8", head=HEAD):
        path = tmp_path / "memory.tmx"
        path.write_bytes(
            (
                head.format(encoding=encoding.removesuffix("-sig")) + BODY.format(units="\n".join(units))
            ).encode(encoding)
        )
        return path

    return write


def read(path, languages=("fr", "en"), **options):
    return list(read_tmx(path, languages, **options))


def texts(path, **options):
    return [(pair.first, pair.second) for pair in read(path, **options)]


def refused(path, *parts, **options):
    with pytest.raises(InputError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert all(part in message for part in parts), message


def test_pairs_have_the_id_of_their_unit_or_its_line(write):
    path = write(unit("Un.", "One.", attributes=' tuid="u1"'), unit("Deux.", "Two."))
    assert read(path) == [SourcePair("u1", "", "Un.", "One."), SourcePair("6", "", "Deux.", "Two.")]


@pytest.mark.parametrize("languages", [("FR", "En"), ("fr-FR", "EN-us"), ("fr_CA", "en-GB")])
@pytest.mark.parametrize("name", ["xml:lang", "lang"])
def test_languages_match_without_case_and_region(write, languages, name):
    assert texts(write(unit("Un.", "One.", languages, name=name))) == [("Un.", "One.")]


def test_a_language_is_not_the_beginning_of_another(write):
    refused(write(unit("Un.", "One.", ("fro", "en"))), "no unit in fr and en", "its languages are fro, en")


def test_scripts_of_a_language_are_told_apart(write):
    path = write(unit("一。", "One.", ("zh-Hant", "en")), unit("二。", "Two.", ("zh-Hans", "en")))
    assert texts(path, languages=("zh_hans", "en")) == [("二。", "Two.")]


def test_the_language_itself_is_better_than_a_variety_and_the_first_than_others(write):
    french = '<tuv xml:lang="fr-CA"><seg>A</seg></tuv><tuv xml:lang="fr"><seg>B</seg></tuv>'
    english = '<tuv xml:lang="en-GB"><seg>C</seg></tuv><tuv xml:lang="en-US"><seg>D</seg></tuv>'
    assert texts(write(f"<tu>{french}{english}</tu>")) == [("B", "C")]


def test_the_order_of_languages_is_that_which_is_asked_for(write):
    assert texts(write(unit("One.", "Un.", ("en", "fr")))) == [("Un.", "One.")]


def test_codes_are_dropped_and_highlighted_text_is_kept(write):
    first = 'Un <bpt i="1">&lt;b&gt;</bpt>gros<ept i="1">&lt;/b&gt;</ept> <hi type="x">chat</hi><ph>{0}</ph><it pos="begin">i</it>.'
    second = "A <ut>x</ut>big<ph>a<sub>note <hi>in</hi> it</sub>b</ph> cat."
    assert texts(write(unit(first, second))) == [("Un gros chat.", "A big cat.")]


def test_text_outside_segments_is_no_text(write):
    units = '<tu><note>no</note><prop type="x">no</prop><tuv xml:lang="fr"><note>no</note><seg>Un.</seg></tuv><tuv xml:lang="en"><seg>One.</seg></tuv></tu>'
    assert texts(write(units)) == [("Un.", "One.")]


def test_characters_may_be_written_as_references(write):
    assert texts(
        write(unit("L&#39;&#xE9;t&eacute;".replace("&eacute;", "é") + " &amp; &lt;", "<![CDATA[A & <b>]]>"))
    ) == [("L'été & <", "A & <b>")]


def test_line_ends_and_tabs_are_spaces(write):
    assert texts(write(unit("Un\nchat\t.", "A&#10;cat&#9;."))) == [("Un chat .", "A cat .")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_encodings_are_those_that_the_file_says(write, encoding):
    assert texts(write(unit("L'été.", "Summer."), encoding=encoding)) == [("L'été.", "Summer.")]


@pytest.mark.parametrize("encoding", ["gb18030", "no-such-code"])
def test_an_encoding_that_cannot_be_read_is_refused(write, encoding):
    path = write(unit("Un.", "One."))
    path.write_bytes(path.read_bytes().replace(b"utf-8", encoding.encode()))
    refused(path, f"{path}:1: ", "text in UTF-8 or UTF-16")


def test_an_empty_side_is_skipped_and_told_of(write):
    path = write(unit("Un.", ""), unit("", ""), unit("Deux.", "Two."))
    skipped = []
    assert texts(path, skipped=skipped.append) == [("Deux.", "Two.")]
    assert [str(place) for place in skipped] == [f"{path}:5"]


def test_units_that_lack_a_language_are_passed_over(write):
    path = write(unit("Eins.", "One.", ("de", "en")), unit("Un.", "One."))
    assert texts(path) == [("Un.", "One.")]


def test_a_memory_without_units_has_no_pairs(write):
    assert read(write()) == []


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
def test_a_file_that_ends_early_is_refused_with_its_line_after_what_was_whole(write, piece):
    path = write(unit("Un.", "One."), unit("Deux.", "Two."))
    path.write_bytes(path.read_bytes()[:-60])
    pairs = read_tmx(path, ("fr", "en"), piece=piece)
    assert next(pairs).first == "Un."
    with pytest.raises(InputError, match=r"memory\.tmx:6: XML that ends early or is damaged"):
        list(pairs)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["memory.tmx:1: XML that ends early"]),
        ("just text\n", ["memory.tmx:1: XML that ends early or is damaged"]),
        ("<html><body/></html>", ["memory.tmx:1: XML of <html>", "a translation memory: <tmx>"]),
        ("<tmx>\n<body>\n</tmx>", ["memory.tmx:3: ", "mismatched tag"]),
        ("<tmx>\n&nbsp;</tmx>", ["memory.tmx:2: ", "undefined entity"]),
        (
            '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx>&nbsp;</tmx>',
            ["memory.tmx:2: ", 'entity "&nbsp;"', "&#160;"],
        ),
    ],
)
def test_what_is_no_memory_is_refused_with_its_line(tmp_path, text, parts):
    path = tmp_path / "memory.tmx"
    path.write_text(text, encoding="utf-8")
    refused(path, *parts)


def test_a_file_that_grows_by_its_entities_is_refused(write):
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<!DOCTYPE tmx [<!ENTITY a0 "ha">{entities}]>\n'
    refused(write(unit("&a9;", "One."), head=head), ':1: a declaration of the entity "a0"')


@pytest.mark.parametrize("kind", ['"{path}"', 'SYSTEM "file://{path}"', 'PUBLIC "x" "file://{path}"'])
def test_no_entity_is_loaded_from_elsewhere(write, tmp_path, kind):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    head = f"<!DOCTYPE tmx [<!ENTITY x {kind.format(path=secret)}>]>\n"
    refused(write(unit("&x;", "One."), head=head), 'a declaration of the entity "x"')


def test_no_declarations_are_loaded_from_elsewhere(write, tmp_path):
    (tmp_path / "tmx14.dtd").write_text('<!ENTITY x "loaded">', encoding="utf-8")
    head = f'<!DOCTYPE tmx SYSTEM "file://{tmp_path / "tmx14.dtd"}">\n'
    refused(write(unit("&x;", "One."), head=head), 'entity "&x;"')


def test_a_segment_without_an_end_is_refused_before_memory_is_full(write):
    path = write(unit("a &amp; " * 50, "One."))
    with pytest.raises(InputError, match=":5: a segment of more than 100 characters"):
        list(read_tmx(path, ("fr", "en"), longest=100))
