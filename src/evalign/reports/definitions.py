"""What a metric or a term means, for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterable

from evalign.metrics import LAYERS, show_metric
from evalign.metrics.definitions import Definition, Example
from evalign.wording import decimal, head as shorten_end, name_ratio, percent


def render_definition(definition: Definition, *, columns: int = 100) -> str:
    """Title, definition, formula, source, notes, and a worked example."""
    width = min(columns, 100)
    parts = [
        f"{name_ratio(show_metric(definition.name))}: {definition.title}",
        _filled(definition.definition, width),
    ]
    for label, text in (
        ("formula", definition.formula),
        ("source", definition.source),
        ("note", definition.notes),
    ):
        if text:
            parts.append(_filled(text, width, f"{label:9}"))
    if definition.example:
        layer = LAYERS.get(definition.example.metric or definition.name)
        parts.append(_render_example(definition.example, layer.numbers if layer else (), width))
    if definition.worked:
        parts.append("example\n" + textwrap.indent(_filled(definition.worked, width - 2), "  "))
    return "\n\n".join(parts) + "\n"


def _filled(text: str, width: int, label: str = "") -> str:
    return textwrap.fill(
        text, width, initial_indent=label, subsequent_indent=" " * len(label), break_on_hyphens=False
    )


def _render_example(example: Example, numbers: Container[str], width: int) -> str:
    lines = [
        _filled(" ¦ ".join(side), width, f"  {name:8}")
        for name, side in (("gold", example.gold), ("system", example.system))
    ]
    if example.weights:
        lines.append("  weights " + ", ".join(f"{name} {weight}" for name, weight in example.weights.items()))
    if example.trees:
        lines.append("  a word is form/UPOS/HEAD/DEPREL/FEATS/LEMMA/XPOS/DEPS, as far as it goes")
    if example.vocabulary:
        lines.append(f"  known   {' '.join(example.vocabulary)}")
    counts = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in example.counts.items())
    ratios = ", ".join(
        f"{name_ratio(name)} {decimal(value) if name in numbers else percent(value)}"
        for name, value in example.ratios.items()
    )
    found = _filled("; ".join(filter(None, (counts, ratios))), width, "  ")
    return "\n".join(["example", *lines, found])


def list_definitions(
    metrics: Iterable[Definition], terms: Iterable[Definition], *, columns: int = 100
) -> str:
    """Names and titles of all metrics and terms."""
    metrics, terms = list(metrics), list(terms)
    width = max(len(entry.name) for entry in (*metrics, *terms))
    lines = []
    for head, entries in (("metrics", metrics), ("terms", terms)):
        lines.append(head)
        lines += [shorten_end(f"  {entry.name:{width}}  {entry.title}", columns) for entry in entries]
    return "\n".join(lines) + "\n"
