"""The path through two lines: against the exact optimum, by vectors, by laws."""

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import evalign
from alignment.lines import best_score, fill_exactly, fold, score_walk
from alignment.vectors import read_vectors
from evalign.alignment.character_alignment import (
    EQUAL,
    JUMP,
    ONE_SIDED,
    SUBSTITUTED,
    PathWalker,
    align_characters,
    comes_later,
    count_bits,
    slide_pieces,
    split_pieces,
    walk_characters,
)
from evalign.kernels import align_cy, load_plain
from strategies import two_texts
from written import distort, invent


def ordered(gold, system):
    """Two lines in the order in which they are walked."""
    first, second = fold(gold), fold(system)
    return (second, first) if comes_later(first.codes, second.codes) else (first, second)


# Both forms find the same path (a test below); the plain one takes seconds for a long text.
LONG_TEXT = pytest.mark.once


@st.composite
def altered_texts(draw, most=30):
    """Sentences, and the same with much changed: characters, tokens and sentences dropped, put in, said twice."""
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    gold = invent(rng, draw(st.integers(1, most)))
    return gold, distort(rng, gold, draw(st.sampled_from([0.02, 0.1, 0.2, 0.4])))


@given(two_texts())
def test_short_lines_are_aligned_as_well_as_can_be(pair):
    lines = ordered(pair.gold, pair.system)
    assert score_walk(*lines) == best_score(*lines)


@settings(max_examples=15)
@given(altered_texts(most=8))
def test_altered_text_is_aligned_almost_as_well_as_can_be(pair):
    lines = ordered(*pair)
    found, best = score_walk(*lines), best_score(*lines)
    assert best - max(40, 0.01 * abs(best)) <= found <= best


@settings(max_examples=15)
@given(altered_texts(most=8))
def test_small_areas_are_filled_with_the_best_path(pair):
    lines = ordered(*pair)
    assert score_walk(*lines, fill_exactly(*lines)) == best_score(*lines)


@pytest.mark.slow
@settings(max_examples=300)
@given(altered_texts(most=25))
def test_altered_text_is_aligned_almost_as_well_as_can_be_in_many_cases(pair):
    lines = ordered(*pair)
    found, best = score_walk(*lines), best_score(*lines)
    assert best - max(160, 0.03 * abs(best)) <= found <= best


@settings(max_examples=10, deadline=None)
@given(altered_texts(most=12), st.booleans())
def test_both_forms_find_the_same_path(pair, find_ends):
    lines = ordered(*pair)
    walk = walk_characters(*lines, find_ends=find_ends)
    plain = load_plain("align_cy") if align_cy.is_compiled() else align_cy
    other = PathWalker(*lines, find_ends=find_ends, finder=plain.PathFinder).walk()
    for one, two in zip(walk, other, strict=True):
        assert np.array_equal(one, two)


@given(two_texts())
def test_swapping_the_sides_swaps_the_path(pair):
    gold, system = fold(pair.gold), fold(pair.system)
    there, back = align_characters(gold, system), align_characters(system, gold)
    assert there.gold.tolist() == back.system.tolist()
    assert there.system.tolist() == back.gold.tolist()
    assert there.kinds.tolist() == back.kinds.tolist()
    assert there.places.tolist() == back.places.tolist()


@given(altered_texts())
def test_pieces_are_what_they_say(pair):
    gold, system = map(fold, pair)
    path = align_characters(gold, system)
    assert (path.gold.sum(), path.system.sum()) == (len(gold.codes), len(system.codes))
    g = s = 0
    for a, b, places, kind in zip(*(column.tolist() for column in path), strict=True):
        assert a or b
        if kind == EQUAL:
            assert a == b == places
            assert gold.codes[g : g + a].tolist() == system.codes[s : s + b].tolist()
        elif kind == SUBSTITUTED:
            assert a
            assert b
            assert places == (a if a == b else 1)
            if a == b:
                assert (gold.codes[g : g + a] != system.codes[s : s + b]).all()
        else:
            assert kind in (ONE_SIDED, JUMP)
            assert min(a, b) == places == 0
        g, s = g + a, s + b


@given(altered_texts())
def test_sliding_loses_no_bits(pair):
    lines = ordered(*pair)
    pieces = walk_characters(*lines).pieces
    slid = slide_pieces(split_pieces(pieces, *lines), *lines, 4096)
    before = split_pieces(pieces, *lines)
    assert slid[:, 1:].sum() == before[:, 1:].sum()
    assert (slid[:, 0] == EQUAL).sum() <= (before[:, 0] == EQUAL).sum() + 2


def test_the_vectors_hold_both_ways_round(data):
    missed = []
    for vector in read_vectors(data):
        for gold, system in ((vector["gold"], vector["system"]), (vector["system"], vector["gold"])):
            result = evalign.score(gold, system, metrics=["sentences", "tokens"])
            found = result["sentences"].correct, result["tokens"].correct
            if found[0] != vector["sentences"] or found[1] not in vector["tokens"]:
                missed.append((vector["id"], found))
    assert missed == []


@pytest.mark.parametrize(
    ("character", "bits"),
    [("七", 8), ("〇", 8), ("𠀀", 8), ("か", 7), ("ー", 7), ("a", 4), ("я", 4), ("한", 4), ("ก", 4), ("ʼ", 4), ("7", 5),
     ("½", 5), (".", 5), ("。", 5), ("$", 5), ("\u0301", 5)],
)  # fmt: skip
def test_a_character_earns_bits_by_its_class(character, bits):
    assert count_bits(ord(character)) == bits


def words(rng, size, letters="abcdefghijklmnopqrstuvwxyz"):
    return ["".join(rng.choices(letters, k=rng.randint(2, 8))) for _ in range(size)]


def text(seed, sentences, letters="abcdefghijklmnopqrstuvwxyz"):
    rng = random.Random(seed)
    return [[*words(rng, rng.randint(4, 12), letters), "."] for _ in range(sentences)]


def correct(gold, system):
    result = evalign.score(gold, system, metrics=["sentences", "tokens"])
    return result["sentences"].correct, result["tokens"].correct


LONG = [
    # what was done, gold, system, sentences and tokens that are left
    ("a long stretch missing", text(1, 300), text(1, 300)[:40] + text(1, 300)[220:]),
    ("a long stretch put in", text(1, 300), text(1, 40) + text(2, 200) + text(1, 300)[40:]),
    ("a long stretch replaced", text(1, 300), text(1, 40) + text(2, 180) + text(1, 300)[220:]),
    ("the end missing", text(1, 300), text(1, 80)),
    ("the beginning missing", text(1, 300), text(1, 300)[220:]),
    ("everything behind other text", text(1, 60), text(2, 300) + text(1, 60)),
]


@LONG_TEXT
@pytest.mark.parametrize(("what", "gold", "system"), LONG, ids=[row[0] for row in LONG])
def test_what_is_left_of_a_long_text_is_found_again(what, gold, system):
    kept = [sentence for sentence in gold if sentence in system]
    sentences, tokens = correct(gold, system)
    assert (sentences, correct(system, gold)[0]) == (len(kept), len(kept))
    assert len([t for s in kept for t in s]) <= tokens <= len([t for s in kept for t in s]) + 5


@pytest.mark.parametrize(
    "glue", [lambda t: [f"{t}_NN"], lambda t: [t, "|"], lambda t: [f"▁{t}"], lambda t: [f"<w>{t}</w>"]]
)
@pytest.mark.parametrize(
    "letters", ["abcdefghijklmnopqrstuvxyz", "일이삼사오육칠팔구십백천만", "一二三四五六七八九十百千万"]
)
@pytest.mark.parametrize("size", [4, pytest.param(400, marks=LONG_TEXT)])
def test_what_every_token_has_costs_no_sentence_at_any_length(glue, letters, size):
    # Without "w": in `<w>wb</w>` the best path may take the mark's letter for the word's.
    gold = text(3, size, letters)
    system = [[piece for token in sentence for piece in glue(token)] for sentence in gold]
    system = [sentence[:-1] if sentence[-1] == "|" else sentence for sentence in system]
    assert correct(gold, system)[0] == size


@LONG_TEXT
def test_twice_the_text_has_twice_the_counts():
    """There is no length at which the loss jumps."""
    rng = random.Random(5)

    def spoil(token):
        return "".join(rng.choice("etaoin") if rng.random() < 0.3 else c for c in token)

    for size in (50, 400):
        gold = text(4, size)
        sentences, _ = correct(gold, [[*map(spoil, sentence[:-1]), "."] for sentence in gold])
        assert sentences >= 0.97 * size


@LONG_TEXT
def test_more_characters_than_16_bits_count():
    """Codes of characters are compared whole."""
    gold = [[chr(0x20000 + k) for k in range(start, start + 50)] for start in range(0, 40_000, 50)]
    system = [sentence[:-1] if k % 7 == 0 else sentence for k, sentence in enumerate(gold)]
    _, tokens = correct(gold, system)
    assert tokens == sum(map(len, system))


@pytest.mark.parametrize(
    "pair", [([], []), ([["a"]], []), ([["a"]], [["b"]]), ([["a"]], [["a", "b"]]), ([["\u0301"]], [["a"]])]
)
def test_next_to_nothing(pair):
    path = align_characters(*map(fold, pair))
    assert (path.gold.sum(), path.system.sum()) == tuple(len(fold(side).codes) for side in pair)


def draw(rng, first, last, length):
    """Random characters of a range."""
    return "".join(chr(rng.randint(first, last)) for _ in range(length))


def is_equal_where_it_says(lines, pieces):
    """Whether both lines have the same characters in all equal pieces."""
    ends = np.cumsum(pieces[:, 1:], axis=0)
    return all(
        (lines[0].codes[i - a : i] == lines[1].codes[j - b : j]).all()
        for (kind, a, b), (i, j) in zip(pieces.tolist(), ends.tolist(), strict=True)
        if kind == EQUAL
    )


@LONG_TEXT
def test_ways_that_lie_thousands_of_bits_apart_are_compared():
    """What was worse by far for a thousand characters may be the best in the end: a small area is filled exactly."""
    rng = random.Random(3)
    shared = draw(rng, 0x4E00, 0x9F00, 400)
    one, other = (draw(rng, 0x4E00, 0x9F00, 500) + shared + draw(rng, 0x4E00, 0x9F00, 100) for _ in range(2))
    lines = ordered([[one + other]], [[other + one]])
    pieces = walk_characters(*lines).pieces
    assert pieces[pieces[:, 0] == EQUAL, 1].sum() == 1000
    assert is_equal_where_it_says(lines, pieces)


@LONG_TEXT
def test_text_inside_of_long_tokens_is_found():
    """No boundary inside of a line: a token of thousands of characters is neither kept nor left as a whole."""
    rng = random.Random(4)
    shared = draw(rng, 0x4E00, 0x9F00, 300)
    gold, system = (draw(rng, 97, 122, size) + shared + draw(rng, 97, 122, 1000) for size in (5200, 5000))
    lines = ordered([[gold]], [[system]])
    pieces = walk_characters(*lines).pieces
    assert pieces[pieces[:, 0] == EQUAL].tolist() == [[EQUAL, 300, 300]]
    assert is_equal_where_it_says(lines, pieces)


@given(altered_texts(), st.integers(64, 400))
def test_equal_pieces_are_equal(pair, window):
    lines = ordered(*pair)
    for size in (None, window):
        assert is_equal_where_it_says(lines, walk_characters(*lines, size).pieces)


def test_lines_too_long_for_the_kernels_are_refused():
    with pytest.raises(evalign.EvalignError, match="6 characters together"):
        walk_characters(fold([["abc"]]), fold([["abd"]]), limit=5)
