"""Scores of many treebanks: correlations between measures, and their variance.

    compare("en.json", "fi.json", "hi.json", profiles=load_profiles("profile.json"))
    compare("run.json", profiles=load_profiles("profile.json"))

Source: Callin, A typological perspective on evaluation for Universal Dependencies, sections 6 and 7 (Figures
4 and 5, Table 3, and the correlation of STTR with the difference between LAS and other scores).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, get_args

from evalign._version import __version__
from evalign.errors import CommandError, InputError, Message, Place, quote, suggest
from evalign.files import are_alike, number_names
from evalign.metrics.census import DocumentSize
from evalign.options import check_choice
from evalign.results.result import Parts, Result, load_saved
from evalign.results.signatures import join_signatures, split_signature
from evalign.results.system_result import SystemResult
from evalign.scoring.collection import show_names
from evalign.typology.correlation import Correlation, correlate_defined, running_spread
from evalign.typology.options import Variance
from evalign.typology.profiles import Profile, Profiles
from evalign.typology.treebanks import file_stem, name_apart
from evalign.wording import counted, tell_left_out

# Measures in the order of Table 3; scores are written METRIC.RATIO.
SCORES = (
    "wlas.f1", "las.f1", "content.precision", "content.recall", "function.precision", "function.recall",
)  # fmt: skip
SHARES = ("content.share", "function.share", "sttr")
MEASURES = (*SCORES, *SHARES)
LAS, STTR = "las.f1", "sttr"
# Scores that are subtracted from LAS: section 7 correlates the differences with STTR.
LESS_THAN_LAS = ("wlas.f1", "content.f1", "content.precision", "content.recall")
LEFT_OUT = "left out: "
TWO_TREEBANKS = "two treebanks: every correlation is 1 or -1, and says nothing"
NO_STTR = "the correlations with STTR of section 7: fewer than two treebanks have it"

_ADVICE = (
    '{evalign.score(GOLD, SYSTEM, metrics="las,wlas,content,function", weights="weights.json")'
    '.save("run.json")'
    "|evalign score GOLD SYSTEM <metrics> las,wlas,content,function <weights> weights.json -o run.json}"
)
_NO_SCORES = "none of las, wlas, content and function"
# Keys of a signature that depend on the text; relations, too, may differ between treebanks.
_OWN_OF_TEXTS = ("lines", "normalize", "alignment", "unit")
_OWN = (*_OWN_OF_TEXTS, "relations")


class ComparedTreebank(NamedTuple):
    """Scores of one system on one treebank, and measures of the treebank itself."""

    name: str
    system: str
    values: Mapping[str, float | None]
    """By measure; None where undefined."""
    differences: Mapping[str, float | None] = {}
    """LAS minus another score, by that score.

    Subtracted as fractions and rounded once, so that equal differences are equal floats.
    """
    size: DocumentSize | None = None
    """Sentences and tokens of gold; None if the result does not say."""


@dataclass(frozen=True, eq=False)
class TreebankComparison:
    """Treebanks with their scores, ordered by LAS, best first."""

    treebanks: tuple[ComparedTreebank, ...]
    variance: Variance = "population"
    warnings: tuple[str, ...] = ()
    signature: str = ""
    """How the results were scored, and the settings of the profiles, on one line."""

    @property
    def measures(self) -> list[str]:
        """Measures that are defined for at least one treebank, in the order of Table 3."""
        return [name for name in MEASURES if any(t.values[name] is not None for t in self.treebanks)]

    @property
    def scores(self) -> list[str]:
        """The members of `measures` that are scores of systems."""
        return [name for name in self.measures if name in SCORES]

    @property
    def correlations(self) -> dict[tuple[str, str], Correlation]:
        """Pearson's r of each pair of measures, over the treebanks that have both (Table 3)."""
        return {
            (a, b): correlate_defined((t.values[a], t.values[b]) for t in self.treebanks)
            for a, b in combinations(self.measures, 2)
        }

    @property
    def sttr_correlations(self) -> dict[str, Correlation]:
        """Pearson's r between STTR and LAS minus another score, by that score (section 7)."""
        compared = [m for m in LESS_THAN_LAS if any(t.differences.get(m) is not None for t in self.treebanks)]
        if STTR not in self.measures:
            return {}
        return {
            m: correlate_defined((t.differences.get(m), t.values[STTR]) for t in self.treebanks)
            for m in compared
        }

    def best(self, measure: str) -> list[tuple[str, float]]:
        """Return the treebanks that have a measure, with its values, best first."""
        values = [(t.name, t.values[measure]) for t in self.treebanks]
        defined = [(name, value) for name, value in values if value is not None]
        return sorted(defined, key=lambda item: -item[1])

    def cumulative_variance(self, measure: str) -> list[tuple[str, float | None]]:
        """Return the n-th best treebank and the variance over the best n, for n from 1 (Figure 5)."""
        best = self.best(measure)
        spreads = running_spread([value for _, value in best], self.variance)
        return [(name, value) for (name, _), value in zip(best, spreads, strict=True)]

    def to_dict(self) -> dict[str, object]:
        """Return the comparison in the form that is saved as JSON."""
        steps = {
            measure: [
                {"treebank": name, "variance": value} for name, value in self.cumulative_variance(measure)
            ]
            for measure in self.scores
        }
        return {
            "schema": 1,
            "version": __version__,
            "kind": "comparison",
            "signature": self.signature,
            "treebanks": [
                {
                    "name": t.name,
                    "system": t.system,
                    "size": None if t.size is None else t.size._asdict(),
                    "values": dict(t.values),
                    "differences": dict(t.differences),
                }
                for t in self.treebanks
            ],
            "correlations": [
                {"left": a, "right": b, **correlation._asdict()}
                for (a, b), correlation in self.correlations.items()
            ],
            "sttr_correlations": [
                {"left": f"{LAS}-{less}", "right": STTR, **correlation._asdict()}
                for less, correlation in self.sttr_correlations.items()
            ],
            "cumulative_variance": steps,
        }


class _Entry(NamedTuple):
    """The result of one treebank, its path, and its name in a run of several; "" for a single result."""

    path: str
    result: Result
    treebank: str = ""


def compare(
    *results: Result | Parts | str | os.PathLike[str],
    profiles: Profiles | None = None,
    system: str = "1",
    variance: Variance = "population",
) -> TreebankComparison:
    """Compare the results of treebanks.

    `results` are saved files or what `evalign.score` and `evalign.score_collection` return. The result of a
    collection contributes each of its treebanks. `system` picks one system of each result, by number from 1
    or by name. `profiles` add shares of relations and STTR. A result that is given twice is an error.
    """
    if not results:
        message = "no result"
        raise CommandError(message, "at least one", Message(_ADVICE))
    check_choice("variance", variance, get_args(Variance))
    entries, warnings = _choose_treebanks(results, system)
    chosen = [_choose(entry.result, system) for entry in entries]
    names = _name_entries(entries)
    golds = [file_stem(entry.result.gold) for entry in entries]
    found_profiles, missing = _find_profiles(
        profiles, [e.treebank or file_stem(e.path) for e in entries], golds, names
    )
    treebanks = []
    for entry, name, one, profile in zip(entries, names, chosen, found_profiles, strict=True):
        if not _has_scores(one):
            raise InputError(Place(entry.path), _NO_SCORES, "a result that has some", Message(_ADVICE))
        exact = {measure: _score(one, measure) for measure in (*SCORES, "content.f1")}
        values = {m: None if (value := exact[m]) is None else float(value) for m in SCORES}
        las = exact[LAS]
        differences = {
            less: None if las is None or (other := exact[less]) is None else float(las - other)
            for less in LESS_THAN_LAS
        }
        treebanks.append(
            ComparedTreebank(name, one.name, values | _shares(profile), differences, entry.result.size)
        )
    treebanks.sort(key=lambda t: next(-v for m in (LAS, *SCORES) if (v := t.values[m]) is not None))
    signature = _sign([one.signature for one in chosen], variance, profiles)
    messages = [*warnings, *missing, *_differences(chosen), *_find_same(entries, names)]
    if len(treebanks) == 2:
        messages.append(TWO_TREEBANKS)
    n_with_sttr = sum(t.values[STTR] is not None for t in treebanks)
    if profiles is not None and n_with_sttr < 2:
        messages.append(f"{LEFT_OUT}{NO_STTR}")
    elif n_with_sttr == 2 < len(treebanks):
        messages.append("two treebanks with STTR: every correlation with it is 1 or -1, and says nothing")
    return TreebankComparison(tuple(treebanks), variance, tuple(messages), signature)


def _choose_treebanks(
    results: Sequence[Result | Parts | str | os.PathLike[str]], system: str
) -> tuple[list[_Entry], list[str]]:
    """Return the results of single treebanks, and warnings about treebanks that are left out."""
    entries, warnings = [], []
    for number, given in enumerate(results):
        if any(_is_same(given, before) for before in results[:number]):
            path = "a result" if isinstance(given, (Result, Parts)) else os.fspath(given)
            message = f"{path} is given twice"
            raise CommandError(message, "each result once: its treebanks would count twice")
        path, loaded = (
            ("", given) if isinstance(given, (Result, Parts)) else (os.fspath(given), load_saved(given))
        )
        if isinstance(loaded, Result):
            entries.append(_Entry(path or loaded.gold, loaded))
            continue
        for name, result in loaded.results.items():
            one = _choose(result, system)
            if one.failure:
                warnings.append(tell_left_out(one.name, name, one.failure))
            elif not _has_scores(one):
                warnings.append(f"{name} has {_NO_SCORES}: it is left out")
            else:
                entries.append(_Entry(path or loaded.by, result, name))
    if not entries:
        message = f"no treebank to compare: {warnings[0]}"
        raise CommandError(message, "a run with a treebank that the system did not fail on", Message(_ADVICE))
    return entries, warnings


def _is_same(one: Result | Parts | str | os.PathLike[str], other: object) -> bool:
    """Return whether two inputs are the same object or the same file."""
    if isinstance(one, (Result, Parts)) or not isinstance(other, (str, os.PathLike)):
        return one is other
    return Path(one).resolve() == Path(other).resolve()


def _find_same(entries: Sequence[_Entry], names: Sequence[str]) -> list[str]:
    """Return a warning if several results have the same gold file, as those of two runs do."""
    named: dict[tuple[str, DocumentSize], list[str]] = {}
    for entry, name in zip(entries, names, strict=True):
        if entry.result.size is not None:
            named.setdefault((entry.result.gold, entry.result.size), []).append(name)
    several = [same for same in named.values() if len(same) > 1]
    if not several:
        return []
    others = counted(len(several) - 1, "other treebank")
    more = f", as have those of {others}" if len(several) > 1 else ""
    return [f"{show_names(several[0])} have the same gold file{more}: each counts as a treebank of its own"]


def _has_scores(system: SystemResult) -> bool:
    return any(_score(system, measure) is not None for measure in SCORES)


def _name_entries(entries: Sequence[_Entry]) -> list[str]:
    """Return distinct names for treebanks.

    Treebanks of a run keep their names. Others are called by their gold files, or by their own files if
    several have the same gold file name.
    """
    single = [entry for entry in entries if not entry.treebank]
    stems = [file_stem(entry.result.gold) for entry in single]
    own = iter(stems if len(set(stems)) == len(stems) else name_apart([entry.path for entry in single]))
    names = [entry.treebank or next(own) for entry in entries]
    if len(set(names)) < len(names):
        runs = [f"{file_stem(entry.path)}: " if entry.treebank else "" for entry in entries]
        names = [f"{run}{name}" for run, name in zip(runs, names, strict=True)]
    return number_names(names)


def _sign(signatures: Sequence[str], variance: Variance, profiles: Profiles | None) -> str:
    """Join signatures of results and settings of profiles; a key whose values differ shows all of them."""
    said = {"variance": variance, "treebanks": str(len(signatures))}
    scored = split_signature(join_signatures(signatures, **said))
    own = {key: value for key, value in scored.items() if key not in _OWN_OF_TEXTS}
    if profiles is not None:
        settings = split_signature(profiles.signature)
        own |= {f"profile-{key}": value for key, value in settings.items() if key != "evalign"}
    return "|".join(f"{key}:{value}" for key, value in ({"evalign": __version__} | own).items())


def _choose(result: Result, wanted: str) -> SystemResult:
    """Return the system called `wanted`, a number from 1 or a name; raise `CommandError` if there is none."""
    systems = result.systems
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(systems):
        return systems[int(wanted) - 1]
    named = [one for one in systems if wanted in (one.name, file_stem(one.name))]
    if len(named) == 1:
        return named[0]
    names = [one.name for one in systems]
    message = f"no system {quote(wanted)} in the result against {result.gold}"
    expected = f"a number from 1 to {len(systems)}, or one of {', '.join(names)}"
    raise CommandError(message, *suggest(wanted, [] if named else names, expected=expected))


def _score(system: SystemResult, measure: str) -> Fraction | None:
    """Return a ratio as an exact fraction, None if the system has no such score.

    An average over sentences or documents is a float already; its fraction is exactly that float.
    """
    metric, _, part = measure.partition(".")
    score = system.scores.get(metric)
    if score is None or not score.available:
        return None
    if score.average == "micro":
        return score.metric.fractions(score.counts)[part]
    value = score.ratios[part]
    return None if value is None else Fraction(value)


def _shares(profile: Profile | None) -> dict[str, float | None]:
    if profile is None:
        return dict.fromkeys(SHARES)
    values = (profile.share("content"), profile.share("function"), profile.sttr)
    return dict(zip(SHARES, values, strict=True))


def _find_profiles(
    profiles: Profiles | None, results: Sequence[str], golds: Sequence[str], names: Sequence[str]
) -> tuple[list[Profile | None], list[str]]:
    """Find the profile of each treebank by its name, the name of its gold file or that of its result.

    Returns None for a treebank without a profile, and warnings about these treebanks.
    """
    if profiles is None:
        return [None] * len(names), []
    by_name = {profile.name: profile for profile in profiles.treebanks}
    # Names of gold files identify treebanks only if they differ, which gold.conllu in many folders does not.
    telling = golds if len(set(golds)) == len(golds) else results
    matches = [
        by_name.get(name) or by_name.get(a) or by_name.get(b) or _find_alike(name, by_name)
        for name, a, b in zip(names, telling, results, strict=True)
    ]
    missing = [name for name, profile in zip(names, matches, strict=True) if profile is None]
    if len(missing) == len(names):
        message = f"no profile is of {', '.join(missing[:3])}"
        raise CommandError(
            message, "profiles named like the gold files of the results", f"there are {', '.join(by_name)}"
        )
    return matches, [f"no profile of {name}: no shares, no STTR" for name in missing]


def _find_alike(name: str, by_name: Mapping[str, Profile]) -> Profile | None:
    """Find the profile of a treebank in a file of an older version, which may use whole paths as names."""
    alike = [profile for called, profile in by_name.items() if are_alike(called, name)]
    return alike[0] if len(alike) == 1 else None


def _differences(systems: Sequence[SystemResult]) -> list[str]:
    """Return warnings about keys of the signatures in which the results differ."""
    signatures = [split_signature(one.signature) for one in systems]
    keys = dict.fromkeys(key for signature in signatures for key in signature if key not in _OWN)
    messages = []
    for key in keys:
        values = list(dict.fromkeys(signature.get(key, "nothing") for signature in signatures))
        if len(values) > 1:
            messages.append(f"the results differ in {key}: {', '.join(values[:3])}")
    return messages
