"""Metrics that were asked for by name and that no system has: the command fails, after what there is was written."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evalign.cli.parser import names
from evalign.errors import EvalignError
from evalign.metrics import find_name
from evalign.wording import find_ratio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Parts, Result, SystemResult

# What stands for metrics in --metrics and names none.
SETS = ("all", "default")
# Reasons that a message has, of as many files as a person will read.
MOST_REASONS = 3


def check_available(found: Result | Parts, arguments: argparse.Namespace) -> None:
    """Raise `EvalignError` if no system has a number for a metric of --metrics, or the one that --only names.

    Call it when everything else was printed and written. A metric that some system has is no error: the others have a
    warning, and a dash in the table.
    """
    from evalign.results import Result

    results = [found] if isinstance(found, Result) else list(found.results.values())
    systems = [system for result in results for system in result.systems]
    only = getattr(arguments, "only", None) or ""
    given = [*names(getattr(arguments, "metrics", None) or ""), *([only.partition(".")[0]] if only else [])]
    known = [*SETS, *(metric for system in systems for metric in system.scores)]
    asked = [name for name in (find_name(each, known) for each in given) if name not in SETS]
    missing = [name for name in dict.fromkeys(asked) if not any(system.gives(name) for system in systems)]
    if missing:
        raise _refuse(missing, results)
    if only and not has_number(systems, only):
        msg = (
            f"{only} is undefined: nothing was counted\n  expected something to judge in gold and in a system"
        )
        raise EvalignError(msg)


def has_number(systems: Sequence[SystemResult], only: str) -> bool:
    """Whether any system has the number that --only names."""
    metric, _, part = only.partition(".")
    scores = [system[metric] for system in systems]
    parts = [find_ratio(part, score.ratios) or score.layer.headline for score in scores]
    return any(score[name] is not None for score, name in zip(scores, parts, strict=True))


def _refuse(missing: Sequence[str], results: Sequence[Result]) -> EvalignError:
    """What was asked for, why it is not there, and what to do."""
    from evalign.metrics import LAYERS, name_columns
    from evalign.scoring import find_reasons

    reasons = find_reasons((warning for result in results for warning in result.warnings), missing)
    needs = dict.fromkeys(column for name in missing if name in LAYERS for column in LAYERS[name].needs)
    lines = [
        f"no system has {', '.join(missing)}",
        *reasons[:MOST_REASONS],
        *(["..."] if len(reasons) > MOST_REASONS else []),
        f"expected {name_columns(list(needs)) if needs else 'what it needs'} in gold and in a system",
        "without --metrics and --only what the files have is scored; evalign explain NAME says what a metric needs",
    ]
    return EvalignError("\n  ".join(lines))
