"""The public functions `read`, `align` and `score`, and the scoring of whole texts in memory.

`score` makes a `ScoreRequest`. `score_request` hands it to `run` if it can and should be scored in parts;
otherwise it scores the whole text here: read, align, find units, compare, count, and put the result together
(`summary`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, Literal, TypeAlias, cast

import numpy as np

from evalign.alignment.align import align_documents
from evalign.alignment.alignment import Alignment
from evalign.document import Document
from evalign.errors import CommandError, Message, check_flag, check_type
from evalign.files import check_names
from evalign.metrics.census import LiveCensus, find_size
from evalign.metrics.comparison import Comparison, Units
from evalign.metrics.metric import MOST_PASSAGES
from evalign.metrics.options import Options, load_preset
from evalign.metrics.registry import DEFAULT_METRICS, SPAN_METRICS
from evalign.options import Average, EdgeMatch, FeatureValues, Match, Punctuation, RelationLabels, Strategy
from evalign.progress import Progress, Step, counted, no_progress
from evalign.readers.display_names import name_documents, name_inputs, paths_in_errors, rename
from evalign.readers.formats import read_source
from evalign.results.result import Result
from evalign.results.system_result import Evidence, NoEvidence
from evalign.scoring.ledger import find_ledger, make_ledger
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.metric_choice import (
    available_metrics,
    expand_names,
    list_metrics,
    refuse_columns,
    refuse_spans,
)
from evalign.scoring.request import (
    Execution,
    ScoreRequest,
    Settings,
    check_choices,
    choose_match,
    list_names,
    make_options,
)
from evalign.scoring.signature import describe_units, fingerprint
from evalign.scoring.summary import Tables, count_tables, find_facts, list_warnings, make_systems
from evalign.scoring.units import find_documents, find_units
from evalign.scoring.warnings import check_gold, make_warnings, refuse_differing
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.alignment.raw_map import RawMap
    from evalign.engines.base import Engine
    from evalign.options import Empty, PresetInput, WeightsInput
    from evalign.readers.live.objects import Live
    from evalign.readers.raw_files import RawInput, RawText, RawTexts

# Modules that only some runs need are imported where they are used: a small file must be scored at once.

Input: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text | Live | Document"


def read(
    source: Input,
    *,
    format: str = "auto",
    strict: bool = False,
    collapse_empty_nodes: bool = False,
    empty: Empty = "drop",
    split_spaces: bool = False,
    raw: RawInput | None = None,
    name: str = "",
) -> Document:
    """Read a path, an open file, a `Text` or objects in memory into a document.

    A stand-off table needs its `raw` text. `empty` says whether empty elements of trees are dropped, or kept
    as tokens without characters. With `split_spaces`, tokens of CoNLL-U are cut at their spaces, as in plain
    text, and have no tags, lemmas and heads. `name` is the document's name in tables and messages.

    >>> read([["A", "b", "."]]).line
    'Ab.'
    """
    check_type(format, str, "`format=`", "the name of a format")
    check_type(name, str, "`name=`", "the name of the document")
    check_flag(strict, "strict")
    check_flag(collapse_empty_nodes, "collapse_empty_nodes")
    check_flag(split_spaces, "split_spaces")
    check_choices(empty=empty)
    raws = load_raw(raw)
    return _read(
        source,
        format,
        raws,
        strict=strict,
        collapse_empty_nodes=collapse_empty_nodes,
        empty=empty,
        split_spaces=split_spaces,
        name=name,
    )


def _read(
    source: Input,
    format: str,
    raws: Sequence[RawText],
    *,
    strict: bool = False,
    collapse_empty_nodes: bool = False,
    empty: Empty = "drop",
    split_spaces: bool = False,
    name: str = "",
) -> Document:
    if split_spaces and strict:
        message = Message("{split_spaces=True} with {strict=True}")
        raise CommandError(
            message, "one of the two", "the CoNLL 2018 script takes a token with spaces as one"
        )
    return read_source(
        source,
        format,
        strict=strict,
        collapse=collapse_empty_nodes,
        raws=raws,
        empty=empty,
        split_spaces=split_spaces,
        name=name,
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
    preset: PresetInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
    split_spaces: bool = False,
    by: Sequence[str] = (),
    names: Sequence[str] = (),
    engine: Engine | Client | int | str | None = None,
    stream: bool | int = False,
    window: int | None = None,
    evidence: Literal["keep", "drop"] = "keep",
    passages: int | None = MOST_PASSAGES,
    progress: Progress = no_progress,
) -> Result:
    """Score one or several systems against gold, metric by metric.

    Without `metrics`, sentences, tokens and words are scored, and tags, lemmas and trees where the documents
    have them. For stand-off tables the spans are scored, under the name `layer`. `preset` is the name of a
    bracket scheme or an evalb parameter file (.prm). `split_spaces` cuts tokens of CoNLL-U at their spaces,
    as in plain text; then tags, lemmas and heads are not scored. Texts may differ: both are placed on one
    line of characters first, and the result's ledger lists what differed. `by` names what the result will be
    split by later, such as comments; an impossible name is refused at once, and a saved result keeps the
    counts that the split needs. `names` are names for the systems, instead of those of their files.
    `progress` is called with the stage of a long run.

    With `stream`, memory does not grow with the size of the files, and displaced text is found only within a
    `window` of characters; a number as `stream` says how many bytes of each file to read at a time. `engine`
    is a number of processes, the address of a Dask cluster or its client: large files are scored in parts,
    with the same result. A run in parts keeps as many errors as a saved result does, and at most `passages`
    blocks of sentences with errors; with `evidence="drop"` it keeps only counts.

    >>> result = score([["Click", "here", "To", "view", "it", "."]], [["Click", "here"], ["To", "view", "it", "."]])
    >>> result["sentences"].f1, result["tokens"].f1
    (0.0, 1.0)
    """
    check_choices(match=match, strategy=strategy, average=average, empty=empty)
    if strategy == "printed" and raw is not None:
        message = Message("{raw} with {strategy=printed}")
        raise CommandError(message, "one of the two", "the printed algorithm knows no places in a raw text")
    options = make_options(
        match, credit_exceptions, candidates, vocabulary, feature_values, edges, relations, weights, preset, punctuation
    )  # fmt: skip
    # The printed algorithm knows no columns.
    asked = list_metrics(metrics, layer)
    wanted = expand_names(asked or DEFAULT_METRICS * (strategy == "printed"), options, layer)
    if split_spaces:
        refuse_columns(asked)
    by_default = not asked or not {"all", "default"}.isdisjoint(asked)
    settings = Settings(
        (), by_default, list_names(normalize), exceptions, strict, strategy, average, collapse_empty_nodes, empty, options, _list_splits(by),
        split_spaces,
    )  # fmt: skip
    formats = gold_format, system_format
    request = ScoreRequest(
        (gold, *systems), formats, settings, wanted, asked, layer, raw, check_names(names, len(systems))
    )
    return score_request(request, Execution(engine, stream, window, evidence == "keep", passages), progress)


def score_request(request: ScoreRequest, execution: Execution, progress: Progress = no_progress) -> Result:
    """Score a request: in parts if `execution` asks for it and the request allows it, else as a whole."""
    if len(request.sources) == 1:
        message = "no system to score"
        raise CommandError(message, "gold and at least one system")
    if execution.is_asked(request.sources):
        from evalign.scoring.run import score_in_parts

        names = name_inputs(request.sources, given=request.system_names)
        with paths_in_errors(request.sources, names):
            if (result := score_in_parts(request, execution, names, progress)) is not None:
                return result
    raws = load_raw(request.raw)
    names = name_inputs(request.sources, raws, request.system_names)
    with paths_in_errors(request.sources, names):
        return _score_whole(request, raws, names, progress)


def _score_whole(
    request: ScoreRequest, raws: RawTexts | tuple[()], names: Sequence[str], progress: Progress
) -> Result:
    """Read, align and count whole documents in this process; `names` are those of inputs and raw texts."""
    settings, n_inputs = request.settings, len(request.sources)
    alignments = _align_all(request, raws, names[:n_inputs], progress)
    documents = alignments[0].gold.original, [alignment.system.original for alignment in alignments]
    metrics = available_metrics(
        request.names, request.asked, *documents, request.layer, strict=settings.strict
    )
    raw = _raw_map(documents[0], raws.renamed(names[n_inputs:]) if raws else ())
    settings = settings._replace(metrics=metrics)
    if raw is not None and settings.strategy == "places":
        from evalign.alignment.raw_map import RawMap, align_on_raw

        progress(f"aligning with {raw.raw.name}")
        alignments = [align_on_raw(each, raw, RawMap(each.system.original, raw.raw)) for each in alignments]
        settings = settings._replace(raw=fingerprint(raw.raw.text))
    return _count(alignments, settings, raw, progress)


def _align_all(
    request: ScoreRequest, raws: Sequence[RawText], names: Sequence[str], progress: Progress
) -> list[Alignment]:
    """Read gold and every system, give them their `names`, and align gold with each system."""
    (gold, *systems), formats, settings = (
        cast("Sequence[Input]", request.sources),
        request.formats,
        request.settings,
    )
    progress("reading gold")
    gold_document = rename(_read(gold, formats[0], raws, **settings.reading), names[0])
    check_gold(gold, gold_document.name, gold_document.line, formats[0])
    alignments = []
    for number, system in enumerate(systems, 1):
        progress(Step(f"reading system {number} of {len(systems)}", number - 1, len(systems)))
        document = rename(_read(system, formats[1], raws, **settings.reading), names[number])
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
    """Count all metrics of all systems and put the result together."""
    gold = alignments[0].gold.original
    units = find_units(gold, alignments, settings, raw)
    comparisons = [
        Comparison(alignment, units, settings.options, raw, strict=settings.strict)
        for alignment in alignments
    ]
    tables = []
    for _, comparison in counted(comparisons, progress, lambda each: f"counting {each.system.name}"):
        tables.append(_count_system(comparison, settings))
    facts = find_facts(comparisons, settings)
    unit_words = describe_units(units.kind, len(units), units.merged), len(units)
    evidence = [_evidence(comparison, settings) for comparison in comparisons]
    results = make_systems(facts, tables, unit_words, settings, evidence)
    warnings = list_warnings(facts, [result.ledger for result in results], settings, raw)
    starts = gold.cuts[units.tokens].tolist()
    fields = _fields(gold, raw, units)
    named = units.kind, units.names
    size = find_size(facts.gold)
    result = Result(gold.name, results, *named, warnings, starts, len(gold.line), fields, size)
    for by in settings.by:
        result.check_split(by)
    return result


def _fields(gold: Document, raw: RawMap | None, units: Units) -> Mapping[str, Sequence[str]]:
    """Return, by key of gold's comments, a value for each unit; values are looked up on first access."""
    if gold.comments is None:
        return {}
    from evalign.scoring.units import UnitFields

    return UnitFields(gold, find_documents(gold, raw), units)


def align(
    gold: Input,
    system: Input,
    *,
    normalize: Sequence[str] = (),
    exceptions: str = "",
    strict: bool = False,
    split_spaces: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
) -> Alignment:
    """Align two documents, so that positions in one can be compared with positions in the other.

    Both are mapped to shared places: positions on one line of characters. The returned alignment has the
    blocks of sentences and groups of tokens that correspond, and projects spans from gold to system.

    >>> alignment = align([["an", "e-mail", "."]], [["an", "email", "."]])
    >>> alignment.project(2, 8)
    (2, 7)
    """
    left = read(gold, format=gold_format, strict=strict, split_spaces=split_spaces)
    check_gold(gold, left.name, left.line, gold_format)
    right = read(system, format=system_format, strict=strict, split_spaces=split_spaces)
    if strict and left.line != right.line:
        raise refuse_differing(left, right)
    left, right = name_documents((left, right))
    check_type(exceptions, str, "`exceptions=`", "a language, or the path of a file")
    listed: Mapping[str, str] = {}
    if exceptions:
        from evalign.alignment.normalize import load_exceptions

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
    raw: RawInput | RawTexts | None = None,
    preset: PresetInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
    split_spaces: bool = False,
) -> tuple[Comparison, tuple[str, ...]]:
    """Compare one system with gold.

    Returns the comparison, with all of gold as one unit, and the warnings.
    """
    check_choices(match=match, feature_values=feature_values, empty=empty, punctuation=punctuation)
    raws = load_raw(raw)
    left = _read(gold, gold_format, raws, strict=strict, empty=empty, split_spaces=split_spaces)
    check_gold(gold, left.name, left.line, gold_format)
    right = _read(system, system_format, raws, strict=strict, empty=empty, split_spaces=split_spaces)
    refuse_spans(left, right)
    inputs = left, right
    names = name_inputs(inputs, raws)
    with paths_in_errors(inputs, names):
        left, right = map(rename, inputs, names)
        alignment = align(left, right, normalize=normalize, exceptions=exceptions, strict=strict)
    units = Units("whole", np.zeros(1, np.int32), [left.name])
    raw_map = _raw_map(left, raws.renamed(names[2:]) if raws else ())
    if raw_map is not None:
        from evalign.alignment.raw_map import RawMap, align_on_raw

        alignment = align_on_raw(alignment, raw_map, RawMap(alignment.system.original, raw_map.raw))
    rules = load_preset(preset)
    comparison = Comparison(
        alignment,
        units,
        Options(
            choose_match(match, rules),
            credit_exceptions,
            feature_values=feature_values,
            bracket_rules=rules,
            punctuation=punctuation,
        ),
        raw_map,
        strict=strict,
    )
    censuses, ledger = tuple(map(LiveCensus, (left, right))), find_ledger(comparison)
    warnings = make_warnings(censuses[0], [(censuses[1], make_ledger(ledger, *censuses))], comparison.raw)
    return comparison, (*warnings, *comparison.options.bracket_rules.messages)


def _list_splits(given: Sequence[str]) -> tuple[str, ...]:
    """Return a tuple of the names in `given`, which say what a result is to be split by.

    A single string may list several names, and contain expressions that themselves have commas.
    """
    if not isinstance(given, str):
        return tuple(given)
    from evalign.results.split import split_names

    return split_names(given)


def load_raw(raw: RawInput | RawTexts | None) -> RawTexts | tuple[()]:
    """Return raw texts, reading them unless they were read before; an empty tuple if there are none."""
    if raw is None:
        return ()
    from evalign.readers.raw_files import RawTexts, read_raws

    return raw if isinstance(raw, RawTexts) else read_raws(raw)


def _raw_map(gold: Document, raws: RawTexts | tuple[()]) -> RawMap | None:
    if not raws or gold.spans is not None:
        return None
    from evalign.alignment.raw_map import map_raw

    return map_raw(gold, raws)


def _count_system(comparison: Comparison, settings: Settings) -> Tables:
    """Count the rows of all metrics whose columns both sides have."""
    if settings.strategy == "printed":
        return _count_printed(comparison, settings)
    return count_tables(comparison, settings.metrics)


def _evidence(comparison: Comparison, settings: Settings) -> Evidence:
    """Return the evidence of a fresh comparison.

    With the strategy "printed" this is `NoEvidence`, because that algorithm counts other errors than a
    comparison by place.
    """
    if settings.strategy == "printed":
        return NoEvidence()
    return LiveEvidence(comparison, settings.metrics, settings.average, settings.by)


def _count_printed(comparison: Comparison, settings: Settings) -> Tables:
    """Count by Algorithm 1 of Jo et al. 2024 as printed: sentences, tokens and words only, in one unit."""
    from evalign.metrics.spans import count_printed, word_sentences

    gold, system = comparison.gold, comparison.system
    tables = {}
    for metric in settings.metrics:
        if metric.name not in SPAN_METRICS:
            message = Message("{strategy=printed}") + f" does not count {metric.name}"
            raise CommandError(message, "sentences, tokens or words", Message("name them: {metrics=tokens}"))
        sides = (gold, system)
        rows = [word_sentences(d) if metric.name == "words" else list(d) for d in sides]
        counted = count_printed(*rows)
        correct = counted.sentences if metric.name == "sentences" else counted.tokens
        sizes = [getattr(d, f"n_{metric.name}") for d in sides]
        tables[metric.name] = np.array([[correct, *sizes, correct, correct]], np.int64)
    return tables
