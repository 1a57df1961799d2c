"""What a score tolerated: the ledger, ledgers of several results as one, and what a ledger says in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalign.alignment import MOST_PLACES, MOST_SUBSTITUTIONS
from evalign.wording import counted, printable, shorten, width_of


class LedgerRule(NamedTuple):
    """How often something was tolerated on each side, and where first."""

    gold: int = 0
    system: int = 0
    places: tuple[str, ...] = ()


class PairLedger(NamedTuple):
    """What was tolerated where pairs of sentence ids were compared: no pair is one too many for being there twice."""

    repeated: LedgerRule
    """Lines that say again what was said before; each pair is counted once."""
    first: LedgerRule
    """First ids that are in several pairs."""
    second: LedgerRule
    """Second ids that are in several pairs."""


class Ledger(NamedTuple):
    """What a score tolerated: never in silence.

    Characters are counted on the lines as normalised; `rules` names what was normalised, rewritten or one-sided.
    """

    equal: int
    rewritten: int
    gold_only: int
    system_only: int
    rules: Mapping[str, LedgerRule] = {}
    blocks: Mapping[str, int] = {}
    substitutions: tuple[tuple[str, str, int], ...] = ()
    same_place_other_text: Mapping[str, int] = {}
    reordered: int = 0
    """Sentences that each side has once, in another order."""
    failed_parses: LedgerRule | None = None
    """Trees without a word, or that could not be read; None unless both sides have trees, or one has such a tree."""
    pairs: PairLedger | None = None
    """What there was of pairs of sentence ids; None where no such were compared."""
    refused_sentences: int = 0
    """Sentences in the same place that are not credited, as less than a third of their text is shared."""

    @property
    def lines_equal(self) -> bool:
        """Whether gold and system have the same characters as they are."""
        return not (self.rewritten or self.gold_only or self.system_only or self.rules)

    @property
    def gold_characters(self) -> int:
        """How many characters gold has."""
        return self.equal + self.rewritten + self.gold_only

    @property
    def found(self) -> int:
        """Gold characters that the system has: equal, or in another case, with other accents or as a variant.

        Not those that stand opposite something else: whatever is aligned, unrelated text too, leaves such.
        """
        return self.equal + self.rewritten - self.rules.get("substituted", LedgerRule()).gold


# Ledgers of several results as one.

# Different pairs of what gold and a system wrote that are remembered.
MOST_WRITTEN = 10_000


def add_written(
    parts: Iterable[Mapping[tuple[str, str], int]], *, limit: int = MOST_WRITTEN
) -> dict[tuple[str, str], int]:
    """What gold and a system wrote, how often in all parts, in the order in which it first appears.

    Of more than twice `limit` different pairs the rarest are forgotten; the most frequent have long been counted then.
    """
    counts: dict[tuple[str, str], int] = {}
    for part in parts:
        for pair, times in part.items():
            counts[pair] = counts.get(pair, 0) + times
        if len(counts) > 2 * limit:
            kept = dict(Counter(counts).most_common(limit))
            counts = {pair: times for pair, times in counts.items() if pair in kept}
    return counts


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
    for part in counts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return total


def _join_rules(rules: Iterable[Mapping[str, LedgerRule]]) -> dict[str, LedgerRule]:
    by_name: dict[str, list[LedgerRule]] = {}
    for named in rules:
        for name, rule in named.items():
            by_name.setdefault(name, []).append(rule)
    return {name: _join_rule(same) for name, same in by_name.items()}


def _join_rule(rules: Sequence[LedgerRule]) -> LedgerRule:
    places = [place for rule in rules for place in rule.places]
    return LedgerRule(
        sum(rule.gold for rule in rules), sum(rule.system for rule in rules), tuple(places[:MOST_PLACES])
    )


# What a ledger says, in plain words.


_REWRITTEN = {
    "nfc": "composed to NFC",
    "xml": "XML escapes undone",
    "brackets": "bracket escapes undone",
    "slashes": "escaped slashes and stars undone",
    "quotes": "quotes made equal",
    "ellipsis": "ellipses made equal",
    "width": "width variants made equal",
    "lower": "lower-cased",
    "accents": "accents set aside",
    "format": "format characters set aside",
    "exceptions": "rewritten by the exception list",
}
_CHARACTERS = {
    "other-case": "different in case",
    "other-accents": "different in accents",
    "other-variant": "written as variants",
    "substituted": "replaced",
    "gold-only": "only in gold",
    "system-only": "only in system",
    "unrelated-gold": "in long stretches only in gold",
    "unrelated-system": "in long stretches only in system",
}
# Rules of normalisation, and what becomes of characters in `alignment.character_alignment`, by name.
RULE_WORDS = {**_REWRITTEN, **_CHARACTERS}
# Columns that a stretch written otherwise gets.
LONGEST_SHOWN = 24


def describe_ledger(ledger: Ledger, columns: int = 100) -> list[str]:
    """What was tolerated, in a few short lines."""
    # The text is said to be identical or to differ, in one sentence; what the other heads announce is listed.
    return [
        line
        for head, parts in list_tolerated(ledger)
        for line in _wrap(f"{head} " if head == "text" else f"{head}: ", parts, columns)
    ]


def list_tolerated(ledger: Ledger) -> list[tuple[str, list[str]]]:
    """What was tolerated, as heads with what they announce."""
    if ledger.pairs is not None:
        return [("pairs", _describe_pairs(ledger.pairs))]
    characters = counted(ledger.equal, "character")
    if ledger.lines_equal:
        entries = [("text", [f"identical ({characters})"])]
    else:
        differing = ledger.rewritten + ledger.gold_only + ledger.system_only
        entries = [("text", [f"differs ({characters} identical, {differing:,} not)"])]
        if ledger.rules:
            entries.append(("tolerated", [_describe_rule(name, rule) for name, rule in ledger.rules.items()]))
    if ledger.refused_sentences:
        message = f"{counted(ledger.refused_sentences, 'sentence')} in the same place, less than a third of the text shared"
        entries.append(("refused", [message]))
    if ledger.failed_parses is not None:
        entries.append(("parses", _describe_failed(ledger.failed_parses)))
    if ledger.substitutions:
        pairs = [f"{_shown(a)} -> {_shown(b)} {n:,}x" for a, b, n in ledger.substitutions[:5]]
        entries.append(("most frequent changes", pairs))
    if ledger.blocks:
        blocks = [f"{n:,} of {kind}" for kind, n in list(ledger.blocks.items())[:6]]
        rest = sum(ledger.blocks.values()) - sum(list(ledger.blocks.values())[:6])
        entries.append(("blocks", blocks + ([f"{rest:,} others"] if rest else [])))
    return entries


def _describe_pairs(pairs: PairLedger) -> list[str]:
    """Pairs of ids: what was said twice, and who is in several pairs."""
    lines = []
    for rule, what in (
        (pairs.repeated, "repeated, and counted once"),
        (pairs.first, "first ids in several"),
        (pairs.second, "second ids in several"),
    ):
        lines += [
            f"{what}: {n:,} in {side}" for side, n in (("gold", rule.gold), ("system", rule.system)) if n
        ]
    return lines or ["each id in one pair, each pair once"]


def _describe_failed(rule: LedgerRule) -> list[str]:
    """How many trees say nothing; none is ever skipped."""
    meanings = (
        ("gold", rule.gold, "what a system has there is spurious"),
        ("system", rule.system, "missed, not skipped"),
    )
    lines = [f"{count:,} failed in {side}: {meaning}" for side, count, meaning in meanings if count]
    return lines or ["all read"]


def _describe_rule(name: str, rule: LedgerRule) -> str:
    count = rule.gold + rule.system
    if name in _CHARACTERS:
        return f"{counted(count, 'character')} {_CHARACTERS[name]}"
    sides = " and ".join(
        f"{n:,} in {side}" for side, n in (("gold", rule.gold), ("system", rule.system)) if n
    )
    return f"{_REWRITTEN.get(name, name)} ({sides} tokens)"


def _shown(text: str) -> str:
    return f'"{shorten(printable(text), LONGEST_SHOWN)}"' if text else "nothing"


def _wrap(head: str, parts: list[str], columns: int) -> list[str]:
    """The parts behind their head, those that do not fit on further lines."""
    lines, line = [], head
    for k, part in enumerate(parts):
        piece = part + (", " if k + 1 < len(parts) else "")
        if k and width_of(line) + width_of(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = "  "
        line += piece
    return [*lines, line.rstrip()]
