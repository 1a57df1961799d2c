"""Score and align: the only module that knows the whole chain.

read -> place on one line -> blocks -> layers -> count -> result
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, NamedTuple, TypeAlias

import numpy as np

from evalign import layers
from evalign.alignment import Alignment, align_documents
from evalign.document import Document
from evalign.errors import CommandError, Place, StrictError, quote
from evalign.evaluate.columns import warn_of_columns
from evalign.evaluate.metrics import choose_metrics, expand_names, refuse_spans
from evalign.evaluate.settings import (
    Average,
    Settings,
    Strategy,
    check_choices,
    list_names,
    make_options,
    make_signature,
)
from evalign.evaluate.tolerance import make_ledger, make_warnings
from evalign.evaluate.units import find_documents, find_units
from evalign.layers import DEFAULT_LAYERS, Comparison, CountTable, Layer, Match, Options, Units
from evalign.layers.needs import has_columns
from evalign.layers.options import EdgeMatch, FeatureValues, Punctuation, RelationLabels
from evalign.layers.schemes import load_scheme
from evalign.progress import Progress, Step, counted, no_progress
from evalign.readers import read_source
from evalign.result import SPAN_METRICS, Evidence, NoEvidence, Result, Score, SystemResult
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw import RawMap
    from evalign.evaluate.settings import SchemeInput, WeightsInput
    from evalign.layers.groups import Grouped
    from evalign.layers.located import Marks
    from evalign.layers.passages import Passages
    from evalign.layers.stages import Losses
    from evalign.readers.live import Live
    from evalign.readers.raw import RawInput, RawText, RawTexts
    from evalign.readers.trees import Empty

# What only some runs need is imported where it is used: a command on a small file must feel instant.

Input: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text | Live | Document"


def read(
    source: Input,
    *,
    format: str = "auto",
    strict: bool = False,
    collapse_empty_nodes: bool = False,
    empty: Empty = "drop",
    raw: RawInput | None = None,
    name: str = "",
) -> Document:
    """Read a path, an open file, a `Text` or objects in memory into a document; a stand-off table with its raw text.

    Empty elements of trees are dropped, or kept as tokens without characters. The name is what tables call it.

    >>> read([["A", "b", "."]]).line
    'Ab.'
    """
    raws = _load_raw(raw)
    return _read(
        source, format, raws, strict=strict, collapse_empty_nodes=collapse_empty_nodes, empty=empty, name=name
    )


def _read(
    source: Input,
    format: str,
    raws: Sequence[RawText],
    *,
    strict: bool = False,
    collapse_empty_nodes: bool = False,
    empty: Empty = "drop",
    name: str = "",
) -> Document:
    return read_source(
        source, format, strict=strict, collapse=collapse_empty_nodes, raws=raws, empty=empty, name=name
    )


def score(
    gold: Input,
    *systems: Input,
    metrics: Sequence[str] = (),
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
    feature_values: FeatureValues = "ordered",
    edges: EdgeMatch = "once",
    collapse_empty_nodes: bool = False,
    relations: RelationLabels = "auto",
    weights: WeightsInput = None,
    raw: RawInput | None = None,
    layer: str = "",
    preset: SchemeInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
    by: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Result:
    """Score one or several systems against gold, metric by metric.

    Without `metrics`: sentences, tokens, words, and what the documents have beside: tags, lemmas, trees; of stand-off
    tables the spans, under the name `layer`. `preset` is a name or a .prm file of evalb's. Texts may differ: both are
    placed on one character line first, and the result's ledger says what that took. `by` is what the result will be
    split by: refused at once if it cannot be, kept if it is saved. `progress` is called with the stage of a long run.

    >>> result = score([["Click", "here", "To", "view", "it", "."]], [["Click", "here"], ["To", "view", "it", "."]])
    >>> result["sentences"].f1, result["tokens"].f1
    (0.0, 1.0)
    """
    if not systems:
        msg = "no system to score"
        raise CommandError(msg, "gold and at least one system")
    check_choices(match=match, strategy=strategy, average=average, empty=empty)
    options = make_options(
        match, credit_exceptions, candidates, vocabulary, feature_values, edges, relations, weights, preset, punctuation
    )  # fmt: skip
    # The printed algorithm knows no columns.
    names = list_names(metrics) or (DEFAULT_LAYERS if strategy == "printed" else ())
    wanted = expand_names(names, options, layer)
    settings = Settings(
        (), not metrics, list_names(normalize), exceptions, strict, strategy, average, collapse_empty_nodes, empty, options, _by(by)
    )  # fmt: skip
    raws = _load_raw(raw)
    alignments = _align_all(gold, systems, settings, (gold_format, system_format), raws, progress)
    documents = alignments[0].gold.original, [alignment.system.original for alignment in alignments]
    settings = settings._replace(metrics=choose_metrics(wanted, list_names(metrics), *documents, layer))
    return _count(alignments, settings, _raw_map(documents[0], raws), progress)


def _align_all(
    gold: Input,
    systems: Sequence[Input],
    settings: Settings,
    formats: tuple[str, str],
    raws: Sequence[RawText],
    progress: Progress,
) -> list[Alignment]:
    """Gold aligned with every system."""
    progress("reading gold")
    gold_document = _read(gold, formats[0], raws, **settings.reading)
    alignments = []
    for number, system in enumerate(systems, 1):
        progress(Step(f"reading system {number} of {len(systems)}", number - 1, len(systems)))
        document = _read(system, formats[1], raws, **settings.reading)
        progress(Step(f"aligning {document.name}", number - 1, len(systems)))
        alignments.append(
            align(
                gold_document,
                document,
                normalize=settings.normalize,
                exceptions=settings.exceptions,
                strict=settings.strict,
            )
        )
    return alignments


def _count(
    alignments: Sequence[Alignment], settings: Settings, raw: RawMap | None, progress: Progress
) -> Result:
    """Count all metrics of all systems."""
    gold, documents = alignments[0].gold.original, [alignment.system.original for alignment in alignments]
    units = find_units(gold, alignments, settings, raw)
    results = []
    for _, alignment in counted(alignments, progress, lambda each: f"counting {each.system.original.name}"):
        results.append(_score_system(alignment, units, settings, raw))
    ledgers = [result.ledger for result in results]
    warnings = (
        *make_warnings(gold, list(zip(documents, ledgers, strict=True)), raw),
        *(map(str, raw.remarks) if raw else ()),
        *warn_of_columns(gold, documents, settings),
        *settings.options.scheme.messages,
    )
    starts = gold.cuts[units.tokens].tolist()
    fields = _fields(gold, raw, units)
    named = units.kind, units.names
    result = Result(gold.name, tuple(results), *named, warnings, starts, len(gold.line), fields)
    for by in settings.by:
        result.check_split(by)
    return result


def _fields(gold: Document, raw: RawMap | None, units: Units) -> Mapping[str, Sequence[str]]:
    """What comments say of the units, looked for when it is asked for."""
    if gold.comments is None:
        return {}
    from evalign.evaluate.fields import UnitFields

    return UnitFields(gold, find_documents(gold, raw), units)


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
    listed: Mapping[str, str] = {}
    if exceptions:
        from evalign.alignment.exceptions import load_exceptions

        listed = load_exceptions(exceptions)
    return align_documents(left, right, normalize=list_names(normalize), exceptions=listed)


def compare_documents(
    gold: Input,
    system: Input,
    *,
    match: Match = "default",
    normalize: Sequence[str] = (),
    exceptions: str = "",
    credit_exceptions: bool = False,
    feature_values: FeatureValues = "ordered",
    strict: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
    raw: RawInput | None = None,
    preset: SchemeInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
) -> tuple[Comparison, tuple[str, ...]]:
    """One system compared with gold, ready to be looked at block by block, and what to warn of."""
    check_choices(match=match, feature_values=feature_values, empty=empty, punctuation=punctuation)
    raws = _load_raw(raw)
    left = _read(gold, gold_format, raws, strict=strict, empty=empty)
    right = _read(system, system_format, raws, strict=strict, empty=empty)
    refuse_spans(left, right)
    alignment = align(left, right, normalize=normalize, exceptions=exceptions, strict=strict)
    units = Units("whole", np.zeros(1, np.int32), [left.name])
    comparison = Comparison(
        alignment,
        units,
        Options(
            match,
            credit_exceptions,
            feature_values=feature_values,
            scheme=load_scheme(preset),
            punctuation=punctuation,
        ),
        _raw_map(left, raws),
    )
    raw_remarks = map(str, comparison.raw.remarks) if comparison.raw else ()
    warnings = make_warnings(left, [(right, make_ledger(comparison))], comparison.raw)
    return comparison, (*warnings, *raw_remarks, *comparison.options.scheme.messages)


def _by(given: Sequence[str]) -> tuple[str, ...]:
    """The same of what a result is split by, which may be an expression with commas in it."""
    if not isinstance(given, str):
        return tuple(given)
    from evalign.result.grouped import split_names

    return split_names(given)


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


def _load_raw(raw: RawInput | None) -> RawTexts | tuple[()]:
    if raw is None:
        return ()
    from evalign.readers.raw import read_raws

    return read_raws(raw)


def _raw_map(gold: Document, raws: RawTexts | tuple[()]) -> RawMap | None:
    if not raws or gold.spans is not None:
        return None
    from evalign.alignment.raw import map_raw

    return map_raw(gold, raws)


def _score_system(alignment: Alignment, units: Units, settings: Settings, raw: RawMap | None) -> SystemResult:
    comparison = Comparison(alignment, units, settings.options, raw)
    if settings.strategy == "printed":
        tables = _count_printed(comparison, settings)
    else:
        tables = {
            layer.name: layer.count(comparison)
            for layer in settings.metrics
            if has_columns(comparison, layer.needs)
        }
    scores = {layer.name: _score(layer, tables, units, settings.average) for layer in settings.metrics}
    signature = make_signature(comparison, units, settings)
    # The printed algorithm has other errors than places show, and keeps none.
    shown = settings.metrics, settings.average, settings.by
    evidence = FreshEvidence(comparison, *shown) if settings.strategy == "places" else NoEvidence()
    return SystemResult(alignment.system.original.name, scores, make_ledger(comparison), signature, evidence)


def _score(layer: Layer, tables: Mapping[str, CountTable], units: Units, average: str) -> Score:
    """A score, or one that is not available where nothing could be counted."""
    if layer.name in tables:
        return Score(layer, tables[layer.name], average)
    return Score(layer, np.zeros((len(units), len(layer.fields)), np.int64), average, available=False)


class FreshEvidence(NamedTuple):
    """Errors and breakdowns found on demand: most runs only want the scores."""

    comparison: Comparison
    metrics: tuple[Layer, ...] = ()
    average: str = "micro"
    by: tuple[str, ...] = ()

    def kinds(self, metric: str) -> Mapping[str, int]:
        """How many errors there are of each kind."""
        return layers.count_kinds(self.comparison, metric)

    def mismatches(self, metric: str) -> Iterator[layers.Mismatch]:
        """The errors, in the order of the text."""
        return layers.find_mismatches(self.comparison, metric)

    def groups(self, metric: str, examples: int) -> list[layers.ErrorGroup]:
        """The errors by kind and by what was written, commonest first, each with a few examples."""
        return layers.group_errors(self.comparison, metric, examples)

    def breakdown(self, kind: str) -> Mapping[str, layers.Counts]:
        """Counts per label."""
        from evalign.layers.breakdowns import break_down

        return break_down(self.comparison, kind)

    def breakdown_kinds(self) -> Sequence[str]:
        """The breakdowns that the columns allow."""
        from evalign.layers.breakdowns import find_kinds

        return find_kinds(self.comparison)

    def breakdown_units(self, kind: str) -> Grouped:
        """Counts per label and unit."""
        from evalign.evaluate.groups import count_labels

        return count_labels(self.comparison, kind, self.metrics)

    def grouped(self, by: str) -> Grouped:
        """Gold sentences by length or by a comment, all metrics that add up."""
        from evalign.evaluate.groups import count_grouped

        return count_grouped(self.comparison, self.metrics, self.average, by)

    def grouped_fields(self) -> Sequence[str]:
        """The comments that stand above single sentences."""
        from evalign.evaluate.groups import find_grouped_fields

        return find_grouped_fields(self.comparison)

    def grouped_kept(self) -> Sequence[str]:
        """Lengths, and the comments of sentences that were asked for."""
        from evalign.evaluate.groups import choose_kept

        return choose_kept(self.comparison, self.average, self.by)

    def passages(self, metrics: Sequence[str], most: int | None = None) -> Passages:
        """Blocks of sentences with an error of some metrics; at most so many, spread evenly over the text."""
        from evalign.layers.passages import find_passages

        return find_passages(self.comparison, metrics, most)

    def marks(self, metrics: Sequence[str]) -> Marks:
        """Positions on the gold line of all errors, by metric and kind."""
        from evalign.layers.located import locate_errors, mark_errors

        return mark_errors(locate_errors(self.comparison, metrics))

    def losses(self) -> Losses | None:
        """What every stage cost."""
        from evalign.layers.stages import find_losses

        return find_losses(self.comparison)

    def condense(self, system: SystemResult) -> Evidence:
        """What a saved result has of it."""
        from evalign.result.saved import load_system, system_json

        return load_system(system_json(system, whole=True), len(self.comparison.units)).evidence


def _count_printed(comparison: Comparison, settings: Settings) -> dict[str, CountTable]:
    """Algorithm 1 as printed: sentences, tokens and words only, in one unit."""
    from evalign.alignment.printed import count_printed, word_sentences

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
