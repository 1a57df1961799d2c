"""What labels of Universal Dependencies mean to the CoNLL 2018 evaluation (Zeman et al. 2018, section 5)."""

from __future__ import annotations


def names(listed: str) -> frozenset[str]:
    """Names separated by spaces."""
    return frozenset(listed.split())


UNIVERSAL_FEATURES = names(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)
CONTENT_RELATIONS = names(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
FUNCTION_RELATIONS = names("aux cop mark det clf case cc")
# What stands in a column that says nothing.
UNFILLED = "_"


def cut_relation(label: str) -> str:
    """A relation without its subtype.

    >>> cut_relation("nsubj:pass")
    'nsubj'
    """
    return label.partition(":")[0]


def cut_path(path: str) -> str:
    """A path of an enhanced edge with each of its steps cut.

    >>> cut_path("conj:and>nsubj:xsubj")
    'conj>nsubj'
    """
    return ">".join(map(cut_relation, path.split(">")))


def universal_features(feats: str) -> str:
    """The features that UFeats looks at, by the name before the first "="; values as they are written.

    >>> universal_features("Number=Sing|Case=Nom|Typo=Yes|Number[psor]=Plur")
    'Case=Nom|Number=Sing'
    """
    kept = (feature for feature in feats.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))
