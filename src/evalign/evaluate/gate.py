"""A gate: whether a result may pass, given an older one and limits.

    evalign gate run.json --baseline old.json --max-drop words=0.1 --fail-under tokens=98

Limits are points of the ratio that stands for a metric, or of the one named behind a dot: words, words.recall. A ratio
that is no share (crossing.average) has limits in its own measure. Where less is better (pk) a drop is a rise, and the
other limit is `fail_over`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from evalign.errors import CommandError, InputError, Place, quote
from evalign.result import Result, Score, SystemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance import Resampling

Condition = Literal["max-drop", "fail-under", "fail-over"]

# A limit met exactly is met, whatever binary fractions make of it.
TOLERANCE = 1e-9
# Parts of a signature that say nothing of how scores are counted, or what the texts of one system asked for.
IGNORED = ("kernels", "lines", "thresholds", "unit", "seed", "resamples", "confidence", "test", "correction")
NOT_NEEDED = "not-needed"
_CONDITIONS: tuple[Condition, ...] = ("max-drop", "fail-under", "fail-over")


class SavedCheck(TypedDict):
    """A check as JSON; ratios from 0 to 1, limits as they were given."""

    metric: str
    measure: str
    condition: Condition
    limit: float
    baseline: float | None
    value: float | None
    change: float | None
    p: float | None
    passed: bool
    reason: str


class SavedGate(TypedDict):
    """A gate as JSON."""

    passed: bool
    system: str
    baseline: str | None
    checks: list[SavedCheck]
    warnings: list[str]
    signature: str
    baseline_signature: str | None


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, and whether it holds."""

    metric: str
    measure: str
    """The ratio that is looked at."""
    condition: Condition
    limit: float
    """In points, or in the measure of a ratio that is no share."""
    is_share: bool
    lower_is_better: bool
    baseline: float | None
    value: float | None
    passed: bool
    reason: str = ""
    """Why it failed or passed, where the numbers do not say it."""
    p: float | None = None

    @property
    def change(self) -> float | None:
        """How far the value is above the baseline."""
        return None if self.value is None or self.baseline is None else self.value - self.baseline

    def to_json(self) -> SavedCheck:
        """As `--format json` prints it."""
        return SavedCheck(
            metric=self.metric, measure=self.measure, condition=self.condition, limit=self.limit, baseline=self.baseline,
            value=self.value, change=self.change, p=self.p, passed=self.passed, reason=self.reason,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gate:
    """All conditions of a gate; true if every one holds."""

    system: SystemResult
    baseline: SystemResult | None
    checks: tuple[Check, ...]
    warnings: tuple[str, ...] = ()
    """Why the two results may not be comparable."""

    def __bool__(self) -> bool:
        return self.passed

    @property
    def passed(self) -> bool:
        """Whether every condition holds."""
        return all(check.passed for check in self.checks)

    def to_json(self) -> SavedGate:
        """As `--format json` prints it."""
        return SavedGate(
            passed=self.passed,
            system=self.system.name,
            baseline=self.baseline.name if self.baseline else None,
            checks=[check.to_json() for check in self.checks],
            warnings=list(self.warnings),
            signature=self.system.signature,
            baseline_signature=self.baseline.signature if self.baseline else None,
        )


def gate(
    result: Result,
    baseline: Result | None = None,
    *,
    max_drop: Mapping[str, float] | None = None,
    fail_under: Mapping[str, float] | None = None,
    fail_over: Mapping[str, float] | None = None,
    system: str = "",
    baseline_system: str = "",
    significant: Resampling | None = None,
) -> Gate:
    """Check a result against limits and an older result; in CI, fail unless the gate is true.

    Limits are by metric, `"words"` or `"words.recall"`, in points. Without names the first systems are compared. With
    `significant` a drop fails only if the paired test finds it significant at the level 1 - confidence.

    >>> import evalign
    >>> old = evalign.score([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    >>> new = evalign.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> bool(gate(new, old, max_drop={"tokens": 0.1})), bool(gate(new, fail_under={"sentences": 50}))
    (True, False)
    """
    asked = _asked(max_drop, fail_under, fail_over)
    if max_drop and baseline is None:
        msg = "a largest drop without a baseline"
        raise CommandError(msg, "an older result to compare with", "--baseline OLD.json")
    chosen = _find_system(result, system)
    former = _find_baseline(baseline, baseline_system, chosen.name)
    checks = []
    for condition, name, limit in asked:
        check = _check(chosen, former, condition, name, limit)
        missed = condition == "max-drop" and not check.passed and not check.reason
        if significant is not None and missed and baseline is not None and former is not None:
            check = _test(check, (baseline, former), (result, chosen), significant)
        checks.append(check)
    warnings = _compare_runs(result, chosen, baseline, former, checks) if baseline and former else ()
    return Gate(chosen, former, tuple(checks), tuple(warnings))


def _asked(*limits: Mapping[str, float] | None) -> list[tuple[Condition, str, float]]:
    """Every condition, in the order of the options."""
    asked = []
    for condition, wanted in zip(_CONDITIONS, limits, strict=True):
        for name, limit in (wanted or {}).items():
            # No limit is below nothing; one that is no number would let everything pass.
            if not 0 <= limit < float("inf"):
                msg = f"--{condition} {name}={limit}"
                raise CommandError(msg, "a limit from 0 up, in points", "for example: --max-drop words=0.1")
            asked.append((condition, name, float(limit)))
    if not asked:
        msg = "a gate without a condition"
        raise CommandError(
            msg,
            "--max-drop, --fail-under or --fail-over",
            "for example: --baseline old.json --max-drop words=0.1",
        )
    return asked


def _find_system(result: Result, name: str) -> SystemResult:
    """The system of a name, of which the end is enough where it is the only one; the first without a name."""
    if not name:
        return result.systems[0]
    exact = [system for system in result.systems if system.name == name]
    near = [system for system in result.systems if system.name.endswith((f"/{name}", f"\\{name}"))]
    for found in (exact, near):
        if len(found) == 1 or (found and found is exact):
            return found[0]
    msg = f"{'several systems are' if near else 'no system is'} called {quote(name)}"
    raise CommandError(msg, f"one of {', '.join(system.name for system in result.systems)}")


def _find_baseline(baseline: Result | None, name: str, like: str) -> SystemResult | None:
    """The system of a name; else the one that is called as the other, else the first."""
    if baseline is None:
        return None
    if name:
        return _find_system(baseline, name)
    return next((system for system in baseline.systems if system.name == like), baseline.systems[0])


def _check(
    system: SystemResult, baseline: SystemResult | None, condition: Condition, name: str, limit: float
) -> Check:
    """One condition; what cannot be checked has failed."""
    metric, _, measure = name.partition(".")
    known = [found for found in (system, baseline) if found is not None and metric in found.scores]
    if not known:
        return _missing(metric, measure, condition, limit)
    score = known[0].scores[metric]
    measure = measure.replace(" ", "_") or score.layer.headline
    if measure not in score.ratios:
        msg = f"{metric} has no ratio {quote(measure)}"
        raise CommandError(msg, f"one of {', '.join(score.ratios)}")
    lower = measure in score.layer.lower_is_better
    _check_direction(condition, name, lower=lower)
    value = _value(system, metric, measure)
    former = _value(baseline, metric, measure) if baseline else None
    is_share = measure not in score.layer.numbers
    reason = _unavailable(system, metric, value)
    if not reason and condition == "max-drop":
        reason = _unavailable(baseline, metric, former, " in the baseline")
    passed = not reason and _holds(condition, value, former, limit, is_share=is_share, lower=lower)
    return Check(metric, measure, condition, limit, is_share, lower, former, value, passed, reason)


def _missing(metric: str, measure: str, condition: Condition, limit: float) -> Check:
    """A metric that no result has; an unknown one is a wrong command."""
    from evalign.layers import LAYERS, choose_layers

    if metric not in LAYERS:
        choose_layers([metric])
    layer = LAYERS[metric]
    measure = measure or layer.headline
    lower = measure in layer.lower_is_better
    reason = f"{metric} was not scored"
    return Check(
        metric, measure, condition, limit, measure not in layer.numbers, lower, None, None, passed=False, reason=reason
    )  # fmt: skip


def _check_direction(condition: Condition, name: str, *, lower: bool) -> None:
    """A lower limit of what is better when low would let the worst pass."""
    wrong: Condition = "fail-under" if lower else "fail-over"
    if condition == wrong:
        msg = f"--{condition} {name}: {'less' if lower else 'more'} is better"
        other = "fail-over" if lower else "fail-under"
        raise CommandError(msg, f"--{other} {name}=LIMIT")


def _value(system: SystemResult, metric: str, measure: str) -> float | None:
    score = system.scores.get(metric)
    return None if score is None else score.ratios.get(measure)


def _unavailable(system: SystemResult | None, metric: str, value: float | None, where: str = "") -> str:
    """Why there is no value."""
    if system is None or value is not None:
        return ""
    if metric not in system.scores:
        return f"{metric} was not scored{where}"
    if not system.scores[metric].available:
        return f"{metric} is not available{where}: {system.failure or 'the files have nothing to judge'}"
    return f"{metric} is undefined{where}: nothing was counted"


def _holds(
    condition: Condition,
    value: float | None,
    baseline: float | None,
    limit: float,
    *,
    is_share: bool,
    lower: bool,
) -> bool:
    """Whether a condition holds; at the limit it does."""
    assert value is not None
    scale = 100 if is_share else 1
    if condition == "fail-under":
        return scale * value >= limit - TOLERANCE
    if condition == "fail-over":
        return scale * value <= limit + TOLERANCE
    assert baseline is not None
    drop = scale * (value - baseline if lower else baseline - value)
    return drop <= limit + TOLERANCE


def _test(
    check: Check,
    before: tuple[Result, SystemResult],
    after: tuple[Result, SystemResult],
    resampling: Resampling,
) -> Check:
    """A drop beyond its limit, passed if it may be chance."""
    from evalign.significance import assess

    scores = [system.scores[check.metric] for _, system in (before, after)]
    if check.measure != scores[1].layer.headline:
        msg = f"--significant with {check.metric}.{check.measure}"
        expected = f"--max-drop {check.metric}=POINTS: the paired test is of {scores[1].layer.headline}"
        raise CommandError(msg, expected)
    _check_units(check.metric, before, after, scores)
    systems = tuple(
        replace(system, scores={check.metric: score})
        for (_, system), score in zip((before, after), scores, strict=True)
    )
    found = assess(replace(after[0], systems=systems), resampling, paired=True, metrics=(check.metric,))
    if found.reason:
        return replace(check, reason=f"no test: {found.reason}")
    pair = found.against_first[check.metric][1]
    p = None if pair is None else pair.adjusted
    if p is None:
        return replace(check, reason="no test: nothing to resample")
    level = 1 - resampling.confidence
    if p < level:
        return replace(check, p=p)
    return replace(check, passed=True, p=p, reason="not significant")


def _check_units(
    metric: str,
    before: tuple[Result, SystemResult],
    after: tuple[Result, SystemResult],
    scores: Sequence[Score],
) -> None:
    """Raise `InputError` unless both results count the same units of the same gold."""
    (old, _), (new, _) = before, after
    same = old.unit_kind == new.unit_kind and list(old.unit_names) == list(new.unit_names)
    if same and "gold" in scores[0].layer.fields:
        k = scores[0].layer.fields.index("gold")
        same = scores[0].units[:, k].tolist() == scores[1].units[:, k].tolist()
    if same:
        return
    found = (
        f"{metric} is counted by {len(old.unit_names):,} units ({old.unit_kind}) in the baseline and "
        f"{len(new.unit_names):,} ({new.unit_kind}) now, which are not the same"
    )
    raise InputError(
        Place(new.gold),
        found,
        "the same units of the same gold for a paired test",
        "score both outputs in one run: evalign score GOLD OLD NEW --paired; or leave out --significant",
    )


def _compare_runs(
    result: Result,
    system: SystemResult,
    baseline: Result,
    former: SystemResult,
    checks: Sequence[Check],
) -> Iterator[str]:
    """What makes two results hard to compare: other gold, other options, another version."""
    metrics = list(dict.fromkeys(check.metric for check in checks))
    for metric in metrics:
        pair = [one.scores.get(metric) for one in (former, system)]
        totals = [score.counts.get("gold") for score in pair if score is not None and score.available]
        if len(totals) == 2 and totals[0] != totals[1]:
            yield f"not the same gold: {metric} has {totals[0]:,} in gold in the baseline, {totals[1]:,} now"
            break
    else:
        names = [one.gold.replace("\\", "/").rpartition("/")[2] for one in (baseline, result)]
        if names[0] != names[1]:
            yield f"perhaps not the same gold: {quote(names[0])} in the baseline, {quote(names[1])} now"
    old, new = (dict(_signature_parts(one.signature)) for one in (former, system))
    for key in (key for key in old if key in new):
        values = [parts[key] for parts in (old, new)]
        if values[0] != values[1] and NOT_NEEDED not in values and key not in IGNORED:
            yield f"not the same {key}: {values[0]} in the baseline, {values[1]} now"


def _signature_parts(signature: str) -> Iterator[tuple[str, str]]:
    for part in signature.split("|"):
        key, _, value = part.partition(":")
        yield key, value
