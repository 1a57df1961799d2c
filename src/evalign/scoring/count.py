"""Count a text, or one part of it: `count` reads, aligns and compares, and returns a `Tally`.

Rows are kept by unit: documents, raw files, stretches of sentences between boundaries that all sides share,
or single sentences. The tally of a part has no document in it, so it can be sent from a worker to the process
that adds tallies up: rows of counts, censuses, ledgers, and evidence if it is wanted. The tally of a text
that is scored as a whole has its comparisons instead of evidence; errors are found in them when they are
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from evalign.alignment.align import PartContext
from evalign.alignment.alignment import Alignment
from evalign.document import Breaks, Document, IntArray, distinct
from evalign.errors import CommandError, Message
from evalign.metrics.census import Census, find_lacking_of_both, take_census
from evalign.metrics.comparison import Comparison, CountTable, Units
from evalign.metrics.metric import Metric
from evalign.metrics.registry import SPAN_METRICS
from evalign.options import ScoreOptions
from evalign.progress import Progress, counted, no_progress
from evalign.scoring.ledger import LedgerFacts, find_ledger, make_ledger
from evalign.scoring.metric_choice import can_count, candidate_metrics, refuse_spans, take_censuses
from evalign.scoring.plan import AssumptionBroken, Assumptions, Part
from evalign.scoring.reading import Input, align_pair, compare_aligned, read_comparisons
from evalign.scoring.request import ScoreRequest
from evalign.scoring.tally import FieldTable, SystemTally, Tally, UnitTable, find_documents, name_stretches
from evalign.scoring.warnings import make_warnings, refuse_differing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw_files import RawInput, RawTexts
    from evalign.scoring.evidence_part import EvidencePart


def count(
    request: ScoreRequest,
    assumed: Assumptions,
    part: Part | AssumptionBroken,
    progress: Progress = no_progress,
) -> Tally | AssumptionBroken:
    """Read, align and count a part, or the whole text.

    Returns its tally; or corrected assumptions if the part contradicts them, or could not even be cut.
    """
    if isinstance(part, AssumptionBroken):
        return part
    options = request.options
    if part.is_whole:
        comparisons = read_comparisons(request.sources, options, request.raw, request.names, progress)
        documents = find_documents(comparisons[0].alignment.gold.original, comparisons[0].raw)
        assumed = Assumptions((False,) * len(comparisons), bool(len(documents)))
        return _count_compared(request, assumed, part, comparisons, documents, progress)
    from evalign.readers.chunks import read_chunk

    gold, *systems = (read_chunk(chunk, options) for chunk in part.chunks)
    broken = _find_broken(assumed, gold, systems, options)
    if broken is not None:
        return broken
    swaps = part.swaps or (None,) * len(systems)
    alignments = [
        align_pair(gold, system, options, PartContext(part.window, swap) if is_differing else None)
        for system, swap, is_differing in zip(systems, swaps, assumed.differing, strict=True)
    ]
    comparisons = compare_aligned(alignments, options)
    return _count_compared(request, assumed, part, comparisons, gold.documents, progress)


def _count_compared(
    request: ScoreRequest,
    assumed: Assumptions,
    part: Part,
    comparisons: Sequence[Comparison],
    documents: Breaks,
    progress: Progress,
) -> Tally:
    """Count a part, or the whole, once gold is aligned with each system; `documents` are those of gold."""
    alignments = [comparison.alignment for comparison in comparisons]
    gold, options, has_documents = alignments[0].gold.original, request.options, assumed.has_documents
    gold_census, censuses = take_censuses(options, gold, [each.system.original for each in alignments])
    metrics = candidate_metrics(options, gold_census, censuses)
    most = request.most_units if part.is_whole else None
    units = find_units(gold, alignments, options, documents, has_documents=has_documents, most=most)
    comparisons = [
        replace(comparison, units=units, filled=filled)
        for comparison, filled in zip(comparisons, assumed.list_filled(), strict=True)
    ]
    systems = [
        SystemTally(
            [censuses[number]],
            [_count_ledger(comparison, assumed)],
            _count_rows(comparison, metrics, gold_census, censuses[number], is_whole=part.is_whole),
            _gather(request, part, comparison, metrics),
            comparison if part.is_whole else None,
        )
        for number, comparison in counted(comparisons, progress, lambda each: f"counting {each.system.name}")
    ]
    fields = None
    if not part.is_whole and request.has_evidence and has_documents:
        fields = FieldTable.find(gold, documents, units)
    continues = units.kind == "document" and not (len(documents) and documents.sentences[0] == 0)
    return Tally(UnitTable(gold, units, continues=continues), [gold_census], systems, fields, part.n_bounded)


def _find_broken(
    assumed: Assumptions, gold: Document, systems: Sequence[Document], options: ScoreOptions
) -> AssumptionBroken | None:
    """Return corrected assumptions if a part contradicts them, else None."""
    differing = tuple(
        differs or system.line != gold.line
        for differs, system in zip(assumed.differing, systems, strict=True)
    )
    if differing != assumed.differing:
        if options.strict:
            raise refuse_differing(gold, systems[differing.index(True)])
        return AssumptionBroken(assumed._replace(differing=differing))
    if not assumed.has_documents and len(gold.documents):
        return AssumptionBroken(assumed._replace(has_documents=True))
    return None


def _count_rows(
    comparison: Comparison, metrics: Sequence[Metric], gold: Census, system: Census, *, is_whole: bool
) -> dict[str, list[CountTable]]:
    """Count the rows of those `metrics` whose columns both sides have.

    Of a part all metrics are counted that the formats allow, as another part may fill a column.
    """
    options = comparison.options
    if options.strategy == "printed":
        return _count_printed(comparison, metrics)
    if is_whole:
        lack = partial(find_lacking_of_both, gold, system, strict=options.strict)
        metrics = [metric for metric in metrics if not any(lack(metric.needs))]
    else:
        metrics = [metric for metric in metrics if can_count(metric, gold, system)]
    return {metric.name: [metric.count(comparison)] for metric in metrics}


def _count_printed(comparison: Comparison, metrics: Sequence[Metric]) -> dict[str, list[CountTable]]:
    """Count by Algorithm 1 of Jo et al. 2024 as printed: sentences, tokens and words only, in one unit."""
    from evalign.metrics.spans import count_printed, word_sentences

    gold, system = comparison.gold, comparison.system
    tables = {}
    for metric in metrics:
        if metric.name not in SPAN_METRICS:
            message = Message("{strategy=printed}") + f" does not count {metric.name}"
            raise CommandError(message, "sentences, tokens or words", Message("name them: {metrics=tokens}"))
        sides = (gold, system)
        rows = [word_sentences(d) if metric.name == "words" else list(d) for d in sides]
        correct = count_printed(*rows)["sentences" if metric.name == "sentences" else "tokens"]
        sizes = [getattr(d, f"n_{metric.name}") for d in sides]
        tables[metric.name] = [np.array([[correct, *sizes, correct, correct]], np.int64)]
    return tables


def _count_ledger(comparison: Comparison, assumed: Assumptions) -> LedgerFacts:
    """Count what a comparison tolerated."""
    options, rules = comparison.options, None
    if any(assumed.differing):
        from evalign.alignment.normalize import choose_rules

        rules = (*(rule.name for rule in choose_rules(options.normalize)), "exceptions")
    ledger = find_ledger(comparison, differing=rules)
    # The printed algorithm credits sentences by their text, and refuses none in its place.
    return ledger._replace(refused_sentences=0) if options.strategy == "printed" else ledger


def _gather(
    request: ScoreRequest, part: Part, comparison: Comparison, metrics: tuple[Metric, ...]
) -> EvidencePart | None:
    """Gather the errors and breakdowns of a part; None if none are kept, and of a whole text."""
    if part.is_whole or not request.has_evidence:
        return None
    from evalign.scoring.evidence_part import gather_evidence

    return gather_evidence(comparison, metrics, by=request.by, offset=part.offset, passages=request.passages)


def compare_documents(
    gold: Input, system: Input, options: ScoreOptions, raw: RawInput | RawTexts | None = None
) -> tuple[Comparison, tuple[str, ...]]:
    """Compare one system with gold.

    Returns the comparison, with all of gold as one unit, and the warnings.
    """
    [comparison] = read_comparisons((gold, system), options, raw)
    refuse_spans(comparison.gold, comparison.system)
    return comparison, warn_of_comparison(comparison)


def warn_of_comparison(comparison: Comparison) -> tuple[str, ...]:
    """Return the warnings on the files that were compared, and on the preset for brackets."""
    sides = comparison.alignment.gold, comparison.alignment.system
    gold, system = (take_census(side.original) for side in sides)
    ledger = make_ledger(find_ledger(comparison), gold, system)
    warnings = make_warnings(gold, [(system, ledger)], comparison.raw)
    return (*warnings, *comparison.options.bracket_rules.messages)


# What rows of counts are kept for.


def find_units(
    gold: Document,
    alignments: Sequence[Alignment],
    options: ScoreOptions,
    documents: Breaks,
    *,
    has_documents: bool,
    most: int | None = None,
) -> Units:
    """Find the units of a text or a part: its documents, else stretches of sentences that all sides share.

    `has_documents` says whether the text has documents; a part of it may lack them. With
    `average="sentence"` the units are gold's sentences; the printed algorithm has one unit. Neighbours among
    more than `most` stretches are merged.
    """
    nothing_before = np.zeros(1, np.int32)
    if options.strategy == "printed":
        return Units("whole", nothing_before, [gold.name])
    if options.average == "sentence":
        ids = gold.sentence_ids or [str(k + 1) for k in range(gold.n_sentences)]
        return Units("sentence", gold.sentences[:-1] if gold.n_sentences else nothing_before, ids)
    if has_documents:
        firsts, index = np.unique(documents.sentences, return_index=True)
        names: Sequence[str] = documents.names
        if len(firsts) < len(names):
            names = [names[k] for k in index.tolist()]
        if not len(firsts) or firsts[0]:
            firsts, names = np.append(np.zeros(1, np.int64), firsts), ["", *names]
        return Units("document", gold.sentences[firsts] if gold.n_sentences else nothing_before, names)
    if options.average == "document":
        return Units("document", nothing_before, [gold.name])
    starts = find_stretches(gold, alignments)
    merged = count_merged(len(starts), most)
    starts = starts[::merged]
    tokens = gold.sentences[starts] if gold.n_sentences else nothing_before
    return Units("stretch", tokens, name_stretches(starts), merged)


def find_stretches(gold: Document, alignments: Sequence[Alignment]) -> IntArray:
    """Return the gold sentences that begin at a sentence boundary of every system too, counted from 0.

    The first is always 0.
    """
    shared: IntArray = alignments[0].blocks.gold
    for alignment in alignments[1:]:
        shared = np.intersect1d(shared, alignment.blocks.gold)
    return distinct(np.append(0, shared[shared < gold.n_sentences]))


def count_merged(stretches: int, most: int | None) -> int:
    """Return how many stretches make one unit: the smallest power of 2 that gives at most `most` units.

    >>> count_merged(7, 10), count_merged(11, 10), count_merged(50, 10), count_merged(50, None)
    (1, 2, 8, 1)
    """
    merged = 1
    while most is not None and stretches > merged * most:
        merged *= 2
    return merged
