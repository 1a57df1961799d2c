"""Counts of enhanced dependencies, written straight from the dependency rules, section 2.5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

from oracles.dependencies import ROOT, Comparison, Counts, Treebank, compare, sentences_of

OUTSIDE = -2


class Edge(NamedTuple):
    """An enhanced edge: its head and the steps of its path.

    The head is a number among all words, ROOT, or OUTSIDE if it lies outside the sentence.
    """

    head: int
    steps: tuple[str, ...]


def deps_of(deps: str) -> list[tuple[str, str]]:
    """Return head and path of each edge in a DEPS column, as written."""
    if deps == "_":
        return []
    return [(head, path) for head, _, path in (edge.partition(":") for edge in deps.split("|"))]


def edges_of(treebank: Treebank) -> list[list[Edge]]:
    """Return the edges of each word; edges whose head is an empty node are dropped."""
    edges = []
    for sentence in treebank.sentences:
        for number in sentence:
            edges.append([])
            for head, path in deps_of(treebank.words[number].deps):
                if "." not in head:
                    edges[-1].append(Edge(find_head(int(head), sentence), tuple(path.split(">"))))
    return edges


def find_head(head: int, sentence: range) -> int:
    """Return the number of a head among all words, given its ID in the sentence."""
    if head == 0:
        return ROOT
    return sentence[head - 1] if 0 < head <= len(sentence) else OUTSIDE


def cut(edge: Edge) -> Edge:
    """Cut each step of the path at its first colon."""
    return edge._replace(steps=tuple(step.split(":")[0] for step in edge.steps))


def are_equal(comparison: Comparison, gold: Edge, system: Edge) -> bool:
    """Return whether the heads are aligned or both the root, and all steps are equal.

    A head outside the sentence equals nothing.
    """
    if ROOT in (gold.head, system.head):
        return gold == system
    return comparison.gold_of.get(system.head) == gold.head and gold.steps == system.steps


def count_all_pairs(comparison: Comparison, gold: list[Edge], system: list[Edge]) -> int:
    """Compare every gold edge with every system edge: two equal edges on each side count four times."""
    return sum(are_equal(comparison, mine, theirs) for mine in gold for theirs in system)


def count_one_to_one(comparison: Comparison, gold: list[Edge], system: list[Edge]) -> int:
    """Return the largest number of disjoint equal pairs.

    Words are aligned one to one, so equality divides the edges into classes. Taking any partner that is left
    is therefore optimal.
    """
    left = list(system)
    for mine in gold:
        partner = next((theirs for theirs in left if are_equal(comparison, mine, theirs)), None)
        if partner is not None:
            left.remove(partner)
    return len(system) - len(left)


def count(gold: Treebank, system: Treebank, count_pair: Callable[..., int]) -> dict[str, Counts]:
    """Return ELAS on the edges as written and EULAS on edges with cut steps."""
    comparison = compare(gold, system)
    gold_edges, system_edges = edges_of(gold), edges_of(system)
    correct: Counter[str] = Counter()
    for g, s in comparison.pairs:
        mine, theirs = gold_edges[g], system_edges[s]
        correct["ELAS"] += count_pair(comparison, mine, theirs)
        correct["EULAS"] += count_pair(comparison, [*map(cut, mine)], [*map(cut, theirs)])
    totals = sum(map(len, gold_edges)), sum(map(len, system_edges))
    return {name: (correct[name], *totals, None) for name in ("ELAS", "EULAS")}


def udtools_counts(gold: Treebank, system: Treebank) -> dict[str, Counts]:
    """Count as udtools does; correct may exceed gold and system."""
    return count(gold, system, count_all_pairs)


def matched_counts(gold: Treebank, system: Treebank) -> dict[str, Counts]:
    """Count one to one; correct never exceeds gold or system."""
    return count(gold, system, count_one_to_one)


def collapse(text: str) -> str:
    """Rewrite CoNLL-U without empty nodes: each path through them between two real words becomes one edge.

    The root 0 ends a path as a word does. The label is the chain of relations from the head down to the word,
    joined by `>`. A path may begin where it ends, which gives a self-loop, but it passes no empty node twice.
    Equal edges from different paths are all kept.
    """
    collapsed = ""
    for lines in sentences_of(text):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        incoming = {row[0]: deps_of(row[8]) for row in rows if "." in row[0]}
        for row in rows:
            if "." not in row[0]:
                edges = chain(*(paths_to(*edge, incoming, ()) for edge in deps_of(row[8])))
                row[8] = "|".join(f"{head}:{path}" for head, path in edges) or "_"
                collapsed += "\t".join(row) + "\n"
        collapsed += "\n"
    return collapsed


def paths_to(
    head: str, path: str, incoming: dict[str, list[tuple[str, str]]], passed: tuple[str, ...]
) -> list[tuple[str, str]]:
    """Follow an edge up through empty nodes; return each real head with its chain of relations."""
    if "." not in head:
        return [(head, path)]
    if head in passed:
        return []
    paths = []
    for source, step in incoming.get(head, []):
        paths += paths_to(source, f"{step}>{path}", incoming, (*passed, head))
    return paths
