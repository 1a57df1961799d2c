"""Classes of relations."""

import pytest

from evalign.metrics.relations import OWN_RELATIONS, RELATION_CLASSES, find_version, relation_class
from evalign.ud_labels import cut_relation
from oracles import typology as oracle

CONTENT_V1, FUNCTION_V1 = RELATION_CLASSES["v1"]["content"], RELATION_CLASSES["v1"]["function"]
CONTENT_V2, FUNCTION_V2 = RELATION_CLASSES["v2"]["content"], RELATION_CLASSES["v2"]["function"]
ONLY_V1, ONLY_V2 = OWN_RELATIONS["v1"], OWN_RELATIONS["v2"]


def names(listed):
    return frozenset(listed.split())


# Callin, Table 2.
OTHER_V1 = names("list dep foreign mwe reparandum punct name goeswith discourse")
# The 37 relations of UD v2 (universaldependencies.org/u/dep).
UNIVERSAL_V2 = names(
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed "
    "flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative "
    "xcomp"
)


def test_version_1_is_table_2_of_the_paper():
    assert (len(FUNCTION_V1), len(CONTENT_V1), len(OTHER_V1)) == (9, 22, 9)
    assert not FUNCTION_V1 & CONTENT_V1
    assert all(relation_class(label, "v1") == "other" for label in OTHER_V1)


def test_version_2_has_the_same_classes_under_its_own_names():
    renamed = {
        "dobj": "obj",
        "remnant": "orphan",
        "csubjpass": "csubj",
        "nsubjpass": "nsubj",
        "auxpass": "aux",
    }
    assert {renamed.get(label, label) for label in CONTENT_V1} | {"obl"} == CONTENT_V2
    assert {renamed.get(label, label) for label in FUNCTION_V1} - {"neg"} | {"clf"} == FUNCTION_V2
    assert UNIVERSAL_V2 >= CONTENT_V2 | FUNCTION_V2
    other = {label for label in UNIVERSAL_V2 if relation_class(label, "v2") == "other"}
    assert other == names("dep discourse fixed flat goeswith list punct reparandum")


def test_labels_of_one_version_are_not_labels_of_the_other():
    assert not ONLY_V1 & UNIVERSAL_V2
    assert UNIVERSAL_V2 >= ONLY_V2
    assert not ONLY_V2 & (CONTENT_V1 | FUNCTION_V1 | OTHER_V1)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_classes_are_those_of_the_oracle(version):
    for label in (*CONTENT_V1, *FUNCTION_V1, *OTHER_V1, *UNIVERSAL_V2, "x", ""):
        assert relation_class(label, version) == oracle.class_of(label, version)


def test_subtypes_do_not_matter():
    assert cut_relation("nsubj:pass:x") == "nsubj"
    assert relation_class("aux:pass", "v2") == "function"
    assert relation_class("obl:agent", "v2") == "content"
    assert find_version(["nsubj:pass", "obj:lvc"]) == "v2"


@pytest.mark.parametrize(
    ("labels", "counts", "version"),
    [
        ([], None, "v2"),
        (["nsubj", "punct"], None, "v2"),
        (["dobj"], None, "v1"),
        (["dobj", "obj"], None, "v2"),
        (["dobj", "neg", "obj"], None, "v1"),
        (["dobj", "neg", "obj"], [1, 1, 3], "v2"),
        (["dobj", "obj"], [2, 1], "v1"),
    ],
)
def test_the_version_is_what_most_labels_or_words_say(labels, counts, version):
    assert find_version(labels, counts) == version
