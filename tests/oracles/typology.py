"""Typological metrics, written straight from the dependency rules, section 6, and Callin's paper.

Every word is a syntactic word with its form as written; every relation is cut at its first colon.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from oracles.dependencies import ROOT, Comparison, Treebank, names, parents_of, relation, without_cycles

# Table 2 of the paper, and its counterpart for UD v2; a relation in neither set is "other".
CLASSES = {
    "v1": {
        "function": names("aux auxpass case cc cop det expl mark neg"),
        "content": names(
            "acl advcl advmod amod appos ccomp compound conj csubj csubjpass dislocated dobj iobj nmod nsubj "
            "nsubjpass nummod parataxis remnant root vocative xcomp"
        ),
    },
    "v2": {
        "function": names("aux case cc clf cop det expl mark"),
        "content": names(
            "acl advcl advmod amod appos ccomp compound conj csubj dislocated obj iobj nmod obl nsubj nummod "
            "parataxis orphan root vocative xcomp"
        ),
    },
}
ONLY_V1 = names("auxpass csubjpass dobj foreign mwe name neg nsubjpass remnant")
ONLY_V2 = names("clf fixed flat obj obl orphan")
ABSENT = 0.5
"""The entropy assumed for a relation that a treebank, or a file of weights, lacks."""


def class_of(name: str, version: str) -> str:
    """Return content, function or other."""
    return next((kind for kind, names in CLASSES[version].items() if name in names), "other")


def version_of(treebank: Treebank) -> str:
    """Return the table that fits the labels: v1 if more words have a v1-only label than a v2-only one."""
    names = Counter(relation(word) for word in treebank.words)
    v1, v2 = (sum(names[name] for name in only) for only in (ONLY_V1, ONLY_V2))
    return "v1" if v1 > v2 else "v2"


def is_right(comparison: Comparison, g: int, s: int) -> bool:
    """Return whether attachment and label are right."""
    return comparison.are_heads_equal(g, s) and comparison.are_labels_equal(g, s)


def class_counts(comparison: Comparison, version: str) -> dict[str, tuple[int, int, int]]:
    """Return correct, gold and system words of each class.

    Precision is over system words by the system's relation, recall over gold words by gold's relation. Where
    the label is right both relations are the same, so there is one `correct`.
    """
    gold, system, pairs, *_ = comparison
    right = Counter(
        class_of(relation(gold.words[g]), version) for g, s in pairs if is_right(comparison, g, s)
    )
    in_gold = Counter(class_of(relation(word), version) for word in gold.words)
    in_system = Counter(class_of(relation(word), version) for word in system.words)
    return {kind: (right[kind], in_gold[kind], in_system[kind]) for kind in ("content", "function", "other")}


def shares(treebank: Treebank, version: str) -> dict[str, float]:
    """Return the share of each class among all words, punctuation included."""
    kinds = Counter(class_of(relation(word), version) for word in treebank.words)
    return {kind: kinds[kind] / len(treebank.words) for kind in ("content", "function", "other")}


def entropy(numbers: Sequence[int]) -> float:
    """Return the entropy, in nats, of the distribution with these frequencies."""
    total = sum(numbers)
    return math.fsum(-number / total * math.log(number / total) for number in numbers)


def wde(treebank: Treebank) -> dict[str, float]:
    """Return the word dependency entropy of each relation, divided by the log of the vocabulary size.

    A treebank with a single word form has an entropy of 0 for every relation.
    """
    forms: dict[str, Counter[str]] = {}
    for word in treebank.words:
        forms.setdefault(relation(word), Counter())[word.form] += 1
    vocabulary = len({word.form for word in treebank.words})
    if vocabulary == 1:
        return dict.fromkeys(forms, 0.0)
    return {name: entropy([*counts.values()]) / math.log(vocabulary) for name, counts in forms.items()}


def averaged_wde(treebanks: Sequence[Treebank]) -> dict[str, float]:
    """Return the mean entropy over treebanks of each relation that any of them has.

    A missing relation counts 0.5.
    """
    tables = [wde(treebank) for treebank in treebanks]
    names = sorted({name for table in tables for name in table})
    return {name: math.fsum(table.get(name, ABSENT) for table in tables) / len(tables) for name in names}


def wlas(comparison: Comparison, weights: dict[str, float]) -> tuple[float, float, float]:
    """Return the summed weights of the correct words, of all gold words, and of all system words.

    A gold word has the weight of its gold relation, a system word that of its system relation; for a correct
    word both are the same. Precision is correct over system, recall correct over gold, F1 twice correct over
    the sum of both.
    """
    gold, system, pairs, *_ = comparison

    def weigh(words: list) -> float:
        return math.fsum(weights.get(relation(word), ABSENT) for word in words)

    right = [gold.words[g] for g, s in pairs if is_right(comparison, g, s)]
    return weigh(right), weigh(gold.words), weigh(system.words)


def sttr(treebank: Treebank, chunk: int = 1000) -> float | None:
    """Return the mean type/token ratio over whole chunks of words that are not UPOS PUNCT.

    None if no chunk is whole.
    """
    forms = [word.form for word in treebank.words if word.upos != "PUNCT"]
    ratios = [
        len(set(forms[start : start + chunk])) / chunk for start in range(0, len(forms) - chunk + 1, chunk)
    ]
    return math.fsum(ratios) / len(ratios) if ratios else None


def nonprojective_words(treebank: Treebank) -> list[int]:
    """Return the words whose arc is non-projective.

    An arc is non-projective if a word strictly between head and dependent is not under the head. Arcs from
    the artificial root 0 are not counted; every word is under the root, so none of them could be
    non-projective.
    """
    parents = without_cycles(parents_of(treebank))

    def is_under(number: int | None, head: int) -> bool:
        while number is not None and number not in (ROOT, head):
            number = parents[number]
        return number == head

    return [
        number
        for number, head in enumerate(parents)
        if head is not None
        and head != ROOT
        and not all(is_under(between, head) for between in range(min(number, head) + 1, max(number, head)))
    ]


def nonprojective_trees(treebank: Treebank) -> tuple[int, int]:
    """Return the number of sentences with at least one non-projective arc, and of all sentences."""
    crossing = set(nonprojective_words(treebank))
    return sum(not crossing.isdisjoint(sentence) for sentence in treebank.sentences), len(treebank.sentences)


def cascading(comparison: Comparison, version: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return Table 5 by class of the gold relation and by sense, labelled or unlabelled.

    Among aligned words that are attached wrongly: the number whose system head is itself attached rightly in
    the same sense, and the number of all. The root and a word without a partner never count as rightly
    attached heads.
    """
    gold, _, pairs, gold_of, _, system_parents = comparison
    senses = {"labelled": is_right, "unlabelled": Comparison.are_heads_equal}
    table = {}
    for kind in ("content", "function"):
        for sense, is_right_so in senses.items():
            heads = [
                system_parents[s]
                for g, s in pairs
                if class_of(relation(gold.words[g]), version) == kind and not is_right_so(comparison, g, s)
            ]
            right = sum(head in gold_of and is_right_so(comparison, gold_of[head], head) for head in heads)
            table[kind, sense] = right, len(heads)
    return table


def cumulative_variance(scores: Sequence[float]) -> list[float]:
    """Return the population variance of the best n scores, for n from 1 up."""
    best = sorted(scores, reverse=True)
    return [variance(best[:n]) for n in range(1, len(best) + 1)]


def variance(values: Sequence[float]) -> float:
    """Return the population variance: the mean square distance from the mean, over n and not n - 1."""
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)


def pearson(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return the correlation of two measurements; None if one of them does not vary."""
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    left_mean, right_mean = math.fsum(left) / len(left), math.fsum(right) / len(right)
    together = math.fsum((a - left_mean) * (b - right_mean) for a, b in zip(left, right, strict=True))
    return together / len(left) / math.sqrt(variance(left) * variance(right))


def ranks(values: Sequence[float | Fraction]) -> list[float]:
    """Return the rank of each value in ascending order, from 1.

    Equal values share the mean of their ranks.
    """
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def spearman(left: Sequence[float | Fraction], right: Sequence[float]) -> float | None:
    """Return the Pearson correlation of the ranks."""
    return pearson(ranks(left), ranks(right))


def preference_correlation(
    differences: Sequence[float | Fraction], preferences: Sequence[str]
) -> float | None:
    """Return the correlation of Table 4 between score differences and human preferences.

    A difference is the score of A minus the score of B for a sentence; a preference is "A", "B" or neither.
    """
    return spearman(differences, [{"A": 1, "B": -1}.get(preference, 0) for preference in preferences])


def weighted_f1(
    gold: Sequence[str], system: Sequence[str], right: Sequence[bool], weights: dict[str, str]
) -> Fraction:
    """Return the WLAS of a sentence whose words are paired one by one.

    Relations and weights are as written.
    """
    weigh = {name: Fraction(written) for name, written in weights.items()}
    correct = sum((weigh[name] for name, is_right in zip(gold, right, strict=True) if is_right), Fraction(0))
    return 2 * correct / (sum(weigh[name] for name in gold) + sum(weigh[name] for name in system))
