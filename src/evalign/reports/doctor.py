"""What was found in files before they are scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from evalign.readers.findings import Finding, Report
from evalign.reports.escape import printable
from evalign.reports.paint import DIM, GREEN, RED, YELLOW, painter
from evalign.reports.wording import counted

MARKS = {"ok": ("ok", GREEN), "note": ("note", DIM), "warning": ("warning", YELLOW), "error": ("error", RED)}


def render_doctor(
    reports: Sequence[Report],
    hints: Sequence[Finding],
    format: str = "table",
    *,
    color: bool = False,
) -> str:
    """One paragraph per file, then what they say about each other."""
    if format == "json":
        shown = {
            "files": [_report_json(report) for report in reports],
            "together": [asdict(hint) for hint in hints],
        }
        return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    parts = [_render_report(report, color=color) for report in reports]
    if hints:
        parts.append("together\n" + "".join(_render_finding(hint, color=color) for hint in hints))
    return "\n".join(parts)


def _render_report(report: Report, *, color: bool) -> str:
    sizes = report.sizes
    compression = f", {report.stored.compression}" if report.stored.compression else ""
    head = f"{printable(report.name)}  {report.format or 'unreadable'}{compression}, {counted(report.stored.size, 'byte')}\n"
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
    told = ", ".join(counted(count, noun) for count, noun in parts if count)
    body = f"  {told}\n" if told else ""
    return head + body + "".join(_render_finding(finding, color=color) for finding in report.findings)


def _render_finding(finding: Finding, *, color: bool) -> str:
    word, tint = MARKS[finding.severity]
    line = f"  {painter(color=color)(f'{word:8}', tint)} {printable(finding.message)}\n"
    return line + (f"           {printable(finding.advice)}\n" if finding.advice else "")


def _report_json(report: Report) -> dict[str, object]:
    return {
        "name": report.name,
        "format": report.format or None,
        "stored": asdict(report.stored),
        "characters": asdict(report.characters),
        "sizes": asdict(report.sizes),
        "findings": [asdict(finding) for finding in report.findings],
        "error": report.error or None,
    }
