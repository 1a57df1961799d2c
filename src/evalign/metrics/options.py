"""The options of metrics, and the presets and .prm files that say which brackets and tags of trees count.

`scoring` makes `Options` from the arguments of `evalign.score`; metrics read them from `Comparison.options`.
Every option can change a number, so each is part of the signature.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.files import shorten_paths
from evalign.options import (
    CANDIDATES,
    DEFAULT_PRESET,
    PRESETS,
    EdgeMatch,
    FeatureValues,
    Match,
    Preset,
    Punctuation,
    RelationLabels,
    Weights,
)
from evalign.readers.content import load
from evalign.text import Source


def load_preset(given: str | Source | Preset | None) -> Preset:
    """Return the preset that `given` names: a preset or the path of a .prm file; the default preset for None.

    A preset is returned unchanged. Raises `CommandError` for an unknown name.
    """
    if given is None:
        return DEFAULT_PRESET
    if isinstance(given, Preset):
        return given
    if isinstance(given, str) and given in PRESETS:
        return PRESETS[given]
    if isinstance(given, str) and given != "-" and _is_no_path(given):
        raise _unknown(given)
    return read_preset(given)


def _is_no_path(name: str) -> bool:
    """Return whether `name` neither looks like a path nor names an existing file."""
    return not set(name) & {".", "/", "\\"} and not os.path.isfile(name)  # noqa: PTH113 - pathlib raises where a name is too long


def _unknown(name: str) -> CommandError:
    expected = f"one of {', '.join(PRESETS)}, or the path of a .prm file"
    advice = "a file without an ending needs its folder: ./NAME"
    return CommandError(f"unknown preset {quote(name)}", *suggest(name, PRESETS, advice, expected=expected))


def read_preset(source: Source) -> Preset:
    """Read the preset of a .prm file; raises `InputError` if `source` is no such file.

    Its settings for limits, messages and sentence lengths concern only `evalign evalb` and are ignored here.
    """
    from evalign.readers.evalb_parameters import check_parameters, read_parameters

    content = load(source)
    faults, is_known = check_parameters(content.data)
    if faults and not is_known:
        expected = "a parameter file of evalb's, with lines like DELETE_LABEL TOP"
        advice = f"evalign's own presets are {', '.join(PRESETS)}"
        raise InputError(Place(content.name, faults[0][0]), faults[0][1], expected, advice)
    [name] = shorten_paths([content.name])
    messages = [f"{name}:{lineno}: {problem}; expected {expected}" for lineno, problem, expected in faults]
    parameters, _ = read_parameters(content.data)
    if parameters.eq_words:
        messages.append(f"{name}: EQ_WORD has no effect: words are compared by place and text")

    def labels(given: tuple[bytes, ...]) -> frozenset[str]:
        return frozenset(label.decode("utf-8") for label in given)

    return Preset(
        name,
        labels(parameters.delete_labels),
        tuple((a.decode("utf-8"), b.decode("utf-8")) for a, b in parameters.eq_labels),
        labels(parameters.quote_labels),
        cut=True,
        labelled=parameters.labeled,
        drops_root=False,
        messages=tuple(messages),
    )


class Options(NamedTuple):
    """The options that decide how metrics count."""

    match: Match = "default"
    credit_exceptions: bool = False
    candidates: str = CANDIDATES
    vocabulary: frozenset[str] | None = None
    feature_values: FeatureValues = "ordered"
    """Whether Fem,Masc and Masc,Fem are different values ("ordered") or the same ("set").

    The CoNLL 2018 evaluation takes them as different.
    """
    edges: EdgeMatch = "once"
    """Whether an enhanced edge is matched once, or ("all") with every equal edge, as in the UD tools."""
    relations: RelationLabels = "auto"
    """The version of UD that decides which relations are content and which are function relations."""
    weights: Weights | None = None
    bracket_rules: Preset = DEFAULT_PRESET
    """The rules by which brackets and tags of trees count."""
    punctuation: Punctuation = "own"
    """Whose tag decides whether a system word counts: its own, or ("gold") that of its gold word if any."""
