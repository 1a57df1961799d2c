"""Which metrics there are to score: those asked for, or those that the documents have something for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalign.document import Document
from evalign.errors import quote
from evalign.labels import UNFILLED
from evalign.layers import DEFAULT_COLUMNS, DEFAULT_LAYERS, Layer, choose_layers
from evalign.layers.needs import find_lacking, has_column, name_columns


def check_names(names: Sequence[str]) -> None:
    """Raise `CommandError` for a metric there is none of, before anything is read."""
    choose_layers(_expand(names))


def _expand(names: Sequence[str]) -> list[str]:
    """Names with `default`, which is also what no name means, written out."""
    default = (*DEFAULT_LAYERS, *DEFAULT_COLUMNS)
    return [known for name in names or ["default"] for known in (default if name == "default" else [name])]


def choose_metrics(names: Sequence[str], gold: Document, systems: Sequence[Document]) -> tuple[Layer, ...]:
    """The metrics asked for. Of `default` and `all`, those that the documents have the columns for.

    Attachment is shown where gold has trees and a system is CoNLL-U without them, too: as not available.
    """
    return tuple(
        layer
        for layer in choose_layers(_expand(names))
        if layer.name in names
        or not layer.needs
        or any(_is_worth_showing(layer, gold, system) for system in systems)
    )


def _is_worth_showing(layer: Layer, gold: Document, system: Document) -> bool:
    if find_lacking(gold, layer.needs):
        return False
    if layer.needs == ("feats",) and not _have_features(gold, system):
        return False
    return not find_lacking(system, layer.needs) or (system.columns is not None and "head" in layer.needs)


def _have_features(*documents: Document) -> bool:
    """Whether any of some documents has a feature."""
    return any(document.columns is not None and document.columns.feats.is_filled for document in documents)


def warn_of_columns(gold: Document, systems: Sequence[Document], metrics: Sequence[Layer]) -> Iterator[str]:
    """What is wrong with columns that metrics look at, missing from them, or right without merit."""
    needed = {name: None for layer in metrics for name in layer.needs}
    if not needed:
        return
    for document in (gold, *systems):
        if document.columns is not None:
            yield from _remarks(document, list(needed))
    for document in (gold, *systems):
        lacking = find_lacking(document, list(needed))
        hit = [layer.name for layer in metrics if any(name in lacking for name in layer.needs)]
        if hit and lacking:
            yield f"{document.name}: no word has {name_columns(lacking)}: {', '.join(hit)} not available"
    if gold.columns is None:
        return
    if "lemma" in needed or any(layer.name == "blex" for layer in metrics):
        unfilled = _count(gold, UNFILLED)
        if unfilled and has_column(gold, "lemma"):
            yield f"{gold.name}: LEMMA is _ for words: {unfilled:,}; any lemma is right there"
    for system in systems:
        for name in ("upos", "deprel"):
            if name in needed and system.columns is not None:
                yield from _warn_of_case(gold, system, name)


def _remarks(document: Document, needed: Sequence[str]) -> Iterator[str]:
    columns = document.columns
    assert columns is not None
    if "head" in needed and has_column(document, "head"):
        yield from map(str, columns.tree_remarks)
    yield from map(str, columns.edge_remarks)


def _count(document: Document, label: str) -> int:
    """Words whose lemma is a label."""
    column = document.columns.lemma if document.columns else None
    if column is None or label not in column.labels:
        return 0
    return int((column.ids == list(column.labels).index(label)).sum())


def _warn_of_case(gold: Document, system: Document, name: str) -> Iterator[str]:
    """Labels of the system that gold has only in other case: all wrong for a trifle."""
    sides = [set(getattr(document.columns, name).labels) for document in (gold, system)]
    known = {label.casefold(): label for label in sides[0]}
    for label in sorted(sides[1] - sides[0]):
        if label.casefold() in known:
            yield (
                f"{system.name}: {name_columns([name])} {quote(label)} differs from gold's "
                f"{quote(known[label.casefold()])} in case alone, and is wrong"
            )
