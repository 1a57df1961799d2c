"""The arguments of `score`, checked: `ScoreOptions` (how), `ScoreRequest` (what), `Execution` (where).

`resolve` makes `ScoreOptions` of keyword arguments and reads the files that they name. `api` makes a request;
`run`, `plan`, `count` and `finish` read it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Unpack, cast

from evalign.errors import CommandError, InputError, Message, Place, list_texts, quote, suggest
from evalign.files import check_names, shorten_paths
from evalign.metrics.metric import MOST_PASSAGES, find_name
from evalign.metrics.registry import METRICS
from evalign.metrics.relations import check_weights, load_weights
from evalign.options import (
    OPTIONS,
    PRESETS,
    SPANS,
    ExceptionList,
    OptionKeywords,
    Preset,
    ScoreOptions,
    Weights,
)
from evalign.readers.byte_stream import stored_size
from evalign.readers.content import load
from evalign.scoring.metric_choice import expand_names, refuse_columns
from evalign.text import Source, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.engines.base import Engine
    from evalign.readers.raw_files import RawInput, RawTexts


# Above this many stretches, neighbours are merged into units of two, four, eight, ... stretches. By powers of
# two, because units that were made before all stretches are known must be mergeable further.
MOST_UNITS = 100_000


# Options: checked, and what they name loaded.


def resolve(**given: Unpack[OptionKeywords]) -> ScoreOptions:
    """Check options of `score`, and load what they name: exceptions, weights, a preset.

    Raises `EvalignError` for a value that no text could be scored with.

    >>> options = resolve(metrics="LAS,Tokens", preset="evalb-collins")
    >>> options.metrics, options.bracket_rules.cut
    (('las', 'tokens'), True)
    """
    if unknown := [name for name in given if name not in OPTIONS]:
        message = f"unexpected keyword argument {unknown[0]!r}"
        raise TypeError(message)
    checked = ScoreOptions(**cast("Any", given))
    changes: dict[str, Any] = {
        "metrics": list_metrics(checked.metrics, checked.layer),
        "normalize": list_names(checked.normalize),
        "exceptions": _load_exceptions(checked.exceptions) if checked.exceptions else ExceptionList(),
    }
    loaders: dict[str, Callable[[Any], object]]
    loaders = {"vocabulary": _list_words, "weights": _load_weights, "preset": load_preset}
    for name, load_value in loaders.items():
        if (value := getattr(checked, name)) is not None:
            changes[name] = load_value(value)
    options = replace(checked, **changes)
    expand_names(options)
    if options.normalize:
        from evalign.alignment.normalize import choose_rules

        choose_rules(options.normalize)
    for format in (options.gold_format, options.system_format):
        if format != "auto":
            from evalign.readers.formats import find_format

            find_format(load(Text("")), format)
    return options


def list_names(given: Sequence[str]) -> tuple[str, ...]:
    """Return names as a tuple, given as a list or as one text with commas, as on the command line.

    >>> list_names("sentences,tokens"), list_names(["words"])
    (('sentences', 'tokens'), ('words',))
    """
    if isinstance(given, str):
        return tuple(given.split(","))
    return list_texts(given, "a list of names", "names in a list, or in a text with commas")


def list_metrics(given: Sequence[str], layer: str = "") -> tuple[str, ...]:
    """Return names of metrics as evalign writes them; given in any case, as a list or separated by commas.

    >>> list_metrics("LAS,Tokens"), list_metrics(["Persons"], "persons")
    (('las', 'tokens'), ('persons',))
    """
    choices = (layer or SPANS, "all", "default", *METRICS)
    return tuple(find_name(name, choices) for name in list_names(given))


def _list_words(given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        message = "vocabulary is text"
        raise CommandError(message, "a list of words", "words = text.split()")
    return tuple(sorted({*list_texts(given, "`vocabulary=`", "a list of words")}))


def _load_exceptions(given: str) -> ExceptionList:
    if isinstance(given, ExceptionList):
        return given
    from evalign.alignment.normalize import load_exceptions

    return ExceptionList.of(given, load_exceptions(given))


def _load_weights(given: Source | Weights | Mapping[str, float]) -> Weights:
    if isinstance(given, Weights):
        return check_weights(given)
    return check_weights(Weights(given)) if isinstance(given, Mapping) else load_weights(given)


def load_preset(given: Source | Preset) -> Preset:
    """Return the preset that `given` names: a preset, or the path of a .prm file.

    A preset is returned unchanged. Raises `CommandError` for an unknown name.
    """
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


# What is scored, and where.

# The usual window with `stream`: how far away displaced text is searched for, in characters; some 200,000
# words.
WINDOW = 1 << 20
# Below this many bytes in all files together, several processes are no faster than one.
SMALL = 1 << 23


class ScoreRequest(NamedTuple):
    """One call of `score`: the inputs, and the options."""

    sources: tuple[object, ...]
    """The inputs: gold, then the systems."""
    options: ScoreOptions
    raw: RawInput | RawTexts | None = None
    by: tuple[str, ...] = ()
    """Names that the result will be split by, such as those of gold's comments."""
    names: Sequence[str] = ()
    """Names for all inputs; an empty one, or none at all, to name an input by its file."""
    window: int | None = None
    """In parts, how far away displaced text is searched for, in characters; None for no limit."""
    has_evidence: bool = True
    """True if parts keep errors and breakdowns beside the counts."""
    passages: int | None = MOST_PASSAGES
    """Most passages (blocks of sentences with errors) to keep of parts for a system; None for all."""
    most_units: int = MOST_UNITS
    """Above this many stretches, neighbours are merged into one unit."""


def make_request(
    sources: Sequence[object],
    options: ScoreOptions,
    *,
    raw: RawInput | RawTexts | None = None,
    by: Sequence[str] = (),
    names: Sequence[str] = (),
    window: int | None = None,
    has_evidence: bool = True,
    passages: int | None = MOST_PASSAGES,
) -> ScoreRequest:
    """Make the request to score `sources`, gold and the systems; raise `CommandError` if it is impossible.

    `names` are names for the systems, instead of those of their files.
    """
    if options.strategy == "printed" and raw is not None:
        message = Message("{raw} with {strategy=printed}")
        raise CommandError(message, "one of the two", "the printed algorithm knows no places in a raw text")
    if options.split_spaces:
        refuse_columns(options.metrics)
    if names := check_names(names, len(sources) - 1):
        names = ("", *names)
    return ScoreRequest(
        tuple(sources), options, raw, list_groupings(by), names, window, has_evidence, passages
    )


def list_groupings(by: Sequence[str]) -> tuple[str, ...]:
    """Return what a result will be split by; a text may list several, among them expressions with commas."""
    if not isinstance(by, str):
        return tuple(by)
    from evalign.results.split import split_names

    return split_names(by)


class Execution(NamedTuple):
    """Where a request is executed, and in how much memory."""

    engine: Engine | Client | int | str | None = None
    """Anything that `open_engine` accepts: a number of processes, an address, a client, an engine."""
    stream: bool | int = False
    """True for bounded memory; a number also sets how many bytes of each file are read at a time."""

    def is_asked(self, request: ScoreRequest) -> bool:
        """Return whether scoring in parts was asked for, by `stream`, `window` or `engine`.

        A number of processes counts only if the files are large enough to gain by it (`SMALL`).
        """
        if self.stream or request.window is not None or not isinstance(self.engine, int):
            return bool(self.stream) or request.window is not None or self.engine is not None
        return self.engine < 1 or (self.engine > 1 and sum(map(find_size, request.sources)) >= SMALL)


def find_size(source: object) -> int:
    """Return the bytes of a file; 0 for an input that is not a file. A URL counts as large (`SMALL`)."""
    if isinstance(source, str) and "://" in source:
        return SMALL
    return stored_size(source) if isinstance(source, (str, os.PathLike)) else 0
