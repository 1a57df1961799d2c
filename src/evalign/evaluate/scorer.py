"""Scores that grow: update after update in a training loop, and added up over workers.

    scorer = Scorer(metrics=["sentences", "tokens"])
    for gold, system in pairs:
        scorer.update(gold, system)
    scorer.result()["tokens"].f1

A scorer keeps counts and what was tolerated, and no document. It can be pickled, and scorers of the same options can be
added: counts are integers, so that the sum is the same however the work was divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from evalign.errors import CommandError
from evalign.evaluate import Input, score
from evalign.evaluate.metrics import expand_names
from evalign.evaluate.settings import Average, Strategy, check_choices, make_options
from evalign.evaluate.tally import Tally
from evalign.layers import Match
from evalign.layers.options import EdgeMatch, FeatureValues, Punctuation, RelationLabels
from evalign.result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.evaluate.settings import SchemeInput, WeightsInput
    from evalign.readers.raw import RawInput
    from evalign.readers.trees import Empty


@dataclass(kw_only=True, eq=False)
class Scorer:
    """Scores of one or several systems, update by update; options are those of `score`, read once.

    >>> scorer = Scorer(metrics=["tokens"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["c", "d"]], [["cd"]])
    >>> scorer.result()["tokens"].counts["correct"], scorer.result().unit_names
    (2, ['1', '2'])
    """

    metrics: Sequence[str] = ()
    match: Match = "default"
    normalize: Sequence[str] = ()
    exceptions: str = ""
    credit_exceptions: bool = False
    strict: bool = False
    strategy: Strategy = "places"
    average: Average = "micro"
    gold_format: str = "auto"
    system_format: str = "auto"
    candidates: str = ""
    vocabulary: Sequence[str] | None = None
    feature_values: FeatureValues = "ordered"
    edges: EdgeMatch = "once"
    collapse_empty_nodes: bool = False
    relations: RelationLabels = "auto"
    weights: WeightsInput = None
    layer: str = ""
    preset: SchemeInput = None
    empty: Empty = "drop"
    punctuation: Punctuation = "own"
    names: Sequence[str] = ()
    """What the result calls the systems; without it, what they are called in the updates."""
    _tally: Tally = field(default_factory=Tally, init=False, repr=False)

    def __post_init__(self) -> None:
        check_choices(match=self.match, strategy=self.strategy, average=self.average, empty=self.empty)
        options = make_options(
            self.match, self.credit_exceptions, self.candidates, self.vocabulary, self.feature_values, self.edges,
            self.relations, self.weights, self.preset, self.punctuation,
        )  # fmt: skip
        # Files are read once: an open one has nothing more to say, and a worker may not have it.
        self.weights, self.preset = options.weights, options.scheme
        self.vocabulary = None if options.vocabulary is None else sorted(options.vocabulary)
        self.metrics, self.normalize, self.names = map(_listed, (self.metrics, self.normalize, self.names))
        expand_names(self.metrics, options, self.layer)

    def __len__(self) -> int:
        """How many updates there were."""
        return self._tally.n_updates

    def update(self, gold: Input, *systems: Input, name: str = "", raw: RawInput | None = None) -> None:
        """Score a text and add what was counted; where that fails, nothing is added.

        The documents of gold are the units of the result, or all of gold is one, under this name.
        """
        if self._tally.n_updates and len(systems) != self._tally.n_systems:
            found = f"systems: {len(systems)}, in the updates before: {self._tally.n_systems}"
            raise CommandError(found, "the same systems in every update")
        if self.names and len(systems) != len(self.names):
            found = f"systems: {len(systems)}, names: {len(self.names)}"
            raise CommandError(found, "a name for each system")
        self._tally.extend(Tally.of(self._score(gold, systems, raw), name))

    def _score(self, gold: Input, systems: Sequence[Input], raw: RawInput | None) -> Result:
        return score(
            gold,
            *systems,
            metrics=self.metrics,
            match=self.match,
            normalize=self.normalize,
            exceptions=self.exceptions,
            credit_exceptions=self.credit_exceptions,
            strict=self.strict,
            strategy=self.strategy,
            average=self.average,
            gold_format=self.gold_format,
            system_format=self.system_format,
            candidates=self.candidates,
            vocabulary=self.vocabulary,
            feature_values=self.feature_values,
            edges=self.edges,
            collapse_empty_nodes=self.collapse_empty_nodes,
            relations=self.relations,
            weights=self.weights,
            layer=self.layer,
            preset=self.preset,
            empty=self.empty,
            punctuation=self.punctuation,
            raw=raw,
        )

    def result(self) -> Result:
        """All updates so far as one result, whose units are the documents; errors are not kept."""
        if not self._tally.n_updates:
            message = "nothing was scored yet"
            raise CommandError(message, "an update before the result", "scorer.update(gold, system)")
        kind: Literal["sentence", "document"] = "sentence" if self.average == "sentence" else "document"
        return self._tally.result(kind, self.average, self.names)

    def reset(self) -> None:
        """Forget all updates and keep the options."""
        self._tally = Tally()

    def __add__(self, other: Scorer) -> Scorer:
        """A scorer with the updates of both, these first; neither of them changes."""
        if not isinstance(other, Scorer):
            return NotImplemented
        differing = [name for name, value in self._options().items() if other._options()[name] != value]
        if differing:
            found = f"scorers of other options: {', '.join(differing)}"
            raise CommandError(found, "the same options in all scorers that are added")
        both = self.empty_copy()
        for scorer in (self, other):
            if scorer._tally.n_updates:
                both._tally.extend(scorer._tally)
        return both

    def __radd__(self, other: int) -> Scorer:
        """For `sum(scorers)`, which begins with 0."""
        return self.empty_copy() + self if other == 0 else NotImplemented

    def empty_copy(self) -> Scorer:
        """A scorer of the same options without updates, as a worker begins with."""
        copy = object.__new__(Scorer)
        copy.__dict__.update(self._options(), _tally=Tally())
        return copy

    def _options(self) -> dict[str, object]:
        return {option.name: getattr(self, option.name) for option in fields(self) if option.init}


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """Names as a tuple, also those given as the command line has them: "sentences,tokens"."""
    return tuple(names.split(",")) if isinstance(names, str) else tuple(names)
