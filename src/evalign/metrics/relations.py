"""Relations of Universal Dependencies: versions of their labels, content and function relations, weights.

Metrics of words and `typology` use them; weights are for the metric wlas.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import repeat
from typing import Literal, TypeGuard

from evalign.errors import CommandError, InputError, Message, Place, check_type, quote
from evalign.files import shorten_paths
from evalign.options import DEFAULT_WEIGHT, Weights
from evalign.readers.content import load
from evalign.text import Source
from evalign.ud_labels import cut_relation, names

TYPE_CHECKING = False


# Content and function relations, by labels of version 1 and of version 2 of Universal Dependencies.
#
# Version 1 is Table 2 of Callin (A typological perspective on evaluation for Universal Dependencies). Version
# 2 has the same classes under its own names: dobj is obj, remnant is orphan, mwe is fixed, name and foreign
# are flat; obl, which version 1 called nmod, is content; nsubjpass, csubjpass and auxpass are subtypes, which
# are cut; neg is gone; clf is function.

Version = Literal["v1", "v2"]
RelationClass = Literal["content", "function", "other"]

_FUNCTION_V1 = names("aux auxpass case cc cop det expl mark neg")
_CONTENT_V1 = names(
    "acl advcl advmod amod appos ccomp compound conj csubj csubjpass dislocated dobj iobj nmod nsubj nsubjpass nummod "
    "parataxis remnant root vocative xcomp"
)
_FUNCTION_V2 = names("aux case cc clf cop det expl mark")
_CONTENT_V2 = names(
    "acl advcl advmod amod appos ccomp compound conj csubj dislocated iobj nmod nsubj nummod obj obl orphan parataxis "
    "root vocative xcomp"
)
RELATION_CLASSES: dict[Version, dict[RelationClass, frozenset[str]]] = {
    "v1": {"content": _CONTENT_V1, "function": _FUNCTION_V1},
    "v2": {"content": _CONTENT_V2, "function": _FUNCTION_V2},
}

# Labels without subtypes that only one of the versions has.
OWN_RELATIONS: dict[Version, frozenset[str]] = {
    "v1": names("auxpass csubjpass dobj foreign mwe name neg nsubjpass remnant"),
    "v2": names("clf fixed flat obj obl orphan"),
}


def find_version(labels: Iterable[str], counts: Iterable[int] | None = None) -> Version:
    """Return the version of UD that `labels` belong to: the one with more of its own labels, v2 on a tie.

    Own labels of a version are those that the other version lacks. With `counts`, the number of words of each
    label, words are counted instead of labels.

    >>> find_version(["nsubj", "dobj", "root"]), find_version(["nsubj", "obj", "root"]), find_version(["root"])
    ('v1', 'v2', 'v2')
    >>> find_version(["dobj", "neg", "obj"]), find_version(["dobj", "neg", "obj"], [1, 1, 900])
    ('v1', 'v2')
    """
    v1 = v2 = 0
    for label, count in zip(labels, repeat(1) if counts is None else counts, strict=False):
        v1 += count * (cut_relation(label) in OWN_RELATIONS["v1"])
        v2 += count * (cut_relation(label) in OWN_RELATIONS["v2"])
    return "v1" if v1 > v2 else "v2"


def relation_class(label: str, version: Version) -> RelationClass:
    """Return the class of a relation, "other" for a label that is in no class of the version.

    Subtypes are ignored.

    >>> relation_class("nsubj:pass", "v2"), relation_class("neg", "v1"), relation_class("punct", "v2")
    ('content', 'function', 'other')
    """
    relation = cut_relation(label)
    classes = RELATION_CLASSES[version]
    if relation in classes["content"]:
        return "content"
    return "function" if relation in classes["function"] else "other"


# Weights of relations: how much each word counts in WLAS.
#
# `evalign typology weights` makes a file of weights; one written by hand needs only the keys `schema` and
# `weights`.

WEIGHTS_SCHEMA = 1
_ADVICE = (
    "make one: {evalign.typology.save_weights(...)|evalign typology weights TREEBANK... -o weights.json}"
)


def check_weights(weights: Weights) -> Weights:
    """Return `weights` unchanged if they are valid; else raise `CommandError`.

    Relations must have no subtype and weights must be from 0 to 1. `load_weights` makes the same checks on
    files.
    """
    for relation, value in {**weights.values, "missing": weights.missing}.items():
        check_type(relation, str, "a key of `weights=`", "a relation")
        if cut_relation(relation) != relation:
            message = f"a weight for {quote(relation)}"
            raise CommandError(message, "relations without subtype")
        if not _is_weight(value):
            message = f"the weight of {quote(relation)} is {value!r}"
            raise CommandError(message, "a number from 0 to 1")
    return weights


def load_weights(path: Source) -> Weights:
    """Read weights from a JSON file; raises `InputError` if it is not a valid file of weights."""
    import json

    content = load(path)
    place = Place(content.name)
    try:
        saved = json.loads(content.data)
    except (ValueError, RecursionError) as error:
        place = Place(content.name, getattr(error, "lineno", 0))
        raise InputError(place, "not JSON", "a file of weights in JSON", Message(_ADVICE)) from None
    if not isinstance(saved, dict) or not isinstance(saved.get("weights"), dict):
        raise InputError(
            place, 'JSON without "weights"', 'an object with "weights": {relation: weight}', Message(_ADVICE)
        )
    if saved.get("schema") != WEIGHTS_SCHEMA:
        problem = f"schema {quote(json.dumps(saved.get('schema')))}"
        raise InputError(place, problem, f"weights of schema {WEIGHTS_SCHEMA}", Message(_ADVICE))
    values = {relation: _weight(place, relation, value) for relation, value in saved["weights"].items()}
    version = saved.get("labels")
    missing = _weight(place, "missing", saved.get("missing", DEFAULT_WEIGHT))
    [name] = shorten_paths([content.name])
    return Weights(values, missing, version if isinstance(version, str) else "", name)


def _weight(place: Place, relation: str, value: object) -> float:
    if cut_relation(relation) != relation:
        problem = f"a weight for {quote(relation)}"
        raise InputError(
            place,
            problem,
            "relations without subtype",
            f"give one for {quote(cut_relation(relation))} instead",
        )
    if not _is_weight(value):
        import json

        problem = f"the weight of {quote(relation)} is {quote(json.dumps(value))}"
        raise InputError(
            place, problem, "a number from 0 to 1", "only their proportions count: divide all of them"
        )
    return float(value)


def _is_weight(value: object) -> TypeGuard[float]:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0 <= value <= 1
    )
