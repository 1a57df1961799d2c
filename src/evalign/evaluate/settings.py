"""What was asked of a run, and the line that says so."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypedDict

from evalign import __version__
from evalign.kernels import is_compiled
from evalign.layers import Comparison, Layer, Options, Units

Strategy = Literal["places", "printed"]
Average = Literal["micro", "document", "sentence"]


class Reading(TypedDict):
    """What `read` is told of every file."""

    strict: bool
    collapse_empty_nodes: bool


class Settings(NamedTuple):
    """What was asked of a run, apart from what each layer needs."""

    metrics: tuple[Layer, ...]
    normalize: tuple[str, ...]
    exceptions: str
    strict: bool
    strategy: Strategy
    average: Average
    collapse_empty_nodes: bool
    options: Options

    @property
    def reading(self) -> Reading:
        """How files are read."""
        return Reading(strict=self.strict, collapse_empty_nodes=self.collapse_empty_nodes)


def make_signature(comparison: Comparison, units: Units, settings: Settings) -> str:
    """Everything that could move a number, on one line."""
    alignment, options = comparison.alignment, settings.options
    equal = alignment.gold.original.line == alignment.system.original.line
    unit = f"{units.kind}({len(units)})" + (f"x{units.merged}" if units.merged > 1 else "")
    parts = {
        "evalign": __version__,
        "kernels": "compiled" if is_compiled() else "plain",
        "mode": "strict" if settings.strict else "aligned",
        "lines": "equal" if equal else "differ",
        "normalize": "not-needed" if equal else _describe_rules(settings),
        "thresholds": "not-needed" if alignment.lines_equal else _describe_thresholds(),
        "exceptions": _describe_exceptions(settings),
        "match": options.match,
        "strategy": settings.strategy,
        "average": settings.average,
        "unit": unit,
    }
    names = {layer.name for layer in settings.metrics}
    if "disambiguation" in names:
        parts["candidates"] = options.candidates
    if "oov" in names and options.vocabulary is not None:
        parts["vocabulary"] = fingerprint("\n".join(sorted(options.vocabulary)))
    parts |= _describe_columns(comparison, settings, names)
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _describe_columns(comparison: Comparison, settings: Settings, names: set[str]) -> dict[str, str]:
    """What moves the numbers of tags, trees and graphs."""
    options = settings.options
    parts: dict[str, str] = {}
    if names & {"ufeats", "allfeats", "alltags", "mlas"}:
        parts["feature-values"] = options.feature_values
    if names & {"elas", "eulas"}:
        parts["edges"] = options.edges
        parts["empty-nodes"] = "collapsed" if settings.collapse_empty_nodes else "dropped"
    if names & {"content", "function", "wlas"} and comparison.gold.columns and comparison.system.columns:
        parts["relations"] = comparison.judgement.version
    if "wlas" in names and options.weights is not None:
        from pathlib import PurePath

        parts["weights"] = f"{PurePath(options.weights.name).name}({options.weights.digest})"
    return parts


def _describe_rules(settings: Settings) -> str:
    from evalign.alignment.normalize import choose_rules

    return "+".join(rule.name for rule in choose_rules(settings.normalize)) or "none"


def _describe_thresholds() -> str:
    from evalign.alignment.lines import THRESHOLDS

    return THRESHOLDS


def _describe_exceptions(settings: Settings) -> str:
    """The name of the list with a fingerprint of what is in it: a file of the same name may say something else."""
    if not settings.exceptions:
        return "none"
    from pathlib import PurePath

    from evalign.alignment.exceptions import load_exceptions

    listed = sorted(load_exceptions(settings.exceptions).items())
    credited = "+credited" if settings.options.credit_exceptions else ""
    return f"{PurePath(settings.exceptions).name}({fingerprint(str(listed))}){credited}"


def fingerprint(text: str) -> str:
    """A few characters that tell one text from another."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
