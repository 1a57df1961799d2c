"""Signatures in words: the short one that stands under tables, and each key of the long one explained."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from evalign.options import SIGNED
from evalign.reports.formats import Report
from evalign.results.signatures import join_signatures, list_signatures, split_signature
from evalign.table import Table
from evalign.wording import count_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results.system_result import SystemResult

_COUNTED = re.compile(r"(document|stretch|sentence|unit|whole|foreign[- ]id)\((\d+)\)(?:x(\d+))?")
_TRAINED = re.compile(r"training\((.*)\)")
_AUTOMATIC = re.compile(r"auto\((\d+)\)")


def report_signatures(systems: Sequence[SystemResult], names: Sequence[str]) -> Report:
    """Report the short signature, and the long one of every system with its keys in words."""
    # Joining drops keys that do not affect any number, which older results have.
    signatures = [join_signatures([system.signature]) for system in systems]
    groups: dict[str, list[str]] = {}
    for name, signature in zip(names, signatures, strict=True):
        groups.setdefault(signature, []).append(name)
    parts = {text: split_signature(text) for text in groups}
    several = len(groups) > 1
    [short, *own] = list_signatures(names, signatures)
    whole = [f"signature of {', '.join(some)}" if several else "signature" for some in groups.values()]
    footer = [short, *own, *(f"{head} in full: {text}" for head, text in zip(whole, groups, strict=True))]
    rows = [
        [system.name, key, value]
        for system, signature in zip(systems, signatures, strict=True)
        for key, value in parts[signature].items()
    ]
    saved = [
        {"name": system.name, "signature": signature, "parts": parts[signature]}
        for system, signature in zip(systems, signatures, strict=True)
    ]
    tables = [Table(["part", "what it says"], explain_signature(text), "nl") for text in groups]
    tables[-1] = tables[-1]._replace(notes=footer)
    return Report(
        tables,
        Table(["system", "part", "value"], rows, "nnl"),
        {"short": short.removeprefix("signature").strip(), "systems": saved},
        footer,
        [", ".join(some) for some in groups.values()] if several else (),
    )


def explain_signature(signature: str) -> list[tuple[str, str]]:
    """Return what each key of a signature is about, and what its value says, in words."""
    return [_explain_part(key, value) for key, value in split_signature(signature).items()]


@cache
def _load_words() -> Mapping[str, Mapping[str, str]]:
    """Read the keys of signatures and their values in words."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _explain_part(key: str, value: str) -> tuple[str, str]:
    keys, values = _load_words()["keys"], _load_words()["values"]
    part = f"{key}:{value}"
    said = SIGNED[key].metadata if key in SIGNED else {"about": keys.get(key, key)}
    return keys.get(part) or said.get("about") or said["help"], values.get(part) or _say(value)


def _say(value: str) -> str:
    """Write a value that has numbers or parts in words: document(316), training(0.5), nfc+xml."""
    match = _COUNTED.fullmatch(value)
    if match and match[3]:
        return (
            f"{count_units(int(match[2]), 'unit')} of {match[3]} neighbouring {match[1].replace('-', ' ')}s"
        )
    if match:
        return count_units(int(match[2]), match[1].replace("-", " "))
    if automatic := _AUTOMATIC.fullmatch(value):
        return f"{int(automatic[1]):,}, by the number of tests"
    if trained := _TRAINED.fullmatch(value):
        return f"{trained[1]}, the best on the training split"
    return value.replace("+", ", ")
