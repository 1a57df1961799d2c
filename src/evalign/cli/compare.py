"""What `align`, `diff` and `errors` start from: one system compared with gold as the arguments ask."""

from __future__ import annotations

import argparse

from evalign.cli.parser import reading
from evalign.layers import Comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.layers.options import FeatureValues


def compare(arguments: argparse.Namespace) -> tuple[Comparison, tuple[str, ...]]:
    """Gold and system in one comparison, and what to warn of."""
    from evalign.evaluate import compare_documents

    # `align` compares no labels.
    feature_values: FeatureValues = getattr(arguments, "feature_values", "ordered")
    return compare_documents(
        arguments.gold, arguments.system, feature_values=feature_values, **reading(arguments)
    )
