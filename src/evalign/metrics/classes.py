"""Content and function relations of Universal Dependencies, for labels of version 1 and of version 2.

Version 1 is Table 2 of Callin (A typological perspective on evaluation for Universal Dependencies). Version 2 has the
same classes under its own names: dobj is obj, remnant is orphan, mwe is fixed, name and foreign are flat; obl, which
version 1 called nmod, is content; nsubjpass, csubjpass and auxpass are subtypes, which are cut; neg is gone; clf is
function.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Literal

from evalign.ud_labels import cut_relation, names

Version = Literal["v1", "v2"]
RelationClass = Literal["content", "function", "other"]

FUNCTION_V1 = names("aux auxpass case cc cop det expl mark neg")
CONTENT_V1 = names(
    "acl advcl advmod amod appos ccomp compound conj csubj csubjpass dislocated dobj iobj nmod nsubj nsubjpass nummod "
    "parataxis remnant root vocative xcomp"
)
FUNCTION_V2 = names("aux case cc clf cop det expl mark")
CONTENT_V2 = names(
    "acl advcl advmod amod appos ccomp compound conj csubj dislocated iobj nmod nsubj nummod obj obl orphan parataxis "
    "root vocative xcomp"
)
CLASSES: dict[Version, dict[RelationClass, frozenset[str]]] = {
    "v1": {"content": CONTENT_V1, "function": FUNCTION_V1},
    "v2": {"content": CONTENT_V2, "function": FUNCTION_V2},
}

# Labels, cut, that only one of the versions has.
ONLY_V1 = names("auxpass csubjpass dobj foreign mwe name neg nsubjpass remnant")
ONLY_V2 = names("clf fixed flat obj obl orphan")


def find_version(labels: Iterable[str], counts: Iterable[int] | None = None) -> Version:
    """The version whose own labels, those that the other has not, are more; version 2 where that tells nothing.

    With `counts`, how many words have each label, words are counted and not labels.

    >>> find_version(["nsubj", "dobj", "root"]), find_version(["nsubj", "obj", "root"]), find_version(["root"])
    ('v1', 'v2', 'v2')
    >>> find_version(["dobj", "neg", "obj"]), find_version(["dobj", "neg", "obj"], [1, 1, 900])
    ('v1', 'v2')
    """
    v1 = v2 = 0
    for label, count in zip(labels, repeat(1) if counts is None else counts, strict=False):
        v1 += count * (cut_relation(label) in ONLY_V1)
        v2 += count * (cut_relation(label) in ONLY_V2)
    return "v1" if v1 > v2 else "v2"


def relation_class(label: str, version: Version) -> RelationClass:
    """The class of a relation; its subtype does not matter, and a label that the version has not is other.

    >>> relation_class("nsubj:pass", "v2"), relation_class("neg", "v1"), relation_class("punct", "v2")
    ('content', 'function', 'other')
    """
    relation = cut_relation(label)
    classes = CLASSES[version]
    if relation in classes["content"]:
        return "content"
    return "function" if relation in classes["function"] else "other"
