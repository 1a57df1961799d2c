"""Labels of Universal Dependencies in the CoNLL 2018 evaluation (Zeman et al. 2018, section 5)."""

from __future__ import annotations


def names(listed: str) -> frozenset[str]:
    """Split a list of names separated by spaces."""
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
# Stands in a column without a value.
UNFILLED = "_"


def cut_relation(label: str) -> str:
    """Return a relation without its subtype.

    >>> cut_relation("nsubj:pass")
    'nsubj'
    """
    return label.partition(":")[0]


def cut_path(path: str) -> str:
    """Return the path of an enhanced edge with the subtype cut from each of its steps.

    >>> cut_path("conj:and>nsubj:xsubj")
    'conj>nsubj'
    """
    return ">".join(map(cut_relation, path.split(">")))


def universal_features(feats: str) -> str:
    """Return the universal features in `feats`, sorted, as UFeats compares them; values stay as written.

    A feature counts as universal by its name before the first "=".

    >>> universal_features("Number=Sing|Case=Nom|Typo=Yes|Number[psor]=Plur")
    'Case=Nom|Number=Sing'
    """
    kept = (feature for feature in feats.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))
