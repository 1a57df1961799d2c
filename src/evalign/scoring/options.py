"""The options of `score` for runs over several texts: defaults filled in, checked, files read once.

`collection_run` and `scorer` check their options here before the first text is scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from inspect import signature
from typing import TypedDict, cast

from evalign.readers.content import load
from evalign.scoring.api import score
from evalign.scoring.metric_choice import expand_names, list_metrics
from evalign.scoring.request import check_choices, list_names, make_options
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.options import Options
    from evalign.options import (
        Average,
        EdgeMatch,
        Empty,
        FeatureValues,
        Match,
        PresetInput,
        Punctuation,
        RelationLabels,
        Strategy,
        WeightsInput,
    )


class ScoreOptions(TypedDict, total=False):
    """The keyword arguments of `score` that hold for many texts.

    Arguments of a single run, such as `raw`, `by` and `engine`, are not among them.
    """

    metrics: Sequence[str]
    match: Match
    normalize: Sequence[str]
    exceptions: str
    credit_exceptions: bool
    strict: bool
    strategy: Strategy
    average: Average
    gold_format: str
    system_format: str
    candidates: str
    vocabulary: Sequence[str] | None
    feature_values: FeatureValues
    edges: EdgeMatch
    collapse_empty_nodes: bool
    relations: RelationLabels
    weights: WeightsInput
    layer: str
    preset: PresetInput
    empty: Empty
    punctuation: Punctuation
    split_spaces: bool


@cache
def default_options() -> ScoreOptions:
    """Return the default values of `score` for all of `ScoreOptions`."""
    parameters = signature(score).parameters
    # Tests check that the names of the type and the parameters of `score` agree.
    return cast("ScoreOptions", {name: parameters[name].default for name in ScoreOptions.__annotations__})


def check_options(given: ScoreOptions) -> ScoreOptions:
    """Return all options, with defaults for those not given and with files read.

    Raises `TypeError` for an unknown option and `EvalignError` for a value that no text could be scored with.
    """
    from evalign.alignment.normalize import choose_rules, load_exceptions
    from evalign.readers.formats import find_format

    unknown = [name for name in given if name not in ScoreOptions.__annotations__]
    if unknown:
        message = f"unexpected keyword argument {unknown[0]!r}"
        raise TypeError(message)
    options: ScoreOptions = {**default_options(), **given}
    check_choices(
        match=options["match"],
        strategy=options["strategy"],
        average=options["average"],
        empty=options["empty"],
    )
    metric_options = make_metric_options(options)
    options["metrics"] = list_metrics(options["metrics"], options["layer"])
    options["normalize"] = list_names(options["normalize"])
    expand_names(options["metrics"], metric_options, options["layer"])
    choose_rules(options["normalize"])
    if options["exceptions"]:
        load_exceptions(options["exceptions"])
    for format in (options["gold_format"], options["system_format"]):
        find_format(load(Text("")), format)
    # Replace files by their content: an open file is used up, and a worker may not have the file.
    options["weights"], options["preset"] = metric_options.weights, metric_options.bracket_rules
    options["vocabulary"] = None if metric_options.vocabulary is None else sorted(metric_options.vocabulary)
    return options


def make_metric_options(options: ScoreOptions) -> Options:
    """Return those of the options that metrics look at."""
    return make_options(
        options["match"],
        options["credit_exceptions"],
        options["candidates"],
        options["vocabulary"],
        options["feature_values"],
        options["edges"],
        options["relations"],
        options["weights"],
        options["preset"],
        options["punctuation"],
    )
