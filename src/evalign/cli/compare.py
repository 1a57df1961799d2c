"""What `align`, `diff` and `errors` start from: one system compared with gold as the arguments ask."""

from __future__ import annotations

import argparse

from evalign.cli.parser import reading
from evalign.metrics import LAYERS, Comparison, has_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import FeatureValues


def compare(arguments: argparse.Namespace) -> tuple[Comparison, tuple[str, ...]]:
    """Gold and system in one comparison, and what to warn of."""
    from evalign.scoring import compare_documents

    # `align` compares no labels.
    feature_values: FeatureValues = getattr(arguments, "feature_values", "ordered")
    return compare_documents(
        arguments.gold,
        arguments.system,
        feature_values=feature_values,
        split_spaces=arguments.split_spaces,
        **reading(arguments),
    )


def default_metrics(comparison: Comparison, *, of_labels: bool = False) -> tuple[str, ...]:
    """What errors are shown of where nothing is said, of labels alone if asked: as the files have trees or none."""
    trees = [side.trees is not None for side in (comparison.gold, comparison.system)]
    if not all(trees):
        if of_labels:
            # Trees have no other tags; that a file has none is said where they are asked for.
            return ("tags",) if any(trees) else ("upos", "las")
        return "sentences", "tokens"
    names = ("tags", "brackets") if of_labels else ("sentences", "tokens", "tags", "brackets")
    return tuple(name for name in names if has_columns(comparison, LAYERS[name].needs))
