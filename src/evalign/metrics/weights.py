"""Weights of relations, as a file has them: what each word counts in WLAS.

`evalign typology weights` makes such a file; one written by hand needs the keys `schema` and `weights` only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import NamedTuple, TypeGuard

from evalign.errors import CommandError, InputError, Place, quote
from evalign.files import shorten_paths
from evalign.readers import Source, load
from evalign.ud_labels import cut_relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

SCHEMA = 1
MISSING = 0.5
"""What a relation weighs that has no weight: neither function nor content (Callin, section 4.2)."""
_ADVICE = "make one: evalign typology weights TREEBANK... -o weights.json"


class Weights(NamedTuple):
    """What each relation weighs; relations are without subtype."""

    values: Mapping[str, float]
    missing: float = MISSING
    version: str = ""
    """Version of the labels they were made from, "v1", "v2" or "v1+v2"; nothing where the file does not say."""
    name: str = ""
    """The file they are from."""

    def of(self, label: str) -> float:
        """What a relation weighs; its subtype does not matter.

        >>> Weights({"nsubj": 0.67}).of("nsubj:pass"), Weights({"nsubj": 0.67}).of("case")
        (0.67, 0.5)
        """
        return self.values.get(cut_relation(label), self.missing)

    def exact(self, label: str) -> Fraction:
        """The weight as the decimal that a file has, not as the binary number nearest to it.

        >>> Weights({"nsubj": 0.67}).exact("nsubj")
        Fraction(67, 100)
        """
        from fractions import Fraction

        # Written back, a number has the fewest digits that give it again: those of the file, up to 15 at least.
        return Fraction(str(self.of(label)))

    @property
    def digest(self) -> str:
        """A few characters that tell these weights from others, however a file has them written."""
        from hashlib import sha256

        written = json.dumps([sorted(self.values.items()), self.missing])
        return sha256(written.encode()).hexdigest()[:8]


def check_weights(weights: Weights) -> Weights:
    """The same weights; raises `CommandError` for one that is none, as `load_weights` does for those of a file."""
    for relation, value in {**weights.values, "missing": weights.missing}.items():
        if cut_relation(relation) != relation:
            message = f"a weight for {quote(relation)}"
            raise CommandError(message, "relations without subtype")
        if not _is_weight(value):
            message = f"the weight of {quote(relation)} is {value!r}"
            raise CommandError(message, "a number from 0 to 1")
    return weights


def load_weights(path: Source) -> Weights:
    """The weights a file has; raises `InputError` where it has none."""
    content = load(path)
    place = Place(content.name)
    try:
        saved = json.loads(content.data)
    except (ValueError, RecursionError) as error:
        place = Place(content.name, getattr(error, "lineno", 0))
        raise InputError(place, "not JSON", "a file of weights in JSON", _ADVICE) from None
    if not isinstance(saved, dict) or not isinstance(saved.get("weights"), dict):
        raise InputError(
            place, 'JSON without "weights"', 'an object with "weights": {relation: weight}', _ADVICE
        )
    if saved.get("schema") != SCHEMA:
        found = f"schema {quote(json.dumps(saved.get('schema')))}"
        raise InputError(place, found, f"weights of schema {SCHEMA}", _ADVICE)
    values = {relation: _weight(place, relation, value) for relation, value in saved["weights"].items()}
    version = saved.get("labels")
    missing = _weight(place, "missing", saved.get("missing", MISSING))
    [name] = shorten_paths([content.name])
    return Weights(values, missing, version if isinstance(version, str) else "", name)


def _weight(place: Place, relation: str, value: object) -> float:
    if cut_relation(relation) != relation:
        found = f"a weight for {quote(relation)}"
        raise InputError(
            place, found, "relations without subtype", f"give one for {quote(cut_relation(relation))} instead"
        )
    if not _is_weight(value):
        found = f"the weight of {quote(relation)} is {quote(json.dumps(value))}"
        raise InputError(
            place, found, "a number from 0 to 1", "only their proportions count: divide all of them"
        )
    return float(value)


def _is_weight(value: object) -> TypeGuard[float]:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0 <= value <= 1
    )
