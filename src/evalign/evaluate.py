"""Score and align: the only module that knows the whole chain.

read -> place on one line -> blocks -> layers -> count -> result
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Literal, TypeAlias, cast

import numpy as np

from evalign import __version__
from evalign.align import Alignment, align_documents
from evalign.align.exceptions import load_exceptions
from evalign.align.normalize import choose_rules
from evalign.align.printed import count_printed, word_sentences
from evalign.align.raw import RawMap
from evalign.document import Document, IntArray, Text
from evalign.errors import CommandError, Place, Remark, StrictError, quote
from evalign.kernels import is_compiled
from evalign.layers import (
    DEFAULT_LAYERS,
    Comparison,
    CountTable,
    Layer,
    Match,
    Mismatch,
    Options,
    Units,
    choose_layers,
    count_kinds,
    find_mismatches,
)  # fmt: skip
from evalign.readers import Source, load, read_source
from evalign.readers.raw import read_raw
from evalign.result import SPAN_METRICS, Ledger, LedgerRule, Result, Score, SystemResult

Input: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text | Sequence[Sequence[str]] | Document"
Strategy = Literal["places", "printed"]
Average = Literal["micro", "document", "sentence"]

# Above this many stretches neighbours are merged into one unit.
MOST_UNITS = 100_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked of a run, apart from what each layer needs."""

    metrics: tuple[Layer, ...]
    normalize: tuple[str, ...]
    exceptions: str
    strict: bool
    strategy: Strategy
    average: Average
    options: Options


def read(source: Input, *, format: str = "auto", strict: bool = False) -> Document:
    """Read a path, an open file, a `Text` or lists of tokens into a document.

    >>> read([["A", "b", "."]]).line
    'Ab.'
    """
    return read_source(source, format, strict=strict)


def score(
    gold: Input,
    *systems: Input,
    metrics: Sequence[str] = DEFAULT_LAYERS,
    match: Match = "default",
    normalize: Sequence[str] = (),
    exceptions: str = "",
    credit_exceptions: bool = False,
    strict: bool = False,
    strategy: Strategy = "places",
    average: Average = "micro",
    gold_format: str = "auto",
    system_format: str = "auto",
    candidates: str = "",
    vocabulary: Sequence[str] | None = None,
    raw: Input | None = None,
) -> Result:
    """Score one or several systems against gold, metric by metric.

    Texts may differ: both are placed on one character line first, and the result's ledger says what that took.

    >>> result = score([["Click", "here", "To", "view", "it", "."]], [["Click", "here"], ["To", "view", "it", "."]])
    >>> result["sentences"].f1, result["tokens"].f1
    (0.0, 1.0)
    """
    if not systems:
        msg = "no system to score"
        raise CommandError(msg, "gold and at least one system")
    options = Options(match, credit_exceptions, candidates or Options().candidates, _vocabulary(vocabulary))
    _check_choices(match=match, strategy=strategy, average=average)
    settings = Settings(
        choose_layers(metrics), tuple(normalize), exceptions, strict, strategy, average, options
    )
    gold_document = read(gold, format=gold_format, strict=strict)
    documents = [read(system, format=system_format, strict=strict) for system in systems]
    alignments = [
        align(gold_document, d, normalize=normalize, exceptions=exceptions, strict=strict) for d in documents
    ]
    units = find_units(gold_document, alignments, settings)
    raw_map = _raw_map(gold_document, raw)
    results = tuple(_score_system(alignment, units, settings, raw_map) for alignment in alignments)
    warnings = _warnings(gold_document, documents, results)
    return Result(gold_document.name, results, units.kind, units.names, warnings)


def align(
    gold: Input,
    system: Input,
    *,
    normalize: Sequence[str] = (),
    exceptions: str = "",
    strict: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
) -> Alignment:
    """Bring two documents into shared places: blocks of sentences, groups of tokens, projection of spans.

    >>> alignment = align([["an", "e-mail", "."]], [["an", "email", "."]])
    >>> alignment.project(2, 8)
    (2, 7)
    """
    left = read(gold, format=gold_format, strict=strict)
    right = read(system, format=system_format, strict=strict)
    if strict and left.line != right.line:
        raise _refusal(left, right)
    listed = load_exceptions(exceptions) if exceptions else {}
    return align_documents(left, right, rules=choose_rules(normalize), exceptions=listed)


def compare_documents(
    gold: Input,
    system: Input,
    *,
    match: Match = "default",
    normalize: Sequence[str] = (),
    exceptions: str = "",
    credit_exceptions: bool = False,
    strict: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
    raw: Input | None = None,
) -> tuple[Comparison, tuple[str, ...]]:
    """One system compared with gold, ready to be looked at block by block, and what to warn of."""
    _check_choices(match=match)
    left = read(gold, format=gold_format, strict=strict)
    right = read(system, format=system_format, strict=strict)
    alignment = align(left, right, normalize=normalize, exceptions=exceptions, strict=strict)
    units = Units("whole", np.zeros(1, np.int32), [left.name])
    comparison = Comparison(alignment, units, Options(match, credit_exceptions), _raw_map(left, raw))
    return comparison, tuple(dict.fromkeys(str(remark) for d in (left, right) for remark in d.remarks))


def _check_choices(**given: str) -> None:
    known = {
        "match": ("default", "place", "text"),
        "strategy": ("places", "printed"),
        "average": ("micro", "document", "sentence"),
    }
    for name, value in given.items():
        if value not in known[name]:
            msg = f'{name} is "{value}"'
            raise CommandError(msg, f"one of {', '.join(known[name])}")


def _vocabulary(words: Sequence[str] | None) -> frozenset[str] | None:
    return None if words is None else frozenset(words)


def _refusal(gold: Document, system: Document) -> StrictError:
    """What the CoNLL 2018 script says of texts that differ, with the place."""
    most = min(len(gold.line), len(system.line))
    at = next((k for k in range(most) if gold.line[k] != system.line[k]), most)
    token = min(int(np.searchsorted(system.cuts, at, side="right")) - 1, system.n_tokens - 1)
    place = system.place_of(token) if system.n_tokens else Place(system.name)
    return StrictError(
        place,
        "the concatenation of tokens in gold file and in system file differ: "
        f"first 20 differing characters {quote(gold.line[at : at + 20])} in gold, {quote(system.line[at : at + 20])} here",
        "the same characters, white space aside",
        "leave out --strict to align what differs",
    )


def find_units(gold: Document, alignments: Sequence[Alignment], settings: Settings) -> Units:
    """What counts are kept by: gold documents, else stretches that gold and every system share."""
    if settings.strategy == "printed":
        return Units("whole", np.zeros(1, np.int32), [gold.name])
    if settings.average == "sentence":
        ids = gold.sentence_ids or [str(k + 1) for k in range(gold.n_sentences)]
        return Units("sentence", gold.sentences[:-1] if gold.n_sentences else np.zeros(1, np.int32), ids)
    if len(gold.documents):
        firsts, index = np.unique(gold.documents.sentences, return_index=True)
        names = [gold.documents.names[k] for k in index.tolist()]
        if firsts[0]:
            firsts, names = np.append(0, firsts), ["", *names]
        return Units("document", gold.sentences[firsts], names)
    if settings.average == "document":
        return Units("document", np.zeros(1, np.int32), [gold.name])
    return _stretches(gold, alignments)


def _stretches(gold: Document, alignments: Sequence[Alignment]) -> Units:
    shared: IntArray = alignments[0].blocks.gold
    for alignment in alignments[1:]:
        shared = np.intersect1d(shared, alignment.blocks.gold)
    starts = np.unique(np.append(0, shared[shared < gold.n_sentences]))
    merged = -(-len(starts) // MOST_UNITS)
    starts = starts[::merged]
    return Units(
        "stretch", gold.sentences[starts], [f"from sentence {k + 1}" for k in starts.tolist()], merged
    )


def _raw_map(gold: Document, raw: Input | None) -> RawMap | None:
    return None if raw is None else RawMap(gold, read_raw(load(cast("Source", raw))))


def _score_system(alignment: Alignment, units: Units, settings: Settings, raw: RawMap | None) -> SystemResult:
    comparison = Comparison(alignment, units, settings.options, raw)
    if settings.strategy == "printed":
        tables = _count_printed(comparison, settings)
    else:
        tables = {layer.name: layer.count(comparison) for layer in settings.metrics}
    scores = {layer.name: Score(layer, tables[layer.name], settings.average) for layer in settings.metrics}
    signature = _signature(alignment, units, settings)
    return SystemResult(
        alignment.system.original.name, scores, _ledger(comparison), signature, FreshEvidence(comparison)
    )


@dataclass(frozen=True, slots=True)
class FreshEvidence:
    """Errors found on demand: most runs only want the scores."""

    comparison: Comparison

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""
        return count_kinds(self.comparison, metric)

    def mismatches(self, metric: str) -> Iterator[Mismatch]:
        """The errors, in the order of the text."""
        return find_mismatches(self.comparison, metric)


def _count_printed(comparison: Comparison, settings: Settings) -> dict[str, CountTable]:
    """Algorithm 1 as printed: sentences, tokens and words only, in one unit."""
    gold, system = comparison.gold, comparison.system
    tables = {}
    for layer in settings.metrics:
        if layer.name not in SPAN_METRICS:
            msg = f"--strategy printed does not count {layer.name}"
            raise CommandError(
                msg,
                "sentences, tokens or words",
                "name them: --metrics tokens",
            )
        sides = (gold, system)
        rows = [word_sentences(d) if layer.name == "words" else list(d) for d in sides]
        counted = count_printed(*rows)
        correct = counted.sentences if layer.name == "sentences" else counted.tokens
        sizes = [getattr(d, f"n_{layer.name}") for d in sides]
        tables[layer.name] = np.array([[correct, *sizes, correct, correct]], np.int64)
    return tables


def _ledger(comparison: Comparison) -> Ledger:
    alignment = comparison.alignment
    tolerated = alignment.tolerated
    rules: dict[str, LedgerRule] = {}
    for side, firings in (
        ("gold", alignment.gold.firings),
        ("system", alignment.system.firings),
        ("", tolerated.rules),
    ):
        for firing in firings:
            before = rules.get(firing.rule, LedgerRule())
            in_system = side == "system" or firing.rule.endswith(("system-only", "-system"))
            places = (*before.places, *map(str, firing.places))
            rules[firing.rule] = LedgerRule(
                before.gold + (0 if in_system else firing.count),
                before.system + (firing.count if in_system else 0),
                places,
            )
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


def _signature(alignment: Alignment, units: Units, settings: Settings) -> str:
    """Everything that could move a number, on one line."""
    options = settings.options
    equal = alignment.gold.original.line == alignment.system.original.line
    rules = "+".join(rule.name for rule in choose_rules(settings.normalize)) or "none"
    unit = f"{units.kind}({len(units)})" + (f"x{units.merged}" if units.merged > 1 else "")
    parts = {
        "evalign": __version__,
        "kernels": "compiled" if is_compiled() else "plain",
        "mode": "strict" if settings.strict else "aligned",
        "lines": "equal" if equal else "differ",
        "normalize": "not-needed" if equal else rules,
        "exceptions": (settings.exceptions or "none") + ("+credited" if options.credit_exceptions else ""),
        "match": options.match,
        "strategy": settings.strategy,
        "average": settings.average,
        "unit": unit,
    }
    if any(layer.name == "disambiguation" for layer in settings.metrics):
        parts["candidates"] = options.candidates
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _warnings(
    gold: Document, documents: Sequence[Document], results: Sequence[SystemResult]
) -> tuple[str, ...]:
    remarks: list[Remark] = [remark for document in (gold, *documents) for remark in document.remarks]
    messages = list(dict.fromkeys(map(str, remarks)))
    for result in results:
        ledger = result.ledger
        if ledger.reordered:
            messages.append(
                f"{result.name}: {ledger.reordered} sentences stand in another order than in {gold.name}; "
                "each counts as missed and spurious (was the output sorted or shuffled?)"
            )
        shared = ledger.equal + ledger.rewritten
        if gold.n_tokens and shared < ledger.gold_only:
            messages.append(
                f"{result.name}: only {shared:,} of {shared + ledger.gold_only:,} gold characters were found "
                "(is it an output for this text?)"
            )
    return tuple(messages)
