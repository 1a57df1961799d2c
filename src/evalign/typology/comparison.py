"""Scores of many treebanks: correlations between measures, and their variance.

    evalign typology compare en.json fi.json hi.json --profiles profile.json

Source: Callin, A typological perspective on evaluation for Universal Dependencies, section 6 (Figures 4 and 5,
Table 3).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypedDict

from evalign import __version__
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.names import are_alike
from evalign.result import Result, SystemResult
from evalign.result.signatures import split_signature
from evalign.typology.correlation import Variance, correlate, spread
from evalign.typology.profiles import Profile, Profiles
from evalign.typology.treebanks import name_apart, stem

# Measures in the order of Table 3: those of a result are a metric and a ratio of it.
SCORES = (
    "wlas.f1", "las.f1", "content.precision", "content.recall", "function.precision", "function.recall",
)  # fmt: skip
SHARES = ("content.share", "function.share", "sttr")
MEASURES = (*SCORES, *SHARES)
VARIANCES: tuple[Variance, ...] = ("population", "sample")

_ADVICE = "evalign score GOLD SYSTEM --metrics las,wlas,content,function --weights weights.json -o run.json"
# Parts of a signature that may differ from treebank to treebank.
_OWN = ("lines", "normalize", "alignment", "unit", "relations")


class TreebankScores(NamedTuple):
    """What one system reached on one treebank, and what the treebank is like."""

    name: str
    system: str
    values: Mapping[str, float | None]
    """By measure."""


class Correlation(NamedTuple):
    """Pearson's r over so many treebanks."""

    r: float | None
    treebanks: int


class SavedScores(TypedDict):
    """A treebank as JSON has it."""

    name: str
    system: str
    values: dict[str, float | None]


class SavedCorrelation(TypedDict):
    """A correlation as JSON has it."""

    left: str
    right: str
    r: float | None
    treebanks: int


class SavedStep(TypedDict):
    """One more treebank, and the variance with it, as JSON has it."""

    treebank: str
    variance: float | None


class SavedComparison(TypedDict):
    """A comparison as JSON has it."""

    schema: int
    version: str
    kind: str
    signature: str
    treebanks: list[SavedScores]
    correlations: list[SavedCorrelation]
    cumulative_variance: dict[str, list[SavedStep]]


@dataclass(frozen=True, eq=False)
class TreebankComparison:
    """Treebanks by LAS, best first."""

    treebanks: tuple[TreebankScores, ...]
    variance: Variance = "population"
    warnings: tuple[str, ...] = ()

    @property
    def measures(self) -> list[str]:
        """The measures that any treebank has."""
        return [name for name in MEASURES if any(t.values[name] is not None for t in self.treebanks)]

    @property
    def scores(self) -> list[str]:
        """Those of them that are scores."""
        return [name for name in self.measures if name in SCORES]

    @property
    def signature(self) -> str:
        """Which numbers these are."""
        return f"evalign:{__version__}|variance:{self.variance}"

    @property
    def correlations(self) -> dict[tuple[str, str], Correlation]:
        """Pearson's r of each two measures, over the treebanks that have both (Table 3)."""
        return {(a, b): self._correlate(a, b) for a, b in combinations(self.measures, 2)}

    def _correlate(self, left: str, right: str) -> Correlation:
        pairs = [(t.values[left], t.values[right]) for t in self.treebanks]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        return Correlation(correlate([a for a, _ in known], [b for _, b in known]), len(known))

    def best(self, measure: str) -> list[tuple[str, float]]:
        """Treebanks that have a measure with what they have, best first."""
        values = [(t.name, t.values[measure]) for t in self.treebanks]
        known = [(name, value) for name, value in values if value is not None]
        return sorted(known, key=lambda item: -item[1])

    def cumulative_variance(self, measure: str) -> list[tuple[str, float | None]]:
        """The variance over the best n treebanks, n from 1 up, with the treebank that comes n-th (Figure 5)."""
        best = self.best(measure)
        values = [value for _, value in best]
        return [(name, spread(values[: n + 1], self.variance)) for n, (name, _) in enumerate(best)]

    def to_dict(self) -> SavedComparison:
        """The comparison as JSON has it."""
        steps = {
            measure: [
                SavedStep(treebank=name, variance=value) for name, value in self.cumulative_variance(measure)
            ]
            for measure in self.scores
        }
        return SavedComparison(
            schema=1,
            version=__version__,
            kind="comparison",
            signature=self.signature,
            treebanks=[
                SavedScores(name=t.name, system=t.system, values=dict(t.values)) for t in self.treebanks
            ],
            correlations=[
                SavedCorrelation(left=a, right=b, r=found.r, treebanks=found.treebanks)
                for (a, b), found in self.correlations.items()
            ],
            cumulative_variance=steps,
        )


def compare(
    *results: Result | str | os.PathLike[str],
    profiles: Profiles | None = None,
    system: str = "1",
    variance: Variance = "population",
) -> TreebankComparison:
    """Compare results, each of one treebank: saved files, or results as `evalign.score` gives them.

    `system` is the system to take of each, by number or name. `profiles` adds shares of relations and STTR.
    """
    if not results:
        message = "no result"
        raise CommandError(message, "at least one", _ADVICE)
    if variance not in VARIANCES:
        message = f"unknown value {quote(variance)} for variance"
        raise CommandError(message, *suggest(variance, VARIANCES))
    loaded = [result if isinstance(result, Result) else Result.load(result) for result in results]
    chosen = [_choose(result, system) for result in loaded]
    # A result is called as its gold file, or as its own where several have gold files of the same name.
    golds = [result.gold for result in loaded]
    paths = [gold if isinstance(r, Result) else os.fspath(r) for r, gold in zip(results, golds, strict=True)]
    stems = [stem(gold) for gold in golds]
    names = stems if len(set(stems)) == len(stems) else name_apart(paths)
    found, warnings = _find_profiles(profiles, [stem(path) for path in paths], stems, names)
    treebanks = []
    for path, name, one, known in zip(paths, names, chosen, found, strict=True):
        values = {measure: _score(one, measure) for measure in SCORES}
        if all(value is None for value in values.values()):
            raise InputError(
                Place(path), "none of las, wlas, content and function", "a result that has some", _ADVICE
            )
        treebanks.append(TreebankScores(name, one.name, values | _shares(known)))
    treebanks.sort(key=lambda t: next(-v for m in ("las.f1", *SCORES) if (v := t.values[m]) is not None))
    return TreebankComparison(tuple(treebanks), variance, (*warnings, *_differences(chosen)))


def _choose(result: Result, wanted: str) -> SystemResult:
    """The system asked for: by number from 1, or by its name."""
    systems = result.systems
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(systems):
        return systems[int(wanted) - 1]
    named = [one for one in systems if wanted in (one.name, stem(one.name))]
    if len(named) == 1:
        return named[0]
    names = [one.name for one in systems]
    message = f"no system {quote(wanted)} in the result against {result.gold}"
    expected = f"a number from 1 to {len(systems)}, or one of {', '.join(names)}"
    raise CommandError(message, *suggest(wanted, [] if named else names, expected=expected))


def _score(system: SystemResult, measure: str) -> float | None:
    metric, _, part = measure.partition(".")
    return system.scores[metric].ratios.get(part) if metric in system.scores else None


def _shares(profile: Profile | None) -> dict[str, float | None]:
    if profile is None:
        return dict.fromkeys(SHARES)
    values = (profile.share("content"), profile.share("function"), profile.sttr)
    return dict(zip(SHARES, values, strict=True))


def _find_profiles(
    profiles: Profiles | None, results: Sequence[str], golds: Sequence[str], names: Sequence[str]
) -> tuple[list[Profile | None], list[str]]:
    """The profile of each treebank, by the name of its gold file or of its result, and warnings of those without."""
    if profiles is None:
        return [None] * len(names), []
    known = {profile.name: profile for profile in profiles.treebanks}
    # Gold files that are all called gold.conllu say nothing.
    telling = golds if len(set(golds)) == len(golds) else results
    found = [
        known.get(name) or known.get(a) or known.get(b) or _find_alike(name, known)
        for name, a, b in zip(names, telling, results, strict=True)
    ]
    missing = [name for name, profile in zip(names, found, strict=True) if profile is None]
    if len(missing) == len(names):
        message = f"no profile is of {', '.join(missing[:3])}"
        raise CommandError(
            message, "profiles named like the gold files of the results", f"there are {', '.join(known)}"
        )
    return found, [f"no profile of {name}: no shares, no STTR" for name in missing]


def _find_alike(name: str, known: Mapping[str, Profile]) -> Profile | None:
    """The profile of a treebank that was saved when names could be whole paths."""
    alike = [profile for called, profile in known.items() if are_alike(called, name)]
    return alike[0] if len(alike) == 1 else None


def _differences(systems: Sequence[SystemResult]) -> list[str]:
    """Where the results were not made in the same way."""
    signatures = [split_signature(one.signature) for one in systems]
    keys = dict.fromkeys(key for signature in signatures for key in signature if key not in _OWN)
    told = []
    for key in keys:
        values = list(dict.fromkeys(signature.get(key, "nothing") for signature in signatures))
        if len(values) > 1:
            told.append(f"the results differ in {key}: {', '.join(values[:3])}")
    return told
