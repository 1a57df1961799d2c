"""The example in `examples/bitext`: its files are consistent, and a data set can be built from them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from evalign.bitext.dataset import SPLITS
from evalign.bitext.languages import count_units, find_language, index_terms

CODES = ("fr", "en")
NOTICES = {
    "fr": (
        "Merci de laisser les portes fermées pour garder la chaleur à l'intérieur du bâtiment.",
        "Merci de rendre ce document au comptoir après la visite pour les lecteurs suivants.",
    ),
    "en": (
        "Please keep the doors closed so that the warm air stays inside the building.",
        "Please return this sheet to the desk after your visit for the readers who follow.",
    ),
}


@pytest.fixture
def folder(examples: Path) -> Path:
    """Where the files are."""
    return examples / "bitext"


def read_table(path: Path, n_columns: int) -> list[list[str]]:
    """Rows of a table, all of so many columns that have something in them and no space around it."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    rows = [line.split("\t") for line in data.decode("utf-8").removesuffix("\n").split("\n")]
    for lineno, row in enumerate(rows, 1):
        assert len(row) == n_columns, f"{path.name}:{lineno}"
        assert all(cell and cell == cell.strip() for cell in row), f"{path.name}:{lineno}"
    return rows


@pytest.mark.parametrize("code", CODES)
def test_documents_are_in_one_piece_and_of_one_genre(folder, code):
    rows = read_table(folder / f"{code}.tsv", 3)
    names = [name for name, _, _ in rows]
    assert sum(a != b for a, b in pairwise(names)) + 1 == len(set(names))
    genres = {(name, genre) for name, _, genre in rows}
    assert len(genres) == len(set(names))
    assert {genre for _, genre in genres} == {"guide", "manual", "report", "story"}
    assert len(set(names)) >= 40
    assert all(10 <= size <= 14 for size in Counter(names).values())


@pytest.mark.parametrize("code", CODES)
def test_no_sentence_comes_twice_but_the_notices(folder, code):
    sentences = Counter(text.replace("’", "'") for _, text, _ in read_table(folder / f"{code}.tsv", 3))
    repeated = {text: n for text, n in sentences.items() if n > 1}
    assert repeated == dict.fromkeys(NOTICES[code], 3)


@pytest.mark.parametrize("code", CODES)
def test_most_sentences_fit_and_some_do_not(folder, code):
    language = find_language(code)
    fitting = [
        language.fits(count_units(language, text)) for _, text, _ in read_table(folder / f"{code}.tsv", 3)
    ]
    assert 0.8 < sum(fitting) / len(fitting) < 0.95


def test_links_name_documents_each_once(folder):
    links = read_table(folder / "links.tsv", 2)
    for side, code in enumerate(CODES):
        linked = [link[side] for link in links]
        assert len(linked) == len(set(linked)) >= 12
        assert set(linked) < {name for name, _, _ in read_table(folder / f"{code}.tsv", 3)}


def test_pairs_have_ids_of_their_own_and_mostly_fit(folder):
    pairs = read_table(folder / "parallel.tsv", 4)
    assert len({id for id, _, _, _ in pairs}) == len(pairs) >= 200
    for side, code in enumerate(CODES, 2):
        texts = [pair[side] for pair in pairs]
        assert len(set(texts)) == len(texts)
        fitting = [find_language(code).fits(count_units(find_language(code), text)) for text in texts]
        assert 0.9 < sum(fitting) / len(fitting) < 1
        # What is planted is not there already.
        assert not set(texts) & {text for _, text, _ in read_table(folder / f"{code}.tsv", 3)}


def test_the_lexicon_has_no_entry_twice_and_no_sentence_of_the_pairs(folder):
    entries = read_table(folder / "lexicon.tsv", 2)
    assert len({tuple(entry) for entry in entries}) == len(entries) >= 500
    pairs = {(first, second) for _, _, first, second in read_table(folder / "parallel.tsv", 4)}
    assert not pairs & {tuple(entry) for entry in entries}


def test_the_lexicon_knows_planted_sentences_no_better_than_native_ones(folder):
    """Else mining would find planted sentences by what the lexicon covers, whatever they are translations of."""
    entries = read_table(folder / "lexicon.tsv", 2)
    pairs = read_table(folder / "parallel.tsv", 4)
    for side, code in enumerate(CODES):
        language = find_language(code)
        known = {term for entry in entries for term in index_terms(language, entry[side])}

        def covered(texts, language=language, known=known):
            terms = [term for text in texts for term in index_terms(language, text)]
            content = [term for term in terms if term not in language.stop_words]
            return sum(term in known for term in content) / len(content)

        planted = covered(pair[side + 2] for pair in pairs)
        native = covered(text for _, text, _ in read_table(folder / f"{code}.tsv", 3))
        assert planted > 0.5
        assert planted < native + 0.05


def test_a_data_set_is_built_with_pairs_in_every_split(folder, tmp_path):
    pytest.importorskip("tantivy")
    from evalign.bitext.build.build import build_dataset
    from evalign.bitext.build.verify import verify_dataset

    built = build_dataset(folder / "config.toml", tmp_path / "fr-en")
    assert tuple(built.sizes) == SPLITS
    assert built.sizes["sample"]["gold"] >= 3
    assert built.sizes["training"]["gold"] >= 60
    assert built.sizes["test"]["gold"] >= 60
    assert not built.warnings
    languages = {code: find_language(code) for code in CODES}
    assert all(check.holds for check in verify_dataset(built.dataset, languages))
