"""How these numbers came about: signatures and ledgers in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from evalign.reports.html.text import metric_name, visible
from evalign.reports.ledger import describe_ledger
from evalign.reports.significance import TESTS, Assessed, count_resamples, count_units
from evalign.reports.width import file_name
from evalign.result import Ledger, SystemResult
from evalign.result.ledger import PairLedger
from evalign.significance import Significance

# What the parts of a signature are about.
_KEYS = {
    "evalign": "version of evalign",
    "kernels": "form of the inner loops",
    "mode": "mode",
    "lines": "characters of gold and system",
    "normalize": "made equal before comparing",
    "thresholds": "thresholds of the alignment",
    "exceptions": "list of exceptions",
    "match": "what makes spans equal",
    "strategy": "how sentences are aligned",
    "average": "average",
    "unit": "counts are kept by",
    "preset": "which brackets count",
    "empty": "empty elements",
    "punctuation": "who says what is punctuation",
    "candidates": "marks that may end a sentence",
    "weights": "weights of relations",
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
# What some of their values say.
_VALUES = {
    ("mode", "aligned"): "aligned: the texts may differ",
    ("mode", "strict"): "strict: what the CoNLL 2018 script refuses is refused",
    ("lines", "equal"): "the same",
    ("lines", "differ"): "differ",
    ("normalize", "not-needed"): "nothing: the characters are the same",
    ("thresholds", "not-needed"): "not needed",
    ("match", "default"): "sentences and brackets by place, tokens and words by place and text",
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
# Keys that mean something else with some value.
_KEYS_OF_VALUES = {("match", "sets-of-id-pairs"): "what is compared"}
_COUNTED = re.compile(r"(document|stretch|sentence|unit|whole|foreign[- ]id)\((\d+)\)(?:x(\d+))?")
_TRAINED = re.compile(r"training\((.*)\)")
_AUTOMATIC = re.compile(r"auto\((\d+)\)")
_RULES = {
    "nfc": "characters composed (NFC)",
    "xml": "XML escapes undone",
    "brackets": "escaped brackets undone",
    "slashes": "escaped slashes and stars undone",
    "quotes": "quotes made equal",
    "ellipsis": "ellipses made equal",
    "width": "width variants made equal",
    "lower": "letters lower-cased",
    "accents": "accents set aside",
    "format": "format characters set aside",
    "exceptions": "rewritten by the list of exceptions",
    "other-case": "different in case",
    "other-accents": "different in accents",
    "other-variant": "written as variants",
    "substituted": "replaced by other characters",
    "gold-only": "only in gold",
    "system-only": "only in the system",
    "unrelated-gold": "text of gold that the system has nothing of",
    "unrelated-system": "text of the system that gold has nothing of",
}

_PAIR_RULES = {
    "repeated": "lines that say again what was said; each pair counts once, with its best score",
    "first": "first ids that are in several pairs",
    "second": "second ids that are in several pairs",
}


class Rule(NamedTuple):
    """What was tolerated, how often, and where first."""

    name: str
    meaning: str
    gold: int
    system: int
    places: str


class Tolerated(NamedTuple):
    """What the scores of one system tolerated."""

    told: Sequence[tuple[str, str]]
    rules: Sequence[Rule]
    substitutions: Sequence[tuple[str, str, int]]
    other_text: Sequence[tuple[str, int]]
    reordered: int


class Signature(NamedTuple):
    """A signature, its parts in words, and the systems that have it."""

    systems: Sequence[str]
    text: str
    parts: Sequence[tuple[str, str]]


def make_tolerated(ledger: Ledger) -> Tolerated:
    """A ledger, ready to be shown."""
    if ledger.pairs is not None:
        return _tolerate_pairs(ledger.pairs, _tell(ledger))
    rules = [
        Rule(
            visible(name),
            _RULES.get(name, visible(name)),
            rule.gold,
            rule.system,
            ", ".join(visible(file_name(place)) for place in rule.places),
        )
        for name, rule in ledger.rules.items()
    ]
    substitutions = [(visible(gold), visible(system), n) for gold, system, n in ledger.substitutions]
    other_text = [(metric_name(name), count) for name, count in ledger.same_place_other_text.items() if count]
    return Tolerated(_tell(ledger), rules, substitutions, other_text, ledger.reordered)


def _tolerate_pairs(pairs: PairLedger, told: Sequence[tuple[str, str]]) -> Tolerated:
    """The same of extracted pairs: a table of what there was, words where there was nothing."""
    rules = [
        Rule(
            name,
            meaning,
            rule.gold,
            rule.system,
            ", ".join(visible(file_name(place)) for place in rule.places),
        )
        for (name, meaning), rule in zip(_PAIR_RULES.items(), pairs, strict=True)
        if rule.gold or rule.system
    ]
    return Tolerated([] if rules else told, rules, (), (), 0)


def _tell(ledger: Ledger) -> list[tuple[str, str]]:
    """The lines of the ledger as pairs of a word and what it says; a line may go on in the next."""
    told: list[tuple[str, str]] = []
    for line in describe_ledger(ledger, columns=10_000):
        word, _, rest = line.partition(" ")
        told.append((word, rest.strip()))
    return told


def make_signatures(systems: Sequence[SystemResult], names: Sequence[str]) -> list[Signature]:
    """The signatures, each with the systems that have it."""
    found: dict[str, list[str]] = {}
    for system, name in zip(systems, names, strict=True):
        found.setdefault(system.signature, []).append(name)
    return [
        Signature(some, visible(text), [_part(part) for part in text.split("|") if part])
        for text, some in found.items()
    ]


def _part(text: str) -> tuple[str, str]:
    key, _, value = text.partition(":")
    said = _VALUES.get((key, value)) or _say(value)
    name = _KEYS_OF_VALUES.get((key, value)) or _KEYS.get(key, visible(key))
    return name, visible(said)


def _say(value: str) -> str:
    """A value of which there are many: unit:document(316), threshold:training(0.5), normalize:nfc+xml."""
    found = _COUNTED.fullmatch(value)
    if found and found[3]:
        return (
            f"{count_units(int(found[2]), 'unit')} of {found[3]} neighbouring {found[1].replace('-', ' ')}s"
        )
    if found:
        return count_units(int(found[2]), found[1].replace("-", " "))
    if automatic := _AUTOMATIC.fullmatch(value):
        return f"{int(automatic[1]):,}, by the number of tests"
    if trained := _TRAINED.fullmatch(value):
        return f"{trained[1]}, the best on the training split"
    return value.replace("+", ", ")


def describe_resampling(found: Significance, *, several: bool) -> str:
    """What intervals and tests are based on, or why there are none."""
    if found.reason:
        return f"There are no intervals and no tests: {found.reason}."
    used = found.resampling
    told = (
        f"Intervals of {100 * used.confidence:.10g} % from {count_resamples(used.for_intervals)} of "
        f"{count_units(found.n_units, found.unit_kind)}, seed {used.seed}."
    )
    if several:
        drawn = (
            "" if found.test_resamples == used.for_intervals else f", {count_resamples(found.test_resamples)}"
        )
        told += f" p is by {TESTS[used.test]}{drawn}, adjusted by Holm's method."
        for line in Assessed(found, intervals=True, paired=True).floors():
            told += f" {visible(line if line.startswith('p ') else line[:1].upper() + line[1:])}."
    for reason in dict.fromkeys(found.reasons.values()):
        metrics = [metric for metric, why in found.reasons.items() if why == reason]
        told += f" There are none of {', '.join(map(metric_name, metrics))}: {visible(reason)}."
    return told
