"""What a run tolerated, in the ledger, and what a person should be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evalign.document import Document
from evalign.layers import Comparison
from evalign.result import Ledger, LedgerRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw import RawMap


def make_ledger(comparison: Comparison) -> Ledger:
    """The ledger of one comparison."""
    alignment = comparison.alignment
    tolerated = alignment.tolerated
    rules: dict[str, LedgerRule] = {}
    found = [(firing, firing.side or "gold") for firing in (*alignment.gold.firings, *tolerated.rules)]
    found += [(firing, "system") for firing in alignment.system.firings]
    for firing, side in found:
        before = rules.get(firing.rule, LedgerRule())
        places = (*before.places, *map(str, firing.places))
        gold = before.gold + firing.count * (side == "gold")
        system = before.system + firing.count * (side == "system")
        rules[firing.rule] = LedgerRule(gold, system, places)
    differing = {}
    if comparison.gold.line != comparison.system.line:
        differing = {
            "sentences": int(((comparison.sentence_partners >= 0) & ~comparison.sentence_same).sum()),
            "tokens": int(((comparison.token_partners >= 0) & ~comparison.token_same).sum()),
        }
    return Ledger(
        tolerated.equal,
        tolerated.rewritten,
        tolerated.gold_only,
        tolerated.system_only,
        rules,
        dict(sorted(alignment.blocks.sizes().items(), key=lambda item: (-item[1], item[0]))),
        tolerated.substitutions,
        differing,
        _reordered(comparison) if tolerated.gold_only and tolerated.system_only else 0,
        _count_failed(alignment.gold.original, alignment.system.original),
    )


def _count_failed(gold: Document, system: Document) -> LedgerRule | None:
    """Trees that say nothing: without a word, or that could not be read."""
    if gold.trees is None and system.trees is None:
        return None
    failed = [
        [remark for remark in document.remarks if remark.kind in ("failed-parse", "broken-tree")]
        for document in (gold, system)
    ]
    counts = [sum(remark.times for remark in remarks) for remarks in failed]
    places = tuple(str(place) for remarks in failed for remark in remarks for place in remark.places)
    return LedgerRule(counts[0], counts[1], places)


def _reordered(comparison: Comparison) -> int:
    """Sentences without a partner that the other side has, without a partner, somewhere else."""
    gold, system = comparison.gold, comparison.system
    partners = comparison.sentence_partners
    lost = {"".join(gold.sentence(k)) for k in np.flatnonzero(partners < 0).tolist()}
    alone = np.ones(system.n_sentences, bool)
    alone[partners[partners >= 0]] = False
    return sum("".join(system.sentence(k)) in lost for k in np.flatnonzero(alone).tolist())


def make_warnings(
    gold: Document, systems: Sequence[tuple[Document, Ledger]], raw: RawMap | None = None
) -> tuple[str, ...]:
    """Remarks on the files, and ledgers that look as if a file were the wrong one."""
    documents = [gold, *(document for document, _ in systems)]
    messages = list(dict.fromkeys(str(remark) for document in documents for remark in document.remarks))
    for document, ledger in systems:
        if gold.n_tokens:
            messages += [f"{document.name}: {message}" for message in _warn_of(gold, ledger)]
    if raw is not None and raw.n_missing:
        messages.append(
            f"{raw.raw.name}: {raw.n_missing:,} of {len(gold.line):,} characters of {gold.name} are not in it; "
            "what has none has no place in the raw text"
        )
    return tuple(messages)


def _warn_of(gold: Document, ledger: Ledger) -> Iterator[str]:
    if ledger.reordered:
        yield (
            f"sentences in another order than in {gold.name}: {ledger.reordered:,}; "
            "each counts as missed and spurious (was the output sorted or shuffled?)"
        )
    missing, extra = (_alone(ledger, side) for side in (0, 1))
    if missing or extra:
        yield f"whole sentences missing: {missing:,}, extra: {extra:,}, against {gold.name}"
    shared = ledger.equal + ledger.rewritten
    if shared < ledger.gold_only:
        whole = shared + ledger.gold_only
        yield f"only {shared:,} of {whole:,} gold characters were found (is it an output for this text?)"


def _alone(ledger: Ledger, side: int) -> int:
    """Sentences in blocks that the other side has nothing in."""
    sizes = [(tuple(map(int, kind.split(":"))), count) for kind, count in ledger.blocks.items()]
    return sum(size[side] * count for size, count in sizes if not size[1 - side])
