"""A file that should be a saved result, opened: where it is none, what it is instead."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from evalign.errors import InputError, Place, quote
from evalign.readers import OpenFile, read_stored
from evalign.results.shapes import ShapeError, describe_kind, refuse

SCHEMA = 1
# What to do about a file that is not a saved result.
ADVICE = "save one: evalign score ... -o run.json"


def read_saved(place: Place, path: str | os.PathLike[str]) -> Mapping[str, object]:
    """A result as it was saved, alone or in parts; raises `InputError` with what else there is."""
    text = _read_text(place, path)
    try:
        found = parse_json(text)
    except RecursionError:
        raise no_result(place, "nested too deeply") from None
    except json.JSONDecodeError as error:
        raise no_result(place, _describe_text(text, error)) from None
    except ShapeError as error:
        raise no_result(place, str(error)) from None
    except ValueError:  # more digits than Python reads
        raise no_result(place, "a number that is too large") from None
    if not isinstance(found, dict):
        raise no_result(place, f"JSON of something else: {describe_kind(found)}")
    _check_schema(place, found)
    return found


def parse_json(text: str | bytes) -> object:
    """JSON in which no object has a key twice: else it would depend on the reader which of the values counts.

    >>> parse_json('{"f1": 0.5, "f1": 0.9}')
    Traceback (most recent call last):
    evalign.results.shapes.ShapeError: f1: twice in the same object, expected every key once
    """
    return cast("object", json.loads(text, object_pairs_hook=_refuse_repeated))


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        refuse(next(key for key in keys if keys.count(key) > 1), "twice in the same object", "every key once")
    return found


def _read_text(place: Place, path: str | os.PathLike[str]) -> str:
    try:
        with Path(path).open("rb") as file:
            return read_stored(OpenFile(str(place), file)).decode("utf-8")
    except UnicodeDecodeError:
        raise no_result(place, "not UTF-8") from None
    except (OSError, ValueError) as error:  # a name may hold a NUL
        reason = getattr(error, "strerror", None) or "no such name"
        raise InputError(place, f"cannot be read ({reason})", "a saved result", ADVICE) from None


def _describe_text(text: str, error: json.JSONDecodeError) -> str:
    """Where text stops to be JSON."""
    if not text.strip():
        return "an empty file"
    if error.pos >= len(text.rstrip()):
        return f"not JSON at line {error.lineno}: the file ends too early"
    return f"not JSON at line {error.lineno}, column {error.colno}"


def no_result(place: Place, found: str) -> InputError:
    """What to say of a file that is something else."""
    return InputError(place, f"not a saved result ({found})", "JSON that evalign saved", ADVICE)


def _check_schema(place: Place, saved: Mapping[str, object]) -> None:
    """Raise `InputError` for JSON that is no whole result of this schema."""
    if "schema" not in saved or not ("systems" in saved or "parts" in saved or saved["schema"] != SCHEMA):
        raise no_result(place, f"JSON of something else: {_describe_keys(saved)}")
    if saved["schema"] != SCHEMA:
        schema = saved["schema"]
        shown = str(schema)[:20] if isinstance(schema, int | str) else describe_kind(schema)
        found = f"schema {shown}"
        raise InputError(place, found, f"a saved result of schema {SCHEMA}", ADVICE)
    if "parts" not in saved and "unit" not in saved:
        raise was_printed(place)


def _describe_keys(saved: Mapping[str, object]) -> str:
    if {"cells", "nbformat"} <= saved.keys():
        return "a notebook"
    named = ", ".join(quote(key[:20]) for key in list(saved)[:3])
    return f"an object of {named}{', ...' if len(saved) > 3 else ''}" if saved else "an object of nothing"


def was_printed(place: Place) -> InputError:
    """What to say of a result without what later commands need."""
    found = "printed by --format json, which keeps no units"
    return InputError(place, found, "a result saved with -o", ADVICE)
