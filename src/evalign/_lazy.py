"""Faces of packages: public names whose modules are loaded when a name is first asked for.

`import evalign` and small commands stay quick, because nothing is loaded that they do not use.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_face(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    `modules` has the public names of each module, separated by spaces; a module is named relative to the package
    (".formats") or from the top ("evalign.errors"). No name may also be a module of the package, because importing that module
    would hide it.
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
