"""Count one part of a text: `count_part` takes a `Part` from `plan` and gives a `PartTally` to `join`.

The part is read, aligned and counted like a text of its own. The tally has no document in it, so it can be
sent from a worker to the process that adds tallies up: rows of counts, facts (censuses and ledger), and
evidence if it is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evalign.alignment.align import PartContext, align_documents
from evalign.alignment.alignment import Alignment
from evalign.document import Document, IntArray
from evalign.metrics.comparison import Comparison, Units
from evalign.metrics.errors.sentence_groups import LONGEST_VALUE
from evalign.metrics.metric import Metric
from evalign.readers.chunks import read_chunk
from evalign.scoring.evidence_part import EvidencePart, gather_evidence
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.metric_choice import candidate_metrics
from evalign.scoring.plan import AssumptionBroken, Part, PartsRequest
from evalign.scoring.summary import Facts, Tables, count_tables, find_facts, freeze_facts, make_systems
from evalign.scoring.units import find_stretches
from evalign.scoring.warnings import refuse_differing


class PartUnits(NamedTuple):
    """The units of a part: the documents or stretches of gold that each row of counts belongs to."""

    kind: str
    """"document" or "stretch"."""
    starts: IntArray
    """Characters of the part's gold line before each unit."""
    sentences: IntArray
    """Gold sentences of the part before each unit."""
    names: Sequence[str]
    """Names of documents; empty for stretches, which are named when all parts are joined."""
    continues: bool
    """True if the first unit continues the last unit of the part before, if there is such a part."""


class PartFields(NamedTuple):
    """Values that comments of gold give for the documents of a part, such as `# genre = news`."""

    values: Mapping[str, Sequence[str]]
    """By key, a value for each unit; empty where a document lacks the comment."""
    others: frozenset[str]
    """Keys that also stand above sentences inside documents, and so describe sentences."""
    long: frozenset[str]
    """Keys with a value longer than `LONGEST_VALUE`."""


class PartTally(NamedTuple):
    """Everything that is kept of a counted part; tallies are added up in text order by `join.Joiner`."""

    n_sentences: int
    """Sentences of gold in the part."""
    length: int
    """Characters of gold's line in the part."""
    units: PartUnits
    tables: tuple[Tables, ...]
    """Per system, the rows of counts of each metric, a row for each unit."""
    facts: Facts
    evidence: tuple[EvidencePart, ...] = ()
    """Per system, its errors and breakdowns; empty if no evidence is kept."""
    fields: PartFields | None = None
    n_bounded: int = 0
    """Number of searches for displaced text that ended at the window."""


def count_part(request: PartsRequest, part: Part) -> PartTally | AssumptionBroken:
    """Read, align and count `part`.

    Returns its tally, or corrected assumptions if the part contradicts them.
    """
    gold, *systems = (read_chunk(each, request.options) for each in (part.gold, *part.systems))
    assumed, options = request.assumed, request.options
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
    alignments = _align(gold, systems, part, request)
    metrics = candidate_metrics(options, gold, systems)
    units, described = _find_units(gold, alignments, request)
    filled = assumed.filled or (frozenset(),) * len(systems)
    comparisons = [
        Comparison(alignment, units, options, filled=columns)
        for alignment, columns in zip(alignments, filled, strict=True)
    ]
    tables = [count_tables(comparison, metrics, is_part=True) for comparison in comparisons]
    facts = find_facts(comparisons, differing=any(assumed.differing))
    evidence: tuple[EvidencePart, ...] = ()
    fields = None
    if request.has_evidence:
        evidence = _gather(facts, tables, comparisons, metrics, part, request)
        fields = _find_fields(gold, units) if assumed.has_documents else None
    return PartTally(
        gold.n_sentences,
        len(gold.line),
        described,
        tuple(tables),
        freeze_facts(facts, metrics, options),
        evidence,
        fields,
        part.n_bounded,
    )


def _align(gold: Document, systems: Sequence[Document], part: Part, request: PartsRequest) -> list[Alignment]:
    swaps = part.swaps or (None,) * len(systems)
    return [
        align_documents(
            gold,
            system,
            normalize=request.options.normalize,
            exceptions=request.options.exceptions.words,
            differing=PartContext(request.window, swap) if is_differing else None,
        )
        for system, swap, is_differing in zip(systems, swaps, request.assumed.differing, strict=True)
    ]


def _find_units(
    gold: Document, alignments: Sequence[Alignment], request: PartsRequest
) -> tuple[Units, PartUnits]:
    """Find the units of a part, once to count by (`Units`) and once to join parts by (`PartUnits`)."""
    none = np.zeros(1, np.int64)
    names: Sequence[str] = ()
    continues = False
    if request.assumed.has_documents:
        kind, sentences = "document", gold.documents.sentences
        names = list(gold.documents.names)
        if continues := not len(sentences) or bool(sentences[0]):
            sentences, names = np.append(none, sentences), ["", *names]
    elif request.options.average == "document":
        kind, sentences, names, continues = "document", none, [gold.name], True
    else:
        kind, sentences = "stretch", find_stretches(gold, alignments)
    tokens = gold.sentences[sentences] if gold.n_sentences else np.zeros(1, np.int32)
    units = Units(kind, tokens, names or [""] * len(tokens))
    return units, PartUnits(kind, gold.cuts[tokens], sentences, names, continues)


def _gather(
    facts: Facts,
    tables: Sequence[Tables],
    comparisons: Sequence[Comparison],
    metrics: tuple[Metric, ...],
    part: Part,
    request: PartsRequest,
) -> tuple[EvidencePart, ...]:
    """Gather the evidence of every system from its fresh comparison."""
    evidence = [LiveEvidence(each, metrics, request.by) for each in comparisons]
    units = "", len(comparisons[0].units)
    systems = make_systems(facts, tables, units, metrics, request.options, evidence)
    hints = part.hints or (None,) * len(systems)
    return tuple(
        gather_evidence(each, offset=part.offset, passages=request.passages, hint=hint)
        for each, hint in zip(systems, hints, strict=True)
    )


def _find_fields(gold: Document, units: Units) -> PartFields:
    """Find the comments above the first sentences of documents.

    A key that also stands above other sentences describes sentences. It is returned in `others`, because this
    may show in one part only.
    """
    comments = gold.comments
    if comments is None:
        return PartFields({}, frozenset(), frozenset())
    begins = set(gold.documents.sentences.tolist())
    firsts = np.searchsorted(gold.sentences, units.tokens).tolist()
    values: dict[str, list[str]] = {}
    others, long = set(), set()
    for key in comments.keys:
        by_sentence = comments.values(key)
        if not by_sentence.keys() <= begins:
            others.add(key)
            continue
        values[key] = [by_sentence.get(first, "") for first in firsts]
        if any(len(value) > LONGEST_VALUE for value in by_sentence.values()):
            long.add(key)
    return PartFields(values, frozenset(others), frozenset(long))
