"""The arguments of `score`, checked: `ScoreRequest` (what is scored), `Execution` (how the work is done).

`api` makes both; `run`, `count` and `join` read them. The options that metrics look at are `metrics.Options`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from evalign.errors import CommandError, Message, check_type, list_texts, option, quote, suggest
from evalign.metrics.metric import MOST_PASSAGES, Metric
from evalign.metrics.options import Options, load_preset
from evalign.metrics.relations import check_weights, load_weights
from evalign.options import (
    CANDIDATES,
    Average,
    EdgeMatch,
    FeatureValues,
    Match,
    Preset,
    PresetInput,
    Punctuation,
    RelationLabels,
    Strategy,
    Weights,
    WeightsInput,
)
from evalign.readers.byte_stream import stored_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.engines.base import Engine
    from evalign.options import Empty
    from evalign.readers.raw_files import RawInput


# Above this many stretches, neighbours are merged into units of two, four, eight, ... stretches. By powers of
# two, because units that were made before all stretches are known must be mergeable further.
MOST_UNITS = 100_000


class ReadKeywords(TypedDict):
    """The keyword arguments with which every file of a run is read."""

    strict: bool
    collapse_empty_nodes: bool
    empty: Empty
    split_spaces: bool


class Settings(NamedTuple):
    """The options of a run: how texts are read and aligned, and how counts are kept.

    The options that metrics look at are in `options`.
    """

    metrics: tuple[Metric, ...]
    by_default: bool
    """True if the documents decide which metrics are scored: none was named, or `all` or `default` was."""
    normalize: tuple[str, ...]
    exceptions: str
    strict: bool
    strategy: Strategy
    average: Average
    collapse_empty_nodes: bool
    empty: Empty
    """Whether empty elements of trees are dropped or kept."""
    options: Options
    by: tuple[str, ...] = ()
    """Names that the result will be split by, such as those of gold's comments."""
    split_spaces: bool = False
    """True if tokens are cut at their spaces."""
    raw: str = ""
    """A fingerprint of the raw text that gold and systems are compared on; empty without a raw text."""
    most_units: int = MOST_UNITS
    """Above this many stretches, neighbours are merged into one unit."""

    @property
    def reading(self) -> ReadKeywords:
        """The keyword arguments for `read`."""
        return ReadKeywords(
            strict=self.strict,
            collapse_empty_nodes=self.collapse_empty_nodes,
            empty=self.empty,
            split_spaces=self.split_spaces,
        )


def check_choices(**given: str) -> None:
    """Raise `CommandError` for an option whose value is not one of its choices."""
    choices = {
        "match": ("default", "place", "text"),
        "strategy": ("places", "printed"),
        "average": ("micro", "document", "sentence"),
        "feature_values": ("ordered", "set"),
        "edges": ("once", "all"),
        "relations": ("auto", "v1", "v2"),
        "empty": ("drop", "keep"),
        "punctuation": ("own", "gold"),
    }
    for name, value in given.items():
        check_type(value, str, f"`{name}=`", f"one of {', '.join(choices[name])}")
        if value not in choices[name]:
            msg = f"unknown value {quote(value)} for {name}"
            raise CommandError(msg, *suggest(value, choices[name]))
    if given.get("strategy") == "printed" and given["match"] != "default":
        message = option("match", given["match"]) + Message(" with {strategy=printed}")
        raise CommandError(
            message, "one of the two", "the printed algorithm compares texts and knows no places"
        )


def list_names(given: Sequence[str]) -> tuple[str, ...]:
    """Return names as a tuple, given as a list or as one text with commas, as on the command line.

    >>> list_names("sentences,tokens"), list_names(["words"])
    (('sentences', 'tokens'), ('words',))
    """
    if isinstance(given, str):
        return tuple(given.split(","))
    return list_texts(given, "a list of names", "names in a list, or in a text with commas")


def make_options(
    match: Match,
    credit_exceptions: bool,  # noqa: FBT001
    candidates: str,
    vocabulary: Sequence[str] | None,
    feature_values: FeatureValues,
    edges: EdgeMatch,
    relations: RelationLabels,
    weights: WeightsInput,
    preset: PresetInput,
    punctuation: Punctuation,
) -> Options:
    """Check the options that metrics look at, load the files among them, and return them as `Options`."""
    check_choices(
        match=match,
        feature_values=feature_values,
        edges=edges,
        relations=relations,
        punctuation=punctuation,
    )
    words, marks = _vocabulary(vocabulary), candidates or CANDIDATES
    rules = load_preset(preset)
    return Options(
        choose_match(match, rules),
        credit_exceptions,
        marks,
        words,
        feature_values,
        edges,
        relations,
        _weights(weights),
        rules,
        punctuation,
    )


def choose_match(match: Match, preset: Preset) -> Match:
    """Return the rule for matching spans: `match`, or that of `preset` if `match` is "default"."""
    return preset.match if match == "default" else match


def _vocabulary(words: Sequence[str] | None) -> frozenset[str] | None:
    if isinstance(words, str):
        message = "vocabulary is text"
        raise CommandError(message, "a list of words", "words = text.split()")
    return None if words is None else frozenset(words)


def _weights(given: WeightsInput) -> Weights | None:
    if given is None:
        return None

    if isinstance(given, Weights):
        return check_weights(given)
    return check_weights(Weights(given)) if isinstance(given, Mapping) else load_weights(given)


# Below this many bytes in all files together, several processes are no faster than one.
SMALL = 1 << 23


class ScoreRequest(NamedTuple):
    """One call of `score`: the inputs, the names of metrics, and the settings."""

    sources: tuple[object, ...]
    """The inputs: gold, then the systems."""
    formats: tuple[str, str]
    """Format of gold, and of the systems."""
    settings: Settings
    """Settings with `metrics` still empty: the metrics depend on the documents."""
    names: Sequence[str]
    """Names of metrics as `expand_names` gives them: `default` if none was asked for."""
    asked: Sequence[str]
    """Names of metrics as the caller gave them."""
    layer: str
    """Name for the spans of stand-off tables; empty for the usual one."""
    raw: RawInput | None
    system_names: Sequence[str] = ()
    """Names for the systems; empty to name them by their files."""


class Execution(NamedTuple):
    """Where one call of `score` is executed, in how much memory, and how many errors it keeps."""

    engine: Engine | Client | int | str | None = None
    """Anything that `open_engine` accepts: a number of processes, an address, a client, an engine."""
    stream: bool | int = False
    """True for bounded memory; a number also sets how many bytes of each file are read at a time."""
    window: int | None = None
    """How far away displaced text is searched for, in characters; None for no limit."""
    has_evidence: bool = True
    """True if parts keep errors and breakdowns beside the counts."""
    passages: int | None = MOST_PASSAGES
    """Most passages (blocks of sentences with errors) to keep for a system; None for all."""

    def is_asked(self, sources: Sequence[object]) -> bool:
        """Return whether scoring in parts was requested, by `stream`, `window` or `engine`.

        A number of processes counts only if the files are large enough to gain by it (`SMALL`).
        """
        if self.stream or self.window is not None or not isinstance(self.engine, int):
            return bool(self.stream) or self.window is not None or self.engine is not None
        return self.engine < 1 or (self.engine > 1 and sum(map(find_size, sources)) >= SMALL)


def find_size(source: object) -> int:
    """Return the bytes of a file; 0 for an input that is not a file. A URL counts as large (`SMALL`)."""
    if isinstance(source, str) and "://" in source:
        return SMALL
    return stored_size(source) if isinstance(source, (str, os.PathLike)) else 0
