"""How many treebanks averages are of."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.result.parts import Parts


def describe_coverage(parts: Parts, metrics: Sequence[str]) -> list[str]:
    """Where a system's averages are of fewer parts than there are; said once of all systems if it is true of all."""
    told = [_describe_system(parts, number, metrics) for number in range(len(parts.systems))]
    if all(lines == told[0] for lines in told):
        return told[0]
    return [f"{name}: {line}" for name, lines in zip(parts.systems, told, strict=True) for line in lines]


def _describe_system(parts: Parts, number: int, metrics: Sequence[str]) -> list[str]:
    sizes: dict[int, list[str]] = {}
    for metric in metrics:
        sizes.setdefault(len(parts.covered(number, metric)), []).append(metric)
    sizes.pop(len(parts), None)
    lines = []
    for size, found in sorted(sizes.items()):
        which = "" if len(found) == len(metrics) else f" of {', '.join(found)}"
        lines.append(f"averages{which} are of {size} of {len(parts)} {parts.by}s")
    return lines
