"""Attribution: how much of the loss of F1 each processing stage causes, in one output or in mixed runs.

    attribute("gold.mrg", "system.mrg", gold_sentences="a.mrg", gold_tokens="b.mrg")
    tabulate_parsing(parts, gold_tokens=["PARSER_ON_GOLD"])

Dridan and Oepen 2013 set accuracy on gold input beside accuracy on raw text (Tables 1 and 3). Here both views
are broken down by stage, so that the stages add up to what is missing from an F1 of 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

from evalign._version import __version__
from evalign.document import Document
from evalign.errors import CommandError, Message, call, quote, suggest
from evalign.metrics.census import has_column
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import Counts
from evalign.metrics.errors.stages import (
    INPUT_STAGES,
    STAGES,
    Charges,
    Losses,
    charge_arcs,
    charge_brackets,
    make_losses,
)
from evalign.metrics.registry import METRICS
from evalign.options import Empty, Match, PresetInput, Punctuation, ScoreOptions, pick_options
from evalign.readers.standoff import MissingTextError
from evalign.results.result import Parts, Result
from evalign.results.system_result import SystemResult
from evalign.scoring.count import warn_of_comparison
from evalign.scoring.finish import make_signature
from evalign.scoring.metric_choice import SCORES_TABLES
from evalign.scoring.reading import Input, read_comparisons
from evalign.scoring.request import resolve
from evalign.wording import describe_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw_files import RawInput

Items = Literal["auto", "brackets", "dependencies"]
# The metric that each kind of item is counted by, and the columns that documents must have for it.
METRIC_OF_ITEMS = {"brackets": "brackets", "dependencies": "las"}
NEEDS = {"brackets": ("trees",), "dependencies": ("head", "deprel")}
EXPECTED = "trees in all files, or CoNLL-U with HEAD and DEPREL in all of them"
# Kinds of input, by how many stages were gold: gold tokens come with gold sentences, gold tags with both.
ATTRIBUTION_RUNS = ("automatic", "gold sentences", "gold tokens", "gold tags")


class StageLoss(NamedTuple):
    """The loss of one output that is charged to one stage, or to all together."""

    stage: str
    missed: int
    """Gold items that the system lacks."""
    spurious: int
    """System items that gold lacks."""
    points: float | None
    """Loss in points of F1: 100 (missed + spurious) / (gold + system); None if there is no item."""


class AttributionRun(NamedTuple):
    """One output of a system: how much of its input was gold, and its counts."""

    input: str
    """One of `ATTRIBUTION_RUNS`."""
    system: str
    counts: Counts
    stages: tuple[str, ...]
    """The stages that the next run had gold input for and this one did not; for the last run, all later
    stages."""
    points: float | None
    """Points of F1 lost against the next run, for the last run against 100; negative if this run is
    better."""
    signature: str = ""


@dataclass(frozen=True)
class Attribution:
    """The loss of one output by stage, in points that add up to 100 - F1."""

    gold: str
    system: str
    items: str
    """What was counted: "brackets" or "dependencies"."""
    charges: Charges
    """Missed and spurious items by stage."""
    runs: tuple[AttributionRun, ...]
    """The output itself and the mixed runs, ordered by how much of the input was gold; points add up to 100 -
    F1 too."""
    signature: str
    warnings: tuple[str, ...] = ()

    @property
    def metric(self) -> str:
        """Name of the metric whose F1 is broken down."""
        return METRIC_OF_ITEMS[self.items]

    @property
    def counts(self) -> Counts:
        """Correct, gold and system items of the output."""
        return self.charges.counts

    @property
    def f1(self) -> float | None:
        """F1 of the output, from 0 to 1."""
        return self.counts.f1

    @property
    def rows(self) -> tuple[StageLoss, ...]:
        """The loss by stage, in the order of the stages."""
        losses = make_losses(self.metric, self.charges)["stages"]
        return tuple(StageLoss(stage, **loss) for stage, loss in losses.items())

    @property
    def total(self) -> StageLoss:
        """The loss of all stages together, 100 - F1."""
        missed, spurious = sum(self.charges.missed), sum(self.charges.spurious)
        return StageLoss("total", missed, spurious, self.charges.points(missed + spurious))

    def __getitem__(self, stage: str) -> StageLoss:
        """Return the loss of one stage by its name."""
        for row in self.rows:
            if row.stage == stage:
                return row
        message = f"unknown stage {quote(stage)}"
        raise CommandError(message, *suggest(stage, STAGES))

    def to_dict(self) -> Mapping[str, object]:
        """Return the attribution as JSON values (docs/attribution.md)."""
        return {
            "schema": 1,
            "version": __version__,
            "kind": "attribution",
            "gold": self.gold,
            "system": self.system,
            "items": self.items,
            "metric": self.metric,
            "tags": self.charges.tags or None,
            **_counts_json(self.counts),
            "stages": make_losses(self.metric, self.charges)["stages"],
            "total": _loss_json(self.total),
            "unanalysed": {
                "sentences": self.charges.unanalysed_sentences,
                "missed": self.charges.unanalysed,
            },
            "runs": [_run_json(run) for run in self.runs] if len(self.runs) > 1 else [],
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


def _loss_json(row: StageLoss) -> dict[str, object]:
    return {"missed": row.missed, "spurious": row.spurious, "points": row.points}


def _counts_json(counts: Counts) -> dict[str, object]:
    return {
        "correct": counts.correct,
        "gold_items": counts.gold,
        "system_items": counts.system,
        "f1": counts.f1,
    }


def _run_json(run: AttributionRun) -> dict[str, object]:
    return {
        "input": run.input,
        "system": run.system,
        **_counts_json(run.counts),
        "stages": list(run.stages),
        "points": run.points,
        "signature": run.signature,
    }


def attribute(
    gold: Input,
    system: Input,
    *,
    gold_sentences: Input | None = None,
    gold_tokens: Input | None = None,
    gold_tags: Input | None = None,
    items: Items = "auto",
    preset: PresetInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
    match: Match = "default",
    normalize: Sequence[str] = (),
    exceptions: str = "",
    credit_exceptions: bool = False,
    strict: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
    raw: RawInput | None = None,
) -> Attribution:
    """Charge every missed or spurious item to the first stage that failed for it.

    The stages are failed parses, sentences, tokens, tags, structure. Items are labelled brackets if all
    documents are trees, else labelled arcs. `gold_sentences`, `gold_tokens` and `gold_tags` are mixed runs:
    outputs of the same system on gold sentences; on gold sentences and tokens; on gold sentences, tokens and
    tags.
    """
    options = resolve(**pick_options(locals()))
    given = (system, gold_sentences, gold_tokens, gold_tags)
    numbers = [number for number, source in enumerate(given) if source is not None]
    comparisons = _compare((gold, *(given[number] for number in numbers)), options, raw)
    documents = [comparison.alignment.system.original for comparison in comparisons]
    first = comparisons[0].alignment.gold.original
    kind = _choose_items(items, first, documents)
    warnings = dict[str, None]()
    outputs: dict[int, Charges] = {}
    signatures: dict[int, str] = {}
    for number, comparison in zip(numbers, comparisons, strict=True):
        charges = (charge_brackets if kind == "brackets" else charge_arcs)(comparison)
        signature = make_signature(comparison, (METRICS[METRIC_OF_ITEMS[kind]],))
        signatures[number] = f"{signature}|charged-by:sentences+tokens+{charges.tags or 'no-tags'}"
        outputs[number] = charges
        remarks = warn_of_comparison(comparison)
        warnings |= dict.fromkeys((*remarks, *_check_run(number, comparison, kind, charges.tags)))
    names = [document.name for document in documents]
    counted = {n: (name, outputs[n].counts) for n, name in zip(numbers, names, strict=True)}
    runs = make_attribution_runs(counted, signatures)
    return Attribution(first.name, names[0], kind, outputs[0], runs, signatures[0], tuple(warnings))


def _compare(
    inputs: Sequence[Input | None], options: ScoreOptions, raw: RawInput | None
) -> Sequence[Comparison]:
    """Compare gold with all outputs; raise `CommandError` for a stand-off table."""
    try:
        comparisons = read_comparisons(inputs, options, raw)
        documents = [comparisons[0].gold, *(comparison.system for comparison in comparisons)]
        name = next((document.name for document in documents if document.spans is not None), "")
    except MissingTextError as error:
        name = error.name
    if name:
        message = f"{name} is a stand-off table"
        raise CommandError(message, EXPECTED, Message(SCORES_TABLES))
    return comparisons


def _check_run(number: int, comparison: Comparison, kind: str, tags: str) -> Iterator[str]:
    """Yield a warning if run `number` differs from gold in sentences, tokens or tags declared to be gold.

    Only the system's items are checked, so failed parses do not matter.
    """
    tagged = ("tags" if kind == "brackets" else tags,) if tags else ()
    wrong = []
    for name, metric in zip(INPUT_STAGES[:number], ("sentences", "tokens", *tagged), strict=False):
        entry = METRICS[metric]
        counts = dict(zip(entry.fields, entry.count(comparison).sum(axis=0).tolist(), strict=True))
        if counts["correct"] < counts["system"]:
            wrong.append(f"{counts['system'] - counts['correct']:,} of {counts['system']:,} {name}")
    if wrong:
        claim = f"though this is given as the output for {ATTRIBUTION_RUNS[number]}"
        yield f"{comparison.system.name}: {' and '.join(wrong)} are not gold's, {claim}"


def _choose_items(items: str, gold: Document, systems: Sequence[Document]) -> str:
    """Choose the kind of items: `items`, or if that is "auto", brackets if all have trees, else dependencies.

    Raises `CommandError` if some document lacks the items.
    """
    if items not in ("auto", *NEEDS):
        message = f"unknown value {quote(items)} for items"
        raise CommandError(message, *suggest(items, ("auto", *NEEDS)))
    kinds = tuple(NEEDS) if items == "auto" else (items,)
    documents = gold, *systems
    has = {kind: [all(has_column(d, name) for name in NEEDS[kind]) for d in documents] for kind in kinds}
    for kind, flags in has.items():
        if all(flags):
            return kind
    names = [document.name for document in documents]
    empty = [name for name, *flags in zip(names, *has.values(), strict=True) if not any(flags)]
    if empty:
        message = f"{empty[0]} has no {' or '.join(kinds)}"
    else:
        one, other = (names[flags.index(True)] for flags in has.values())
        message = f"{one} has brackets and {other} has dependencies"
    advice = "nothing else is told apart by stage; evalign score has the other metrics"
    raise CommandError(message, EXPECTED, advice)


def make_attribution_runs(
    outputs: Mapping[int, tuple[str, Counts]], signatures: Mapping[int, str] | None = None
) -> tuple[AttributionRun, ...]:
    """Make runs from `outputs` (name and counts by number of gold stages), with the loss of each.

    The loss of a run is the difference between its F1 and that of the next run, which has more gold input.
    Where a run is missing, the stages up to the next one are counted together.
    """
    numbers = list(outputs)
    runs = []
    for number, after in zip(numbers, [*numbers[1:], len(INPUT_STAGES)], strict=True):
        name, counts = outputs[number]
        there = outputs[after][1].f1 if after in outputs else 1.0
        points = None if counts.f1 is None or there is None else 100 * (there - counts.f1)
        signature = (signatures or {}).get(number, "")
        runs.append(
            AttributionRun(
                ATTRIBUTION_RUNS[number], name, counts, INPUT_STAGES[number:after], points, signature
            )
        )
    return tuple(runs)


# A table of document parsing: rows by corpus, parser, and amount of gold input. A row has the columns of Tables 1
# to 3 of Dridan and Oepen 2013: gold sentences and tokens, F1 of the parse, F1 of sentences and tokens, and the
# share of sentences whose tokens are all right (SA). It also has the loss by stage. All values come from the
# results of a run over treebanks, fresh or saved.

Sizes: TypeAlias = "tuple[int | None, int | None]"
"""Numbers of gold sentences and gold tokens; None if unknown."""

ALL = "all"
ACCURACY = "sentence-accuracy"
PARSING_METRICS = ("default", ACCURACY)
"""Metrics that a run must be scored with for the rows to be complete."""


class ParsingRow(NamedTuple):
    """One output of a parser for one corpus, or for all of them."""

    treebank: str
    system: str
    input: str
    """How much of the parser's input was gold: one of `ATTRIBUTION_RUNS`."""
    sentences: int | None
    """Number of gold sentences."""
    tokens: int | None
    """Number of gold tokens."""
    f1: float | None
    """F1 of brackets or of labelled arcs; all ratios are from 0 to 1."""
    sentence_f1: float | None
    token_f1: float | None
    sentence_accuracy: float | None
    losses: Mapping[str, StageLoss]
    """The loss by stage; empty if it is unknown."""
    failure: str = ""
    """Why the system failed on the corpus; empty if it did not."""

    def to_dict(self) -> dict[str, object]:
        """Return the row as JSON values."""
        losses = {stage: _loss_json(loss) for stage, loss in self.losses.items()}
        return {**self._asdict(), "losses": losses}


@dataclass(frozen=True)
class ParsingTable:
    """The rows of all outputs, corpus by corpus; with several corpora, also rows for all of them together."""

    metric: str
    """The metric of `f1` and of the losses: "brackets" or "las"; empty if no corpus has either."""
    rows: tuple[ParsingRow, ...]
    signatures: Mapping[str, str]
    """Signature by system."""
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the table as JSON values."""
        return {
            "schema": 1,
            "version": __version__,
            "kind": "parsing",
            "metric": self.metric or None,
            "rows": [row.to_dict() for row in self.rows],
            "signatures": dict(self.signatures),
            "warnings": list(self.warnings),
        }


def tabulate_parsing(
    parts: Parts,
    *,
    gold_sentences: Sequence[str] = (),
    gold_tokens: Sequence[str] = (),
    gold_tags: Sequence[str] = (),
) -> ParsingTable:
    """Make the table of a run over treebanks, from `score_collection` or a saved file.

    `gold_sentences`, `gold_tokens` and `gold_tags` name systems of the run that are outputs on gold input:
    the first of each belongs to the first parser, and so on. All other systems of the run are parsers.
    """
    outputs = _order_outputs(list(parts.systems), (gold_sentences, gold_tokens, gold_tags))
    metric = _find_metric(parts)
    rows = [
        _make_row(name, result.systems[number], parser, input, metric, _count_gold([result]))
        for name, result in parts.results.items()
        for number, parser, input in outputs
    ]
    added = parts.micro()
    if len(parts) > 1:
        for number, parser, input in outputs:
            scored = [result for result in parts.results.values() if not result.systems[number].failure]
            row = _make_row(ALL, added.systems[number], parser, input, metric, _count_gold(scored))
            losses = _add_losses([result.systems[number] for result in scored], metric)
            rows.append(row._replace(losses=losses, failure=""))
    partial = [
        f"{name}: {ALL} is of {len(parts) - len(parts.failed(number))} of {len(parts)} treebanks"
        for number, name in enumerate(parts.systems)
        if parts.failed(number) and len(parts) > 1
    ]
    failures = [
        describe_failure(name, part, reason)
        for number, name in enumerate(parts.systems)
        for part, reason in parts.failed(number).items()
    ]
    signatures = {system.name: system.signature for system in added.systems}
    warnings = [
        *parts.warnings,
        *failures,
        *partial,
        *_warn_of_accuracy(parts),
        *(w for result in parts.results.values() for w in result.warnings),
    ]
    return ParsingTable(metric, tuple(rows), signatures, tuple(dict.fromkeys(warnings)))


def _warn_of_accuracy(parts: Parts) -> list[str]:
    """Warn of treebanks that were scored without sentence accuracy, and say how to get it."""
    lacking = [
        name
        for name, result in parts.results.items()
        if any(not system.failure and ACCURACY not in system.scores for system in result.systems)
    ]
    if not lacking:
        return []
    where = "" if len(lacking) == len(parts) else f" of {', '.join(lacking)}"
    metrics = ",".join(PARSING_METRICS)
    again = call(f'evalign.score(..., metrics="{metrics}")', f"evalign score ... <metrics> {metrics}")
    return [f"no SA{where}: scored without the metric {ACCURACY}; score again with it: {again}"]


def _order_outputs(systems: Sequence[str], mixed: Sequence[Sequence[str]]) -> list[tuple[int, str, str]]:
    """Order the outputs parser by parser; return for each the system's index, its parser and its input.

    `mixed` are names of outputs on gold sentences, tokens and tags. Raises `CommandError` for a name that is
    no system, and for more of them than there are parsers.
    """
    named = [name for names in mixed for name in names]
    for name in named:
        if name not in systems:
            message = f"no system of the run is called {quote(name)}"
            advice = "score its output together with the others, then name it as the run does"
            raise CommandError(message, *suggest(name, systems, advice))
    parsers = [name for name in systems if name not in named]
    if any(len(names) > len(parsers) for names in mixed):
        most = max(map(len, mixed))
        message = f"{most} outputs on gold input, and parsers: {len(parsers)}"
        raise CommandError(message, "at most one of each kind for a parser, in the order of the parsers")
    ordered = []
    for parser, *others in zip_longest(parsers, *mixed):
        for input, name in zip(ATTRIBUTION_RUNS, (parser, *others), strict=True):
            if name is not None:
                ordered.append((systems.index(name), parser, input))
    return ordered


def _find_metric(parts: Parts) -> str:
    """Choose the metric whose loss is broken down: brackets if any result has it, else las; empty if none."""
    systems = [system for result in parts.results.values() for system in result.systems]
    metrics = {loss["metric"] for loss in map(_losses, systems) if loss is not None} or {*parts.metrics}
    return next((metric for metric in ("brackets", "las") if metric in metrics), "")


def _losses(system: SystemResult) -> Losses | None:
    return None if system.failure else system.evidence.losses()


def _count_gold(results: Sequence[Result]) -> Sizes:
    """Add up gold sentences and tokens of treebanks; both are None if the size of any treebank is unknown."""
    sizes = [result.size for result in results if result.size is not None]
    if not sizes or len(sizes) < len(results):
        return None, None
    return sum(size.sentences for size in sizes), sum(size.tokens for size in sizes)


def _make_row(
    treebank: str, system: SystemResult, parser: str, input: str, metric: str, sizes: Sizes
) -> ParsingRow:
    system_losses = _losses(system)
    losses = {}
    if system_losses is not None and system_losses["metric"] == metric:
        losses = {stage: StageLoss(stage, **loss) for stage, loss in system_losses["stages"].items()}
    scores = {name: system.scores.get(name) for name in ("sentences", "tokens", ACCURACY, metric)}
    # Always micro averages, whatever the run was scored with: the losses add up to 100 minus their F1.
    ratios = {
        name: None if score is None or system.failure else replace(score, average="micro").value
        for name, score in scores.items()
    }
    return ParsingRow(
        treebank,
        parser,
        input,
        *sizes,
        ratios[metric],
        ratios["sentences"],
        ratios["tokens"],
        ratios[ACCURACY],
        losses,
        system.failure,
    )


def _add_losses(systems: Sequence[SystemResult], metric: str) -> dict[str, StageLoss]:
    """Add up the losses by stage over all corpora; empty if unknown for any corpus that was scored."""
    scored = [system for system in systems if not system.failure and metric in system.scores]
    all_losses = [_losses(system) for system in scored]
    if not all_losses or any(loss is None or loss["metric"] != metric for loss in all_losses):
        return {}
    whole = sum(system[metric].gold + system[metric].system for system in scored)
    losses = {}
    for stage in STAGES:
        each = [loss["stages"][stage] for loss in all_losses if loss is not None and stage in loss["stages"]]
        if each:
            missed, spurious = sum(loss["missed"] for loss in each), sum(loss["spurious"] for loss in each)
            points = 100 * (missed + spurious) / whole if whole else None
            losses[stage] = StageLoss(stage, missed, spurious, points)
    return losses
