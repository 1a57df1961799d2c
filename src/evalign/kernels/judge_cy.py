"""Verdicts on pairs of words: whether tags, features, lemma, head, label and function words are right.

The definitions are those of Zeman et al. 2018, section 5. One pass over the pairs; whatever a metric asks for
is a set of bits. Metrics and compat use it.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

ROOT = cython.declare(cython.int, -1)  # as in `conllu_columns_cy`

ALIGNED = cython.declare(cython.int, 1)
UPOS = cython.declare(cython.int, 2)
XPOS = cython.declare(cython.int, 4)
FEATS = cython.declare(cython.int, 8)
LEMMA = cython.declare(cython.int, 16)
HEAD = cython.declare(cython.int, 32)
LABEL = cython.declare(cython.int, 64)
FUNCTION = cython.declare(cython.int, 128)  # the function words that depend on the word


def is_compiled() -> bool:
    """Return whether this module runs as compiled code."""
    return cython.compiled


def bits() -> dict[str, int]:
    """Return the bits of a verdict by name."""
    return {
        "ALIGNED": ALIGNED, "UPOS": UPOS, "XPOS": XPOS, "FEATS": FEATS, "LEMMA": LEMMA, "HEAD": HEAD,
        "LABEL": LABEL, "FUNCTION": FUNCTION,
    }  # fmt: skip


@cython.cclass
class Analysis:
    """The analysis of the words of one side: the head of each, and its labels as numbers.

    Equal labels must have equal numbers on both sides.
    """

    parents: cython.int[::1]
    upos: cython.int[::1]
    xpos: cython.int[::1]
    feats: cython.int[::1]
    lemma: cython.int[::1]
    deprel: cython.int[::1]
    first: cython.int[::1]
    after: cython.int[::1]

    def __init__(
        self,
        parents: cython.int[::1],
        upos: cython.int[::1],
        xpos: cython.int[::1],
        feats: cython.int[::1],
        lemma: cython.int[::1],
        deprel: cython.int[::1],
        is_function: cython.uchar[::1],
        first: cython.int[::1],
        after: cython.int[::1],
    ) -> None:
        """Take columns of equal length; `is_function` says for each relation whether it marks function words.

        `first` and `after`, as long as the other columns, are filled with the function words that depend on
        each word, in order: the first one, and the one after each.
        """
        word: cython.Py_ssize_t
        parent: cython.int
        self.parents, self.upos, self.xpos = parents, upos, xpos
        self.feats, self.lemma, self.deprel = feats, lemma, deprel
        self.first, self.after = first, after
        for word in range(len(first)):
            first[word] = -1
        for word in range(len(first) - 1, -1, -1):
            parent = self.parents[word]
            if parent >= 0 and is_function[self.deprel[word]]:
                after[word] = first[parent]
                first[parent] = word


@cython.cfunc
@cython.exceptval(check=False)
def have_same_function_words(
    gold: Analysis,
    system: Analysis,
    g: cython.Py_ssize_t,
    s: cython.Py_ssize_t,
    partners: cython.int[::1],
) -> cython.bint:
    """Return whether the function words of gold word g and of system word s correspond one by one.

    Those that correspond must be partners, with equal relations, tags and features.
    """
    a: cython.int = gold.first[g]
    b: cython.int = system.first[s]
    while a >= 0 and b >= 0:
        if (
            partners[a] != b
            or gold.deprel[a] != system.deprel[b]
            or gold.upos[a] != system.upos[b]
            or gold.feats[a] != system.feats[b]
        ):
            return False
        a = gold.after[a]
        b = system.after[b]
    return a == b


def judge(
    gold: Analysis,
    system: Analysis,
    partners: cython.int[::1],
    no_lemma: cython.int,
    verdicts: cython.uchar[::1],
) -> None:
    """Write a verdict per gold word: 0 without a partner, else ALIGNED and the bits of all that is right.

    A gold lemma equal to `no_lemma` is always right. A head is right if the two heads are partners or both
    words are roots. Function words are looked at only where the word itself has all that MLAS requires of it.
    """
    asked: cython.int = UPOS | FEATS | HEAD | LABEL
    g: cython.Py_ssize_t
    s: cython.Py_ssize_t
    verdict: cython.int
    above: cython.int
    for g in range(len(partners)):
        s = partners[g]
        if s < 0:
            verdicts[g] = 0
            continue
        verdict = ALIGNED
        if gold.upos[g] == system.upos[s]:
            verdict |= UPOS
        if gold.xpos[g] == system.xpos[s]:
            verdict |= XPOS
        if gold.feats[g] == system.feats[s]:
            verdict |= FEATS
        if gold.lemma[g] == system.lemma[s] or gold.lemma[g] == no_lemma:
            verdict |= LEMMA
        if gold.deprel[g] == system.deprel[s]:
            verdict |= LABEL
        above = gold.parents[g]
        if above >= 0:
            if system.parents[s] >= 0 and partners[above] == system.parents[s]:
                verdict |= HEAD
        elif above == ROOT and system.parents[s] == ROOT:
            verdict |= HEAD
        if verdict & asked == asked and have_same_function_words(gold, system, g, s, partners):
            verdict |= FUNCTION
        verdicts[g] = verdict


def tally(
    verdicts: cython.uchar[::1],
    deprel: cython.int[::1],
    is_content: cython.uchar[::1],
    counts: cython.longlong[:, ::1],
) -> None:
    """Count verdicts into a row of `counts` for each of the 256 verdicts.

    All words are counted in column 0, content words in column 1.
    """
    k: cython.Py_ssize_t
    for k in range(len(verdicts)):
        counts[verdicts[k], 0] += 1
        if is_content[deprel[k]]:
            counts[verdicts[k], 1] += 1
