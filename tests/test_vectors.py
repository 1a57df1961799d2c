"""The figures and examples of the papers, and the conventions they leave open, as rows of counts.

Counts are correct/spurious/missed, as Jo et al. 2024 print them (TP/FP/FN).
"""

import pytest

import evalign

FIG1 = ("Click here\nTo view it .\n", "Click here To view it .\n")
PICTURES = "He makes some good observations on a few of the picture 's .\n"

VECTORS = [
    # source, system, gold, sentences, tokens
    ("Jo et al. 2024, Figure 1", *FIG1, "0/2/1", "6/0/0"),
    ("Jo et al. 2024, Figure 2", FIG1[0] + PICTURES, FIG1[1] + PICTURES, "1/2/1", "19/0/0"),
    (
        "Jo et al. 2024, Figures 3 (first row) and 4",
        "When No. 1 Isn 't the Best\n",
        "When No. 1 Is n't the Best\n",
        "1/0/0",
        "5/2/2",
    ),
    (
        "Jo et al. 2024, Figure 3 (second row)",
        "Mike McConnell 07/06/2000 14:57 John , Hello from South America .\n",
        "Mike McConnell\n07/06/2000 14:57\nJohn , Hello from South America .\n",
        "0/1/3",
        "11/0/0",
    ),
    (
        "Tsarfaty et al. 2012 in Jo et al. 2024, section 4.3: 4/5 and 4/7",
        "B CL FL HM HNEIM\n",
        "B H CL FL HM H NEIM\n",
        "1/0/0",
        "4/1/3",
    ),
    (
        "Europarl in Jo et al. 2024, section 2.2",
        "Opening of the session I declare resumed the 2000-2001 session of the European Parliament .\n",
        "Opening of the session\nI declare resumed the 2000-2001 session of the European Parliament .\n",
        "0/1/2",
        "15/0/0",
    ),
    ("Jo et al. 2024, section 4.2, plain text", "de 1 000 mètres\n", "de 1 000 mètres\n", "1/0/0", "4/0/0"),
    ("a dropped hyphen costs one token", "an email to me .\n", "an e-mail to me .\n", "1/0/0", "4/1/1"),
    ("case costs the token, not the sentence", "the end .\n", "The end .\n", "1/0/0", "2/1/1"),
    ("missing text is missed, no more", "a b .\n", "a b .\nc d .\n", "1/0/1", "3/0/3"),
    ("reordered text is aligned once", "c d .\na b .\n", "a b .\nc d .\n", "1/1/1", "3/3/3"),
    ("a repeated sentence is no meeting", "x A\nA\nB\n", "x\nA\nA\nB\n", "2/1/2", "4/0/0"),
    ("convention: nothing against nothing", "", "", "0/0/0", "0/0/0"),
    ("convention: an empty system", "", "a b .\n", "0/0/1", "0/0/3"),
    ("convention: an empty gold", "a b .\n", "", "0/1/0", "0/3/0"),
]


def counts(score):
    return f"{score.correct}/{score.system - score.correct}/{score.gold - score.correct}"


def score(system, gold, **options):
    return evalign.score(evalign.Text(gold, "gold"), evalign.Text(system, "system"), **options)


@pytest.mark.parametrize(
    ("source", "system", "gold", "sentences", "tokens"), VECTORS, ids=[row[0] for row in VECTORS]
)
def test_counts(source, system, gold, sentences, tokens):
    result = score(system, gold)
    assert (counts(result["sentences"]), counts(result["tokens"])) == (sentences, tokens)
    # The other way round, what was spurious is missed.
    back = score(gold, system)
    swapped = ["/".join(row.split("/")[k] for k in (0, 2, 1)) for row in (sentences, tokens)]
    assert [counts(back["sentences"]), counts(back["tokens"])] == swapped


def test_spaces_inside_a_form_are_one_token_in_conllu():
    # Jo et al. 2024, section 4.2: de 1 000 mètres is three tokens where "1 000" is one form.
    rows = ["de", "1 000", "mètres"]
    text = "".join(f"{k}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n" for k, form in enumerate(rows, 1)) + "\n"
    assert counts(score(text, text)["tokens"]) == "3/0/0"
    assert counts(score("de 1 000 mètres\n", text)["tokens"]) == "2/2/1"


def test_words_of_a_multiword_token_pair_by_form():
    # The ParTUT row of Jo et al. 2024: don't is do + not in gold, do + n't in the system.
    gold = (
        "1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n3\tnot\t_\t_\t_\t_\t_\t_\t_\t_\n4\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    result = score("I do n't .\n", gold)
    assert (counts(result["sentences"]), counts(result["words"])) == ("1/0/0", "3/1/1")


@pytest.mark.parametrize(
    ("system", "gold", "options", "tokens"),
    [
        ("an email to me .\n", "an e-mail to me .\n", {"match": "place"}, "5/0/0"),
        ("the end .\n", "The end .\n", {"match": "place"}, "3/0/0"),
        ("the end .\n", "The end .\n", {"normalize": ["lower"]}, "3/0/0"),
        ("x A\nA\nB\n", "x\nA\nA\nB\n", {"strategy": "printed"}, "2/2/2"),
        ("You ca n't .\n", "You can not .\n", {"exceptions": "en"}, "2/2/2"),
        ("You ca n't .\n", "You can not .\n", {"exceptions": "en", "credit_exceptions": True}, "4/0/0"),
    ],
)
def test_options_move_the_token_count(system, gold, options, tokens):
    assert counts(score(system, gold, **options)["tokens"]) == tokens


def test_the_printed_algorithm_loses_a_repeated_sentence():
    assert counts(score("x A\nA\nB\n", "x\nA\nA\nB\n", strategy="printed")["sentences"]) == "1/2/3"


def test_reordered_text_is_warned_of():
    result = score("c d .\na b .\n", "a b .\nc d .\n")
    assert result.ledger.reordered == 1
    assert any("another order" in warning for warning in result.warnings)


def test_both_counts_are_kept_where_they_differ():
    result = score("an email .\n", "an e-mail .\n")
    tokens, sentences = result["tokens"], result["sentences"]
    assert (tokens["in_place"], tokens["same_text"], tokens.correct) == (3, 2, 2)
    assert (sentences["in_place"], sentences["same_text"], sentences.correct) == (1, 0, 1)
    assert score("an email .\n", "an e-mail .\n", match="text")["sentences"].correct == 0


def conllu(*tokens):
    """CoNLL-U of one sentence; a token is a form, or a form and its words."""
    rows, number = [], 0
    for token in tokens:
        form, words = (token, []) if isinstance(token, str) else token
        if words:
            rows.append(f"{number + 1}-{number + len(words)}\t{form}")
        for word in words or [form]:
            number += 1
            rows.append(f"{number}\t{word}")
    return "".join(row + "\t_" * 8 + "\n" for row in rows) + "\n"


def test_an_exception_inside_a_multiword_token_is_credited_only_when_asked():
    gold, system = conllu(("don't", ["do", "not"]), "go!"), conllu(("don't", ["do", "n't"]), "go?")
    assert counts(score(system, gold)["words"]) == "1/2/2"
    listed = score(system, gold, exceptions="en")
    assert counts(listed["words"]) == "1/2/2"
    assert listed.ledger.rules["exceptions"].system == 1
    assert counts(score(system, gold, exceptions="en", credit_exceptions=True)["words"]) == "2/1/1"


def test_a_rule_that_rewrites_a_word_inside_a_multiword_token_is_in_the_ledger():
    gold, system = conllu(("don't", ["do", "n\u2019t"]), "x"), conllu(("don't", ["do", "n't"]), "y")
    result = score(system, gold)
    assert counts(result["words"]) == "2/1/1"
    assert result.ledger.rules["quotes"].gold == 1


def test_a_mark_by_itself_is_found_although_other_text_differs():
    text = "a b c d e f g h i\n{} y\n\u0308\n"
    result = score(text.format("z"), text.format("x"))
    assert (counts(result["sentences"]), counts(result["tokens"])) == ("3/0/0", "11/1/1")


def test_an_empty_token_sits_behind_the_token_before_it():
    result = evalign.score([["a", "", "b", "x"]], [["a", "", "b", "y"]])
    assert counts(result["tokens"]) == "3/1/1"


def test_keys_of_an_exception_list_are_normalised_too(tmp_path):
    (tmp_path / "mine.tsv").write_text("n\u2019t\tnot\n", encoding="utf-8")
    options = {"exceptions": str(tmp_path / "mine.tsv"), "credit_exceptions": True}
    assert counts(score("I do n't .\n", "I do not !\n", **options)["tokens"]) == "3/1/1"


def test_errors_of_words_by_place_are_those_the_score_counts():
    gold, system = conllu(("dune", ["du", "n\u00e9"])), conllu(("dune", ["du", "ne"]))
    result = score(system, gold, match="place")
    assert counts(result["words"]) == "2/0/0"
    assert result.errors("words") == []
