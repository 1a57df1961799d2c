"""Small cases with their sources, on equal and on differing texts."""

from itertools import product

import pytest

from evalign.errors import CommandError
from evalign.metrics.comparison import Units
from evalign.metrics.registry import METRICS
from evalign.readers.formats import read_source
from evalign.text import Text
from metrics.comparisons import compare, compare_documents, count, score


def split(*sentences):
    return [sentence.split() for sentence in sentences]


POINTS = [
    # source, metric, gold, system, (correct, gold, system)
    (
        "Jo et al. 2024, Figure 1",
        "boundaries",
        ["Click here To view it ."],
        ["Click here", "To view it ."],
        (1, 1, 2),
    ),
    ("Jo et al. 2024, Figure 4", "token-boundaries", ["1 Is n't it"], ["1 Isn 't it"], (2, 3, 3)),
    ("by hand: nothing inside one sentence", "boundaries-inner", ["a b ."], ["a b ."], (0, 0, 0)),
    ("by hand: hyphen dropped", "boundaries", ["an e-mail .", "b ."], ["an email .", "b ."], (2, 2, 2)),
    ("by hand: hyphen dropped", "token-boundaries", ["an e-mail ."], ["an email ."], (2, 2, 2)),
    ("by hand: lost sentence", "boundaries", ["a b .", "c d ."], ["a b ."], (1, 2, 1)),
    ("by hand: full stops lost", "boundaries", ["a b .", "c d ."], ["a b", "c d"], (0, 2, 2)),
    ("by hand: one letter rewritten", "boundaries", ["ab cd", "ef gh"], ["ab cx", "ef gh"], (2, 2, 2)),
    ("convention: nothing against nothing", "boundaries", [], [], (0, 0, 0)),
    ("convention: something against nothing", "token-boundaries", ["a b"], [], (0, 1, 0)),
]


@pytest.mark.parametrize(("source", "name", "gold", "system", "counts"), POINTS)
def test_points(source, name, gold, system, counts):
    found = count(name, compare(split(*gold), split(*system)))
    assert tuple(found.values()) == counts
    back = count(name, compare(split(*system), split(*gold)))
    assert tuple(back.values()) == (counts[0], counts[2], counts[1])


def test_document_ends_are_left_out_on_both_sides():
    documents = [split("a b .", "c ."), split("d e .")]
    same = split("a b .", "c .", "d e .")
    joined = split("a b . c . d e .")
    assert tuple(count("boundaries-inner", compare_documents(documents, same)).values()) == (1, 1, 1)
    assert tuple(count("boundaries-inner", compare_documents(documents, joined)).values()) == (0, 1, 0)
    assert count("token-boundaries", compare_documents(documents, joined))["gold"] == 6


def test_labels_of_figure_one():
    """Jo et al. 2024, Figure 1: the second S is where gold has T."""
    counts = count("bio", compare(split("Click here To view it ."), split("Click here", "To view it .")))
    assert [counts[f"{part}_S"] for part in ("correct", "gold", "system")] == [1, 1, 2]
    assert [counts[f"{part}_T"] for part in ("correct", "gold", "system")] == [4, 5, 4]
    assert (counts["correct"], counts["characters"]) == (17, 18)


@pytest.mark.parametrize(
    ("source", "gold", "system", "correct", "gold_i", "system_i"),
    [
        ("by hand: a hyphen inside is gold's alone", "e-mail it", "email it", 7, 6, 5),
        ("by hand: the first character lost, the label stays", "-D x", "D x", 2, 1, 0),
        ("by hand: a whole token lost", "a , b", "a b", 2, 0, 0),
    ],
)
def test_labels_where_texts_differ(source, gold, system, correct, gold_i, system_i):
    counts = count("bio", compare(split(gold), split(system)))
    assert (counts["correct"], counts["gold_I"], counts["system_I"]) == (correct, gold_i, system_i)
    assert counts["characters"] == len(gold.replace(" ", ""))


MARKS = [
    # source, gold, system, (both, system only, gold only, neither)
    ("Palmer and Hearst 1997: an abbreviation", ["Mr. X left ."], ["Mr.", "X left ."], (1, 1, 0, 0)),
    ("by hand: inside a token", ["at 3.14 .", "b !"], ["at 3.14 . b !"], (1, 0, 1, 1)),
    ("by hand: an end without a mark is not judged", ["a", "b ."], ["a b ."], (1, 0, 0, 0)),
    ("by hand: the mark is lost", ["a b .", "c ."], ["a b", "c ."], (1, 0, 1, 0)),
    ("by hand: an ellipsis is one mark", ["so …", "x a ."], ["so ...", "y a ."], (2, 0, 0, 0)),
    ("by hand: quotes rewritten behind a mark", ["a .''", "x b ."], ['a ."', "y b ."], (1, 0, 0, 1)),
    ("by hand: split inside a gold token", ["a.b c"], ["a.", "b d"], (0, 1, 0, 0)),
]


@pytest.mark.parametrize(("source", "gold", "system", "judged"), MARKS, ids=[row[0] for row in MARKS])
def test_disambiguation(source, gold, system, judged):
    assert tuple(count("disambiguation", compare(split(*gold), split(*system))).values()) == judged


def test_candidates_are_an_option():
    comparison = compare(split("a ;", "b ."), split("a ; b ."), candidates=";")
    assert tuple(count("disambiguation", comparison).values()) == (0, 0, 1, 0)


def test_a_vocabulary_must_be_given():
    with pytest.raises(CommandError, match="vocabulary="):
        count("oov", compare(split("a b"), split("a b")))


def test_vocabulary_and_tokens_have_no_white_space():
    gold = [["1 000", "mètres"]]
    counts = count("oov", compare(gold, gold, vocabulary=frozenset(["1 000"])))
    assert tuple(counts.values()) == (1, 1, 1, 1)


@pytest.mark.parametrize(("match", "correct"), [("default", 0), ("text", 0), ("place", 1)])
def test_sentence_accuracy_matches_as_tokens_do(match, correct):
    comparison = compare(split("The end ."), split("the end ."), match=match)
    assert tuple(count("sentence-accuracy", comparison).values()) == (correct, 1)


def test_an_inserted_token_makes_a_sentence_wrong():
    comparison = compare(split("a b c", "d e"), split("a b , c", "d e"))
    assert tuple(count("sentence-accuracy", comparison).values()) == (1, 2)


def test_windows_see_through_a_lost_full_stop():
    comparison = compare(split("a b .", "c d .", "e f ."), split("a b", "c d", "e f"))
    assert score("pk", comparison) == {"error": 0.0}
    assert score("windowdiff", comparison) == {"error": 0.0}


def test_windows_are_per_document():
    documents = [split("a b", "c d"), split("e f g h", "i j k l")]
    system = split("a b", "c d", "e f g h i j k l")
    comparison = compare_documents(documents, system)
    by_document = compare(comparison.alignment.gold.original, system)
    assert count("pk", comparison) == count("pk", by_document) == {"errors": 2, "windows": 3 + 6}


def test_the_row_of_a_document_is_in_the_unit_it_starts_in():
    source = "".join(
        f"{'# newdoc' if new else '#'}\n1\t{a}\t_\t_\t_\t_\t_\t_\t_\t_\n2\t{b}\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        for new, a, b in ((1, "a", "b"), (0, "c", "d"), (1, "e", "f"))
    )
    gold = read_source(Text(source), "conllu")
    units = Units("stretch", gold.sentences[:-1], ["1", "2", "3"])
    comparison = compare(gold, split("a b c d", "e f"), units)
    assert METRICS["pk"].count(comparison).tolist() == [[1, 3], [0, 0], [0, 1]]


def test_every_window_variant_agrees_where_windows_do():
    gold, system = split("a b c d", "e f g h", "i j k l"), split("a b c", "d e f g h", "i j", "k l")
    errors = {
        name + suffix: score(name + suffix, compare(gold, system))["error"]
        for name, suffix in product(("pk", "windowdiff"), ("", "-segeval"))
    }
    assert set(errors.values()) == {0.4}
