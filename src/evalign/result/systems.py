"""One system's scores, what they tolerated, and its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalign.errors import CommandError
from evalign.layers.kinds import METRICS_WITH_ERRORS
from evalign.result.ledger import Ledger
from evalign.result.scores import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.layers import Counts, ErrorGroup, Mismatch


class Evidence(Protocol):
    """Errors and breakdowns: found when asked for in a fresh result, those kept in a saved one.

    What there is not, as a column is missing or it was not kept, is a `CommandError`.
    """

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors, in the order of the text."""

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """The errors by kind and by what was written, commonest first, each with a few examples."""

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Counts per label."""

    def breakdown_kinds(self) -> Sequence[str]:
        """The breakdowns there are."""


class NoEvidence:
    """Where errors are not known."""

    def kinds(self, metric: str) -> Mapping[str, int]:
        """None of any kind."""
        return {}

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """None."""
        return iter(())

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """None."""
        return []

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """There is none."""
        message = f"no breakdown by {kind}: words were not paired"
        raise CommandError(message, "a result of --strategy places")

    def breakdown_kinds(self) -> Sequence[str]:
        """None."""
        return ()


def check_has_errors(metric: str) -> None:
    """Raise `CommandError` for a metric whose errors cannot be shown."""
    if metric not in METRICS_WITH_ERRORS:
        message = f'errors of "{metric}" are not kept'
        raise CommandError(message, f"one of {', '.join(METRICS_WITH_ERRORS)}")


@dataclass(frozen=True, eq=False)
class SystemResult:
    """One system's scores."""

    name: str
    scores: Mapping[str, Score]
    ledger: Ledger
    signature: str
    evidence: Evidence
    failure: str = ""
    """Why there are no scores, where a system failed on a part of a run; its scores are then not available."""

    def __repr__(self) -> str:
        return f"<SystemResult {self.name!r}: {list(self.scores.values())}>"

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.scores:
            msg = f'"{metric}" was not scored'
            raise CommandError(msg, f"one of {', '.join(self.scores)}")
        return self.scores[metric]

    def errors(self, metric: str) -> list[Mismatch]:
        """The errors of a metric of spans or of word pairs, in the order of the text."""
        check_has_errors(metric)
        return list(self.evidence.mismatches(metric))

    def error_groups(self, metric: str, *, examples: int = 3) -> list[ErrorGroup]:
        """The errors by kind and by what was written or which label was taken for which, commonest first."""
        check_has_errors(metric)
        return self.evidence.groups(metric, examples)

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Counts per relation, subtype, tag, xpos, feature, feature-value or label; gold's commonest label first."""
        from evalign.layers.breakdowns import check_kind

        check_kind(kind)
        return self.evidence.breakdown(kind)
