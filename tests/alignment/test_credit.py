"""Credit for sentences in the same place that share at least a third of their text: by hand, one by one."""

import numpy as np
import pytest
from hypothesis import given

from alignment.counting import align, document
from evalign.alignment.fold import fold_document
from evalign.alignment.places import NOWHERE
from strategies import two_texts

MILL = [
    "The old mill stands by the river .",
    "Nobody has lived there for twenty years .",
    "Children swim in the pond .",
]
HAN = ["老 磨坊 在 河边 。", "那里 二十 年 没有 人 住 了 。", "孩子 们 在 池塘 里 游泳 。"]

IN_PLACE_OF_THE_SECOND = [
    # text, in place of its second sentence, sentences credited
    (MILL, "...", 2),
    (MILL, "…", 2),
    (MILL, "( omitted ) .", 2),
    (MILL, "Quick foxes jump at dawn and dusk .", 2),
    (MILL, "Nobody hxs livxd thxre for twxnty yexrs .", 3),
    (MILL, "nobody has lived there .", 3),
    (MILL, "no one lived there for twenty years .", 3),
    (HAN, "……", 2),
    (HAN, "（ 略 ） 。", 2),
    (HAN, "猫 喜欢 吃 鱼 。", 2),
    (HAN, "那裡 二十 年 沒有 人 住 了 。", 3),
    (HAN, "那里 二十 年 没有 人 。", 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "second", "credited"), IN_PLACE_OF_THE_SECOND)
def test_a_stub_or_another_sentence_earns_nothing(text, second, credited):
    other = [text[0], second, text[2]]
    for sides in ((text, other), (other, text)):
        assert (align(*sides).sentence_pairs >= 0).sum() == credited


def pairs(gold, system):
    alignment = align(gold, system)
    return alignment.sentences_in_place.tolist(), alignment.sentence_pairs.tolist()


@pytest.mark.parametrize(
    ("gold", "system", "is_credited"),
    [
        ("x y a", "m n a", True),  # 2 x 1 is a third of 3 + 3
        ("x y z a", "m n o a", False),
        ("x y z v w a b", "m n o p q a b", False),  # 2 x 2 is less than a third of 7 + 7
        ("x y z v a b", "m n o p a b", True),
        ("上 大 人", "孔 乙 人", True),
        ("上 大 个 人", "孔 乙 己 人", False),
    ],
)
def test_exactly_a_third_is_enough(gold, system, is_credited):
    around = "beginning right here", "and going on to the end"
    found = pairs([around[0], gold, around[1]], [around[0], system, around[1]])
    assert found == ([0, 1, 2], [0, 1 if is_credited else -1, 2])
    assert pairs([around[0], system, around[1]], [around[0], gold, around[1]]) == found


def test_case_accents_and_variants_are_shared():
    assert pairs(["Ôéà", "Ünd ï"], ["oea", "und I"]) == ([0, 1], [0, 1])
    assert pairs(["ﬁﬂ"], ["fifl"]) == ([0], [0])


def test_with_equal_lines_all_is_shared():
    alignment = align(["a b", "c"], ["ab", "c"])
    assert alignment.gold.equal_before is None
    assert alignment.sentence_pairs is alignment.sentences_in_place
    assert not alignment.refused_sentences.any()
    assert align(["“ a ”"], ['" a "']).sentence_pairs.tolist() == [0]


def test_a_sentence_without_characters_shares_what_it_has():
    gold, system = [["abc"], [""], ["defghi"]], [["abc"], [""], ["defghx"]]
    assert align(document(gold), document(system)).sentence_pairs.tolist() == [0, 1, 2]


def codes_by_place(side, codes):
    """The folded characters in each place."""
    found = {}
    for place, code in zip(side.characters.places.tolist(), codes, strict=True):
        if place != NOWHERE:
            found.setdefault(place, []).append(code)
    return found


def folded(side):
    return fold_document(side.document).codes.tolist()


@given(two_texts())
def test_shared_text_is_what_counting_by_place_gives(pair):
    alignment = align(pair.gold, pair.system)
    if alignment.lines_equal:
        return
    gold, system = (codes_by_place(side, folded(side)) for side in (alignment.gold, alignment.system))
    equal = {place for place, codes in gold.items() if len(codes) == 1 and codes == system[place]}
    for k, other in enumerate(alignment.sentences_in_place.tolist()):
        if other < 0:
            continue
        lengths, inside = [], []
        for side, row in ((alignment.gold, k), (alignment.system, other)):
            start, end = side.cuts[side.document.sentence_cuts[row : row + 2]].tolist()
            lengths.append(end - start)
            inside.append(len(equal.intersection(side.characters.places[start:end].tolist())))
        assert inside[0] == inside[1]
        assert (alignment.sentence_pairs[k] == other) == (2 * inside[0] >= sum(lengths) / 3)


@given(two_texts())
def test_swapping_sides_swaps_pairs(pair):
    there, back = align(pair.gold, pair.system), align(pair.system, pair.gold)
    expected = np.full(there.system.document.n_sentences, -1)
    rows = np.flatnonzero(there.sentence_pairs >= 0)
    expected[there.sentence_pairs[rows]] = rows
    assert back.sentence_pairs.tolist() == expected.tolist()
