"""A result in parts: treebank by treebank, genre by genre; every part is a result of the same systems and metrics.

Averages over parts have two names: micro adds the counts of all parts up and then takes ratios, macro takes the ratios of each
part and then their mean, so that a small treebank weighs as much as a large one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from evalign.errors import CommandError
from evalign.result import Result
from evalign.result.scores import Score
from evalign.result.systems import NoEvidence, SystemResult

Failures = Literal["skip", "zero"]
"""What becomes of a part that a system failed on in the macro average: it is left out, or counts 0."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Results by name, in order, each of the same systems and metrics."""

    by: str
    """What the parts are: treebank, genre, document, length, or the name of a field."""
    results: Mapping[str, Result]
    source: str = ""
    """Where the names come from, in words; nothing where that is plain."""
    failures: Failures = "skip"
    whole: Result | None = field(default=None, repr=False)
    """The result that was taken apart; None where the parts were scored one by one."""

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, name: str) -> Result:
        if name not in self.results:
            message = f'no {self.by} is called "{name}"'
            raise CommandError(message, f"one of {', '.join(self.results)}")
        return self.results[name]

    @property
    def systems(self) -> Sequence[str]:
        """Names of the systems, the same in every part."""
        first = next(iter(self.results.values()))
        return [system.name for system in first.systems]

    @property
    def metrics(self) -> Sequence[str]:
        """Names of all metrics that some part has, in order."""
        names: dict[str, None] = {}
        for result in self.results.values():
            names |= dict.fromkeys(result.systems[0].scores)
        return list(names)

    def score(self, part: str, system: int, metric: str) -> Score | None:
        """A score of one part; None where the part has no such metric."""
        return self[part].systems[system].scores.get(metric)

    def macro(self, system: int, metric: str) -> Mapping[str, float | None]:
        """The mean of each ratio over the parts that have it; 0 for a part that failed, if failures count so."""
        found: dict[str, list[float]] = {}
        for name, result in self.results.items():
            score = self.score(name, system, metric)
            if score is None:
                continue
            failed = self.failures == "zero" and bool(result.systems[system].failure)
            for ratio, value in score.ratios.items():
                values = found.setdefault(ratio, [])
                if value is not None or failed:
                    values.append(0.0 if value is None else value)
        return {ratio: sum(values) / len(values) if values else None for ratio, values in found.items()}

    def micro(self) -> Result:
        """All parts as one result, whose units are those of the parts one after the other."""
        results = list(self.results.values())
        systems = tuple(self._joined(number) for number in range(len(self.systems)))
        kinds = list(dict.fromkeys(result.unit_kind for result in results))
        names = [name for result in results for name in result.unit_names]
        return Result(results[0].gold, systems, kinds[0] if len(kinds) == 1 else "unit", names)

    def _joined(self, number: int) -> SystemResult:
        """One system over all parts; a metric is there if it is in any part."""
        found = [result.systems[number] for result in self.results.values()]
        scores = {}
        for metric in self.metrics:
            some = [system.scores.get(metric) for system in found]
            model = next(score for score in some if score is not None)
            tables = [
                np.zeros((len(result.unit_names), len(model.layer.fields)), np.int64)
                if score is None
                else score.units
                for score, result in zip(some, self.results.values(), strict=True)
            ]
            available = any(score is not None and score.available for score in some)
            scores[metric] = Score(model.layer, np.concatenate(tables), model.average, available)
        first = found[0]
        return SystemResult(first.name, scores, first.ledger, first.signature, NoEvidence())
