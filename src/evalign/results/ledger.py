"""The ledger of a score counts what was tolerated; here ledgers are also joined and put into words.

Tolerated means: normalised, rewritten, or present on one side only, and scored all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalign.alignment.alignment import MOST_PLACES, AsRead
from evalign.alignment.differences import MOST_SUBSTITUTIONS
from evalign.wording import counted, printable, shorten, width_of


class LedgerRule(NamedTuple):
    """Count of how often a rule was applied on each side, with the first places."""

    gold: int = 0
    system: int = 0
    places: tuple[str, ...] = ()


class PairLedger(NamedTuple):
    """Record of what was tolerated when pairs of sentence ids were compared.

    Lines that repeat a pair are no false positives.
    """

    repeated: LedgerRule
    """Lines that repeat a pair; each pair is counted once."""
    first: LedgerRule
    """First ids that are in several pairs."""
    second: LedgerRule
    """Second ids that are in several pairs."""


class Ledger(NamedTuple):
    """Record of what a score tolerated, so that nothing is tolerated in silence.

    Characters are counted on the normalised lines; `rules` names what was normalised, rewritten or one-sided.
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
    """Trees that have no words or could not be read; None if there are none and a side has no trees."""
    pairs: PairLedger | None = None
    """What was tolerated in pairs of sentence ids; None unless such pairs were compared."""
    refused_sentences: int = 0
    """Sentences in the same place that get no credit, as less than a third of their text is shared."""
    as_read: AsRead = AsRead()
    """Gold's characters before any was normalised."""

    @property
    def lines_equal(self) -> bool:
        """True if gold and system have exactly the same characters."""
        return not (self.rewritten or self.gold_only or self.system_only or self.rules)

    @property
    def gold_characters(self) -> int:
        """Number of characters that gold has."""
        return self.equal + self.rewritten + self.gold_only

    @property
    def characters_found(self) -> int:
        """Number of gold characters that the system has, even if in another case or accent or as a variant.

        Substituted characters are not counted: even an alignment of unrelated texts has some.
        """
        return self.equal + self.rewritten - self.rules.get("substituted", LedgerRule()).gold


# Ledgers of several results as one.

# Most different (gold, system) pairs of spellings that are remembered.
MOST_WRITTEN = 10_000


def add_written(
    parts: Iterable[Mapping[tuple[str, str], int]], *, limit: int = MOST_WRITTEN
) -> dict[tuple[str, str], int]:
    """Add counts of (gold, system) spelling pairs; the pairs keep the order of their first appearance.

    Whenever there are more than twice `limit` different pairs, only the `limit` most frequent ones are kept.
    A pair that is frequent in the end has usually been counted often by then.
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
    """Add up ledgers: what all of them tolerated together."""
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
        add_as_read(ledger.as_read for ledger in ledgers),
    )


def add_as_read(parts: Iterable[AsRead]) -> AsRead:
    """Add up counts of gold's characters as read."""
    return AsRead(*map(sum, zip(*parts, strict=True)))


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


# Ledgers in words.


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
# Words for the rules of normalisation, and for what happens to characters in `alignment.character_alignment`.
RULE_WORDS = {**_REWRITTEN, **_CHARACTERS}
# Most columns that each side of a substitution takes when shown.
LONGEST_SHOWN = 24


def describe_ledger(ledger: Ledger, columns: int = 100) -> list[str]:
    """Describe what was tolerated, in a few lines of at most `columns` columns where possible."""
    # "text" and its first entry form a sentence ("text identical"); all other heads introduce a list.
    return [
        line
        for head, parts in list_tolerated(ledger)
        for line in _wrap(f"{head} " if head == "text" else f"{head}: ", parts, columns)
    ]


def list_tolerated(ledger: Ledger) -> list[tuple[str, list[str]]]:
    """List what was tolerated: pairs of a head and its entries."""
    if ledger.pairs is not None:
        return [("pairs", _describe_pairs(ledger.pairs))]
    if ledger.lines_equal:
        entries = [("text", [f"identical ({counted(ledger.equal, 'character')})"])]
    else:
        identical, made_equal, different = ledger.as_read
        equal = f"{made_equal:,} made equal, " if made_equal else ""
        more = f"; {ledger.system_only:,} more in the system" if ledger.system_only else ""
        counts = f"{counted(identical, 'character')} identical, {equal}{different:,} not{more}"
        entries = [("text", [f"differs ({counts})"])]
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
    """Describe repeated pairs, and ids that are in several pairs."""
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
    """Describe how many trees failed on each side; none is ever skipped."""
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
    """Join `head` and `parts` with commas; parts that do not fit go on further lines."""
    lines, line = [], head
    for k, part in enumerate(parts):
        piece = part + (", " if k + 1 < len(parts) else "")
        if k and width_of(line) + width_of(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = "  "
        line += piece
    return [*lines, line.rstrip()]
