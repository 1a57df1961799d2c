"""What a run tolerated, in the ledger, and what a person should be warned of."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from evalign.alignment.places import NOWHERE
from evalign.document import Document
from evalign.layers import Comparison
from evalign.result import Ledger, LedgerRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw import RawMap

# Tokens that are looked at to find out whether a raw text is another one.
MOST_SAMPLED = 1_000


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
        dict(sorted(_count_blocks(comparison).items(), key=lambda item: (-item[1], item[0]))),
        tolerated.substitutions,
        differing,
        _reordered(comparison) if tolerated.gold_only and tolerated.system_only else 0,
        _count_failed(alignment.gold.original, alignment.system.original),
    )


def _count_blocks(comparison: Comparison) -> Counter[str]:
    """How many m:n blocks there are. Sentences without characters end no stretch, but some are partners all the same."""
    sizes = comparison.alignment.blocks.sizes()
    if "1:0" in sizes and "0:1" in sizes:
        bare = np.diff(comparison.gold.sentence_cuts) == 0
        if bare.any():
            pairs = int((bare & (comparison.sentence_partners >= 0)).sum())
            sizes.update({"1:1": pairs, "1:0": -pairs, "0:1": -pairs})
    return +sizes


def _count_failed(gold: Document, system: Document) -> LedgerRule | None:
    """Trees that say nothing: without a word, or that could not be read; None where that is no question."""
    failed = [
        [remark for remark in document.remarks if remark.kind in ("failed-parse", "broken-tree")]
        for document in (gold, system)
    ]
    counts = [sum(remark.times for remark in remarks) for remarks in failed]
    have_trees = all(document.trees is not None and document.n_sentences for document in (gold, system))
    if not have_trees and not any(counts):
        return None
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
    if raw is not None:
        messages += _warn_of_raw(gold, raw)
    return tuple(messages)


def _warn_of_raw(gold: Document, raw: RawMap) -> Iterator[str]:
    """What the raw text lacks, and whether it looks like another text."""
    if gold.line == raw.raw.line:
        return
    missing, doubt = raw.n_missing, " (is it the right text?)" * _is_other_text(gold, raw)
    if missing:
        yield (
            f"{raw.raw.name}: {missing:,} of {len(gold.line):,} characters of {gold.name} are not in it{doubt}; "
            "what has none has no place in the raw text"
        )
    elif doubt:
        yield f"{raw.raw.name}: most tokens of {gold.name} are written otherwise in it{doubt}"


def _is_other_text(gold: Document, raw: RawMap) -> bool:
    """Whether most tokens, of many a sample, are not in the raw text as they are written, case and accents aside."""
    spans, files = raw.token_spans, raw.raw.files
    rows = np.flatnonzero(np.diff(gold.cuts) > 0)
    rows = rows[:: len(rows) // MOST_SAMPLED + 1]
    placed = rows[spans.starts[rows] != NOWHERE]
    starts, ends = (
        column[placed] + files.starts[spans.files[placed]] for column in (spans.starts, spans.ends)
    )
    pairs = zip(placed.tolist(), starts.tolist(), ends.tolist(), strict=True)
    same = sum(_bare(gold.token(row)) == _bare(raw.raw.text[start:end]) for row, start, end in pairs)
    return 2 * same < len(rows)


def _bare(text: str) -> str:
    """Letters alone, without case and accents; of what has none, all of it."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, decomposed)) or text


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
