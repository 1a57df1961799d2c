"""Findings about files before they are scored, as `evalign doctor` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from evalign.readers.doctor import Examination, Finding
from evalign.reports.formats import DIM, GREEN, RED, YELLOW, json_text, painter
from evalign.wording import counted, fold, printable, width_of

MARKS = {"ok": ("ok", GREEN), "note": ("note", DIM), "warning": ("warning", YELLOW), "error": ("error", RED)}
INDENT = 11


def render_doctor(
    reports: Sequence[Examination],
    hints: Sequence[Finding],
    format: str = "table",
    *,
    columns: int = 100,
    color: bool = False,
) -> str:
    """Render a paragraph per file, then hints about the files together; format "table" or "json"."""
    if format == "json":
        shown = {
            "files": [_report_json(report) for report in reports],
            "together": [asdict(hint) for hint in hints],
        }
        return json_text(shown, indent=2) + "\n"
    parts = [_render_report(report, columns, color=color) for report in reports]
    if hints:
        parts.append("together\n" + "".join(_render_finding(hint, columns, color=color) for hint in hints))
    return "\n".join(parts)


def _render_report(report: Examination, columns: int, *, color: bool) -> str:
    sizes, stored = report.sizes, report.stored
    size = counted(stored.size, "byte") if stored.size or not report.error else ""
    facts = ", ".join(filter(None, (report.format or "unreadable", stored.compression, size)))
    head = f"{printable(report.name)}  {facts}\n"
    if width_of(head.rstrip("\n")) > columns:
        head = "".join(f"{line}\n" for line in (*fold(printable(report.name), columns), f"  {facts}"))
    parts = [
        (sizes.documents, "document"),
        (sizes.paragraphs, "paragraph"),
        (sizes.sentences, "sentence"),
        (sizes.tokens, "token"),
        (sizes.words if sizes.words != sizes.tokens else 0, "word"),
        (sizes.multiword_tokens, "multiword token"),
        (sizes.empty_nodes, "empty node"),
        (sizes.characters, "character"),
    ]
    summary = ", ".join(counted(count, noun) for count, noun in parts if count)
    body = "".join(f"  {line}\n" for line in fold(summary, columns - 2) if line)
    return head + body + "".join(_render_finding(f, columns, color=color) for f in report.findings)


def _render_finding(finding: Finding, columns: int, *, color: bool) -> str:
    word, tint = MARKS[finding.severity]
    lines = fold(printable(finding.message), columns - INDENT)
    if finding.advice:
        lines += fold(printable(finding.advice), columns - INDENT)
    mark = f"  {painter(color=color)(f'{word:8}', tint)} "
    return mark + f"\n{' ' * INDENT}".join(lines) + "\n"


def _report_json(report: Examination) -> dict[str, object]:
    return {
        "name": report.name,
        "format": report.format or None,
        "stored": asdict(report.stored),
        "characters": asdict(report.characters),
        "sizes": asdict(report.sizes),
        "findings": [asdict(finding) for finding in report.findings],
        "error": report.error or None,
    }
