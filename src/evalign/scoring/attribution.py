"""Attribution: how much of the loss of F1 each processing stage causes, in one output or in mixed runs.

    attribute("gold.mrg", "system.mrg", gold_sentences="a.mrg", gold_tokens="b.mrg")

Dridan and Oepen 2013 set accuracy on gold input beside accuracy on raw text (Tables 1 and 3). Here both views
are broken down by stage, so that the stages add up to what is missing from an F1 of 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evalign._version import __version__
from evalign.document import Document
from evalign.errors import CommandError, Message, quote, suggest
from evalign.metrics.census import has_column
from evalign.metrics.comparison import Comparison
from evalign.metrics.counts import Counts
from evalign.metrics.errors.stages import INPUT_STAGES, STAGES, Charges, charge_arcs, charge_brackets
from evalign.metrics.registry import METRICS
from evalign.options import Empty, Match, PresetInput, Punctuation, ScoreOptions, pick_options
from evalign.readers.standoff import MissingTextError
from evalign.scoring.count import compare_aligned, warn_of_comparison
from evalign.scoring.metric_choice import SCORES_TABLES
from evalign.scoring.reading import Input, read_aligned
from evalign.scoring.request import resolve
from evalign.scoring.signature import make_signature

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
        rows = zip(STAGES, self.charges.missed, self.charges.spurious, strict=True)
        return tuple(StageLoss(*row, self.charges.points(row[1] + row[2])) for row in rows)

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
        counts = self.counts
        return {
            "schema": 1,
            "version": __version__,
            "kind": "attribution",
            "gold": self.gold,
            "system": self.system,
            "items": self.items,
            "metric": self.metric,
            "tags": self.charges.tags or None,
            "correct": counts.correct,
            "gold_items": counts.gold,
            "system_items": counts.system,
            "f1": counts.f1,
            "stages": {row.stage: _loss_json(row) for row in self.rows},
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


def _run_json(run: AttributionRun) -> dict[str, object]:
    return {
        "input": run.input,
        "system": run.system,
        "correct": run.counts.correct,
        "gold_items": run.counts.gold,
        "system_items": run.counts.system,
        "f1": run.counts.f1,
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
    outputs: dict[int, _RunOutput] = {}
    warnings = dict[str, None]()
    for number, comparison in zip(numbers, comparisons, strict=True):
        charges = (charge_brackets if kind == "brackets" else charge_arcs)(comparison)
        signature = make_signature(comparison, (METRICS[METRIC_OF_ITEMS[kind]],))
        signature += f"|charged-by:sentences+tokens+{charges.tags or 'no-tags'}"
        outputs[number] = _RunOutput(comparison.system.name, charges, signature)
        remarks = warn_of_comparison(comparison)
        warnings |= dict.fromkeys((*remarks, *_check_run(number, comparison, kind, charges.tags)))
    counted = {n: (output.name, output.charges.counts) for n, output in outputs.items()}
    runs = make_attribution_runs(counted, {n: output.signature for n, output in outputs.items()})
    end, signature = outputs[0].charges, outputs[0].signature
    return Attribution(first.name, documents[0].name, kind, end, runs, signature, tuple(warnings))


class _RunOutput(NamedTuple):
    """The charges of one run, with its name and signature."""

    name: str
    charges: Charges
    signature: str


def _compare(
    inputs: Sequence[Input | None], options: ScoreOptions, raw: RawInput | None
) -> Sequence[Comparison]:
    """Compare gold with all outputs; raise `CommandError` for a stand-off table."""
    try:
        comparisons = compare_aligned(read_aligned(inputs, options, raw), options)
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
