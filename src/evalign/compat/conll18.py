"""The Python interface of the evaluation script of the CoNLL 2018 shared task.

    from evalign.compat.conll18 import UDError, evaluate, load_conllu_file

    scores = evaluate(load_conllu_file("gold.conllu"), load_conllu_file("system.conllu"))
    scores["LAS"].f1, scores["LAS"].precision, scores["LAS"].recall, scores["LAS"].aligned_accuracy

This module replaces the script in programs that import it. Names, numbers and the messages of `UDError` are
those of the script. A loaded file has the script's attributes too, such as `words`; they are made when first
used, because this takes time and `evaluate` does not need them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO

from evalign.compat.evaluation import ScriptScore, print_scores
from evalign.compat.representation import (
    DEPREL,
    DEPS,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    FileArguments,
    LineReader,
    UDError,
    UDRepresentation,
    evaluate_loaded,
    load_file,
)  # fmt: skip
from evalign.compat.treebank import Script
from evalign.ud_labels import (
    CONTENT_RELATIONS as CONTENT_DEPRELS,
    FUNCTION_RELATIONS as FUNCTIONAL_DEPRELS,
    UNIVERSAL_FEATURES,
)

__all__ = [
    "CONTENT_DEPRELS", "DEPREL", "DEPS", "FEATS", "FORM", "FUNCTIONAL_DEPRELS", "HEAD", "ID", "LEMMA", "MISC",
    "UNIVERSAL_FEATURES", "UPOS", "XPOS", "UDError", "build_evaluation_table", "evaluate", "evaluate_wrapper",
    "load_conllu", "load_conllu_file",
]  # fmt: skip


def load_conllu(file: IO[str] | IO[bytes] | LineReader) -> UDRepresentation:
    r"""Read a file that is open for reading.

    >>> from io import StringIO
    >>> row = "{}\t{}\t_\t_\t_\t_\t{}\t_\t_\t_\n".format
    >>> ud = load_conllu(StringIO(row("1-2", "im", "_") + row(1, "in", 0) + row(2, "dem", 1) + "\n"))
    >>> [(word.columns[FORM], word.span.start, word.span.end, word.is_multiword) for word in ud.words]
    [('in', 0, 2, True), ('dem', 0, 2, True)]
    """
    return load_file(file, Script("conll18"))


def load_conllu_file(path: str | os.PathLike[str]) -> UDRepresentation:
    """Read the file at `path`."""
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than most files to read
        return load_file(file, Script("conll18"))


def evaluate(gold_ud: UDRepresentation, system_ud: UDRepresentation) -> dict[str, ScriptScore]:
    """Compute all metrics, by name. Raises `UDError` if the texts differ."""
    return evaluate_loaded(gold_ud, system_ud, "conll18")


def evaluate_wrapper(args: FileArguments) -> dict[str, ScriptScore]:
    """Compute all metrics of the files `args.gold_file` and `args.system_file`, by name."""
    return evaluate(load_conllu_file(args.gold_file), load_conllu_file(args.system_file))


def build_evaluation_table(evaluation: Mapping[str, ScriptScore], verbose: bool, counts: bool) -> str:  # noqa: FBT001
    """Render what the script prints, without the last line end."""
    return print_scores(evaluation, verbose=verbose, counts=counts)[:-1]
