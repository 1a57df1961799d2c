"""One system's scores, what they tolerated, and its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from evalign import layers
from evalign.errors import CommandError
from evalign.result.ledger import Ledger
from evalign.result.scores import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.layers import ErrorGroup, Mismatch

SPAN_METRICS = ("sentences", "tokens", "words")
"""Metrics whose errors can be shown."""


class Evidence(Protocol):
    """Errors of a metric of spans: found when asked for in a fresh result, those kept in a saved one."""

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors, in the order of the text."""


class NoEvidence:
    """Where errors are not known."""

    def kinds(self, metric: str) -> Mapping[str, int]:
        """None of any kind."""
        return {}

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """None."""
        return iter(())


@dataclass(frozen=True, eq=False)
class SystemResult:
    """One system's scores."""

    name: str
    scores: Mapping[str, Score]
    ledger: Ledger
    signature: str
    evidence: Evidence

    def __repr__(self) -> str:
        return f"<SystemResult {self.name!r}: {list(self.scores.values())}>"

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.scores:
            msg = f'"{metric}" was not scored'
            raise CommandError(msg, f"one of {', '.join(self.scores)}")
        return self.scores[metric]

    def errors(self, metric: str) -> list[Mismatch]:
        """The errors of a metric of spans, in the order of the text."""
        if metric not in SPAN_METRICS:
            msg = f'errors of "{metric}" are not kept'
            raise CommandError(msg, f"one of {', '.join(SPAN_METRICS)}")
        return list(self.evidence.mismatches(metric))

    def error_groups(self, metric: str, *, examples: int = 3) -> list[ErrorGroup]:
        """The errors of a metric of spans by kind and by what was written, commonest first."""
        return layers.group_mismatches(self.errors(metric), examples)
