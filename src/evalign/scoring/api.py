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
from evalign.errors import CommandError, Message, check_type
from evalign.metrics.census import Census, take_census
from evalign.metrics.comparison import Comparison, Units
from evalign.metrics.metric import MOST_PASSAGES, Metric
from evalign.metrics.registry import SPAN_METRICS
from evalign.options import (
    Average,
    EdgeMatch,
    Empty,
    FeatureValues,
    Match,
    PresetInput,
    Punctuation,
    RelationLabels,
    ScoreOptions,
    Strategy,
    WeightsInput,
    pick_options,
)
from evalign.progress import Progress, Step, counted, no_progress
from evalign.readers.display_names import name_documents, name_inputs, paths_in_errors, rename
from evalign.readers.formats import read_source
from evalign.results.result import Result
from evalign.results.system_result import Evidence, NoEvidence
from evalign.scoring.ledger import find_ledger, make_ledger
from evalign.scoring.live_evidence import LiveEvidence
from evalign.scoring.metric_choice import available_metrics, refuse_spans, take_censuses
from evalign.scoring.request import Execution, ScoreRequest, make_request, resolve
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
    options = resolve(**pick_options(locals()))
    return read_document(source, format, load_raw(raw), options, name)


def read_document(
    source: Input, format: str, raws: Sequence[RawText], options: ScoreOptions, name: str = ""
) -> Document:
    """Read an input of a known format, or "auto", as `options` say."""
    if options.split_spaces and options.strict:
        message = Message("{split_spaces=True} with {strict=True}")
        raise CommandError(
            message, "one of the two", "the CoNLL 2018 script takes a token with spaces as one"
        )
    return read_source(source, format, options, raws=raws, name=name)


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
    options = resolve(**pick_options(locals()))
    request = make_request((gold, *systems), options, raw=raw, by=by, names=names)
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
    options, n_inputs = request.options, len(request.sources)
    alignments = _align_all(request, raws, names[:n_inputs], progress)
    gold = alignments[0].gold.original
    censuses = take_censuses(options, gold, [alignment.system.original for alignment in alignments])
    metrics = available_metrics(options, *censuses)
    raw = _raw_map(gold, raws.renamed(names[n_inputs:]) if raws else ())
    if raw is not None:
        from evalign.alignment.raw_map import RawMap, align_on_raw

        progress(f"aligning with {raw.raw.name}")
        alignments = [align_on_raw(each, raw, RawMap(each.system.original, raw.raw)) for each in alignments]
    return _count(alignments, *censuses, metrics, request, raw, progress)


def _align_all(
    request: ScoreRequest, raws: Sequence[RawText], names: Sequence[str], progress: Progress
) -> list[Alignment]:
    """Read gold and every system, give them their `names`, and align gold with each system."""
    gold, *systems = cast("Sequence[Input]", request.sources)
    options = request.options
    progress("reading gold")
    gold_document = rename(read_document(gold, options.gold_format, raws, options), names[0])
    check_gold(gold, gold_document.name, gold_document.line, options.gold_format)
    alignments = []
    for number, system in enumerate(systems, 1):
        progress(Step(f"reading system {number} of {len(systems)}", number - 1, len(systems)))
        document = rename(read_document(system, options.system_format, raws, options), names[number])
        progress(Step(f"aligning {document.name}", number - 1, len(systems)))
        alignments.append(_align(gold_document, document, options))
    return alignments


def _count(
    alignments: Sequence[Alignment],
    gold_census: Census,
    censuses: Sequence[Census],
    metrics: tuple[Metric, ...],
    request: ScoreRequest,
    raw: RawMap | None,
    progress: Progress,
) -> Result:
    """Count all metrics of all systems and put the result together.

    `gold_census` is that of gold, `censuses` are those of the systems.
    """
    gold, options = alignments[0].gold.original, request.options
    units = find_units(gold, alignments, options, raw, most=request.most_units)
    comparisons = [Comparison(alignment, units, options, raw) for alignment in alignments]
    tables = []
    for number, comparison in counted(comparisons, progress, lambda each: f"counting {each.system.name}"):
        tables.append(_count_system(comparison, metrics, gold_census, censuses[number]))
    facts = find_facts(gold_census, censuses, comparisons)
    unit_words = describe_units(units.kind, len(units), units.merged), len(units)
    evidence = [_evidence(comparison, metrics, request.by) for comparison in comparisons]
    on_raw = "" if raw is None else fingerprint(raw.raw.text)
    results = make_systems(facts, tables, unit_words, metrics, options, evidence, raw=on_raw)
    warnings = list_warnings(facts, [result.ledger for result in results], metrics, options, raw)
    starts = gold.cuts[units.tokens].tolist()
    fields = _fields(gold, raw, units)
    named = units.kind, units.names
    result = Result(gold.name, results, *named, warnings, starts, len(gold.line), fields, gold_census.size)
    for by in request.by:
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
    options = resolve(**pick_options(locals()))
    left = read_document(gold, gold_format, (), options)
    check_gold(gold, left.name, left.line, gold_format)
    right = read_document(system, system_format, (), options)
    if strict and left.line != right.line:
        raise refuse_differing(left, right)
    left, right = name_documents((left, right))
    return _align(left, right, options)


def _align(gold: Document, system: Document, options: ScoreOptions) -> Alignment:
    if options.strict and gold.line != system.line:
        raise refuse_differing(gold, system)
    return align_documents(gold, system, normalize=options.normalize, exceptions=options.exceptions.words)


def compare_documents(
    gold: Input, system: Input, options: ScoreOptions, raw: RawInput | RawTexts | None = None
) -> tuple[Comparison, tuple[str, ...]]:
    """Compare one system with gold.

    Returns the comparison, with all of gold as one unit, and the warnings.
    """
    raws = load_raw(raw)
    left = read_document(gold, options.gold_format, raws, options)
    check_gold(gold, left.name, left.line, options.gold_format)
    right = read_document(system, options.system_format, raws, options)
    refuse_spans(left, right)
    inputs = left, right
    names = name_inputs(inputs, raws)
    with paths_in_errors(inputs, names):
        left, right = map(rename, inputs, names)
        alignment = _align(left, right, options)
    units = Units("whole", np.zeros(1, np.int32), [left.name])
    raw_map = _raw_map(left, raws.renamed(names[2:]) if raws else ())
    if raw_map is not None:
        from evalign.alignment.raw_map import RawMap, align_on_raw

        alignment = align_on_raw(alignment, raw_map, RawMap(alignment.system.original, raw_map.raw))
    comparison = Comparison(alignment, units, options, raw_map)
    gold_census, census = take_census(left), take_census(right)
    ledger = make_ledger(find_ledger(comparison), gold_census, census)
    warnings = make_warnings(gold_census, [(census, ledger)], comparison.raw)
    return comparison, (*warnings, *options.bracket_rules.messages)


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


def _count_system(comparison: Comparison, metrics: Sequence[Metric], gold: Census, system: Census) -> Tables:
    """Count the rows of all metrics whose columns both sides have."""
    if comparison.options.strategy == "printed":
        return _count_printed(comparison, metrics)
    return count_tables(comparison, metrics, gold, system)


def _evidence(comparison: Comparison, metrics: tuple[Metric, ...], by: tuple[str, ...]) -> Evidence:
    """Return the evidence of a fresh comparison.

    With the strategy "printed" this is `NoEvidence`, because that algorithm counts other errors than a
    comparison by place.
    """
    if comparison.options.strategy == "printed":
        return NoEvidence()
    return LiveEvidence(comparison, metrics, by)


def _count_printed(comparison: Comparison, metrics: Sequence[Metric]) -> Tables:
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
        counted = count_printed(*rows)
        correct = counted.sentences if metric.name == "sentences" else counted.tokens
        sizes = [getattr(d, f"n_{metric.name}") for d in sides]
        tables[metric.name] = np.array([[correct, *sizes, correct, correct]], np.int64)
    return tables
