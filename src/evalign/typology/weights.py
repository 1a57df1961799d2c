r"""Weights of relations for WLAS: their averaged word dependency entropy.

    evalign typology weights en_ewt-ud-train.conllu fi_tdt-ud-train.conllu -o weights.json
    evalign score gold.conllu system.conllu --metrics las,wlas --weights weights.json

Source: Callin, A typological perspective on evaluation for Universal Dependencies, section 5.
"""

from __future__ import annotations

import json
import os
from typing import TypedDict

from evalign._version import __version__
from evalign.files import write_whole
from evalign.metrics import SCHEMA, Weights
from evalign.typology.profiles import Profiles

# The settings that move a weight.
OPTIONS = ("case", "vocabulary", "missing")


class SavedTreebank(TypedDict):
    """A treebank that weights were made from."""

    name: str
    words: int
    labels: str


class SavedWeights(TypedDict):
    """A file of weights."""

    schema: int
    version: str
    kind: str
    labels: str
    options: dict[str, str | float]
    treebanks: list[SavedTreebank]
    missing: float
    weights: dict[str, float]


def make_weights(profiles: Profiles) -> Weights:
    """The averaged word dependency entropy of each relation as its weight."""
    return Weights(profiles.entropies, profiles.settings.missing, "+".join(profiles.versions))


def weights_json(profiles: Profiles) -> SavedWeights:
    """Weights as a file has them, with all that they depend on."""
    weights = make_weights(profiles)
    settings = profiles.settings._asdict()
    return SavedWeights(
        schema=SCHEMA,
        version=__version__,
        kind="weights",
        labels=weights.version,
        options={name: settings[name] for name in OPTIONS},
        treebanks=[
            SavedTreebank(name=treebank.name, words=treebank.words, labels=treebank.labels)
            for treebank in profiles.treebanks
        ],
        missing=weights.missing,
        weights=dict(weights.values),
    )


def save_weights(profiles: Profiles, path: str | os.PathLike[str]) -> None:
    """Write a file of weights, or nothing at all."""
    text = json.dumps(weights_json(profiles), ensure_ascii=False, allow_nan=False, indent=2)
    write_whole(path, text + "\n")
