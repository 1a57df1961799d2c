"""Verdicts on pairs of words: both forms against a direct check of each pair."""

from hypothesis import given, strategies as st

from evalign.document import CYCLIC, MISSING, ROOT
from evalign.kernels.buffers import flags, ints, long_rows
from forms import both_forms, column

kernel = both_forms("judge_cy")
N = 6
COLUMNS = ("parents", "upos", "xpos", "feats", "lemma", "deprel")
SIDE = st.fixed_dictionaries(
    {
        "parents": st.lists(st.sampled_from([ROOT, MISSING, CYCLIC, *range(N)]), min_size=N, max_size=N),
        **{name: st.lists(st.integers(0, 2), min_size=N, max_size=N) for name in COLUMNS[1:]},
    }
)
PARTNERS = st.permutations(range(N)).flatmap(
    lambda order: st.lists(st.booleans(), min_size=N, max_size=N).map(
        lambda kept: [k if keep else -1 for k, keep in zip(order, kept, strict=True)]
    )
)


def function_words(side, word, is_function):
    return [k for k in range(N) if side["parents"][k] == word and is_function[side["deprel"][k]]]


def wanted(gold, system, partners, is_function, no_lemma, bits):
    """A verdict per gold word."""
    verdicts = []
    for g, s in enumerate(partners):
        if s < 0:
            verdicts.append(0)
            continue
        right = {"ALIGNED"}
        right |= {
            name for name in ("UPOS", "XPOS", "FEATS") if gold[name.lower()][g] == system[name.lower()][s]
        }
        if gold["lemma"][g] in (system["lemma"][s], no_lemma):
            right.add("LEMMA")
        if gold["deprel"][g] == system["deprel"][s]:
            right.add("LABEL")
        above, other = gold["parents"][g], system["parents"][s]
        if above == other == ROOT or (above >= 0 and other >= 0 and partners[above] == other):
            right.add("HEAD")
        ours, theirs = function_words(gold, g, is_function), function_words(system, s, is_function)
        same = [partners[k] for k in ours] == theirs and all(
            gold[name][k] == system[name][partners[k]] for k in ours for name in ("deprel", "upos", "feats")
        )
        if same and right >= {"UPOS", "FEATS", "HEAD", "LABEL"}:
            right.add("FUNCTION")
        verdicts.append(sum(bits[name] for name in right))
    return verdicts


@given(SIDE, SIDE, PARTNERS, st.lists(st.booleans(), min_size=3, max_size=3), st.integers(-1, 2))
def test_verdicts_say_what_is_right(kernel, gold, system, partners, is_function, no_lemma):
    analyses = [
        kernel.Analysis(*(column(side[name]) for name in COLUMNS), bytearray(is_function), ints(N), ints(N))
        for side in (gold, system)
    ]
    verdicts = flags(N)
    kernel.judge(*analyses, column(partners), no_lemma, verdicts)
    expected = wanted(gold, system, partners, is_function, no_lemma, kernel.bits())
    assert verdicts.tolist() == expected
    counts = long_rows(256, 2)
    kernel.tally(verdicts, column(gold["deprel"]), bytearray(is_function), counts)
    for verdict in range(256):
        words = [k for k in range(N) if expected[k] == verdict]
        assert counts[verdict, 0] == len(words)
        assert counts[verdict, 1] == sum(is_function[gold["deprel"][k]] for k in words)
