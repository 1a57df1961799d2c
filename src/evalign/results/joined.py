"""Ledgers of several results as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evalign.alignment import MOST_PLACES, MOST_SUBSTITUTIONS
from evalign.results.ledger import Ledger, LedgerRule, PairLedger

# Different pairs of what gold and a system wrote that are remembered.
MOST_WRITTEN = 10_000


def add_written(parts: Iterable[Mapping[tuple[str, str], int]]) -> dict[tuple[str, str], int]:
    """What gold and a system wrote, how often in all parts, in the order in which it first appears.

    Of very many different pairs the rarest are forgotten now and then; the commonest have long been counted then.
    """
    found: dict[tuple[str, str], int] = {}
    for part in parts:
        for pair, times in part.items():
            found[pair] = found.get(pair, 0) + times
        if len(found) > 2 * MOST_WRITTEN:
            kept = dict(Counter(found).most_common(MOST_WRITTEN))
            found = {pair: times for pair, times in found.items() if pair in kept}
    return found


def join_ledgers(ledgers: Sequence[Ledger]) -> Ledger:
    """What all of them tolerated together."""
    written: Counter[tuple[str, str]] = Counter()
    for ledger in ledgers:
        for gold, system, count in ledger.substitutions:
            written[gold, system] += count
    pairs = [ledger.pairs for ledger in ledgers if ledger.pairs is not None]
    parses = [ledger.failed_parses for ledger in ledgers if ledger.failed_parses is not None]
    return Ledger(
        sum(ledger.equal for ledger in ledgers),
        sum(ledger.rewritten for ledger in ledgers),
        sum(ledger.gold_only for ledger in ledgers),
        sum(ledger.system_only for ledger in ledgers),
        _join_rules(ledger.rules for ledger in ledgers),
        _add(ledger.blocks for ledger in ledgers),
        tuple((*pair, count) for pair, count in written.most_common(MOST_SUBSTITUTIONS)),
        _add(ledger.same_place_other_text for ledger in ledgers),
        sum(ledger.reordered for ledger in ledgers),
        _join_rule(parses) if parses else None,
        PairLedger(*map(_join_rule, zip(*pairs, strict=True))) if pairs else None,
        sum(ledger.refused_sentences for ledger in ledgers),
    )


def _add(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for found in counts:
        for name, count in found.items():
            total[name] = total.get(name, 0) + count
    return total


def _join_rules(rules: Iterable[Mapping[str, LedgerRule]]) -> dict[str, LedgerRule]:
    found: dict[str, list[LedgerRule]] = {}
    for named in rules:
        for name, rule in named.items():
            found.setdefault(name, []).append(rule)
    return {name: _join_rule(same) for name, same in found.items()}


def _join_rule(rules: Sequence[LedgerRule]) -> LedgerRule:
    places = [place for rule in rules for place in rule.places]
    return LedgerRule(
        sum(rule.gold for rule in rules), sum(rule.system for rule in rules), tuple(places[:MOST_PLACES])
    )
