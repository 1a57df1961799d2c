"""How many treebanks averages are of, and whether two systems' averages are of the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from evalign.metrics import show_metric
from evalign.results import Parts, has_no_row


def describe_coverage(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Where a system's averages are of fewer parts than there are; said once of all systems if it is true of all."""
    told = [_describe_system(parts, number, metrics) for number in range(len(parts.systems))]
    if not all(lines == told[0] for lines in told):
        lines = [f"{name}: {line}" for name, found in zip(parts.systems, told, strict=True) for line in found]
    else:
        lines = told[0]
    uneven = [metric for metric in metrics if not cover_alike(parts, metric, "macro")]
    if uneven:
        which = "" if len(uneven) == len(metrics) else f" of {', '.join(map(show_metric, uneven))}"
        lines.append(
            f"averages{which} are not of the same {parts.by}s, and do not say which system is better"
        )
    return lines


def describe_missed(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Metrics that count as failures, and the micro averages that failures leave nothing of."""
    lines = []
    for number, name in enumerate(parts.systems):
        where: dict[tuple[str, ...], list[str]] = {}
        for part, missed in parts.missed(number).items():
            shown = tuple(metric for metric in metrics if metric in missed)
            if shown:
                where.setdefault(shown, []).append(part)
        for shown, names in where.items():
            told = f"{name} has no {', '.join(map(show_metric, shown))} on {', '.join(names)}, where gold has"
            lines.append(f"{told}: counts as the worst there is")
    uncounted: dict[str, list[str]] = {}
    for number, name in enumerate(parts.systems):
        for metric in metrics:
            if not _can_add_up(parts, number, metric):
                uncounted.setdefault(metric, []).append(name)
    for metric, names in uncounted.items():
        lines.append(
            f"no micro average of {show_metric(metric)} for {', '.join(names)}: failures in it have no counts"
        )
    return lines


def _can_add_up(parts: Parts, number: int, metric: str) -> bool:
    """Whether the counts of all parts can be added up, those that a system failed on among them."""
    results = parts.results.values()
    return parts.failures == "skip" or not any(has_no_row(r.systems[number], metric) for r in results)


def _describe_system(parts: Parts, number: int, metrics: Sequence[str]) -> list[str]:
    sizes: dict[int, list[str]] = {}
    for metric in metrics:
        sizes.setdefault(len(parts.covered(number, metric)), []).append(metric)
    sizes.pop(len(parts), None)
    lines = []
    for size, found in sorted(sizes.items()):
        which = "" if len(found) == len(metrics) else f" of {', '.join(map(show_metric, found))}"
        lines.append(f"averages{which} are of {size} of {len(parts)} {parts.by}s")
    return lines


def describe_compared(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Where the test of a macro average is not of the parts that the average is of."""
    lines = []
    for number in range(1, len(parts.systems)):
        sizes: dict[int, list[str]] = {}
        for metric in metrics:
            first, own = (set(parts.covered(k, metric)) for k in (0, number))
            if first != own:
                sizes.setdefault(len(first & own), []).append(metric)
        for size, found in sorted(sizes.items()):
            which = "" if len(found) == len(metrics) else f" in {', '.join(map(show_metric, found))}"
            pair = f"compared with {parts.systems[0]}{which}"
            common = f"over the {size} of {len(parts)} {parts.by}s that both have"
            told = f"{pair} {common}" if size else f"not {pair}: no {parts.by} has both"
            lines.append(f"{parts.systems[number]} is {told}")
    return lines


def cover_alike(parts: Parts, metric: str, average: Literal["macro", "micro"]) -> bool:
    """Whether the averages of all systems are of the same parts, so that they can be compared."""
    systems = range(len(parts.systems))
    if average == "macro":
        covered = [set(parts.covered(number, metric)) for number in systems]
    else:
        # A system without an average is compared with none.
        covered = [_added_up(parts, k, metric) for k in systems if _can_add_up(parts, k, metric)]
    return all(found == covered[0] for found in covered[1:])


def _added_up(parts: Parts, number: int, metric: str) -> set[str]:
    """The parts whose counts are in the micro average."""
    found = set()
    for name, result in parts.results.items():
        system = result.systems[number]
        score = system.scores.get(metric)
        left_out = bool(system.failure) and parts.failures == "skip"
        if score is not None and score.available and not left_out:
            found.add(name)
    return found
