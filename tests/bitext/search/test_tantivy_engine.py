"""tantivy as search engine: what it finds, in which order, and that results are always the same."""

import subprocess
import sys
from itertools import pairwise
from math import isclose
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.search.query import Hit, Query
from evalign.bitext.search.tantivy_engine import TantivyEngine
from evalign.errors import CommandError, InputError
from oracles import search as oracle

# BM25 in numbers of 32 bits against numbers of 64.
NEAR = 1e-4

# Sentences shorter than 40 terms: tantivy keeps longer lengths in steps.
SENTENCES = st.lists(st.lists(st.sampled_from("aaabbcdefg"), max_size=9), max_size=25)
TERMS = st.lists(st.sampled_from("abcdefgx"), min_size=1, max_size=6)
ENGINE = TantivyEngine()


@given(SENTENCES, TERMS, st.integers(0, 5))
def test_a_sentence_is_found_if_it_has_enough_of_the_terms(sentences, terms, minimum):
    hits = ENGINE.index(sentences).search(Query(tuple(terms), minimum, 5, 5), 100)
    assert {hit.number for hit in hits} == set(oracle.search(sentences, terms, minimum))


@given(SENTENCES, TERMS, st.integers(1, 3), st.data())
def test_scores_and_their_order_are_those_of_going_through_all(sentences, terms, minimum, data):
    weights = data.draw(st.sampled_from([(), tuple(1 + k / 3 for k in range(len(terms)))]))
    expected = oracle.search(sentences, terms, minimum, weights)
    hits = ENGINE.index(sentences).search(Query(tuple(terms), minimum, weights=weights), 100)
    assert len(hits) == len(expected)
    for hit in hits:
        assert isclose(hit.score, expected[hit.number], rel_tol=NEAR)
    for hit, after in pairwise(hits):
        if not isclose(expected[hit.number], expected[after.number], rel_tol=NEAR):
            assert expected[hit.number] > expected[after.number]


@given(SENTENCES, TERMS, st.integers(1, 3))
def test_hits_are_by_score_and_then_by_number(sentences, terms, minimum):
    hits = ENGINE.index(sentences).search(Query(tuple(terms), minimum, 5, 5), 100)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.number))


@given(SENTENCES, TERMS)
def test_equal_sentences_have_equal_scores(sentences, terms):
    hits = ENGINE.index(sentences * 2).search(Query(tuple(terms), 1, 5, 5), 100)
    scores = dict(hits)
    for number, score in hits:
        assert score == scores[(number + len(sentences)) % (2 * len(sentences))]


@given(SENTENCES, TERMS, st.integers(1, 3), st.integers(1, 12))
def test_fewer_hits_are_the_first_of_more(sentences, terms, minimum, most):
    index = ENGINE.index(sentences)
    query = Query(tuple(terms), minimum, 5, 5)
    assert index.search(query, most) == index.search(query, 100)[:most]


@given(SENTENCES, TERMS, st.integers(1, 3))
def test_a_second_index_of_the_same_sentences_finds_the_same(sentences, terms, minimum):
    query = Query(tuple(terms), minimum, 5, 5)
    assert ENGINE.index(sentences).search(query, 7) == TantivyEngine().index(iter(sentences)).search(query, 7)


@given(SENTENCES, st.integers(0, 6))
def test_a_pair_of_terms_adds_to_the_score_where_they_are_near(sentences, slop):
    index = ENGINE.index(sentences)
    plain = dict(index.search(Query(("a", "b"), 2), 100))
    with_pair = dict(index.search(Query(("a", "b"), 2, pair_slop=slop), 100))
    assert plain.keys() == with_pair.keys()
    for number, score in plain.items():
        is_near = oracle.are_near(sentences[number], "a", "b", slop)
        assert (with_pair[number] > score * (1 + NEAR)) == is_near


def test_phrases_decide_between_sentences_of_the_same_terms():
    index = ENGINE.index([["c", "x", "b", "x", "a"], ["a", "x", "b", "x", "c"], ["a", "b", "c", "x", "x"]])
    query = Query(("a", "b", "c"), 3, phrase_slop=0, pair_slop=1)
    assert [hit.number for hit in index.search(query, 3)] == [2, 1, 0]


def test_ties_at_the_limit_go_to_the_first_sentences():
    sentences = [["a", "b"], ["b", "a"]] * 500 + [["a", "a", "b"]]
    hits = ENGINE.index(sentences).search(Query(("a", "b"), 2), 5)
    assert [hit.number for hit in hits] == [1000, 0, 1, 2, 3]
    assert len({hit.score for hit in hits}) == 2


def test_more_ties_than_are_looked_at_are_cut_all_the_same():
    index = ENGINE.index([["a"]] * 20_000)
    assert index.search(Query(("a",)), 3) == index.search(Query(("a",)), 4)[:3]
    assert [hit.number for hit in index.search(Query(("a",)), 3)] == [0, 1, 2]


@pytest.mark.slow
def test_several_segments_find_what_one_does():
    def sentences():
        # Words of their own fill the memory of the writer early.
        for number in range(40_000):
            yield [f"w{number}x{k}" for k in range(12)] + [f"c{number % 7}", f"d{number % 11}", "e"]

    one = ENGINE.index(sentences())
    several = TantivyEngine(heap=0).index(sentences())
    assert one.n_segments == 1 < several.n_segments
    assert len(one) == len(several) == 40_000
    for number in range(50):
        query = Query((f"c{number % 7}", f"d{number % 11}", f"w{number}x1"), 2, 5, 5)
        assert one.search(query, 10) == several.search(query, 10)


@pytest.mark.parametrize(
    ("query", "most"),
    [(Query(()), 5), (Query(("a",)), 0), (Query(("a",), minimum=2), 5), (Query(("a", "a"), minimum=2), 5)],
    ids=["no term", "no hit wanted", "more asked for than there is", "a repeated term is one"],
)
def test_what_cannot_be_found_is_nothing(query, most):
    assert ENGINE.index([["a"], ["b"]]).search(query, most) == []


@pytest.mark.parametrize("sentences", [[], [[]], [[], [], []]])
def test_an_index_of_nothing_finds_nothing(sentences):
    assert ENGINE.index(sentences).search(Query(("a", "b"), 1, 5, 5), 5) == []


@pytest.mark.parametrize("term", ["", " ", "a b", "a\tb", "a\u3000b", "\n"])
def test_a_term_with_white_space_is_refused(term):
    with pytest.raises(ValueError, match="sentence 1 has the term"):
        ENGINE.index([["a"], ["b", term]])


def test_long_sentences_and_queries_are_searched():
    long = [f"t{k}" for k in range(3000)]
    index = ENGINE.index([long, long[::2], ["x"] * 100_000])
    assert [hit.number for hit in index.search(Query(tuple(long), 1500, 5, 5), 5)] == [0, 1]
    assert [hit.number for hit in index.search(Query(("x", "t1"), 1), 5)] == [2, 0]


def test_terms_are_of_any_script_and_case():
    index = ENGINE.index([["Été", "été"], ["有线", "线电"], ["m\u0301", "'"]])
    assert [
        [hit.number for hit in index.search(Query((term,)), 5)] for term in ("Été", "线电", "m\u0301", "É")
    ] == [
        [0],
        [1],
        [2],
        [],
    ]


def test_weights_and_terms_are_as_many():
    with pytest.raises(ValueError, match="shorter"):
        ENGINE.index([["a"]]).search(Query(("a", "b"), weights=(1.0,)), 5)


def test_an_index_in_a_folder_is_gone_with_its_use(tmp_path):
    index = TantivyEngine(tmp_path).index([["a"], ["a", "b"]])
    assert index.search(Query(("b",)), 5) == ENGINE.index([["a"], ["a", "b"]]).search(Query(("b",)), 5) != []
    assert list(tmp_path.iterdir())
    del index
    assert not list(tmp_path.iterdir())


@given(sentences=SENTENCES, terms=TERMS, minimum=st.integers(1, 3))
def test_an_index_that_was_saved_finds_what_one_in_memory_does(tmp_path_factory, sentences, terms, minimum):
    folder = tmp_path_factory.mktemp("saved") / "index"
    query = Query(tuple(terms), minimum, 5, 5)
    ENGINE.save(sentences, folder)
    first, second = ENGINE.open(folder), TantivyEngine().open(folder)
    assert first.search(query, 9) == second.search(query, 9) == ENGINE.index(sentences).search(query, 9)
    assert len(first) == len(sentences)


def test_an_index_is_saved_to_a_new_folder_and_opened_where_it_is(tmp_path):
    (tmp_path / "there").mkdir()
    with pytest.raises(FileExistsError):
        ENGINE.save([["a"]], tmp_path / "there")
    with pytest.raises(InputError, match="the index cannot be read"):
        ENGINE.open(tmp_path / "there")


def test_what_breaks_off_leaves_no_files(tmp_path):
    def sentences():
        yield ["a"]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TantivyEngine(tmp_path).index(sentences())
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_none_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no index can be made here"):
        TantivyEngine(tmp_path / "missing").index([["a"]])


FULL_DISK = """
import resource, signal, sys
from evalign.bitext.search.tantivy_engine import TantivyEngine
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
TantivyEngine(sys.argv[1]).index([f"w{number}"] for number in range(10_000))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file sizes")
def test_a_full_disk_is_told_and_leaves_no_files(tmp_path):
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert f"InputError: {tmp_path}: the index cannot be written" in done.stderr
    assert not list(tmp_path.iterdir())


def test_without_tantivy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(CommandError, match="pip install mwparserfromhell mwxml"):
        TantivyEngine()


def test_an_old_tantivy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "tantivy", SimpleNamespace(Searcher=object))
    with pytest.raises(CommandError, match=r"too old\n  expected 0.26 or later"):
        TantivyEngine()


def test_a_hit_is_a_number_and_a_score():
    (hit,) = ENGINE.index([["a"]]).search(Query(("a",)), 1)
    assert hit == Hit(0, hit.score)
    assert type(hit.number) is int
    assert type(hit.score) is float
