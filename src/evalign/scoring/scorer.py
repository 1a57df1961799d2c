"""`Scorer`: scores that are added up update by update, in a training loop or over several workers.

    scorer = Scorer(metrics=["sentences", "tokens"])
    for gold, system in pairs:
        scorer.update(gold, system)
    scorer.result()["tokens"].f1

A scorer keeps counts and ledgers, but no document. It can be pickled, and scorers with the same options can
be added: counts are integers, so the sum is the same however the work was divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal, Unpack

from evalign.errors import CommandError
from evalign.options import OptionKeywords, ScoreOptions
from evalign.readers.raw_files import RawInput
from evalign.results.result import Result
from evalign.results.sums import SystemSum, first_two
from evalign.scoring.reading import Input
from evalign.scoring.request import Execution, list_names, make_request, resolve
from evalign.scoring.run import run


class Scorer:
    """A sum of the scores of one or several systems over updates.

    Options are those of `score`, checked and read once. `names` are the names of the systems in the result;
    without them, those in the updates.

    >>> scorer = Scorer(metrics=["tokens"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["c", "d"]], [["cd"]])
    >>> scorer.result()["tokens"].counts["correct"], scorer.result().unit_names
    (2, ['1', '2'])
    """

    def __init__(self, *, names: Sequence[str] = (), **options: Unpack[OptionKeywords]) -> None:
        self.options = resolve(**options)
        self.names = list_names(names)
        self._sum = ResultSum()

    def __repr__(self) -> str:
        usual: dict[str, object] = {**vars(ScoreOptions()), "names": ()}
        changed = {name: value for name, value in self._settings().items() if value != usual[name]}
        return f"Scorer({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def __len__(self) -> int:
        """Number of updates."""
        return self._sum.n_updates

    def update(self, gold: Input, *systems: Input, name: str = "", raw: RawInput | None = None) -> None:
        """Score a text and add its counts; if scoring fails, nothing is added.

        The documents of gold become units of the result; without documents, all of gold is one unit called
        `name`.
        """
        if self._sum.n_updates and len(systems) != self._sum.n_systems:
            problem = f"systems: {len(systems)}, in the updates before: {self._sum.n_systems}"
            raise CommandError(problem, "the same systems in every update")
        if self.names and len(systems) != len(self.names):
            problem = f"systems: {len(systems)}, names: {len(self.names)}"
            raise CommandError(problem, "a name for each system")
        request = make_request((gold, *systems), self.options, raw=raw)
        self._sum.extend(ResultSum.of(run(request, Execution()), name))

    def result(self) -> Result:
        """Return all updates so far as one result, by document or sentence; it keeps counts but no errors."""
        if not self._sum.n_updates:
            message = "nothing was scored yet"
            raise CommandError(message, "an update before the result", "scorer.update(gold, system)")
        kind: Literal["sentence", "document"] = "document"
        if self.options.average == "sentence":
            kind = "sentence"
        return self._sum.result(kind, self.options.average, self.names)

    def reset(self) -> None:
        """Forget all updates and keep the options."""
        self._sum = ResultSum()

    def __add__(self, other: Scorer) -> Scorer:
        """Return a new scorer with the updates of this one, then those of `other`.

        Both must have the same options.
        """
        if not isinstance(other, Scorer):
            return NotImplemented
        theirs = other._settings()
        differing = [name for name, value in self._settings().items() if theirs[name] != value]
        if differing:
            problem = f"scorers of other options: {', '.join(differing)}"
            raise CommandError(problem, "the same options in all scorers that are added")
        both = self.empty_copy()
        for scorer in (self, other):
            if scorer._sum.n_updates:
                both._sum.extend(scorer._sum)
        return both

    def __radd__(self, other: int) -> Scorer:
        """Support `sum(scorers)`, which begins with 0."""
        return self.empty_copy() + self if other == 0 else NotImplemented

    def empty_copy(self) -> Scorer:
        """Return a scorer with the same options and no updates, for a worker to start with."""
        # Options are not checked again, as a worker may not have the files among them.
        scorer = copy(self)
        scorer.reset()
        return scorer

    def _settings(self) -> dict[str, object]:
        """Return the arguments that the scorer was made with, checked: options and names."""
        return {**vars(self.options), "names": self.names}


# Most warnings kept; each update may bring its own.
MOST_KEPT_WARNINGS = 20


@dataclass
class ResultSum:
    """Sum of results with the same options: rows of counts, ledgers and names. Only `extend` adds to it."""

    n_updates: int = 0
    gold: dict[str, None] = field(default_factory=dict)
    units: list[str] = field(default_factory=list)
    """Names of the units; empty for a unit without a name."""
    fields: dict[str, list[str]] = field(default_factory=dict)
    systems: list[SystemSum] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)
    n_warnings: int = 0

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @classmethod
    def of(cls, result: Result, name: str = "") -> ResultSum:
        """Make the sum of one update.

        Its units are kept if they are documents or sentences, else all of it is one unit. `name`, if given,
        names the text: it becomes the name of a single unit, and a prefix of several.
        """
        n_rows = result.systems[0].n_rows
        as_one = result.unit_kind not in ("document", "sentence")
        unit_names = list(result.unit_names)[:n_rows] or [""] * n_rows
        units = [name] if as_one else unit_names
        if name and not as_one:
            units = [f"{name}: {unit}" if unit and unit != result.gold else name for unit in unit_names]
        elif len(units) == 1 and units[0] == result.gold:
            units = [""]
        return cls(
            1,
            {result.gold: None},
            units,
            {} if as_one else {key: list(values) for key, values in result.unit_fields.items()},
            [SystemSum.of(system, as_one=as_one) for system in result.systems],
            dict.fromkeys(result.warnings[:MOST_KEPT_WARNINGS]),
            len(result.warnings),
        )

    def extend(self, other: ResultSum) -> None:
        """Add `other`, whose units come after those already here."""
        if self.systems and len(self.systems) != len(other.systems):
            problem = f"systems: {len(other.systems)}, before: {len(self.systems)}"
            raise CommandError(problem, "the same systems in all scorers")
        before = len(self.units)
        self.n_updates += other.n_updates
        self.gold = first_two((*self.gold, *other.gold))
        for key in dict.fromkeys((*self.fields, *other.fields)):
            ours = self.fields.setdefault(key, [""] * before)
            ours += other.fields.get(key, [""] * len(other.units))
        self.units += other.units
        self.systems = self.systems or [SystemSum() for _ in other.systems]
        for system, added in zip(self.systems, other.systems, strict=True):
            system.extend(added, before)
        n_kept = len(self.warnings)
        self.warnings |= other.warnings
        # A warning that was seen before does not count again.
        self.n_warnings += other.n_warnings - (len(other.warnings) - (len(self.warnings) - n_kept))
        self.warnings = dict.fromkeys(list(self.warnings)[:MOST_KEPT_WARNINGS])

    def result(self, kind: str, average: str, names: Sequence[str]) -> Result:
        """Return everything as one result; `names` are the names of the systems, if given."""
        n_units = len(self.units)
        systems = []
        for called, total in zip(self._names(names), self.systems, strict=True):
            system = total.result(called, average, n_units, {"unit": f"{kind}({n_units})"})
            blocks = sorted(system.ledger.blocks.items(), key=lambda item: (-item[1], item[0]))
            systems.append(replace(system, ledger=system.ledger._replace(blocks=dict(blocks))))
        gold = next(iter(self.gold)) if len(self.gold) == 1 else "gold"
        units = [name or str(number) for number, name in enumerate(self.units, 1)]
        # Copies, as later updates extend these lists.
        fields = {key: list(values) for key, values in self.fields.items()}
        return Result(gold, tuple(systems), kind, units, self._warnings(), unit_fields=fields)

    def _names(self, given: Sequence[str]) -> Sequence[str]:
        """Return the names of the systems: `given`, else the name used in all updates, else a number."""
        if given:
            return given
        numbered = ["system"] if self.n_systems == 1 else [f"system {k + 1}" for k in range(self.n_systems)]
        return [
            next(iter(system.names)) if len(system.names) == 1 else number
            for number, system in zip(numbered, self.systems, strict=True)
        ]

    def _warnings(self) -> tuple[str, ...]:
        """Return the kept warnings, the number of further ones, and metrics that some updates lacked."""
        lines = list(self.warnings)
        if self.n_warnings > len(lines):
            lines.append(f"warnings of other updates: {self.n_warnings - len(lines):,}")
        for number, system in enumerate(self.systems):
            lacking: dict[int, list[str]] = {}
            for metric in system.metrics:
                missing = self.n_updates - system.rows[metric].n_available
                if 0 < missing < self.n_updates:
                    lacking.setdefault(missing, []).append(metric)
            called = f"system {number + 1}: " if self.n_systems > 1 else ""
            lines += [
                f"{called}{missing:,} of {self.n_updates:,} updates are not in the scores of {', '.join(metrics)}: "
                "not available there"
                for missing, metrics in lacking.items()
            ]
        return tuple(lines)
