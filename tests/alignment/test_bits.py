"""The exact alignment in bits, on which later tests rely: against all possible paths, by vectors, by laws."""

import random

import pytest
from hypothesis import given, strategies as st

from alignment.vectors import read_vectors
from oracles.bits import (
    EQUAL,
    FIRST,
    GAP,
    JUMP_FIRST,
    JUMP_SECOND,
    JUMPS,
    PAIR,
    PART_FIRST,
    PART_SECOND,
    PRICES,
    SECOND,
    TIE_ORDER,
    TOKENS,
    Piece,
    Prices,
    align,
    best_path,
    best_steps,
    bits_of,
    count,
    cut_pieces,
    read_line,
    score_path,
    slide_pieces,
)
from strategies import two_texts

pytestmark = pytest.mark.once


@st.composite
def marked_lines(draw, longest=3):
    """A tiny line of folded characters and its marks."""
    codes = [ord(c) for c in draw(st.text("ab.七", max_size=longest))]
    if not codes:
        return codes, [2]
    inner = len(codes) - 1
    marks = draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=inner, max_size=inner))
    return codes, [2, *marks, 2]


def cheap_prices():
    """Prices at which tiny lines have jumps and parts in them, and many ties."""
    some = st.integers(-3, 0)
    bonuses = st.sampled_from([(0, 0, 0), (0, 1, 3), (0, 32, 192)])
    return st.builds(
        Prices, opening=some, pair=some, single=some, part=some, replaced=some, jump=some,
        jumped=st.integers(-1, 0), jump_bonus=bonuses, pair_bonus=bonuses, substituted_bonus=bonuses,
    )  # fmt: skip


def all_paths(lines, start=(0, 0), previous=EQUAL):
    """Every path through two lines, as steps."""
    (first, first_marks), (second, second_marks) = lines
    i, j = start
    n, m = len(first) - i, len(second) - j
    if not n and not m:
        yield []
        return
    steps = []
    if n and m:
        steps.append(Piece(PAIR, 1, 1))
        if first[i] == second[j]:
            steps.append(Piece(EQUAL, 1, 1))
    if n:
        steps.append(Piece(FIRST, 1, 0))
    if m:
        steps.append(Piece(SECOND, 0, 1))
    if previous not in JUMPS:
        steps += [Piece(JUMP_FIRST, size, 0) for size in range(1, n + 1)]
    if previous != JUMP_SECOND:
        steps += [Piece(JUMP_SECOND, 0, size) for size in range(1, m + 1)]
    own = next((size for size in range(1, n + 1) if first_marks[i + size]), 0)
    other = next((size for size in range(1, m + 1) if second_marks[j + size]), 0)
    if second_marks[j]:
        steps += [Piece(PART_FIRST, size, 0) for size in range(1, own + 1)]
        steps += [Piece(TOKENS, own, size) for size in range(1, other + 1)] if own else []
    if first_marks[i]:
        steps += [Piece(PART_SECOND, 0, size) for size in range(1, other + 1)]
    for step in steps:
        for rest in all_paths(lines, (i + step.first, j + step.second), step.kind):
            yield [step, *rest]


def rank_backwards(steps):
    """What ties are broken by: the last step first, a short jump before a long one, a long part before a short one."""
    sizes = {JUMP_FIRST: 1, JUMP_SECOND: 1, PART_FIRST: -1, PART_SECOND: -1}
    return [
        (TIE_ORDER.index(kind), -b if kind == TOKENS else sizes.get(kind, 0) * (a + b))
        for kind, a, b in reversed(steps)
    ]


@given(marked_lines(), marked_lines(), st.one_of(st.just(PRICES), cheap_prices()))
def test_the_best_path_is_the_best_of_all_paths(one, other, prices):
    arguments = one[0], other[0], one[1], other[1], prices
    scored = [(score_path(steps, *arguments), steps) for steps in all_paths((one, other))]
    most = max(score for score, _ in scored)
    first = min((steps for score, steps in scored if score == most), key=rank_backwards)
    assert best_steps(*arguments) == (most, first)


@given(marked_lines(8), marked_lines(8), st.one_of(st.just(PRICES), cheap_prices()))
def test_the_steps_of_the_best_path_earn_its_bits(one, other, prices):
    arguments = one[0], other[0], one[1], other[1], prices
    score, steps = best_steps(*arguments)
    assert score_path(steps, *arguments) == score


@given(marked_lines(8), marked_lines(8))
def test_the_pieces_of_the_best_path_earn_its_bits(one, other):
    arguments = one[0], other[0], one[1], other[1]
    score, pieces = best_path(*arguments)
    assert score_path(pieces, *arguments) == score


@given(marked_lines(30), st.randoms(use_true_random=False))
def test_an_altered_line_is_aligned_as_well_on_either_side(line, chance):
    codes, marks = line
    kept = [k for k in range(len(codes)) if chance.random() < 0.8]
    other = [codes[k] for k in kept], [2, *(marks[k] for k in kept[1:]), 2] if kept else [2]
    there = best_path(codes, other[0], marks, other[1])[0]
    back = best_path(other[0], codes, other[1], marks)[0]
    # A jump over the second line may follow one over the first, and token for token is one move: all is symmetric.
    assert there == back


@given(two_texts())
def test_swapping_the_sides_swaps_the_counts(pair):
    there, back = count(pair.gold, pair.system), count(pair.system, pair.gold)
    for one, other in ((there.sentences, back.sentences), (there.tokens, back.tokens)):
        assert one == (other.correct, other.system, other.gold)
    assert there.refused == back.refused


def test_a_token_for_token_move_is_not_cut_in_its_middle():
    first, second = ([ord(c) for c in text] for text in ("xabcdefghij", "xklmnop"))
    marks = [2, 1, *[0] * 9, 2], [2, 1, *[0] * 5, 2]
    score, steps = best_steps(first, second, *marks)
    assert steps == [Piece(EQUAL, 1, 1), Piece(TOKENS, 10, 6)]
    assert score == 64 + 48 + 8 - 72 - 120 + 24
    assert best_path(first, second, *marks)[1] == [Piece(EQUAL, 1, 1), Piece(GAP, 10, 6)]


def test_a_gap_is_cut_where_both_have_a_token_boundary():
    steps = [Piece(EQUAL, 1, 1), Piece(FIRST, 1, 0), Piece(SECOND, 0, 1), Piece(PAIR, 1, 1)]
    steps.append(Piece(FIRST, 1, 0))
    marks = [2, 1, 1, 0, 2], [2, 1, 1, 2]
    assert cut_pieces(steps, [1, 2, 3, 4], [1, 5, 6], *marks) == [
        Piece(EQUAL, 1, 1), Piece(GAP, 1, 0), Piece(GAP, 0, 1), Piece(GAP, 2, 1),
    ]  # fmt: skip


def test_what_stands_between_two_exchanged_sentences_must_earn_its_jumps():
    gold = [["Nobody", "wanted", "to", "pay", "."], ["We", "left", "."]]
    _, pieces = align(read_line(gold), read_line(gold[::-1]))
    assert [piece.kind for piece in pieces] == [JUMP_SECOND, EQUAL, JUMP_FIRST]


def test_a_stretch_slides_to_a_sentence_boundary():
    gold, system = read_line([["ab", "c"], ["ab", "c"]]), read_line([["ab", "c"]])
    pieces = [Piece(EQUAL, 1, 1), Piece(JUMP_FIRST, 3, 0), Piece(EQUAL, 2, 2)]
    assert slide_pieces(gold, system, pieces) == [Piece(JUMP_FIRST, 3, 0), Piece(EQUAL, 3, 3)]


@pytest.mark.parametrize(("bits", "characters"), [(8, "七々〇"), (7, "あー"), (5, "・7.+"), (4, "กbж")])
def test_bits_of_a_character(bits, characters):
    assert {bits_of(ord(character)) for character in characters} == {16 * bits}


@pytest.mark.parametrize("slide", [True, False])
def test_every_vector_holds_in_both_directions(data, slide):
    rows = read_vectors(data)
    assert len(rows) == 50
    if not slide:
        # A doubled token may lie across two tokens for the same bits.
        rows = [row for row in rows if row["id"] != "doubled-words-at-the-seam"]
    failed = []
    for row in rows:
        for gold, system in ((row["gold"], row["system"]), (row["system"], row["gold"])):
            counts = count(gold, system, slide=slide)
            if counts.sentences.correct != row["sentences"] or counts.tokens.correct not in row["tokens"]:
                failed.append((row["id"], counts))
    assert not failed


def test_noise_costs_no_sentence_of_ordinary_text():
    chance = random.Random(1)
    words = ["harbour", "ferry", "council", "whale", "morning", "ticket", "storm", "lighthouse", "oslo"]
    gold = [[*(chance.choice(words) for _ in range(7)), "."] for _ in range(20)]
    system = [
        ["".join(chance.choice("xyzq") if chance.random() < 0.1 else c for c in token) for token in sentence]
        for sentence in gold
    ]
    assert count(gold, system).sentences.correct == 20
