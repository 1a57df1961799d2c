"""The table of all metrics, the default metrics, and lookup by name.

`METRICS` has the metrics in the order in which they are listed; `definitions` says what each one means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from evalign.errors import CommandError, quote, suggest
from evalign.metrics.comparison import Comparison, CountTable
from evalign.metrics.counts import ratio
from evalign.metrics.metric import LABEL_FIELDS, MATCHED, Metric, label_metric


class _Metrics(Mapping[str, Metric]):
    """All metrics by name, in listing order; the module of a metric is imported on first lookup."""

    _homes: Mapping[str, tuple[str, str]] = {
        "sentences": ("spans", "SENTENCES"),
        "tokens": ("spans", "TOKENS"),
        "words": ("spans", "WORDS"),
        "upos": ("word_labels", "UPOS"),
        "xpos": ("word_labels", "XPOS"),
        "ufeats": ("word_labels", "UFEATS"),
        "allfeats": ("word_labels", "ALLFEATS"),
        "alltags": ("word_labels", "ALLTAGS"),
        "lemmas": ("word_labels", "LEMMAS"),
        "uas": ("word_labels", "UAS"),
        "las": ("word_labels", "LAS"),
        "clas": ("word_labels", "CLAS"),
        "mlas": ("word_labels", "MLAS"),
        "blex": ("word_labels", "BLEX"),
        "elas": ("graphs", "ELAS"),
        "eulas": ("graphs", "EULAS"),
        "content": ("word_labels", "CONTENT"),
        "function": ("word_labels", "FUNCTION"),
        "wlas": ("word_labels", "WLAS"),
        "dependencies": ("graphs", "DEPENDENCIES"),
        "tags": ("brackets", "TAGS"),
        "brackets": ("brackets", "BRACKETS"),
        "brackets-unlabelled": ("brackets", "BRACKETS_UNLABELLED"),
        "triples": ("brackets", "TRIPLES"),
        "crossing": ("brackets", "CROSSING"),
        "complete-match": ("brackets", "COMPLETE_MATCH"),
        "boundaries": ("boundaries", "BOUNDARIES"),
        "boundaries-inner": ("boundaries", "INNER_BOUNDARIES"),
        "token-boundaries": ("boundaries", "TOKEN_BOUNDARIES"),
        "bio": ("bio", "BIO"),
        "disambiguation": ("boundaries", "DISAMBIGUATION"),
        "sentence-accuracy": ("spans", "SENTENCE_ACCURACY"),
        "edit-distance": ("edits", "EDIT_DISTANCE"),
        "pk": ("boundaries", "PK"),
        "windowdiff": ("boundaries", "WINDOWDIFF"),
        "pk-nltk": ("boundaries", "PK_NLTK"),
        "windowdiff-nltk": ("boundaries", "WINDOWDIFF_NLTK"),
        "pk-segeval": ("boundaries", "PK_SEGEVAL"),
        "windowdiff-segeval": ("boundaries", "WINDOWDIFF_SEGEVAL"),
        "oov": ("spans", "OOV"),
    }

    def __getitem__(self, name: str) -> Metric:
        module, attribute = self._homes[name]
        metric: Metric = getattr(import_module(f"evalign.metrics.{module}"), attribute)
        return metric

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def __contains__(self, name: object) -> bool:
        return name in self._homes


METRICS: Mapping[str, Metric] = _Metrics()
# Default metrics: DEFAULT_METRICS always, DEFAULT_COLUMNS where the documents have the columns.
DEFAULT_METRICS = ("sentences", "tokens", "words")
DEFAULT_COLUMNS = (
    "upos", "xpos", "ufeats", "allfeats", "alltags", "lemmas", "uas", "las", "clas", "mlas", "blex", "elas", "eulas",
)  # fmt: skip
# Default metrics of bracketed trees, in place of DEFAULT_COLUMNS.
DEFAULT_TREES = (
    "sentences", "tokens", "tags", "brackets", "brackets-unlabelled", "triples", "sentence-accuracy", "crossing",
    "complete-match",
)  # fmt: skip
# Metrics that need an extra input, a word list or weights; `all` leaves them out.
NEEDY = ("oov", "wlas")


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
            chosen |= {other: metric for other, metric in METRICS.items() if other not in NEEDY}
        elif name in METRICS:
            chosen[name] = METRICS[name]
        else:
            raise _unknown(name)
    if not chosen:
        message, expected = "no metric", "at least one, or all"
        raise CommandError(message, expected, "to list all metrics: evalign explain")
    return tuple(chosen.values())


def _unknown(name: str) -> CommandError:
    advice = "to read what a metric is: evalign explain NAME"
    return CommandError(f"unknown metric {quote(name)}", *suggest(name, [*METRICS, "all", "default"], advice))


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
        from evalign.metrics.spans import span_metric

        return span_metric(name)
    if name not in METRICS:
        candidates = find_recall_metric(name)
        if candidates is not None and tuple(fields) == RECALL_FIELDS:
            return candidates
    return METRICS[name]


# Metrics of extracted sentence pairs. `bitext.scoring` counts them, because the pairs are there.

PAIRS = "pairs"
TRAINED = "pairs-trained"
ORACLE = "pairs-oracle"

RECALL_FIELDS = ("correct", "gold")
"""Fields of the recall metrics: gold pairs that are among the candidates, and all gold pairs."""

_RECALL_AT = re.compile(r"recall-at-([1-9][0-9]{0,8})")


def recall_metric(most: int) -> Metric:
    """Make the metric of gold pairs that are among the `most` best candidates for their first sentence.

    >>> recall_metric(5).name
    'recall-at-5'
    """
    return Metric(f"recall-at-{most}", _not_counted, RECALL_FIELDS, _recall, "recall")


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


def _recall(counts: Mapping[str, int]) -> dict[str, float | None]:
    return {"recall": ratio(counts["correct"], counts["gold"])}


def _not_counted(comparison: Comparison) -> CountTable:
    """Stand in for `Metric.count` and raise: documents have no pairs of sentence ids."""
    raise NotImplementedError
