"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Ratios that have another name for people, or come in this order.
RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1", "aligned_accuracy": "aligned accuracy"}


def name_ratio(name: str) -> str:
    """Name a ratio as people do.

    >>> name_ratio("f1"), name_ratio("error"), name_ratio("two_or_less")
    ('F1', 'error rate', 'two or less')
    """
    return "error rate" if name == "error" else RATIOS.get(name, name.replace("_", " "))


def find_ratio(text: str, ratios: Iterable[str]) -> str:
    """Find a ratio that is named as people do; any other text is a name that programs use.

    >>> find_ratio("error rate", ["error"]), find_ratio("two or less", []), find_ratio("error", ["error"])
    ('error', 'two_or_less', 'error')
    """
    return next((ratio for ratio in ratios if name_ratio(ratio) == text), text.replace(" ", "_"))


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def name_units(kinds: Iterable[str]) -> str:
    """Name units of some kinds together, in the plural.

    >>> name_units(["document"]), name_units(["stretch"]), name_units(["stretch", "document"]), name_units(["whole"])
    ('documents', 'units', 'units', 'texts')
    """
    names = {"stretch": "units", "whole": "texts", "group of foreign ids": "groups of foreign ids"}
    plurals = {names.get(kind, f"{kind}s") for kind in kinds}
    return plurals.pop() if len(plurals) == 1 else "units"


def percent(value: float | None) -> str:
    """A ratio as a percentage with two decimals; "-" where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A number that is no share, with so many decimals; "-" where it is undefined.

    >>> decimal(1.25), decimal(None)
    ('1.25', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def best_of(values: Sequence[float | None], *, lowest: bool = False) -> list[int]:
    """Which of some values are best, as shown; none if they are all the same."""
    shown = [None if value is None else round(value, 4) for value in values]
    known = {value for value in shown if value is not None}
    if len(known) < 2:
        return []
    wanted = min(known) if lowest else max(known)
    return [k for k, value in enumerate(shown) if value == wanted]
