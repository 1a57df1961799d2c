"""Which metrics there are to score: those asked for, or those that the documents have something for."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.document import Document
from evalign.layers import DEFAULT_COLUMNS, DEFAULT_LAYERS, Layer, choose_layers
from evalign.layers.needs import find_lacking
from evalign.layers.options import Options


def expand_names(names: Sequence[str], options: Options) -> list[str]:
    """Names with `default`, which is also what no name means, written out; raises for a metric there is none of.

    Weights are given to be used: then `default` and `all` have wlas.
    """
    weighted = ("wlas",) if options.weights is not None else ()
    default = (*DEFAULT_LAYERS, *DEFAULT_COLUMNS, *weighted)
    found: list[str] = []
    for name in names or ["default"]:
        found += default if name == "default" else ("all", *weighted) if name == "all" else (name,)
    choose_layers(found)
    return found


def choose_metrics(
    names: Sequence[str], asked: Sequence[str], gold: Document, systems: Sequence[Document]
) -> tuple[Layer, ...]:
    """The metrics of these names. Those that were not asked for one by one only if the documents have the columns.

    Attachment is shown where gold has trees and a system is CoNLL-U without them, too: as not available.
    """
    return tuple(
        layer
        for layer in choose_layers(names)
        if layer.name in asked
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
