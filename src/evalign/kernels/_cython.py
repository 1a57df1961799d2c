"""A stand-in for the `cython` module where Cython is not installed.

Kernels use `cython` only for declarations, which have no effect in plain Python: a decorator returns its
function, a type is a name that can be subscripted, a declared or cast value is the value.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")

compiled = False


class Declaration:
    """A stand-in for any name of `cython` that has no definition here.

    Examples: `@cfunc`, `@exceptval(-1)`, `@locals(i=int)`, `int[:, ::1]`, `with nogil:`.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, _shape: object) -> Declaration:
        return self

    def __call__(self, *arguments: Any, **_options: object) -> Any:  # noqa: ANN401
        """Return the decorated function or, called with arguments, the decorator itself."""
        if len(arguments) == 1 and callable(arguments[0]) and not isinstance(arguments[0], Declaration):
            return arguments[0]
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_error: object) -> None:
        return None

    def __repr__(self) -> str:
        return f"cython.{self.name}"


def declare(_type: object = None, value: T | None = None, **_names: object) -> T | None:
    """Return the initial value of a variable that is declared with a type."""
    return value


def cast(_type: object, value: T, **_options: object) -> T:
    """Return the value unchanged: an integer of Python has no width."""
    return value


def __getattr__(name: str) -> Declaration:
    if name.startswith("__"):
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return Declaration(name)
