"""Hints that two files give about each other."""

import unicodedata

import pytest

from evalign.readers.doctor import examine, find_hints
from evalign.readers.formats import read_source
from evalign.text import Text
from readers.conllu_text import sentence

GOLD = (
    "# newdoc id = d\n# sent_id = 1\n"
    + sentence("The", "Café", "is", "closed", ".")
    + "# sent_id = 2\n"
    + sentence("Nobody", "knows", "why", "it", "happened", ".")
)
PLAIN = "The Café is closed .\nNobody knows why it happened .\n"


def hints(gold, system, names=("a", "b")):
    return find_hints(examine(Text(gold, names[0])), examine(Text(system, names[1])))


def said(findings):
    return " ".join(map(str, findings))


def test_files_that_belong_together_are_fine():
    [hint] = hints(GOLD, PLAIN)
    assert (hint.severity, hint.message) == ("ok", "b has the same characters as a")


def test_gold_and_system_may_be_swapped():
    assert "swapped (the second is CoNLL-U, the first plain text)" in said(hints(PLAIN, GOLD))
    bare = "".join(line for line in GOLD.splitlines(keepends=True) if not line.startswith("#"))
    headless = "\n".join(
        "\t".join([*row.split("\t")[:6], *"____"]) if row else "" for row in bare.split("\n")
    )
    assert "swapped (only the second has sentence ids" in said(hints(headless, GOLD))
    assert "swapped" not in said(hints(GOLD, headless))
    assert "swapped" not in said(hints(GOLD, GOLD))
    assert "swapped" not in said(hints(bare, GOLD))


@pytest.mark.parametrize(
    ("names", "swapped"),
    [
        (("system.txt", "gold.txt"), True),
        (("x/sys1.txt", "x/en-gold.txt"), True),
        (("pred.txt", "en_ewt.txt"), True),
        (("gold.txt", "system.txt"), False),
        (("gold/out.txt", "other.txt"), True),
        (("gold-out.txt", "other.txt"), False),
        (("goldfish.txt", "systematic.txt"), False),
        (("a.txt", "b.txt"), False),
    ],
)
def test_names_tell_gold_from_system(names, swapped):
    assert ("swapped" in said(hints(PLAIN, PLAIN, names))) == swapped


def test_normal_forms_that_differ_are_noted():
    assert "normal forms differ: a is NFC, b is NFD" in said(
        hints(PLAIN, unicodedata.normalize("NFD", PLAIN))
    )


def test_case_that_differs_is_noted():
    assert "b is all in lower case" in said(hints(PLAIN, PLAIN.lower()))
    assert "a is all in lower case" in said(hints(PLAIN.lower(), PLAIN))
    assert "differ only in case" in said(hints(PLAIN, PLAIN.title()))


def test_texts_with_nothing_in_common_are_an_error():
    other = "Ein ganz anderer Text steht hier .\nUnd noch ein Satz dazu .\n"
    [hint] = hints(PLAIN, other)
    assert (hint.severity, hint.message) == ("error", "a and b have nothing in common")


def test_a_text_that_was_cut_off_is_a_warning():
    long = "".join(f"This is sentence number {k} of many .\n" for k in range(1, 200))
    assert "of the text of a is in b" in said(hints(long, long[: len(long) // 8]))
    assert "of the text of b is in a" in said(hints(long[: len(long) // 8], long))
    assert [hint.severity for hint in hints(long, long.replace("number 7 ", "number seven "))] == ["note"]


def test_small_differences_are_a_note():
    assert [hint.severity for hint in hints(PLAIN, PLAIN.replace("why", "how"))] == ["note"]


def test_nothing_against_something_is_a_warning():
    assert "b has no characters" in said(hints(PLAIN, ""))
    assert [hint.severity for hint in hints("", "")] == ["ok"]


def test_documents_can_be_compared_too():
    gold, system = read_source(Text(GOLD, "a")), read_source(Text(PLAIN, "b"))
    assert said(find_hints(gold, system)) == "b has the same characters as a"
    assert "swapped" in said(find_hints(system, gold))


def test_an_unreadable_file_is_not_compared():
    assert hints("a\ud800", PLAIN) == []
