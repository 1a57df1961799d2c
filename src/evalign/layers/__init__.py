"""Layers: what is counted, one metric per name.

`LAYERS` has them all, in the order in which they are listed; `definitions` says what each one means.
"""

from __future__ import annotations

from collections.abc import Iterable

from evalign.errors import CommandError, quote
from evalign.layers.accuracy import SENTENCE_ACCURACY
from evalign.layers.bio import BIO
from evalign.layers.boundaries import BOUNDARIES, INNER_BOUNDARIES, TOKEN_BOUNDARIES
from evalign.layers.comparison import CANDIDATES, Comparison, CountTable, Match, Options, Units, totals
from evalign.layers.counts import Counts
from evalign.layers.disambiguation import DISAMBIGUATION
from evalign.layers.edits import EDIT_DISTANCE
from evalign.layers.layer import MATCHED, Layer
from evalign.layers.mismatches import (
    KINDS,
    ErrorGroup,
    Mismatch,
    count_kinds,
    find_mismatches,
    group_mismatches,
)
from evalign.layers.spans import SENTENCES, TOKENS, WORDS
from evalign.layers.vocabulary import OOV
from evalign.layers.windows import PK, PK_NLTK, PK_SEGEVAL, WINDOWDIFF, WINDOWDIFF_NLTK, WINDOWDIFF_SEGEVAL

__all__ = [
    "CANDIDATES",
    "DEFAULT_LAYERS",
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
    "group_mismatches",
    "totals",
]

LAYERS: dict[str, Layer] = {
    layer.name: layer
    for layer in (
        SENTENCES,
        TOKENS,
        WORDS,
        BOUNDARIES,
        INNER_BOUNDARIES,
        TOKEN_BOUNDARIES,
        BIO,
        DISAMBIGUATION,
        SENTENCE_ACCURACY,
        EDIT_DISTANCE,
        PK,
        WINDOWDIFF,
        PK_NLTK,
        WINDOWDIFF_NLTK,
        PK_SEGEVAL,
        WINDOWDIFF_SEGEVAL,
        OOV,
    )
}
DEFAULT_LAYERS = ("sentences", "tokens", "words")
# Layers that need something to be given; `all` leaves them out.
NEEDY = ("oov",)


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
        message, expected = "no metric", f"all, or some of {', '.join(LAYERS)}"
        raise CommandError(message, expected)
    return tuple(chosen.values())


def _unknown(name: str) -> CommandError:
    from difflib import get_close_matches

    near = get_close_matches(name, [*LAYERS, "all"], 1)
    advice = f'did you mean "{near[0]}"?' if near else "evalign explain NAME says what each one is"
    return CommandError(f"unknown metric {quote(name)}", f"all, or some of {', '.join(LAYERS)}", advice)
