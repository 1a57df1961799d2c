"""IBM model 1 against a plain implementation, and lexicons in files."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bitext.mining.minedsets import LEXICON, PARALLEL
from evalign.bitext.languages import find_language
from evalign.bitext.mining.lexicon import (
    LONGEST_SENTENCE,
    MOST_TRANSLATIONS,
    estimate_model,
    join_lexicons,
    learn_lexicon,
    lexicon_of_entries,
    pack_sentences,
    read_lexicon,
    write_lexicon,
)
from evalign.errors import CommandError, InputError
from oracles.bitext_mining import translate

FR_EN = find_language("fr"), find_language("en")
ZH_EN = find_language("zh"), find_language("en")

words = st.lists(st.integers(1, 5), max_size=5)
pairs_of_words = st.lists(st.tuples(words, words), max_size=8)


def estimated(pairs, iterations, **options):
    sides = [pack_sentences([pair[side] for pair in pairs]) for side in (0, 1)]
    table = estimate_model(*sides, iterations, **options)
    rows = zip(table.sources.tolist(), table.targets.tolist(), table.probabilities.tolist(), strict=True)
    return {(source, target): share for source, target, share in rows}


@given(pairs=pairs_of_words, iterations=st.integers(1, 6))
def test_probabilities_are_those_of_a_plain_model(pairs, iterations):
    found, expected = estimated(pairs, iterations), translate(pairs, iterations)
    assert found.keys() == expected.keys()
    for cell, share in expected.items():
        assert found[cell] == pytest.approx(share, abs=1e-9)


@given(pairs=pairs_of_words)
def test_blocks_change_nothing(pairs):
    whole = estimated(pairs, 3)
    in_blocks = estimated(pairs, 3, most=7)
    assert whole.keys() == in_blocks.keys()
    assert np.allclose([*whole.values()], [in_blocks[cell] for cell in whole])


@given(pairs=pairs_of_words)
def test_what_a_word_is_translated_by_adds_up_to_one(pairs):
    sums = {}
    for (source, _), share in estimated(pairs, 4).items():
        sums[source] = sums.get(source, 0) + share
    assert all(total == pytest.approx(1) for total in sums.values())


def test_each_word_finds_its_translation():
    pairs = [tuple(side.split() for side in line.split("\t")) for line in PARALLEL.splitlines()]
    lexicon = learn_lexicon(pairs)
    for word in ("chat", "chien", "dort", "poisson", "oiseau", "le"):
        assert next(iter(lexicon.forward[word])) == LEXICON[word]
        assert next(iter(lexicon.backward[LEXICON[word]])) == word


def test_a_word_keeps_only_its_best_translations():
    pairs = [(["a"], [f"b{number}"]) for number in range(MOST_TRANSLATIONS + 5)]
    lexicon = learn_lexicon(pairs)
    assert len(lexicon.forward["a"]) == MOST_TRANSLATIONS
    shares = [*lexicon.forward["a"].values()]
    assert shares == sorted(shares, reverse=True)


def test_a_sentence_that_is_too_long_is_not_learnt_from():
    lexicon = learn_lexicon([(["a"] * (LONGEST_SENTENCE + 1), ["b"]), (["c"], ["d"])])
    assert set(lexicon.forward) == {"c"}


def test_two_lexicons_together_have_the_more_probable_of_both():
    one, two = (
        lexicon_of_entries([(["a"], ["b"], 0.2)]),
        lexicon_of_entries([(["a"], ["b"], 0.6), (["a"], ["c"], 0.4)]),
    )
    joined = join_lexicons([one, two])
    assert joined.forward == {"a": {"b": 0.6, "c": 0.4}}
    assert joined.backward == {"b": {"a": 0.6}, "c": {"a": 0.4}}


def test_a_saved_lexicon_is_read_as_it_was(tmp_path):
    source, saved, again = tmp_path / "parallel.tsv", tmp_path / "saved.tsv", tmp_path / "again.tsv"
    source.write_text(PARALLEL, encoding="utf-8")
    learnt = read_lexicon([source], FR_EN)
    write_lexicon(saved, learnt, ("fr", "en"))
    read = read_lexicon([saved], FR_EN)
    for before, after in ((learnt.forward, read.forward), (learnt.backward, read.backward)):
        assert before.keys() == after.keys()
        assert {w: {t: round(p, 6) for t, p in found.items()} for w, found in before.items()} == after
    write_lexicon(again, read, ("fr", "en"))
    assert again.read_bytes() == saved.read_bytes()


def test_empty_lines_of_a_saved_lexicon_are_none(tmp_path):
    path = tmp_path / "saved.tsv"
    path.write_text("\nfr\ten\tP(en|fr)\tP(fr|en)\n\nchat\tcat\t0.5\t0.25\n", encoding="utf-8")
    lexicon = read_lexicon([path], FR_EN)
    assert (lexicon.forward, lexicon.backward) == ({"chat": {"cat": 0.5}}, {"cat": {"chat": 0.25}})


def test_a_saved_lexicon_of_other_languages_is_refused(tmp_path):
    write_lexicon(tmp_path / "de.tsv", lexicon_of_entries([(["a"], ["b"], 1.0)]), ("de", "en"))
    with pytest.raises(InputError, match=r"de\.tsv:1: a lexicon of de and en\n  expected one of fr and en"):
        read_lexicon([tmp_path / "de.tsv"], FR_EN)


def test_a_dictionary_with_probabilities_is_taken_as_it_is(tmp_path):
    path = tmp_path / "dictionary.tsv"
    path.write_text("Chat\tcat\t0.9\nchat\tkitten\t0.1\ntrain de nuit\tsleeper\t0.6\n\n", encoding="utf-8")
    lexicon = read_lexicon([path], FR_EN)
    assert lexicon.forward["chat"] == {"cat": 0.9, "kitten": 0.1}
    assert lexicon.forward["nuit"] == {"sleeper": pytest.approx(0.2)}
    assert lexicon.backward["cat"] == {"chat": 0.9}


def test_words_of_a_dictionary_without_spaces_are_whole(tmp_path):
    path = tmp_path / "dictionary.tsv"
    path.write_text("电视\ttelevision\t1\n有线电视\tcable television\t1\n", encoding="utf-8")
    lexicon = read_lexicon([path], ZH_EN)
    assert set(lexicon.forward) == {"电视", "有线电视"}


def test_all_files_are_learnt_from(tmp_path):
    (tmp_path / "one.tsv").write_text("chat\tcat\n", encoding="utf-8")
    (tmp_path / "two.tsv").write_text("1\tdoc\tchien\tdog\n", encoding="utf-8")
    (tmp_path / "a.fr").write_text("maison\n", encoding="utf-8")
    (tmp_path / "a.en").write_text("house\n", encoding="utf-8")
    (tmp_path / "m.tmx").write_text(
        '<tmx version="1.4"><header/><body><tu><tuv xml:lang="fr"><seg>pain</seg></tuv>'
        '<tuv xml:lang="en"><seg>bread</seg></tuv></tu></body></tmx>',
        encoding="utf-8",
    )
    sources = [
        tmp_path / "one.tsv",
        tmp_path / "two.tsv",
        (tmp_path / "a.fr", tmp_path / "a.en"),
        tmp_path / "m.tmx",
    ]
    lexicon = read_lexicon(sources, FR_EN)
    assert {word: next(iter(found)) for word, found in lexicon.forward.items()} == {
        "chat": "cat",
        "chien": "dog",
        "maison": "house",
        "pain": "bread",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no pair"),
        ("\n \n", "no pair"),
        (",\t.\n", "no word with a translation"),
        ("chat\tcat\t0.5\nchien\tdog\tmuch\n", r":2: probability \"much\""),
        ("chat\tcat\t0.5\nchien\tdog\t1.5\n", r":2: probability \"1.5\""),
        ("chat\tcat\t0.5\nchien\tdog\n", ":2: columns: 2"),
        ("fr\ten\tP(en|fr)\tP(fr|en)\nchat\tcat\t0.5\n", ':2: "chat'),
        ("fr\ten\tP(en|fr)\tP(fr|en)\n", "no word with a translation"),
        ("un\tdeux\ttrois\n", "3 columns"),
    ],
)
def test_a_file_that_is_no_lexicon_is_refused_with_its_place(tmp_path, text, message):
    path = tmp_path / "bad.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as refused:
        read_lexicon([path], FR_EN)
    assert "bad.tsv" in str(refused.value)


def test_no_file_at_all_is_refused():
    with pytest.raises(CommandError, match="no lexicon"):
        read_lexicon([], FR_EN)
