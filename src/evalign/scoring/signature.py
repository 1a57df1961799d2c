"""Write the signature of a result: all options and properties of texts that could change a score.

`summary.make_systems` signs every system's result; `results.signatures` joins and shortens such lines.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from evalign._version import __version__
from evalign.files import shorten_paths
from evalign.metrics.census import Census, LiveCensus
from evalign.metrics.comparison import Comparison, Units
from evalign.options import DEFAULT_PRESET, PRESETS, Preset
from evalign.scoring.request import Settings


def make_signature(comparison: Comparison, units: Units, settings: Settings) -> str:
    """Return the signature of one comparison of whole texts, for the metrics in `settings`."""
    gold, system = comparison.alignment.gold.original, comparison.alignment.system.original
    compared = ComparedTexts(
        LiveCensus(gold), LiveCensus(system), gold.line == system.line, comparison.alignment.lines_equal
    )
    return sign(compared, describe_units(units.kind, len(units), units.merged), settings)


class ComparedTexts(NamedTuple):
    """The properties of gold and a system that a signature depends on."""

    gold: Census
    system: Census
    lines_equal: bool
    """True if both have the same characters as read."""
    places_equal: bool
    """True if both have the same characters once notation is normalised."""


def describe_units(kind: str, n: int, merged: int = 1) -> str:
    """Describe units in a signature: their kind and number, and how many stretches were merged into one.

    >>> describe_units("stretch", 1200, 2)
    'stretch(1200)x2'
    """
    return f"{kind}({n})" + (f"x{merged}" if merged > 1 else "")


def sign(compared: ComparedTexts, units: str, settings: Settings) -> str:
    """Write a signature, "key:value|key:value|..."; `units` are the units as `describe_units` puts them."""
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
    keys = {key for metric in settings.metrics for key in metric.signature}
    if "candidates" in keys:
        parts["candidates"] = options.candidates
    if "vocabulary" in keys and options.vocabulary is not None:
        parts["vocabulary"] = fingerprint("\n".join(sorted(options.vocabulary)))
    parts |= _describe_columns(compared, settings, keys)
    parts |= _describe_trees(compared, settings)
    # Escape bars in names of files and in the marks that may end a sentence: a bar separates entries.
    return "|".join(f"{key}:{value.replace('|', '%7C')}" for key, value in parts.items())


def _describe_columns(compared: ComparedTexts, settings: Settings, keys: set[str]) -> dict[str, str]:
    """Return the entries, by key, for metrics that read columns: tags, dependencies and enhanced graphs.

    `keys` are those that the metrics add.
    """
    options = settings.options
    parts: dict[str, str] = {}
    if any(
        {*metric.needs} - {"sentences"} for metric in settings.metrics
    ):  # a breakdown by feature may be asked of any of them
        parts["feature-values"] = options.feature_values
    if "edges" in keys:
        parts["edges"] = options.edges
        parts["empty-nodes"] = "collapsed" if settings.collapse_empty_nodes else "dropped"
    if "relations" in keys and compared.gold.has_columns and compared.system.has_columns:
        parts["relations"] = compared.gold.version if options.relations == "auto" else options.relations
    if "weights" in keys and options.weights is not None:
        made_of = f",{options.weights.version}" if options.weights.version else ""
        parts["weights"] = f"{_name_file(options.weights.name)}({options.weights.digest}{made_of})"
    return parts


def _describe_trees(compared: ComparedTexts, settings: Settings) -> dict[str, str]:
    """Return the entries, by key, for brackets and their tags; empty if neither side has trees."""
    options = settings.options
    if not compared.gold.has_trees and not compared.system.has_trees:
        return {}
    parts = {"preset": _describe_preset(options.bracket_rules), "empty": settings.empty}
    if options.bracket_rules.delete:
        parts["punctuation"] = options.punctuation
    return parts


def _describe_preset(preset: Preset) -> str:
    """Name the preset for brackets: a preset by name, a file by name and a fingerprint of its content."""
    if preset in (DEFAULT_PRESET, *PRESETS.values()):
        return preset.name
    content = (
        sorted(preset.delete),
        sorted(preset.equal),
        sorted(preset.quotes),
        preset.cut,
        preset.labelled,
    )
    return f"{_name_file(preset.name)}({fingerprint(repr(content))})"


def _describe_rules(settings: Settings) -> str:
    from evalign.alignment.normalize import choose_rules

    return "+".join(rule.name for rule in choose_rules(settings.normalize)) or "none"


def _describe_alignment() -> str:
    from evalign.alignment.character_alignment import MODEL

    return MODEL


def _describe_exceptions(settings: Settings) -> str:
    """Name the exception list, with a fingerprint of its content.

    A file of the same name may hold another list.
    """
    if not settings.exceptions:
        return "none"
    from evalign.alignment.normalize import load_exceptions

    listed = sorted(load_exceptions(settings.exceptions).items())
    credited = "+credited" if settings.options.credit_exceptions else ""
    return f"{_name_file(settings.exceptions)}({fingerprint(str(listed))}){credited}"


def _name_file(path: str) -> str:
    """Return the name of a file without its folders."""
    [name] = shorten_paths([path])
    return name


def fingerprint(text: str) -> str:
    """Return the first 8 hexadecimal digits of the SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
