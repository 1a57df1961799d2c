"""Pairs checked against the corpora of a data set: unknown ids, and the split that is meant."""

import pytest

from bitext.datasets import Split, write_dataset
from bitext.scoring.pairfiles import pair_lines
from evalign.bitext.scoring.pair_scores import score_pairs
from evalign.errors import CommandError, InputError

FRENCH = ["Un chat.", "Deux chiens.", "Trois maisons."]
ENGLISH = ["A cat.", "Two dogs.", "Three houses."]


@pytest.fixture
def folder(tmp_path):
    """Two splits, ids 1 to 3 in training and 4 to 6 in test."""
    write_dataset(
        tmp_path / "fr-en",
        training=Split(FRENCH, ENGLISH, [(0, 0)]),
        test=Split([s.upper() for s in FRENCH], [s.upper() for s in ENGLISH], [(0, 1), (2, 2)]),
    )
    return tmp_path


def write(folder, name, pairs, languages=("fr", "en")):
    path = folder / name
    path.write_text(pair_lines(pairs, languages), encoding="utf-8")
    return path


def texts(pairs):
    return [(pair["first_text"], pair["second_text"]) for pair in pairs]


def test_examples_have_their_sentences(folder):
    system = write(folder, "one.tsv", [(4, 5), (5, 6)])
    pairing = (
        score_pairs(folder / "fr-en/fr-en.test.gold", system, corpora=folder / "fr-en").systems[0].pairing
    )
    assert texts(pairing["false"]) == [("DEUX CHIENS.", "THREE HOUSES.")]
    assert texts(pairing["missed"]) == [("TROIS MAISONS.", "THREE HOUSES.")]


def test_without_corpora_sentences_are_not_known(folder):
    system = write(folder, "one.tsv", [(4, 5), (5, 6)])
    pairing = score_pairs(folder / "fr-en/fr-en.test.gold", system).systems[0].pairing
    assert texts(pairing["false"]) == [("", "")]


UNKNOWN = [
    ("one of the first", [(4, 5), (9, 5)], 2, "fr-000000009 is not in {}/fr-en.test.fr"),
    ("one of the second", [(4, 5), (4, 1)], 2, "en-000000001 is not in {}/fr-en.test.en"),
    ("several, named in the order of lines", [(9, 5), (4, 5), (8, 5), (7, 5)], 1,
     "fr-000000009 is not in {}/fr-en.test.fr, nor are 2 others"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "pairs", "lineno", "found"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_an_unknown_id_is_refused_with_its_line(folder, what, pairs, lineno, found):
    system = write(folder, "one.tsv", pairs)
    with pytest.raises(InputError) as refused:
        score_pairs(folder / "fr-en/fr-en.test.gold", system, corpora=folder / "fr-en")
    assert str(refused.value) == (
        f"{system}:{lineno}: {found.format(folder / 'fr-en')}\n  expected ids of the corpora\n"
        "  are these pairs of another split? `split=` says which the corpora are of"
    )


def test_unknown_ids_of_gold_are_refused_too(folder):
    gold = write(folder, "fr-en.test.gold", [(1, 5)])
    with pytest.raises(InputError, match=r"fr-en.test.gold:1: fr-000000001 is not in"):
        score_pairs(gold, write(folder, "one.tsv", [(4, 5)]), corpora=folder / "fr-en")


def test_the_split_is_that_of_the_name_of_gold_or_that_has_its_ids(folder):
    for name in ("fr-en.test.gold", "my-gold.tsv", "fr-en.sample.gold"):
        gold = write(folder, name, [(4, 5)])
        result = score_pairs(gold, write(folder, "one.tsv", [(5, 6)]), corpora=folder / "fr-en")
        assert texts(result.systems[0].pairing["missed"]) == [("UN CHAT.", "TWO DOGS.")]


def test_the_split_that_is_named_is_taken(folder):
    gold = write(folder, "fr-en.test.gold", [(1, 2)])
    result = score_pairs(gold, write(folder, "one.tsv", [(1, 1)]), corpora=folder / "fr-en", split="training")
    assert texts(result.systems[0].pairing["false"]) == [("Un chat.", "A cat.")]


def test_a_split_that_nobody_has_is_refused(folder):
    gold, system = write(folder, "gold", [(4, 5)]), write(folder, "one.tsv", [(4, 5)])
    with pytest.raises(CommandError) as refused:
        score_pairs(gold, system, corpora=folder / "fr-en", split="dev")
    assert str(refused.value) == f'no split "dev" in {folder / "fr-en"}\n  expected one of training, test'


def test_ids_of_no_split_and_of_several_ask_for_one(folder):
    system = write(folder, "one.tsv", [(4, 5)])
    gold = write(folder, "gold", [(1, 1), (4, 5)])
    with pytest.raises(CommandError) as refused:
        score_pairs(gold, system, corpora=folder / "fr-en")
    asked = "  expected the split that it is of\n  `split=training|test` says which"
    assert str(refused.value) == f"no split has all ids of {gold}\n{asked}"
    for language, sentences in (("fr", FRENCH), ("en", ENGLISH)):
        path = folder / "fr-en" / f"fr-en.training.{language}"
        lines = [f"{language}-{number:09d}\t{text}\n" for number, text in enumerate(sentences, 4)]
        path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        score_pairs(write(folder, "gold", [(4, 5)]), system, corpora=folder / "fr-en")
    assert str(refused.value) == f"several splits have all ids of {gold}\n{asked}"


def test_corpora_of_other_languages_are_refused(folder):
    gold = write(folder, "gold", [(4, 5)], ("de", "en"))
    with pytest.raises(InputError, match='fr-en: no data set "de-en"\n  expected fr-en'):
        score_pairs(gold, write(folder, "one.tsv", [(4, 5)], ("de", "en")), corpora=folder / "fr-en")


def test_a_folder_that_is_none_is_refused(folder):
    gold = write(folder, "gold", [(4, 5)])
    with pytest.raises(InputError, match="nowhere: no such folder"):
        score_pairs(gold, gold, corpora=folder / "nowhere")
