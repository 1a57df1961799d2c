"""Cascading errors: whether the head, too, is attached wrongly where a word is.

    evalign typology cascades gold.conllu system.conllu

Source: Callin, A typological perspective on evaluation for Universal Dependencies, Table 5. Among the words that are
attached wrongly, by class of their gold relation: the share whose head in the system's tree is itself attached
rightly, in the same sense, labelled or not. The lower the share, the more errors come from other errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from evalign.document import ROOT, Column, IntArray
from evalign.errors import CommandError, quote, suggest
from evalign.evaluate import Input, compare_documents
from evalign.kernels.judge_cy import bits
from evalign.layers import Comparison
from evalign.layers.classes import Version, relation_class
from evalign.layers.counts import ratio
from evalign.layers.judged import TREE
from evalign.layers.judgement import column_version
from evalign.layers.needs import check_columns
from evalign.layers.options import RelationLabels

RootHeads = Literal["wrong", "left-out", "right"]
ROOT_HEADS: tuple[RootHeads, ...] = ("wrong", "left-out", "right")


class Cascade(NamedTuple):
    """Words attached wrongly, and those of them whose system head is attached rightly."""

    wrong: int = 0
    head_right: int = 0

    @property
    def share(self) -> float | None:
        """Share with a head that is attached rightly; None where no word is attached wrongly."""
        return ratio(self.head_right, self.wrong)


class Cascades(NamedTuple):
    """A row of Table 5."""

    content_labelled: Cascade
    content_unlabelled: Cascade
    function_labelled: Cascade
    function_unlabelled: Cascade


def count_cascades(
    relations: Column,
    version: Version,
    system_parents: IntArray,
    gold_of: IntArray,
    labelled: npt.NDArray[np.bool_],
    unlabelled: npt.NDArray[np.bool_],
    root_heads: RootHeads = "wrong",
) -> Cascades:
    """Count cascading errors over the words that gold and system share.

    `relations` are gold's; `system_parents` are of system words, as `Columns` has them; `gold_of` has the gold word
    of each system word, or -1; `labelled` and `unlabelled` say of each gold word whether it is attached rightly.
    A head without a gold word is not attached rightly; `root_heads` says what the root is.
    """
    shared = np.flatnonzero(gold_of >= 0)
    gold, heads = gold_of[shared], system_parents[shared]
    classes = [relation_class(label, version) for label in relations.labels]
    if root_heads == "left-out":
        gold, heads = gold[heads != ROOT], heads[heads != ROOT]

    def count() -> Iterator[Cascade]:
        for wanted in ("content", "function"):
            chosen = np.array([found == wanted for found in classes], bool)[relations.ids[gold]]
            for right in (labelled, unlabelled):
                above = heads[chosen & ~right[gold]]
                behind = np.where(above >= 0, gold_of[np.maximum(above, 0)], -1)
                head_right = (behind >= 0) & right[behind]
                if root_heads == "right":
                    head_right |= above == ROOT
                yield Cascade(len(above), int(np.count_nonzero(head_right)))

    return Cascades(*count())


class TreebankCascades(NamedTuple):
    """Cascading errors of a system on a treebank."""

    cascades: Cascades
    version: Version
    """The version of Universal Dependencies whose classes are used."""
    warnings: tuple[str, ...] = ()


def find_cascades(
    gold: Input, system: Input, *, relations: RelationLabels = "auto", root_heads: RootHeads = "wrong"
) -> TreebankCascades:
    """Cascading errors of a system's file against gold's."""
    if root_heads not in ROOT_HEADS:
        message = f"unknown value {quote(root_heads)} for root_heads"
        raise CommandError(message, *suggest(root_heads, ROOT_HEADS))
    comparison, warnings = compare_documents(gold, system)
    found = compare_cascades(comparison, relations=relations, root_heads=root_heads)
    return found._replace(warnings=warnings)


def compare_cascades(
    comparison: Comparison, *, relations: RelationLabels = "auto", root_heads: RootHeads = "wrong"
) -> TreebankCascades:
    """Cascading errors of two documents that were compared."""
    check_columns(comparison, TREE, "cascading errors")
    judgement = comparison.judgement
    unlabelled = comparison.verdicts & bits()["HEAD"] > 0
    labelled = unlabelled & (comparison.verdicts & bits()["LABEL"] > 0)
    partners = comparison.word_partners
    paired = np.flatnonzero(partners >= 0)
    gold_of = np.full(comparison.system.n_words, -1, np.int32)
    gold_of[partners[paired]] = paired
    deprel, parents = judgement.gold.deprel, judgement.system.parents
    version = column_version(deprel) if relations == "auto" else relations
    cascades = count_cascades(deprel, version, parents, gold_of, labelled, unlabelled, root_heads)
    return TreebankCascades(cascades, version)
