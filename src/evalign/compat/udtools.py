"""The Python interface of `udtools.udeval`, the evaluation script of the UD tools.

    from evalign.compat.udtools import UDError, evaluate, load_conllu_file

    scores = evaluate(load_conllu_file("gold.conllu"), load_conllu_file("system.conllu"))
    scores["ELAS"].f1, scores["EULAS"].f1

Like `evalign.compat.conll18`, with enhanced dependencies.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Protocol

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


# The script's names for the digits of its option --enhancements.
_DIGITS = {
    "no_gapping": "1",
    "no_shared_parents_in_coordination": "2",
    "no_shared_dependents_in_coordination": "3",
    "no_control": "4",
    "no_external_arguments_of_relative_clauses": "5",
    "no_case_info": "6",
}


class UdevalArguments(FileArguments, Protocol):
    """What `evaluate_wrapper` reads from its argument: the files and the options of the script."""

    enhancements: str
    no_empty_nodes: object
    multiple_roots_okay: object


def load_conllu(
    file: IO[str] | IO[bytes] | LineReader, path: str, treebank_type: Mapping[str, object]
) -> UDRepresentation:
    """Read a file that is open for reading.

    `path` is the name of the file in messages; `treebank_type` holds the options of the script by name.
    """
    return load_file(file, _make_script(treebank_type), path)


def load_conllu_file(
    path: str | os.PathLike[str], treebank_type: Mapping[str, object] | None = None
) -> UDRepresentation:
    """Read the file at `path`. `treebank_type` holds the options of the script by name."""
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than most files to read
        return load_file(file, _make_script(treebank_type or {}))


def _make_script(treebank_type: Mapping[str, object]) -> Script:
    return Script(
        "udtools",
        enhanced=True,
        enhancements="".join(digit for name, digit in _DIGITS.items() if treebank_type.get(name)),
        multiple_roots_okay=bool(treebank_type.get("multiple_roots_okay")),
        no_empty_nodes=bool(treebank_type.get("no_empty_nodes")),
    )


def evaluate(gold_ud: UDRepresentation, system_ud: UDRepresentation) -> dict[str, ScriptScore]:
    """Compute all metrics, by name. Raises `UDError` if the texts differ."""
    return evaluate_loaded(gold_ud, system_ud, "udtools")


def evaluate_wrapper(args: UdevalArguments) -> dict[str, ScriptScore]:
    """Compute all metrics, by name, of the files that `args` names.

    `args` holds the options of the script, too.
    """
    treebank_type: dict[str, object] = {name: digit in args.enhancements for name, digit in _DIGITS.items()}
    treebank_type["no_empty_nodes"] = args.no_empty_nodes
    treebank_type["multiple_roots_okay"] = args.multiple_roots_okay
    gold, system = (load_conllu_file(path, treebank_type) for path in (args.gold_file, args.system_file))
    return evaluate(gold, system)


def build_evaluation_table(
    evaluation: Mapping[str, ScriptScore],
    verbose: bool = True,  # noqa: FBT001, FBT002
    counts: bool = False,  # noqa: FBT001, FBT002
    enhanced: bool = False,  # noqa: FBT001, FBT002
) -> str:
    """Render what the script prints, without the last line end."""
    left_out = () if enhanced else ("ELAS", "EULAS")
    shown = {name: score for name, score in evaluation.items() if name not in left_out}
    return print_scores(shown, verbose=verbose, counts=counts)[:-1]
