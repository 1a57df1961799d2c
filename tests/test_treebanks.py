"""Real treebanks and systems: the counts of the official script, of the papers, and of the specification.

The files are found through EVALIGN_DATA; these tests are skipped without it.
"""

import random
import re

import pytest

import evalign

METRICS = ("sentences", "tokens", "words")


def large(*values):
    """A row that plain kernels take long for."""
    return pytest.param(*values, marks=pytest.mark.large)


def correct(result, metrics=METRICS):
    return tuple(result[metric].correct for metric in metrics)


def errors(score):
    return (score.correct, score.system - score.correct, score.gold - score.correct)


@pytest.mark.parametrize(
    ("corpus", "stem", "sentences", "words"),
    [
        # Jo et al. 2024, Table 1, rows "nltk & jp"; the token row of EWT as tests/oracles/words.py gives it too.
        ("EWT", "en_ewt", (1084, 349, 993), (24242, 1043, 852)),
        ("PUD", "en_pud", (976, 26, 24), (20733, 251, 443)),
        ("Pronouns", "en_pronouns", (285, 0, 0), (1673, 16, 32)),
    ],
)
def test_nltk_rows_of_the_paper(data, corpus, stem, sentences, words):
    gold = data / f"ud/UD_English-{corpus}/{stem}-ud-test.conllu"
    result = evalign.score(gold, data / f"systems/nltk/English-{corpus}.nltk.txt")
    assert errors(result["sentences"]) == sentences
    assert errors(result["words"]) == words


def test_the_printed_algorithm_on_ewt(data):
    gold = data / "ud/UD_English-EWT/en_ewt-ud-test.conllu"
    result = evalign.score(gold, data / "systems/nltk/English-EWT.nltk.txt", strategy="printed")
    assert result["sentences"].correct == 1078


@pytest.mark.parametrize(
    ("folder", "stem", "sentences", "tokens"),
    [
        # Gold counts of Jo et al. 2024, Table 2 (TP + FN), which counts surface tokens.
        ("UD_German-GSD/r2.9", "de_gsd", 977, 16224),
        ("UD_French-GSD", "fr_gsd", 416, 9733),
        ("UD_Japanese-GSD", "ja_gsd", 543, 13034),
        ("UD_Korean-GSD", "ko_gsd", 989, 11677),
    ],
)
def test_gold_counts_of_table_2(data, folder, stem, sentences, tokens):
    document = evalign.read(data / f"ud/{folder}/{stem}-ud-test.conllu")
    assert (document.n_sentences, document.n_tokens) == (sentences, tokens)
    result = evalign.score(document, document)
    assert [result[metric].f1 for metric in METRICS] == [1.0, 1.0, 1.0]


UNALTERED = {
    "English-EWT": (1720, 24395, 24653),
    "French-GSD": (380, 9677, 9899),
    "Korean-GSD": (843, 11645, 11645),
}


@pytest.mark.parametrize(
    ("treebank", "change", "options", "expected"),
    [
        ("English-EWT", "lower", {}, (1720, 20266, 20683)),
        large("English-EWT", "lower", {"match": "place"}, UNALTERED["English-EWT"]),
        large("English-EWT", "lower", {"normalize": ["lower"]}, UNALTERED["English-EWT"]),
        large("English-EWT", "ptbquotes", {}, UNALTERED["English-EWT"]),
        large("English-EWT", "ptbquotes", {"match": "place"}, UNALTERED["English-EWT"]),
        large("English-EWT", "hyphens-dropped", {}, (1720, 24331, 24589)),
        # 19 tokens have become right: system "-D" is now "D", where gold has "-" and "D".
        large("English-EWT", "hyphens-dropped", {"match": "place"}, (1720, 24414, 24672)),
        ("French-GSD", "nfd", {}, UNALTERED["French-GSD"]),
        ("Korean-GSD", "nfd", {}, UNALTERED["Korean-GSD"]),
        ("French-GSD", "accents-stripped", {}, (380, 8377, 8505)),
        ("French-GSD", "accents-stripped", {"normalize": ["accents"]}, UNALTERED["French-GSD"]),
        ("French-GSD", "accents-stripped", {"match": "place"}, UNALTERED["French-GSD"]),
    ],
)
def test_altered_characters(data, treebank, change, options, expected):
    gold = data / f"systems/udpipe/{treebank}.gold.conllu"
    system = data / f"systems/udpipe-altered/{treebank}.altered-{change}.conllu"
    assert correct(evalign.score(gold, system, **options)) == expected


@pytest.mark.parametrize(
    ("name", "sentences", "tokens"),
    [
        large("spacy_sentencizer", 1612, 24031),
        large("pysbd_moses", 1590, 23730),
        large("pysbd_moses_escaped", 1590, 23730),
        large("nltk_punkt_untrained_treebank", 1609, 23656),
        ("syntok", 1486, 23860),
        large("blingfire", 1470, 23848),
    ],
)
def test_segmenters(data, name, sentences, tokens):
    gold = data / "systems/udpipe/English-EWT.gold.conllu"
    result = evalign.score(gold, data / f"systems/segmenters/English-EWT.{name}.txt")
    assert correct(result, ("sentences", "tokens")) == (sentences, tokens)
    assert (result["sentences"].gold, result["tokens"].gold) == (2077, 24740)


def test_strict_refuses_what_the_official_script_refuses(data):
    gold = data / "systems/udpipe/English-EWT.gold.conllu"
    with pytest.raises(evalign.StrictError, match="concatenation of tokens"):
        evalign.score(gold, data / "systems/segmenters/English-EWT.syntok.txt", strict=True)


# What is counted over words; in `dependencies` and over boundaries of tokens the words of a multiword token have its place.
NOT_OVER_WORDS = {"tokens", "dependencies", "token-boundaries"}


def without_ranges(text, is_kept=lambda: False):
    """A CoNLL-U text with the words of multiword tokens written apart, but in sentences that are kept as they are."""
    sentences = [
        sentence if is_kept() else re.sub(r"(?m)^\d+-\d+\t.*\n", "", sentence)
        for sentence in text.split("\n\n")
    ]
    return "\n\n".join(sentences)


def check_words(whole, apart):
    """All that is counted over words is as right as in a file against itself, whichever side has the ranges."""
    for gold, system in ((whole, apart), (apart, whole)):
        result = evalign.score(gold, system, metrics=["all"]).systems[0]
        perfect = evalign.score(gold, gold, metrics=["all"]).systems[0]
        assert result["words"].f1 == 1.0
        for score in perfect:
            if score.available and "f1" in score.ratios and score.name not in NOT_OVER_WORDS:
                assert result[score.name].f1 == score.f1, score.name


@pytest.mark.large
def test_words_written_apart_in_french(data, tmp_path):
    gold = data / "ud/UD_French-GSD/fr_gsd-ud-test.conllu"
    apart = tmp_path / "apart.conllu"
    apart.write_text(without_ranges(gold.read_text()))
    check_words(gold, apart)


@pytest.mark.slow
def test_words_written_apart_in_every_treebank(data, tmp_path):
    apart = tmp_path / "apart.conllu"
    files = [
        path
        for path in sorted(data.glob("ud/**/*test*.conllu"))
        if re.search(r"(?m)^\d+-\d+\t", path.read_text())
    ]
    assert len(files) >= 5
    for gold in files:
        chance = random.Random(gold.name)
        for is_kept in (lambda: False, lambda chance=chance: chance.random() < 0.5):
            apart.write_text(without_ranges(gold.read_text(), is_kept))
            check_words(gold, apart)
