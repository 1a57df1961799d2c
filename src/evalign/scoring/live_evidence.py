"""Evidence of a text scored in memory: errors and breakdowns, found in its comparison on demand.

`finish` gives each system of a whole text one of these. `evidence_part` takes from it the evidence that can be
kept without the documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evalign.metrics.comparison import Comparison
from evalign.metrics.metric import MOST_PASSAGES, Metric
from evalign.results.system_result import Evidence, SystemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.counts import Counts
    from evalign.metrics.errors.mismatches import ErrorGroup, Mismatch
    from evalign.metrics.errors.passages import Passages
    from evalign.metrics.errors.positions import Marks
    from evalign.metrics.errors.sentence_groups import GroupedCounts
    from evalign.metrics.errors.stages import Losses


class LiveEvidence(NamedTuple):
    """The errors and breakdowns of one system, found on demand, as most runs only want scores.

    `by` are names of comments that the result will be split by; `results.Evidence` is the protocol.
    """

    comparison: Comparison
    metrics: tuple[Metric, ...] = ()
    by: tuple[str, ...] = ()

    def kinds(self, metric: str) -> Mapping[str, int]:
        """Count the errors of a metric by kind."""
        from evalign.metrics.errors.all_errors import count_kinds

        return count_kinds(self.comparison, metric)

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """Yield the errors of a metric in text order."""
        from evalign.metrics.errors.all_errors import find_mismatches

        return find_mismatches(self.comparison, metric)

    def groups(self, metric: str, examples: int) -> list[ErrorGroup]:
        """Group the errors of a metric by kind and by what both sides wrote, most frequent first.

        Each group has at most `examples` errors as examples.
        """
        from evalign.metrics.errors.all_errors import group_errors

        return group_errors(self.comparison, metric, examples)

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Return the counts of each label, such as each UPOS, for a breakdown of this kind."""
        from evalign.metrics.errors.breakdowns import break_down

        return break_down(self.comparison, kind)

    def breakdown_kinds(self) -> Sequence[str]:
        """List the kinds of breakdown that the columns of both sides allow."""
        from evalign.metrics.errors.breakdowns import find_kinds

        return find_kinds(self.comparison)

    def breakdown_units(self, kind: str) -> GroupedCounts:
        """Return the counts of each label by unit, for a breakdown of this kind."""
        from evalign.metrics.errors.sentence_groups import count_labels

        return count_labels(self.comparison, kind, self.metrics)

    def grouped(self, by: str) -> GroupedCounts:
        """Return the counts of gold sentences by length or by a comment, of all metrics that add up."""
        from evalign.metrics.errors.sentence_groups import count_grouped

        return count_grouped(self.comparison, self.metrics, by)

    def grouped_fields(self) -> Sequence[str]:
        """List the comments that stand above single sentences, by which sentences can be grouped."""
        from evalign.metrics.errors.sentence_groups import find_grouped_fields

        return find_grouped_fields(self.comparison)

    def grouped_kept(self) -> Sequence[str]:
        """List the groupings that a saved result keeps: by length, and by the comments in `by`."""
        from evalign.metrics.errors.sentence_groups import choose_kept

        return choose_kept(self.comparison, self.by)

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages:
        """Return at most `most` blocks of sentences with an error of some metric, spread over the text."""
        from evalign.metrics.errors.passages import find_passages

        return find_passages(self.comparison, metrics, most)

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Return the positions of all errors on the gold line, by metric and kind."""
        from evalign.metrics.errors.positions import locate_errors, mark_errors

        return mark_errors(locate_errors(self.comparison, metrics))

    def losses(self) -> Losses | None:
        """Return the loss of F1 by stage (sentences, tokens, ...); None without brackets or labelled arcs."""
        from evalign.metrics.errors.stages import find_charges, make_losses

        charges = find_charges(self.comparison)
        return None if charges is None else make_losses(*charges)

    def condense(self, system: SystemResult, passages: int | None = MOST_PASSAGES) -> Evidence:
        """Return the evidence that a saved result of `system` would keep, without the documents."""
        from evalign.scoring.evidence_part import gather_evidence
        from evalign.scoring.evidence_sum import UNLIMITED, EvidenceSum

        chosen = [name for name in system.scores if system.gives(name)]
        part = gather_evidence(self.comparison, self.metrics, by=self.by, passages=passages, chosen=chosen)
        total = EvidenceSum(UNLIMITED)
        total.add(part, np.arange(len(self.comparison.units)))
        return total.result()
