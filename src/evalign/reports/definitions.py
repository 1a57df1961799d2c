"""Definitions of metrics and terms, and references to cite, for `evalign explain` and `evalign cite`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Container, Sequence

from evalign._version import __version__
from evalign.metrics.definitions.catalogue import Definition, Example, Reference
from evalign.metrics.registry import METRICS, show_metric
from evalign.wording import decimal, head as shorten_end, join_words, name_ratio, percent


def render_definition(definition: Definition, *, columns: int = 100) -> str:
    """Render title, definition, formula, source, notes and a worked example."""
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
        metric = METRICS.get(definition.example.metric or definition.name)
        parts.append(_render_example(definition.example, metric.numbers if metric else (), width))
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
    values = _filled("; ".join(filter(None, (counts, ratios))), width, "  ")
    return "\n".join(["example", *lines, values])


def list_definitions(definitions: Collection[Definition], *, columns: int = 100) -> str:
    """Render names and titles of all metrics, then of all terms, a line each."""
    width = max(len(entry.name) for entry in definitions)
    lines: dict[str, list[str]] = {"metrics": [], "terms": []}
    for entry in definitions:
        kind = "metrics" if entry.name in METRICS else "terms"
        lines[kind].append(shorten_end(f"  {entry.name:{width}}  {entry.title}", columns))
    return "".join(f"{line}\n" for head, entries in lines.items() for line in (head, *entries))


# References to evalign and to the works its metrics come from, as text or BibTeX.


EVALIGN_REFERENCE = Reference(
    "evalign",
    "evalign",
    ("The evalign authors",),
    "evalign: scores of what a text-processing pipeline did to a text",
    2026,
    "software",
)
# BibTeX styles put titles in lower case; braces protect capitals.
_CAPITALS = re.compile(r"\b\w*[A-Z]\w*")
_SPECIAL = re.compile(r"([&%$#_{}])")


def render_citations(references: Sequence[Reference], format: str, *, columns: int = 100) -> str:
    """Render references as text or, for the format "bibtex", as BibTeX."""
    if format == "bibtex":
        return "\n".join(map(_bibtex, references))
    return "\n".join(_text(reference, min(columns, 100)) for reference in references)


def _text(reference: Reference, width: int) -> str:
    """Format a reference as authors, year, title, where, volume and pages.

    >>> print(_text(Reference("", "", ("A. Ba", "C. De"), "On it", 1999, "article", "Things", "3(1)", "7-9"), 80), end="")
    A. Ba and C. De. 1999. On it. Things 3(1), pages 7-9.
    """
    place = " ".join(filter(None, (reference.where, reference.volume)))
    pages = f"pages {reference.pages}" if reference.pages else ""
    version = f"Version {__version__}" if reference is EVALIGN_REFERENCE else ""
    year = str(reference.year or "")
    parts = (_people(reference.authors), year, reference.title, ", ".join(filter(None, (place, pages))))
    whole = " ".join(
        part if part.endswith((".", "?")) else f"{part}." for part in (*parts, version, reference.url) if part
    )
    return textwrap.fill(whole, width, subsequent_indent="  ", break_on_hyphens=False) + "\n"


def _people(authors: Sequence[str]) -> str:
    return join_words([" ".join(reversed(name.split(", "))) for name in authors])


def _bibtex(reference: Reference) -> str:
    """Format a reference as a BibTeX entry without empty fields."""
    volume, _, number = reference.volume.rstrip(")").partition("(")
    where = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}.get(
        reference.kind, "howpublished"
    )
    fields = {
        "author": " and ".join(map(_author, reference.authors)),
        "title": _CAPITALS.sub(r"{\g<0>}", _escape(reference.title)),
        where: _escape(reference.where),
        "volume": volume,
        "number": number.replace("-", "--"),
        "pages": reference.pages.replace("-", "--"),
        "year": str(reference.year or ""),
        "version": __version__ if reference is EVALIGN_REFERENCE else "",
        "license": "MIT" if reference is EVALIGN_REFERENCE else "",
        "url": reference.url,
    }
    width = max(len(name) for name, value in fields.items() if value)
    lines = [f"  {name:{width}} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{reference.kind}{{{reference.key},", *lines, "}"]) + "\n"


def _author(name: str) -> str:
    """Write a name as "Last, First"; the name of a group goes in braces, which keep it whole."""
    if name == EVALIGN_REFERENCE.authors[0]:
        return f"{{{name}}}"
    if ", " in name:
        return _escape(name)
    first, _, last = _escape(name).rpartition(" ")
    return f"{last}, {first}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
