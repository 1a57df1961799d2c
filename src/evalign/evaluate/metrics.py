"""Which metrics there are to score: those asked for, or those that the documents have something for."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.document import Document
from evalign.errors import CommandError, quote
from evalign.layers import DEFAULT_COLUMNS, DEFAULT_LAYERS, DEFAULT_TREES, LAYERS, Layer, choose_layers
from evalign.layers.needs import find_lacking
from evalign.layers.options import SPANS, Options


def expand_names(names: Sequence[str], options: Options, layer: str = "") -> list[str]:
    """Names with `default` for none; raises for a metric there is none of. What `default` is, the documents say.

    Weights are given to be used: then `default` and `all` have wlas. What a layer of stand-off spans is called may be
    named too, and is no metric before the documents are known.
    """
    _check_layer(layer)
    names = [name for name in names if name != (layer or SPANS)]
    weighted = ("wlas",) if options.weights is not None else ()
    found: list[str] = []
    for name in names or ["default"]:
        found += (name, *weighted) if name in ("default", "all") else (name,)
    choose_layers(name if name != "default" else "sentences" for name in found)
    return found


def _default_names(gold: Document, systems: Sequence[Document]) -> tuple[str, ...]:
    """What is scored where nothing is asked for: of trees what parsers are compared by, else all columns."""
    documents = (gold, *systems)
    if all(document.trees is None for document in documents):
        return (*DEFAULT_LAYERS, *DEFAULT_COLUMNS)
    # Against CoNLL-U there may be words inside tokens.
    others = any(document.trees is None and document.columns is not None for document in documents)
    return (*DEFAULT_TREES[:2], *(("words",) if others else ()), *DEFAULT_TREES[2:])


def choose_metrics(
    names: Sequence[str],
    asked: Sequence[str],
    gold: Document,
    systems: Sequence[Document],
    layer: str = "",
) -> tuple[Layer, ...]:
    """The metrics of these names. Those that were not asked for one by one only if the documents have the columns.

    Attachment is shown where gold has trees and a system is CoNLL-U without them, too: as not available. Stand-off
    tables have a layer of their own and no other.
    """
    if _are_tables(gold, systems):
        return _choose_layer(asked, layer or SPANS)
    if layer or SPANS in asked:
        message = f"layer {quote(layer or SPANS)}, and {gold.name} is no stand-off table"
        raise CommandError(
            message, "a table of start, end, label", "to read it as one: --gold-format standoff"
        )
    default = _default_names(gold, systems)
    written = [part for name in names for part in (default if name == "default" else (name,))]
    return tuple(
        layer
        for layer in choose_layers(written)
        if layer.name in asked
        or not layer.needs
        or any(_is_worth_showing(layer, gold, system) for system in systems)
    )


def _check_layer(name: str) -> None:
    if not name:
        return
    from evalign.layers.standoff import is_name

    if not is_name(name):
        message = f"layer {quote(name)}"
        raise CommandError(
            message, "small letters, digits and hyphens", "for example: --layer named-entities"
        )
    if name in LAYERS or name in ("all", "default"):
        message = f"layer {quote(name)}, the name of a metric"
        raise CommandError(message, "a name of its own", f"for example: --layer {name}-spans")


def _are_tables(gold: Document, systems: Sequence[Document]) -> bool:
    """Whether all are stand-off tables; raises where only some are."""
    tables = [document for document in (gold, *systems) if document.spans is not None]
    others = [document for document in (gold, *systems) if document.spans is None]
    if tables and others:
        name, side = others[0].name, "gold" if others[0] is gold else "system"
        message = f"{tables[0].name} is a stand-off table and {name} is none"
        advice = f"to read it as one: --{side}-format standoff; to make one: evalign triples {name} --raw FILE --format tsv"
        raise CommandError(message, "tables on both sides", advice)
    return not others


def _choose_layer(asked: Sequence[str], name: str) -> tuple[Layer, ...]:
    others = [other for other in asked if other not in (name, "all", "default")]
    if others:
        message = f"{', '.join(others)} of stand-off tables"
        advice = (
            "a table has spans, and no sentences or tokens of its own; --layer NAME says what they are called"
        )
        raise CommandError(message, f"{name} alone", advice)
    from evalign.layers.standoff import make_layer

    return (make_layer(name),)


def refuse_spans(*documents: Document) -> None:
    """Raise `CommandError` where a document is a stand-off table: what was asked for is about tokens."""
    for document in documents:
        if document.spans is not None:
            message = f"{document.name} is a stand-off table"
            raise CommandError(
                message, "a text with tokens", "evalign score scores tables, --per label by label"
            )


def _is_worth_showing(layer: Layer, gold: Document, system: Document) -> bool:
    if find_lacking(gold, layer.needs):
        return False
    if layer.needs == ("feats",) and not _have_features(gold, system):
        return False
    is_conllu = system.columns is not None and system.trees is None
    return not find_lacking(system, layer.needs) or (is_conllu and "head" in layer.needs)


def _have_features(*documents: Document) -> bool:
    """Whether any of some documents has a feature."""
    return any(document.columns is not None and document.columns.feats.is_filled for document in documents)
