"""One system's scores, what they tolerated, and its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from evalign.errors import CommandError, quote, suggest
from evalign.layers.kinds import METRICS_WITH_ERRORS
from evalign.result.ledger import Ledger
from evalign.result.scores import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.layers import Counts, ErrorGroup, Mismatch
    from evalign.layers.groups import Grouped
    from evalign.layers.located import Marks
    from evalign.layers.passages import Passages
    from evalign.layers.stages import Losses
    from evalign.result.pairing import Pairing


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

    def breakdown_units(self, kind: str) -> Grouped:
        """Counts per label and unit."""

    def grouped(self, by: str) -> Grouped:
        """All metrics that add up by unit and group of gold sentences: by `length`, or by a comment above them."""

    def grouped_fields(self) -> Sequence[str]:
        """The comments that sentences can be grouped by."""

    def grouped_kept(self) -> Sequence[str]:
        """What sentences are grouped by in a saved result."""

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Blocks of sentences with an error of some metrics; at most so many, spread evenly over the text.

        None where they were not kept.
        """

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Positions on the gold line of all errors, by metric and kind."""

    def losses(self) -> Losses | None:
        """What every stage cost; None where there are no trees."""

    def condense(self, system: SystemResult) -> Evidence:
        """What is left of it where a system's result is saved, or sent to another process."""


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

    def breakdown_units(self, kind: str) -> Grouped:
        """There is none."""
        message = f"no breakdown by {kind}: words were not paired, or this is a part of a result"
        raise CommandError(message, "a whole result of --strategy places")

    def grouped(self, by: str) -> Grouped:
        """There is none."""
        message = f"no sentences by {by}: places are not known, or this is a part of a result"
        raise CommandError(message, "a whole result of --strategy places")

    def grouped_fields(self) -> Sequence[str]:
        """None."""
        return ()

    def grouped_kept(self) -> Sequence[str]:
        """None."""
        return ()

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages | None:
        """Not known."""
        return None

    def marks(self, metrics: Sequence[str]) -> Marks:
        """None."""
        return {}

    def losses(self) -> Losses | None:
        """Not known."""
        return None

    def condense(self, system: SystemResult) -> Evidence:
        """Nothing is left of nothing."""
        return self


class CountsAlone(NoEvidence):
    """Where counts alone were kept, as a scorer does, or a result that was saved without errors."""

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """There is none."""
        refuse_evidence(f"breakdown by {kind}")


def refuse_evidence(what: str) -> NoReturn:
    """Raise `CommandError`: only counts were kept."""
    message = f"{what}: this result keeps counts alone"
    raise CommandError(message, "a whole result of evalign.score, with --strategy places")


def check_has_errors(metric: str) -> None:
    """Raise `CommandError` for a metric whose errors cannot be shown."""
    if metric not in METRICS_WITH_ERRORS:
        message = f"errors of {quote(metric)} are not kept"
        raise CommandError(message, *suggest(metric, METRICS_WITH_ERRORS))


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
    missed: tuple[str, ...] | None = None
    """Metrics that gold can be judged by and the system gave nothing for; None: all if it failed, else none of them."""
    pairing: Pairing | None = None
    """Of pairs of sentences: curve, thresholds, samples; None of anything else."""

    def __repr__(self) -> str:
        return f"<SystemResult {self.name!r}: {list(self.scores.values())}>"

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.scores:
            msg = f"{quote(metric)} was not scored"
            raise CommandError(msg, *suggest(metric, self.scores))
        return self.scores[metric]

    def fails(self, metric: str) -> bool:
        """Whether the system failed, or gave nothing for a metric that it was to give something for."""
        return bool(self.failure) if self.missed is None else metric in self.missed

    def gives(self, metric: str) -> bool:
        """Whether the system has something of a metric itself, and so errors of it to show."""
        return metric in self.scores and self.scores[metric].available and not self.fails(metric)

    @property
    def n_rows(self) -> int:
        """How many rows each score has, one per unit; gold without a sentence has one and no unit to name."""
        return max((len(score.units) for score in self.scores.values()), default=0)

    @property
    def has_counts_alone(self) -> bool:
        """Whether errors are not known: none were kept, which is not to say that there are none."""
        return isinstance(self.evidence, NoEvidence)

    def errors(self, metric: str) -> list[Mismatch]:
        """The errors of a metric of spans or of word pairs, in the order of the text."""
        self._check_errors(metric)
        return list(self.evidence.mismatches(metric))

    def error_groups(self, metric: str, *, examples: int = 3) -> list[ErrorGroup]:
        """The errors by kind and by what was written or which label was taken for which, commonest first."""
        self._check_errors(metric)
        return self.evidence.groups(metric, examples)

    def _check_errors(self, metric: str) -> None:
        self._check_texts(f"errors of {metric}")
        check_has_errors(metric)
        if self.has_counts_alone and not self.failure:
            refuse_evidence(f"errors of {metric}")

    def breakdown(self, kind: str) -> Mapping[str, Counts]:
        """Counts per relation, subtype, tag, xpos, feature, feature-value, label or frequency; gold's commonest first."""
        from evalign.layers.breakdowns import check_kind

        self._check_texts(f"breakdown by {kind}")
        check_kind(kind)
        return self.evidence.breakdown(kind)

    def _check_texts(self, wanted: str) -> None:
        """Raise `CommandError` where pairs of sentences were scored, which have neither words nor places."""
        if self.pairing is not None:
            message = f"{wanted}: these are scores of pairs of sentences"
            raise CommandError(
                message, "a result of texts", "false and missed pairs are in the page: --report"
            )

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from evalign.result.notebook import show_system

        return show_system(self)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with the evidence that is saved, so that no document goes along."""
        evidence = self.evidence.condense(self)
        said = self.ledger, self.signature, evidence, self.failure, self.missed, self.pairing
        return SystemResult, (self.name, dict(self.scores), *said)
