"""Metrics whose errors can be looked at one by one, and the kinds that errors are of."""

from __future__ import annotations

SPAN_METRICS = ("sentences", "tokens", "words")
WORD_METRICS = ("upos", "xpos", "tags", "ufeats", "allfeats", "lemmas", "uas", "las")
LABEL_METRICS = (*WORD_METRICS, "brackets")
METRICS_WITH_ERRORS = (*SPAN_METRICS, *LABEL_METRICS)

# Passages that a saved result keeps of a system unless more are asked for.
MOST_PASSAGES = 2000

SPAN_KINDS = ("split", "merge", "shifted", "missing", "inserted", "rewritten")
WORD_KINDS = ("confused", "label", "head", "both")
BRACKET_KINDS = ("label", "rewritten", "missing", "inserted", "crossing")
KINDS = (*SPAN_KINDS, *WORD_KINDS, "crossing")
