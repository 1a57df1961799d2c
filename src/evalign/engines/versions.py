"""Whether those who are to work together can: versions of evalign, Python and numpy here and at the workers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from evalign._version import __version__
from evalign.engines.dask import Client
from evalign.errors import EngineError

# What a worker is asked. It is an expression of Python's own, since a worker may be without evalign, or run a Python
# that could not read functions of this one.
_EVALIGN = "__import__('evalign').__version__"
_MOST_NAMED = 3


class Versions(NamedTuple):
    """What a process runs; empty where it has none of it."""

    evalign: str
    python: str
    numpy: str


@cache
def own_versions() -> Versions:
    """What runs here."""
    return Versions(__version__, ".".join(map(str, sys.version_info[:3])), _find_version("numpy"))


def ask_versions(client: Client) -> dict[str, Versions]:
    """What each worker runs, by its address."""
    has = client.run(eval, _EVALIGN, on_error="return")
    asked = client.get_versions()["workers"]
    return {
        address: Versions(
            evalign if isinstance(evalign := has.get(address), str) else "",
            ".".join(str(said["host"]["python"]).split(".")[:3]),
            said["packages"].get("numpy") or "",
        )
        for address, said in asked.items()
        if address in has
    }


def check_versions(workers: Mapping[str, Versions], own: Versions | None = None) -> None:
    """Raise `EngineError` where workers run something else than this process.

    evalign must be the same: otherwise so would be the numbers. Python up to its second number, and numpy in its first:
    beyond that, one cannot read what the other writes.
    """
    here = own or own_versions()
    for k, (what, n_parts) in enumerate((("evalign", None), ("Python", 2), ("numpy", 1))):
        others = {
            address: said[k]
            for address, said in workers.items()
            if said[k].split(".")[:n_parts] != here[k].split(".")[:n_parts]
        }
        if others:
            raise _refuse(what, here[k], others)


def _refuse(what: str, wanted: str, others: Mapping[str, str]) -> EngineError:
    told = ", ".join(
        f"{address} has {found or 'none'}" for address, found in sorted(others.items())[:_MOST_NAMED]
    )
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    found = f"workers with another version of {what}: {told}{more}"
    wants = f"{what} {wanted}, as here"
    if what == "evalign":
        return EngineError(
            found, wants, f"install evalign {wanted} on each worker, from the same source as here"
        )
    return EngineError(found, wants, "the same environment here and at all workers")


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
