"""A table of document parsing (Dridan and Oepen 2013): rows by corpus, parser, and amount of gold input.

    tabulate_parsing(parts, gold_tokens=["PARSER_ON_GOLD"])

A row has the columns of their Tables 1 to 3: gold sentences and tokens, F1 of the parse, F1 of sentences and
tokens, and the share of sentences whose tokens are all right (SA). It also has the loss by stage. All values
come from the results of a run over treebanks, fresh or saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from evalign._version import __version__
from evalign.errors import CommandError, call, quote, suggest
from evalign.metrics.errors.stages import STAGES, Losses
from evalign.results.result import Parts, Result
from evalign.results.system_result import SystemResult
from evalign.scoring.attribution import ATTRIBUTION_RUNS, StageLoss
from evalign.wording import describe_failure

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
        stages = {
            stage: {"missed": loss.missed, "spurious": loss.spurious, "points": loss.points}
            for stage, loss in self.losses.items()
        }
        return {**self._asdict(), "losses": stages}


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
    metrics = {loss["metric"] for loss in map(_losses, _systems(parts)) if loss is not None}
    if not metrics:
        metrics = {metric for metric in ("brackets", "las") if metric in parts.metrics}
    return next((metric for metric in ("brackets", "las") if metric in metrics), "")


def _systems(parts: Parts) -> list[SystemResult]:
    return [system for result in parts.results.values() for system in result.systems]


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
    losses = {
        stage: StageLoss(stage, loss["missed"], loss["spurious"], loss["points"])
        for stage, loss in (
            system_losses["stages"].items() if system_losses and system_losses["metric"] == metric else ()
        )
    }
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
