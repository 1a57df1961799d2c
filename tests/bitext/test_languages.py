"""Languages with settings, and what a configuration may say about them."""

from pathlib import Path

import pytest

from evalign import bitext
from evalign.bitext.languages import Language, cut_words, find_language, fold_text, known_languages
from evalign.bitext.pairs import is_language
from evalign.errors import CommandError, InputError

STOP = Path(bitext.__file__).parent / "data" / "stop"
ASKED_FOR = "en fr de ru zh es it pt nl pl cs sv da no nb fi ja ko ar tr uk"


def test_languages_that_need_no_settings():
    assert set(ASKED_FOR.split()) <= set(known_languages())
    for code in known_languages():
        assert is_language(code)
        assert find_language(code).code == code
        assert len(find_language(code).stop_words) > 200


def test_languages_with_spaces_have_the_settings_of_the_seed():
    # Zweigenbaum et al. 2018, section 2.2.2: 10 to 20 words, five of them searched for, mm=70%, ps=5, ps2=5.
    fr = find_language("fr")
    assert fr == Language("fr", "words", 10, 20, 5, 70, 5, 5, fr.stop_words, 0, scripts=("Latin",))


@pytest.mark.parametrize("code", ["zh", "zh_hans", "zh_hant", "cmn"])
def test_chinese_has_the_settings_of_the_seed(code):
    # Section 2.3: 15 to 40 characters, 15 of them searched for, locutions of up to six; 20 % is ours.
    zh = find_language(code)
    assert zh == Language(code, "characters", 15, 40, 15, 20, 5, 5, zh.stop_words, 6, scripts=("Han",))
    # Its examples of stop expressions, and the same in traditional script.
    assert {"一", "一切", "不仅", "一方面", "另一方面", "反过来说", "，", "。"} <= zh.stop_words
    assert {"不僅", "反過來說", "從歷史上看"} <= zh.stop_words


def test_japanese_is_of_characters():
    ja = find_language("ja")
    assert ja.unit == "characters"
    assert "、" in ja.commas
    assert {"である", "しかし", "、"} <= ja.stop_words


def test_a_subtag_keeps_the_settings():
    assert find_language("pt_br").stop_words == find_language("pt").stop_words
    assert find_language("nb").stop_words == find_language("no").stop_words


@pytest.mark.parametrize("path", sorted(STOP.glob("*.txt")), ids=lambda path: path.stem)
def test_stop_words_are_listed_once_in_order_as_they_are_compared(path):
    text = path.read_bytes().decode("utf-8")
    assert "\r" not in text
    lines = text.split("\n")
    assert lines.pop() == ""
    assert lines == sorted(set(lines))
    for line in lines:
        assert line.strip() == line != ""
        if find_language(path.stem).unit == "words":
            assert len(cut_words(fold_text(line))) == 1


def test_every_list_belongs_to_a_language():
    assert {path.stem for path in STOP.glob("*.txt")} <= set(known_languages())


def test_a_config_changes_settings():
    found = find_language(
        "fr", {"shortest": 5, "longest": 30, "query": 7, "minimum_should_match": 50, "commas": ";"}
    )
    assert (found.shortest, found.longest, found.query, found.minimum_should_match, found.commas) == (
        5,
        30,
        7,
        50,
        ";",
    )
    assert found.stop_words == find_language("fr").stop_words


def test_a_config_makes_a_language(tmp_path):
    (tmp_path / "cy.txt").write_text("# Welsh\nYr\n\nmae'r\n", encoding="utf-8")
    found = find_language("cy", {"stop_words": "cy.txt"}, folder=tmp_path)
    assert found == Language("cy", stop_words=frozenset({"yr", "mae", "r"}))
    assert find_language("cy", {"stop_words": ["YR"]}).stop_words == {"yr"}
    assert find_language("cy", {"unit": "words"}) == Language("cy")


def test_a_language_of_characters_has_lengths_of_characters():
    thai = find_language("th", {"unit": "characters", "stop_words": ["ที่", " "]})
    assert thai == Language("th", "characters", 15, 40, 15, 20, stop_words=frozenset({"ที่"}))


def test_scripts_are_known_or_given():
    assert find_language("ru").scripts == find_language("uk").scripts == ("Cyrillic",)
    assert find_language("de_at").scripts == ("Latin",)
    assert find_language("sr", {"scripts": ["Latin", "Cyrillic"]}).scripts == ("Latin", "Cyrillic")
    assert find_language("sw", {"unit": "words"}).scripts == ()
    assert find_language("zh", {"unit": "words"}).scripts == ("Han",)
    with pytest.raises(CommandError, match='unknown script "Latn"'):
        find_language("sr", {"scripts": ["Latn"]})
    with pytest.raises(CommandError, match="names of scripts"):
        find_language("sr", {"scripts": 3})


def test_another_unit_brings_its_own_lengths():
    cut = find_language("zh", {"unit": "words"})
    assert (cut.unit, cut.shortest, cut.longest, cut.query, cut.locution) == ("words", 10, 20, 5, 0)
    assert cut.stop_words == find_language("zh").stop_words
    korean = find_language("ko", {"unit": "characters", "longest": 50})
    assert korean == Language(
        "ko", "characters", 15, 50, 15, korean.minimum_should_match, scripts=("Hangul", "Han")
    )


@pytest.mark.parametrize("overrides", [None, {}])
def test_a_language_without_settings_says_how_to_set_it(overrides):
    with pytest.raises(CommandError) as caught:
        find_language("cy", overrides)
    assert str(caught.value).startswith('no settings for language "cy"\n  expected one of ar, cmn, cs,')
    assert '[languages.cy]\n  unit = "words"' in str(caught.value)


def test_what_is_no_code_is_told():
    with pytest.raises(CommandError, match=r'language code "fr-CA"\n  expected two or three small letters'):
        find_language("fr-CA")


REFUSED = [
    # overrides, message
    ({"xyzzy": 20}, 'unknown key "xyzzy"\n  expected one of unit, shortest,'),
    ({"minimum_should_macth": 20}, 'did you mean "minimum_should_match"?'),
    ({"code": "de"}, 'unknown key "code"'),
    ({"unit": "letters"}, 'unit is "\'letters\'"\n  expected "words" or "characters"'),
    ({"unit": 1}, 'unit is "1"'),
    ({"shortest": "10"}, "shortest is \"'10'\"\n  expected a whole number from 1"),
    ({"shortest": 0}, 'shortest is "0"'),
    ({"query": True}, 'query is "True"'),
    ({"longest": 20.0}, 'longest is "20.0"'),
    ({"minimum_should_match": 101}, "expected a whole number from 0 to 100"),
    ({"phrase_slop": -1}, 'phrase_slop is "-1"'),
    ({"shortest": 30}, "longest is 20, shortest 30"),
    ({"stop_words": 5}, "expected a list of words, or the path of a file"),
    ({"stop_words": ["a", 5]}, "expected a list of words, or the path of a file"),
    ({"stop_words": ""}, "expected a list of words, or the path of a file"),
    ({"commas": ""}, "expected text that is not empty"),
    ({"commas": 1}, "expected text that is not empty"),
]


@pytest.mark.parametrize(("overrides", "message"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_settings_that_are_none_are_told(overrides, message):
    with pytest.raises(CommandError) as caught:
        find_language("fr", overrides)
    assert str(caught.value).startswith("language fr: ")
    assert message in str(caught.value)


def test_a_missing_file_of_stop_words_is_told(tmp_path):
    with pytest.raises(InputError, match=r"cy\.txt: no such file"):
        find_language("cy", {"stop_words": "cy.txt"}, folder=tmp_path)


@pytest.mark.issue(28)
def test_chinese_is_what_has_chinese_characters_and_no_others_of_east_asia():
    chinese = [code for code in [*known_languages(), "zh_hant"] if find_language(code).is_chinese]
    assert chinese == ["cmn", "zh", "zh_hant"]
    assert find_language("yue", {"unit": "characters", "scripts": ["Han"]}).is_chinese
    assert not find_language("zh", {"scripts": []}).is_chinese
