"""Agreement with people: does the system that scores better on a sentence also look better.

    evalign typology judge judgements.tsv gold.conllu a.conllu b.conllu --weights weights.json

Source: Callin, A typological perspective on evaluation for Universal Dependencies, Table 4, after Plank et al. 2015, Do
dependency parsing metrics correlate with human judgments? Each judgement prefers one of two systems on one sentence;
Spearman's rho is taken of the preference and of the difference between the two scores of that sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import NamedTuple, TypedDict

from evalign import __version__
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.evaluate import Input, score
from evalign.layers.groups import LABELLED
from evalign.layers.weights import Weights
from evalign.readers import Source, load
from evalign.result import Result, SystemResult
from evalign.typology.correlation import correlate_ranks
from evalign.typology.treebanks import stem

# In the order of Table 4: a metric and a ratio of it.
MEASURES = ("content.precision", "content.recall", "las.f1", "wlas.f1")
_COLUMNS = "four columns, separated by tabs: sentence id, system A, system B, preference"
_PREFERENCES = "A, B, tie, the name of a system, or a number: how much better A is"
_WORDS = {"a": 1.0, "b": -1.0, "tie": 0.0, "=": 0.0, "equal": 0.0, "none": 0.0}


class Judgement(NamedTuple):
    """Which of two systems somebody prefers on a sentence."""

    sentence: str
    first: str
    second: str
    preference: float
    """Greater than 0 if the first is better, less if the second is."""
    place: Place


class Agreement(NamedTuple):
    """How far a measure agrees with the judgements."""

    measure: str
    rho: float | None
    """Spearman's rho."""
    judgements: int
    """Those of sentences on which both systems have the measure."""


class SavedAgreement(TypedDict):
    """An agreement as JSON has it."""

    measure: str
    rho: float | None
    judgements: int


class SavedAgreements(TypedDict):
    """Agreements as JSON has them."""

    schema: int
    version: str
    kind: str
    gold: str
    systems: list[str]
    signature: str
    judgements: int
    agreements: list[SavedAgreement]


@dataclass(frozen=True)
class Agreements:
    """How far each measure agrees with the judgements."""

    gold: str
    systems: tuple[str, ...]
    signature: str
    judgements: int
    measures: tuple[Agreement, ...]
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> SavedAgreements:
        """The agreements as JSON has them."""
        return SavedAgreements(
            schema=1,
            version=__version__,
            kind="agreements",
            gold=self.gold,
            systems=list(self.systems),
            signature=self.signature,
            judgements=self.judgements,
            agreements=[
                SavedAgreement(measure=found.measure, rho=found.rho, judgements=found.judgements)
                for found in self.measures
            ],
        )


def read_judgements(source: Source) -> list[Judgement]:
    r"""Judgements from a file: sentence id, system A, system B, preference; a first line of headings is skipped.

    >>> import evalign
    >>> row = read_judgements(evalign.Text("sentence\tA\tB\tpreference\nn-1\tmalt\tmate\tmate\n"))[0]
    >>> row.sentence, row.preference
    ('n-1', -1.0)
    """
    content = load(source)
    judgements: list[Judgement] = []
    for lineno, line in enumerate(content.data.decode("utf-8").split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or (not judgements and cells[-1].lower() == "preference"):
            continue
        place = Place(content.name, lineno)
        if len(cells) != 4:
            raise InputError(place, f"{len(cells)} columns, {quote(line)}", _COLUMNS)
        sentence, first, second, preference = cells
        if first == second:
            raise InputError(place, f"system {quote(first)} against itself", "two systems")
        judgements.append(Judgement(sentence, first, second, _preference(place, cells, preference), place))
    if not judgements:
        raise InputError(Place(content.name), "no judgement", _COLUMNS)
    return judgements


def _preference(place: Place, cells: Sequence[str], written: str) -> float:
    for names in ([written, *cells[1:3]], [PurePath(name).stem for name in (written, *cells[1:3])]):
        if names[0] in names[1:]:
            return 1.0 if names[0] == names[1] else -1.0
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(place, f"preference {quote(written)}", _PREFERENCES)
    return number


def judge(
    judgements: Source | list[Judgement],
    gold: Input,
    *systems: Input,
    weights: Weights | None = None,
    names: Sequence[str] = (),
) -> Agreements:
    """How far content precision and recall, LAS and, with weights, WLAS agree with judgements of sentences.

    Judgements call the systems by their `names`, if they are given some, else by their files.
    """
    if len(systems) < 2:
        message = f"judgements of {len(systems)} system"
        raise CommandError(message, "gold and at least two systems")
    if not isinstance(judgements, list):
        judgements = read_judgements(judgements)
    metrics = ("content", "las", "wlas") if weights else ("content", "las")
    result = score(gold, *systems, metrics=metrics, average="sentence", weights=weights, names=names)
    measures = [measure for measure in MEASURES if measure.partition(".")[0] in metrics]
    return measure_agreement(judgements, result, measures, weights)


def measure_agreement(
    judgements: Sequence[Judgement],
    result: Result,
    measures: Sequence[str] = MEASURES,
    weights: Weights | None = None,
) -> Agreements:
    """The same from a result whose units are sentences; given `weights`, from one that is not a saved one."""
    rows = _find_sentences(judgements, result)
    systems = _find_systems([system.name for system in result.systems])
    pairs = [
        (_system(judgement, judgement.first, systems), _system(judgement, judgement.second, systems))
        for judgement in judgements
    ]
    names = tuple(system.name for system in result.systems)
    agreements = []
    for measure in measures:
        metric, _, part = measure.partition(".")
        values = [_SentenceValues(system, metric, part, weights) for system in result.systems]
        differences, preferences = [], []
        for judgement, row, (a, b) in zip(judgements, rows, pairs, strict=True):
            left, right = values[a][row], values[b][row]
            if left is not None and right is not None:
                differences.append(left - right)
                preferences.append(judgement.preference)
        rho = correlate_ranks(differences, preferences)
        agreements.append(Agreement(measure, rho, len(differences)))
    return Agreements(
        result.gold, names, result.signature, len(judgements), tuple(agreements), result.warnings
    )


class _SentenceValues:
    """A ratio of a system's sentences as fractions: differences that are equal get one rank.

    Rows of WLAS are in billionths. With `weights`, what they count is counted anew by relation, each relation weighing
    what its file says.
    """

    def __init__(self, system: SystemResult, metric: str, part: str, weights: Weights | None) -> None:
        self._score, self._part = system[metric], part
        self._weighed: Mapping[int, list[Fraction]] | None = None
        if metric == "wlas" and weights is not None and self._score.available:
            self._weighed = _weigh_sentences(system, weights)

    def __getitem__(self, row: int) -> Fraction | None:
        layer = self._score.layer
        counts: Sequence[int | Fraction] = self._score.units[row].tolist()
        if self._weighed is not None:
            counts = self._weighed.get(row, [Fraction(0)] * len(layer.fields))
        return layer.fractions(dict(zip(layer.fields, counts, strict=True)))[self._part]


def _weigh_sentences(system: SystemResult, weights: Weights) -> dict[int, list[Fraction]]:
    """Per sentence the weights of the words that are right, of gold's and of the system's; of the aligned ones none."""
    grouped = system.evidence.breakdown_units("relation")
    of_relation = [weights.exact(name) for name in grouped.names]
    [table] = grouped.tables.values()
    found: dict[int, list[Fraction]] = {}
    for row, group, counts in zip(grouped.units.tolist(), grouped.groups.tolist(), table.tolist(), strict=True):
        sums = found.setdefault(row, [Fraction(0)] * (len(LABELLED) + 1))
        for k, count in enumerate(counts):
            sums[k] += count * of_relation[group]
    return found


def _find_sentences(judgements: Sequence[Judgement], result: Result) -> list[int]:
    """The unit of each judgement."""
    names = list(result.unit_names)
    rows = {name: row for row, name in enumerate(names)}
    for judgement in judgements:
        name = judgement.sentence
        if name not in rows:
            expected = f"a sent_id of {result.gold}, or the number of a sentence where it has none"
            found = f"no sentence {quote(name)} in gold"
            raise InputError(judgement.place, found, *suggest(name, names, expected=expected))
        if len(rows) < len(names) and names.count(name) > 1:
            found = f"{names.count(name)} sentences {quote(name)} in gold"
            raise InputError(judgement.place, found, "ids that are there once")
    return [rows[judgement.sentence] for judgement in judgements]


def _find_systems(paths: Sequence[str]) -> Mapping[str, int]:
    """The number of each system by its path, its file name with or without ending, or its letter, unless two have it."""
    letters = [chr(ord("A") + k) for k in range(len(paths))]
    files = [re.split(r"[/\\]", path)[-1] for path in paths]
    found: dict[str, int] = {}
    # From what says least to what says most.
    for names in (letters, [stem(path) for path in paths], files, paths):
        found |= {name: k for k, name in enumerate(names) if list(names).count(name) == 1}
    return found


def _system(judgement: Judgement, name: str, systems: Mapping[str, int]) -> int:
    if name in systems:
        return systems[name]
    known = sorted(systems, key=lambda key: (systems[key], key))
    raise InputError(judgement.place, f"no system {quote(name)}", *suggest(name, known))
