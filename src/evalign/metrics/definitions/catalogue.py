"""Definitions of metrics and terms, for `evalign explain`, and the works that they cite, for `evalign cite`.

They are data: `definitions.toml` and `references.toml` beside this module, read when first asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from evalign.errors import CommandError, Message, Spell, current_spell, quote, suggest

_FOLDER = Path(__file__).parent


class Example(NamedTuple):
    """A small worked example: sentences of gold and system, with the counts and ratios that they give.

    Tokens are separated by spaces. With `trees`, a word is written as form/UPOS/HEAD/DEPREL;
    /FEATS/LEMMA/DEPS may follow.
    """

    gold: tuple[str, ...]
    system: tuple[str, ...]
    counts: Mapping[str, int]
    ratios: Mapping[str, float]
    vocabulary: tuple[str, ...] = ()
    weights: Mapping[str, float] | None = None
    trees: bool = False
    brackets: bool = False
    """True if the sentences are bracketed trees."""
    metric: str = ""
    """The metric that is counted, if the example belongs to a term."""


class Definition(NamedTuple):
    """The definition of a metric or a term."""

    name: str
    title: str
    definition: str
    formula: str = ""
    source: str = ""
    notes: str = ""
    example: Example | None = None
    worked: str = ""
    """An example in words, for a term that two short texts cannot show."""
    aliases: tuple[str, ...] = ()
    """Other names to look it up by, in lower case with hyphens."""


class Reference(NamedTuple):
    """A cited work, with the data of its BibTeX entry."""

    cited: str
    """How definitions cite the work, in `Definition.source`."""
    key: str
    authors: tuple[str, ...]
    """Full names. A family name of several words stands first, followed by a comma."""
    title: str
    year: int | None = None
    kind: str = "inproceedings"
    """Type of the BibTeX entry."""
    where: str = ""
    """Proceedings, journal, publisher or institution."""
    volume: str = ""
    pages: str = ""
    url: str = ""


def load_definitions() -> Mapping[str, Definition]:
    """Return the definitions of all metrics and then of all terms by name."""
    return _write_definitions(current_spell())


@cache
def _write_definitions(_spell: Spell) -> Mapping[str, Definition]:
    """Read the definitions; `_spell` is what writes the options and calls in their texts."""
    content = _load("definitions.toml")
    works = {key: reference.cited for key, reference in load_references().items()}
    definitions = {}
    for name, fields in (content["metrics"] | content["terms"]).items():
        written: dict[str, str] = {field: Message(fields.get(field, "")) for field in ("definition", "notes")}
        for field, inserts in (("formula", content["formulas"]), ("source", works)):
            written[field] = fields.get(field, "").format(**inserts)
        example = _make_example(fields["example"], content["texts"]) if "example" in fields else None
        definitions[name] = Definition(name, **(fields | written | {"example": example}))
    return definitions


def _make_example(fields: Mapping[str, Any], texts: Mapping[str, Any]) -> Example:
    """Make an example of its fields; its sentences are one of `texts`."""
    ratios = {name: _divide(ratio) for name, ratio in fields.get("ratios", {}).items()}
    fields = texts[fields["text"]] | fields | {"ratios": ratios}
    return Example(**{name: value for name, value in fields.items() if name != "text"})


def _divide(ratio: float | str) -> float:
    """Return a ratio; one that has no end as a decimal is a text such as "6/7"."""
    part, _, whole = str(ratio).partition("/")
    return float(part) / float(whole or 1)


def find_definition(name: str) -> Definition:
    """Return the definition of a metric or term by its name or an alias.

    Case does not matter, and words may be joined by hyphens or not. Raises `CommandError` for an unknown
    name.

    >>> find_definition("Pk").title, find_definition("confidence interval").name
    ('Windows in which one side alone has a boundary', 'interval')
    """
    definitions = load_definitions()
    names = {alias: entry.name for entry in definitions.values() for alias in entry.aliases}
    key = "-".join(name.lower().replace("_", " ").split())
    key = names.get(key, key)
    if key in definitions:
        return definitions[key]
    message = f"no metric or term is called {quote(name)}"
    raise CommandError(
        message, *suggest(key, (*definitions, *names), expected=f"one of {', '.join(definitions)}")
    )


@cache
def load_references() -> Mapping[str, Reference]:
    """Return the works that definitions cite, by the key of their BibTeX entry."""
    return {key: Reference(key=key, **fields) for key, fields in _load("references.toml").items()}


def find_references(sources: Iterable[str]) -> list[Reference]:
    """Return the works that `sources` cite, each once, in order of citation.

    >>> [each.key for each in find_references([find_definition("edit-distance").source, "evalign"])]
    ['levenshtein-1966-binary']
    """
    pieces = [piece for source in sources for piece in source.split("; ")]
    references = load_references().values()
    cited = [reference for piece in pieces for reference in references if piece.startswith(reference.cited)]
    return list(dict.fromkeys(cited))


@cache
def _load(name: str) -> dict[str, Any]:
    """Read a data file: line breaks in its texts are spaces, its lists tuples."""
    content = tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return cast("dict[str, Any]", _join_lines(content))


def _join_lines(value: object) -> object:
    if isinstance(value, dict):
        return {key: _join_lines(each) for key, each in value.items()}
    if isinstance(value, list):
        return tuple(map(_join_lines, value))
    return " ".join(value.split()) if isinstance(value, str) else value
