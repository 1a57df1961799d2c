"""Heads become word numbers, cycles are found without recursion: both forms against following every head."""

from itertools import accumulate

from hypothesis import given, strategies as st

from evalign.document import CYCLIC, MISSING, OUTSIDE, ROOT
from evalign.kernels.buffers import ints, long_rows
from forms import both_forms, column

kernel = both_forms("conllu_columns_cy")
SENTENCES = st.lists(st.lists(st.integers(-2, 9), max_size=8), max_size=4)


def settle(kernel, sentences):
    heads = [head for sentence in sentences for head in sentence]
    cuts = column(list(accumulate(map(len, sentences), initial=0)))
    parents, notes = ints(len(heads)), long_rows(kernel.N_NOTES, 2)
    kernel.settle_heads(column(heads), cuts, parents, ints(len(heads)), notes)
    return parents.tolist(), [(notes[k, 0], notes[k, 1]) for k in range(kernel.N_NOTES)]


def is_on_cycle(sentence, word):
    """Whether following heads from a word comes back to it."""
    at = word
    for _ in sentence:
        head = sentence[at]
        if not 1 <= head <= len(sentence):
            return False
        at = head - 1
        if at == word:
            return True
    return False


@given(SENTENCES)
def test_heads_become_words(kernel, sentences):
    wanted, found = [], []
    for sentence in sentences:
        first = len(wanted)
        for word, head in enumerate(sentence):
            if head == 0:
                wanted.append(ROOT)
            elif head < 0:
                wanted.append(MISSING)
            elif head > len(sentence):
                wanted.append(OUTSIDE)
            else:
                wanted.append(CYCLIC if is_on_cycle(sentence, word) else first + head - 1)
        known = all(0 <= head <= len(sentence) for head in sentence)
        found.append((sentence.count(0) > 1, not sentence.count(0) and known))
    parents, notes = settle(kernel, sentences)
    assert parents == wanted
    assert [count for count, _ in notes] == [
        wanted.count(MISSING),
        wanted.count(OUTSIDE),
        wanted.count(CYCLIC),
        sum(several for several, _ in found),
        sum(none for _, none in found),
    ]
    for (count, word), kind in zip(notes, (MISSING, OUTSIDE), strict=False):
        assert not count or word == wanted.index(kind)
    codes = kernel.codes()
    cyclic, several, none = (notes[codes[name]] for name in ("ON_CYCLE", "ROOTS", "ROOTLESS"))
    assert not cyclic[0] or wanted[cyclic[1]] == CYCLIC
    firsts = list(accumulate(map(len, sentences), initial=0))
    assert not several[0] or several[1] == firsts[[s for s, _ in found].index(True)]
    assert not none[0] or none[1] == firsts[[n for _, n in found].index(True)]


def test_a_chain_of_a_hundred_thousand_words_is_no_recursion(kernel):
    chain = [*range(2, 100_001), 0]
    parents, notes = settle(kernel, [chain])
    assert parents[:2] == [1, 2]
    assert parents[-1] == ROOT
    assert not any(count for count, _ in notes)


def test_one_great_cycle_is_all_wrong(kernel):
    parents, notes = settle(kernel, [[*range(2, 10_001), 1]])
    assert set(parents) == {CYCLIC}
    assert notes[kernel.codes()["ON_CYCLE"]][0] == 10_000
    assert notes[kernel.codes()["ROOTLESS"]] == (1, 0)
