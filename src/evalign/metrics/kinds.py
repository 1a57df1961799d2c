"""Names of metrics: as people write them, those whose errors can be looked at, and the kinds that errors are of."""

from __future__ import annotations

from collections.abc import Iterable

SPAN_METRICS = ("sentences", "tokens", "words")
WORD_METRICS = ("upos", "xpos", "tags", "ufeats", "allfeats", "lemmas", "uas", "las")
LABEL_METRICS = (*WORD_METRICS, "brackets")
METRICS_WITH_ERRORS = (*SPAN_METRICS, *LABEL_METRICS)

# Passages that a saved result keeps of a system unless more are asked for.
MOST_PASSAGES = 300

SPAN_KINDS = ("split", "merge", "shifted", "missing", "inserted", "rewritten")
WORD_KINDS = ("confused", "label", "head", "both")
BRACKET_KINDS = ("label", "rewritten", "missing", "inserted", "crossing")
KINDS = (*SPAN_KINDS, *WORD_KINDS, "crossing")

# Metrics as the field writes them, in everything that people read; any other is written as it is called.
_WRITTEN = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "allfeats": "AllFeats",
    "alltags": "AllTags",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
    "elas": "ELAS",
    "eulas": "EULAS",
    "wlas": "WLAS",
    "bio": "BIO",
    "pk": "Pk",
    "windowdiff": "WindowDiff",
    "pk-nltk": "Pk-NLTK",
    "windowdiff-nltk": "WindowDiff-NLTK",
    "pk-segeval": "Pk-segeval",
    "windowdiff-segeval": "WindowDiff-segeval",
    "oov": "OOV",
}


def show_metric(name: str) -> str:
    """A metric as the field writes it, for tables and pages.

    >>> show_metric("las"), show_metric("tokens")
    ('LAS', 'tokens')
    """
    return _WRITTEN.get(name, name)


def find_name(name: str, known: Iterable[str]) -> str:
    """The one of the `known` names that `name` is, in whatever case it is written; else `name` itself.

    >>> find_name("LAS", ["las", "uas"]), find_name("Las", ["Las", "las"]), find_name("l", ["las"])
    ('las', 'Las', 'l')
    """
    listed = list(known)
    if name in listed:
        return name
    return next((each for each in listed if each.lower() == name.lower()), name)
