"""What a run tolerated, in the ledger, and what a person should be warned of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalign.document import Document
from evalign.errors import Remark
from evalign.layers import Comparison
from evalign.result import Ledger, LedgerRule, SystemResult


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
        gold, system = (
            before[k] + firing.count * (side == name) for k, name in enumerate(("gold", "system"))
        )
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
    )


def _reordered(comparison: Comparison) -> int:
    """Sentences without a partner that the other side has, without a partner, somewhere else."""
    gold, system = comparison.gold, comparison.system
    partners = comparison.sentence_partners
    lost = {"".join(gold.sentence(k)) for k in np.flatnonzero(partners < 0).tolist()}
    alone = np.ones(system.n_sentences, bool)
    alone[partners[partners >= 0]] = False
    return sum("".join(system.sentence(k)) in lost for k in np.flatnonzero(alone).tolist())


def make_warnings(
    gold: Document, documents: Sequence[Document], results: Sequence[SystemResult]
) -> tuple[str, ...]:
    """Remarks on the files, and results that look as if a file were the wrong one."""
    remarks: list[Remark] = [remark for document in (gold, *documents) for remark in document.remarks]
    messages = list(dict.fromkeys(map(str, remarks)))
    for result in results:
        ledger = result.ledger
        if ledger.reordered:
            messages.append(
                f"{result.name}: sentences in another order than in {gold.name}: {ledger.reordered:,}; "
                "each counts as missed and spurious (was the output sorted or shuffled?)"
            )
        missing, extra = (_alone(ledger, side) for side in (0, 1))
        if gold.n_tokens and (missing or extra):
            messages.append(
                f"{result.name}: whole sentences missing: {missing:,}, extra: {extra:,}, against {gold.name}"
            )
        shared = ledger.equal + ledger.rewritten
        if gold.n_tokens and shared < ledger.gold_only:
            messages.append(
                f"{result.name}: only {shared:,} of {shared + ledger.gold_only:,} gold characters were found "
                "(is it an output for this text?)"
            )
    return tuple(messages)


def _alone(ledger: Ledger, side: int) -> int:
    """Sentences in blocks that the other side has nothing in."""
    sizes = [(tuple(map(int, kind.split(":"))), count) for kind, count in ledger.blocks.items()]
    return sum(size[side] * count for size, count in sizes if not size[1 - side])
