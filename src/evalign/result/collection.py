"""Saved results of any kind: one result, or one in parts such as a shared task by treebank."""

from __future__ import annotations

import json
import os
from pathlib import Path

from evalign.errors import InputError, Place
from evalign.result import Parts, Result
from evalign.result.averages import SavedParts
from evalign.result.saved import ADVICE, SCHEMA, check_schema


def load_saved(path: str | os.PathLike[str]) -> Result | Parts:
    """What `evalign score -o` saved: a result, or one in parts; its errors are those kept as evidence."""
    place = Place(os.fspath(path))
    try:
        saved = json.loads(Path(path).read_text(encoding="utf-8"))
        if saved.get("schema") == SCHEMA and "parts" in saved:
            return _load_parts(place, saved)
        check_schema(place, saved)
        return Result.from_json(saved)
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        raise InputError(place, found, "a saved result", ADVICE) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = f"no saved result ({type(error).__name__}: {error})"
        raise InputError(place, found, "JSON that evalign saved", ADVICE) from None


def _load_parts(place: Place, saved: SavedParts) -> Parts:
    if not saved["parts"]:
        raise InputError(place, "no parts", "at least one", ADVICE)
    if not all("unit" in result for result in saved["parts"].values()):
        raise InputError(place, "no units", "a result that was saved whole", ADVICE)
    results = {name: Result.from_json(result) for name, result in saved["parts"].items()}
    if saved["failures"] not in ("skip", "zero"):
        raise InputError(place, f"failures {saved['failures']!r}", "skip or zero", ADVICE)
    if not isinstance(saved["by"], str):
        raise InputError(place, f"parts by {saved['by']!r}", "a word for what the parts are", ADVICE)
    names = {tuple(system.name for system in result.systems) for result in results.values()}
    if len(names) > 1 or not all(names):
        raise InputError(place, "parts of different systems", "the same systems in every part", ADVICE)
    return Parts(
        saved["by"],
        results,
        saved["source"],
        saved["failures"],
        warnings=tuple(saved["warnings"]),
    )
