"""Cascading errors: whether words that are attached wrongly have a head that is attached wrongly too.

    evalign typology cascades gold.conllu system.conllu
    evalign typology cascades gold_folder system_folder

Source: Callin, A typological perspective on evaluation for Universal Dependencies, Table 5. Among the words
attached wrongly, by class of their gold relation: the share whose head in the system's tree is itself
attached correctly, in the same sense, labelled or unlabelled. The lower the share, the more errors follow
from other errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from evalign.document import ROOT, Column, IntArray
from evalign.errors import EvalignError
from evalign.files import number_names
from evalign.kernels.judge_cy import bits
from evalign.metrics.census import DocumentSize, check_columns
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import ratio
from evalign.metrics.metric import TREE
from evalign.metrics.relations import Version, relation_class
from evalign.metrics.word_comparison import column_version
from evalign.options import RelationLabels, ScoreOptions, check_choice
from evalign.progress import Progress, counted, no_progress
from evalign.scoring.count import compare_documents
from evalign.scoring.reading import Input
from evalign.typology.options import RootHeads
from evalign.typology.treebanks import is_folder, match_treebanks, name_apart, path_of
from evalign.wording import tell_left_out


class Cascade(NamedTuple):
    """The number of words attached wrongly, and of those among them whose system head is right."""

    wrong: int = 0
    head_right: int = 0

    @property
    def share(self) -> float | None:
        """`head_right` divided by `wrong`; None where no word is attached wrongly."""
        return ratio(self.head_right, self.wrong)


class Cascades(NamedTuple):
    """Cascading errors by class of relation, labelled and unlabelled: a row of Table 5."""

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

    `relations` is gold's column of relations. `system_parents` has the head of each system word, as
    `Columns.parents`; `gold_of` the gold word of each system word, or -1. `labelled` and `unlabelled` say for
    each gold word whether it is attached correctly in that sense.

    A head without a gold word counts as attached wrongly. `root_heads` says how to treat words whose system
    head is the root: as having a wrong head, as having a right one, or left out.
    """
    shared = np.flatnonzero(gold_of >= 0)
    gold, heads = gold_of[shared], system_parents[shared]
    classes = [relation_class(label, version) for label in relations.labels]
    if root_heads == "left-out":
        gold, heads = gold[heads != ROOT], heads[heads != ROOT]

    def count() -> Iterator[Cascade]:
        for wanted in ("content", "function"):
            chosen = np.array([word_class == wanted for word_class in classes], bool)[relations.ids[gold]]
            for right in (labelled, unlabelled):
                above = heads[chosen & ~right[gold]]
                behind = np.where(above >= 0, gold_of[np.maximum(above, 0)], -1)
                head_right = (behind >= 0) & right[behind]
                if root_heads == "right":
                    head_right |= above == ROOT
                yield Cascade(len(above), int(np.count_nonzero(head_right)))

    return Cascades(*count())


class TreebankCascades(NamedTuple):
    """Cascading errors of one system on one treebank."""

    cascades: Cascades
    version: Version
    """The UD version whose relation classes are used."""
    warnings: tuple[str, ...] = ()
    size: DocumentSize | None = None
    """Sentences and tokens of gold."""


def find_cascades(
    gold: Input, system: Input, *, relations: RelationLabels = "auto", root_heads: RootHeads = "wrong"
) -> TreebankCascades:
    """Read and align a gold and a system file, and count the cascading errors."""
    check_choice("root_heads", root_heads, get_args(RootHeads))
    comparison, warnings = compare_documents(gold, system, ScoreOptions())
    cascades = compare_cascades(comparison, relations=relations, root_heads=root_heads)
    return cascades._replace(warnings=warnings)


def compare_cascades(
    comparison: Comparison, *, relations: RelationLabels = "auto", root_heads: RootHeads = "wrong"
) -> TreebankCascades:
    """Count the cascading errors of two documents that were compared already."""
    check_columns(comparison, TREE, "cascading errors")
    judgement = comparison.word_comparison
    unlabelled = comparison.verdicts & bits()["HEAD"] > 0
    labelled = unlabelled & (comparison.verdicts & bits()["LABEL"] > 0)
    partners = comparison.word_partners
    paired = np.flatnonzero(partners >= 0)
    gold_of = np.full(comparison.system.n_words, -1, np.int32)
    gold_of[partners[paired]] = paired
    deprel, parents = judgement.gold.deprel, judgement.system.parents
    version = column_version(deprel) if relations == "auto" else relations
    cascades = count_cascades(deprel, version, parents, gold_of, labelled, unlabelled, root_heads)
    size = DocumentSize(comparison.gold.n_sentences, comparison.gold.n_tokens)
    return TreebankCascades(cascades, version, size=size)


class RunCascades(NamedTuple):
    """Cascading errors by treebank (Table 5)."""

    treebanks: Mapping[str, TreebankCascades]
    warnings: tuple[str, ...] = ()
    """Warnings of all treebanks, and treebanks that were left out."""


class _Pair(NamedTuple):
    """Two files to compare; `system` is the name of the folder of `file`, "" if it was given directly."""

    name: str
    gold: Input
    file: Input
    system: str = ""


def find_run_cascades(
    pairs: Sequence[tuple[Input, Input]],
    *,
    relations: RelationLabels = "auto",
    root_heads: RootHeads = "wrong",
    progress: Progress = no_progress,
) -> RunCascades:
    """Count cascading errors of many treebanks, given as pairs of files or of folders.

    Files of folders are matched by name. A treebank of a folder that cannot be compared is left out with a
    warning; it is an error if none is left.
    """
    listed, warnings = _list_pairs(pairs)
    cascades: dict[str, TreebankCascades] = {}
    failed: EvalignError | None = None
    for number, name in counted([pair.name for pair in listed], progress, "comparing {}".format):
        pair = listed[number]
        try:
            cascades[name] = find_cascades(pair.gold, pair.file, relations=relations, root_heads=root_heads)
        except EvalignError as error:
            if not pair.system:
                raise
            failed = failed or error
            warnings.append(tell_left_out(pair.system, name, error.on_one_line))
    if failed and not cascades:
        raise failed
    return RunCascades(
        cascades, (*warnings, *(warning for treebank in cascades.values() for warning in treebank.warnings))
    )


def _list_pairs(pairs: Sequence[tuple[Input, Input]]) -> tuple[list[_Pair], list[str]]:
    """Expand folders into pairs of files, give every pair a distinct name, and collect warnings."""
    listed: list[_Pair] = []
    warnings: list[str] = []
    names = iter(name_apart([path_of(gold) for gold, _ in pairs if not is_folder(gold)]))
    for gold, system in pairs:
        if is_folder(gold) or is_folder(system):
            matched = match_treebanks(path_of(gold), path_of(system))
            warnings += matched.warnings
            listed += [
                _Pair(treebank.name, treebank.gold, file, matched.systems[0])
                for treebank in matched.treebanks
                for file in treebank.systems
                if file is not None
            ]
        else:
            listed.append(_Pair(next(names), gold, system))
    # Pairs of one treebank with several systems get the folder of the system in their name.
    times = [pair.name for pair in listed]
    called = [f"{p.name} ({p.system})" if p.system and times.count(p.name) > 1 else p.name for p in listed]
    return [
        pair._replace(name=name) for pair, name in zip(listed, number_names(called), strict=True)
    ], warnings
