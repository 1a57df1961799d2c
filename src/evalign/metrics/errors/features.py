"""Features one by one: those of a cell of FEATS, and those in which two cells differ."""

from __future__ import annotations

from collections import Counter

from evalign.ud_labels import UNFILLED

Label = tuple[str, ...]
NO_FEATURES = ("-",)


def differing_features(gold: str, system: str) -> tuple[Label, Label]:
    """The features that only one side has, or has with another value.

    >>> differing_features("Case=Nom|Number=Sing", "Number=Plur|Case=Nom")
    (('Number=Sing',), ('Number=Plur',))
    >>> differing_features("Number=Sing", "_")
    (('Number=Sing',), ('-',))
    """
    sides = [Counter(split_features(feats)) for feats in (gold, system)]
    found = [tuple(sorted((side - other).elements())) for side, other in (sides, sides[::-1])]
    return found[0] or NO_FEATURES, found[1] or NO_FEATURES


def split_features(feats: str) -> list[str]:
    """The features of a cell of FEATS; `_` has none."""
    return [feature for feature in feats.split("|") if feature and feature != UNFILLED]
