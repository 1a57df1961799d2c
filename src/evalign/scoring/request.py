"""What `score` was asked for: the request (inputs and settings), and how the work is done (the execution)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from evalign.errors import CommandError, quote, suggest
from evalign.metrics import (
    CANDIDATES,
    MOST_PASSAGES,
    EdgeMatch,
    FeatureValues,
    Match,
    Metric,
    Options,
    Punctuation,
    RelationLabels,
    Scheme,
    load_scheme,
)
from evalign.readers import stored_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Weights
    from evalign.readers import Empty, Source

    WeightsInput: TypeAlias = Source | Weights | Mapping[str, float] | None
    SchemeInput: TypeAlias = Source | Scheme | None
    from distributed import Client

    from evalign.engines import Engine
    from evalign.readers import RawInput


# Above this many stretches neighbours are merged into one unit: two, four, eight, ..., so that units which are made
# before all stretches are known can be merged further.
MOST_UNITS = 100_000
Strategy = Literal["places", "printed"]
Average = Literal["micro", "document", "sentence"]


class ReadKeywords(TypedDict):
    """What `read` is told of every file."""

    strict: bool
    collapse_empty_nodes: bool
    empty: Empty
    split_spaces: bool


class Settings(NamedTuple):
    """What was asked of a run, apart from what each metric needs."""

    metrics: tuple[Metric, ...]
    by_default: bool
    """Whether what is scored was left to the documents: no metric was named, or `all` or `default` among them."""
    normalize: tuple[str, ...]
    exceptions: str
    strict: bool
    strategy: Strategy
    average: Average
    collapse_empty_nodes: bool
    empty: Empty
    """What becomes of empty elements of trees."""
    options: Options
    by: tuple[str, ...] = ()
    """What the result will be split by."""
    split_spaces: bool = False
    """Whether tokens are cut at their spaces."""
    raw: str = ""
    """A fingerprint of the raw text that gold and systems are compared on; nothing where there is none."""
    most_units: int = MOST_UNITS
    """Above so many stretches neighbours are merged."""

    @property
    def reading(self) -> ReadKeywords:
        """How files are read."""
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
        if value not in choices[name]:
            msg = f"unknown value {quote(value)} for {name}"
            raise CommandError(msg, *suggest(value, choices[name]))
    if given.get("strategy") == "printed" and given["match"] != "default":
        message = f'`match="{given["match"]}"` with `strategy="printed"`'
        raise CommandError(
            message, "one of the two", "the printed algorithm compares texts and knows no places"
        )


def list_names(given: Sequence[str]) -> tuple[str, ...]:
    """Names given as a list, or as the command line has them: "sentences,tokens".

    >>> list_names("sentences,tokens"), list_names(["words"])
    (('sentences', 'tokens'), ('words',))
    """
    return tuple(given.split(",")) if isinstance(given, str) else tuple(given)


def make_options(
    match: Match,
    credit_exceptions: bool,  # noqa: FBT001
    candidates: str,
    vocabulary: Sequence[str] | None,
    feature_values: FeatureValues,
    edges: EdgeMatch,
    relations: RelationLabels,
    weights: WeightsInput,
    preset: SchemeInput,
    punctuation: Punctuation,
) -> Options:
    """What is asked of the metrics, checked."""
    check_choices(
        match=match,
        feature_values=feature_values,
        edges=edges,
        relations=relations,
        punctuation=punctuation,
    )
    words, marks = _vocabulary(vocabulary), candidates or CANDIDATES
    scheme = load_scheme(preset)
    return Options(
        choose_match(match, scheme),
        credit_exceptions,
        marks,
        words,
        feature_values,
        edges,
        relations,
        _weights(weights),
        scheme,
        punctuation,
    )


def choose_match(match: Match, scheme: Scheme) -> Match:
    """When spans are the same: what was asked for, else what the scheme says."""
    return scheme.match if match == "default" else match


def _vocabulary(words: Sequence[str] | None) -> frozenset[str] | None:
    if isinstance(words, str):
        message = "vocabulary is text"
        raise CommandError(message, "a list of words", "words = text.split()")
    return None if words is None else frozenset(words)


def _weights(given: WeightsInput) -> Weights | None:
    if given is None:
        return None
    from evalign.metrics import Weights, check_weights, load_weights

    if isinstance(given, Weights):
        return check_weights(given)
    return check_weights(Weights(given)) if isinstance(given, Mapping) else load_weights(given)


# Below so many bytes in all files, several processes are no faster than one.
SMALL = 1 << 23


class ScoreRequest(NamedTuple):
    """What is scored, and how."""

    sources: tuple[object, ...]
    """Gold, then the systems."""
    formats: tuple[str, str]
    settings: Settings
    """Without metrics: which there are, the documents say."""
    names: Sequence[str]
    """Of metrics, `default` where none was asked for."""
    asked: Sequence[str]
    layer: str
    raw: RawInput | None
    system_names: Sequence[str] = ()
    """What the systems are called; nothing where that is left to their files."""


class Execution(NamedTuple):
    """How the work is spread out."""

    engine: Engine | Client | int | str | None = None
    """What `open_engine` takes."""
    stream: bool | int = False
    """Whether memory is to be bounded; a number is how many bytes of each file are read at a time."""
    window: int | None = None
    """How far away text that was displaced is looked for, in characters."""
    has_evidence: bool = True
    """Whether parts keep errors and breakdowns, and how many passages."""
    passages: int | None = MOST_PASSAGES

    def is_asked(self, sources: Sequence[object]) -> bool:
        """Whether anything but this process and its memory is, and the files are large enough for more processes."""
        if self.stream or self.window is not None or not isinstance(self.engine, int):
            return bool(self.stream) or self.window is not None or self.engine is not None
        return self.engine < 1 or (self.engine > 1 and sum(map(find_size, sources)) >= SMALL)


def find_size(source: object) -> int:
    """Bytes of a file; what is no file is taken for a small one, what is elsewhere for a large one."""
    if isinstance(source, str) and "://" in source:
        return SMALL
    return stored_size(source) if isinstance(source, (str, os.PathLike)) else 0
