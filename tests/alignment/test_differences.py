"""Characters of scripts with marks are counted with their letters; gold's characters as read add up."""

import random

import pytest
from hypothesis import given, strategies as st

from alignment.counting import align
from evalign import score
from evalign.alignment.fold import fold_character
from strategies import two_texts

# Letters of a script, and characters that fold to nothing behind them.
SCRIPTS = {
    "Thai": ("กขคงจฉชซ", "ีิ่้๊ั"),
    "Burmese": ("ကခဂဃငစဆ", "ိီ်္ေ"),
    "Khmer": ("កខគឃងចឆ", "្ិីឹុ"),
    "Tamil": ("கஙசஞடணத", "ிீ்ா"),
    "Devanagari": ("कखगघङचछ", "िी्ा"),
    "Hebrew": ("אבגדהוזח", "ָּׁ"),
    "Arabic": ("ابتثجحخ", "َُِّ"),
    "Cyrillic": ("абвгдежз", "\u0483\u0301"),
    "soft hyphens": ("abcdefgh", "\u00ad"),
    "joiners": ("ابتثجحخ", "\u200c\u200d"),
    "variation selectors": ("❤☂☀☁☃", "\ufe0e\ufe0f"),
}


@st.composite
def words(draw, script):
    """Draw a word of a script: letters, each with up to two marks."""
    letters, marks = SCRIPTS[script]
    with_marks = st.builds(
        lambda letter, behind: letter + "".join(behind),
        st.sampled_from(letters),
        st.lists(st.sampled_from(marks), max_size=2),
    )
    return "".join(draw(st.lists(with_marks, min_size=1, max_size=5)))


def counts(gold, system):
    tolerated = align(gold, system, normalize=["none"]).tolerated
    return tolerated[:4]


def rules_of(gold, system):
    tolerated = align(gold, system, normalize=["none"]).tolerated
    return {use.rule: use.count for use in tolerated.rules}


def test_marks_of_the_scripts_fold_to_nothing():
    assert not [
        mark
        for _, marks in SCRIPTS.values()
        for mark in marks
        if fold_character(mark).strip("\u00ad\u200c\u200d")
    ]


@pytest.mark.parametrize("script", SCRIPTS)
@given(data=st.data())
def test_a_changed_letter_behind_marks_is_all_that_differs(script, data):
    before = data.draw(st.lists(words(script), min_size=1, max_size=5))
    after = data.draw(st.lists(words(script), max_size=3))
    size = len("".join([*before, *after])) + 1
    assert counts([[*before, "x", *after]], [[*before, "y", *after]]) == (size - 1, 1, 0, 0)


@pytest.mark.parametrize("script", SCRIPTS)
@given(data=st.data())
def test_a_letter_put_in_among_marks_is_all_that_is_one_sided(script, data):
    before = data.draw(st.lists(words(script), min_size=1, max_size=5))
    after = data.draw(st.lists(words(script), min_size=1, max_size=5))
    size = len("".join([*before, *after]))
    assert counts([[*before, *after]], [[*before, "x", *after]]) == (size, 0, 0, 1)


@pytest.mark.parametrize(
    ("gold", "system", "differences"),
    [
        ("กิ่", "กิ", {"gold-only": 1}),
        ("กิ", "กิ่", {"system-only": 1}),
        ("กี่x", "ก่x", {"gold-only": 1}),
        ("กี่", "ก่ี", {"other-accents": 2}),
        ("กิ่", "กึ่", {"other-accents": 1}),
        ("กิ", "ก\u00ad", {"other-variant": 1}),
        ("Schiff\u00adfahrt", "Schifffahrt", {"gold-only": 1}),
        ("Schifffahrt", "Schiff\u00adfahrt", {"system-only": 1}),
        ("\u00adan", "an", {"gold-only": 1}),
        ("กิกิ", "กิขิ", {"substituted": 1}),
    ],
)
def test_marks_that_differ_are_counted_once(gold, system, differences):
    context = ["แมว", "หมา"]
    gold_text, system_text = [[context[0], gold, context[1]]], [[context[0], system, context[1]]]
    assert rules_of(gold_text, system_text) == differences


@given(two_texts())
def test_texts_that_differ_are_never_counted_as_equal(pair):
    alignment = align(pair.gold, pair.system, normalize=["none"])
    tolerated = alignment.tolerated
    is_equal = alignment.gold.original.line == alignment.system.original.line
    assert is_equal == (tolerated.rewritten == tolerated.gold_only == tolerated.system_only == 0)


@pytest.mark.parametrize("script", ["Thai", "Burmese", "Hebrew", "joiners"])
def test_parts_count_what_the_whole_counts(script, tmp_path):
    rng = random.Random(3)
    letters, marks = SCRIPTS[script]

    def word():
        letters_of = [rng.choice(letters) + rng.choice(["", *marks]) for _ in range(rng.randint(1, 4))]
        return "".join(letters_of)

    gold = [[word() for _ in range(rng.randint(4, 12))] for _ in range(300)]
    system = [list(sentence) for sentence in gold]
    system[0].insert(1, "x")
    system[200][2] += "x"
    paths = []
    for name, sentences in (("gold.txt", gold), ("system.txt", system)):
        paths.append(tmp_path / name)
        text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
        paths[-1].write_text(text, encoding="utf-8")
    whole, parts = (score(*paths, stream=size).systems[0].ledger for size in (False, 4096))
    assert whole[:4] == parts[:4]
    assert whole[2:4] == (0, 2)
    assert whole.as_read == parts.as_read


@given(two_texts())
def test_characters_as_read_add_up(pair):
    alignment = align(pair.gold, pair.system)
    as_read = alignment.tolerated.as_read
    assert min(as_read) >= 0
    assert sum(as_read) == len(alignment.gold.original.line)


@pytest.mark.parametrize(
    ("gold", "system", "as_read"),
    [
        ("'' a ''", '" a "', (1, 4, 0)),
        ('" a "', "'' a ''", (1, 2, 0)),
        ("... a", "… a", (1, 3, 0)),
        ("… a", "... a", (1, 1, 0)),
        ('" a', "`` a", (1, 1, 0)),
        # Both wrote the same: nothing had to be made equal, although a rule rewrote both.
        ("'' a '' b", "'' a \" c", (3, 2, 1)),
        # What a rule rewrote and the system still has otherwise differs.
        ("… a", "x a", (1, 0, 1)),
        ("e\u0301t\u00e9 a", "\u00e9te\u0301 a", (2, 3, 0)),
        # Only the quotes of a token are made equal, not its letters.
        ("''no''.", '"no".', (3, 4, 0)),
    ],
)
def test_what_rules_made_equal_is_not_identical(gold, system, as_read):
    assert align([gold.split()], [system.split()]).tolerated.as_read == as_read


def test_set_aside_characters_count_as_made_equal_where_one_side_has_them():
    options = {"normalize": ["format"]}
    assert align(["a\u00adb c"], ["ab c"], **options).tolerated.as_read == (3, 1, 0)
    assert align(["a\u00adb ''"], ['a\u00adb "'], **options).tolerated.as_read == (3, 2, 0)


def test_long_tokens_are_compared_by_their_ends():
    gold, system = "a" * 80 + "…" + "b" * 80, "a" * 80 + "..." + "b" * 80
    assert align([gold], [system]).tolerated.as_read == (160, 1, 0)
