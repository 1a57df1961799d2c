"""`WordComparison`: the CoNLL-U columns of both documents as shared integers, and verdicts on pairs of words.

`Comparison.word_comparison` makes one; metrics, errors and breakdowns of words share it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalign.document import Column, Columns, IntArray
from evalign.kernels.judge_cy import Analysis, bits, judge
from evalign.metrics.keys import SharedLabels, number_labels
from evalign.metrics.relations import Version, find_version
from evalign.options import ScoreOptions
from evalign.ud_labels import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    UNFILLED,
    cut_relation,
    universal_features,
)  # fmt: skip

VERDICT_BITS = bits()


def sort_values(feats: str) -> str:
    """Return features with the values of each in alphabetical order, so that equal sets are equal strings.

    >>> sort_values("Gender=Masc,Fem|Number=Sing")
    'Gender=Fem,Masc|Number=Sing'
    """
    pairs = (feature.partition("=") for feature in feats.split("|"))
    return "|".join(name + equals + ",".join(sorted(value.split(","))) for name, equals, value in pairs)


def compose(text: str) -> str:
    """Return the canonical composition (NFC) of `text`."""
    return unicodedata.normalize("NFC", text)


def all_features(feats: str) -> str:
    """Return all features of a cell of FEATS in alphabetical order.

    >>> all_features("Number=Sing|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    return "|".join(sorted(feats.split("|")))


def column_version(relations: Column) -> Version:
    """Return the version of UD that a column of relations belongs to.

    `find_version` decides by how many words have labels that only one of the versions has.
    """
    counts = np.bincount(relations.ids, minlength=len(relations.labels))
    return find_version(relations.labels, counts.tolist())


class WordComparison:
    """The columns of gold and system side by side, and verdicts on any pairing of their words."""

    def __init__(
        self, gold: Columns, system: Columns, options: ScoreOptions, *, composed: bool = False
    ) -> None:
        self.gold, self.system, self.options = gold, system, options
        self._composed = composed
        self._judged: list[tuple[IntArray, npt.NDArray[np.uint8]]] = []

    def _features(self, simplify: Callable[[str], str]) -> SharedLabels:
        as_sets = self.options.feature_values == "set"
        return number_labels(
            self.gold.feats,
            self.system.feats,
            (lambda feats: simplify(sort_values(feats))) if as_sets else simplify,
        )

    @cached_property
    def upos(self) -> SharedLabels:
        """Universal tags."""
        return number_labels(self.gold.upos, self.system.upos)

    @cached_property
    def xpos(self) -> SharedLabels:
        """Language-specific tags."""
        return number_labels(self.gold.xpos, self.system.xpos)

    @cached_property
    def lemma(self) -> SharedLabels:
        """Lemmas, in NFC if notation was made equal."""
        return number_labels(self.gold.lemma, self.system.lemma, compose if self._composed else None)

    @cached_property
    def universal_feats(self) -> SharedLabels:
        """The universal features, which the metric ufeats compares."""
        return self._features(universal_features)

    @cached_property
    def all_feats(self) -> SharedLabels:
        """All features."""
        return self._features(all_features)

    @cached_property
    def relations(self) -> SharedLabels:
        """Relations without their subtypes."""
        return number_labels(self.gold.deprel, self.system.deprel, cut_relation)

    @cached_property
    def full_relations(self) -> SharedLabels:
        """Relations with their subtypes."""
        return number_labels(self.gold.deprel, self.system.deprel)

    @cached_property
    def content(self) -> npt.NDArray[np.bool_]:
        """Whether CLAS, MLAS and BLEX count the words of each relation."""
        return self.in_group(CONTENT_RELATIONS)

    def in_group(self, group: frozenset[str]) -> npt.NDArray[np.bool_]:
        """Return for each relation whether it is in `group`."""
        return np.array([label in group for label in self.relations.labels], bool)

    @cached_property
    def version(self) -> Version:
        """The version of UD by which relations are classed: the one in the options, else that of gold."""
        if self.options.relations != "auto":
            return self.options.relations
        return column_version(self.gold.deprel)

    @cached_property
    def _analyses(self) -> tuple[Analysis, Analysis]:
        is_function = self.in_group(FUNCTION_RELATIONS).view(np.uint8)
        sides = []
        for k, columns in enumerate((self.gold, self.system)):
            n = len(columns.parents)
            sides.append(
                Analysis(
                    columns.parents,
                    self.upos[k],
                    self.xpos[k],
                    self.universal_feats[k],
                    self.lemma[k],
                    self.relations[k],
                    is_function,
                    np.empty(n, np.int32),
                    np.empty(n, np.int32),
                )
            )
        return sides[0], sides[1]

    def verdicts(self, partners: IntArray) -> npt.NDArray[np.uint8]:
        """Return for each gold word which of its tag, features, lemma, head and relation are right, as bits.

        `partners` has the system word of each gold word, or -1. The bits are those of `judge_cy`.

        Verdicts are kept by the identity of `partners`: the same array is not judged twice, a copy is.
        """
        for judged, verdicts in self._judged:
            if judged is partners:
                return verdicts
        verdicts = np.empty(len(partners), np.uint8)
        gold, system = self._analyses
        judge(gold, system, partners, self.lemma.number(UNFILLED), verdicts)
        self._judged.append((partners, verdicts))
        return verdicts

    def pairs_equal(self, column: SharedLabels, partners: IntArray) -> npt.NDArray[np.bool_]:
        """Return for each gold word whether it has a partner with the same label in `column`."""
        equal = partners >= 0
        equal[equal] = column.gold[equal] == column.system[partners[equal]]
        return equal
