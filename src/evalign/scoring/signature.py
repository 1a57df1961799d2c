"""The signature: everything that could move a number, on one line.

`make_systems` in `summary` signs every system's result; `results.signatures` joins and shortens such lines.
"""

from __future__ import annotations

from typing import NamedTuple

from evalign._version import __version__
from evalign.metrics import DEFAULT_SCHEME, PRESETS, Census, Comparison, LiveCensus, Scheme, Units
from evalign.scoring.request import Settings

# Metrics that look at the version of UD that relations are of.
VERSIONED = frozenset({"content", "function", "wlas"})


def make_signature(comparison: Comparison, units: Units, settings: Settings) -> str:
    """The signature of one comparison."""
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    compared = ComparedTexts(
        LiveCensus(gold), LiveCensus(system), gold.line == system.line, comparison.alignment.lines_equal
    )
    return sign(compared, describe_units(units.kind, len(units), units.merged), settings)


class ComparedTexts(NamedTuple):
    """What a signature says of two texts."""

    gold: Census
    system: Census
    lines_equal: bool
    """Whether they have the same characters."""
    places_equal: bool
    """Whether they have them at least once notation is normalised."""


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """What counts were kept by.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


def sign(compared: ComparedTexts, units: str, settings: Settings) -> str:
    """Everything that could move a number, on one line."""
    options, equal = settings.options, compared.lines_equal
    parts = {
        "evalign": __version__,
        "mode": "strict" if settings.strict else "aligned",
        "lines": "equal" if equal else "differ",
        "normalize": "not-needed" if equal else _describe_rules(settings),
        "alignment": "not-needed" if compared.places_equal else _describe_alignment(),
        "exceptions": _describe_exceptions(settings),
        "match": options.match,
        "strategy": settings.strategy,
        "average": settings.average,
        "unit": units,
    }
    if settings.split_spaces:
        parts["spaces"] = "split"
    if settings.raw:
        parts["raw"] = settings.raw
    names = {metric.name for metric in settings.metrics}
    if "disambiguation" in names:
        parts["candidates"] = options.candidates
    if "oov" in names and options.vocabulary is not None:
        parts["vocabulary"] = fingerprint("\n".join(sorted(options.vocabulary)))
    parts |= _describe_columns(compared, settings, names)
    parts |= _describe_trees(compared, settings)
    # A bar would part a name of a file, or the marks that may end a sentence.
    return "|".join(f"{key}:{value.replace('|', '%7C')}" for key, value in parts.items())


def _describe_columns(compared: ComparedTexts, settings: Settings, names: set[str]) -> dict[str, str]:
    """What moves the numbers of tags, trees and graphs."""
    options = settings.options
    parts: dict[str, str] = {}
    if any(metric.needs for metric in settings.metrics):  # a breakdown by feature may be asked of any of them
        parts["feature-values"] = options.feature_values
    if names & {"elas", "eulas"}:
        parts["edges"] = options.edges
        parts["empty-nodes"] = "collapsed" if settings.collapse_empty_nodes else "dropped"
    if names & VERSIONED and compared.gold.has_columns and compared.system.has_columns:
        parts["relations"] = compared.gold.version if options.relations == "auto" else options.relations
    if "wlas" in names and options.weights is not None:
        made_of = f",{options.weights.version}" if options.weights.version else ""
        parts["weights"] = f"{_name_file(options.weights.name)}({options.weights.digest}{made_of})"
    return parts


def _describe_trees(compared: ComparedTexts, settings: Settings) -> dict[str, str]:
    """What moves the numbers of brackets and their tags."""
    options = settings.options
    if not compared.gold.has_trees and not compared.system.has_trees:
        return {}
    parts = {"preset": _describe_scheme(options.scheme), "empty": settings.empty}
    if options.scheme.delete:
        parts["punctuation"] = options.punctuation
    return parts


def _describe_scheme(scheme: Scheme) -> str:
    """The name of a preset; that of a file with a fingerprint of what is in it."""
    if scheme in (DEFAULT_SCHEME, *PRESETS.values()):
        return scheme.name
    content = (
        sorted(scheme.delete),
        sorted(scheme.equal),
        sorted(scheme.quotes),
        scheme.cut,
        scheme.labelled,
    )
    return f"{_name_file(scheme.name)}({fingerprint(repr(content))})"


def _describe_rules(settings: Settings) -> str:
    from evalign.alignment import choose_rules

    return "+".join(rule.name for rule in choose_rules(settings.normalize)) or "none"


def _describe_alignment() -> str:
    from evalign.alignment import MODEL

    return MODEL


def _describe_exceptions(settings: Settings) -> str:
    """The name of the list with a fingerprint of what is in it: a file of the same name may say something else."""
    if not settings.exceptions:
        return "none"
    from evalign.alignment import load_exceptions

    listed = sorted(load_exceptions(settings.exceptions).items())
    credited = "+credited" if settings.options.credit_exceptions else ""
    return f"{_name_file(settings.exceptions)}({fingerprint(str(listed))}){credited}"


def _name_file(path: str) -> str:
    """A file of options as a signature names it, without the folders it is in."""
    from evalign.files import shorten_paths

    [name] = shorten_paths([path])
    return name


def fingerprint(text: str) -> str:
    """A few characters that tell one text from another."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
