"""Treebanks side by side: what their relations, words and trees are like, and what that does to scores.

After Callin, A typological perspective on evaluation for Universal Dependencies.

>>> from evalign.typology import correlate
>>> correlate([0.1, 0.2, 0.3], [3.0, 2.0, 1.0])
-1.0
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.cascades import (
        Cascades,
        RunCascades,
        TreebankCascades,
        count_cascades,
        find_cascades,
        find_run_cascades,
    )
    from evalign.typology.comparison import TreebankComparison, compare
    from evalign.typology.correlation import correlate, correlate_ranks, spread
    from evalign.typology.judgements import (
        Agreement,
        Judgement,
        RunAgreements,
        judge,
        judge_run,
        read_judgements,
    )
    from evalign.typology.profiles import Profile, Profiles, average_entropies, load_profiles, profile
    from evalign.typology.selection import Criteria, Selection, select
    from evalign.typology.settings import Settings
    from evalign.typology.study import Study, study
    from evalign.typology.weights import make_weights, save_weights

# Where each name lives; nothing is imported until it is asked for.
_HOMES = {
    "Agreement": "judgements",
    "Cascades": "cascades",
    "Criteria": "selection",
    "Judgement": "judgements",
    "Profile": "profiles",
    "Profiles": "profiles",
    "RunAgreements": "judgements",
    "RunCascades": "cascades",
    "Selection": "selection",
    "Settings": "settings",
    "Study": "study",
    "TreebankCascades": "cascades",
    "TreebankComparison": "comparison",
    "average_entropies": "profiles",
    "compare": "comparison",
    "correlate": "correlation",
    "correlate_ranks": "correlation",
    "count_cascades": "cascades",
    "find_cascades": "cascades",
    "find_run_cascades": "cascades",
    "judge": "judgements",
    "judge_run": "judgements",
    "load_profiles": "profiles",
    "make_weights": "weights",
    "profile": "profiles",
    "read_judgements": "judgements",
    "save_weights": "weights",
    "select": "selection",
    "spread": "correlation",
    "study": "study",
}

__all__ = [
    "Agreement",
    "Cascades",
    "Criteria",
    "Judgement",
    "Profile",
    "Profiles",
    "RunAgreements",
    "RunCascades",
    "Selection",
    "Settings",
    "Study",
    "TreebankCascades",
    "TreebankComparison",
    "average_entropies",
    "compare",
    "correlate",
    "correlate_ranks",
    "count_cascades",
    "find_cascades",
    "find_run_cascades",
    "judge",
    "judge_run",
    "load_profiles",
    "make_weights",
    "profile",
    "read_judgements",
    "save_weights",
    "select",
    "spread",
    "study",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
