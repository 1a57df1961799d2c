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
from typing import Literal, Unpack

from evalign.errors import CommandError
from evalign.options import OptionKeywords, ScoreOptions
from evalign.readers.raw_files import RawInput
from evalign.results.result import Result
from evalign.results.sums import ResultSum
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
