"""Packages with public names: load the module of a name when the name is first used.

This keeps `import evalign` and small commands fast, because modules that are not used are never loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_face(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for the package named `package`.

    `modules` maps each module to its public names, separated by spaces; a module is named relative to the
    package (".formats") or from the top ("evalign.errors"). No name may also be the name of a module of the
    package, because importing that module would hide it.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find_name(name: str) -> object:
        if name not in homes:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module

        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find_name, list_names, sorted(homes)
