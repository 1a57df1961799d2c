"""Sentences to keep out of a data set: wrong language, unpaired marks, copies from the other side."""

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.languages import Language, find_language
from evalign.bitext.sentence_checks import (
    WrongLanguage,
    find_chinese_script,
    find_script,
    fold_copy,
    has_unpaired_brackets,
    has_unpaired_quotes,
    measure_scripts,
)

OPENING, CLOSING = "([{（《【", ")]}）》】"

BRACKETS = [
    # sentence, whether a bracket has no partner
    ("no bracket", False),
    ("one (two) three [four]", False),
    ("one (two [three] four)", False),
    ("one (two [three) four]", True),
    ("one (two", True),
    ("two) three", True),
    ("a) the first", True),
    (":-)", True),
    ("他说（没有《书》）。", False),
    ("他说（没有)。", True),
    ("", False),
]


@pytest.mark.parametrize(("sentence", "expected"), BRACKETS, ids=[row[0] for row in BRACKETS])
def test_brackets(sentence, expected):
    assert has_unpaired_brackets(sentence) is expected


@given(st.text(st.sampled_from(OPENING + CLOSING + "ab "), max_size=20))
def test_brackets_are_paired_if_and_only_if_taking_pairs_out_leaves_none(text):
    left = "".join(character for character in text if character in OPENING + CLOSING)
    before = ""
    while left != before:
        before = left
        for opening, closing in zip(OPENING, CLOSING, strict=True):
            left = left.replace(opening + closing, "")
    assert has_unpaired_brackets(text) is bool(left)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('"Yes", he said.', False),
        ('"Yes, he said.', True),
        ("„Ja“, sagte er.", False),
        ("« Oui », dit-il, “non.", True),
        ("He's the dogs' friend", False),
        ("「是『不』是」", False),
        ("", False),
    ],
)
def test_quotes(sentence, expected):
    assert has_unpaired_quotes(sentence) is expected


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("See page 12 of the manual.", "SEE PAGE 7 OF THE MANUAL"),
        ("Costs 1,000.50 a year", "costs 2 a year!"),
        ("l'été, ici", "L’ÉTÉ : ICI"),
        ("用 mdadm 参数。", "用Mdadm参数"),
        ("Straße", "STRASSE"),
    ],
)
def test_copies_are_the_same_but_for_case_digits_and_punctuation(one, two):
    assert fold_copy(one) == fold_copy(two)


@pytest.mark.parametrize(
    ("one", "two"), [("a page", "a pages"), ("a 1 b", "a b"), ("été", "ete"), ("no 1 a", "no a 1")]
)
def test_other_sentences_are_no_copies(one, two):
    assert fold_copy(one) != fold_copy(two)


@given(st.text(), st.sampled_from(".,;:!?-–\"'«»() \t"))
def test_punctuation_makes_no_other_sentence(text, mark):
    assert fold_copy(f"{mark}{text}{mark}") == fold_copy(text)
    assert fold_copy(fold_copy(text)) == fold_copy(text)


def test_scripts_are_those_of_unicode():
    letters = {"é": "Latin", "ﬁ": "Latin", "ß": "Latin", "я": "Cyrillic", "中": "Han", "々": "", "か": "Hiragana",
               "カ": "Katakana", "한": "Hangul", "ش": "Arabic", "α": "Greek", "ก": "Thai", "Ａ": "Latin",
               "1": "", "。": "", " ": "", "\u0301": ""}  # fmt: skip
    assert {letter: find_script(letter) for letter in letters} == letters


def make_check(own, other, *thresholds):
    return WrongLanguage(find_language(own), find_language(other), *(thresholds or (0.25, 2, 0.75)))


WRONG = [
    # own language, other language, sentence, whether it is clearly in the wrong one
    ("ru", "en", "The committee met twice a week in the old town hall.", True),
    ("ru", "en", "Комитет собирался дважды в неделю в старой ратуше.", False),
    ("ru", "en", "Программа GNU/Linux Debian, Ubuntu и Fedora Core Workstation работает.", False),
    ("zh", "en", "The committee met twice a week.", True),
    ("zh", "en", "使用 mdadm --create 命令来创建新的阵列", False),
    ("en", "zh", "委员会每周在旧市政厅开会两次。", True),
    ("fr", "en", "The committee met twice a week in the old town hall.", True),
    ("fr", "en", "Le comité se réunissait deux fois par semaine à l'ancien hôtel de ville.", False),
    ("fr", "en", "Le groupe a enregistré The Dark Side of the Moon en deux ans.", False),
    ("en", "fr", "Le comité se réunissait deux fois par semaine à l'ancien hôtel de ville.", True),
    ("en", "fr", "They sang La Vie en rose in the old town hall.", False),
    ("fr", "en", "Paris Lyon Marseille Toulouse Nice Nantes Strasbourg", False),
    ("fr", "en", "1 2 3 4 5", False),
    ("uk", "ru", "Он сказал, что это было очень давно и что никто ничего не помнит.", True),
    ("ja", "zh", "委員会は毎週二回、古い市役所で会議を開いていました。", False),
]


@pytest.mark.parametrize(
    ("own", "other", "sentence", "expected"), WRONG, ids=[f"{r[0]}: {r[2]}" for r in WRONG]
)
def test_sentences_in_the_wrong_language(own, other, sentence, expected):
    assert make_check(own, other).holds_for(sentence) is expected


def test_thresholds_decide_and_are_within():
    sentence = "the of the of le la"  # four of one, two of the other: two thirds
    assert make_check("fr", "en", 0.25, 4, 0.6666).holds_for(sentence)
    assert not make_check("fr", "en", 0.25, 5, 0.5).holds_for(sentence)
    assert not make_check("fr", "en", 0.25, 2, 0.7).holds_for(sentence)
    assert make_check("fr", "en", 0.25, 3, 0.75).holds_for("the of the le"), "three quarters are enough"
    half = "слово word"  # five letters, four letters
    assert measure_scripts(half, ("Latin",)) == 4 / 9
    assert make_check("en", "ru", 0.45, 2, 0.75).holds_for(half)
    assert not make_check("en", "ru", 4 / 9, 2, 0.75).holds_for(half)


def test_without_scripts_and_stop_words_nothing_is_wrong():
    check = WrongLanguage(Language("xx"), Language("yy"), 0.25, 1, 0.5)
    assert not check.holds_for("The committee met twice")


@pytest.mark.issue(28)
@pytest.mark.parametrize(
    ("sentence", "script"),
    [
        ("这个学校里有两种书", "simplified script"),
        ("這個學校裡有兩種書", "traditional script"),
        ("中文", ""),
        ("", ""),
        ("The 13 schools", ""),
        # A name in the other script does not decide.
        ("臺北的这个学校里有两种书", "simplified script"),
        ("学校、學校", ""),
        ("ﾊﾞｲﾊﾞｲ かな 한글", ""),
    ],
)
def test_script_of_a_chinese_sentence(sentence, script):
    assert find_chinese_script(sentence) == script


@pytest.mark.issue(28)
@given(st.text(st.sampled_from("这這学學两兩中文,1")))
def test_the_script_is_that_of_more_characters(sentence):
    n = sum(sentence.count(character) for character in "这学两"), sum(sentence.count(c) for c in "這學兩")
    expected = "" if n[0] == n[1] else "simplified script" if n[0] > n[1] else "traditional script"
    assert find_chinese_script(sentence) == expected
