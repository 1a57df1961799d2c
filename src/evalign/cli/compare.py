"""What `align`, `diff` and `errors` start from: one system compared with gold as the arguments ask."""

from __future__ import annotations

import argparse

from evalign.cli.parser import names
from evalign.layers import Comparison


def compare(arguments: argparse.Namespace) -> tuple[Comparison, tuple[str, ...]]:
    """Gold and system in one comparison, and what to warn of."""
    from evalign.evaluate import compare_documents

    return compare_documents(
        arguments.gold,
        arguments.system,
        match=arguments.match,
        normalize=names(arguments.normalize),
        exceptions=arguments.exceptions,
        credit_exceptions=arguments.credit_exceptions,
        strict=arguments.strict,
        gold_format=arguments.gold_format,
        system_format=arguments.system_format,
        raw=arguments.raw,
    )
