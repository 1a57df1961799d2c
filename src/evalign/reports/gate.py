"""A gate, the pass or fail decision on a system, as a table, as Markdown for a CI job summary, or as JSON."""

from __future__ import annotations

from evalign.reports.formats import json_text, markdown_cell, render_markdown, render_text
from evalign.results.signatures import shorten_signatures
from evalign.scoring.gating import Gate
from evalign.wording import fold, printable


def render_gate(gate: Gate, format: str = "table", *, columns: int = 100, color: bool = False) -> str:
    """Render a gate in one of the formats."""
    if format == "json":
        return json_text(gate.to_dict(), indent=2) + "\n"
    if format == "markdown":
        return _render_markdown(gate)
    table = render_text(gate.table(), columns=columns, bold=color)
    lines = [
        ", ".join(_compared(gate)),
        *([gate.of] if gate.of else []),
        gate.verdict,
        *gate.list_reasons(),
        *(f"warning: {line}" for line in gate.warnings),
    ]
    folded = [line for text in lines for line in fold(printable(text), columns)]
    signatures = _signatures(gate)
    return "\n".join([table, *folded, *map(printable, signatures)]) + "\n"


def _render_markdown(gate: Gate) -> str:
    """Render a heading, the table, and lists of reasons, warnings and signatures."""
    sign = "✅" if gate.passed else "❌"
    blocks = [f"### {sign} evalign gate: {'passed' if gate.passed else 'failed'}\n"]
    about = [markdown_cell(text) for text in (*_compared(gate), gate.of) if text]
    blocks.append(f"{'; '.join([*about, gate.verdict])}\n")
    blocks.append(render_markdown(gate.table("✅ passed", "❌ failed")))
    lines = [*gate.list_reasons(), *(f"warning: {line}" for line in gate.warnings)]
    blocks += ["".join(f"- {markdown_cell(line)}\n" for line in lines)] if lines else []
    signatures = _signatures(gate)
    if len(signatures) > 1:
        blocks.append("".join(f"- {markdown_cell(line)}\n" for line in signatures))
    return "\n".join(blocks)


def _compared(gate: Gate) -> list[str]:
    """Name the system and the baseline in full: files of one name may be in several folders."""
    names = [f"system {gate.system.name}"]
    return names if gate.baseline is None else [*names, f"baseline {gate.baseline.name}"]


def _signatures(gate: Gate) -> list[str]:
    """Return one signature line, or two if system and baseline differ."""
    sides = [gate.system, *([gate.baseline] if gate.baseline is not None else [])]
    short = dict.fromkeys(shorten_signatures([side.signature])[0] for side in sides)
    return [f"{head:11}{text}" for head, text in zip(("signature", "baseline"), short, strict=False)]
