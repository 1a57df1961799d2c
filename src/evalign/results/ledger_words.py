"""What a ledger says, in plain words."""

from __future__ import annotations

from evalign.results.ledger import Ledger, LedgerRule, PairLedger
from evalign.wording import counted, printable, shorten, width_of

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
        told = f"{counted(ledger.refused_sentences, 'sentence')} in the same place, less than a third of the text shared"
        entries.append(("refused", [told]))
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
    told = []
    for rule, what in (
        (pairs.repeated, "repeated, and counted once"),
        (pairs.first, "first ids in several"),
        (pairs.second, "second ids in several"),
    ):
        told += [
            f"{what}: {n:,} in {side}" for side, n in (("gold", rule.gold), ("system", rule.system)) if n
        ]
    return told or ["each id in one pair, each pair once"]


def _describe_failed(rule: LedgerRule) -> list[str]:
    """How many trees say nothing; none is ever skipped."""
    meanings = (
        ("gold", rule.gold, "what a system has there is spurious"),
        ("system", rule.system, "missed, not skipped"),
    )
    told = [f"{count:,} failed in {side}: {meaning}" for side, count, meaning in meanings if count]
    return told or ["all read"]


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
