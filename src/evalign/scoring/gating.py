"""A gate decides whether a result may pass, given limits and an older result (the baseline).

    gate(result, baseline, max_drop={"words": 0.1}, fail_under={"tokens": 98})

Limits are points of a metric's main ratio, or of the ratio named after a dot: words, words.recall. A ratio
that is not a share (crossing.average) has limits in its own unit. Where less is better (pk), `max_drop`
limits the rise, and the other limit is `fail_over`. A limit of 1 or less for a share is refused, as 0.95 is
most likely a slip for 95: limits go up to 100. A limit below one point is written "0.5%".

For a run in parts, such as a shared task by treebank, macro averages are checked, or one named part.
A part that the system fails on, and did not fail on in the baseline, fails the gate whatever the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Literal, NamedTuple, TypeAlias, cast

from evalign.errors import CommandError, Message, call, check_type, list_texts, option, quote, suggest
from evalign.metrics.metric import Metric, find_name
from evalign.metrics.registry import METRICS, choose_metrics, find_pair_metric, show_metric
from evalign.results.display import render_html
from evalign.results.result import Parts, Result
from evalign.results.system_result import SystemResult
from evalign.scoring.gate_systems import (
    GatedSystem,
    ResultOrParts,
    assess_difference,
    check_kinds,
    choose_part,
    compare_runs,
    find_common,
    find_failures,
    take_side,
)
from evalign.table import Table
from evalign.wording import counted, decimal, describe_failure, name_ratio, percent, printable, show_p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.values import Resampling

Condition = Literal["max-drop", "fail-under", "fail-over"]

# A limit that is met exactly holds, in spite of rounding in binary fractions.
TOLERANCE = 1e-9
_CONDITIONS: tuple[Condition, ...] = ("max-drop", "fail-under", "fail-over")
# What is saved of a check.
_SAVED = (
    "metric", "measure", "condition", "limit", "baseline", "value", "change", "p", "passed", "reason", "parts",
)  # fmt: skip
# Examples for messages about a wrong limit.
_EXAMPLES: Mapping[Condition, tuple[str, float]] = {
    "max-drop": ("words", 0.1),
    "fail-under": ("words", 95),
    "fail-over": ("pk", 10),
}
# Shares that can be above 100: a system may make more edits than gold has tokens.
_UNBOUNDED = ("edit-distance",)


Limits: TypeAlias = Mapping[str, float | str] | str | Iterable[str]
"""Limits by metric, or as the command takes them: "tokens=95", "tokens=95,words=90", or a list of such texts."""


class Limit(NamedTuple):
    """A limit in points, and how it was written."""

    value: float
    is_percentage: bool
    """True if the limit has a percent sign, so that 0.5% means half a point and is not a slip for 50."""


@dataclass(frozen=True, slots=True)
class Check:
    """One condition with its values, and whether it holds."""

    metric: str
    measure: str
    """Name of the ratio that is checked."""
    condition: Condition
    limit: float
    """The limit in points, or in the unit of a ratio that is not a share."""
    is_share: bool
    lower_is_better: bool
    baseline: float | None
    value: float | None
    passed: bool
    reason: str = ""
    """Why it failed or passed, if that does not follow from the numbers."""
    p: float | None = None
    """The p-value of the paired test; None without a test."""
    parts: int | None = None
    """Number of parts that the values are macro averages over; None for a single result."""
    scope: str = ""
    """The number of parts in words, such as "over 3 of 4 treebanks"; empty if it is all of them."""

    @property
    def change(self) -> float | None:
        """Value minus baseline; None if either is missing."""
        return None if self.value is None or self.baseline is None else self.value - self.baseline

    def __str__(self) -> str:
        """Write one line: metric and ratio, value, limit and verdict."""
        before = "" if self.baseline is None else f", {self.show_change()} from {self.show(self.baseline)}"
        remark = f" ({self.remark})" if self.remark else ""
        about = f"{self.title} {self.show(self.value)}{before}, {self.show_limit()}"
        return printable(f"{about}: {'ok' if self.passed else 'FAILED'}{remark}")

    @property
    def title(self) -> str:
        """The metric and ratio as tables show them, with an arrow if less is better."""
        return f"{show_metric(self.metric)} {name_ratio(self.measure)}{' ↓' if self.lower_is_better else ''}"

    @property
    def remark(self) -> str:
        """A remark beside the numbers: why it failed or passed, the p-value, how many parts were averaged."""
        words = [self.reason] if self.reason else []
        if self.p is not None:
            words = [self.reason or "significant", f"p {show_p(self.p)}"]
        return ", ".join([*words, *([self.scope] if self.scope else [])])

    def show(self, value: float | None) -> str:
        """Format a value of the ratio: as a percentage if it is a share."""
        return percent(value) if self.is_share else decimal(value)

    def show_change(self) -> str:
        """Format the change with its sign.

        It has two decimals, or five if two would round it to 0 or to within a limit that it exceeds.
        """
        if self.change is None:
            return "-"
        change = 100 * self.change if self.is_share else self.change
        shown = f"{change:+.2f}"
        rounded = abs(float(shown))
        hidden = change and not rounded
        beside = self.condition == "max-drop" and not self.passed and rounded <= self.limit
        return f"{change:+.5f}" if hidden or beside else shown

    def show_limit(self) -> str:
        """Format the limit in words, such as "may drop by 0.1"."""
        limit = f"{self.limit:g}"
        if self.condition == "max-drop":
            return f"may {'rise' if self.lower_is_better else 'drop'} by {limit}"
        return f"at {'most' if self.condition == 'fail-over' else 'least'} {limit}"

    def to_dict(self) -> dict[str, object]:
        """Return the check as JSON values: ratios from 0 to 1, the limit as it was given."""
        return {name: getattr(self, name) for name in _SAVED}


@dataclass(frozen=True, slots=True)
class Gate:
    """The outcome of a gate: all checks, and new failures. As a truth value it is true if the gate passed."""

    system: SystemResult
    baseline: SystemResult | None
    checks: tuple[Check, ...]
    warnings: tuple[str, ...] = ()
    """Why the two results may not be comparable."""
    of: str = ""
    """A phrase for what the values of a run in parts belong to: the macro average, or one part."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """By name, the parts that the system fails on and did not fail on in the baseline, and why."""

    def __bool__(self) -> bool:
        return self.passed

    @property
    def passed(self) -> bool:
        """True if every condition holds and there are no new failures."""
        return not self.failures and all(check.passed for check in self.checks)

    def __str__(self) -> str:
        """Write a line for each check, then new failures, warnings and the verdict of the gate."""
        warnings = [f"warning: {text}" for text in self.warnings]
        return "\n".join(
            [*map(str, self.checks), *map(printable, (*self.list_failures(), *warnings, self.verdict))]
        )

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks."""
        warnings = [f"warning: {text}" for text in self.warnings]
        return render_html(self.table(), [self.verdict, *self.list_reasons(), *warnings])

    @property
    def verdict(self) -> str:
        """One sentence that says how many conditions failed, for a person who reads nothing else."""
        failed = sum(not check.passed for check in self.checks)
        total = counted(len(self.checks), "condition")
        if len(self.checks) == 1:
            verdict = f"{total} {'failed' if failed else 'holds'}"
        else:
            verdict = f"{failed} of {total} failed" if failed else f"{total}, all hold"
        return f"{verdict}, {counted(len(self.failures), 'new failure')}" if self.failures else verdict

    def list_failures(self) -> list[str]:
        """Write a line for each part that the system fails on and did not fail on in the baseline."""
        return [f"failed on {name}, but not in the baseline: {why}" for name, why in self.failures.items()]

    def list_reasons(self) -> list[str]:
        """Write a line for each new failure and each check with a remark: what the table does not show."""
        remarks = [f"{check.title}: {check.remark}" for check in self.checks if check.remark]
        return [*self.list_failures(), *remarks]

    def table(self, passed: str = "ok", failed: str = "FAILED") -> Table:
        """Return a table with a row for each check; `passed` and `failed` are the words for its verdict."""
        rows = [
            [
                check.title,
                check.show(check.baseline),
                check.show(check.value),
                check.show_change(),
                check.show_limit(),
                passed if check.passed else failed,
            ]
            for check in self.checks
        ]
        return Table(("metric", "baseline", "now", "change", "limit", ""), rows, "nrrrll")

    def to_dict(self) -> dict[str, object]:
        """Return the gate as JSON values; `of` says which average or part of a run the values belong to."""
        return {
            "passed": self.passed,
            "system": self.system.name,
            "baseline": self.baseline.name if self.baseline else None,
            "of": self.of,
            "failures": dict(self.failures),
            "checks": [check.to_dict() for check in self.checks],
            "warnings": list(self.warnings),
            "signature": self.system.signature,
            "baseline_signature": self.baseline.signature if self.baseline else None,
        }


def gate(
    result: ResultOrParts,
    baseline: ResultOrParts | None = None,
    *,
    max_drop: Limits | None = None,
    fail_under: Limits | None = None,
    fail_over: Limits | None = None,
    system: str = "",
    baseline_system: str = "",
    part: str = "",
    significant: Resampling | None = None,
) -> Gate:
    """Check a result against limits and an older result; the gate that is returned is true if it passed.

    Limits are points by metric, `"words"` or `"words.recall"`: `{"words": 95}`, or `"words=95"` as in the
    command, or a list of such texts. A limit of 1 or less for a percentage is refused, as 0.95 would let
    everything pass, unless it is written `"0.5%"`. With `significant`, a drop fails only if the paired test
    finds it significant at the level 1 - confidence.

    `system` and `baseline_system` name a system: by its whole name, as tables show it, or by its file.
    Without a name the first system is checked, against the one in the baseline that is named like it, or the
    only one there.

    For a run of several treebanks, macro averages are checked, or only the `part` given. A treebank fails
    the gate if the system fails on it, or lacks a metric there, and did not in the baseline.

    >>> import evalign
    >>> old = evalign.score([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    >>> new = evalign.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> bool(gate(new, old, max_drop={"tokens": 0.1})), bool(gate(new, fail_under={"sentences": 50}))
    (True, False)
    """
    check_type(
        result, (Result, Parts), "the result", 'a result, `evalign.load_saved("run.json")` for a saved one'
    )
    if baseline is not None:
        check_type(baseline, (Result, Parts), "`baseline=`", "a result: `evalign.load_saved(PATH)`")
    for name, value in (("system", system), ("baseline_system", baseline_system), ("part", part)):
        check_type(value, str, f"`{name}=`", "a name")
    asked = _read_limits(max_drop, fail_under, fail_over)
    if significant is not None:
        from evalign.significance.values import Resampling

        check_type(significant, Resampling, "`significant=`", "evalign.Resampling()")
    if baseline is None and any(condition == "max-drop" for condition, _, _ in asked):
        msg = "a largest drop without a baseline"
        raise CommandError(
            msg, "an older result to compare with", Message("{baseline=old|<baseline> OLD.json}")
        )
    if part and not isinstance(result, Parts) and not isinstance(baseline, Parts):
        msg = f"the part {quote(part)} of a single result"
        raise CommandError(msg, "a run of several treebanks", Message("leave out {part}"))
    new = take_side(choose_part(result, part), system)
    old = None
    if baseline is not None:
        before = choose_part(baseline, part)
        check_kinds(new.run, before)
        old = take_side(before, baseline_system, new)
    checks = [_check(new, old, condition, name, limit) for condition, name, limit in asked]
    failures = find_failures(new, old, [(check.metric, check.measure) for check in checks]) if old else {}
    # A new failure is not a matter of chance, so no test can let the gate pass.
    toothless: list[str] = []
    if significant is not None and old is not None and not failures:
        checks = [_test_drop(check, old, new, significant, toothless) for check in checks]
    metrics = list(dict.fromkeys(check.metric for check in checks))
    of = ""
    if isinstance(result, Parts):
        of = f"{result.by} {part}" if part else f"macro average over {len(result)} {result.by}s"
    return Gate(
        new.system,
        old.system if old else None,
        tuple(checks),
        (*(compare_runs(new, old, metrics) if old else _describe_failures(new)), *toothless),
        of,
        failures,
    )


def _describe_failures(side: GatedSystem) -> list[str]:
    """List the failures of the system, for a gate without a baseline.

    Averages leave them out or take them as 0.
    """
    failed = side.parts.failed(side.number) if side.parts else {}
    return [describe_failure(side.system.name, name, reason) for name, reason in failed.items()]


def _read_limits(*limits: Limits | None) -> list[tuple[Condition, str, Limit]]:
    """Read all limits; return condition, name of metric and limit, in the order of `_CONDITIONS`."""
    asked = []
    for condition, wanted in zip(_CONDITIONS, limits, strict=True):
        for name, limit in _split_limits(condition, wanted).items():
            asked.append((condition, name, _read_limit(condition, name, limit)))
    if not asked:
        example = call(
            'evalign.gate(new, old, max_drop={"words": 0.1})', "<baseline> old.json <max_drop> words=0.1"
        )
        message = "a gate without a condition"
        conditions = Message("{max_drop}, {fail_under} or {fail_over}")
        raise CommandError(message, conditions, "for example: " + example)
    return asked


def _show_limit(condition: Condition, metric: str, limit: object) -> Message:
    """Write a limit in a message, as an argument of `gate` or of the command."""
    name = condition.replace("-", "_")
    return call(f'{name}={{"{metric}": {limit}}}', f"--{condition} {metric}={limit}")


def _split_limits(condition: Condition, given: object) -> Mapping[str, object]:
    """Return limits by metric, given as a mapping, as text with commas, or as a list of such texts."""
    if given is None:
        return {}
    subject = option(condition.replace("-", "_"))
    expected = "limits by metric, for example: " + _show_limit(condition, *_EXAMPLES[condition])
    if isinstance(given, Mapping):
        limits = given
    else:
        texts = list_texts(given, subject, expected)
        parts = [part.partition("=") for text in texts for part in text.split(",")]
        limits = {metric.strip(): limit.strip() for metric, _, limit in parts}
    for name in limits:
        check_type(name, str, f"a metric of {subject}", expected)
    return limits


def _read_limit(condition: Condition, name: str, given: object) -> Limit:
    """Read a limit: a number, or its text with or without a percent sign.

    Raises `CommandError` for a negative limit or one that is not a number, which would let everything pass.
    """
    number = given.strip().removesuffix("%") if isinstance(given, str) else cast("float", given)
    try:
        value = float("nan") if hasattr(given, "ndim") and given.ndim else float(number)
    except (TypeError, ValueError, OverflowError):
        value = float("nan")
    if not name or not 0 <= value < float("inf"):
        is_number = isinstance(given, (str, float)) or not isnan(value)
        msg = f"{condition} {name}{f'={given}' if is_number else f' of type {type(given).__name__}'}"
        raise CommandError(
            msg,
            "a metric and points from 0 up",
            "for example: " + _show_limit(condition, *_EXAMPLES[condition]),
        )
    return Limit(value, isinstance(given, str) and given.strip().endswith("%"))


def _check_limit(condition: Condition, name: str, limit: Limit) -> None:
    """Raise `CommandError` for a limit of a share that is probably a slip (0.95), or decides nothing."""
    if condition == "max-drop":
        return
    value, advice = limit.value, ""
    if value > 100 and name.partition(".")[0] not in _UNBOUNDED:
        wrong, expected = "nothing is above 100", "points from 0 to 100"
    elif condition == "fail-under" and not value:
        wrong, expected = "no score is below 0, and nothing would ever fail", "points above 1 and up to 100"
    elif 0 < value <= 1 and not limit.is_percentage:
        wrong, expected = "limits are percentages, from 0 to 100", f"{name}={100 * value:.10g}"
        advice = f"if {value:g} of 100 is meant: {name}={value:g}%"
    else:
        return
    msg = f"{condition} {name}={value:g}: {wrong}"
    raise CommandError(msg, expected, advice)


def _check(new: GatedSystem, old: GatedSystem | None, condition: Condition, name: str, given: Limit) -> Check:
    """Check one condition; one that cannot be checked has failed, with a reason."""
    metric, _, measure = name.partition(".")
    sides = [side for side in (new, old) if side is not None]
    metric = find_name(metric, [*(scored for side in sides for scored in side.system.scores), *METRICS])
    scores = [side.system.scores[metric] for side in sides if metric in side.system.scores]
    if scores:
        entry, ratios = scores[0].metric, scores[0].ratios
        measure = find_name(measure.replace(" ", "_"), ratios) or entry.headline
        if measure not in ratios:
            msg = f"{metric} has no ratio {quote(measure)}"
            raise CommandError(msg, *suggest(measure, ratios))
    else:
        entry, name = _find_unscored(new.system, metric), f"{metric}.{measure}" if measure else metric
        measure = measure or entry.headline
    is_share, lower = measure not in entry.numbers, measure in entry.lower_is_better
    _check_direction(condition, name, lower=lower)
    if is_share:
        _check_limit(condition, name, given)
    check = Check(metric, measure, condition, given.value, is_share, lower, None, None, passed=False)
    if not scores:
        return replace(check, reason=f"{metric} was not scored")
    common = None
    if condition == "max-drop" and old is not None and old.parts is not None:
        common = find_common(new, old, metric, measure)
    parts, scope = None, ""
    if new.parts is not None:
        parts = len(new.values(metric, measure) if common is None else common)
        scope = f"over {parts} of {len(new.parts)} {new.parts.by}s" if parts < len(new.parts) else ""
    # A score that averages fill in for a treebank that the system failed on is not a score of the system.
    value = None if _fails(new, metric) else new.value(metric, measure, common)
    former = None if old is None or _fails(old, metric) else old.value(metric, measure, common)
    check = replace(check, value=value, baseline=former, parts=parts, scope=scope)
    reason = _find_reason(check, new, old, common)
    return replace(check, reason=reason) if reason else replace(check, passed=_holds(check))


def _fails(side: GatedSystem, metric: str) -> bool:
    """Return whether a system failed in a metric of a single result; False for a run in parts."""
    return side.parts is None and side.system.fails(metric)


def _find_reason(check: Check, new: GatedSystem, old: GatedSystem | None, common: list[str] | None) -> str:
    """Say why a condition cannot be checked; empty if it can."""
    metric = check.metric
    if common is not None and not common and new.parts is not None:
        sides = [side for side in (new, old) if side is not None]
        if all(metric in side.system.scores and side.system.scores[metric].available for side in sides):
            return f"no {new.parts.by} has {metric} in both runs"
    reason = _unavailable(new.system, metric, check.value)
    if not reason and check.condition == "max-drop" and old is not None:
        reason = _unavailable(old.system, metric, check.baseline, " in the baseline")
    return reason


def _find_unscored(system: SystemResult, metric: str) -> Metric:
    """Return a metric that no result has; raise `CommandError` for an unknown one."""
    entry = METRICS.get(metric) or find_pair_metric(metric)
    if entry is None and system.pairing is None:
        choose_metrics([metric])  # says which there are
    if entry is None:
        msg = f"unknown metric {quote(metric)}"
        raise CommandError(msg, *suggest(metric, system.scores))
    return entry


def _check_direction(condition: Condition, name: str, *, lower: bool) -> None:
    """Raise `CommandError` for a limit in the wrong direction.

    A lower limit, where less is better, would let the worst pass.
    """
    wrong: Condition = "fail-under" if lower else "fail-over"
    if condition == wrong:
        message = option(condition.replace("-", "_")) + f" {name}: {'less' if lower else 'more'} is better"
        raise CommandError(message, _show_limit("fail-over" if lower else "fail-under", name, "LIMIT"))


def _unavailable(system: SystemResult, metric: str, value: float | None, where: str = "") -> str:
    """Say why a metric has no value; empty if it has one."""
    if value is not None:
        return ""
    if metric not in system.scores:
        return f"{metric} was not scored{where}"
    if not system.gives(metric):
        return f"{metric} is not available{where}: {system.failure or 'the files have nothing to judge'}"
    return f"{metric} is undefined{where}: nothing was counted"


def _holds(check: Check) -> bool:
    """Return whether a condition with values holds; it does if the limit is met exactly."""
    assert check.value is not None
    scale = 100 if check.is_share else 1
    if check.condition == "fail-under":
        return scale * check.value >= check.limit - TOLERANCE
    if check.condition == "fail-over":
        return scale * check.value <= check.limit + TOLERANCE
    assert check.change is not None
    drop = scale * (check.change if check.lower_is_better else -check.change)
    return drop <= check.limit + TOLERANCE


def _test_drop(
    check: Check, old: GatedSystem, new: GatedSystem, resampling: Resampling, warnings: list[str]
) -> Check:
    """Test a drop beyond its limit: return the check with its p-value, passed if the drop may be chance.

    Other checks are returned as they are. If the test could not have found any drop significant, add a
    warning to `warnings`.
    """
    if check.condition != "max-drop" or check.passed or check.reason:
        return check
    headline = new.system.scores[check.metric].metric.headline
    if check.measure != headline:
        message = option("significant") + f" with {check.metric}.{check.measure}"
        expected = _show_limit("max-drop", check.metric, "POINTS") + f": the paired test is of {headline}"
        raise CommandError(message, expected)
    assessment = assess_difference(check.metric, old, new, resampling)
    pair, floor = assessment.against_first[check.metric][1], assessment.floors.get(check.metric)
    p = None if pair is None else pair.adjusted
    if p is None:
        return replace(check, reason=f"no test: {assessment.reason or 'nothing to resample'}")
    if p < resampling.alpha:
        return replace(check, p=p)
    if floor is not None and floor.against_first >= resampling.alpha:
        warnings.append(
            f"{check.metric}: no drop could have been significant, as p cannot be below {show_p(floor.against_first)} with "
            f"{assessment.test_resamples:,} resamples and {floor.differing:,} units that differ"
        )
    return replace(check, passed=True, p=p, reason="not significant")
