"""Choose the systems that a gate compares, and get their values: of one result, or averaged over treebanks.

`gating` calls this. Macro averages are compared over the treebanks that both runs have a value for; else a
treebank that was added or removed would look like a change of the system. A system may be given by its whole
name, by its name as tables show it, or by its file. Names are usually the ends of paths, and whole paths in
results of older versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from evalign.errors import CommandError, InputError, Message, Place, option, quote, suggest
from evalign.files import are_alike, tell_apart
from evalign.results.result import Parts, Result
from evalign.results.signatures import join_signatures, split_signature
from evalign.results.system_result import Score, SystemResult, counted_ratios, mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.values import PartsSignificance, Resampling, Significance


# Which system is meant by a name.


def match_system_name(names: Sequence[str], name: str) -> list[int]:
    """Return the indices of the `names` that `name` may stand for.

    These are the names equal to `name`; if there are none, the names that tables show as `name`; if there are
    none either, the paths that end with `name`, which may lack the ending of the file.

    >>> names = ["runs/ewt.nltk.txt", "runs/ewt.moses.txt", "old/ewt.moses.txt"]
    >>> match_system_name(names, "runs/ewt.moses.txt"), match_system_name(names, "ewt.nltk"), match_system_name(names, "ewt.moses.txt")
    ([1], [0], [1, 2])
    """
    paths, wanted = [_with_slashes(each) for each in names], _with_slashes(name)
    stems = [_without_ending(path) for path in paths]
    ways = (
        [each == name for each in names],
        [each == name for each in tell_apart(names)] if names else [],
        *(
            [path == wanted or path.endswith(f"/{wanted}") for path in forms if wanted]
            for forms in (paths, stems)
        ),
    )
    return next(([k for k, is_meant in enumerate(way) if is_meant] for way in ways if any(way)), [])


def match_other_run(names: Sequence[str], others: Sequence[str], number: int) -> list[int]:
    """Return the indices of those `names` of one run that belong to the system `others[number]` of another.

    They match by the whole name; else by the end of a path, as tables show it, or by the file.

    >>> match_other_run(["old/nltk.txt", "old/moses.txt"], ["new/moses.txt", "new/syntok.txt"], 0)
    [1]
    """
    if others[number] not in names:
        matches = [k for k, name in enumerate(names) if are_alike(name, others[number])]
        if matches:
            return matches
    file = _with_slashes(others[number]).rpartition("/")[2]
    forms = (others[number], tell_apart(others)[number], file, _without_ending(file))
    return next(filter(None, (match_system_name(names, form) for form in forms)), [])


def _with_slashes(path: str) -> str:
    # A result may have been saved on Windows.
    return path.replace("\\", "/")


def _without_ending(path: str) -> str:
    """Return a path without the ending of its file, from the last dot on."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}"


ResultOrParts: TypeAlias = Result | Parts

# Comparing systems, and checking that two runs are comparable.

# Entries of a signature that do not change how scores are counted, or that depend on the texts of one system.
IGNORED = (
    "lines",
    "threshold",
    "unit",
    "seed",
    "resamples",
    "confidence",
    "test",
    "correction",
    "failures",
)
NOT_NEEDED = "not-needed"


@dataclass(frozen=True, eq=False)
class GatedSystem:
    """The system that a gate checks, or its baseline: one system of a single result or of a run in parts.

    Gives ratios the same way for both: of a run in parts, the mean over the parts.
    """

    run: ResultOrParts
    number: int
    """Index of the system in the run."""
    system: SystemResult
    """The system's result; for a run in parts the sum of all, used for its name, signature and metrics."""

    @property
    def parts(self) -> Parts | None:
        """The run if it is in parts, else None."""
        return self.run if isinstance(self.run, Parts) else None

    def value(self, metric: str, measure: str, among: Collection[str] | None = None) -> float | None:
        """Return a ratio; for a run in parts its mean, over all parts with a value or those in `among`."""
        if self.parts is None:
            score = self.system.scores.get(metric)
            return None if score is None else score.ratios.get(measure)
        values = self.values(metric, measure)
        return mean(value for name, value in values.items() if among is None or name in among)

    def values(self, metric: str, measure: str) -> Mapping[str, float]:
        """Return a ratio by part, for parts that count in the macro average; empty for a single result."""
        if self.parts is None:
            return {}
        ratios = {
            name: counted_ratios(part.systems[self.number], metric, self.parts.failures).get(measure)
            for name, part in self.parts.results.items()
        }
        return {name: value for name, value in ratios.items() if value is not None}


def choose_part(run: ResultOrParts, part: str) -> ResultOrParts:
    """Return the part of `run` called `part`; all of `run` if `part` is empty or there are no parts."""
    return run[part] if part and isinstance(run, Parts) else run


def take_side(run: ResultOrParts, name: str, new: GatedSystem | None = None) -> GatedSystem:
    """Return the system called `name`, or the first one if it is empty.

    For a baseline, `new` is the system that is checked: if the name is empty, the system named like it is
    returned, or the only one. Raises `CommandError` if there is none or several, so that no wrong system is
    compared unnoticed.
    """
    names, where = _name_systems(run), " of the baseline" if new else ""
    if name:
        number = _take_one(names, match_system_name(names, name), name, where)
    elif new is None:
        number = 0
    else:
        matches = match_other_run(names, _name_systems(new.run), new.number)
        if not matches and len(names) == 1:
            matches = [0]
        advice = Message("name one: {baseline_system=NAME}")
        number = _take_one(names, matches, new.system.name, where, advice)
    if isinstance(run, Result):
        return GatedSystem(run, number, run.systems[number])
    system = run.micro().systems[number]
    signature = join_signatures([system.signature], average="macro")
    return GatedSystem(run, number, replace(system, signature=signature))


def _name_systems(run: ResultOrParts) -> Sequence[str]:
    return run.systems if isinstance(run, Parts) else [system.name for system in run.systems]


def _take_one(names: Sequence[str], numbers: Sequence[int], name: str, where: str, advice: str = "") -> int:
    """Return the first of `numbers` if all of them have the same name; else raise `CommandError`."""
    if numbers and len({names[number] for number in numbers}) == 1:
        return numbers[0]
    if numbers:
        msg = f"several systems{where} are called {quote(name)}"
        raise CommandError(msg, f"one of {', '.join(names)}", advice)
    msg = f"no system{where} is called {quote(name)}"
    raise CommandError(msg, *suggest(name, names, advice))


def check_kinds(new: ResultOrParts, old: ResultOrParts) -> None:
    """Raise `CommandError` for a run in parts against a single result."""
    runs = [run for run in (new, old) if isinstance(run, Parts)]
    if len(runs) == 1:
        msg = f"a run of {len(runs[0])} {runs[0].by}s against a single result"
        advice = Message("one of its parts: {part=NAME}")
        raise CommandError(msg, "two runs, or two single results", advice)


def find_common(new: GatedSystem, old: GatedSystem, metric: str, measure: str) -> list[str]:
    """List the parts that both systems have a value for."""
    before = old.values(metric, measure)
    return [name for name in new.values(metric, measure) if name in before]


def find_failures(new: GatedSystem, old: GatedSystem, checked: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Find the parts that the system fails on, or lacks, and did not in the baseline; return reasons by part.

    A part also fails if it lost its value for a metric and measure in `checked`, as averages over the parts
    that both runs have would not show it.
    """
    if new.parts is None or old.parts is None:
        return {}
    failed, before = new.parts.failed(new.number), old.parts.failed(old.number)
    failures = {name: reason for name, reason in failed.items() if name not in before}
    gone = [name for name in old.parts.results if name not in new.parts.results and name not in before]
    failures |= dict.fromkeys(gone, "it is not in this run")
    for metric, measure in checked:
        now = new.values(metric, measure)
        for name in old.values(metric, measure):
            is_lost = name not in now or (_lacks(new, name, metric) and not _lacks(old, name, metric))
            if is_lost and name not in failed:
                failures.setdefault(name, f"it has no {metric} any more")
    return failures


def _lacks(side: GatedSystem, part: str, metric: str) -> bool:
    """Return whether the system counts as failed in a metric of a part."""
    return side.parts is not None and side.parts[part].systems[side.number].fails(metric)


def assess_difference(
    metric: str, old: GatedSystem, new: GatedSystem, resampling: Resampling
) -> Significance | PartsSignificance:
    """Test the difference of two systems in a metric's main ratio, paired by unit or by part."""
    from evalign.significance.assessment import assess
    from evalign.significance.parts import assess_parts

    if not isinstance(new.run, Parts) or not isinstance(old.run, Parts):
        return assess(_pair(metric, old, new), resampling, metrics=(metric,))
    common = find_common(new, old, metric, new.system.scores[metric].metric.headline)
    pairs = {name: _pair(metric, in_part(old, name), in_part(new, name)) for name in common}
    parts = Parts(new.run.by, pairs, failures=new.run.failures)
    return assess_parts(parts, resampling, metrics=(metric,))


def in_part(side: GatedSystem, part: str) -> GatedSystem:
    """Return the same system in one part of its run."""
    result = choose_part(side.run, part)
    assert isinstance(result, Result)
    return GatedSystem(result, side.number, result.systems[side.number])


def _pair(metric: str, old: GatedSystem, new: GatedSystem) -> Result:
    """Put both systems into one result that has only this metric, for a paired test."""
    assert isinstance(old.run, Result)
    assert isinstance(new.run, Result)
    scores = [side.system.scores[metric] for side in (old, new)]
    _check_units(metric, old.run, new.run, scores)
    systems = tuple(
        replace(side.system, scores={metric: score}) for side, score in zip((old, new), scores, strict=True)
    )
    return replace(new.run, systems=systems)


def _check_units(metric: str, old: Result, new: Result, scores: Sequence[Score]) -> None:
    """Raise `InputError` unless both results count the same units of the same gold."""
    same = old.unit_kind == new.unit_kind and list(old.unit_names) == list(new.unit_names)
    if same and "gold" in scores[0].metric.fields and all(score.available for score in scores):
        k = scores[0].metric.fields.index("gold")
        same = scores[0].units[:, k].tolist() == scores[1].units[:, k].tolist()
    if same:
        return
    problem = (
        f"{metric} is counted by {len(old.unit_names):,} units ({old.unit_kind}) in the baseline and "
        f"{len(new.unit_names):,} ({new.unit_kind}) now, which are not the same"
    )
    run = Message("{evalign.assess(evalign.score(GOLD, OLD, NEW))|evalign score GOLD OLD NEW <paired>}")
    if new.systems[0].pairing is not None:
        run = Message(
            "{evalign.assess(evalign.score_pairs(GOLD, OLD, NEW))|evalign bitext score GOLD OLD NEW <paired>}"
        )
    advice = "score both outputs in one run: " + run + Message("; or leave out {significant}")
    raise InputError(Place(new.gold), problem, "the same units of the same gold for a paired test", advice)


def compare_runs(new: GatedSystem, old: GatedSystem, metrics: Sequence[str]) -> Iterator[str]:
    """Yield warnings about what makes two results hard to compare: different gold, options or versions."""
    if isinstance(new.run, Parts) and isinstance(old.run, Parts):
        yield from _compare_parts(new.run, old.run, new, old, metrics)
    elif difference := _compare_gold(new, old, metrics):
        yield difference
    elif isinstance(new.run, Result) and isinstance(old.run, Result):
        names = [run.gold.replace("\\", "/").rpartition("/")[2] for run in (old.run, new.run)]
        if names[0] != names[1]:
            yield f"perhaps not the same gold: {quote(names[0])} in the baseline, {quote(names[1])} now"
    before, now = (split_signature(one.system.signature) for one in (old, new))
    ignored = (*IGNORED, f"{new.run.by}s") if isinstance(new.run, Parts) else IGNORED
    for key in (key for key in before if key in now):
        values = [parts[key] for parts in (before, now)]
        if values[0] != values[1] and NOT_NEEDED not in values and key not in ignored:
            yield f"not the same {key}: {values[0]} in the baseline, {values[1]} now"


def _compare_gold(new: GatedSystem, old: GatedSystem, metrics: Sequence[str]) -> str:
    """Return a warning about the first metric whose numbers of gold items differ; empty if none does."""
    for metric in metrics:
        pair = [one.system.scores.get(metric) for one in (old, new)]
        totals = [score.counts.get("gold") for score in pair if score is not None and score.available]
        if len(totals) == 2 and totals[0] != totals[1]:
            return f"not the same gold: {metric} has {totals[0]:,} in gold in the baseline, {totals[1]:,} now"
    return ""


def _compare_parts(
    new: Parts, old: Parts, now: GatedSystem, before: GatedSystem, metrics: Sequence[str]
) -> Iterator[str]:
    """Yield warnings about what makes runs in parts hard to compare: failures, new parts, different gold."""
    if new.failures != old.failures:
        yield f"not the same {option('failures')}: {old.failures} in the baseline, {new.failures} now"
    for name in new.results:
        if name not in old.results:
            yield f"{name} is not in the baseline: no drop is computed for it"
        elif difference := _compare_gold(in_part(now, name), in_part(before, name), metrics):
            yield f"{name}: {difference}"
    failed = before.parts.failed(before.number) if before.parts else {}
    for name in (name for name in new.failed(now.number) if name in failed):
        yield f"{name}: {now.system.name} failed on it in the baseline too: {failed[name]}"
