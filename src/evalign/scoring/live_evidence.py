"""Errors and breakdowns of a comparison, found when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.metrics import Comparison, Metric
from evalign.results import Evidence, SystemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Counts
    from evalign.metrics.errors import ErrorGroup, GroupedCounts, Losses, Marks, Mismatch, Passages


class LiveEvidence(NamedTuple):
    """Errors and breakdowns found on demand: most runs only want the scores."""

    comparison: Comparison
    metrics: tuple[Metric, ...] = ()
    average: str = "micro"
    by: tuple[str, ...] = ()

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""
        from evalign.metrics.errors import count_kinds

        return count_kinds(self.comparison, metric)

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors, in the order of the text."""
        from evalign.metrics.errors import find_mismatches

        return find_mismatches(self.comparison, metric)

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """The errors by kind and by what was written, commonest first, each with a few examples."""
        from evalign.metrics.errors import group_errors

        return group_errors(self.comparison, metric, examples)

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Counts per label."""
        from evalign.metrics.errors import break_down

        return break_down(self.comparison, kind)

    def breakdown_kinds(self) -> Sequence[str]:
        """The breakdowns that the columns allow."""
        from evalign.metrics.errors import find_kinds

        return find_kinds(self.comparison)

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Counts per label and unit."""
        from evalign.metrics.errors import count_labels

        return count_labels(self.comparison, kind, self.metrics)

    def grouped(self, by: str) -> GroupedCounts:
        """Gold sentences by length or by a comment, all metrics that add up."""
        from evalign.metrics.errors import count_grouped

        return count_grouped(self.comparison, self.metrics, self.average, by)

    def grouped_fields(self) -> Sequence[str]:
        """The comments that stand above single sentences."""
        from evalign.metrics.errors import find_grouped_fields

        return find_grouped_fields(self.comparison)

    def grouped_kept(self) -> Sequence[str]:
        """Lengths, and the comments of sentences that were asked for."""
        from evalign.metrics.errors import choose_kept

        return choose_kept(self.comparison, self.average, self.by)

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages:
        """Blocks of sentences with an error of some metrics; at most so many, spread evenly over the text."""
        from evalign.metrics.errors import find_passages

        return find_passages(self.comparison, metrics, most)

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Positions on the gold line of all errors, by metric and kind."""
        from evalign.metrics.errors import locate_errors, mark_errors

        return mark_errors(locate_errors(self.comparison, metrics))

    def losses(self) -> Losses | None:
        """What every stage cost."""
        from evalign.metrics.errors import find_losses

        return find_losses(self.comparison)

    def condense(self, system: SystemResult) -> Evidence:
        """What a saved result has of it."""
        from evalign.results import load_system, system_json

        return load_system(system_json(system, whole=True), len(self.comparison.units)).evidence
