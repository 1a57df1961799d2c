"""Settings of the layers, each of which can move a number and is in the signature."""

from __future__ import annotations

from typing import Literal, NamedTuple

from evalign.metrics.schemes import DEFAULT, Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.relations import Weights

Match = Literal["default", "place", "text"]
FeatureValues = Literal["ordered", "set"]
EdgeMatch = Literal["once", "all"]
Punctuation = Literal["own", "gold"]
RelationLabels = Literal["auto", "v1", "v2"]

# Marks that may end a sentence (Palmer and Hearst 1997; Read et al. 2012).
CANDIDATES = ".?!…。！？"


# What a layer of stand-off spans is called where nothing is said.
SPANS = "spans"


class Options(NamedTuple):
    """What is asked of the layers."""

    match: Match = "default"
    credit_exceptions: bool = False
    candidates: str = CANDIDATES
    vocabulary: frozenset[str] | None = None
    feature_values: FeatureValues = "ordered"
    """Whether Fem,Masc is another value than Masc,Fem, as in the CoNLL 2018 evaluation, or the same set."""
    edges: EdgeMatch = "once"
    """Whether an enhanced edge is matched once, or with every equal one, as in the UD tools."""
    relations: RelationLabels = "auto"
    """Version of the labels that content and function relations are told by."""
    weights: Weights | None = None
    scheme: Scheme = DEFAULT
    """Which brackets and tags of trees count, and which labels are the same."""
    punctuation: Punctuation = "own"
    """Whether a word that the scheme leaves out is told by its own tag, or by gold's where gold has the word."""
