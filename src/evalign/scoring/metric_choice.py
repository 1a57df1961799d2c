"""Choose the metrics of a run: those that were requested, or those whose columns the documents have.

What the documents have is in their censuses (`take_censuses`). `count` counts all metrics that the formats
allow (`candidate_metrics`), as a part may lack what other parts have; `finish` chooses those that the whole
text has (`available_metrics`). `run` asks here why a text cannot be scored in parts (`needs_whole`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalign.document import Document
from evalign.errors import CommandError, Message, call, option, quote, quote_word
from evalign.metrics.census import Census, find_lacking_of_both, take_census
from evalign.metrics.metric import Metric
from evalign.metrics.registry import (
    DEFAULT_COLUMNS,
    DEFAULT_METRICS,
    DEFAULT_TREES,
    METRICS,
    choose_metrics,
    span_metric,
)
from evalign.options import SPANS, ScoreOptions


def expand_names(options: ScoreOptions) -> list[str]:
    """Return the names of the metrics to score, or "default"; raise `CommandError` for an unknown metric.

    "default" and "all" stay in the list, as the documents decide what they stand for. If weights are given,
    wlas is added to them. The name of a layer of stand-off spans is dropped: it is not a metric before the
    documents are known. The printed algorithm knows no columns.
    """
    _check_layer(options.layer)
    asked = options.metrics or DEFAULT_METRICS * (options.strategy == "printed")
    names = [name for name in asked if name != (options.layer or SPANS)]
    weighted = ("wlas",) if options.weights is not None else ()
    expanded: list[str] = []
    for name in names or ["default"]:
        expanded += (name, *weighted) if name in ("default", "all") else (name,)
    choose_metrics(name if name != "default" else "sentences" for name in expanded)
    return expanded


def _default_names(gold: Census, systems: Sequence[Census]) -> tuple[str, ...]:
    """List what "default" stands for: metrics of parser evaluation for trees, else of all columns."""
    documents = (gold, *systems)
    if not any(document.has_trees for document in documents):
        return (*DEFAULT_METRICS, *DEFAULT_COLUMNS)
    # Against CoNLL-U there may be words inside tokens.
    others = any(not document.has_trees and document.has_columns for document in documents)
    return (*DEFAULT_TREES[:2], *(("words",) if others else ()), *DEFAULT_TREES[2:])


def take_censuses(
    options: ScoreOptions, gold: Document, systems: Sequence[Document]
) -> tuple[Census, list[Census]]:
    """Take the censuses of gold and systems, with all columns that metrics and warnings may depend on."""
    names = [name for name in expand_names(options) if name != "default"]
    if options.by_default:  # documents that lack a column are warned of
        names += DEFAULT_COLUMNS
    columns = {need for metric in choose_metrics([*DEFAULT_METRICS, *names]) for need in metric.needs}
    gold_census = take_census(gold, columns)
    return gold_census, [take_census(system, columns, gold_census) for system in systems]


def default_needs() -> list[str]:
    """List the columns that the default metrics need."""
    return list(dict.fromkeys(name for metric in DEFAULT_COLUMNS for name in METRICS[metric].needs))


def available_metrics(options: ScoreOptions, gold: Census, systems: Sequence[Census]) -> tuple[Metric, ...]:
    """Return the metrics to show for whole documents.

    They are those that were named, need no columns, or have their columns filled. Attachment is also shown,
    as not available, if gold has heads and a system is CoNLL-U without them. Stand-off tables have only the
    metric of their layer. With `strict`, a metric is shown even if only one side has its column, as the CoNLL
    2018 script counts it.
    """
    is_chosen = _is_counted if options.strict else _is_worth_showing
    return _choose(options, gold, systems, is_chosen)


def candidate_metrics(options: ScoreOptions, gold: Census, systems: Sequence[Census]) -> tuple[Metric, ...]:
    """Return the metrics that may be chosen for the whole text, given one of its parts.

    They are all that the formats allow, whether the part fills the columns or not.
    """
    return _choose(options, gold, systems, can_count)


def can_count(metric: Metric, gold: Census, system: Census) -> bool:
    """Return whether documents of these formats can have the columns that a metric needs, filled or not."""
    return all(side.may_have(name) for side in (gold, system) for name in metric.needs)


def needs_whole(metrics: Sequence[Metric], options: ScoreOptions, *, has_raw: bool = False) -> list[str]:
    """List the reasons why a text cannot be scored in parts: options and metrics that need the whole text."""
    reasons: list[str] = []
    if options.strategy == "printed":
        reasons.append(Message("{strategy=printed} compares all tokens with all others"))
    if has_raw:
        reasons.append("the raw text is searched as a whole")
    if options.average == "sentence":
        reasons.append(Message("{average=sentence} keeps a row for every sentence"))
    for metric in metrics:
        # A version of UD that is given need not be looked for.
        if metric.whole and (options.relations == "auto" or "relations" not in metric.signature):
            reasons.append(f"{metric.name} " + Message(metric.whole))
    return reasons


def _choose(
    options: ScoreOptions,
    gold: Census,
    systems: Sequence[Census],
    is_chosen: Callable[[Metric, Census, Census], bool],
) -> tuple[Metric, ...]:
    """Choose metrics: those that were named, and those that `is_chosen` holds for with some system."""
    asked, layer = options.metrics, options.layer
    if _are_tables(gold, systems):
        return _choose_span_metric(asked, layer or SPANS)
    if layer or SPANS in asked:
        message = f"layer {quote(layer or SPANS)}, and {gold.name} is not a stand-off table"
        advice = Message("to read it as one: {gold_format=standoff}")
        raise CommandError(message, "a table of start, end, label", advice)
    default = _default_names(gold, systems)
    written = [part for name in expand_names(options) for part in (default if name == "default" else (name,))]
    return tuple(
        metric
        for metric in choose_metrics(written)
        if metric.name in asked
        or not metric.needs
        or any(is_chosen(metric, gold, system) for system in systems)
    )


def _check_layer(name: str) -> None:
    if not name:
        return
    from evalign.metrics.spans import is_name

    if not is_name(name):
        message = f"layer {quote(name)}"
        advice = Message("for example: {layer=named-entities}")
        raise CommandError(message, "small letters, digits and hyphens", advice)
    if name in METRICS or name in ("all", "default"):
        message = f"layer {quote(name)}, the name of a metric"
        raise CommandError(message, "a name of its own", "for example: " + option("layer", f"{name}-spans"))


def _are_tables(gold: Census, systems: Sequence[Census]) -> bool:
    """Return whether all documents are stand-off tables; raise `CommandError` if only some are."""
    tables = [document for document in (gold, *systems) if document.has_spans]
    others = [document for document in (gold, *systems) if not document.has_spans]
    if tables and others:
        name, side = others[0].name, "gold" if others[0] is gold else "system"
        message = f"{tables[0].name} is a stand-off table and {name} is not"
        making = call(
            f"evalign.triples({name!r}, raw=FILE)",
            "evalign triples <> <raw> FILE <format> tsv",
            quote_word(name),
        )
        advice = "to read it as one: " + option(f"{side}_format", "standoff") + "; to make one: " + making
        raise CommandError(message, "tables on both sides", advice)
    return not others


def _choose_span_metric(asked: Sequence[str], name: str) -> tuple[Metric, ...]:
    others = [other for other in asked if other not in (name, "all", "default")]
    if others:
        message = f"{', '.join(others)} of stand-off tables"
        advice = Message(
            "a table has spans, and no sentences or tokens of its own; {layer=NAME} says what they are called"
        )
        raise CommandError(message, f"{name} alone", advice)

    return (span_metric(name),)


def refuse_columns(asked: Sequence[str], kinds: Sequence[str] = ()) -> None:
    """Raise `CommandError` for metrics (`asked`) and breakdowns (`kinds`) that need tags, lemmas or heads.

    Called if tokens are cut at their spaces.
    """
    needs = {name: METRICS[name].needs for name in asked if name in METRICS}
    if kinds:
        from evalign.metrics.errors.breakdowns import BREAKDOWNS

        needs |= {f"breakdown by {kind}": BREAKDOWNS[kind].needs for kind in kinds if kind in BREAKDOWNS}
    lacking = [
        name
        for name, columns in needs.items()
        if not {"tokens", "trees", "labels", "sentences"} >= {*columns}
    ]
    if lacking:
        message = f"{', '.join(lacking)} not available with " + Message("{split_spaces=True}")
        advice = "the pieces of a token have no tag, lemma, head or relation of their own"
        raise CommandError(message, "sentences, tokens, words and other metrics of segmentation", advice)


SCORES_TABLES = '{evalign.score|evalign score} scores tables, {breakdown("label")|<per> label} by label'


def refuse_spans(*documents: Document) -> None:
    """Raise `CommandError` for a stand-off table, given to a command that is about tokens."""
    for document in documents:
        if document.spans is not None:
            message = f"{document.name} is a stand-off table"
            raise CommandError(message, "a text with tokens", Message(SCORES_TABLES))


def _is_worth_showing(metric: Metric, gold: Census, system: Census) -> bool:
    if not can_count(metric, gold, system) or gold.find_lacking(metric.needs):
        return False
    if metric.needs == ("feats",):  # FEATS counts as filled, but is shown only if some word has a feature
        return any(side.has_columns and side.columns["feats"].is_filled for side in (gold, system))
    is_conllu = system.has_columns and not system.has_trees
    return not system.find_lacking(metric.needs) or (is_conllu and "head" in metric.needs)


def _is_counted(metric: Metric, gold: Census, system: Census) -> bool:
    """Return whether a metric is worth showing, or counted in strict mode with only one side filled."""
    if _is_worth_showing(metric, gold, system):
        return True
    one_sided = {*gold.find_lacking(metric.needs)} ^ {*system.find_lacking(metric.needs)}
    return (
        bool(one_sided)
        and can_count(metric, gold, system)
        and not any(find_lacking_of_both(gold, system, metric.needs, strict=True))
    )
