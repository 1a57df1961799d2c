"""Checks of JSON from outside against a type: the typed dictionaries that results and data sets are saved as.

Keys that a type does not have are ignored: a later version may have added them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from math import isfinite
from types import NoneType, UnionType
from typing import (
    Any,
    NoReturn,
    NotRequired,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Check: TypeAlias = Callable[[object], None]

# No count and no position is larger, and arrays cannot hold larger integers.
_LARGEST = 2**63 - 1
_NAMES = {str: "text", int: "an integer", float: "a number", bool: "true or false", NoneType: "null"}


class ShapeError(ValueError):
    """Error for JSON that is not of the expected type; `where` is the path to the value."""

    def __init__(self, where: str, problem: str, expected: str) -> None:
        self.where, self.found, self.expected = where, problem, expected
        super().__init__(f"{where.lstrip('.') or 'all of it'}: {problem}, expected {expected}")

    def inside(self, *, where: str) -> ShapeError:
        """Return this error as seen from the containing value: `where` is put before its path."""
        return ShapeError(where + self.where, self.found, self.expected)


def refuse(where: str, problem: str, expected: str) -> NoReturn:
    """Raise `ShapeError` for the value at path `where`."""
    raise ShapeError(where, problem, expected)


def check_shape(value: object, shape: object) -> None:
    """Raise `ShapeError` if `value` is not of the type `shape`.

    >>> check_shape({"a": [1, 2.5]}, dict[str, list[int]])
    Traceback (most recent call last):
    evalign.results.shapes.ShapeError: a[1]: a number, expected an integer
    """
    _make_check(shape)(value)


@cache
def _make_check(shape: object) -> Check:
    origin, inner = get_origin(shape), get_args(shape)
    if shape is object:
        return lambda _value: None
    if is_typeddict(shape):
        return _check_keys(cast("type", shape))
    if shape == list[list[int]]:
        return _check_table
    if origin is list:
        return _check_many(inner[0]) if inner[0] in (int, str) else _check_list(_make_check(inner[0]))
    if origin in (Union, UnionType):
        return _check_any(inner)
    if inner and isinstance(origin, type) and issubclass(origin, Mapping):
        return _check_mapping(_make_check(inner[1]))
    return _check_plain(cast("type", shape))


def describe_kind(value: object) -> str:
    """Describe the type of a JSON value in words."""
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else _NAMES.get(type(value), type(value).__name__)


def _check_plain(kind: type) -> Check:
    """Make the check of text, a number, true or false, or null."""
    kinds = (int, float) if kind is float else (kind,)

    def check(value: object) -> None:
        # Not `isinstance`, which counts true as an integer.
        if type(value) not in kinds:
            refuse("", describe_kind(value), _NAMES[kind])
        if (isinstance(value, int) and abs(value) > _LARGEST) or (
            isinstance(value, float) and not isfinite(value)
        ):
            refuse("", "a number that is too large", _NAMES[kind])

    return check


def _check_many(kind: type) -> Check:
    """Make the fast check of a list of integers or texts, which may have millions."""
    check_each = _check_list(_make_check(kind))

    def check_all(value: object) -> None:
        if (
            not isinstance(value, list | tuple)
            or set(map(type, value)) - {kind}
            or (kind is int and value and (max(value) > _LARGEST or min(value) < -_LARGEST))
        ):
            check_each(value)

    return check_all


def _check_table(value: object) -> None:
    """Check rows of integers all at once, as there may be millions."""
    if isinstance(value, list | tuple) and set(map(type, value)) <= {list}:
        try:
            _make_check(list[int])([*chain.from_iterable(value)])
        except ShapeError:
            _check_list(_make_check(list[int]))(value)  # again, to name the row in the error
    else:
        _check_list(_make_check(list[int]))(value)


def _check_list(check: Check) -> Check:
    def check_all(value: object) -> None:
        if not isinstance(value, list | tuple):
            refuse("", describe_kind(value), "a list")
        number = 0
        try:
            for number, each in enumerate(value):  # noqa: B007 - for the message
                check(each)
        except ShapeError as error:
            raise error.inside(where=f"[{number}]") from None

    return check_all


def _check_mapping(check: Check) -> Check:
    def check_all(value: object) -> None:
        if not isinstance(value, Mapping):
            refuse("", describe_kind(value), "an object")
        key = ""
        try:
            for key, each in value.items():  # noqa: B007
                check(each)
        except ShapeError as error:
            raise error.inside(where=f".{key}") from None

    return check_all


def _check_keys(shape: type) -> Check:
    """Make the check of a typed dictionary: required keys, and the type of each known key."""
    checks = {key: _make_check(kind) for key, kind in get_type_hints(shape).items()}
    marked = get_type_hints(shape, include_extras=True)
    required = {key for key in vars(shape)["__required_keys__"] if get_origin(marked[key]) is not NotRequired}

    def check_all(value: object) -> None:
        if not isinstance(value, dict):
            refuse("", describe_kind(value), "an object")
        lacking = sorted(required - value.keys())
        if lacking:
            refuse("", f'no "{lacking[0]}"', "every key that evalign writes")
        for key, check in checks.items():
            if key in value:
                try:
                    check(value[key])
                except ShapeError as error:
                    raise error.inside(where=f".{key}") from None

    return check_all


def _check_any(kinds: tuple[Any, ...]) -> Check:
    """Make the check of a union; the error is that of its last type."""
    checks = [_make_check(kind) for kind in kinds]

    def check_all(value: object) -> None:
        for check in checks[:-1]:
            try:
                check(value)
            except ShapeError:
                continue
            return
        try:
            checks[-1](value)
        except ShapeError as error:
            expected = " or ".join(_NAMES.get(kind, "a list or an object") for kind in kinds)
            raise ShapeError(error.where, error.found, expected) from None

    return check_all
