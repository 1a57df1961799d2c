"""A result in parts: treebank by treebank, genre by genre; every part is a result of the same systems.

`Parts` is where `Result` is, as each is made of the other.
"""

from __future__ import annotations

from evalign.result import Parts
from evalign.result.averages import Failures, worst_value

__all__ = ["Failures", "Parts", "worst_value"]
