"""Uniform typography: quotes, dashes and spaces do not reveal where a sentence comes from."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.typography import normalize_typography

VECTORS = [
    # what it is, text, normalised
    ("German quotes", "„Ja“, sagte er", '"Ja", sagte er'),
    ("German guillemets point inwards", "sagte »Ja« und ging", 'sagte "Ja" und ging'),
    ("French quotes with spaces", "Il a dit « oui » hier", 'Il a dit "oui" hier'),
    ("French quotes with no-break spaces", "l’«\u00a0été\u202f»", 'l\'"été"'),
    ("a French quote that is not closed here", "Il dit : « Oui.", 'Il dit: "Oui.'),
    ("a French quote that was opened before", "Oui. », dit-il", 'Oui.", dit-il'),
    ("English quotes", "“Yes,” she said", '"Yes," she said'),
    ("Penn Treebank quotes, in tokens", "`` Yes , '' she said", '"Yes," she said'),
    ("straight quotes, in tokens", 'he said " yes " twice', 'he said "yes" twice'),
    ("inches are no quotation", 'a 5" and a 6" pipe', 'a 5" and a 6" pipe'),
    ("double quotes made of single ones", "‘‘Yes’’", '"Yes"'),
    ("low and high Hungarian", "〝Igen〞 ‟Igen”", '"Igen" "Igen"'),
    ("apostrophes", "l’été l´été lʼété l`été l′été", "l'été l'été l'été l'été l'été"),
    ("single guillemets", "‹ oui › ‚ja‘", "'oui' 'ja'"),
    ("a dash between spaces", "a – b — c - d -- e ― f", "a - b - c - d - e - f"),
    ("a dash without spaces", "that—we know—is it", "that - we know - is it"),
    ("two hyphens for a dash", "that--we know", "that - we know"),
    ("options are no dashes", "use --help or -v", "use --help or -v"),
    ("a range", "1990–1995, Paris–Dakar", "1990-1995, Paris-Dakar"),
    ("minus", "at −5 or –5 degrees", "at -5 or -5 degrees"),
    ("hyphens that do not break", "e‑mail re‐do", "e-mail re-do"),
    ("a hyphen that ends a part", "Vor- und Nachteile", "Vor- und Nachteile"),
    ("a dash that begins a speech", "— Oui.", "- Oui."),
    ("an ellipsis", "wait… what", "wait... what"),
    ("dots with spaces", "wait . . . what", "wait... what"),
    ("more dots than three", "wait..... what", "wait... what"),
    ("two dots stay", "wait.. what", "wait.. what"),
    ("all kinds of white space", "a\u00a0b\u2009c\u3000d\te\nf\u2028g\x00h", "a b c d e f g h"),
    ("no space at the ends", "\ufeff a \u200b", "a"),
    ("nothing without a shape", "so\u00adft z\u200bero ri\u200fght \u202ain\u202c", "soft zero right in"),
    ("French spacing", "Quoi ? Oui ! Ceci : cela ; fin", "Quoi? Oui! Ceci: cela; fin"),
    ("per cent", "50 % de 10 000", "50% de 10 000"),
    ("tokens", "A word , ( in brackets ) .", "A word, (in brackets)."),
    ("a name that begins with a dot", "the file .bashrc is", "the file .bashrc is"),
    ("composed characters", "e\u0301te\u0301", "été"),
    ("ligatures of print", "ﬁnd the ﬂag", "find the flag"),
    ("letters of full width", "ＡＢＣ１２３", "ABC123"),
    ("Chinese marks in a Latin sentence", "Hello，world（again）。", "Hello, world (again)."),
    ("Chinese keeps its marks", "你好，世界。真的？", "你好，世界。真的？"),
    ("Chinese gets its marks", "你好,世界!真的(是)吗?", "你好，世界！真的（是）吗？"),
    ("Chinese quotes", "他说「你好」和『再见』和“好”", '他说"你好"和"再见"和"好"'),
    ("titles are no quotes", "他读《红楼梦》", "他读《红楼梦》"),
    ("Chinese has no spaces", "在 Debian 系统 中 , 我们", "在Debian系统中，我们"),
    ("but words of others in it do", "在Debian GNU/Linux中", "在Debian GNU/Linux中"),
    ("numbers and addresses in Chinese", "在10:30访问http://a.b/?c=1,000", "在10:30访问http://a.b/?c=1,000"),
    ("the end of a Chinese sentence", "我们使用它.", "我们使用它。"),
    ("a Chinese dash", "这是——好的—是 - 的", "这是——好的——是——的"),
    ("a Chinese ellipsis", "然后...好…的", "然后……好……的"),
    ("middle dots", "奥巴马•侯赛因・约翰", "奥巴马·侯赛因·约翰"),
    ("Japanese", "｢これは､ﾃｽﾄです｡｣", '"これは、ﾃｽﾄです。"'),
    ("one Chinese character in English", "The character 中 means middle", "The character 中 means middle"),
    ("Korean has spaces", "그는 “네” 라고 했다.", '그는 "네" 라고 했다.'),
    ("Persian needs its joiner", "می\u200cشود", "می\u200cشود"),
    ("Hindi needs its joiner", "क्\u200dष", "क्\u200dष"),
    ("Latin needs none", "a\u200cb\u200dc", "abc"),
    ("Arabic", "قال: «نعم»\u200f ثم ذهب؟", 'قال: "نعم" ثم ذهب؟'),
    ("private use stays", "text \ue000 more", "text \ue000 more"),
    ("convention: nothing is nothing", "", ""),
]


@pytest.mark.parametrize(("what", "text", "normalized"), VECTORS, ids=[row[0] for row in VECTORS])
def test_vectors(what, text, normalized):
    assert normalize_typography(text) == normalized


# Few characters, of all kinds that any rule looks at, so that rules meet.
MEETING = "ab5 中か字()[]\"'`«»‹›“”„’‘—–-−.…,:;!?%，。！？（）《》「」\u00a0\u3099\u0301\u200c\u200dﬁＡِبक्"
either_text = st.one_of(st.text(), st.text(st.sampled_from(MEETING)), st.text(st.sampled_from(MEETING[:24])))


@given(either_text)
def test_what_is_normalized_stays_as_it_is(text):
    once = normalize_typography(text)
    assert normalize_typography(once) == once


@given(either_text)
def test_letters_and_digits_stay_in_their_order(text):
    def kept(text):
        # Ligatures, full width and modifier apostrophes are other characters for the same letters.
        decomposed = unicodedata.normalize("NFKD", text.replace("ʼ", "").replace("\u180e", ""))
        return [c for c in decomposed if unicodedata.category(c)[0] in "LN"]

    assert kept(normalize_typography(text)) == kept(text)


@given(either_text)
def test_no_control_character_and_no_odd_space_is_left(text):
    normalized = normalize_typography(text)
    assert not [c for c in normalized if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs")]
    assert [c for c in normalized if c.isspace() and c != " "] == []
    assert normalized == normalized.strip()
    assert "  " not in normalized


@given(st.text(min_size=1))
def test_no_sentence_with_a_letter_is_emptied(text):
    if any(c.isalpha() for c in text):
        assert normalize_typography(text)


@given(st.text(st.sampled_from(MEETING)))
def test_none_of_the_other_quotes_and_dashes_is_left(text):
    assert not set(normalize_typography(text)) & set("`«»‹›“”„’‘–−「」\u00a0")


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [" ", "'", '" ', "- ", ". ", "中 ", "«", "a--", "\u200c", "( ", " ,", "中."]
)
def test_long_runs_take_no_longer_than_they_are(piece):
    # A quadratic rule would not come to an end here.
    assert normalize_typography(normalize_typography(piece * 100_000)) == normalize_typography(
        piece * 100_000
    )
