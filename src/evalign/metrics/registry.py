"""The table of all metrics, the groups that follow from it, and lookup by name.

`METRICS` has the metrics in the order in which they are listed; `definitions` says what each one means. What
counts them is loaded when it is first needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from evalign.errors import CommandError, quote, suggest
from evalign.metrics.counts import (
    CHARACTER_FIELDS,
    bio_ratios,
    disambiguation_ratios,
    quotients,
    weighted_ratios,
    word_ratios,
)
from evalign.metrics.metric import (
    BRACKET_KINDS,
    LABEL_FIELDS,
    MATCHED,
    SPAN_KINDS,
    TREE,
    WORD_FIELDS,
    WORD_KINDS,
    Metric,
    label_metric,
)

# What several metrics have in common.
_judged = partial(Metric, fields=WORD_FIELDS, ratios=word_ratios, default="columns")
_labelled = partial(_judged, kinds=WORD_KINDS)
_of_class = partial(
    _judged,
    needs=TREE,
    default="",
    signature=("relations",),
    whole="takes the version of UD from all relations of gold (say it: {relations=v2})",
)
_edges = partial(Metric, needs=("deps",), default="columns", signature=("edges", "empty-nodes"))
_recall = partial(
    Metric,
    fields=("correct", "gold"),
    ratios=partial(quotients, recall=("correct", "gold")),
    headline="recall",
)
_accuracy = partial(
    Metric,
    fields=("correct", "gold"),
    ratios=partial(quotients, accuracy=("correct", "gold")),
    headline="accuracy",
)
_windows = partial(
    Metric,
    fields=("errors", "windows"),
    ratios=partial(quotients, error=("errors", "windows")),
    headline="error",
    lower_is_better=("error",),
    needs=("sentences",),
    reach="document",
    whole="takes its window from a whole document",
)
_ENDS = "leaves out the ends of documents, and a part may end inside one"

_TABLE = (
    Metric("sentences", "spans.count_sentences", needs=("sentences",), default="always", kinds=SPAN_KINDS),
    Metric("tokens", "spans.count_tokens", default="always", kinds=SPAN_KINDS),
    Metric("words", "spans.count_words", default="always", kinds=SPAN_KINDS),
    _labelled("upos", "word_labels.count_upos", needs=("upos",), written="UPOS"),
    _labelled("xpos", "word_labels.count_xpos", needs=("xpos",), written="XPOS"),
    _labelled("ufeats", "word_labels.count_ufeats", needs=("feats",), written="UFeats"),
    _labelled("allfeats", "word_labels.count_allfeats", needs=("feats",), written="AllFeats"),
    _judged("alltags", "word_labels.count_alltags", needs=("upos",), written="AllTags"),
    _labelled("lemmas", "word_labels.count_lemmas", needs=("lemma",)),
    _labelled("uas", "word_labels.count_uas", needs=("head",), written="UAS"),
    _labelled("las", "word_labels.count_las", needs=TREE, written="LAS"),
    _judged("clas", "word_labels.count_clas", needs=TREE, written="CLAS"),
    _judged("mlas", "word_labels.count_mlas", needs=TREE, written="MLAS"),
    _judged("blex", "word_labels.count_blex", needs=(*TREE, "lemma"), written="BLEX"),
    _edges("elas", "graphs.count_elas", written="ELAS"),
    _edges("eulas", "graphs.count_eulas", written="EULAS"),
    _of_class("content", "word_labels.count_content"),
    _of_class("function", "word_labels.count_function"),
    Metric(
        "wlas",
        "word_labels.count_weights",
        fields=("weight_correct", "weight_gold", "weight_system", "weight_aligned"),
        ratios=weighted_ratios,
        needs=TREE,
        written="WLAS",
        requires="weights",
        signature=("relations", "weights"),
    ),
    Metric("dependencies", "graphs.count_arcs", needs=TREE),
    _labelled("tags", "brackets.count_tags", needs=("xpos",), default=""),
    Metric("brackets", "brackets.count_brackets", needs=("trees",), kinds=BRACKET_KINDS),
    Metric("brackets-unlabelled", "brackets.count_unlabelled", needs=("trees",)),
    Metric("triples", "brackets.count_triples", needs=("trees",)),
    Metric(
        "crossing",
        "brackets.count_crossing",
        fields=("crossing", "system", "sentences", "uncrossed", "few"),
        ratios=partial(
            quotients,
            average=("crossing", "sentences"),
            none=("uncrossed", "sentences"),
            two_or_less=("few", "sentences"),
        ),
        headline="average",
        lower_is_better=("average",),
        numbers=("average",),
        needs=("trees",),
    ),
    _accuracy("complete-match", "brackets.count_complete", needs=("trees",)),
    Metric("boundaries", "boundaries.count_boundaries", fields=LABEL_FIELDS, needs=("sentences",)),
    Metric(
        "boundaries-inner",
        "boundaries.count_inner_boundaries",
        fields=LABEL_FIELDS,
        needs=("sentences",),
        whole=_ENDS,
    ),
    Metric("token-boundaries", "boundaries.count_token_boundaries", fields=LABEL_FIELDS, whole=_ENDS),
    Metric(
        "bio",
        "bio.count_bio",
        fields=CHARACTER_FIELDS,
        ratios=bio_ratios,
        headline="accuracy",
        lower_is_better=("error_rate",),
        needs=("sentences",),
        written="BIO",
    ),
    Metric(
        "disambiguation",
        "boundaries.count_disambiguation",
        fields=("both", "system_only", "gold_only", "neither"),
        ratios=disambiguation_ratios,
        headline="accuracy",
        lower_is_better=("error_rate",),
        needs=("sentences",),
        signature=("candidates",),
    ),
    _accuracy("sentence-accuracy", "spans.count_sentence_accuracy"),
    Metric(
        "edit-distance",
        "edits.count_edits",
        fields=("distance", "gold", "boundary_distance", "characters"),
        ratios=partial(
            quotients, rate=("distance", "gold"), boundary_rate=("boundary_distance", "characters")
        ),
        headline="rate",
        lower_is_better=("rate", "boundary_rate"),
        reach="block",
    ),
    _windows("pk", "boundaries.count_pk", written="Pk"),
    _windows("windowdiff", "boundaries.count_windowdiff", written="WindowDiff"),
    _windows("pk-nltk", "boundaries.count_pk_nltk", written="Pk-NLTK"),
    _windows("windowdiff-nltk", "boundaries.count_windowdiff_nltk", written="WindowDiff-NLTK"),
    _windows("pk-segeval", "boundaries.count_pk_segeval", written="Pk-segeval"),
    _windows("windowdiff-segeval", "boundaries.count_windowdiff_segeval", written="WindowDiff-segeval"),
    Metric(
        "oov",
        "spans.count_vocabulary",
        fields=("in_correct", "in_gold", "out_correct", "out_gold"),
        ratios=partial(
            quotients, recall_in=("in_correct", "in_gold"), recall_out=("out_correct", "out_gold")
        ),
        headline="recall_out",
        written="OOV",
        requires="vocabulary",
        signature=("vocabulary",),
    ),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _TABLE}

# Default metrics: DEFAULT_METRICS always, DEFAULT_COLUMNS where the documents have the columns.
DEFAULT_METRICS, DEFAULT_COLUMNS = (
    tuple(name for name, metric in METRICS.items() if metric.default == when)
    for when in ("always", "columns")
)
# Default metrics of bracketed trees, in place of DEFAULT_COLUMNS, in the order of tables.
DEFAULT_TREES = (
    "sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples", "sentence-accuracy", "crossing",
    "complete-match",
)  # fmt: skip


def _with_errors(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the metrics whose errors are of these kinds; those of the same column stand together."""
    by_column: dict[tuple[str, ...], list[str]] = {}
    for metric in METRICS.values():
        if metric.kinds == kinds:
            by_column.setdefault(metric.needs[:1], []).append(metric.name)
    return tuple(name for names in by_column.values() for name in names)


SPAN_METRICS, WORD_METRICS = _with_errors(SPAN_KINDS), _with_errors(WORD_KINDS)
LABEL_METRICS = (*WORD_METRICS, *_with_errors(BRACKET_KINDS))
METRICS_WITH_ERRORS = (*SPAN_METRICS, *LABEL_METRICS)


def show_metric(name: str) -> str:
    """Return the name of a metric as papers write it, for tables and pages; an unknown name unchanged.

    >>> show_metric("las"), show_metric("tokens"), show_metric("entities")
    ('LAS', 'tokens', 'entities')
    """
    return METRICS[name].written or name if name in METRICS else name


def choose_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """Return the metrics with these names, each once.

    `all` stands for every metric that needs no extra input. Raises `CommandError` for an unknown name or an
    empty choice.

    >>> [metric.name for metric in choose_metrics(["tokens", "pk", "tokens"])]
    ['tokens', 'pk']
    """
    chosen: dict[str, Metric] = {}
    for name in names:
        if name == "all":
            chosen |= {other: metric for other, metric in METRICS.items() if not metric.requires}
        elif name in METRICS:
            chosen[name] = METRICS[name]
        else:
            advice = "to read what a metric is: evalign explain NAME"
            message = f"unknown metric {quote(name)}"
            raise CommandError(message, *suggest(name, [*METRICS, "all", "default"], advice))
    if not chosen:
        message, expected = "no metric", "at least one, or all"
        raise CommandError(message, expected, "to list all metrics: evalign explain")
    return tuple(chosen.values())


def find_metric(name: str, fields: Sequence[str]) -> Metric:
    """Return the metric with this name and these fields, as a saved result states them.

    A name that is not in `METRICS` is a layer of stand-off spans or a recall metric such as recall-at-5,
    depending on `fields`. With `LABEL_FIELDS` the result is a metric that cannot count (`label_metric`).

    >>> find_metric("tokens", MATCHED) is METRICS["tokens"], find_metric("entities", MATCHED).name
    (True, 'entities')
    """
    if tuple(fields) == LABEL_FIELDS and (name not in METRICS or METRICS[name].fields != LABEL_FIELDS):
        return label_metric(name)
    if name not in METRICS and tuple(fields) == MATCHED:
        return span_metric(name)
    if name not in METRICS:
        candidates = find_recall_metric(name)
        if candidates is not None and tuple(fields) == candidates.fields:
            return candidates
    return METRICS[name]


def span_metric(name: str) -> Metric:
    """Make the metric of the spans of stand-off tables, called `name`."""
    return Metric(name, "spans.count_spans")


# Metrics of extracted sentence pairs. `bitext.scoring` counts them, because the pairs are there.

PAIRS = "pairs"
TRAINED = "pairs-trained"
ORACLE = "pairs-oracle"

_RECALL_AT = re.compile(r"recall-at-([1-9][0-9]{0,8})")


def recall_metric(most: int) -> Metric:
    """Make the metric of gold pairs that are among the `most` best candidates for their first sentence.

    >>> recall_metric(5).name
    'recall-at-5'
    """
    return _recall(f"recall-at-{most}")


def find_recall_metric(name: str) -> Metric | None:
    """Return the metric of a name such as recall-at-5, None for any other name."""
    match = _RECALL_AT.fullmatch(name)
    return recall_metric(int(match[1])) if match else None


def find_pair_metric(name: str) -> Metric | None:
    """Return the metric of sentence pairs that has this name, None for any other name.

    >>> find_pair_metric("pairs-trained").name, find_pair_metric("tokens")
    ('pairs-trained', None)
    """
    if name in (PAIRS, TRAINED, ORACLE):
        return label_metric(name)
    return find_recall_metric(name)
