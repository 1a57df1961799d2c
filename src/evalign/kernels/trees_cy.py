"""Heads as written to heads as words of the document, and what is wrong with the trees. No recursion."""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:
    from evalign.kernels import _cython as cython

# Parents that are no word; `document` has the same numbers.
ROOT = cython.declare(cython.int, -1)
MISSING = cython.declare(cython.int, -2)
OUTSIDE = cython.declare(cython.int, -3)
CYCLIC = cython.declare(cython.int, -4)

# Rows of `notes`, (how often, first word): what is wrong. `readers.conllu_columns` has the words for it.
NO_PARENT = cython.declare(cython.int, 0)  # words without a head
BEYOND = cython.declare(cython.int, 1)  # words whose head is beyond the sentence
ON_CYCLE = cython.declare(cython.int, 2)  # words on a cycle
ROOTS = cython.declare(cython.int, 3)  # sentences with several roots
ROOTLESS = cython.declare(cython.int, 4)  # sentences without a root
N_NOTES = 5


def is_compiled() -> bool:
    """Whether this module runs as compiled code."""
    return cython.compiled


def codes() -> dict[str, int]:
    """The numbers by name."""
    return {
        "ROOT": ROOT, "MISSING": MISSING, "OUTSIDE": OUTSIDE, "CYCLIC": CYCLIC, "NO_PARENT": NO_PARENT,
        "BEYOND": BEYOND, "ON_CYCLE": ON_CYCLE, "ROOTS": ROOTS, "ROOTLESS": ROOTLESS,
    }  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def note(notes: cython.longlong[:, ::1], kind: cython.int, word: cython.Py_ssize_t) -> cython.void:
    """Count something that is wrong."""
    if notes[kind, 0] == 0:
        notes[kind, 1] = word
    notes[kind, 0] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def break_cycles(
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    parents: cython.int[::1],
    walks: cython.int[::1],
    notes: cython.longlong[:, ::1],
) -> cython.void:
    """Make the words of a sentence that are on a cycle CYCLIC. Each word is passed once."""
    start: cython.Py_ssize_t
    word: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for start in range(first, end):
        word = start
        while word >= 0 and walks[word] < 0:
            walks[word] = start
            word = parents[word]
        # Back on the path of this walk: round once more, each word losing its head.
        while word >= 0 and walks[word] == start and parents[word] >= 0:
            above = parents[word]
            parents[word] = CYCLIC
            note(notes, ON_CYCLE, word)
            word = above


def settle_heads(
    heads: cython.int[::1],
    cuts: cython.int[::1],
    parents: cython.int[::1],
    walks: cython.int[::1],
    notes: cython.longlong[:, ::1],
) -> None:
    """Heads counted in their sentence (0: root, less: none) to words of the document. Linear.

    `cuts` cuts the words into sentences. `parents` gets a word, ROOT, MISSING, OUTSIDE or CYCLIC; `walks`, as long,
    is scratch. `notes`, all 0, counts what is wrong.
    """
    sentence: cython.Py_ssize_t
    word: cython.Py_ssize_t
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    roots: cython.int
    unknown: cython.int
    n_sentences: cython.Py_ssize_t = len(cuts) - 1
    with cython.nogil:
        for sentence in range(n_sentences):
            first = cuts[sentence]
            end = cuts[sentence + 1]
            roots = unknown = 0
            for word in range(first, end):
                walks[word] = -1
                if heads[word] == 0:
                    parents[word] = ROOT
                    roots += 1
                elif heads[word] < 0:
                    parents[word] = MISSING
                    note(notes, NO_PARENT, word)
                    unknown += 1
                elif heads[word] > end - first:
                    parents[word] = OUTSIDE
                    note(notes, BEYOND, word)
                    unknown += 1
                else:
                    parents[word] = first + heads[word] - 1
            break_cycles(first, end, parents, walks, notes)
            if roots > 1:
                note(notes, ROOTS, first)
            elif roots == 0 and unknown == 0:
                note(notes, ROOTLESS, first)
