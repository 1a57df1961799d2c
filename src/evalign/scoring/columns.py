"""What a person should know of the columns that were scored, or were not: wrong, missing, or right without merit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from evalign.errors import Place, Remark, quote
from evalign.metrics import (
    COUNTED_EMPTY,
    DEFAULT_COLUMNS,
    LAYERS,
    Census,
    Labels,
    Layer,
    find_lacking,
    find_lacking_of_both,
    has_column,
    name_columns,
)
from evalign.scoring.settings import Settings
from evalign.ud_labels import UNFILLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Weights


# How a warning of metrics ends that lack a column.
NOT_AVAILABLE = " not available"


def warn_of_columns(
    gold: Census, systems: Sequence[Census], settings: Settings, *, has_raw: bool = False
) -> list[str]:
    """Each thing once. By default all columns are looked at, also those that were not scored."""
    metrics = settings.metrics
    needed = {name: None for layer in metrics for name in layer.needs}
    messages: list[str] = []
    if not has_raw:
        messages += _warn_of_order(gold, systems, default_needs() if settings.by_default else list(needed))
    if settings.by_default and settings.strategy == "places":
        messages += _warn_of_unscored(gold, systems, strict=settings.strict)
        needed |= {"deps": None} if any(system.has_columns for system in systems) else {}
    for document in (gold, *systems):
        counted = (
            _find_counted(document, systems if document is gold else [gold], needed)
            if settings.strict
            else []
        )
        messages += _warn_of_document(document, needed, metrics, counted)
    if gold.has_columns:
        names = {layer.name for layer in metrics}
        is_counted = settings.strict and "lemma" in _find_counted(gold, systems, needed)
        if {"lemmas", "blex"} & names and (is_counted or has_column(gold, "lemma")):
            messages += _warn_of_lemmas(gold.name, gold.column("lemma"))
        if settings.options.weights is not None and "wlas" in names:
            messages += _warn_of_weights(settings.options.weights, gold.version)
        for system in systems:
            if system.has_columns:
                messages += _warn_of_labels(gold, system, needed)
    return list(dict.fromkeys(messages))


def default_needs() -> list[str]:
    """The columns that are looked at where no metric was named."""
    return list(dict.fromkeys(name for metric in DEFAULT_COLUMNS for name in LAYERS[metric].needs))


def _warn_of_order(gold: Census, systems: Sequence[Census], columns: Sequence[str]) -> Iterator[str]:
    """Gold that has none of some columns, where a system has annotation: the files may be swapped.

    Who names metrics of segmentation alone needs no columns, and has plain gold on purpose.
    """
    if not columns or not gold.n_words or gold.has_spans or _list_annotation(gold, columns):
        return
    for system in systems:
        if annotation := _list_annotation(system, columns):
            yield (
                f"{gold.name}: taken as gold, and has no annotation; {system.name} has {name_columns(annotation)} "
                "(are they swapped? gold comes first)"
            )
            return


def _list_annotation(document: Census, columns: Sequence[str]) -> list[str]:
    """Which of some columns the words of a document have something in, and trees; FEATS may be empty and says nothing."""
    if not document.n_words:
        return []
    if document.has_trees:
        return ["trees"]
    labelled = ("lemma", "upos", "xpos", "head", "deprel", "deps")
    return [name for name in columns if name in labelled and has_column(document, name)]


def _warn_of_unscored(gold: Census, systems: Sequence[Census], *, strict: bool) -> Iterator[str]:
    """Columns that a system has and gold has not, so that nothing is said of them; tags that CoNLL-U lacks for trees."""
    # A document without words lacks nothing, and says nothing either.
    systems = [system for system in systems if system.n_words]
    if gold.has_columns and gold.n_words:
        lacking = find_lacking(gold, default_needs())
        lacking = [name for name in lacking if any(has_column(system, name) for system in systems)]
        if strict:
            lacking = [name for name in lacking if name not in COUNTED_EMPTY]
        if lacking:
            yield f"{gold.name}: no word has {name_columns(lacking, 'or')}, so what a system says of it is not scored"
    for system in systems if gold.has_trees and gold.n_words else ():
        if system.has_columns and not has_column(system, "xpos"):
            yield f"{system.name}: no word has XPOS, so tags are not scored"


def _find_counted(document: Census, others: Sequence[Census], needed: Collection[str]) -> list[str]:
    """Columns that a document has left empty and another has not, which are counted all the same."""
    return [
        name
        for name in find_lacking(document, list(needed))
        if any(
            name not in [*chain(*find_lacking_of_both(document, each, [name], strict=True))]
            for each in others
        )
    ]


def _warn_of_document(
    document: Census, needed: Collection[str], metrics: Sequence[Layer], counted: Sequence[str]
) -> Iterator[str]:
    """What is wrong with trees and graphs, and columns without which a metric is not available, or counts for little."""
    if document.has_columns and "head" in needed and has_column(document, "head"):
        yield from map(str, document.tree_remarks)
    if document.has_columns and "deps" in needed:
        yield from map(str, document.edge_remarks)
    if counted:
        judged = [layer.name for layer in metrics if any(name in counted for name in layer.needs)]
        told = f"{', '.join(judged)} counted as the CoNLL 2018 script counts _"
        yield f"{document.name}: no word has {name_columns(counted, 'or')}: {told}"
    lacking = [name for name in find_lacking(document, list(needed)) if name not in counted]
    hit = [layer.name for layer in metrics if any(name in lacking for name in layer.needs)]
    if hit:
        missing = [name for name in lacking if any(name in LAYERS[metric].needs for metric in hit)]
        yield f"{document.name}: no word has {name_columns(missing, 'or')}: {', '.join(hit)}{NOT_AVAILABLE}"


def find_reasons(warnings: Iterable[str], metrics: Collection[str]) -> list[str]:
    """Why some metrics are not available, as warnings say it: "system.txt: no word has HEAD or DEPREL"."""
    reasons = []
    for warning in warnings:
        reason, _, hit = warning.removesuffix(NOT_AVAILABLE).rpartition(": ")
        if warning.endswith(NOT_AVAILABLE) and not set(hit.split(", ")).isdisjoint(metrics):
            reasons.append(reason)
    return list(dict.fromkeys(reasons))


def _warn_of_lemmas(name: str, lemmas: Labels) -> Iterator[str]:
    """Gold lemmas that are right whatever the system says."""
    if UNFILLED in lemmas.labels:
        yield f"{name}: LEMMA is _ for words: {lemmas.times(UNFILLED):,}; any lemma is right there"


def _warn_of_weights(weights: Weights, version: str) -> Iterator[str]:
    """Weights of relations that the other version of UD has."""
    if weights.version and version not in weights.version:
        yield (
            f"{weights.name}: weights of UD {weights.version} relations, and gold's are of {version}: "
            f"a relation without a weight weighs {weights.missing}"
        )


def _warn_of_labels(gold: Census, system: Census, needed: Collection[str]) -> Iterator[str]:
    """Words of the system without a label, and labels that gold has only in other case: all wrong for a trifle."""
    for column in ("upos", "xpos", "lemma", "deprel"):
        if column not in needed:
            continue
        ours, theirs = gold.column(column), system.column(column)
        if UNFILLED in theirs.labels and UNFILLED not in ours.labels and theirs.is_filled:
            yield _tell(system.name, f"{name_columns([column])} is _, and wrong", theirs, UNFILLED)
        if column in ("upos", "deprel"):
            for label, known in _find_other_case(ours, theirs):
                told = f"{name_columns([column])} {quote(label)} differs from gold's {quote(known)} in case alone"
                yield _tell(system.name, f"{told}, and is wrong", theirs, label)


def _tell(name: str, message: str, labels: Labels, label: str) -> str:
    """A remark on the words that have a label, with their first places."""
    places = tuple(Place(name, lineno) for lineno in labels.linenos(label))
    return str(Remark("label", message, labels.times(label), places))


def _find_other_case(gold: Labels, system: Labels) -> Iterator[tuple[str, str]]:
    """Labels of the system that gold has not, with the one that gold has in other case."""
    known = {label.casefold(): label for label in gold.labels}
    for label in sorted(set(system.labels) - set(gold.labels)):
        if label.casefold() in known:
            yield label, known[label.casefold()]
