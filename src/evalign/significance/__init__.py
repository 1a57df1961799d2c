"""Is it luck: confidence intervals and paired tests from the counts per unit.

`assess` takes a result and resamples its units, `assess_parts` does so for the averages over the parts of a run.
Nothing is counted again: rows of counts add up, so a resample is a weighted sum of the rows.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.significance.assessment import assess
    from evalign.significance.parts import assess_parts
    from evalign.significance.settings import DEFAULT, TESTS, Resampling
    from evalign.significance.values import Difference, Interval, PartsSignificance, Significance

__all__ = [
    "DEFAULT",
    "TESTS",
    "Difference",
    "Interval",
    "PartsSignificance",
    "Resampling",
    "Significance",
    "assess",
    "assess_parts",
]

# Loaded when asked for: a command that only wants the defaults needs no numpy.
_HOMES = {
    "assess": "assessment",
    "assess_parts": "parts",
    **dict.fromkeys(("DEFAULT", "TESTS", "Resampling"), "settings"),
    **dict.fromkeys(("Difference", "Interval", "PartsSignificance", "Significance"), "values"),
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"evalign.significance.{_HOMES[name]}"), name)
