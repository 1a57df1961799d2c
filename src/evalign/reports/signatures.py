"""Signatures in words: the short one that stands under tables, and each key of the long one explained."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalign.results import join_signatures, list_signatures, split_signature
from evalign.wording import count_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.reports.formats import Report
    from evalign.results import SystemResult

# The keys of a signature in words.
_KEYS = {
    "evalign": "version of evalign",
    "mode": "mode",
    "lines": "characters of gold and system",
    "normalize": "made equal before comparing",
    "alignment": "version of the alignment",
    "exceptions": "list of exceptions",
    "match": "what makes spans equal",
    "strategy": "how sentences are aligned",
    "average": "average",
    "unit": "counts are kept by",
    "preset": "which brackets count",
    "empty": "empty elements",
    "empty-nodes": "empty nodes of enhanced graphs",
    "punctuation": "who says what is punctuation",
    "candidates": "marks that may end a sentence",
    "vocabulary": "fingerprint of the known words",
    "weights": "weights of relations",
    "window": "how far displaced text was looked for, in characters",
    "failures": "what averages make of failures",
    "failed": "the system failed",
    "by": "part of a result",
    "treebanks": "treebanks",
    "relations": "version of UD for relations",
    "edges": "enhanced edges",
    "feature-values": "values of features",
    "seed": "seed",
    "resamples": "resamples",
    "confidence": "level of confidence",
    "test": "test",
    "correction": "correction for several tests",
    "task": "task",
    "languages": "languages of the pairs",
    "ties": "pairs of equal score",
    "threshold": "threshold",
}
# Some values in words.
_VALUES = {
    ("mode", "aligned"): "aligned: the texts may differ",
    ("mode", "strict"): "strict: what the CoNLL 2018 script refuses is refused",
    ("lines", "equal"): "the same",
    ("lines", "differ"): "differ",
    ("normalize", "not-needed"): "nothing: the characters are the same",
    ("alignment", "not-needed"): "not needed",
    ("exceptions", "none"): "none",
    ("match", "default"): "place; of tokens and words also text",
    ("match", "place"): "place alone",
    ("match", "text"): "place and text",
    ("strategy", "places"): "shared places",
    ("strategy", "printed"): "Algorithm 1 of Jo et al. 2024 as printed",
    ("average", "micro"): "micro: counts are added up first",
    ("feature-values", "ordered"): "their order matters",
    ("feature-values", "set"): "their order does not matter",
    ("task", "bitext"): "parallel sentences extracted from corpora of two languages",
    ("match", "sets-of-id-pairs"): "pairs of ids, as sets",
    ("ties", "together"): "come and go together",
}
# Keys that mean something else with a certain value.
_KEYS_OF_VALUES = {("match", "sets-of-id-pairs"): "what is compared"}
_COUNTED = re.compile(r"(document|stretch|sentence|unit|whole|foreign[- ]id)\((\d+)\)(?:x(\d+))?")
_TRAINED = re.compile(r"training\((.*)\)")
_AUTOMATIC = re.compile(r"auto\((\d+)\)")


def report_signatures(systems: Sequence[SystemResult], names: Sequence[str]) -> Report:
    """Report the short signature, and the long one of every system with its keys in words."""
    from evalign.reports.formats import Report
    from evalign.table import Table

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


def _explain_part(key: str, value: str) -> tuple[str, str]:
    said = _VALUES.get((key, value)) or _say(value)
    name = _KEYS_OF_VALUES.get((key, value)) or _KEYS.get(key, key)
    return name, said


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
