"""Sections on how the numbers came about: ledgers, signatures and resampling in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalign.files import file_name
from evalign.reports.html.markup import metric_name, visible
from evalign.reports.signatures import explain_signature
from evalign.reports.significance import TESTS, Assessed, count_resamples
from evalign.results.ledger import RULE_WORDS, Ledger, LedgerRule, PairLedger, list_tolerated
from evalign.results.signatures import join_signatures
from evalign.results.system_result import SystemResult
from evalign.significance.values import Significance
from evalign.wording import count_units

_PAIR_RULES = {
    "repeated": "lines that say again what was said; each pair counts once, with its best score",
    "first": "first ids that are in several pairs",
    "second": "second ids that are in several pairs",
}


class LedgerRow(NamedTuple):
    """A rule of the ledger: what it tolerated, how often on each side, and where first."""

    name: str
    meaning: str
    gold: int
    system: int
    places: str


class ToleranceSection(NamedTuple):
    """The ledger of one system: what its scores tolerated."""

    lines: Sequence[tuple[str, str]]
    rules: Sequence[LedgerRow]
    substitutions: Sequence[tuple[str, str, int]]
    other_text: Sequence[tuple[str, int]]
    reordered: int


class SignatureSection(NamedTuple):
    """A signature, its keys in words, and the systems that share it."""

    systems: Sequence[str]
    text: str
    parts: Sequence[tuple[str, str]]


def make_tolerance_section(ledger: Ledger) -> ToleranceSection:
    """Prepare a ledger for the template."""
    if ledger.pairs is not None:
        return _tolerate_pairs(ledger.pairs, _tell(ledger))
    rules = [
        _make_row(visible(name), RULE_WORDS.get(name, visible(name)), rule)
        for name, rule in ledger.rules.items()
    ]
    substitutions = [(visible(gold), visible(system), n) for gold, system, n in ledger.substitutions]
    other_text = [(metric_name(name), count) for name, count in ledger.same_place_other_text.items() if count]
    return ToleranceSection(_tell(ledger), rules, substitutions, other_text, ledger.reordered)


def _tolerate_pairs(pairs: PairLedger, lines: Sequence[tuple[str, str]]) -> ToleranceSection:
    """Prepare the ledger of extracted pairs: a table of what occurred, else the lines in words."""
    rules = [
        _make_row(name, meaning, rule)
        for (name, meaning), rule in zip(_PAIR_RULES.items(), pairs, strict=True)
        if rule.gold or rule.system
    ]
    return ToleranceSection([] if rules else lines, rules, (), (), 0)


def _make_row(name: str, meaning: str, rule: LedgerRule) -> LedgerRow:
    places = ", ".join(visible(file_name(place)) for place in rule.places)
    return LedgerRow(name, meaning, rule.gold, rule.system, places)


def _tell(ledger: Ledger) -> list[tuple[str, str]]:
    """Return the lines of the ledger as pairs of a head and its text."""
    return [(head, ", ".join(parts)) for head, parts in list_tolerated(ledger)]


def make_signatures(systems: Sequence[SystemResult], names: Sequence[str]) -> list[SignatureSection]:
    """Return each distinct signature with the systems that share it."""
    systems_by_text: dict[str, list[str]] = {}
    for system, name in zip(systems, names, strict=True):
        systems_by_text.setdefault(join_signatures([system.signature]), []).append(name)
    return [
        SignatureSection(
            some, visible(text), [(visible(part), visible(says)) for part, says in explain_signature(text)]
        )
        for text, some in systems_by_text.items()
    ]


def describe_resampling(significance: Significance, *, several: bool) -> str:
    """Say what intervals and tests are based on, or why there are none."""
    if significance.reason:
        return f"There are no intervals and no tests: {significance.reason}."
    used = significance.resampling
    text = (
        f"Intervals of {100 * used.confidence:.10g} % from {count_resamples(used.for_intervals)} of "
        f"{count_units(significance.n_units, significance.unit_kind)}, seed {used.seed}."
    )
    if several:
        drawn = (
            ""
            if significance.test_resamples == used.for_intervals
            else f", {count_resamples(significance.test_resamples)}"
        )
        text += f" p is by {TESTS[used.test]}{drawn}, adjusted by Holm's method."
        for line in Assessed(significance, intervals=True, paired=True, all_pairs=True).floors():
            text += f" {visible(line if line.startswith('p ') else line[:1].upper() + line[1:])}."
    for reason in dict.fromkeys(significance.reasons.values()):
        metrics = [metric for metric, why in significance.reasons.items() if why == reason]
        text += f" There are none of {', '.join(map(metric_name, metrics))}: {visible(reason)}."
    return text
