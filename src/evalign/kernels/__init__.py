"""The few hot loops: arrays of integers in, integers out.

Every module here named `*_cy` is one source in two forms: compiled by Cython where the installation could,
and plain Python anywhere. Both give the same results. Python imports the compiled form where it is installed;
set EVALIGN_KERNELS=plain before starting Python to run the source instead. The kernels are used by readers,
alignment, metrics and compat.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

TYPE_CHECKING = False  # as type checkers allow: importing typing would slow down the start
if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["is_compiled", "load_plain"]

# Finds the sources in this folder, but not the compiled modules beside them.
_SOURCES = FileFinder(__path__[0], (SourceFileLoader, SOURCE_SUFFIXES))

if os.environ.get("EVALIGN_KERNELS") == "plain":
    # The import system asks this finder, and no other, for the modules of this folder.
    sys.path_importer_cache[__path__[0]] = _SOURCES


def is_compiled() -> bool:
    """Return whether the kernels in use are the compiled ones."""
    from evalign.kernels import match_cy

    return match_cy.is_compiled()


def load_plain(name: str) -> ModuleType:
    """Load the plain form of a kernel module, even where the compiled form is installed.

    The module gets a name of its own beside the module in use, so that a test can hold both:
    `load_plain("match_cy")` is `evalign.kernels.plain.match_cy`. If it imports other kernels, it gets the
    forms of them that are in use.
    """
    from importlib.util import module_from_spec  # here, since only tests need it and start-up counts

    full_name = f"{__name__}.plain.{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    spec = _SOURCES.find_spec(full_name)
    if spec is None or spec.loader is None:
        message = f"there is no kernel module {name}"
        raise ModuleNotFoundError(message, name=full_name)
    module = module_from_spec(spec)
    sys.modules[full_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full_name]
        raise
    return module
