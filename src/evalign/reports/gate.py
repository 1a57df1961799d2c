"""A gate as a table, as a summary in Markdown for a page of continuous integration, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.errors import CommandError, quote, suggest
from evalign.evaluate.gate import Check, Gate
from evalign.reports.escape import json_text, markdown_cell, printable
from evalign.reports.significance import show_p
from evalign.reports.table import Table, render_markdown, render_text
from evalign.reports.width import fold
from evalign.reports.wording import counted, decimal, name_ratio, percent

FORMATS = ("table", "markdown", "json")
HEADERS = ("metric", "baseline", "now", "change", "limit", "")


def render_gate(gate: Gate, format: str = "table", *, columns: int = 100, color: bool = False) -> str:
    """A gate in one of the formats."""
    if format == "json":
        return json_text(gate.to_json(), indent=2) + "\n"
    if format == "markdown":
        return _render_markdown(gate)
    if format != "table":
        msg = f"unknown format {quote(format)}"
        raise CommandError(msg, *suggest(format, FORMATS))
    table = render_text(_table(gate, ("ok", "FAILED")), columns=columns, bold=color)
    told = [
        ", ".join(_compared(gate)),
        *([gate.of] if gate.of else []),
        _verdict(gate),
        *_reasons(gate),
        *(f"warning: {line}" for line in gate.warnings),
    ]
    folded = [line for text in told for line in fold(printable(text), columns)]
    signatures = _signatures(gate)
    return "\n".join([table, *folded, *map(printable, signatures)]) + "\n"


def _render_markdown(gate: Gate) -> str:
    """A heading, the table, reasons and warnings as lists."""
    sign = "✅" if gate.passed else "❌"
    blocks = [f"### {sign} evalign gate: {'passed' if gate.passed else 'failed'}\n"]
    about = [markdown_cell(text) for text in (*_compared(gate), gate.of) if text]
    blocks.append(f"{'; '.join([*about, _verdict(gate)])}\n")
    blocks.append(render_markdown(_table(gate, ("✅ passed", "❌ failed"))))
    lines = [*_reasons(gate), *(f"warning: {line}" for line in gate.warnings)]
    blocks += ["".join(f"- {markdown_cell(line)}\n" for line in lines)] if lines else []
    signatures = _signatures(gate)
    if len(signatures) > 1:
        blocks.append("".join(f"- {markdown_cell(line)}\n" for line in signatures))
    return "\n".join(blocks)


def _compared(gate: Gate) -> list[str]:
    """Which systems these are, by their whole names: the same file may stand in several folders."""
    names = [f"system {gate.system.name}"]
    return names if gate.baseline is None else [*names, f"baseline {gate.baseline.name}"]


def _table(gate: Gate, words: tuple[str, str]) -> Table:
    """A row per condition."""
    rows = []
    for check in gate.checks:
        rows.append(
            [
                _name(check),
                _show(check, check.baseline),
                _show(check, check.value),
                _show_change(check),
                _limit(check),
                words[0 if check.passed else 1],
            ]
        )
    return Table(HEADERS, rows, "nrrrll")


def _name(check: Check) -> str:
    return f"{check.metric} {name_ratio(check.measure)}{' ↓' if check.lower_is_better else ''}"


def _show(check: Check, value: float | None) -> str:
    return percent(value) if check.is_share else decimal(value)


def _show_change(check: Check) -> str:
    """A change with its sign; with more decimals where two would hide that it is one, or which side of the limit."""
    if check.change is None:
        return "-"
    change = 100 * check.change if check.is_share else check.change
    shown = f"{change:+.2f}"
    rounded = abs(float(shown))
    hidden = change and not rounded
    beside = check.condition == "max-drop" and not check.passed and rounded <= check.limit
    return f"{change:+.5f}" if hidden or beside else shown


def _limit(check: Check) -> str:
    limit = f"{check.limit:g}"
    if check.condition == "max-drop":
        return f"may {'rise' if check.lower_is_better else 'drop'} by {limit}"
    return f"at {'most' if check.condition == 'fail-over' else 'least'} {limit}"


def _verdict(gate: Gate) -> str:
    """How many conditions hold.

    One sentence for a person who reads nothing else.
    """
    failed = sum(not check.passed for check in gate.checks)
    total = counted(len(gate.checks), "condition")
    if len(gate.checks) == 1:
        told = f"{total} {'failed' if failed else 'holds'}"
    else:
        told = f"{failed} of {total} failed" if failed else f"{total}, all hold"
    return f"{told}, {counted(len(gate.failures), 'new failure')}" if gate.failures else told


def _reasons(gate: Gate) -> Sequence[str]:
    """What the numbers do not say."""
    lines = [f"failed on {name}, but not in the baseline: {why}" for name, why in gate.failures.items()]
    for check in gate.checks:
        told = [check.reason] if check.reason else []
        if check.p is not None:
            told = [check.reason or "significant", f"p {show_p(check.p)}"]
        told += [check.scope] if check.scope else []
        if told:
            lines.append(f"{_name(check)}: {', '.join(told)}")
    return lines


def _signatures(gate: Gate) -> list[str]:
    """One signature, or both where they differ."""
    if gate.baseline is None or gate.baseline.signature == gate.system.signature:
        return [f"signature  {gate.system.signature}"]
    return [f"signature  {gate.system.signature}", f"baseline   {gate.baseline.signature}"]
