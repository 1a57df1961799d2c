"""Terms of sentences for a search engine."""

from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st

from evalign.bitext.languages import Language, count_units, find_language, index_terms, known_languages
from evalign.bitext.search.query import Query, make_query

WORDS = Language("xx")
CHARACTERS = Language("xx", "characters", 15, 40, 15)

TERMS = [
    # source, language, sentence, terms
    ("elision", WORDS, "L'homme d’ici", ["l", "homme", "d", "ici"]),
    ("hyphens and digits", WORDS, "RAID-1, 3.5 %", ["raid", "1", "3", "5"]),
    ("case is folded", WORDS, "STRASSE Straße ΣΊΣΥΦΟΣ", ["strasse", "strasse", "σίσυφοσ"]),
    ("accents are composed", WORDS, "e\u0301te\u0301", ["été"]),
    ("marks are within words", WORDS, "हिन्दी می‌خواهم", ["हिन्दी", "می‌خواهم"]),
    ("soft hyphens are no text", WORDS, "Donau\xaddampf", ["donaudampf"]),
    ("underscores are marks", WORDS, "_a_b__", ["a", "b"]),
    ("repetitions stay", WORDS, "der und der", ["der", "und", "der"]),
    ("marks alone", WORDS, "« … » ❤️ –", []),
    ("nothing", WORDS, "", []),
    ("bigrams", CHARACTERS, "有线电视", ["有线", "线电", "电视"]),
    ("marks and spaces cut", CHARACTERS, "有线，电 视", ["有线", "电", "视"]),
    ("words among characters", CHARACTERS, "用Mdadm 2参数", ["用", "mdadm", "2", "参数"]),
    ("wide letters are letters", CHARACTERS, "ＲＡＩＤ１阵列", ["raid1", "阵列"]),
    ("kana", CHARACTERS, "データは", ["デー", "ータ", "タは"]),
    ("rare characters", CHARACTERS, "𠀀𠀁𠀂", ["𠀀𠀁", "𠀁𠀂"]),
    ("Thai with its vowels", CHARACTERS, "กินข้าว", ["กิ", "ิน", "นข", "ข้", "้า", "าว"]),
]


@pytest.mark.parametrize(("source", "language", "sentence", "terms"), TERMS, ids=[row[0] for row in TERMS])
def test_terms(source, language, sentence, terms):
    assert index_terms(language, sentence) == terms


LENGTHS = [
    # source, language, sentence, length
    ("spec: white-space tokens with a letter or digit", WORDS, "Il dit : « l'homme  a\t3 ans » …", 6),
    ("hyphens and apostrophes cut nothing", WORDS, "mother-in-law don't", 2),
    ("a token of marks around a digit", WORDS, "--- (1) _ __", 1),
    ("spec: characters that are no white space", CHARACTERS, " 用 mdadm 参数。\u3000", 9),
    ("nothing", WORDS, "", 0),
    ("nothing, of characters", CHARACTERS, " ", 0),
]


@pytest.mark.parametrize(
    ("source", "language", "sentence", "length"), LENGTHS, ids=[row[0] for row in LENGTHS]
)
def test_lengths(source, language, sentence, length):
    assert count_units(language, sentence) == length


@pytest.mark.parametrize(
    ("n", "is_kept"), [(9, False), (10, True), (20, True), (21, False)], ids=["9", "10", "20", "21"]
)
def test_both_limits_of_length_are_within(n, is_kept):
    assert WORDS.fits(count_units(WORDS, " ".join(["a"] * n))) is is_kept


EN = replace(find_language("en"), phrase_slop=3, pair_slop=4)
ZH = find_language("zh", {"minimum_should_match": 70})
QUERIES = [
    # source, language, sentence, terms, minimum
    ("seed 2.2.2: the first five words, then no stop words", EN, "The cats of the house are grey", ("cats", "house"), 1),
    ("70 % of three is two", EN, "Red cats eat the fish", ("red", "cats", "eat", "fish"), 2),
    ("marks are no words", EN, "« Red – cats … eat the fish »", ("red", "cats", "eat", "fish"), 2),
    ("a token of two words is one", EN, "semi-final test-match day two three four", ("semi", "final", "test", "match", "day", "two", "three"), 4),
    ("a term once", EN, "cats and dogs and CATS", ("cats", "dogs"), 1),
    ("seed 2.3: a locution before a comma is left out", ZH, "由此可见，有线电视", ("有线", "线电", "电视"), 2),
    ("in traditional script, an ASCII comma", ZH, "由此可見,有線電視", ("有線", "線電", "電視"), 2),
    ("six characters are one", ZH, "上个世纪末期，有线电视", ("有线", "线电", "电视"), 2),
    ("seven are none", ZH, "上个世纪的末期，有线电视", ("上个", "个世", "世纪", "末期", "有线", "线电", "电视"), 4),
    ("a comma within a number is none", ZH, "约1,000个用户", ("1", "000", "个用", "用户"), 2),
    ("a locution that is all stays", ZH, "有线电视，", ("有线", "线电", "电视"), 2),
    ("seed 2.3: stop expressions are left out, the longest first", ZH, "另一方面电视不仅好看", ("电视", "好看"), 1),
    ("seed 2.3: stop expressions go before characters are counted", replace(ZH, query=4), "另一方面有线电视用户", ("有线", "线电", "电视"), 2),
    ("seed 2.3: ASCII marks are stop expressions too", replace(ZH, query=4), '"有线"(电视)用户', ("有线", "电视"), 1),
    ("so is the dot inside a foreign name", replace(ZH, query=4), "有线·电视用户", ("有线", "电视"), 1),
    ("other marks are counted", replace(ZH, query=4), "有线%电视用户", ("有线",), 1),
    ("20 % of ten is two", find_language("zh"), "商船离开古老港口城市港", ("商船", "船离", "离开", "开古", "古老", "老港", "港口", "口城", "城市", "市港"), 2),
    ("seed 2.3: fifteen characters", CHARACTERS, "一二三四五六七八九十百千万亿兆京", ("一二", "二三", "三四", "四五", "五六", "六七", "七八", "八九", "九十", "十百", "百千", "千万", "万亿", "亿兆"), 9),
    ("spaces are not counted", replace(CHARACTERS, query=3), "有 线 电视", (), 0),
    ("a word that would be cut is left out", replace(CHARACTERS, query=6), "有线电视 mdadm", ("有线", "线电", "电视"), 2),
    ("the first word is never cut", replace(CHARACTERS, query=3), "mdadm2 电视", ("mdadm2",), 1),
    ("words may be stop expressions, whole", replace(CHARACTERS, stop_words=frozenset({"the"})), "the theory", ("theory",), 1),
    ("and are not counted", replace(CHARACTERS, query=3, stop_words=frozenset({"the"})), "the的the有线the", ("有线",), 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "language", "sentence", "terms", "minimum"), QUERIES, ids=[row[0] for row in QUERIES]
)
def test_queries(source, language, sentence, terms, minimum):
    expected = Query(terms, minimum, language.phrase_slop, language.pair_slop) if terms else None
    assert make_query(language, sentence) == expected


@pytest.mark.parametrize(
    ("code", "sentence"),
    [("en", "And so it is"), ("fr", "« … »"), ("zh", "不仅如此，的，"), ("en", ""), ("zh", " ")],
)
def test_where_nothing_is_left_there_is_no_query(code, sentence):
    assert make_query(find_language(code), sentence) is None


@pytest.mark.parametrize(
    ("percent", "minimum"), [(100, 4), (99, 3), (70, 2), (50, 2), (20, 1), (0, 1)], ids=str
)
def test_percents_are_rounded_down_and_at_least_one(percent, minimum):
    query = make_query(replace(WORDS, minimum_should_match=percent), "a b c d")
    assert query.minimum == minimum


# Characters of several scripts, marks, digits, spaces, and some that casefolding makes longer.
TEXTS = st.text(
    st.sampled_from("abcßİŉÉé\u0301'’-_,，。 \u3000\t1２Ｂ有线电视的のйيनि\u200d𠀀❤\ufe0f"), max_size=60
) | st.text(max_size=40)
LANGUAGES = st.sampled_from([find_language(code) for code in known_languages()] + [WORDS, CHARACTERS])


@given(LANGUAGES, TEXTS)
def test_terms_have_no_white_space_and_are_not_empty(language, text):
    for term in index_terms(language, text):
        assert term.split() == [term]


@given(LANGUAGES, TEXTS)
@example(CHARACTERS, "1" * 15 + "ि")  # a mark behind the last character of the query
def test_what_is_searched_for_is_in_the_index_of_its_sentence(language, text):
    query = make_query(language, text)
    if query:
        assert set(query.terms) <= set(index_terms(language, text))
        assert len(set(query.terms)) == len(query.terms)
        assert not set(query.terms) & language.stop_words
        assert 1 <= query.minimum <= len(query.terms)


@pytest.mark.issue(28)
@given(
    st.sampled_from([find_language("zh"), find_language("ja")]),
    st.lists(st.sampled_from(["有线", "电视", "用户", "12", "abc", " "]), min_size=12, max_size=30).map(
        "".join
    ),
)
def test_a_stop_expression_between_characters_is_not_counted(language, text):
    """With a mark in place of every space the same is searched for."""
    for mark in language.stop_words:
        if mark not in language.commas and not mark[0].isalnum():
            assert make_query(language, text.replace(" ", mark)) == make_query(language, text), mark


@given(LANGUAGES, TEXTS)
@example(WORDS, "ŉ\u0301")  # folded to two letters, the second of which takes the accent
def test_case_changes_no_terms_and_spaces_no_length(language, text):
    # Upper case is not always the way back: ŉ is ʼN.
    assert index_terms(language, text.casefold()) == index_terms(language, text)
    assert count_units(language, f"  {text} \u3000") == count_units(language, text)


def test_a_run_of_letters_without_end_is_cut():
    terms = index_terms(WORDS, "x" * 1_000_000)
    assert "".join(terms) == "x" * 1_000_000
    assert max(map(len, terms)) == 64
