"""Results as small tables of HTML, as a notebook shows them. Text of the input is escaped, and never markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Protocol

from evalign.layers import Layer
from evalign.names import file_name, replace_paths, shorten_paths, tell_apart
from evalign.result.ledger import Ledger, PairLedger

# Warnings that are shown.
MOST_WARNINGS = 5


class Shown(Protocol):
    """What is shown of a score."""

    @property
    def layer(self) -> Layer:
        """The metric."""

    @property
    def ratios(self) -> Mapping[str, float | None]:
        """Ratios from 0 to 1."""


class ShownSystem(Protocol):
    """What is shown of a system."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def scores(self) -> Mapping[str, Shown]:
        """Its scores by metric."""

    @property
    def ledger(self) -> Ledger:
        """What they tolerated."""

    @property
    def signature(self) -> str:
        """Which numbers they are."""

    @property
    def failure(self) -> str:
        """Why there are none."""


def show_result(gold: str, systems: Sequence[ShownSystem], units: str, warnings: Sequence[str]) -> str:
    """Metrics by systems: the number that stands for each metric, precision and recall under it."""
    notes = [f"against {_text(file_name(gold))}, counted by {_text(units)}"]
    for name, system in zip(_names(systems), systems, strict=True):
        called = f"{_text(name)}: " if len(systems) > 1 else ""
        notes.append(called + (_text(system.failure) or describe_ledger(system.ledger)))
    paths = [gold, *(system.name for system in systems)]
    # Results that were saved before names were short have whole paths.
    names = dict(zip(paths, shorten_paths(paths), strict=True))
    notes += [f"warning: {_text(replace_paths(text, names))}" for text in warnings[:MOST_WARNINGS]]
    if len(warnings) > MOST_WARNINGS:
        notes.append(f"{len(warnings) - MOST_WARNINGS:,} more warnings")
    signatures = dict.fromkeys(system.signature for system in systems)
    return _scores(systems) + _notes([*notes, *map(_code, signatures)])


def show_system(system: ShownSystem) -> str:
    """The same of one system."""
    notes = [_text(system.failure) or describe_ledger(system.ledger), _code(system.signature)]
    return _scores([system]) + _notes(notes)


def _scores(systems: Sequence[ShownSystem]) -> str:
    metrics = dict.fromkeys(name for system in systems for name in system.scores)
    rows = [
        [_head(name, row=True), *(_cell(system.scores.get(name)) for system in systems)] for name in metrics
    ]
    return _table([_head(""), *map(_head, _names(systems))], rows)


def _names(systems: Sequence[ShownSystem]) -> list[str]:
    """Names as short as they can be told apart by: a column has little room."""
    return tell_apart([system.name for system in systems])


def show_score(layer: Layer, measures: Mapping[str, float | int | None]) -> str:
    """All numbers of one metric."""
    cells = [
        _data(f"{value:,}" if isinstance(value, int) else _ratio(layer, name, value))
        for name, value in measures.items()
    ]
    return _table([_head(""), *map(_head, measures)], [[_head(layer.name, row=True), *cells]])


def show_parts(
    by: str,
    parts: Mapping[str, Sequence[ShownSystem]],
    metrics: Sequence[str],
    ratios: Callable[[str, int, str], Mapping[str, float | None]],
    fails: Callable[[str, int, str], bool],
) -> str:
    """Parts by metrics: the number that stands for each, a row for each system of a part."""
    rows = []
    for part, systems in parts.items():
        for number, (name, system) in enumerate(zip(_names(systems), systems, strict=True)):
            cells = [
                _data(
                    "failed"
                    if fails(part, number, metric)
                    else _headline(system.scores.get(metric), ratios(part, number, metric))
                )
                for metric in metrics
            ]
            rows.append([_head(part, row=True), _head(name, row=True), *cells])
    return _table([_head(by), _head("system"), *map(_head, metrics)], rows)


def describe_ledger(ledger: Ledger) -> str:
    """What was tolerated, in one line."""
    if ledger.pairs is not None:
        return _describe_pairs(ledger.pairs)
    if ledger.lines_equal:
        return f"lines equal, {ledger.equal:,} characters"
    told = {
        "rewritten": ledger.rewritten,
        "only in gold": ledger.gold_only,
        "only in system": ledger.system_only,
        "sentences in another order": ledger.reordered,
    }
    counts = [f"{count:,} {what}" for what, count in told.items() if count]
    rules = [f"{_text(name)} {rule.gold + rule.system:,}" for name, rule in ledger.rules.items()]
    return f"characters: {', '.join([f'{ledger.equal:,} equal', *counts])}; tolerated: {', '.join(rules) or 'nothing'}"


def _describe_pairs(pairs: PairLedger) -> str:
    rules = {
        "said again": pairs.repeated,
        "first ids in several": pairs.first,
        "second ids in several": pairs.second,
    }
    told = [f"{rule.gold + rule.system:,} {what}" for what, rule in rules.items() if rule.gold + rule.system]
    return f"pairs: {', '.join(told) or 'each id in one, each once'}"


def _cell(score: Shown | None) -> str:
    shown = f"<b>{_headline(score)}</b>"
    if score is None or score.ratios[score.layer.headline] is None:
        return _data(shown)
    if {"precision", "recall"} <= set(score.ratios):
        precision, recall = (
            _ratio(score.layer, name, score.ratios[name]) for name in ("precision", "recall")
        )
        return _data(f"{shown}<br><small>P&nbsp;{precision} R&nbsp;{recall}</small>")
    return _data(f"{shown}<br><small>{_text(score.layer.headline.replace('_', ' '))}</small>")


def _headline(score: Shown | None, ratios: Mapping[str, float | None] | None = None) -> str:
    """The ratio that stands for a metric; of the score, or of other ratios."""
    if score is None:
        return "-"
    headline = score.layer.headline
    return _ratio(score.layer, headline, (score.ratios if ratios is None else ratios)[headline])


def _ratio(layer: Layer, name: str, value: float | None) -> str:
    """A percentage; what is no share as it is."""
    if value is None:
        return "-"
    return f"{value:.2f}" if name in layer.numbers else f"{100 * value:.2f}"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"


def _head(text: str, *, row: bool = False) -> str:
    return f'<th scope="{"row" if row else "col"}" style="text-align: left">{_text(text)}</th>'


def _data(markup: str) -> str:
    return f'<td style="text-align: right">{markup}</td>'


def _notes(lines: Iterable[str]) -> str:
    return f"<small>{'<br>'.join(lines)}</small>"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    """Text that is no markup and has no control characters."""
    return escape("".join(c if c.isprintable() else "\ufffd" for c in text))
