"""Layers: what is counted, one metric per name.

`LAYERS` has them all, in the order in which they are listed; `definitions` says what each one means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from evalign.errors import CommandError, quote, suggest
from evalign.metrics.comparison import Comparison, CountTable, Units
from evalign.metrics.counts import Counts
from evalign.metrics.kinds import KINDS
from evalign.metrics.layer import MATCHED, Layer
from evalign.metrics.options import CANDIDATES, Match, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.evidence import count_kinds, find_mismatches, group_errors
    from evalign.metrics.mismatches import ErrorGroup, Mismatch, group_mismatches

__all__ = [
    "CANDIDATES",
    "DEFAULT_COLUMNS",
    "DEFAULT_LAYERS",
    "DEFAULT_TREES",
    "KINDS",
    "LAYERS",
    "MATCHED",
    "Comparison",
    "CountTable",
    "Counts",
    "ErrorGroup",
    "Layer",
    "Match",
    "Mismatch",
    "Options",
    "Units",
    "choose_layers",
    "count_kinds",
    "find_mismatches",
    "group_errors",
    "group_mismatches",
]

# Names that are loaded when they are asked for: most runs want scores and no errors.
_ERRORS = {
    **dict.fromkeys(("ErrorGroup", "Mismatch", "group_mismatches"), "mismatches"),
    **dict.fromkeys(("count_kinds", "find_mismatches", "group_errors"), "evidence"),
}


def __getattr__(name: str) -> object:
    if name not in _ERRORS:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"evalign.metrics.{_ERRORS[name]}"), name)


class _Layers(Mapping[str, Layer]):
    """All layers by name, in the order in which they are listed; each is loaded when it is asked for."""

    _homes: Mapping[str, tuple[str, str]] = {
        "sentences": ("spans", "SENTENCES"),
        "tokens": ("spans", "TOKENS"),
        "words": ("spans", "WORDS"),
        "upos": ("judged", "UPOS"),
        "xpos": ("judged", "XPOS"),
        "ufeats": ("judged", "UFEATS"),
        "allfeats": ("judged", "ALLFEATS"),
        "alltags": ("judged", "ALLTAGS"),
        "lemmas": ("judged", "LEMMAS"),
        "uas": ("judged", "UAS"),
        "las": ("judged", "LAS"),
        "clas": ("judged", "CLAS"),
        "mlas": ("judged", "MLAS"),
        "blex": ("judged", "BLEX"),
        "elas": ("enhanced", "ELAS"),
        "eulas": ("enhanced", "EULAS"),
        "content": ("judged", "CONTENT"),
        "function": ("judged", "FUNCTION"),
        "wlas": ("weighted", "WLAS"),
        "dependencies": ("arcs", "DEPENDENCIES"),
        "tags": ("parsing", "TAGS"),
        "brackets": ("parsing", "BRACKETS"),
        "brackets-unlabelled": ("parsing", "BRACKETS_UNLABELLED"),
        "triples": ("parsing", "TRIPLES"),
        "crossing": ("parsing", "CROSSING"),
        "complete-match": ("parsing", "COMPLETE_MATCH"),
        "boundaries": ("boundaries", "BOUNDARIES"),
        "boundaries-inner": ("boundaries", "INNER_BOUNDARIES"),
        "token-boundaries": ("boundaries", "TOKEN_BOUNDARIES"),
        "bio": ("bio", "BIO"),
        "disambiguation": ("disambiguation", "DISAMBIGUATION"),
        "sentence-accuracy": ("accuracy", "SENTENCE_ACCURACY"),
        "edit-distance": ("edits", "EDIT_DISTANCE"),
        "pk": ("windows", "PK"),
        "windowdiff": ("windows", "WINDOWDIFF"),
        "pk-nltk": ("windows", "PK_NLTK"),
        "windowdiff-nltk": ("windows", "WINDOWDIFF_NLTK"),
        "pk-segeval": ("windows", "PK_SEGEVAL"),
        "windowdiff-segeval": ("windows", "WINDOWDIFF_SEGEVAL"),
        "oov": ("vocabulary", "OOV"),
    }

    def __getitem__(self, name: str) -> Layer:
        module, attribute = self._homes[name]
        layer: Layer = getattr(import_module(f"evalign.metrics.{module}"), attribute)
        return layer

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def __contains__(self, name: object) -> bool:
        return name in self._homes


LAYERS: Mapping[str, Layer] = _Layers()
# Shown without being asked for: the first three always, the others where the documents have the columns.
DEFAULT_LAYERS = ("sentences", "tokens", "words")
DEFAULT_COLUMNS = (
    "upos", "xpos", "ufeats", "allfeats", "alltags", "lemmas", "uas", "las", "clas", "mlas", "blex", "elas", "eulas",
)  # fmt: skip
# Of trees, in place of those of columns.
DEFAULT_TREES = (
    "sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples", "sentence-accuracy", "crossing",
    "complete-match",
)  # fmt: skip
# Layers that need something to be given; `all` leaves them out.
NEEDY = ("oov", "wlas")


def choose_layers(names: Iterable[str]) -> tuple[Layer, ...]:
    """The layers of these names, each once; `all` is every one that needs nothing to be given.

    >>> [layer.name for layer in choose_layers(["tokens", "pk", "tokens"])]
    ['tokens', 'pk']
    """
    chosen: dict[str, Layer] = {}
    for name in names:
        if name == "all":
            chosen |= {known: layer for known, layer in LAYERS.items() if known not in NEEDY}
        elif name in LAYERS:
            chosen[name] = LAYERS[name]
        else:
            raise _unknown(name)
    if not chosen:
        message, expected = "no metric", "at least one, or all"
        raise CommandError(message, expected, "to list all metrics: evalign explain")
    return tuple(chosen.values())


def _unknown(name: str) -> CommandError:
    advice = "to read what a metric is: evalign explain NAME"
    return CommandError(f"unknown metric {quote(name)}", *suggest(name, [*LAYERS, "all", "default"], advice))
