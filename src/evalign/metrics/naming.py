"""From the name of a metric to its layer, where a result was saved or sent to another process."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.metrics import LAYERS
from evalign.metrics.groups import LABELLED, label_layer
from evalign.metrics.layer import MATCHED, Layer


def find_layer(name: str, fields: Sequence[str]) -> Layer:
    """The metric of a name; any other is a layer of stand-off spans. That of a label has counts and no more.

    >>> find_layer("tokens", MATCHED) is LAYERS["tokens"], find_layer("entities", MATCHED).name
    (True, 'entities')
    """
    if tuple(fields) == LABELLED and (name not in LAYERS or LAYERS[name].fields != LABELLED):
        return label_layer(name)
    if name not in LAYERS and tuple(fields) == MATCHED:
        from evalign.metrics.standoff import make_layer

        return make_layer(name)
    if name not in LAYERS:
        from evalign.metrics.pairs import FOUND, find_recall_layer

        candidates = find_recall_layer(name)
        if candidates is not None and tuple(fields) == FOUND:
            return candidates
    return LAYERS[name]
