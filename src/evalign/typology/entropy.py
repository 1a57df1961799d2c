"""Word dependency entropy and type/token ratio, on words as numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from evalign.document import IntArray
from evalign.typology.settings import LastChunk, Vocabulary


class RelationWords(NamedTuple):
    """The words of one relation in one treebank."""

    words: int
    types: int
    """Distinct forms among them."""
    entropy: float
    """Word dependency entropy, from 0 (always the same form) to 1."""


def measure_relations(
    relations: IntArray, forms: IntArray, n_types: int, vocabulary: Vocabulary = "treebank"
) -> dict[int, RelationWords]:
    """Per relation its words and WDE(r, t) = H(p(w | r, t)) / log n, n being the number of distinct forms.

    `relations` and `forms` have a number per word. Where there is one form only, there is no entropy: 0.
    """
    if not len(relations):
        return {}
    keys = np.sort(relations.astype(np.int64) * max(1, n_types) + forms)
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    frequencies = np.diff(np.append(starts, len(keys)))
    owners = keys[starts] // max(1, n_types)
    cuts = np.append(np.flatnonzero(np.append(True, owners[1:] != owners[:-1])), len(owners))
    measured = {}
    for k in range(len(cuts) - 1):
        of_forms = frequencies[cuts[k] : cuts[k + 1]]
        bound = n_types if vocabulary == "treebank" else len(of_forms)
        measured[int(owners[cuts[k]])] = RelationWords(
            int(of_forms.sum()), len(of_forms), min(1.0, _entropy(of_forms) / math.log(max(2, bound)))
        )
    return measured


def _entropy(frequencies: IntArray) -> float:
    """Entropy of a distribution in nats, from its frequencies: log N - sum(f log f) / N."""
    total = int(frequencies.sum())
    return max(0.0, math.log(total) - float((frequencies * np.log(frequencies)).sum()) / total)


class TypeTokenRatio(NamedTuple):
    """A type/token ratio over chunks of equal size."""

    value: float | None
    chunks: int


def measure_types(forms: IntArray, chunk: int, last_chunk: LastChunk = "drop") -> TypeTokenRatio:
    """STTR: the mean over chunks of as many words of distinct forms per word; None where no chunk is full.

    With `last_chunk` "keep" what is left behind the full chunks counts as one more.
    """
    full = len(forms) // chunk
    rows = np.sort(forms[: full * chunk].reshape(full, chunk), axis=1)
    types = int((rows[:, 1:] != rows[:, :-1]).sum()) + full
    total, chunks = Fraction(types, chunk), full
    rest = forms[full * chunk :].tolist()
    if last_chunk == "keep" and rest:
        total, chunks = total + Fraction(len(set(rest)), len(rest)), chunks + 1
    return TypeTokenRatio(float(total / chunks) if chunks else None, chunks)
